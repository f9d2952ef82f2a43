"""Tools about what cannot both be true: shown, and settled as the user decided."""

from __future__ import annotations

from typing import Annotated

from companion.api import Verdict
from companion.records import Resolution
from companion.surfaces.mcp import answers
from companion.surfaces.mcp.answers import Answer
from companion.surfaces.mcp.asks import NOTE_MAX_CHARACTERS, PATH_MAX_CHARACTERS, Id, Limit, Reason
from companion.surfaces.mcp.tool import Working, tool
from companion.surfaces.mcp.tools.memories import need_reading
from companion.wire import Between


@tool("contradictions")
def contradictions(
    working: Working, settled: Annotated[bool, "Settled ones too."] = False, limit: Limit = 10
) -> Answer:
    """Memories that cannot both be true."""
    pairs = working.companion.contradictions(settled=settled)
    if not pairs:
        need_reading(working)
    return answers.opposed(pairs, limit)


@tool("resolve", changes=True, takes_back=True)
def resolve_contradiction(
    working: Working,
    id_: Id,
    resolution: Resolution,
    note: Reason = "",
    scope_a: Annotated[str, Between(0, PATH_MAX_CHARACTERS), "For both_valid, as path=deploy."] = "",
    scope_b: Annotated[str, Between(0, PATH_MAX_CHARACTERS)] = "",
    merged: Annotated[str, Between(0, NOTE_MAX_CHARACTERS), "What is true."] = "",
) -> Answer:
    """Settle one as the user decided."""
    from companion.surfaces.cli.settling import parse_scope

    a, b = (parse_scope(scope) if scope else None for scope in (scope_a, scope_b))
    verdict = Verdict(resolution, note, a, b, merged.strip())
    return answers.opposed((working.companion.settle(id_, verdict),), 1)


ROWS = (contradictions, resolve_contradiction)
