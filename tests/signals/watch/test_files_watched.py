"""Whatever changes below the root is told, once a burst, and what is ignored is not."""

from __future__ import annotations

import os
import shutil
import sys
import threading
import time
from pathlib import Path

import pytest
from msgspec.structs import replace
from repos import Repo

from companion.signals.watch import Watching
from companion.signals.watch.burst import Burst, GatheredChanges
from signals.watch.conftest import DEADLINE_S, Look

WRITES = 5_000


def test_a_saved_file_is_told_by_its_path_in_the_checkout(look: Look, project: Repo):
    eye = look(project.root)
    project.write("src/a.py", "x = 2\n")
    eye.told.wait(lambda: eye.told.paths() == {"src/a.py"})


def test_an_atomic_save_is_told_as_the_file_it_replaces(look: Look, project: Repo):
    eye = look(project.root)
    fresh = project.write("src/.a.py.swp-new", "x = 3\n")
    fresh.replace(project.root / "src/a.py")
    eye.told.wait(lambda: "src/a.py" in eye.told.paths())
    assert len([change for change in eye.told.changes]) == 1


def test_a_storm_of_writes_ends_with_every_file_told_after_its_last_write(look: Look, project: Repo):
    eye = look(project.root)
    last_told: dict[str, str] = {}
    said = eye.told.__call__

    def reads(change: frozenset[str] | None) -> None:
        for path in change or ():
            place = project.root / path
            files = [place, *place.rglob("*")] if place.is_dir() else [place]
            last_told.update({str(f.relative_to(project.root)): f.read_text() for f in files if f.is_file()})
        said(change)

    eye.watching._changed = reads
    start = time.monotonic()
    for number in range(WRITES):
        project.write(f"storm/{number % 50}/f{number % 2_500}.txt", str(number))
    expected = {
        str(f.relative_to(project.root)): f.read_text() for f in (project.root / "storm").rglob("*") if f.is_file()
    }
    eye.told.wait(lambda: eye.told.threads and all(last_told.get(path) == text for path, text in expected.items()))
    took_s = time.monotonic() - start
    sys.stderr.write(f"\n{WRITES:,} writes to {len(expected):,} files were told in {took_s:.2f} s\n")
    assert not eye.told.looks()
    assert len(eye.told.threads) == 1


def test_files_made_in_a_new_folder_before_anyone_watches_it_are_found(look: Look, project: Repo):
    eye = look(project.root)
    project.write("fresh/deeper/still/c.py", "z = 1\n")
    eye.told.wait(lambda: bool(eye.told.paths()))
    assert all("fresh/deeper/still/c.py".startswith(path) for path in eye.told.paths())
    eye.settle()
    project.write("fresh/deeper/still/d.py", "z = 2\n")
    eye.told.wait(lambda: "fresh/deeper/still/d.py" in eye.told.paths())


def test_a_renamed_folder_is_told_by_both_names_and_stays_watched(look: Look, project: Repo):
    eye = look(project.root)
    (project.root / "src").rename(project.root / "lib")
    eye.told.wait(lambda: {"src", "lib"} <= eye.told.paths())
    eye.told.clear()
    project.write("lib/deep/b.py", "y = 2\n")
    eye.told.wait(lambda: "lib/deep/b.py" in eye.told.paths())
    assert not {path for path in eye.told.paths() if path.startswith("src")}


def test_deleted_files_and_folders_are_told(look: Look, project: Repo):
    eye = look(project.root)
    (project.root / "README.md").unlink()
    shutil.rmtree(project.root / "src/deep")
    eye.told.wait(lambda: {"README.md", "src/deep"} <= eye.told.paths())
    folders = eye.watching.state.folders
    eye.settle()
    assert eye.watching.state.folders == folders


@pytest.mark.skipif(os.name == "nt", reason="links need rights there")
def test_a_loop_of_links_is_neither_followed_nor_an_error(look: Look, project: Repo):
    (project.root / "src/loop").symlink_to(project.root)
    (project.root / "src/deep/up").symlink_to("..")
    eye = look(project.root)
    project.write("src/a.py", "x = 4\n")
    eye.told.wait(lambda: "src/a.py" in eye.told.paths())
    assert not {path for path in eye.told.paths() if "loop" in path or "up" in path}


def test_what_is_ignored_is_silent_and_has_no_watch(look: Look, project: Repo):
    (project.root / "build").mkdir()
    project.write("node_modules/left/pad.js", "x\n")
    eye = look(project.root)
    watched = eye.watching.state.folders
    project.write("run.log", "one\n")
    project.write("build/out/a.o", "one\n")
    project.write("node_modules/left/pad.js", "two\n")
    project.write("node_modules/new/x.js", "two\n")
    project.write("target/x/y.o", "one\n")
    eye.told.wait(lambda: "target" in eye.told.paths())
    assert not {path for path in eye.told.paths() if path.startswith(("run", "build", "node"))}
    assert eye.watching.state.folders == watched + 2  # target and target/x


def test_when_the_rules_change_what_was_ignored_is_told_and_the_reverse(look: Look, project: Repo):
    project.write("build/kept.txt", "one\n")
    project.write("made/x.txt", "one\n")
    eye = look(project.root)
    project.write(".gitignore", "*.log\nmade/\n")
    eye.told.wait(lambda: ".gitignore" in eye.told.paths())
    eye.settle()
    project.write("made/x.txt", "two\n")
    project.write("build/kept.txt", "two\n")
    eye.told.wait(lambda: "build/kept.txt" in eye.told.paths())
    assert not {path for path in eye.told.paths() if path.startswith("made")}


