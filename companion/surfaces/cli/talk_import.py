"""Commands of talk that was held with other assistants: bring it in, say what may be read, review it in bulk."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Annotated

from companion.api import BulkReview, TalkImport, TalkSource
from companion.config import data_home
from companion.errors import CompanionError, UsageError
from companion.ports import Progress
from companion.records.talk import Conversation
from companion.records.wording import counted
from companion.surfaces.cli.commands import CommandAnswer, Companion, command
from companion.surfaces.cli.declared import Option, Positional
from companion.surfaces.cli.options import AsJson, Repo, companion_for, confirmed
from companion.surfaces.cli.output import TextTable, print_answer, progress
from companion.surfaces.cli.talk_lines import line_of
from companion.surfaces.wording import ID_SHOWN, printable

SHOWN_MOST = 30
"""Logs shown one by one: a screen; the rest is counted."""
ALLOWED_NAME = "talk-sources.txt"
"""Beside the store: the sources that may be read, a line each."""


def import_(
    what: Annotated[
        list[str] | None, Positional(metavar="SOURCE…", help="Assistants by name, or one file.", show_default="all")
    ] = None,
    dry_run: Annotated[bool, Option("--dry-run", help="Show what would be imported, and store nothing.")] = False,
    yes: Annotated[bool, Option("--yes", help="Agree to these sources being read, once and for all.")] = False,
    here: Annotated[bool, Option("--here", help="What names no folder belongs to this repository.")] = False,
    if_allowed: Annotated[
        bool, Option("--if-allowed", help="For hooks: say nothing, ask nothing, and fail at nothing.")
    ] = False,
    as_json: AsJson = False,
    repo: Repo = Path(),
) -> None:
    """Import what other assistants kept of your sessions with them: what is new, each turn to its own project.

    You are asked once for each assistant before anything of it is read. Nothing is remembered before you have
    reviewed it: `companion review imported`. Without names, all assistants that are found here.

    Example: `companion talk import claude-code codex --yes`
    """
    if if_allowed:
        _quietly(what or [], repo)
        return
    names, file = _named(what or [])
    with companion_for(repo, anywhere=True) as companion:
        if file is None:
            _ask(companion, names, yes=yes, silent=as_json)
        with progress(quiet=as_json) as bars:
            told = companion.import_talk(bars, names, file, dry_run=dry_run, here=here)
    print_answer(told, list(_brought(told)), as_json)


def _sources(found: Sequence[TalkSource]) -> TextTable:
    rows = [(one.name, one.title, _state(one), one.conversations, one.unseen) for one in found]
    return TextTable("", ("source", "assistant", "may be read", "conversations ", "to review "), rows)


@command(_sources, anywhere=True)
def sources(
    companion: Companion,
    forbid: Annotated[
        list[str] | None, Option("--forbid", metavar="SOURCE", help="Read this one no more; may be repeated.")
    ] = None,
    allow: Annotated[
        list[str] | None, Option("--allow", metavar="SOURCE", help="Agree to its being read; may be repeated.")
    ] = None,
) -> Sequence[TalkSource]:
    """List the assistants whose logs can be imported, where they are, and which may be read.

    Example: `companion talk sources --forbid codex`
    """
    for name in allow or ():
        companion.allow_source(name)
    for name in forbid or ():
        companion.allow_source(name, on=False)
    return companion.talk_sources()


@command(anywhere=True)
def imported(
    companion: Companion,
    bars: Progress,
    ids: Annotated[list[str] | None, Positional(metavar="ID…", help="Conversations; none: all.")] = None,
    confirm: Annotated[bool, Option("--confirm", help="Remember what they leave behind.")] = False,
    put_away: Annotated[bool, Option("--put-away", help="Keep the transcripts, remember nothing.")] = False,
    source: Annotated[str, Option("--source", help="Only those that came from this assistant.")] = "",
    limit: Annotated[int, Option("--limit", help="How many are listed.")] = 20,
) -> CommandAnswer:
    """List imported conversations that wait for review, or review them together.

    One by one: `companion review --in ID`, then `companion review confirm --in ID`.

    Example: `companion review imported --source codex --confirm`
    """
    if confirm and put_away:
        raise UsageError("They cannot be remembered and archived at once.", "Give `--confirm` or `--put-away`.")
    if confirm or put_away:
        done = companion.review_unseen(bars, ids or (), source, keep=confirm)
        return CommandAnswer(done, _reviewed(done))
    found = companion.unseen_talk(source, limit)
    return CommandAnswer(found, _unseen(found))


def _named(what: Sequence[str]) -> tuple[list[str], Path | None]:
    """Names of assistants, or a file: what has a folder or an ending."""
    files = [one for one in what if "/" in one or "\\" in one or Path(one).suffix]
    if not files:
        return list(what), None
    if len(what) > 1:
        raise UsageError("A file is imported on its own.", f"`companion talk import {files[0]}`")
    return [], Path(files[0])


def _ask(companion: Companion, names: Sequence[str], *, yes: bool, silent: bool) -> None:
    """Ask for each assistant that is found here and was never agreed to; `yes` agrees for the user."""
    open_ = [one for one in companion.talk_sources() if one.allowed_at is None and (one.name in names or not names)]
    for one in open_:
        if not one.places and one.name not in names:
            continue
        if yes or (not silent and sys.stdin.isatty() and _agrees(one)):
            companion.allow_source(one.name)


def _agrees(one: TalkSource) -> bool:
    where = ", ".join(map(printable, one.places)) or "its folder"
    return confirmed(f"Read what {one.title} kept of your sessions in {where}?")


def _quietly(what: Sequence[str], repo: Path) -> None:
    """As a hook wants it: whatever goes wrong, nobody waits for it and nobody hears of it."""
    try:
        if not (data_home() / ALLOWED_NAME).read_text(encoding="utf-8").strip():
            return
        names, file = _named(what)
        with companion_for(repo, anywhere=True) as companion, progress(quiet=True) as bars:
            companion.import_talk(bars, names, file, if_allowed=True)
    except (OSError, UnicodeDecodeError, CompanionError):
        return


def _state(one: TalkSource) -> str:
    if one.allowed_at is not None:
        return f"since {one.allowed_at:%Y-%m-%d}"
    return "not asked yet" if one.places else "nothing here"


def _brought(told: TalkImport) -> Iterator[str | TextTable]:
    rows = [(one.source, one.path, one.new, one.grown, one.why) for one in told.logs]
    if came := [row for row in rows if row[2] or row[3]]:
        head = ("assistant", "log", "new turns ", "grown ", "beside")
        yield TextTable("Would be imported" if told.dry_run else "Imported", head, came[:SHOWN_MOST])
    if left := Counter(row[4] for row in rows if not (row[2] or row[3])):
        shown = [(why, count, next(row[1] for row in rows if row[4] == why)) for why, count in left.most_common()]
        yield TextTable("Left", ("why", "logs ", "for example"), shown)
    for one in told.unallowed:
        yield f"{one.title} was not read: agree first, `companion talk import {one.name} --yes`."
    yield (
        f"{counted(told.new, 'new turn')} in {counted(told.conversations, 'conversation')}, {told.grown} that grew; "
        f"{counted(told.logs_read, 'log')} read, {told.logs_same} as they were."
    )
    if told.remembered:
        were = "was" if told.remembered == 1 else "were"
        kept = f"{counted(told.remembered, 'conversation')} {were} remembered"
        yield f"{kept}, as {'its source is' if told.remembered == 1 else 'their sources are'} not reviewed."
    if told.unseen:
        yield f"{told.unseen} {'waits' if told.unseen == 1 else 'wait'} for your review: companion review imported"


def _unseen(found: Sequence[Conversation]) -> str:
    if not found:
        return "No imported conversation waits for review."
    lines = [f"{line_of(one)}  ({one.source})" for one in found]
    next_ = "Look at one: companion review --in ID. All: companion review imported --confirm, or --put-away."
    return "\n".join([*lines, next_])


def _reviewed(done: BulkReview) -> str:
    head = f"{done.reviewed} reviewed: {counted(done.memories, 'memory')}, {counted(done.items, 'item')}."
    return "\n".join([head, *(f"{id_[:ID_SHOWN]} is left: {why}" for id_, why in done.left)])
