"""What a checkout's files of settings declare: kept as a whole, asked by words and by files."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import datetime

from msgspec import Struct

from companion.escape import shortened
from companion.records import Draft, Evidence, EvidenceKind, FactType, Kind, Levels, Memory, entity
from companion.records.declared import Declaration
from companion.store.by_columns import delete_where
from companion.store.database import Database
from companion.store.rows import Table
from companion.store.text import analysis

INDEX_CHARS = 50
"""Characters of an index entry."""

FACT = "fact:"
"""What the id of a row begins with."""

UNDATED = datetime(1970, 1, 1)
"""When a row was said is not known: it is as its file stands."""
DECLARED = Table(Declaration, "declared")

_VERSION = re.compile(r"[~^<>=v ]*\d+(?:\.\d+)+(?:\s|$)")
"""The number of a version: `1.88`, `>=3.12`."""

_OF_VERSIONS = frozenset(analysis.terms("dependency version upgrade update bump pin package library"))
"""Terms by which a task speaks of what the project depends on."""
_SPELLED = re.compile(r"\w+")
_BETWEEN = re.compile(r"[\W_]+")
_WHOLE_NAME = r"(?<![\w@/.-])%s(?![\w/-]|\.\w)"
"""A name that is no part of a longer one, of a path or of an address."""

_ALL = DECLARED.select(
    """
where checkout_id = $checkout
order by path, line, subject, value
""",
    "tokens",
)

Declared = tuple[Declaration, int]
"""A row, and the tokens of what it says."""


def put(database: Database, checkout: str, found: Iterable[Declaration], count: Callable[[str], int]) -> None:
    """Replace what a checkout declares."""
    rows = list(dict.fromkeys(found))
    with database.write() as connection:
        delete_where(connection, "declared", checkout_id=checkout)
        DECLARED.insert(connection, rows, checkout_id=checkout, tokens=[count(one.says) for one in rows])


def read(database: Database, checkout: str) -> tuple[Declared, ...]:
    """All that a checkout declares, by path and line."""
    return tuple((one, tokens) for tokens, one in _ALL.keyed(database, "tokens", checkout=checkout))


def saying(rows: Sequence[Declared], words: str) -> tuple[Declaration, ...]:
    """Those that say all of some words anywhere; all of them without words."""
    wanted = {*analysis.terms(words)}
    return tuple(one for one, _ in rows if wanted <= {*analysis.terms(f"{one.path} {one.says}")})


def meant(rows: Sequence[Declared], text: str, paths: Sequence[str]) -> tuple[Declared, ...]:
    """Those whose subject a task names in full: every word of it stands there; without a task those of the files.

    Libraries are called `url` or `content-type`: a dependency counts where the task speaks of versions, or spells a
    name of several words as the manifest does. What is only a part of another name is not it.
    """
    said, spelled = {*analysis.terms(text)}, f" {_spelled(text)} "
    of_versions = not said.isdisjoint(_OF_VERSIONS) or _VERSION.search(text) is not None

    def is_named(one: Declaration) -> bool:
        if one.is_dependency:
            name = _spelled(one.subject)
            if f" {name} " not in spelled or not (of_versions or " " in name):
                return False
            written = _BETWEEN.sub(r"[\\W_]+", one.subject) if of_versions else re.escape(one.subject)
            return re.search(_WHOLE_NAME % written, text, re.IGNORECASE if of_versions else 0) is not None
        of = {*analysis.terms(one.subject)}
        return bool(of) and of <= said

    return tuple(one for one in rows if (is_named(one[0]) if text.strip() else one[0].path in paths))


def _spelled(text: str) -> str:
    """The words of a text alone, one blank between two."""
    return " ".join(_SPELLED.findall(text.lower()))


class DeclaredAnswer(Struct, frozen=True):
    """A row that says words of a question: the share of it that they are, rare words counting most, and the words."""

    row: Declaration
    covers: float
    words: tuple[str, ...]


class DeclaredRows:
    """The rows of a checkout with their terms, read once while they stay the same."""

    def __init__(self, rows: Sequence[Declared]) -> None:
        self._rows = [(one, analysis.distinct(_words_of(one))) for one, _ in rows]

    def answers(self, text: str, worth: Mapping[str, float]) -> tuple[DeclaredAnswer, ...]:
        """Rows that say anything of a question, those that say most of it first; `worth` is what each term tells."""
        spoken = analysis.spoken(text)
        found = [DeclaredAnswer(one, *analysis.covered(terms, spoken, worth)) for one, terms in self._rows]
        telling = [one for one in found if one.covers]
        return tuple(sorted(telling, key=lambda one: (-one.covers, one.row.place, one.row.subject)))


def _words_of(one: Declaration) -> tuple[str, ...]:
    """The texts by which a row is found; what has the number of a version as its value is asked for as a version."""
    return one.path, one.says, one.told, "version" if _VERSION.match(one.value) else ""


def id_of(one: Declaration) -> str:
    """The id under which a row stands in a context."""
    return f"{FACT}{hashlib.sha256(f'{one.place} {one.subject}'.encode()).hexdigest()[:16]}"


def named(rows: Sequence[Declared], id_: str) -> Declaration | None:
    """The row of an id, a prefix of which is enough."""
    return next((one for one, _ in rows if id_of(one).startswith(id_)), None)


def as_memory(project: str, one: Declaration, tokens: int) -> Memory:
    """A row in the form in which whatever is put into a context comes; nothing of it is kept."""
    key = id_of(one)
    says = one.says
    draft = Draft(
        kind=Kind.FACT,
        type=FactType.FACT.value,
        subject=one.subject,
        attribute="",
        value=one.value,
        levels=Levels(says, says, says, shortened(says, INDEX_CHARS)),
        origin=one.path,
        evidence=(Evidence(EvidenceKind.FILE, one.path, one.line or None),) if one.path else (),
        entities=(entity("file", one.path),) if one.path else (),
    )
    counts = (tokens,) * 4
    return Memory(id=key, project=project, user="", key=key, draft=draft, created_at=UNDATED, tokens=counts)
