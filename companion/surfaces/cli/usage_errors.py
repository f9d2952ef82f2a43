"""A command typed wrongly, told to whoever typed it: what it needs, and what can be typed next."""

from __future__ import annotations

import re
import shlex
from collections.abc import Sequence
from itertools import takewhile
from pathlib import Path
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
BY_OPTIONS = frozenset({"context", "predict"})
"""Commands to which words alone say nothing: file and task have options."""
TOO_MANY = "Got unexpected extra argument"
"""What the library says where words without a name were given to a command that takes none."""
_EXAMPLE = re.compile(r"Example:\s+`([^`]+)`")


def in_words(wrong: TyperException, ctx: Context, words: Sequence[str]) -> UsageError:
    """The error in a sentence, with the next command to type; `words` stood behind the command's name."""
    at = getattr(wrong, "ctx", None) or ctx
    if at.command.name in BY_OPTIONS and wrong.format_message().startswith(TOO_MANY):
        return UsageError(f"`{at.command_path}` takes its file and its task by options.", _by_options(at, words))
    needed = _needed(at) if _lacks_argument(wrong) else ""
    if not needed:
        return UsageError(wrong.format_message(), f"Try `{at.command_path} --help`.")
    return UsageError(f"`{at.command_path}` needs {needed}.", _next(at))


def _by_options(ctx: Context, words: Sequence[str]) -> str:
    """The same call as it is typed: what is there is the file, the rest the task; options that were given stay."""
    loose = list(takewhile(lambda word: not word.startswith("-"), words))
    given = [shlex.quote(word) for word in words[len(loose) :]]
    file = next((word for word in loose if Path(word).exists()), "")
    task = " ".join(word for word in loose if word != file)
    named = [*(("--file", shlex.quote(file)) if file else ()), *(("--task", shlex.quote(task)) if task else ())]
    return f"Try `{' '.join([ctx.command_path, *named, *given])}`."


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
