"""Asking: contexts, forecasts, search, and what stands behind an answer."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime

from companion.api import Expansion, Explanation, Order
from companion.app.checkout import OpenCheckout
from companion.app.given import did_you_mean, readable_query
from companion.engine.assemble import assemble
from companion.engine.explain import explain
from companion.engine.focus import focus
from companion.engine.predict import predict
from companion.errors import StoreUnwritable, UsageError
from companion.records import Activity, Context, Forecast, Format, Hit, Prediction, SearchQuery, Signals, Tier
from companion.store import projects, usage
from companion.store.library import NO_MODEL

MEMORY_ID = "m1"
"""How a memory's id begins; code and pointers have ids of their own."""
FORECAST_MEMORIES = 10
"""Memories named beside a forecast's files."""


class Asking(OpenCheckout):
    """The verbs that read. See `companion.api.Companion`."""

    def assemble(
        self, budget_tokens: int, signals: Signals, shown: Format, order: Order, *, count_use: bool = True
    ) -> Context:
        """The four-tier context, never above the budget."""
        signals = self._at_hand(signals)
        context = self._assembled(budget_tokens, signals, shown, order)
        if unread := self._unread(signals.current_file):
            self._notices.append(unread)
            context = replace(context, missing=(*context.missing, unread))
        if count_use:
            served = [
                item.id
                for tier in context.tiers
                if tier.tier is not Tier.INDEX
                for item in tier.items
                if item.id.startswith(MEMORY_ID)
            ]
            self._count_use(served, budget_tokens, signals)
        return context

    def explain(self, budget_tokens: int, signals: Signals, item_id: str | None, *, leave_one_out: bool) -> Explanation:
        """Why each item (or one) is in the context, and what would be there without it."""
        signals = self._at_hand(signals)
        context = self._assembled(budget_tokens, signals, Format.MARKDOWN, Order.PEOPLE)

        def without(left_out: str) -> Context:
            return self._assembled(
                budget_tokens, signals, Format.MARKDOWN, Order.PEOPLE, leave_out=frozenset({left_out})
            )

        return explain(context, item_id, without if leave_one_out else None)

    def explain_last(self, item_id: str | None, budget_tokens: int | None) -> Explanation:
        """Why the context that was asked for last is as it is."""
        self._need_reading()
        last = self._last()
        if last is None:
            raise UsageError("No context has been asked for yet.", "Run `companion context --file FILE` first.")
        budget, signals = last
        return self.explain(
            budget if budget_tokens is None else budget_tokens,
            signals,
            item_id,
            leave_one_out=item_id is not None,
        )

    def predict(self, signals: Signals) -> Forecast:
        """The files and memories that are likely needed."""
        signals = self._at_hand(signals)
        shown = self._assembled(self.rooms.settings.budget_tokens, signals, Format.JSON, Order.PEOPLE)
        memories = [i.id for tier in shown.tiers[:2] for i in tier.items if i.id.startswith(MEMORY_ID)]
        return Forecast(
            files=self.predict_files(signals),
            memories=tuple(memories[:FORECAST_MEMORIES]),
            confidence=shown.confidence,
            activity=shown.activity,
            missing=shown.missing,
        )

    def predict_files(self, signals: Signals) -> tuple[Prediction, ...]:
        """The files alone, most likely first."""
        library = self.library(signals)
        meant = focus(signals, self._errors(signals), library)
        return predict(meant, library, self._moment(signals))

    def search(self, query: SearchQuery) -> tuple[Hit, ...]:
        """Memories that match, archived ones only if the query asks for them."""
        library = self.library(Signals(at=query.as_of))
        hits = library.search(readable_query(query, self.state, self.rooms.redactor.redact))
        asked_for = NO_MODEL if self.rooms.settings.embeddings == "off" else ""
        self._notices += [what for what in library.readiness().missing if what != asked_for]
        return hits

    def expand(self, id_: str) -> Expansion:
        """Everything behind an id (a prefix is enough) or `file:PATH`."""
        if id_.startswith("file:"):
            return self._expand_file(self._fit(id_.removeprefix("file:")))
        found = self._resolved(id_)
        (memory,) = self.rooms.memories.get([found])
        versions = tuple(self.rooms.memories.versions(found))
        return Expansion(memory.id, memory.draft.levels.compressed, memory.draft.levels.full, memory, versions)

    def _expand_file(self, path: str) -> Expansion:
        library = self.library()
        forms = library.paths().get(path)
        if forms is None:
            raise UsageError(f"`{path}` is not an indexed file.", did_you_mean(path, library.paths()))
        body = library.body(path, 1, max(1, forms.lines))
        return Expansion(f"file:{path}", path, body or forms.skeleton or forms.outline or path)

    def _assembled(
        self,
        budget_tokens: int,
        signals: Signals,
        shown: Format,
        order: Order,
        leave_out: frozenset[str] = frozenset(),
    ) -> Context:
        return assemble(
            budget_tokens,
            signals,
            self._errors(signals),
            self.library(signals),
            self.rooms.counter,
            self._moment(signals),
            shown,
            order,
            project_name=self._name,
            leave_out=leave_out,
        )

    def _unread(self, path: str) -> str:
        """Why the file at hand is not among what was read; empty if it is."""
        if not path or path in self.library().paths():
            return ""
        rows = projects.skipped(self.rooms.database, self.checkout)
        reason = next((row.reason for row in rows if row.path == path), "")
        return f"{path} is not indexed: {reason}." if reason else f"{path} is not indexed yet: run `companion init`."

    def _count_use(self, served: Sequence[str], budget_tokens: int, signals: Signals) -> None:
        """Note what was served; on a full disk the context is worth more than its being counted."""
        try:
            with self.rooms.database.write(quiet=True):  # one commit, and one wait for the disk
                usage.record(self.rooms.database, served, "retrieved", signals.current_file, self.now())
                self._note_last(budget_tokens, signals)
        except StoreUnwritable as wrong:
            self._notices.append(f"What was served could not be noted. {wrong}")

    def _note_last(self, budget_tokens: int, signals: Signals) -> None:
        """Remember what was asked, for `explain`; losing this note loses nothing else."""
        noted = {
            "budget": budget_tokens,
            "current_file": signals.current_file,
            "query": signals.query,
            "errors": list(signals.errors),
            "branch": signals.branch,
            "activity": signals.activity.value if signals.activity else None,
            "collaborators": list(signals.collaborators),
            "at": signals.at.isoformat() if signals.at else None,
        }
        projects.set_value(self.rooms.database, f"last:{self.checkout}", json.dumps(noted))

    def _last(self) -> tuple[int, Signals] | None:
        text = projects.get_value(self.rooms.database, f"last:{self.checkout}")
        if not text:
            return None
        noted = json.loads(text)
        return int(noted["budget"]), Signals(
            current_file=noted["current_file"],
            query=noted["query"],
            errors=tuple(noted["errors"]),
            branch=noted["branch"],
            activity=Activity(noted["activity"]) if noted["activity"] else None,
            collaborators=tuple(noted["collaborators"]),
            at=datetime.fromisoformat(noted["at"]) if noted["at"] else None,
        )
