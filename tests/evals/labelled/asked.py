"""How many pairs of notes would be put to a judge, and what the reader alone believes of them.

Contradictions that are not put are never found; pairs of notes that all hold cost a question each. `weights` measures
another reader than the shipped one, `near`, `belief` and `floor` other limits than the product's. Pairs that only give
different values to one slot are found as a run finds them: a labelled pair alone in a store, notes with all of theirs.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path
from typing import Any

from companion.adapters.embedders import make_embedder
from companion.adapters.nearness import nearness_of
from companion.adapters.reader import PairReader
from companion.app.compose import open_runtime
from companion.app.replay import SetClock
from companion.config import Settings
from companion.errors import UsageError
from companion.judge.learned import ASKED_FROM, placed
from companion.judge.rules import SURE, RulesJudge
from companion.records import RepoState, Statement
from companion.store.consolidation.neighbours import FACTS_FROM
from companion.store.consolidation.pairs import candidates
from companion.store.consolidation.rulings import slot_room
from companion.store.consolidation.view import View
from evals.labelled.contradictions import CANDIDATES, NOW, remembered
from evals.labelled.pairs import read_pairs

BELIEFS = (0.7, 0.9)
"""Beliefs of the reader from which shares are told."""


@dataclass(frozen=True, slots=True)
class Limits:
    """Nearness from which a pair is put anyway, belief from which it is, and nearness that brings two together."""

    near: float
    belief: float = ASKED_FROM
    floor: float = FACTS_FROM


@dataclass(frozen=True, slots=True)
class _Read:
    """A pair: whether it is labelled a contradiction, whether rules leave it open, the reader's belief, nearness."""

    contradicts: bool
    proposed: bool
    belief: float
    nearness: float
    of_a_slot: bool

    def put(self, limits: Limits) -> bool:
        """Whether it would be put to a judge by what it says."""
        unsure = self.proposed or self.belief >= limits.belief
        return self.nearness >= limits.near or (self.nearness >= limits.floor and unsure)


def asked(pairs: Sequence[Path], notes: Sequence[Path], limits: Limits | None, weights: Path | None) -> dict[str, Any]:
    """Shares of each file of labelled pairs, and counts over files of notes that all hold (one a line)."""
    embedder = make_embedder(Settings())
    if embedder is None:
        raise UsageError("There is no embedding model.", "Install it: `pip install companion-context`.")
    limits = limits or Limits(nearness_of(embedder.model).asked)
    reader = _reader(weights)

    def read(labelled: Sequence[tuple[Statement, Statement, bool]], of_a_slot: Sequence[bool]) -> list[_Read]:
        a = embedder.embed([one.text for one, _, _ in labelled])
        b = embedder.embed([other.text for _, other, _ in labelled])
        near = (a * b).sum(axis=1).tolist()
        return [
            _read(reader, *one, cosine, filled) for one, cosine, filled in zip(labelled, near, of_a_slot, strict=True)
        ]

    with _slots() as fill:
        told = {}
        for path in pairs:
            labelled = [(one.a, one.b, one.contradict) for one in read_pairs(path)]
            of_a_slot = [bool(fill((a, b))) for a, b, _ in labelled]
            told[path.stem] = _shares(read(labelled, of_a_slot), limits)
        lines = [[Statement(line) for line in path.read_text("utf-8").splitlines()] for path in notes]
        held = []
        for some in filter(lambda said: len(said) > 1, lines):
            found, both = fill(some), list(combinations(some, 2))
            of_a_slot = [frozenset((a.text, b.text)) in found for a, b in both]
            held.append(read([(a, b, False) for a, b in both], of_a_slot))
    many = sum(map(len, lines))
    put = [sum(one.put(limits) for one in some) for some in held]
    slots = [sum(one.of_a_slot and not one.put(limits) for one in some) for some in held]
    at_once = [min(some, slot_room(others)) for some, others in zip(slots, put, strict=True)]
    return {
        "eval": "asked",
        "pairs": told,
        "notes": {
            "n": many,
            "put_in_100": round(100 * sum(put) / many, 1) if many else 0.0,
            "of_a_slot_in_100": round(100 * sum(slots) / many, 1) if many else 0.0,
            "of_a_slot_in_100_at_once": round(100 * sum(at_once) / many, 1) if many else 0.0,
            "believed": {
                str(least): sum(one.belief >= least and one.nearness >= FACTS_FROM for some in held for one in some)
                for least in BELIEFS
            },
        },
    }


def _shares(read: Sequence[_Read], limits: Limits) -> dict[str, Any]:
    opposed, rest = ([one for one in read if one.contradicts is label] for label in (True, False))
    believed = {
        str(least): {
            "found": round(sum(one.belief >= least for one in opposed) / max(1, len(opposed)), 3),
            "false": round(sum(one.belief >= least for one in rest) / max(1, len(rest)), 3),
        }
        for least in BELIEFS
    }
    put = round(sum(one.put(limits) for one in opposed) / max(1, len(opposed)), 3)
    with_slots = round(sum(one.put(limits) or one.of_a_slot for one in opposed) / max(1, len(opposed)), 3)
    return {"put": put, "put_with_slots": with_slots, "area": _area(opposed, rest), "believed": believed}


def _area(opposed: Sequence[_Read], rest: Sequence[_Read]) -> float:
    """How often a contradiction is believed more than a pair that is none; half for as much."""
    beats = sum((one.belief > other.belief) + 0.5 * (one.belief == other.belief) for one in opposed for other in rest)
    return round(beats / max(1, len(opposed) * len(rest)), 3)


@contextmanager
def _slots() -> Iterator[Callable[[Sequence[Statement]], set[frozenset[str]]]]:
    """What pairs of some statements, known together and alone, give different values to one slot."""
    from companion.store import projects

    with tempfile.TemporaryDirectory(prefix="companion-asked-") as folder:
        runtime = open_runtime(Path(folder), Settings(embeddings="off"), SetClock(NOW))
        project, _ = projects.identify(runtime.store.database, RepoState("/notes", "/notes", "", "", "", "main"), NOW)

        def fill(statements: Sequence[Statement]) -> set[frozenset[str]]:
            said = {remembered(runtime, project, one): one.text for one in statements}
            found = candidates(View(runtime.store.database, project, NOW, pairs_most=CANDIDATES), "nobody")
            for id_ in said:
                runtime.store.memories.forget(id_, NOW)
            return {frozenset((said[one.a], said[one.b])) for one in found if one.slot}

        try:
            yield fill
        finally:
            runtime.close()


def _read(reader: PairReader, a: Statement, b: Statement, contradicts: bool, nearness: float, of_a_slot: bool) -> _Read:
    a, b = sorted((a, b), key=repr)
    ruling = RulesJudge().rule(a, b)
    ruled_out = ruling.contradict is False and ruling.confidence >= SURE
    belief = 0.0 if ruled_out else reader.pair(*placed(a, b)).contrary
    return _Read(contradicts, ruling.contradict is not False, belief, nearness, of_a_slot)


def _reader(weights: Path | None) -> PairReader:
    """The shipped reader, or one of other weights, which nothing vouches for."""
    reader = PairReader()
    if weights is not None:
        import onnxruntime

        vars(reader)["_session"] = onnxruntime.InferenceSession(str(weights), providers=["CPUExecutionProvider"])
    return reader
