"""Which happenings earn a place among the memories: by evidence that they matter, not by how they are worded.

Every commit stays in the history and is found there. A memory is more: it is put before people who did not ask for
it. So what is worth telling (see `meaning`) becomes one only if it

- states something: a decision (also in a record) on what still is, when an error that it fixed occurs, a weakness of
  the source that it closed, why it took something back;
- explains itself: of nine pieces of evidence beside its opening words (see `leads`) at least five are there, four of a
  fix with a test, six of what only puts code in order;
- or says in its title in which circumstance what holds, and a test in the same change proves it, with few files
  of source, most of which still stand.

What touches documentation and tests alone changed nothing that is shipped, what touched files most of which are gone
tells of other code, and a version of a platform that was given up since concerns nobody.

The nine pieces and their limits were chosen by reading 1,142 commits of 26 projects, and judged on projects not among
them. Of what was tried, whether the same files changed again within a fortnight, an issue, a change log and the number
of commits in a branch told nothing of what is wanted; a later commit that cites it is too rare to tell.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

from companion.judging.lexicon import stem
from companion.judging.words import GLUE
from companion.kinds.history import noise
from companion.kinds.history.decided import decisions_of
from companion.kinds.history.failures import failure_fixed
from companion.kinds.history.gone import Standing
from companion.kinds.history.meaning import adr_paths
from companion.kinds.history.stories import MEMBERS_TOLD, Happening
from companion.kinds.leads import hedged, lead, reasons
from companion.kinds.prose import split_sentences
from companion.records import Failure, Importance

EVIDENCE_NEEDED = 5
"""Pieces of evidence from which an explanation earns a place: of 60 with four, 7 were not wanted, of 57 with five 4."""
REASONS_MOST = 3
"""Different reasons, conditions and contrasts of an opening that count, a piece of evidence each."""
OF_A_FIX = 4
"""Pieces from which the explanation of a fix earns a place that a test in the same change proves."""
OF_ORDER = 6
"""Pieces from which the explanation of what only puts code in order earns a place: most of it changed no behaviour."""
OPENING_WORDS = 20
"""Words from which an opening explains rather than remarks."""
OPENING_CHARS = 60
"""Characters below which an opening is a remark, whatever stands beside it."""
GOES_ON_CHARS = 40
"""Characters of a story beyond its opening, from which somebody took the trouble to go on."""
SHARED_WORDS = 2
"""Words that an opening shares with its title, from which it speaks of the same thing."""
TITLE_WORDS = 5, 20
"""Words of a title that says what holds when: fewer leave out one or the other, more are a list."""
LETTERS_LEAST = 3
"""Letters of a word that can be shared: shorter ones join, or stand by chance in both."""
SOURCE_FILES = 3
"""Files of source that one circumstance explains; more are a rework with another name."""

_CIRCUMSTANCE = re.compile(
    r"\b(?:when(?:ever)?|if|unless|until|without|instead|no longer|never|always|not|only|must|should|by default|even)\b"
    r"|n['’]t\b",
    re.IGNORECASE,
)
_WEAKNESS = re.compile(
    r"\b(?:open redirect|xss|cross[- ]site scripting|(?:path|directory) traversal|re-?dos|prototype pollution"
    r"|denial[- ]of[- ]service|(?:code|command|sql|header|html|log|crlf) injection|timing attack"
    r"|request smuggling|response splitting|privilege escalation|allow-?list bypass)\b",
    re.IGNORECASE,
)
"""What a source could be abused by, by its name."""
_IMPROVES = re.compile(r"^(?:improv|enhanc|rework|refactor|tweak|adjust|polish|simplif)\w*\b", re.IGNORECASE)
"""How a title begins that says of something that it is better now, and not what holds."""
_SWAPS = re.compile(
    r"^(?:makes? use of|(?:mov|switch|chang)\w+ to|us(?:e|es|ed|ing)|prefer\w*|replac\w+)\b.*?"
    r"\b(?:instead of|rather than|in place of)\b",
    re.IGNORECASE,
)
"""A title that only puts one piece of code in the place of another, unless it goes on to say when."""
_OF_TESTS = re.compile(
    r"\b(?:the|our|all|unit) (?:unit )?tests?\b(?! (?:client|runner|response|server|util))", re.IGNORECASE
)
"""A title about the tests themselves."""
_REARRANGES = re.compile(
    r"^(?:refactor|renam|mov|extract|combin|consolidat|split|re-?organi|re-?structur|flatten|inlin|tid[iy])\w*\b"
    r"(?!.*\b(?:config\w*|settings?|options?|flags?|commands?|arguments?|parameters?)\b)",
    re.IGNORECASE,
)
"""How a title begins that puts code in order, and nothing that users write."""
_A_TEST = re.compile(r"\b\w+_(?:spec|tests?)(?:\.\w+)?\b|\btest_\w+|\b\w+\.(?:spec|test)\.\w+", re.IGNORECASE)
"""A test by its name."""
_PARTS = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])")
"""The words of a text, and those that names of code are made of."""


def earns(happening: Happening, standing: Standing) -> bool:
    """Whether a happening becomes a memory; see the module."""
    paths = [change.path for change in happening.changes]
    if adr_paths(paths):
        return True
    if standing.outlived(happening.title) or not standing.half_stands(_source(paths) or paths):
        return False
    if noise.security(happening.title) and happening.meaning.change != "refactor":
        return not noise.only_quiet_paths(paths)
    if happening.meaning.change == "docs" or noise.only_tests_or_prose(paths):
        return False
    if happening.meaning.change == "refactor" and _A_TEST.search(happening.title):
        return False
    return states(happening, standing) or explains(happening) or proves(happening, standing)


def states(happening: Happening, standing: Standing) -> bool:
    """Whether a happening states a decision on what still is, when its error occurs, or why it took something back."""
    told = lead(happening.title, happening.story)
    if happening.meaning.change == "revert":
        return bool(told)
    if any(standing.applies(choice) for _, choice in decisions_of(happening)):
        return True
    if happening.meaning.change == "fix" and _WEAKNESS.search(happening.title):
        return True
    failure = failure_of(happening)
    return failure is not None and (reasons(f"{happening.title} {told}") > 0 or failure.message not in happening.title)


def explains(happening: Happening) -> bool:
    """Whether there is evidence enough that the opening of a happening's story explains it."""
    told = lead(happening.title, happening.story)
    if len(told) < OPENING_CHARS or noise.only_ci_paths(change.path for change in happening.changes):
        return False
    tested = any(noise.test_path(change.path) for change in happening.changes)
    evidence = (
        min(REASONS_MOST, reasons(told)),
        len(told.split()) >= OPENING_WORDS,
        len(happening.story) > len(told) + GOES_ON_CHARS,
        len(_stems(told) & _stems(happening.title)) >= SHARED_WORDS,
        tested,
        _CIRCUMSTANCE.search(happening.title) is not None,
        happening.meaning.importance > Importance.DEFAULT,
    )
    if _REARRANGES.match(noise.bare_subject(happening.title).text):
        return sum(evidence) >= OF_ORDER
    return sum(evidence) >= (OF_A_FIX if tested and happening.meaning.change == "fix" else EVIDENCE_NEEDED)


