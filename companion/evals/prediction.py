"""How well the next file is predicted, replayed on a project's own commits beside simple rankers.

Each file of a test commit in turn is the one at hand; the other source files it changed are what was
needed. Figures are averaged over a commit's files, then over commits. Three views: the file alone,
with the commit's subject as intent, and with the subject stripped of identifiers that the diff holds
(so that the answer is not in the question).

The calibration error `ece` weighs commits alike, as every other figure does; `ece_pooled` weighs asks
alike, so that commits of many files, of which more is needed than usual, count more.
"""

from __future__ import annotations

import re
import time
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence, Set
from dataclasses import dataclass, field
from typing import TypeVar

import numpy as np

from companion.engine.predicting.calibrate import expected_calibration_error
from companion.engine.predicting.file_index import source_files
from companion.evals.baselines import BASELINES, Ranker
from companion.evals.replay import Case, Progress, Replayable, WithCode, cases, walk
from companion.evals.statistics import (
    Figures,
    bootstrap,
    mean,
    milliseconds,
    ranking_figures,
    rounded,
)
from companion.records import Commit, Context, ContextItem, Prediction, Signals, Tier

BUDGET_TOKENS = 8_000
PREDICTED = 120
"""Predictions asked for: enough for twenty source files among documents and data."""
JUDGED = 10
"""First predictions of each ask whose probabilities are compared with what came."""
REFERENCES = ("decayed co-change", "rank fusion")
"""The baselines that differences are told against: the best without learning, of one signal and of several."""

T = TypeVar("T")

_NAME = re.compile(r"[A-Za-z_]\w*")


@dataclass
class _View:
    """What was measured in one view: per commit the figures of each ranker, and every judged probability."""

    rows: dict[str, list[Figures]] = field(default_factory=lambda: defaultdict(list))
    probability: list[float] = field(default_factory=list)
    needed: list[bool] = field(default_factory=list)
    weight: list[float] = field(default_factory=list)


def prediction(
    commits: Sequence[Commit],
    subject: Replayable,
    *,
    last: int = 300,
    contexts: WithCode | None = None,
    budget_tokens: int = BUDGET_TOKENS,
    progress: Progress | None = None,
) -> dict[str, object]:
    """Replay the last `last` test commits of a history (oldest first) and tell the figures.

    `contexts` is `subject` again where it can ship contexts; then recall within `budget_tokens`, strict
    precision and the stripped view are told too. The result is one JSON object.
    """
    chosen = cases(commits, last)
    measure = _Measure(subject, contexts, budget_tokens)
    for case in walk(commits, chosen, subject, progress):
        measure.take(case)
    return measure.told(len(chosen), {"last": last, "budget_tokens": budget_tokens})


class _Measure:
    """Collects figures case by case."""

    def __init__(self, subject: Replayable, contexts: WithCode | None, budget_tokens: int) -> None:
        self._subject = subject
        self._contexts = contexts
        self._budget_tokens = budget_tokens
        self._views: dict[str, _View] = defaultdict(_View)
        self._seconds: dict[str, list[float]] = defaultdict(list)
        self._code: frozenset[str] = frozenset()

    def take(self, case: Case) -> None:
        """Measure one case in each view."""
        library = self._subject.library
        there = library.paths()
        files = [path for path in case.files if path in there]
        if len(files) < 2:
            return
        self._code = frozenset(source_files(there))
        intents = {"file only": "", "with intent": case.commit.subject}
        if self._contexts is not None:
            names = self._contexts.changed_names(case.commit)
            intents["intent stripped"] = stripped(case.commit.subject, names)
        for name, intent in intents.items():
            rows: dict[str, list[Figures]] = defaultdict(list)
            for path in files:
                for ranker, figures in self._query(name, path, intent, frozenset(files)).items():
                    rows[ranker].append(figures)
            for ranker, figures_of_files in rows.items():
                self._views[name].rows[ranker].append(mean(figures_of_files))
                self._views[f"{name}, first file"].rows[ranker].append(figures_of_files[0])

    def _ranked(self, ranker: Ranker, path: str, intent: str) -> list[str]:
        """What a baseline answers, source files only, without the one at hand."""
        return [one for one in ranker(self._subject.library, path, intent) if one != path and one in self._code]

    def _query(self, view: str, path: str, intent: str, files: frozenset[str]) -> dict[str, Figures]:
        gold = set(files - {path})
        signals = Signals(current_file=path, query=intent)
        predicted = self._timed("predict", lambda: self._subject.predict(signals, PREDICTED))
        ours = [p for p in predicted if p.path in self._code]
        self._judge(view, ours, gold, 1 / len(files))
        figures = ranking_figures([p.path for p in ours], gold)
        if self._contexts is not None:
            contexts = self._contexts
            context = self._timed("assemble", lambda: contexts.assemble(self._budget_tokens, signals))
            figures |= shipped_figures(context, path, gold, self._code)
        return {"ours": figures} | {
            name: ranking_figures(self._ranked(ranker, path, intent), gold)
            for name, ranker in BASELINES.items()
            if intent or name != "bm25 on the subject"
        }

    def _judge(self, view: str, predicted: Sequence[Prediction], gold: set[str], weight: float) -> None:
        for one in predicted[:JUDGED]:
            self._views[view].probability.append(one.probability)
            self._views[view].needed.append(one.path in gold)
            self._views[view].weight.append(weight)

    def _timed(self, what: str, call: Callable[[], T]) -> T:
        start = time.perf_counter()
        answer = call()
        self._seconds[what].append(time.perf_counter() - start)
        return answer

    def told(self, count: int, settings: Mapping[str, object]) -> dict[str, object]:
        """All figures as one JSON object."""
        groups = {name: self._group(view) for name, view in self._views.items()}
        main = groups.get("file only", {})
        asked = "assemble" if self._seconds["assemble"] else "predict"
        return {
            "eval": "prediction",
            "n": count,
            "ours": main.get("ours", {}),
            "baselines": main.get("baselines", {}),
            "by": groups,
            "latency_ms": milliseconds(self._seconds[asked]),
            "settings": {**settings, "timed": asked, "source_files": len(self._code)},
        }

    def _group(self, view: _View) -> dict[str, object]:
        figures = {name: rounded(mean(rows)) for name, rows in view.rows.items()}
        ours = figures.pop("ours", {})
        if view.probability:
            said, came, weight = (np.array(v) for v in (view.probability, view.needed, view.weight))
            ours["ece"] = round(expected_calibration_error(said, came, weight), 4)
            ours["ece_pooled"] = round(expected_calibration_error(said, came, np.ones(len(said))), 4)
        return {
            "ours": ours,
            "baselines": figures,
            "not_above": _not_above(ours, figures),
            "difference": {name: told for name in REFERENCES if (told := _difference(view.rows, name))},
        }


