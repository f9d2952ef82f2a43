"""How well declared and habitual conventions of real repositories are known.

Each line of the truth names a repository at a commit, a convention and its value. The product learns
from that very commit, once as it is and once with its configuration files hidden (then only habits
seen in code and commits can answer), and is asked each convention by name. An answer is right, wrong,
or withheld; where the truth is null (no clear convention), withholding is right and answering wrong.
"""

from __future__ import annotations

import gzip
import json
import re
import time
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from companion.errors import UsageError
from companion.records import Draft

Learn = Callable[[Path, str, bool], Sequence[Draft]]
"""(repository, commit, whether configuration is hidden) to what the product learned there."""

CLEAR = 0.5
"""Confidence an answer needs: below it a fact is a hint."""


@dataclass(frozen=True, slots=True)
class Question:
    """One line of the truth. `expected` is normalised, None where the product should withhold."""

    group: str
    repo: str
    sha: str
    convention: str
    expected: str | None
    if_touches: str = ""
    then_touches: str = ""


@dataclass(frozen=True, slots=True)
class Answer:
    """What the product said to a question, None where it withheld, and how that is judged."""

    question: Question
    hidden: bool
    said: str | None
    verdict: str


def evaluate(truth_path: Path, repos_dir: Path, learn: Learn) -> dict[str, object]:
    """Figures of every question of `truth_path`: `ours`, `baselines`, `by` group, and each of the `answers`.

    Repositories are looked for as `repos_dir/owner/name`, `owner__name` or `name`. Raises UsageError
    where the truth cannot be read or a repository is missing.
    """
    questions = read_truth(truth_path)
    answers: list[Answer] = []
    durations_ms: list[float] = []
    for repo, sha in dict.fromkeys((q.repo, q.sha) for q in questions):
        folder = _folder(repos_dir, repo)
        asked = [q for q in questions if (q.repo, q.sha) == (repo, sha)]
        for hidden in (False, True):
            started = time.perf_counter()
            drafts = learn(folder, sha, hidden)
            durations_ms.append(1000 * (time.perf_counter() - started))
            answers += [_judged(q, hidden, answer(drafts, q, repo)) for q in asked]
    visible = [a for a in answers if not a.hidden]
    return {
        "eval": "conventions",
        "n": len(questions),
        "ours": _figures(visible),
        "baselines": {
            "always withheld": _figures([_judged(q, False, None) for q in questions]),
            "commonest value": _figures([_judged(q, False, USUAL.get(q.convention)) for q in questions]),
        },
        "by": _groups(answers),
        "latency_ms": {"p50": _percentile(durations_ms, 0.5), "p95": _percentile(durations_ms, 0.95)},
        "settings": {"clear": CLEAR},
        "answers": [_told(given) for given in answers],
    }


def read_truth(path: Path) -> list[Question]:
    """The questions of a truth file (JSON Lines, also gzipped)."""
    try:
        raw = path.read_bytes()
        text = (gzip.decompress(raw) if path.suffix == ".gz" else raw).decode("utf-8")
        return _dated([_question(json.loads(line)) for line in text.splitlines() if line.strip()])
    except (OSError, ValueError, KeyError) as wrong:
        raise UsageError(f"{path} is not a conventions truth file: {wrong}.", "See the formats in the docs.") from wrong


def _dated(questions: Sequence[Question]) -> list[Question]:
    """Lines that name no commit are asked at the one that other lines of their repository name, else at its head."""
    known = {q.repo: q.sha for q in reversed(questions) if q.sha}
    return [q if q.sha else replace(q, sha=known.get(q.repo, "HEAD")) for q in questions]


def _question(row: Mapping[str, object]) -> Question:
    kind = str(row["kind"])
    if kind == "workflow_rule":
        name = f"{row['if_touches']} with {row['then_touches']}"
        pair = (str(row["if_touches"]), str(row["then_touches"]))
        return Question(kind, str(row["repo"]), str(row.get("sha", "")), name, "true", *pair)
    value = row["value"]
    convention = str(row["convention"])
    expected = None if value is None else normalised(convention, _text(value))
    return Question(kind, str(row["repo"]), str(row.get("sha", "")), convention, expected)


