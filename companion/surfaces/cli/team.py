"""Commands of sharing with a team: what leaves, what others shared, who said what."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

from companion.api import SentToTeam, Shareable, TeamExport, TeamImport, TeamStanding
from companion.errors import UsageError
from companion.records import Memory
from companion.records.wording import counted
from companion.surfaces.cli import team_demo, team_server
from companion.surfaces.cli.commands import CommandAnswer, Companion, command, words_for
from companion.surfaces.cli.declared import CommandGroup, Option, Positional
from companion.surfaces.cli.options import MemoryId, confirmed
from companion.surfaces.cli.output import Aside, Part, Shown, TextTable, print_text
from companion.surfaces.wording import ID_SHOWN, line

WAITING_SHOWN = 10
"""Memories that wait to leave, or files that cannot be read, that are named one by one."""

_WITHOUT_TEXT = {
    "version": "withdrawn since",
    "withdrawal": "a withdrawal",
    "resolution": "a resolution",
    "verdict": "a verdict",
}
"""What is told of records that have no text of their own."""

team_app = CommandGroup("Memories that a project's people share, through git or a server.")

Folder = Option(metavar="FOLDER", help="Another folder.", show_default=".companion/team of the repository")


def _leaves(one: Shareable) -> str:
    paths = f"\n  names {', '.join(one.paths)}" if one.paths else ""
    return f"{one.memory.id[:ID_SHOWN]}  {one.text}{paths}"


@team_app.command()
@command()
def share(
    companion: Companion,
    as_json: bool,
    ids: Annotated[list[str], Positional(metavar="ID…", help="Ids of memories, or the starts of them.")],
    yes: Annotated[bool, Option("--yes", help="Share them without being asked.")] = False,
) -> CommandAnswer:
    """Share memories with everybody who works on this project. Shows what leaves and who sees it, then asks.

    Example: `companion team share m1a2b3c4`
    """
    going = companion.team_preview(ids)
    told = "\n".join([*map(_leaves, going), "", f"It will be seen by {going[0].seen_by}."])
    if not yes:
        if as_json or not sys.stdin.isatty():
            raise UsageError(f"Nothing is shared yet. This would be:\n{told}", "If you mean it, add `--yes`.")
        print_text(told)
        if not confirmed("Share it?"):
            return CommandAnswer([], "Nothing was shared.")
    shared = companion.team_share(ids)
    by = shared[0].author
    lines = [*([told, ""] if yes else []), f"Shared as {by}: {counted(len(shared), 'memory')}."]
    lines += [
        "It leaves with: companion team export" if companion.team_server() is None else "It goes to the team's server.",
        *(f"Undo: companion team withdraw {one.memory[:ID_SHOWN]}" for one in shared),
    ]
    return CommandAnswer(shared, "\n".join(lines))


@team_app.command()
@words_for("team_withdraw", id_=MemoryId)
def withdraw(one: Memory) -> str:
    """Withdraw what you shared, in every version: its text leaves each copy that reads this. It is private again.

    Example: `companion team withdraw m1a2b3c4`
    """
    return "\n".join(
        (
            line("Withdrawn", one),
            "Its text leaves every store that reads this: companion team export, then commit and push.",
            "Git's history keeps what was committed: if it must not be there either, rewrite the history.",
        )
    )


def _exported(found: TeamExport) -> Shown:
    told: list[Part] = [f"{one.text}\n  shared as {one.author}" for one in found.shared]
    if not found.written and not found.removed:
        return [*told, f"Nothing new leaves: all that is shared from here is in {found.folder}."]
    did = [f"{counted(len(found.written), 'file')} written" if found.written else ""]
    did += [f"{counted(len(found.removed), 'file')} removed, withdrawn" if found.removed else ""]
    done = f"{', '.join(filter(None, did))} in {found.folder}."
    return [*told, done, Aside(f"Commit it: git add {found.folder} && git commit")]


@team_app.command()
@command(_exported)
def export(companion: Companion, to: Annotated[Path | None, Folder] = None) -> TeamExport:
    """Write what is shared from here as files, one a memory, into the repository's `.companion/team`. Then commit.

    Example: `companion team export`
    """
    return companion.team_export(None if to is None else to.expanduser().absolute())


def _refused(files: Sequence[tuple[str, str]]) -> list[Part]:
    told: list[Part] = [Aside(f"Not imported: {name}: {why}.") for name, why in files[:WAITING_SHOWN]]
    more = len(files) - WAITING_SHOWN
    return [*told, Aside(f"Nor {more} more: `--json` names all.")] if more > 0 else told


def _imported(found: TeamImport) -> Shown:
    came = [
        f"{counted(len(found.memories), 'new memory')}" if found.memories else "",
        f"{counted(found.withdrawn, 'memory')} withdrawn" if found.withdrawn else "",
        f"{counted(found.contradictions, 'contradiction')} opened: companion contradictions"
        if found.contradictions
        else "",
    ]
    told: list[Part] = [", ".join(filter(None, came)) or f"Nothing new in {found.folder}."]
    told += [Aside(f"Changed by hand, and imported as it says now: {name}") for name in found.changed[:WAITING_SHOWN]]
    told += _refused(found.problems)
    if found.always:
        told.append(Aside("What is pulled later is read by itself. No more: companion team import --ask"))
    return told


@team_app.command("import")
@command(_imported)
def import_(
    companion: Companion,
    folder: Annotated[str, Positional(metavar="[FOLDER]", help="Where it lies; else `.companion/team`.")] = "",
    always: Annotated[
        bool | None, Option("--always/--ask", help="Read by itself what is pulled from now on, or no more.")
    ] = None,
) -> TeamImport:
    """Read what others shared. What is known is skipped, what cannot be read is named and left there.

    Example: `companion team import --always`
    """
    return companion.team_import(Path(folder).expanduser().absolute() if folder else None, always=always)


@team_app.by_itself
@team_app.command()
@words_for("team_status", limit=Option("--limit", metavar="N", help="Memories shown."))
def status(found: TeamStanding) -> Shown:
    """Show what is shared here and by whom, what waits to leave or to be read, and what is contradicted.

    Example: `companion team status`
    """
    if not (found.is_shared or found.to_export):
        return "Nobody shares anything here yet. Begin: companion team share ID"
    rows = [
        (one.memory[:ID_SHOWN], one.author.partition(" <")[0], f"{one.shared_at.day} {one.shared_at:%b %Y}", one.text)
        for one in found.shared
    ]
    told: list[Part] = [TextTable("Shared, the latest first", ("id", "by", "on", "says"), rows)] if rows else []
    if found.shared_total > len(found.shared):
        told.append(Aside(f"and {found.shared_total - len(found.shared):,} more."))
    told += found.waits
    told += [f"  {text}" for text in found.to_export[:WAITING_SHOWN] if text]
    told += _refused(found.refused)
    told += [f"Contradiction {one}" for one in found.contradictions]
    told += [f"{who.partition(' <')[0]} withdrew a memory on {at:%d %b %Y}" for who, at in found.withdrawn]
    if found.server is not None:
        told += team_server.told_server(found.server)
    author = found.author or "nobody: set git's user.name and user.email"
    return [*told, Aside(f"You share as {author}.")]


@team_app.command()
@words_for("team_sent", limit=Option("--limit", metavar="N", help="Records shown."))
def sent(found: Sequence[SentToTeam]) -> Shown:
    """Show what left this store: when, which way and whose it is.

    Example: `companion team sent`
    """
    if not found:
        return "Nothing left this store."
    rows = [
        (f"{one.sent_at:%d %b %Y %H:%M}", one.way, one.author, one.text or _WITHOUT_TEXT[one.sort]) for one in found
    ]
    return TextTable("Sent", ("when", "way", "by", "what"), rows)


for _made in (team_server.connect, team_server.disconnect, team_server.sync, team_server.prepare, team_demo.demo):
    team_app.command()(_made)
team_app.command("search")(team_server.search_server)
