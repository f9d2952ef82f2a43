"""What a store keeps as pages of Markdown, for people: what is in the lines, but for the run's journal.

A text stands quoted, so that nothing in it poses as a heading of the page.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path

from companion.records import Kind, Memory, Status
from companion.records.talk import Conversation, Item
from companion.records.wording import counted, unbroken
from companion.store import projects
from companion.store.binding import duckdb
from companion.store.bulk import batches
from companion.store.by_columns import column_where, rows_where
from companion.store.database import Database
from companion.store.files import whole
from companion.store.memories.rows_sql import load
from companion.store.rows import Fields, column, dicts, tuples
from companion.store.talk import conversations, items, talk_turns

ROWS_HELD = 200
"""Memories or turns held at a time."""
SLUG_MAX = 50
"""Characters of a title in the name of a file."""
ID_SHOWN = 8
TITLES = {Kind.FACT: "Facts", Kind.EPISODE: "Episodes", Kind.PATTERN: "Patterns", Kind.WORKFLOW: "Workflows"}

SPACES = """
select distinct project_id
from memories
order by project_id
"""
_LINKS = """
select relation, if(a = $id, b, a), reason
from memory_links
where $id in (a, b)
order by all
"""
_CONTRADICTIONS = """
select *
from contradictions
where project_id = $space
order by detected_at, id
"""
_TALKS = conversations.CONVERSATIONS.select("order by started_at, id")
_ITEMS = items.ITEMS.select("order by state, type, created_at, id")
_ANSWERS = """
select *
from answers
order by number, id
"""
_COUNTS = """
select
    (select count(*) from memories), (select count(*) from conversations), (select count(*) from turns),
    (select count(*) from items), (select count(*) from answers)
