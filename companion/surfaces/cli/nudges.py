"""Command of nudges: what was offered unasked, what was kept back and why, and what one made of it."""

from __future__ import annotations

from collections.abc import Sequence

from companion.records.nudges import Nudge, NudgeAnswer, NudgeState
from companion.surfaces.cli.commands import words_for
from companion.surfaces.cli.options import HowMany
from companion.surfaces.cli.wording import ID_SHOWN


def _line(one: Nudge) -> str:
    """A nudge in two lines: what became of it, and what it says."""
    if one.state is NudgeState.OFFERED:
        became = f"offered, {'not answered' if one.answer is NudgeAnswer.NONE else one.answer.value}"
    else:
        became = f"kept back: {one.why}"
    return f"{one.id[:ID_SHOWN]}  {one.decided_at:%Y-%m-%d %H:%M}  {became}\n  {one.text}"


@words_for("nudges", limit=HowMany)
def nudges(found: Sequence[Nudge]) -> str:
    """List what was offered, with its answer, and what was kept back and why.

    Example: `companion nudges`
    """
    return "\n".join(map(_line, found)) or "Nothing was offered, and nothing kept back."
