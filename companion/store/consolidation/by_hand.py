"""What a person wrote by hand ends by that person alone, whatever pass proposes what: the one look at it.

It is archived when its own words say that it is over, when what was to be done of it is done, or when a person put
something in its place. It is superseded only by what the same person said later of the same thing, and folded only
into what that person wrote and that says all of it. Its words are never put better. What a person answered to a
question about it is that person's act. A note that an assistant wrote is none of this.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime

from msgspec import Struct

from companion.judge.faithfulness import OWN_WORDS, left_out, own_words
from companion.ports.composing import composed
from companion.records.findings import CheckResult
from companion.store.binding import duckdb
from companion.store.consolidation.about import About
from companion.store.consolidation.batches import Planned
from companion.store.database import Database
from companion.store.memories.rows_sql import BY_HAND
from companion.store.rows import Query, Source, column, pairs

ENDS = frozenset({"Merge", "Supersede", "Outdate", "Retire", "Reword"})
"""Changes by which a memory ends, or says something else."""
STANDS = "a person wrote it, and neither its words nor that person say that it is over"
ANOTHERS = "a person wrote it, and what would take its place is another's"
ELSEWHERE = "a person wrote it, and what would take its place is not the newer word about the same thing"
LOSES = "a person wrote it, and what would stay leaves out: {}"
WORDS = "a person wrote it in these words"

_OPEN_TODO = """
exists (
    select 1
    from items
    where items.memory_id = memories.id
        and items.state = 'open'
)
"""

_DONE_TODO = """
exists (
    select 1
    from items
    where items.memory_id = memories.id
        and items.conversation_id = ''
        and items.state = 'settled'
)
"""

_OVER = composed(
    "(not {open_todo} and (coalesce(valid_to <= $now, false) or {done_todo}))",
    open_todo=_OPEN_TODO,
    done_todo=_DONE_TODO,
)
"""What its own words, or the to-do that it is, say is over by now."""

_WRITTEN = composed(
    """
select
    id, {by_hand} as by_hand, concat_ws(chr(31), user_id, persona) as by,
    concat_ws(
        chr(31), kind, subject, attribute, scope_language, scope_path, scope_environment, scope_version, scope_branch
    ) as about,
    content_full as text, coalesce(valid_from, created_at) as since, superseded_by <> '' or {over} as ended
from memories
where id in (select unnest($ids::varchar[]))
""",
    by_hand=BY_HAND,
    over=_OVER,
)

_ANSWERED = """
select memories
from judgements
where judge = 'person'
    and answer in ('same', 'first_contains_second', 'second_contains_first', 'over', 'junk')
    and list_has_any(memories, $ids::varchar[])
"""

_PAST = composed(
    """
select id, valid_to
from memories
where project_id = $project
    and source <> 'scan'
    and status = 'active'
    and not pinned
    and {over}
    and id not in (
        select memories[1]
        from run_changes
        where what = 'Outdate'
            and state = 'undone'
    )
order by id
""",
    over=_OVER,
)


class _Written(Struct, frozen=True):
    """A memory as far as this look goes: whose it is, what it is about and says, since when, and whether it ended."""

    id: str
    by_hand: bool
    by: str
    about: str
    text: str
    since: datetime
    ended: bool


_KNOWN = Query(_Written, _WRITTEN)


def refused(connection: duckdb.DuckDBPyConnection, about: About, batch: Sequence[Planned]) -> dict[int, str]:
    """The changes of a batch, all of one sort, that what a person wrote by hand forbids, each with a word why."""
    if batch[0].what not in ENDS:
        return {}
    ids = sorted({id_ for one in batch for id_ in one.memories})
    known = _written(connection, ids, about.now)
    if not any(one.by_hand for one in known.values()):
        return {}
    acts = set(map(frozenset, column(connection, _ANSWERED, ids=ids)))
    return {
        one.number: why
        for one in batch
        if frozenset(one.memories) not in acts and (why := _why_not(one, known, about.now))
    }


def why_unfolded(database: Database, keep: str, drop: str, now: datetime) -> str:
    """Why one memory may not be folded into another by anybody but a person; empty where it may."""
    known = _written(database, [keep, drop], now)
    return _why_not(Planned(0, "Merge", "", (keep, drop), ()), known, now)


def past(database: Database, project: str, now: datetime) -> Iterator[CheckResult]:
    """What people told that is over by its own words or because it is done, each with since when."""
    for id_, end in pairs(database, _PAST, project=project, now=now).items():
        yield CheckResult(id_, f"over since {end:%Y-%m-%d}" if end is not None and end <= now else "it is done")


def _written(source: Source, ids: Sequence[str], now: datetime) -> Mapping[str, _Written]:
    return {one.id: one for one in _KNOWN.all(source, ids=ids, now=now)}


def _why_not(one: Planned, known: Mapping[str, _Written], now: datetime) -> str:
    """Why a change is refused for what a person wrote by hand; empty where nothing of it is."""
    leaving = one.memories[1:] if one.what == "Merge" else one.memories[:1]
    goes = [known[id_] for id_ in leaving if id_ in known and known[id_].by_hand]
    if not goes:
        return ""
    if one.what == "Reword":
        return WORDS
    if one.what in {"Outdate", "Retire"}:
        return "" if all(row.ended for row in goes) else STANDS
    stays = known.get(one.memories[0] if one.what == "Merge" else one.memories[1])
    if stays is None or any((row.by_hand, row.by) != (stays.by_hand, stays.by) for row in goes):
        return ANOTHERS
    if one.what == "Supersede":
        newer = all(row.about == stays.about and row.since <= stays.since <= now for row in goes)
        return "" if newer else ELSEWHERE
    lost = dict.fromkeys(mark.text for row in goes for mark in left_out(row.text, stays.text))
    if lost or any(own_words(stays.text, row.text) < OWN_WORDS for row in goes):
        return LOSES.format(", ".join(lost) or "most of its words")
    return ""
