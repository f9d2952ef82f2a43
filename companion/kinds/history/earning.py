"""Which happenings earn a place among the memories: by evidence that they matter, not by how they are worded.

Every commit stays in the history and is found there. A memory is more: it is put before people who did not ask for
it. So what is worth telling (see `meaning`) becomes one only if it

- answers an advisory, whatever became of its files since;
- states something: a decision (also in a record) on what still is, when an error that it fixed occurs, a weakness of
  the source that it closed, why it took something back;
- explains itself: of nine pieces of evidence beside its opening words (see `leads`) at least five are there; three
  where the title says in which circumstance it holds, or a test in the same change proves it of few files of source
  that still stand; six of what only puts code in order, unless it says when;
- or says in its title in which circumstance what holds, and a test in the same change proves it, with few files
  of source, most of which still stand.

What touches documentation and tests alone changed nothing that is shipped, what touched files most of which are gone
tells of other code (so does what is half gone with all of its tests), a version of a platform that was given up since
concerns nobody, and annotations of types are read by checkers.

The nine pieces and their limits were chosen by reading 1,142 commits of 26 projects, and set anew by reading 1,680 of
15: of all that was kept 17 of 100 were junk, nearly half of that told of code that is gone, a fifth was a vague title,
a sixth put code in order. A logistic regression and boosted stumps over a hundred features of the same commits, tried
on projects that they had not seen, were no better than these rules. Of what was tried, whether the same files changed
again within a fortnight, an issue, a change log and the number of commits in a branch told nothing of what is wanted;
a later commit that cites it is too rare to tell, and so is a name of code in a title that stands nowhere any more:
people name formats, options and libraries alike.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from companion.kinds.history import noise
from companion.kinds.history.decided import decisions_of
from companion.kinds.history.failures import failure_fixed
from companion.kinds.history.gone import Standing
from companion.kinds.history.meaning import adr_paths
from companion.kinds.history.stories import MEMBERS_TOLD, Happening
from companion.kinds.history.undoing import stems
from companion.kinds.leads import hedged, lead, reasons
from companion.kinds.prose import split_sentences
from companion.records import Failure, Importance

EVIDENCE_NEEDED = 5
"""Pieces of evidence from which an explanation earns a place: of 60 with four, 7 were not wanted, of 57 with five 4."""
REASONS_MOST = 3
"""Different reasons, conditions and contrasts of an opening that count, a piece of evidence each."""
OF_PROVEN = 3
"""Pieces from which an explanation earns a place beside a circumstance in the title, or a test of few files that stand:
of 88 with three or four, 11 in 100 were junk, of 71 with neither of the two, 36."""
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
SOURCE_FILES = 5
"""Files of source that one circumstance explains; more are a rework with another name. Of 20 titles read with four or
five one was junk."""
PROVEN_FILES = 3
"""Files of source that one test proves."""

_CIRCUMSTANCE = re.compile(
    r"\b(?:when(?:ever)?|if|unless|until|while|before|after|during|without|instead|no longer|never|always|not|only|must"
    r"|should|by default|even)\b|n['’]t\b",
    re.IGNORECASE,
)
_WEAKNESS = re.compile(
    r"\b(?:open redirect|xss|cross[- ]site scripting|(?:path|directory) traversal|re-?dos|prototype pollution"
    r"|denial[- ]of[- ]service|(?:code|command|sql|header|html|log|crlf) injection|timing attack"
    r"|request smuggling|response splitting|privilege escalation|allow-?list bypass)\b",
    re.IGNORECASE,
)
"""What a source could be abused by, by its name."""
_VAGUE = re.compile(
    r"^(?:fix(?:e[sd])?|improv\w*|chang\w*|updat\w*|alter\w*|better|more)\b.{0,20}"
    r"\b(?:behaviou?r|handling|logic|messages?|bugs?|issues?|regressions?|fixes)\b"
    r"(?!\s*[,:;]|\s+(?:where|that|which|causing)\b)",
    re.IGNORECASE,
)
"""A title that says that something was wrong, and not what: `Fix behavior when passing a nested instance`."""
_HALF = re.compile(r"^(?:to|which|where|that|whose|because)\b", re.IGNORECASE)
"""How the second half of a sentence begins: the first one stands elsewhere."""
_OF_TYPES = re.compile(
    r"\b(?:type (?:annotations?|hints?)|paramspec|typevars?)\b|\b(?:typing|annotations)$", re.IGNORECASE
)
"""A title about what only a checker of types reads."""
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
    r"^(?:refactor|renam|mov|extract|combin|consolidat|split|re-?organi|re-?structur|flatten|inlin|tid[iy])\w*\b",
    re.IGNORECASE,
)
"""How a title begins that puts code in order."""
_USERS_WRITE = re.compile(
    r"\b(?:config\w*|settings?|options?|flags?|commands?|arguments?|parameters?)\b", re.IGNORECASE
)
"""What users write: putting that in order concerns them."""
_A_TEST = re.compile(r"\b\w+_(?:spec|tests?)(?:\.\w+)?\b|\btest_\w+|\b\w+\.(?:spec|test)\.\w+", re.IGNORECASE)
"""A test by its name."""


def earns(happening: Happening, standing: Standing) -> bool:
    """Whether a happening becomes a memory; see the module."""
    paths = [change.path for change in happening.changes]
    if adr_paths(paths):
        return True
    if noise.advisory_in(happening.title) or noise.SECURITY_FIX in happening.title.lower():
        return not noise.only_quiet_paths(paths)
    if standing.outlived(happening.title) or _gone(paths, standing):
        return False
    if noise.security(happening.title) and happening.meaning.change != "refactor":
        return not noise.only_quiet_paths(paths)
    if happening.meaning.change == "docs" or noise.only_tests_or_prose(paths):
        return False
    title = noise.bare_subject(happening.title).text
    if _OF_TYPES.search(title) or (happening.meaning.change == "refactor" and _A_TEST.search(happening.title)):
        return False
    return states(happening, standing) or explains(happening, standing) or proves(happening, standing)


def _gone(paths: Sequence[str], standing: Standing) -> bool:
    """Whether most of the files are gone, or half of the source and every test of it."""
    source, tests = _source(paths), [path for path in paths if noise.test_path(path)]
    if not standing.half_stands(source or paths):
        return True
    return bool(source and tests) and not standing.stands(source) and not standing.any_stands(tests)


def states(happening: Happening, standing: Standing) -> bool:
    """Whether a happening states a decision on what still is, when its error occurs, or why it took something back."""
    told = lead(happening.title, happening.story)
    if happening.meaning.change == "revert":
        return bool(told)
    if any(standing.applies(one.choice) for one in decisions_of(happening)):
        return True
    if happening.meaning.change == "fix" and _WEAKNESS.search(happening.title):
        return True
    failure = failure_of(happening)
    return failure is not None and (reasons(f"{happening.title} {told}") > 0 or failure.message not in happening.title)


def explains(happening: Happening, standing: Standing) -> bool:
    """Whether there is evidence enough that the opening of a happening's story explains it."""
    told = lead(happening.title, happening.story)
    paths = [change.path for change in happening.changes]
    if len(told) < OPENING_CHARS or noise.only_ci_paths(paths):
        return False
    tested = any(noise.test_path(path) for path in paths)
    circumstance = _CIRCUMSTANCE.search(happening.title) is not None
    evidence = (
        min(REASONS_MOST, reasons(told)),
        len(told.split()) >= OPENING_WORDS,
        len(happening.story) > len(told) + GOES_ON_CHARS,
        len(stems(told) & stems(happening.title)) >= SHARED_WORDS,
        tested,
        circumstance,
        happening.meaning.importance > Importance.DEFAULT,
    )
    if circumstance:
        return sum(evidence) >= OF_PROVEN
    if _orders(happening):
        return sum(evidence) >= OF_ORDER
    source = _source(paths)
    proven = tested and 0 < len(source) <= PROVEN_FILES and standing.stands(source)
    return sum(evidence) >= (OF_PROVEN if proven else EVIDENCE_NEEDED)


def _orders(happening: Happening) -> bool:
    """Whether a happening only puts code in order, and nothing that users write."""
    title = noise.bare_subject(happening.title).text
    orders = happening.meaning.change == "refactor" or _REARRANGES.match(title) is not None
    return orders and _USERS_WRITE.search(title) is None


def proves(happening: Happening, standing: Standing) -> bool:
    """Whether a title says in which circumstance what holds, beside a test, of source that still stands."""
    title = noise.bare_subject(happening.title).text
    if happening.meaning.change in {"refactor", "revert"} or _IMPROVES.match(title) or _remarks(title):
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
    """Whether a title complains, speaks of its author's mood or of tests, or says nothing whole."""
    spoken = title.endswith("!") or hedged(title)
    return spoken or any(pattern.search(title) for pattern in (_OF_TESTS, _VAGUE, _HALF))


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
