"""The statements by which a person keeps, changes and finds memories; see `kept`."""

NAMED = """
select id, content_compressed, project_id
from memories
where starts_with(id, $name)
    or (label = $name and superseded_by = '' and project_id in (select unnest($spaces::varchar[])))
order by project_id not in (select unnest($spaces::varchar[])), id
limit $limit
"""

VERSIONS = """
select other.id
from memories as one
join memories as other
    on other.memory_key = one.memory_key
    and other.project_id = one.project_id
    and other.source = one.source
    and other.origin = one.origin
    and other.learner = one.learner
where one.id = $id
order by other.created_at, other.archived_at nulls last, other.id
"""

COUNTS = """
select kind, type, status, count(*)
from memories
where project_id = $project
group by kind, type, status
order by kind, type, status
"""

PAGE = """
select id
from memories
where project_id = $project
    and id > $after
    and (status = 'active' or $archived)
order by id
limit $limit
"""

OUTDATE = """
update memories
set
    status = 'archived', archived_at = $now, archived_reason = $reason,
    valid_to = coalesce(valid_to, $now)
where id = $id
    and source = 'scan'
"""
"""What is held against the code of today was read from it: nothing that a person told ends so."""

REVIVE = """
update memories
set
    status = 'active',
    archived_at = null,
    archived_reason = $reason,
    superseded_by = '',
    valid_to = if(valid_to = archived_at, null, valid_to)
where id = $id
"""

WANTED = """
select id, project_id, memory_key
from memories
where id in (select unnest($ids::varchar[]))
    and status = 'archived'
    and superseded_by = ''
    and archived_reason not in ($forgotten, $lost, $lost_pin, $superseded, $unsaid)
    and not starts_with(archived_reason, $outdated)
order by id
"""

STANDING = """
select other.id
from memories as one
join memories as other
    on other.id = one.superseded_by
    or other.memory_key = one.memory_key
        and other.project_id = one.project_id
        and other.source = one.source
        and other.origin = one.origin
        and other.learner = one.learner
        and (other.value = one.value or one.archived_reason in ($superseded, $unsaid))
where one.id = $id
    and other.status = 'active'
order by other.created_at, other.id
limit 1
"""

PIN = """
update memories
set pinned = true, importance_floor = greatest(importance, importance_floor), importance = 3
where id = $id
    and not pinned
"""

UNPIN = """
update memories
set pinned = false, importance = importance_floor
where id = $id
    and pinned
"""
