"""IdleRuns of real processes: two at once, killed in the middle and resumed, and an editor that is answered meanwhile."""

from __future__ import annotations

import json
import os
import shutil
import signal
import sys
from dataclasses import replace
from datetime import datetime
from pathlib import Path

import pytest
from client.houses import House
from test_full_disk import fill, small_disk
from waiting import until

from companion.api import Note, Order, RunReport
from companion.app.compose import open_companion
from companion.client import connect
from companion.client.starting import start_daemon
from companion.kinds.by_hand import draft_from_note
from companion.records import Format, Kind, Scope, Signals, Visibility
from companion.records.runs import ChangeState, ConsolidationRun, RunState

pytestmark = pytest.mark.skipif(os.name != "posix", reason="signals and Unix sockets")

NOTES = 90
"""Enough pairs of them that a run takes several batches."""
NOW = datetime(2026, 1, 5, 3, 0)

PASSES = """
import time
from itertools import combinations
from pathlib import Path
from companion.records import Relate, Relation

def ids(archive):
    query = "select id from memories where status = 'active' order by id"
    with archive.database.read() as connection:
        return [row[0] for row in connection.execute(query).fetchall()]

class waiting:
    @staticmethod
    def plan(archive):
        gate = Path(GATE)
        gate.with_suffix(".reached").touch()
        end = time.monotonic() + 60
        while not gate.exists():
            assert time.monotonic() < end
            time.sleep(0.02)
        yield from ()

class many:
    @staticmethod
    def plan(archive):
        for a, b in combinations(ids(archive), 2):
            yield Relate(Relation.NEAR, a, b, 0.5, "they are near")
"""


