"""What is remembered: found as one types, gone through page by page, one memory with its history and its ties."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime

from msgspec import Struct

from companion.api import Companion
from companion.errors import UsageError
from companion.records import Kind, Memory, Profile, SearchQuery, Source
from companion.records.looking import TimelineQuery
from companion.records.search import State
from companion.surfaces import rows as listed
from companion.surfaces.fitting import to_show
from companion.surfaces.page.graph import graph_of
from companion.surfaces.page.rendering import address
from companion.surfaces.page.room import PageRequest, PageView, Room, need_reading

PAGE_ROWS = 50
"""Memories that are added to the list at a time: some screens, few enough that adding them holds no frame up."""
LEAF_ROWS = 25
"""Memories that a browser lays out and paints together: two screens on a desk."""
FOUND_MOST = 30
"""Hits of one search: who has not found it among them says it otherwise."""
HEADING_CHARACTERS = 200
"""A memory's heading; what is longer stands in full below it."""
NAMES_SHOWN = 20
"""Names of one memory that are listed; a commit may touch hundreds of files."""
EDITED_MAX_CHARACTERS = 200_000
"""More than any memory may have: what is too long is refused in its own words."""

EMPTY: Mapping[str, object] = {
    "rows": (),
    "total": 0,
    "at_most": False,
    "nothing_fits": "",
    "next": None,
    "alone": False,
}
"""A list with nothing in it."""


class _Wanted(Struct, frozen=True):
    """What the list shows."""

    words: str
    kinds: tuple[Kind, ...]
    state: State
    after_at: datetime | None = None
    after_id: str = ""

    @property
    def fields(self) -> dict[str, object]:
        """What is wanted as fields of an address, what everybody gets left empty."""
        return {
            "q": self.words,
            "kind": [kind.value for kind in self.kinds],
            "state": "" if self.state is State.CURRENT else self.state.value,
        }


def show(companion: Companion, ask: PageRequest) -> PageView:
    """The list and, where one is named, a memory beside it."""
    found = _list(companion, ask)
    one = _one(companion, ask.text("id")) if ask.text("id") else {}
    return PageView("memories/room.html", {**found, "kinds": tuple(Kind), "states": tuple(State), "one": one, **one})


def rows(companion: Companion, ask: PageRequest) -> PageView:
    """The list anew, as one types or chooses."""
    found = {**_list(companion, ask), "alone": True}
    return PageView("memories/list.html", found, address=address("memories", **_wanted(ask).fields))


def more(companion: Companion, ask: PageRequest) -> PageView:
    """The next page of the list."""
    return PageView("memories/rows.html", _list(companion, ask))


def one(companion: Companion, ask: PageRequest) -> PageView:
    """One memory, beside the list."""
    return PageView("memories/one.html", _one(companion, ask.text("id")))


def forget(companion: Companion, ask: PageRequest) -> PageView:
    """Put a memory away."""
    memory = companion.forget(ask.text("id"))
    return _again(companion, memory, "Forgotten. A search among the archived ones still finds it.")


def revive(companion: Companion, ask: PageRequest) -> PageView:
    """Bring a memory back."""
    return _again(companion, companion.revive(ask.text("id")), "It is back.")


def pin(companion: Companion, ask: PageRequest) -> PageView:
    """Pin a memory, or take the pin out."""
    on = bool(ask.text("on"))
    memory = companion.pin(ask.text("id"), on=on)
    return _again(companion, memory, "Pinned: it is in every context and stays." if on else "No longer pinned.")


def edit(companion: Companion, ask: PageRequest) -> PageView:
    """Say a memory in other words; the old ones stay as its earlier version."""
    memory = companion.revise(ask.text("id"), ask.text("text", EDITED_MAX_CHARACTERS))
    return _again(companion, memory, "Kept in the new words; the old ones stay below as its earlier version.")


def _again(companion: Companion, memory: Memory, said: str) -> PageView:
    return PageView("memories/one.html", _one(companion, memory.id), says=said)


def _one(companion: Companion, id_: str) -> dict[str, object]:
    found = companion.dossier(id_)
    earlier = [one for one in reversed(found.versions) if one.id != found.memory.id]
    told = found.memory.draft.source is not Source.SCAN
    sources = {f"file:{one.ref}" for one in found.memory.draft.evidence}
    return {
        "names": [name for name in found.memory.draft.entities if name not in sources],
        "found": found,
        "memory": found.memory,
        "earlier": earlier,
        "told": told,
        "heading_most": HEADING_CHARACTERS,
        "names_most": NAMES_SHOWN,
        "graph": graph_of(companion, found.memory),
    }


def _list(companion: Companion, ask: PageRequest) -> dict[str, object]:
    wanted = _wanted(ask)
    found = _searched(companion, wanted) if wanted.words else _browsed(companion, wanted)
    return {"wanted": wanted, "chosen": ask.text("id"), "leaf_rows": LEAF_ROWS, "passages": listed.PASSAGES, **found}


def _searched(companion: Companion, wanted: _Wanted) -> dict[str, object]:
    put_away = wanted.state in {State.ARCHIVED, State.ALL}
    query = SearchQuery(
        text=wanted.words,
        kinds=wanted.kinds,
        include_archived=put_away,
        state=wanted.state,
        profile=Profile.LEARNED,
        limit=FOUND_MOST,
    )
    hits, nothing_fits = to_show(companion.search(query))
    return {
        **EMPTY,
        "rows": [listed.of_hit(hit) for hit in hits],
        "total": len(hits),
        "at_most": len(hits) == FOUND_MOST,
        "nothing_fits": nothing_fits,
    }


def _browsed(companion: Companion, wanted: _Wanted) -> dict[str, object]:
    page = companion.timeline(
        TimelineQuery(wanted.after_at, wanted.after_id, kinds=wanted.kinds, state=wanted.state, limit=PAGE_ROWS)
    )
    if not page.total and not any(wanted.fields.values()):
        need_reading(companion)
    last = page.happened[-1] if page.more_before and page.happened else None
    place = {"after": last.at.isoformat(), "after_id": last.memory.id} if last else None
    rows_ = [listed.of_memory(one.memory) for one in page.happened]
    return {**EMPTY, "rows": rows_, "total": page.total, "next": place}


def _wanted(ask: PageRequest) -> _Wanted:
    return _Wanted(
        ask.question("q"),
        _kinds(ask.texts("kind")),
        ask.choice("state", State) or State.CURRENT,
        ask.moment("after"),
        ask.text("after_id", 100),
    )


def _kinds(named: Sequence[str]) -> tuple[Kind, ...]:
    try:
        return tuple(Kind(name) for name in named)
    except ValueError:
        raise UsageError("There is no such kind.", f"Choose of: {', '.join(kind.value for kind in Kind)}.") from None


ROOM = Room(
    "memories",
    "Memories",
    "Search and browse what is remembered",
    show,
    parts={"rows": rows, "more": more, "one": one},
    deeds={"forget": forget, "revive": revive, "pin": pin, "edit": edit},
)
