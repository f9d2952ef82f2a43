"""The code of each checkout as tables: files with their forms, symbols, uses, imports, shapes, links."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from companion.ports import Redactor, TokenCounter
from companion.records import Link, ParsedFile, Reference, ReferenceKind
from companion.store.binding import duckdb
from companion.store.by_columns import delete_where, value_where
from companion.store.code.stored_code import FILES, IMPORTS, LINKS, REFERENCES, SHAPES, SYMBOLS, StoredCode
from companion.store.database import Database
from companion.store.rows import Table
from companion.store.statements import execute
from companion.store.texts import clean

Seen = tuple[ParsedFile, str, int]
"""A parsed file, its outline, and its time of last change in nanoseconds."""

_RAISE_REVISION = """
update checkouts
set code_revision = code_revision + 1
where id = $checkout
"""


class _SeenFile(Struct, frozen=True):
    """A file as it is kept: without secrets, and with the exact tokens of its outline."""

    file: ParsedFile
    outline: str
    outline_tokens: int
    mtime_ns: int


class Code(StoredCode):
    """Keeps what was read from the files of checkouts; texts are redacted on the way in."""

    def __init__(self, database: Database, counter: TokenCounter, redactor: Redactor) -> None:
        super().__init__(database)
        self._counter = counter
        self._redactor = redactor

    def replace(self, checkout: str, files: Sequence[Seen]) -> None:
        """Keep files as read now, in place of what was known of the same paths."""
        if not files:
            return
        seen = [self._safe(*one) for one in {one[0].path: one for one in files}.values()]
        with self._database.write() as connection:
            _forget(connection, checkout, [one.file.path for one in seen])
            _put(connection, checkout, seen)
            execute(connection, _RAISE_REVISION, {"checkout": checkout})

    def remove(self, checkout: str, paths: Sequence[str]) -> None:
        """Forget files that are gone, with the links from and to them."""
        if not paths:
            return
        with self._database.write() as connection:
            gone = [clean(path) for path in paths]
            _forget(connection, checkout, gone)
            delete_where(connection, "links", checkout_id=checkout, source=gone)
            delete_where(connection, "links", checkout_id=checkout, target=gone)
            execute(connection, _RAISE_REVISION, {"checkout": checkout})

    def restamp(self, checkout: str, stamps: Mapping[str, tuple[int, int, str]]) -> None:
        """Note new times for files whose bytes are the same: path -> (size, mtime in ns, content hash)."""
        if not stamps:
            return
        rows = [
            {"checkout_id": checkout, "path": path, "size_bytes": size, "mtime_ns": mtime}
            for path, (size, mtime, _) in stamps.items()
        ]
        with self._database.write(quiet=True) as connection:
            FILES.update(connection, rows)

    def symbol_count(self, checkout: str) -> int:
        """How many definitions are known."""
        return int(value_where(self._database, "symbols", "count(*)", checkout_id=checkout))

    def set_links(self, checkout: str, sources: Sequence[str], links: Sequence[Link]) -> None:
        """Replace all links from `sources` by these."""
        with self._database.write() as connection:
            delete_where(connection, "links", checkout_id=checkout, source=sources)
            LINKS.insert(connection, links, checkout_id=checkout)
            execute(connection, _RAISE_REVISION, {"checkout": checkout})

    def _safe(self, parsed: ParsedFile, outline: str, mtime_ns: int) -> _SeenFile:
        """A file without secrets."""
        (outline,) = self._redacted([outline])
        file = replace(parsed, path=clean(parsed.path))
        told = [symbol.signature for symbol in parsed.symbols]
        if (safe := self._redacted(told)) != told:
            both = zip(parsed.symbols, safe, strict=True)
            file = replace(file, symbols=tuple(replace(one, signature=head) for one, head in both))
        slots = [json.dumps(dict(shape.slots), ensure_ascii=False, sort_keys=True) for shape in parsed.shapes]
        if (safe := self._redacted(slots)) != slots:
            shapes = zip(parsed.shapes, safe, strict=True)
            file = replace(file, shapes=tuple(replace(shape, slots=json.loads(text)) for shape, text in shapes))
        return _SeenFile(file, outline, self._counter.count(outline) if outline else 0, mtime_ns)

    def _redacted(self, texts: Sequence[str]) -> list[str]:
        """The texts without secrets. All are read at once: hardly any file has a secret in it."""
        plain = [clean(text) for text in texts]
        together = "\n".join(plain)
        if not together.strip() or self._redactor.redact(together) == together:
            return plain
        return [self._redactor.redact(text) for text in plain]


def _forget(connection: duckdb.DuckDBPyConnection, checkout: str, paths: Sequence[str]) -> None:
    """Delete what was read from files, but for the links between them."""
    for table in ("code_files", "symbols", "symbol_references", "imports", "shapes"):
        delete_where(connection, table, checkout_id=checkout, path=paths)


def _put(connection: duckdb.DuckDBPyConnection, checkout: str, seen: Sequence[_SeenFile]) -> None:
    """Put files in, with what is in them."""
    files = [one.file for one in seen]
    FILES.insert(
        connection,
        files,
        checkout_id=checkout,
        outline=[one.outline for one in seen],
        outline_tokens=[one.outline_tokens for one in seen],
        mtime_ns=[one.mtime_ns for one in seen],
    )
    _put_of(connection, checkout, SYMBOLS, [(file.path, file.symbols) for file in files])
    _put_of(connection, checkout, IMPORTS, [(file.path, file.imports) for file in files])
    _put_of(connection, checkout, SHAPES, [(file.path, file.shapes) for file in files])
    used = [(file.path, _folded(file.references)) for file in files]
    uses = [times for _, folded in used for times in folded.values()]
    _put_of(connection, checkout, REFERENCES, used, uses=uses)


def _put_of(
    connection: duckdb.DuckDBPyConnection,
    checkout: str,
    table: Table[Any],
    found: Sequence[tuple[str, Collection[object]]],
    **more: Any,  # columns, and whether keys that are there are left out
) -> None:
    """Put in what is in files, each with its path."""
    records = [one for _, some in found for one in some]
    paths = [path for path, some in found for _ in some]
    table.insert(connection, records, checkout_id=checkout, path=paths, **more)


def _folded(references: Iterable[Reference]) -> dict[Reference, int]:
    """Uses of the same name in the same way as one, at their first line, with how often."""
    uses: Counter[tuple[str, ReferenceKind, str]] = Counter()
    first: dict[tuple[str, ReferenceKind, str], Reference] = {}
    for one in references:
        key = (clean(one.name), one.kind, clean(one.qualifier))
        uses[key] += 1
        if key not in first or one.line < first[key].line:
            first[key] = one
    return {first[key]: times for key, times in uses.items()}
