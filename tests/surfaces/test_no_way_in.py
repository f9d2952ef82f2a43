"""No way in brings a secret into the store: every text of every tool, the command line, the HTTP door."""

from __future__ import annotations

import random

import pytest
from adapters.issued import BIG, WORD, run
from adapters.strong import left_of
from app.planting import everything_in
from kept_open import let_go

from companion.surfaces.mcp.tools import ToolChoice
from surfaces.assistants import in_memory


def webhook(draw: random.Random) -> tuple[str, str]:
    """An address that a path loses its shape by, and what must not be left of it."""
    secret = run(draw, WORD, 24)
    return f"https://hooks.slack.com/services/T{run(draw, BIG, 8)}/B{run(draw, BIG, 8)}/{secret}", secret


def kept(folder, secrets):
    """Where something of a secret is in a data folder."""
    let_go(folder)
    return {(where, found) for where, text in everything_in(folder) for one in secrets if (found := left_of(one, text))}


def test_no_text_of_any_tool_reaches_the_store(shop, monkeypatch):
    monkeypatch.setenv("COMPANION_DAEMON", "never")
    monkeypatch.setenv("COMPANION_EMBEDDINGS", "off")
    monkeypatch.setenv("COMPANION_HOME", str(shop.home))
    draw, secrets, went_well = random.Random(21), [], set()

    async def talk(client):
        for tool in (await client.list_tools()).tools:
            texts = [
                name
                for name, is_ in tool.input_schema["properties"].items()
                if is_.get("type") == "string" and "enum" not in is_
            ]
            for name in texts:
                address, secret = webhook(draw)
                secrets.append(secret)
                needed = {one: "plain words" for one in tool.input_schema.get("required", ()) if one in texts}
                said = await client.call_tool(tool.name, {**needed, name: address})
                assert not left_of(secret, said.model_dump_json()), (tool.name, name)
                if not said.is_error:
                    went_well.add((tool.name, name))

    in_memory(talk, shop.folder, "auto", ToolChoice.ALL)
    assert len(secrets) >= 40
    assert went_well >= {
        ("remember", "scope"),
        ("remember", "label"),
        ("remember", "text"),
        ("add_turn", "user"),
    }
    assert not kept(shop.home, secrets)


@pytest.mark.parametrize("option", ["--scope", "--label"])
def test_no_option_of_remember_reaches_the_store(shop, option):
    address, secret = webhook(random.Random(22))
    said = shop("remember", "Deploys are told in the chat", option, address)
    assert said.code == 0
    assert not left_of(secret, said.out + said.err)
    assert not kept(shop.home, [secret])
