"""What several files declare alike is one fact with several sources; what they answer differently stays apart.

Three rules, in this order. Files of one folder that give the same answer agree: the surest words stand, the others
are sources. A nested package that answers as the folder above it does repeats that. Several packages side by side
that all give one answer, and nobody there another, say it of the folder they lie in.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from msgspec import Struct
from msgspec.structs import replace

from companion.kinds.facts.statement import DeclaredStatement, draft_of, folder_of
from companion.records import Draft, Evidence, FileSeen
from companion.records.wording import unbroken

SOURCES = 12
"""Sources kept of a fact, the surest first: what one can look through."""
SIDE_BY_SIDE = 3
"""Packages from which one answer is that of the folder they lie in: two may be alike by chance."""
PACKAGES_NAMED = 3
"""Packages named where a fact is true of several; the rest are counted."""


class SourcedStatement(Struct, frozen=True):
    """A statement and the file it stands in."""

    statement: DeclaredStatement
    file: FileSeen

    @property
    def where(self) -> str:
        """The folder it is true of."""
        return folder_of(self.file.path)

    @property
    def question(self) -> tuple[str, ...]:
        """What it answers; a sentence without a question is its own."""
        one = self.statement
        topic = (one.subject, one.attribute) if one.attribute else ("", one.says.rstrip(".").lower())
        return (*topic, one.language, one.environment)


Answers = Mapping[str, Mapping[str, Sequence[SourcedStatement]]]
"""What is said on one question: by folder, by value."""


def agreed(said: Iterable[SourcedStatement]) -> Iterator[Draft]:
    """The facts that statements make together, in the order in which each was first said."""
    questions: dict[tuple[str, ...], dict[str, dict[str, list[SourcedStatement]]]] = {}
    for one in said:
        answers = questions.setdefault(one.question, {})
        answers.setdefault(one.where, {}).setdefault(unbroken(one.statement.value), []).append(one)
    for answers in questions.values():
        _fold_repeats(answers)
        yield from _told(answers)


def unlisted(remembered: Iterable[SourcedStatement], listed: Sequence[SourcedStatement]) -> Iterator[SourcedStatement]:
    """What is remembered beside the listed rows: what none of them says too, and rows that something speaks against.

    Two files of a folder that answer differently speak against each other.
    """
    rows: dict[tuple[str, ...], list[SourcedStatement]] = {}
    for row in listed:
        rows.setdefault(row.question, []).append(row)
    denied = {id(row) for answers in rows.values() for row in answers if any(_denies(row, one) for one in answers)}
    for one in remembered:
        answers = [row for row in rows.get(one.question, ()) if _at_or_under(one.where, row.where)]
        words = set(one.statement.value.split())
        if not any(words <= set(row.statement.value.split()) for row in answers):
            yield one
            denied.update(map(id, answers))
    yield from (row for row in listed if id(row) in denied)


def _denies(row: SourcedStatement, other: SourcedStatement) -> bool:
    """Whether another file of the same folder answers the same question differently."""
    if row.where != other.where or row.file.path == other.file.path:
        return False
    one, another = sorted((unbroken(row.statement.value), unbroken(other.statement.value)), key=len)
    return not f"{another}-".startswith(f"{one}-")  # `BSD-3-Clause` is `BSD`


def _fold_repeats(answers: dict[str, dict[str, list[SourcedStatement]]]) -> None:
    """Give what a folder answers as the nearest one above it does to that one; the deepest first."""
    for where in sorted(answers, key=lambda path: (-path.count("/"), path)):
        above = _nearest_above(where, answers)
        if above is None:
            continue
        for value in [value for value in answers[where] if value in answers[above]]:
            answers[above][value] += answers[where].pop(value)


def _nearest_above(where: str, answers: Mapping[str, object]) -> str | None:
    while where:
        where = where.rpartition("/")[0]
        if where in answers:
            return where
    return None


def _told(answers: Answers) -> Iterator[Draft]:
    """A draft for each answer: of packages side by side as one, of every other folder by itself."""
    shared = _side_by_side(answers)
    for where, values in answers.items():
        for value, ones in values.items():
            beside = shared.get(where, ())
            if not beside:
                yield _draft(ones)
            elif where == beside[0]:
                every = [one for folder in beside for one in answers[folder][value]]
                yield _draft(every, within=where.rpartition("/")[0], packages=beside)


def _side_by_side(answers: Answers) -> dict[str, tuple[str, ...]]:
    """For each folder whose answer is that of the folder above it: all that give it there."""
    found: dict[str, tuple[str, ...]] = {}
    parents: dict[str, list[str]] = {}
    for where in answers:
        if where:
            parents.setdefault(where.rpartition("/")[0], []).append(where)
    for parent, folders in parents.items():
        told = tuple(where for where in folders if answers[where])
        if len(told) < SIDE_BY_SIDE or parent in answers:
            continue
        below = [values for where, values in answers.items() if _at_or_under(where, parent)]
        if len({value for values in below for value in values}) == 1:
            found |= dict.fromkeys(told, told)
    return found


def _at_or_under(where: str, parent: str) -> bool:
    return not parent or where == parent or where.startswith(f"{parent}/")


def _draft(ones: Sequence[SourcedStatement], *, within: str = "", packages: Sequence[str] = ()) -> Draft:
    """One fact by the surest words, with every source."""
    ones = sorted(ones, key=lambda one: -one.statement.confidence)
    head = ones[0].statement
    if packages:
        head = replace(head, says=f"{head.says.rstrip('.')} ({_named(packages, within)}).")
    drafts = [draft_of(one.statement, one.file, one.where) for one in ones[:SOURCES]]
    draft = draft_of(head, ones[0].file, within if packages else ones[0].where)
    evidence: tuple[Evidence, ...] = tuple(proof for each in drafts for proof in each.evidence)
    entities = sorted({name for each in drafts for name in each.entities})
    return replace(draft, evidence=tuple(dict.fromkeys(evidence)), entities=tuple(entities))


def _named(packages: Sequence[str], within: str) -> str:
    """`in extra: cache, html, intl and 4 more`."""
    names = [path.removeprefix(f"{within}/") for path in packages]
    rest = f" and {len(names) - PACKAGES_NAMED} more" if len(names) > PACKAGES_NAMED else ""
    return f"in {f'{within}: ' if within else ''}{', '.join(names[:PACKAGES_NAMED])}{rest}"
