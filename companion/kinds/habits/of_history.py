"""Habits of the history: how commits are worded.

A habit is told only where the newest commits are clear about it: where Wilson's interval (95 %) of the share that
follows lies above `CLEAR`. That a manner is not followed helps nobody, and is not told.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from companion.kinds import subjects as s
from companion.kinds.levels import ladder
from companion.ports import World
from companion.records import Commit, Draft, Evidence, EvidenceKind, FactType, Kind

ORIGIN = "history habits"
"""All habits of history are one reading; each run says them anew."""
STYLE_COMMITS = 300
"""Commits (no merges) that wording is judged by: a year or so, recent enough to be today's manner."""
COMMITS_READ = 1_000
"""Commits looked at for as many that are no merges: where every change is merged, half of them are."""
STYLE_LEAST = 30
"""Below this many commits no interval is narrow enough to tell a habit from chance."""
CLEAR = 0.75
"""Least that the interval may begin with: at 300 commits, a share of .80 is just a habit."""
EXAMPLES = 3
"""Commits shown as evidence."""

_TYPED = re.compile(
    r"^(?:feat|fix|docs?|style|refactor|perf|tests?|build|ci|chore|revert)(?:\([^)]*\))?!?: ", re.IGNORECASE
)
_SCOPED = re.compile(r"^[\w./*,+-]+(?: ?[\w./*,+-]+)?(?:\([^)]*\))?!?: \S")
_REQUEST = re.compile(r"\(#\d+\)$")


@dataclass(frozen=True, slots=True)
class _Wording:
    """A way to word a subject: the attribute, the test, and the habit in words."""

    attribute: str
    follows: re.Pattern[str]
    says: str


WORDINGS = (
    _Wording(
        s.CONVENTIONAL_COMMITS,
        _TYPED,
        "Commit subjects follow Conventional Commits (`fix: …`, `feat(scope): …`).",
    ),
    _Wording(
        s.SCOPE_COLON_SUBJECT,
        _SCOPED,
        "Commit subjects begin with the area and a colon (`area: what changes`).",
    ),
    _Wording(
        s.PR_NUMBER_SUFFIX,
        _REQUEST,
        "Commit subjects end with the pull request number, `(#123)`.",
    ),
    _Wording(
        s.CAPITALISED_SUBJECT,
        re.compile(r"^[A-Z]"),
        "Commit subjects begin with a capital letter.",
    ),
)


class HistoryHabits:
    """Learns how commits are worded."""

    name = "history habits"

    def origins(self, world: World) -> Sequence[str]:
        """One origin, whenever there are new commits."""
        return (ORIGIN,) if world.new_commits() else ()

    def learn(self, world: World) -> Iterator[Draft]:
        """Habits of wording, over the newest commits."""
        if not world.new_commits():
            return
        commits = [commit for commit in world.recent_commits(COMMITS_READ) if not commit.is_merge]
        yield from wording_habits(commits[-STYLE_COMMITS:])


def interval(hits: int, n: int) -> tuple[float, float]:
    """Wilson's 95 % interval of a share; (0, 1) for n = 0."""
    if n == 0:
        return (0.0, 1.0)
    z, share = 1.96, hits / n
    centre = share + z * z / (2 * n)
    spread = z * math.sqrt(share * (1 - share) / n + z * z / (4 * n * n))
    scale = 1 + z * z / n
    return ((centre - spread) / scale, (centre + spread) / scale)


def is_habit(hits: int, n: int) -> bool:
    """Whether a share is clearly a habit."""
    return n >= STYLE_LEAST and interval(hits, n)[0] >= CLEAR


def wording_habits(commits: Sequence[Commit]) -> Iterator[Draft]:
    """How subjects are worded, one draft a clear habit.

    Whoever follows Conventional Commits begins with a small word and a colon for that: neither is a habit of its own.
    """
    typed = False
    for wording in WORDINGS:
        following = [c for c in commits if wording.follows.search(c.subject)]
        repeats = typed and wording.attribute in {s.SCOPE_COLON_SUBJECT, s.CAPITALISED_SUBJECT}
        if repeats or not is_habit(len(following), len(commits)):
            continue
        typed = typed or wording.attribute == s.CONVENTIONAL_COMMITS
        share = len(following) / len(commits)
        counted = f"Seen in {round(share * 100)} % of the last {len(commits)} commits."
        yield Draft(
            kind=Kind.FACT,
            type=FactType.HABIT.value,
            subject=s.COMMITS,
            attribute=wording.attribute,
            value=s.TRUE,
            levels=ladder(f"{wording.says} {counted}", index=wording.attribute),
            origin=ORIGIN,
            evidence=tuple(_commit_evidence(c) for c in reversed(following[-EXAMPLES:])),
            confidence=round(share, 3),
            label=s.CONVENTION,
        )


def _commit_evidence(commit: Commit) -> Evidence:
    return Evidence(EvidenceKind.COMMIT, commit.sha, quote=commit.subject[:200])
