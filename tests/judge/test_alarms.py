"""Notes of a project that all hold are not held against one another, and what cannot hold beside another is."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from itertools import combinations, count
from pathlib import Path

from companion_consolidation.contradict import OPEN_FROM
from evals.labelled.judged import together

from companion.adapters.embedders import make_embedder
from companion.app.consolidation.judges import local
from companion.config import Settings
from companion.records import Statement

DATA = Path(__file__).parent / "data"
MOST_A_HUNDRED = 2
"""Contradictions opened in a hundred consistent notes, at most."""
FAR, EVERY = 0.3, 8
"""Likeness in meaning below which every eighth pair is judged, and stands for eight: four in five that a run judges are
so far apart, and to read one takes 20 ms."""
LEAST_FOUND = 0.5
"""Share of contradictions, written before the judge was measured on them, that it finds at least."""

LEAST_OF_ONE_THING, MOST_OF_TWO = 0.65, 0.15
"""Shares of pairs opened: of contradictions, and of pairs that say the contrary of another thing, place or time."""


embedder = make_embedder(Settings())
assert embedder is not None
judge = local(embedder, thorough=True)


def opened(a: str, b: str) -> bool:
    ruling = judge.rule(Statement(a), Statement(b))
    return ruling.contradict is True and ruling.confidence >= OPEN_FROM


def met(notes: Sequence[str]) -> Iterator[tuple[str, str, int]]:
    """The pairs of some notes that a run judges, each with how many it stands for."""
    vectors = embedder.embed(notes)
    cosines = vectors @ vectors.T
    far = count()
    for (a, one), (b, other) in combinations(enumerate(notes), 2):
        cosine = float(cosines[a, b])
        if together(one, other, cosine):
            if cosine >= FAR:
                yield one, other, 1
            elif next(far) % EVERY == 0:
                yield one, other, EVERY


def test_hardly_any_contradiction_is_opened_among_notes_that_all_hold() -> None:
    projects = [path.read_text("utf-8").splitlines() for path in sorted((DATA / "consistent").glob("*.txt"))]
    found = [pair for notes in projects for pair in met(notes) if opened(*pair[:2])]
    notes = sum(map(len, projects))
    assert notes >= 200
    assert 100 * sum(stands_for for *_, stands_for in found) <= MOST_A_HUNDRED * notes, found


def test_at_least_half_of_what_cannot_both_hold_is_found() -> None:
    pairs = [json.loads(line) for line in (DATA / "contradictions.jsonl").read_text("utf-8").splitlines()]
    assert len(pairs) >= 40
    assert sum(opened(one["a"], one["b"]) for one in pairs) >= LEAST_FOUND * len(pairs)


def test_what_is_said_of_another_thing_place_or_time_is_not_held_against_it() -> None:
    pairs = [json.loads(line) for line in (DATA / "slots_pairs.jsonl").read_text("utf-8").splitlines()]
    true, apart = ([one for one in pairs if one["label"] == label] for label in ("contradiction", "compatible"))
    assert min(len(true), len(apart)) >= 75
    assert sum(opened(one["a"], one["b"]) for one in true) >= LEAST_OF_ONE_THING * len(true)
    wrong = [(one["a"], one["b"]) for one in apart if opened(one["a"], one["b"])]
    assert len(wrong) <= MOST_OF_TWO * len(apart), wrong
