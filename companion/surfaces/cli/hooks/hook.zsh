# companion: tells the companion of each command, after it has ended, in the background.
# Take it out: remove the line with `companion shell-hook` from ~/.zshrc and open a new shell.
if [[ -o interactive && -z ${__companion_hooked-} ]]; then
  typeset -g __companion_hooked=1 __companion_command= __companion_began=
  zmodload zsh/datetime 2>/dev/null

  # A space before a line, or HISTORY_IGNORE, asks that it be forgotten.
  __companion_before() {
    [[ $1 == [[:space:]]* ]] && return
    [[ -n ${HISTORY_IGNORE-} && $1 == ${~HISTORY_IGNORE} ]] && return
    __companion_command=$1
    __companion_began=${EPOCHREALTIME:-$(date +%s)}
  }

  __companion_after() {
    local code=$?
    if [[ -n $__companion_command ]]; then
      local command=$__companion_command now=${EPOCHREALTIME:-$(date +%s)}
      __companion_command=
      (printf '%s\n%s\n%s\n%s\n' "$code" "$__companion_began" "$now" "$command" | @RECORD@ >/dev/null 2>&1 &)
    fi
    return $code
  }

  autoload -Uz add-zsh-hook
  add-zsh-hook preexec __companion_before
  add-zsh-hook precmd __companion_after
  precmd_functions=(__companion_after ${precmd_functions:#__companion_after})
fi
