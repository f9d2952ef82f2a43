"""Which project a repository is: never by its folder's name."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace
from stores import NOW, at, store

from companion.records import RepoState, Skipped
from companion.store import projects
from companion.store.projects import identify

ROOT = "a" * 40
REMOTE = "example.org/ann/tool"


def repository(folder: Path, **given: Any) -> RepoState:
    """A repository whose git folder is really there."""
    (folder / ".git").mkdir(parents=True, exist_ok=True)
    state = RepoState(
        root=str(folder),
        common_dir=str(folder / ".git"),
        root_commit=ROOT,
        remote="",
        head="b" * 40,
        branch="main",
    )
    return replace(state, **given)


def test_the_same_repository_is_found_again_without_a_write(tmp_path: Path) -> None:
    with store(tmp_path / "home") as database:
        state = repository(tmp_path / "tool")
        first = identify(database, state, NOW)
        revision = database.revision
        assert identify(database, state, at(1)) == first
        assert database.revision == revision
        assert first[0].startswith("p1") and first[1].startswith("c1")


def test_worktrees_share_a_project_and_have_a_checkout_each(tmp_path: Path) -> None:
    with store(tmp_path / "home") as database:
        main = repository(tmp_path / "tool")
        tree = replace(main, root=str(tmp_path / "tool-fix"), branch="fix")
        project, checkout = identify(database, main, NOW)
        other_project, other_checkout = identify(database, tree, NOW)
        assert other_project == project
        assert other_checkout != checkout
        assert {found.root for found in projects.checkouts(database, project)} == {main.root, tree.root}


def test_two_folders_of_one_name_are_two_projects(tmp_path: Path) -> None:
    with store(tmp_path / "home") as database:
        one = identify(database, repository(tmp_path / "a" / "tool"), NOW)
        two = identify(database, repository(tmp_path / "b" / "tool", root_commit="c" * 40), NOW)
        assert one[0] != two[0]
        assert [found.name for found in projects.projects(database)] == ["tool", "tool"]


def test_a_fork_is_another_project(tmp_path: Path) -> None:
    with store(tmp_path / "home") as database:
        one = identify(database, repository(tmp_path / "tool", remote=REMOTE), NOW)
        two = identify(database, repository(tmp_path / "fork", remote="example.org/bo/tool"), NOW)
        assert one[0] != two[0]


def test_clones_of_one_remote_are_one_project(tmp_path: Path) -> None:
    with store(tmp_path / "home") as database:
        one = identify(database, repository(tmp_path / "tool", remote=REMOTE), NOW)
        two = identify(database, repository(tmp_path / "again", remote=REMOTE), NOW)
        assert one[0] == two[0]
        assert one[1] != two[1]


@pytest.mark.parametrize("first", ["full", "shallow"])
def test_a_shallow_clone_is_known_by_its_remote(tmp_path: Path, first: str) -> None:
    with store(tmp_path / "home") as database:
        full = repository(tmp_path / "tool", remote=REMOTE)
        shallow = repository(tmp_path / "quick", remote=REMOTE, root_commit="d" * 40, shallow=True)
        order = (full, shallow) if first == "full" else (shallow, full)
        one, two = (identify(database, state, NOW)[0] for state in order)
        assert one == two
        assert projects.projects(database)[0].root_commit == ROOT


def test_a_copy_without_remote_is_a_project_of_its_own_while_the_original_stands(tmp_path: Path) -> None:
    with store(tmp_path / "home") as database:
        original = identify(database, repository(tmp_path / "tool"), NOW)
        copy_state = repository(tmp_path / "copy")
        copy = identify(database, copy_state, NOW)
        assert copy[0] != original[0]
        known = projects.project(database, copy[0])
        assert known is not None and known.copy_of == copy_state.common_dir
        assert identify(database, copy_state, at(1)) == copy
        assert identify(database, repository(tmp_path / "tool"), at(1)) == original


def test_a_repository_that_was_moved_keeps_its_project_and_its_checkout(tmp_path: Path) -> None:
    with store(tmp_path / "home") as database:
        before = identify(database, repository(tmp_path / "tool"), NOW)
        (tmp_path / "tool").rename(tmp_path / "moved")
        after = identify(database, repository(tmp_path / "moved"), at(1))
        assert after == before
        (checkout,) = projects.checkouts(database, before[0])
        assert checkout.root == str(tmp_path / "moved")
        third = identify(database, repository(tmp_path / "tool"), at(2))
        assert third[0] != before[0], "what is now in the old place is a copy"
        assert third[1] != before[1]


def test_a_repository_that_gains_commit_and_remote_keeps_its_project(tmp_path: Path) -> None:
    with store(tmp_path / "home") as database:
        unborn = repository(tmp_path / "tool", root_commit="", head="")
        born = identify(database, unborn, NOW)
        assert identify(database, repository(tmp_path / "tool"), at(1)) == born
        with_remote = repository(tmp_path / "tool", remote=REMOTE)
        assert identify(database, with_remote, at(2)) == born
        (known,) = projects.projects(database)
        assert (known.root_commit, known.remote, known.copy_of) == (ROOT, REMOTE, "")
        clone = identify(database, repository(tmp_path / "clone", remote=REMOTE), at(3))
        assert clone[0] == born[0]
        assert identify(database, repository(tmp_path / "tool"), at(4)) == born, "its remote was taken off"


def test_a_repository_that_gains_a_remote_known_already_joins_that_project(tmp_path: Path) -> None:
    with store(tmp_path / "home") as database:
        known = identify(database, repository(tmp_path / "clone", remote=REMOTE), NOW)
        alone = identify(database, repository(tmp_path / "tool"), NOW)
        assert alone[0] != known[0]
        joined = identify(database, repository(tmp_path / "tool", remote=REMOTE), at(1))
        assert joined[0] == known[0]
        assert identify(database, repository(tmp_path / "tool", remote=REMOTE), at(2)) == joined


def test_two_repositories_without_a_commit_are_two_projects(tmp_path: Path) -> None:
    with store(tmp_path / "home") as database:
        one = identify(database, repository(tmp_path / "a", root_commit=""), NOW)
        two = identify(database, repository(tmp_path / "b", root_commit=""), NOW)
        assert one[0] != two[0]


def test_another_repository_in_the_same_folder_is_another_project(tmp_path: Path) -> None:
    with store(tmp_path / "home") as database:
        one = identify(database, repository(tmp_path / "tool"), NOW)
        two = identify(database, repository(tmp_path / "tool", root_commit="e" * 40), at(1))
        fork = identify(
            database, repository(tmp_path / "tool", remote="example.org/bo/else", root_commit="f" * 40), at(2)
        )
        assert len({one[0], two[0], fork[0]}) == 3
        assert identify(database, repository(tmp_path / "tool"), at(3)) == one


def test_a_folder_with_an_undecodable_name_is_known_again(tmp_path: Path) -> None:
    with store(tmp_path / "home") as database:
        state = replace(repository(tmp_path / "tool"), root="/x/caf\udce9", common_dir="/x/caf\udce9/.git")
        assert identify(database, state, NOW) == identify(database, state, at(1))


def test_the_store_has_one_user_for_good(tmp_path: Path) -> None:
    with store(tmp_path) as database:
        assert projects.user_id(database, lambda: "u1abc") == "u1abc"
        assert projects.user_id(database, lambda: "u1other") == "u1abc"
    with store(tmp_path) as database:
        assert projects.user_id(database) == "u1abc"


def test_what_a_scan_notes_of_a_checkout_is_there_at_the_next(tmp_path: Path) -> None:
    with store(tmp_path / "home") as database:
        state = repository(tmp_path / "tool")
        project, checkout = identify(database, state, NOW)
        assert projects.checkout_head(database, checkout) == ""
        projects.consent(database, project, NOW)
        projects.set_skipped(database, checkout, [Skipped("b.bin", "binary"), Skipped("a\udcff", "unreadable")])
        projects.set_skipped(database, checkout, [Skipped("b.bin", "binary")])
        projects.note_unlearned(database, checkout, ["a.py", "b.py"])
        projects.note_unlearned(database, checkout, ["b.py"])
        assert projects.unlearned(database, checkout) == {"a.py", "b.py"}
        projects.clear_unlearned(database, checkout)
        projects.set_scanned(database, checkout, state, at(1))
        assert projects.unlearned(database, checkout) == set()
        assert projects.skipped(database, checkout) == (Skipped("b.bin", "binary"),)
        assert projects.checkout_head(database, checkout) == state.head
        known = projects.project(database, project)
        assert known is not None and known.consent_at == NOW
        assert projects.project_name(database, project) == "tool"
        assert projects.project_name(database, "p1none") == "p1none"
        assert projects.get_value(database, "last") == ""
        projects.set_value(database, "last", "one")
        projects.set_value(database, "last", "two")
        assert projects.get_value(database, "last") == "two"
