"""Whether an action fits the rules of a project, conflicts with them, or nobody can say, by the product's own check.

A file has a line each of `label | rule | action | clause`: `conflicts`, `fits` or `silent`, and the part of the rule that
decides. Each rule is the only thing known when its action is checked. Right is the verdict of the label, or unknown for
silent; wrong is any other that is not unknown. Beside it stands what the words alone would say: a rule that shares half
of its telling words with the action forbids it if the rule denies something, else it asks for it.

What the product says once a judge has answered is told beside it, where recorded answers are given (`rule`, `action`
and `answer` a line): each rule is a note in a store, each action is verified there, an answer is handed to the queue
where the product asks for one, and the action is verified again. `named` is how often the rule is among those that
the product asks about while all the other rules of the file are known too.
"""

from __future__ import annotations

import hashlib
import json
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

from companion.app.compose import open_runtime
from companion.app.replay import SetClock
from companion.config import Settings
from companion.errors import UsageError
from companion.evals.statistics import wilson
from companion.judge.questions import FORMS
from companion.language.subjects import likeness
from companion.language.word_lists import DENIALS
from companion.reason.hints import Memo
from companion.reason.verify import Weighed, verify
from companion.records import JudgeAnswer, JudgeQuestion, RepoState
from companion.records.reasoning import Conformance

if TYPE_CHECKING:
    from companion.app.local import LocalCompanion

VERDICTS = {"conflicts": Conformance.CONFLICTS, "fits": Conformance.FITS, "silent": Conformance.UNKNOWN}
SHARED = 0.5
"""Share of telling words from which the plain baseline says something."""
PARTS = 4
JUDGE = "assistant recorded"
Row = tuple[str, str, str]
"""Label, rule and action."""
Answers = Mapping[tuple[str, str], str]
"""What a judge said, by rule and action."""


@dataclass(frozen=True, slots=True)
class _Judged:
    """What came of an action: whether a judge was asked about its rule, and what was said once it had answered."""

    put: bool
    said: Conformance


def verifying(
    path: Path,
    *,
    answers: Path | None = None,
    progress: Callable[[int, int], None] = lambda done, total: None,
) -> dict[str, object]:
    """Shares right, wrong and unknown of a file, as one JSON object. Raises UsageError for what it cannot read."""
    rows = _rows(path)
    with_judge = {} if answers is None else {"with a judge": _with_judge(rows, _recorded(answers))}
    ours: Counter[str] = Counter()
    plain: Counter[str] = Counter()
    misses = []
    for number, (label, rule, action) in enumerate(rows):
        memo = Memo("m1rule", "The rule", rule, "decision", 0.5, authority=1.0)
        said = verify(action, "", Weighed((memo,))).verdict
        ours[_outcome(label, said)] += 1
        plain[_outcome(label, _by_words(rule, action))] += 1
        if _outcome(label, said) == "wrong":
            misses.append(f"{label}, said {said}: {rule} | {action}")
        progress(number + 1, len(rows))
    return {
        "eval": "verify",
        "n": len(rows),
        "ours": _shares(ours, len(rows)),
        **with_judge,
        "baselines": {"words": _shares(plain, len(rows)), "always unknown": _shares(_always(rows), len(rows))},
        "misses": misses,
        "settings": {},
    }


def questions(path: Path) -> list[dict[str, object]]:
    """What the product would ask a judge about a file, in an order that tells nothing of the labels.

    A recording is the same with what the judge says in `answer`: fits, conflicts, silent or unsure.
    """
    rows = _rows(path)
    form = FORMS[JudgeQuestion.ACTION]
    allowed = {verdict.value: meaning for verdict, meaning in form.answers.items()}
    asked = [(rule, action) for (_, rule, action), one in zip(rows, _judged(rows, {}), strict=True) if one.put]
    shuffled = sorted(dict.fromkeys(asked), key=lambda one: hashlib.sha256("\0".join(one).encode()).hexdigest())
    return [
        {"rule": rule, "action": action, "asks": form.asks, "answers": allowed, "answer": ""}
        for rule, action in shuffled
    ]


def _with_judge(rows: list[Row], answers: Answers) -> dict[str, object]:
    judged = _judged(rows, answers)
    counted = Counter(_outcome(label, one.said) for (label, _, _), one in zip(rows, judged, strict=True))
    put = sum(one.put for one in judged)
    return {
        **_shares(counted, len(rows)),
        "put": round(put / len(rows), 4),
        "answered": sum((rule, action) in answers for _, rule, action in rows),
        "named": round(_named(rows) / len(rows), 4),
        "wrong_of": dict(Counter(label for (label, _, _), one in zip(rows, judged, strict=True) if _wrong(label, one))),
    }


