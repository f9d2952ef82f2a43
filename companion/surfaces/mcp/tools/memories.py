"""Tools about memories: what is known for the work at hand, found, kept, shown in full and explained."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from enum import StrEnum
from typing import Annotated

from companion.api import ARCHIVED_MATCH, Note, Order
from companion.config import data_home, load_settings
from companion.errors import UsageError
from companion.records import Activity, Format, Kind, PassageKind, Scope, SearchQuery, Signals
from companion.records.search import QUERY_CUT, Profile
from companion.surfaces.mcp import answers
from companion.surfaces.mcp.answers import ID_SHOWN, Answer
from companion.surfaces.mcp.asks import (
    ID_MAX_CHARACTERS,
    NOTE_MAX_CHARACTERS,
    PATH_MAX_CHARACTERS,
    Act,
    Budget,
    Error,
    File,
    Had,
    Id,
    Limit,
    Log,
    Path,
    Query,
)
from companion.surfaces.mcp.tool import Tool, Working
from companion.surfaces.mcp.wording import for_assistants, without_commands
from companion.wire import Between


class SearchType(StrEnum):
    """What is searched."""

    FACTS = "facts"
    CONVERSATIONS = "conversations"
    BOTH = "both"
    DECLARED = "declared"
    """Dependencies, owners, settings, jobs and scripts, as `companion facts` lists them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ContextAsk:
    """A context is wanted for a task, for what is at hand, or both; without a budget, the setting's."""

    query: Query = ""
    file: File = ""
    error: Error = ""
    activity: Activity | None = None
    budget: Budget | None = None
    already_have: Had = ()
    format: Format = Format.XML


@dataclass(frozen=True, slots=True, kw_only=True)
class PredictAsk:
    """Which files are needed next? What is given is told with `context`, which is listed before."""

    file: Path = ""
    query: str = ""
    error: Log = ""
    limit: Limit = 10


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchAsk:
    """What is remembered of this?"""

    query: Annotated[str, Between(1, sys.maxsize)]
    search_type: SearchType = SearchType.FACTS
    kind: Kind | None = None
    act: Act = ""
    limit: Limit = 10


@dataclass(frozen=True, slots=True, kw_only=True)
class RememberAsk:
    """Keep this."""

    text: Annotated[str, Between(1, NOTE_MAX_CHARACTERS)]
    kind: Kind = Kind.FACT
    scope: Annotated[str, Between(0, PATH_MAX_CHARACTERS), "Path it applies to."] = ""
    label: Annotated[str, Between(0, ID_MAX_CHARACTERS)] = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ForgetAsk:
    """Archive this."""

    id: Id


@dataclass(frozen=True, slots=True, kw_only=True)
class ExpandAsk:
    """Show this in full."""

    id: Annotated[str, Between(1, ID_MAX_CHARACTERS), "Id, file:PATH or history:PATH."]


@dataclass(frozen=True, slots=True, kw_only=True)
class ExplainAsk:
    """Why is an item of the last context there, or all of them?"""

    id: Annotated[str, Between(0, ID_MAX_CHARACTERS), "One item; else all."] = ""


def assembled(working: Working, ask: ContextAsk) -> str:
    """The context for a task and what is at hand, without what the assistant has before it."""
    signals = Signals(
        current_file=working.at_hand(ask.file),
        query=ask.query,
        errors=(ask.error,) if ask.error else (),
        activity=ask.activity,
        persona=working.persona,
        assistant=working.assistant,
        has=ask.already_have,
    )
    budget = load_settings(data_home()).assistant_tokens if ask.budget is None else ask.budget
    context = working.companion.assemble(budget, signals, ask.format, Order.ASSISTANTS)
    return without_commands(context.text, context.missing)


def need_reading(working: Working) -> None:
    """That nothing was found says little where nothing was read. Raises NotReadYet there."""
    working.companion.at_work()


