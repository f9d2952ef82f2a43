"""Reads and runs a plain call of a command, by what the command declares; all that is unusual is left to typer.

Help, errors, completion, joined short options and whatever else is out of the ordinary is `typed.py`'s: it is made of
the same declarations, and takes a tenth of a second longer. Nothing was done where a call is left to it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from types import FunctionType

from companion.surfaces.cli.catalog import SETTINGS, made_for
from companion.surfaces.cli.declared import Command, CommandGroup, Option, Parameter, Positional, parameters
from companion.surfaces.cli.failures import told_in_words

NUMBER_MAX_DIGITS = 9
"""Of a number that is read here; a longer one is typer's to refuse."""
_NUMBERS = {int: re.compile(rf"[0-9]{{1,{NUMBER_MAX_DIGITS}}}"), float: re.compile(r"[0-9]{1,9}(\.[0-9]{1,9})?")}


class _Unusual(Exception):
    """The call is left to typer."""


def ran(words: Sequence[str]) -> bool:
    """Whether a call was plain and is done; if not, nothing was done or printed."""
    with told_in_words(as_json="--json" in words):
        if (call := read(words)) is None:
            return False
        command, given = call
        command(**given)
    return True


def read(words: Sequence[str]) -> tuple[Command, Mapping[str, object]] | None:
    """The command that words call and what it is given; None for what is left to typer."""
    try:
        command, rest = _chosen(words)
        return command, _given(parameters(command), rest)
    except _Unusual:
        return None


def _chosen(words: Sequence[str]) -> tuple[Command, Sequence[str]]:
    """The command that is called, and the words after it."""
    made = made_for(words[0]) if words and words[0] not in SETTINGS else None
    rest = words[1:]
    if isinstance(made, CommandGroup):
        if rest and rest[0] in made.commands:
            made, rest = made.commands[rest[0]], rest[1:]
        else:
            made = made.alone
    if not isinstance(made, FunctionType):  # there is none, or it is a stranger's and typer's own
        raise _Unusual
    return made, rest


def _given(declared: Sequence[Parameter], words: Sequence[str]) -> Mapping[str, object]:
    """What each parameter of a command is given."""
    given: dict[str, object] = {one.name: one.default for one in declared if not one.required}
    came: dict[str, list[object]] = {}
    options = {
        name: (one, on) for one in declared if isinstance(one.declared, Option) for name, on in one.names.items()
    }
    waiting = iter(words)
    loose = []
    for word in waiting:
        if not _is_option(word):
            loose.append(word)
            continue
        name, equals, value = word.partition("=") if word.startswith("--") else (word, "", "")
        if name not in options:
            raise _Unusual
        one, on = options[name]
        if (one.name in came and not one.many) or (one.type is bool and equals):
            raise _Unusual
        value = value if one.type is bool or equals else _next(waiting)
        came.setdefault(one.name, []).append(on if one.type is bool else _value(one, value))
    for one, some in _loose([one for one in declared if isinstance(one.declared, Positional)], loose):
        came[one.name] = [_value(one, word) for word in some]
    for one in declared:
        if one.name in came:
            given[one.name] = came[one.name] if one.many else came[one.name][0]
        elif one.required:
            raise _Unusual
    return given


def _next(waiting: Iterator[str]) -> str:
    word = next(waiting, "--")
    if _is_option(word):
        raise _Unusual
    return word


def _is_option(word: str) -> bool:
    """Whether a word is the name of an option; a sentence that begins with one (`--json prints nothing`) is text."""
    says = word.startswith("--") and any(map(str.isspace, word.partition("=")[0]))
    return word.startswith("-") and word != "-" and not says


def _loose(declared: Sequence[Parameter], words: Sequence[str]) -> Iterator[tuple[Parameter, Sequence[str]]]:
    """Words without a name, dealt out in order: only the last may take several."""
    left = list(words)
    for one in declared:
        if left:
            count = len(left) if one.many else 1
            yield one, left[:count]
            left = left[count:]
    if left:
        raise _Unusual


def _value(one: Parameter, word: str) -> object:
    """A value as the command takes it."""
    said = one.declared.said
    if one.type in _NUMBERS:
        if not _NUMBERS[one.type].fullmatch(word):
            raise _Unusual
        number = one.type(word)
        if not said.get("min", number) <= number <= said.get("max", number):
            raise _Unusual
        return number
    if one.type not in (str, Path):
        raise _Unusual
    return one.type(word)
