"""The measurement of what conversations leave behind: its key, what counts as the same, and what does not hold."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion.errors import UsageError
from evals.labelled.extraction import extraction, read_talks

TALK = """== t1 | a queue
U remark| morning
U question| which queue do we take?

A weighed| I'd suggest Redis Streams.

U decision| We decided to use plain Postgres tables for the job queue, because we run them anyway.
U todo| I still need to write the runbook for the queue.

A remark| Noted.

K decision| the job queue is plain Postgres tables | they are run anyway
K dropped| Redis Streams for the queue
K todo| write the runbook for the queue | open
K todo| install Redis | done
K rule| never deploy on Fridays
K question| who is on call
K waiting| Ana | the quota
"""


def test_a_talk_is_read_with_its_turns_and_its_key(tmp_path: Path) -> None:
    (tmp_path / "talks.txt").write_text(TALK, "utf-8")
    (talk,) = read_talks(tmp_path / "talks.txt")
    assert [asked.splitlines()[0] for asked, _ in talk.turns] == [
        "morning",
        "We decided to use plain Postgres tables for the job queue, because we run them anyway. "
        "I still need to write the runbook for the queue.",
    ]
    assert dict(talk.key) == {
        "decision": ["the job queue is plain Postgres tables", "never deploy on Fridays"],
        "dropped": ["Redis Streams for the queue"],
        "todo": ["write the runbook for the queue"],
        "done": ["install Redis"],
        "question": ["who is on call"],
        "waiting": ["Ana the quota"],
    }


def test_what_is_found_is_counted_by_sort_beside_plain_words(tmp_path: Path) -> None:
    (tmp_path / "talks.txt").write_text(TALK, "utf-8")
    told = extraction(tmp_path / "talks.txt")
    decision, todo = (told["ours"][sort] for sort in ("decision", "todo"))  # type: ignore[index]
    assert (decision["recall"], decision["precision"], decision["wanted"]) == (0.5, 1.0, 2)
    assert (todo["recall"], todo["given"]) == (1.0, 1)
    assert told["ours"]["reversed_in_force"] == 0  # type: ignore[index]
    assert told["baselines"]["plain words"]["question"]["given"] == 1  # type: ignore[index]
    assert any("never deploy on Fridays" in one for one in told["misses"])  # type: ignore[attr-defined]


def test_a_file_without_a_conversation_is_refused(tmp_path: Path) -> None:
    (tmp_path / "empty.txt").write_text("\n", "utf-8")
    with pytest.raises(UsageError, match="no conversation"):
        read_talks(tmp_path / "empty.txt")
