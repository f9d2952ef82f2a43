"""What a request says: the asks of the published contract as records, and those made from the protocol's own verbs."""

from __future__ import annotations

import os
import typing
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated

from msgspec import Struct, defstruct, field
from msgspec.structs import asdict

from companion import wire
from companion.api import AskedBy, Order, RunOrder, Verdict
from companion.config import BUDGET_MAX_TOKENS
from companion.errors import UsageError
from companion.records import (
    Context,
    Forecast,
    Format,
    Resolution,
    Scope,
    Signals,
    TierReport,
)
from companion.wire import Between

BUDGET_TOKENS = 8_000
"""What a context may hold where the request does not say; as in the settings."""
PATH_MAX_CHARACTERS = 4_096
"""The longest path that the systems we run on understand."""
ID_MAX_CHARACTERS = 100
"""An id has some thirty; a path leaves room for a longer one."""
WHY_MAX_CHARACTERS = 200
"""A line of the log."""

Repo = Annotated[str, Between(0, PATH_MAX_CHARACTERS)]
Id = Annotated[str, Between(1, ID_MAX_CHARACTERS)]
Budget = Annotated[int, Between(0, BUDGET_MAX_TOKENS)]


def _asking(name: str, says: str, given: Mapping[str, tuple[object, object]]) -> type:
    """A record of these fields, each with its type and its default (or what makes one)."""
    listed = [
        (one, type_, field(default_factory=default) if callable(default) else default)
        for one, (type_, default) in given.items()
    ]
    return defstruct(name, listed, frozen=True, kw_only=True, module=__name__, namespace={"__doc__": says})


def _of_signals(**renamed: str) -> dict[str, tuple[object, object]]:
    """The fields of `Signals`, some under the names that the contract gives them."""
    usual = wire.defaults_of(Signals)
    return {renamed.get(name, name): (hint, usual[name]) for name, hint in wire.hints_of(Signals).items()}


SignalsAsk = _asking(
    "SignalsAsk",
    "What is observed now: the current file, the task in words, the errors as they were printed.",
    _of_signals(errors="recent_errors"),
)
_CONTEXT: Mapping[str, tuple[object, object]] = {
    "repo": (Repo, ""),
    "budget": (Budget, BUDGET_TOKENS),
    "signals": (SignalsAsk, SignalsAsk),
}
AssembleAsk = _asking(
    "AssembleAsk",
    "A context is wanted: for which repository (an absolute path), how long, and what is observed now.",
    {**_CONTEXT, "format": (Format, Format.MARKDOWN), "order": (Order, Order.PEOPLE), "count_use": (bool, True)},
)
ExplainAsk = _asking(
    "ExplainAsk",
    "Why is a context as it is: the same signals again, and one item of it or all.",
    {**_CONTEXT, "item_id": (str | None, None), "leave_one_out": (bool, False)},
)
PredictAsk = _asking(
    "PredictAsk",
    "Which files and memories are likely needed, now that a file was opened.",
    {"repo": (Repo, ""), **_of_signals(errors="recent_errors", current_file="file_opened")},
)


def signals_in(ask: object) -> Signals:
    """The signals of an ask, as the verbs take them."""
    named = {"errors": "recent_errors"}
    if hasattr(ask, "file_opened"):
        named["current_file"] = "file_opened"
    return Signals(**{name: getattr(ask, named.get(name, name)) for name in Signals.__struct_fields__})


class Scopes(Struct, frozen=True):
    """Where each side of a contradiction holds, if both are valid."""

    a: Scope | None = None
    b: Scope | None = None


class ResolveAsk(Struct, frozen=True):
    """How a contradiction is settled; `merged` is the text that replaces both, where they are merged."""

    resolution: Resolution
    id: Id
    repo: Repo = ""
    note: str = ""
    scopes: Scopes = Scopes()
    merged: str = ""

    def verdict(self) -> Verdict:
        """The record that the verb takes."""
        return Verdict(self.resolution, self.note, self.scopes.a, self.scopes.b, self.merged)


class ConsolidateAsk(Struct, frozen=True):
    """A run is wanted: all of it or some passes, a dry run, or (`run`) the plan that a dry run kept.

    With `Accept: application/x-ndjson` its progress is told while it goes on, a line of JSON each.
    """

    dry_run: bool
    repo: Repo = ""
    passes: tuple[Annotated[str, Between(1, ID_MAX_CHARACTERS)], ...] = ()
    run: Annotated[str, Between(0, ID_MAX_CHARACTERS)] = ""
    asked_by: AskedBy = AskedBy.HTTP

    def order(self) -> RunOrder:
        """The record that the verb takes."""
        return RunOrder(self.dry_run, self.passes, self.run, self.asked_by)


class StopAsk(Struct, frozen=True):
    """The daemon is to end; why is kept in its log."""

    why: Annotated[str, Between(0, WHY_MAX_CHARACTERS)] = "asked to"


class PageAsk(Struct, frozen=True):
    """A link to the local page of a repository is wanted."""

    repo: Repo


class Tiers(Struct, frozen=True):
    """The four parts of a context, most urgent first."""

    tier1: TierReport
    tier2: TierReport
    tier3: TierReport
    tier4: TierReport


def _answering(name: str, says: str, given: Mapping[str, object]) -> type:
    """A record of these fields, each with its type."""
    return defstruct(name, given.items(), frozen=True, kw_only=True, module=__name__, namespace={"__doc__": says})


_SAID_APART = {"text", "tokens", "tiers"}
Details = _answering(
    "Details",
    "What else is known of a context.",
    {name: hint for name, hint in typing.get_type_hints(Context).items() if name not in _SAID_APART},
)
Assembled = _answering(
    "Assembled",
    "An assembled context: its text, the exact number of its tokens, and its parts.",
    {"context": str, "token_count": int, "tiers": Tiers, "details": Details},
)
_PREDICTED = {"memories": "predicted_memories", "files": "predicted_files"}
Predicted = _answering(
    "Predicted",
    "The memories (by id) and files that are likely needed, and a confidence for the whole, 0 to 1.",
    {_PREDICTED.get(name, name): hint for name, hint in typing.get_type_hints(Forecast).items()},
)


def assembled(context: Context) -> object:
    """A context in the contract's words; nothing of it is said twice."""
    details = Details(**{name: getattr(context, name) for name in wire.hints_of(Details)})
    return Assembled(context=context.text, token_count=context.tokens, tiers=Tiers(*context.tiers), details=details)


def predicted(forecast: Forecast) -> object:
    """A forecast in the contract's words."""
    return Predicted(**{_PREDICTED.get(name, name): value for name, value in asdict(forecast).items()})


def absolute(path: str | os.PathLike[str], what: str) -> Path:
    """A path that means the same to whoever asks and to who answers. Raises UsageError for any other."""
    text = os.fspath(path)
    if "\0" in text or not os.path.isabs(text):  # noqa: PTH117 - a path with a NUL is no Path
        raise UsageError(f"`{what}` is not an absolute path.", "Give the whole path, from the root.")
    return Path(text)
