"""The most frequent questions answered without loading the rest: `context`, and `search` and `expand` of an owner.

Only plain calls with known options are taken; whatever is unusual, and whatever goes wrong, is left to the
whole command line, which then does and says everything. What is printed is the same to the byte.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from companion.client.finding import Address

SHORT = {
    "context": {
        "-f": "file",
        "task": "query",
        "-q": "query",
        "-b": "branch",
        "-a": "activity",
        "-n": "budget",
        "-C": "repo",
    },
    "search": {"-l": "limit", "-C": "repo"},
    "expand": {"-C": "repo"},
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
FOUND_MAX = 200
"""As many results as a search gives at most."""
COLLECT_AFTER_OBJECTS = 200_000
"""New objects between two searches for cycles, as in the whole command line."""
WAIT_S = 12.0
"""A little more than an owner gives itself for an answer."""

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
        name, found, value = argument[2:].partition("=") if argument.startswith("--") else ("", "", "")
        name = SHORT[command].get(name or argument, name)
        if name not in LONG[command] or (name in given and name not in REPEATED):
            raise _Unusual
        if not found:
            value = next(waiting, "-")
            if value.startswith("-"):
                raise _Unusual
        if name in PATHS and os.pardir in value.split(os.sep):  # noqa: PTH206 - pathlib takes 5 ms to import
            raise _Unusual
        given.setdefault(name, []).append(value)
    if len(given[""]) not in WORDS[command]:
        raise _Unusual
    return given


def _told(command: str, given: Given) -> tuple[str, list[str]]:
    """What to print, and what to note beside it. Raises where the whole command line is needed."""
    from companion.__about__ import __version__
    from companion.client.finding import API, find_owner, home_folder

    home = home_folder()
    alone = os.environ.get("COMPANION_OWNER", "auto") == "never"
    owner = None if alone else find_owner(home)
    if owner is None and command == "context":
        return _here(given, home)
    if owner is None or owner.api != API or owner.version != __version__:
        raise _Unusual
    asker = _Asker(owner, os.path.abspath(_last(given, "repo", ".")))  # noqa: PTH100 - pathlib takes 5 ms to import
    if command == "context":
        text = _context(asker, given, home)
    else:
        text = _found(asker, given) if command == "search" else _behind(asker, given)
        asker.say_what_is_new()
    return text, list(asker.notices)


def _here(given: Given, home: str) -> tuple[str, list[str]]:
    """A context of the store as it is opened in this process, or by an owner that is coming up."""
    import gc
    from pathlib import Path

    from companion.api import Order
    from companion.client import connect_to_ask
    from companion.records import Activity, Format, Signals

    gc.set_threshold(COLLECT_AFTER_OBJECTS)
    repo = _last(given, "repo", ".")
    activity = _last(given, "activity")
    signals = Signals(
        current_file=_at_hand(_last(given, "file"), os.path.abspath(repo)),  # noqa: PTH100 - as above
        query=_last(given, "query"),
        branch=_last(given, "branch"),
        activity=Activity(activity) if activity else None,
        collaborators=tuple(given.get("collaborator", ())),
    )
    shown, order = Format(FORMATS[_last(given, "format", "md")]), Order(_last(given, "order", "people"))
    companion = connect_to_ask(Path(repo))
    try:
        return companion.assemble(_budget(given, home), signals, shown, order).text, list(companion.notices())
    finally:
        companion.close()


class _Asker:
    """Puts questions about a repository to its owner, and keeps what is noted beside the answers."""

    def __init__(self, owner: Address, repo: str) -> None:
        self._owner = owner
        self.repo = repo
        self.notices: dict[str, None] = {}

    def ask(self, path: str, **body: object) -> Any:
        """The whole answer. Raises where it is none."""
        from companion.client.speaking import ask

        status, said = ask(self._owner, "POST", path, {"repo": self.repo, **body}, timeout_s=WAIT_S)
        if status != 200:
            raise _Unusual
        self.notices.update(dict.fromkeys(str(notice) for notice in said["notices"]))
        return said

    def say_what_is_new(self) -> None:
        """What the owner has to say, unless it said something beside an answer: as the whole command line does."""
        if not self.notices:
            self.ask("/notices")


def _context(asker: _Asker, given: Given, home: str) -> str:
    said = asker.ask(
        "/context/assemble",
        budget=_budget(given, home),
        signals={
            "current_file": _at_hand(_last(given, "file"), asker.repo),
            "query": _last(given, "query"),
            "branch": _last(given, "branch"),
            "activity": _last(given, "activity") or None,
            "collaborators": given.get("collaborator", []),
        },
        format=FORMATS[_last(given, "format", "md")],
        order=_last(given, "order", "people"),
    )
    return str(said["context"])


def _found(asker: _Asker, given: Given) -> str:
    from companion.surfaces.cli import told

    limit = _number(_last(given, "limit", "10"))
    if not 1 <= limit <= FOUND_MAX:
        raise _Unusual
    query = {"text": " ".join(given[""]), "kinds": given.get("kind", []), "scope_path": _last(given, "scope")}
    hits = asker.ask("/search", query={**query, "profile": "learned", "limit": limit})["result"]
    ready = asker.ask("/stats")["result"]["readiness"]
    return "\n".join(filter(None, (told.hits(hits), told.coverage(ready))))


def _behind(asker: _Asker, given: Given) -> str:
    from companion.surfaces.cli import told

    return told.expansion(asker.ask("/expand", id=given[""][0])["result"])


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
    here, there = os.path.join(os.getcwd(), file), os.path.join(repo, file)  # noqa: PTH109, PTH118 - as above
    inside = here == repo or here.startswith(repo.rstrip(os.sep) + os.sep)
    if os.path.lexists(here) or (inside and not os.path.lexists(there)):
        return here
    return there
