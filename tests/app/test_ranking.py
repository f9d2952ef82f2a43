"""Weights are learned from links as they were at moments of the past, read at a bounded cost, wherever that is done."""

from __future__ import annotations

import multiprocessing

import pytest
from repos import Repo

from app.conftest import Desk
from companion.app.local import LocalCompanion
from companion.app.scanning import apart, ranking
from companion.app.scanning.ranking import RANKER, RankingStage, TrainingPast, past_links
from companion.app.scanning.stage import stage_of
from companion.engine.predicting.learn import FEWEST_COMMITS, past_trees
from companion.ports import NoProgress
from companion.store import parameters

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


def past_of(companion: LocalCompanion) -> TrainingPast:
    return stage_of(companion, RankingStage, NoProgress())._past()


def test_links_are_those_of_the_tree_before_each_commit_not_those_of_today(desk: Desk, parted: Repo) -> None:
    desk.scan(parted.root)
    companion = desk.open(parted.root)
    code, past = companion.runtime.store.code, past_of(companion)
    wanted = past_trees(past.commits)
    before = code.links(companion.checkout)
    found = past_links(past, 1, lambda: False)
    assert sorted(found) == list(wanted)
    assert [bool(found[number]) for number in wanted] == [True, True, False, False]
    assert {(link.source, link.target) for number in wanted for link in found[number]} == {("app.py", "till.py")}
    assert code.links(companion.checkout) == before == (), "nothing of the past is kept"
    companion.close()


def test_older_trees_are_left_out_when_they_cost_too_much_or_something_else_is_urgent(
    desk: Desk, parted: Repo, monkeypatch: pytest.MonkeyPatch
) -> None:
    desk.scan(parted.root)
    companion = desk.open(parted.root)
    past = past_of(companion)
    wanted = past_trees(past.commits)
    assert past_links(past, 1, lambda: True) == {}
    monkeypatch.setattr(ranking, "PARSED_MOST", 4)
    assert sorted(past_links(past, 1, lambda: False)) == list(wanted[2:]), "two files for each"
    companion.close()


@pytest.mark.parametrize("fails", [False, True])
def test_a_process_of_its_own_learns_the_same_and_where_none_starts_this_one_does(
    desk: Desk, parted: Repo, monkeypatch: pytest.MonkeyPatch, *, fails: bool
) -> None:
    desk.scan(parted.root)
    companion = desk.open(parted.root)
    stage = stage_of(companion, RankingStage, NoProgress())
    stage.run()
    store = companion.runtime.store
    here = parameters.load(store.database, companion.project, RANKER)
    assert here
    parameters.save(store.database, companion.project, RANKER, {}, stage.now)
    monkeypatch.setattr(ranking, "APART_FROM", 1)
    if fails:
        monkeypatch.setattr(apart.multiprocessing, "get_context", NoProcess)
    stage.workers = 2
    with stage.beside():
        pass
    assert parameters.load(store.database, companion.project, RANKER) == here
    companion.close()


class NoProcess:
    """What multiprocessing gives where no process can be started."""

    pid = None
    Pipe = staticmethod(multiprocessing.Pipe)

    def __init__(self, *_: object, **__: object) -> None:
        self.Process = NoProcess

    def start(self) -> None:
        raise OSError("no more of them")


def test_where_a_scan_fails_meanwhile_no_weights_are_kept(desk: Desk, parted: Repo) -> None:
    desk.scan(parted.root)
    companion = desk.open(parted.root)
    database = companion.runtime.store.database
    parameters.save(database, companion.project, RANKER, {}, desk.clock.now())
    with pytest.raises(ZeroDivisionError), stage_of(companion, RankingStage, NoProgress()).beside():
        raise ZeroDivisionError
    assert parameters.load(database, companion.project, RANKER) == {}
    companion.close()
