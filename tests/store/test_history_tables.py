"""Commits become tables: files keep their identity, and counting in pieces comes to the same."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta

import pytest
from fakes import PlainRedactor
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from companion.errors import UsageError
from companion.ports import FileOwner, Neighbour, Recent
from companion.records import ChangeStatus, Commit, FileChange, Person
from companion.store.database import Database
from companion.store.history.commits import CommitHistory
from companion.store.history.snapshot import Snapshots
from companion.store.opening import open_store

A, M, D, R = ChangeStatus.ADDED, ChangeStatus.MODIFIED, ChangeStatus.DELETED, ChangeStatus.RENAMED
BEGIN = datetime(2024, 1, 1)
PEOPLE = (Person("Ann", "ann@x.org"), Person("Bo", "bo@x.org"))


def commit(number: int, *changes: FileChange, subject: str = "", merge: bool = False, prefix: str = "") -> Commit:
    at = BEGIN + timedelta(hours=number)
    return Commit(
        sha=f"{prefix}{number:040x}"[:40],
        parents=("p", "q") if merge else ("p",),
        author=PEOPLE[number % 2],
        authored_at=at,
        committed_at=at,
        subject=subject or f"Change {number}",
        body="",
        changes=changes,
    )


def change(status: ChangeStatus, path: str, old: str = "") -> FileChange:
    return FileChange(status, path, old)


def touching(number: int, *paths: str) -> Commit:
    return commit(number, *(change(M, path) for path in paths))


@pytest.fixture(scope="module")
def database(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Database]:
    opened = open_store(tmp_path_factory.mktemp("history"), wait_s=1, memory_limit="200MB")
    yield opened
    opened.close()


@pytest.fixture
def history(database: Database) -> CommitHistory:
    return CommitHistory(database, PlainRedactor())


@pytest.fixture
def project(request: pytest.FixtureRequest) -> str:
    return str(request.node.name)


def rows(database: Database, project: str, table: str, columns: str) -> list[tuple[object, ...]]:
    with database.read() as connection:
        found = connection.execute(
            f"select {columns} from {table} where project_id = $project order by all", {"project": project}
        ).fetchall()
    return [tuple(round(v, 9) if isinstance(v, float) else v for v in row) for row in found]


def tables(database: Database, project: str) -> dict[str, list[tuple[object, ...]]]:
    return {
        "history_files": rows(database, project, "history_files", "* exclude (project_id)"),
        "touches": rows(database, project, "touches", "* exclude (project_id)"),
        "cochange": rows(database, project, "cochange", "file_a, file_b, together, last_seq, log2(weight)"),
    }


def live(database: Database, project: str) -> dict[str, int]:
    return dict(rows(database, project, "history_files", "path, file_id") and _alive(database, project))


def _alive(database: Database, project: str) -> list[tuple[str, int]]:
    with database.read() as connection:
        return connection.execute(
            "select path, file_id from history_files where project_id = $project and alive", {"project": project}
        ).fetchall()


NAMES = st.sampled_from(["a.py", "b.py", "c/d.py", "c/e.py", "f.py"])
CHANGE = st.one_of(
    st.builds(change, st.sampled_from([A, M, D]), NAMES),
    st.tuples(NAMES, NAMES).filter(lambda two: two[0] != two[1]).map(lambda two: change(R, two[0], two[1])),
)
COMMITS = st.lists(st.lists(CHANGE, max_size=4, unique_by=lambda one: one.path), min_size=1, max_size=14).map(
    lambda all_: [commit(number, *changes, merge=not changes) for number, changes in enumerate(all_)]
)
_counter = iter(range(10**9))


class Now:
    """One project's history as it stands, or as it was known at a moment."""

    def __init__(self, database: Database, project: str, until: datetime | None = None) -> None:
        self._snapshots, self._project, self._until = Snapshots(database), project, until

    def cochanged(self, paths: Sequence[str], limit: int) -> tuple[Neighbour, ...]:
        return self._snapshots.cochanged(self._project, paths, limit, self._until)

    def recent(self, limit: int) -> tuple[Recent, ...]:
        return self._snapshots.of(self._project, self._until).recent[:limit]

    def owners(self, path: str) -> tuple[FileOwner, ...]:
        return self._snapshots.owners(self._project, path, self._until)


