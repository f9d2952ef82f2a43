"""What is wanted whatever the file: foundation, conventions, rules, workflows, decisions, the last talk; topics."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from companion.ports import Standing, Topic
from companion.ports.composing import composed
from companion.records import Memory
from companion.store.database import Database
from companion.store.memories.contradictions import open_ones
from companion.store.memories.rows_sql import memories_of
from companion.store.rows import groups, tuples

if TYPE_CHECKING:
    from companion.store.text.facets import Viewer

FOUNDATION = 20
"""Most foundation memories; spec M2."""

MOST_OF_A_SORT = 60
"""Conventions, workflows and decisions read at once: several times what a section of a context shows.
What is about the files at hand or the task is found by their names and words, however many there are."""
MOST_RULES = 200
"""Written rules read at once: all of a project with a long guide and instructions for agents."""

CONVENTION_LABEL = "convention"
"""The label of facts that say how things are done here."""

FREQUENT_ENTITIES = 500
"""Names that are counted for topics; the rest are spoken of once or twice."""
TOPIC_LEAST = 2
"""Memories that make a topic worth its line: a single one is told by itself where it matters."""

_VISIBLE = """
with visible as (
    select
        id, kind, type, attribute, label, scope_path, importance, pinned, confidence, last_access_at, cited_count,
        created_at, valid_from,
        if(kind = 'episode', null, body) as body
    from memories
    where project_id = $project
        and persona in ('', $persona)
        and scope_branch in ('', $branch)
        and (not contains(learner, '@') or ends_with(learner, '@' || $checkout))
        and if($as_of::timestamp is null, status = 'active' and superseded_by = '',
               created_at <= $as_of::timestamp
               and coalesce(archived_at > $as_of::timestamp, status = 'active'))
)
"""

_STANDING = composed(
    """{visible}
, foundation as (
    select id, row_number() over (
        order by pinned desc, last_access_at desc nulls last, cited_count desc, created_at desc, id
    ) as place
    from visible
    where pinned or importance = 3
),
conventions as (
    select id, row_number() over (
        order by importance desc, confidence * ln(1 + coalesce(try_cast(body->>'support' as double), 1)) desc, id
    ) as place
    from visible
    where kind = 'pattern' or (kind = 'fact' and label = $convention)
),
rules as (
    select id, row_number() over (order by importance desc, confidence desc, id) as place
    from visible
    where kind = 'fact' and label = $convention and attribute = ''
),
workflows as (
    select id, row_number() over (
        order by importance desc, coalesce(try_cast(body->>'runs' as integer), 0) desc, confidence desc, id
    ) as place
    from visible
    where kind = 'workflow'
),
decisions as (
    select id, row_number() over (
        order by importance desc, coalesce(valid_from, created_at) desc, id
    ) as place
    from visible
    where kind = 'fact' and type = 'decision' and body->>'status' = 'in force'
)
select sort, id
from (
    select 'foundation' as sort, id, place from foundation where place <= $foundation
    union all select 'conventions', id, place from conventions where place <= $most
    union all select 'rules', id, place from rules where place <= $rules
    union all select 'workflows', id, place from workflows where place <= $most
    union all select 'decisions', id, place from decisions where place <= $most
)
order by sort, place
""",
    visible=_VISIBLE,
)

_TALKED = """
select memories.id
from memories
join conversations on conversations.id = memories.origin
where memories.type = 'conversation'
    and memories.persona in ('', $persona)
    and conversations.project_id = $project
    and if($as_of::timestamp is null, status = 'active' and superseded_by = '',
           created_at <= $as_of::timestamp
           and coalesce(memories.archived_at > $as_of::timestamp, status = 'active'))
order by coalesce(valid_from, created_at) desc, memories.id
limit 1
"""
"""Of whichever act it was sent to: where it was held says what it is about."""

_LABELS = composed(
    """{visible}
select label, count(*)
from visible
where label <> ''
group by label
""",
    visible=_VISIBLE,
)

_FOLDERS = composed(
    """{visible}
