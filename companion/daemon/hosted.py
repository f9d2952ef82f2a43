"""Verbs as the daemon answers them for a client: who reads is answered at once, who writes much waits for a turn."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import partial
from typing import Protocol, TypeVar

from msgspec import Struct

from companion.api import Refreshed, RunOrder
from companion.app.checkout import OpenCheckout
from companion.app.verbs.code.scans import waits
from companion.daemon.checkouts import Live
from companion.errors import UsageError
from companion.ports import Progress
from companion.records import JudgedBatch, Touch, Touched

T = TypeVar("T")

IN_TURN = frozenset({"scan", "refresh", "rebuild", "import_file", "backup"})
"""Verbs that the writer carries out, one job after the other; all others are answered by the thread that asks."""

SHARES = frozenset({"team_share", "team_withdraw", "team_export", "settle", "unsettle", "judge", "forget"})
"""Verbs after which there may be something to send to a team's server."""


class _Turns(Protocol):
    """What the daemon does for a hosted companion: work that takes its turn, and what follows from what happened."""

    def in_turn(self, verb: str, work: Callable[[], T]) -> T:
        """Have `work` done by the writer, and wait for what it gives; `verb` names it for those who wait too."""

    def unless_leaving(self, progress: Progress) -> Progress:
        """Progress that breaks off the work which reports to it once the daemon is to leave."""

    def changed(self, live: Live, paths: frozenset[str] | None) -> None:
        """Have a refresh look at these paths, or (None) at the whole checkout: something may have changed there."""

    def at_hand(self, live: Live) -> None:
        """Have a context prepared: something was opened, and one for it will be asked for."""

    def learned(self, live: Live) -> None:
        """Have new texts given their vectors, and new contradictions told to who is attached."""

    def said(self) -> None:
        """Have the texts of the user's own spaces given their vectors: something was said or remembered."""

    def was_read(self, live: Live) -> None:
        """The checkout was read to the end, and may be watched from now on."""

    def settle(self, live: Live) -> None:
        """Have what was put off (kinds that look at the whole code, the ranker) done in a quiet moment."""

    def tidied(self, live: Live) -> None:
        """Have indexes and attached editors follow: a run changed what is remembered, or was taken back."""

    def shared(self, live: Live) -> None:
        """Have what was shared or resolved go to the team's server."""

    def connected(self, live: Live) -> None:
        """Have the project synchronised with its server from now on, or no more."""

    def took_in(self, live: Live, refreshed: Refreshed, paths: Sequence[str] | None) -> None:
        """Note what a refresh found, and tell attached editors if it found anything."""


class Hosted(Struct, frozen=True):
    """What a daemon does around the verbs that a client asks of one checkout."""

    turns: _Turns
    live: Live

    def around(self, here: OpenCheckout, verb: str, given: dict[str, object], answer: Callable[..., object]) -> object:
        """Have a verb answered, and see to what follows from it."""
        if isinstance(progress := given.get("progress"), Progress):
            given["progress"] = self.turns.unless_leaving(progress)
        work = partial(answer, **given)
        try:
            told = self.turns.in_turn(verb, work) if verb in IN_TURN else work()
        finally:
            order = given.get("order")
            if verb == "undo" or (isinstance(order, RunOrder) and not order.dry_run):
                self.turns.tidied(self.live)
        self._follow(here, verb, given, told)
        return told

    def _follow(self, here: OpenCheckout, verb: str, given: Mapping[str, object], told: object) -> None:
        """See to what follows from a verb, by what was given and told."""
        turns, live = self.turns, self.live
        if verb in SHARES:
            turns.shared(live)
        match verb, told:
            case "scan", _:
                turns.was_read(live)
                turns.learned(live)
            case "refresh", Refreshed() as refreshed:
                paths = given["paths"]
                turns.took_in(live, refreshed, paths if isinstance(paths, Sequence) else None)
                if waits(here):
                    turns.settle(live)
            case (("remember" | "settle" | "unsettle" | "import_file"), _):
                turns.learned(live)
            case "judge", JudgedBatch(changes=changes) if changes:
                turns.learned(live)
            case (("team_connect" | "team_disconnect"), _):
                turns.connected(live)
            case "confirm_review", _:
                turns.learned(live)
                turns.said()
            case "add_turn", _:
                turns.said()
            case "observe", _ if isinstance(seen := given["seen"], Sequence):
                self._observed(here, [one for one in seen if isinstance(one, Touched)])

    def _observed(self, here: OpenCheckout, touched: Sequence[Touched]) -> None:
        """What was saved is read, and what was opened will be asked about."""
        if saved := frozenset(_saved(here, touched)):
            self.turns.changed(self.live, saved)
        if any(one.how is Touch.OPENED for one in touched):
            self.turns.at_hand(self.live)


def _saved(here: OpenCheckout, touched: Sequence[Touched]) -> Iterator[str]:
    """Paths that were saved, as the repository knows them; what lies outside it is nobody's business."""
    for one in touched:
        if one.how is Touch.SAVED:
            with suppress(UsageError):
                yield here.inside(one.path)
