"""`companion`: the commands by name, and what becomes of an error at the very end."""

from __future__ import annotations

import errno
import gc
from collections.abc import Iterable
from importlib.metadata import entry_points
from typing import Annotated, Any

import typer
from typer.core import TyperGroup
from typer.exceptions import TyperException

from companion.errors import CompanionError, SourceError, StoreUnwritable, UsageError
from companion.surfaces.cli import (
    asking,
    bringing,
    keeping,
    living,
    night,
    noting,
    nudging,
    open_ends,
    reasoning,
    reviewing,
    running,
    scanning,
    settling,
    talking,
    tending,
    turns,
)
from companion.surfaces.cli.output import print_error, print_stopped

PLUGGED_IN = "companion.commands"
"""Entry points of this group add commands, as a stranger's package would."""
INTERRUPTED_EXIT = 130
"""What shells expect of a program that was interrupted."""
COLLECT_AFTER_OBJECTS = 200_000
"""New objects between two searches for cycles. One command makes fewer, a scan makes millions that it keeps:
looking at them every 700, as Python does, takes a twentieth of the time. 200,000 objects are some 20 MB."""
FULL = {errno.ENOSPC, errno.EDQUOT, errno.EFBIG}
FORBIDDEN = {errno.EROFS, errno.EACCES, errno.EPERM}
MISNAMED = {errno.ENAMETOOLONG, errno.ELOOP, errno.ENOTDIR, errno.EISDIR}
"""Errors of the system that a person can act on; any other is a fault of the program and shows as one."""


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
        command.rich_help_panel = ELSEWHERE.get(cmd_name, CONNECTING)  # type: ignore[attr-defined]
        return command

    def invoke(self, ctx: Any) -> Any:
        """Run a command; an error that a person can act on is told with the next command, exit code 2."""
        as_json = "--json" in ctx.args
        try:
            return super().invoke(ctx)
        except CompanionError as wrong:
            raise _told(wrong, as_json) from wrong
        except TyperException as wrong:
            if not as_json:
                raise
            raise _told(UsageError(wrong.format_message(), f"Try `{_path_of(wrong, ctx)} --help`."), True) from wrong
        except KeyboardInterrupt as stop:
            print_stopped(as_json=as_json)
            raise typer.Exit(INTERRUPTED_EXIT) from stop
        except OSError as wrong:
            raise _told(_in_words(wrong), as_json) from wrong


def _told(wrong: CompanionError, as_json: bool) -> typer.Exit:
    print_error(wrong, as_json=as_json)
    return typer.Exit(wrong.exit_code)


def _path_of(wrong: TyperException, ctx: Any) -> str:
    """The command that was misused, as it is typed."""
    return str(getattr(getattr(wrong, "ctx", None) or ctx, "command_path", "companion"))


def _in_words(wrong: OSError) -> CompanionError:
    """An error of the system in a sentence. Raises it as it is if nobody could act on it."""
    what = f"{wrong.filename or 'A file'} cannot be used: {wrong.strerror}."
    if wrong.errno in FULL:
        return StoreUnwritable(what, "Free some space, or set COMPANION_HOME to another folder.")
    if wrong.errno in FORBIDDEN:
        return StoreUnwritable(what, "Make it accessible, or set COMPANION_HOME to another folder.")
    if wrong.errno in MISNAMED:
        return SourceError(what, "Name another path.")
    raise wrong


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


PANELS = (
    ("Learn and ask", (scanning, asking)),
    ("Say it yourself", (keeping, settling)),
    ("While you work", (running, living)),
    ("Conversations", (talking, turns, reviewing, bringing, open_ends)),
    ("Notes and reasoning", (noting, nudging, reasoning)),
    ("Nights", (night,)),
    ("Look after it", (tending,)),
)
"""The panels of the help page, and whose commands stand in each."""
ELSEWHERE = dict.fromkeys(("export", "import", "backup", "eval"), "Look after it")
"""Commands that stand in another panel than their module's, or than other plugged-in ones."""
CONNECTING = "Connect editors and assistants"
"""The panel of plugged-in commands."""


def _register(panel: str, modules: Iterable[Any]) -> None:
    commands, groups = len(app.registered_commands), len(app.registered_groups)
    for module in modules:
        module.register(app)
    new: list[Any] = [*app.registered_commands[commands:], *app.registered_groups[groups:]]
    for added in new:
        added.rich_help_panel = ELSEWHERE.get(added.name, panel)


for _panel, _modules in PANELS:
    _register(_panel, _modules)


def main() -> None:
    """Run the command line."""
    gc.freeze()
    gc.set_threshold(COLLECT_AFTER_OBJECTS)
    app()
