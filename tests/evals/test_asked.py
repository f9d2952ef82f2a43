"""What is put to a judge is counted by the product's limits, or by others that are named."""

from __future__ import annotations

import json
from pathlib import Path

from evals.labelled.asked import Limits, asked

PAIRS = (
    ("Sessions are stored in Redis.", "The sessions live in Postgres since the move.", "contradiction"),
    ("The site is built with Hugo.", "Angles are in radians.", "compatible"),
)


def test_shares_of_pairs_and_counts_over_notes_follow_the_limits(tmp_path: Path) -> None:
    pairs, notes = tmp_path / "pairs.jsonl", tmp_path / "notes.txt"
    rows = [{"id": str(n), "a": a, "b": b, "label": label} for n, (a, b, label) in enumerate(PAIRS)]
    pairs.write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
    notes.write_text("\n".join([PAIRS[0][0], PAIRS[0][1], PAIRS[1][1]]), "utf-8")
    told = asked([pairs], [notes], None, None)
    assert told["pairs"]["pairs"]["put"] == 1.0
    assert told["notes"]["n"] == 3
    assert told["notes"]["put_in_100"] == 33.3, "one pair of three notes"
    nothing = asked([pairs], [notes], Limits(near=1.1, belief=1.1, floor=1.1), None)
    assert nothing["pairs"]["pairs"]["put"] == 0.0
    assert nothing["notes"]["put_in_100"] == 0.0
