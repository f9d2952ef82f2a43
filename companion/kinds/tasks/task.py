"""A task that a file offers, as a row, and the commands of it that are worth knowing."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence

from msgspec import Struct

from companion.records import FileSeen
from companion.records.declared import Declaration

COMMANDS_SHOWN = 4
"""Commands of one step: a step that does more is opened, not recited."""

COMMAND_CHARS = 160
"""Characters of one command; longer ones are scripts."""


class TaskReader(Struct, frozen=True):
    """One family of task files. `read` gets the file and every path of the checkout."""

    patterns: tuple[str, ...]
    read: Callable[[FileSeen, Sequence[str]], Iterator[Declaration]]


def task_row(file: FileSeen, line: int, typed: str, commands: Sequence[str] = (), about: str = "") -> Declaration:
    """Something that can be run, as a row: what a person types, what it is for, what it does."""
    does = "; ".join(commands)
    said = f"{about} ({does})" if about and does else about or does or typed
    return Declaration(file.path, line, typed, said)


_NOISE = re.compile(
    r"^(?:set |echo|printf|cd |export |if |then|else|elif |fi|for |do\b|done|while |case|esac|exit|continue\b|break\b|"
    r"true|false|test |\[|#|:|rm |mkdir |cp |mv |"
    r"cat |sudo |apt|brew |curl |wget |git |source |\. |ls|pwd|sleep|touch |chmod |ln |tar |unzip |"
    r"sed |awk |grep |find |env$|"
    r"printenv|which |command |python -c|perl |read |local |return|trap |eval |sha256sum|gh |jq |"
    r"import |from |with |docker login|npm config|\}|\{|\)|\()"
)
_RUNS = re.compile(
    r"(?:[A-Z_]\w*=(?!\$\()(?:\"[^\"]*\"|'[^']*'|[^\s\"']\S*|)\s+)*(?P<runs>[a-z][\w.+-]*|[\w.-]+/\S+)(?=\s|$)(?!\s+=)"
)
"""How a line begins that runs something: a tool, or what the project itself has."""
_DEFINES = re.compile(r"^[ \t]*(?:function[ \t]+(?P<function>\w+)|(?P<name>\w+)[ \t]*\(\))", re.MULTILINE)
"""A function of the script: what it does stands there, and nobody can type it."""
_ASKS = re.compile(r"\s(?:--version|-V|version)(?:\s|$)|&& which ")
"""Commands that only say what is installed."""
_PREFIX = re.compile(r"^\$\{?\w+\}?(?=[a-z])")
"""A variable for the folder of tools, as in `${PREFIX}pytest`."""
_FOLDERS = re.compile(r"^(?:(?:cd|mkdir)\s[^&|;]*+&&\s*+)+")
_GOES_ON = re.compile(r"(?:\\|\s`)\n\s*")
"""The end of a line that the next one goes on with, in a shell's words and in PowerShell's."""
_EXPRESSION = re.compile(r"\$\{\{\s*(?:[\w-]+\.)*([\w-]+)[^}]*\}\}")


def whole_lines(script: str) -> list[str]:
    """The lines of a script, those that the next one goes on with joined to it."""
    return _GOES_ON.sub(" ", script).split("\n")


def past_folders(line: str) -> str:
    """What a line runs past the folders that it makes and goes to: `cargo test` of `cd rust && cargo test`."""
    return _FOLDERS.sub("", line)


def commands_of(script: str) -> tuple[str, ...]:
    """The commands of a script that a person would know it by: tools, and what the project itself has (`./build.ps1`).

    Not plumbing, and not what runs beside them.
    """
    found: list[str] = []
    own = {one["function"] or one["name"] for one in _DEFINES.finditer(script)}
    for raw in whole_lines(script):
        line = " ".join(_EXPRESSION.sub(r"<\1>", raw.strip()).lstrip("@-").split())
        line = _PREFIX.sub("", line)
        if (
            not line
            or len(line) > COMMAND_CHARS
            or line.endswith(("\\", "{", "(", " &"))
            or line.count("(") != line.count(")")
            or "<<" in line
        ):
            continue
        run = _RUNS.match(line)
        if (
            run is None
            or run["runs"] in own
            or _NOISE.match(past_folders(line[run.start("runs") :]))
            or _ASKS.search(line)
        ):
            continue
        if line not in found:
            found.append(line)
    return tuple(found[:COMMANDS_SHOWN])
