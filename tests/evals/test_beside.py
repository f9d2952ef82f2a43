"""Beside the places: what a context shows of a change, its test and the commits that made it so."""

from __future__ import annotations

from contextlib import closing

import pytest
from engine.past import commit
from msgspec.structs import replace
from repos import Repo

from companion.app.replay import Replay
from companion.evals.replay import Case
from companion.records import Activity, Context, ContextItem, Evidence, EvidenceKind, Format, Tier, TierReport
from evals.replayed.beside import _figures, beside

SOURCE, TEST, MAKER = "shop/till.py", "tests/test_till.py", "a" * 40
CASE = Case(3, commit(3, SOURCE, TEST), (SOURCE, TEST))
OLD = {SOURCE: [(4, 5)], TEST: [(9, 9)]}
PLACE = ContextItem(
    f"file:{SOURCE}", SOURCE, Tier.RELEVANT, "", "places", 40, 1.0, "text", path=SOURCE, spans=((1, 4),)
)
TESTED = replace(PLACE, id=f"file:{TEST}", path=TEST, spans=((1, 3),))
MADE = ContextItem(
    f"made:{MAKER}",
    "Open the till",
    Tier.RELEVANT,
    "",
    "full",
    9,
    1.0,
    "text",
    (),
    (Evidence(EvidenceKind.COMMIT, MAKER),),
)


def context(*items: ContextItem) -> Context:
    return Context(
        "", 100, 4_000, 0, "words", Format.MARKDOWN, Activity.EXPLORING, 0.5, (TierReport(Tier.RELEVANT, 0, 0, items),)
    )


@pytest.mark.parametrize(
    ("items", "expected"),
    [
        ((PLACE, TESTED, MADE), (1, 1, 0, 1, 1)),
        ((PLACE, replace(TESTED, spans=((9, 9),))), (1, 1, 1, 0, 0)),
        ((replace(PLACE, spans=((6, 9),)), replace(TESTED, spans=(), level="outline"), MADE), (0, 0, 0, 1, 0)),
        ((replace(MADE, evidence=(Evidence(EvidenceKind.COMMIT, "b" * 40),)),), (0, 0, 0, 0, 0)),
    ],
)
def test_a_place_counts_by_its_lines_a_test_by_any_of_its_own_and_a_maker_by_its_id(
    items: tuple[ContextItem, ...], expected: tuple[int, ...]
):
    told = _figures(context(*items), CASE, OLD, frozenset({MAKER}))
    assert tuple(told[name] for name in ("function", "test", "test_lines", "maker", "all")) == expected


def test_a_project_is_replayed_commit_by_commit_and_nothing_later_is_known(repo: Repo):
    till, test = "def open_till():\n    return {amount}\n", "def test_till():\n    assert open_till() == {amount}\n"
    for number, amount in enumerate((1, 2, 3)):
        repo.write(SOURCE, till.format(amount=amount))
        repo.write(TEST, test.format(amount=amount))
        repo.write("README.md", f"{number}\n")
        repo.commit(f"The till opens with {amount}")
    with closing(Replay(repo.root)) as replay:
        told = beside(replay.commits(), replay, last=5)
    assert told["n"] == 2
    ours = told["ours"]
    assert (ours["function"], ours["test"], ours["maker"], ours["all"]) == (1.0, 1.0, 1.0, 1.0)  # type: ignore[index]
