"""What a run changed: each change with its reason, before and after, and the way back."""

from __future__ import annotations

import re

import pytest
from visits import Visit

from companion.api import RunChange, RunOrder, RunReport
from companion.app.consolidation.one_run import OneRun
from companion.ports import NoProgress
from companion.records import Status, Supersede
from companion.records.runs import ChangeState, RowMoved, RunState
from companion.surfaces.page.rooms.reports import moved


@pytest.fixture(scope="module")
def report(visit: Visit) -> RunReport:
    """A run that let newer words take the place of older ones."""
    for version in ("3.9", "3.12"):
        visit.remember(f"The minimum supported Python version is {version}.")
        visit.remember(f"Loans end <b>after {version} weeks</b>.")
        visit.daemon.runtime.adapters.clock.advance(days=1)  # type: ignore[attr-defined]
    report = visit.companion.consolidate(RunOrder(), NoProgress())
    assert report.changes
    return report


def superseded(visit: Visit, run: str) -> RunChange:
    return next(one for one in visit.companion.report(run).changes if isinstance(one.change, Supersede))


def test_before_the_first_run_the_room_says_what_one_does(visit: Visit):
    assert ("There has been no run yet" in visit.see("reports")) is not bool(visit.companion.reports())


def test_a_run_tells_each_change_with_its_reason(visit: Visit, report: RunReport):
    page = visit.see("reports")
    assert report.run[:12] in page
    assert "Undo this run" in page
    assert "was superseded by" in page
    assert page.index("Superseded or outdated") < page.index("<summary>Steps")
    for folded in ("Related", "Warmth and rank"):
        assert f"<h3>{folded}" not in page, "they are behind a fold"
    assert len(re.findall(r'id="change-\d+"', page)) == len(report.changes)
    assert "<b>after" not in page
    assert "There is no such run" in visit.see("reports?run=n1nothing")


def test_a_change_tells_what_was_before_and_what_is_after(visit: Visit, report: RunReport):
    one = superseded(visit, report.run)
    rows = visit.see(f"reports/rows?run={report.run}&change={one.number}")
    assert "<del>" in rows
    assert "<ins>" in rows
    assert "moved nothing" in visit.see(f"reports/rows?run={report.run}&change=99999")


def test_one_change_is_taken_back_and_a_second_time_nothing_happens(visit: Visit, report: RunReport):
    one = superseded(visit, report.run)
    assert visit.daemon.runtime.store.memories.get([one.change.old])[0].status is Status.ARCHIVED  # type: ignore[union-attr]
    back = visit.do("reports/undo", run=report.run, change=str(one.number))
    assert "It was undone" in back
    assert f'id="change-{one.number}"' in back
    assert "It was undone before" in visit.do("reports/undo", run=report.run, change=str(one.number))
    (found,) = visit.companion.report(report.run, after=one.number - 1, limit=1).changes
    assert found.state is ChangeState.UNDONE
    assert visit.daemon.runtime.store.memories.get([one.change.old])[0].status is Status.ACTIVE  # type: ignore[union-attr]


def test_the_whole_run_is_taken_back_once(visit: Visit, report: RunReport):
    page = visit.do("reports/undo", run=report.run)
    assert 'id="report"' in page
    assert visit.companion.report(report.run).state is RunState.UNDONE
    assert "nothing left to undo" in visit.do("reports/undo", run=report.run)
    assert "Undo this run" not in visit.see(f"reports?run={report.run}")


def test_all_changes_come_a_page_at_a_time(visit: Visit, report: RunReport):
    assert f'id="change-{report.changes[0].number}"' in visit.see(f"reports/changes?run={report.run}")
    assert "id=" not in visit.see(f"reports/changes?run={report.run}&after={report.changes_total}")


def test_while_a_run_is_at_work_nothing_is_taken_back_and_that_is_said(visit: Visit, report: RunReport):
    with visit.daemon.runtime.one(OneRun).held("A run asked for by idle", visit.companion.now()):
        said = visit.do("reports/undo", 409, run=report.run)
        assert "A run asked for by idle" in said
        assert report.run[:12] in visit.see("reports"), "it can be looked at meanwhile"


@pytest.mark.parametrize("fields", [{"run": "n1nothing"}, {"run": "", "change": "1"}, {"run": "x", "change": "-1"}])
def test_a_run_that_there_is_not_is_said_in_a_line(visit: Visit, fields: dict[str, str]):
    assert 'class="trouble"' in visit.do("reports/undo", 409, **fields)


def test_only_columns_that_moved_are_told_in_words():
    row = RowMoved(
        "memories", ("m1",), "x", {"status": "active", "archived_at": ""}, {"status": "archived", "archived_at": "2026"}
    )
    assert moved(row)[1] == (("status", "active", "archived"),)
    assert moved(RowMoved("aliases", ("a",), "", None, {"entity": "file:a"}))[1] == (("entity", None, "file:a"),)
    assert moved(RowMoved("aliases", ("a",), "", {"stands_for": "b"}, None))[1] == (("stands for", "b", None),)