def _context(working: Working, ask: ContextAsk) -> Answer:
    return Answer(assembled(working, ask)).cut(ask.query)


def _predict(working: Working, ask: PredictAsk) -> Answer:
    signals = Signals(
        current_file=working.at_hand(ask.file),
        query=ask.query,
        errors=(ask.error,) if ask.error else (),
        persona=working.persona,
    )
    return answers.expected(working.companion.predict(signals), ask.limit).cut(ask.query)


def _search(working: Working, ask: SearchAsk) -> Answer:
    if ask.search_type is SearchType.DECLARED:
        told = working.companion.facts(ask.query)[: ask.limit]
        return answers.both("facts", [answers.Row("fact", {"at": one.place}, one.says) for one in told]).cut(ask.query)
    if ask.act and ask.search_type is not SearchType.FACTS:
        raise UsageError("Turns of conversations belong to no act.", "Leave `act` out, or search for facts.")
    turns = () if ask.search_type is SearchType.FACTS else working.companion.find_turns(ask.query, ask.limit)
    if ask.search_type is SearchType.CONVERSATIONS:
        return answers.found((), turns).cut(ask.query)
    wanted = SearchQuery(
        text=ask.query,
        kinds=() if ask.kind is None else (ask.kind,),
        act=ask.act,
        persona=working.persona,
        limit=ask.limit,
        profile=Profile.LEARNED,
    )
    hits = working.companion.search(wanted)
    if turns:
        hits = tuple(hit for hit in hits if hit.sort != PassageKind.TURN)
    if not hits:
        need_reading(working)
    notices = (one for one in working.companion.notices() if one != QUERY_CUT)
    beside = (f"{one.partition(':')[0]}, not shown." if ARCHIVED_MATCH in one else one for one in notices)
    return answers.found(hits, turns, for_assistants(" ".join(beside))).cut(ask.query)


def _remember(working: Working, ask: RememberAsk) -> Answer:
    scope = Scope(path=ask.scope)
    note = Note(ask.text.strip(), ask.kind, scope, label=ask.label, assistant=working.assistant)
    memory = working.companion.remember(note)
    return answers.kept(memory, "Remembered as", f"Undo: forget {memory.id[:ID_SHOWN]}.")


def _forget(working: Working, ask: ForgetAsk) -> Answer:
    memory = working.companion.forget(ask.id)
    return answers.kept(memory, "Forgotten:", f"Undo: `companion revive {memory.id[:ID_SHOWN]}`.")


def _expand(working: Working, ask: ExpandAsk) -> Answer:
    return answers.opened(working.companion.expand(ask.id))


def _explain(working: Working, ask: ExplainAsk) -> Answer:
    return answers.explained(working.companion.explain_last(ask.id or None, None))


ROWS: tuple[Tool, ...] = (
    Tool(
        "context",
        "Where to work and why: code, tests, rules, decisions, commits. Call it before you search or "
        "read, with the task in words and any file or error.",
        ContextAsk,
        _context,
        small=True,
    ),
    Tool("predict", "Files and memories needed next.", PredictAsk, _predict),
    Tool(
        "search_memory",
        "Find memories, files, commits and talks.",
        SearchAsk,
        _search,
        small=True,
        gives={
            "memories": {"id": "string", "text": "string", "score": "number"},
            "turns": {"conversation": "string", "turn": "integer", "said": "string"},
        },
    ),
    Tool(
        "remember",
        "Keep a decision, fact or lesson that the user stated or agreed to. Never secrets.",
        RememberAsk,
        _remember,
        changes=True,
        small=True,
    ),
    Tool("forget", "Archive a memory, on the user's word.", ForgetAsk, _forget, changes=True, takes_back=True),
    Tool("expand", "A memory or file in full, with sources.", ExpandAsk, _expand, small=True),
    Tool("explain", "Why the last context is as it is.", ExplainAsk, _explain),
)