select split_part(path, '/', 1) || if(split_part(path, '/', 3) = '', '', '/' || split_part(path, '/', 2)),
    count(distinct id)
from (
    select id, scope_path || '/' as path from visible where scope_path <> ''
    union all
    select v.id, e.entity[6:]
    from visible v
    join memory_entities e on e.memory_id = v.id and e.project_id = $project
    where starts_with(e.entity, 'file:') and contains(e.entity, '/')
)
group by 1
""",
    visible=_VISIBLE,
)

_ENTITIES = composed(
    """{visible}
select e.entity, count(*)
from memory_entities e
join visible v on v.id = e.memory_id
where e.project_id = $project
    and not starts_with(e.entity, 'file:')
    and not starts_with(e.entity, 'symbol:')
group by e.entity
order by count(*) desc, e.entity
limit $most
""",
    visible=_VISIBLE,
)


_OF_TOPIC = composed(
    """{visible}
select id
from visible v
where label = $name
    or starts_with(scope_path || '/', $folder)
    or exists (
        select 1
        from memory_entities e
        where e.memory_id = v.id
            and e.project_id = $project
            and if(starts_with(e.entity, 'file:') or starts_with(e.entity, 'symbol:'),
                   starts_with(e.entity, 'file:' || $folder),
                   replace(e.entity[strpos(e.entity, ':') + 1:], '_', ' ') = $name)
    )
order by importance desc, coalesce(valid_from, created_at) desc, id
limit $most
""",
    visible=_VISIBLE,
)


def standing(
    database: Database,
    project: str,
    reader: Viewer,
    get: Callable[[Sequence[str]], tuple[Memory, ...]],
) -> Standing:
    """The memories of each sort, most wanted first; `get` brings memories by id."""
    most = {"foundation": FOUNDATION, "most": MOST_OF_A_SORT, "rules": MOST_RULES}
    ids = groups(database, _STANDING, convention=CONVENTION_LABEL, **most, **_asked(project, reader))
    found = open_ones(database, project, sees=reader.sees)
    if reader.as_of is not None:
        found = tuple(one for one in found if one.detected_at <= reader.as_of)
    return Standing(
        foundation=get(ids["foundation"]),
        conventions=get(ids["conventions"]),
        workflows=get(ids["workflows"]),
        decisions=get(ids["decisions"]),
        contradictions=found,
        rules=get(ids["rules"]),
        talked=memories_of(database, _TALKED, project=project, persona=reader.persona, as_of=reader.as_of),
    )


def topics(database: Database, project: str, reader: Viewer) -> tuple[Topic, ...]:
    """What one can ask about: labels, folders and frequent names that several memories speak of, the most first."""
    asked = _asked(project, reader)
    counted: Counter[str] = Counter()
    with database.read() as connection:
        named = tuples(connection, _LABELS, **asked)
        folders = tuples(connection, _FOLDERS, **asked)
        entities = tuples(connection, _ENTITIES, most=FREQUENT_ENTITIES, **asked)
    for label, count in named:
        counted[label] = max(counted[label], count)
    for folder, count in folders:
        if folder and not folder.startswith("."):
            counted[f"{folder}/"] = count
    for key, count in entities:
        name = key.partition(":")[2].replace("_", " ")
        if name:
            counted[name] = max(counted[name], count)
    worth_asking = ((name, count) for name, count in counted.items() if count >= TOPIC_LEAST)
    ordered = sorted(worth_asking, key=lambda one: (-one[1], one[0]))
    return tuple(Topic(name, count) for name, count in ordered)


def of_topic(database: Database, project: str, reader: Viewer, name: str, most: int) -> tuple[Memory, ...]:
    """The memories that make a topic, the most important, then the newest first; the name of a folder ends in `/`."""
    asked = _asked(project, reader)
    folder = name if name.endswith("/") else None
    return memories_of(database, _OF_TOPIC, name=name, folder=folder, most=most, **asked)


def _asked(project: str, reader: Viewer) -> dict[str, object]:
    return {
        "project": project,
        "persona": reader.persona,
        "branch": reader.branch,
        "checkout": reader.checkout,
        "as_of": reader.as_of,
    }
