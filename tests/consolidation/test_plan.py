"""What a night would do is planned with reasons, in a stable order, and nothing is changed by planning."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime

import pytest
from companion_consolidation import compress, contradict, dedupe, forget
from hypothesis import given
from hypothesis import strategies as st

from companion.records import Brief, Kind, Merge, Retire, Shorten

NOW = datetime(2026, 1, 1)
EPISODE = Brief("m1", Kind.EPISODE, "commit", "title", "text", (100, 40, 12, 5), 0, 1, 0)


@dataclass
class Shelf:
    """An archive that answers with what it was given."""

    twins: tuple[tuple[Brief, ...], ...] = ()
    aged: tuple[Brief, ...] = ()
    idle: tuple[Brief, ...] = ()

    def same_words(self):
        yield from self.twins

    def aged_episodes(self, active_days):
        yield from (one for one in self.aged if one.active_days > active_days)

    def unused(self, active_days):
        yield from (one for one in self.idle if one.active_days > active_days)

    def contradictions(self):
        return ()


def test_the_first_of_those_that_say_the_same_stays_and_all_others_go():
    group = tuple(replace(EPISODE, id=f"m{number}") for number in range(3))
    assert list(dedupe.plan(Shelf(twins=(group,)), NOW)) == [Merge("m0", ("m1", "m2"), "3 say: title")]


def test_episodes_are_offered_at_summary_after_a_week_of_work_and_compressed_after_a_month():
    aged = tuple(replace(EPISODE, id=f"m{days}", active_days=days) for days in (7, 8, 30, 31))
    planned = list(compress.plan(Shelf(aged=aged), NOW))
    assert [(change.id, change.level, change.tokens_saved) for change in planned] == [
        ("m8", "summary", 60),
        ("m30", "summary", 60),
        ("m31", "compressed", 88),
    ]


@given(st.integers(0, 200), st.tuples(*[st.integers(1, 50)] * 4))
def test_no_episode_is_made_longer_by_being_compressed(days, tokens):
    planned = list(compress.plan(Shelf(aged=(replace(EPISODE, active_days=days, tokens=tokens),)), NOW))
    assert all(isinstance(change, Shorten) and change.tokens_saved > 0 for change in planned)


def test_what_was_unused_for_ninety_days_of_work_goes_and_nothing_younger():
    idle = tuple(replace(EPISODE, id=f"m{days}", active_days=days) for days in (90, 91))
    planned = list(forget.plan(Shelf(idle=idle), NOW))
    assert [change.id for change in planned if isinstance(change, Retire)] == ["m91"]
    assert "91 days of work" in planned[0].reason


def test_every_change_says_why():
    shelf = Shelf(((EPISODE, EPISODE),), (replace(EPISODE, active_days=50),), (replace(EPISODE, active_days=99),))
    for step in (dedupe, compress, contradict, forget):
        assert all(change.reason for change in step.plan(shelf, NOW))


@pytest.mark.parametrize("step", [dedupe, compress, contradict, forget])
def test_an_empty_archive_plans_nothing(step):
    assert list(step.plan(Shelf(), NOW)) == []
