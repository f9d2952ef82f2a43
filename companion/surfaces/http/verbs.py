"""The verbs as the API has them: each row of `companion.api.routes`, with what follows from the protocol of its family.

A verb's request, its answer, its page in the OpenAPI document and its route follow from the row and the protocol; only
what the published contract says otherwise, or limits, stands here.
"""

from __future__ import annotations

import inspect
import typing
from collections.abc import Callable, Mapping
from functools import cached_property
from pathlib import Path
from typing import Any

from msgspec import Struct, field

from companion import wire
from companion.api import Companion
from companion.api.asks import ask_record, call_with
from companion.api.routes import ROUTES, WORDED, Route
from companion.config import COUNT_MAX
from companion.errors import UsageError
from companion.ports import Progress
from companion.surfaces.http.asks import (
    AssembleAsk,
    Assembled,
    ConsolidateAsk,
    ExplainAsk,
    PredictAsk,
    Predicted,
    Repo,
    ResolveAsk,
    absolute,
    assembled,
    predicted,
    signals_in,
)
from companion.surfaces.http.lanes import LANES, Lane

FOUND_MAX = 1_000
"""More results of one search than anybody reads; a program that wants all takes an export."""
NOT_SAID = frozenset({"self", "progress"})
"""Parameters of verbs that no request gives."""


class Special(Struct, frozen=True):
    """What is said of a verb beside its row; what is left out follows from the protocol.

    An ask is a record that is made of the verb's parameters, which types do not know. `given` are the verb's arguments
    that it words otherwise, and refuses an ask that makes no sense; `worded` is the answer in the contract's words. The
    fields of an answer stand beside the notices if it is `flat`; `in_path` is the field of the ask that stands in the
    path and not in the body.
    """

    ask: type | None = None
    given: Callable[[Any], Mapping[str, object]] = lambda ask: {}
    result: type | None = None
    worded: Callable[[Any], object] = lambda answer: answer
    flat: bool = False
    in_path: str = ""


class Verb(Struct, frozen=True, dict=True):
    """One verb of the API: how it is called, what it is asked with, what it answers and where it is worked off.

    An answer stands under `result`, unless it is flat. What is asked and answered is worked out when the verb is first
    called: for all of them it takes a tenth of a second, and a daemon that comes up is waited for.
    """

    route: Route
    special: Special

    @property
    def name(self) -> str:
        """Its name in the protocol."""
        return self.route.verb

    @property
    def lane(self) -> Lane:
        """Where it is worked off."""
        return LANES[self.route.pace]

    @cached_property
    def ask(self) -> type:
        """The record that it is called with."""
        if self.special.ask is not None:
            return self.special.ask
        name = "".join(part.title() for part in self.name.split("_")) + "Ask"
        repo = ("repo", Repo, field(default=""))
        return ask_record(self.route.declared, name, f"Asks `{self.name}`.", NOT_SAID, [repo])

    @property
    def result(self) -> object:
        """The type of its answer."""
        return self.special.result or typing.get_type_hints(self.route.declared)["return"]

    @property
    def tells(self) -> bool:
        """Whether it can tell how far it is while it goes on."""
        return "progress" in inspect.signature(self.route.declared).parameters

    @property
    def says(self) -> str:
        """What it is for, in the protocol's words."""
        return inspect.getdoc(self.route.declared) or ""

    def answer(self, companion: Companion, ask: object, progress: Progress) -> object:
        """Ask a companion. Raises CompanionError, also for a path that would mean something else here."""
        for name in wire.hints_of(self.ask):
            value = getattr(ask, name)
            if isinstance(value, Path):
                absolute(value, name)
        given = {"progress": progress, **self.special.given(ask)}
        return self.special.worded(call_with(getattr(companion, self.name), ask, given, self.route.declared))


def _context(ask: Any) -> Mapping[str, object]:
    shown = {"shown": ask.format} if hasattr(ask, "format") else {}
    return {"budget_tokens": ask.budget, "signals": signals_in(ask.signals), **shown}


def _search(ask: Any) -> Mapping[str, object]:
    if not 1 <= ask.query.limit <= FOUND_MAX:
        raise UsageError(f"A limit of {ask.query.limit} makes no sense.", f"Give 1 to {FOUND_MAX}.")
    return {}


def _why(ask: Any) -> Mapping[str, object]:
    if not 0 <= ask.line <= COUNT_MAX:
        raise UsageError(f"There is no line {ask.line}.", "Lines count from 1; 0 is the file as a whole.")
    return {}


SPECIAL: Mapping[str, Special] = {
    "assemble": Special(AssembleAsk, _context, Assembled, assembled, flat=True),
    "predict": Special(PredictAsk, lambda ask: {"signals": signals_in(ask)}, Predicted, predicted, flat=True),
    "settle": Special(ResolveAsk, lambda ask: {"verdict": ask.verdict()}, in_path="id"),
    "consolidate": Special(ConsolidateAsk, lambda ask: {"order": ask.order()}, flat=True),
    "explain": Special(ExplainAsk, _context),
    "search": Special(given=_search),
    "why": Special(given=_why),
}
"""What does not follow from the protocol: the published contract, and limits on what is asked."""

VERBS = tuple(Verb(row, SPECIAL.get(row.verb, Special())) for row in ROUTES)
"""Every verb of the protocol but `close`."""
PLAIN_VERBS = tuple(Verb(row._replace(path=row.plain_path), Special()) for row in ROUTES if row.verb in WORDED)
"""Those that the contract words otherwise once more, as the protocol declares them: for our own client alone."""
