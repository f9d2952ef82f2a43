"""Answers about requests: kept with what they rest on, found by id, ended by a person, learned from."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Any

from companion.errors import UnknownAnswer
from companion.records.reasoning import (
    Answered,
    AnswerKind,
    Consumer,
    Destination,
    Example,
    How,
    Influence,
    Outcome,
    Reading,
    Semantics,
)

if TYPE_CHECKING:
    import duckdb

    from companion.store.database import Database

PREFIX_MIN = 4
"""Signs of an id that are enough to look it up by."""
KEPT_MOST = 5_000
"""Answers of a project that nobody said anything about and are kept, the newest: a year of a busy assistant."""

_COLUMNS = """
id, kind, request, asked_at, said, confidence, made_by, action, outcome, right_reading, note, outcome_at
"""

_ADD = """
insert into answers (
    id, number, project_id, kind, persona, conversation_id, request, action, said, reading, confidence, made_by,
    asked_at
)
select
    'q1' || left(sha256(concat_ws(chr(31), $told, number)), 30),
    number, $project, $kind, $persona, $conversation, $request, $action, $said, $reading, $confidence, $made_by, $at
from (select coalesce(max(number), 0) + 1 as number from answers)
returning id, number
"""

_ADD_INFLUENCES = """
insert into influences (answer_id, source_id, how, weight, why)
select
    $answer,
    unnest($sources::varchar[]),
    unnest($hows::varchar[]),
    unnest($weights::double[]),
    unnest($whys::varchar[])
"""

_BY_PREFIX = f"""
select {_COLUMNS}
from answers
where project_id in (select unnest($projects::varchar[]))
    and starts_with(id, $prefix)
order by id
limit 2
"""  # noqa: S608 - a constant

_BY_IDS = f"""
select {_COLUMNS}
from answers
where project_id in (select unnest($projects::varchar[]))
    and id in (select unnest($ids::varchar[]))
order by number desc
"""  # noqa: S608 - a constant

_READING = """
select reading
from answers
where id = $id
"""

_VERSION = """
select coalesce(max(outcome_number), 0), count(*), coalesce(max(model), '')
from answers
where project_id in (select unnest($projects::varchar[]))
    and kind = $kind
    and outcome <> ''
"""

_ENDED = """
select id, request, action, outcome, outcome_at, reading, right_reading, note, said, if(model = $model, vector, null)
from answers
where project_id in (select unnest($projects::varchar[]))
    and kind = $kind
    and outcome <> ''
order by outcome_number desc
limit $limit
"""

_END = """
update answers
set
    outcome = $outcome,
    outcome_number = (select coalesce(max(outcome_number), 0) + 1 from answers),
    outcome_at = $now,
    right_reading = $right,
    note = $note,
    model = $model,
    vector = $vector
where id = $id
"""

_DROP_OLD = (
    """
    delete from influences
    where answer_id in (
        select id
        from answers
        where project_id = $project
            and outcome = ''
        order by number desc
        offset $most
    )
    """,
    """
    delete from answers
    where id in (
        select id
        from answers
        where project_id = $project
            and outcome = ''
        order by number desc
        offset $most
    )
    """,
)

_INFLUENCES_OF = """
select source_id, how, weight, why, answer_id
from influences
where answer_id in (select unnest($answers::varchar[]))
order by abs(weight) desc, source_id
"""

_INFLUENCED_BY = """
select source_id, how, weight, why, answer_id
from influences
join answers on answers.id = answer_id
where source_id in (select unnest($sources::varchar[]))
    and project_id in (select unnest($projects::varchar[]))
order by number desc, source_id
limit $limit
"""

_TITLES = """
select id, content_index
from memories
where id in (select unnest($ids::varchar[]))
union all
select id, text
from items
where id in (select unnest($ids::varchar[]))
union all
select id, if(action = '', request, action)
from answers
where id in (select unnest($ids::varchar[]))
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class NewAnswer:
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


def unkept_id(new: NewAnswer) -> str:
    """The id of an answer that could not be kept: that of no other."""
    return "q1" + hashlib.sha256(f"{_told(new)}\x1f0".encode("utf-8", "replace")).hexdigest()[:30]


def add(database: Database, new: NewAnswer, influences: Sequence[Influence]) -> str:
    """Keep an answer with what it rests on; its id. Answers that nobody said anything about make room for new ones."""
    by = list({one.source: one for one in influences}.values())
    given = {name: getattr(new, name) for name in new.__slots__} | {"kind": new.kind.value, "told": _told(new)}
    with database.write(quiet=True) as connection:
        id_, number = connection.execute(_ADD, given).fetchone() or ("", 0)
        if by:
            columns = {
                "sources": [one.source for one in by],
                "hows": [one.how.value for one in by],
                "weights": [one.weight for one in by],
                "whys": [one.why for one in by],
            }
            connection.execute(_ADD_INFLUENCES, {"answer": id_, **columns})
        if number % KEPT_MOST == 0:
            for statement in _DROP_OLD:
                connection.execute(statement, {"project": new.project, "most": KEPT_MOST})
    return str(id_)


