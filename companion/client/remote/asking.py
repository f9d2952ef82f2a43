"""Asking memory through an owner."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from companion import wire
from companion.api import Card, Expansion, Explanation, Order
from companion.client.remote.asker import Asker, result_of, understood
from companion.records import Context, Forecast, Format, Hit, SearchQuery, Signals


class Asking(Asker):
    """See `companion.api.asking.Asking` for the verbs."""

    def assemble(
        self, budget_tokens: int, signals: Signals, shown: Format, order: Order, *, count_use: bool = True
    ) -> Context:
        """The four-tier context, never above the budget."""
        said = self._read(
            "/context/assemble",
            budget=budget_tokens,
            signals=_signals(signals),
            format=shown.value,
            order=order.value,
            count_use=count_use,
        )
        return understood(Context, lambda: _context(said))

    def explain(self, budget_tokens: int, signals: Signals, item_id: str | None, *, leave_one_out: bool) -> Explanation:
        """Why each item (or one) is in the context, and what would be there without it."""
        said = self._read(
            "/context/explain",
            budget=budget_tokens,
            signals=_signals(signals),
            item_id=item_id,
            leave_one_out=leave_one_out,
        )
        return result_of(Explanation, said)

    def explain_last(self, item_id: str | None, budget_tokens: int | None) -> Explanation:
        """Why the context that was asked for last is as it is."""
        said = self._read("/context/explain-last", item_id=item_id, budget_tokens=budget_tokens)
        return result_of(Explanation, said)

    def predict(self, signals: Signals) -> Forecast:
        """The files and memories that are likely needed next, likeliest first, each with why."""
        given = _signals(signals)
        said = self._read("/context/predict", file_opened=given.pop("current_file"), **given)
        named = {"predicted_memories": "memories", "predicted_files": "files"}
        return understood(Forecast, lambda: {named.get(name, name): value for name, value in said.items()})

    def search(self, query: SearchQuery) -> tuple[Hit, ...]:
        """Memories that match a query, best first."""
        return result_of(tuple[Hit, ...], self._read("/search", query=wire.encode(query)))

    def cards(self, ids: Sequence[str], persona: str = "") -> tuple[Card, ...]:
        """For whom and what these memories name, up to three more facts each."""
        return result_of(tuple[Card, ...], self._read("/cards", ids=list(ids), persona=persona))

    def expand(self, id_: str) -> Expansion:
        """Everything behind an id (a prefix is enough) or `file:PATH`."""
        return result_of(Expansion, self._read("/expand", id=id_))


def _context(said: dict[str, Any]) -> object:
    tiers = said["tiers"]
    return {
        "text": said["context"],
        "tokens": said["token_count"],
        "tiers": [tiers[f"tier{number}"] for number in range(1, 5)],
        **said["details"],
    }


def _signals(signals: Signals) -> dict[str, Any]:
    given = wire.encode(signals)
    assert isinstance(given, dict)
    given["recent_errors"] = given.pop("errors")
    return given
