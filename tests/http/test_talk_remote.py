"""Conversations held over a daemon: one place for all clients, wherever they stand, and the same answers as at home."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from daemons import Served

from companion.api import Edit, Note
from companion.client.remote import RemoteCompanion
from companion.errors import NotARepository, PlaceTaken, UnknownConversation, WrongState
from companion.records.talk import ItemType, Message, Part, Role, TalkState

CLIENTS = 8


def said(text: str, reply: str = "Noted.") -> list[Message]:
    return [Message(Role.USER, text), Message(Role.ASSISTANT, reply)]


def at_once(work: Callable[[int], object]) -> list[object]:
    """What each of several clients got, an error included, all asking at the same moment."""

    def one(number: int) -> object:
        try:
            return work(number)
        except Exception as wrong:
            return wrong

    with ThreadPoolExecutor(CLIENTS) as pool:
        return list(pool.map(one, range(CLIENTS)))


def test_of_many_clients_that_begin_at_once_one_gets_the_place(serving: Callable[..., Served]):
    served = serving()
    clients = [served.remote() for _ in range(CLIENTS)]
    got = at_once(lambda number: clients[number].start_conversation(f"Talk {number}"))
    (won,) = [one for one in got if not isinstance(one, Exception)]
    refused = [one for one in got if isinstance(one, Exception)]
    assert {type(one) for one in refused} == {PlaceTaken}
    assert {won.title in str(one) for one in refused} == {True}  # type: ignore[attr-defined]
    assert clients[0].active_conversation() == won


def test_of_many_that_confirm_at_once_all_hear_the_same_and_it_is_remembered_once(serving: Callable[..., Served]):
    served = serving()
    clients = [served.remote() for _ in range(CLIENTS)]
    clients[0].start_conversation("Prices")
    clients[0].add_turn(said("We decided to keep prices as integer cents because floats lose digits."))
    one = clients[0].close_conversation().conversation
    got = at_once(lambda number: clients[number].confirm_review(one.id))
    assert [each for each in got if isinstance(each, Exception)] == []
    assert all(each == got[0] for each in got)
    story = clients[0].story()
    assert sorted(memory.draft.type for memory in story) == ["conversation", "decision"]


def test_turns_of_several_channels_are_taken_one_after_another(serving: Callable[..., Served]):
    served = serving()
    clients = [served.remote() for _ in range(CLIENTS)]
    clients[0].start_conversation()
    got = at_once(lambda number: clients[number].add_turn(said(f"Message {number}"), channel=f"channel {number}"))
    assert sorted(turn.number for turn in got) == list(range(1, CLIENTS + 1))  # type: ignore[attr-defined]
    turns = clients[0].transcript().turns
    assert [turn.number for turn in turns] == list(range(1, CLIENTS + 1))
    assert {turn.messages[0].text for turn in turns} == {f"Message {number}" for number in range(CLIENTS)}


def test_a_whole_life_is_the_same_from_afar(serving: Callable[..., Served]):
    served = serving()
    remote, here = served.remote(), served.daemon.companion(served.root)
    begun = remote.start_conversation("Rounding")
    assert here.active_conversation() == begun
    turn = remote.add_turn(
        said("We will use integer cents. I'm waiting on Alex for the contract."), begun.id[:10], "page"
    )
    assert here.transcript().turns == (turn,)
    assert remote.pause_conversation().paused
    assert not remote.resume_conversation().paused
    preview = remote.close_conversation()
    assert preview == here.review() == remote.review()
    assert preview.extraction.items
    work = remote.make_act("Work")
    assert work in remote.acts()
    waiting = next(item for item in preview.extraction.items if item.type is ItemType.WAITING_ON)
    assert len(remote.split_review([Part("Work", "", (waiting.id,))]).parts) == 2
    assert [part.act for part in remote.redirect_review("Work").parts] == [work.id]
    assert remote.edit_review(Edit(narrative="Cents it is.", drop=(waiting.id,))).parts[0].narrative == "Cents it is."
    done = remote.confirm_review()
    assert done == here.confirm_review(begun.id)
    assert remote.story("Work") == here.story("Work")
    assert remote.conversations(TalkState.ARCHIVED) == here.conversations() == (done.conversation,)
    assert remote.threads() == here.threads()
    assert remote.greeting() == here.greeting()
    assert remote.delete_act("Work") == work
    gone = remote.forget_conversation(begun.id)
    assert (gone.conversation, gone.turns) == (begun.id, 1)
    with pytest.raises(UnknownConversation):
        remote.transcript(begun.id)
    with pytest.raises(WrongState):
        remote.review()


def test_outside_a_repository_the_user_is_known_and_no_project(serving: Callable[..., Served], tmp_path: Path):
    served = serving()
    nowhere = RemoteCompanion(served.unix, tmp_path)
    begun = nowhere.start_conversation("Garden")
    assert begun.project == ""
    nowhere.add_turn(said("We decided to plant roses because they smell well."))
    nowhere.close_conversation()
    nowhere.confirm_review()
    assert [memory.project for memory in served.remote().story()] == [served.runtime.store.user] * 2
    assert next(act.name for act in nowhere.acts()) == "Your Story"
    with pytest.raises(NotARepository):
        nowhere.remember(Note("Roses need water"))
    nowhere.close()
