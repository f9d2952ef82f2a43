"""`companion.ports.TeamServer` over PostgreSQL: one project's log, with search over it."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Collection, Mapping, Sequence
from datetime import UTC
from typing import TYPE_CHECKING

from companion.adapters.postgres.connection import ServerConnection
from companion.adapters.postgres.preparing import check_schema, has_vectors
from companion.errors import TeamServerRefused
from companion.ports import LogEntry, LogPlace, Pulled, TeamHit

if TYPE_CHECKING:
    from psycopg import Connection as PostgresConnection
    from psycopg import Cursor

DIMENSION = 384
"""Of the vectors that a server keeps: those of the built-in model. A model of other vectors does without."""
CANDIDATES = 1_000
"""Versions with the words that are ranked by them: what is beyond has nothing but common words."""
FUSED_K = 60
"""Of reciprocal rank fusion, as Cormack, Clarke and Büttcher (2009) found it: score = sum of 1 / (k + rank)."""

_LOG = "select id::text from companion.server"
_MEMBER = "select %(project)s in (select companion.mine()), session_user::text"
_APPEND = """
insert into companion.log (project, record, kind, author, made_at, body)
select %(project)s, record, kind, author, made_at, body
from jsonb_to_recordset(%(entries)s::jsonb)
    as given (record text, kind text, author text, made_at timestamptz, body jsonb)
on conflict (project, record) do nothing
"""
_ADD_VECTORS = """
insert into companion.meanings (project, record, model, meaning)
select log.project, log.record, %(model)s, given.meaning::text::halfvec(384)
from jsonb_to_recordset(%(vectors)s::jsonb) as given (record text, meaning jsonb)
join companion.log on log.project = %(project)s and log.record = given.record and log.login = session_user
join companion.texts on texts.project = log.project and texts.record = log.record
on conflict (project, record, model) do nothing
"""
_WITHOUT_VECTORS = """
select log.record
from companion.log
join companion.texts on texts.project = log.project and texts.record = log.record
left join companion.meanings
    on meanings.project = log.project and meanings.record = log.record and meanings.model = %(model)s
where log.project = %(project)s
    and log.login = session_user
    and meanings.record is null
order by log.position
limit %(limit)s
"""
_AT = """
select chain
from companion.log
where project = %(project)s
    and position = %(position)s
"""
_NEXT = """
select position, chain, record, body::text
from companion.log
where project = %(project)s
    and position > %(position)s
