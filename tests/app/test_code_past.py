"""What a repository, a file and a commit come to, from the history that was read."""

from __future__ import annotations

import subprocess
from datetime import UTC, datetime
from pathlib import Path

import pytest
from blank import blank_home
from fakes import FakeClock
from repos import Repo

from app.conftest import Desk
from companion.app.local import LocalCompanion
from companion.errors import CompanionError, NotReadYet


@pytest.fixture(scope="module")
def read(tmp_path_factory: pytest.TempPathFactory) -> tuple[LocalCompanion, Repo, list[str]]:
    """A file that was changed with another one, renamed, and changed alone since; and a commit by somebody else."""
    folder = tmp_path_factory.mktemp("past")
    (folder / "shop").mkdir()
    repo = Repo(folder / "shop")
    repo.git("init", "-q")
    repo.git("remote", "add", "origin", "git@github.com:Ann/Shop.git")
    shas = []
    for number in range(3):
        repo.write("cart.py", f"def cart():\n    return {number}\n\n\n" + "# a cart holds what is bought\n" * 9)
        repo.write("price.py", f"def price():\n    return {number}\n")
        shas.append(repo.commit(f"fix(cart): count the items of step {number} (#{number + 11})"))
    repo.git("mv", "cart.py", "basket.py")
    shas.append(repo.commit("Call carts baskets"))
    repo.write("basket.py", (repo.root / "basket.py").read_text() + "# and no more\n")
    by_ben = {"GIT_AUTHOR_NAME": "Ben", "GIT_AUTHOR_EMAIL": "ben@example.com"}
    shas.append(repo.commit("Say what a basket is\n\nNobody knew.", **by_ben))
    desk = Desk(blank_home(folder / "home"), FakeClock())
    desk.scan(repo.root)
    return desk.open(repo.root), repo, shas


def test_an_overview_counts_the_history_and_tells_the_work_on_each_file(read):
    told = read[0].overview()
    assert (told.project, told.commits, told.people) == ("shop", 5, 2)
    assert [(one.path, one.role, one.commits) for one in told.files] == [
        ("basket.py", "source", 5),
        ("price.py", "source", 3),
    ]
    assert [(one.a, one.b, one.together, one.share) for one in told.pairs] == [("price.py", "basket.py", 3, 1.0)]
    assert [one.title for one in told.newest][::4] == ["Say what a basket is", "Count the items of step 0"]
    assert (told.newest[-1].sort, told.newest[-1].files) == ("fix", ("basket.py", "price.py"))


def test_a_file_is_followed_through_its_names(read):
    companion, _, shas = read
    told = companion.file_past("basket.py")
    assert [one.sha for one in told.commits] == shas[::-1]
    assert [(one.b, one.together, one.share) for one in told.neighbours] == [("price.py", 3, 0.6)]
    assert [one.person for one in told.people] == ["Ann", "Ben"]
    assert companion.file_past("price.py").total == 3


def test_a_commit_is_known_by_the_beginning_of_its_id_and_tells_its_whole_message(read):
    companion, _, shas = read
    told = companion.commit(shas[-1][:9].upper())
    assert told.commit.author == "Ben"
    assert "Nobody knew." in told.message
    assert [change.path for change in told.changes] == ["basket.py"]
    assert told.commit.links[-1].url == f"https://github.com/ann/shop/commit/{shas[-1]}"
    assert [one.name for one in companion.commit(shas[0]).commit.links][:1] == ["#11"]


def test_all_commits_of_a_file_are_counted_by_year_and_whoever_made_most_is_told(tmp_path: Path):
    later = [(2024, f"Ben New{number % 9}", "Go on") for number in range(540)]
    companion = _of_commits(tmp_path, *((2011, "Ann Old", "Begin more") for _ in range(70)), *later)
    told = companion.file_past("a.py")
    assert told.total == 610 > len(told.commits)
    assert (told.years[:2], told.years[-1]) == (((2011, 70), (2012, 0)), (2024, 540))
    assert (told.people[0].person, told.people[0].commits) == ("Ann Old", 70)


def test_a_commit_that_only_says_it_was_merged_is_called_as_its_message_says(tmp_path: Path):
    companion = _of_commits(
        tmp_path, (2024, "Ann Old", "Merge commit from fork\n\n* fix: drop headers with an underscore")
    )
    (told,) = companion.file_past("a.py").commits
    assert (told.title, told.sort) == ("Drop headers with an underscore (security fix)", "fix")
    assert companion.commit(told.sha).commit.title == told.title == companion.overview().newest[0].title


def _of_commits(folder: Path, *commits: tuple[int, str, str]) -> LocalCompanion:
    """A project whose only file was changed by these commits: year, author and message of each."""
    (folder / "shop").mkdir()
    repo = Repo(folder / "shop")
    repo.git("init", "-q")
    stream = []
    for number, (year, person, message) in enumerate(commits):
        at = int(datetime(year, 3, 1, tzinfo=UTC).timestamp()) + number
        who = f"{person} <{person.replace(' ', '.')}@example.com> {at} +0000"
        stream.append(f"commit refs/heads/main\nauthor {who}\ncommitter {who}\ndata {len(message)}\n{message}\n")
        body = f"number = {number}\n"
        stream.append(f"M 100644 inline a.py\ndata {len(body)}\n{body}\n")
    subprocess.run(["git", "fast-import", "--quiet"], cwd=repo.root, input="".join(stream), text=True, check=True)
    repo.git("checkout", "-q", "-f", "main")
    desk = Desk(blank_home(folder / "home"), FakeClock())
    desk.scan(repo.root)
    return desk.open(repo.root)


@pytest.mark.parametrize("wrong", ["", "f" * 40, "zz", "x' or 1=1 --"])
def test_an_id_that_no_commit_has_is_refused_with_what_to_do(read, wrong: str):
    with pytest.raises(CompanionError) as refused:
        read[0].commit(wrong)
    assert refused.value.next_step


def test_before_it_was_read_a_file_has_no_past_and_an_overview_is_empty(tmp_path: Path):
    (tmp_path / "new").mkdir()
    repo = Repo(tmp_path / "new")
    repo.git("init", "-q")
    repo.write("a.py")
    repo.commit("Begin")
    companion = Desk(blank_home(tmp_path / "home"), FakeClock()).open(repo.root)
    assert companion.overview().files == ()
    assert any("has not been read yet" in one for one in companion.notices())
    with pytest.raises(NotReadYet):
        companion.file_past("a.py")
    companion.close()


def test_a_file_that_is_gone_is_told_by_its_history_and_is_nobodys_neighbour(tmp_path: Path):
    (tmp_path / "shop").mkdir()
    repo = Repo(tmp_path / "shop")
    repo.git("init", "-q")
    for number in range(3):
        for name in ("cart", "price", "tax"):
            repo.write(f"{name}.py", f"{name} = {number}\n")
        repo.commit(f"Count {number}")
    repo.git("rm", "-q", "tax.py")
    repo.commit("Drop the tax")
    desk = Desk(blank_home(tmp_path / "home"), FakeClock())
    desk.scan(repo.root)
    companion = desk.open(repo.root)
    gone = companion.file_past("tax.py")
    assert (gone.gone, gone.total, gone.commits[0].title) == (True, 4, "Drop the tax")
    assert gone.neighbours == ()
    there = companion.file_past("cart.py")
    assert (there.gone, [one.b for one in there.neighbours]) == (False, ["price.py"])


def test_a_file_that_was_renamed_is_found_by_the_name_it_had(read):
    told = read[0].file_past("cart.py")
    assert (told.path, told.total, told.gone) == ("basket.py", 5, False)
