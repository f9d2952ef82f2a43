"""A task that a file offers as a row, what it is for, and the commands of it that are worth knowing."""

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


def task_row(
    file: FileSeen, line: int, typed: str, trigger: str, commands: Sequence[str] = (), about: str = ""
) -> Declaration:
    """Something that can be run, as a row: what a person types, what it is for, what it does."""
    said = "; ".join(commands) or trigger
    return Declaration(file.path, line, typed, f"{about} ({said})" if about else said)


TRIGGERS: tuple[tuple[str, re.Pattern[str]], ...] = tuple(
    (trigger, re.compile(rf"(?:^|[\s:_./-])(?:{words})(?:$|[\s:_./-])", re.IGNORECASE))
    for trigger, words in (
        ("release", "release|publish|prepublish|publish-.*|pypi|goreleaser|bump|version-bump"),
        ("deploy", "deploy|deployment|ship|rollout"),
        ("typecheck", "type-?check|types|typing|mypy|pyright|tsc|check-types|check:types|ty"),
        ("coverage", "coverage|cov"),
        ("benchmark", "bench|benchmark|benchmarks|perf"),
        ("format", "format|fmt|prettier|black|fix|style-fix"),
        (
            "lint",
            "lint|linting|linter|vet|eslint|clippy|ruff|flake8|rubocop|phpcs|phpstan|psalm|stan|checkstyle|"
            "style|pre-commit|analyse|analyze|cs|"
            r"check[:_-]\S+|\S+[:_-]check",
        ),
        ("docs", "docs?|documentation|docs-.*|html|site|rdoc|yardoc|mkdocs|sphinx|typedoc"),
        (
            "test",
            "tests?|spec|specs|unit|unittest|unittests|pytest|e2e|integration|integration-tests?|phpunit|"
            "tests?-.*|test:.*|verify|ci",
        ),
        ("build", "build|compile|dist|bundle|package|all|assemble"),
        ("setup", "setup|install|bootstrap|init|deps|dependencies|develop|dev-setup|dev-install|install-dev|tools"),
        ("run", "run|serve|server|start|dev|up|watch"),
        ("migrate", "migrate|migrations?|db-.*|seed"),
        ("generate", "generate|gen|codegen|proto|protos|generate-.*"),
    )
)
"""What a task is for, told by its name; the first that fits."""


def trigger_of(*told: str, check: str = "lint") -> str:
    """What a task of this name is for; empty where no text says.

    A bare `check` runs the tests where GNU's customs hold, and linters everywhere else: the caller knows.
    """
    for text in told:
        if text.lower() == "check":
            return check
        for trigger, pattern in TRIGGERS:
            if pattern.search(text):
                return trigger
    return ""


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
