"""Errors that a fix names: what was raised, in which words, for the history of what went wrong."""

from __future__ import annotations

import re

from companion.kinds.history.titles import bare_title
from companion.kinds.subjects import failure_key
from companion.language.phrases import opens, parted, says
from companion.records import Failure

MESSAGE_CHARS = 200
"""Characters of an error's message that are kept; a line, as people read it."""

CIRCUMSTANCE_WORDS = 3
"""Words of a circumstance, at least: `in Config` alone tells nothing that the type has not told."""

_NAME = r"(?:[A-Za-z_]\w*+(?:\.|::)){0,10}[A-Z]\w{0,100}(?:Error|Exception|Fault|Panic|Interrupt|Overflow)\b"
"""Parts and letters have a bound, as has what stands before it on a line: else each would be tried to the end."""
_NAMED = re.compile(rf"\b(?P<type>{_NAME})")
_LINE = re.compile(
    rf"^(?:[^\S\n]|[>|E]){{0,60}}(?:(?:Fatal error: )?(?:Uncaught )?)(?P<type>{_NAME})(?:\(\))?: (?P<message>\S.*)$",
    re.MULTILINE,
)


def failure_fixed(subject: str, body: str, commit: str) -> Failure | None:
    """The error a commit says it fixes; None where it names none, or speaks of errors as a feature.

    The type and message come from a line of the body as a runtime prints it (`KeyError: 'x'`), or
    else from the subject ("Fix KeyError in parse when the file is empty": the circumstance is the
    message). `verified` is False: nobody has seen the error gone.
    """
    bare = bare_title(subject)
    fixes = bare.type in {"fix", "bug", "bugfix", "hotfix"} if bare.type else says(bare.text, "written.fixing.fixes")
    if not fixes or opens(bare.text, "written.fixing.adds"):
        return None
    printed = _LINE.search(body) if ": " in body else None
    if printed is not None and _plausible(printed["message"]):
        return _failure(printed["type"], printed["message"], bare.text, commit)
    named = _NAMED.search(bare.text)
    type_, rest = (named[0], bare.text[named.end() :]) if named else parted(bare.text, "written.fixing.faults")[1:]
    type_ = type_ if named or type_.endswith("bounds") else type_.removesuffix("s")
    _, word, place = parted(rest, "written.fixing.circumstance")
    told = f"{word} {place}"
    return _failure(type_, told, bare.text, commit) if word and _places(told) else None


def _places(circumstance: str) -> bool:
    """Whether a circumstance says where or when: in three words, or by a name of code."""
    return len(circumstance.split()) >= CIRCUMSTANCE_WORDS or re.search(r"[_.(`]|[a-z][A-Z]", circumstance) is not None


def _plausible(message: str) -> bool:
    """A message has words; a parameter list or a docstring's entry has not the look of one."""
    return len(message.split()) >= 2 and not message.lower().startswith(("if ", "when ", "raised"))


def _failure(type_: str, message: str, fix: str, commit: str) -> Failure:
    plain = type_ if type_[0].isupper() or "." in type_ else type_.lower()
    text = " ".join(message.split())[:MESSAGE_CHARS]
    return Failure(failure_key(plain, text), plain, text, fix=fix, fix_commit=commit, verified=False)
