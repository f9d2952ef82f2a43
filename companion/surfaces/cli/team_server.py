"""Commands of a team's server: connect, disconnect, sync, search; preparing a database for one."""

from __future__ import annotations

from typing import Annotated

from companion.api import ServerStanding, SharedHit, SyncReport
from companion.records.wording import counted
from companion.surfaces.cli.commands import CommandAnswer, Companion, command, words_for
from companion.surfaces.cli.declared import Option, Positional
from companion.surfaces.cli.output import Aside, Part, Shown, TextTable
from companion.surfaces.wording import ID_SHOWN

Url = Annotated[str, Positional(metavar="URL", help="postgresql://USER@HOST/BASE, without a password.")]
REFUSED_SHOWN = 5
"""Records that were not taken, named one by one."""


def told_server(found: ServerStanding) -> list[Part]:
    """How a project stands with its server, a line each."""
    return [found.says, *_not_taken(found.refused)]


def _not_taken(refused: tuple[tuple[str, str], ...]) -> list[Part]:
    return [Aside(f"Not taken: {id_[:ID_SHOWN]}: {why}") for id_, why in refused[:REFUSED_SHOWN]]


@words_for(
    "team_connect",
    url=Url,
    project=Option("--project", metavar="NAME", help="Its name there; else its first commit."),
)
def connect(found: ServerStanding) -> str:
    """Share this project's memories through a PostgreSQL, kept in step by the background service.

    Passwords come from PGPASSWORD, ~/.pgpass or the keyring, never from the URL. `team share` says what goes there.

    Example: `companion team connect postgresql://ada@db.example.org/team`
    """
    return f"Connected to {found.url} as project {found.project}.\nSynchronise now: companion team sync"


@command()
def disconnect(companion: Companion) -> CommandAnswer:
    """Share through no server any more. What came from it stays here, what went there stays there.

    Example: `companion team disconnect`
    """
    was = companion.team_disconnect()
    return CommandAnswer({"disconnected": was}, "Disconnected." if was else "There was no server to disconnect from.")


@words_for("team_sync")
def sync(done: SyncReport) -> Shown:
    """Fetch what is new on the team's server and send what is new here, now.

    Example: `companion team sync`
    """
    told: list[Part] = [
        f"{counted(done.pulled, 'record')} came, {counted(done.pushed, 'record')} went, "
        f"{counted(len(done.memories), 'memory')} learned."
    ]
    if done.withdrawn:
        told.append(f"{counted(done.withdrawn, 'version')} withdrawn.")
    if done.restored:
        told.append("The server had lost records, as one restored from a backup; it was given them again.")
    told += _not_taken(done.refused)
    return [*told, *(Aside(f"Not imported: {id_[:ID_SHOWN]}: {why}.") for id_, why in done.unfit[:REFUSED_SHOWN])]


@words_for(
    "team_search",
    words=Positional(metavar="WORDS", help="What to look for."),
    limit=Option("--limit", help="Most results."),
)
def search_server(found: tuple[SharedHit, ...]) -> Shown:
    """Search all that the team shares on its server, by words and, where it has vectors, by meaning.

    Example: `companion team search "login redirect"`
    """
    if not found:
        return "The team's server has nothing like it."
    rows = [(one.memory[:ID_SHOWN] or "-", one.author.partition(" <")[0], one.text) for one in found]
    return TextTable("Shared by the team", ("id", "by", "says"), rows)


@words_for("team_prepare", url=Url)
def prepare(done: tuple[str, ...]) -> str:
    """Make or upgrade the tables of a team's server; for who owns the database. Nothing is deleted.

    Example: `companion team prepare postgresql://postgres@db.example.org/team`
    """
    return "\n".join(done)
