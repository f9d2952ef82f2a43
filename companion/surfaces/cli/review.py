"""Commands of a review: what will be remembered of a conversation, where it goes, and Your Story, where it went."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from typing import Annotated

from companion.api import Edit, Remembered
from companion.errors import UsageError
from companion.records import Identity, Memory
from companion.records.talk import Act, Conversation, Item, Part, Preview, Role, Settles, TalkState, item_in_words
from companion.records.wording import counted, sureness
from companion.surfaces.cli.commands import CommandAnswer, Companion, command, words_for
from companion.surfaces.cli.declared import CommandGroup, Option, Positional
from companion.surfaces.cli.options import ActNamed, HowMany, MemoryId, Persona
from companion.surfaces.cli.talk_import import imported
from companion.surfaces.cli.talk_lines import NAMES, line_of
from companion.surfaces.wording import ID_SHOWN, on_a_line

In = Annotated[str, Option("--in", metavar="TALK", help="Another conversation than the one that waits.")]

review_app = CommandGroup("What will be remembered of a conversation.")


@review_app.by_itself
@command(anywhere=True)
def review(
    companion: Companion,
    talk_id: Annotated[str, Option("--in", metavar="TALK", help="Another than the one that waits.")] = "",
) -> CommandAnswer:
    """Show what will be remembered of a conversation, where, and why; confirm it, change it, or go on talking.

    Example: `companion review`
    """
    return told_preview(companion, companion.review(talk_id))


@review_app.command()
@words_for("confirm_review", conversation=In)
def confirm(done: Remembered) -> str:
    """Remember it as it is shown. Asking twice remembers it once; what was cut off is finished.

    Example: `companion review confirm`
    """
    lines = [f"Remembered: {_line(one)}" for one in done.memories] or ["Archived; nothing was remembered."]
    return "\n".join([*lines, *(f"Resolved: {one.text}" for one in done.settled)])


@review_app.command()
@command(anywhere=True)
def edit(
    companion: Companion,
    text: Annotated[str, Positional(help="The words to remember, or with --item what it says instead.")],
    part: Annotated[int, Option("--part", help="Which part, where there are several.")] = 1,
    item: Annotated[int | None, Option("--item", metavar="N", help="Change an item instead.")] = None,
    talk_id: In = "",
) -> CommandAnswer:
    """Say it in your words; the first words are kept beside.

    Example: `companion review edit "Prices are integer cents from now on."`
    """
    if item is None:
        change = Edit(narrative=text, part=part)
    else:
        (id_,) = _numbered(companion.review(talk_id), [item])
        change = Edit(change={id_: text})
    return told_preview(companion, companion.edit_review(change, talk_id))


@review_app.command()
@command(anywhere=True)
def drop(
    companion: Companion,
    numbers: Annotated[list[int], Positional(metavar="N…", help="Items, by their numbers.")],
    talk_id: In = "",
) -> CommandAnswer:
    """Take items out: they are not remembered.

    Example: `companion review drop 2 3`
    """
    gone = _numbered(companion.review(talk_id), numbers)
    return told_preview(companion, companion.edit_review(Edit(drop=gone), talk_id))


@review_app.command()
@command(anywhere=True)
def redirect(companion: Companion, act: ActNamed, talk_id: In = "") -> CommandAnswer:
    """Send all of it to one act: that of a project, another line of work, or Your Story.

    Example: `companion review redirect "Your Story"`
    """
    return told_preview(companion, companion.redirect_review(act, talk_id))


@review_app.command()
@command(anywhere=True)
def split(
    companion: Companion,
    wanted: Annotated[list[str], Positional(metavar="ACT=N,N…", help="An act and the items that go to it.")],
    talk_id: In = "",
) -> CommandAnswer:
    """Send some items to other acts; the rest stays where it was.

    Example: `companion review split Work=2,3`
    """
    preview = companion.review(talk_id)
    parts = [_part(preview, one) for one in wanted]
    return told_preview(companion, companion.split_review(parts, talk_id))


@review_app.command()
@words_for("resume_conversation", conversation=In)
def resume(one: Conversation) -> str:
    """Go on with the conversation instead; nothing is remembered.

    Example: `companion review resume`
    """
    return line_of(one)


review_app.command()(imported)


@command(anywhere=True)
def story(
    companion: Companion,
    act: Annotated[str, Option("--act", metavar="ACT", help="Another act than Your Story, by its name.")] = "",
    new: Annotated[str, Option("--new", metavar="NAME", help="Make an act for a line of work.")] = "",
    delete: Annotated[str, Option("--delete", metavar="ACT", help="Delete one; Your Story gets the rest.")] = "",
    acts: Annotated[bool, Option("--acts", help="List the acts there are.")] = False,
    themes: Annotated[bool, Option("--themes", help="Who you are: what recurs, what you said for good.")] = False,
    persona: Persona = "",
    limit: HowMany = 20,
    offset: Annotated[int, Option("--offset", help="How many to pass over.")] = 0,
) -> CommandAnswer:
    """Show Your Story: what was remembered of your conversations beyond any one project; or another act.

    Example: `companion story --act Work`
    """
    if sum(map(bool, (act, new, delete, acts, themes))) > 1:
        raise UsageError("--act, --new, --delete, --acts and --themes do not go together.", "Give one of them.")
    if new:
        made = companion.make_act(new)
        return CommandAnswer(made, _acts([made]))
    if delete:
        return CommandAnswer(companion.delete_act(delete), f"Deleted {delete}; what it held is in Your Story.")
    if acts:
        known = companion.acts()
        return CommandAnswer(known, _acts(known))
    if themes:
        user = companion.identity(persona)
        return CommandAnswer(user, _identity(user))
    found = companion.story(act, persona, limit, offset)
    return CommandAnswer(found, "\n".join(map(_line, found)) or "Nothing yet.")


def _line(memory: Memory) -> str:
    when = memory.draft.valid_from or memory.created_at
    return f"{memory.id[:ID_SHOWN]}  {when:%Y-%m-%d}  {on_a_line(memory.draft.levels.summary)}"


@words_for("revise", id_=MemoryId, text=Positional(help="What it says from now on."))
def revise(said: Memory) -> str:
    """Reword a memory; the old text stays as its earlier version. Only what was said, not what was read.

    Example: `companion revise m1a2b3c4 "Prices are integer cents, also in tests."`
    """
    return _line(said)


@words_for("route", id_=MemoryId, act=ActNamed)
def route(sent: Memory) -> str:
    """Send a memory to another act, with what it left open. Only what was said, not what was read.

    Example: `companion route m1a2b3c4 "Your Story"`
    """
    return _line(sent)


def told_preview(companion: Companion, preview: Preview) -> CommandAnswer:
    """What will be remembered, for people: words, items with numbers, where it goes and why, the next commands."""
    return CommandAnswer(preview, shown_preview(preview, companion.acts()))


def shown_preview(preview: Preview, acts: Sequence[Act]) -> str:
    """What will be remembered, in words."""
    names = {act.id: act.name for act in acts}
    parts = [line_of(preview.conversation)]
    if not preview.parts:
        parts.append("Nothing was found in it. Confirming archives it; your own words are remembered: edit TEXT.")
    for number, part in enumerate(preview.parts, 1):
        head = f"Part {number} for " if len(preview.parts) > 1 else "For "
        parts.append(f"{head}{names.get(part.act, part.act)}:\n{part.narrative}")
    if preview.extraction.items:
        parts.append(_items(preview, names))
    if preview.extraction.settles:
        parts.append("\n".join(["Resolves", *(f"  {_settles(preview, one)}" for one in preview.extraction.settles)]))
    parts += [*_suggested(preview, names), _made(preview), _next_steps(preview, names)]
    return "\n\n".join(filter(None, parts))


def _items(preview: Preview, names: dict[str, str]) -> str:
    """Items under the names of their types, with the numbers they are named by."""
    lines: list[str] = []
    for type_, name in NAMES.items():
        mine = [(at, one) for at, one in enumerate(preview.extraction.items, 1) if one.type is type_]
        lines += (
            [name, *(f"  {at}. {item_in_words(one)}{_place(preview, one, names)}" for at, one in mine)] if mine else []
        )
    return "\n".join(lines)


def _place(preview: Preview, one: Item, names: dict[str, str]) -> str:
    """The turn an item comes from, and its act where there are several."""
    where = next((names.get(part.act, "") for part in preview.parts if one.id in part.items), "")
    return f"  [turn {one.turn}{f', {where}' if len(preview.parts) > 1 and where else ''}]"


def _settles(preview: Preview, settled: Settles) -> str:
    at = next(at for at, one in enumerate(preview.extraction.items, 1) if one.id == settled.by)
    return f"by {at}. {settled.reason} ({sureness(settled.confidence)})"


def _made(preview: Preview) -> str:
    """Who read it, where a model was asked, and what became of that."""
    found = preview.extraction
    by = f"Read by {found.made_by} in {found.passes} passes, {found.seconds:.1f} s."
    lines = [by] if found.passes > 1 else []
    return "\n".join([*lines, *(f"Note: {note}" for note in found.notes)])


def _suggested(preview: Preview, names: dict[str, str]) -> list[str]:
    offered = preview.extraction.suggestion
    if offered is None or not preview.parts or {part.act for part in preview.parts} == {offered.act}:
        return []
    name = names.get(offered.act, offered.act)
    sure = f"{counted(offered.pointing, 'item')}, {sureness(offered.confidence)}"
    return [f"It may belong to {name}: {offered.reason} ({sure})"]


def _next_steps(preview: Preview, names: dict[str, str]) -> str:
    if preview.conversation.state is not TalkState.READY_TO_CLOSE:
        return ""
    steps = ["companion review confirm"]
    offered = preview.extraction.suggestion
    if preview.parts:
        to = names.get(offered.act, "") if offered is not None else ""
        steps.append(f"companion review redirect {shlex.quote(to) if to else 'ACT'}")
    steps.append("companion review edit TEXT")
    steps += ["companion review drop N", "companion review split ACT=N,N"] if preview.extraction.items else []
    return "\n".join(["Next", *(f"  {step}" for step in (*steps, "companion review resume"))])


def _acts(acts: Sequence[Act]) -> str:
    return "\n".join(f"{one.id[:ID_SHOWN]}  {one.name}{'  (project)' if one.project else ''}" for one in acts)


def _identity(known: Identity) -> str:
    parts = [
        "\n".join(["Comes back to", *(f"  {one.name} ({len(one.memories)})" for one in known.themes)]),
        "\n".join(["Said for good", *(f"  {one.said(Role.USER)}" for one in known.anchors)]),
        "\n".join(["Comes first", *(f"  {one.text}" for one in known.priorities)]),
        "\n".join(["Goes about things so", *(f"  {_line(one)}" for one in known.patterns)]),
        "\n".join(["Recently", *(f"  {_line(one)}" for one in known.memories)]),
    ]
    return "\n\n".join(part for part in parts if "\n" in part) or "Nothing yet."


def _numbered(preview: Preview, numbers: Sequence[int]) -> tuple[str, ...]:
    """Ids of items by the numbers they are shown with. Raises UsageError."""
    items = preview.extraction.items
    for number in numbers:
        if not 1 <= number <= len(items):
            raise UsageError(f"There is no item {number}; there are {len(items)}.", "`companion review` shows them.")
    return tuple(items[number - 1].id for number in numbers)


def _part(preview: Preview, given: str) -> Part:
    """`Work=2,3` as a part. Raises UsageError."""
    act, equals, listed = given.rpartition("=")
    numbers = [number.strip() for number in listed.split(",")]
    if not equals or not act.strip() or not all(number.isdigit() for number in numbers):
        raise UsageError(f"`{given}` names no act and items.", "Write ACT=N,N, as Work=2,3.")
    return Part(act.strip(), "", _numbered(preview, [int(number) for number in numbers]))
