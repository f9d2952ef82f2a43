"""Commits found by their own subject, whether or not a memory was made of them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import datetime
from typing import TYPE_CHECKING, NamedTuple

from companion.records import Draft, Episode, Evidence, EvidenceKind, Kind, Levels, Memory, SearchQuery, Visibility
from companion.records.search import State
from companion.records.sorts import EpisodeType
from companion.store.text import analysis

if TYPE_CHECKING:
    from companion.store.database import Database

NEARLY = 0.75
"""Share of all words of a query and a subject that both have, from which the one means the other: three of four."""
MOST = 3
"""Commits told of one subject, the newest: a project has hundreds called `Update README`."""
ID_LEAST = 7
"""Digits of a commit's id from which it is looked for: as many as git shows."""
FILES_TOLD = 50
"""Files named of a commit that is shown in full."""
_ID = re.compile(rf"[0-9a-f]{{{ID_LEAST},40}}")
_REQUEST = re.compile(r"\s*\(#\d+\)$")
"""The number of the pull request behind a subject, which nobody types."""

_CALLED = """
select sha, subject, author_name, committed_at
from commits
where project_id = $project
    and not gone
    and branch in ('', $branch)
    and (seq in (select unnest($seqs)) or lower(subject) = lower($subject))
    and committed_at between $since and $until
order by seq desc
"""

_LEARNED = """
select origin, min(id)
from memories
where project_id = $project
    and list_contains($origins, origin)
    and kind = 'episode'
    and status = 'active'
    and superseded_by = ''
group by origin
"""

_BY_ID = """
select c.sha, c.subject, c.author_name, c.committed_at, list(t.path order by t.path)
from commits c
left join touches t on t.project_id = c.project_id and t.seq = c.seq
where c.project_id = $project
    and starts_with(c.sha, $prefix)
group by c.sha, c.subject, c.author_name, c.committed_at
limit 2
"""


class Called(NamedTuple):
    """A commit, how much its subject is what was asked (0 to 1), and the id of the memory made of it, if there is."""

    commit: Memory
    likeness: float
    memory: str


def may_be_meant(query: SearchQuery) -> bool:
    """Whether the filters of a query leave room for commits, which are episodes of the whole project."""
    return (
        bool(query.text.strip() and query.limit > 0)
        and (not query.kinds or Kind.EPISODE in query.kinds)
        and (not query.visibility or Visibility.PROJECT_SHARED in query.visibility)
        and not (query.entities or query.act or query.scope_path or query.scope_language)
        and query.state in (None, State.CURRENT, State.ALL)
    )


def called(database: Database, project: str, query: SearchQuery, seqs: Sequence[int], branch: str = "") -> list[Called]:
    """At most MOST commits whose subject is the query or has nearly all its words and no others, the likest first.

    They are on the default branch, or on `branch` alone. `seqs` are numbers of commits that say some of the words; a
    subject that is the query is found without.
    """
    text = " ".join(query.text.split())
    until = min((moment for moment in (query.as_of, query.valid_at, query.until) if moment), default=datetime.max)
    asked = {
        "project": project,
        "branch": branch,
        "seqs": list(seqs),
        "subject": text,
        "since": query.since or datetime.min,
        "until": until,
    }
    with database.read() as connection:
        rows = [(subject_likeness(text, row[1]), row) for row in connection.execute(_CALLED, asked).fetchall()]
        best = sorted((one for one in rows if one[0] >= NEARLY), key=lambda one: -one[0])[:MOST]
        found = [(like, _memory(project, *row)) for like, row in best]
        origins = {"project": project, "origins": [commit.draft.origin for _, commit in found]}
        learned = dict(connection.execute(_LEARNED, origins).fetchall()) if found else {}
    return [Called(commit, like, learned.get(commit.draft.origin, "")) for like, commit in found]


def is_id(text: str) -> bool:
    """Whether a text may be the id of a commit or its beginning; no memory's id looks so."""
    return _ID.fullmatch(text) is not None


def of_id(database: Database, project: str, prefix: str) -> tuple[Memory, tuple[str, ...]] | None:
    """The one commit whose id begins so, and the files it changed; None where there is none or are several."""
    if not is_id(prefix):
        return None
    with database.read() as connection:
        rows = connection.execute(_BY_ID, {"project": project, "prefix": prefix}).fetchall()
    return (_memory(project, *rows[0][:4]), tuple(filter(None, rows[0][4]))) if len(rows) == 1 else None


def subject_likeness(one: str, other: str) -> float:
    """Share of the words of two subjects that both have; 1 for the same.

    The number of a pull request counts where both have one.
    """
    if one.casefold() == other.casefold():
        return 1.0
    if not all(map(_REQUEST.search, (one, other))):
        one, other = _REQUEST.sub("", one), _REQUEST.sub("", other)
    words, others = {*analysis.terms(one)}, {*analysis.terms(other)}
    return len(words & others) / max(1, len(words | others))


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
