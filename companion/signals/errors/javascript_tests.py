"""Failures as Jest and Vitest print them, with the name of the test in the message."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from companion.signals.errors.found import FoundError
from companion.signals.errors.javascript import frames_of, typed_head

_JEST = re.compile(r"\s*● (.+)$")
_VITEST = re.compile(r"\s*(?:FAIL|❯ FAIL|×)\s+(\S+\.[cm]?[jt]sx?) > (.+)$")
_END = re.compile(r"\s*(?:● |FAIL |PASS |Test Suites:|Tests:|Snapshots:|Test Files |⎯{5,}\[)")
_OUTPUT = ("Console", "Cannot log after tests are done")
_SEEN = re.compile(r"\s*(?:Expected|Received)[^:]{0,40}: .+$")
_CODE = re.compile(r"\s*>?\s*\d* ?\|")
SEEN_MAX = 2
"""The expected and the received value, beside the matcher's name."""
BLOCK_MAX_LINES = 120
"""One failure with a long difference of two objects."""


def find(lines: Sequence[str]) -> Iterator[FoundError]:
    """Each failed test, once for each time it is shown."""
    for at, line in enumerate(lines):
        jest, vitest = _JEST.match(line), _VITEST.match(line)
        if jest and not jest.group(1).startswith(_OUTPUT):
            title = jest.group(1)
        elif vitest:
            title = vitest.group(2)
        else:
            continue
        end = next(
            (end for end in range(at + 1, min(len(lines), at + BLOCK_MAX_LINES)) if _END.match(lines[end])),
            min(len(lines), at + BLOCK_MAX_LINES),
        )
        if found := _failure(lines, at, end, title.strip()):
            yield found


def _failure(lines: Sequence[str], first: int, end: int, title: str) -> FoundError | None:
    said = [at for at in range(first + 1, end) if lines[at].strip() and not _CODE.match(lines[at])]
    if not said:
        return None
    kind, message = typed_head(lines[said[0]]) or ("AssertionError", lines[said[0]].strip())
    seen = [lines[at].strip() for at in said[1:] if _SEEN.match(lines[at])][:SEEN_MAX]
    whole = "; ".join([f"{title}: {message}", *seen])
    return FoundError("javascript", kind, whole, frames_of(lines[first:end]), first, said[-1])
