"""What a function is asked with, as a record: a field for each of its parameters, `id_` as `id`."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Collection, Mapping, Sequence
from functools import cache
from typing import TypeVar, get_type_hints

from msgspec import defstruct

T = TypeVar("T")
FieldSpec = tuple[str, object] | tuple[str, object, object]
"""A field as `defstruct` takes it: its name, its type, and its default where it has one."""


def ask_record(
    function: Callable[..., object], name: str, says: str, given: Collection[str], beside: Sequence[FieldSpec] = ()
) -> type:
    """A record of a function's parameters, without those that are `given` elsewhere, and of fields `beside` them."""
    hints = get_type_hints(function, include_extras=True)
    listed: list[FieldSpec] = []
    for one in _parameters(function):
        if one.name not in given:
            plain = (one.name.rstrip("_"), hints[one.name])
            listed.append(plain if one.default is one.empty else (*plain, one.default))
    more = {"__doc__": says}
    return defstruct(name, [*listed, *beside], frozen=True, kw_only=True, module=function.__module__, namespace=more)


def call_with(
    called: Callable[..., T], ask: object, given: Mapping[str, object], declared: Callable[..., object] | None = None
) -> T:
    """Call a function with what its record says and what is `given` beside.

    `declared` is the function that the record was made of, where another one is called.
    """
    listed: list[object] = []
    named: dict[str, object] = {}
    for one in _parameters(declared or called):
        value = given[one.name] if one.name in given else getattr(ask, one.name.rstrip("_"), None)
        if one.kind is inspect.Parameter.KEYWORD_ONLY:
            named[one.name] = value
        elif one.name != "self":
            listed.append(value)
    return called(*listed, **named)


@cache
def _parameters(function: Callable[..., object]) -> tuple[inspect.Parameter, ...]:
    return tuple(inspect.signature(function).parameters.values())
