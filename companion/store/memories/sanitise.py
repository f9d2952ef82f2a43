"""A draft made fit to keep: no secret, no lone surrogate, an index line of at most 50 characters."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from enum import Enum
from typing import Any, TypeVar

from msgspec import Struct
from msgspec.structs import replace

from companion.escape import shortened
from companion.ports import Redactor
from companion.records import Draft, Evidence, EvidenceKind
from companion.store.texts import clean

INDEX_CHARACTERS = 50
"""The longest index line; spec: four levels."""

QUOTE_CHARACTERS = 200
"""The longest quote of evidence."""

_SEPARATOR = "\n\x1e\n"

_NAMES = frozenset(
    {
        "type",
        "origin",
        "entities",
        "artifacts",
        "scope",
        "persona",
        "ref",
        "commits",
        "fix_commit",
        "fingerprint",
    }
)
"""Fields that hold paths, hashes and keys: needed as they are, and an entropy rule misreads them."""

_PLACES = ("file:", "symbol:", "commit:")
"""Entities that are names in this sense; people and topics are words."""

Rewrite = Callable[[str], str]
_Record = TypeVar("_Record")


def sanitise(draft: Draft, redactor: Redactor, *, each: bool) -> Draft:
    """The draft as it may be stored.

    Texts come redacted from their sources, so in bulk (`each` false) all prose of a draft is looked
    at in one go, and text by text only where something was found; what a person typed is looked at
    text by text.
    """
    prose: list[str] = []
    names: list[str] = []
    _collect(draft, prose, names)
    prose += [name for name in draft.entities if not name.startswith(_PLACES)]
    joined = _SEPARATOR.join(prose)
    if clean(joined) != joined or clean(everything := "".join(names)) != everything:
        draft = rewritten(draft, clean, frozenset())
        joined = clean(joined)
    if each or redactor.redact(joined) != joined:
        draft = _redacted(draft, redactor)
    return _cut(draft)


def _redacted(draft: Draft, redactor: Redactor) -> Draft:
    def rewrite(text: str) -> str:
        return clean(redactor.redact(text))

    entities = (name if name.startswith(_PLACES) else rewrite(name) for name in draft.entities)
    return replace(rewritten(draft, rewrite, _NAMES), entities=tuple(entities))


def _cut(draft: Draft) -> Draft:
    if len(draft.levels.index) > INDEX_CHARACTERS:
        short = shortened(draft.levels.index, INDEX_CHARACTERS)
        draft = replace(draft, levels=replace(draft.levels, index=short))
    if any(len(item.quote) > QUOTE_CHARACTERS for item in draft.evidence):
        quotes = tuple(replace(item, quote=item.quote[:QUOTE_CHARACTERS]) for item in draft.evidence)
        draft = replace(draft, evidence=quotes)
    return draft


def _collect(value: object, prose: list[str], names: list[str]) -> None:
    """Sort every text of a record into prose and names, in the order of its fields."""
    if isinstance(value, str):
        if value and not isinstance(value, Enum):
            prose.append(value)
    elif isinstance(value, tuple | list):
        for part in value:
            _collect(part, prose, names)
    elif isinstance(value, Mapping):
        for name, part in value.items():
            _collect(name, prose, names)
            _collect(part, prose, names)
    elif isinstance(value, Struct):
        for name in value.__struct_fields__:
            _collect(getattr(value, name), names if _is_name(value, name, _NAMES) else prose, names)


def rewritten(value: _Record, rewrite: Rewrite, kept: frozenset[str]) -> _Record:
    """The record with each of its texts rewritten, but for the fields named in `kept`."""
    found: Any = value  # a text, or a record of texts
    if isinstance(value, str):
        found = value if isinstance(value, Enum) or not value else rewrite(value)
    elif isinstance(value, tuple | list):
        found = tuple(rewritten(part, rewrite, kept) for part in value)
    elif isinstance(value, Mapping):
        found = {rewrite(name): rewritten(part, rewrite, kept) for name, part in value.items()}
    elif isinstance(value, Struct):
        changes = {
            name: rewritten(getattr(value, name), rewrite, kept)
            for name in value.__struct_fields__
            if not _is_name(value, name, kept)
        }
        found = replace(value, **changes)
    return found  # type: ignore[no-any-return]  # each way gives back what it was given


def _is_name(record: object, field: str, names: frozenset[str]) -> bool:
    """Whether a field holds a name; a command kept as evidence is prose though it is a reference."""
    if field == "ref" and isinstance(record, Evidence) and record.kind is EvidenceKind.COMMAND:
        return False
    return field in names
