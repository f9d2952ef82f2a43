"""Which share of the tokens put into a context was of use, tier by tier, replayed on a project's past.

Of use, in the wide sense: about a file that the commit edited, or a direct definition, test or caller
of one other than the file at hand, by the links of the parent's tree: what is linked to the open file
alone was found by opening it. Elsewhere: the same without what is about the file at hand alone. Strictly: about an
edited file other than the one at hand.
Items that are about no file (conventions, the index) cannot be judged this way; their tokens are told
apart and count for nothing. Two cuts: what was shipped, and a budget filled up with predicted files, all at the same
length, which is what a packer without a cut would do.
"""

from __future__ import annotations

import time
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field
from itertools import islice

from msgspec import Struct

from companion.engine.predicting.file_index import source_files
from companion.evals.baselines import rank_fusion
from companion.evals.prediction import BUDGET_TOKENS, PREDICTED, shown_file
from companion.evals.replay import Progress, WithCode, cases, walk
from companion.evals.statistics import Figures, bootstrap, milliseconds, rounded
from companion.ports import Library
from companion.records import Commit, Context, ContextItem, Signals, Tier

FILE_TOKENS = 400
"""Tokens that each file counts which fills a budget up: about those of its signatures."""
FILLED, FUSED = "filled up", "filled up by rank fusion"

LEADING = (Tier.CRITICAL, Tier.RELEVANT)
"""The tiers that are to be useful; background and index are asked to orient."""


@dataclass
class _Tally:
    """Tokens of one kind of item over a replay, and for each commit the shares of its asks."""

    tokens: int = 0
    judged: int = 0
    useful: int = 0
    elsewhere: int = 0
    edited: int = 0
    items: int = 0
    right: int = 0
    could: int = 0
    by_commit: dict[int, list[float]] = field(default_factory=lambda: defaultdict(list))

    def figures(self) -> Figures:
        """Shares of the judged tokens, and strict precision by item beside an oracle's."""
        told = {
            "tokens": float(self.tokens),
            "judged_share": self.judged / self.tokens if self.tokens else 0.0,
            "useful_share": self.useful / self.judged if self.judged else 0.0,
            "elsewhere_share": self.elsewhere / self.judged if self.judged else 0.0,
            "edited_share": self.edited / self.judged if self.judged else 0.0,
        }
        if self.items:
            told["strict_precision"] = self.right / self.items
            told["oracle_precision"] = self.could / self.items
        shares = [sum(values) / len(values) for values in self.by_commit.values()]
        if shares:
            interval = bootstrap(shares)
            told["useful_share_by_commit"] = sum(shares) / len(shares)
            told["useful_share_low"], told["useful_share_high"] = interval.low, interval.high
        return rounded(told)


class _Piece(Struct, frozen=True):
    """What was put in: its tokens, the files that it is about, and the one that it shows, if it shows one."""

    tokens: int
    about: frozenset[str]
    file: str


class _Need(Struct, frozen=True):
    """What was needed at one ask: edited files, and those linked directly to another than the one at hand.

    `code` are the source files, of which alone it is counted how many of those shown were edited.
    """

    at_hand: str
    edited: frozenset[str]
    wide: frozenset[str]
    code: frozenset[str]

    @property
    def elsewhere(self) -> frozenset[str]:
        """What was needed beside the file at hand."""
        return self.wide - {self.at_hand}


def useful(
    commits: Sequence[Commit],
    subject: WithCode,
    *,
    last: int = 300,
    progress: Progress | None = None,
) -> dict[str, object]:
    """Replay the last `last` test commits (oldest first) and tell shares as one JSON object.

    Each changed file is at hand in turn, with the commit's subject as intent.
    """
    chosen = cases(commits, last)
    tallies: dict[str, _Tally] = defaultdict(_Tally)
    seconds: list[float] = []
    for case in walk(commits, chosen, subject, progress):
        library = subject.library
        there = library.paths()
        edited, code = frozenset(path for path in case.files if path in there), frozenset(source_files(there))
        for path in sorted(edited):
            need = _Need(path, edited, edited | linked(library, edited - {path}), code)
            signals = Signals(current_file=path, query=case.commit.subject)
            start = time.perf_counter()
            context = subject.assemble(BUDGET_TOKENS, signals)
            seconds.append(time.perf_counter() - start)
            _count_context(tallies, case.number, context, need)
            predicted = [one.path for one in subject.predict(signals, PREDICTED)]
            for name, ranked in ((FILLED, predicted), (FUSED, rank_fusion(library, path, ""))):
                _count(tallies[name], case.number, _filled(ranked, code), need)
    figures = {name: tally.figures() for name, tally in tallies.items()}
    filled = {name: figures.pop(name, {}) for name in (FILLED, FUSED)}
    return {
        "eval": "useful",
        "n": len(chosen),
        "ours": figures.pop("critical and relevant", {}),
        "baselines": filled,
        "by": figures,
        "latency_ms": milliseconds(seconds),
        "settings": {"last": last, "budget_tokens": BUDGET_TOKENS, "view": "with intent"},
    }


def linked(library: Library, paths: frozenset[str]) -> frozenset[str]:
    """Files that a direct link (import, call, inheritance, test), either way, ties to any of `paths`."""
    links = library.links(sorted(paths)) if paths else ()
    return frozenset(path for link in links for path in (link.source, link.target))


def _count_context(tallies: Mapping[str, _Tally], commit: int, context: Context, need: _Need) -> None:
    for report in context.tiers:
        _count(tallies[report.tier.value], commit, _shown(report.items), need)
    leading = [item for report in context.tiers if report.tier in LEADING for item in report.items]
    _count(tallies["critical and relevant"], commit, _shown(leading), need)
    _count(tallies["whole context"], commit, _shown([item for report in context.tiers for item in report.items]), need)


def _shown(items: Sequence[ContextItem]) -> Iterator[_Piece]:
    return (_Piece(item.tokens, frozenset(item.files), shown_file(item)) for item in items)


def _filled(ranked: Sequence[str], code: Set[str]) -> Iterator[_Piece]:
    """The budget filled with the first files of code, nothing cut."""
    first = islice((path for path in ranked if path in code), BUDGET_TOKENS // FILE_TOKENS)
    return (_Piece(FILE_TOKENS, frozenset([path]), path) for path in first)


def _count(tally: _Tally, commit: int, pieces: Iterable[_Piece], need: _Need) -> None:
    judged = useful_tokens = 0
    shown: set[str] = set()
    for one in pieces:
        tally.tokens += one.tokens
        if not one.about:
            continue
        judged += one.tokens
        useful_tokens += one.tokens if one.about & need.wide else 0
        tally.elsewhere += one.tokens if one.about & need.elsewhere else 0
        tally.edited += one.tokens if one.about & need.edited else 0
        if one.file and one.file != need.at_hand and one.file in need.code:
            shown.add(one.file)
    tally.judged += judged
    tally.useful += useful_tokens
    if judged:
        tally.by_commit[commit].append(useful_tokens / judged)
    gold = need.edited - {need.at_hand}
    tally.items += len(shown)
    tally.right += len(gold & shown)
    tally.could += min(len(gold), len(shown))  # what an oracle that shows as many would have right
