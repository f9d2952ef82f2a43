"""A query to hits: candidates by words, by meaning and by names, filtered at once, then ranked.

Everything runs over the project's facet table and posting arrays, so that a filter costs nothing
and holds before anything is cut off. Without vectors the words decide.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from itertools import pairwise
from typing import TypeVar

import numpy as np
import numpy.typing as npt
from msgspec import Struct
from msgspec.structs import replace

from companion.records import Hit, SearchQuery, entity
from companion.store.memories.aliases import NO_NAMES, Spellings
from companion.store.ranking import ENTITY_CANDIDATES, Ranking, ranked
from companion.store.text import analysis, facets
from companion.store.text.documents import memory_space
from companion.store.text.facets import Flags, Table, Viewer
from companion.store.text.memory_index import MemoryIndex
from companion.store.text.word_index import WordIndex
from companion.store.text.word_space import RankedDocuments
from companion.store.vectors.vectors import Vectors

Read = TypeVar("Read")

CANDIDATES = 50
"""Candidates of each way; more are fetched when more hits are asked for."""

NARROW_SHARE = 0.3
"""With filters that leave less than this, nearest texts are fetched deeper before they are filtered."""

DEEP_FACTOR = 8
_DAY_MICROS = 86_400_000_000
_IMPORTANCE_STEP = 1 << 58
"""More than the microseconds of any date, so that importance decides first."""
_SPACE = 1 << 40
"""More than the documents of any space: numbers of the second begin here, those of the third at twice that."""
_NAME = re.compile(r"[\w./\\:@-]+")
_UNSAID: tuple[float, float, tuple[str, ...]] = (0.0, 0.0, ())
_NAMED_TYPES = ("person", "org", "project", "topic", "place")


Vector = npt.NDArray[np.float32]


class WordsQuery(Struct, frozen=True):
    """A query, and what gives its vector by `model`; that is asked for once the words have been looked up.

    A vector that is being made meanwhile is then waited for the shortest.
    """

    query: SearchQuery
    vector: Callable[[], Vector | None] = lambda: None
    model: str = ""


def search(
    memory_index: MemoryIndex,
    vectors: Vectors,
    project: str,
    asked: WordsQuery,
    reader: Viewer,
    also: Sequence[str] = (),
) -> tuple[Hit, ...]:
    """The best memories for a query, as seen by `reader`, whose fields the query's own override.

    `also` are other spaces than the project's, such as the one that is the user's own: what is found in all of
    them is ranked as one.
    """
    query = asked.query
    reader = replace(
        reader,
        branch=query.branch or reader.branch,
        persona=query.persona or reader.persona,
        as_of=query.as_of or reader.as_of,
    )
    hits: tuple[Hit, ...] = ()
    with memory_index.index.asked() as file:
        if query.limit > 0:
            spaces = (project, *also)
            tables = [memory_index.index.table(space) for space in spaces]
            now = max(_now(table, reader) for table in tables)
            found: list[Ranking] = []
            for at, (space, table) in enumerate(zip(spaces, tables, strict=True)):
                allowed = _allowed(memory_index, file, space, table, query, reader)
                if not allowed.any():
                    continue
                names = memory_index.aliases.of(space, reader.as_of)
                some = _found(file, vectors, space, asked, table, allowed, now, names)
                found += some if not at else [one._replace(number=one.number + at * _SPACE) for one in some]
            best = ranked(query.profile, found, partial(_by_space, memory_index.entities, spaces), query.limit)
            memories = _by_space(memory_index.at, spaces, [one.number for one, _, _ in best])
            hits = tuple(
                Hit(memories[one.number], score, reasons, one.fits, one.share, one.covers, one.cosine or None)
                for one, score, reasons in best
                if one.number in memories
            )
    return hits


def _by_space(
    read: Callable[[str, Sequence[int]], Mapping[int, Read]], spaces: Sequence[str], numbers: Sequence[int]
) -> dict[int, Read]:
    """What is read of documents, whichever space each is of."""
    answered: dict[int, Read] = {}
    for at, space in enumerate(spaces):
        mine = [number - at * _SPACE for number in numbers if number // _SPACE == at]
        if mine:
            answered.update((number + at * _SPACE, one) for number, one in read(space, mine).items())
    return answered


def _allowed(
    memory_index: MemoryIndex, file: WordIndex, project: str, table: Table, query: SearchQuery, reader: Viewer
) -> Flags:
    allowed = memory_index.visible(file, project, reader, archived=query.include_archived)
    if (fits := facets.matching(table, query)) is not None:
        allowed = allowed & fits
    for wanted in (query.entities, (entity("act", query.act),) if query.act else ()):
        if wanted:
            named = np.zeros(len(table), dtype=np.bool_)
            spelled = memory_index.aliases.of(project, reader.as_of).all(wanted)
            named[file.having(memory_space(project), [f"@{key}" for key in spelled])] = True
            allowed = allowed & named
    return allowed


def _found(
    file: WordIndex,
    vectors: Vectors,
    project: str,
    asked: WordsQuery,
    table: Table,
    allowed: Flags,
    now: int,
    names: Spellings,
) -> list[Ranking]:
    query = asked.query
    wide = max(CANDIDATES, 2 * query.limit)
    spoken = analysis.spoken(query.text)
    by_words = file.rank(memory_space(project), list(spoken), wide, allowed)
    if query.text.strip():
        named = file.having(memory_space(project), names_in(query.text, names))
        others = _newest(table, named[allowed[named]], ENTITY_CANDIDATES)
    else:
        others = _newest(table, np.flatnonzero(allowed), wide)
    lexical = _lexical(by_words, spoken)
    vector = asked.vector()
    by_meaning = _by_meaning(vectors, project, asked.model, vector, allowed, wide)
    numbers = list(dict.fromkeys([*lexical, *by_meaning, *others.tolist()]))
    rows = table[numbers]
    near, compared = _cosines(vectors, project, asked.model, vector, rows)
    # Whole columns at once: a field of a single row costs more to look up than the rest of its line here.
    columns = (rows[name].tolist() for name in ("about", "importance", "pinned", "cited"))
    meant = set(others.tolist())
    found = []
    each = zip(numbers, near, compared, *columns, strict=True)
    for number, cosine, measured, about, importance, pinned, cited in each:
        share, covers, words = lexical.get(number, _UNSAID)
        by = "meaning" if cosine > share else "words" if words else "entity" if spoken else "filters"
        age_days = max(0.0, (now - about) / _DAY_MICROS)
        # Words alone do not tell: of 50 questions in a sentence, each with an answer, 41 were said to fit nothing.
        fits = number in meant or (share > 0 and not measured)
        found.append(Ranking(number, share, cosine, by, words, age_days, importance, bool(pinned), cited, fits, covers))
    return found


def _lexical(by_words: RankedDocuments, spoken: Mapping[str, str]) -> dict[int, tuple[float, float, tuple[str, ...]]]:
    """By number: how strongly it says the query, how much of it (the rarest most), and the words as asked."""
    whole = max(by_words.whole, 1e-9)
    return {
        number: (min(1.0, score / whole), covers, analysis.as_asked(terms, spoken))
        for number, score, terms, covers in zip(
            by_words.ords.tolist(), by_words.scores.tolist(), by_words.matched, by_words.covers, strict=True
        )
    }


def _by_meaning(
    vectors: Vectors, project: str, model: str, vector: Vector | None, allowed: Flags, wide: int
) -> dict[int, float]:
    """Numbers of allowed memories near in meaning with their similarity, nearest first."""
    if vector is None or not allowed.any():
        return {}
    deep = wide * 2 if float(allowed.mean()) >= NARROW_SHARE else wide * 2 * DEEP_FACTOR
    found: dict[int, float] = {}
    for ord_, similarity in vectors.nearest_numbers(project, model, vector, deep):
        if allowed[ord_] and len(found) < wide:
            found.setdefault(ord_, similarity)
    return found


def _cosines(
    vectors: Vectors, project: str, model: str, vector: Vector | None, rows: Table
) -> tuple[list[float], list[bool]]:
    """How near memories are in meaning, by the nearer of their texts, and whether any of these has a vector."""
    if vector is None or not len(rows):
        return [0.0] * len(rows), [False] * len(rows)
    near = vectors.similarities(project, model, vector, rows["texts"])
    return np.clip(near.max(axis=1), 0.0, 1.0).tolist(), (near != 0).any(axis=1).tolist()


def _newest(table: Table, ords: npt.NDArray[np.integer], limit: int) -> npt.NDArray[np.integer]:
    """The most important of some memories, the newest first among equals."""
    if not len(ords):
        return ords
    keys = table["importance"][ords].astype(np.int64) * _IMPORTANCE_STEP + table["about"][ords]
    if len(ords) > limit:
        most = np.argpartition(keys, -limit)[-limit:]
        ords, keys = ords[most], keys[most]
    return ords[np.lexsort((-ords, -keys))]


def _now(table: Table, reader: Viewer) -> int:
    """The moment ages are counted to: the one asked for, else that of the newest thing known."""
    if reader.as_of is not None:
        return facets.micros(reader.as_of)
    return int(max(table["created"].max(initial=facets.NEVER), table["about"].max(initial=facets.NEVER)))


def names_in(text: str, names: Spellings = NO_NAMES) -> list[str]:
    """Labels of the entities a text may name, under all their names: paths, symbols, single words or pairs."""
    words = [word.strip(".,:;") for word in _NAME.findall(text)]
    keys = [f"{type_}:{word}" for word in words if word for type_ in ("file", "symbol")]
    pairs = [f"{one} {other}" for one, other in pairwise(words)]
    plain = [word for word in words if word.lower() not in analysis.STOP_WORDS]
    keys += [entity(type_, name) for name in (*plain, *pairs) for type_ in _NAMED_TYPES]
    return [f"@{key}" for key in names.all(keys)]
