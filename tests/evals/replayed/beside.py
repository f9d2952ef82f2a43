"""Whether a context shows what somebody who makes a change has to know: the place, its test, who made it so.

Commits are replayed that changed one to four sources and one to four tests which were there before, and took a line of
a source away. The subject is the task, and no file is at hand. A function is shown with one of the lines that the commit
changes in sources, a test with any lines of a test that it changes, a maker with a commit that made the lines which are
taken away (a merge that brought it counts), whichever part of the context it stands in.
"""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from typing import Protocol

from companion.evals.places import Spans, lines_in, shown_by
from companion.evals.replay import Case, Progress, WithCode, cases, walk
from companion.evals.statistics import Figures, bootstrap, mean, percentile, rounded
from companion.records import Commit, Context, EvidenceKind, FileRole, Signals, Span
from companion.records.roles import role_of

MOST_FILES = 4
"""Sources, and tests, of a commit that is one change."""


class WithMakers(WithCode, Protocol):
    """A replay that knows what a commit changes, and who made the lines of its moment."""

    def old_spans(self, commit: Commit) -> Spans:
        """The lines of its first parent that a commit changes, by path."""
        ...

    def makers(self, path: str, spans: Sequence[Span]) -> frozenset[str]:
        """The commits that made some lines of a file, and what the merges among them brought."""
        ...


def beside(
    commits: Sequence[Commit],
    subject: WithMakers,
    *,
    last: int = 20,
    budget_tokens: int = 4_000,
    progress: Progress | None = None,
    settings: Mapping[str, object] | None = None,
) -> dict[str, object]:
    """Replay the last `last` such commits (oldest first) and tell the figures as one JSON object."""
    chosen = [case for case in cases(commits, len(commits)) if _is_one_change(case)][-last:] if last > 0 else []
    rows: list[Figures] = []
    seconds: list[float] = []
    for case in walk(commits, chosen, subject, progress):
        there = subject.library.paths()
        old = {path: spans for path, spans in subject.old_spans(case.commit).items() if path in there and spans}
        made = frozenset[str]().union(*(subject.makers(path, old[path]) for path in old if path in _sources(case)))
        if made:
            start = time.perf_counter()
            context = subject.assemble(budget_tokens, Signals(query=case.commit.subject))
            seconds.append(time.perf_counter() - start)
            rows.append(_figures(context, case, old, made))
    return _told(rows, seconds, {"last": last, "budget_tokens": budget_tokens, **(settings or {})})


def _is_test(path: str) -> bool:
    return role_of(path, "") is FileRole.TEST


def _sources(case: Case) -> tuple[str, ...]:
    return tuple(path for path in case.files if not _is_test(path))


def _is_one_change(case: Case) -> bool:
    sources = len(_sources(case))
    return 1 <= sources <= MOST_FILES and 1 <= len(case.files) - sources <= MOST_FILES


def _figures(context: Context, case: Case, old: Spans, made: frozenset[str]) -> Figures:
    lines = shown_by(context).lines
    tests = [path for path in case.files if _is_test(path)]

    def touched(paths: Sequence[str]) -> bool:
        return any(lines.get(path, set()) & lines_in(old.get(path, ())) for path in paths)

    cited = {
        one.ref
        for report in context.tiers
        for item in report.items
        for one in item.evidence
        if one.kind is EvidenceKind.COMMIT
    }
    function, maker = touched(_sources(case)), bool(cited & made)
    test = any(lines.get(path) for path in tests)
    return {
        "function": float(function),
        "test": float(test),
        "test_lines": float(touched(tests)),
        "maker": float(maker),
        "all": float(function and test and maker),
        "tokens": float(context.tokens),
    }


def _told(rows: Sequence[Figures], seconds: Sequence[float], settings: Mapping[str, object]) -> dict[str, object]:
    ours = mean(rows)
    for name in ("function", "test", "maker", "all") if rows else ():
        interval = bootstrap([row[name] for row in rows])
        ours |= {f"{name}_low": interval.low, f"{name}_high": interval.high}
    return {
        "eval": "beside",
        "n": len(rows),
        "ours": rounded(ours),
        "baselines": {},
        "by": {},
        "latency_ms": {f"p{part}": round(1000 * percentile(seconds, part / 100), 2) for part in (50, 95)},
        "settings": dict(settings),
    }
