"""How rows are compared with their images: what is no longer as a change left it, with a word why.

Each statement goes over `ROWS` of `putting_sql`.
"""

from __future__ import annotations

from collections.abc import Mapping

STAYED = """
select
    number,
    min(case
        when id is null
            then 'a memory that it changed is gone'
        when coalesce(offered_level <> (found ->> 'offered_level'), false)
            then 'it is offered at another length since'
        when coalesce(warmth <> (found ->> 'warmth'), false)
            then 'its warmth has moved since'
        when coalesce(
            importance <> (found ->> 'importance')::integer and json_exists(found, '$.usefulness'), false
        ) or coalesce(usefulness <> (found ->> 'usefulness')::double, false)
            then 'its rank has moved since'
        when json_exists(found, '$.content_summary') and (
            content_summary <> (found ->> 'content_summary')
            or content_compressed <> (found ->> 'content_compressed')
            or content_index <> (found ->> 'content_index')
        )
            then 'its words have changed since'
        when json_exists(found, '$.status') and (
            status <> (found ->> 'status')
            or archived_at is distinct from (found ->> 'archived_at')::timestamp
            or archived_reason <> (found ->> 'archived_reason')
            or superseded_by <> (found ->> 'superseded_by')
            or valid_to is distinct from (found ->> 'valid_to')::timestamp
        )
            then if(
                status = 'active',
                'a memory that it put away is active again',
                'how a memory stands that it is about has changed since'
            )
        when coalesce(supersedes <> (found ->> 'supersedes'), false)
            then 'it has replaced another since'
        when coalesce(scope_path <> (found ->> 'scope_path'), false)
            then 'it holds elsewhere since'
    end) as why
from rows
left join memories on id = row_key
where table_name = 'memories'
group by number
having why is not null
"""
"""Changes whose memories are not as they left them, by the columns that they moved."""

_SAME_ENTITIES = """
select distinct number, 'what it names has changed since'
from rows
where table_name = 'memory_entities'
    and (found is not null) <> exists (
        select 1
        from memory_entities
        where memory_id = (image ->> 'memory_id')
            and entity = (image ->> 'entity')
    )
"""

_SAME_EVIDENCE = """
select distinct number, 'the evidence of the memory that stayed has changed since'
from rows
left join memory_evidence on memory_id = key[1] and ordinal = key[2]::integer
where table_name = 'memory_evidence'
    and (
        memory_id is null
        or kind <> (found ->> 'kind')
        or ref <> (found ->> 'ref')
        or line is distinct from (found ->> 'line')::integer
        or quote <> (found ->> 'quote')
    )
"""

_SAME_ARTIFACTS = """
select distinct number, 'what the memory that stayed is linked to has changed since'
from rows
where table_name = 'memory_artifacts'
    and not exists (
        select 1
        from memory_artifacts
        where memory_id = (image ->> 'memory_id')
            and kind = (image ->> 'kind')
            and ref = (image ->> 'ref')
    )
"""

_SAME_CONTRADICTIONS = """
select
    number,
    min(if(id is null, 'a contradiction that it is about is gone', 'a contradiction was settled or opened since'))
from rows
left join contradictions on id = row_key
where table_name = 'contradictions'
    and (
        id is null
        or resolved_at is distinct from (found ->> 'resolved_at')::timestamp
        or resolution is distinct from (found ->> 'resolution')
        or note <> (found ->> 'note')
    )
group by number
"""

_SAME_LINKS = """
select distinct number, 'the link has changed since'
from rows
left join memory_links
    on memory_links.project_id = project
    and relation = key[1]
    and a = key[2]
    and b = key[3]
where table_name = 'memory_links'
    and (
        (found is null) <> (relation is null)
        or score <> (found ->> 'score')::double
        or reason <> (found ->> 'reason')
        or found_at <> (found ->> 'found_at')::timestamp
    )
"""

_SAME_ALIASES = """
select distinct number, 'the entity stands for another since'
from rows
left join aliases
    on aliases.project_id = project
    and entity = row_key
where table_name = 'aliases'
    and (entity is null or stands_for <> (found ->> 'stands_for'))
"""

COMPARISONS: Mapping[str, tuple[str, ...]] = {
    "Merge": (STAYED, _SAME_EVIDENCE, _SAME_ENTITIES, _SAME_ARTIFACTS, _SAME_CONTRADICTIONS),
    "Supersede": (STAYED, _SAME_CONTRADICTIONS),
    "Oppose": (_SAME_CONTRADICTIONS,),
    "Outdate": (STAYED, _SAME_CONTRADICTIONS),
    "Retire": (STAYED, _SAME_CONTRADICTIONS),
    "Rescope": (STAYED, _SAME_ENTITIES),
    "Relate": (_SAME_LINKS,),
    "Unrelate": (_SAME_LINKS,),
    "Unite": (_SAME_ALIASES,),
}
"""What is compared before a change of each sort is taken back; where nothing is named, its memory alone."""
