"""Memories that conversations left behind: to which act each belongs, and which there are."""

from __future__ import annotations

from collections.abc import Sequence

from companion.records import Memory, entity, memory_key
from companion.records.talk import Act
from companion.store.by_columns import column_where, set_where, value_where
from companion.store.database import Database
from companion.store.memories.rows_sql import load, memories_of
from companion.store.statements import execute

LEARNER = "talk"
"""Learner of what was said in conversations; the conversation is the origin."""
LISTED_MOST = 1_000

_UNNAME = """
delete from memory_entities
where memory_id in (select unnest($ids::varchar[]))
    and starts_with(entity, 'act:')
"""

_NAME = """
insert into memory_entities (project_id, memory_id, entity)
select project_id, id, $entity
from memories
where id in (select unnest($ids::varchar[]))
"""

_MOVE = (
    "update memories set project_id = $project, memory_key = $key where id = $id",
    "update memory_entities set project_id = $project where memory_id = $id",
    "delete from memory_links where a = $id or b = $id",
    "delete from contradictions where memory_a = $id or memory_b = $id",
)

_OF_ACT = """
select id
from memories
where (
        act_id = $act
        or $project <> '' and act_id = '' and project_id = $project and source <> 'scan'
    )
    and status = 'active'
    and superseded_by = ''
    and ($persona = '' or persona in ('', $persona))
order by coalesce(valid_from, created_at) desc, type <> 'conversation', id
limit $limit
offset $offset
"""


def assign(database: Database, ids: Sequence[str], act: Act) -> None:
    """Memories belong to an act from now on, and are found by its name."""
    given: dict[str, object] = {"ids": list(ids)}
    with database.write() as connection:
        set_where(connection, "memories", {"act_id": act.id}, id=ids)
        execute(connection, _UNNAME, given)
        execute(connection, _NAME, given | {"entity": entity("act", act.name)})


def move(database: Database, memory: Memory, act: Act, space: str) -> None:
    """A memory goes to another act with its items, and to the space of that act.

    What it had to do with memories of the space it leaves is no more.
    """
    with database.write() as connection:
        if memory.project != space:
            given = {"id": memory.id, "project": space, "key": memory_key(memory.draft, space)}
            for statement in _MOVE:
                execute(connection, statement, {name: given[name] for name in given if f"${name}" in statement})
        assign(database, [memory.id], act)
        set_where(connection, "items", {"act_id": act.id}, memory_id=memory.id)


def of_conversation(database: Database, conversation: str) -> tuple[Memory, ...]:
    """What a conversation left behind, episodes first, archived memories too."""
    order = "type <> 'conversation', created_at, id"
    return load(database, column_where(database, "memories", "id", order=order, learner=LEARNER, origin=conversation))


def of_act(database: Database, act: Act, persona: str, limit: int, offset: int) -> tuple[Memory, ...]:
    """What belongs to an act and was told, not read from files; newest first."""
    given = {"persona": persona, "limit": min(limit, LISTED_MOST), "offset": offset}
    return memories_of(database, _OF_ACT, act=act.id, project=act.project, **given)


def conversations_of(database: Database, act: str) -> frozenset[str]:
    """Conversations that left something behind for an act."""
    return frozenset(column_where(database, "memories", "origin", learner=LEARNER, act_id=act))


def has_any(database: Database, space: str) -> bool:
    """Whether there are memories of a project, or in the space that is a user's own."""
    return value_where(database, "memories", "any_value(id)", project_id=space) is not None
