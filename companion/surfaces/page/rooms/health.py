"""How the store and its indexes are: what was checked, how large they are, how far vectors are."""

from __future__ import annotations

from companion.api import Companion, Stats
from companion.surfaces.page.room import PageRequest, PageView, Room

KINDS = {"fact": "Facts", "episode": "Episodes", "pattern": "Patterns", "workflow": "Workflows"}
LANGUAGES_SHOWN = 12
"""Languages listed: the others are a few files each."""


def show(companion: Companion, ask: PageRequest) -> PageView:
    """What the store holds; the checks, which take a moment, come by themselves."""
    held = companion.stats()
    ready = held.readiness
    values = {
        "held": held,
        "kinds": by_kind(held),
        "languages": by_language(held),
        "vectors": (ready.embedded, ready.embedded + ready.to_embed),
    }
    return PageView("health/room.html", values)


def checks(companion: Companion, ask: PageRequest) -> PageView:
    """What was checked, the worst first."""
    order = {"broken": 0, "warning": 1, "ok": 2}
    found = sorted(companion.doctor(), key=lambda one: order.get(one.state, 0))
    worst = found[0].state if found else "ok"
    return PageView("health/checks.html", {"findings": found, "worst": worst, "looked_at": companion.now()})


def by_language(held: Stats) -> tuple[tuple[str, int], ...]:
    """How many files are in each of the commonest languages, and how many in others or in none."""
    shown = held.languages[:LANGUAGES_SHOWN]
    others = held.files - sum(number for _, number in shown)
    return (*shown, ("other files", others)) if shown and others else shown


def by_kind(held: Stats) -> tuple[tuple[str, str, int, tuple[tuple[str, int], ...]], ...]:
    """Memories by kind: its word, what people call them, how many there are, and its types; most first."""
    found: dict[str, dict[str, int]] = {}
    for one in held.memories:
        found.setdefault(one.kind, {})[one.type] = one.active
    listed = ((kind, sum(types.values()), types) for kind, types in found.items())
    return tuple(
        (
            kind,
            KINDS.get(kind, kind),
            total,
            tuple(sorted(types.items(), key=lambda item: -item[1])) if any(types) else (),
        )
        for kind, total, types in sorted(listed, key=lambda row: -row[1])
    )


ROOM = Room(
    "health",
    "Health",
    "Whether store and indexes are healthy",
    show,
    parts={"checks": checks},
    slow=frozenset({"checks"}),
)
