"""What was said about something: turns by their words, their meaning and the conversation they stand in.

Words (BM25, with those of the neighbouring turns) and meaning (cosine, with half a voice for the neighbours)
count alike, each against the best of its sort; a conversation that speaks of the matter as a whole adds a little
to its turns. Where there are no vectors, words alone decide. Measured by `scripts/eval recall`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt
from msgspec import Struct

from companion.store.database import Database
from companion.store.talk import turn_index
from companion.store.talk.talk_turns import turn_id
from companion.store.talk.turn_index import TALK, TURN, talk_project, talk_space, turn_space
from companion.store.text import analysis, facets
from companion.store.text.word_index import WordIndex

if TYPE_CHECKING:
    from companion.store.text.index import TextIndex
    from companion.store.vectors.vectors import Vectors

Ints = npt.NDArray[np.integer]

CANDIDATES = 200
"""Turns looked at by words, and as many by meaning."""
MEANING_SHARE = 0.5
"""How much meaning counts against words, where both are known."""
NEIGHBOUR_MEANING = 0.3
"""How much the meaning of each neighbouring turn counts beside a turn's own."""
TALK_SHARE = 0.2
"""What a conversation that speaks of the matter as a whole adds to its turns."""


class _Found(Struct, frozen=True):
    """A turn that was found: its id, its conversation, how well it fits, and by words and meaning.

    `words` are against the best by words, `meaning` is the cosine of the turn itself, 0 to 1; `alone` is how well it
    fits by itself, `whole` how well its conversation does.
    """

    turn: str
    conversation: str
    score: float
    words: float
    meaning: float
    alone: float = 0.0
    whole: float = 0.0


class TurnQuery(Struct, frozen=True):
    """A question with its vector, if there is a model; kept to the conversations `among`, if any, and without `but`."""

    text: str
    model: str = ""
    vector: npt.NDArray[np.float32] | None = None
    among: frozenset[str] | None = None
    but: str = ""


def turns(
    database: Database, index: TextIndex, vectors: Vectors | None, user: str, asked: TurnQuery, limit: int
) -> tuple[_Found, ...]:
    """The turns that fit a question best, best first."""
    turn_index.update(database, index, user)
    with index.asked() as file:
        view = file.view(turn_space(user))
        table = np.frombuffer(view.facets, dtype=TURN)
        allowed = view.alive & _within(table, asked)
        words = _by_words(file, user, asked, allowed)
        meaning, cosines = _by_meaning(file, vectors, user, asked, table, allowed, words)
        found = _put_together(file, user, asked, table, words, meaning, cosines)
        return tuple(found[:limit])
    return ()


def _within(table: npt.NDArray[np.void], asked: TurnQuery) -> npt.NDArray[np.bool_]:
    fits = np.ones(len(table), dtype=np.bool_)
    if asked.among is not None:
        hashes = np.fromiter(map(facets.name_hash, asked.among), dtype=np.uint64)
        fits &= np.isin(table["conversation"], hashes)
    if asked.but:
        fits &= table["conversation"] != facets.name_hash(asked.but)
    return fits


def _by_words(file: WordIndex, user: str, asked: TurnQuery, allowed: npt.NDArray[np.bool_]) -> dict[int, float]:
    ranked = file.rank(turn_space(user), analysis.terms(asked.text), CANDIDATES, allowed, told=False)
    return _against_best(dict(zip(ranked.ords.tolist(), ranked.scores.tolist(), strict=True)))


