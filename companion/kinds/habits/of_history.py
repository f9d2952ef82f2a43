"""Habits of the history: how commits are worded.

A habit is told only where the newest commits are clear about it. The share of commits that follow
is judged by its Wilson interval (95 %): above `CLEAR_YES` it is a rule, below `CLEAR_NO` its
opposite is, where somebody may ask for it; in between the project is mixed and nothing is said.
That a manner is not followed answers a question and helps nobody unasked: such a habit is trivial.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Sequence

from msgspec import Struct

from companion.kinds import subjects as s
from companion.kinds.history.drafting import evidence_of
from companion.kinds.levels import ladder
from companion.ports import World
from companion.records import Commit, Draft, FactType, Importance, Kind

ORIGIN = "history habits"
"""All habits of history are one reading; each run says them anew."""
STYLE_COMMITS = 300
"""Commits (no merges) that wording is judged by: a year or so, recent enough to be today's manner."""
COMMITS_READ = 1_000
"""Commits looked at for as many that are no merges: where every change is merged, half of them are."""
STYLE_LEAST = 30
"""Below this many commits no interval is narrow enough to tell a habit from chance."""
CLEAR_YES, CLEAR_NO = 0.75, 0.10
"""Bounds of the interval: at 300 commits, a share of .80 is just a yes and one of .065 just a no."""
EXAMPLES = 3
"""Commits shown as evidence."""

_TYPED = re.compile(
    r"^(?:feat|fix|docs?|style|refactor|perf|tests?|build|ci|chore|revert)(?:\([^)]*\))?!?: ", re.IGNORECASE
)
_SCOPED = re.compile(r"^[\w./*,+-]{1,60}(?: ?[\w./*,+-]{1,60})?(?:\([^)]{0,60}\))?!?: \S")
_BRACKETED = re.compile(r"^\[[^\]]{1,60}\]:?\s")
_REQUEST = re.compile(r"\(#\d+\)$")


class _Wording(Struct, frozen=True):
    """A way to word a subject: the attribute, the test, and what yes and no mean in words."""

    attribute: str
    follows: re.Pattern[str]
    yes: str
    no: str = ""
    """Empty where nobody asks what is not done."""


WORDINGS = (
    _Wording(
        s.BRACKETED_AREA,
        _BRACKETED,
        "Commit subjects begin with the area in brackets (`[area] what changes`).",
    ),
    _Wording(
        s.CONVENTIONAL_COMMITS,
        _TYPED,
        "Commit subjects follow Conventional Commits (`fix: …`, `feat(scope): …`).",
        "Commit subjects do not use Conventional Commits types (`fix:`, `feat:`).",
    ),
    _Wording(
        s.SCOPE_COLON_SUBJECT,
        _SCOPED,
        "Commit subjects begin with the area and a colon (`area: what changes`).",
        "Commit subjects do not begin with an area and a colon.",
    ),
    _Wording(
        s.PR_NUMBER_SUFFIX,
        _REQUEST,
        "Commit subjects end with the pull request number, `(#123)`.",
        "Commit subjects, merges aside, do not end with a pull request number.",
    ),
    _Wording(
        s.CAPITALISED_SUBJECT,
        re.compile(r"^[A-Z]"),
        "Commit subjects begin with a capital letter.",
        "Commit subjects do not begin with a capital letter.",
    ),
)

NEITHER = _Wording(
    s.CONVENTIONAL_COMMITS,
    _SCOPED,
    "",
    "Commit subjects begin neither with a Conventional Commits type (`fix:`, `feat:`) nor with an area and a colon.",
)
"""Both denials as one: where no area begins a subject, no type does."""


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


def verdict(hits: int, n: int) -> bool | None:
    """Whether a share is clearly a habit, clearly none, or (None) mixed."""
    low, high = interval(hits, n)
    if n < STYLE_LEAST:
        return None
    return True if low >= CLEAR_YES else False if high <= CLEAR_NO else None


def _wordings(commits: Sequence[Commit]) -> Iterator[_Wording]:
    """The ways to word a subject, without the one whose denial is told by that of another."""
    scoped = sum(_SCOPED.search(commit.subject) is not None for commit in commits)
    for wording in WORDINGS:
        if verdict(scoped, len(commits)) is not False:
            yield wording
        elif wording.attribute != s.SCOPE_COLON_SUBJECT:
            yield NEITHER if wording.attribute == s.CONVENTIONAL_COMMITS else wording


def wording_habits(commits: Sequence[Commit]) -> Iterator[Draft]:
    """How subjects are worded, one draft a clear habit.

    What follows from a type (`fix:`) or an area in brackets that subjects begin with is no habit of its own.
    """
    prefixed = False
    for wording in _wordings(commits):
        following = [c for c in commits if wording.follows.search(c.subject)]
        answer = verdict(len(following), len(commits))
        prefixed = prefixed or (wording.attribute in {s.BRACKETED_AREA, s.CONVENTIONAL_COMMITS} and answer is True)
        implied = prefixed and wording.attribute in {s.SCOPE_COLON_SUBJECT, s.CAPITALISED_SUBJECT}
        if answer is None or implied or not (answer or wording.no):
            continue
        share = len(following) / len(commits) if answer else 1 - len(following) / len(commits)
        says = wording.yes if answer else wording.no
        counted = f"Seen in {round(share * 100)} % of the last {len(commits)} commits."
        followed = set(map(id, following))
        shown = [c for c in commits if (id(c) in followed) is answer][-EXAMPLES:]
        yield Draft(
            kind=Kind.FACT,
            type=FactType.HABIT.value,
            subject=s.COMMITS,
            attribute=wording.attribute,
            value=s.TRUE if answer else s.FALSE,
            levels=ladder(f"{says} {counted}", index=wording.attribute),
            origin=ORIGIN,
            evidence=tuple(map(evidence_of, reversed(shown))),
            confidence=round(share, 3),
            importance=Importance.DEFAULT if answer else Importance.TRIVIAL,
            label=s.CONVENTION,
        )
