"""Commands of nudges: what was offered unasked, what was kept back and why, and what one makes of it."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

from companion.records.nudges import Nudge, NudgeAnswer, NudgeState
from companion.surfaces.cli.commands import Companion, command, words_for
from companion.surfaces.cli.declared import CommandGroup, Option, Positional
from companion.surfaces.cli.options import HowMany, choice_of
from companion.surfaces.cli.wording import ID_SHOWN

ANSWERS = [one.value for one in NudgeAnswer if one is not NudgeAnswer.NONE]

nudges_app = CommandGroup("Suggestions, and what is kept back.")


def _line(one: Nudge) -> str:
    """A nudge in two lines: what became of it, and what it says."""
    if one.state is NudgeState.OFFERED:
        became = f"offered, {'not answered' if one.answer is NudgeAnswer.NONE else one.answer.value}"
    else:
        became = f"kept back: {one.why}"
    return f"{one.id[:ID_SHOWN]}  {one.decided_at:%Y-%m-%d %H:%M}  {became}\n  {one.text}"


def _offered(one: Nudge | None) -> str:
    if one is None:
        return "Nothing. `companion nudges` says what is kept back and why."
    return f"{one.text}\nAnswer: companion nudges answer {one.id[:ID_SHOWN]} done"


@nudges_app.by_itself
@words_for("nudges", limit=HowMany)
def nudges(found: Sequence[Nudge]) -> str:
    """List what was offered, with its answer, and what was kept back and why.

    Example: `companion nudges`
    """
    return "\n".join(map(_line, found)) or "Nothing was offered, and nothing kept back."


@nudges_app.command("next")
@command(_offered, anywhere=True)
def next_(
    companion: Companion, file: Annotated[str, Option("--file", "-f", help="The current file.")] = ""
) -> Nudge | None:
    """Ask for what an editor would be offered now: at most one thing, and each only once.

    Example: `companion nudges next`
    """
    return companion.offer_nudge(str(Path(file).absolute()) if file else "")


@nudges_app.command()
@command(_line, anywhere=True)
def answer(
    companion: Companion,
    id_: Annotated[str, Positional(metavar="ID", help="The id of an offer, or its start.")],
    said: Annotated[str, Positional(metavar="ANSWER", help=", ".join(ANSWERS))],
) -> Nudge:
    """Answer an offer: `done` resolves the task or ends the conversation for review, `never` is for good.

    Example: `companion nudges answer n1ab34 later`
    """
    return companion.answer_nudge(id_, choice_of(NudgeAnswer, said, "answer", NudgeAnswer.NONE))
