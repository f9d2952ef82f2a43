"""A regular expression that is compiled when it is first used.

Most commands read no talk, and hundreds of forms take a third of a second to compile.
"""

from __future__ import annotations

import re
from functools import cached_property


class Form:
    """A way something is said. Stands in for a compiled pattern."""

    def __init__(self, pattern: str, flags: int = 0) -> None:
        self._pattern = pattern
        self._flags = flags

    def match(self, text: str) -> re.Match[str] | None:
        """Where the text begins in this way."""
        return self._compiled.match(text)

    def search(self, text: str) -> re.Match[str] | None:
        """The first place where it is said in this way."""
        return self._compiled.search(text)

    @cached_property
    def _compiled(self) -> re.Pattern[str]:
        return re.compile(self._pattern, self._flags)
