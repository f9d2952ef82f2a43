"""`companion`: the commands by name, and what becomes of an error at the very end."""

from __future__ import annotations

import errno
import gc
from importlib import import_module
from importlib.metadata import entry_points
from pathlib import Path
from typing import Annotated, Any

import typer
from typer.core import TyperGroup
from typer.exceptions import TyperException

from companion.errors import CompanionError, SourceError, StoreUnwritable
from companion.surfaces.cli.output import print_error, print_note, print_stopped, silence_output

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


Panel = tuple[tuple[str, tuple[str, ...]], ...]
"""Modules of this package, each with the commands in it."""

PANELS: dict[str, Panel] = {
    "Learn and ask": (
        ("scanning", ("init",)),
        ("asking", ("context", "predict", "search", "expand", "explain")),
        ("looking", ("why", "facts")),
    ),
    "Say it yourself": (
        ("keeping", ("remember", "forget", "revive", "pin")),
        ("settling", ("contradictions", "resolve", "judge", "unpin", "downvote")),
    ),
    "While you work": (
        ("running", ("run", "shell-hook")),
        ("living", ("serve", "start", "stop", "status", "page", "logs")),
    ),
    "Conversations": (
        ("talking", ("talk",)),
        ("reviewing", ("review", "story", "revise", "route")),
        ("open_ends", ("threads", "todo", "greeting")),
    ),
    "Notes and reasoning": (("noting", ("notes",)), ("nudging", ("nudges",)), ("reasoning", ("reason",))),
    "Consolidation": (("consolidation", ("consolidate", "reports", "undo", "purge")), ("schedule", ("schedule",))),
    "Look after it": (
        ("keeping", ("export", "import", "backup")),
        ("looking", ("timeline", "accuracy")),
        ("tending", ("stats", "doctor", "rebuild")),
        ("calling", ("call",)),
    ),
}
"""The panels of the help page with their commands by name, so that a command is found without loading the others:
all of them together take longer to load than most take to answer."""
_PLACES = {name: (panel, module) for panel, parts in PANELS.items() for module, names in parts for name in names}
CONNECTING = "Connect editors and assistants"
"""The panel of plugged-in commands."""
ELSEWHERE = {"eval": "Look after it"}
"""Plugged-in commands that stand in another one."""
FORMER = {"nights": "reports", "not-useful": "downvote"}
"""Commands under their former names, which go on working for a version."""
AS_TYPED = {"ignore_unknown_options": True, "allow_interspersed_args": False, "help_option_names": ["-h", "--help"]}
SETTINGS = {"run": AS_TYPED}
"""How arguments are read, for commands that pass them on."""


class LazyGroup(TyperGroup):
    """Loads a command when it is called or listed, and tells errors in a sentence.

    The library has a context of its own, which it does not show.
    """

    def list_commands(self, ctx: Any) -> list[str]:
        """Own commands in their order, then those plugged in."""
        return [*_PLACES, *sorted(entry_points(group=PLUGGED_IN).names)]

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        """A command by its name, or by its former one."""
        if cmd_name in FORMER:
            print_note(f"`companion {cmd_name}` is called `companion {FORMER[cmd_name]}` now.")
            cmd_name = FORMER[cmd_name]
        if cmd_name in _PLACES:
            self._load(_PLACES[cmd_name][1])
            return self.commands[cmd_name]
        plugged = entry_points(group=PLUGGED_IN)
        if cmd_name in plugged.names:
            command = typer.main.get_command(plugged[cmd_name].load())
            command.name = cmd_name
            command.rich_help_panel = ELSEWHERE.get(cmd_name, CONNECTING)  # type: ignore[attr-defined]  # typer's own have one
            return command
        for _, module in _PLACES.values():  # whoever mistyped is told of what is like it
            self._load(module)
        return None

    def _load(self, module: str) -> None:
        """Have the commands of a module, once: `NAME_app`, or the function `NAME` (`NAME_` beside a word of Python)."""
        names = [name for name, (_, owner) in _PLACES.items() if owner == module]
        if any(name in self.commands for name in names):
            return
        part, made = typer.Typer(rich_markup_mode="markdown"), vars(import_module(f"companion.surfaces.cli.{module}"))
        for name in names:
            word = name.replace("-", "_")
            if (group := made.get(f"{word}_app")) is not None:
                part.add_typer(group, name=name)
            else:
                part.command(name, context_settings=SETTINGS.get(name))(made.get(f"{word}_") or made[word])
        for name, command in typer.main.get_group(part).commands.items():
            command.rich_help_panel = _PLACES[name][0]  # type: ignore[attr-defined]  # as above
            self.add_command(command, name)

    def invoke(self, ctx: Any) -> Any:
        """Run a command; an error that a person can act on is told with the next command, exit code 2."""
        as_json = "--json" in ctx.args
        try:
            return super().invoke(ctx)
        except CompanionError as wrong:
            raise _told(wrong, as_json) from wrong
        except TyperException as wrong:
            from companion.surfaces.cli.misused import in_words

            if not wrong.format_message():  # the help page has said it
                raise typer.Exit(CompanionError.exit_code) from wrong
            raise _told(in_words(wrong, ctx), as_json) from wrong
        except KeyboardInterrupt as stop:
            print_stopped(as_json=as_json)
            raise typer.Exit(INTERRUPTED_EXIT) from stop
        except OSError as wrong:
            raise _told(_in_words(wrong), as_json) from wrong


def _told(wrong: CompanionError, as_json: bool) -> typer.Exit:
    print_error(wrong, as_json=as_json)
    return typer.Exit(wrong.exit_code)


def _in_words(wrong: OSError) -> CompanionError:
    """An error of the system in a sentence. Raises it as it is if nobody could act on it."""
    if wrong.errno == errno.ENOENT and not wrong.filename and _here_is_gone():
        return SourceError("The folder that you are in is no longer there.", "Go to another one: `cd`.")
    what = f"{wrong.filename or 'A file'} cannot be used: {wrong.strerror}."
    if wrong.errno in FULL and not wrong.filename:
        what = f"What was to be printed or kept could not be written: {wrong.strerror}."
        return StoreUnwritable(
            what, "Make room where the output goes and in the data folder; `companion doctor` names it."
        )
    if wrong.errno in FULL:
        return StoreUnwritable(what, "Free some space, or set COMPANION_HOME to another folder.")
    if wrong.errno in FORBIDDEN:
        return StoreUnwritable(what, "Make it accessible, or set COMPANION_HOME to another folder.")
    if wrong.errno in MISNAMED:
        return SourceError(what, "Name another path.")
    raise wrong


def _here_is_gone() -> bool:
    try:
        Path.cwd()
    except FileNotFoundError:
        return True
    return False


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


def main() -> None:
    """Run the command line."""
    gc.freeze()
    gc.set_threshold(COLLECT_AFTER_OBJECTS)
    try:
        app()
    finally:
        gc.unfreeze()  # libraries that the quick way has loaded complain of what is still there at the end


def not_printed(wrong: OSError) -> int:
    """The exit code where an answer could not be printed, after saying so; who stopped reading hears nothing."""
    silence_output()
    if wrong.errno == errno.EPIPE:
        return 1
    print_error(_in_words(wrong), as_json=False)
    return CompanionError.exit_code
