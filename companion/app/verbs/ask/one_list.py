"""Memories, passages and turns as one list by score, each thing told once.

All are scored alike, by how much of the question they say: the share of its words that stands in them (rare words
counting most), times how well they do against the best of their sort, and how near they are in meaning. What a
question asks for by its form counts more (`question_form`). The commit whose very subject was asked for comes first. A
memory stands for the commit or the lines that it was made from, and a docstring for the chunk around it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from types import MappingProxyType
from typing import TYPE_CHECKING

from msgspec.structs import replace

from companion.escape import one_line
from companion.language.questions import is_question
from companion.records import (
    Evidence,
    EvidenceKind,
    FileRole,
    Hit,
    Memory,
    Passage,
    PassageHit,
    PassageKind,
    Reason,
    SearchHit,
    SearchQuery,
    Span,
    over_since,
)
from companion.records.roles import role_of
from companion.records.search import State
from companion.records.talk import TurnHit
from companion.store.by_columns import value_where
from companion.store.declared import DeclaredAnswer, id_of
from companion.store.text import analysis

if TYPE_CHECKING:
    from companion.store.database import Database
    from companion.store.library import StoreLibrary

FITS_SHARE = 0.5
"""A passage that says half of what was asked, rare words counting most, fits; less are common words met by chance."""
TEST_WORTH = 0.7
"""What a passage of a test counts beside others: it says the words of what it tests, which answers itself."""
MEANING_SHARE = 0.6
"""What nearness in meaning counts beside words: of one repository's 30 questions .4 answered 23, .6 24."""
NEAR_FITS = 0.6
"""Cosine from which a passage fits whatever words it says. Questions about cooking or sport came no nearer than .34 to
anything of a project, three in four of those about other projects no nearer than this."""
OPENING_LINES = 20
"""A docstring within so many lines of its chunk's first one is told with it: the signature says what it is about."""
SUBJECT = "subject"
"""The feature of a commit whose very subject was asked for."""
SAID_SHARE = 0.8
"""A memory whose words stand to this share in a passage of its own source says the same."""
_PLACE = re.compile(r"where\b|(?:in )?(?:which|what) (?:code|function|class|method|type|file|module|package)\b")
_PAST = re.compile(r"(?:since )?when\b|(?:in )?(?:which|what) (?:commit|change)\b|(?:why )?(?:was|were|did)\b")
DECLARED = "declared"
"""The sort of a hit that a file of settings declares."""
LESS = 0.7
"""What a sort counts that is not asked for, beside the one that is."""
Leaning = Mapping[str, float]
_ALL_ALIKE: Leaning = MappingProxyType({})
_TO_THE_PAST: Leaning = MappingProxyType({DECLARED: LESS})
_TO_CODE: Leaning = MappingProxyType({PassageKind.COMMIT.value: LESS, PassageKind.DOCUMENT.value: LESS})
_TO_TODAY: Leaning = MappingProxyType({PassageKind.COMMIT.value: LESS})
COUNTED = 50
"""Archived matches that are looked at: more are read by nobody."""
ID_SHOWN = 12
OBJECTION_CHARS = 120
"""Characters of what contradicts a hit: a sentence."""


def memory_hit(hit: Hit, now: datetime) -> SearchHit:
    """A memory, with the file or commit that it was learned from first, and whether it is over."""
    memory = hit.memory
    draft = memory.draft
    file = _first(draft.evidence, EvidenceKind.FILE)
    commit = _commit_of(draft.origin, draft.evidence)
    return SearchHit(
        sort=draft.kind.value,
        id=memory.id,
        title=draft.levels.index,
        text=draft.levels.summary,
        score=hit.score,
        reasons=hit.reasons,
        fits=hit.fits,
        path=file.ref if file else None,
        spans=((file.line, file.line),) if file and file.line else (),
        commit=commit or None,
        at=draft.valid_from or memory.created_at,
        memory=memory,
        over=over_since(memory, now),
    )


def memory_hits(found: Sequence[Hit], leaning: Leaning, now: datetime) -> list[SearchHit]:
    """Memories, scored as passages are."""
    loudest = max((hit.share for hit in found), default=0.0) or 1.0
    hits = []
    for hit in found:
        scored = _score(hit.covers, hit.share / loudest, hit.near, None)
        sort = PassageKind.COMMIT.value if hit.memory.draft.origin.startswith("commit:") else ""
        hits.append(replace(memory_hit(hit, now), score=round(scored * leaning.get(sort, 1.0), 6)))
    return hits


def objected(hit: SearchHit, other: Memory) -> SearchHit:
    """A hit with what contradicts it."""
    file = _first(other.draft.evidence, EvidenceKind.FILE)
    says = one_line(other.draft.levels.summary, OBJECTION_CHARS)
    against = Reason("contradiction", 1.0, 0.0, f"{file.label() if file else 'a note'} says otherwise: “{says}”")
    return replace(hit, reasons=(*hit.reasons, against))


