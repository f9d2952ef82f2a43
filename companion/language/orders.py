"""Text that speaks to a program instead of to people: data like any other, which moves no answer.

Two degrees: what orders a program about (its instructions, its memory) is left out of what somebody said; what merely
tells it how to answer, in the words that we ourselves use for answers, is also kept from those who judge.
"""

from __future__ import annotations

import re
from functools import lru_cache

from companion.language.phrases import places, says
from companion.language.phrasing import stretches
from companion.language.word_lists import DENIALS

KEPT_TEXTS = 1_024
"""Texts remembered as looked through, a page each at most: the same few memories bear on many requests."""


@lru_cache(maxsize=KEPT_TEXTS)
def orders_a_program(text: str) -> bool:
    """Whether it tells a program to forget its instructions, or what to remember; "never ignore the rules" does not."""
    return any(not _denied(text[:start]) for start, _ in places(text, "orders.orders"))


@lru_cache(maxsize=KEPT_TEXTS)
def steers_a_model(text: str) -> bool:
    """Whether any of it speaks to whoever judges: orders, or the answer that is to be given."""
    return says(text, "orders.steers") or orders_a_program(text)


def _denied(before: str) -> bool:
    """Whether what stands before an order denies it."""
    return not DENIALS.isdisjoint(re.sub("['’]", "", before).lower().split()[-1:])


def unsteered(text: str) -> str:
    """A text without the sentences that speak to whoever judges; nearly always the same text."""
    if not steers_a_model(text):
        return text
    return "\n".join(one for one in stretches(text) if not steers_a_model(one))
