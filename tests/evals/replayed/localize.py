"""From an issue's text to the files that must change: instances with a base commit and the gold files.

The product knows what it would have known at the base commit: the history before it and its tree.
Nothing is at hand but the text. BM25 is the product's own match of words, in which the first line counts most.
"""

from __future__ import annotations

import gzip
import json
import time
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence, Set
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from companion.errors import UsageError
from companion.evals.baselines import bm25, fused, most_recent
from companion.evals.prediction import PREDICTED
from companion.evals.replay import Replayable
from companion.evals.statistics import Figures, bootstrap, mean, percentile, rounded
from companion.records import Commit, Signals
from companion.syntax import is_code

Progress = Callable[[int, int], None]

BASELINES = {"bm25 on the text": bm25, "most recently used": most_recent, "rank fusion": fused(bm25, most_recent)}
"""Rank fusion without a file at hand is of these two; the lists of its neighbours are empty."""


class ReplayOfRepository(Replayable, Protocol):
    """A replay that can list its repository's commits."""

    def commits(self) -> list[Commit]:
        """The whole history, oldest first."""
        ...


@dataclass(frozen=True, slots=True)
class Instance:
    """An issue: its text, the repository (`owner/name`), the commit it was fixed upon, the files changed."""

    id: str
    repo: str
    base: str
    text: str
    gold: frozenset[str]


def localize(
    instances: Path,
    repos: Path,
    open_replay: Callable[[Path], ReplayOfRepository],
    *,
    progress: Progress | None = None,
) -> dict[str, object]:
    """hit@1/3/5/10 of the gold files as one JSON object; repositories lie in `repos` under their names.

    `open_replay` makes a replay of a repository. Instances whose repository or base commit is not there are
    counted in `settings`. Raises UsageError for a file that holds no instances.
    """
    found = read_instances(instances)
    rows: dict[str, list[dict[str, Figures]]] = defaultdict(list)
    seconds: list[float] = []
    done = left_out = 0
    for repo, issues in sorted(_by_repo(found).items()):
        folder = folder_of(repos, repo)
        if folder is None:
            left_out += len(issues)
            continue
        replay = open_replay(folder)
        try:
            measured = _measured(replay, issues, seconds)
            for row in measured:
                rows[repo].append(row)
                done += 1
                if progress:
                    progress(done, len(found))
        finally:
            replay.close()
        left_out += len(issues) - len(rows[repo])
    everything = [row for of_repo in rows.values() for row in of_repo]
    told = _told(everything)
    return {
        "eval": "localize",
        "n": len(everything),
        **told,
        "by": {repo: _told(of_repo) for repo, of_repo in sorted(rows.items())},
        "latency_ms": {f"p{part}": round(1000 * percentile(seconds, part / 100), 2) for part in (50, 95)},
        "settings": {"left_out": left_out},
    }


def read_instances(path: Path) -> list[Instance]:
    """Instances of a JSON Lines file (`.gz` allowed). Raises UsageError naming the line that is none."""
    data = gzip.decompress(path.read_bytes()) if path.suffix == ".gz" else path.read_bytes()
    found = []
    for number, line in enumerate(data.splitlines(), start=1):
        try:
            row = json.loads(line)
            gold = frozenset(str(file) for file in row["gold_files"])
            found.append(
                Instance(
                    str(row["instance_id"]),
                    str(row["repo"]),
                    str(row["base_commit"]),
                    str(row["problem_statement"]),
                    gold,
                )
            )
        except (ValueError, KeyError, TypeError) as wrong:
            raise UsageError(
                f"Line {number} of {path} is no instance ({wrong}).",
                "It needs instance_id, repo, base_commit, problem_statement and gold_files, a list of paths.",
            ) from wrong
    return found


def folder_of(repos: Path, repo: str) -> Path | None:
    """Where a repository lies: `owner/name`, `owner__name`, `owner+name` or `name` in the folder."""
    name = repo.rpartition("/")[2]
    for spelt in (repo, repo.replace("/", "__"), repo.replace("/", "+"), name):
        if spelt and (repos / spelt).is_dir():
            return repos / spelt
    return None


def _by_repo(instances: Sequence[Instance]) -> Mapping[str, list[Instance]]:
    found: dict[str, list[Instance]] = defaultdict(list)
    for instance in instances:
        found[instance.repo].append(instance)
    return found


def _measured(replay: ReplayOfRepository, issues: Sequence[Instance], seconds: list[float]) -> list[dict[str, Figures]]:
    """Figures of each ranker for each issue, in the order of their base commits."""
    commits = replay.commits()
    place = {commit.sha: number for number, commit in enumerate(commits)}
    known = sorted((place[issue.base], issue.id, issue) for issue in issues if issue.base in place)
    rows: list[dict[str, Figures]] = []
    done = 0
    for number, _, issue in known:
        replay.advance(commits[done : number + 1], issue.base)
        done = number + 1
        start = time.perf_counter()
        predicted = replay.predict(Signals(query=issue.text), PREDICTED)
        seconds.append(time.perf_counter() - start)
        row = {"ours": hits([p.path for p in predicted if is_code(p.path)], issue.gold)}
        for name, ranker in BASELINES.items():
            ranked = [path for path in ranker(replay.library, "", issue.text) if is_code(path)]
            row[name] = hits(ranked, issue.gold)
        rows.append(row)
    return rows


def _told(rows: Sequence[Mapping[str, Figures]]) -> dict[str, object]:
    ours = mean([row["ours"] for row in rows])
    for name in list(ours):
        interval = bootstrap([row["ours"][name] for row in rows])
        ours[f"{name}_low"], ours[f"{name}_high"] = interval.low, interval.high
    others = {name: rounded(mean([row[name] for row in rows])) for name in BASELINES} if rows else {}
    return {"ours": rounded(ours), "baselines": others}


def hits(ranked: Sequence[str], gold: Set[str], firsts: Sequence[int] = (1, 3, 5, 10)) -> Figures:
    """hit@k: whether any of `gold` is among the first k."""
    return {f"hit@{k}": float(any(path in gold for path in ranked[:k])) for k in firsts}
