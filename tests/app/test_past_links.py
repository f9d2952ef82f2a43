"""Links as they were at moments of the past: what weights are learned from, read at a bounded cost."""

from __future__ import annotations

import pytest
from repos import Repo

from app.conftest import Desk
from companion.app.scanning import past_links as module
from companion.app.scanning.past_links import past_links
from companion.engine.predicting.learn import FEWEST_COMMITS, past_trees

USING = "import till\n\n\ndef run():\n    return till.close()\n"
ALONE = "def run():\n    return 1\n"
TILL = "def close():\n    return {}\n"


@pytest.fixture(scope="module")
def parted(tmp_path_factory: pytest.TempPathFactory) -> Repo:
    """A project whose two files were linked in the earlier half of its past, and then no more."""
    repo = Repo(tmp_path_factory.mktemp("parted"))
    repo.git("init", "-q")
    repo.write("till.py", TILL.format(0))
    repo.write("app.py", USING)
    repo.commit("Begin")
    for number in range(1, FEWEST_COMMITS + 1):
        repo.write("till.py", TILL.format(number))
        repo.write("app.py", f"{USING if number < FEWEST_COMMITS // 2 else ALONE}# {number}\n")
        repo.commit(f"Change {number}")
    return repo


def test_links_are_those_of_the_tree_before_each_commit_not_those_of_today(desk: Desk, parted: Repo) -> None:
    desk.scan(parted.root)
    companion = desk.open(parted.root)
    runtime = companion.runtime
    commits = runtime.store.history.recent_commits(companion.project, 2_000)
    wanted = past_trees(commits)
    before = runtime.store.code.links(companion.checkout)
    found = past_links(runtime, companion.state, companion.checkout, commits, 1, lambda: False)
    assert sorted(found) == list(wanted)
    assert [bool(found[number]) for number in wanted] == [True, True, False, False]
    assert {(link.source, link.target) for number in wanted for link in found[number]} == {("app.py", "till.py")}
    assert runtime.store.code.links(companion.checkout) == before == (), "nothing of the past is kept"
    companion.close()


def test_older_trees_are_left_out_when_they_cost_too_much_or_something_else_is_urgent(
    desk: Desk, parted: Repo, monkeypatch: pytest.MonkeyPatch
) -> None:
    desk.scan(parted.root)
    companion = desk.open(parted.root)
    runtime, state, checkout = companion.runtime, companion.state, companion.checkout
    commits = runtime.store.history.recent_commits(companion.project, 2_000)
    wanted = past_trees(commits)
    assert past_links(runtime, state, checkout, commits, 1, lambda: True) == {}
    monkeypatch.setattr(module, "PARSED_MOST", 4)
    assert sorted(past_links(runtime, state, checkout, commits, 1, lambda: False)) == list(wanted[2:]), (
        "two files for each"
    )
    companion.close()
