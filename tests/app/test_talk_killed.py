"""Killed at any step of its life, a conversation is what it was before the step or after it, and goes on there."""

from __future__ import annotations

import importlib
import os
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from blank import blank_home
from fakes import FakeClock
from killed import PROCESSES
from repos import Repo
from waiting import DEADLINE_S

from app.conftest import Desk
from app.talks import LabelledLines, say
from companion.app.local import LocalCompanion
from companion.records.talk import TalkState

TEXTS = ("decision: prices are integer cents\ntask: mend the rounding", "done: write the page\nwaiting-on: Alex")
KILLED = 9
"""How a process ends that is killed."""

CONFIRMING = (
    ("companion.app.talks.confirming.finish", "before"),
    ("companion.app.talks.confirming.warm_up", "after"),
    ("companion.store.memories.memories.Memories.keep", "after"),
    ("companion.store.vectors.vectors.Vectors.keep", "after"),
    ("companion.store.talk.items.confirm", "after"),
    ("companion.store.talk.items.settle", "after"),
    ("companion.store.talk.items.drop_candidates", "after"),
    ("companion.app.talks.confirming.told", "before"),
)
CLOSING = (
    ("companion.store.talk.conversations.move", "after"),
    ("companion.store.talk.items.propose", "after"),
    ("companion.store.talk.conversations.keep_preview", "after"),
)
ADDING = (
    ("companion.store.talk.talk_turns.say", "after"),
    ("companion.store.talk.items.propose", "after"),
    ("companion.store.talk.summaries.keep", "after"),
)
UNWRITTEN = ("companion.store.talk.sessions.join", "companion.store.talk.warmth.age")


def killed_at(desk: Desk, root: Path, where: str, when: str, call: str) -> None:
    """Have a process ask `call` that is killed before or after a function, named by its module."""
    one = PROCESSES.Process(target=ask_until, args=(desk.home, root, where, when, call))
    one.start()
    one.join(DEADLINE_S)
    assert one.exitcode == KILLED


def ask_until(home: Path, root: Path, where: str, when: str, call: str) -> None:
    module, _, name = where.rpartition(".")
    try:
        holder: Any = importlib.import_module(module)
    except ModuleNotFoundError:
        outer, _, inner = module.rpartition(".")
        holder = getattr(importlib.import_module(outer), inner)
    plain = getattr(holder, name)

    def killed(*given: Any, **named: Any) -> None:
        if when == "after":
            plain(*given, **named)
        os._exit(KILLED)

    clock = FakeClock()
    clock.advance(hours=5)
    companion = open_again(Desk(home, clock), root)
    setattr(holder, name, killed)
    say(companion, "task: one more") if call == "add_turn" else getattr(companion, call)()


def open_again(desk: Desk, root: Path) -> LocalCompanion:
    companion = desk.open(root, embedder=True)
    companion.runtime.talk_rules = LabelledLines
    return companion


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    return Desk(tmp_path / "home", FakeClock())


Prepare = Callable[..., None]


@pytest.fixture(scope="module")
def prepared(tmp_path_factory: pytest.TempPathFactory) -> Prepare:
    """Puts what was said before onto a desk: made once, copied for each test."""
    made: dict[bool, Desk] = {}

    def put(desk: Desk, root: Path, *, close: bool) -> None:
        if close not in made:
            made[close] = Desk(blank_home(tmp_path_factory.mktemp("prepared") / "home"), FakeClock())
            say_before(made[close], root, close=close)
        shutil.copytree(made[close].home, desk.home, dirs_exist_ok=True)
        desk.clock.moment = made[close].clock.moment

    return put


def say_before(desk: Desk, root: Path, *, close: bool) -> None:
    """One conversation of before with an open task, and one that goes on (or waits for review)."""
    companion = open_again(desk, root)
    companion.start_conversation("Before")
    say(companion, "task: write the page")
    companion.close_conversation()
    companion.confirm_review()
    desk.clock.advance(hours=1)
    companion.start_conversation("Prices")
    say(companion, *TEXTS)
    if close:
        companion.close_conversation()
    companion.close()


def left(companion: LocalCompanion) -> Any:
    """What is remembered and open, without times."""
    memories = sorted((one.draft.type, one.draft.value) for one in companion.story(limit=100))
    items = sorted(
        (one.text, one.state.value) for talk in companion.conversations() for one in companion.transcript(talk.id).items
    )
    return memories, items


EXPECTED = (
    [
        ("conversation", "It was about 1 things. write the page came first."),
        ("conversation", "It was about 4 things. prices are integer cents came first."),
        ("decision", "prices are integer cents"),
    ],
    [
        ("Alex", "open"),
        ("mend the rounding", "open"),
        ("prices are integer cents", "open"),
        ("write the page", "settled"),
        ("write the page", "settled"),
    ],
)


