"""What an assistant's call of `context` asks of a companion: its budget, its name, and what it has already."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field

import pytest
from mcp import Client
from mcp_types import Implementation

from companion.api import Order
from companion.records import Activity, Context, Format, Signals
from companion.surfaces.mcp.folders import Folders
from companion.surfaces.mcp.server import Assistant
from surfaces.assistants import ERAS


@dataclass
class Listening:
    """A companion that keeps what it is asked and answers with nothing."""

    asked: list[tuple[int, Signals, Order]] = field(default_factory=list)

    def assemble(self, budget_tokens, signals, shown, order, *, count_use=True):
        self.asked.append((budget_tokens, signals, order))
        return Context("", 0, budget_tokens, 0, "words", Format.XML, Activity.NEW_FEATURE, 0.5, ())

    def close(self):
        pass


@pytest.fixture
def asked(tmp_path, monkeypatch):
    """What a call of `context` with these arguments asks of the companion."""
    monkeypatch.setenv("COMPANION_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("COMPANION_DAEMON", "never")
    (tmp_path / ".git").mkdir()

    def ask(mode="auto", client="somebody", **arguments):
        listening = Listening()
        assistant = Assistant(Folders(tmp_path), connect=lambda root: listening)

        async def held():
            info = Implementation(name=client, version="1")
            async with Client(assistant.server(), mode=mode, client_info=info) as one:
                await one.call_tool("context", arguments)

        asyncio.run(held())
        return listening.asked[-1]

    return ask


def test_a_task_alone_is_enough_and_costs_some_two_thousand_tokens(asked, monkeypatch):
    budget, signals, order = asked(query="retry the payment once")
    assert (budget, signals.query, signals.current_file, order) == (
        2_000,
        "retry the payment once",
        "",
        Order.ASSISTANTS,
    )
    monkeypatch.setenv("COMPANION_ASSISTANT_TOKENS", "1234")
    assert asked(query="retry")[0] == 1_234
    assert asked(query="retry", budget=6_000)[0] == 6_000


@pytest.mark.parametrize("mode", ERAS)
def test_who_asks_is_known_by_the_name_that_the_client_gives_itself(asked, mode):
    assert asked(mode, "claude-code", query="retry")[1].assistant == "claude-code"


def test_what_it_says_it_has_is_handed_on(asked):
    assert asked(already_have=["src/pay.py", "m1abc"])[1].has == ("src/pay.py", "m1abc")
