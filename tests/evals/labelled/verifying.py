"""Whether an action fits the rules of a project, conflicts with them, or nobody can say, by the product's own check.

A file has a line each of `label | rule | action | clause`: `conflicts`, `fits` or `silent`, and the part of the rule that
decides. Each rule is the only thing known when its action is checked. Right is the verdict of the label, or unknown for
silent; wrong is any other that is not unknown. Beside it stands what the words alone would say: a rule that shares half
of its telling words with the action forbids it if the rule denies something, else it asks for it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from pathlib import Path

from companion.errors import UsageError
from companion.evals.statistics import wilson
from companion.language.subjects import likeness
from companion.language.word_lists import DENIALS
from companion.reason.hints import Memo
from companion.reason.verify import Weighed, verify
from companion.records.reasoning import Conformance

VERDICTS = {"conflicts": Conformance.CONFLICTS, "fits": Conformance.FITS, "silent": Conformance.UNKNOWN}
SHARED = 0.5
"""Share of telling words from which the plain baseline says something."""
PARTS = 4


def verifying(path: Path, *, progress: Callable[[int, int], None] = lambda done, total: None) -> dict[str, object]:
    """Shares right, wrong and unknown of a file, as one JSON object. Raises UsageError for what it cannot read."""
    rows = _rows(path)
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
        "baselines": {"words": _shares(plain, len(rows)), "always unknown": _shares(_always(rows), len(rows))},
        "misses": misses,
        "settings": {},
    }


def _rows(path: Path) -> list[tuple[str, str, str]]:
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


def _always(rows: list[tuple[str, str, str]]) -> Counter[str]:
    return Counter(_outcome(label, Conformance.UNKNOWN) for label, _, _ in rows)


def _shares(counted: Counter[str], of: int) -> dict[str, object]:
    figures: dict[str, object] = {}
    for name in ("right", "wrong", "unknown"):
        figures[name] = round(counted[name] / of, 4)
        figures[f"{name}_interval"] = wilson(counted[name], of)
    return figures
