"""Conversations, reviews and what they left open, as an assistant reads them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from msgspec.structs import replace

from companion.api import Greeting, Remembered, Trace, Transcript
from companion.escape import xml_text
from companion.records import Memory
from companion.records.talk import Conversation, Item, Preview, TalkState, Turn
from companion.surfaces.mcp.answers import (
    FULL_MAX_CHARACTERS,
    ID_SHOWN,
    TEXT_MAX_CHARACTERS,
    Answer,
    Labels,
    Row,
    both,
    framed,
    said_in,
)
from companion.surfaces.mcp.for_assistants import with_tools

Names = Mapping[str, str]
"""Names of acts by their ids."""

SHOW = "Show this to the user; then close_conversation with do=confirm as they say, or do=resume."
"""What comes after a closing; nothing is remembered before a person has seen it."""
WAITS = "This conversation waits to be gone on with."
NOTHING_FOUND = (
    "Nothing was found to remember. do=confirm archives it, with edited_narrative it keeps the user's own words; "
    "do=resume goes on."
)


def talk_row(one: Conversation) -> Row:
    """A conversation and its state."""
    labels = {
        "id": one.id[:ID_SHOWN],
        "state": "paused" if one.paused and one.state is TalkState.ACTIVE else one.state.value,
        "turns": one.turns,
        "started": f"{one.started_at:%Y-%m-%d %H:%M}",
        "persona": one.persona,
    }
    return Row("conversation", labels, one.title)


def item_row(one: Item, *, turn: bool = False) -> Row:
    """Something a conversation leaves behind, with its details and its source; `turn`: with that of this one alone."""
    labels: dict[str, str | int | float] = {"id": one.id[:ID_SHOWN], "type": one.type.value}
    if not turn:
        labels |= {"project": one.project_name, "said_in": one.said_in, "conversation": one.conversation[:ID_SHOWN]}
    labels |= {name: said for name, said in one.details.items() if name not in {"id", "type"} and said}
    if turn and one.turn:
        labels["turn"] = one.turn
    if one.touched_at is not None:
        labels["touched"] = f"{one.touched_at:%Y-%m-%d}"
    return Row("item", labels, one.text)


def talk(one: Conversation, said: str) -> Answer:
    """A conversation, after something was done with it."""
    return both("conversations", [talk_row(one)], said)


def items(found: Sequence[Item], tag: str) -> Answer:
    """Open items, the one spoken of last first."""
    return both(tag, [item_row(one) for one in found])


def talks(found: Sequence[Conversation]) -> Answer:
    """Conversations, the one spoken in last first."""
    return both("conversations", [talk_row(one) for one in found])


def preview(one: Preview, names: Names) -> Answer:
    """What will be remembered of a conversation: its parts, their items, what they settle, where it might belong."""
    rows = [Row("part", {"act": names.get(part.act, part.act)}, part.narrative) for part in one.parts]
    rows += [item_row(item, turn=True) for item in one.extraction.items]
    rows += [
        Row("settle", {"item": settled.item[:ID_SHOWN], "by": settled.by[:ID_SHOWN]}, settled.reason)
        for settled in one.extraction.settles
    ]
    if (hint := one.extraction.suggestion) is not None:
        labels: Labels = {
            "act": names.get(hint.act, hint.act),
            "sure": round(hint.confidence, 2),
            "items": hint.pointing,
        }
        rows.append(Row("suggestion", labels, hint.reason))
    rows += [Row("note", {}, note) for note in one.extraction.notes]
    talk_ = one.conversation
    said = SHOW if one.parts else NOTHING_FOUND
    if talk_.state is not TalkState.READY_TO_CLOSE:
        said = "Remembered without a review, as the user has set."
    return both("preview", rows, said, {"conversation": talk_.id[:ID_SHOWN], "state": talk_.state.value})


def remembered(done: Remembered) -> Answer:
    """What became of a conversation."""
    rows = [memory_row(memory) for memory in done.memories]
    rows += [item_row(one) for one in done.items]
    rows += [Row("settled_item", {"id": one.id[:ID_SHOWN]}, one.text) for one in done.settled]
    said = "Remembered." if done.memories else "Archived; nothing was remembered."
    return both("remembered", rows, said, {"conversation": done.conversation.id[:ID_SHOWN]})


def changed(memory: Memory | None, settled: Sequence[Item], said: str) -> Answer:
    """What a memory is now, and the items that are settled."""
    rows = [] if memory is None else [memory_row(memory)]
    return both(
        "changed", [*rows, *(Row("settled_item", {"id": one.id[:ID_SHOWN]}, one.text) for one in settled)], said
    )


def memory_row(memory: Memory) -> Row:
    """A memory as a story tells it."""
    draft = memory.draft
    labels = {"id": memory.id[:ID_SHOWN], "at": f"{memory.created_at:%Y-%m-%d}", "kind": draft.type or draft.kind.value}
    return Row("memory", labels, draft.levels.full)


def story(told: Sequence[Memory], offset: int, limit: int) -> Answer:
    """Memories of an act, newest first, and where the next page begins, if there may be one."""
    more = {"next_offset": offset + limit} if len(told) == limit else {}
    return both("story", [memory_row(one) for one in told], labels=more)


def transcript(one: Transcript) -> Answer:
    """What was said, as many turns as fit, and which one comes next."""
    rows, left = [talk_row(one.conversation)], FULL_MAX_CHARACTERS
    more: Labels = {}
    for turn in one.turns:
        row = turn_row(turn)
        left -= min(len(row.text), row.limit)
        if left < 0 and len(rows) > 1:
            more = {"next_first": turn.number}
            break
        rows.append(row)
    rows += [Row("memory", {"id": id_[:ID_SHOWN]}) for id_ in one.memories]
    return both("archive", rows, labels=more)


def turn_row(turn: Turn) -> Row:
    """A turn, each of its messages after the role of who said it."""
    labels: Labels = {"number": turn.number, "at": f"{turn.at:%Y-%m-%d %H:%M}"}
    return Row("turn", labels, said_in(turn), limit=FULL_MAX_CHARACTERS // 2)


def greeting(found: Greeting) -> Answer:
    """Where we were: in a few hundred tokens as text, and all of it as values."""
    rows, said = [], "No conversation is going on."
    if (one := found.waiting_talk) is not None:
        row = talk_row(one)
        rows, said = [replace(row, labels={**row.labels, "project": found.talk_project})], WAITS
    groups: Iterable[tuple[str, Sequence[Item]]] = (
        ("overdue_item", found.overdue),
        ("due_item", found.due),
        ("thread", found.threads),
        ("to_do", found.todos),
        ("waiting_item", found.waiting_on),
        ("decision", found.decisions),
        ("stale_item", found.stale),
        ("due_elsewhere", found.elsewhere),
    )
    rows += [trace_row(trace) for trace in found.traces]
    rows += [Row(name, item_row(one).labels, one.text, limit=TEXT_MAX_CHARACTERS) for name, of in groups for one in of]
    rows += [Row("long_overdue", {"items": found.long_overdue})] if found.long_overdue else []
    rows += [
        Row("ended_note", {"id": one.id, "why": one.archived_reason}, one.draft.levels.summary) for one in found.ended
    ]
    rows += [Row("other_project", {"name": name, "open": open_}) for name, open_ in found.open_elsewhere.items()]
    waiting = {"contradictions": found.contradictions, "questions": found.questions}
    rows += (
        [Row("to_decide", {name: number for name, number in waiting.items() if number})]
        if any(waiting.values())
        else []
    )
    text = with_tools(found.text or "Nothing is open, and nothing is due.")
    return replace(both("greeting", rows, said), text=framed("where_were_we", [xml_text(text), "\n"]))


def trace_row(one: Trace) -> Row:
    """Something that work left, with where it can be checked."""
    spans = ", ".join(f"{first}-{last}" for first, last in one.spans)
    at = f"{one.at:%Y-%m-%d}" if one.at is not None else ""
    labels: Labels = {"sort": one.sort.value, "at": at, "source": one.source, "path": one.path, "lines": spans}
    return Row("trace", {**labels, "id": one.id[:ID_SHOWN]}, one.says)
