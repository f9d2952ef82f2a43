"""Lines of a text that is being edited, against the same text as it was saved.

Only what is certain is used: the lines before the first change and those after the last one are the
same lines, moved by what was put in between. A line within the change has no counterpart.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from msgspec import Struct

_ENDS = re.compile(r"\r\n|\r|\n")


def lines_of(text: str) -> list[str]:
    """The lines of a text as the protocol counts them, without their ends; at least one."""
    return _ENDS.split(text)


class Shift(Struct, frozen=True):
    """How many lines two versions of a text share at the top (`before`) and at the bottom (`after`)."""

    before: int
    after: int
    saved: int
    edited: int

    @classmethod
    def between(cls, saved: Sequence[str], edited: Sequence[str]) -> Shift:
        """Compare a saved text with an edited one."""
        most = min(len(saved), len(edited))
        before = 0
        while before < most and saved[before] == edited[before]:
            before += 1
        after = 0
        while after < most - before and saved[-1 - after] == edited[-1 - after]:
            after += 1
        return cls(before, after, len(saved), len(edited))

    def to_edited(self, line: int) -> int | None:
        """Where a saved line (from 1) stands now; None if it was changed or taken out."""
        if 1 <= line <= self.before:
            return line
        if self.saved - self.after < line <= self.saved:
            return line + self.edited - self.saved
        return None

    def around(self, line: int) -> tuple[int, int]:
        """The saved lines around an edited one (from 1): twice the line itself, or those above and below the change."""
        if line <= self.before:
            return line, line
        if line > self.edited - self.after:
            return line - self.edited + self.saved, line - self.edited + self.saved
        return self.before, self.saved - self.after + 1
