"""The tools: a row each, with what it is asked, what it does and what it may change."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Any

from companion.api import Companion, Note, Order, Verdict
from companion.config import data_home, load_settings
from companion.records import Activity, Scope, SearchQuery, Signals
from companion.records.search import Profile
from companion.surfaces.mcp import answers
from companion.surfaces.mcp.answers import ID_SHOWN, Answer
from companion.surfaces.mcp.asks import (
    ContextAsk,
    ContradictionsAsk,
    ErrorAsk,
    ExpandAsk,
    ExplainAsk,
    ForgetAsk,
    Outcome,
    PredictAsk,
    RememberAsk,
    ResolveAsk,
    SearchAsk,
    SearchType,
    UseAsk,
)


class Choice(StrEnum):
    """How many tools are offered: all, or the few that a small model can keep apart."""

    FULL = "full"
    SMALL = "small"


@dataclass(frozen=True, slots=True)
class Working:
    """Where a client works: a companion, and the root of the repository that it answers for."""

    companion: Companion
    root: Path

    def at_hand(self, file: str) -> str:
        """A file as the verbs take it: absolute; a relative one is meant from the root."""
        return str(self.root / file) if file else ""


@dataclass(frozen=True, slots=True)
class Tool:
    """A tool: what it is for, what it is asked with, and how it is answered.

    `changes` says that it writes; `takes_back` that it takes something out of what is shown.
    """

    name: str
    says: str
    ask: type
    answer: Callable[[Working, Any], Answer]
    changes: bool = False
    takes_back: bool = False
    small: bool = False


def default_budget() -> int:
    """The budget in tokens where none is asked for."""
    return load_settings(data_home()).budget_tokens


def assembled(working: Working, ask: ContextAsk) -> str:
    """The context for what is at hand, what changes least first, so that a model's cache holds."""
    signals = Signals(
        current_file=working.at_hand(ask.file),
        query=ask.query,
        errors=(ask.error,) if ask.error else (),
        activity=ask.activity,
    )
    budget = default_budget() if ask.budget is None else ask.budget
    return working.companion.assemble(budget, signals, ask.format, Order.ASSISTANTS).text


def _need_reading(working: Working) -> None:
    """That nothing was found says little where nothing was read. Raises NotReadYet there."""
    working.companion.at_work()


def _context(working: Working, ask: ContextAsk) -> Answer:
    return Answer(assembled(working, ask))


def _error_help(working: Working, ask: ErrorAsk) -> Answer:
    wanted = ContextAsk(error=ask.error, file=ask.file, budget=ask.budget, activity=Activity.DEBUGGING)
    return Answer(assembled(working, wanted))


def _predict(working: Working, ask: PredictAsk) -> Answer:
    signals = Signals(current_file=working.at_hand(ask.file), query=ask.query, errors=(ask.error,) if ask.error else ())
    return answers.expected(working.companion.predict(signals), ask.limit)


def _search(working: Working, ask: SearchAsk) -> Answer:
    turns = () if ask.search_type is SearchType.FACTS else working.companion.find_turns(ask.query, ask.limit)
    if ask.search_type is SearchType.CONVERSATIONS:
        return answers.found((), turns)
    kinds = () if ask.kind is None else (ask.kind,)
    wanted = SearchQuery(text=ask.query, kinds=kinds, limit=ask.limit, profile=Profile.LEARNED)
    hits = working.companion.search(wanted)
    if not hits:
        _need_reading(working)
    return answers.found(hits, turns)


def _remember(working: Working, ask: RememberAsk) -> Answer:
    note = Note(text=ask.text.strip(), kind=ask.kind, scope=Scope(path=ask.scope), label=ask.label)
    memory = working.companion.remember(note)
    return answers.kept(memory, "Remembered as", f"Undo: forget {memory.id[:ID_SHOWN]}.")


def _forget(working: Working, ask: ForgetAsk) -> Answer:
    memory = working.companion.forget(ask.id)
    return answers.kept(memory, "Forgotten:", f"Undo: `companion revive {memory.id[:ID_SHOWN]}`.")


def _expand(working: Working, ask: ExpandAsk) -> Answer:
    return answers.opened(working.companion.expand(ask.id))


def _explain(working: Working, ask: ExplainAsk) -> Answer:
    return answers.explained(working.companion.explain_last(ask.id or None, None))


def _contradictions(working: Working, ask: ContradictionsAsk) -> Answer:
    pairs = working.companion.contradictions(settled=ask.settled)
    if not pairs:
        _need_reading(working)
    return answers.opposed(pairs, ask.limit)


def _resolve(working: Working, ask: ResolveAsk) -> Answer:
    from companion.surfaces.cli.settling import parse_scope

    verdict = Verdict(
        ask.resolution,
        ask.note,
        scope_a=parse_scope(ask.scope_a) if ask.scope_a else None,
        scope_b=parse_scope(ask.scope_b) if ask.scope_b else None,
        merged=ask.merged.strip(),
    )
    return answers.opposed((working.companion.settle(ask.id, verdict),), 1)


def _record_use(working: Working, ask: UseAsk) -> Answer:
    if ask.outcome is Outcome.CITED:
        working.companion.cite(ask.ids, ask.action)
    else:
        working.companion.pass_over(ask.ids, ask.action)
    return answers.plain(f"Noted for {len(ask.ids)} memories.")


TOOLS: tuple[Tool, ...] = (
    Tool(
        "context",
        "What is known for the work at hand: code, decisions, conventions, history. Call first.",
        ContextAsk,
        _context,
        small=True,
    ),
    Tool("predict", "Files and memories likely needed next.", PredictAsk, _predict),
    Tool("search_memory", "Find memories by words, meaning or file.", SearchAsk, _search, small=True),
    Tool(
        "remember",
        "Keep a decision, fact or lesson that the user stated or agreed to. Never secrets.",
        RememberAsk,
        _remember,
        changes=True,
        small=True,
    ),
    Tool("forget", "Archive a memory, on the user's word.", ForgetAsk, _forget, changes=True, takes_back=True),
    Tool("expand", "A memory or file in full, with sources and versions.", ExpandAsk, _expand, small=True),
    Tool("explain", "Why the last context holds what it does.", ExplainAsk, _explain),
    Tool("contradictions", "Memories that cannot both be true.", ContradictionsAsk, _contradictions),
    Tool(
        "resolve_contradiction",
        "Settle a contradiction as the user decided.",
        ResolveAsk,
        _resolve,
        changes=True,
        takes_back=True,
    ),
    Tool("record_use", "Tell which memories helped or did not.", UseAsk, _record_use, changes=True),
    Tool("error_help", "Earlier causes and fixes of an error, with the code around it.", ErrorAsk, _error_help),
)
ALIASES: Mapping[str, str] = {"search_memories": "search_memory"}
"""Other names that are understood and not listed: a second row would cost every request its tokens."""


def offered(choice: Choice) -> tuple[Tool, ...]:
    """The tools that a client is told of."""
    return tuple(tool for tool in TOOLS if tool.small or choice is Choice.FULL)


def tool_of(name: str, choice: Choice) -> Tool | None:
    """The tool of a name or another name for it; None if none is offered."""
    wanted = ALIASES.get(name, name)
    return next((tool for tool in offered(choice) if tool.name == wanted), None)
