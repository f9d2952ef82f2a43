"""The most frequent questions answered without loading the rest: `context`, and `search` and `expand` of a daemon.

Only plain calls with known options are taken; whatever is unusual, and whatever goes wrong, is left to the
whole command line, which then does and says everything. What is printed is the same to the byte.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from companion.client.finding import Address

SHORT = {
    "-f": "file",
    "--task": "query",
    "-q": "query",
    "-b": "branch",
    "-a": "activity",
    "-n": "budget",
    "-l": "limit",
    "-C": "repo",
}
LONG = {
    "context": frozenset(["file", "query", "branch", "activity", "collaborator", "budget", "format", "order", "repo"]),
    "search": frozenset(["kind", "scope", "limit", "repo"]),
    "expand": frozenset(["repo"]),
}
"""Commands that this way knows with their options; each takes a value."""
WORDS = {"context": range(1), "search": range(1, 1_000), "expand": range(1, 2)}
"""How many words are given without an option: those of a text, an id."""
REPEATED = frozenset(["collaborator", "kind"])
PATHS = frozenset(["file", "repo"])
"""Options whose value is a path; one that goes up again is resolved by the whole command line."""
FORMATS = {"md": "md", "markdown": "md", "xml": "xml", "json": "json"}
NUMBER_MAX_DIGITS = 6
"""A longer number is refused in words, by the whole command line."""
COLLECT_AFTER_OBJECTS = 200_000
"""New objects between two searches for cycles, as in the whole command line."""
WAIT_S = 12.0
"""A little more than a daemon gives itself for an answer."""

FOUND_MAX = 200
"""As many results as a search gives at most."""

Given = Mapping[str, list[str]]
"""Names of options and their values; under no name, the words."""


class _Unusual(Exception):
    """The whole command line is needed."""


def answered(arguments: list[str]) -> bool:
    """Whether the command was taken and answered here; if not, nothing was printed."""
    if arguments[:1] == [] or arguments[0] not in WORDS:
        return False
    try:
        text, notices = _told(arguments[0], _given(arguments[0], arguments[1:]))
    except Exception:  # whatever it is, the whole command line finds out and says so
        return False
    encoding = sys.stdout.encoding or "utf-8"
    sys.stdout.write(text.encode(encoding, "replace").decode(encoding))
    if not text.endswith("\n"):
        sys.stdout.write("\n")
    sys.stdout.flush()
    if notices:
        from companion.surfaces.cli.output import print_note

        for notice in notices:
            print_note(notice)
    return True


def _given(command: str, arguments: list[str]) -> Given:
    """What a command was given. Raises _Unusual if anything is not plain."""
    given: dict[str, list[str]] = {"": []}
    waiting = iter(arguments)
    for argument in waiting:
        if not argument.startswith("-"):
            given[""].append(argument)
            continue
        option, found, value = argument.partition("=") if argument.startswith("--") else (argument, "", "")
        name = SHORT.get(option, option.removeprefix("--"))
        if name not in LONG[command] or (name in given and name not in REPEATED):
            raise _Unusual
        if not found:
            value = next(waiting, "-")
            if value.startswith("-"):
                raise _Unusual
        if name in PATHS and os.pardir in value.split(os.sep):
            raise _Unusual
        given.setdefault(name, []).append(value)
    if len(given[""]) not in WORDS[command]:
        raise _Unusual
    return given


def _told(command: str, given: Given) -> tuple[str, list[str]]:
    """What to print, and what to note beside it. Raises where the whole command line is needed."""
    from companion.__about__ import __version__
    from companion.client.finding import API, find_daemon, home_folder

    home = home_folder()
    alone = os.environ.get("COMPANION_DAEMON", "auto") == "never"
    daemon = None if alone else find_daemon(home)
    if daemon is None and command == "context":
        return _here(given, home)
    if daemon is None or daemon.api != API or daemon.version != __version__:
        raise _Unusual
    return _there(given, home, daemon) if command == "context" else _found(command, given, daemon)


def _found(command: str, given: Given, daemon: Address) -> tuple[str, list[str]]:
    """What a search finds, or what is behind an id."""
    from pathlib import Path

    from companion.client.remote import companion_of
    from companion.records import Kind, Profile, SearchQuery
    from companion.surfaces.cli import hits
    from companion.surfaces.cli.told import printable

    companion = companion_of(daemon, Path(_last(given, "repo", ".")))
    if command == "expand":
        text = hits.expansion(companion.expand(given[""][0]))
    else:
        query = SearchQuery(
            text=" ".join(given[""]),
            kinds=tuple(map(Kind, given.get("kind", ()))),
            scope_path=_last(given, "scope"),
            profile=Profile.LEARNED,
            limit=_number(_last(given, "limit", "10")),
        )
        if not 1 <= query.limit <= FOUND_MAX:
            raise _Unusual
        found, ready = companion.search(query), companion.stats().readiness
        text = "\n".join(filter(None, (hits.hits(found), hits.coverage(ready))))
    return printable(text.replace("\r\n", "\n")), list(companion.notices())


def _here(given: Given, home: str) -> tuple[str, list[str]]:
    """A context of the store as it is opened in this process, or by a daemon that is coming up."""
    import gc
    from pathlib import Path

    from companion.api import Order
    from companion.client import connect
    from companion.records import Activity, Format, Signals

    gc.set_threshold(COLLECT_AFTER_OBJECTS)
    repo = _last(given, "repo", ".")
    activity = _last(given, "activity")
    signals = Signals(
        current_file=_at_hand(_last(given, "file"), os.path.abspath(repo)),
        query=_last(given, "query"),
        branch=_last(given, "branch"),
        activity=Activity(activity) if activity else None,
        collaborators=tuple(given.get("collaborator", ())),
    )
    shown, order = Format(FORMATS[_last(given, "format", "md")]), Order(_last(given, "order", "people"))
    companion = connect(Path(repo), patient=False)
    try:
        return companion.assemble(_budget(given, home), signals, shown, order).text, list(companion.notices())
    finally:
        companion.close()


def _there(given: Given, home: str, daemon: Address) -> tuple[str, list[str]]:
    """A context of a daemon."""
    from companion.client.speaking import ask

    repo = os.path.abspath(_last(given, "repo", "."))
    signals = {
        "current_file": _at_hand(_last(given, "file"), repo),
        "query": _last(given, "query"),
        "branch": _last(given, "branch"),
        "activity": _last(given, "activity") or None,
        "collaborators": given.get("collaborator", []),
    }
    asked = {
        "repo": repo,
        "budget": _budget(given, home),
        "signals": signals,
        "format": FORMATS[_last(given, "format", "md")],
        "order": _last(given, "order", "people"),
    }
    status, said = ask(daemon, "POST", "/context/assemble", asked, timeout_s=WAIT_S)
    if status != 200:
        raise _Unusual
    return str(said["context"]), list(dict.fromkeys(map(str, said["notices"])))


def _last(given: Given, name: str, otherwise: str = "") -> str:
    return given[name][-1] if name in given else otherwise


def _number(said: str) -> int:
    if not (said.isascii() and said.isdigit() and len(said) <= NUMBER_MAX_DIGITS):
        raise _Unusual
    return int(said)


def _budget(given: Given, home: str) -> int:
    """The budget in tokens: a plain number, or the setting's."""
    if "budget" in given:
        return _number(_last(given, "budget"))
    from pathlib import Path

    from companion.config import load_settings

    return load_settings(Path(home)).budget_tokens


def _at_hand(file: str, repo: str) -> str:
    """The file at hand, absolute, as `companion.surfaces.cli.options` has it."""
    if not file:
        return ""
    here, there = os.path.join(os.getcwd(), file), os.path.join(repo, file)
    inside = here == repo or here.startswith(repo.rstrip(os.sep) + os.sep)
    if os.path.lexists(here) or (inside and not os.path.lexists(there)):
        return here
    return there
