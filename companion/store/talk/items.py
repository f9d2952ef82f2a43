"""What conversations leave behind: candidates until they are reviewed, then open, then settled."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, datetime, timedelta

from msgspec.structs import replace

from companion.errors import the_one
from companion.records.talk import FIRST_WORDS, THREADS, UNTITLED, Item, ItemState, ItemType, Settles
from companion.store.by_columns import column_where, delete_where, set_where
from companion.store.database import Database
from companion.store.rows import Sql, Table, column
from companion.store.talk import ITEM_ID
from companion.store.texts import hashed_id

STALE_AFTER = timedelta(days=5)
"""A task that nobody spoke of for so long is stale."""
LISTED_MOST = 1_000
WAYS = frozenset({"by-hand", "mcp", "http"})
"""Ways by which a conversation is held here; any other is the assistant that kept it."""

_WITH_NAMES = """
left join (select id as of_act, project_id as act_project from acts) on of_act = act_id
left join (
    select
        id as of_conversation,
        project_id as talk_project,
        [title, source, strftime(started_at, '%Y-%m-%d')] as said_in
    from conversations
) on of_conversation = conversation_id
left join (select id as of_project, name as called from projects)
    on of_project = coalesce(nullif(act_project, ''), talk_project)
"""


def _called(conversation: Sequence[str] | None) -> str:
    """What a conversation is called, of title, source and day: by its title, else by its day and whom it was with."""
    if conversation is None:
        return ""
    title, source, day = conversation
    if title and not title.endswith(FIRST_WORDS):
        return title
    begun = date.fromisoformat(day)
    whom = "" if source in WAYS else f" with {source.replace('-', ' ').title()}"
    return f"{UNTITLED}{begun.day} {begun:%B %Y}{whom}"


ITEMS = Table(
    Item,
    "items",
    {
        "project": Sql("coalesce(nullif(act_project, ''), talk_project, '')", joined=_WITH_NAMES),
        "project_name": Sql("coalesce(called, '')", joined=_WITH_NAMES),
        "said_in": Sql("said_in", _called, joined=_WITH_NAMES),
    },
)

_OPEN = ITEMS.select("""
where state = 'open'
    and (len($types::varchar[]) = 0 or list_contains($types::varchar[], type))
    and ($act = '*' or act_id = $act)
    and ($persona = '' or persona in ('', $persona))
    and ($since::timestamp is null or touched_at >= $since::timestamp)
    and ($before::timestamp is null or touched_at < $before::timestamp)
order by touched_at desc, id
limit $limit
""")

_THREADS_OF = ITEMS.select("""
where state = 'open'
    and list_contains($types::varchar[], type)
    and persona in ('', $persona)
    and coalesce(nullif(act_project, ''), talk_project, '') = $project
order by touched_at desc, id
limit $limit
""")

_SETTLED_BY = ITEMS.select("""
where state = 'settled'
    and settled_by in (select unnest($ids::varchar[]))
    and id not in (select unnest($ids::varchar[]))
order by touched_at desc, id
""")

_SETTLED_TEXTS = """
select distinct text
from items
where state = 'settled'
    and exists (
        select 1
        from (select unnest($lines::varchar[]) as line) as said
        where starts_with(said.line, items.text)
    )
"""


def item_id(conversation: str, item: Item) -> str:
    """The id of an item: the same words of the same turn are the same one."""
    return hashed_id(ITEM_ID, conversation, str(item.turn), item.type.value, item.text)


def propose(
    database: Database, conversation: str, found: Sequence[Item], persona: str, now: datetime, *, turn: int = 0
) -> list[Item]:
    """Keep what was found, in all of it or in one `turn`, as candidates, in place of those found in it before.

    Items get their ids.
    """
    kept = {item_id(conversation, one): one for one in found}
    items = [replace(one, id=id_, conversation=conversation, touched_at=now) for id_, one in kept.items()]
    with database.write() as connection:
        of_turn = {"turn": turn} if turn else {}
        delete_where(connection, "items", conversation_id=conversation, state=ItemState.CANDIDATE, **of_turn)
        there = set(column_where(connection, "items", "id", conversation_id=conversation))
        fresh = [one for one in items if one.id not in there]
        ITEMS.insert(connection, fresh, persona=persona, created_at=now)
    return items


def add(database: Database, one: Item, persona: str, now: datetime) -> Item:
    """Keep what a person says is open, outside of any conversation; the same again is open once, anew if need be."""
    kept = replace(one, id=item_id("", one), state=ItemState.OPEN, conversation="", touched_at=now)
    with database.write() as connection:
        delete_where(connection, "items", id=kept.id)
        ITEMS.insert(connection, [kept], persona=persona, created_at=now)
    return get(database, kept.id)


def confirm(database: Database, ids: Sequence[str], memory: str, act: str, now: datetime) -> None:
    """Candidates that were reviewed are open from now on, and belong to a memory and an act."""
    kept = {"state": ItemState.OPEN, "memory_id": memory, "act_id": act, "touched_at": now}
    set_where(database, "items", kept, id=ids, state=ItemState.CANDIDATE)


def settle(database: Database, settled: Sequence[Settles], now: datetime) -> None:
    """Items that are settled, each with what settled it."""
    first = {one.item: one for one in reversed(settled)}  # what settled it first
    ends = {"state": ItemState.SETTLED, "settled_at": now}
    by = [{"id": id_, "settled_by": one.by, "settled_confidence": one.confidence} for id_, one in first.items()]
    with database.write() as connection:
        ITEMS.update(connection, [ends | row for row in by], only="items.state = 'open'")


def drop_candidates(database: Database, conversation: str) -> None:
    """What was found is no more: the conversation goes on, or nothing of it is to be remembered."""
    delete_where(database, "items", conversation_id=conversation, state=ItemState.CANDIDATE)


def move_act(database: Database, act: str, to: str) -> None:
    """All items of an act go to another."""
    set_where(database, "items", {"act_id": to}, act_id=act)


def of_conversation(database: Database, conversation: str) -> tuple[Item, ...]:
    """What a conversation left behind, in the order it was said."""
    return ITEMS.where(database, order="turn, id", conversation_id=conversation)


def open_ones(
    database: Database,
    limit: int,
    *,
    types: Sequence[ItemType] = (),
    act: str = "*",
    persona: str = "",
    since: datetime | None = None,
    before: datetime | None = None,
) -> tuple[Item, ...]:
    """Open items, the one spoken of last first; `act` "*" means all, `since` and `before` when it was spoken of."""
    given = {"act": act, "persona": persona, "since": since, "before": before, "limit": min(limit, LISTED_MOST)}
    return _OPEN.all(database, types=types, **given)


def settled_texts(database: Database, lines: Sequence[str]) -> frozenset[str]:
    """The statements of settled items that one of these lines begins with."""
    return frozenset(column(database, _SETTLED_TEXTS, lines=lines))


def settled_by(database: Database, ids: Sequence[str]) -> tuple[Item, ...]:
    """Other items that these settled."""
    return _SETTLED_BY.all(database, ids=ids)


def threads_of(database: Database, project: str, persona: str) -> tuple[Item, ...]:
    """The open questions and blockers of a project, those of a persona and of none."""
    given = {"project": project, "persona": persona, "limit": LISTED_MOST}
    return _THREADS_OF.all(database, types=THREADS, **given)


def get(database: Database, id_: str) -> Item:
    """An item by its id or the beginning of it. Raises UsageError."""
    return the_one(
        ITEMS.begun(database, id_), id_, "item", "`companion threads` and `companion todo` show the open ones."
    )
