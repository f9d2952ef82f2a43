# companion: tells the companion of each command, after it has ended, in the background.
# Take it out: remove the line with `companion shell-hook` from ~/.bashrc and open a new shell.
if [[ $- == *i* && -z ${__companion_hooked-} ]]; then
  __companion_hooked=1
  __companion_waiting=
  __companion_command=
  __companion_number=

  # Before the first command of a line: note the line, and when it begins. What completes words or is bound
  # to a key comes here too and is passed over.
  __companion_before() {
    [[ -n $__companion_waiting && -z ${COMP_LINE+x} && -z ${READLINE_LINE+x} ]] || return 0
    __companion_waiting=
    local entry number text
    entry=$(HISTTIMEFORMAT='' builtin history 1 2>/dev/null)
    [[ $entry =~ ^[[:space:]]*([0-9]+)[*[:space:]][[:space:]]*(.*)$ ]] || return 0
    number=${BASH_REMATCH[1]} text=${BASH_REMATCH[2]}
    # A line that did not get into the history asked to be forgotten: by a space before it, or by HISTIGNORE.
    # Only the same line once more is left out of the history for another reason.
    if [[ $number == "$__companion_number" ]]; then
      [[ ${HISTCONTROL-} == *dups* || ${HISTCONTROL-} == *ignoreboth* ]] || return 0
      [[ $text == "$BASH_COMMAND"* ]] || return 0
    fi
    __companion_number=$number
    __companion_command=$text
    __companion_began=${EPOCHREALTIME:-$(date +%s)}
  }

  # Before the prompt: tell of the line, without waiting for it to be heard.
  __companion_after() {
    local code=$?
    __companion_waiting=
    if [[ -n $__companion_command ]]; then
      local command=$__companion_command now=${EPOCHREALTIME:-$(date +%s)}
      __companion_command=
      (printf '%s\n%s\n%s\n%s\n' "$code" "$__companion_began" "$now" "$command" | @RECORD@ >/dev/null 2>&1 &)
    fi
    return $code
  }

  __companion_ready() { __companion_waiting=1; }

  if [[ $(HISTTIMEFORMAT='' builtin history 1 2>/dev/null) =~ ^[[:space:]]*([0-9]+) ]]; then
    __companion_number=${BASH_REMATCH[1]}
  fi
  __companion_trap=$(trap -p DEBUG)
  __companion_trap=${__companion_trap#"trap -- '"}
  __companion_trap=${__companion_trap%"' DEBUG"}
  __companion_trap=${__companion_trap//"'\\''"/"'"}
  trap -- "__companion_before${__companion_trap:+; $__companion_trap}" DEBUG
  unset __companion_trap
  if [[ $(declare -p PROMPT_COMMAND 2>/dev/null) == 'declare -a'* ]]; then
    PROMPT_COMMAND=(__companion_after "${PROMPT_COMMAND[@]}" __companion_ready)
  else
    PROMPT_COMMAND="__companion_after${PROMPT_COMMAND:+
$PROMPT_COMMAND}
__companion_ready"
  fi
fi
