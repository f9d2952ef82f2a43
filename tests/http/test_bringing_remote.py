"""Talk of other assistants brought in by a daemon, as at home."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from daemons import Served

from companion.ports import NoProgress


def test_a_daemon_brings_in_what_it_is_asked_for_and_reviews_it(
    serving: Callable[..., Served], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setenv("HOME", str(tmp_path / "user"))
    monkeypatch.setenv("USERPROFILE", str(tmp_path / "user"))
    served = serving()
    remote = served.remote()
    said = "We decided to keep prices as integer cents because floats lose digits."
    record = {
        "type": "user", "uuid": "u1", "sessionId": "s1", "cwd": str(served.root), "timestamp": "2026-01-04T10:00:00Z",
        "message": {"role": "user", "content": said},
    }  # fmt: skip
    log = tmp_path / "log.jsonl"
    log.write_text(json.dumps(record) + "\n")
    assert remote.import_talk(NoProgress(), file=log, if_allowed=True).new == 0
    assert remote.allow_source("claude-code").allowed_at is not None
    assert remote.import_talk(NoProgress(), file=log).new == 1
    (one,) = remote.unseen_talk()
    assert (one.source, one.unseen) == ("claude-code", True)
    assert "integer cents" in remote.review(one.id).extraction.items[0].text
    assert remote.review_unseen(NoProgress(), [one.id], keep=True).reviewed == 1
    assert [row.conversations for row in remote.talk_sources() if row.name == "claude-code"] == [1]
    (tmp_path / "out").mkdir()
    written = remote.export(tmp_path / "out", everything=True)
    assert (tmp_path / "out" / "companion.jsonl") in written
    assert remote.import_file(tmp_path / "out") == 0
