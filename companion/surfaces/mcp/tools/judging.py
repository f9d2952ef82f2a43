"""Tools about questions that rules cannot answer: a few are taken, and answered with a reason each."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated

from companion.records import JudgeAnswer, JudgedBatch, Judgement
from companion.surfaces.mcp.answers import ID_SHOWN, Answer, Row, both, plain
from companion.surfaces.mcp.asks import Limit
from companion.surfaces.mcp.tool import Working, tool

BATCH = 5
"""Questions shown unless more are asked for: about 600 tokens."""


def judge_name(working: Working) -> str:
    """How the assistant is named as a judge."""
    return f"assistant {working.assistant}"


def _row(one: Judgement) -> Row:
    texts = [
        Row("text", {"source": text.source, "since": f"{text.since:%Y-%m-%d}", "holds_in": text.holds_in}, text.text)
        for text in one.texts
    ]
    return Row("judgement", {"id": one.id[:ID_SHOWN], "asks": one.inquiry.question, "why": one.inquiry.why}, rows=texts)


@tool("judge")
def pending_judgements(working: Working, limit: Limit = BATCH) -> Answer:
    """What only a reader can judge of memories. Take a few once work is done, never amid it."""
    found = working.companion.pending_judgements(limit, judge_name(working))
    if not found:
        return both("judgements", [], "No question waits.")
    asked = {one.inquiry.question: f"{one.asks} {'; '.join(one.answers)}." for one in found}  # each sort of it once
    said = " ".join(f"{question}: {words}" for question, words in asked.items())
    return both(
        "judgements", [_row(one) for one in found], f"Judge each by its texts alone and answer with `judge`. {said}"
    )


@tool(changes=True, takes_back=True)
def judge(working: Working, verdicts: Annotated[Mapping[str, str], "By id, as `beside: why`."]) -> Answer:
    """Answer them."""
    answers = [JudgeAnswer(id_, *_parted(said)) for id_, said in verdicts.items()]
    return _told(working.companion.judge(answers, judge_name(working)))


def _parted(said: str) -> tuple[str, str]:
    """The answer's word and the reason after it."""
    word, _, reason = said.partition(":")
    return word.strip(), reason.strip()


def _told(done: JudgedBatch) -> Answer:
    said = f"{done.taken} taken, {done.waiting} still wait."
    if done.changes:
        undo = f" Undo: `companion undo {done.run}`." if done.run else ""
        said += f" Changes made: {done.changes}.{undo}"
    return both("refused", [Row("answer", {}, why) for why in done.refused], said) if done.refused else plain(said)


ROWS = (pending_judgements, judge)
