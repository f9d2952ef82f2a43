"""Files of a team: the same bytes in whatever order branches are merged, nothing lost, whatever else lies there."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from waiting import until

from companion.app.team import folder
from companion.errors import SourceError, UsageError
from companion.records import Draft, Kind, Levels, Resolution, Source, memory_key
from companion.records.team import SharedResolution, SharedVersion, TeamRecord, Withdrawal
from companion.team.joining import joined, state_of
from companion.team.text import record_id, written

START = datetime(2026, 3, 2, 9)
MEMBERS = 8
posix_only = pytest.mark.skipif(os.name != "posix", reason="links and signals are POSIX")


def version(text: str, author: str, minute: int = 0, replaces: tuple[str, ...] = ()) -> SharedVersion:
    draft = Draft(
        *(Kind.FACT, "fact", "indent", "is", text, Levels(text, text, text, text[:50]), ""), source=Source.BY_HAND
    )
    return SharedVersion(memory_key(draft, ""), draft, author, START + timedelta(minutes=minute), replaces)


@dataclass
class Clone:
    """One member: what the store knows, what was made in it, and the files that the branch has and had."""

    author: str
    known: dict[str, TeamRecord] = field(default_factory=dict)
    ours: set[str] = field(default_factory=set)
    private: list[str] = field(default_factory=list)
    files: dict[str, str] = field(default_factory=dict)
    deleted: set[str] = field(default_factory=set)

    def make(self, record: TeamRecord) -> None:
        self.ours.add(record_id(record))
        self.known = joined(self.known, {record_id(record): record})

    def export(self) -> None:
        withdrawn = set(state_of(self.known).withdrawn)
        for id_, record in self.known.items():
            if id_ in self.ours and id_ not in self.files:
                self.files[id_] = written(record)
        gone = withdrawn & self.files.keys()
        self.deleted |= gone
        self.files = {id_: text for id_, text in self.files.items() if id_ not in withdrawn}

    def merge(self, other: Clone) -> None:
        """As git does it: what either deleted is gone, what either added is there; one name never has two contents."""
        for id_ in self.files.keys() & other.files.keys():
            assert self.files[id_] == other.files[id_]
        self.deleted |= other.deleted
        self.files = {id_: text for id_, text in (self.files | other.files).items() if id_ not in self.deleted}

    def read(self) -> None:
        self.known = joined(self.known, {id_: folder_read(text) for id_, text in self.files.items()})


def folder_read(text: str) -> TeamRecord:
    from companion.team.text import read

    return read(text.encode())


@st.composite
def histories(draw: st.DrawFn) -> list[Clone]:
    """Eight members who share, reword, withdraw, resolve, export, merge and read in whatever order."""
    clones = [Clone(f"M{number} <m{number}@example.org>") for number in range(MEMBERS)]
    for minute in range(draw(st.integers(10, 60))):
        one, other = draw(st.sampled_from(clones)), draw(st.sampled_from(clones))
        act = draw(st.sampled_from(["share", "keep", "withdraw", "resolve", "export", "merge", "read"]))
        if act == "share":
            old = tuple(sorted(draw(st.sets(st.sampled_from(sorted(one.known)), max_size=2)))) if one.known else ()
            one.make(version(f"value {draw(st.integers(0, 5))}", one.author, minute, old))
        elif act == "keep":
            one.private.append(f"private-{one.author[:2]}-{minute}")
        elif act == "withdraw" and (mine := sorted(one.ours & state_of(one.known).versions.keys())):
            one.make(Withdrawal(draw(st.sampled_from(mine)), one.author, START + timedelta(minutes=minute)))
        elif act == "resolve" and state_of(one.known).conflicts:
            conflict = state_of(one.known).conflicts[0]
            made_at = START + timedelta(minutes=minute)
            one.make(SharedResolution(conflict.a, conflict.b, draw(st.sampled_from(Resolution)), one.author, made_at))
        elif act == "export":
            one.export()
        elif act == "merge":
            one.merge(other)
        elif act == "read":
            one.read()
    return clones


@settings(max_examples=60, deadline=None)
@given(histories(), st.randoms(use_true_random=False))
def test_eight_members_end_with_the_same_bytes_whatever_order_they_merge_in(clones: list[Clone], chance) -> None:
    made = {id_: one.known[id_] for one in clones for id_ in one.ours if id_ in one.known}
    taken_back = {record.version for record in made.values() if isinstance(record, Withdrawal)}
    for _ in range(2):  # a withdrawal that is read in the first round takes files away in the second
        for one in clones:
            one.export()
        for one in clones:
            for other in chance.sample(clones, MEMBERS):
                one.merge(other)
            one.read()
    for one in clones:
        one.export()
    ends = {tuple(sorted(one.files.items())) for one in clones}
    assert len(ends) == 1, "the same set of records is the same bytes"
    assert {id_ for id_, _ in next(iter(ends))} == made.keys() - taken_back, "nothing is lost"
    assert len({tuple(one.known) for one in clones}) == 1
    everything = str(ends)
    assert not [text for one in clones for text in one.private if text in everything]


def records(*said: str) -> dict[str, TeamRecord]:
    made = [version(text, "Ada <ada@example.org>", minute) for minute, text in enumerate(said)]
    return {record_id(one): one for one in made}


def test_what_is_written_is_read_back_and_never_rewritten(tmp_path: Path) -> None:
    told = records("tabs", "Spaces, and Ümläuts\nin two lines")
    first, _ = folder.write(tmp_path / "team", told, frozenset())
    before = {path.name: path.stat().st_mtime_ns for path in (tmp_path / "team").iterdir()}
    assert folder.read_folder(tmp_path / "team").records == told
    assert sorted(first) == sorted(before)
    assert folder.write(tmp_path / "team", told, frozenset()) == ([], [])
    assert {path.name: path.stat().st_mtime_ns for path in (tmp_path / "team").iterdir()} == before


def test_a_file_is_named_by_what_it_says_and_by_its_id(tmp_path: Path) -> None:
    told = records("Never use tabs!")
    (name,), _ = folder.write(tmp_path, told, frozenset())
    assert name == f"never-use-tabs-{next(iter(told))}.json"


def test_the_file_of_a_withdrawn_version_is_removed_and_its_withdrawal_names_no_word_of_it(tmp_path: Path) -> None:
    told = records("a name nobody should know")
    id_ = next(iter(told))
    folder.write(tmp_path, told, frozenset())
    back = Withdrawal(id_, "Ada <ada@example.org>", START)
    folder.write(tmp_path, {record_id(back): back}, frozenset({id_}))
    assert [path.name for path in tmp_path.iterdir()] == [f"withdrawn-{record_id(back)}.json"]


def test_what_cannot_be_read_is_named_and_all_else_is_read(tmp_path: Path) -> None:
    told = records("tabs", "spaces")
    names, _ = folder.write(tmp_path, told, frozenset())
    (tmp_path / "a.json").write_text("<<<<<<< HEAD\n{}\n=======\n{}\n>>>>>>> other\n")
    (tmp_path / "b.json").write_text('{"record": "Vote"}')
    (tmp_path / "c.json").write_bytes(b"\xff\xfe{}")
    (tmp_path / "d.json").write_text("[" * 100_000)
    (tmp_path / "e.json").write_bytes(b" " * (folder.FILE_BYTES_MAX + 1))
    (tmp_path / "f.json").mkdir()
    (tmp_path / "notes.txt").write_text("not ours")
    found = folder.read_folder(tmp_path)
    assert found.records == told
    why = dict(found.problems)
    assert sorted(why) == ["a.json", "b.json", "c.json", "d.json", "e.json", "f.json"]
    assert "conflict" in why["a.json"]
    assert "newer version" in why["b.json"]
    assert "bytes" in why["e.json"]
    assert len(names) == 2


def test_a_file_that_was_changed_by_hand_is_another_record_and_is_named(tmp_path: Path) -> None:
    told = records("tabs")
    (name,), _ = folder.write(tmp_path, told, frozenset())
    path = tmp_path / name
    path.write_text(path.read_text().replace("tabs", "spaces"))
    found = folder.read_folder(tmp_path)
    assert found.changed == (name,)
    assert found.records.keys().isdisjoint(told)


@posix_only
def test_links_are_not_followed(tmp_path: Path) -> None:
    told = records("tabs")
    (tmp_path / "outside").mkdir()
    (name,), _ = folder.write(tmp_path / "outside", told, frozenset())
    team = tmp_path / "root" / ".companion" / "team"
    team.mkdir(parents=True)
    (team / "link.json").symlink_to(tmp_path / "outside" / name)
    os.mkfifo(team / "pipe.json")
    found = folder.read_folder(folder.folder_in(tmp_path / "root"))
    assert found.records == {}
    assert [name for name, _ in found.problems] == ["link.json", "pipe.json"]
    (team / "link.json").unlink()
    (team / "pipe.json").unlink()
    team.rmdir()
    team.symlink_to(tmp_path / "outside")
    with pytest.raises(UsageError, match="leads elsewhere"):
        folder.folder_in(tmp_path / "root")


def test_no_folder_says_what_makes_one(tmp_path: Path) -> None:
    with pytest.raises(SourceError, match="team export"):
        folder.read_folder(tmp_path / "none")


WRITER = """
import sys
from pathlib import Path
from app.test_team_folder import records
from companion.app.team import folder
told = records(*(f"value {number}" for number in range(400)))
print("ready", flush=True)
folder.write(Path(sys.argv[1]), told, frozenset())
"""


@posix_only
def test_an_export_that_is_killed_leaves_whole_files_and_is_finished_by_the_next(tmp_path: Path) -> None:
    tests = Path(__file__).parents[1]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(tests), *sys.path])}
    with subprocess.Popen([sys.executable, "-c", WRITER, str(tmp_path)], env=environment) as child:
        until(lambda: len(list(tmp_path.glob("*.json"))) > 20 or child.poll() is not None)
        child.send_signal(signal.SIGKILL)
    told = records(*(f"value {number}" for number in range(400)))
    found = folder.read_folder(tmp_path)
    assert not found.problems
    assert not found.changed
    assert 20 < len(found.records) <= len(told)
    folder.write(tmp_path, told, frozenset())
    assert folder.read_folder(tmp_path).records == told
