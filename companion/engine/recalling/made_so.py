"""The commits that made the likely places so, as candidates: which of their lines each one made, and what it says.

A commit counts by its share of each piece's lines and by what its message says of the task, both by how likely the
piece is worked on, and all pieces together: what decided the matter made several of them, seldom most of one. Of a file
without a task those count that most of its lines are from.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain, islice

from msgspec import Struct

from companion.engine.recalling.past_work import PRECEDENT
from companion.engine.recalling.recall import Ask, Recalled, is_told
from companion.ports import CommitSummary, Library, TokenCounter
from companion.records import (
    Candidate,
    Evidence,
    EvidenceKind,
    Form,
    Kind,
    PassageHit,
    Reason,
    Tier,
)

SECTION = "Introduced by"
MADE = "made:"
"""How the id of such a candidate begins; the id of its commit follows."""
SHOWN = 5
"""Commits shown, some 250 tokens: of 268 commits of seven projects .62 had a maker of what they changed among five, .60
among four, .65 among six."""
OF_FILE_LEAST = 0.1
"""Lines of the file at hand that a commit made, beside those of the one that made most: what made fewer mended them."""
SHOWN_OF_FILE = 3
"""Commits shown of a file without a task: what is in sight is the file, and its story is a question away."""
OF_MESSAGE = 2.0
"""What all of the task in a commit's message counts beside all of a piece's lines."""
LEAST, PER_WORTH = 0.1, 0.65
"""A candidate's score among what is relevant, by its worth."""
PIECES_TOLD = 3
"""Pieces that a commit is said to have made lines of."""
TITLE_WORDS = 3
"""Words from which on a title alone says which change it is of."""
TITLE_WORTH = 0.75
"""What the title alone keeps of the value, without the reason below it."""


_OWN_NAME = re.compile(r"[^.:]+(?:(?:\.|::)[^.:]+)?$")
"""Of a name within its modules the last two parts: a method and its class."""


class _Made(Struct, frozen=True):
    """What a commit made of one piece, or of the file at hand, and how much that tells."""

    lines: int
    total: int
    name: str
    path: str
    worth: float

    @property
    def says(self) -> str:
        return f"{self.lines} of {self.total} lines of {self.name}"


def of_makers(
    ask: Ask, recalled: Recalled, beside: Sequence[Candidate], library: Library, counter: TokenCounter
) -> list[Candidate]:
    """The commits of a task in words, or else of the current file, as candidates; `beside` are the other candidates.

    What is at hand is worked on, though it is not shown again.

    A commit that is a precedent or a memory too says the same as that, so that only one of them is shown.
    """
    files = {one.title: one.score for one in beside if one.id.startswith("file:")}
    files |= dict.fromkeys((path for path in (ask.current, *ask.at_hand) if path), 1.0)
    by_commit: dict[str, list[_Made]] = {}
    of_places = (_made(hit, files.get(hit.passage.path, 0.0), recalled) for hit in recalled.places)
    for sha, made in chain.from_iterable(of_places) if ask.has_task else _made_of_file(ask, recalled):
        by_commit.setdefault(sha, []).append(made)
    worth = {sha: sum(one.worth for one in of) for sha, of in by_commit.items()}
    best_first = sorted(worth, key=lambda sha: (-worth[sha], sha))
    told = filter(None, map(library.commit_summary, best_first))
    most_shown = SHOWN if ask.has_task else SHOWN_OF_FILE
    known = [(commit, by_commit[commit.sha]) for commit in islice(_each_once(told), most_shown)]
    most, same = max(worth.values(), default=0.0) or 1.0, _said_elsewhere(recalled, beside)
    return [_candidate(commit, of, worth[commit.sha] / most, same, counter) for commit, of in known]


def _each_once(commits: Iterable[CommitSummary]) -> Iterator[CommitSummary]:
    """Commits without those that say the same as one before: a change is often taken to a second line of work.

    Titles like "Fix typo" are of many changes.
    """
    said: set[tuple[str, str]] = set()
    for commit in commits:
        tells = commit.reason or len(commit.title.split()) >= TITLE_WORDS
        if not tells or (commit.title, commit.reason) not in said:
            said.add((commit.title, commit.reason))
            yield commit


def _made(hit: PassageHit, likelihood: float, recalled: Recalled) -> Iterator[tuple[str, _Made]]:
    """What each commit made of a piece that may be worked on, by its id."""
    piece = hit.passage
    if not likelihood or piece.span is None or not is_told(piece):
        return
    first, last = piece.span
    lines, own = last - first + 1, _OWN_NAME.search(piece.symbol)
    name = own[0] if own else f"{piece.path.rpartition('/')[2]}:{first}"
    for maker in recalled.makers.get((piece.path, piece.span), ()):
        share = maker.lines / lines
        tells = share + OF_MESSAGE * recalled.messages.get(maker.sha, 0.0)
        yield maker.sha, _Made(maker.lines, lines, name, piece.path, likelihood * hit.score * tells)


def _made_of_file(ask: Ask, recalled: Recalled) -> Iterator[tuple[str, _Made]]:
    """What each commit made of the current file, by its id."""
    total = sum(maker.lines for maker in recalled.written)
    least = OF_FILE_LEAST * max((maker.lines for maker in recalled.written), default=0)
    name = ask.current.rpartition("/")[2]
    for maker in recalled.written:
        if maker.lines >= least:
            yield maker.sha, _Made(maker.lines, total, name, ask.current, maker.lines / total)


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
    commit: CommitSummary, of: Sequence[_Made], worth: float, same: Mapping[str, set[str]], counter: TokenCounter
) -> Candidate:
    """A commit and what it made, the pieces where that tells most first; its worth beside the best one's."""
    made = sorted(of, key=lambda one: -one.worth)
    texts = [f"{commit.title}\n{commit.reason}", commit.title] if commit.reason else [commit.title]
    worths = [1.0, TITLE_WORTH] if commit.reason else [1.0]
    levels = ("full", "summary") if commit.reason else ("full",)
    says = "made " + "; ".join(one.says for one in made[:PIECES_TOLD])
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
        files=tuple(dict.fromkeys(one.path for one in made)),
        at=commit.at,
        says=" ".join(sorted(keys)),
    )
