"""What is offered unasked, as an editor shows it: once, with an answer, and never where it is not wanted."""

from __future__ import annotations

import asyncio
import json
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path

import pytest
from companion_lsp.features import nudges
from companion_lsp.server import ANSWER_S, OpenDocument
from companion_lsp.settings import EditorSettings, with_given
from lsprotocol import types
from msgspec.structs import replace
from pygls.exceptions import JsonRpcException

from companion.records.nudges import Nudge, NudgeAnswer, NudgeSort, NudgeState
from companion.store.opening import open_store
from lsp.conftest import NEVER, until

pytestmark = pytest.mark.asyncio(loop_scope="module")
PRICE = "shop/price.py"
BY_DAY = {**NEVER, "COMPANION_QUIET_HOURS": ""}
"""At whatever hour the tests run, it is day."""
RIPE = "update contradictions set detected_at = detected_at - interval 2 days"
HERE = OpenDocument("file:///shop/price.py", Path("/shop/price.py"), Path("/shop"), None, "utf-16")
OFFER = Nudge(
    *("n1ab", NudgeSort.LULL, "c2ab", "It rests. Done?", NudgeState.OFFERED, "", datetime(2026, 1, 5)),
    next_step="companion talk close",
)


async def test_an_offer_is_a_message_with_answers_and_opens_what_it_is_about(desk):
    database = open_store(desk.home, wait_s=5.0, memory_limit="400MB")
    with database.write() as connection:
        connection.execute(RIPE)
    database.close()
    editor = await desk.edit(answer="Open", environment=BY_DAY)
    editor.open(PRICE)
    await until(lambda: editor.client.shown_documents)
    (asked,) = editor.asked
    assert asked.type == types.MessageType.Info
    assert "cannot both hold" in asked.message
    assert [item.title for item in asked.actions] == ["Done", "Later", "Never", "Open"]
    document = types.TextDocumentIdentifier(editor.uri(PRICE))
    editor.client.text_document_did_save(types.DidSaveTextDocumentParams(document))
    assert await editor.leave() == 0
    assert len(editor.asked) == 1
    (one,) = json.loads(desk.run("call", "nudges", **BY_DAY).stdout)
    assert (one["state"], one["answer"], one["times"]) == ("offered", "open", 1)


@dataclass
class Window:
    """The side of a server that an offer is shown by: what it is asked, what it says, and a daemon of one offer."""

    settings: EditorSettings = field(default_factory=EditorSettings)
    chosen: str | None = None
    offers: list[Nudge | None] = field(default_factory=lambda: [OFFER, replace(OFFER, id="n1cd")])
    wrong: Exception | None = None
    asked: list[str] = field(default_factory=list)
    answers: list[tuple[str, NudgeAnswer]] = field(default_factory=list)
    said: list[str] = field(default_factory=list)
    questions: int = 0
    takes_s: float = 0.0
    answered: asyncio.Event = field(default_factory=asyncio.Event)

    async def answer(self, place, question, otherwise, deadline_s=ANSWER_S):
        self.questions += 1
        return question(self, place) if self.takes_s < deadline_s else otherwise

    async def ask(self, place, question):
        return question(self, place)

    def offer_nudge(self, path):
        return self.offers.pop(0) if self.offers else None

    def answer_nudge(self, id_, answer):
        self.answers.append((id_, answer))

    async def window_show_message_request_async(self, asked):
        self.asked.append(asked.message)
        await self.answered.wait()
        if self.wrong is not None:
            raise self.wrong
        return None if self.chosen is None else types.MessageActionItem(self.chosen)

    def window_show_message(self, shown):
        self.said.append(shown.message)

    def say(self, what):
        self.said.append(what)


async def considered(window: Window, *, answered: bool = True) -> nudges._Asker:
    asker = nudges._Asker(window)
    if answered:
        window.answered.set()
    asker.consider(HERE)
    for _ in range(10):
        await asyncio.sleep(0)
    return asker


@pytest.mark.parametrize(
    ("chosen", "answer"),
    [("Done", NudgeAnswer.DONE), ("Later", NudgeAnswer.LATER), ("Never", NudgeAnswer.NEVER), ("Open", NudgeAnswer.OPEN),
     (None, NudgeAnswer.DISMISSED), ("Something else", NudgeAnswer.DISMISSED)],
)  # fmt: skip
async def test_whatever_is_chosen_reaches_the_daemon(chosen, answer):
    window = Window(chosen=chosen)
    await considered(window)
    assert window.asked == ["Companion: It rests. Done?"]
    assert window.answers == [("n1ab", answer)]
    assert any("companion talk close" in line for line in window.said) == (chosen == "Open")


async def test_what_was_remembered_cannot_pose_as_a_link():
    window = Window(offers=[replace(OFFER, text="[Yes](command:workbench.quit)\nDone?")])
    await considered(window)
    assert window.asked == ["Companion: [Yes] (command:workbench.quit) Done?"]


async def test_an_offer_that_a_daemon_makes_while_it_starts_is_shown():
    window = Window(takes_s=5.0)
    await considered(window)
    assert len(window.asked) == 1


async def test_one_offer_is_on_show_at_a_time_and_questions_are_a_minute_apart():
    window = Window(chosen="Later")
    asker = await considered(window, answered=False)
    asker._asked_at = -1e9
    asker.consider(HERE)
    assert window.questions == 1
    window.answered.set()
    await asker._task
    asker._asked_at = -1e9
    asker.consider(HERE)
    asker.consider(HERE)
    await asker._task
    assert len(window.asked) == window.questions == 2


async def test_an_editor_that_cannot_ask_leaves_the_offer_unanswered():
    window = Window(wrong=JsonRpcException(code=-32601, message="no such method"))
    await considered(window)
    assert window.answers == []


async def test_who_wants_no_messages_gets_a_line_in_the_log_or_nothing():
    for way, said in (("off", []), ("log", ["It rests. Done? companion talk close"])):
        settings, complaints = with_given(EditorSettings(), {"nudges": {"show": way}})
        assert complaints == ()
        window = Window(settings)
        await considered(window)
        assert (window.asked, window.said, window.questions) == ([], said, int(way == "log"))
    _, complaints = with_given(EditorSettings(), {"nudges.show": "loud"})
    assert len(complaints) == 1