def test_the_projects_own_ignore_file_counts(look: Look, project: Repo):
    project.write(".companionignore", "drafts/\n*.tmp\n")
    project.write("drafts/a.md", "one\n")
    eye = look(project.root)
    project.write("drafts/a.md", "two\n")
    project.write("x.tmp", "two\n")
    eye.settle()
    project.write("src/a.py", "x = 5\n")
    eye.told.wait(lambda: eye.told.paths() == {"src/a.py"})


def test_another_repository_inside_this_one_is_not_looked_into(look: Look, project: Repo):
    inner = Repo(project.root / "inner")
    inner.root.mkdir()
    inner.git("init", "-q")
    eye = look(project.root)
    inner.write("x.py", "x = 1\n")
    project.write("src/a.py", "x = 6\n")
    eye.told.wait(lambda: "src/a.py" in eye.told.paths())
    assert eye.told.paths() == {"src/a.py"}


def test_polling_tells_the_same_when_it_is_asked_for(look: Look, project: Repo, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("companion.signals.watch.elsewhere.POLL_SHORTEST_S", 0.1)
    monkeypatch.setattr("companion.signals.watch.elsewhere.POLL_LONGEST_S", 0.2)
    project.write("node_modules/left/pad.js", "x\n")
    eye = look(project.root, mode="polling")
    assert eye.watching.state.how.startswith("polling")
    project.write("src/a.py", "x = 22\n")
    project.write("node_modules/left/pad.js", "xy\n")
    (project.root / "src/deep/b.py").unlink()
    eye.told.wait(lambda: {"src/a.py", "src/deep/b.py"} <= eye.told.paths())
    assert not {path for path in eye.told.paths() if path.startswith("node")}
    project.commit("Two")
    eye.told.wait(lambda: bool(eye.told.commits()))


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="only Linux limits watches")
def test_too_low_a_limit_is_said_and_files_are_polled_instead(
    look: Look, project: Repo, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr("companion.signals.watch.elsewhere.POLL_SHORTEST_S", 0.1)
    monkeypatch.setattr("companion.signals.watch.elsewhere.POLL_LONGEST_S", 0.2)
    eye = look(project.root, limit=3)
    state = eye.watching.state
    assert state.how.startswith("polling: ")
    assert "limit is 3" in state.how
    assert "max_user_watches" in state.notes[0]
    eye.told.wait(lambda: bool(eye.told.looks()))
    project.write("src/a.py", "x = 33\n")
    eye.told.wait(lambda: "src/a.py" in eye.told.paths())


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="only Linux limits watches")
def test_when_watches_run_out_later_it_goes_over_to_polling_and_asks_for_a_full_look(
    look: Look, project: Repo, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr("companion.signals.watch.elsewhere.POLL_SHORTEST_S", 0.1)
    monkeypatch.setattr("companion.signals.watch.elsewhere.POLL_LONGEST_S", 0.2)
    eye = look(project.root)
    eye.watching.short("no space left on device")
    eye.told.wait(lambda: eye.told.looks() > 1)  # at once, and when it has gone over
    assert eye.watching.state.how.startswith("polling")
    project.write("src/a.py", "x = 44\n")
    eye.told.wait(lambda: "src/a.py" in eye.told.paths())


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="the kernel's queue is Linux's")
def test_a_full_queue_asks_for_a_full_look_and_watching_goes_on(look: Look, project: Repo):
    eye = look(project.root)
    eye.watching._source.on_queue_overflow()  # type: ignore[union-attr]
    eye.told.wait(lambda: bool(eye.told.looks()))
    project.write("src/a.py", "x = 55\n")
    eye.told.wait(lambda: "src/a.py" in eye.told.paths())


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="other systems do not tell")
def test_a_checkout_that_is_moved_away_is_said_and_no_longer_watched(look: Look, project: Repo, tmp_path: Path):
    eye = look(project.root)
    project.root.rename(tmp_path / "elsewhere")
    eye.told.wait(lambda: bool(eye.told.looks()))
    assert "moved away" in eye.watching.state.how
    assert eye.watching.state.how.startswith("off")
    assert eye.watching.state.folders == 0


def test_a_folder_that_is_not_there_is_refused(look: Look, project: Repo):
    watching = Watching(replace(project.state, root=str(project.root / "nowhere")), lambda _: None)
    with pytest.raises(OSError):
        watching.start()


def test_closing_ends_every_thread_and_nothing_is_told_afterwards(look: Look, project: Repo):
    before = threading.active_count()
    eye = look(project.root)
    assert threading.active_count() > before
    eye.watching.close()
    eye.watching.close()
    project.write("src/a.py", "x = 7\n")
    assert threading.active_count() == before
    assert eye.told.changes == []
    assert eye.watching.state.how == "off: closed"


def test_a_burst_is_handed_on_even_if_it_never_ends():
    got: list[GatheredChanges] = []
    came = threading.Event()

    def told(gathered: GatheredChanges) -> None:
        got.append(gathered)
        came.set()

    burst = Burst(told, quiet_s=5.0, longest_s=0.2)
    burst.start()
    burst.file("a")
    burst.file("b")
    assert came.wait(DEADLINE_S)
    burst.close()
    assert got[0].files == {"a", "b"}


def test_one_that_fails_to_take_a_burst_is_asked_for_a_full_look_next():
    got: list[GatheredChanges] = []
    came = threading.Event()

    def told(gathered: GatheredChanges) -> None:
        got.append(gathered)
        if len(got) == 1:
            raise ZeroDivisionError
        came.set()

    burst = Burst(told, quiet_s=0.01, longest_s=0.05)
    burst.start()
    burst.file("a")
    assert came.wait(DEADLINE_S)
    burst.close()
    assert got[1].lost
