"""One conflict is one entry however many say the same on a side: settled for all, taken back for all."""

from __future__ import annotations

import pytest
from learned import active, everything
from stores import PROJECT, at, fact, memories

from companion.errors import UsageError
from companion.records import Evidence, EvidenceKind, Resolution
from companion.store.memories import contradictions
from companion.store.memories.conflicts import Pair, named
from companion.store.memories.memories import ReconcileOutcome

VALUES = {"pyproject.toml": "100", "setup.cfg": "79", "tox.ini": "100"}


def said(origin: str, value: str, lines: int = 1):
    evidence = tuple(Evidence(EvidenceKind.FILE, origin, line) for line in range(1, lines + 1))
    return fact(value=value, origin=origin, evidence=evidence)


def learn(database, day: float = 0.0, **values: str) -> ReconcileOutcome:
    """What files say of the length of a line, each read anew; `tox` stands for `tox.ini`."""
    found = VALUES | {{"tox": "tox.ini", "black": "black.toml"}.get(name, name): one for name, one in values.items()}
    drafts = [said(origin, value, 3 if origin == "tox.ini" else 1) for origin, value in found.items() if value]
    return memories(database).reconcile(PROJECT, "tests", list(found), drafts, at(day))


def the_one(database, **given):
    (found,) = contradictions.open_ones(database, PROJECT, **given)
    return found


def side(entry, value: str):
    """Who says a value, the one that is shown first."""
    (found,) = [one for one in (entry.side_a, entry.side_b) if one[0].draft.value == value]
    return [memory.draft.origin for memory in found]


def test_twins_on_a_side_are_one_entry_with_the_best_evidenced_shown(database):
    assert learn(database).contradictions == 1
    entry = the_one(database)
    assert side(entry, "100") == ["tox.ini", "pyproject.toml"]
    assert side(entry, "79") == ["setup.cfg"]


def test_the_reason_is_that_of_the_two_who_are_shown(database):
    learn(database)
    assert "tox.ini says “100”" in the_one(database).reason


def test_another_value_is_another_conflict(database):
    assert learn(database, tox="88").contradictions == 3
    assert len(contradictions.open_ones(database, PROJECT)) == 3


def test_a_twin_that_comes_later_joins_and_the_entry_keeps_its_id(database):
    learn(database, tox="")
    before = the_one(database)
    assert learn(database, 1).contradictions == 0
    assert the_one(database).id == before.id
    assert len(the_one(database).members) == 3


def test_an_entry_ends_for_who_goes_and_stays_for_who_is_left(database):
    learn(database)
    learn(database, 1, tox="")
    assert side(the_one(database), "100") == ["pyproject.toml"]
    learn(database, 2, tox="", **{"pyproject.toml": ""})
    assert contradictions.open_ones(database, PROJECT) == ()


@pytest.mark.parametrize("value", ["100", "79"])
def test_it_is_settled_for_all_and_taken_back_for_all(database, value):
    learn(database, black="79")
    kept, entry = memories(database), the_one(database)
    assert len(entry.pairs) == 4
    how = Resolution.A_WINS if entry.a.draft.value == value else Resolution.B_WINS
    kept.settle(entry.pairs[-1][:12], how, "asked Ann", at(1))
    assert contradictions.open_ones(database, PROJECT) == ()
    assert {memory.draft.value for memory in active(kept)} == {value}
    winner = entry.a if how is Resolution.A_WINS else entry.b
    lost = [memory for memory in everything(kept) if memory.draft.value != value]
    assert {memory.superseded_by for memory in lost} == {winner.id}
    (closed,) = contradictions.open_ones(database, PROJECT, settled=True)
    assert (closed.resolution, len(closed.members)) == (how, 4)
    assert learn(database, 2, black="79").contradictions == 0
    kept.unsettle(entry.id, at(3))
    assert len(the_one(database).members) == len(active(kept)) == 4


def test_one_that_is_pinned_keeps_its_side_from_losing(database):
    learn(database)
    entry = the_one(database)
    (other,) = entry.also_a or entry.also_b
    memories(database).pin(other.id, on=True)
    how = Resolution.B_WINS if entry.also_a else Resolution.A_WINS
    with pytest.raises(UsageError, match=other.id):
        memories(database).settle(entry.id, how, "", at(1))


def test_what_both_may_hold_is_not_asked_again_of_a_twin(database):
    learn(database, tox="")
    memories(database).settle(the_one(database).id, Resolution.BOTH_VALID, "", at(1))
    assert learn(database, 2).contradictions == 0
    assert contradictions.open_ones(database, PROJECT) == ()


def test_who_does_not_see_a_side_is_shown_the_entry_of_the_others(database):
    learn(database)
    shown = the_one(database, sees=lambda memory: memory.draft.origin != "tox.ini")
    assert side(shown, "100") == ["pyproject.toml"]


def test_pairs_are_one_conflict_by_the_values_that_they_give_and_by_what_they_say():
    other = "two values where one can hold: “npm” and “yarn”"
    why = "two values where one can hold: “npm” and “pnpm”"
    again = "package manager has two values: “PNPM” and “npm”"
    one, twin, third = Pair("a", "b", why), Pair("a2", "b", again), Pair("c", "b", other)
    names = named([one, third, twin], [])
    assert names[0] == names[2] != names[1]
    assert named([twin], [Pair("a", "b", why, "x1known")]) == ["x1known"]
    refused = "one refuses “{}”, which the other mentions: “never {}” against “use {}”"
    spelled = [Pair(side, "b", refused.format(*[name] * 3)) for side, name in (("a", "Postgres"), ("a2", "PostgreSQL"))]
    assert len(set(named(spelled, []))) == 1
    denied = [Pair("a", "b", "one denies what the other says of “log”"), Pair("a2", "b", "one denies it")]
    assert len(set(named(denied, []))) == 2
    assert len(set(named(denied, [], lambda one, two, _: {one, two} == {"a", "a2"}))) == 1


def test_pairs_that_only_a_third_brings_together_are_one_conflict():
    why = "two numbers for one thing: “20 MB” and “50 MB”"
    assert len(set(named([Pair("a", "b", why), Pair("a2", "b2", why), Pair("a", "b2", why)], []))) == 1
