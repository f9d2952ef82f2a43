"""How often a context is ready before it is asked for, replayed on a project's own commits.

Each test commit is played as a stretch of work: its first file is opened, edited and saved, then the next.
After each opening and each saving the product makes a context ready, as its daemon does. In each file one
context is asked for, in turns right after opening, while editing, and after saving. What is ready is a hit.
Saving has the code read again, which outdates what was made before. Files come in git's order, which is
alphabetical; nobody knows in which order they were really opened. Nothing of the commit is known but what
was opened so far.
"""

from __future__ import annotations

import time
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from prefetching import CountedPrefetched

from companion.api import Order
from companion.app.contexts import made, prefetch
from companion.app.local import LocalCompanion
from companion.app.prefetch import PrefetchKey
from companion.evals.prediction import BARE_LEVELS, shown_file
from companion.evals.replay import Case, Progress, Replayable, cases, walk
from companion.evals.statistics import Figures, mean, percentile, rounded
from companion.records import Commit, Context, Format, Signals, Touch, Touched

BUDGET_TOKENS = 8_000
MOMENTS = ("opened", "edited", "saved")
"""When a context is asked for, in turns."""
PLAIN = "file alone"
"""The context for the file at hand, by somebody who does not know what else was opened and edited."""


class Live(Replayable, Protocol):
    """A replay that can be worked in."""

    def companion(self) -> LocalCompanion:
        """The product as it stands, to observe and to ask."""
        ...


def prefetching(
    commits: Sequence[Commit], subject: Live, *, last: int = 300, progress: Progress | None = None
) -> dict[str, object]:
    """Replay the last `last` test commits of a history (oldest first) as work, and tell the figures."""
    chosen = cases(commits, last)
    played = _Played()
    for case in walk(commits, chosen, subject, progress):
        there = subject.library.paths()
        files = [path for path in case.files if path in there]
        if len(files) > 1:
            companion = subject.companion()
            companion.session().prefetched = played.prefetched
            _Stretch(companion, played).play(case, files)
    return played.told({"last": last, "budget_tokens": BUDGET_TOKENS})


@dataclass
class _Played:
    """What was measured so far."""

    asks: int = 0
    hits: dict[str, list[float]] = field(default_factory=lambda: defaultdict(list))
    contained: dict[str, list[Figures]] = field(default_factory=lambda: defaultdict(list))
    making_s: list[float] = field(default_factory=list)
    serving_s: list[float] = field(default_factory=list)
    observing_s: list[float] = field(default_factory=list)
    prefetched: CountedPrefetched = field(default_factory=CountedPrefetched)

    def told(self, settings: Mapping[str, object]) -> dict[str, object]:
        """All figures as one JSON object."""
        every = [hit for hits in self.hits.values() for hit in hits]
        ours: Figures = {
            "hit_rate": sum(every) / len(every) if every else 0.0,
            **{f"hit_{moment}": sum(hits) / len(hits) for moment, hits in self.hits.items()},
            **mean(self.contained["ours"]),
        }
        if self.prefetched.prepared:
            ours["wasted_share"] = 1 - sum(every) / self.prefetched.prepared
            ours["wasted_ms_an_ask"] = ours["wasted_share"] * 1000 * sum(self.making_s) / max(1, self.asks)
        return {
            "eval": "prefetch",
            "n": self.asks,
            "ours": rounded(ours),
            "baselines": {PLAIN: rounded(mean(self.contained[PLAIN]))},
            "latency_ms": {
                f"{name} p{part}": round(1000 * percentile(seconds, part / 100), 2)
                for name, seconds in (
                    ("observe", self.observing_s),
                    ("prefetch", self.making_s),
                    ("served", self.serving_s),
                )
                if seconds
                for part in (50, 95)
            },
            "settings": {**settings, "asks": "one a file, in turns opened, edited, saved"},
        }


@dataclass
class _Stretch:
    """One test commit, worked through file by file."""

    companion: LocalCompanion
    played: _Played

    def play(self, case: Case, files: Sequence[str]) -> None:
        """Open, edit and save each file in order; close all at the end, as with the commit."""
        for place, path in enumerate(files):
            moment = MOMENTS[(case.number + place) % len(MOMENTS)]
            later = files[place + 1 :]
            for now, how in zip(MOMENTS, (Touch.OPENED, Touch.EDITED, Touch.SAVED), strict=True):
                self._observe(path, how)
                if how is Touch.SAVED:
                    self._outdate()
                if how is not Touch.EDITED:
                    self._make_ready()
                if now == moment:
                    self._ask(moment, path, later)
        for path in files:
            self._observe(path, Touch.CLOSED)

    def _observe(self, path: str, how: Touch) -> None:
        start = time.perf_counter()
        self.companion.observe([Touched(path, how)])
        self.played.observing_s.append(time.perf_counter() - start)

    def _outdate(self) -> None:
        """The file was read again, and something was written."""
        with self.companion.store.database.write():
            pass

    def _make_ready(self) -> None:
        start = time.perf_counter()
        prefetch(self.companion)
        self.played.making_s.append(time.perf_counter() - start)

    def _ask(self, moment: str, path: str, later: Sequence[str]) -> None:
        signals = Signals(current_file=path)
        start = time.perf_counter()
        context = self.companion.assemble(BUDGET_TOKENS, signals, Format.MARKDOWN, Order.PEOPLE)
        self.played.serving_s.append(time.perf_counter() - start)
        self.played.asks += 1
        self.played.hits[moment].append(float(self.played.prefetched.was_ready))
        if later:
            plain = made(self.companion, PrefetchKey(BUDGET_TOKENS, signals, Format.MARKDOWN, Order.PEOPLE))
            self.played.contained["ours"].append(_contained(context, later))
            self.played.contained[PLAIN].append(_contained(plain, later))


def _contained(context: Context, later: Sequence[str]) -> Figures:
    """Whether the next file is in a context, in more than its name, and which share of all that follow."""
    shown = {shown_file(item) for tier in context.tiers for item in tier.items if item.level not in BARE_LEVELS}
    return {
        "next_contained": float(later[0] in shown),
        "rest_contained": sum(path in shown for path in later) / len(later),
    }
