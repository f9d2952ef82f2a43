"""Pairs of statements that could contradict one another, found in sets: candidates, not yet contradictions.

Only facts are compared (decisions in force, preferences and rules among them), each with

- those that give another value to the same property of the same subject in the same folder (a part of the
  project may do as it likes), the newest SLOT_FACTS of them,
- the NEAREST_FACTS nearest in meaning, where there are vectors, and
- as many that share the rarest words, where at least one of the two is free text, and
- FILLING_FACTS that give another value to a slot that free text fills (a database, a package manager), whatever their
  words.

Left out are pairs that cannot meet: one source of a reading (a file does not contradict itself usefully), two
work trees, two personas, scopes or times that do not overlap. So are pairs that were noted before, and those
that the same judge has found compatible: what a pair says decides that, not its ids, so a memory that is
reworded is compared again.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from functools import cache

from msgspec import Struct

from companion.language.lexicon import spellings
from companion.records import Ruling, Statement
from companion.store.binding import duckdb
from companion.store.consolidation import pairs_sql as sql
from companion.store.consolidation.neighbours import NEAREST_FACTS
from companion.store.consolidation.view import View
from companion.store.database import Database
from companion.store.memories.contradictions import CLOSED_BY_ITSELF
from companion.store.rows import Query, column, fetched, pairs
from companion.store.statements import execute

SLOT_FACTS = 30
"""Facts of one subject and property that are compared, the newest: ten thousand would make fifty million pairs."""
RARE_WORDS = 6
"""Words of a text that it is found by, its rarest: those are what it is about."""
COMMON_WORD, COMMON_WORD_LARGE = 40, 15
"""A word of more memories than that finds nothing in particular, and would pair each with all; the second holds
from LARGE_FACTS on, where vectors find what words do not."""
LARGE_FACTS = 10_000
"""Facts of a large store: with the first limit 40,000 of them would take 300 MB to compare by words."""
FILLING_FACTS = 10
"""Facts that fill one slot otherwise that are compared with each, those of the rarest slots first."""
OF_A_VALUE = 5
"""Facts of one value of a slot, the newest: enough that each value meets the others, whatever is said most."""
SLOT_FEW = 5
"""Facts that fill a slot up to which two of them may well speak of one thing: what more of them name is a topic."""
FILLING_NEARNESS = 0.5
"""Where they stand among what is near in meaning: before what a judge is hardly asked about."""
_WORD = r"[\p{L}\p{N}]+(?:[.+#][\p{L}\p{N}]+)*[+#]*"
TEXT_CHARACTERS = 600
"""Characters of a statement that a judge reads: the first sentences say it, the rest argues."""


class CandidatePair(Struct, frozen=True):
    """Two memories to compare, `a` the older; `known` is what the judge said of just that pair before.

    `slot` is how few fill a slot that the two give different values to: 1 / facts, 0 where they do not.
    """

    a: str
    b: str
    pair_hash: str
    known: Ruling | None = None
    slot: float = 0.0


class Side(Struct, frozen=True):
    """One of the two: what it says, when it was said, and whether it is pinned or a decision in force."""

    statement: Statement
    said_at: datetime
    fixed: bool


_CANDIDATES = Query(CandidatePair, sql.CANDIDATES)
_SIDES = Query(Side, sql.STATEMENTS, {"statement": ""})


def candidates(view: View, judge: str) -> list[CandidatePair]:
    """Pairs that `judge` has not found compatible yet, those of one property first, then the nearest.

    Those that fill one slot of few facts are listed nonetheless: a judge is asked about some of them.
    """
    near = view.near
    with view.database.read() as connection:
        try:
            _gather(connection, view)
            if near is not None:
                near.lend(connection, near.facts())
                execute(connection, sql.NEAR)
            given = {"judge": judge, "by_itself": CLOSED_BY_ITSELF, "limit": view.pairs_most}
            found = fetched(connection, sql.CANDIDATES, given)
        finally:
            for statement in sql.FORGET_TABLES:
                execute(connection, statement)
    ruled = zip(found["contradict"], found["confidence"], found["reason"], strict=True)
    known = [None if cannot is None else Ruling(cannot, sure, why, judge) for cannot, sure, why in ruled]
    return list(_CANDIDATES.read(found, {"known": known}))


def sides(database: Database, ids: Sequence[str]) -> dict[str, Side]:
    """What some memories state, as a judge reads it, by id."""
    return dict(_SIDES.keyed(database, "id", ids=set(ids), characters=TEXT_CHARACTERS))


def arrived(database: Database, project: str, since: datetime, limit: int) -> list[tuple[str, str]]:
    """Ids and texts of facts learned at a moment or later, at most `limit`."""
    given = {"project": project, "since": since, "limit": limit, "characters": TEXT_CHARACTERS}
    return list(pairs(database, sql.ARRIVED, **given).items())


def slot_mates(database: Database, project: str, ids: Sequence[str]) -> list[str]:
    """Facts that give a value to a property which one of some memories gives one to, newest first."""
    return column(database, sql.SLOT_MATES, project=project, ids=ids, limit=SLOT_FACTS * len(ids))


def _gather(connection: duckdb.DuckDBPyConnection, view: View) -> None:
    for statement in sql.FORGET_TABLES:
        execute(connection, statement)
    given = {"project": view.project, "since": view.since, "characters": TEXT_CHARACTERS}
    chosen = {"everything": view.among is None, "among": view.among or (), "without": set(view.gone)}
    (made,) = column(connection, sql.FACTS, **given, **chosen)
    large = made >= LARGE_FACTS
    execute(connection, sql.FOUND)
    execute(connection, sql.SAME_SLOT, {"most": SLOT_FACTS})
    common = COMMON_WORD_LARGE if large else COMMON_WORD
    execute(connection, sql.SAME_WORDS, {"common": common, "rare": RARE_WORDS, "nearest": NEAREST_FACTS})
    execute(connection, sql.FILLED, _spelled())
    most = {"of_a_value": OF_A_VALUE, "most": FILLING_FACTS, "few": SLOT_FEW, "nearness": FILLING_NEARNESS}
    execute(connection, sql.FILLED_OTHERWISE, most)
    execute(connection, sql.FORGET_TEXTS)


@cache
def _spelled() -> dict[str, object]:
    """How values of slots are spelled."""
    spelled = [(words[0], " ".join(words[1:]), slot, value) for words, slot, value in spellings()]
    first, rest, slot, value = (list(column) for column in zip(*spelled, strict=True))
    return {"word": _WORD, "first": first, "rest": rest, "slot": slot, "value": value}
