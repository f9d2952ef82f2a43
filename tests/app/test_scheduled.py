"""The log of scheduled runs, and what `doctor` reads in it."""

from __future__ import annotations

import os
import stat
import sys
from contextlib import suppress
from pathlib import Path

import pytest
from fakes import FakeClock

from companion.app.scheduled import LOG_MAX_CHARACTERS, ScheduleLog
from companion.errors import CompanionError

KEY = "sk-" + "proj-" + "a8Kd93jfLs02mQx7" * 3


@pytest.fixture
def log(tmp_path: Path) -> ScheduleLog:
    return ScheduleLog(tmp_path, "/src/shop", FakeClock())


def ran(log: ScheduleLog, wrong: Exception | None = None) -> None:
    """A run that ends well, or with this error."""
    with suppress(CompanionError, ValueError), log.run() as said:
        if wrong is not None:
            raise wrong
        said.append("This run changed nothing.")


def what(log: ScheduleLog) -> tuple[str, str, str]:
    found = log.finding()
    assert found is not None
    return found.state, found.what, found.next_step


def test_where_nothing_was_scheduled_nothing_is_said(log: ScheduleLog):
    assert log.finding() is None
    log.removed()


def test_a_job_is_fine_until_it_misses_its_day_and_after_a_run_that_ended_well(log: ScheduleLog):
    log.installed([sys.executable, "-m", "companion"])
    assert what(log)[0] == "ok"
    log.clock.advance(days=3)
    assert what(log) == (
        "warning",
        "It is due every day and has not run since it was installed, 2026-01-05 09:00 UTC.",
        "companion schedule show",
    )
    ran(log)
    assert what(log) == ("ok", "The last run ended well, 2026-01-08 09:00 UTC.", "")
    log.clock.advance(days=3)
    assert "has not run since its last run, 2026-01-08" in what(log)[1]


def test_a_run_that_failed_is_told_by_its_own_words_and_next_step_until_one_ends_well(log: ScheduleLog):
    ran(log, wrong=CompanionError("The store is damaged.", "companion doctor --repair"))
    assert what(log) == (
        "warning",
        f"The run of 2026-01-05 09:00 UTC failed: The store is damaged. (more in {log.path})",
        "companion doctor --repair",
    )
    ran(log, wrong=ValueError("nobody thought of this"))
    assert "ValueError: nobody thought of this" in what(log)[1]
    assert what(log)[2] == "companion consolidate"
    ran(log)
    assert what(log)[0] == "ok"


def test_a_run_that_was_killed_is_under_way_at_first_and_then_did_not_end(log: ScheduleLog):
    log._write("started")
    assert "under way" in what(log)[1]
    log.clock.advance(hours=7)
    assert "did not end" in what(log)[1]


def test_a_job_whose_program_is_gone_is_installed_anew(log: ScheduleLog):
    log.installed(["/opt/gone/python", "-m", "companion"])
    ran(log)
    assert what(log) == (
        "warning",
        "The job starts /opt/gone/python, which is not there any more.",
        "companion schedule install",
    )


@pytest.mark.skipif(os.name != "posix", reason="a program that is a script of the shell")
def test_a_job_whose_python_lost_companion_is_installed_anew(log: ScheduleLog, tmp_path: Path):
    for answer, wrong in (("exit 1", "which does not have Companion any more"), ("exit 0", "")):
        python = tmp_path / answer.replace(" ", "-")
        python.write_text(f"#!/bin/sh\n{answer}\n")
        python.chmod(0o755)
        log.installed([str(python), "-m", "companion"])
        assert wrong in what(log)[1]
        assert what(log)[0] == ("warning" if wrong else "ok")


def test_the_log_is_private_bounded_and_without_secrets(log: ScheduleLog):
    for _ in range(80):
        ran(log, wrong=ValueError(f"token {KEY} {'x' * 5_000}"))
    text = log.path.read_text()
    assert len(text) <= LOG_MAX_CHARACTERS
    ran(log, wrong=ValueError(f"token {KEY}"))
    assert KEY not in log.path.read_text()
    assert KEY not in what(log)[1]
    if sys.platform != "win32":
        assert stat.S_IMODE(log.path.stat().st_mode) == 0o600


def test_a_log_that_somebody_wrote_in_or_that_cannot_be_written_stops_no_run(log: ScheduleLog):
    log.path.parent.mkdir(parents=True)
    log.path.write_text("hello\n== yesterdayZ done\n")
    assert log.finding() is None
    ran(log)
    assert what(log)[0] == "ok"
    log.path.unlink()
    log.path.mkdir()
    ran(log)