def _by_meaning(
    file: WordIndex,
    vectors: Vectors | None,
    user: str,
    asked: TurnQuery,
    table: npt.NDArray[np.void],
    allowed: npt.NDArray[np.bool_],
    words: Mapping[int, float],
) -> tuple[dict[int, float], dict[int, float]]:
    """How near turns are in meaning: with their neighbours and against the best, and each by itself as a cosine.

    Of those found by words, and of the nearest.
    """
    if vectors is None or asked.vector is None or not allowed.any():
        return {}, {}
    project = talk_project(user)
    near = vectors.nearest_texts(project, asked.model, asked.vector, CANDIDATES)
    keys = np.array([key for key, _ in near], dtype=np.uint64)
    nearest = np.flatnonzero(np.isin(table["text"], keys) & allowed)
    candidates = np.unique(np.concatenate([nearest, np.fromiter(words, dtype=np.int64)]))
    beside = [_neighbour(file, user, table, allowed, candidates, step) for step in (-1, 1)]
    some = np.concatenate([candidates, *beside])
    cosines = np.clip(vectors.similarities(project, asked.model, asked.vector, table["text"][some]), 0.0, 1.0)
    cosines[some < 0] = 0.0
    own, before, after = np.split(cosines, 3)
    together = own + NEIGHBOUR_MEANING * (before + after)
    numbers = candidates.tolist()
    return (
        _against_best(dict(zip(numbers, together.tolist(), strict=True))),
        dict(zip(numbers, own.tolist(), strict=True)),
    )


def _neighbour(
    file: WordIndex, user: str, table: npt.NDArray[np.void], alive: npt.NDArray[np.bool_], ords: Ints, step: int
) -> Ints:
    """Document numbers of the turns that come so many places later in their conversations; -1 where there is none.

    A conversation that was read at once lies in one piece; where it does not, turns are looked up by their ids.
    """
    at = np.clip(ords + step, 0, len(table) - 1)
    fits = (
        alive[at]
        & (table["conversation"][at] == table["conversation"][ords])
        & (table["number"][at] == table["number"][ords] + step)
    )
    found = np.where(fits, at, -1)
    elsewhere = ords[~fits & (table["number"][ords] + step > 0)].tolist()
    if elsewhere:
        talk_of = file.records(turn_space(user), elsewhere)
        ids = {o: turn_id(talk_of[o][1], int(table["number"][o]) + step) for o in elsewhere if o in talk_of}
        numbers = file.numbers(turn_space(user), list(ids.values()))
        there = {o: numbers.get(id_, -1) for o, id_ in ids.items()}
        found[~fits] = [there.get(o, -1) for o in ords[~fits].tolist()]
    return found


def _put_together(
    file: WordIndex,
    user: str,
    asked: TurnQuery,
    table: npt.NDArray[np.void],
    words: Mapping[int, float],
    meaning: Mapping[int, float],
    cosines: Mapping[int, float],
) -> list[_Found]:
    numbers = sorted(words.keys() | meaning.keys())
    share = MEANING_SHARE if meaning else 0.0
    of_talk = _talks(file, user, asked)
    keys = file.records(turn_space(user), numbers)
    found = []
    for number in numbers:
        if number not in keys:
            continue
        said, meant = words.get(number, 0.0), meaning.get(number, 0.0)
        whole = of_talk.get(int(table["conversation"][number]), 0.0)
        alone = (1 - share) * said + share * meant
        score = round((alone + TALK_SHARE * whole) / (1 + TALK_SHARE), 6)
        turn, conversation = keys[number]
        found.append(_Found(turn, conversation, score, said, cosines.get(number, 0.0), alone, whole))
    found.sort(key=lambda one: (-one.score, one.turn))
    return found


def _talks(file: WordIndex, user: str, asked: TurnQuery) -> dict[int, float]:
    """How well whole conversations fit by their words, by the hash of their id."""
    space = talk_space(user)
    ranked = file.rank(space, analysis.terms(asked.text), CANDIDATES, told=False)
    hashes = np.frombuffer(file.view(space).facets, dtype=TALK)["conversation"]
    return _against_best({int(hashes[o]): s for o, s in zip(ranked.ords.tolist(), ranked.scores.tolist(), strict=True)})


def _against_best(scores: dict[int, float]) -> dict[int, float]:
    best = max(scores.values(), default=0.0)
    return {key: score / best for key, score in scores.items()} if best > 0 else {}
