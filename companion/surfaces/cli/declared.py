"""What a command takes, said once: `plain.py` reads ordinary calls by it, `typed.py` makes typer's commands of it.

Nothing is loaded for it: typer takes longer to load than most commands take to answer.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from types import NoneType, UnionType
from typing import Annotated, Any, TypeVar, Union, get_args, get_origin

from msgspec import Struct

Command = Callable[..., None]
Made = TypeVar("Made", bound=Command)


class _Declared:
    def __init__(self, *names: str, **said: Any) -> None:
        self.names, self.said = names, said


class Option(_Declared):
    """An option by its names; what else is said of it is said as typer calls it (help, metavar, min, max, hidden)."""


class Positional(_Declared):
    """A word without a name, told of as an option is."""


class CommandGroup:
    """Commands under one name. `alone` is what the name does without one of them; None: it shows its help."""

    def __init__(self, help_: str) -> None:
        self.help = help_
        self.alone: Command | None = None
        self.commands: dict[str, Command] = {}

    def command(self, name: str = "") -> Callable[[Made], Made]:
        """What adds a function, under its own name unless another is given."""

        def added(made: Made) -> Made:
            self.commands[name or made.__name__.strip("_").replace("_", "-")] = made
            return made

        return added

    def by_itself(self, made: Made) -> Made:
        """Have the group's name do something without a command."""
        self.alone = made
        return made


class Parameter(Struct, frozen=True):
    """A parameter of a command: its name in the function, its declaration, the type of one value, how many it takes."""

    name: str
    declared: Option | Positional
    type: type
    many: bool
    default: object

    @property
    def required(self) -> bool:
        """Whether the command cannot do without it."""
        return self.default is inspect.Parameter.empty

    @property
    def names(self) -> dict[str, bool]:
        """The names of an option, each with whether it turns it on: of `--on/--off` the second does not."""
        word = f"--{self.name.strip('_').replace('_', '-')}"
        bare = (f"{word}/--no-{word[2:]}",) if self.type is bool else (word,)
        parts = [name.partition("/") for name in self.declared.names or bare]
        return {on: True for on, _, _ in parts} | {off: False for _, _, off in parts if off}


def parameters(command: Command) -> list[Parameter]:
    """What a command declares, in its order."""
    found = inspect.signature(command, eval_str=True).parameters.values()
    return [_parameter(one) for one in found]


def _parameter(one: inspect.Parameter) -> Parameter:
    hint, declared = get_args(one.annotation)
    if get_origin(hint) in (Union, UnionType):
        (hint,) = (part for part in get_args(hint) if part is not NoneType)
    many = get_origin(hint) is list
    return Parameter(one.name, declared, get_args(hint)[0] if many else hint, many, one.default)


def option(type_: object, declared: object) -> object:
    """A parameter's annotation; one that is shared between commands has its type itself."""
    return Annotated[type_, declared] if isinstance(declared, _Declared) else declared
