"""Ties that are new or changed are noted, those that are gone are struck out, and nothing else is touched."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime

from companion_consolidation import link

from companion.records import Relate, Relation, Tie, Unrelate

NOW = datetime(2026, 1, 5, 9, 0)


@dataclass
class Tied:
    """An archive that has found these ties."""

    found: tuple[Tie, ...] = ()

    def ties(self) -> Iterator[Tie]:
        yield from self.found


def test_each_tie_becomes_a_change_with_its_reason() -> None:
    fresh = Tie(Relation.SAME_FILE, "m1", "m2", 0.5, "both name cart.py")
    gone = Tie(Relation.NEAR, "m1", "m3", 0.8, "near in meaning", gone=True)
    assert list(link.plan(Tied((fresh, gone)), NOW)) == [  # type: ignore[arg-type]
        Relate(Relation.SAME_FILE, "m1", "m2", 0.5, "both name cart.py"),
        Unrelate(Relation.NEAR, "m1", "m3", "no longer so: near in meaning"),
    ]


def test_where_nothing_is_new_nothing_is_planned() -> None:
    assert list(link.plan(Tied(), NOW)) == []  # type: ignore[arg-type]
