"""Which share of the tokens put into a context was of use, tier by tier, replayed on a project's past.

Of use, in the wide sense: about a file that the commit edited, or a direct definition, test or caller
of one other than the file at hand, by the links of the parent's tree: what is linked to the open file
alone was found by opening it. Elsewhere: the same without what is about the file at hand alone. Strictly: about an
edited file other than the one at hand.
Items that are about no file (conventions, the index) cannot be judged this way; their tokens are told
apart and count for nothing. Two cuts: what was shipped, and a budget filled up with the skeletons of
predicted files, which is what a packer without a cut would do.
"""

from __future__ import annotations

import time
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence, Set
from dataclasses import dataclass, field

from companion.evals.baselines import rank_fusion
from companion.evals.prediction import BUDGET_TOKENS, PREDICTED, shown_file
from companion.evals.replay import WithCode, cases, walk
from companion.evals.statistics import Figures, bootstrap, percentile, rounded
from companion.ports import Library
from companion.records import Commit, Context, ContextItem, Signals, Tier
from companion.syntax import is_code

Progress = Callable[[int, int], None]

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


@dataclass(frozen=True, slots=True)
class _Need:
    """What was needed at one ask: edited files, and those linked directly to another than the one at hand."""

    at_hand: str
    edited: frozenset[str]
    wide: frozenset[str]

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
    settings: Mapping[str, object] | None = None,
) -> dict[str, object]:
    """Replay the last `last` test commits (oldest first) and tell shares as one JSON object.

    Each changed file is at hand in turn, with the commit's subject as intent.
    """
    chosen = cases(commits, last)
    tallies: dict[str, _Tally] = defaultdict(_Tally)
    seconds: list[float] = []
    for done, case in enumerate(walk(commits, chosen, subject), start=1):
        library = subject.library
        there = library.paths()
        edited = frozenset(path for path in case.files if path in there)
        for path in sorted(edited):
            need = _Need(path, edited, edited | linked(library, edited - {path}))
            signals = Signals(current_file=path, query=case.commit.subject)
            start = time.perf_counter()
            context = subject.assemble(BUDGET_TOKENS, signals)
            seconds.append(time.perf_counter() - start)
            _count_context(tallies, done, context, need)
            predicted = [one.path for one in subject.predict(signals, PREDICTED)]
            for name, ranked in ((FILLED, predicted), (FUSED, rank_fusion(library, path, ""))):
                _count_filled(tallies[name], done, library, ranked, need)
        if progress:
            progress(done, len(chosen))
    figures = {name: tally.figures() for name, tally in tallies.items()}
    filled = {name: figures.pop(name, {}) for name in (FILLED, FUSED)}
    return {
        "eval": "useful",
        "n": len(chosen),
        "ours": figures.pop("critical and relevant", {}),
        "baselines": filled,
        "by": figures,
        "latency_ms": {f"p{part}": round(1000 * percentile(seconds, part / 100), 2) for part in (50, 95)},
        "settings": {"last": last, "budget_tokens": BUDGET_TOKENS, "view": "with intent", **(settings or {})},
    }


def linked(library: Library, paths: frozenset[str]) -> frozenset[str]:
    """Files that a direct link (import, call, inheritance, test), either way, ties to any of `paths`."""
    links = library.links(sorted(paths)) if paths else ()
    return frozenset(path for link in links for path in (link.source, link.target))


def _count_context(tallies: Mapping[str, _Tally], commit: int, context: Context, need: _Need) -> None:
    leading: list[ContextItem] = []
    for report in context.tiers:
        _count(tallies[report.tier.value], commit, report.items, need)
        if report.tier in LEADING:
            leading += report.items
    _count(tallies["critical and relevant"], commit, leading, need)
    _count(tallies["whole context"], commit, [item for report in context.tiers for item in report.items], need)


def _count(tally: _Tally, commit: int, items: Sequence[ContextItem], need: _Need) -> None:
    judged = useful_tokens = 0
    shown: dict[str, None] = {}
    for item in items:
        tally.tokens += item.tokens
        about = frozenset(item.files)
        if not about:
            continue
        judged += item.tokens
        useful_tokens += item.tokens if about & need.wide else 0
        tally.elsewhere += item.tokens if about & need.elsewhere else 0
        tally.edited += item.tokens if about & need.edited else 0
        file = shown_file(item)
        if file and file != need.at_hand and is_code(file):
            shown.setdefault(file)
    tally.judged += judged
    tally.useful += useful_tokens
    if judged:
        tally.by_commit[commit].append(useful_tokens / judged)
    _count_strictly(tally, shown.keys(), need)


def _count_strictly(tally: _Tally, shown: Set[str], need: _Need) -> None:
    """Source files shown, how many were edited, and how many an oracle showing as many would have had right."""
    gold = need.edited - {need.at_hand}
    tally.items += len(shown)
    tally.right += len(gold & shown)
    tally.could += min(len(gold), len(shown))


def _count_filled(tally: _Tally, commit: int, library: Library, ranked: Sequence[str], need: _Need) -> None:
    """The budget filled with skeletons of files, best first, nothing cut."""
    forms = library.paths()
    spent = useful_tokens = 0
    shown: dict[str, None] = {}
    for path in ranked:
        cost = forms[path].skeleton_tokens if path in forms else 0
        if not cost or not is_code(path):
            continue
        if spent + cost > BUDGET_TOKENS:
            break
        spent += cost
        shown.setdefault(path)
        useful_tokens += cost if path in need.wide else 0
        tally.elsewhere += cost if path in need.elsewhere else 0
        tally.edited += cost if path in need.edited else 0
    tally.tokens += spent
    tally.judged += spent
    tally.useful += useful_tokens
    if spent:
        tally.by_commit[commit].append(useful_tokens / spent)
    _count_strictly(tally, shown.keys(), need)
