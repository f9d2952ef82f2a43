"""Tools about what cannot both be true: shown, and settled as the user decided."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from companion.api import Verdict
from companion.records import Resolution
from companion.surfaces.mcp import answers
from companion.surfaces.mcp.answers import Answer
from companion.surfaces.mcp.asks import NOTE_MAX_CHARACTERS, PATH_MAX_CHARACTERS, Id, Limit, Reason
from companion.surfaces.mcp.tool import Tool, Working
from companion.surfaces.mcp.tools.memories import need_reading
from companion.wire import Between


@dataclass(frozen=True, slots=True, kw_only=True)
class ContradictionsAsk:
    """What cannot both be true?"""

    settled: Annotated[bool, "Settled ones too."] = False
    limit: Limit = 10


@dataclass(frozen=True, slots=True, kw_only=True)
class _ResolveAsk:
    """Settle this as the user says."""

    id: Id
    resolution: Resolution
    note: Reason = ""
    scope_a: Annotated[str, Between(0, PATH_MAX_CHARACTERS), "For both_valid, as path=deploy."] = ""
    scope_b: Annotated[str, Between(0, PATH_MAX_CHARACTERS)] = ""
    merged: Annotated[str, Between(0, NOTE_MAX_CHARACTERS), "What is true."] = ""


def _contradictions(working: Working, ask: ContradictionsAsk) -> Answer:
    pairs = working.companion.contradictions(settled=ask.settled)
    if not pairs:
        need_reading(working)
    return answers.opposed(pairs, ask.limit)


def _resolve(working: Working, ask: _ResolveAsk) -> Answer:
    from companion.surfaces.cli.settling import parse_scope

    verdict = Verdict(
        ask.resolution,
        ask.note,
        scope_a=parse_scope(ask.scope_a) if ask.scope_a else None,
        scope_b=parse_scope(ask.scope_b) if ask.scope_b else None,
        merged=ask.merged.strip(),
    )
    return answers.opposed((working.companion.settle(ask.id, verdict),), 1)


ROWS: tuple[Tool, ...] = (
    Tool("contradictions", "Memories that cannot both be true.", ContradictionsAsk, _contradictions),
    Tool(
        "resolve_contradiction",
        "Settle one as the user decided.",
        _ResolveAsk,
        _resolve,
        changes=True,
        takes_back=True,
    ),
)
