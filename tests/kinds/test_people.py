from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from pathlib import Path

import pytest
from kinds.worlds import world_of
from msgspec.structs import replace as struct_replace

from companion.kinds.people import LEAST_COMMITS, People
from companion.records import ChangeStatus, Commit, Draft, FileChange, Person, Visibility

ANN = Person("Ann Lee", "ann@example.org")
START = datetime(2025, 1, 1)


def commit(n: int, path: str, author: Person = ANN, at: datetime = START) -> Commit:
    moment = at + timedelta(days=n)
    change = FileChange(ChangeStatus.MODIFIED, path)
    return Commit(f"{n:040x}", ("0" * 40,), author, moment, moment, f"Change {n}", "", (change,))


OTHERS = [
    commit(1_000 + n, "web/app/page.ts", Person(name, f"{name}@example.org"), START - timedelta(days=1_000))
    for name in ("bo", "cy")
    for n in range(LEAST_COMMITS - 1)
]
"""Work of others elsewhere: who does what all do is told nowhere."""


def learned(folder: Path, files: dict[str, str], commits: Sequence[Commit] = ()) -> list[Draft]:
    return list(People().learn(world_of(folder, files, commits)))


def test_recent_work_is_told_to_this_user_alone_without_addresses(tmp_path: Path) -> None:
    commits = [commit(n, "src/api/door.py" if n % 3 else "src/store/disk.py") for n in range(2 * LEAST_COMMITS)]
    (draft,) = learned(tmp_path, {}, [*commits, *OTHERS])
    assert draft.visibility is Visibility.USER_PRIVATE
    assert (draft.subject, draft.value) == ("Ann Lee", "src/api/, src/store/")
    assert "example.org" not in repr(draft)
    assert draft.evidence[0].ref == commits[-1].sha


def test_few_new_commits_leave_what_was_said_before(tmp_path: Path) -> None:
    world = world_of(tmp_path, {}, [commit(n, "src/a.py") for n in range(LEAST_COMMITS - 1)])
    assert list(People().origins(world)) == []
    assert list(People().learn(world)) == []


def test_old_work_bots_and_merges_do_not_count(tmp_path: Path) -> None:
    old = [commit(n, "src/a/x.py", at=START - timedelta(days=400)) for n in range(30)]
    bot = [commit(100 + n, "src/b/x.py", Person("dependabot[bot]", "x@github.com")) for n in range(30)]
    assert learned(tmp_path, {}, [*old, *bot]) == []


@pytest.mark.parametrize(
    ("author", "is_told"),
    [
        (Person("Claude", "noreply@anthropic.com"), False),
        (Person("Anthropic Claude Opus 4", "claude@anthropic.com"), False),
        (Person("Cursor AI", "ai@cursor.sh"), False),
        (Person("Claude Martin", "claude@example.org"), True),
        (Person("Devin Shaw", "devin@example.org"), True),
        (Person("Zhang Ci", "noreply@example.org"), True),
        (Person("GitHub Actions", "actions@github.com"), False),
    ],
)
def test_assistants_are_nobody_to_ask_and_whoever_is_called_as_one_is_somebody(
    tmp_path: Path, author: Person, is_told: bool
) -> None:
    commits = [commit(n, "src/api/door.py", author) for n in range(2 * LEAST_COMMITS)]
    assert [draft.subject for draft in learned(tmp_path, {}, [*commits, *OTHERS])] == [author.name] * is_told


def test_one_address_under_two_names_is_one_person_by_the_commoner_name(tmp_path: Path) -> None:
    short, long = Person("Ann L", "ann@example.org"), Person("Ann Lee", "ann@example.org")
    commits = [commit(n, "src/api/door.py", short if n % 3 == 0 else long) for n in range(2 * LEAST_COMMITS)]
    (draft,) = learned(tmp_path, {}, [*commits, *OTHERS])
    assert draft.subject == "Ann Lee"
    assert f"{2 * LEAST_COMMITS} commits" in draft.levels.full


def test_where_everybody_works_tells_nothing_of_one_and_takes_back_what_was_told(tmp_path: Path) -> None:
    commits = [commit(n, "src/api/door.py") for n in range(2 * LEAST_COMMITS)]
    world = world_of(tmp_path, {}, commits)
    assert list(People().learn(world)) == []
    assert list(People().origins(world)) == ["history of person:ann_lee"]


def test_a_few_new_commits_are_held_against_what_everybody_did_lately(tmp_path: Path) -> None:
    mine = [commit(n, "src/api/door.py") for n in range(LEAST_COMMITS)]
    (draft,) = People().learn(replace(world_of(tmp_path, {}, mine), old=OTHERS))
    assert draft.value == "src/api/"


def test_whose_commit_it_is_counts_and_not_who_is_thanked_in_it(tmp_path: Path) -> None:
    theirs = [struct_replace(one, co_authors=(ANN,)) for one in OTHERS]
    mine = [commit(n, "src/api/door.py") for n in range(LEAST_COMMITS)]
    (draft,) = learned(tmp_path, {}, [*mine, *theirs])
    assert f"src/api/ ({LEAST_COMMITS} of their {LEAST_COMMITS} commits)" in draft.levels.full
