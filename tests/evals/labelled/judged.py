"""Pairs of notes with answers that a judge once gave to them: what the queue makes of them, beside rules and reader.

A pair counts as answered only where the product would put it to a judge: the two are brought together (near in meaning,
or by a word they share) and rules and reader are not sure, or they are nearer and rules cannot tell that they are the
same. The answers were recorded; whoever gave them saw the texts
and the product's own question, and no label.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from companion_consolidation.contradict import OPEN_FROM

from companion.adapters.embedders import make_embedder
from companion.adapters.nearness import nearness_of
from companion.app.consolidation.judges import local, reader
from companion.config import Settings
from companion.errors import UsageError
from companion.evals.statistics import wilson
from companion.judge.likeness import ReadLikeness
from companion.ports import Judge
from companion.records import Statement
from companion.store.consolidation.neighbours import FACTS_FROM
from evals.labelled.pairs import read_scope

MERGED = frozenset({"same", "first_contains_second", "second_contains_first"})
"""Answers after which one of the two goes."""
LABELS = {"entailment": "same", "contradiction": "contradict"}
"""Words of other files for the same; what is neither stands beside the other."""


@dataclass(frozen=True, slots=True)
class _Pair:
    label: str
    put: bool
    alone: bool
    """Whether rules and reader open a contradiction by themselves."""
    said_same: bool
    """Whether rules, or a reader that finds the one in the other, merge the two by themselves."""
    answer: str

    @property
    def opened(self) -> bool:
        """Whether a contradiction is opened on the judge's word."""
        return self.put and self.answer == "contradict"

    @property
    def merged(self) -> bool:
        """Whether one of the two goes, by rules or on the judge's word."""
        return self.said_same or (self.put and self.answer in MERGED)


def judged(pairs: Path, answers: Path) -> dict[str, object]:
    """Shares of contradictions and of same pairs that are found, alone and with the recorded judge.

    Lines of `pairs` have a, b and label (contradiction, same, first_contains_second, anything else), with scopes if
    they have any; lines of `answers` a, b and answer. Raises UsageError for a file that is not that.
    """
    known = _known(pairs, answers)
    opposed = [one for one in known if one.label == "contradict"]
    alike = [one for one in known if one.label in MERGED]
    wrong = [one for one in known if one.label not in MERGED]
    told: dict[str, object] = {"eval": "judged", "n": len(known), "put_to_a_judge": _share([one.put for one in known])}
    if opposed:
        rest = [one for one in known if one.label != "contradict"]
        told["contradictions"] = {
            "put": _share([one.put for one in opposed]),
            "recall_alone": _share([one.alone for one in opposed]),
            "false_alone": _share([one.alone for one in rest]),
            "recall_with_judge": _share([one.opened for one in opposed]),
            "false_with_judge": _share([one.opened for one in rest]),
        }
    if alike:
        told["same"] = {
            "put": _share([one.put or one.said_same for one in alike]),
            "recall_alone": _share([one.said_same for one in alike]),
            "false_alone": _share([one.said_same for one in wrong]),
            "recall_with_judge": _share([one.merged for one in alike]),
            "false_with_judge": _share([one.merged for one in wrong]),
        }
    return told


def _share(told: Sequence[bool]) -> dict[str, float]:
    """A share with its 95 % interval, of how many."""
    interval = wilson(sum(told), len(told))
    return {
        "share": round(sum(told) / len(told), 4) if told else 0.0,
        "low": round(interval.low, 4),
        "high": round(interval.high, 4),
        "of": len(told),
    }


def _known(pairs: Path, answers: Path) -> list[_Pair]:
    rows, said = _lines(pairs), {(one["a"], one["b"]): one["answer"] for one in _lines(answers)}
    embedder = make_embedder(Settings())
    if embedder is None:
        raise UsageError("There is no embedding model.", "Install it: `pip install companion-context`.")
    floor, judge, likeness = nearness_of(embedder.model).asked, local(embedder, thorough=True), ReadLikeness(reader())
    a, b = (embedder.embed([row[side] for row in rows]) for side in "ab")
    cosines = (a * b).sum(axis=1).tolist()
    return [
        _pair(
            row,
            judge,
            likeness,
            together(row["a"], row["b"], cosine),
            cosine >= floor,
            said.get((row["a"], row["b"]), ""),
        )
        for row, cosine in zip(rows, cosines, strict=True)
    ]


def together(a: str, b: str, cosine: float) -> bool:
    """Whether a run judges two statements: they are near in meaning, or have a word in common."""
    return cosine >= FACTS_FROM or bool(_words(a) & _words(b))


def _pair(row: dict[str, str], judge: Judge, likeness: ReadLikeness, met: bool, near: bool, answer: str) -> _Pair:
    """What becomes of a pair that a run judges or not, and that is near enough to be merged or not."""
    one, two = (_statement(row[side], row.get(f"scope_{side}", "")) for side in "ab")
    ruling, apart = judge.rule(one, two), likeness.difference(one.text, two.text)
    label = row.get("label", "")
    mergeable = near and one.scope == two.scope
    shorter, longer = sorted((one.text, two.text), key=len)
    contained = mergeable and bool(apart) and likeness.read(longer, shorter) is not None
    return _Pair(
        label=LABELS.get(label, label),
        put=(met and ruling.contradict is not False) or (mergeable and bool(apart) and not contained),
        alone=met and ruling.contradict is True and ruling.confidence >= OPEN_FROM,
        said_same=contained or (one.scope == two.scope and not apart),
        answer=answer,
    )


def _words(text: str) -> frozenset[str]:
    return frozenset(re.findall(r"[^\W\d]\w{2,}", text.lower()))


def _statement(text: str, place: str) -> Statement:
    scope, about = read_scope(place)
    return Statement(text, scope, about)


def _lines(path: Path) -> list[dict[str, str]]:
    try:
        return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines() if line.strip()]
    except (OSError, ValueError) as wrong:
        raise UsageError(f"{path} cannot be read: {wrong}.", "Each line is a JSON object.") from wrong
