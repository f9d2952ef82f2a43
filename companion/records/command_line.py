"""What a command line says: its commands one by one, without the variables they were given, and the task they do.

Pure text, so that every way in reads a command alike: the shell hook before it reports one, the store
before it keeps one, and the learning of workflows.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterable, Iterator
from fnmatch import fnmatchcase
from pathlib import PurePosixPath

COMMAND_MAX_CHARS = 2_000
"""A longer command line is a script that was pasted; its beginning says what it was."""

_OPERATORS = {"&&", "||", ";", "|", "|&", "&"}
_ASSIGNMENT = re.compile(r"[A-Za-z_]\w*(?:\[[^]]*\])?\+?=")
_LEADERS = frozenset({"time", "nohup", "command", "builtin", "exec", "nice", "stdbuf", "sudo", "doas", "env", "!"})
"""Words before a program that say how it is run, not what."""
_WORD = re.compile(r"[A-Za-z][\w:.-]*")

TASKED: dict[str, int] = {
    **dict.fromkeys(("git", "gh", "cargo", "go", "docker", "kubectl", "helm", "terraform", "dotnet", "mix"), 1),
    **dict.fromkeys(("make", "gmake", "just", "task", "rake", "npm", "pnpm", "yarn", "bun", "composer", "bundle"), 1),
    **dict.fromkeys(("pip", "uv", "poetry", "pdm", "hatch", "conda", "ruff", "gradle", "mvn", "bazel", "zig"), 1),
    **dict.fromkeys(("systemctl", "brew", "apt", "apt-get", "dnf", "pacman", "alembic", "flask", "rails", "swift"), 1),
}
"""Programs whose next word names the task, so that it belongs to the step: `git push`, `make test`."""
_RUNS_ANOTHER = {("npm", "run"), ("pnpm", "run"), ("yarn", "run"), ("bun", "run"), ("uv", "run"), ("poetry", "run")} | {
    ("pdm", "run"),
    ("hatch", "run"),
    ("bundle", "exec"),
    ("docker", "compose"),
    ("go", "tool"),
}
"""Tasks whose next word is what is really done."""
_WITH_VALUE = frozenset({"-C", "-c", "-f", "--file", "--prefix", "--project", "--manifest-path", "--context", "-n"})
"""Options before a task whose value stands in the next word."""
_INTERPRETERS = frozenset(
    {"python", "python3", "py", "node", "ruby", "perl", "php", "bash", "sh", "zsh", "npx", "deno"}
)
"""Programs that are known by the script or module they run."""

LOOKING = frozenset(
    """
    ls ll la l dir cd pushd popd pwd z j clear cls reset exit logout history which whereis type man info tldr help
    cat bat less more most head tail tac nl wc file stat du df tree find fd locate grep rg ag ack egrep fgrep diff
    echo printf print true false : sleep wait fg bg jobs disown top htop btop ps kill pkill killall watch date cal
    whoami id uname uptime env printenv export unset set alias unalias source . eval umask ulimit bind complete
    vi vim nvim nano emacs emacsclient hx helix kak micro code codium subl zed idea pycharm open xdg-open start
    tmux screen zellij ssh mosh ranger lf nnn mc tig lazygit gitk companion jq yq xxd hexdump column sort uniq
    cut tr awk sed xargs read test [ [[ if for while case until do done fi esac function return break
    """.split()
)
"""Programs by which people look around, edit, or steer their shell; none is a step of a workflow."""
_LOOKING_TASKS = frozenset(
    [
        *("git status", "git log", "git diff", "git show", "git blame", "git branch", "git remote", "git reflog"),
        *("git grep", "git ls-files", "git help", "git config", "git rev-parse", "git describe", "git shortlog"),
        *("gh browse", "docker ps", "docker images", "docker logs", "docker inspect", "kubectl get", "kubectl logs"),
        *("kubectl describe", "npm ls", "npm help", "pip list", "pip show", "pip freeze", "cargo tree", "go env"),
        *("go version", "brew list", "brew info", "systemctl status", "apt list", "terraform show", "helm list"),
    ]
)


def without_variables(text: str) -> str:
    """The command line without the variables given to its commands: `KEY=abc make` is `make`.

    A command that only sets variables is nothing. At most `COMMAND_MAX_CHARS` characters.
    """
    kept = [part if part in _OPERATORS else "".join(_parted(part)) for part in split_commands(text)]
    return " ".join(part for part in kept if part).strip(" &|;")[:COMMAND_MAX_CHARS]


def split_commands(text: str) -> list[str]:
    """Simple commands and the operators between them, in order, as written."""
    pieces: list[str] = []
    start = 0
    for at, sign in _unquoted(text):
        if at >= start and sign in "&|;\n" and not _is_redirection(text, at):
            operator = text[at : at + 2] if text[at : at + 2] in _OPERATORS else sign
            pieces += [text[start:at].strip(), ";" if operator == "\n" else operator]
            start = at + len(operator)
    pieces.append(text[start:].strip())
    return [piece for piece in pieces if piece]


def is_ignored(text: str, patterns: Iterable[str]) -> bool:
    """Whether a command line, or any command in it, matches one of the patterns (`*` and `?`, case does not count).

    A pattern that ends in ` *` fits the bare program too: `ssh *` is `ssh` as well.
    """
    commands = [text.strip(), *(part for part in split_commands(text) if part not in _OPERATORS)]
    said = {form.lower() for command in commands for form in (command, _rest(command), _plain_program(command))}
    wanted = [pattern.strip().lower() for pattern in patterns if pattern.strip()]
    return any(
        fnmatchcase(one, pattern) or (pattern.endswith(" *") and one == pattern[:-2])
        for one in said
        for pattern in wanted
    )


def steps_of(text: str) -> tuple[str, ...]:
    """The steps that a command line which succeeded has taken, in order; none for looking around.

    Commands joined by `&&` are a step each; of a pipe the first counts, of `||` and `;` nothing but
    the last is known to have succeeded.
    """
    parts = split_commands(text)
    commands = [part for part in parts if part not in _OPERATORS]
    operators = {part for part in parts if part in _OPERATORS}
    if not commands:
        return ()
    if operators & {"||", "&"}:
        return ()
    chosen = commands
    if "|" in operators or "|&" in operators:
        chosen = commands[:1] if operators <= {"|", "|&"} else []
    elif ";" in operators:
        chosen = commands[-1:]
    steps = (step_of(command) for command in chosen)
    return tuple(dict.fromkeys(step for step in steps if step))


def step_of(command: str) -> str:
    """What one simple command does: its program and task, without what changes from day to day; '' for no step."""
    words = _words(_rest(command))
    if not words:
        return ""
    program = _name(words[0])
    if program in LOOKING or not re.match(r"[\w./~-]", program):
        return ""
    if program in _INTERPRETERS:
        return _interpreted(program, words[1:])
    if program not in TASKED:
        return program if _WORD.fullmatch(program) or "/" in program else ""
    task = _next_word(words[1:])
    if not task:
        return program
    if (program, task[0]) in _RUNS_ANOTHER:
        after = words[words.index(task[0]) + 1 :]
        inner = _next_word(after)
        return f"{program} {task[0]} {_name(inner[0])}" if inner else f"{program} {task[0]}"
    step = f"{program} {task[0]}"
    return "" if step in _LOOKING_TASKS else step


def _interpreted(program: str, words: list[str]) -> str:
    """`python -m pytest`, `node build.js`; a line typed into the interpreter is no step."""
    if "-m" in words[:3] and program.startswith(("python", "py")):
        after = words[words.index("-m") + 1 :]
        return f"python -m {after[0]}" if after else ""
    if "-c" in words or "-e" in words:
        return ""
    script = next((word for word in words if not word.startswith("-")), "")
    return f"{program} {script}" if script else ""


def _next_word(words: list[str]) -> list[str]:
    """The first word that is no option, and looks like the name of a task."""
    rest = iter(words)
    for word in rest:
        if word in _WITH_VALUE:
            next(rest, None)
        elif not word.startswith(("-", "+")):
            return [word] if _WORD.fullmatch(word) else []
    return []


def _rest(command: str) -> str:
    """A simple command from its program on, without variables and without what says how it is run."""
    return _parted(command)[1]


def _parted(command: str) -> tuple[str, str]:
    """A simple command without its variables: the words that say how it is run, and the rest from its program on."""
    text, leading = command.strip(), ""
    while True:
        if match := _ASSIGNMENT.match(text):
            text = _after_word(text, match.end())
            continue
        word = re.match(r"\S+", text)
        if word is None or word[0] not in _LEADERS:
            return (leading, text) if text else ("", "")
        said = text[: word.end()]
        text = text[word.end() :].lstrip()
        while (option := re.match(r"-[\w-]*(?:=\S*)?(?:\s+|$)", text)) is not None:
            said += f" {option[0].strip()}"
            text = text[option.end() :]
        leading += f"{said} "


def _after_word(text: str, at: int) -> str:
    """What follows the shell word that goes on at a place; quotes and `$( … )` are part of it."""
    depth = 0
    for place, sign in _unquoted(text, at):
        depth += (sign == "(") - (sign == ")")
        if sign.isspace() and depth <= 0:
            return text[place:].lstrip()
    return ""


def _unquoted(text: str, at: int = 0) -> Iterator[tuple[int, str]]:
    """From a place on: each sign that stands in no quotes and is not escaped, with its place."""
    quote = ""
    while at < len(text):
        sign = text[at]
        if sign == "\\" and quote in ("", '"'):
            at += 1
        elif quote:
            quote = "" if sign == quote else quote
        elif sign in "'\"`":
            quote = sign
        else:
            yield at, sign
        at += 1


def _words(text: str) -> list[str]:
    try:
        return shlex.split(text)
    except ValueError:
        return text.split()


def _name(word: str) -> str:
    """A program's name: scripts of the folder keep their path, installed programs lose it."""
    if word.startswith(("./", "../")):
        return word
    name = PurePosixPath(word.replace("\\", "/")).name if "/" in word or "\\" in word else word
    return name.removesuffix(".exe")


def _plain_program(command: str) -> str:
    """A command with its program's folder taken away: `/usr/bin/ssh host` is `ssh host`."""
    rest = _rest(command)
    program, blank, arguments = rest.partition(" ")
    return f"{_name(program)}{blank}{arguments}"


def _is_redirection(text: str, at: int) -> bool:
    """`2>&1`, `&>file` and `>|file` join nothing."""
    before, after = text[at - 1 : at], text[at + 1 : at + 2]
    return (text[at] == "&" and (before in {">", "<"} or after == ">")) or (text[at] == "|" and before == ">")
