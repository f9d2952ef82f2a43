"""What the signals mean: files at hand, the words of the task, the activity.

A signal is what was observed; a focus is what follows from it. Each inference keeps its reason, and
nothing here guesses at files: `predict` does that from the focus.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType

from msgspec import Struct, field

from companion.language.word_lists import GLUE
from companion.records import Activity, ErrorReport, Signals
from companion.records.search import QUERY_MAX_CHARACTERS

CURRENT_WEIGHT = 1.0
EDITED_WEIGHT = 0.3
"""Files edited a moment ago: at 0.7 their neighbours took the place of those of the file in front (`eval prefetch`)."""
OPENED_WEIGHT = 0.3
"""An open file may be there by chance."""
FRAME_WEIGHT = 0.6
"""A file that an error names leads to the files that usually change with it."""
FRAMES_LIMIT = 8
"""Innermost frames that are followed: deeper stacks pass through the same dispatching code."""

_TRUNKS = frozenset(
    ["main", "master", "trunk", "develop", "development", "dev", "head", "default", "stable", "release", "next"]
)
_BRANCH_CUT = re.compile(r"[/_\-.\s]+")
_NAME = re.compile(
    r"(?P<before>(?<!\w)[@`])?(?P<name>[A-Za-z_$][\w$]*(?:(?:\.|::|->|#)[A-Za-z_$][\w$]*)*)(?=(?P<behind>[(`])?)"
)
_MARKS = frozenset(["(", "@", "@(", "``", "`("])
"""What stands before and behind a name, and says that any word is one: called, an annotation, set in backticks."""
_MIXED = re.compile(r"[a-z0-9][A-Z]|[A-Z]{2}[a-z]|_|\d")
_SEPARATOR = re.compile(r"\.|::|->|#")

_ALONE = rf"\b(?! (?!(?:{'|'.join(sorted(GLUE))})\b)[a-z])"
"""A word tells of trouble where it stands for itself, and of a thing beside another: `debug mode`, `error page`."""
_SAID = (
    (
        Activity.REVIEW,
        re.compile(r"\b(?:review(?:ing|ed)?|pull request|merge request|code audit|look over|approve)\b"),
    ),
    (
        Activity.REFACTORING,
        re.compile(
            r"\b(?:refactor\w*|renam\w+|restructur\w+|clean ?up|extract(?:ing)?|simplif\w+|deduplicat\w+|"
            r"reorgani[sz]\w+|moderni[sz]\w+|move \w+ (?:to|into)|split \w+ (?:up|into)|^inline)\b"
        ),
    ),
    (
        Activity.DEBUGGING,
        re.compile(
            r"\b(?:fix(?:es|ing)?|bug\w+|debugg\w+|hotfix|crash\w*|fail(?:s|ed|ing|ures?)?|"
            r"broken?|breaks|raises|throws|regress\w*|traceback|stack ?trace|deadlock\w*|leak\w*|flaky|wrong(?:ly)?|"
            rf"does(?:n't| not) work|not working|(?:fixed|bug|debug|errors?|exceptions?){_ALONE})\b"
        ),
    ),
    (
        Activity.NEW_FEATURE,
        re.compile(
            r"\b(?:feat(?:ure)?s?|add(?:s|ed|ing)?|implement\w*|introduc\w+|support(?:s|ing)?|creat(?:e|es|ing)|"
            r"build(?:ing)?|new|allow(?:s|ing)?|enabl(?:e|es|ing)|extend(?:s|ing)?)\b"
        ),
    ),
)
"""Words that tell the activity, the most particular first: "fix the new parser" is debugging."""

COMMIT_ID = re.compile(r"\b(?=[a-f]*\d)(?=\d*[a-f])[\da-f]{7,40}\b")
"""What can be the id of a commit: as a word it says nothing. Who completes an ask tells what that commit did."""
_LEAD = re.compile(r"\W*(?P<word>[a-z]+)\b")
"""The first word of a task: what is to be done, or the sort of change (`feat(cli): ...`)."""
_NO_VERBS = frozenset({"new", "support", "build", "building", "feature", "features", "extract", "debug"})
"""Words that lead a report as well: `New parser fails`, `Build is broken`, `Debug mode prints nothing`."""
_WANTED = re.compile(r"\b(?:should|must|ought to|needs? to|would like)\b(?:(?!\b(?:but|however|yet)\b)[^.,;:\n])*")
"""What is said to be wanted, to the end of its clause."""


TASK_GIVEN, NOTHING_SAID = "a task was given", "nothing says what the work is"
ASSUMED = frozenset({TASK_GIVEN, NOTHING_SAID})
"""Why an activity is taken that nothing speaks of: it decides what is shown, and is not told."""


class Focus(Struct, frozen=True):
    """The meaning of one set of signals.

    `files` maps paths that matter now to their weight, heaviest first: those at hand and those an
    error names. `at_hand` are the ones in front of the developer already, which need no predicting.
    `text` is the task in words (query, error, branch); `names` the identifiers in it, unqualified.
    `error_files` are files of the repository that the errors name, 1 for the innermost.
    """

    current: str = ""
    files: Mapping[str, float] = field(default_factory=dict)
    at_hand: frozenset[str] = frozenset()
    text: str = ""
    names: tuple[str, ...] = ()
    error_files: Mapping[str, float] = field(default_factory=dict)
    activity: Activity = Activity.EXPLORING
    why_activity: str = NOTHING_SAID


def focus(signals: Signals, errors: Sequence[ErrorReport]) -> Focus:
    """What `signals` and the errors parsed from them mean.

    Deterministic; paths are kept as given. Files that are not indexed still count: a new file has a name and a folder.
    """
    error_files = _error_files(errors)
    at_hand = _unique([signals.current_file, *signals.edited, *signals.opened])
    files: dict[str, float] = {}
    for paths, weight in (
        ([signals.current_file], CURRENT_WEIGHT),
        (signals.edited, EDITED_WEIGHT),
        (signals.opened, OPENED_WEIGHT),
    ):
        for path in paths:
            if path:
                files[path] = max(weight, files.get(path, 0.0))
    for path, share in error_files.items():
        files[path] = max(FRAME_WEIGHT * share, files.get(path, 0.0))
    text = _text(signals, errors)
    activity, why = activity_of(signals, errors)
    return Focus(
        current=signals.current_file,
        files=MappingProxyType(dict(sorted(files.items(), key=lambda item: (-item[1], item[0])))),
        at_hand=frozenset(at_hand),
        text=text,
        names=_names(text, errors),
        error_files=MappingProxyType(error_files),
        activity=activity,
        why_activity=why,
    )


def identifiers(text: str) -> tuple[str, ...]:
    """Names in a text that look like code, unqualified, in order of first use.

    `parse_args`, `HTTPError`, `Flask.route` (both parts) and `utf8` count, and words that are marked as code; plain
    words do not.
    """
    found: dict[str, None] = {}
    for match in _NAME.finditer(text):
        parts = _SEPARATOR.split(match["name"])
        marked = f"{match['before'] or ''}{match['behind'] or ''}" in _MARKS
        for part in parts:
            if len(part) > 2 and (len(parts) > 1 or marked or _MIXED.search(part)):
                found.setdefault(part)
    return tuple(found)


def branch_words(branch: str) -> str:
    """What a branch name says in words; nothing for trunks. `fix/1234-login-loop` gives `fix login loop`."""
    words = [word for word in _BRANCH_CUT.split(branch) if word and not word.isdigit()]
    if all(word.lower() in _TRUNKS for word in words):
        return ""
    return " ".join(words)


def activity_in(text: str) -> tuple[Activity, str] | None:
    """The activity that a text speaks of, and the word that says so; None if it says nothing.

    What is asked for goes before what is reported: the verb that leads the text, whatever else it names (`Add an error
    page`); and what should be is no report of what is (`should throw an error with a code`).
    """
    lower = text.strip().lower()
    if lead := _LEAD.match(lower):
        for activity, words in _SAID:
            if words.fullmatch(lead["word"]) and lead["word"] not in _NO_VERBS:
                return activity, lead["word"]
    reported = _WANTED.sub("", lower)
    for activity, words in _SAID:
        if match := words.search(reported):
            return activity, match.group()
    return None


def _unique(paths: Iterable[str]) -> list[str]:
    return list(dict.fromkeys(path for path in paths if path))


def _error_files(errors: Sequence[ErrorReport]) -> dict[str, float]:
    """Files of the repository on the errors' stacks; the first named and the last weigh most.

    Languages disagree on which end of a stack is the innermost, so both ends count as such.
    """
    found: dict[str, float] = {}
    for error in errors:
        inside = [frame.path for frame in error.frames if frame.inside and frame.path]
        for place, path in enumerate(inside):
            depth = min(place, len(inside) - 1 - place)
            if depth < FRAMES_LIMIT:
                found[path] = max(1.0 / (1 + depth), found.get(path, 0.0))
    return found


def _text(signals: Signals, errors: Sequence[ErrorReport]) -> str:
    said = [COMMIT_ID.sub(" ", signals.query), *(f"{error.error_type} {error.message}".strip() for error in errors)]
    said.append(branch_words(signals.branch))
    return "\n".join(part for part in said if part)[:QUERY_MAX_CHARACTERS]


def _names(text: str, errors: Sequence[ErrorReport]) -> tuple[str, ...]:
    of_errors = (part for error in errors for name in error.symbols for part in _SEPARATOR.split(name))
    of_frames = (
        _SEPARATOR.split(frame.symbol)[-1]
        for error in errors
        for frame in error.frames
        if frame.inside and frame.symbol
    )
    return tuple(_unique([*identifiers(text), *of_errors, *of_frames]))


def activity_of(signals: Signals, errors: Sequence[ErrorReport]) -> tuple[Activity, str]:
    """What is being done and how that is known; a task in words is never exploring, whatever its words."""
    if signals.activity is not None:
        return signals.activity, "it was given"
    if errors or signals.errors:
        return Activity.DEBUGGING, "an error was given"
    for source, text in (("query", signals.query), ("branch name", branch_words(signals.branch))):
        if said := activity_in(text):
            return said[0], f"the {source} says “{said[1]}”"
    if signals.query.strip():
        return Activity.NEW_FEATURE, TASK_GIVEN
    return Activity.EXPLORING, NOTHING_SAID
