"""Commits by their ids, in the form of memories."""

from __future__ import annotations

import re
from datetime import datetime

from companion.records import Draft, Episode, Evidence, EvidenceKind, Kind, Levels, Memory
from companion.records.sorts import EpisodeType
from companion.store.database import Database
from companion.store.rows import tuples

ID_LEAST = 7
"""Digits of a commit's id from which it is looked for: as many as git shows."""
FILES_TOLD = 50
"""Files named of a commit that is shown in full."""
_ID = re.compile(rf"[0-9a-f]{{{ID_LEAST},40}}")
_BY_ID = """
select c.sha, c.subject, c.author_name, c.committed_at, list(t.path order by t.path)
from commits c
left join touches t on t.project_id = c.project_id and t.seq = c.seq
where c.project_id = $project
    and starts_with(c.sha, $prefix)
group by c.sha, c.subject, c.author_name, c.committed_at
limit 2
"""


def is_id(text: str) -> bool:
    """Whether a text may be the id of a commit or its beginning; no memory's id looks so."""
    return _ID.fullmatch(text) is not None


def of_id(database: Database, project: str, prefix: str) -> tuple[Memory, tuple[str, ...]] | None:
    """The one commit whose id begins so, and the files it changed; None where there is none or are several."""
    if not is_id(prefix):
        return None
    found = tuples(database, _BY_ID, project=project, prefix=prefix)
    if len(found) != 1:
        return None
    ((sha, subject, author, at, files),) = found
    return _memory(project, sha, subject, author, at), tuple(filter(None, files))


def _memory(project: str, sha: str, subject: str, author: str, at: datetime) -> Memory:
    """A commit in the form in which whatever is found comes; its id is the commit's."""
    draft = Draft(
        kind=Kind.EPISODE,
        type=EpisodeType.COMMIT,
        subject=subject,
        attribute="",
        value=subject,
        levels=Levels(subject, subject, subject, subject[:50]),
        origin=f"commit:{sha}",
        evidence=(Evidence(EvidenceKind.COMMIT, sha),),
        body=Episode(subject, at, (author,), (sha,)),
        valid_from=at,
    )
    return Memory(id=sha, project=project, user="", key=sha, draft=draft, created_at=at, tokens=(0, 0, 0, 0))
