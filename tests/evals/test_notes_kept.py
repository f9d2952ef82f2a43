"""Notes are lived with as a user would, and counted where what they say of their time was not kept."""

from __future__ import annotations

import json
from pathlib import Path

from companion.ports import NoProgress
from evals.labelled import notes_kept
from evals.labelled.notes_kept import read_notes

ROWS = (
    {"note": "Prices are cents", "said_on": "2026-03-02", "kind": "lasting", "person": "hand"},
    {"note": "Freeze until 4 March", "said_on": "2026-03-02", "kind": "passing", "over_on": "2026-03-05"},
    {"note": "The pump hums for a while", "said_on": "2026-03-03", "kind": "passing", "over_on": "2026-03-06"},
)


def test_what_is_archived_and_what_is_served_too_long_is_counted(tmp_path: Path, monkeypatch) -> None:
    monkeypatch.setattr(notes_kept, "DAYS", 6)
    path = tmp_path / "notes.jsonl"
    path.write_text("".join(json.dumps({"person": "assistant", **row}) + "\n" for row in ROWS), "utf-8")
    told = notes_kept.notes_kept(read_notes(path), NoProgress(), embeddings="off")
    assert told["ours"] == {"lasting_archived": 0.0, "passing_served": 0.5, "passing_early": 0.0}
    assert told["examples"]["served"] == ["The pump hums for a while"]
    assert told["baselines"]["forget nothing"]["passing_served"] == 1.0
