"""How well requests are read, and how that grows over ten conversations in which wrong readings are corrected.

Each project of the data is a user of a store of their own, without a language model. In every conversation its requests
are classified by the product; a right reading is accepted, a wrong one corrected. After each, requests that ask for the
same in other words, and are never corrected, are classified again, and so are those of any project, which nothing that
was learned may spoil. Beside it stand the rules alone, who know of no conversation; the rules with the outcomes of the
very same wording; and the nearest earlier request by meaning, with the rules where none is near.
"""

from __future__ import annotations

import tempfile
import time
import tomllib
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from companion.errors import UsageError
from companion.evals.statistics import percentile, wilson
from companion.language.orders import unsteered
from companion.language.requests import read_request
from companion.reason.classify import reading_of
from companion.reason.cues import points
from companion.records.reasoning import Consumer, Destination, Outcome, Reading, Semantics

if TYPE_CHECKING:
    from companion.app.local import LocalCompanion
    from companion.ports import Embedder

BEGUN = datetime(2026, 1, 5, 9, 0)
"""When the first conversation is; each later one a day after."""
NEAR = 0.5
"""Likeness (cosine) from which the nearest earlier request decides, in the baseline."""
TIMED = 200
"""Classifications whose time is taken."""

Labelled = tuple[str, str]
"""A request and its right reading, as `process/machine/execute`."""
Reader = Callable[[str], str]
"""Reads a request."""


@dataclass(frozen=True, slots=True)
class Project:
    """Conversations of one project, and what is asked afterwards in other words."""

    name: str
    talks: Sequence[Sequence[Labelled]]
    held: Sequence[Labelled]


@dataclass
class Curve:
    """Accuracy on the held requests after each conversation, the first before any."""

    held: list[float]
    everyday: list[float]
    at_once: list[float]
    """Share of a conversation's own requests that were read rightly before they were corrected."""


def reasoning(
    path: Path | None, memories: int, *, progress: Callable[[str, int, int], None] = lambda what, done, total: None
) -> dict[str, object]:
    """The curve of each project beside the baselines, as one JSON object. Raises UsageError for a bad file."""
    everyday, projects = read_requests(path)
    curves: dict[str, Curve] = {}
    baselines: dict[str, dict[str, float]] = {}
    for done, project in enumerate(projects):
        progress("conversations", done, len(projects))
        with tempfile.TemporaryDirectory(prefix="companion-reasoning-") as folder:
            curves[project.name], baselines[project.name] = _run(Path(folder), project, everyday)
    progress("conversations", len(projects), len(projects))
    held = [one for project in projects for one in project.held]
    last = _pooled(projects, {name: curve.held[-1] for name, curve in curves.items()})
    interval = wilson(round(last * len(held)), len(held))
    told: dict[str, object] = {
        "eval": "reasoning",
        "n": len(held),
        "ours": {
            "accuracy": last,
            "low": round(interval.low, 4),
            "high": round(interval.high, 4),
            "before": _pooled(projects, {name: curve.held[0] for name, curve in curves.items()}),
            "everyday": round(min(curve.everyday[-1] for curve in curves.values()), 4),
        },
        "baselines": {
            name: {"accuracy": _pooled(projects, {one: figures[name] for one, figures in baselines.items()})}
            for name in ("rules alone", "same wording", "nearest by meaning")
        },
        "by": {name: _points(curve) for name, curve in curves.items()},
        "curves": {name: curve.__dict__ for name, curve in curves.items()},
        "settings": {"language_model": "none", "talks": max(len(project.talks) for project in projects)},
    }
    if memories:
        told["latency_ms"] = timed(memories, [text for text, _ in (*everyday, *held)], progress)
    return told


def read_requests(path: Path | None) -> tuple[list[Labelled], list[Project]]:
    """The requests of a file (ours, if None is given): what is said anywhere, and what in each project."""
    try:
        if path is None:
            text = (files("evals") / "data" / "requests.toml").read_text("utf-8")
        else:
            text = path.read_text(encoding="utf-8")
        told: Mapping[str, Any] = tomllib.loads(text)
        projects = [
            Project(str(one["name"]), [_labelled(talk) for talk in one["talks"]], _labelled(one["held"]))
            for one in told["project"]
        ]
        everyday = _labelled(told.get("everyday", ()))
    except (OSError, ValueError, KeyError, TypeError) as wrong:
        raise UsageError(
            f"{path} is not a file of requests: {wrong}.", "Each [[project]] has name, talks and held."
        ) from wrong
    if not projects or not all(project.held and project.talks for project in projects):
        raise UsageError(f"{path} has nothing to ask.", "Each [[project]] has talks and held.")
    return everyday, projects


def answer_all(reader: Reader, asked: Iterable[Labelled]) -> float:
    """Share of requests that are read rightly on all three axes."""
    rows = list(asked)
    return round(sum(reader(text) == right for text, right in rows) / max(1, len(rows)), 4)


