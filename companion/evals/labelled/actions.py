"""Whether actions that break a rule are told from those that keep it, and from those that are about something else.

All rules of the data are remembered in one store, and every action is verified by the product there, without a language
model: *named* is an action whose own rule is among the memories against it, *stray* how many other rules are named, an
action. Beside it stands the judge of statements alone, asked about each pair: it knows of no limits.
"""

from __future__ import annotations

import tempfile
import tomllib
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from importlib.resources import files
from pathlib import Path
from typing import Any

from companion.api import Note
from companion.errors import UsageError
from companion.evals.statistics import rounded, wilson
from companion.judging import RulesJudge
from companion.records import Statement

AT = datetime(2026, 1, 5, 9)
SORTS = ("against", "fits", "unrelated")


@dataclass(frozen=True, slots=True)
class Pair:
    """A rule, an action, and whether the action breaks it, keeps it, or has nothing to do with it."""

    group: str
    sort: str
    rule: str
    action: str


@dataclass(frozen=True, slots=True)
class Row:
    """What became of a pair."""

    pair: Pair
    named: bool
    by_judge: bool
    stray: int


def actions(path: Path | None) -> dict[str, object]:
    """Precision and recall of what is named as broken, as one JSON object. Raises UsageError for a bad file."""
    from companion.app.compose import open_rooms
    from companion.app.nowhere import nowhere
    from companion.app.replay import SetClock
    from companion.config import Settings

    pairs, judge = read_pairs(path), RulesJudge()
    with tempfile.TemporaryDirectory(prefix="companion-actions-") as folder:
        rooms = open_rooms(Path(folder), Settings(), SetClock(AT))
        try:
            companion = nowhere(rooms, Path(folder), owns_rooms=False)
            ids = {rule: companion.remember(Note(rule)).id for rule in dict.fromkeys(one.rule for one in pairs)}
            rows = []
            for one in pairs:
                against = {influence.source for influence in companion.verify(one.action).against}
                ruling = judge.rule(Statement(one.action), Statement(one.rule))
                stray = len(against & set(ids.values()) - {ids[one.rule]})
                rows.append(Row(one, ids[one.rule] in against, bool(ruling.contradict), stray))
        finally:
            rooms.close()
    return _told(rows)


def read_pairs(path: Path | None) -> list[Pair]:
    """The pairs of a file (ours, if None is given), each group with its name. Raises UsageError."""
    try:
        if path is None:
            text = (files("companion.evals") / "data" / "actions.toml").read_text("utf-8")
        else:
            text = path.read_text("utf-8")
        found = [_pair(group, one) for group, some in tomllib.loads(text).items() for one in some]
    except (OSError, ValueError, TypeError) as wrong:
        raise UsageError(f"{path} is not a file of actions: {wrong}.", "Each row is [sort, rule, action].") from wrong
    if not any(one.sort == "against" for one in found):
        raise UsageError(f"{path} has no action that breaks a rule.", 'Say which: ["against", rule, action].')
    return found


def _pair(group: str, row: Sequence[Any]) -> Pair:
    sort, rule, action = map(str, row)
    if sort not in SORTS:
        raise ValueError(f"{sort!r} is none of {', '.join(SORTS)}")
    return Pair(group, sort, rule, action)


def _told(rows: Sequence[Row]) -> dict[str, object]:
    groups: dict[str, list[Row]] = defaultdict(list)
    for row in rows:
        groups[row.pair.group].append(row)
    broken = [row for row in rows if row.pair.sort == "against"]
    recall = wilson(sum(row.named for row in broken), len(broken))
    return {
        "eval": "actions",
        "n": len(rows),
        "ours": {**_figures(rows), "recall_low": round(recall.low, 4), "recall_high": round(recall.high, 4)},
        "baselines": {"judge of statements alone": _by_judge(rows)},
        "by": {
            group: {"ours": {**_figures(some), "n": len(some)}, "baselines": {"judge alone": _by_judge(some)}}
            for group, some in sorted(groups.items())
        },
        "missed": [f"{row.pair.rule} | {row.pair.action}" for row in broken if not row.named],
        "wrong": [f"{row.pair.rule} | {row.pair.action}" for row in rows if row.named and row not in broken],
        "settings": {"language_model": "none"},
    }


def _figures(rows: Sequence[Row]) -> dict[str, float]:
    stray = sum(row.stray for row in rows) / len(rows)
    return {**_precision((row.pair, row.named) for row in rows), "stray": round(stray, 4)}


def _by_judge(rows: Sequence[Row]) -> dict[str, float]:
    return _precision((row.pair, row.by_judge) for row in rows)


def _precision(rows: Iterable[tuple[Pair, bool]]) -> dict[str, float]:
    told = list(rows)
    right = sum(said for pair, said in told if pair.sort == "against")
    named, there = sum(said for _, said in told), sum(pair.sort == "against" for pair, _ in told)
    return rounded({"precision": right / max(1, named), "recall": right / max(1, there)})
