"""How rows are put from their images: a few statements a sort of change."""

from __future__ import annotations

from collections.abc import Mapping

ROWS = """
with rows as (
    select
        number,
        $project as project,
        table_name,
        row_key,
        string_split(row_key, chr(31)) as key,
        coalesce(before, after) as image,
        if($back, before, after) as wanted,
        if($back, after, before) as found
    from night_rows
    where run_id = $run
        and number between $first and $last
        and number in (select unnest($numbers::integer[]))
)
"""
"""How each statement here begins: the images of a batch, what a row is to be, and what it is."""

_PUT_OFFERED = """
update memories
set offered_level = (wanted ->> 'offered_level')
from rows
where table_name = 'memories'
    and id = row_key
"""

_PUT_WARMTH = """
update memories
set warmth = (wanted ->> 'warmth')
from rows
where table_name = 'memories'
    and id = row_key
"""

_PUT_WEIGHT = """
update memories
set
    importance = (wanted ->> 'importance')::integer,
    usefulness = (wanted ->> 'usefulness')::double
from rows
where table_name = 'memories'
    and id = row_key
"""

_PUT_WORDS = """
update memories
set
    content_summary = (wanted ->> 'content_summary'),
    content_compressed = (wanted ->> 'content_compressed'),
    content_index = (wanted ->> 'content_index'),
    tokens_summary = (wanted ->> 'tokens_summary')::integer,
    tokens_compressed = (wanted ->> 'tokens_compressed')::integer,
    tokens_index = (wanted ->> 'tokens_index')::integer
from rows
where table_name = 'memories'
    and id = row_key
"""

_PUT_STANDING = """
update memories
set
    status = (wanted ->> 'status'),
    archived_at = (wanted ->> 'archived_at')::timestamp,
    archived_reason = (wanted ->> 'archived_reason'),
    superseded_by = (wanted ->> 'superseded_by'),
    valid_to = (wanted ->> 'valid_to')::timestamp
from rows
where table_name = 'memories'
    and id = row_key
    and json_exists(wanted, '$.status')
"""

_PUT_ANCESTRY = """
update memories
set supersedes = (wanted ->> 'supersedes')
from rows
where table_name = 'memories'
    and id = row_key
    and json_exists(wanted, '$.supersedes')
"""

_PUT_USE = """
update memories
set
    retrieved_count = retrieved_count + (wanted ->> 'retrieved')::integer - (found ->> 'retrieved')::integer,
    cited_count = cited_count + (wanted ->> 'cited')::integer - (found ->> 'cited')::integer,
    ignored_count = ignored_count + (wanted ->> 'ignored')::integer - (found ->> 'ignored')::integer,
    last_access_at = if(
        last_access_at is not distinct from (found ->> 'last_access_at')::timestamp,
        (wanted ->> 'last_access_at')::timestamp,
        last_access_at
    ),
    importance = if(
        importance = (found ->> 'importance')::integer,
        (wanted ->> 'importance')::integer,
        importance
    )
from rows
where table_name = 'memories'
    and id = row_key
    and json_exists(wanted, '$.retrieved')
"""

_PUT_PLACE = """
update memories
set
    scope_path = (wanted ->> 'scope_path'),
    memory_key = (wanted ->> 'memory_key')
from rows
where table_name = 'memories'
    and id = row_key
"""

_DROP_EVIDENCE = """
delete from memory_evidence
using rows
where table_name = 'memory_evidence'
    and wanted is null
    and memory_id = key[1]
    and ordinal = key[2]::integer
"""

_ADD_EVIDENCE = """
insert into memory_evidence (memory_id, ordinal, kind, ref, line, quote)
select
    key[1], key[2]::integer, (wanted ->> 'kind'), (wanted ->> 'ref'), (wanted ->> 'line')::integer, (wanted ->> 'quote')
from rows
where table_name = 'memory_evidence'
    and wanted is not null
order by key[1], key[2]::integer
"""

_DROP_ENTITIES = """
delete from memory_entities
using rows
where table_name = 'memory_entities'
    and wanted is null
    and memory_id = (image ->> 'memory_id')
    and entity = (image ->> 'entity')
"""

_ADD_ENTITIES = """
insert into memory_entities (project_id, memory_id, entity)
select project, (image ->> 'memory_id'), (image ->> 'entity')
from rows
where table_name = 'memory_entities'
    and wanted is not null
order by row_key
"""

_DROP_ARTIFACTS = """
delete from memory_artifacts
using rows
where table_name = 'memory_artifacts'
    and wanted is null
    and memory_id = (image ->> 'memory_id')
    and kind = (image ->> 'kind')
    and ref = (image ->> 'ref')
"""

_ADD_ARTIFACTS = """
insert into memory_artifacts (memory_id, kind, ref)
select (image ->> 'memory_id'), (image ->> 'kind'), (image ->> 'ref')
from rows
where table_name = 'memory_artifacts'
    and wanted is not null
order by row_key
"""