def _text(value: object) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, list):
        return ", ".join(_text(item) for item in value)
    return str(value)


def _folder(repos_dir: Path, repo: str) -> Path:
    for name in (repo, repo.replace("/", "__"), repo.rpartition("/")[2]):
        if (repos_dir / name).is_dir():
            return repos_dir / name
    raise UsageError(f"{repo} is not in {repos_dir}.", f"Clone it to {repos_dir / repo.rpartition('/')[2]}.")


# --- asking -------------------------------------------------------------------------------------


def answer(drafts: Iterable[Draft], question: Question, repo: str) -> str | None:
    """What the product knows on a question, normalised; None where it knows nothing clear.

    A fact of the whole project goes before one of a package, the package named like the repository
    before others; of several, the surest speaks, and one for a language before one for all. Where the
    surest disagree, there is no answer.
    """
    clear = [draft for draft in drafts if draft.confidence >= CLEAR or question.group == "workflow_rule"]
    if question.group == "workflow_rule":
        return "true" if any(_is_rule(draft, question) for draft in clear) else None
    if question.convention.startswith("indent"):
        return _indent(clear, question.convention)
    names = ALIASES.get(question.convention, (question.convention,))
    for name in names:
        found = _best([draft for draft in clear if draft.attribute == name], repo)
        if found is not None:
            return normalised(question.convention, found)
    return None


ALIASES: Mapping[str, tuple[str, ...]] = {
    "quote_style": ("quotes",),
    "quotes": ("quotes",),
    "max_line_length": ("line_length",),
    "line_width": ("line_length",),
    "python_version": ("min_python",),
    "requires_python": ("min_python",),
    "node_version": ("min_node",),
    "go_version": ("min_go",),
    "min_rust": ("msrv",),
    "rust_version": ("msrv",),
    "rust_edition": ("edition",),
    "java_version": ("min_java",),
    "php_version": ("min_php",),
    "ruby_version": ("min_ruby",),
    "module_type": ("module_system",),
    "license": ("licence",),
    "tests_dir": ("test_dir",),
    "strict_typing": ("mypy_strict", "typescript_strict"),
    "ts_strict": ("typescript_strict",),
    "typescript_strict": ("typescript_strict",),
    "c_standard": ("language_standard",),
    "test_runner": ("test_framework",),
    "semicolons": ("semicolons",),
    "changelog_dir": ("changelog_fragments",),
    "min_coverage": ("coverage_minimum",),
    "coverage_threshold": ("coverage_minimum",),
}
"""Other names of conventions that data sets use, and the attributes that answer them."""

USUAL: Mapping[str, str] = {
    "line_length": "88",
    "formatter": "ruff format",
    "imports_one_per_line": "false",
    "docstring_convention": "google",
    "min_python": "3.10",
    "test_dir": "tests",
    "indent_python": "4 spaces",
    "indent_js_css_yaml": "2 spaces",
    "warnings_are_errors_in_tests": "false",
    "build_backend": "setuptools",
    "src_layout": "true",
    "edition": "2021",
    "conventional_commits": "false",
    "scope_colon_subject": "false",
    "pr_number_suffix": "false",
    "capitalised_subject": "true",
}
"""What most projects do: an answer for those who look at nothing."""


def _best(drafts: Sequence[Draft], repo: str) -> str | None:
    own = repo.rpartition("/")[2].lower()
    for group in (
        [d for d in drafts if not d.scope.path],
        [d for d in drafts if d.scope.path.rpartition("/")[2].lower() == own],
        list(drafts),
    ):
        if group:
            surest = max(d.confidence for d in group)
            sure = [d for d in group if d.confidence == surest]
            values = {d.value for d in sure if d.scope.language} or {d.value for d in sure}
            return values.pop() if len(values) == 1 else None
    return None


