"""What people told and no person ended, though a run of an earlier version put it away.

Earlier versions archived it where its file was gone, where it lay unused, or where its words sounded like talk of the
moment. What companion itself read from files is none of this.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.store.memories.reconcile import FADED

if TYPE_CHECKING:
    from companion.store.database import Database

_PUT_AWAY = """
select id
from memories
where project_id = $project
    and source <> 'scan'
    and status = 'archived'
    and superseded_by = ''
    and archived_reason = $faded
order by id
"""


def archived_unasked(database: Database, project: str) -> tuple[str, ...]:
    """The ids of such memories, in their order."""
    rows = database.rows(_PUT_AWAY, {"project": project, "faded": FADED})
    return tuple(id_ for (id_,) in rows)