def proves(happening: Happening, standing: Standing) -> bool:
    """Whether a title says in which circumstance what holds, beside a test, of source that still stands."""
    title = noise.bare_subject(happening.title).text
    if happening.meaning.change == "refactor" or _IMPROVES.match(title) or _remarks(title):
        return False
    if _swaps(title) and not lead(happening.title, happening.story):
        return False
    least, most = TITLE_WORDS
    if not least <= len(title.split()) <= most or len(split_sentences(title)) > 1 or not _CIRCUMSTANCE.search(title):
        return False
    paths = [change.path for change in happening.changes]
    source = _source(paths)
    tested = any(noise.test_path(path) for path in paths)
    return tested and 0 < len(source) <= SOURCE_FILES and standing.stands(source)


def _remarks(title: str) -> bool:
    """Whether a title complains, or speaks of its author's mood or of tests."""
    return title.endswith("!") or hedged(title) or _OF_TESTS.search(title) is not None


def _swaps(title: str) -> bool:
    """Whether a title only puts one piece of code in the place of another."""
    swap = _SWAPS.match(title)
    return swap is not None and _CIRCUMSTANCE.search(title, swap.end()) is None


def _source(paths: Sequence[str]) -> list[str]:
    """Those of some paths that are neither tests nor quiet."""
    return [path for path in paths if not noise.test_path(path) and not noise.quiet_path(path)]


def failure_of(happening: Happening) -> Failure | None:
    """The error that a happening fixed: the one its own message names, else one of its few commits."""
    told = failure_fixed(happening.title, happening.commit.body, happening.commit.sha)
    if told is not None or len(happening.members) > MEMBERS_TOLD:
        return told
    fixed = (failure_fixed(member.subject, member.body, member.sha) for member in happening.members)
    return next((failure for failure in fixed if failure is not None), None)


@lru_cache(maxsize=4_096)
def _stems(text: str) -> frozenset[str]:
    """The stems of the words in a text, of its names of code too, but for those that only join."""
    words = (part.lower() for part in _PARTS.findall(text))
    return frozenset(stem(word) for word in words if len(word) >= LETTERS_LEAST and word not in GLUE)
