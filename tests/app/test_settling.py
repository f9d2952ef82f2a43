"""A person settles a contradiction: one side wins, each holds in its own scope, or one text replaces both."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from repos import Repo

from app.conftest import Desk
from companion.api import Verdict
from companion.app.local import LocalCompanion
from companion.app.replay import Unseen
from companion.errors import UsageError
from companion.records import Contradiction, Memory, Resolution, Scope, Source, Status


@pytest.fixture
def companion(desk: Desk, shop: Repo) -> Iterator[LocalCompanion]:
    shop.write(".editorconfig", "root = true\n\n[*.py]\nmax_line_length = 79\n")
    desk.scan(shop.root)
    opened = desk.open(shop.root)
    yield opened
    opened.close()


@pytest.fixture
def one(companion: LocalCompanion) -> Contradiction:
    found = companion.contradictions()
    assert found
    return found[0]


def now_is(companion: LocalCompanion, memory: Memory) -> Memory:
    return companion.rooms.memories.get([memory.id])[0]


def test_who_loses_is_superseded_by_who_wins_and_is_still_there(companion: LocalCompanion, one: Contradiction):
    settled = companion.settle(one.id[:12], Verdict(Resolution.A_WINS, "the team said so"))
    assert (settled.resolution, settled.note) == (Resolution.A_WINS, "the team said so")
    loser = now_is(companion, one.b)
    assert (loser.status, loser.superseded_by) == (Status.ARCHIVED, one.a.id)
    assert one.id not in [other.id for other in companion.contradictions()]
    assert one.id in [other.id for other in companion.contradictions(settled=True)]


def test_settling_again_lets_the_loser_stand_again(companion: LocalCompanion, one: Contradiction):
    companion.settle(one.id, Verdict(Resolution.A_WINS))
    companion.settle(one.id, Verdict(Resolution.B_WINS))
    assert (now_is(companion, one.b).status, now_is(companion, one.b).superseded_by) == (Status.ACTIVE, "")
    assert now_is(companion, one.a).superseded_by == one.b.id


def test_both_are_valid_each_in_its_scope_and_a_scan_brings_nothing_back(companion: LocalCompanion, one: Contradiction):
    companion.settle(one.id, Verdict(Resolution.BOTH_VALID, scope_a=Scope(path="shop"), scope_b=Scope(path="tests")))
    stands = {}
    for side in (one.a, one.b):
        old = now_is(companion, side)
        assert old.status is Status.ARCHIVED
        (new,) = companion.rooms.memories.get([old.superseded_by])
        assert (new.draft.source, new.draft.value) == (Source.BY_HAND, side.draft.value)
        stands[new.draft.scope.path] = new
    assert set(stands) == {"shop", "tests"}
    companion.scan(Unseen(), full=True)
    assert companion.contradictions() == ()
    assert all(now_is(companion, side).status is Status.ARCHIVED for side in (one.a, one.b))


def test_scopes_that_separate_nothing_are_refused(companion: LocalCompanion, one: Contradiction):
    with pytest.raises(UsageError, match="separates nothing"):
        companion.settle(one.id, Verdict(Resolution.BOTH_VALID, scope_a=Scope(path="shop"), scope_b=Scope(path="shop")))
    with pytest.raises(UsageError, match="only given where both"):
        companion.settle(one.id, Verdict(Resolution.A_WINS, scope_a=Scope(path="shop")))


def test_merged_is_one_memory_by_hand_that_supersedes_both(companion: LocalCompanion, one: Contradiction):
    companion.pin(one.a.id, on=True)
    companion.settle(one.id, Verdict(Resolution.MERGED, merged="100 for code, 79 for docstrings"))
    new = {now_is(companion, side).superseded_by for side in (one.a, one.b)}
    (memory,) = companion.rooms.memories.get(sorted(new))
    assert memory.draft.value == "100 for code, 79 for docstrings"
    assert memory.draft.source is Source.BY_HAND
    assert memory.draft.pinned
    assert set(one.a.draft.evidence + one.b.draft.evidence) == set(memory.draft.evidence)
    companion.scan(Unseen(), full=True)
    assert companion.contradictions() == ()


def test_merging_without_a_text_is_refused(companion: LocalCompanion, one: Contradiction):
    with pytest.raises(UsageError, match="needs the text"):
        companion.settle(one.id, Verdict(Resolution.MERGED))


def test_a_secret_in_a_note_or_text_is_not_kept(companion: LocalCompanion, one: Contradiction):
    key = "AKIA" + "J7QZ4WX2NBVL5RTP"
    settled = companion.settle(one.id, Verdict(Resolution.MERGED, f"see {key}", merged=f"use {key} there"))
    (memory,) = companion.rooms.memories.get([now_is(companion, one.a).superseded_by])
    assert key not in settled.note + memory.draft.value + memory.draft.levels.full
