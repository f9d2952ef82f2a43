"""A habit of the code as a record: what most files of a language do, with the share that does."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import PurePosixPath

from companion.kinds import subjects as s
from companion.kinds.levels import ladder
from companion.records import Draft, Evidence, EvidenceKind, FactType, Kind, Scope

ORIGIN = "code habits"
"""All habits of the code are one reading; each run says them anew."""
LEAST_FILES = 8
"""Files of a language that must vote before a habit is told."""
AGREED = 0.9
"""Share of the votes from which a habit is told."""

SUFFIXES = {
    ".py": "python",
    ".js": "javascript",
    ".jsx": "javascript",
    ".mjs": "javascript",
    ".cjs": "javascript",
    ".ts": "typescript",
    ".tsx": "typescript",
    ".java": "java",
    ".c": "c",
    ".h": "c",
    ".cpp": "cpp",
    ".cc": "cpp",
    ".hpp": "cpp",
    ".cs": "csharp",
    ".rb": "ruby",
    ".php": "php",
    ".sh": "bash",
    ".css": "css",
    ".yml": "yaml",
    ".yaml": "yaml",
    ".go": "go",
    ".rs": "rust",
}
"""Languages whose habits are read, by suffix."""
SPOKEN = {
    "python": "Python", "javascript": "JavaScript", "typescript": "TypeScript", "java": "Java", "c": "C", "cpp": "C++",
    "csharp": "C#", "ruby": "Ruby", "php": "PHP", "bash": "Shell", "go": "Go", "rust": "Rust",
}  # fmt: skip
"""Languages as people write them."""


@dataclass(frozen=True, slots=True)
class Habit:
    """What most files of a language do."""

    attribute: str
    value: str
    says: str
    language: str
    share: float
    n: int
    examples: tuple[str, ...]
    subject: str = s.CODE_STYLE
    unit: str = "files"

    @property
    def attribute_kind(self) -> str:
        """The attribute, with all indents as one."""
        return s.INDENT if self.attribute.startswith("indent") else self.attribute

    def draft(self) -> Draft:
        """The memory it makes."""
        counted = f"Observed in {round(self.share * 100)} % of {self.n} {self.unit}."
        topic = self.attribute.replace("_", " ")
        return Draft(
            kind=Kind.FACT,
            type=FactType.HABIT.value,
            subject=self.subject,
            attribute=self.attribute,
            value=self.value,
            levels=ladder(f"{self.says} {counted}", index=topic),
            origin=ORIGIN,
            evidence=tuple(Evidence(EvidenceKind.FILE, path) for path in self.examples),
            scope=Scope(language=self.language),
            confidence=round(self.share, 3),
            label=s.CONVENTION,
        )


def language_of(path: str) -> str:
    """The language of a path by its suffix, empty for those whose habits are not read."""
    return SUFFIXES.get(PurePosixPath(path).suffix, "")
