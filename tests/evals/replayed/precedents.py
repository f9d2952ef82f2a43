"""How often a commit that did the same sort of thing before stands among the precedents that the product shows.

Which earlier commits are precedents was marked by hand before anything computed it. The product knows what it knew
at the commit's parent, and is asked with the subject. Beside it stands plain BM25 over the messages of all earlier
commits.
"""

from __future__ import annotations

import time
from collections import Counter, defaultdict
from collections.abc import Callable, Mapping, Sequence, Set
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from companion.app.replay import Replay
from companion.engine.recalling.past_work import precedents_of
from companion.errors import UsageError
from companion.evals.bm25 import bm25_scores, plain_words
from companion.evals.statistics import Figures, bootstrap, mean, percentile, rounded
from companion.records import Commit
from evals.json_lines import read_json_lines
from evals.replayed.localize import ReplayOfRepository, folder_of, hits

SHOWN = 3
MESSAGES = "bm25 over messages"

Progress = Callable[[int, int], None]


class WithPrecedents(ReplayOfRepository, Protocol):
    """A replay that shows precedents."""

    def precedents(self, task: str) -> Sequence[Set[str]]:
        """The commits of each change that the product shows as a precedent of a task, best first."""
        ...


class ReplayOfPrecedents(Replay):
    """A replay of a repository that shows the precedents that the product would show."""

    def precedents(self, task: str) -> Sequence[Set[str]]:
        """The commits of each change that the product shows as a precedent of a task, best first."""
        found = precedents_of(task, self.library, self._clock.now())
        return [frozenset((one.sha, *one.commits)) for one in found]


@dataclass(frozen=True, slots=True)
class MarkedCommit:
    """A commit of a repository, and earlier ones that did most nearly the same sort of thing."""

    repo: str
    sha: str
    precedents: frozenset[str]


def precedents(
    marks: Path,
    repos: Path,
    open_replay: Callable[[Path], WithPrecedents],
    *,
    progress: Progress | None = None,
) -> dict[str, object]:
    """hit@1 and hit@3 of the marked commits as one JSON object; repositories lie in `repos` under their names.

    Commits that are not there are counted in `settings`. Raises UsageError for a bad file.
    """
    marked = read_marks(marks)
    rows: dict[str, list[tuple[str, Figures]]] = defaultdict(list)
    seconds: list[float] = []
    for repo in dict.fromkeys(one.repo for one in marked):
        folder = folder_of(repos, repo)
        if folder is None:
            continue
        replay = open_replay(folder)
        try:
            _measure(replay, [one for one in marked if one.repo == repo], rows, seconds, progress)
        finally:
            replay.close()
    return _told(rows, seconds, left_out=len(marked) - len(rows["ours"]))


def read_marks(path: Path) -> list[MarkedCommit]:
    """The marked commits of a file: repo, sha, precedents. Raises UsageError naming the line that is none."""
    found = []
    for number, row in enumerate(read_json_lines(path), start=1):
        try:
            earlier = frozenset(str(sha) for sha in row["precedents"])
            found.append(MarkedCommit(str(row["repo"]), str(row["sha"]), earlier))
        except (KeyError, TypeError) as wrong:
            raise UsageError(
                f"Line {number} of {path} marks no commit ({wrong}).", "Each has repo, sha and a list of precedents."
            ) from wrong
    return found


def _measure(
    replay: WithPrecedents,
    marked: Sequence[MarkedCommit],
    rows: Mapping[str, list[tuple[str, Figures]]],
    seconds: list[float],
    progress: Progress | None,
) -> None:
    """Ask for the precedents of each marked commit of a repository, in the order of history."""
    commits = replay.commits()
    number_of = {commit.sha: number for number, commit in enumerate(commits)}
    words: dict[str, Counter[str]] = {}
    done = 0
    known = sorted((one for one in marked if one.sha in number_of), key=lambda one: number_of[one.sha])
    for count, one in enumerate(known, start=1):
        number, commit = number_of[one.sha], commits[number_of[one.sha]]
        replay.advance(commits[done:number], commit.parents[0] if commit.parents else "")
        words |= {c.sha: Counter(plain_words(f"{c.subject}\n{c.body}")) for c in commits[done:number]}
        done = number
        start = time.perf_counter()
        shown = replay.precedents(commit.subject)
        seconds.append(time.perf_counter() - start)
        firsts = [next(iter(change & one.precedents), "") for change in shown]
        rows["ours"].append((one.repo, _hits(firsts, one)))
        rows[MESSAGES].append((one.repo, _hits(_by_messages(words, commit), one)))
        if progress:
            progress(count, len(known))


def _hits(ranked: Sequence[str], marked: MarkedCommit) -> Figures:
    return hits(ranked, marked.precedents, (1, SHOWN))


def _by_messages(words: Mapping[str, Counter[str]], commit: Commit) -> list[str]:
    scores = bm25_scores(words, list(plain_words(commit.subject)))
    return sorted(scores, key=lambda sha: (-scores[sha], sha))[:SHOWN]


def _told(
    rows: Mapping[str, Sequence[tuple[str, Figures]]], seconds: Sequence[float], *, left_out: int
) -> dict[str, object]:
    def figures_of(name: str, repo: str = "") -> Figures:
        return mean([figures for of, figures in rows[name] if repo in ("", of)])

    names = [name for name in rows if name != "ours"]
    ours = figures_of("ours")
    for name in list(ours):
        interval = bootstrap([figures[name] for _, figures in rows["ours"]])
        ours[f"{name}_low"], ours[f"{name}_high"] = interval.low, interval.high
    return {
        "eval": "precedents",
        "n": len(rows["ours"]),
        "ours": rounded(ours),
        "baselines": {name: rounded(figures_of(name)) for name in names},
        "by": {
            repo: {
                "ours": rounded(figures_of("ours", repo)),
                "baselines": {name: rounded(figures_of(name, repo)) for name in names},
            }
            for repo in dict.fromkeys(of for of, _ in rows["ours"])
        },
        "latency_ms": {f"p{part}": round(1000 * percentile(seconds, part / 100), 2) for part in (50, 95)},
        "settings": {"shown": SHOWN, "left_out": left_out},
    }
