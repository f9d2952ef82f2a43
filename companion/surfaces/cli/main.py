"""`companion`: the commands by name, and what becomes of an error at the very end."""

from __future__ import annotations

import errno
import sys
from importlib.metadata import entry_points
from typing import Annotated, Any

import typer
from typer.core import TyperGroup

from companion.errors import CompanionError, StoreUnwritable
from companion.surfaces.cli import asking, keeping, scanning, tending
from companion.surfaces.cli.output import print_error

PLUGGED_IN = "companion.commands"
"""Entry points of this group add commands, as a stranger's package would."""
INTERRUPTED_EXIT = 130
"""What shells expect of a program that was interrupted."""
UNWRITABLE = {errno.ENOSPC, errno.EDQUOT, errno.EROFS, errno.EACCES, errno.EPERM}
"""Errors of the system that mean: this place cannot be written."""


class LazyGroup(TyperGroup):
    """Loads a plugged-in command when it is called or listed, and tells errors in a sentence."""

    def list_commands(self, ctx: Any) -> list[str]:
        """Own commands in their order, then those plugged in."""
        return [*super().list_commands(ctx), *sorted(entry_points(group=PLUGGED_IN).names)]

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        """A command by its name."""
        plugged = entry_points(group=PLUGGED_IN)
        own = super().get_command(ctx, cmd_name)
        if own is not None or cmd_name not in plugged.names:
            return own
        command = typer.main.get_command(plugged[cmd_name].load())
        command.name = cmd_name
        return command

    def invoke(self, ctx: Any) -> Any:
        """Run a command; an error that a person can act on is told with the next command, exit code 2."""
        try:
            return super().invoke(ctx)
        except CompanionError as wrong:
            raise _told(wrong) from wrong
        except KeyboardInterrupt as stop:
            print("Stopped. What was done is kept; run the command again to go on.", file=sys.stderr)
            raise typer.Exit(INTERRUPTED_EXIT) from stop
        except OSError as wrong:
            if wrong.errno not in UNWRITABLE:
                raise
            where = wrong.filename or "The data folder"
            what = f"{where} cannot be written: {wrong.strerror}."
            raise _told(StoreUnwritable(what, "Free some space, or set COMPANION_HOME to another folder.")) from wrong


def _told(wrong: CompanionError) -> typer.Exit:
    print_error(wrong, as_json="--json" in sys.argv)
    return typer.Exit(wrong.exit_code)


app = typer.Typer(
    cls=LazyGroup,
    name="companion",
    no_args_is_help=True,
    rich_markup_mode="markdown",
    context_settings={"help_option_names": ["-h", "--help"]},
    pretty_exceptions_enable=False,
)


def _version(asked: bool) -> None:
    if asked:
        from companion.__about__ import __version__

        typer.echo(f"companion {__version__}")
        raise typer.Exit


@app.callback()
def companion(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Show the version and leave.")
    ] = False,
) -> None:
    """Remember what matters about a codebase; hand over the context that matters now.

    Start with `companion init` in a repository, then `companion context --file FILE`.
    """


for group in (scanning, asking, keeping, tending):
    group.register(app)


def main() -> None:
    """Run the command line."""
    app()