order by position
limit %(limit)s
"""
_ELECT = "select pg_try_advisory_lock(hashtextextended('companion model:' || %(project)s, 0))"
_VOTE = """
insert into companion.uses (project, version)
select log.project, log.record
from jsonb_array_elements_text(%(versions)s::jsonb) as given (record)
join companion.log on log.project = %(project)s and log.record = given.record
on conflict do nothing
"""
_VOTES_OF_OTHERS = "select version, others from companion.used(%(project)s)"
_BY_WORDS = """
with all_words as materialized (
    select record, rank
    from companion.find(
        %(project)s,
        plainto_tsquery('english', %(words)s) || plainto_tsquery('simple', %(words)s),
        %(candidates)s,
        %(limit)s
    ) with ordinality as found (record, rank)
),
any_word as (
    select record, rank
    from companion.find(
        %(project)s,
        replace(plainto_tsquery('english', %(words)s)::text, '&', '|')::tsquery,
        %(candidates)s,
        %(limit)s
    ) with ordinality as found (record, rank)
    where not exists (select from all_words)
)
select record, rank from all_words
union all
select record, rank from any_word
"""
_BY_MEANING = """
union all
select record, row_number() over (order by distance)
from (
    select record, meaning <=> %(vector)s::text::halfvec(384) as distance
    from companion.meanings
    where project = %(project)s
        and model = %(model)s
    order by distance
    limit %(limit)s
) as near
"""
_GO_ON = "set hnsw.iterative_scan = relaxed_order"
"""Has the index go on until enough of this project were found, however many others are nearer."""


class PostgresServer(ServerConnection):
    """One project's log on a server, and the connection to it. See `companion.ports.TeamServer`."""

    def __init__(self, url: str, project: str, model: str = "", *, listens: bool = False) -> None:
        """`model` names the model of vectors; `listens` is for who waits for news of the project.

        Raises UsageError for a URL that may not be used.
        """
        digest = hashlib.md5(project.encode(), usedforsecurity=False).hexdigest()
        super().__init__(url, f"companion_{digest}" if listens else "")
        self._project, self._model = project, model
        self._log = ""
        self._vectors = False

    def check(self) -> str:
        """See that the server has this program's tables and this login is a member of the project; returns the login.

        Raises TeamServerUnreachable, TeamServerRefused.
        """
        with self.transaction() as open_:
            return self._known(open_)

    @property
    def keeps_vectors(self) -> bool:
        """Whether the server keeps vectors, as it was found when it was asked last."""
        return self._vectors

    def push(self, entries: Sequence[LogEntry], vectors: Mapping[str, Sequence[float]]) -> int:
        """Append what is not there yet; returns how many were new."""
        with self.transaction() as open_:
            self._know(open_)
            new = self._asked(open_, _APPEND, entries=json.dumps([_row(one) for one in entries])).rowcount
            if vectors and self._vectors and self._model:
                given = [{"record": id_, "meaning": list(map(float, one))} for id_, one in vectors.items()]
                self._asked(open_, _ADD_VECTORS, vectors=json.dumps(given))
            return int(new)

    def pull(self, after: LogPlace, limit: int) -> Pulled:
        """The next records after a place; from the start where the log is not the one that the place is of."""
        with self.transaction() as open_:
            self._know(open_)
            ((self._log,),) = self._asked(open_, _LOG).fetchall()
            anew = after != LogPlace() and not self._has(open_, after)
            position = 0 if anew else after.position
            rows = self._asked(open_, _NEXT, position=position, limit=limit).fetchall()
        place = LogPlace(self._log, *rows[-1][:2]) if rows else after if position else LogPlace(self._log)
        texts = {record: body for _, _, record, body in rows if body is not None}
        return Pulled(place, texts, more=len(rows) == limit, anew=anew)

    def without_vectors(self, limit: int) -> Sequence[str]:
        """Versions of this login without a vector of the model."""
        if not self._model:
            return ()
        with self.transaction() as open_:
            self._know(open_)
            if not self._vectors:
                return ()
            return tuple(row[0] for row in self._asked(open_, _WITHOUT_VECTORS, limit=limit))

    def elect(self) -> bool:
        """Take the lock that one connection at a time may have; it ends with the connection."""
        with self.transaction() as open_:
            self._know(open_)
            ((won,),) = self._asked(open_, _ELECT).fetchall()
            return bool(won)

    def exchange_uses(self, versions: Collection[str]) -> Mapping[str, int]:
        """Vote for versions; the votes of others."""
        with self.transaction() as open_:
            self._know(open_)
            if versions:
                self._asked(open_, _VOTE, versions=json.dumps(sorted(versions)))
            return dict(self._asked(open_, _VOTES_OF_OTHERS).fetchall())

    def search(self, words: str, vector: Sequence[float] | None, limit: int) -> Sequence[TeamHit]:
        """What has all of the words, or where nothing has any of them; fused with what is near in meaning."""
        with self.transaction() as open_:
            self._know(open_)
            asked: dict[str, object] = {"words": words, "candidates": CANDIDATES, "limit": limit}
            query = _BY_WORDS
            if vector is not None and self._vectors and self._model:
                query, asked["vector"] = _BY_WORDS + _BY_MEANING, json.dumps(list(map(float, vector)))
            ranked = self._asked(open_, query, **asked).fetchall()
        return _fused(ranked, limit)

    def _asked(self, open_: PostgresConnection, query: str, **given: object) -> Cursor:
        return open_.execute(query.encode(), {"project": self._project, "model": self._model, **given})

    def _know(self, open_: PostgresConnection) -> None:
        """Check a server once a connection: what it has changes with an upgrade, which ends connections."""
        if not self.checked:
            self._known(open_)

    def _known(self, open_: PostgresConnection) -> str:
        check_schema(open_)
        ((member, login),) = self._asked(open_, _MEMBER).fetchall()
        if not member:
            raise TeamServerRefused(
                f"`{login}` is not a member of the project {self._project} on the team's server.",
                f"Ask who looks after it to have `{login}` and this project put into companion.members.",
            )
        self._vectors = has_vectors(open_)
        if self._vectors:
            open_.execute(_GO_ON)
        self.checked = True
        return str(login)

    def _has(self, open_: PostgresConnection, place: LogPlace) -> bool:
        if place.log != self._log:
            return False
        found = self._asked(open_, _AT, position=place.position).fetchone()
        return place.position == 0 or (found is not None and found[0] == place.chain)


def _row(entry: LogEntry) -> dict[str, object]:
    return {
        "record": entry.id,
        "kind": entry.kind,
        "author": entry.author,
        "made_at": entry.made_at.replace(tzinfo=UTC).isoformat(),
        "body": json.loads(entry.text),
    }


def _fused(ranked: Sequence[tuple[str, int]], limit: int) -> tuple[TeamHit, ...]:
    """Several rankings, each version with its rank in one, as one ranking; equal scores in order of ids."""
    scores: dict[str, float] = {}
    for id_, rank in ranked:
        scores[id_] = scores.get(id_, 0.0) + 1 / (FUSED_K + rank)
    best = sorted(scores.items(), key=lambda pair: (-pair[1], pair[0]))[:limit]
    return tuple(TeamHit(id_, score) for id_, score in best)