def _wrong(label: str, one: _Judged) -> bool:
    return _outcome(label, one.said) == "wrong"


def _judged(rows: list[Row], answers: Answers) -> list[_Judged]:
    """Each rule alone in the store while its actions are verified, before and after the judge has answered."""
    found: dict[Row, _Judged] = {}
    with _companion() as companion:
        for rule in dict.fromkeys(rule for _, rule, _ in rows):
            kept = _noted(companion, rule)
            for row in (row for row in rows if row[1] == rule):
                found[row] = _answered(companion, row[2], answers.get((rule, row[2]), ""))
            companion.forget(kept)
    return [found[row] for row in rows]


def _answered(companion: LocalCompanion, action: str, answer: str) -> _Judged:
    found = companion.verify(action)
    if found.to_judge and answer:
        done = companion.judge([JudgeAnswer(one.question, answer) for one in found.to_judge], JUDGE)
        if done.refused:
            raise UsageError(f"An answer was not taken: {done.refused[0]}.", "Say fits, conflicts, silent or unsure.")
        return _Judged(True, companion.verify(action).verdict)
    return _Judged(bool(found.to_judge), found.verdict)


def _named(rows: list[Row]) -> int:
    """How many actions have their rule among those that a judge is asked about, all rules being known."""
    with _companion() as companion:
        ids = {rule: _noted(companion, rule) for rule in dict.fromkeys(rule for _, rule, _ in rows)}
        return sum(ids[rule] in {one.source for one in companion.verify(action).to_judge} for _, rule, action in rows)


@contextmanager
def _companion() -> Iterator[LocalCompanion]:
    """A companion for a folder without history, in a store of its own, whose judge may answer without a limit."""
    from companion.app.local import LocalCompanion
    from companion.store import projects

    now = datetime(2026, 1, 5, 9, 0)
    with tempfile.TemporaryDirectory(prefix="companion-verify-") as folder:
        runtime = open_runtime(Path(folder), Settings(judgements_a_day=1_000_000), SetClock(now))
        state = RepoState(folder, folder, "", "", "", "main")
        project, checkout = projects.identify(runtime.store.database, state, now)
        try:
            yield LocalCompanion(runtime, state, project, checkout)
        finally:
            runtime.close()


def _noted(companion: LocalCompanion, rule: str) -> str:
    """Remember a rule, with its vector where there is a model."""
    from companion.api import Note
    from companion.app.scanning.vectors import fill_vectors
    from companion.ports import NoProgress

    kept = companion.verbs.remember(Note(rule))
    if companion.runtime.adapters.embedder is not None:
        fill_vectors(companion.runtime, companion.project, NoProgress())
    return kept.id


def _recorded(path: Path) -> dict[tuple[str, str], str]:
    try:
        lines = [json.loads(line) for line in path.read_text("utf-8").splitlines() if line.strip()]
        return {(one["rule"], one["action"]): one["answer"] for one in lines}
    except (OSError, ValueError, KeyError, TypeError) as wrong:
        raise UsageError(f"{path} cannot be read: {wrong}.", "A line has `rule`, `action` and `answer`.") from wrong


def _rows(path: Path) -> list[Row]:
    try:
        lines = path.read_text("utf-8").splitlines()
    except OSError as wrong:
        raise UsageError(f"{path} cannot be read: {wrong}.", "Give a file of rules and actions.") from wrong
    parts = [[part.strip() for part in line.split(" | ")] for line in lines if line.strip()]
    if not parts or any(len(one) != PARTS or one[0] not in VERDICTS for one in parts):
        raise UsageError(f"{path} holds no rules and actions.", "A line is `label | rule | action | clause`.")
    return [(one[0], one[1], one[2]) for one in parts]


def _outcome(label: str, said: Conformance) -> str:
    if said is VERDICTS[label]:
        return "right"
    return "unknown" if said is Conformance.UNKNOWN else "wrong"


def _by_words(rule: str, action: str) -> Conformance:
    if likeness(rule, action) < SHARED:
        return Conformance.UNKNOWN
    return Conformance.CONFLICTS if set(rule.lower().split()) & DENIALS else Conformance.FITS


def _always(rows: list[Row]) -> Counter[str]:
    return Counter(_outcome(label, Conformance.UNKNOWN) for label, _, _ in rows)


def _shares(counted: Counter[str], of: int) -> dict[str, object]:
    figures: dict[str, object] = {}
    for name in ("right", "wrong", "unknown"):
        figures[name] = round(counted[name] / of, 4)
        figures[f"{name}_interval"] = wilson(counted[name], of)
    return figures
