"""An assistant takes questions that rules cannot answer, answers them, and sees what followed."""

from __future__ import annotations

import pytest

from surfaces.assistants import ERAS, in_memory, says, tree

NOTES = ("Sessions go to Redis.", "Our sessions are rows of a Postgres table.")


@pytest.fixture
def session(shop, monkeypatch):
    """Holds a session with a server for a shop in which two notes cannot both be true, and rules are not sure."""
    monkeypatch.setenv("COMPANION_DAEMON", "never")
    monkeypatch.setenv("COMPANION_EMBEDDINGS", "off")
    monkeypatch.setenv("COMPANION_HOME", str(shop.home))
    for note in NOTES:
        assert shop("remember", note).code == 0
    assert shop("consolidate").code == 0
    return lambda talk, mode="auto": in_memory(talk, shop.folder, mode)


async def called(client, tool, **arguments):
    answer = await client.call_tool(tool, arguments)
    if answer.structured_content is not None:
        tree(says(answer))
    return answer


@pytest.mark.parametrize("mode", ERAS)
def test_a_batch_is_taken_and_answered_and_what_followed_can_be_undone(session, mode):
    async def talk(client):
        waiting = await called(client, "pending_judgements")
        one, *rest = waiting.structured_content["judgements"]
        assert [text["text"] for text in one["texts"]] == list(NOTES)
        assert one["texts"][0]["source"] == "by-hand"
        assert one["asks"] == "pair"
        assert "pair: How do the two stand to one another? contradict: " in says(waiting)
        resource = await client.read_resource("companion://judgements")
        assert one["id"] in resource.contents[0].text
        verdict = {one["id"]: "contradict: one store holds them"}
        done = await called(client, "judge", verdicts=verdict)
        assert says(done).startswith(f"1 taken, {len(rest)} still wait. Changes made: 1. Undo: `companion undo n1")
        opened = await called(client, "contradictions")
        assert "one store holds them" in says(opened)
        again = await called(client, "judge", verdicts=verdict)
        assert "no question that waits" in again.structured_content["answers"][0]["text"]
        assert one["id"] not in says(await called(client, "pending_judgements"))

    session(talk, mode)


@pytest.mark.parametrize("verdicts", [{}, {"j1": 5}, "same", ["j1"]])
def test_answers_in_another_form_are_refused_in_words(session, verdicts):
    async def talk(client):
        answer = await client.call_tool("judge", {"verdicts": verdicts})
        assert answer.is_error
        assert "Next: " in says(answer)

    session(talk)
