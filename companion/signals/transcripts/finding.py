"""Where the logs of assistants lie; nothing is opened to find them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from msgspec import Struct

from companion.signals.transcripts.incremental import begins_as
from companion.signals.transcripts.said import AssistantLogs, Rows, Surroundings

LOGS_MOST = 100_000
"""Logs of one assistant that are looked at: decades of them."""
APART = "agent-"
"""How logs of an assistant's helpers begin."""
EDITORS = ("Code", "Code - Insiders", "VSCodium", "Cursor", "Windsurf")
"""Editors that keep their things as VS Code does, by the name of their folder."""
LEADS_OUT = "It is a link that leads out of its folder."


class Log(Struct, frozen=True):
    """A log, and the name it is known again by, wherever it lies; `why` says why it is not to be read."""

    assistant: AssistantLogs
    path: Path
    name: str
    why: str = ""


def places(assistants: Sequence[AssistantLogs], around: Surroundings) -> tuple[Path, ...]:
    """The folders that these assistants keep logs in, as far as they are there."""
    found = (place for one in assistants for place in _folders(one, around) if place.is_dir())
    return tuple(dict.fromkeys(found))


def logs(assistants: Sequence[AssistantLogs], around: Surroundings) -> Iterator[Log]:
    """The logs of these assistants, by their paths."""
    for one in assistants:
        for place in places([one], around):
            found = sorted({path for pattern in one.patterns for path in _matching(place, pattern)})
            for path in found[:LOGS_MOST]:
                if not path.name.startswith(APART):
                    yield Log(one, path, one.name_of(path), _refused(path, place))


def recognised(
    path: Path, assistants: Sequence[AssistantLogs], around: Surroundings, rows: Callable[[Path], Rows]
) -> Log | None:
    """A log by where it lies, or else by what stands in it; None where it is none of these assistants'."""
    fitting = [one for one in assistants if any(path.match(f"**/{pattern}") for pattern in one.patterns)]
    lying = [one for one in fitting if any(_lies_in(path, place) for place in _folders(one, around))]
    for one in lying or [*fitting, *(other for other in assistants if other not in fitting)]:
        if lying or begins_as(one, path, rows):
            return Log(one, path, one.name_of(path))
    return None


def _folders(assistant: AssistantLogs, around: Surroundings) -> Iterator[Path]:
    """The folders that an assistant's places mean."""
    for place in assistant.places:
        found = (_below(one, around) for one in place.split(" | "))
        yield from next(filter(None, found), ())


def _below(place: str, around: Surroundings) -> list[Path]:
    base, _, rest = place.partition("/")
    if base == ".":
        return [root for root in around.roots if (root / rest).exists()]
    if base == "~":
        return [around.home / rest]
    if base.startswith("@"):
        editors = (base[1:],) if base[1:] else EDITORS
        return [folder / rest for folder in _of_editors(editors, around)]
    said = around.environ.get(base.removeprefix("$"), "")
    return [Path(said) / rest] if said else []


def _of_editors(editors: Sequence[str], around: Surroundings) -> list[Path]:
    """Where these editors keep a user's things, on every system."""
    bases = [around.home / ".config", around.home / "Library" / "Application Support"]
    if said := around.environ.get("APPDATA"):
        bases.append(Path(said))
    folders = [base / editor / "User" for base in bases for editor in editors]
    return [*folders, around.home / ".vscode-server" / "data" / "User"]


def _lies_in(path: Path, place: Path) -> bool:
    try:
        return path.resolve().is_relative_to(place.resolve())
    except (OSError, RuntimeError):
        return False


def _matching(place: Path, pattern: str) -> Iterator[Path]:
    try:
        yield from place.glob(pattern)
    except OSError:
        return  # a folder that went away, or may not be listed


def _refused(path: Path, place: Path) -> str:
    try:
        inside = path.resolve(strict=True).is_relative_to(place.resolve())
    except (OSError, RuntimeError):
        return "It is a link that leads nowhere."
    return "" if inside else LEADS_OUT
