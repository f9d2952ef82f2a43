"""A run over a real store, through the verbs: planned, carried out as planned, told, and taken back."""

from __future__ import annotations

import dataclasses
import threading
from contextlib import closing

import pytest
from fakes import HashEmbedder

from companion.api import AskedBy, Note, RunOrder
from companion.app.consolidation.running import is_due
from companion.config import Settings
from companion.errors import ModelMissing, RunUnderWay, UsageError
from companion.ports import NoProgress
from companion.records import Retire
from companion.records.runs import ChangeState, RunState
from companion.store.by_columns import set_where
from companion.store.consolidation import journal
from companion.store.consolidation.purging import GRACE_DAYS
from companion.store.memories.reconcile import FADED


@pytest.fixture
def companion(desk, shop):
    desk.scan(shop.root)
    opened = desk.open(shop.root)
    yield opened
    opened.close()


def everything(companion):
    return list(companion.store.memories.iterate(companion.project, archived=True))


def exported(companion, folder):
    return {path.name: path.read_bytes() for path in companion.export(folder)}


def consolidate(companion, **how):
    return companion.consolidate(RunOrder(**how), NoProgress())


def test_a_dry_run_changes_nothing_and_says_the_same_twice(companion):
    before = everything(companion)
    first = consolidate(companion, dry_run=True)
    second = consolidate(companion, dry_run=True)
    assert everything(companion) == before
    assert first.dry_run
    assert [one.change for one in second.changes] == [one.change for one in first.changes]
    assert second.run != first.run


def test_a_plan_is_carried_out_exactly_as_it_was_made(companion):
    planned = consolidate(companion, dry_run=True)
    done = consolidate(companion, run=planned.run[:12])
    assert (done.run, done.state) == (planned.run, RunState.APPLIED)
    assert [(one.number, one.change) for one in done.changes] == [(one.number, one.change) for one in planned.changes]
    assert all(one.state in (ChangeState.APPLIED, ChangeState.REFUSED) for one in done.changes)


def test_undoing_a_run_restores_an_export_byte_for_byte(companion, desk, tmp_path):
    for number in range(3):
        companion.remember(Note(f"Prices are cents, part {number}"))
    before = exported(companion, tmp_path / "before")
    desk.clock.advance(days=1)
    done = consolidate(companion)
    assert done.changes_total
    taken = companion.undo(done.run)
    assert not taken.kept
    assert exported(companion, tmp_path / "after") == before
    assert companion.report(done.run).state is RunState.UNDONE


def test_one_change_of_a_run_is_taken_back_alone(companion):
    done = consolidate(companion)
    first = next(one for one in done.changes if one.state is ChangeState.APPLIED)
    assert companion.undo(done.run, first.number).undone == 1
    told = {one.number: one.state for one in companion.report(done.run, after=0).changes}
    assert told.pop(first.number) is ChangeState.UNDONE
    assert ChangeState.UNDONE not in told.values()


def test_a_run_that_was_stopped_is_finished_first_and_says_so(companion):
    companion.go_on = lambda: journal.unfinished(companion.store.database, companion.project) is None
    stopped = consolidate(companion)
    assert stopped.state is RunState.APPLYING
    companion.go_on = lambda: True
    assert "stopped" in " ".join(stopped.notes)
    after = consolidate(companion)
    assert any("finished first" in note for note in after.notes)
    assert companion.report(stopped.run).state is RunState.APPLIED
    assert after.run != stopped.run


def test_a_dry_run_leaves_a_broken_off_run_where_it_is(companion):
    planned = consolidate(companion, dry_run=True)
    companion.go_on = lambda: False
    assert consolidate(companion, run=planned.run).state is RunState.APPLYING
    companion.go_on = lambda: True
    assert any("interrupted" in note for note in consolidate(companion, dry_run=True).notes)
    assert companion.report(planned.run).state is RunState.APPLYING
    assert consolidate(companion, run=planned.run).state is RunState.APPLIED


def test_the_second_of_two_runs_is_told_who_was_first(companion):
    inside, leave = threading.Event(), threading.Event()

    def wait():
        inside.set()
        return leave.wait(30)

    companion.go_on = wait
    first = threading.Thread(target=consolidate, args=(companion,))
    first.start()
    try:
        assert inside.wait(30)
        with pytest.raises(RunUnderWay, match=r"asked for by command, begun at 09:00:00 UTC by process \d+"):
            consolidate(companion)
        with pytest.raises(RunUnderWay):
            companion.purge(dry_run=True)
    finally:
        leave.set()
        first.join()
    assert consolidate(companion).run


def test_a_purge_counts_each_memory_once(companion, desk):
    archived = {"status": "archived", "archived_at": desk.clock.now(), "archived_reason": FADED}
    set_where(companion.store.database, "memories", archived, source="scan", kind="episode")
    desk.clock.advance(days=GRACE_DAYS + 1)
    planned = companion.purge(dry_run=True)
    assert planned.memories == len(planned.shown) > 1
    assert planned.size_bytes == sum(one.size_bytes for one in planned.shown)
    done = companion.purge(dry_run=False)
    assert (done.memories, done.size_bytes) == (planned.memories, planned.size_bytes)
    assert companion.purge(dry_run=True).memories == 0


