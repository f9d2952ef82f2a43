"""Commands of what was said, handed back: history within a budget, the running array, sessions and their summaries."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated

from companion.api import SESSIONS_TOLD
from companion.records.talk import Turn
from companion.records.turn_history import Compaction, History, RunningArray, TalkProgress, TalkSession, TurnMove, Whole
from companion.surfaces.cli.commands import CommandAnswer, Companion, command, words_for
from companion.surfaces.cli.declared import Option, Positional
from companion.surfaces.cli.output import counted
from companion.surfaces.cli.talk_lines import said
from companion.surfaces.cli.wording import ID_SHOWN

Within = Annotated[str, Option("--in", metavar="TALK", help="Another conversation than the one going on.")]
With = Annotated[str, Option("--persona", help="With which assistant.")]
MESSAGE_SHOWN = 200
"""Characters of a message in a list; `--json` gives all."""


@words_for(
    "history",
    message=Positional(help="What is to be answered."),
    conversation=Within,
    budget_tokens=Option("--budget", "-b", help="Tokens at most.", show_default="4,400 as set"),
    back=Option("--back/--no-back", help="Look further back, or not.", show_default="as the message says"),
)
def history(found: History) -> str:
    """What was said before, as an assistant is handed it for its answer; never over the budget.

    Example: `companion talk history "What did we decide about retries?"`
    """
    if not found.text:
        return "\n".join(["Nothing was said yet.", *found.missing])
    why = f"Looked back: {found.looked_back}. " if found.looked_back else ""
    left = f"; {counted(len(found.dropped), 'turn')} found no room" if found.dropped else ""
    held = f"{why}{found.tokens:,} of {found.budget_tokens:,} tokens ({found.tokenizer}){left}."
    return "\n".join([found.text, "", held, *found.missing])


@words_for("recall_turn", id_=Positional(metavar="ID", help="A turn's id or the start of one."))
def turn(found: Turn) -> str:
    """Show a turn in full; one of long ago stays in histories until the session is over.

    Example: `companion talk turn t1a2b3c4`
    """
    return said(found)


@words_for("running", persona=With)
def array(found: RunningArray) -> str:
    """Show the one array of messages that a host may replay: a summary of what is older, then every message.

    Example: `companion talk array --json`
    """
    lines = [f"{one.at:%Y-%m-%d %H:%M} {one.role.value}: {_line(one.text)}" for one in found.messages]
    held = f"{counted(found.turns, 'turn')}, {found.tokens:,} of {found.threshold_tokens:,} tokens"
    return "\n".join([*lines, held + (f", {counted(found.block.turns, 'turn')} summed up" if found.block else "")])


@words_for("compact", persona=With, now_at_once=Option("--now", help="Also where the array is not too long yet."))
def compact(found: Compaction) -> str:
    """Sum up the older turns of the array, by the note `compaction.md`; every turn stays in its transcript.

    Example: `companion talk compact --now`
    """
    if found.error:
        return f"Nothing was summed up, every turn stays as it was said: {found.error}"
    if not found.turns or found.block is None:
        return f"There is nothing to sum up: {found.tokens_before:,} tokens. `--now` does it all the same."
    done = f"{counted(found.turns, 'turn')} summed up by {found.block.made_by}"
    return f"{done}: {found.tokens_before:,} tokens are {found.tokens_after:,} now."


@command(anywhere=True)
def sessions(
    companion: Companion,
    persona: Annotated[str, Option("--persona", help="With one assistant alone.", show_default="all")] = "*",
    limit: Annotated[int, Option("--limit", "-n", help="How many.")] = SESSIONS_TOLD,
) -> CommandAnswer:
    """List sessions, the newest first, with what they came to.

    Example: `companion talk sessions`
    """
    found = companion.sessions(persona, limit)
    state = companion.talk_progress("" if persona == "*" else persona)
    shown = [*map(_session, found), _progress(state)] if found else ["Nothing was said yet."]
    return CommandAnswer({"sessions": found, "state": state}, "\n\n".join(shown))


def _session(one: TalkSession) -> str:
    state = "over" if one.ended_at else "going on"
    head = f"{one.started_at:%Y-%m-%d %H:%M} to {one.last_turn_at:%H:%M}, {counted(one.turns, 'turn')}, {state}"
    lines = [f"{head}{f', with {one.persona}' if one.persona else ''}"]
    if (came_to := one.summary) is not None:
        lines.append(f"  {came_to.line} ({came_to.tone})")
        for name, told in (("Open", came_to.open_loops), ("To do", came_to.commitments), ("People", came_to.people)):
            lines += [f"  {name}: {'; '.join(told)}"] if told else []
    elif one.rolling:
        lines.append(f"  {one.rolling[-1].text}")
    return "\n".join(lines)


def _progress(state: TalkProgress) -> str:
    failed = f" Summing up failed last time: {state.error}" if state.error else ""
    said = f"{counted(state.turns, 'turn')} in {counted(state.sessions, 'session')}"
    return f"{said}; {state.array_tokens:,} tokens in the array.{failed}"


@words_for("whole_summary", version=Option("--version", help="An earlier one.", show_default="the newest"))
def whole(found: Whole) -> str:
    """Show the summary of everything: who you are, what is worked on, with whom, what is open.

    Example: `companion talk whole`
    """
    if not found.version:
        return "There is no summary yet: it is made every 20 turns."
    parts = (("You", found.profile), ("Projects", found.projects), ("People", found.people), ("Open", found.open_loops))
    shown = [f"Version {found.version}, after {counted(found.turns, 'turn')}"]
    shown += ["\n".join([name, *(f"  {line}" for line in lines)]) for name, lines in parts if lines]
    return "\n\n".join(shown)


@words_for("turn_moves", conversation=Within, limit=Option("--limit", "-n", help="How many."))
def moves(found: Sequence[TurnMove]) -> str:
    """List which turns became warmer or colder, and why, the latest first.

    Example: `companion talk moves`
    """
    lines = [f"{one.at:%Y-%m-%d %H:%M} {one.turn[:ID_SHOWN]} {one.before} -> {one.after}, {one.why}" for one in found]
    return "\n".join(lines) or "No turn has moved yet."


def _line(text: str) -> str:
    flat = " ".join(text.split())
    return flat if len(flat) <= MESSAGE_SHOWN else f"{flat[:MESSAGE_SHOWN]}…"
