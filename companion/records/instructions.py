"""The files in which a project instructs coding assistants, and which assistant reads which of them by itself."""

from __future__ import annotations

from collections.abc import Mapping
from fnmatch import fnmatchcase
from functools import lru_cache

_SHARED = "AGENTS.md"
"""Read by most assistants."""
READ_BY: Mapping[str, tuple[str, ...]] = {
    "claude": ("CLAUDE.md", "CLAUDE.local.md"),
    "gemini": ("GEMINI.md",),
    "cursor": (_SHARED, ".cursorrules", ".cursor/rules/*.mdc"),
    "windsurf": (_SHARED, ".windsurfrules"),
    "copilot": (_SHARED, ".github/copilot-instructions.md", ".github/instructions/*.instructions.md"),
    "visual studio code": (_SHARED, ".github/copilot-instructions.md", ".github/instructions/*.instructions.md"),
    "codex": (_SHARED,),
    "zed": (_SHARED, ".rules"),
}
"""Patterns of paths by a word in the name that an assistant gives itself, as their documentation has it in 2026.

A pattern without a slash is a name in any folder; one with a slash is a path from the root.
"""
INSTRUCTION_FILES = tuple(dict.fromkeys(pattern for patterns in READ_BY.values() for pattern in patterns))
"""All of them, each once."""

PATHS_KEPT = 4_096
"""Paths whose answer is kept: a context asks about some hundred, each of them for several memories."""


def read_by_itself(assistant: str) -> tuple[str, ...]:
    """Patterns of the files that an assistant reads; an unknown one counts as reading all, none ("") as none."""
    if not assistant:
        return ()
    named = assistant.lower()
    return next((patterns for word, patterns in READ_BY.items() if word in named), INSTRUCTION_FILES)


def is_instruction_file(path: str) -> bool:
    """Whether a file of the repository instructs assistants."""
    return fits(path, INSTRUCTION_FILES)


@lru_cache(maxsize=PATHS_KEPT)
def fits(path: str, patterns: tuple[str, ...]) -> bool:
    """Whether a path is, or lies in, what one of the patterns names; capital letters do not count."""
    lower = path.lower()
    name = lower.rpartition("/")[2]
    for pattern in map(str.lower, patterns):
        if lower == pattern or lower.startswith(f"{pattern.rstrip('/')}/"):
            return True
        if fnmatchcase(lower if "/" in pattern else name, pattern):
            return True
    return False
