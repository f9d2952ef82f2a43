"""Places: the very lines that a commit changes in other files, beside simple ways to fill the same budget."""

from __future__ import annotations

from contextlib import closing

import pytest
from msgspec.structs import replace
from repos import Repo

from companion.app.replay import Replay
from companion.evals.places import (
    CutTree,
    Piece,
    PlacesTask,
    packed,
    place_figures,
    places,
    shown_by,
    windows,
)
from companion.records import Activity, Context, ContextItem, FileSeen, Format, Signals, Tier, TierReport

NEEDED = {"b.py": {10, 11}, "c.py": {5, 6}}


def ask(**likelihood: float) -> PlacesTask:
    return PlacesTask(Signals(current_file="a.py"), NEEDED, {f"{name}.py": p for name, p in likelihood.items()})


def context(*items: ContextItem) -> Context:
    tier = TierReport(Tier.RELEVANT, 0, 0, items)
    return Context("", 100, 4_000, 0, "words", Format.MARKDOWN, Activity.EXPLORING, 0.5, (tier,))


ITEM = ContextItem("file:b.py", "b.py", Tier.RELEVANT, "", "body", 40, 1.0, "text", files=("b.py",), path="b.py")


def test_places_are_the_needed_lines_that_stand_in_the_context_and_files_those_told_more_of_than_a_name():
    half = replace(ITEM, spans=((1, 10),))
    named = replace(ITEM, id="file:c.py", path="c.py", level="name", tokens=5)
    told = place_figures(shown_by(context(half, named)), ask(b=0.5, c=0.5))
    assert (told["places"], told["files"], told["hit_tokens"]) == (0.25, 0.5, 0.45)
    outlined = place_figures(shown_by(context(replace(named, level="outline"))), ask(b=0.5, c=0.5))
    assert (outlined["places"], outlined["files"]) == (0.0, 0.5)


def test_filler_is_what_is_of_unlikely_files_other_than_the_one_at_hand():
    shown = shown_by(context(ITEM, replace(ITEM, path="x.py"), replace(ITEM, path="a.py", tokens=20)))
    assert place_figures(shown, ask(b=0.5))["filler"] == 0.4
    assert place_figures(shown, ask(b=0.01, x=0.05))["filler"] == 0.4


def test_memories_that_show_no_file_count_as_tokens_alone():
    told = place_figures(shown_by(context(replace(ITEM, path=None, files=("b.py",)))), ask())
    assert (told["files"], told["hit_tokens"], told["filler"], told["tokens"]) == (0, 0, 0, 100)


def test_pieces_are_packed_in_order_and_one_that_is_too_long_is_passed_over():
    pieces = [Piece("a.py", (1, 2), "x x"), Piece("b.py", (1, 9), "x " * 50), Piece("c.py", (3, 3), "x")]
    shown = packed(pieces, 12, lambda text: len(text.split()))
    assert (shown.files, shown.tokens) == ({"a.py", "c.py"}, 5)
    assert shown.lines == {"a.py": {1, 2}, "c.py": {3}}


def test_surroundings_that_meet_are_one_window_and_end_with_the_file():
    assert windows({20, 40, 200}, 205) == [(5, 55), (185, 205)]
    assert windows({300}, 205) == []


def test_a_file_is_cut_again_only_when_its_content_changed():
    read = []

    def seen(path: str) -> FileSeen:
        read.append(path)
        return FileSeen(path, "", "def f():\n    return session_cookie\n")

    tree = CutTree(seen)
    tree.follow({"a.py": "1", "b.py": "1"})
    tree.follow({"a.py": "2", "c.py": "1"})
    assert read == ["a.py", "b.py", "a.py", "c.py"]
    assert {path for path, _ in tree.words} == {"a.py", "c.py"}
    assert "cookie" in tree.words["c.py", 0]
    assert tree.chunk("c.py", 0).span == (1, 2)


@pytest.fixture
def shop(repo: Repo) -> Repo:
    """Carts and prices that change together; what is to be changed last says what nothing else does."""
    body = "\n\n".join(f"def part_{n}(value):\n    return value + {n}" for n in range(30))
    repo.write("cart.py", f"{body}\n\n\ndef discount(cart):\n    return cart * 1\n")
    repo.write("price.py", f"{body}\n\n\ndef rebate(price):\n    return price * 1\n")
    repo.commit("Begin")
    for n in range(3):
        for path in ("cart.py", "price.py"):
            text = (repo.root / path).read_text()
            repo.write(path, text.replace(f"value + {n}\n", f"value + {n} + 0\n"))
        repo.commit(f"Round part {n}")
    for path in ("cart.py", "price.py"):
        repo.write(path, (repo.root / path).read_text().replace("* 1", "* 2"))
    repo.commit("Double discount and rebate")
    return repo


def test_the_lines_of_the_newest_commit_are_looked_for_in_its_parents_tree(shop: Repo):
    with closing(Replay(shop.root)) as replay:
        told = places(replay.commits(), replay, last=1, budget_tokens=400)
    assert told["n"] == 1
    named = {"chunk bm25", "chunk bm25 times likelihood", "whole files by probability", "ceiling"}
    assert set(told["baselines"]) == named  # type: ignore[call-overload]
    for name in ("chunk bm25", "chunk bm25 times likelihood", "ceiling"):
        assert told["baselines"][name]["places"] == 1.0  # type: ignore[index]
    assert told["baselines"]["whole files by probability"]["places"] == 0.0  # type: ignore[index]
    assert told["ours"]["tokens"] <= 400  # type: ignore[index]


@pytest.mark.parametrize(
    ("known", "asks", "alike"),
    [
        ({"with_file": False}, [Signals(query="Double discount and rebate")], "ceiling"),
        ({"with_task": False}, [Signals(current_file="cart.py"), Signals(current_file="price.py")], "chunk bm25"),
    ],
    ids=["no-file", "no-task"],
)
def test_only_what_is_known_is_asked_about(shop: Repo, known: dict[str, bool], asks: list[Signals], alike: str) -> None:
    asked = []
    with closing(Replay(shop.root)) as replay:
        assemble = replay.assemble
        replay.assemble = lambda budget, signals: asked.append(signals) or assemble(budget, signals)  # type: ignore
        told = places(replay.commits(), replay, last=1, **known)
    assert asked == asks
    assert known.items() <= told["settings"].items()  # type: ignore[attr-defined]
    assert told["baselines"][alike]["files"] == 1.0  # type: ignore[index]
