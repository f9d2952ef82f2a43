"""What is worked out for a record is worked out once, and the oldest is let go first."""

from __future__ import annotations

from companion.engine.lasting import Lasting


def test_a_record_is_looked_at_once_and_the_oldest_of_too_many_is_let_go() -> None:
    made: list[str] = []

    def look(record: list[str]) -> str:
        made.append(record[0])
        return record[0].upper()

    kept, a, b, c = Lasting(look, 2), ["a"], ["b"], ["c"]
    assert [kept.of(one) for one in (a, b, a, c, b, c)] == ["A", "B", "A", "C", "B", "C"]
    assert made == ["a", "b", "c"]
    kept.of(a)
    assert made == ["a", "b", "c", "a"]
