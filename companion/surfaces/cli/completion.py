"""What a shell completes: paths, words that are choices, and ids of what is known where one stands.

Where it cannot be asked nothing is completed, and nothing is said: somebody is typing.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Protocol, TypeVar

from companion.errors import CompanionError
from companion.surfaces.wording import ID_SHOWN, printable

if TYPE_CHECKING:
    from companion.api import Companion
    from companion.records import Memory

ABOUT_CHARACTERS = 60
"""Of what stands beside an id."""
COMPLETED_MOST = 100
"""Memories whose ids are completed, the newest: some screens."""

CHOICES = {
    "KIND": "Kind",
    "VISIBILITY": "Visibility",
    "ACTIVITY": "Activity",
    "FORMAT": "Format",
    "ORDER": "Order",
    "PROFILE": "Profile",
    "TYPE": "EpisodeType",
}
"""Choices by what stands for them on a help page."""

Complete = Callable[[str], list[tuple[str, str]]]


class _Identified(Protocol):
    @property
    def id(self) -> str: ...


Known = TypeVar("Known", bound=_Identified)


def paths(incomplete: str) -> list[tuple[str, str]]:
    """Files and folders that begin so; a folder ends in a slash."""
    folder, _, begun = incomplete.rpartition("/")
    where = f"{folder}/" if "/" in incomplete else ""
    try:
        found = sorted(os.scandir(where or "."), key=lambda one: one.name)
    except OSError:
        return []
    seen = [one for one in found if one.name.startswith(begun) and (begun or not one.name.startswith("."))]
    return [(f"{where}{one.name}{'/' if one.is_dir() else ''}", "") for one in seen]


def passes(incomplete: str) -> list[tuple[str, str]]:
    """Names of passes."""
    from importlib.metadata import entry_points

    names = sorted(point.name.split("-", 1)[-1] for point in entry_points(group="companion.passes"))
    return [(name, "") for name in names if name.startswith(incomplete)]


def programs(incomplete: str) -> list[tuple[str, str]]:
    """Names of editors and assistants that can be connected."""
    from companion.surfaces.connecting.targets import targets

    titles = {one.name: one.title for one in targets()}
    return [one for one in titles.items() if one[0].startswith(incomplete)]


def _known(ask: Callable[[Companion], Iterable[Known]], about: Callable[[Known], str]) -> Complete:
    """The ids of what a verb answers, each with what it is."""

    def complete(incomplete: str) -> list[tuple[str, str]]:
        from companion.client import connect

        try:
            with closing(connect(Path(), anywhere=True, patient=False)) as companion:
                told = [(one.id[:ID_SHOWN], printable(about(one)[:ABOUT_CHARACTERS])) for one in ask(companion)]
        except CompanionError:
            return []
        return [one for one in told if one[0].startswith(incomplete)]

    return complete


def _browsed(companion: Companion, *, archived: bool = False) -> Iterable[Memory]:
    from companion.records.looking import TimelineQuery
    from companion.records.search import State

    state = State.ARCHIVED if archived else State.CURRENT
    page = companion.timeline(TimelineQuery(state=state, limit=COMPLETED_MOST, count=False))
    return [one.memory for one in page.happened]


def _choice(name: str) -> Complete:
    """The words of a choice, by the record's name."""

    def complete(incomplete: str) -> list[tuple[str, str]]:
        from companion import api, records

        of = getattr(records, name, None) or getattr(api, name)
        return [(one.value, "") for one in of if one.value.startswith(incomplete)]

    return complete


_BY_PLACE_HOLDER: dict[str, Complete] = {
    **dict.fromkeys(("FILE", "PATH", "FOLDER", "FILE:LINE|SYMBOL"), paths),
    **dict.fromkeys(("ID", "ID…"), _known(_browsed, lambda one: one.draft.levels.compressed)),
    "FORGOTTEN": _known(lambda companion: _browsed(companion, archived=True), lambda one: one.draft.levels.compressed),
    "CONTRADICTION": _known(lambda companion: companion.contradictions(), lambda one: one.reason),
    "QUESTION": _known(lambda companion: companion.pending_judgements(), lambda one: one.inquiry.why),
    "TALK": _known(lambda companion: companion.conversations(), lambda one: one.title),
    "ITEM": _known(lambda companion: companion.threads(), lambda one: one.text),
    "RUN": _known(lambda companion: companion.reports(), lambda one: f"{one.planned_at:%Y-%m-%d %H:%M}"),
    "ACT": _known(lambda companion: companion.acts(), lambda one: one.name),
    "PASS": passes,
    "PROGRAM": programs,
    **{word: _choice(name) for word, name in CHOICES.items()},
}


def completion_of(place_holder: str) -> Complete | None:
    """What completes a value, by what stands for it on the help page; None where nothing does."""
    return _BY_PLACE_HOLDER.get(place_holder.strip("[]"))
