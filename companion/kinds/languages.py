"""Languages as facts and habits name them, by the suffixes of files, and as people write them."""

from __future__ import annotations

from companion.syntax.languages import language_of

_CALLED = {"tsx": "typescript", "scss": "css", "less": "css", "restructuredtext": "rst"}
"""Languages that facts and habits do not tell from others, and what they call them."""
SPOKEN = {
    "python": "Python", "javascript": "JavaScript", "typescript": "TypeScript", "java": "Java", "c": "C", "cpp": "C++",
    "csharp": "C#", "ruby": "Ruby", "php": "PHP", "bash": "Shell", "go": "Go", "rust": "Rust",
}  # fmt: skip
"""Languages as people write them."""


def language_of_suffix(suffix: str) -> str:
    """The language of files that end so, with or without the dot; empty if unknown."""
    known = language_of(f"any.{suffix.removeprefix('.')}")
    return _CALLED.get(known, known)
