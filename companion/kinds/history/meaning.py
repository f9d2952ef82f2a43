"""How much a commit means, and what sort of change it is: a score of named parts.

A commit earns points for explaining itself, for the sort of change (security, revert, performance,
fix, feature, removal), for a request or issue it answers, for source touched together with tests,
for a subject that says something; it loses them for housekeeping. `NOISE` never becomes an episode.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from companion.kinds.history import noise
from companion.kinds.prose import narrative
from companion.records import Commit, FileChange, Importance

SIGNIFICANT = 8.0
"""Points from which it is more than an everyday change: about one in fifteen of those told."""

_TYPES = {
    "feat": "feature",
    "feature": "feature",
    "fix": "fix",
    "bugfix": "fix",
    "hotfix": "fix",
    "security": "fix",
    "perf": "performance",
    "refactor": "refactor",
    "doc": "docs",
    "docs": "docs",
    "test": "test",
    "tests": "test",
    "revert": "revert",
}
_CHANGES = (
    ("revert", re.compile(r"^(?:partial(?:ly)? )?revert(?:s|ed|ing)?\b", re.IGNORECASE)),
    ("docs", re.compile(r"^(?:doc|docs|document(?:s|ed|ing)?)\b", re.IGNORECASE)),
    (
        "fix",
        re.compile(
            r"\b(?:fix(?:e[sd]|ing)?|bug|bugfix|resolv(?:e[sd]?|ing)|correct(?:s|ed|ly)?"
            r"|prevent(?:s|ed|ing)?|avoid(?:s|ed|ing)?"
            r"|ensur(?:e[sd]?|ing)|guard against|handle|don'?t|do not|regression|crash(?:es)?|leak(?:s)?|race|deadlock"
            r"|panic|segfault|broken|restore[sd]?|preserve[sd]?|respect(?:s|ed)?|properly|honou?r[s]?|workaround)\b",
            re.IGNORECASE,
        ),
    ),
    (
        "performance",
        re.compile(
            r"\b(?:speed(?:s|ing)? ?up|speedup|perf|performance|optimi[sz](?:e[sd]?|ing|ation)|faster|cache|lazily"
            r"|memory usage"
            r"|reduce allocations?|allocations?)\b",
            re.IGNORECASE,
        ),
    ),
    ("removal", re.compile(r"^(?:remove|drop|delete|deprecate|kill|discontinue)[sd]?\b|\bdeprecat", re.IGNORECASE)),
    (
        "feature",
        re.compile(
            r"^(?:add|implement|introduce|support|allow|enable|expose|provide|new|accept|permit|make it possible"
            r"|let|adds support"
            r"|stabili[sz]e|feature|initial support|create|include|reintroduce)(?:s|ed|d|ing)?\b|\bsupport$",
            re.IGNORECASE,
        ),
    ),
    ("docs", re.compile(r"^(?:clarif(?:y|ies|ied)|explain|describe)\b", re.IGNORECASE)),
    (
        "refactor",
        re.compile(
            r"^(?:refactor|rename|move|extract|simplif|clean|reorgani[sz]e|restructure|split|merge|inline|convert"
            r"|rewrite"
            r"|consolidate|unify|replace|use|switch|factor|reuse|migrate|generali[sz]e|deduplicate|port)\w*\b",
            re.IGNORECASE,
        ),
    ),
)
_ABOUT_DOCS = re.compile(
    r"\b(?:docs?|documen(?:t|ta|ti)\w*on|docstrings?|\w+\.md|rustdocs?|javadocs?|doc comments?|tutorials?|chapter"
    r"|examples?|guides?|cookbook|faq|benchmarks?|man ?pages?|samples?)\b"
    r"(?!\.|/|_)|\bdocum\w+n\.?$",
    re.IGNORECASE,
)
_DOCS_SCOPE = re.compile(r"^(?:docs?|documentation|website|site)(?:[-_/ ]|$)")
_WORTH = {
    "revert": 2.0,
    "performance": 1.5,
    "fix": 1.0,
    "feature": 1.0,
    "removal": 1.0,
    "refactor": 0.0,
    "docs": -6.0,
    "test": -1.5,
}

_BREAKING = re.compile(
    r"\bBREAKING[ -]CHANGE|\b(?:backwards?|bc)[ -](?:incompatib|break)|\bbreaking change", re.IGNORECASE
)
_DEPRECATES = re.compile(r"\bdeprecat(?:e|es|ed|ion|ing)\b", re.IGNORECASE)
_REASON = re.compile(
    r"\b(?:because|since|so that|in order to|due to|otherwise|previously|instead of|rather than|caused"
    r"|was that|which means"
    r"|the problem|root cause|regression|turns out|this (?:allows|makes|fixes|means"
    r"|ensures|avoids|lets|prevents|adds|changes))\b",
    re.IGNORECASE,
)
_ISSUE = re.compile(r"(?<![\w&])(?:#|GH-)(\d{1,6})\b")
_ADR_PATH = re.compile(r"(?:^|/)(?:adrs?|decisions|rfcs?)/[^/]+\.(?:md|rst|adoc|txt)$", re.IGNORECASE)

EXPLAINED_WORDS = (8, 30, 80)
"""Words of a body worth one, two and three points: a sentence, a paragraph, an explanation."""
MUTE = 3.0
"""Points lost by a subject of one word that nothing explains (`Fix json`): its files cannot say it either."""
CHORE = 3.0
"""Points lost by what its author calls a chore: it needs an explanation to be told."""
HOUSEKEEPING = 4.0
"""Points lost by what touches only tests, documentation, settings: a long explanation alone outweighs it."""
SWEEP_FILES = 60
"""A commit of more files is a sweep or an import; its files tell little."""


@dataclass(frozen=True, slots=True)
class Meaning:
    """What a commit was judged to be: points, the sort of change, and how much it matters."""

    points: float
    change: str
    importance: Importance
    story: str
    """The body as prose, see `prose.narrative`; empty where it says nothing."""

    @property
    def told(self) -> bool:
        """Whether it is worth a look: more than housekeeping. What becomes a memory of that, `earning` says."""
        return self.points > 0


NOISE = Meaning(0.0, "", Importance.TRIVIAL, "")


def weigh(commit: Commit, changes: tuple[FileChange, ...] | None = None) -> Meaning:
    """How much a commit means; `changes` replaces its own (a merge has none).

    Noise by author, subject or paths weighs nothing, except an ADR or a well explained exception.
    """
    touched = commit.changes if changes is None else changes
    if noise.robot(commit) or noise.noise_subject(commit.subject):
        return NOISE
    return judge(commit.subject, narrative(commit.body), touched, pull_request=commit.pull_request, body=commit.body)


def judge(
    subject: str, story: str, touched: tuple[FileChange, ...], *, pull_request: str = "", body: str = ""
) -> Meaning:
    """The points of a title, the prose under it and the files touched."""
    paths = [change.path for change in touched]
    adr = any(_ADR_PATH.search(path) for path in paths)
    bare = noise.bare_subject(subject)
    change = change_of(subject)
    secure = noise.security(subject) or noise.security(body)
    breaking = bare.breaking or _breaks(subject) or _breaks(body)
    points = _said(bare.text, story) + _WORTH.get(change, 0.0) + _reach(paths, change)
    points += 0.75 if pull_request else 0.5 if _ISSUE.search(subject) or _ISSUE.search(body) else 0.0
    points += 3.0 * secure + 2.0 * breaking + 2.0 * adr + 1.0 * bool(_DEPRECATES.search(subject))
    if paths and not (secure or adr) and all(noise.test_path(p) or noise.quiet_path(p) for p in paths):
        points -= HOUSEKEEPING
    if bare.type == "chore":
        points -= CHORE
    if change in {"", "refactor"} and len(story.split()) < EXPLAINED_WORDS[0]:
        points -= 0.5
    matters = secure or breaking or change == "revert" or adr or points >= SIGNIFICANT
    return Meaning(points, change, Importance.SIGNIFICANT if matters else Importance.DEFAULT, story)


def _breaks(text: str) -> bool:
    """Whether a text says that users have to change; the plain look first, since few do."""
    lowered = text.lower()
    return ("break" in lowered or "incompatib" in lowered) and _BREAKING.search(text) is not None


def _said(bare: str, story: str) -> float:
    """Points for what the subject and the body say."""
    telling = len(noise.telling_words(bare))
    words = len(story.split())
    points = 1.0 if telling >= 4 else 0.5 if telling >= 2 else -1.5
    if telling < 2 and words < EXPLAINED_WORDS[0]:
        points -= MUTE
    points += sum(1.0 for limit in EXPLAINED_WORDS if words >= limit)
    return points + (0.75 if words >= EXPLAINED_WORDS[0] and _REASON.search(story) else 0.0)


def _reach(paths: list[str], change: str) -> float:
    """Points for source touched, with its tests, in a number of files that one thought explains."""
    tested = any(noise.test_path(path) for path in paths)
    source = sum(1 for path in paths if not noise.test_path(path) and not noise.quiet_path(path))
    points = 0.5 if source else 0.0
    points += 1.0 if source and tested else 0.0
    points += 0.5 if 2 <= source <= SWEEP_FILES // 2 else 0.0
    return points - (1.0 if len(paths) > SWEEP_FILES and change not in {"removal", "feature"} else 0.0)


@lru_cache(maxsize=65_536)
def change_of(subject: str) -> str:
    """The sort of change a subject names; see `Episode.change`; empty where it names none."""
    bare = noise.bare_subject(subject)
    if bare.type in _TYPES:
        return _TYPES[bare.type]
    if _DOCS_SCOPE.match(bare.scope):
        return "docs"
    if bare.scope in {"test", "tests"}:
        return "test"
    if _ABOUT_DOCS.search(bare.text):
        return "docs"
    for change, words in _CHANGES:
        if words.search(bare.text):
            return change
    return ""


def issues_in(text: str) -> tuple[str, ...]:
    """Numbers of the issues or requests a text names, as written, first named first."""
    return tuple(dict.fromkeys(_ISSUE.findall(text)))


def adr_paths(paths: list[str]) -> tuple[str, ...]:
    """The architecture decision records among some paths."""
    return tuple(path for path in paths if _ADR_PATH.search(path))
