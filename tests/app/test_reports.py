"""The report of a run is of that run: nothing that comes later changes what it says, but that something was undone."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from contextlib import closing

import pytest
from msgspec.structs import replace

from companion.api import Note, RunOrder, RunReport, Verdict
from companion.app.consolidation.deciding import SHOWN
from companion.app.local import LocalCompanion
from companion.ports import NoProgress
from companion.records import Oppose, Resolution, Supersede
from companion.records.judgements import WAITING_MOST
from companion.records.runs import ChangeState
from companion.store.rows import column
from companion.surfaces.cli.run_report import page

OLD, NEW = "The staging server runs PostgreSQL 14.", "The staging server runs PostgreSQL 16."


@pytest.fixture
def companion(desk, shop, readings) -> Iterator[LocalCompanion]:
    """A shop in which a newer word took the place of an older one, and two others contradict one another."""

    def told() -> None:
        with closing(desk.open(shop.root)) as opened:
            for text in (OLD, NEW, "Carts are never deleted.", "Carts are deleted after 90 days."):
                opened.remember(Note(text))
                desk.clock.advance(hours=1)

    desk.scan(shop.root)
    readings.once("told for reports", desk, told)
    with closing(desk.open(shop.root)) as opened:
        yield opened


def consolidate(companion: LocalCompanion, **how) -> RunReport:
    return companion.consolidate(RunOrder(**how), NoProgress())


def without_decisions(text: str) -> str:
    """A page without what waits for a person, which may be decided later."""
    head, _, rest = text.partition("## For you to decide")
    return head + rest.partition("\n\nNot shown")[2]


def superseded(report: RunReport) -> int:
    return next(one.number for one in report.changes if isinstance(one.change, Supersede))


def test_a_run_reports_the_same_when_it_is_over_and_whenever_it_is_looked_at(companion, desk):
    report = consolidate(companion)
    assert report.superseded == 1
    assert OLD in page(report)
    desk.clock.advance(days=40)
    assert companion.report(report.run) == report


def test_what_is_learned_reworded_and_consolidated_later_changes_no_word_of_it(companion, desk):
    report = consolidate(companion)
    companion.remember(Note("The staging server runs PostgreSQL 17."))
    desk.clock.advance(days=1)
    assert consolidate(companion).superseded == 1
    companion.store.database.change(
        "update memories set content_summary = 'anew', content_compressed = 'anew', content_index = 'anew'"
    )
    assert without_decisions(page(companion.report(report.run))) == without_decisions(page(report))
    later = companion.report(report.run)
    assert "anew" not in page(later)
    assert any(one.change.folded for one in later.changes), "links and warmth too"
    assert [one.involved for one in later.changes] == [one.involved for one in report.changes]


def test_an_undone_change_stays_in_the_figures_and_is_said_to_be_undone(companion):
    report = consolidate(companion)
    companion.undo(report.run, superseded(report))
    later = companion.report(report.run)
    assert (later.undone, report.undone) == (1, 0)
    figures = [replace(one, changes=(), undone=0) for one in (report, later)]
    assert figures[0] == figures[1]
    text = page(later)
    assert "1 of its changes was undone later." in text
    assert text.replace(" It was undone.", "").replace(" 1 of its changes was undone later.", "") == page(report)
    companion.undo(report.run)
    assert companion.report(report.run).superseded == 1


def test_what_is_decided_later_is_said_to_be_and_asks_for_no_command_any_more(companion):
    report = consolidate(companion)
    (needed,) = report.decisions
    assert report.decisions_total == 1
    assert needed.command == f"companion resolve {needed.id[:12]}"
    assert needed.open
    companion.settle(needed.id, Verdict(Resolution(needed.answers[0]), "it is so"))
    later = companion.report(report.run)
    assert later.decisions == (replace(needed, command="", answers=(), open=False),)
    assert "It was decided since." in page(later)
    assert consolidate(companion).decisions == ()


def test_a_plan_names_what_it_would_open_and_its_report_is_that_of_its_run_once_carried_out(companion):
    companion.store.database.change("delete from contradictions")
    planned = consolidate(companion, dry_run=True)
    assert any(isinstance(one.change, Oppose) for one in planned.changes)
    (needed,) = planned.decisions
    assert (needed.command, needed.open) == ("", True)
    done = consolidate(companion, run=planned.run)
    assert [(one.id, bool(one.command)) for one in done.decisions] == [(needed.id, True)]


def test_a_few_decisions_are_named_the_surest_and_most_used_first_and_all_are_counted(companion, desk):
    for number in range(3):
        companion.remember(Note(f"Service {number} is never restarted."))
        companion.remember(Note(f"Service {number} is restarted every {number + 2} days."))
    opened = companion.contradictions()
    if len(opened) <= SHOWN:
        companion.store.database.change(
            "insert into contradictions (id, project_id, memory_a, memory_b, reason, confidence, detected_at, judge) "
            "select 'x1' || range, project_id, memory_a, memory_b, reason, 0.1, detected_at, judge "
            "from contradictions, range(9) where id = $id",
            {"id": opened[0].id},
        )
    report = consolidate(companion)
    assert len(report.decisions) == SHOWN
    assert report.decisions_total == len(companion.contradictions())
    assert min(one.confidence for one in report.decisions[: len(opened)]) > 0.1, "the unsure ones come last"
    assert "more: `companion contradictions`" in page(report)


def test_questions_that_only_people_may_answer_are_named_with_their_command(companion):
    companion.runtime.settings = dataclasses.replace(companion.runtime.settings, judgements="off")
    companion.remember(Note("Use pytest -q to run the tests."))
    companion.remember(Note("Run the tests with pytest -q."))
    report = consolidate(companion)
    asked = [one for one in report.decisions if one.id.startswith("j1")]
    waiting = companion.pending_judgements(50)
    assert waiting
    assert asked
    assert all(one.command == f"companion judge {one.id[:12]}" and "unsure" in one.answers for one in asked)
    assert (report.questions_waiting, report.decisions_total) == (0, 1 + len(waiting))


def test_what_a_user_erases_is_gone_from_reports_too(companion):
    report = consolidate(companion)
    change = next(one for one in report.changes if isinstance(one.change, Supersede))
    with companion.store.database.write() as connection:
        from companion.store.consolidation import purging

        purging.erase_traces(connection, {change.change.old, report.decisions[0].involved[0].id})
        connection.execute("delete from memories where id = $id", {"id": change.change.old})
    rest = column(
        companion.store.database,
        "select said::varchar from run_changes union all select said::varchar from run_decisions",
    )
    assert not [said for said in rest if said and (OLD in said or report.decisions[0].involved[0].says in said)]
    later = companion.report(report.run)
    assert OLD not in page(later)
    assert later.decisions == ()


def test_why_a_step_did_not_do_its_work_is_said_later_too(companion):
    report = consolidate(companion, passes=("forget",))
    assert "have not been looked for" in page(report)
    assert companion.report(report.run) == report
    assert [one.state for one in report.changes] == [ChangeState.APPLIED] * len(report.changes)


def test_what_an_assistant_told_is_said_to_be_by_it_and_no_share_stands_beside_a_reason(companion):
    companion.remember(Note("Bicycles use no lane metres.", assistant="claude-code"))
    companion.remember(Note("5 % of the lane metres are held back."))
    text = page(consolidate(companion))
    assert "“Bicycles use no lane metres.” (said by an assistant (claude-code), m1" in text
    assert "“5 % of the lane metres are held back.” (noted by hand, m1" in text
    assert "One refuses “metres”, which the other mentions: “" in text
    assert "% sure" not in text


@pytest.mark.parametrize(
    ("waiting", "said"), [(1, "1 question waits"), (3, "3 questions wait"), (WAITING_MOST, f"{WAITING_MOST} or more")]
)
def test_as_many_questions_as_can_wait_are_said_to_be_at_least_so_many(companion, waiting: int, said: str):
    assert said in page(replace(consolidate(companion), questions_waiting=waiting))
