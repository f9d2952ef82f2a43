"""The tool about what cannot both be true: shown, and settled as the user decided."""

from __future__ import annotations

from typing import Annotated

from companion.api import Verdict
from companion.errors import UsageError
from companion.records import Resolution
from companion.surfaces.mcp import answers
from companion.surfaces.mcp.answers import Answer
from companion.surfaces.mcp.asks import NOTE_MAX_CHARACTERS, PATH_MAX_CHARACTERS, Limit, MaybeId, Reason
from companion.surfaces.mcp.tool import ToolChoice, Working, tool
from companion.surfaces.mcp.tools.memories import need_reading
from companion.wire import Between


@tool("contradictions", "resolve", changes=True, takes_back=True, listed=ToolChoice.DEFAULT)
def contradictions(
    working: Working,
    settled: Annotated[bool, "Resolved ones too."] = False,
    limit: Limit = 10,
    id_: MaybeId = "",
    resolution: Resolution | None = None,
    note: Reason = "",
    scope_a: Annotated[str, Between(0, PATH_MAX_CHARACTERS), "For both_valid, as path=deploy."] = "",
    scope_b: Annotated[str, Between(0, PATH_MAX_CHARACTERS)] = "",
    merged: Annotated[str, Between(0, NOTE_MAX_CHARACTERS), "For merged: what is true."] = "",
) -> Answer:
    """Memories that cannot both be true: call it where two of them disagree.

    With `id` and `resolution` it resolves one, as the user decided.
    """
    if bool(id_) != (resolution is not None):
        missing = "resolution" if id_ else "id"
        raise UsageError(f"`{missing}` is missing.", "`id` and `resolution` resolve one; without both, all are listed.")
    if resolution is not None:
        from companion.surfaces.cli.contradictions import parse_scope

        a, b = (parse_scope(scope) if scope else None for scope in (scope_a, scope_b))
        verdict = Verdict(resolution, note, a, b, merged.strip())
        return answers.opposed((working.companion.settle(id_, verdict),), 1)
    pairs = working.companion.contradictions(settled=settled)
    if not pairs:
        need_reading(working)
    return answers.opposed(pairs, limit)


ROWS = (contradictions,)