def talk_about(companion: LocalCompanion, talk: Sequence[Labelled]) -> float:
    """One conversation: each request is classified, and accepted or corrected; the share that was right at once."""
    companion.start_conversation()
    right_ones = 0
    for text, right in talk:
        found = companion.classify(text)
        if str(found.reading) == right:
            right_ones += 1
            companion.record_outcome(found.id, Outcome.ACCEPTED)
        else:
            companion.record_outcome(found.id, Outcome.CORRECTED, right=right)
    companion.archive_conversation()
    return round(right_ones / max(1, len(talk)), 4)


def _run(folder: Path, project: Project, everyday: Sequence[Labelled]) -> tuple[Curve, dict[str, float]]:
    from companion.app.compose import open_runtime
    from companion.app.local import nowhere
    from companion.app.replay import SetClock
    from companion.config import Settings

    clock = SetClock(BEGUN)
    runtime = open_runtime(folder, Settings(), clock)
    try:
        companion = nowhere(runtime, folder, owns_runtime=False)

        def ours(text: str) -> str:
            return str(companion.classify(text).reading)

        curve = Curve([answer_all(ours, project.held)], [answer_all(ours, everyday)], [])
        for day, talk in enumerate(project.talks):
            clock.moment = BEGUN + timedelta(days=day)
            curve.at_once.append(talk_about(companion, talk))
            curve.held.append(answer_all(ours, project.held))
            curve.everyday.append(answer_all(ours, everyday))
        return curve, _baselines(project, runtime.adapters.embedder)
    finally:
        runtime.close()


def _baselines(project: Project, embedder: Embedder | None) -> dict[str, float]:
    """What simpler ways make of the held requests after all conversations."""
    told = [one for talk in project.talks for one in talk]
    same = {read_request(text).normal: right for text, right in told}

    def by_wording(text: str) -> str:
        return same.get(read_request(text).normal) or str(rules_alone(text))

    found = {
        "rules alone": answer_all(lambda text: str(rules_alone(text)), project.held),
        "same wording": answer_all(by_wording, project.held),
    }
    if embedder is None:
        return found | {"nearest by meaning": found["rules alone"]}
    matrix = embedder.embed([text for text, _ in told])

    def by_meaning(text: str) -> str:
        near = matrix @ embedder.embed([text])[0]
        best = int(np.argmax(near))
        return told[best][1] if near[best] >= NEAR else str(rules_alone(text))

    return found | {"nearest by meaning": answer_all(by_meaning, project.held)}


def timed(memories: int, texts: Sequence[str], progress: Callable[[str, int, int], None]) -> dict[str, float]:
    """What memory adds to a classification in a store of some size, in ms: ours as a whole, less the rules alone."""
    from companion.app.compose import open_runtime
    from companion.app.replay import SetClock
    from companion.config import Settings
    from evals.speed.latency import Served, make, state_of

    with tempfile.TemporaryDirectory(prefix="companion-reasoning-") as folder:
        progress("generating the store", 0, 1)
        made = make(folder, memories, Settings())
        progress("generating the store", 1, 1)
        runtime = open_runtime(Path(folder), Settings(), SetClock(made.now))
        try:
            companion = Served(runtime, state_of(folder), made.project, made.checkout)
            for text in texts[: TIMED // 4]:  # outcomes to learn from, and caches filled
                companion.record_outcome(companion.classify(text).id, Outcome.ACCEPTED)
            added = [
                _added(companion, f"{text} in {made.words[at % len(made.words)]}")
                for at, text in enumerate(texts[at % len(texts)] for at in range(TIMED))
            ]
        finally:
            runtime.close()
    return {"added_p50": round(percentile(added, 0.5), 2), "added_p95": round(percentile(added, 0.95), 2)}


def _added(companion: LocalCompanion, text: str) -> float:
    start = time.perf_counter()
    companion.classify(text)
    between = time.perf_counter()
    rules_alone(f"{text} ")  # another text, so that nothing of it is kept as read
    return 1_000 * ((between - start) - (time.perf_counter() - between))


def _points(curve: Curve) -> dict[str, float]:
    """Points of the curve as figures of a table."""
    return {f"after_{talks}": share for talks, share in enumerate(curve.held) if talks in {0, 1, 2, 5, 10}}


def _pooled(projects: Sequence[Project], shares: Mapping[str, float]) -> float:
    whole = sum(len(project.held) for project in projects)
    return round(sum(shares[project.name] * len(project.held) for project in projects) / whole, 4)


def _labelled(rows: Sequence[Any]) -> list[Labelled]:
    """Requests with their readings. Raises ValueError for a reading that is none."""
    found = []
    for text, right in rows:
        where, whom, what = str(right).split("/")
        found.append((str(text), str(Reading(Destination(where), Consumer(whom), Semantics(what)))))
    return found


def rules_alone(text: str) -> Reading:
    """What the rules make of a request with nothing known: the baseline of the figures."""
    return reading_of(points(read_request(unsteered(text))))