_DROP_CONTRADICTIONS = """
delete from contradictions
using rows
where table_name = 'contradictions'
    and wanted is null
    and id = row_key
"""

_MOVE_CONTRADICTIONS = """
update contradictions
set
    resolved_at = (wanted ->> 'resolved_at')::timestamp,
    resolution = (wanted ->> 'resolution'),
    note = (wanted ->> 'note')
from rows
where table_name = 'contradictions'
    and wanted is not null
    and found is not null
    and id = row_key
"""

_ADD_CONTRADICTIONS = """
insert into contradictions (
    id, project_id, memory_a, memory_b, reason, confidence, detected_at, resolved_at, resolution, note, judge, conflict
)
select
    row_key, project, (wanted ->> 'memory_a'), (wanted ->> 'memory_b'), (wanted ->> 'reason'),
    (wanted ->> 'confidence')::double, (wanted ->> 'detected_at')::timestamp,
    (wanted ->> 'resolved_at')::timestamp, (wanted ->> 'resolution'), (wanted ->> 'note'), (wanted ->> 'judge'),
    coalesce((wanted ->> 'conflict'), '')
from rows
where table_name = 'contradictions'
    and wanted is not null
    and found is null
order by row_key
"""

_DROP_LINKS = """
delete from memory_links
using rows
where table_name = 'memory_links'
    and wanted is null
    and project_id = project
    and relation = key[1]
    and a = key[2]
    and b = key[3]
"""

_MOVE_LINKS = """
update memory_links
set
    score = (wanted ->> 'score')::double,
    reason = (wanted ->> 'reason'),
    found_at = (wanted ->> 'found_at')::timestamp
from rows
where table_name = 'memory_links'
    and wanted is not null
    and found is not null
    and project_id = project
    and relation = key[1]
    and a = key[2]
    and b = key[3]
"""

_ADD_LINKS = """
insert into memory_links (project_id, relation, a, b, score, reason, found_at)
select
    project, key[1], key[2], key[3],
    (wanted ->> 'score')::double, (wanted ->> 'reason'), (wanted ->> 'found_at')::timestamp
from rows
where table_name = 'memory_links'
    and wanted is not null
    and found is null
order by row_key
"""

_DROP_ALIASES = """
delete from aliases
using rows
where table_name = 'aliases'
    and wanted is null
    and project_id = project
    and entity = row_key
"""

_MOVE_ALIASES = """
update aliases
set
    stands_for = (wanted ->> 'stands_for'),
    reason = (wanted ->> 'reason'),
    found_at = (wanted ->> 'found_at')::timestamp
from rows
where table_name = 'aliases'
    and wanted is not null
    and found is not null
    and project_id = project
    and entity = row_key
"""

_ADD_ALIASES = """
insert into aliases (project_id, entity, stands_for, reason, found_at)
select
    project, row_key, (wanted ->> 'stands_for'), (wanted ->> 'reason'), (wanted ->> 'found_at')::timestamp
from rows
where table_name = 'aliases'
    and wanted is not null
    and found is null
order by row_key
"""

_EVIDENCE = (_DROP_EVIDENCE, _ADD_EVIDENCE)
_ENTITIES = (_DROP_ENTITIES, _ADD_ENTITIES)
_ARTIFACTS = (_DROP_ARTIFACTS, _ADD_ARTIFACTS)
_CONTRADICTIONS = (_DROP_CONTRADICTIONS, _MOVE_CONTRADICTIONS, _ADD_CONTRADICTIONS)
_LINKS = (_DROP_LINKS, _MOVE_LINKS, _ADD_LINKS)
_ALIASES = (_DROP_ALIASES, _MOVE_ALIASES, _ADD_ALIASES)

PUTS: Mapping[str, tuple[str, ...]] = {
    "Merge": (_PUT_STANDING, _PUT_USE, *_EVIDENCE, *_ENTITIES, *_ARTIFACTS, *_CONTRADICTIONS),
    "Supersede": (_PUT_STANDING, _PUT_ANCESTRY, *_CONTRADICTIONS),
    "Reword": (_PUT_WORDS,),
    "Shorten": (_PUT_OFFERED,),
    "Weigh": (_PUT_WEIGHT,),
    "Warm": (_PUT_WARMTH,),
    "Oppose": _CONTRADICTIONS,
    "Outdate": (_PUT_STANDING, *_CONTRADICTIONS),
    "Retire": (_PUT_STANDING, *_CONTRADICTIONS),
    "Revive": (_PUT_STANDING,),
    "Rescope": (_PUT_PLACE, *_ENTITIES),
    "Relate": _LINKS,
    "Unrelate": _LINKS,
    "Unite": _ALIASES,
}
"""How the rows of each sort of change are put; the sort is the name of its record."""
