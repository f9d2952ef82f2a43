"""A whole day with an assistant, as the README tells it: greeting, work with recall, closing, review, the next morning.

Each step is a tool that the assistant calls or a command that the user types, over one store.
"""

from __future__ import annotations

import pytest
from mcp import Client

from surfaces.assistants import in_memory, says, tree
from surfaces.conftest import NOTE

DECIDED = "We decided to keep prices as integer cents, because floats lose digits."
WAITING = "I'm waiting on Mara for the list of currencies."
OPEN = "Which currencies have no cents at all?"
TASK = "round the total of a cart"


@pytest.fixture
def day(shop, monkeypatch):
    """The user's shell, and sessions of an assistant in the same repository."""
    monkeypatch.setenv("COMPANION_DAEMON", "never")
    monkeypatch.setenv("COMPANION_EMBEDDINGS", "off")
    monkeypatch.setenv("COMPANION_HOME", str(shop.home))
    return shop, lambda session: in_memory(session, shop.folder)


async def asked(client: Client, tool: str, **arguments: object) -> dict:
    """The values of an answer, whose text is one well-formed frame."""
    answer = await client.call_tool(tool, arguments)
    assert not answer.is_error, says(answer)
    assert tree(says(answer)).get("note", "").startswith("Reference data")
    return answer.structured_content


async def morning(client: Client) -> None:
    """Nothing is open yet; the assistant begins, and says in the status what the day is about."""
    greeted = await asked(client, "get_active_conversation")
    assert greeted["said"] == "No conversation is going on."
    await asked(client, "start_conversation", title="Prices")
    await asked(client, "update_status", fields={"focus": "rounding of prices"})
    assert "rounding of prices" in (await client.read_resource("companion://preamble")).contents[0].text


async def work(client: Client) -> None:
    """What is known is pulled when it is needed, a request is read and a mistake corrected, and all of it is kept."""
    context = await client.call_tool("context", {"query": TASK, "file": "shop/price.py", "budget": 1_500})
    assert "shop/price.py" in says(context)
    found = await asked(client, "search_memory", query="how are prices rounded")
    assert any(NOTE in one["text"] for one in found["memories"])
    await asked(client, "explain")
    assert (await asked(client, "predict", file="shop/cart.py"))["files"][0]["path"] == "shop/price.py"
    read = await asked(client, "classify_request", request=TASK)
    right = "file/human/interpret"
    await asked(client, "record_outcome", ids=[read["id"]], outcome="corrected", right=right, note="a plan, no change")
    assert (await asked(client, "classify_request", request=TASK))["reading"] == right
    for user, reply in ((DECIDED, "I will use integers."), (WAITING, "Noted."), (OPEN, "I do not know yet.")):
        kept = await client.call_tool("add_turn", {"user": user, "assistant": reply})
        assert "Kept as turn" in says(kept)


async def closing(client: Client) -> None:
    """The end of it is a preview, which the assistant shows; nothing is remembered before the user has agreed."""
    preview = await asked(client, "close_conversation")
    assert "Show this to the user" in preview["said"]
    assert {"decision", "waiting-on", "question"} <= {one["type"] for one in preview["items"]}
    assert "memories" not in await asked(client, "get_your_story")


async def confirmed(client: Client) -> None:
    """The user has changed where it goes, and says yes."""
    assert (await asked(client, "get_memory_preview"))["parts"][0]["act"] == "shop"
    remembered = await asked(client, "confirm_memory")
    assert "integer cents" in remembered["memories"][0]["text"]


async def next_morning(client: Client) -> None:
    """Another session knows what was left open and what was decided, and can say why."""
    greeted = await asked(client, "get_active_conversation")
    assert [one["who"] for one in greeted["waiting_items"]] == ["Mara"]
    assert any("integer cents" in one["text"] for one in greeted["decisions"])
    assert [(one["project"], one["said_in"]) for one in greeted["waiting_items"]] == [("shop", "Prices")]
    said = await asked(client, "get_conversation_archive", conversation_id=greeted["waiting_items"][0]["conversation"])
    assert WAITING in str(said)
    assert "Mara" in says(await client.call_tool("expand", {"id": greeted["waiting_items"][0]["id"]}))
    assert "waiting_items" in await asked(client, "get_active_conversation", all_projects=True)
    assert any("currencies" in one["text"] for one in greeted["threads"])
    found = await asked(client, "search_memory", query="why are prices integers", search_type="both")
    memory = next(one for one in found["memories"] if "integer cents" in one["text"])
    assert any("floats lose digits" in turn["text"] for turn in found["turns"])
    assert "integer cents" in says(await client.call_tool("expand", {"id": memory["id"]}))
    said = await asked(client, "get_conversation_archive", conversation_id=found["turns"][0]["conversation"])
    assert DECIDED in said["turns"][0]["text"]
    await asked(client, "get_memory_influence_chain", memory_id=memory["id"])
    waiting = greeted["waiting_items"][0]["id"]
    await asked(client, "edit_memory", settle_items=[waiting])
    assert "waiting_items" not in await asked(client, "get_active_conversation")


def test_a_whole_day_from_greeting_to_the_next_morning(day):
    shell, session = day
    assert shell("greeting").words == "Nothing is open, and nothing is due."
    session(morning)
    session(work)
    session(closing)
    assert "integer cents" in shell("review").words
    assert "For shop:" in shell("review", "redirect", "shop").words
    session(confirmed)
    assert "Mara" in shell("greeting").words
    session(next_morning)
    assert "Mara" not in shell("greeting").words
    assert "rounding of prices" in shell("notes", "show", "status").words
