"""Spellings that were found become unions, each with how that is known."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from companion_consolidation import entities

from companion.records import Spelling, Unite

NOW = datetime(2026, 1, 1)


@dataclass
class Shelf:
    """An archive that answers with what it was given."""

    found: tuple[Spelling, ...] = ()

    def spellings(self):
        yield from self.found


def test_each_spelling_becomes_a_union_with_its_reason():
    shelf = Shelf((Spelling("person:jd", "person:jane_doe", "one address"),))
    assert list(entities.plan(shelf, NOW)) == [Unite("person:jd", "person:jane_doe", "one address")]


def test_no_spelling_plans_nothing():
    assert list(entities.plan(Shelf(), NOW)) == []
