"""Commands of what conversations left: open threads, things to do, what a day begins with."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import groupby
from typing import Annotated

from companion.api import Greeting, Todo
from companion.errors import UsageError
from companion.records.talk import THREADS, Item, ItemType, TodoSort, item_in_words, where_said
from companion.surfaces.cli.commands import CommandAnswer, Companion, command, words_for
from companion.surfaces.cli.declared import Option, Positional
from companion.surfaces.cli.options import HowMany, Persona, choice_of
from companion.surfaces.cli.talk_lines import NAMES
from companion.surfaces.wording import ID_SHOWN

TO_DO = (ItemType.WAITING_ON, ItemType.TASK)
"""Sorts of open items that `todo` lists; `threads` lists the others, so that each stands in one list."""


@command(anywhere=True)
def threads(
    companion: Companion,
    type_: Annotated[str, Option("--type", help="question, blocker, waiting-on, task; or another sort.")] = "",
    act: Annotated[str, Option("--act", metavar="ACT", help="Of one act alone.")] = "",
    settle: Annotated[str, Option("--settle", metavar="ITEM", help="Resolve one.")] = "",
    persona: Persona = "",
    limit: HowMany = 100,
) -> CommandAnswer:
    """List what conversations left open: questions and blockers; `companion todo` lists what is to be done.

    Example: `companion threads --type waiting-on`
    """
    wanted = (choice_of(ItemType, type_, "type"),) if type_ else THREADS
    if settle:
        one = companion.settle_thread(settle)
        return CommandAnswer(one, f"Resolved {one.id[:ID_SHOWN]}: {one.text}")
    found = companion.threads(wanted, act, persona, limit)
    return CommandAnswer(found, listed(found) or "Nothing is open.")


@command(anywhere=True)
def todo(
    companion: Companion,
    text: Annotated[str, Positional(help="What is to be done; without it, what is to be done is listed.")] = "",
    sort: Annotated[str, Option("--as", help="commitment, habit, thread or friction.")] = "commitment",
    due: Annotated[str, Option("--due", metavar="DAY", help="Until when: 2026-01-31.")] = "",
    who: Annotated[str, Option("--waiting-on", metavar="WHO", help="Whom it waits for.")] = "",
    act: Annotated[str, Option("--act", metavar="ACT", help="The act it belongs to.", show_default="Your Story")] = "",
    persona: Persona = "",
    done: Annotated[str, Option("--done", metavar="ITEM", help="Resolve one.")] = "",
) -> CommandAnswer:
    """Keep something to do, or list it and what is waited for; `companion threads` lists open questions.

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
    found = companion.threads(TO_DO, act, persona)
    return CommandAnswer(found, listed(found) or "Nothing is to be done.")


@words_for("greeting", persona=Persona, everywhere=Option("--all", help="Of all projects alike."))
def greeting(found: Greeting) -> str:
    """Where were we: what fails, is uncommitted, open, due, decided, tried and rejected, and the last commits here.

    Example: `companion greeting`
    """
    return found.text or "Nothing is open, and nothing is due."


def _placed(items: Iterable[Item], *, projects: bool = False) -> list[str]:
    """Items, a line each with its id, and their source: of several in a row once, above them."""
    lines: list[str] = []
    for source, some in groupby(items, key=lambda one: where_said(one, project=projects)):
        told = [f"  {one.id[:ID_SHOWN]}  {item_in_words(one)}" for one in some]
        lines += [f"  {source}:", *(f"  {line}" for line in told)] if len(told) > 1 else [f"{told[0]}  [{source}]"]
    return lines


def listed(items: Sequence[Item], *, placed: bool = True) -> str:
    """Items under the names of their types, each with its id, and with its project and source if they differ."""
    parts = []
    for type_, name in NAMES.items():
        mine = [one for one in items if one.type is type_]
        lines = (
            _placed(mine, projects=True) if placed else [f"  {one.id[:ID_SHOWN]}  {item_in_words(one)}" for one in mine]
        )
        parts += ["\n".join([name, *lines])] if mine else []
    return "\n\n".join(parts)
