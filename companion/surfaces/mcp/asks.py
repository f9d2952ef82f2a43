"""What each tool is asked with: a record a tool, read strictly, and its schema in as few words as will do."""

from __future__ import annotations

import types
import typing
from collections.abc import Mapping
from dataclasses import MISSING, dataclass, fields
from enum import StrEnum
from typing import Annotated, Any, TypeVar

from companion import wire
from companion.config import BUDGET_MAX_TOKENS
from companion.errors import UsageError
from companion.records import Activity, Format, Kind, Resolution
from companion.surfaces.http.schema import Schemas
from companion.wire import Between

Ask = TypeVar("Ask")

QUERY_MAX_CHARACTERS = 4_000
"""A task in words is a page at most; what is longer is a document."""
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
"""Memories that one act can be said to rest on."""

Query = Annotated[str, Between(0, QUERY_MAX_CHARACTERS), "The task in words."]
File = Annotated[str, Between(0, PATH_MAX_CHARACTERS), "The file at hand."]
Error = Annotated[str, Between(0, ERROR_MAX_CHARACTERS), "Traceback or compiler output."]
Id = Annotated[str, Between(1, ID_MAX_CHARACTERS), "Id, or its start."]
Reason = Annotated[str, Between(0, REASON_MAX_CHARACTERS)]
Budget = Annotated[int, Between(0, BUDGET_MAX_TOKENS), "Most tokens."]


class SearchType(StrEnum):
    """What is searched."""

    FACTS = "facts"
    CONVERSATIONS = "conversations"
    BOTH = "both"


class Outcome(StrEnum):
    """What became of a memory that was shown."""

    CITED = "cited"
    NOT_USEFUL = "not_useful"


@dataclass(frozen=True, slots=True, kw_only=True)
class ContextAsk:
    """A context is wanted for what is at hand; without a budget, the setting's."""

    query: Query = ""
    file: File = ""
    error: Error = ""
    activity: Activity | None = None
    budget: Budget | None = None
    format: Format = Format.XML


@dataclass(frozen=True, slots=True, kw_only=True)
class PredictAsk:
    """Which files are needed next?"""

    file: File = ""
    query: Query = ""
    error: Error = ""
    limit: Annotated[int, Between(1, FOUND_MAX)] = 10


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchAsk:
    """What is remembered of this?"""

    query: Annotated[str, Between(1, QUERY_MAX_CHARACTERS)]
    search_type: SearchType = SearchType.FACTS
    kind: Kind | None = None
    limit: Annotated[int, Between(1, FOUND_MAX)] = 10


@dataclass(frozen=True, slots=True, kw_only=True)
class RememberAsk:
    """Keep this."""

    text: Annotated[str, Between(1, NOTE_MAX_CHARACTERS)]
    kind: Kind = Kind.FACT
    scope: Annotated[str, Between(0, PATH_MAX_CHARACTERS), "Path it applies to."] = ""
    label: Annotated[str, Between(0, ID_MAX_CHARACTERS)] = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ForgetAsk:
    """Archive this."""

    id: Id


@dataclass(frozen=True, slots=True, kw_only=True)
class ExpandAsk:
    """Show this in full."""

    id: Annotated[str, Between(1, ID_MAX_CHARACTERS), "Id, its start, or file:PATH."]


@dataclass(frozen=True, slots=True, kw_only=True)
class ExplainAsk:
    """Why is an item of the last context there, or all of them?"""

    id: Annotated[str, Between(0, ID_MAX_CHARACTERS), "One item; else all."] = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ContradictionsAsk:
    """What cannot both be true?"""

    settled: Annotated[bool, "Settled ones too."] = False
    limit: Annotated[int, Between(1, FOUND_MAX)] = 10


@dataclass(frozen=True, slots=True, kw_only=True)
class ResolveAsk:
    """Settle this as the user says."""

    id: Id
    resolution: Resolution
    note: Reason = ""
    scope_a: Annotated[str, Between(0, PATH_MAX_CHARACTERS), "For both_valid, as path=deploy."] = ""
    scope_b: Annotated[str, Between(0, PATH_MAX_CHARACTERS)] = ""
    merged: Annotated[str, Between(0, NOTE_MAX_CHARACTERS), "For merged: what is true."] = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class UseAsk:
    """These memories were used, or were of no use."""

    ids: Annotated[tuple[Annotated[str, Between(1, ID_MAX_CHARACTERS)], ...], Between(1, NAMED_MAX)]
    outcome: Outcome
    action: Annotated[str, Between(1, REASON_MAX_CHARACTERS), "For what."]


@dataclass(frozen=True, slots=True, kw_only=True)
class ErrorAsk:
    """What is known of this error?"""

    error: Annotated[str, Between(1, ERROR_MAX_CHARACTERS), "As it was printed."]
    file: File = ""
    budget: Budget | None = None


def understood(ask: type[Ask], tool: str, arguments: Mapping[str, object] | None) -> Ask:
    """The arguments of a call as a record; what is null counts as not given. Raises UsageError."""
    given = {name: value for name, value in (arguments or {}).items() if value is not None}
    try:
        return wire.decode(ask, given)
    except UsageError as wrong:
        known = ", ".join(wire.hints_of(ask))
        raise UsageError(wrong.what, f"Call `{tool}` again; it takes {known}.") from wrong


def schema_of(ask: type) -> dict[str, Any]:
    """The schema of a tool's arguments: types, limits, choices, defaults, and words only where a name needs them."""
    hints = wire.hints_of(ask)
    defaults = {one.name: one.default for one in fields(ask)}
    said: dict[str, Any] = {
        "type": "object",
        "properties": {name: _property(hint, defaults[name]) for name, hint in hints.items()},
    }
    if needed := wire.required(ask):
        said["required"] = list(needed)
    said["additionalProperties"] = False
    return said


def _property(declared: Any, default: object) -> dict[str, Any]:
    inner = _without_none(declared)
    metadata: list[Any] = []
    if typing.get_origin(inner) is Annotated:
        inner, *metadata = typing.get_args(inner)
    said = Schemas().of(inner)
    for one in metadata:
        if isinstance(one, Between):
            said |= _limits(said["type"], one)
        elif isinstance(one, str):
            said["description"] = one
    if default not in (MISSING, None, ""):
        said["default"] = wire.encode(default)
    return said


def _without_none(declared: Any) -> Any:
    """The type itself where it may be left out; whoever leaves it out sends nothing."""
    if typing.get_origin(declared) in {typing.Union, types.UnionType}:
        (declared,) = wire.choices(declared)
    return declared


def _limits(kind: str, limit: Between) -> dict[str, int]:
    least, most = {
        "string": ("minLength", "maxLength"),
        "array": ("minItems", "maxItems"),
    }.get(kind, ("minimum", "maximum"))
    return {most: limit.most} if kind == "string" and not limit.least else {least: limit.least, most: limit.most}
