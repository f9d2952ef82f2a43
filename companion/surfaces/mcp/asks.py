"""How a tool is asked: a record a tool, read strictly, and its schema in as few words as will do."""

from __future__ import annotations

import types
import typing
from collections.abc import Mapping
from typing import Annotated, TypeVar

from companion import wire
from companion.config import BUDGET_MAX_TOKENS
from companion.errors import UsageError
from companion.surfaces.http.schema import Schemas
from companion.wire import Between
from companion.wire.forms import Schema

Ask = TypeVar("Ask")

ERROR_MAX_CHARACTERS = 100_000
"""The end of the longest log that an assistant would hand on."""
NOTE_MAX_CHARACTERS = 20_000
"""A note longer than a few pages is a document; as on the command line."""
PATH_MAX_CHARACTERS = 1_000
"""Paths in real repositories are a tenth as long."""
ID_MAX_CHARACTERS = 200
"""An id has some thirty; `file:PATH` may be longer."""
REASON_MAX_CHARACTERS = 500
"""A sentence or two."""
FOUND_MAX = 50
"""More hits than an assistant reads; each is some sixty tokens."""
NAMED_MAX = 100
"""Memories that one act can be said to rest on, files that somebody has read for a task."""

Query = Annotated[str, "The task in words."]
"""Of whatever length: the verbs look at its beginning, and the answer says so."""
Path = Annotated[str, Between(0, PATH_MAX_CHARACTERS)]
File = Annotated[Path, "The current file."]
Log = Annotated[str, Between(0, ERROR_MAX_CHARACTERS)]
Error = Annotated[Log, "As printed."]
Id = Annotated[str, Between(1, ID_MAX_CHARACTERS)]
"""An id, or a beginning of it that fits one alone, as everywhere."""
MaybeId = Annotated[str, Between(0, ID_MAX_CHARACTERS)]
Act = Annotated[str, Between(0, ID_MAX_CHARACTERS)]
"""An act by its name or id."""
Reason = Annotated[str, Between(0, REASON_MAX_CHARACTERS)]
Budget = Annotated[int, Between(0, BUDGET_MAX_TOKENS), "Most tokens, else 2,000."]
Had = Annotated[
    tuple[Annotated[str, Between(1, PATH_MAX_CHARACTERS)], ...],
    Between(0, NAMED_MAX),
    "Paths you read, ids you saw.",
]
Limit = Annotated[int, Between(1, FOUND_MAX)]


def understood(ask: type[Ask], tool: str, arguments: Mapping[str, object] | None) -> Ask:
    """The arguments of a call as a record; what is null counts as not given. Raises UsageError.

    A `task`, as commands and prompts call it, is the query.
    """
    given = {name: value for name, value in (arguments or {}).items() if value is not None}
    if "task" in given and "query" not in given and "query" in wire.hints_of(ask):
        given["query"] = given.pop("task")
    try:
        return wire.decode(ask, given)
    except UsageError as wrong:
        known = ", ".join(wire.hints_of(ask)) or "no arguments"
        raise UsageError(wrong.what, f"Call `{tool}` again; it takes {known}.") from wrong


def schema_of(ask: type) -> Schema:
    """The schema of a tool's arguments: types, choices and defaults, and words only where a name needs them.

    Limits, and that there are no other arguments, are not told: that would cost every request of a model its tokens,
    and a call that goes beyond is answered by a sentence that says so.
    """
    hints = wire.hints_of(ask)
    usual = wire.defaults_of(ask)
    said: Schema = {
        "type": "object",
        "properties": {name: _property(hint, usual.get(name)) for name, hint in hints.items()},
    }
    if needed := wire.required(ask):
        said["required"] = list(needed)
    return said


def schema_of_values(gives: Mapping[str, Mapping[str, str]]) -> Schema:
    """The schema of an answer's values: its lists, each with the fields of its rows that a program can count on."""
    lists = {
        name: {
            "type": "array",
            "items": {"type": "object", "properties": {field: {"type": kind} for field, kind in row.items()}},
        }
        for name, row in gives.items()
    }
    return {"type": "object", "properties": lists}


def _property(declared: object, default: object) -> Schema:
    declared = _without_none(declared)
    said: Schema = Schemas().of(_bare(declared))
    for bound in ("minimum", "maximum"):
        said.pop(bound, None)
    if typing.get_origin(declared) is Annotated:
        words = [one for one in typing.get_args(declared)[1:] if isinstance(one, str)]
        said |= {"description": words[0]} if words else {}
    if default not in (None, "", False, ()):
        said["default"] = wire.encode(default)
    return said


def _bare(declared: object) -> object:
    """A type without what is said beside it, its rows' too."""
    if typing.get_origin(declared) is Annotated:
        return _bare(typing.get_args(declared)[0])
    if typing.get_origin(declared) is tuple:
        return types.GenericAlias(tuple, (_bare(typing.get_args(declared)[0]), ...))
    return declared


def _without_none(declared: object) -> object:
    """The type itself where it may be left out; whoever leaves it out sends nothing."""
    if typing.get_origin(declared) in {typing.Union, types.UnionType}:
        (declared,) = wire.choices(declared)
    return declared