@settings(max_examples=15, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(COMMITS, st.data())
def test_adding_in_pieces_gives_the_same_tables(database: Database, commits: list[Commit], data: st.DataObject) -> None:
    history = CommitHistory(database, PlainRedactor())
    whole, pieces = f"whole{next(_counter)}", f"pieces{next(_counter)}"
    history.add(whole, commits, half_life=2, max_files=3)
    cuts = sorted(data.draw(st.sets(st.integers(0, len(commits)), max_size=3)))
    for start, end in zip([0, *cuts], [*cuts, len(commits)], strict=True):
        history.add(pieces, commits[start:end], half_life=2, max_files=3)
    assert tables(database, whole) == tables(database, pieces)


@settings(max_examples=12, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(COMMITS)
def test_a_moment_after_everything_is_the_present(database: Database, commits: list[Commit]) -> None:
    project = f"moment{next(_counter)}"
    CommitHistory(database, PlainRedactor()).add(project, commits, half_life=2, max_files=3)
    now, then = Now(database, project), Now(database, project, BEGIN + timedelta(days=365))
    for path in [one.path for one in now.recent(10)]:
        told = [(n.path, n.together, n.last_subject) for n in now.cochanged([path], 10)]
        assert told == [(n.path, n.together, n.last_subject) for n in then.cochanged([path], 10)]
        assert now.owners(path) == then.owners(path)
    assert now.recent(10) == then.recent(10)


@settings(max_examples=12, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(COMMITS, st.integers(0, 14))
def test_an_earlier_moment_is_what_was_known_then(database: Database, commits: list[Commit], seen: int) -> None:
    history = CommitHistory(database, PlainRedactor())
    later, earlier = f"later{next(_counter)}", f"earlier{next(_counter)}"
    history.add(later, commits, half_life=2, max_files=3)
    history.add(earlier, commits[:seen], half_life=2, max_files=3)
    then = Now(database, later, BEGIN + timedelta(hours=seen - 1))
    known = Now(database, earlier)
    assert then.recent(10) == known.recent(10)
    for path in [one.path for one in known.recent(10)]:
        assert [(n.path, n.together) for n in then.cochanged([path], 9)] == [
            (n.path, n.together) for n in known.cochanged([path], 9)
        ]
        assert then.owners(path) == known.owners(path)


@settings(max_examples=12, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(COMMITS, st.integers(1, 5))
def test_gone_commits_count_for_nothing(database: Database, commits: list[Commit], gone: int) -> None:
    history = CommitHistory(database, PlainRedactor())
    cut, never = f"cut{next(_counter)}", f"never{next(_counter)}"
    history.add(cut, commits, half_life=2, max_files=3)
    lost = [one.sha for one in commits[-gone:]]
    assert history.mark_gone(cut, lost) == len(set(lost))
    history.add(never, commits[:-gone], half_life=2, max_files=3)
    assert tables(database, cut) == tables(database, never)
    assert history.known(cut) == history.known(never)
    assert history.mark_gone(cut, lost) == 0


def test_a_commit_that_comes_back_counts_again(database: Database, history: CommitHistory, project: str) -> None:
    commits = [touching(n, "a", "b") for n in range(3)]
    history.add(project, commits)
    history.mark_gone(project, [commits[2].sha])
    assert history.add(project, commits) == 1
    assert history.seq_count(project) == 3
    assert Now(database, project).cochanged(["a"], 5)[0].together == 3
    assert history.known(project) == {one.sha for one in commits}


def test_a_file_keeps_its_company_through_renames(database: Database, history: CommitHistory, project: str) -> None:
    history.add(project, [touching(0, "old.py", "friend.py"), touching(1, "old.py", "friend.py")])
    history.add(project, [commit(2, change(R, "new/place.py", "old.py"))])
    near = Now(database, project).cochanged(["new/place.py"], 5)
    assert [(one.path, one.together) for one in near] == [("friend.py", 2)]
    assert not Now(database, project).cochanged(["old.py"], 5)


def test_a_branch_that_does_not_know_of_a_rename_still_means_the_file(
    database: Database, history: CommitHistory, project: str
) -> None:
    history.add(project, [touching(0, "old.py"), commit(1, change(R, "new.py", "old.py"))])
    history.add(project, [touching(2, "old.py", "friend.py")])
    assert set(live(database, project)) == {"new.py", "friend.py"}
    assert Now(database, project).cochanged(["friend.py"], 5)[0].path == "new.py"


def test_a_file_that_comes_back_is_the_same_one(database: Database, history: CommitHistory, project: str) -> None:
    history.add(project, [touching(0, "a", "b"), commit(1, change(D, "a")), commit(2, change(A, "a"))])
    assert Now(database, project).cochanged(["a"], 5)[0].path == "b"


def test_a_new_file_at_a_renamed_path_is_another_one(database: Database, history: CommitHistory, project: str) -> None:
    history.add(project, [touching(0, "a", "b"), commit(1, change(R, "c", "a"), change(A, "a"))])
    assert not Now(database, project).cochanged(["a"], 5) or Now(database, project).cochanged(["a"], 5)[0].path == "c"
    assert [one.path for one in Now(database, project).cochanged(["b"], 5)] == ["c"]


def test_files_that_swap_names_swap_places(database: Database, history: CommitHistory, project: str) -> None:
    history.add(project, [commit(0, change(A, "a")), commit(1, change(A, "b"))])
    before = live(database, project)
    history.add(project, [commit(2, change(R, "a", "b"), change(R, "b", "a"))])
    after = live(database, project)
    assert (after["a"], after["b"]) == (before["b"], before["a"])


def test_deleted_files_are_nobodys_company(database: Database, history: CommitHistory, project: str) -> None:
    history.add(project, [touching(0, "a", "b"), commit(1, change(D, "b"))])
    assert not Now(database, project).cochanged(["a"], 5)
    assert [one.path for one in Now(database, project).recent(5)] == ["a"]


def test_sweeping_commits_and_merges_make_no_pairs(database: Database, history: CommitHistory, project: str) -> None:
    sweep = touching(0, *(f"f{n}" for n in range(31)))
    history.add(project, [sweep, commit(1, change(M, "f0"), change(M, "f1"), merge=True)])
    assert not Now(database, project).cochanged(["f0"], 50)


def test_newer_and_smaller_commits_weigh_more(database: Database, history: CommitHistory, project: str) -> None:
    history.add(
        project,
        [touching(0, "a", "early"), touching(1, "a", "x", "y", "late_large"), touching(2, "a", "late_small")],
        half_life=1,
    )
    near = Now(database, project).cochanged(["a"], 9)
    assert [one.path for one in near] == ["late_small", "late_large", "x", "y", "early"]
    assert near[0].weight / near[-1].weight == pytest.approx(4.0)


def test_weights_never_overflow(database: Database, history: CommitHistory, project: str) -> None:
    commits = [touching(number, "a", f"b{number % 3}") for number in range(3_000)]
    for start in range(0, 3_000, 1_000):
        history.add(project, commits[start : start + 1_000], half_life=1)
    near = Now(database, project).cochanged(["a"], 5)
    assert [one.path for one in near] == ["b2", "b1", "b0"]
    assert all(math.isfinite(one.weight) and one.weight > 0 for one in near)
    assert near[0].weight / near[1].weight == pytest.approx(2.0)


def test_other_figures_count_everything_anew(database: Database, history: CommitHistory, project: str) -> None:
    commits = [touching(number, "a", f"b{number}", "c") for number in range(4)]
    history.add(project, commits, half_life=1)
    history.add(project, [], half_life=5)
    other = f"{project} other"
    history.add(other, commits, half_life=5)
    assert tables(database, project) == tables(database, other)
    with pytest.raises(UsageError):
        history.add(project, [], half_life=0)


def test_subjects_are_redacted_and_surrogates_replaced(history: CommitHistory, project: str) -> None:
    history.add(project, [commit(7, change(M, "a\udcff"), subject="use hunter2-secret \udcff")])
    kept = history.commit(project, f"{7:040x}")
    assert kept is not None
    assert kept.subject == "use [redacted password] �"
    assert kept.changes[0].path == "a�"


def test_a_commit_is_found_by_a_beginning_that_is_its_own(history: CommitHistory, project: str) -> None:
    history.add(project, [touching(1, "a"), commit(2, change(A, "b"), prefix="f" * 10)])
    assert history.commit(project, "0" * 39) is not None
    assert history.commit(project, "") is None
    assert history.commit(project, "abc") is None


def test_who_made_most_commits_of_a_file_is_told_first(
    database: Database, history: CommitHistory, project: str
) -> None:
    history.add(project, [touching(number, "a") for number in range(5)])
    owners = Now(database, project).owners("a")
    assert [(one.person, one.commits) for one in owners] == [("Ann", 3), ("Bo", 2)]


def test_a_person_is_called_what_most_of_their_commits_say_and_not_what_the_last_one_does(
    database: Database, history: CommitHistory, project: str
) -> None:
    history.add(project, [touching(number, "a") for number in range(0, 6, 2)])
    other = replace(touching(8, "a", "b"), author=Person("ann99", PEOPLE[0].email.upper()))
    history.add(project, [other])
    now = Now(database, project)
    assert [(one.person, one.commits) for one in now.owners("a")] == [("Ann", 4)]
    assert [one.person for one in now.owners("b")] == ["Ann"]


def test_a_snapshot_sees_new_commits(database: Database, history: CommitHistory, project: str) -> None:
    snapshots = Snapshots(database)
    history.add(project, [touching(0, "a", "b")])
    assert [one.path for one in snapshots.cochanged(project, ["a"], 5)] == ["b"]
    history.add(project, [touching(1, "a", "c")])
    assert [one.path for one in snapshots.cochanged(project, ["a"], 5)] == ["c", "b"]
    assert snapshots.cochanged(project, ["nowhere"], 5) == ()


def test_nothing_is_known_of_an_unknown_project(database: Database, history: CommitHistory) -> None:
    past: Sequence[object] = [Now(database, "no").recent(3), Now(database, "no").cochanged(["a"], 3)]
    assert past == [(), ()]
    assert history.known("no") == frozenset()
    assert Snapshots(database).of("no").recent == ()
