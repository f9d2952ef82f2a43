"""Memories that say the same: near ones propose, everything that could tell them apart disposes.

Two memories are compared only if they agree in all that a store knows of them: kind, type, subject, slot and
value, scope, who may see it, by what way it came and whether it still holds. Candidates are those with the same
words in any order, and those whose vectors are near. Of these the whole texts are compared (see
`companion.ports.Likeness`); without somebody to compare them, only the very same words count.

What was read from a file is merged with the same file's alone: it ends when its file no longer says it.

Never folded: happenings, of which two are two however alike they sound; patterns, whose places are counted;
what is pinned and decisions in force, which may take others in but go nowhere themselves.

Each memory is compared with the one that would stay, never with a chain of others, so that many small
differences do not add up; ten thousand of one key cost ten thousand comparisons, not fifty million.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from heapq import nlargest
from itertools import chain
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import numpy.typing as npt

from companion.ports import Likeness
from companion.records.findings import Alike, Twins
from companion.records.judgements import Inquiry, JudgeQuestion
from companion.store import judgements
from companion.store.bulk import batches
from companion.store.by_columns import pairs_where
from companion.store.consolidation.by_hand import why_unfolded
from companion.store.consolidation.view import View
from companion.store.database import Database
from companion.store.rows import fetched

if TYPE_CHECKING:
    from companion.store.consolidation.neighbours import VectorBlock

TEXTS_AT_ONCE = 2_000
"""Pairs whose texts are read by one statement: some 2 MB of text."""
DOUBTFUL_MOST = 400
"""Near pairs looked at for a question in one run: twice as many as may wait."""
TELLABLE_CHARACTERS = 4_000
"""Longer texts are documents; they are merged only word for word."""

_COMPARABLE = """
select
    id as ids,
    hash(
        kind, type, lower(trim(subject)), lower(trim(attribute)), if(attribute = '', '', value),
        scope_language, scope_path, scope_environment, scope_version, scope_branch,
        visibility, persona, user_id, source, learner,
        if(source = 'scan' or starts_with(origin, 'assistant '), origin, ''), coalesce(valid_to::varchar, ''),
        if(type = 'decision', concat_ws(chr(31), body ->> 'question', body ->> 'status'), coalesce(body::varchar, ''))
    ) as identity,
    hash(list_sort(regexp_extract_all(lower(content_full), '[^\\s.,;:!?]+'))) as words,
    pinned or (type = 'decision' and coalesce(body ->> 'status', '') = 'in force') as stays,
    created_at >= coalesce($since, created_at) as asked,
    if(
        source = 'scan', 0,
        hash(
            kind, type, scope_language, scope_path, scope_environment, scope_version, scope_branch,
            visibility, persona, user_id, coalesce(valid_to::varchar, '')
        )
    ) as likeness
from memories
where project_id = $project
    and status = 'active'
    and superseded_by = ''
    and kind not in ('episode', 'pattern')
order by
    pinned desc, importance desc, retrieved_count + cited_count desc, confidence desc, created_at, id
