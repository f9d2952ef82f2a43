"""What a reader finds: a statement, its line, and how it becomes a memory."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import PurePosixPath

from msgspec import Struct

from companion.kinds import subjects as s
from companion.kinds.facts.project_files import is_book
from companion.kinds.languages import SPOKEN
from companion.kinds.levels import ladder, opening
from companion.kinds.subjects import CONVENTION
from companion.language.phrases import names
from companion.records import (
    Draft,
    Evidence,
    EvidenceKind,
    FactType,
    FileSeen,
    Importance,
    Kind,
    Scope,
    entity,
)

DECLARED = 0.95
"""Confidence in a setting that a tool obeys: it is true unless something else overrides it."""

DOCUMENTED = 0.7
"""Confidence in a sentence of a document: about three in ten lag behind what manifests say."""

INFERRED = 0.8
"""Confidence in what follows from a declaration without being said by it (a CI matrix, a folder)."""

_GUIDES = frozenset({"guide", "guides", "handbook", "manual"})
"""Folders of prose beside those of documentation; settings in them count."""

QUOTE_CHARS = 200
"""Characters of a quote; the contract of `Evidence`."""

VALUE_CHARS = 300
"""Characters of a value: longer ones are lists nobody compares."""

SAYS_CHARS = 1_200
"""Characters of what a statement says; of a longer paragraph the first sentences that fit are kept."""


class DeclaredStatement(Struct, frozen=True):
    """One thing a file declares, with the line that says so.

    `says` is the sentence people read; `value` the canonical value that sources are compared by.
    `attribute` may be empty: then the sentence is the key.
    """

    subject: str
    attribute: str
    value: str
    says: str
    line: int
    convention: bool = False
    type: FactType = FactType.FACT
    language: str = ""
    environment: str = ""
    confidence: float = DECLARED
    importance: Importance = Importance.DEFAULT


Statements = Iterator[DeclaredStatement]


class FactReader(Struct, frozen=True):
    """One family of files: gitignore-style patterns, and what to make of a file.

    `document` marks prose, which may lie in documentation folders where settings do not count.
    """

    name: str
    patterns: tuple[str, ...]
    read: Callable[[FileSeen], Statements]
    document: bool = False


def folder_of(path: str) -> str:
    """The folder a file speaks for, '' for the root.

    Settings folders (`.github`) and documentation speak for what they lie in.
    """
    parts = PurePosixPath(path).parts[:-1]
    books = [i for i, part in enumerate(parts) if is_book(part) or _holds_guides(part)]
    if books:
        parts = parts[: books[0]]
    while parts and parts[-1].startswith("."):
        parts = parts[:-1]
    if len(parts) > 1 and parts[-2].startswith("."):
        parts = parts[:-2]
    return "/".join(parts)


def _holds_guides(folder: str) -> bool:
    """Whether prose in a folder speaks for what lies around it: `guide`, `devdocs`."""
    return folder.lower() in _GUIDES or folder.lower().endswith("docs")


def quote(text: str, line: int) -> str:
    """Line `line` of a text, trimmed to what evidence may hold."""
    lines = text.split("\n")
    return lines[line - 1].strip()[:QUOTE_CHARS] if 0 < line <= len(lines) else ""


def draft_of(statement: DeclaredStatement, file: FileSeen, where: str) -> Draft:
    """The memory a statement of a file makes, true of a folder."""
    scope = Scope(language=statement.language, path=where, environment=statement.environment)
    value = " ".join(statement.value.split())[:VALUE_CHARS].rstrip()
    says = " ".join(statement.says.split())
    says = says if len(says) <= SAYS_CHARS else opening(says, SAYS_CHARS)
    language = SPOKEN.get(statement.language, "") if statement.subject == s.CODE_STYLE else ""
    if language and not names(says, language):
        says = f"{says.rstrip('.')} ({language})."
    topic = statement.attribute.replace("_", " ") or statement.subject
    scoped = f"{says.rstrip('.')} (in {where})." if where and f"in {where}" not in says else says
    return Draft(
        kind=Kind.FACT,
        type=statement.type.value,
        subject=statement.subject,
        attribute=statement.attribute,
        value=value,
        levels=ladder(scoped, index=topic),
        origin=file.path,
        evidence=(Evidence(EvidenceKind.FILE, file.path, statement.line, quote(file.text, statement.line)),),
        entities=(entity("file", file.path),),
        scope=scope,
        confidence=statement.confidence,
        importance=statement.importance,
        label=CONVENTION if statement.convention else "",
    )
