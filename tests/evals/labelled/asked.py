"""How many pairs of notes would be put to a judge, and what the reader alone believes of them.

Contradictions that are not put are never found; pairs of notes that all hold cost a question each. `weights` measures
another reader than the shipped one, `near`, `belief` and `floor` other limits than the product's.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path
from typing import Any

from companion.adapters.nearness import nearness_of
from companion.adapters.reader import Reader
from companion.app.compose import make_embedder
from companion.config import Settings
from companion.errors import UsageError
from companion.judge.learned import ASKED_FROM, placed
from companion.judge.rules import SURE, RulesJudge
from companion.records import Statement
from companion.store.consolidation.neighbours import FACTS_FROM
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

    def put(self, limits: Limits) -> bool:
        """Whether it would be put to a judge."""
        unsure = self.proposed or self.belief >= limits.belief
        return self.nearness >= limits.near or (self.nearness >= limits.floor and unsure)


def asked(pairs: Sequence[Path], notes: Sequence[Path], limits: Limits | None, weights: Path | None) -> dict[str, Any]:
    """Shares of each file of labelled pairs, and counts over files of notes that all hold (one a line)."""
    embedder = make_embedder(Settings())
    if embedder is None:
        raise UsageError("There is no embedding model.", "Install it: `pip install companion-context`.")
    limits = limits or Limits(nearness_of(embedder.model).asked)
    reader = _reader(weights)

    def read(labelled: Sequence[tuple[Statement, Statement, bool]]) -> list[_Read]:
        a = embedder.embed([one.text for one, _, _ in labelled])
        b = embedder.embed([other.text for _, other, _ in labelled])
        near = (a * b).sum(axis=1).tolist()
        return [_read(reader, *one, cosine) for one, cosine in zip(labelled, near, strict=True)]

    told = {path.stem: _shares(read([(p.a, p.b, p.contradict) for p in read_pairs(path)]), limits) for path in pairs}
    lines = [[Statement(line) for line in path.read_text("utf-8").splitlines()] for path in notes]
    held = [one for some in lines if len(some) > 1 for one in read([(a, b, False) for a, b in combinations(some, 2)])]
    many = sum(map(len, lines))
    return {
        "eval": "asked",
        "pairs": told,
        "notes": {
            "n": many,
            "put_in_100": round(100 * sum(one.put(limits) for one in held) / many, 1) if many else 0.0,
            "believed": {
                str(least): sum(one.belief >= least and one.nearness >= FACTS_FROM for one in held) for least in BELIEFS
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
    return {"put": put, "area": _area(opposed, rest), "believed": believed}


def _area(opposed: Sequence[_Read], rest: Sequence[_Read]) -> float:
    """How often a contradiction is believed more than a pair that is none; half for as much."""
    beats = sum((one.belief > other.belief) + 0.5 * (one.belief == other.belief) for one in opposed for other in rest)
    return round(beats / max(1, len(opposed) * len(rest)), 3)


def _read(reader: Reader, a: Statement, b: Statement, contradicts: bool, nearness: float) -> _Read:
    a, b = sorted((a, b), key=repr)
    ruling = RulesJudge().rule(a, b)
    ruled_out = ruling.contradict is False and ruling.confidence >= SURE
    belief = 0.0 if ruled_out else reader.pair(*placed(a, b)).contrary
    return _Read(contradicts, ruling.contradict is not False, belief, nearness)


def _reader(weights: Path | None) -> Reader:
    """The shipped reader, or one of other weights, which nothing vouches for."""
    reader = Reader()
    if weights is not None:
        import onnxruntime

        vars(reader)["_session"] = onnxruntime.InferenceSession(str(weights), providers=["CPUExecutionProvider"])
    return reader
