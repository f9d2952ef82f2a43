"""Past changes: what a text speaks of, with the whole branch that a merge brought."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime, timedelta
from pathlib import Path

import pytest
from fakes import PlainRedactor
from stores import PROJECT, parts, passages_of, store

from companion.ports import PastChange
from companion.records import ChangeStatus, Commit, FileChange, Person
from companion.store.database import Database
from companion.store.history.commits import CommitHistory
from companion.store.library import StoreLibrary

BEGIN = datetime(2025, 1, 1)
A, M, D = ChangeStatus.ADDED, ChangeStatus.MODIFIED, ChangeStatus.DELETED


@pytest.fixture
def database(tmp_path: Path) -> Iterator[Database]:
    with store(tmp_path) as opened:
        yield opened


class Line:
    """Commits of one repository, a day apart; each is named by a letter, and its parents by theirs."""

    def __init__(self, database: Database) -> None:
        self.database = database
        self.day = 0

    def add(self, name: str, parents: str, subject: str, *changes: tuple[ChangeStatus, str], branch: str = "") -> None:
        self.day += 1
        at = BEGIN + timedelta(days=self.day)
        made = Commit(
            sha=name * 40,
            parents=tuple(parent * 40 for parent in parents),
            author=Person("Ann", "ann@x.org"),
            authored_at=at,
            committed_at=at,
            subject=subject,
            body="",
            changes=tuple(FileChange(status, path) for status, path in changes),
        )
        CommitHistory(self.database, PlainRedactor()).add(PROJECT, [made], branch=branch)

    def found(self, text: str, **given: object) -> tuple[PastChange, ...]:
        library = StoreLibrary(
            parts(self.database, passages=passages_of(self.database, PROJECT, "c1")),
            PROJECT,
            "c1",
            embedder=None,
            read_lines=lambda *_: "",
            **given,  # type: ignore[arg-type]
        )
        return library.past_changes(text, 10)


@pytest.fixture
def line(database: Database) -> Line:
    """`c` and `d` are a branch that `m` merged with request 12; `a`, `b` and `m` are the line it left from."""
    made = Line(database)
    made.add("a", "", "Start", (A, "app.py"))
    made.add("c", "a", "Deprecate the old loader", (M, "app.py"), (A, "tests/test_app.py"))
    made.add("b", "a", "Tidy up", (M, "app.py"))
    made.add("d", "c", "Changelog", (M, "tests/test_app.py"), (A, "CHANGES.md"))
    made.add("m", "bd", "Merge pull request #12 from ann/loader")
    return made


def test_a_merged_branch_is_one_change_with_all_its_commits_and_files(line: Line) -> None:
    (found,) = line.found("deprecate loader and write the changelog")
    assert found.sha == "c" * 40
    assert set(found.commits) == {"c" * 40, "d" * 40, "m" * 40}
    assert [(file.path, file.status) for file in found.files] == [
        ("CHANGES.md", A),
        ("app.py", M),
        ("tests/test_app.py", A),
    ]
    assert (found.request, found.commits_ago) == ("12", 3)


def test_a_commit_of_the_line_stands_alone(line: Line) -> None:
    (found,) = line.found("tidy")
    assert found.commits == ("b" * 40,)
    assert found.words == ("tidy",)


def test_a_line_that_lives_on_after_a_merge_is_no_branch(line: Line) -> None:
    line.add("s", "m", "Fix the stable parser", (M, "app.py"))
    line.add("n", "m", "Go on", (M, "app.py"))
    line.add("x", "ns", "Merge branch 'stable'")
    line.add("t", "s", "Go on there", (M, "app.py"))
    (found,) = line.found("stable parser")
    assert found.commits == ("s" * 40,)


def test_what_was_not_merged_yet_at_a_moment_stands_alone_and_what_came_later_is_unknown(line: Line) -> None:
    (found,) = line.found("deprecate loader and write the changelog", as_of=BEGIN + timedelta(days=3))
    assert found.commits == ("c" * 40,)


def test_commits_of_another_branch_are_told_on_that_branch_alone(line: Line) -> None:
    line.add("z", "m", "Try a parser in C", (M, "app.py"), branch="fast")
    assert line.found("parser in C") == ()
    assert [one.sha for one in line.found("parser in C", branch="fast")] == ["z" * 40]


def test_rewritten_commits_are_forgotten(line: Line, database: Database) -> None:
    line.add("g", "m", "Add a gadget", (A, "gadget.py"))
    assert line.found("gadget")
    CommitHistory(database, PlainRedactor()).mark_gone(PROJECT, ["g" * 40])
    assert line.found("gadget") == ()


def test_a_text_without_words_speaks_of_nothing(line: Line) -> None:
    assert line.found(" ... ") == ()
