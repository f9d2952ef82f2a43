"""A command typed wrongly, told to whoever typed it: what it needs, and what can be typed next."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from typer.core import TyperArgument
from typer.exceptions import TyperException

from companion.errors import UsageError

if TYPE_CHECKING:  # the library has it to itself
    from typer._click import Context

LISTED_BY = {
    "contradictions": ("resolve",),
    "reports": ("undo",),
    "search TEXT": ("expand", "forget", "pin", "downvote"),
    "search TEXT --archived": ("revive",),
}
"""Where the ids stand that commands are given: the command that lists them, and those that take one."""
_LISTS = {command: listing for listing, commands in LISTED_BY.items() for command in commands}
_EXAMPLE = re.compile(r"Example:\s+`([^`]+)`")


def in_words(wrong: TyperException, ctx: Context) -> UsageError:
    """The error in a sentence, with the next command to type."""
    at = getattr(wrong, "ctx", None) or ctx
    needed = _needed(at) if _lacks_argument(wrong) else ""
    if not needed:
        return UsageError(wrong.format_message(), f"Try `{at.command_path} --help`.")
    return UsageError(f"`{at.command_path}` needs {needed}.", _next(at))


def _lacks_argument(wrong: TyperException) -> bool:
    """Whether a word that has no name was left out, rather than the value of an option."""
    return (
        type(wrong).__name__ == "MissingParameter"
        and getattr(getattr(wrong, "param", None), "param_type_name", "") == "argument"
    )


def _needed(ctx: Context) -> str:
    """The words a command cannot do without, each with what it is."""
    wanted = [one for one in ctx.command.params if isinstance(one, TyperArgument) and one.required]
    said = ((one.metavar or str(one.name).upper(), one.help or "") for one in wanted)
    return " and ".join(f"{name} ({help_[:1].lower()}{help_[1:].rstrip('.')})" for name, help_ in said)


def _next(ctx: Context) -> str:
    """Where what is missing is listed, and the example of the help page."""
    listing = _LISTS.get(ctx.command.name or "", "")
    lists = f"`companion {listing}` shows what there is. " if listing else ""
    example = _EXAMPLE.search(ctx.command.help or "")
    return f"{lists}For example: {example[1]}" if example else f"{lists}Try `{ctx.command_path} --help`."