"""
"""In the order in which a memory is the one to stay: what a person holds dear, then the most used, then the oldest."""


class _Comparable(NamedTuple):
    """The memories that can be compared at all, in the order of staying; places in it stand for memories."""

    ids: Sequence[str]
    identity: Sequence[int]
    words: Sequence[int]
    stays: Sequence[bool]
    asked: Sequence[bool]
    """Whether it was learned since the moment that is asked about."""
    likeness: Sequence[int]
    """What two memories that people told must share to be asked about; 0 for what was read."""


class _Pair(NamedTuple):
    """Two memories by their places, the one that would stay first, and how near they are."""

    keep: int
    drop: int
    cosine: float


def twins(view: View) -> Iterator[Twins]:
    """Groups of active memories of one subject, scope and source that say the same, by the one that stays.

    Without likeness or vectors only the same words are found.
    """
    likeness, near, breathe = view.likeness, view.near, view.breathe
    known = _comparable(view.database, view.project, view.since)
    alike: dict[int, list[_Pair]] = defaultdict(list)
    proposed = [_same_words(known)]
    if likeness is not None and near is not None and len(set(known.identity)) < len(known.identity):
        proposed.append(_near(known, known.identity, near.ids, near.pairs(view.nearness.merge)))
    pairs = (one for one in chain.from_iterable(proposed) if known.asked[one.keep] or known.asked[one.drop])
    for pair in _alike(view.database, pairs, known, likeness):
        alike[pair.keep].append(pair)
        breathe()
    for keep, drop in _folded(alike, known.stays):
        same_words = all(known.words[place] == known.words[keep] for place in drop)
        yield Twins(
            known.ids[keep],
            tuple(known.ids[place] for place in sorted(drop)),
            min(drop.values()),
            Alike.SAME_WORDS if same_words else Alike.SAME_TERMS,
        )


def _comparable(database: Database, project: str, since: datetime | None) -> _Comparable:
    return _Comparable(**fetched(database, _COMPARABLE, {"project": project, "since": since}))


def _same_words(known: _Comparable) -> Iterator[_Pair]:
    """Those with the words of one that comes before them, in whatever order, each with the first of them.

    What stays is no reason for others to stay: they are compared with the first that the group has.
    """
    first: dict[tuple[int, int], int] = {}
    for place, same in enumerate(zip(known.identity, known.words, strict=True)):
        if (keep := first.setdefault(same, place)) != place:
            yield _Pair(keep, place, 1.0)


def doubtful(view: View) -> Iterator[Inquiry | Twins]:
    """Pairs that people told, near in meaning, which rules cannot tell to be the same.

    Where a text, read beside the other, says all of it, and the other may end without a person's word, they are twins;
    of each other pair it is asked. Only the DOUBTFUL_MOST nearest of which nobody was asked yet are looked at.
    """
    database, likeness, near = view.database, view.likeness, view.near
    known = judgements.asked(database, view.project)
    told = _comparable(database, view.project, None)
    if likeness is None or near is None or not any(told.likeness):
        return
    found = (
        one
        for one in _near(told, told.likeness, near.ids, near.facts(), view.nearness.asked)
        if not told.stays[one.drop] and frozenset((told.ids[one.keep], told.ids[one.drop])) not in known
    )
    pairs = nlargest(DOUBTFUL_MOST, found, key=lambda one: one.cosine)
    texts = _texts(database, told, pairs)
    for pair in pairs:
        keep, drop = told.ids[pair.keep], told.ids[pair.drop]
        if max(len(texts[keep]), len(texts[drop])) > TELLABLE_CHARACTERS:
            continue
        if not (why := likeness.difference(texts[keep], texts[drop])):
            continue
        longer, shorter = sorted((keep, drop), key=lambda id_: -len(texts[id_]))
        stays = shorter == keep and told.stays[pair.keep]
        how = None if stays else likeness.read(texts[longer], texts[shorter])
        if how and not why_unfolded(database, longer, shorter, view.now):
            yield Twins(longer, (shorter,), pair.cosine, how)
        else:
            yield Inquiry(JudgeQuestion.PAIR, (keep, drop), why, pair.cosine, "rules")


def _near(
    known: _Comparable,
    alike_in: Sequence[int],
    ids: npt.NDArray[np.object_],
    blocks: Iterable[VectorBlock],
    floor: float = 0.0,
) -> Iterator[_Pair]:
    """Pairs of memories at least `floor` near that are alike in what `alike_in` says of each; 0 is like nothing."""
    places = {id_: place for place, id_ in enumerate(known.ids)}
    mine = np.array([places.get(id_, -1) for id_ in ids], dtype=np.int64)
    identity = np.array(alike_in, dtype=np.uint64)
    for block in blocks:
        a, b = mine[block.a], mine[block.b]
        alike = np.flatnonzero(
            (a >= 0) & (b >= 0) & (identity[a] == identity[b]) & (identity[a] > 0) & (block.cosine >= floor)
        )
        found = zip(a[alike].tolist(), b[alike].tolist(), block.cosine[alike].tolist(), strict=True)
        yield from (_Pair(min(one, other), max(one, other), cosine) for one, other, cosine in found)


def _alike(
    database: Database, pairs: Iterable[_Pair], known: _Comparable, likeness: Likeness | None
) -> Iterator[_Pair]:
    """Those of the pairs whose whole texts say the same."""
    for some in batches(pairs, TEXTS_AT_ONCE):
        texts = _texts(database, known, some)
        for pair in some:
            one, other = texts[known.ids[pair.keep]], texts[known.ids[pair.drop]]
            if _same(one, other, likeness):
                yield pair


def _texts(database: Database, known: _Comparable, pairs: Sequence[_Pair]) -> dict[str, str]:
    """What the memories of some pairs say, by their ids."""
    ids = {known.ids[place] for pair in pairs for place in (pair.keep, pair.drop)}
    return pairs_where(database, "memories", "id, content_full", id=ids)


def _same(one: str, other: str, likeness: Likeness | None) -> bool:
    if one.split() == other.split():
        return True
    if likeness is None or max(len(one), len(other)) > TELLABLE_CHARACTERS:
        return False
    return not likeness.difference(one, other)


def _folded(alike: Mapping[int, Sequence[_Pair]], stays: Sequence[bool]) -> Iterator[tuple[int, dict[int, float]]]:
    """Who stays with whom folded in, each memory once: a star around the first, never a chain."""
    gone: set[int] = set()
    for keep in sorted(alike):
        if keep in gone:
            continue
        folded = {pair.drop: pair.cosine for pair in alike[keep] if pair.drop not in gone and not stays[pair.drop]}
        if folded:
            gone.update(folded)
            yield keep, folded
