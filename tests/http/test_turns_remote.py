"""What was said, handed back by a daemon: the same from afar, and one queue for all who speak at once."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import pytest
from daemons import Served
from waiting import until

from companion.errors import UnknownConversation
from companion.records.talk import Message, Role


def test_what_was_said_is_handed_back_alike_from_afar_and_at_home(serving: Callable[..., Served]):
    served = serving()
    afar, here = served.remote(), served.daemon.companion(served.root)
    afar.start_conversation("Prices", "coach")
    texts = ("We decided to keep prices in cents.", "Look at cart.py.", "And price.py.", "Thanks!")
    for text in texts:
        turn = afar.add_turn([Message(Role.USER, text), Message(Role.ASSISTANT, "Noted.")])
    until(lambda: here.sessions("coach")[0].rolling)
    found = afar.history("What did we decide about prices?", budget_tokens=300)
    assert found == here.history("What did we decide about prices?", budget_tokens=300)
    assert texts[0] in found.text and found.looked_back
    assert afar.history("Go on.", back=True).looked_back
    assert afar.running("coach") == here.running("coach") and afar.running("coach").turns == 4
    assert afar.compact("coach", now_at_once=True) == here.compact("coach", now_at_once=True)
    assert afar.sessions() == here.sessions()
    assert afar.talk_progress("coach") == here.talk_progress("coach")
    assert afar.whole_summary() == here.whole_summary()
    assert afar.turn_moves() == here.turn_moves() == ()
    assert afar.recall_turn(turn.id[:12]) == turn
    with pytest.raises(UnknownConversation):
        afar.recall_turn("t1nothing")


def test_many_who_speak_at_once_are_one_queue(serving: Callable[..., Served]):
    served = serving()
    clients = [served.remote() for _ in range(4)]
    clients[0].start_conversation("Prices")
    each = 4

    def speak(number: int) -> None:
        for count in range(each):
            clients[number].add_turn([Message(Role.USER, f"{number} says {count}")], channel=f"channel {number}")

    with ThreadPoolExecutor(len(clients)) as pool:
        list(pool.map(speak, range(len(clients))))
    (turn,) = clients[1].transcript().turns
    said = [message.text for message in turn.messages]
    assert len(said) == len(clients) * each
    for number in range(len(clients)):
        assert [text for text in said if text.startswith(f"{number} ")] == [f"{number} says {n}" for n in range(each)]
    assert clients[2].sessions()[0].turns == 1
