"""Commands of what conversations left: open threads, things to do, what a day begins with."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import groupby
from typing import Annotated

import typer

from companion.api import LONG_OVERDUE_DAYS, Greeting, Todo
from companion.errors import UsageError
from companion.records import Memory
from companion.records.talk import UNTITLED, Item, ItemType, TalkState, TodoSort
from companion.surfaces.cli.commands import CommandAnswer, Companion, command
from companion.surfaces.cli.options import HowMany, Persona, choice_of
from companion.surfaces.cli.spoken import line_of
from companion.surfaces.cli.told import ID_SHOWN

NAMES = {
    ItemType.QUESTION: "Open questions",
    ItemType.BLOCKER: "Blocked",
    ItemType.WAITING_ON: "Waiting on",
    ItemType.TASK: "To do",
    ItemType.DECISION: "Decided",
    ItemType.PRIORITY: "Priorities",
    ItemType.PERSON: "People",
    ItemType.INSIGHT: "Learned",
    ItemType.ACT: "About",
}
SHOWN = {
    "who": "",
    "due": "due ",
    "overdue_since": "overdue since ",
    "why": "because ",
    "priority": "",
    "status": "",
    "sort": "a ",
}
"""Details that are shown beside an item, and how they are said."""
USUAL = "decided"
"""The status of what is to be done: it goes without saying."""


@command(anywhere=True)
def threads(
    companion: Companion,
    type_: Annotated[str, typer.Option("--type", help="question, blocker, waiting-on, task; or another sort.")] = "",
    act: Annotated[str, typer.Option("--act", help="Of one act alone.")] = "",
    settle: Annotated[str, typer.Option("--settle", metavar="ID", help="Settle one by hand.")] = "",
    persona: Persona = "",
    limit: HowMany = 100,
) -> CommandAnswer:
    """List what conversations left open: questions, blockers, what is waited for, tasks.

    Example: `companion threads --type waiting-on`
    """
    wanted = (choice_of(ItemType, type_, "type"),) if type_ else ()
    if settle:
        one = companion.settle_thread(settle)
        return CommandAnswer(one, f"Settled {one.id[:ID_SHOWN]}: {one.text}")
    found = companion.threads(wanted, act, persona, limit)
    return CommandAnswer(found, listed(found) or "Nothing is open.")


@command(anywhere=True)
def todo(
    companion: Companion,
    text: Annotated[str, typer.Argument(help="What is to be done; without it, all that is open is listed.")] = "",
    sort: Annotated[str, typer.Option("--as", help="commitment, habit, thread or friction.")] = "commitment",
    due: Annotated[str, typer.Option("--due", metavar="DAY", help="Until when: 2026-01-31.")] = "",
    who: Annotated[str, typer.Option("--waiting-on", metavar="WHO", help="Whom it waits for.")] = "",
    act: Annotated[str, typer.Option("--act", help="The act it belongs to.", show_default="Your Story")] = "",
    persona: Persona = "",
    done: Annotated[str, typer.Option("--done", metavar="ID", help="Settle one.")] = "",
) -> CommandAnswer:
    """Keep something to do, or list what is: commitments, habits, threads and frictions, said in talk or by hand.

    Example: `companion todo "Send the invoice" --due 2026-01-31`
    """
    if done and text:
        raise UsageError("--done and a new to-do do not go together.", "Give one of them.")
    if text:
        wanted = choice_of(TodoSort, sort, "sort of to-do")
        kept = companion.add_todo(Todo(text, wanted, due, who, act, persona))
        return CommandAnswer(kept, listed([kept]))
    if done:
        settled = companion.settle_thread(done)
        return CommandAnswer(settled, f"Done: {settled.text}")
    found = companion.threads((), act, persona)
    return CommandAnswer(found, listed(found) or "Nothing is to be done.")


def told_greeting(found: Greeting) -> str:
    """What a day begins with, in words."""
    parts = []
    if (one := found.waiting_talk) is not None:
        further = "companion review" if one.state is TalkState.READY_TO_CLOSE else "companion talk add TEXT"
        within = f"  ({found.talk_project})" if found.talk_project else ""
        parts.append(f"{line_of(one)}{within}\nGo on: {further}")
    sorts = (
        ("Overdue", found.overdue),
        ("Due within a week", found.due),
        ("Open", found.threads),
        ("Waiting on", found.waiting_on),
        ("Not spoken of for days", found.stale),
        ("Decided this week", found.decisions),
    )
    for project in dict.fromkeys(one.project for _, items in sorts for one in items):
        lines = []
        for name, items in sorts:
            mine = [one for one in items if one.project == project]
            lines += [name, *_placed(mine)] if mine else []
        name = next(one.project_name for _, items in sorts for one in items if one.project == project)
        parts.append("\n".join([f"{name or 'Of no project'}:", *(f"  {line}" for line in lines)]))
    if found.long_overdue:
        parts.append(f"Overdue for more than {LONG_OVERDUE_DAYS} days: {found.long_overdue}  (companion todo)")
    if found.ended:
        parts.append("\n".join(["Over by its own words  (companion revive ID)", *map(_ended, found.ended)]))
    if found.open_elsewhere:
        open_ = ", ".join(f"{name} {count}" for name, count in found.open_elsewhere.items())
        due = _placed(found.elsewhere, projects=True)
        parts.append("\n".join([f"Open elsewhere: {open_}  (companion greeting --all)", *due]))
    if waits := _waits(found):
        parts.append(waits)
    return "\n\n".join(parts) or "Nothing is open, and nothing is due."


@command(told_greeting, anywhere=True)
def greeting(
    companion: Companion,
    persona: Persona = "",
    everywhere: Annotated[bool, typer.Option("--all", help="Of all projects alike.")] = False,
) -> Greeting:
    """What a day begins with: the conversation to go on with, or what is overdue, due, open, decided and stale here.

    Example: `companion greeting`
    """
    return companion.greeting(persona, everywhere=everywhere)


def _waits(found: Greeting) -> str:
    """How much there is to settle and to judge, in a line."""
    of, asked = found.contradictions, found.questions
    told = [f"{of} contradiction{'' if of == 1 else 's'} to settle: `companion contradictions`"] if of else []
    if asked:
        from companion.surfaces.reporting import questions

        told.append(f"{questions(asked)} for a judge: `companion judge`")
    return "; ".join(told)


def _ended(one: Memory) -> str:
    return f"  {one.id[:ID_SHOWN]}  {one.draft.levels.summary}  [{one.archived_reason}]"


def _placed(items: Iterable[Item], *, projects: bool = False) -> list[str]:
    """Items, a line each with its id, and their source: of several in a row once, above them."""
    lines: list[str] = []
    for source, some in groupby(items, key=lambda one: _source(one, projects=projects)):
        told = [f"  {one.id[:ID_SHOWN]}  {worded(one)}" for one in some]
        lines += [f"  {source}:", *(f"  {line}" for line in told)] if len(told) > 1 else [f"{told[0]}  [{source}]"]
    return lines


def _source(one: Item, *, projects: bool) -> str:
    """Where an item was said, and when it was spoken of last, where that does not tell the day itself."""
    said_in = one.said_in or "by hand"
    when = f", {one.touched_at:%Y-%m-%d}" if one.touched_at is not None and not said_in.startswith(UNTITLED) else ""
    return f"{one.project_name}: {said_in}{when}" if projects and one.project_name else f"{said_in}{when}"


def listed(items: Sequence[Item], *, placed: bool = True) -> str:
    """Items under the names of their types, each with its id, and with its project and source if they differ."""
    parts = []
    for type_, name in NAMES.items():
        mine = [one for one in items if one.type is type_]
        lines = _placed(mine, projects=True) if placed else [f"  {one.id[:ID_SHOWN]}  {worded(one)}" for one in mine]
        parts += ["\n".join([name, *lines])] if mine else []
    return "\n\n".join(parts)


def worded(one: Item) -> str:
    """An item in a line: what it says, and what is known beside it."""
    told = [(said, one.details.get(name, "")) for name, said in SHOWN.items()]
    known = [f"{said}{value}" for said, value in told if value not in {"", USUAL} and value not in one.text]
    beside = "; ".join(known)
    return f"{one.text}{f' ({beside})' if beside else ''}"