def test_what_a_person_pinned_is_never_forgotten(companion):
    pinned = companion.remember(Note("Prices are cents", pinned=True))
    told = consolidate(companion, dry_run=True)
    assert pinned.id not in {one.change.id for one in told.changes if isinstance(one.change, Retire)}


@pytest.mark.parametrize(
    ("how", "says"),
    [
        ({"passes": ("gossip",)}, "Choose among: .*compress"),
        ({"run": "n1nothing"}, "report"),
        ({"run": "n1", "passes": ("compress",)}, "no passes"),
        ({"run": "n1", "dry_run": True}, "dry run"),
    ],
)
def test_what_makes_no_sense_is_refused_with_what_does(companion, how, says):
    with pytest.raises(UsageError, match=says):
        consolidate(companion, **how)


def test_a_run_that_was_carried_out_is_not_carried_out_again(companion):
    done = consolidate(companion)
    with pytest.raises(UsageError, match="applied"):
        consolidate(companion, run=done.run)


def test_runs_are_told_newest_first_with_their_changes_a_page_at_a_time(companion):
    first, second = consolidate(companion), consolidate(companion, dry_run=True)
    assert [one.id for one in companion.reports()] == [second.run, first.run]
    assert companion.report("").run == first.run, "the newest that was carried out"
    numbers, after = [], 0
    while page := companion.report(first.run, after=after, limit=2).changes:
        assert len(page) <= 2
        numbers += [one.number for one in page]
        after = numbers[-1]
    assert numbers == list(range(1, first.changes_total + 1))


class TestComingByItself:
    def due(self, companion, **settings):
        now = companion.now()
        return is_due(
            companion.store.database,
            companion.project,
            now,
            dataclasses.replace(Settings(), consolidate_new=1, **settings),
        )

    def test_a_first_run_comes_when_enough_is_new_and_the_next_a_day_later_at_best(self, companion, desk):
        assert self.due(companion)
        consolidate(companion, asked_by=AskedBy.IDLE)
        companion.remember(Note("Prices are cents"))
        assert not self.due(companion)
        desk.clock.advance(hours=25)
        companion.remember(Note("Prices are never rounded"))
        assert self.due(companion)

    def test_none_comes_where_little_is_new(self, companion, desk):
        consolidate(companion)
        desk.clock.advance(days=3)
        assert not self.due(companion)

    def test_a_dry_run_does_not_count(self, companion):
        consolidate(companion, dry_run=True)
        assert self.due(companion)

    def test_one_that_was_broken_off_goes_on_whatever_is_new(self, companion):
        planned = consolidate(companion, dry_run=True)
        companion.go_on = lambda: False
        consolidate(companion, run=planned.run)
        assert journal.unfinished(companion.store.database, companion.project)
        assert self.due(companion)

    def test_a_clock_that_was_set_back_neither_stops_runs_nor_has_them_come_without_end(self, companion, desk):
        consolidate(companion)
        desk.clock.advance(days=-30)
        companion.remember(Note("Prices are cents"))
        assert self.due(companion)
        consolidate(companion)
        assert not self.due(companion)


def test_a_change_tells_what_it_found_and_what_it_left(companion, desk):
    companion.remember(Note("The minimum Python version is 3.9."))
    desk.clock.advance(days=1)
    companion.remember(Note("The minimum Python version is 3.12."))
    desk.clock.advance(days=1)
    planned = consolidate(companion, dry_run=True)
    assert planned.changes
    assert companion.before_after(planned.run, planned.changes[0].number) == (), "nothing has moved yet"
    done = consolidate(companion, run=planned.run)
    for one in done.changes:
        rows = companion.before_after(done.run, one.number)
        assert bool(rows) == (one.state is ChangeState.APPLIED), one
        assert all(row.was != row.became for row in rows)
    superseded = [row for one in done.changes for row in companion.before_after(done.run, one.number) if row.became]
    statuses = [(row.was["status"], row.became["status"]) for row in superseded if row.was and "status" in row.was]
    assert ("active", "archived") in statuses


@pytest.mark.parametrize("number", [0, -1, 10**12])
def test_a_change_that_there_cannot_be_is_refused(companion, number):
    done = consolidate(companion)
    with pytest.raises(UsageError):
        companion.before_after(done.run, number)
    assert companion.before_after(done.run, 999_999) == ()


class Unloadable(HashEmbedder):
    """A model whose package is gone."""

    def embed(self, texts):
        raise ModelMissing("The model cannot be loaded.", "Install the package again.")


SAME = ("Run the full suite before tagging", "We run the full suite before tagging")


def test_what_was_just_remembered_is_near_to_what_it_says_again_without_a_daemon(desk, shop):
    desk.scan(shop.root)
    with closing(desk.open(shop.root, embedder=True)) as companion:
        kept = [companion.remember(Note(text)).id for text in SAME]
        report = consolidate(companion)
        assert report.deduped == 1
        assert sum(one.id in kept for one in companion.store.memories.iterate(companion.project)) == 1


def test_a_run_whose_model_cannot_be_loaded_says_so_and_goes_on_by_rules(desk, shop):
    desk.scan(shop.root)
    with closing(desk.open(shop.root)) as companion:
        companion.runtime.adapters.embedder = Unloadable()
        for text in (*SAME, SAME[0] + "."):
            companion.remember(Note(text))
        report = consolidate(companion)
        assert report.deduped == 1, "the very same words"
        assert any("cannot be loaded" in note for note in report.notes)
