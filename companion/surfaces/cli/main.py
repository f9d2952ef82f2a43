"""`companion`: the commands by name, and what becomes of an error at the very end."""

from __future__ import annotations

import errno
import os
import sys
from importlib.metadata import entry_points
from typing import Annotated

import click
import typer
from typer.core import TyperGroup

from companion.errors import CompanionError, StoreUnwritable
from companion.surfaces.cli import asking, keeping, scanning, tending
from companion.surfaces.cli.output import print_error

PLUGGED_IN = "companion.commands"
"""Entry points of this group add commands, as a stranger's package would."""


class LazyGroup(TyperGroup):
    """Loads a plugged-in command when it is called or listed, not before."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Own commands in their order, then those plugged in."""
        return [*super().list_commands(ctx), *sorted(_plugged().names)]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """A command by its name."""
        own = super().get_command(ctx, cmd_name)
        if own is not None or cmd_name not in _plugged().names:
            return own
        loaded = _plugged()[cmd_name].load()
        command: click.Command = typer.main.get_command(loaded)
        command.name = cmd_name
        return command


def _plugged():  # type: ignore[no-untyped-def]  # noqa: ANN202 - the library's own type has no public name
    return entry_points(group=PLUGGED_IN)


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
    """Run the command line; errors are told in a sentence with the next command, exit code 2."""
    as_json = "--json" in sys.argv
    try:
        app(standalone_mode=False)
    except CompanionError as wrong:
        print_error(wrong, as_json=as_json)
        sys.exit(wrong.exit_code)
    except click.ClickException as wrong:
        wrong.show()
        sys.exit(wrong.exit_code)
    except (KeyboardInterrupt, click.Abort):
        print("Stopped. What was done is kept; run the command again to go on.", file=sys.stderr)
        sys.exit(130)
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(0)
    except OSError as wrong:
        if wrong.errno not in {errno.ENOSPC, errno.EDQUOT, errno.EROFS, errno.EACCES, errno.EPERM}:
            raise
        where = wrong.filename or "the data folder"
        told = StoreUnwritable(
            f"{where} cannot be written: {wrong.strerror}.", "Free space or set COMPANION_HOME."
        )
        print_error(told, as_json=as_json)
        sys.exit(told.exit_code)
