"""A daemon tidies its memory where nobody waits: what stays is looked at no more, what nobody needs is gone."""

from __future__ import annotations

import gc
import weakref
from collections.abc import Iterator

import pytest

from companion.daemon.memory_use import memory_bytes, tidy, untidy


class Knot:
    """Something that only a search for cycles finds."""

    def __init__(self) -> None:
        self.itself = self


@pytest.fixture(autouse=True)
def _as_before() -> Iterator[None]:
    yield
    untidy()


def test_cycles_that_nobody_needs_are_gone():
    gone = weakref.ref(Knot())
    tidy()
    assert gone() is None


def test_what_stays_is_looked_at_no_more_and_goes_when_it_is_let_go_of():
    kept = [object() for _ in range(10)]
    tidy()
    assert not any(one is kept for one in gc.get_objects())
    assert gc.get_freeze_count() > 0
    plain = Knot()
    plain.itself = None  # type: ignore[assignment]
    tidy()
    gone = weakref.ref(plain)
    del plain
    assert gone() is None


def test_memory_is_told_in_bytes():
    assert memory_bytes() == 0 or memory_bytes() > 1_000_000