def stripped(intent: str, names: frozenset[str]) -> str:
    """The intent without words that are identifiers of the diff."""
    return " ".join(_NAME.sub(lambda match: "" if match.group() in names else match.group(), intent).split())


def shipped_figures(context: Context, path: str, gold: set[str], code: Set[str]) -> Figures:
    """What of `gold` a context holds, in a form longer than the bare name, beside what an oracle would.

    The names of recall and tokens end in the budget: `recall_8k`, `recall_900`.
    An item of code counts for the file it shows. Strict precision is the needed share of the source
    files shown (those in `code`); the oracle shows as many, needed ones first. `critical` figures are of that tier.
    """
    shown: dict[str, None] = {}
    named: dict[str, None] = {}
    critical: dict[str, None] = {}
    for report in context.tiers:
        for item in report.items:
            file = shown_file(item)
            if not file or file == path or file not in code:
                continue
            named.setdefault(file)
            if item.level not in BARE_LEVELS:
                shown.setdefault(file)
                if report.tier is Tier.CRITICAL:
                    critical.setdefault(file)
    thousands, rest = divmod(context.budget_tokens, 1_000)
    within = str(context.budget_tokens) if rest else f"{thousands}k"
    figures = {
        f"recall_{within}": len(gold & shown.keys()) / len(gold),
        f"named_{within}": len(gold & named.keys()) / len(gold),
        f"tokens_{within}": float(context.tokens),
    }
    for name, files in (("", shown), ("critical_", critical)):
        if files:
            figures[f"{name}strict_precision"] = len(gold & files.keys()) / len(files)
            figures[f"{name}oracle_precision"] = min(len(gold), len(files)) / len(files)
    return figures


BARE_LEVELS = frozenset({"name", "index"})
"""Forms that give a path and nothing of its contents."""
_FILE_ID = "file:"


def shown_file(item: ContextItem) -> str:
    """The file that an item of code shows, empty for memories."""
    return item.id.removeprefix(_FILE_ID) if item.id.startswith(_FILE_ID) else ""


def _not_above(ours: Figures, baselines: Mapping[str, Figures]) -> list[str]:
    """Baselines that ours does not beat, each with the figures in question."""
    told = []
    for baseline, figures in baselines.items():
        short = [name for name, value in figures.items() if name in ours and ours[name] <= value]
        if short:
            told.append(f"{baseline}: {', '.join(short)}")
    return told


def _difference(rows: Mapping[str, Sequence[Figures]], reference: str) -> Figures:
    """Ours less a reference, commit by commit, with a 95 % interval; empty where one of them was not measured."""
    ours, other = rows.get("ours", ()), rows.get(reference, ())
    if not ours or len(ours) != len(other):
        return {}
    told: Figures = {}
    for name in ("hit@1", "recall@10", "mrr"):
        differences = [a[name] - b[name] for a, b in zip(ours, other, strict=True)]
        interval = bootstrap(differences)
        told[name] = round(sum(differences) / len(differences), 4)
        told[f"{name}_low"], told[f"{name}_high"] = interval.low, interval.high
    return told
