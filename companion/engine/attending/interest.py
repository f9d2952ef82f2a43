"""How much each file and symbol is at the centre of work: interest grows with touches and decays with events.

After the degree-of-interest model of Mylyn (Kersten and Murphy, "Using task context to improve programmer
productivity", FSE 2006). Its published figures, from `InteractionContextScaling`, hold here: a selection
adds 1, an edit 0.7, and each event takes 0.017 from what went before. Two things differ, on purpose:

- decay takes a share, not a fixed amount. A file that was edited a hundred times leaves the centre as
  quickly as one that was looked at once, and no sum grows without bound.
- a row of the same touches counts as one visit, of `RUN_MOST` at most. Editors report each key stroke or
  each pause; both tell the same story, and typing must not push everything else away.

Time plays no part: who comes back after a holiday finds the centre where it was left.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType

from msgspec import Struct, field

from companion.records import Event, Happening, Interest

SELECT_WEIGHT = 1.0
"""What going to a file or symbol adds; Mylyn's figure for every event that is no edit."""
EDIT_WEIGHT = 0.7
"""What an edit adds; Mylyn's figure: there are many more of them."""
DECAY = 0.017
"""The share of all interest that one event takes; Mylyn's figure. Half is gone after 40 events."""
RUN_MOST = 5
"""The same touch counts so often in a row: then it is one visit, however long."""
HALF_DEGREE = 2.0
"""Interest that makes a degree of one half: opened and edited once, a moment ago."""
FORGOTTEN_BELOW = 0.01
"""Interest that is no longer carried: 230 events after one look."""
FOLDED_EVENTS = 500
"""Events that interest is counted from: of older ones a five-thousandth is left."""
SYMBOL_MARK = "::"
"""Stands between path and qualified name."""

_WEIGHTS: Mapping[Happening, float] = {
    Happening.OPENED: SELECT_WEIGHT,
    Happening.SELECTED: SELECT_WEIGHT,
    Happening.EDITED: EDIT_WEIGHT,
    Happening.SAVED: EDIT_WEIGHT,
}
_EDITS = frozenset([Happening.EDITED, Happening.SAVED])
_TOUCHES = frozenset([*_WEIGHTS, Happening.CLOSED])
_DID: Mapping[Happening, str] = {
    Happening.OPENED: "opened",
    Happening.SELECTED: "looked at",
    Happening.EDITED: "edited",
    Happening.SAVED: "saved",
    Happening.CLOSED: "closed",
}


class Held(Struct, frozen=True):
    """What is known of one file or symbol: interest as of touch number `clock`, how it was touched, and when last."""

    raw: float
    clock: int
    touched: Mapping[Happening, int]
    last: int
    last_how: Happening
    is_open: bool = False


class Centre(Struct, frozen=True):
    """All interest after some events. `clock` counts the visits."""

    clock: int = 0
    held: Mapping[str, Held] = field(default_factory=dict)

    def degree(self, target: str) -> float:
        """How much a target is at the centre, 0 to 1; half at `HALF_DEGREE`."""
        known = self.held.get(target)
        if known is None:
            return 0.0
        raw = _decayed(known, self.clock)
        return round(raw / (raw + HALF_DEGREE), 4)

    def interests(self, limit: int) -> tuple[Interest, ...]:
        """The most interesting files and symbols, each with what made it so."""
        degrees = [(self.degree(target), target) for target in self.held]
        degrees.sort(key=lambda one: (-one[0], -self.held[one[1]].last, one[1]))
        return tuple(Interest(target, degree, _says(self.held[target])) for degree, target in degrees[:limit] if degree)

    def says(self, target: str) -> str:
        """What made a target interesting; empty if it is not."""
        return _says(self.held[target]) if target in self.held else ""

    def files(self) -> tuple[str, ...]:
        """Files with any interest left, most interesting first; equal ones by the latest touch."""
        found = [target for target in self.held if SYMBOL_MARK not in target]
        found.sort(key=lambda path: (-self.degree(path), -self.held[path].last, path))
        return tuple(found)

    def current(self) -> str:
        """The file touched last that was not closed since; empty if there is none."""
        at_hand = [
            (known.last, path)
            for path, known in self.held.items()
            if SYMBOL_MARK not in path and known.last_how is not Happening.CLOSED
        ]
        return max(at_hand, default=(0, ""))[1]


def interest_after(events: Iterable[Event]) -> Centre:
    """The interest after events, oldest first. Pure."""
    clock, before, run = 0, None, 0
    held: dict[str, Held] = {}
    for event in events:
        if event.what not in _TOUCHES or not event.path:
            continue
        touch = (event.path, event.symbol, event.what)
        run = run + 1 if touch == before else 1
        before = touch
        clock += run == 1
        weight = _WEIGHTS.get(event.what, 0.0) if run <= RUN_MOST else 0.0
        for target in (event.path, f"{event.path}{SYMBOL_MARK}{event.symbol}" if event.symbol else ""):
            if target:
                held[target] = _touched(held.get(target), event, weight, clock)
    left = {
        target: known for target, known in held.items() if known.is_open or _decayed(known, clock) >= FORGOTTEN_BELOW
    }
    return Centre(clock, MappingProxyType(left))


def opened_files(centre: Centre, limit: int, without: str = "") -> tuple[str, ...]:
    """Files that are open, the most interesting first, but for one."""
    return tuple(path for path in centre.files() if centre.held[path].is_open and path != without)[:limit]


def edited_files(centre: Centre, limit: int, least_degree: float, without: str = "") -> tuple[str, ...]:
    """Files that were edited and still matter at least so much, the most interesting first, but for one."""
    return tuple(
        path
        for path in centre.files()
        if path != without and _EDITS & centre.held[path].touched.keys() and centre.degree(path) >= least_degree
    )[:limit]


def touched_paths(events: Sequence[Event], kinds: frozenset[Happening]) -> tuple[str, ...]:
    """The files that events of some kinds touched, each once, latest first."""
    return tuple(dict.fromkeys(event.path for event in reversed(events) if event.what in kinds and event.path))


def _touched(known: Held | None, event: Event, weight: float, clock: int) -> Held:
    raw = 0.0 if known is None else _decayed(known, clock)
    counts = {} if known is None else dict(known.touched)
    counts[event.what] = counts.get(event.what, 0) + 1
    is_open = known.is_open if known is not None else False
    if event.what in (Happening.OPENED, Happening.SELECTED):
        is_open = True
    elif event.what is Happening.CLOSED:
        is_open = False
    return Held(raw + weight, clock, MappingProxyType(counts), event.number, event.what, is_open)


def _decayed(known: Held, clock: int) -> float:
    kept: float = (1.0 - DECAY) ** (clock - known.clock)
    return known.raw * kept


def _says(known: Held) -> str:
    """`edited 3 times, opened once; last saved`: what made it interesting."""
    parts = [
        f"{_DID[how]} {'once' if times == 1 else f'{times} times'}"
        for how, times in sorted(known.touched.items(), key=lambda one: (-one[1], one[0].value))
        if how in _WEIGHTS
    ]
    said = ", ".join(parts) or _DID[known.last_how]
    return said if len(known.touched) < 2 else f"{said}; last {_DID[known.last_how]}"
