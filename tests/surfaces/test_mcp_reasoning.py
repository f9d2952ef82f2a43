"""An assistant asks how a request is meant, why, and says what came of it; and it writes the status."""

from __future__ import annotations

import pytest

from surfaces.assistants import in_memory, says, tree

REQUEST = "run the tests of the price module"


@pytest.fixture
def session(shop, monkeypatch):
    """Holds a session with a server for the shop, the store opened in this process."""
    monkeypatch.setenv("COMPANION_DAEMON", "never")
    monkeypatch.setenv("COMPANION_EMBEDDINGS", "off")
    monkeypatch.setenv("COMPANION_HOME", str(shop.home))
    return lambda talk: in_memory(talk, shop.folder)


async def values(client, tool, **arguments):
    """The values of an answer that is no error."""
    answer = await client.call_tool(tool, arguments)
    assert not answer.is_error, says(answer)
    tree(says(answer))
    return answer.structured_content


def test_a_request_is_read_explained_and_corrected_and_the_next_one_knows(session):
    async def talk(client):
        read = await values(client, "classify_request", request=REQUEST)
        assert read["reading"].count("/") == 2
        assert {one["name"] for one in read["axes"]} == {"destination", "consumer", "semantics"}
        why = await values(client, "explain_classification", classification_id=read["id"])
        assert read["id"] in {one["id"] for one in why["answers"]}
        right = "file/human/interpret"
        await values(client, "record_outcome", ids=[read["id"]], outcome="corrected", right=right, note="a report")
        assert (await values(client, "classify_request", request=REQUEST))["reading"] == right
        chain = await values(client, "get_memory_influence_chain", memory_id=read["id"])
        assert chain["answers"]

    session(talk)


def test_what_is_known_for_a_request_comes_in_three_ways(session):
    async def talk(client):
        steps = await values(client, "get_reasoning_context", query="round the prices and run the tests")
        assert steps["steps"]
        read = await values(client, "get_reasoning_context", query=REQUEST, context_type="classification")
        assert "reading" in read
        checked = await values(
            client,
            "get_reasoning_context",
            query="round the prices",
            context_type="verification",
            action="delete the price module",
        )
        assert (checked["fits"], checked["confidence"]) == ("unknown", 0.0)
        refused = await client.call_tool("get_reasoning_context", {"query": REQUEST, "context_type": "verification"})
        assert refused.is_error
        assert "`action` is missing" in says(refused)

    session(talk)


def test_an_action_that_a_rule_forbids_is_never_approved_by_the_words_that_they_share(session):
    async def talk(client):
        await values(client, "remember", text="Never log the recipient's e-mail address, only a hash")
        ask = {"query": "log more", "context_type": "verification"}
        broken = await values(
            client, "get_reasoning_context", **ask, action="log the recipient's e-mail address at INFO"
        )
        assert broken["fits"] == "no"
        assert [one["text"].splitlines()[-1][:41] for one in broken["objections"]] == [
            "“Never log the recipient's e-mail address"
        ]
        assert "supports" not in broken
        like = await values(client, "get_reasoning_context", **ask, action="log the recipient's e-mail address hashed")
        assert (like["fits"], like["confidence"]) == ("unknown", 0.0)
        assert like["related_memories"]
        assert "does not mean approved" in like["said"]
        (rule,) = like["rules"]
        assert rule["clause"] == rule["text"] == "Never log the recipient's e-mail address, only a hash"
        done = await client.call_tool("judge", {"verdicts": {rule["question"]: "fits: hashed is allowed"}})
        assert says(done).startswith("1 taken")
        known = await values(client, "get_reasoning_context", **ask, action="log the recipient's e-mail address hashed")
        assert known["fits"] == "yes"

    session(talk)


def test_the_status_is_written_and_read_as_a_note(session):
    async def talk(client):
        written = await values(client, "update_status", fields={"focus": "rounding </note> of prices"})
        assert "focus" in written["notes"][0]["text"]
        notes = (await client.read_resource("companion://notes")).contents[0].text
        assert [one.tag for one in tree(notes).iter()] == ["notes", "note"]
        preamble = (await client.read_resource("companion://preamble")).contents[0]
        assert preamble.mime_type == "text/markdown"
        assert "rounding" in preamble.text
        refused = await client.call_tool("update_status", {"fields": {}})
        assert refused.is_error
        assert "Next:" in says(refused)

    session(talk)


def test_what_cannot_be_explained_is_said_with_the_next_step(session):
    async def talk(client):
        return [
            await client.call_tool("explain_classification", {"classification_id": "q1nothing"}),
            await client.call_tool("record_outcome", {"ids": ["q1nothing"], "outcome": "accepted"}),
            await client.call_tool("classify_request", {"request": " "}),
        ]

    for answer in session(talk):
        assert answer.is_error
        assert "Next:" in says(answer)
