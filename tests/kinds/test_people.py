from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta
from pathlib import Path

from kinds.worlds import world_of

from companion.kinds.people import LEAST_COMMITS, MAX_MAINTAINERS, People
from companion.records import ChangeStatus, Commit, Draft, FactType, FileChange, Person, Visibility

ANN = Person("Ann Lee", "ann@example.org")
START = datetime(2025, 1, 1)


def commit(n: int, path: str, author: Person = ANN, at: datetime = START) -> Commit:
    moment = at + timedelta(days=n)
    change = FileChange(ChangeStatus.MODIFIED, path)
    return Commit(f"{n:040x}", ("0" * 40,), author, moment, moment, f"Change {n}", "", (change,))


def learned(folder: Path, files: dict[str, str], commits: Sequence[Commit] = ()) -> list[Draft]:
    return list(People().learn(world_of(folder, files, commits)))


CODEOWNERS = """\
# who
*           @org/team
/src/api/   @ann bob@example.org  # the door
docs/*.md   @carol
/src/api/   @dave
no-owner
"""


def test_codeowners_give_owners_by_path_and_the_last_rule_holds(tmp_path: Path) -> None:
    drafts = learned(tmp_path, {".github/CODEOWNERS": CODEOWNERS})
    assert [(d.subject, d.value, d.scope.path, d.evidence[0].line) for d in drafts] == [
        ("the whole repository", "@org/team", "", 2),
        ("docs/*.md", "@carol", "", 4),
        ("/src/api/", "@dave", "src/api", 5),
    ]
    assert all(d.type == FactType.RELATIONSHIP for d in drafts)
    assert "org:orgteam" in drafts[0].entities
    assert {"person:dave", "file:src/api"} <= set(drafts[2].entities)


def test_what_a_project_has_published_is_shared(tmp_path: Path) -> None:
    (draft,) = learned(tmp_path, {"CODEOWNERS": "* @ann\n"})
    assert draft.visibility is Visibility.PROJECT_SHARED


def test_maintainers_are_names_with_a_handle_or_an_address(tmp_path: Path) -> None:
    text = "# Maintainers\n\nWe merge for others.\n\n- Ann Lee (@ann)\n- Bob Ray <bob@example.org>\n- Release Notes\n"
    drafts = learned(tmp_path, {"MAINTAINERS.md": text})
    assert [(d.attribute, d.evidence[0].line) for d in drafts] == [("maintainer Ann Lee", 5), ("maintainer Bob Ray", 6)]
    assert all("bob@" not in d.levels.full for d in drafts)


def test_a_long_list_of_names_is_thanks_not_maintenance(tmp_path: Path) -> None:
    text = "\n".join(f"- Ann Lee{'abcdefghij'[i % 10]}{'klmno'[i // 10]} (@a{i})" for i in range(MAX_MAINTAINERS + 1))
    assert learned(tmp_path, {"MAINTAINERS": text}) == []


def test_owners_files_tell_approvers_of_their_folder(tmp_path: Path) -> None:
    (draft,) = learned(tmp_path, {"pkg/api/OWNERS": "approvers:\n- bob\n- ann\n"})
    assert (draft.subject, draft.attribute, draft.value, draft.scope.path) == (
        "pkg/api",
        "approvers",
        "ann, bob",
        "pkg/api",
    )


def test_recent_work_is_told_to_this_user_alone_without_addresses(tmp_path: Path) -> None:
    commits = [commit(n, "src/api/door.py" if n % 3 else "src/store/disk.py") for n in range(2 * LEAST_COMMITS)]
    (draft,) = learned(tmp_path, {}, commits)
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


def test_one_address_under_two_names_is_one_person_by_the_commoner_name(tmp_path: Path) -> None:
    short, long = Person("Ann L", "ann@example.org"), Person("Ann Lee", "ann@example.org")
    commits = [commit(n, "src/api/door.py", short if n % 3 == 0 else long) for n in range(2 * LEAST_COMMITS)]
    (draft,) = learned(tmp_path, {}, commits)
    assert draft.subject == "Ann Lee"
    assert f"{2 * LEAST_COMMITS} commits" in draft.levels.full
