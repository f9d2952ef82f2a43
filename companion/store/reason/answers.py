"""Answers about requests: kept with what they rest on, found by id, ended by a person, learned from."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from msgspec import Struct

from companion.errors import UnknownAnswer, the_one
from companion.records.reasoning import (
    Answered,
    AnswerKind,
    Consumer,
    Destination,
    Example,
    Influence,
    Outcome,
    Reading,
    Semantics,
)
from companion.store.by_columns import keep_first, set_where, value_where
from companion.store.database import Database
from companion.store.rows import MadeOf, Query, Sql, Table, column, tuples
from companion.store.statements import execute
from companion.store.texts import hashed_id

PREFIX_MIN = 4
"""Signs of an id that are enough to look it up by."""
KEPT_MOST = 5_000
"""Answers of a project that nobody said anything about and are kept, the newest: a year of a busy assistant."""

ANSWERS = Table(Answered, "answers", {"at": "asked_at", "right": "right_reading"})

_VERSION = """
select coalesce(max(outcome_number), 0), count(*), coalesce(max(model), '')
from answers
where project_id in (select unnest($projects::varchar[]))
    and kind = $kind
    and outcome <> ''
"""


def reading_in(text: str) -> Reading | None:
    """A reading as it is kept, `process/machine/execute`; None for anything else."""
    parts = text.split("/")
    try:
        return Reading(Destination(parts[0]), Consumer(parts[1]), Semantics(parts[2]))
    except (ValueError, IndexError):
        return None


_ENDED = Query(
    Example,
    """
select
    id as answer, if(action = '', request, action) as text, outcome, outcome_at as at, note,
    if(right_reading = '', reading, right_reading) as right, said,
    if(model = $model, vector, null) as vector
from answers
where project_id in (select unnest($projects::varchar[]))
    and kind = $kind
    and outcome <> ''
order by outcome_number desc
limit $limit
""",
    {"reading": MadeOf("right", reading_in)},
)

_DROP_UNHELD = "delete from influences where answer_id not in (select id from answers)"

_TITLE = """
coalesce(
    (select content_index from memories where memories.id = source_id),
    (select text from items where items.id = source_id),
    (select if(action = '', request, action) from answers as earlier where earlier.id = source_id),
    ''
)
"""

INFLUENCES = Table(Influence, "influences", {"source": "source_id", "answer": "answer_id", "title": Sql(_TITLE)})

_INFLUENCES_OF = INFLUENCES.select("""
where answer_id in (select unnest($answers::varchar[]))
order by abs(weight) desc, source_id
""")

_INFLUENCED_BY = INFLUENCES.select("""
join answers on answers.id = answer_id
where source_id in (select unnest($sources::varchar[]))
    and project_id in (select unnest($projects::varchar[]))
order by number desc, source_id
limit $limit
""")


class NewAnswer(Struct, frozen=True, kw_only=True):
    """An answer to be kept. `reading` is as it is typed, `said` the answer in a line."""

    project: str
    kind: AnswerKind
    request: str
    said: str
    reading: str
    confidence: float
    made_by: str
    at: datetime
    action: str = ""
    persona: str = ""
    conversation: str = ""


_NEW = Table(NewAnswer, "answers", {"at": "asked_at"})


def unkept_id(new: NewAnswer) -> str:
    """The id of an answer that could not be kept: that of no other."""
    return hashed_id("q1", _told(new), "0")


def add(database: Database, new: NewAnswer, influences: Sequence[Influence]) -> str:
    """Keep an answer with what it rests on; its id. Answers that nobody said anything about make room for new ones."""
    by = list({one.source: one for one in influences}.values())
    with database.write(quiet=True) as connection:
        (number,) = column(connection, "select coalesce(max(number), 0) + 1 from answers")
        id_ = hashed_id("q1", _told(new), str(number))
        _NEW.insert(connection, [new], id=id_, number=number)
        INFLUENCES.insert(connection, by, answer_id=id_)
        if number % KEPT_MOST == 0:
            keep_first(connection, "answers", KEPT_MOST, order="number desc", project_id=new.project, outcome="")
            execute(connection, _DROP_UNHELD)
    return id_


def get(database: Database, projects: Sequence[str], prefix: str) -> Answered:
    """An answer of one of these projects by its id, or the beginning of it. Raises UnknownAnswer."""
    found = ANSWERS.begun(database, prefix, project_id=projects) if len(prefix) >= PREFIX_MIN else ()
    how = "`companion call classify request=WORDS` gives an answer with its id."
    return the_one(found, prefix, "answer", how, UnknownAnswer)


def by_ids(database: Database, projects: Sequence[str], ids: Sequence[str]) -> tuple[Answered, ...]:
    """Answers of these projects, the newest first; unknown ones are left out."""
    return ANSWERS.where(database, order="number desc", project_id=projects, id=ids)


def reading(database: Database, id_: str) -> str:
    """What was answered, as it is typed."""
    return str(value_where(database, "answers", "reading", id=id_, otherwise=""))


def end(
    database: Database,
    id_: str,
    outcome: Outcome,
    right: str,
    note: str,
    now: datetime,
    model: str,
    vector: Sequence[float],
) -> None:
    """What a person made of an answer, in place of what was said of it before.

    It is found again by the vector of what was asked, which `model` made; empty where there is none.
    """
    told: dict[str, object] = {"outcome": outcome, "outcome_at": now, "right_reading": right, "note": note}
    with database.write(quiet=True) as connection:
        told["outcome_number"] = value_where(connection, "answers", "coalesce(max(outcome_number), 0) + 1")
        set_where(connection, "answers", told | {"model": model, "vector": list(vector) or None}, id=id_)


def version(database: Database, projects: Sequence[str], kind: AnswerKind) -> tuple[object, ...]:
    """Changes whenever another outcome is there to be learned from, or one is gone."""
    (version,) = tuples(database, _VERSION, projects=projects, kind=kind)
    return version


def ended(database: Database, projects: Sequence[str], kind: AnswerKind, model: str, limit: int) -> tuple[Example, ...]:
    """Answers of a kind with their ends, the newest of them, oldest first; with vectors of one model."""
    return _ENDED.all(database, projects=projects, kind=kind, model=model, limit=limit)[::-1]


def influences_of(database: Database, ids: Sequence[str]) -> tuple[Influence, ...]:
    """What answers rest on, the weightiest first."""
    return _INFLUENCES_OF.all(database, answers=ids)


def influenced_by(
    database: Database, projects: Sequence[str], sources: Sequence[str], limit: int
) -> tuple[Influence, ...]:
    """The influences of memories, items or answers on answers of these projects, the newest first."""
    return _INFLUENCED_BY.all(database, sources=sources, projects=projects, limit=limit)


def _told(new: NewAnswer) -> str:
    return "\x1f".join((new.project, new.kind.value, new.request, new.action, new.at.isoformat()))
