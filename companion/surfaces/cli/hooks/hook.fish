# companion: tells the companion of each command, after it has ended, in the background.
# Take it out: remove the line with `companion shell-hook` from ~/.config/fish/config.fish and open a new shell.
if status is-interactive; and not set -q __companion_hooked
    set -g __companion_hooked 1

    function __companion_after --on-event fish_postexec
        set -l code $status
        set -l took (math $CMD_DURATION / 1000)
        # A space before a command asks that it be forgotten; in a private session all are.
        # Leaving the shell is no command: alone of the three, fish tells of it.
        if string match -qr '^\s|^(exit|logout)\b' -- $argv[1]; or test -z "$argv[1]"; or test -n "$fish_private_mode"
            return
        end
        printf '%s\n\n%s\n%s\n' $code $took "$argv[1]" | @RECORD@ >/dev/null 2>&1 &
        disown 2>/dev/null
    end
end