def get(database: Database, projects: Sequence[str], prefix: str) -> Answered:
    """An answer of one of these projects by its id, or the beginning of it. Raises UnknownAnswer."""
    rows: list[tuple[Any, ...]] = []
    if len(prefix) >= PREFIX_MIN:
        rows = database.rows(_BY_PREFIX, {"projects": list(projects), "prefix": prefix})
    if len(rows) == 1 or (rows and rows[0][0] == prefix):
        return _answered(rows[0])
    what = f"Several answers begin with `{prefix}`." if rows else f"No answer of this project has the id `{prefix}`."
    raise UnknownAnswer(what, "`companion reason classify REQUEST` gives an answer with its id.")


def by_ids(database: Database, projects: Sequence[str], ids: Sequence[str]) -> tuple[Answered, ...]:
    """Answers of these projects, the newest first; unknown ones are left out."""
    rows = database.rows(_BY_IDS, {"projects": list(projects), "ids": list(ids)})
    return tuple(_answered(row) for row in rows)


def reading(database: Database, id_: str) -> str:
    """What was answered, as it is typed."""
    return str(database.value(_READING, {"id": id_}, otherwise=""))


@dataclass(frozen=True, slots=True)
class Vectored:
    """The vector of what was asked, and the model that made it; none where there is no model."""

    model: str = ""
    vector: tuple[float, ...] = ()


def end(
    database: Database,
    id_: str,
    outcome: Outcome,
    *,
    right: str,
    note: str,
    now: datetime,
    by: Vectored,
) -> None:
    """What a person made of an answer, in place of what was said of it before; it is found again by its vector."""
    given: dict[str, object] = {"id": id_, "outcome": outcome.value, "right": right, "note": note, "now": now}
    given |= {"model": by.model, "vector": list(by.vector) or None}
    database.change(_END, given, quiet=True)


def version(database: Database, projects: Sequence[str], kind: AnswerKind) -> tuple[object, ...]:
    """Changes whenever another outcome is there to be learned from, or one is gone."""
    row = database.row(_VERSION, {"projects": list(projects), "kind": kind.value})
    return tuple(row or ())


def ended(database: Database, projects: Sequence[str], kind: AnswerKind, model: str, limit: int) -> tuple[Example, ...]:
    """Answers of a kind with their ends, the newest of them, oldest first; with vectors of one model."""
    given = {"projects": list(projects), "kind": kind.value, "model": model, "limit": limit}
    rows = database.rows(_ENDED, given)
    return tuple(_example(row) for row in reversed(rows))


def influences_of(database: Database, ids: Sequence[str]) -> tuple[Influence, ...]:
    """What answers rest on, the weightiest first."""
    with database.read() as connection:
        return _influences(connection, _INFLUENCES_OF, {"answers": list(ids)})


def influenced_by(
    database: Database, projects: Sequence[str], sources: Sequence[str], limit: int
) -> tuple[Influence, ...]:
    """The influences of memories, items or answers on answers of these projects, the newest first."""
    given = {"sources": list(sources), "projects": list(projects), "limit": limit}
    with database.read() as connection:
        return _influences(connection, _INFLUENCED_BY, given)


def _influences(
    connection: duckdb.DuckDBPyConnection, statement: str, given: Mapping[str, object]
) -> tuple[Influence, ...]:
    rows = connection.execute(statement, given).fetchall()
    titles = dict(connection.execute(_TITLES, {"ids": sorted({row[0] for row in rows})}).fetchall())
    return tuple(
        Influence(source, titles.get(source, ""), How(how), weight, why, answer)
        for source, how, weight, why, answer in rows
    )


def _told(new: NewAnswer) -> str:
    return "\x1f".join((new.project, new.kind.value, new.request, new.action, new.at.isoformat()))


def _answered(row: Sequence[Any]) -> Answered:
    id_, kind, request, at, said, confidence, made_by, action, outcome, right, note, outcome_at = row
    return Answered(
        id_,
        AnswerKind(kind),
        request,
        at,
        said,
        confidence,
        made_by,
        action,
        Outcome(outcome) if outcome else None,
        right,
        note,
        outcome_at,
    )


def _example(row: Sequence[Any]) -> Example:
    id_, request, action, outcome, at, given, right, note, said, vector = row
    return Example(
        answer=id_,
        text=action or request,
        outcome=Outcome(outcome),
        at=at,
        reading=reading_in(right) or reading_in(given),
        note=note,
        right=right or given,
        said=said,
        vector=tuple(vector or ()),
    )


def reading_in(text: str) -> Reading | None:
    """A reading as it is kept, `process/machine/execute`; None for anything else."""
    parts = text.split("/")
    try:
        return Reading(Destination(parts[0]), Consumer(parts[1]), Semantics(parts[2]))
    except (ValueError, IndexError):
        return None
