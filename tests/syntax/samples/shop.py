"""A small shop. It sells apples.

More words that do not belong to the first sentence.
"""

from __future__ import annotations

import json as js
from functools import lru_cache

from shop.stock import Stock
from shop.stock import count as how_many

LIMIT = 10
_hidden: int = 3


class Basket(Stock, js.JSONEncoder):
    """Holds what was chosen."""

    colour = "green"

    def __init__(self, owner: str) -> None:
        self.owner = owner

    @property
    def price(self) -> float:
        """What it costs, e.g. 3.50 with tax. Never negative."""
        return sum(how_many(item) for item in self.items)

    async def _send(
        self,
        address: str,
        *,
        fast: bool = False,  # costs more
    ) -> None:
        def note(text):
            return text

        await self.post(note(address))


@lru_cache(maxsize=8)
def total(basket: Basket) -> float:
    if not basket:
        raise ValueError("empty")
    try:
        return basket.price
    except KeyError as wrong:
        raise LookupError from wrong
