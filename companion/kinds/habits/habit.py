"""A habit of the code as a record: what most files of a language do, with the share that does."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from pathlib import PurePosixPath

from msgspec import Struct

from companion.kinds import subjects as s
from companion.kinds.languages import SPOKEN, language_of_suffix
from companion.kinds.levels import ladder
from companion.records import Draft, Evidence, EvidenceKind, FactType, FileRole, Kind, ParsedFile, Scope, ShapeFamily

ORIGIN = "code habits"
"""All habits of the code are one reading; each run says them anew."""
LEAST_FILES = 8
"""Files of a language that must vote before a habit is told."""
AGREED = 0.9
"""Share of the votes from which a habit is told."""
MAIN_SHARE = 0.1
"""Share of the files of code from which a language is one that the project is written in: others are its tools."""

_READ = ".py .js .jsx .mjs .cjs .ts .tsx .java .c .h .cpp .cc .hpp .cs .rb .php .sh .css .yml .yaml .go .rs"
SUFFIXES = {suffix: language_of_suffix(suffix) for suffix in _READ.split()}
"""Languages whose habits are read, by suffix."""


class Habit(Struct, frozen=True):
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


def kind_of(attribute: str) -> str:
    """The attribute, with all indents as one."""
    return s.INDENT if attribute.startswith("indent") else attribute


def language_of(path: str) -> str:
    """The language of a path by its suffix, empty for those whose habits are not read."""
    return SUFFIXES.get(PurePosixPath(path).suffix, "")


def holds_tests(file: ParsedFile) -> bool:
    """Whether a file of tests has some, and not only what tests need."""
    return file.role is FileRole.TEST and any(shape.family is ShapeFamily.TEST for shape in file.shapes)


def main_languages(languages: Iterable[str]) -> frozenset[str]:
    """The languages that a project is written in, by the language of each of its files of code."""
    counts = Counter(filter(None, languages))
    return frozenset(one for one, count in counts.items() if count >= MAIN_SHARE * counts.total())


def shares(counts: Mapping[str, int]) -> tuple[str, float, int]:
    """Return (commonest value, its share, total); ('', 0, 0) where nothing was counted."""
    total = sum(counts.values())
    if not total:
        return ("", 0.0, 0)
    value = max(sorted(counts), key=lambda name: counts[name])
    return (value, counts[value] / total, total)


def voted(
    votes: Mapping[str, str], attribute: str, language: str, says: Mapping[str, str], *, subject: str = s.CODE_STYLE
) -> Iterator[Habit]:
    """The habit that nearly all files share, by the value that each path votes for.

    `says` has the sentence of each value, under '' that of any other; a value without one is not told.
    """
    value, share, n = shares(Counter(votes.values()))
    told = says.get(value, says.get("", "")) if value else ""
    if told and n >= LEAST_FILES and share >= AGREED:
        sentence = told.format(name=SPOKEN.get(language, language), value=value)
        examples = tuple([path for path in sorted(votes) if votes[path] == value][:2])
        yield Habit(attribute, value, sentence, language, share, n, examples, subject=subject)