def passage_hits(found: Sequence[PassageHit], leaning: Leaning = MappingProxyType({})) -> list[SearchHit]:
    """Passages, scored against the best of them."""
    best = max((hit.score for hit in found), default=0.0) or 1.0
    nearest = max((hit.near for hit in found if hit.near is not None), default=None)
    hits = []
    for hit in found:
        scored = _score(hit.covers, hit.score / best, hit.near, nearest) * _worth(hit.passage, leaning)
        hits.append(_passage_hit(hit.passage, scored, hit.covers, hit.words, hit.near))
    return hits


def _score(covers: float, loud: float, near: float | None, nearest: float | None) -> float:
    """How much of a question something says; what has no vector, among others that do, is as near as it is loud."""
    words = covers * loud
    if near is None and nearest is None:
        return words
    return (1 - MEANING_SHARE) * words + MEANING_SHARE * (words * (nearest or 0.0) if near is None else near)


def _worth(passage: Passage, leaning: Leaning) -> float:
    test = TEST_WORTH if passage.path and role_of(passage.path, "") is FileRole.TEST else 1.0
    return test * leaning.get(passage.kind.value, 1.0)


def called_hits(called: Iterable[Passage], words: Sequence[str]) -> list[SearchHit]:
    """Commits whose very subject was asked for."""
    says = Reason(SUBJECT, 1.0, 1.0, "is the commit of this subject")
    return [replace(_passage_hit(one, 1.0, 1.0, words), reasons=(says,)) for one in called]


def declared_hits(found: Sequence[DeclaredAnswer], leaning: Leaning) -> list[SearchHit]:
    """What files of settings declare, scored by the square of the share of the question that a row says."""
    hits = []
    for one in found:
        row, score = one.row, one.covers**2 * leaning.get(DECLARED, 1.0)
        hits.append(
            SearchHit(
                sort=DECLARED,
                id=id_of(row),
                title=row.subject,
                text=row.told or row.says,
                score=round(min(1.0, score), 6),
                reasons=(_says(one.words, one.covers),),
                fits=_fits(one.covers, None),
                path=row.path or None,
                spans=((row.line, row.line),) if row.line else (),
            )
        )
    return hits


def turn_hits(found: Sequence[TurnHit], spoken: Mapping[str, str], worth: Mapping[str, float]) -> list[SearchHit]:
    """Turns of conversations; `spoken` are the terms of the question by the word they came from."""
    best = max((hit.score for hit in found), default=0.0) or 1.0
    hits = []
    for hit in found:
        text = "\n".join(f"{message.role.value}: {message.text}" for message in hit.turn.messages)
        covers, words = analysis.covered(analysis.distinct((text,)), spoken, worth)
        hits.append(
            SearchHit(
                sort=PassageKind.TURN.value,
                id=hit.conversation.id,
                title=f"{hit.conversation.title or 'Conversation'}, turn {hit.turn.number}",
                text=text,
                score=min(1.0, _score(covers, hit.score / best, hit.meaning or None, None)),
                reasons=(_says(words, covers),),
                fits=_fits(covers, hit.meaning),
                at=hit.turn.at,
            )
        )
    return hits


def one_list(hits: Iterable[SearchHit], limit: int) -> tuple[SearchHit, ...]:
    """The best hits, best first, each thing once: of two that say the same a memory stands for both.

    Of equals a commit of that very subject goes first, then what a file declares now, then memories.
    """
    listed: list[SearchHit] = []
    for hit in sorted(hits, key=_place_in_list):
        at = next((number for number, other in enumerate(listed) if _same(hit, other)), None)
        if at is None:
            listed += [hit] if len(listed) < limit else []
        elif hit.memory is not None and listed[at].memory is None:
            listed[at] = _joined(hit, listed[at])
        elif hit.sort == PassageKind.CHUNK.value and _opens(listed[at], hit):
            listed[at] = replace(hit, score=listed[at].score, reasons=listed[at].reasons, fits=listed[at].fits)
    return tuple(listed)


def _place_in_list(hit: SearchHit) -> tuple[float, bool, bool, bool]:
    return -hit.score, not _is_called(hit), hit.sort != DECLARED, hit.memory is None


def _passage_hit(
    passage: Passage, score: float, covers: float, words: Sequence[str], near: float | None = None
) -> SearchHit:
    by_meaning = (_near(near),) if near is not None else ()
    return SearchHit(
        sort=passage.kind.value,
        id=f"file:{passage.path}" if passage.path else passage.ref,
        title=" > ".join(filter(None, (*passage.headings, passage.title))),
        text=passage.text,
        score=round(min(1.0, score), 6),
        reasons=(_says(words, covers), *by_meaning),
        fits=_fits(covers, near),
        path=passage.path or None,
        spans=(passage.span,) if passage.span else (),
        commit=passage.ref if passage.kind is PassageKind.COMMIT else None,
        at=passage.at,
        symbol=passage.symbol,
    )


def _fits(covers: float, near: float | None) -> bool:
    return covers >= FITS_SHARE or (near or 0.0) >= NEAR_FITS


