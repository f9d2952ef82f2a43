"""Typer's commands, made of what ours declare: for help, completion, and whatever a plain reading does not take."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, get_args

import typer
from typer.core import TyperGroup

from companion.errors import UsageError
from companion.surfaces.cli.catalog import SETTINGS
from companion.surfaces.cli.completion import completion_of
from companion.surfaces.cli.declared import Command, CommandGroup, Option

if TYPE_CHECKING:  # the library has these to itself
    from typer._click import Command as TypersCommand
    from typer._click import Context, HelpFormatter


class ListedGroup(TyperGroup):
    """A group that does nothing by itself: its help is a list of its commands."""

    def parse_args(self, ctx: Context, args: list[str]) -> list[str]:
        """Words as they are. None at all are answered with the help, and are wrong all the same."""
        if args or ctx.resilient_parsing:
            return super().parse_args(ctx, args)
        typer.echo(ctx.get_help())
        raise typer.Exit(UsageError.exit_code)

    def resolve_command(self, ctx: Context, args: list[str]) -> tuple[str | None, TypersCommand | None, list[str]]:
        """The command that words call. Raises UsageError, which names those that there are and what the help adds."""
        if args[0] not in self.commands and not ctx.resilient_parsing and not args[0].startswith("-"):
            _, _, more = (self.help or "").partition("\n\n")
            raise UsageError(
                f"`{ctx.command_path}` has {', '.join(self.commands)}, and no `{args[0]}`.",
                more or f"`{ctx.command_path} --help` says what each does.",
            )
        return super().resolve_command(ctx, args)

    def format_help(self, ctx: Context, formatter: HelpFormatter) -> None:
        """Write a line or two for each command."""
        from companion.surfaces.cli.help import listed, summary_of

        rows = [(name, summary_of(command.help)) for name, command in self.commands.items()]
        formatter.write(listed(f"Usage: {ctx.command_path} COMMAND [OPTIONS] [ARGUMENTS]", self.help or "", rows))


_CONTEXT = inspect.Parameter("ctx", inspect.Parameter.POSITIONAL_OR_KEYWORD, annotation=typer.Context)


def command_of(name: str, made: Command | CommandGroup | typer.Typer) -> TypersCommand:
    """A command, or a group of them, as typer has it; a stranger's may be typer's own."""
    if isinstance(made, typer.Typer):
        command = typer.main.get_command(made)
        command.name = name
        return command
    app = typer.Typer(rich_markup_mode="markdown")
    if isinstance(made, CommandGroup):
        app.add_typer(_group(made), name=name)
    else:
        app.command(name, context_settings=SETTINGS.get(name))(as_typer_takes(made))
    return typer.main.get_group(app).commands[name]


def _group(made: CommandGroup) -> typer.Typer:
    alone = made.alone is not None
    group = typer.Typer(cls=TyperGroup if alone else ListedGroup, help=made.help, invoke_without_command=alone)
    if made.alone is not None:
        group.callback()(as_typer_takes(made.alone, alone=True))
    for name, command in made.commands.items():
        group.command(name)(as_typer_takes(command))
    return group


def as_typer_takes(command: Command, *, alone: bool = False) -> Callable[..., None]:
    """A command with typer's declarations; `alone` leaves the word to one of its group that is named."""

    @wraps(command)
    def run(ctx: typer.Context | None = None, **given: object) -> None:
        if ctx is None or ctx.invoked_subcommand is None:
            command(**given)

    own = inspect.signature(command, eval_str=True).parameters.values()
    declared = [one.replace(annotation=_annotation(one.annotation)) for one in own]
    declared = [*([_CONTEXT] if alone else []), *declared]
    run.__signature__ = inspect.Signature(declared)  # type: ignore[attr-defined]  # what `inspect` looks at first
    run.__annotations__ = {one.name: one.annotation for one in declared}
    return run


def _annotation(own: object) -> object:
    type_, declared = get_args(own)
    made = typer.Option if isinstance(declared, Option) else typer.Argument
    place_holder = declared.said.get("metavar") or ("PATH" if Path in (type_, *get_args(type_)) else "")
    return Annotated[type_, made(*declared.names, autocompletion=completion_of(place_holder), **declared.said)]
