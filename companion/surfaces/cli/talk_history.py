"""Commands of what was said, handed back: history within a budget, sessions and their summaries."""

from __future__ import annotations

from typing import Annotated

from companion.api import SESSIONS_TOLD
from companion.records.turn_history import History, TalkProgress, TalkSession, Whole
from companion.records.wording import counted
from companion.surfaces.cli.commands import CommandAnswer, Companion, command, words_for
from companion.surfaces.cli.declared import Option, Positional


@words_for(
    "history",
    message=Positional(help="What is to be answered."),
    conversation=Option("--in", metavar="TALK", help="Another conversation than the one going on."),
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