def _near(near: float) -> Reason:
    return Reason("meaning", max(0.0, near), MEANING_SHARE, "near in meaning" if near >= NEAR_FITS else "")


def _says(words: Sequence[str], covers: float) -> Reason:
    return Reason("words", covers, 1.0, f"matches {', '.join(words)}" if words else "")


def _same(one: SearchHit, other: SearchHit) -> bool:
    """Whether two hits tell the same thing."""
    if one.memory is not None and other.memory is not None:
        return False
    if one.commit and other.commit and _is_called(one) and _is_called(other):
        return one.commit == other.commit
    if one.memory is None and other.memory is None:
        return _nested(one, other) or (
            (one.sort, one.title) == (other.sort, other.title) and one.text.split() == other.text.split()
        )
    if one.commit or other.commit:
        return one.commit == other.commit
    memory, passage = (one, other) if one.memory is not None else (other, one)
    return memory.path is not None and _nested(memory, passage) and _says_it(passage.text, memory.text)


def _opens(docstring: SearchHit, chunk: SearchHit) -> bool:
    """Whether a docstring stands at the beginning of a chunk."""
    if docstring.sort != PassageKind.DOCSTRING.value:
        return False
    return any(_within(a, b) and a[0] - b[0] <= OPENING_LINES for a in docstring.spans for b in chunk.spans)


def _is_called(hit: SearchHit) -> bool:
    """Whether it is a commit whose very subject was asked for."""
    return bool(hit.reasons) and hit.reasons[0].feature == SUBJECT


def _nested(one: SearchHit, other: SearchHit) -> bool:
    """Whether the lines of one lie within those of the other, in the same file."""
    if one.path is None or one.path != other.path:
        return False
    return any(_within(a, b) or _within(b, a) for a in one.spans for b in other.spans)


def _within(inner: Span, outer: Span) -> bool:
    return outer[0] <= inner[0] and inner[1] <= outer[1]


def _says_it(passage: str, memory: str) -> bool:
    told = set(analysis.terms(memory))
    return len(told & set(analysis.terms(passage))) >= SAID_SHARE * len(told)


def _joined(memory: SearchHit, passage: SearchHit) -> SearchHit:
    """The memory in the place of what it was made from: as sure as the surer, with the lines that say it."""
    surer, other = (passage, memory) if passage.score > memory.score else (memory, passage)
    told = {reason.feature for reason in surer.reasons}
    reasons = (*surer.reasons, *(reason for reason in other.reasons if reason.feature not in told))
    return replace(
        memory,
        score=max(memory.score, passage.score),
        reasons=reasons,
        fits=memory.fits or passage.fits,
        text=passage.text,
        path=passage.path or memory.path,
        spans=passage.spans or memory.spans,
    )


def _first(evidence: Iterable[Evidence], kind: EvidenceKind) -> Evidence | None:
    return next((one for one in evidence if one.kind is kind), None)


def _commit_of(origin: str, evidence: Iterable[Evidence]) -> str:
    """The commit that a memory was made of; one that merely names commits is none."""
    sha = origin.removeprefix("commit:") if origin.startswith("commit:") else ""
    return sha if any(one.kind is EvidenceKind.COMMIT and one.ref == sha for one in evidence) else ""


def leaning(text: str) -> Leaning:
    """What each sort of passage counts for a question; 1 where it is not named."""
    said = text.strip().lower()
    if _PAST.match(said):
        return _TO_THE_PAST
    if _PLACE.match(said):
        return _TO_CODE
    return _TO_TODAY if is_question(said) else _ALL_ALIKE


def put_away(library: StoreLibrary, query: SearchQuery) -> list[Hit]:
    """Archived memories that fit a query and that nothing took the place of."""
    away_only = replace(query, include_archived=True, state=State.ARCHIVED, limit=COUNTED)
    return [hit for hit in library.search(away_only) if hit.fits and not hit.memory.superseded_by]


def would_answer(
    database: Database, away: Sequence[Hit], found: Sequence[Hit], listed: Sequence[SearchHit]
) -> str | None:
    """The line that names the archived memory that answers better than all of the list; None where none does.

    `found` are the memories of the list as they were found: scored beside them, so that like is measured with like.
    """
    if not away:
        return None
    scored = memory_hits([*found, *away], {}, datetime.max)
    best = max(scored[len(found) :], key=lambda hit: hit.score)
    others = [hit.score for hit in (*scored[: len(found)], *listed) if hit.fits and hit.id != best.id]
    memory = best.memory
    if memory is None or best.score <= max(others, default=0.0):
        return None
    at = value_where(database, "memories", "archived_at", id=memory.id)
    since = f" since {at:%Y-%m-%d}" if at else ""
    said = " ".join(memory.draft.levels.summary.split())
    bring = f"`companion revive {memory.id[:ID_SHOWN]}` brings it back"
    return f"In the archive{since} ({memory.archived_reason}): “{said}”. {bring}."
