"""The commits that made the best places so, as candidates: which of their lines each one made, and what it says.

A commit counts by its share of a place's lines, by being the last that touched it, and most by what its message says of
the task: what decided the matter is among the makers of the very lines, seldom the one of most lines.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import islice

from companion.engine.recalling.past_work import PRECEDENT
from companion.engine.recalling.places import by_file
from companion.engine.recalling.precedents import role_in_past
from companion.engine.recalling.recall import Recalled
from companion.ports import Library, LineMaker, TokenCounter, ToldCommit
from companion.records import (
    Candidate,
    Evidence,
    EvidenceKind,
    Form,
    Kind,
    PassageHit,
    PassageKind,
    Reason,
    Role,
    Tier,
)

SECTION = "Made so by"
MADE = "made:"
"""How the id of such a candidate begins; the id of its commit follows."""
PLACES_LOOKED_AT = 12
"""Best places whose makers are looked for: about as many as 4,000 tokens show."""
PLACES_OF_A_FILE = 4
"""Of these, at most so many of one file."""
SHOWN = 4
"""Commits shown: with their reasons some 200 tokens."""
OF_LINES, NEWEST, OF_TASK = 0.35, 0.15, 0.5
"""What a commit's share of the lines counts, being the last that touched them, and what it says of the task."""
SAYS_ENOUGH = 0.4
"""Share of the task's words, rare ones counting most, that a message says which is about the task."""
WORTH_SHOWING = 0.25
"""Worth under which a commit is not shown: 2 of 27 of those had made what then changed, .29 of the others."""
LEAST, PER_WORTH = 0.35, 0.5
"""A candidate's score among what is relevant, by its worth."""
TITLE_WORTH = 0.75
"""What the title alone keeps of the value, without the reason below it."""


@dataclass(frozen=True, slots=True)
class _Made:
    """What a commit made of one place, and how much that tells there, 0 to 1."""

    maker: LineMaker
    place: PassageHit
    worth: float

    @property
    def says(self) -> str:
        span = self.place.passage.span or (0, 0)
        name = self.place.passage.symbol or f"{self.place.passage.path.rpartition('/')[2]}:{span[0]}"
        return f"{self.maker.lines} of {span[1] - span[0] + 1} lines of {name}"


def of_makers(
    recalled: Recalled, beside: Sequence[Candidate], library: Library, counter: TokenCounter
) -> list[Candidate]:
    """At most SHOWN candidates for a task in words, none without places; `beside` are the other candidates.

    A commit that is a precedent or a memory too says the same as that, so that only one of them is shown.
    """
    places = _best_places(recalled, {one.title: one.score for one in beside if one.id.startswith("file:")})
    by_commit: dict[str, list[_Made]] = {}
    for value, hit in places:
        for maker in recalled.makers.get((hit.passage.path, hit.passage.span or (0, 0)), ()):
            worth = value / places[0][0] * _worth(maker, hit, recalled.messages)
            by_commit.setdefault(maker.sha, []).append(_Made(maker, hit, worth))
    groups = (sorted(of, key=_order, reverse=True) for of in by_commit.values())
    worthy = [of for of in groups if of[0].worth >= WORTH_SHOWING]
    worthy.sort(key=lambda of: _order(of[0]), reverse=True)
    same = _said_elsewhere(recalled, beside)
    told = ((library.commit_told(of[0].maker.sha), of) for of in worthy)
    known = islice(((commit, of) for commit, of in told if commit is not None), SHOWN)
    return [_candidate(commit, of, same, counter) for commit, of in known]


def _best_places(recalled: Recalled, files: Mapping[str, float]) -> list[tuple[float, PassageHit]]:
    """The pieces of code, not of tests, that are most likely worked on, each with how likely, the likeliest first."""
    top = max((hit.score for hit in recalled.places), default=0.0)
    found = [
        (files[path] * hit.score / top, hit)
        for path, hits in by_file(recalled.places).items()
        if path in files and role_in_past(path) is not Role.TEST
        for hit in [one for one in hits if one.passage.kind is PassageKind.CHUNK][:PLACES_OF_A_FILE]
    ]
    return sorted(found, key=lambda one: (-one[0], one[1].passage.path, one[1].passage.span))[:PLACES_LOOKED_AT]


def _worth(maker: LineMaker, hit: PassageHit, messages: Mapping[str, float]) -> float:
    first, last = hit.passage.span or (1, 1)
    share = maker.lines / (last - first + 1)
    fits = min(1.0, messages.get(maker.sha, 0.0) / SAYS_ENOUGH)
    return OF_LINES * share + NEWEST * maker.newest + OF_TASK * fits


def _order(made: _Made) -> tuple[float, str]:
    return made.worth, made.maker.sha


def _said_elsewhere(recalled: Recalled, beside: Sequence[Candidate]) -> dict[str, set[str]]:
    """What says the same as a commit does, by its id: a precedent, and the memories that rest on it."""
    said: dict[str, set[str]] = {}
    for candidate in beside:
        if candidate.id.startswith(PRECEDENT):
            said.setdefault(candidate.evidence[0].ref, set()).add(candidate.id)
    for memory in recalled.memories:
        for one in memory.draft.evidence if memory.draft.kind is Kind.EPISODE else ():
            said.setdefault(one.ref, set()).add(memory.key)
    return said


def _candidate(
    commit: ToldCommit, of: Sequence[_Made], same: Mapping[str, set[str]], counter: TokenCounter
) -> Candidate:
    """A commit and what it made, the place where that tells most first."""
    worth = min(of[0].worth, 1.0)
    texts = [f"{commit.title}\n{commit.reason}", commit.title] if commit.reason else [commit.title]
    worths = [1.0, TITLE_WORTH] if commit.reason else [1.0]
    levels = ("full", "summary") if commit.reason else ("full",)
    newest = ", newest" if of[0].maker.newest else ""
    says = f"made {of[0].says}{newest}" + "".join(f"; {one.says}" for one in of[1:])
    keys = {key for sha in (commit.sha, *commit.branch) for key in same.get(sha, ())}
    return Candidate(
        id=f"{MADE}{commit.sha}",
        title=commit.title,
        tier=Tier.RELEVANT,
        section=SECTION,
        score=round(LEAST + PER_WORTH * worth, 4),
        forms=tuple(
            Form(level, text, counter.count(text), kept)
            for level, text, kept in zip(levels, texts, worths, strict=True)
        ),
        reasons=(Reason("made", round(worth, 4), 1.0, says),),
        evidence=(Evidence(EvidenceKind.COMMIT, commit.sha),),
        files=tuple(dict.fromkeys(one.place.passage.path for one in of)),
        at=commit.at,
        says=" ".join(sorted(keys)),
    )
