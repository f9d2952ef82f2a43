"""Which happenings become memories: those whose message says what was decided, taken back, made safe, or why.

Every commit stays in the history and is found there as a passage. A memory is put before people who did not ask for it,
so promotion is strict, and its signs are few and general. What is worth telling (see `meaning`) is promoted if it

- touches a decision record, or answers an advisory, whatever became of its files since;
- closes a hole of security, names the error that it fixed and its circumstance, states a decision on what still is, or
  takes something back and says why;
- changes source that still stands and gives a reason in a sentence of its own: with the words of English that join a
  thing with its cause or purpose, or with what it was before or takes the place of, which alone is no reason to put
  code in another order.

What touches documentation, tests and continuous integration alone changed nothing that is shipped, what touched files
most of which are gone tells of other code, and a version of a platform that was given up since concerns nobody.
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
from companion.kinds.prose import sentences
from companion.records import Failure

REASON_CHARS = 60
"""Characters of a sentence below which it is a remark."""

_CAUSE = re.compile(
    r"\b(?:because|since(?! v?\d)|so that|so as to|due to|otherwise|in order to|as a result|caus(?:e[sd]?|ing))\b",
    re.IGNORECASE,
)
"""What joins a thing with its cause or its purpose: a closed class."""
_BEFORE = re.compile(r"\b(?:instead of|rather than|previously|formerly|no longer|used to|breaking)\b", re.IGNORECASE)
"""What joins it with what was before."""


def earns(happening: Happening, standing: Standing) -> bool:
    """Whether a happening becomes a memory; see the module."""
    paths = [change.path for change in happening.changes]
    if adr_paths(paths):
        return True
    if noise.advisory_in(happening.title) or noise.SECURITY_FIX in happening.title.lower():
        return not noise.only_quiet_paths(paths)
    if standing.outlived(happening.title) or _gone(paths, standing):
        return False
    if noise.security(happening.title):
        return not noise.only_quiet_paths(paths)
    if happening.meaning.change == "docs" or noise.only_tests_or_prose(paths) or noise.only_ci_paths(paths):
        return False
    if failure_of(happening) or any(standing.applies(one.choice) for one in decisions_of(happening)):
        return True
    return gives_reason(happening)


def gives_reason(happening: Happening) -> bool:
    """Whether a sentence of a happening's own story says why it was done; a line of a list does not."""
    told = [line for line in sentences(happening.story) if len(line) >= REASON_CHARS and not line.startswith("- ")]
    if happening.meaning.change == "revert":
        return bool(told)
    chore = noise.bare_subject(happening.title).type == "chore"
    ordered = chore or happening.meaning.change in {"refactor", "performance", "test", ""}
    return any(_CAUSE.search(line) or (not ordered and _BEFORE.search(line)) for line in told)


def _gone(paths: Sequence[str], standing: Standing) -> bool:
    """Whether most of the files are gone, or half of the source and every test of it."""
    source = [path for path in paths if not noise.test_path(path) and not noise.quiet_path(path)]
    tests = [path for path in paths if noise.test_path(path)]
    if not standing.half_stands(source or paths):
        return True
    return bool(source and tests) and not standing.stands(source) and not standing.any_stands(tests)


def failure_of(happening: Happening) -> Failure | None:
    """The error that a happening fixed: the one its own message names, else one of its few commits."""
    told = failure_fixed(happening.title, happening.commit.body, happening.commit.sha)
    if told is not None or len(happening.members) > MEMBERS_TOLD:
        return told
    fixed = (failure_fixed(member.subject, member.body, member.sha) for member in happening.members)
    return next((failure for failure in fixed if failure is not None), None)