@pytest.fixture
def brought(house: House, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> House:
    """A house in which a stranger's package brings two passes: one that waits for a gate, one with much to do."""
    folder = tmp_path / "brought"
    info = folder / "brought-1.0.dist-info"
    info.mkdir(parents=True)
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: brought\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text("[companion.passes]\n00-waiting = brought:waiting\n01-many = brought:many\n")
    (folder / "brought.py").write_text(f"GATE = {str(tmp_path / 'gate')!r}\n{PASSES}")
    monkeypatch.setenv("PYTHONPATH", str(folder))
    monkeypatch.setenv("COMPANION_CONSOLIDATE_IDLE_S", "0")
    return house


@pytest.fixture(scope="session")
def crowded_home(read_shop: House, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The data folder of somebody who also keeps many notes; put in at once, since telling them takes a minute."""
    home = tmp_path_factory.mktemp("crowded") / "home"
    shutil.copytree(read_shop.home, home)
    companion = open_companion(read_shop.root, home)
    texts = (f"walrus number {number} lives at {number * 37} Fish Street" for number in range(NOTES))
    drafts = [draft_from_note(text, Kind.FACT, Scope(), Visibility.USER_PRIVATE, False, "", NOW) for text in texts]
    companion.store.memories.keep(companion.project, "by-hand", drafts, NOW)
    companion.close()
    return home


@pytest.fixture
def crowded(brought: House, crowded_home: Path) -> House:
    """The same house with many notes in it."""
    shutil.copytree(crowded_home, brought.home, dirs_exist_ok=True)
    return brought


def runs(house: House) -> tuple[ConsolidationRun, ...]:
    companion = connect(house.root)
    try:
        return companion.reports()
    finally:
        companion.close()


def told(house: House, run: str) -> RunReport:
    companion = connect(house.root)
    try:
        return companion.report(run)
    finally:
        companion.close()


def exported(house: House, folder: Path) -> dict[str, bytes]:
    companion = connect(house.root)
    try:
        return {path.name: path.read_bytes() for path in companion.export(folder)}
    finally:
        companion.close()


def test_of_two_runs_at_once_the_second_is_told_who_was_first_and_an_editor_is_answered(brought: House, tmp_path: Path):
    daemon = start_daemon(brought.home)
    first = brought.begin("consolidate", "--pass", "waiting", "--json")
    until(lambda: (tmp_path / "gate.reached").exists() or first.poll() is not None)
    assert first.poll() is None, first.communicate()
    second = brought.run("consolidate", "--dry-run")
    assert second.returncode == 2
    assert "A run asked for by command, begun at" in " ".join(second.stderr.split())
    assert f"process {daemon.pid}" in " ".join(second.stderr.split())
    editor = connect(brought.root)
    try:
        assert editor.assemble(2_000, Signals("shop/cart.py"), Format.MARKDOWN, Order.PEOPLE).tokens
        assert editor.remember(Note("Prices are cents")).id
        assert editor.refresh(None).seconds >= 0
    finally:
        editor.close()
    (tmp_path / "gate").touch()
    out, _ = first.communicate(timeout=60)
    assert json.loads(out)["state"] == "applied"
    assert brought.run("consolidate", "--dry-run", "--pass", "link").returncode == 0


def test_without_a_daemon_the_second_is_told_who_holds_the_store(brought: House, tmp_path: Path):
    first = brought.begin("consolidate", "--pass", "waiting", "--json", daemon="never")
    until((tmp_path / "gate.reached").exists)
    second = brought.run("consolidate", "--dry-run", daemon="never", store_wait_s="0.2")
    assert second.returncode == 2
    assert str(first.pid) in second.stderr
    (tmp_path / "gate").touch()
    first.communicate(timeout=60)
    assert first.returncode == 0


def test_a_run_killed_in_the_middle_is_resumed_each_change_once_and_undone_to_the_byte(crowded: House, tmp_path: Path):
    daemon = start_daemon(crowded.home)
    before = exported(crowded, tmp_path / "before")
    begun = crowded.begin("consolidate", "--pass", "many", "--json")

    def halfway() -> bool:
        found = runs(crowded)
        return bool(found) and found[0].applied > 0 and found[0].planned > 0

    until(halfway)
    os.kill(daemon.pid, signal.SIGKILL)
    begun.communicate(timeout=60)
    assert begun.returncode == 2, "who asked is told that it broke off"
    until(crowded.empty)
    (broken,) = runs(crowded)
    assert broken.state is RunState.APPLYING
    assert broken.applied
    assert broken.planned
    resumed = json.loads(crowded.run("consolidate", "--pass", "link", "--json").stdout)
    assert any("finished first" in note for note in resumed["notes"])
    done = told(crowded, broken.id)
    assert done.state is RunState.APPLIED
    assert done.linked == broken.applied + broken.planned
    assert {one.state for one in done.changes} == {ChangeState.APPLIED}
    for run in (resumed["run"], broken.id):
        assert json.loads(crowded.run("undo", run, "--json").stdout)["kept"] == []
    assert exported(crowded, tmp_path / "after") == before


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="small disks as Linux makes them")
def test_a_disk_that_fills_in_the_middle_breaks_a_run_off_in_words_and_with_room_it_goes_on(
    crowded: House, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    with small_disk(tmp_path / "disk") as disk:
        home = disk / "home"
        shutil.copytree(crowded.home, home)
        monkeypatch.setenv("COMPANION_HOME", str(home))
        living = replace(crowded, home=home)
        try:
            start_daemon(home)
            planned = json.loads(living.run("consolidate", "--pass", "many", "--dry-run", "--json").stdout)["run"]
            fill(disk)
            broken = living.run("consolidate", "--run", planned)
            assert broken.returncode == 2
            assert "was interrupted" in broken.stderr
            assert "companion consolidate" in broken.stderr
            (disk / "filling").unlink()
            again = living.run("consolidate", "--run", planned, "--json")
            assert again.returncode == 0, again.stderr
            done = told(living, planned)
            assert (done.state, done.refused, done.linked) == (RunState.APPLIED, 0, done.changes_total)
        finally:
            living.clear()


def test_a_client_that_goes_away_ends_its_run_at_a_batch_and_the_next_one_goes_on(crowded: House):
    start_daemon(crowded.home)
    begun = crowded.begin("consolidate", "--pass", "many")
    until(lambda: (found := runs(crowded)) and found[0].applied > 0)
    begun.send_signal(signal.SIGINT)
    begun.communicate(timeout=60)
    state = runs(crowded)[0].state
    assert state in (RunState.APPLYING, RunState.APPLIED)
    assert json.loads(crowded.run("consolidate", "--pass", "link", "--json").stdout)["state"] == "applied"
    assert {one.state for one in runs(crowded)} == {RunState.APPLIED}
