"""The commands by group and by name, each found without loading the others: that takes longer than most answers."""

from __future__ import annotations

from contextlib import suppress
from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable
    from importlib.metadata import EntryPoint

    import typer

    from companion.surfaces.cli.declared import Command, CommandGroup

IN_SIGHT = ("init", "context", "why", "search", "remember", "page", "connect", "doctor")
"""What most people need: the commands that `companion --help` tells one by one."""
GROUPS: dict[str, tuple[tuple[str, tuple[str, ...]], ...]] = {
    "ask": (("context", ("context", "predict", "explain")), ("search", ("search", "expand"))),
    "code": (("init", ("init",)), ("code", ("why", "facts", "timeline")), ("run", ("run", "shell-hook"))),
    "memory": (
        ("memory", ("remember", "forget", "revive", "pin", "downvote")),
        ("contradictions", ("contradictions", "resolve", "judge")),
        ("team", ("team",)),
    ),
    "conversation": (
        ("talk", ("talk",)),
        ("review", ("review", "story", "revise", "route")),
        ("todo", ("greeting", "todo", "threads")),
        ("notes", ("notes",)),
    ),
    "consolidation": (("consolidation", ("consolidate", "reports", "undo", "purge")), ("schedule", ("schedule",))),
    "service": (("service", ("page", "start", "stop", "status", "watch", "logs", "serve")),),
    "admin": (
        ("admin", ("stats", "doctor", "rebuild", "export", "import", "backup")),
        ("call", ("call",)),
        ("", ("eval",)),
    ),
    "connections": (("", ("connect", "hook", "lsp", "mcp")),),
}
"""Groups of the help page, in each the modules of this package with the commands in them; "": beside this package."""
PLACES = {name: module for parts in GROUPS.values() for module, names in parts for name in names}
PLUGGED_IN, DISTRIBUTION = "companion.commands", "companion-context"
"""Entry points of this group add commands, as a stranger's package would; ours are those of this distribution."""
CONNECTIONS = "connections"
"""The group of what other packages add."""
FORMER = {"nights": ("reports",), "not-useful": ("downvote",), "unpin": ("pin", "--off")}
"""Commands under their former names, which go on working for a version."""
SETTINGS = {
    "run": {"ignore_unknown_options": True, "allow_interspersed_args": False, "help_option_names": ["-h", "--help"]}
}
"""How words are read, for commands that pass them on."""


def made_for(name: str) -> Command | CommandGroup | typer.Typer | None:
    """A command or a group of them: in its module `NAME_app`, or the function `NAME` (`NAME_` beside Python's).

    What stands beside this package is found by its entry point; a stranger's may be typer's own. None if there is none.
    """
    if not PLACES.get(name):
        return _plugged(name)
    made = vars(import_module(f"companion.surfaces.cli.{PLACES[name]}"))
    word = name.replace("-", "_")
    found: Command | CommandGroup = made.get(f"{word}_app") or made.get(f"{word}_") or made[word]
    return found


def _plugged(name: str) -> Command | CommandGroup | typer.Typer | None:
    """A command that an entry point names, ours first: to look through all that are installed takes longer."""
    from importlib.metadata import PackageNotFoundError, distribution, entry_points

    ours: Iterable[EntryPoint] = ()
    with suppress(PackageNotFoundError):  # run from a folder
        ours = distribution(DISTRIBUTION).entry_points.select(group=PLUGGED_IN, name=name)
    found: Command | CommandGroup | typer.Typer | None = next(
        (one.load() for one in (*ours, *(() if ours else entry_points(group=PLUGGED_IN, name=name)))), None
    )
    return found
