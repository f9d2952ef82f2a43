"""Commands of nudges: what was offered unasked, what was kept back and why, and what one makes of it."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from companion.api import NUDGES_TOLD
from companion.records.nudges import Nudge, NudgeAnswer, NudgeState
from companion.surfaces.cli.options import AsJson, Repo, companion_for, one_of
from companion.surfaces.cli.output import print_answer, print_json, print_text
from companion.surfaces.cli.told import ID_SHOWN, printable

ANSWERS = [one.value for one in NudgeAnswer if one is not NudgeAnswer.NONE]

nudges_app = typer.Typer(invoke_without_command=True, help="What is offered unasked, and what is kept back.")


@nudges_app.callback()
def nudges(
    ctx: typer.Context,
    limit: Annotated[int, typer.Option("--limit", help="How many.")] = NUDGES_TOLD,
    as_json: AsJson = False,
    repo: Repo = Path(),
) -> None:
    """List what was offered, with its answer, and what was kept back and why.

    Example: `companion nudges`
    """
    if ctx.invoked_subcommand is not None:
        return
    with companion_for(repo, anywhere=True) as companion:
        found = companion.nudges(limit)
    print_answer(
        found, "\n".join(_line(one) for one in found) or "Nothing was offered, and nothing kept back.", as_json
    )


@nudges_app.command("next")
def next_(
    file: Annotated[str, typer.Option("--file", "-f", help="The file at hand.")] = "",
    as_json: AsJson = False,
    repo: Repo = Path(),
) -> None:
    """Ask for what an editor would be offered now: at most one thing, and each only once.

    Example: `companion nudges next`
    """
    with companion_for(repo, anywhere=True) as companion:
        one = companion.offer_nudge(str(Path(file).absolute()) if file else "")
    if as_json:
        print_json(one)
    elif one is None:
        print_text("Nothing. `companion nudges` says what is kept back and why.")
    else:
        print_text(f"{printable(one.text)}\nAnswer: companion nudges answer {one.id[:ID_SHOWN]} done")


@nudges_app.command()
def answer(
    id_: Annotated[str, typer.Argument(metavar="ID", help="The id of an offer, or its start.")],
    said: Annotated[str, typer.Argument(metavar="ANSWER", help=", ".join(ANSWERS))],
    as_json: AsJson = False,
    repo: Repo = Path(),
) -> None:
    """Answer an offer: `done` settles the task or ends the conversation for review, `never` is for good.

    Example: `companion nudges answer n1ab34 later`
    """
    meant = NudgeAnswer(one_of(said, ANSWERS, "answer"))
    with companion_for(repo, anywhere=True) as companion:
        one = companion.answer_nudge(id_, meant)
    print_json(one) if as_json else print_text(_line(one))


def _line(one: Nudge) -> str:
    """A nudge in two lines: what became of it, and what it says."""
    if one.state is NudgeState.OFFERED:
        became = f"offered, {'not answered' if one.answer is NudgeAnswer.NONE else one.answer.value}"
    else:
        became = f"kept back: {one.why}"
    return f"{one.id[:ID_SHOWN]}  {one.decided_at:%Y-%m-%d %H:%M}  {became}\n  {printable(one.text)}"