"""


def write_pages(database: Database, folder: Path, project: str = "") -> list[Path]:
    """Write the pages, or those of one project alone; returns them, the one to begin with first. Raises OSError."""
    with database.read() as connection:
        if project:
            return list(_memory_pages(connection, project, projects.project_name(database, project), folder))
        written: list[Path] = []
        for space in column(connection, SPACES):
            known = projects.project(database, space)
            name = f"{known.name}-{space[2 : 2 + ID_SHOWN]}" if known else "yours"
            written += _memory_pages(connection, space, name, folder / "memories" / _slug(name))
        pages = {
            "acts.md": _acts(connection),
            "open-ends.md": _items(connection),
            "answers.md": _answers(connection),
            "summaries.md": _summaries(connection),
        }
        written += [_page(folder / name, lines) for name, lines in pages.items()]
        written += _talks(connection, database, folder / "conversations")
        begin = _page(folder / "README.md", _begin(connection))
    return [begin, *written]


def _begin(connection: duckdb.DuckDBPyConnection) -> Iterator[str]:
    ((memories, talks, said, left, answers),) = tuples(connection, _COUNTS)
    yield "# What Companion remembers\n"
    talked = f"{counted(talks, 'conversation')} with {counted(said, 'turn')}"
    yield f"{counted(memories, 'memory')}, {talked}, {counted(left, 'item')}, {counted(answers, 'answer')}.\n"
    yield "- `memories/`: of each project, and of the user alone, by kind, with every version; what contradicts what"
    yield "- `conversations/`: what was said, and what was taken from it"
    yield "- `acts.md`, `open-ends.md`: containers; to-dos, threads, decisions and what else talk left behind"
    yield "- `summaries.md`, `answers.md`: summaries of talk; answers, what they were based on, their outcomes"
    yield "- `notes/`: your notes, as they are"
    yield "- `companion.jsonl`: all of it to read back, with what was observed and what runs did"
    yield "\nTo read it back: `companion import` with this folder."


def _memory_pages(connection: duckdb.DuckDBPyConnection, space: str, name: str, place: Path) -> Iterator[Path]:
    """A page for each kind of memory that there is, and one of what contradicts what."""
    for kind in Kind:
        order = "status, type, subject, attribute, created_at, id"
        ids = column_where(connection, "memories", "id", order=order, project_id=space, kind=kind)
        if ids:
            yield _page(place / f"{TITLES[kind].lower()}.md", _memories(connection, f"{TITLES[kind]} of {name}", ids))
    pairs = dicts(connection, _CONTRADICTIONS, space=space)
    if pairs:
        yield _page(place / "contradictions.md", _contradictions(name, pairs))


def _memories(connection: duckdb.DuckDBPyConnection, title: str, ids: Sequence[str]) -> Iterator[str]:
    yield f"# {title}"
    for some in batches(ids, ROWS_HELD):
        for memory in load(connection, some):
            yield "\n" + _memory(connection, memory)


def _memory(connection: duckdb.DuckDBPyConnection, memory: Memory) -> str:
    """One memory with all that is known of it."""
    draft = memory.draft
    lines = [f"## {unbroken(draft.levels.summary or draft.levels.index)}", "", _quoted(draft.levels.full), ""]
    lines += [f"- {name}: {value}" for name, value in _facts_of(memory) if value]
    lines += [
        f"- source: {unbroken(one.label())}{f' “{unbroken(one.quote)}”' if one.quote else ''}" for one in draft.evidence
    ]
    lines += [f"- {one.kind.value}: {unbroken(one.ref)}" for one in draft.artifacts]
    links = tuples(connection, _LINKS, id=memory.id)
    used = "what, used_at, context"
    uses = rows_where(connection, "usage_log", used, order="used_at, what, context", memory_id=memory.id)
    lines += [f"- link: {relation} `{other}`, {unbroken(why)}" for relation, other, why in links]
    lines += [f"- {what} {at:%Y-%m-%d %H:%M} {unbroken(context)}" for what, at, context in uses]
    return "\n".join(lines)


def _facts_of(memory: Memory) -> Iterator[tuple[str, str]]:
    draft, usage = memory.draft, memory.usage
    yield "id", f"`{memory.id}`"
    yield "type", " ".join(filter(None, (draft.type, draft.visibility.value, draft.source.value)))
    yield "about", unbroken(" ".join(filter(None, (draft.subject, draft.attribute))))
    yield "in short", unbroken(draft.levels.compressed)
    yield "scope", unbroken(draft.scope.label())
    yield "sure", f"{draft.confidence:.2f}, importance {int(draft.importance)}" + (", pinned" if draft.pinned else "")
    yield "label", unbroken(draft.label)
    yield "of", unbroken(draft.persona)
    yield "learned", f"{memory.created_at:%Y-%m-%d %H:%M}"
    yield "true from", f"{draft.valid_from:%Y-%m-%d %H:%M}" if draft.valid_from else ""
    yield "true until", f"{draft.valid_to:%Y-%m-%d %H:%M}" if draft.valid_to else ""
    yield "archived", unbroken(memory.archived_reason or "yes") if memory.status is Status.ARCHIVED else ""
    yield "takes the place of", f"`{memory.supersedes}`" if memory.supersedes else ""
    yield "its place was taken by", f"`{memory.superseded_by}`" if memory.superseded_by else ""
    yield "names", ", ".join(f"`{unbroken(name)}`" for name in draft.entities)
    used = (usage.retrieved, usage.cited, usage.ignored)
    yield "served, cited, ignored", ", ".join(map(str, used)) if any(used) else ""


def _contradictions(name: str, pairs: Sequence[Fields]) -> Iterator[str]:
    yield f"# What contradicts what in {name}"
    for one in pairs:
        state = f"resolved {one['resolved_at']:%Y-%m-%d}: {one['resolution']}" if one["resolved_at"] else "open"
        yield f"\n## {unbroken(one['reason'])}\n"
        yield f"- `{one['memory_a']}` and `{one['memory_b']}`\n- {state}, sure {one['confidence']:.2f}"
        if one["note"]:
            yield f"- note: {unbroken(one['note'])}"


def _talks(connection: duckdb.DuckDBPyConnection, database: Database, folder: Path) -> Iterator[Path]:
    for one in _TALKS.all(connection):
        name = f"{one.started_at:%Y-%m-%d} {_slug(one.title) or 'untitled'} {one.id[: 2 + ID_SHOWN]}.md"
        yield _page(folder / name, _talk(database, one))


def _talk(database: Database, one: Conversation) -> Iterator[str]:
    yield f"# {unbroken(one.title) or 'A conversation'}\n"
    yield f"- id: `{one.id}`\n- state: {one.state.value}{', not reviewed' if one.unseen else ''}"
    yield f"- begun {one.started_at:%Y-%m-%d %H:%M}, {counted(one.turns, 'turn')}, by {unbroken(one.source)}"
    for name, value in (("persona", one.persona), ("project", one.project), ("outside", one.outside)):
        if value:
            yield f"- {name}: {unbroken(value)}"
    for first in range(1, one.turns + 1, ROWS_HELD):
        for turn in talk_turns.of(database, one.id, first, first + ROWS_HELD - 1):
            yield f"\n## {turn.number}, {turn.at:%Y-%m-%d %H:%M}"
            for message in turn.messages:
                yield f"\n**{message.role.value}**\n\n{_quoted(message.text)}"
    if left := items.of_conversation(database, one.id):
        yield "\n## What was taken from it\n"
        yield from (_item(item) for item in left)


def _items(connection: duckdb.DuckDBPyConnection) -> Iterator[str]:
    yield "# To-dos, threads, decisions and what else conversations left behind\n"
    yield from map(_item, _ITEMS.all(connection))


def _item(one: Item) -> str:
    details = "".join(f"; {name}: {unbroken(value)}" for name, value in sorted(one.details.items()))
    settled = f"; resolved by `{one.settled_by}`" if one.settled_by else ""
    said = f"; said in `{one.conversation}`, turn {one.turn}" if one.conversation else ""
    box = "[x]" if one.settled_by else "[ ]"
    return f"- {box} {one.type.value}, {one.state.value}: {unbroken(one.text)}{details}{settled}{said} (`{one.id}`)"


def _acts(connection: duckdb.DuckDBPyConnection) -> Iterator[str]:
    yield "# Acts\n"
    told, order = "name, project_id, permanent, created_at, deleted_at, id", "permanent desc, lower(name), id"
    for name, project, permanent, made, gone, id_ in rows_where(connection, "acts", told, order=order):
        notes = [f"made {made:%Y-%m-%d}"]
        notes += [f"of the project `{project}`"] if project else []
        notes += ["always there"] if permanent else []
        notes += [f"deleted {gone:%Y-%m-%d}"] if gone else []
        yield f"- {unbroken(name)}: {', '.join(notes)} (`{id_}`)"


def _answers(connection: duckdb.DuckDBPyConnection) -> Iterator[str]:
    yield "# Answers, what they were based on, and their outcomes"
    for one in dicts(connection, _ANSWERS):
        yield f"\n## {one['number']}: {one['kind']}, {one['asked_at']:%Y-%m-%d %H:%M}\n"
        yield f"{_quoted(one['request'])}\n"
        told = ("action", "said", "reading", "made_by", "outcome", "right_reading", "note", "conversation_id")
        yield from (f"- {name.replace('_', ' ')}: {unbroken(one[name])}" for name in told if one[name])
        yield f"- sure: {one['confidence']:.2f}\n- id: `{one['id']}`"
        basis, order = "source_id, how, weight, why", "weight desc, source_id"
        for source, how, weight, why in rows_where(connection, "influences", basis, order=order, answer_id=one["id"]):
            yield f"- based on `{source}`: {how}, {weight:.2f}, {unbroken(why)}"


def _summaries(connection: duckdb.DuckDBPyConnection) -> Iterator[str]:
    yield "# Summaries"
    told, order = "sort, persona, number, made_at, text", "persona, sort, number, id"
    for sort, persona, number, made, text in rows_where(connection, "talk_summaries", told, order=order):
        whose = f" of {unbroken(persona)}" if persona else ""
        yield f"\n## {sort} {number}{whose}, {made:%Y-%m-%d %H:%M}\n\n{_quoted(text)}"


def _page(path: Path, lines: Iterator[str]) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    with whole(path) as out:
        for line in lines:
            out.write(line.rstrip("\n") + "\n" if not line.endswith("\n\n") else line)
    return path


def _quoted(text: str) -> str:
    return "\n".join(f"> {line}".rstrip() for line in text.splitlines())


def _slug(text: str) -> str:
    """A title as it may stand in the name of a file, on every system."""
    return re.sub(r"[^\w.-]+", "-", text, flags=re.ASCII).strip("-.").lower()[:SLUG_MAX]