@pytest.mark.parametrize(("where", "when"), CONFIRMING)
def test_what_was_confirmed_is_remembered_once_wherever_it_was_cut_off(
    desk: Desk, shop: Repo, prepared: Prepare, where: str, when: str
):
    prepared(desk, shop.root, close=True)
    killed_at(desk, shop.root, where, when, "confirm_review")
    companion = open_again(desk, shop.root)
    newest = companion.conversations()[0]
    assert newest.state is (TalkState.ARCHIVED if where.endswith("told") else TalkState.COMPRESSING)
    for _ in range(2):
        desk.clock.advance(hours=8)
        assert companion.confirm_review(newest.id).conversation.state is TalkState.ARCHIVED
        assert left(companion) == EXPECTED
    companion.close()


def test_whoever_begins_a_conversation_finishes_the_one_that_was_cut_off(desk: Desk, shop: Repo, prepared: Prepare):
    prepared(desk, shop.root, close=True)
    killed_at(desk, shop.root, "companion.store.memories.memories.Memories.keep", "after", "confirm_review")
    companion = open_again(desk, shop.root)
    desk.clock.advance(hours=8)
    companion.start_conversation("Another")
    assert left(companion) == EXPECTED
    companion.close()


@pytest.mark.parametrize(("where", "when"), CLOSING)
def test_a_closing_that_is_cut_off_is_closed_again(desk: Desk, shop: Repo, prepared: Prepare, where: str, when: str):
    prepared(desk, shop.root, close=False)
    killed_at(desk, shop.root, where, when, "close_conversation")
    companion = open_again(desk, shop.root)
    assert companion.conversations()[0].state is TalkState.ACTIVE
    companion.close_conversation()
    companion.confirm_review()
    assert left(companion) == EXPECTED
    companion.close()


@pytest.mark.parametrize(("where", "when"), ADDING)
def test_a_turn_that_was_written_down_is_there(desk: Desk, shop: Repo, prepared: Prepare, where: str, when: str):
    prepared(desk, shop.root, close=False)
    killed_at(desk, shop.root, where, when, "add_turn")
    companion = open_again(desk, shop.root)
    assert len(companion.transcript().turns) == 3
    assert "one more" in [item.text for item in companion.close_conversation().extraction.items]
    companion.close()


@pytest.mark.parametrize("where", UNWRITTEN)
def test_a_turn_is_written_down_whole_or_not_at_all(desk: Desk, shop: Repo, prepared: Prepare, where: str):
    prepared(desk, shop.root, close=False)
    killed_at(desk, shop.root, where, "after", "add_turn")
    companion = open_again(desk, shop.root)
    assert len(companion.transcript().turns) == 2
    assert sum(one.turns for one in companion.sessions()) == companion.running().turns == 3
    companion.close()


def fails(*_: Any, **__: Any) -> Any:
    raise RuntimeError("nobody knows why")


@pytest.mark.parametrize(
    "then", [lambda one: one.resume_conversation(), lambda one: one.confirm_review()], ids=["resume", "confirm"]
)
def test_where_remembering_fails_the_words_stay_and_one_may_resume_or_try_again(
    desk: Desk, shop: Repo, prepared: Prepare, monkeypatch: pytest.MonkeyPatch, then: Callable[[LocalCompanion], object]
):
    prepared(desk, shop.root, close=True)
    companion = open_again(desk, shop.root)
    with monkeypatch.context() as broken, pytest.raises(RuntimeError):
        broken.setattr("companion.store.talk.items.confirm", fails)
        companion.confirm_review()
    assert len(companion.story()) == 1
    assert len(companion.transcript(companion.conversations()[0].id).turns) == 2
    then(companion)
    if companion.active_conversation() is not None:
        companion.close_conversation()
        companion.confirm_review()
    assert left(companion) == EXPECTED
    companion.close()


def test_resuming_what_could_not_be_remembered_waits_for_the_place(
    desk: Desk, shop: Repo, prepared: Prepare, monkeypatch: pytest.MonkeyPatch
):
    from companion.errors import PlaceTaken, SourceError

    prepared(desk, shop.root, close=True)
    companion = open_again(desk, shop.root)
    stuck = companion.conversations()[0]

    def refuses(*_: Any, **__: Any) -> Any:
        raise SourceError("It cannot be done.", "Try again.")

    with monkeypatch.context() as broken:
        broken.setattr("companion.app.talks.confirming._put_into_memory", refuses)
        with pytest.raises(SourceError):
            companion.confirm_review()
        desk.clock.advance(hours=1)
        companion.start_conversation("Another")
    assert any(stuck.id[:12] in said for said in companion.notices())
    with pytest.raises(PlaceTaken, match="Another"):
        companion.resume_conversation(stuck.id)
    assert companion.transcript(stuck.id).conversation.state is TalkState.COMPRESSING
    companion.archive_conversation(companion.active_conversation().id)  # type: ignore[union-attr]
    assert companion.resume_conversation(stuck.id).state is TalkState.ACTIVE
    companion.close()


def test_without_an_embedding_model_that_works_it_is_remembered_all_the_same(
    desk: Desk, shop: Repo, prepared: Prepare, monkeypatch: pytest.MonkeyPatch
):
    prepared(desk, shop.root, close=True)
    companion = open_again(desk, shop.root)
    monkeypatch.setattr(type(companion.runtime.adapters.embedder), "embed", fails)
    companion.confirm_review()
    assert left(companion) == EXPECTED
    companion.close()
