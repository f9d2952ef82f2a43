"""Commands of a team's server: connect, disconnect, sync, search; preparing a database for one."""

from __future__ import annotations

from typing import Annotated

from companion.api import ServerStanding, SharedHit, SyncReport
from companion.surfaces.cli.commands import CommandAnswer, Companion, command, words_for
from companion.surfaces.cli.declared import Option, Positional
from companion.surfaces.cli.output import Aside, Part, Shown, TextTable, counted
from companion.surfaces.cli.wording import ID_SHOWN

Url = Annotated[str, Positional(metavar="URL", help="postgresql://USER@HOST/BASE, without a password.")]
REFUSED_SHOWN = 5
"""Records that were not taken, named one by one."""


def told_server(found: ServerStanding) -> list[Part]:
    """How a project stands with its server, a line each."""
    return [found.says, *_not_taken(found.refused)]


def _not_taken(refused: tuple[tuple[str, str], ...]) -> list[Part]:
    return [Aside(f"Not taken: {id_[:ID_SHOWN]}: {why}") for id_, why in refused[:REFUSED_SHOWN]]


@command()
def connect(
    companion: Companion,
    url: Url,
    project: Annotated[str, Option("--project", metavar="NAME", help="Its name there; else its first commit.")] = "",
) -> CommandAnswer:
    """Share this project's memories through a PostgreSQL, kept in step by the background service.

    Passwords come from PGPASSWORD, ~/.pgpass or the keyring, never from the URL. `team share` says what goes there.

    Example: `companion team connect postgresql://ada@db.example.org/team`
    """
    found = companion.team_connect(url, project)
    lines = [f"Connected to {found.url} as project {found.project}.", "Synchronise now: companion team sync"]
    return CommandAnswer(found, "\n".join(lines))


@command()
def disconnect(companion: Companion) -> CommandAnswer:
    """Share through no server any more. What came from it stays here, what went there stays there.

    Example: `companion team disconnect`
    """
    was = companion.team_disconnect()
    return CommandAnswer({"disconnected": was}, "Disconnected." if was else "There was no server to disconnect from.")


def _synchronised(done: SyncReport) -> Shown:
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


@command(_synchronised)
def sync(companion: Companion) -> SyncReport:
    """Fetch what is new on the team's server and send what is new here, now.

    Example: `companion team sync`
    """
    return companion.team_sync()


@words_for("team_search", words=Positional(metavar="WORDS", help="What to look for."), limit=Option("--limit"))
def search_server(found: tuple[SharedHit, ...]) -> Shown:
    """Search all that the team shares on its server, by words and, where it has vectors, by meaning.

    Example: `companion team search "login redirect"`
    """
    if not found:
        return "The team's server has nothing like it."
    rows = [(one.memory[:ID_SHOWN] or "-", one.author.partition(" <")[0], one.text) for one in found]
    return TextTable("Shared by the team", ("id", "by", "says"), rows)


@command(anywhere=True)
def prepare(companion: Companion, url: Url) -> CommandAnswer:
    """Make or upgrade the tables of a team's server; for who owns the database. Nothing is deleted.

    Example: `companion team prepare postgresql://postgres@db.example.org/team`
    """
    done = companion.team_prepare(url)
    return CommandAnswer(done, "\n".join(done))
