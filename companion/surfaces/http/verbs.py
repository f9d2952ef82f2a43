"""The verbs as the API has them: each row of `companion.api.routes`, with what follows from `companion.api.Companion`.

A verb's request, its answer, its page in the OpenAPI document and its route follow from the row and the protocol; only
what the published contract says otherwise, or limits, stands here.
"""

from __future__ import annotations

import inspect
import typing
from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields
from functools import cached_property
from pathlib import Path
from typing import Any

from companion.api import Companion
from companion.api.routes import ROUTES
from companion.config import COUNT_MAX
from companion.errors import UsageError
from companion.ports import Progress
from companion.records import Contradiction
from companion.surfaces.http.asks import (
    AssembleAsk,
    Assembled,
    ConsolidateAsk,
    ExplainAsk,
    PredictAsk,
    Predicted,
    ReportAsk,
    ResolveAsk,
    UndoAsk,
    absolute,
    ask_of,
    assembled,
    call_of,
    predicted,
    signals_in,
)
from companion.surfaces.http.lanes import LANES, Lane

FOUND_MAX = 1_000
"""More results of one search than anybody reads; a program that wants all takes an export."""

Call = Callable[[Companion, Any, Progress], Any]


@dataclass(frozen=True)
class Special:
    """What is said of a verb beside its row; what is left out follows from the protocol."""

    ask: type | None = None
    result: Any = None
    call: Call | None = None
    flat: bool = False
    in_path: str = ""


@dataclass(frozen=True)
class Verb:
    """One verb of the API: how it is called, what it is asked with, what it answers and where it is worked off.

    An answer stands under `result`, unless it is `flat`: then its fields stand beside the notices. What is asked and
    answered is worked out when the verb is first called: for all of them it takes a tenth of a second, and an owner
    that comes up is waited for.
    """

    name: str
    lane: Lane
    path: str
    anywhere: bool
    """Whether it is answered outside a repository too."""
    special: Special
    """What does not follow from the protocol: whether the answer's fields stand beside the notices (`flat`), the field
    of the ask that stands in the path and not in the body (`in_path`)."""

    @cached_property
    def _usual(self) -> tuple[type, Any]:
        return ask_of(self.name)

    @property
    def ask(self) -> type:
        """The record that it is called with."""
        return self.special.ask or self._usual[0]

    @property
    def result(self) -> Any:
        """The type of its answer."""
        return self.special.result or self._usual[1]

    @cached_property
    def call(self) -> Call:
        """Puts such a record to a companion."""
        return self.special.call or call_of(self.name)

    @property
    def tells(self) -> bool:
        """Whether it can tell how far it is while it goes on."""
        return Progress in typing.get_type_hints(getattr(Companion, self.name)).values()

    @property
    def says(self) -> str:
        """What it is for, in the protocol's words."""
        return inspect.getdoc(getattr(Companion, self.name)) or ""

    def answer(self, companion: Companion, ask: Any, progress: Progress) -> Any:
        """Ask a companion. Raises CompanionError, also for a path that would mean something else here."""
        for given in fields(self.ask):
            value = getattr(ask, given.name)
            if isinstance(value, Path):
                absolute(value, given.name)
        return self.call(companion, ask, progress)


def _assemble(companion: Companion, ask: Any, _: Progress) -> Any:
    context = companion.assemble(ask.budget, signals_in(ask.signals), ask.format, ask.order, count_use=ask.count_use)
    return assembled(context)


def _explain(companion: Companion, ask: Any, _: Progress) -> Any:
    return companion.explain(ask.budget, signals_in(ask.signals), ask.item_id, leave_one_out=ask.leave_one_out)


def _predict(companion: Companion, ask: Any, _: Progress) -> Any:
    return predicted(companion.predict(signals_in(ask)))


def _search(companion: Companion, ask: Any, _: Progress) -> Any:
    if not 1 <= ask.query.limit <= FOUND_MAX:
        raise UsageError(f"A limit of {ask.query.limit} makes no sense.", f"Give 1 to {FOUND_MAX}.")
    return companion.search(ask.query)


def _why(companion: Companion, ask: Any, _: Progress) -> Any:
    if not 0 <= ask.line <= COUNT_MAX:
        raise UsageError(f"There is no line {ask.line}.", "Lines count from 1; 0 is the file as a whole.")
    return companion.why(ask.path, ask.line)


def _resolve(companion: Companion, ask: ResolveAsk, _: Progress) -> Contradiction:
    return companion.settle(ask.id, ask.verdict())


def _consolidate(companion: Companion, ask: ConsolidateAsk, progress: Progress) -> Any:
    return companion.consolidate(ask.order(), progress)


SPECIAL: Mapping[str, Special] = {
    "assemble": Special(AssembleAsk, Assembled, _assemble, flat=True),
    "predict": Special(PredictAsk, Predicted, _predict, flat=True),
    "settle": Special(ResolveAsk, call=_resolve, in_path="id"),
    "consolidate": Special(ConsolidateAsk, call=_consolidate, flat=True),
    "report": Special(ReportAsk),
    "undo": Special(UndoAsk),
    "explain": Special(ExplainAsk, call=_explain),
    "search": Special(call=_search),
    "why": Special(call=_why),
}
"""What does not follow from the protocol: the published contract, and limits on what is asked."""

VERBS = tuple(
    Verb(row.verb, LANES[row.pace], row.path, row.anywhere, SPECIAL.get(row.verb, Special())) for row in ROUTES
)
"""Every verb of the protocol but `close`."""
