"""Tools about memories: what is known for the work at hand, found, kept, shown in full and explained."""

from __future__ import annotations

import sys
from datetime import datetime
from enum import StrEnum
from typing import Annotated

from companion.api import ARCHIVED_MATCH, Companion, Note, Order, is_there, split_place, why_in_full
from companion.config import data_home, load_settings
from companion.errors import UsageError
from companion.records import Activity, Format, Kind, PassageKind, Scope, SearchQuery, Signals
from companion.records.search import QUERY_CUT, Profile
from companion.records.talk import TurnHit
from companion.surfaces.cli.options import parse_moment
from companion.surfaces.mcp import answers
from companion.surfaces.mcp.answers import ID_SHOWN, Answer
from companion.surfaces.mcp.asks import (
    FOUND_MAX,
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
from companion.surfaces.mcp.for_assistants import without_commands
from companion.surfaces.mcp.tool import ToolChoice, Working, tool
from companion.wire import Between

Moment = Annotated[str, Between(0, ID_MAX_CHARACTERS)]
"""A day, a moment in ISO 8601, or an age as `3d`."""
Times = tuple[datetime | None, datetime | None]
"""From when and until when, None for always; naive UTC."""


class SearchType(StrEnum):
    """What is searched."""

    FACTS = "facts"
    CONVERSATIONS = "conversations"
    BOTH = "both"
    DECLARED = "declared"
    """Dependencies, owners, settings, jobs and scripts, as `companion facts` lists them."""


def need_reading(working: Working) -> None:
    """That nothing was found says little where nothing was read. Raises NotReadYet there."""
    working.companion.at_work()


@tool("context", listed=ToolChoice.SMALL)
def context(
    working: Working,
    query: Query = "",
    file: File = "",
    error: Error = "",
    activity: Activity | None = None,
    budget: Budget | None = None,
    already_have: Had = (),
    format_: Format = Format.XML,
) -> Answer:
    """Where to work and why: code with line numbers, tests, rules, commits.

    Call it first for a task, before you search or read, with the task in words and any file or error; with
    `already_have` when you ask again.
    """
    signals = Signals(
        current_file=working.at_hand(file),
        query=query,
        errors=(error,) if error else (),
        activity=activity,
        persona=working.persona,
        assistant=working.assistant,
        has=already_have,
    )
    tokens = load_settings(data_home()).assistant_tokens if budget is None else budget
    made = working.companion.assemble(tokens, signals, format_, Order.ASSISTANTS)
    return Answer(without_commands(made.text, made.missing)).cut(query)


@tool("why", listed=ToolChoice.DEFAULT)
def why(working: Working, place: Annotated[Path, "FILE:LINE, FILE or a name."]) -> Answer:
    """Why code is as it is: commits, decisions, errors; call it before you change what surprises you."""
    file, line = split_place(place)
    symbol = "" if line or "/" in file or is_there(working.root / file) else file
    return Answer(
        answers.reasons(why_in_full(working.companion, "" if symbol else working.at_hand(file), line, symbol))
    )


@tool("predict")
def predict(working: Working, file: Path = "", query: str = "", error: Log = "", limit: Limit = 10) -> Answer:
    """Files and memories needed next."""
    signals = Signals(
        current_file=working.at_hand(file),
        query=query,
        errors=(error,) if error else (),
        persona=working.persona,
    )
    return answers.expected(working.companion.predict(signals), limit).cut(query)


FOUND_GIVES = {
    "memories": {"id": "string", "text": "string", "score": "number"},
    "turns": {"conversation": "string", "turn": "integer", "text": "string"},
}


@tool("search", "facts", "talk find", listed=ToolChoice.SMALL, gives=FOUND_GIVES)
def search_memory(
    working: Working,
    query: Annotated[str, Between(1, sys.maxsize)],
    search_type: SearchType = SearchType.FACTS,
    kind: Kind | None = None,
    act: Act = "",
    since: Moment = "",
    until: Moment = "",
    limit: Limit = 10,
) -> Answer:
    """Find code, commits, memories, talks by names, words or meaning; call it before you grep."""
    companion = working.companion
    if search_type is SearchType.DECLARED:
        told = companion.facts(query)[:limit]
        return answers.both("facts", [answers.Row("fact", {"at": one.place}, one.says) for one in told]).cut(query)
    now = companion.now() if since or until else datetime.min
    try:
        times = parse_moment(since, now), parse_moment(until, now)
    except UsageError as wrong:  # which repeats what was given, be it a secret
        raise UsageError("`since` and `until` are moments.", wrong.next_step) from None
    turns = () if search_type is SearchType.FACTS else _turns(companion, query, act, times, limit)
    if search_type is SearchType.CONVERSATIONS:
        return answers.found((), turns).cut(query)
    wanted = SearchQuery(
        text=query,
        kinds=() if kind is None else (kind,),
        act=act,
        persona=working.persona,
        since=times[0],
        until=times[1],
        limit=limit,
        profile=Profile.LEARNED,
    )
    hits = companion.search(wanted)
    if turns:
        hits = tuple(hit for hit in hits if hit.sort != PassageKind.TURN)
    if not hits:
        need_reading(working)
    notices = (one for one in companion.notices() if one != QUERY_CUT)
    beside = (f"{one.partition(':')[0]}, not shown." if ARCHIVED_MATCH in one else one for one in notices)
    return answers.found(hits, turns, " ".join(beside)).cut(query)


def _turns(companion: Companion, query: str, act: str, times: Times, limit: int) -> tuple[TurnHit, ...]:
    """Turns of an act and a time, where these are given, best first."""
    first, last = times[0] or datetime.min, times[1] or datetime.max
    found = companion.find_turns(query, FOUND_MAX if any(times) else limit, act=act)
    return tuple(one for one in found if first <= one.turn.at <= last)[:limit]


@tool("remember", changes=True, listed=ToolChoice.SMALL)
def remember(
    working: Working,
    text: Annotated[str, Between(1, NOTE_MAX_CHARACTERS)],
    kind: Kind = Kind.FACT,
    scope: Annotated[str, Between(0, PATH_MAX_CHARACTERS), "Path it applies to."] = "",
    label: Annotated[str, Between(0, ID_MAX_CHARACTERS)] = "",
) -> Answer:
    """Keep a decision, rule or lesson when the user states or agrees to it, in a sentence with its reason.

    The answer names what it contradicts. Never secrets.
    """
    note = Note(text.strip(), kind, Scope(path=scope), label=label, assistant=working.assistant)
    memory = working.companion.remember(note)
    return answers.noted(memory, " ".join(working.companion.notices()))


@tool("forget", changes=True, takes_back=True, listed=ToolChoice.DEFAULT)
def forget(working: Working, id_: Id) -> Answer:
    """Archive a memory, on the user's word."""
    memory = working.companion.forget(id_)
    return answers.kept(memory, "Forgotten:", f"Undo: `companion revive {memory.id[:ID_SHOWN]}`.")


@tool("expand", listed=ToolChoice.SMALL)
def expand(
    working: Working,
    id_: Annotated[str, Between(1, ID_MAX_CHARACTERS), "Id, commit, file:PATH, history:PATH or topic:NAME."],
) -> Answer:
    """All behind an id or path that another tool named: a memory with its sources, a commit, a file."""
    return answers.opened(working.companion.expand(id_))


@tool("explain")
def explain(working: Working, id_: Annotated[str, Between(0, ID_MAX_CHARACTERS), "One item; else all."] = "") -> Answer:
    """Why the last context is as it is."""
    return answers.explained(working.companion.explain_last(id_ or None, None))


ROWS = (context, why, search_memory, remember, forget, expand, predict, explain)
