"""`companion` with all that typer does for it: help, completion, and errors of whoever mistyped."""

from __future__ import annotations

from importlib.metadata import entry_points
from typing import TYPE_CHECKING, Annotated

import typer
from typer.core import TyperGroup
from typer.exceptions import TyperException

from companion.errors import UsageError
from companion.surfaces.cli import help as pages
from companion.surfaces.cli.catalog import CONNECTIONS, FORMER, GROUPS, PLACES, PLUGGED_IN, made_for
from companion.surfaces.cli.failures import told_in_words
from companion.surfaces.cli.output import print_note
from companion.surfaces.cli.typed import command_of

if TYPE_CHECKING:  # the library has these to itself
    from collections.abc import Callable

    from typer._click import Command, Context, HelpFormatter


class LazyGroup(TyperGroup):
    """Loads a command when it is called or listed, and tells errors in a sentence."""

    def list_commands(self, ctx: Context) -> list[str]:
        """Own commands in their order, then those plugged in."""
        return list(dict.fromkeys([*PLACES, *sorted(entry_points(group=PLUGGED_IN).names)]))

    def groups(self) -> dict[str, list[str]]:
        """The names of all commands by their groups."""
        groups = {group: [name for _, names in parts for name in names] for group, parts in GROUPS.items()}
        groups[CONNECTIONS] += sorted(entry_points(group=PLUGGED_IN).names - set(PLACES))
        return groups

    def get_command(self, ctx: Context, cmd_name: str) -> Command | None:
        """A command by its name, loaded once."""
        if cmd_name not in self.commands:
            made = made_for(cmd_name)
            if made is not None:
                self.add_command(command_of(cmd_name, made), cmd_name)
        return self.commands.get(cmd_name)

    def resolve_command(self, ctx: Context, args: list[str]) -> tuple[str | None, Command | None, list[str]]:
        """The command that words call: by its former name too, `help NAME` for its help, a group for its page."""
        if ctx.resilient_parsing:
            return super().resolve_command(ctx, args)
        word, *rest = args
        if word in FORMER:
            print_note(f"`companion {word}` is called `companion {' '.join(FORMER[word])}` now.")
            word, *rest = *FORMER[word], *rest
        if word == "help":
            word, *rest = [*rest, "--help"]
        groups = self.groups()
        if word in groups and word not in self.list_commands(ctx) and not set(rest) - {"--help", "-h"}:
            rows = [(name, self._about(ctx)(name)) for name in groups[word]]
            typer.echo(pages.listed(f"Commands of {word}", "", rows))
            raise typer.Exit
        if word == "--help":
            typer.echo(ctx.get_help())
            raise typer.Exit
        if self.get_command(ctx, word) is None and not word.startswith("-"):
            raise pages.unknown(word, groups)
        return super().resolve_command(ctx, [word, *rest])

    def parse_args(self, ctx: Context, args: list[str]) -> list[str]:
        """Words as they are; none at all ask for help."""
        return super().parse_args(ctx, args or ["--help"])

    def format_help(self, ctx: Context, formatter: HelpFormatter) -> None:
        """Write the first page: it fits a screen, as one that tells every command would not."""
        formatter.write(pages.first_page(self.groups(), self._about(ctx)))

    def _about(self, ctx: Context) -> Callable[[str], str]:
        return lambda name: pages.summary_of(getattr(self.get_command(ctx, name), "help", ""))

    def invoke(self, ctx: Context) -> object:
        """Run a command; an error that a person can act on is told with the next command, exit code 2."""
        words = list(ctx.args)
        with told_in_words(as_json="--json" in words):
            try:
                return super().invoke(ctx)
            except TyperException as wrong:
                from companion.surfaces.cli.usage_errors import in_words

                if not wrong.format_message():  # a help page has said it
                    raise typer.Exit(UsageError.exit_code) from wrong
                raise in_words(wrong, ctx) from wrong


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
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Show the version and exit.")
    ] = False,
) -> None:
    """Remember what matters about a codebase; hand over the context that matters now."""
