"""Commands of what was said, handed back: history within a budget, the running array, sessions and their summaries."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from companion.api import MOVES_TOLD, SESSIONS_TOLD
from companion.records.turns import Compaction, History, TalkProgress, TalkSession, Whole
from companion.surfaces.cli.options import AsJson, Repo, companion_for
from companion.surfaces.cli.output import counted, print_answer, print_json, print_text
from companion.surfaces.cli.spoken import said
from companion.surfaces.cli.told import ID_SHOWN, printable

Within = Annotated[str, typer.Option("--in", metavar="ID", help="Another conversation than the one going on.")]
With = Annotated[str, typer.Option("--persona", help="With which assistant.")]
MESSAGE_SHOWN = 200
"""Characters of a message in a list; `--json` gives all."""


def history(
    message: Annotated[str, typer.Argument(help="What is to be answered.")] = "",
    within: Within = "",
    budget: Annotated[
        int | None, typer.Option("--budget", "-b", help="Tokens at most.", show_default="4,400 as set")
    ] = None,
    back: Annotated[
        bool | None,
        typer.Option("--back/--no-back", help="Look further back, or not.", show_default="as the message says"),
    ] = None,
    as_json: AsJson = False,
    repo: Repo = Path(),
) -> None:
    """What was said before, as an assistant is handed it for its answer; never over the budget.

    Example: `companion talk history "What did we decide about retries?"`
    """
    with companion_for(repo, anywhere=True) as companion:
        found = companion.history(message, within, budget, back=back)
    print_answer(found, "\n".join([_shown(found), *found.missing]), as_json)


def turn(
    id_: Annotated[str, typer.Argument(metavar="ID", help="A turn's id or the start of one.")],
    as_json: AsJson = False,
    repo: Repo = Path(),
) -> None:
    """Show a turn in full; one of long ago stays in histories until the session is over.

    Example: `companion talk turn t1a2b3c4`
    """
    with companion_for(repo, anywhere=True) as companion:
        found = companion.recall_turn(id_)
    print_json(found) if as_json else print_text(said(found))


def array(persona: With = "", as_json: AsJson = False, repo: Repo = Path()) -> None:
    """Show the one array of messages that a host may replay: a summary of what is older, then every message.

    Example: `companion talk array --json`
    """
    with companion_for(repo, anywhere=True) as companion:
        found = companion.running(persona)
    if as_json:
        print_json(found)
        return
    lines = [f"{one.at:%Y-%m-%d %H:%M} {one.role.value}: {_line(one.text)}" for one in found.messages]
    held = f"{counted(found.turns, 'turn')}, {found.tokens:,} of {found.threshold_tokens:,} tokens"
    print_text("\n".join([*lines, held + (f", {counted(found.block.turns, 'turn')} summed up" if found.block else "")]))


def compact(
    persona: With = "",
    at_once: Annotated[bool, typer.Option("--now", help="Also where the array is not too long yet.")] = False,
    as_json: AsJson = False,
    repo: Repo = Path(),
) -> None:
    """Sum up the older turns of the array, by the note `compaction.md`; every turn stays in its transcript.

    Example: `companion talk compact --now`
    """
    with companion_for(repo, anywhere=True) as companion:
        found = companion.compact(persona, now_at_once=at_once)
    print_json(found) if as_json else print_text(_compacted(found))


def sessions(
    persona: Annotated[str, typer.Option("--persona", help="With one assistant alone.", show_default="all")] = "*",
    limit: Annotated[int, typer.Option("--limit", "-n", help="How many.")] = SESSIONS_TOLD,
    as_json: AsJson = False,
    repo: Repo = Path(),
) -> None:
    """List sessions, the newest first, with what they came to.

    Example: `companion talk sessions`
    """
    with companion_for(repo, anywhere=True) as companion:
        found = companion.sessions(persona, limit)
        state = companion.talk_progress("" if persona == "*" else persona)
    print_answer(
        {"sessions": found, "state": state},
        "\n\n".join([*map(_session, found), _progress(state)] if found else ["Nothing was said yet."]),
        as_json,
    )


def whole(
    version: Annotated[int, typer.Option("--version", help="An earlier one.", show_default="the newest")] = 0,
    as_json: AsJson = False,
    repo: Repo = Path(),
) -> None:
    """Show the summary of everything: who you are, what is worked on, with whom, what is open.

    Example: `companion talk whole`
    """
    with companion_for(repo, anywhere=True) as companion:
        found = companion.whole_summary(version)
    print_json(found) if as_json else print_text(_whole(found))


def moves(
    within: Within = "",
    limit: Annotated[int, typer.Option("--limit", "-n", help="How many.")] = MOVES_TOLD,
    as_json: AsJson = False,
    repo: Repo = Path(),
) -> None:
    """List which turns became warmer or colder, and why, the latest first.

    Example: `companion talk moves`
    """
    with companion_for(repo, anywhere=True) as companion:
        found = companion.turn_moves(within, limit)
    if as_json:
        print_json(found)
    else:
        lines = [
            f"{one.at:%Y-%m-%d %H:%M} {one.turn[:ID_SHOWN]} {one.before} -> {one.after}, {one.why}" for one in found
        ]
        print_text("\n".join(lines) or "No turn has moved yet.")


def _shown(found: History) -> str:
    if not found.text:
        return "Nothing was said yet."
    why = f"Looked back: {found.looked_back}. " if found.looked_back else ""
    left = f"; {counted(len(found.dropped), 'turn')} found no room" if found.dropped else ""
    text = "\n".join(map(printable, found.text.split("\n")))
    return f"{text}\n\n{why}{found.tokens:,} of {found.budget_tokens:,} tokens ({found.tokenizer}){left}."


def _session(one: TalkSession) -> str:
    state = "over" if one.ended_at else "going on"
    head = f"{one.started_at:%Y-%m-%d %H:%M} to {one.last_turn_at:%H:%M}, {counted(one.turns, 'turn')}, {state}"
    lines = [f"{head}{f', with {printable(one.persona)}' if one.persona else ''}"]
    if (came_to := one.summary) is not None:
        lines.append(f"  {printable(came_to.line)} ({came_to.tone})")
        for name, told in (("Open", came_to.open_loops), ("To do", came_to.commitments), ("People", came_to.people)):
            lines += [f"  {name}: {printable('; '.join(told))}"] if told else []
    elif one.rolling:
        lines.append(f"  {printable(one.rolling[-1].text)}")
    return "\n".join(lines)


def _progress(state: TalkProgress) -> str:
    failed = f" Summing up failed last time: {printable(state.error)}" if state.error else ""
    said = f"{counted(state.turns, 'turn')} in {counted(state.sessions, 'session')}"
    return f"{said}; {state.array_tokens:,} tokens in the array.{failed}"


def _compacted(found: Compaction) -> str:
    if found.error:
        return f"Nothing was summed up, every turn stays as it was said: {printable(found.error)}"
    if not found.turns or found.block is None:
        return f"There is nothing to sum up: {found.tokens_before:,} tokens. `--now` does it all the same."
    done = f"{counted(found.turns, 'turn')} summed up by {printable(found.block.made_by)}"
    return f"{done}: {found.tokens_before:,} tokens are {found.tokens_after:,} now."


def _whole(found: Whole) -> str:
    if not found.version:
        return "There is no summary yet: it is made every 20 turns."
    parts = (("You", found.profile), ("Projects", found.projects), ("People", found.people), ("Open", found.open_loops))
    shown = [f"Version {found.version}, after {counted(found.turns, 'turn')}"]
    shown += ["\n".join([name, *(f"  {printable(line)}" for line in lines)]) for name, lines in parts if lines]
    return "\n\n".join(shown)


def _line(text: str) -> str:
    flat = printable(" ".join(text.split()))
    return flat if len(flat) <= MESSAGE_SHOWN else f"{flat[:MESSAGE_SHOWN]}…"