_LANGUAGES = {"js": "javascript", "ts": "typescript", "yml": "yaml", "py": "python", "rs": "rust", "c++": "cpp"}


def _indent(drafts: Sequence[Draft], convention: str) -> str | None:
    """The indent of all languages a convention names: what is said of each, else of all files."""
    facts = [draft for draft in drafts if draft.attribute.startswith("indent")]
    by_language: dict[str, str] = {}
    general = ""
    for draft in sorted(facts, key=lambda d: d.confidence):
        named = _named(draft.attribute) or ([draft.scope.language] if draft.scope.language else [])
        for language in named:
            by_language[language] = draft.value
        if not named:
            general = draft.value
    wanted = _named(convention)
    said = {by_language.get(language, general) for language in wanted} if wanted else {general}
    only = said.pop() if len(said) == 1 else ""
    return normalised(convention, only) if only else None


def _named(attribute: str) -> list[str]:
    return [_LANGUAGES.get(word, word) for word in attribute.split("_")[1:] if word not in {"style", "size", "width"}]


def _is_rule(draft: Draft, question: Question) -> bool:
    """Whether a habit says that changes of the one place come with changes of the other."""
    place, joint, companion = draft.attribute.partition(" with ")
    if not joint:
        return False
    return bool(re.search(question.if_touches, place) and re.search(question.then_touches, companion))


# --- judging ------------------------------------------------------------------------------------


def normalised(convention: str, value: str) -> str:
    """A value as it is compared: case, slashes, trailing zeros of versions and quotes do not count."""
    plain = " ".join(value.strip().strip("`'\"").lower().split())
    if convention in {"formatter", "linter", "build_backend"}:
        return plain.replace("-", " ").replace("_", " ").removesuffix(".buildapi").removesuffix(".build")
    if convention.endswith("_dir"):
        return plain.strip("/.")
    if re.fullmatch(r"(?:>=)?v?\d+(?:\.\d+)+", plain):
        parts = plain.removeprefix(">=").removeprefix("v").split(".")
        while len(parts) > 2 and parts[-1] == "0":
            parts.pop()
        return ".".join(parts)
    if convention.startswith("indent"):
        return "tab" if plain.startswith("tab") else re.sub(r"\s*spaces?$", " spaces", plain)
    return {"yes": "true", "no": "false", "1": "1"}.get(plain, plain)


def _judged(question: Question, hidden: bool, said: str | None) -> Answer:
    told = None if said is None else normalised(question.convention, said)
    if question.expected is None:
        verdict = "right" if told is None else "wrong"
    elif told is None:
        verdict = "abstained"
    else:
        verdict = "right" if told == question.expected else "wrong"
    return Answer(question, hidden, told, verdict)


def _told(given: Answer) -> dict[str, object]:
    return {
        "repo": given.question.repo,
        "convention": given.question.convention,
        "hidden": given.hidden,
        "expected": given.question.expected,
        "said": given.said,
        "verdict": given.verdict,
    }


def _figures(answers: Sequence[Answer]) -> dict[str, float]:
    counts = Counter(a.verdict for a in answers)
    total = max(1, len(answers))
    return {name: round(counts[name] / total, 4) for name in ("right", "wrong", "abstained")} | {
        "n": float(len(answers))
    }


def _groups(answers: Sequence[Answer]) -> dict[str, dict[str, float]]:
    groups: dict[str, list[Answer]] = {}
    for given in answers:
        sight = "hidden" if given.hidden else "visible"
        groups.setdefault(sight, []).append(given)
        groups.setdefault(f"{sight}: {given.question.group}", []).append(given)
        groups.setdefault(f"{sight}: {given.question.repo}", []).append(given)
    return {name: _figures(groups[name]) for name in sorted(groups)}


def _percentile(values: Sequence[float], share: float) -> float:
    ordered = sorted(values)
    return round(ordered[min(len(ordered) - 1, int(share * len(ordered)))], 1) if ordered else 0.0
