"""The first page of help, the page of a group, and what is said to a command that is none."""

from __future__ import annotations

import textwrap
from collections.abc import Callable, Iterable, Mapping, Sequence
from difflib import get_close_matches
from shutil import get_terminal_size

import typer

from companion.api.routes import ROUTES
from companion.errors import UsageError
from companion.surfaces.cli.catalog import IN_SIGHT

WIDEST_COLUMNS = 100
"""A line of help is read more easily than a wider one."""
MEANT = {
    **dict.fromkeys(("scan", "index", "update", "learn"), "init"),
    **dict.fromkeys(("assemble", "prompt"), "context"),
    **dict.fromkeys(("blame", "annotate"), "why"),
    **dict.fromkeys(("find", "grep", "query"), "search"),
    **dict.fromkeys(("add", "note", "save"), "remember"),
    **dict.fromkeys(("web", "ui", "open", "dashboard"), "page"),
    **dict.fromkeys(("setup", "install"), "connect"),
    **dict.fromkeys(("check", "health", "config", "settings"), "doctor"),
    **dict.fromkeys(("delete", "remove", "rm"), "forget"),
    **dict.fromkeys(("log", "history"), "timeline"),
    **dict.fromkeys(("show", "cat"), "expand"),
}
"""What other programs call what we have, by no word that is like ours."""

ALIKE = 0.7
"""How much of two words is the same, from which on one was likely meant: `bogus` and `logs` have .67."""
HOW_MORE = "`companion COMMAND --help` tells all about one."

Described = Mapping[str, Sequence[str]]
"""The names of commands by their groups."""


def first_page(groups: Described, about: Callable[[str], str]) -> str:
    """`companion --help`: what most people need, then the rest by name."""
    lines = [
        _bold("Usage: companion COMMAND [OPTIONS] [ARGUMENTS]"),
        "",
        "Remember what matters about a codebase; hand over the context that matters now.",
        "",
        *_rows((name, about(name)) for name in IN_SIGHT),
        "",
        _bold("More, by group"),
    ]
    rest = {group: [name for name in names if name not in IN_SIGHT] for group, names in groups.items()}
    lines += _rows((group, "  ".join(names)) for group, names in rest.items() if names)
    lines += ["", _bold("Help")]
    lines += _rows(
        (
            ("companion help GROUP", "what each command of a group does"),
            ("companion COMMAND --help", "all about one; `-h` is short for it"),
            ("companion --version", "which version this is"),
            ("companion --install-completion", "have your shell complete commands, files and ids"),
        )
    )
    return "\n".join([*lines, "", "Begin: `companion init` in a repository, then `companion context FILE`."])


def listed(title: str, about: str, rows: Iterable[tuple[str, str]]) -> str:
    """A page of commands: a line or two for each."""
    said = ["", textwrap.fill(about, _columns()), "", _bold("Commands")] if about else [""]
    return "\n".join([_bold(title), *said, *_rows(rows), "", HOW_MORE])


def unknown(word: str, groups: Described) -> UsageError:
    """That there is no such command, with the ones that were likely meant."""
    names = [name for some in groups.values() for name in some]
    near = [MEANT[word]] if word in MEANT else get_close_matches(word, names, cutoff=ALIKE)
    meant = f" Did you mean {' or '.join(f'`companion {name}`' for name in near)}?" if near else ""
    is_verb = not near and any(one.verb == word.replace("-", "_") for one in ROUTES)
    told = f"`companion call {word}` asks the verb of that name." if is_verb else "`companion --help` lists all."
    return UsageError(f"There is no command `{word}`.{meant}", told)


def summary_of(help_: str | None) -> str:
    """What a command does, in the first sentence of its help."""
    said = " ".join((help_ or "").partition("\n\n")[0].split())
    return said.partition(". ")[0].rstrip(".").replace("`", "")


def _rows(rows: Iterable[tuple[str, str]]) -> list[str]:
    """Names with what is said of each beside it, broken between words."""
    told = list(rows)
    wide = max(len(name) for name, _ in told) + 4
    lines = []
    for name, said in told:
        words = textwrap.wrap(said, max(_columns() - wide, wide), break_long_words=False, break_on_hyphens=False)
        lines += [f"  {name:<{wide - 2}}{words[0]}", *(" " * wide + more for more in words[1:])]
    return lines


def _columns() -> int:
    return min(get_terminal_size().columns, WIDEST_COLUMNS)


def _bold(text: str) -> str:
    return typer.style(text, bold=True)
