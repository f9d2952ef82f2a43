"""Notes and nudges over a daemon: the same for all clients, and the same bytes to each assistant."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import pytest
from daemons import Served

from companion.api import Todo
from companion.errors import UsageError
from companion.records.nudges import NudgeAnswer


def test_notes_are_the_same_from_afar_and_a_preamble_the_same_bytes_to_all(serving: Callable[..., Served]):
    served = serving()
    clients = [served.remote() for _ in range(4)]
    with ThreadPoolExecutor(4) as pool:
        list(pool.map(lambda n: clients[n].update_status({f"field {n}": str(n)}), range(4)))
    here = served.daemon.companion(served.root)
    (page,) = clients[0].notes()
    assert page == here.notes("status")[0]
    assert sorted(one.value for one in page.fields) == ["0", "1", "2", "3"]
    told = {client.preamble() for client in clients}
    assert told == {here.preamble()}
    file = clients[0].place_note("journal")
    assert file.read_bytes() == b""
    file.write_text("Prices are cents.\n")
    assert "Prices are cents." in clients[1].preamble().text
    with pytest.raises(UsageError, match="No note can be called"):
        clients[3].notes("../status")


def test_an_offer_is_given_to_one_client_and_answered_by_any(serving: Callable[..., Served]):
    served = serving()
    clients = [served.remote() for _ in range(4)]
    served.runtime.adapters.on_the_wall = lambda moment: moment
    task = clients[0].add_todo(Todo("mend the rounding"))
    served.runtime.adapters.clock.advance(days=6)  # type: ignore[attr-defined]
    with ThreadPoolExecutor(4) as pool:
        (one,) = [one for one in pool.map(lambda client: client.offer_nudge(), clients) if one is not None]
    assert one.subject == task.id
    assert clients[0].answer_nudge(one.id, NudgeAnswer.DONE) == clients[1].nudges()[0]
    assert clients[2].threads() == ()
