"""What the run offers shorter is shown shorter, unless the task asks for this very memory."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from companion.engine.recalling.candidates import forms_of
from companion.records import Level, Memory, Tier
from engine.makers import episode

LEVELS = ("full", "summary", "compressed")


@pytest.fixture
def memory() -> Memory:
    made = episode("Fix login loop when the cookie is gone", names=["src/login.py"])
    levels = replace(made.draft.levels, full="a b c d e f", summary="a b c d", compressed="a b", index="a")
    return replace(made, draft=replace(made.draft, levels=levels), tokens=(6, 4, 2, 1))


@pytest.mark.parametrize(("offered", "shown"), [(Level.FULL, 3), (Level.SUMMARY, 2), (Level.COMPRESSED, 1)])
def test_a_context_shows_no_level_longer_than_the_one_that_is_offered(memory: Memory, offered: Level, shown: int):
    forms = forms_of(replace(memory, offered=offered), Tier.RELEVANT, 0.9)
    assert [form.level for form in forms] == list(LEVELS[-shown:])


def test_a_task_that_asks_for_this_very_memory_reaches_its_full_text(memory: Memory):
    forms = forms_of(replace(memory, offered=Level.COMPRESSED), Tier.RELEVANT, 0.9, asked=True)
    assert [form.level for form in forms] == list(LEVELS)


def test_the_background_stays_compressed_whatever_is_offered(memory: Memory):
    assert [form.level for form in forms_of(memory, Tier.BACKGROUND, 0.9, asked=True)] == ["compressed"]
