"""The table of verbs that the API has: a row each. What a row leaves out follows from `companion.api.Companion`.

A new verb is a row here and a method in a family of `companion/client/remote/`; its request, its answer, its page in
the OpenAPI document and its route follow.
"""

from __future__ import annotations

import inspect
import typing
from collections.abc import Callable
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any

from companion.api import Companion
from companion.config import COUNT_MAX
from companion.errors import UsageError
from companion.ports import Progress
from companion.records import Contradiction
from companion.surfaces.http.asks import (
    AssembleAsk,
    Assembled,
    ConsolidateAsk,
    ExplainAsk,
    NightAsk,
    PredictAsk,
    Predicted,
    ResolveAsk,
    UndoAsk,
    absolute,
    ask_of,
    assembled,
    call_of,
    predicted,
    signals_in,
)
from companion.surfaces.http.lanes import LONG, READ, SLOW, WRITE, Lane

FOUND_MAX = 1_000
"""More results of one search than anybody reads; a program that wants all takes an export."""

Call = Callable[[Companion, Any, Progress], Any]


@dataclass(frozen=True)
class Verb:
    """One verb of the API: how it is called, what it is asked with, what it answers and where it is worked off.

    An answer stands under `result`, unless it is `flat`: then its fields stand beside the notices.
    """

    name: str
    lane: Lane = READ
    path: str = ""
    ask: type = field(default=type(None))
    result: Any = None
    call: Call | None = None
    flat: bool = False
    in_path: str = ""
    """The field of the ask that stands in the path and not in the body."""
    anywhere: bool = False
    """Whether it is answered outside a repository too: what a user says belongs to no project by itself."""

    def __post_init__(self) -> None:
        """What is not said follows from the protocol."""
        ask, result = ask_of(self.name)
        given = {
            "path": self.path or f"/{self.name.replace('_', '-')}",
            "ask": ask if self.ask is type(None) else self.ask,
            "result": result if self.result is None else self.result,
            "call": self.call or call_of(self.name),
        }
        for name, value in given.items():
            object.__setattr__(self, name, value)

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
        assert self.call is not None
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
    if not 1 <= ask.line <= COUNT_MAX:
        raise UsageError(f"There is no line {ask.line}.", "Lines count from 1.")
    return companion.why(ask.path, ask.line)


def _resolve(companion: Companion, ask: ResolveAsk, _: Progress) -> Contradiction:
    return companion.settle(ask.id, ask.verdict())


def _consolidate(companion: Companion, ask: ConsolidateAsk, progress: Progress) -> Any:
    return companion.consolidate(ask.order(), progress)


VERBS: tuple[Verb, ...] = (
    Verb("assemble", path="/context/assemble", ask=AssembleAsk, result=Assembled, call=_assemble, flat=True),
    Verb("predict", path="/context/predict", ask=PredictAsk, result=Predicted, call=_predict, flat=True),
    Verb("settle", WRITE, path="/contradictions/{id}/resolve", ask=ResolveAsk, call=_resolve, in_path="id"),
    Verb("consolidate", SLOW, ask=ConsolidateAsk, call=_consolidate, flat=True),
    Verb("nights"),
    Verb("night", ask=NightAsk),
    Verb("before_after"),
    Verb("undo", SLOW, ask=UndoAsk),
    Verb("purge", SLOW),
    Verb("contradictions"),
    Verb("judge_again", SLOW),
    Verb("superseded"),
    Verb("unsettle", WRITE),
    Verb("explain", path="/context/explain", ask=ExplainAsk, call=_explain),
    Verb("explain_last", path="/context/explain-last"),
    Verb("search", call=_search),
    Verb("cards"),
    Verb("browse"),
    Verb("dossier"),
    Verb("expand"),
    Verb("why", call=_why),
    Verb("marks"),
    Verb("hints"),
    Verb("at_work"),
    Verb("observe", WRITE),
    Verb("remember", WRITE),
    Verb("forget", WRITE),
    Verb("revive", WRITE),
    Verb("pin", WRITE),
    Verb("cite", WRITE),
    Verb("pass_over", WRITE),
    Verb("refresh", SLOW),
    Verb("scan", LONG),
    Verb("rebuild", LONG),
    Verb("timeline"),
    Verb("accuracy"),
    Verb("stats"),
    Verb("doctor", SLOW),
    Verb("export", SLOW, anywhere=True),
    Verb("import_file", SLOW, path="/import", anywhere=True),
    Verb("backup", SLOW),
    Verb("start_conversation", WRITE, anywhere=True),
    Verb("active_conversation", anywhere=True),
    Verb("add_turn", WRITE, anywhere=True),
    Verb("pause_conversation", WRITE, anywhere=True),
    Verb("close_conversation", SLOW, anywhere=True),
    Verb("resume_conversation", WRITE, anywhere=True),
    Verb("archive_conversation", WRITE, anywhere=True),
    Verb("review", anywhere=True),
    Verb("edit_review", WRITE, path="/review/edit", anywhere=True),
    Verb("redirect_review", WRITE, path="/review/redirect", anywhere=True),
    Verb("split_review", WRITE, path="/review/split", anywhere=True),
    Verb("confirm_review", SLOW, path="/review/confirm", anywhere=True),
    Verb("conversations", anywhere=True),
    Verb("transcript", anywhere=True),
    Verb("find_turns", anywhere=True),
    Verb("forget_conversation", SLOW, anywhere=True),
    Verb("history", anywhere=True),
    Verb("recall_turn", WRITE, anywhere=True),
    Verb("running", anywhere=True),
    Verb("compact", SLOW, anywhere=True),
    Verb("sessions", anywhere=True),
    Verb("talk_progress", anywhere=True),
    Verb("whole_summary", anywhere=True),
    Verb("turn_moves", anywhere=True),
    Verb("threads", anywhere=True),
    Verb("settle_thread", WRITE, anywhere=True),
    Verb("add_todo", WRITE, anywhere=True),
    Verb("acts", anywhere=True),
    Verb("make_act", WRITE, anywhere=True),
    Verb("delete_act", WRITE, anywhere=True),
    Verb("story", anywhere=True),
    Verb("identity", anywhere=True),
    Verb("revise", WRITE, anywhere=True),
    Verb("route", WRITE, anywhere=True),
    Verb("erase", SLOW, anywhere=True),
    Verb("greeting", anywhere=True),
    Verb("offer_nudge", WRITE, path="/nudges/offer", anywhere=True),
    Verb("nudges", anywhere=True),
    Verb("answer_nudge", SLOW, path="/nudges/answer", anywhere=True),
    Verb("notes", anywhere=True),
    Verb("update_status", WRITE, anywhere=True),
    Verb("preamble", anywhere=True),
    Verb("place_note", WRITE, path="/notes/place", anywhere=True),
    Verb("use_repository_notes", WRITE, path="/notes/repository"),
    Verb("talk_sources", anywhere=True),
    Verb("allow_source", WRITE, path="/talk-sources/allow", anywhere=True),
    Verb("import_talk", LONG, anywhere=True),
    Verb("unseen_talk", anywhere=True),
    Verb("review_unseen", LONG, anywhere=True),
    Verb("classify", WRITE, path="/reason/classify", anywhere=True),
    Verb("decompose", WRITE, path="/reason/decompose", anywhere=True),
    Verb("verify", WRITE, path="/reason/verify", anywhere=True),
    Verb("record_outcome", WRITE, path="/reason/outcome", anywhere=True),
    Verb("influences", path="/reason/influences", anywhere=True),
    Verb("notices", anywhere=True),
    Verb("now", anywhere=True),
)
"""Every verb of the protocol but `close`."""
