"""What a person told stands until a person ends it: what an earlier run put away unasked comes back.

Earlier versions archived it where its file was gone, where it lay unused, or where its words sounded like talk of the
moment. What companion itself read from files is none of this.
"""

from __future__ import annotations

from collections.abc import Iterator

from companion.ports import Archive
from companion.records import Change, Revive

_PUT_AWAY = """
select id, 'a person told it, and no person ended it' as reason
from memories
where project_id = $project
    and source <> 'scan'
    and status = 'archived'
    and superseded_by = ''
    and archived_reason = $faded
order by id
"""


def plan(archive: Archive) -> Iterator[Change]:
    """A change for each memory of a person that a run had archived."""
    yield from archive.rows(Revive, _PUT_AWAY)
