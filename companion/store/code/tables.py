"""The code of each checkout as tables: files with their forms, symbols, uses, imports, shapes, links."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from companion.records import Link, ParsedFile, Reference, Shape, Symbol
from companion.store.bulk import insert_rows
from companion.store.code import reading as code_reading
from companion.store.texts import clean

if TYPE_CHECKING:
    import duckdb

    from companion.ports import Redactor, TokenCounter
    from companion.store.database import Database

Seen = tuple[ParsedFile, str, str, int]
"""A parsed file, its skeleton, its outline, and its time of last change in nanoseconds."""

Row = tuple[object, ...]

_TABLES: dict[str, tuple[str, ...]] = {
    "code_files": (
        "checkout_id", "path", "language", "role", "content_hash", "size_bytes", "mtime_ns", "lines",
        "doc", "skeleton", "skeleton_tokens", "outline", "outline_tokens",
    ),
    "symbols": (
        "checkout_id", "path", "name", "qualname", "kind", "line", "end_line", "signature", "doc", "public",
    ),
    "symbol_references": ("checkout_id", "path", "name", "kind", "qualifier", "uses", "line"),
    "imports": ("checkout_id", "path", "module", "names", "line"),
    "shapes": ("checkout_id", "path", "family", "key", "line", "symbol", "slots"),
}  # fmt: skip
"""Tables that hold what was read from a file, with their columns."""

_LINK_COLUMNS = ("checkout_id", "source", "target", "kind", "weight", "names")

_FORGET = {
    table: f"delete from {table} where checkout_id = $checkout and path in (select unnest($paths))"  # noqa: S608
    for table in _TABLES
}

_FORGET_LINKS = """
delete from links
where checkout_id = $checkout and source in (select unnest($paths))
"""

_FORGET_LINKS_TO = """
delete from links
where checkout_id = $checkout and target in (select unnest($paths))
"""

_RAISE_REVISION = """
update checkouts
set code_revision = code_revision + 1
where id = $checkout
"""

_RESTAMP = """
update code_files
set size_bytes = stamp.size, mtime_ns = stamp.mtime
from (
    select unnest($paths::varchar[]) as path, unnest($sizes::bigint[]) as size, unnest($mtimes::bigint[]) as mtime
) as stamp
where checkout_id = $checkout
    and code_files.path = stamp.path
"""


class Code:
    """Keeps what was read from the files of checkouts; texts are redacted on the way in."""

    def __init__(self, database: Database, counter: TokenCounter, redactor: Redactor) -> None:
        self._database = database
        self._counter = counter
        self._redactor = redactor

    def replace(self, checkout: str, files: Sequence[Seen]) -> None:
        """Keep files as read now, in place of what was known of the same paths."""
        if not files:
            return
        rows: dict[str, list[Row]] = {table: [] for table in _TABLES}
        for seen in {seen[0].path: seen for seen in files}.values():
            self._collect(checkout, seen, rows)
        with self._database.write() as connection:
            self._forget(connection, checkout, [clean(seen[0].path) for seen in files])
            for table, columns in _TABLES.items():
                insert_rows(connection, table, columns, rows[table])
            connection.execute(_RAISE_REVISION, {"checkout": checkout})

    def remove(self, checkout: str, paths: Sequence[str]) -> None:
        """Forget files that are gone, with the links from and to them."""
        if not paths:
            return
        with self._database.write() as connection:
            asked = {"checkout": checkout, "paths": [clean(path) for path in paths]}
            self._forget(connection, checkout, asked["paths"])
            connection.execute(_FORGET_LINKS, asked)
            connection.execute(_FORGET_LINKS_TO, asked)
            connection.execute(_RAISE_REVISION, {"checkout": checkout})

    def restamp(self, checkout: str, stamps: Mapping[str, tuple[int, int, str]]) -> None:
        """Note new times for files whose bytes are the same: path -> (size, mtime in ns, content hash)."""
        if not stamps:
            return
        paths = sorted(stamps)
        asked = {
            "checkout": checkout,
            "paths": [clean(path) for path in paths],
            "sizes": [stamps[path][0] for path in paths],
            "mtimes": [stamps[path][1] for path in paths],
        }
        self._database.change(_RESTAMP, asked, quiet=True)

    def symbol_count(self, checkout: str) -> int:
        """How many definitions are known."""
        return int(
            self._database.value(
                "select count(*) from symbols where checkout_id = $checkout", {"checkout": checkout}, otherwise=0
            )
        )

    def known(self, checkout: str) -> dict[str, tuple[int, int, str]]:
        """Every known path with its time of last change (ns), size in bytes and content hash."""
        return code_reading.known(self._database, checkout)

    def parsed(self, checkout: str, paths: Sequence[str] | None = None) -> tuple[ParsedFile, ...]:
        """Files as they were parsed, by path; all of them if no paths are given.

        A name used several times is given as often, at the line of its first use; in which
        definition it stands is not kept, nor are problems.
        """
        return code_reading.parsed(self._database, checkout, paths)

    def users(self, checkout: str, names: Collection[str]) -> set[str]:
        """Files that use one of the names, or reach something through one."""
        return code_reading.users(self._database, checkout, names)

    def importers(self, checkout: str, words: Collection[str], *, bare: bool) -> set[str]:
        """Files with an import that has one of the words (in lower case); `bare`: or that has none at all."""
        return code_reading.importers(self._database, checkout, words, bare=bare)

    def links(self, checkout: str) -> tuple[Link, ...]:
        """All links of a checkout, by source, target and kind."""
        return code_reading.links(self._database, checkout)

    def set_links(self, checkout: str, sources: Sequence[str], links: Sequence[Link]) -> None:
        """Replace all links from `sources` by these."""
        rows = [
            (checkout, clean(l.source), clean(l.target), l.kind.value, l.weight, clean(" ".join(l.names)))
            for l in links  # noqa: E741
        ]
        with self._database.write() as connection:
            connection.execute(_FORGET_LINKS, {"checkout": checkout, "paths": list(sources)})
            insert_rows(connection, "links", _LINK_COLUMNS, rows)
            connection.execute(_RAISE_REVISION, {"checkout": checkout})

    def _forget(self, connection: duckdb.DuckDBPyConnection, checkout: str, paths: Sequence[str]) -> None:
        asked = {"checkout": checkout, "paths": list(paths)}
        for statement in _FORGET.values():
            connection.execute(statement, asked)

    def _collect(self, checkout: str, seen: Seen, rows: Mapping[str, list[Row]]) -> None:
        """Append a file's rows to those of each table."""
        parsed, skeleton, outline, mtime_ns = seen
        path = clean(parsed.path)
        where = (checkout, path)
        skeleton, outline, doc = self._redacted(parsed.path, (skeleton, outline, parsed.doc))
        rows["code_files"].append(
            (
                *where,
                parsed.language,
                parsed.role.value,
                parsed.content_hash,
                parsed.size_bytes,
                mtime_ns,
                parsed.lines,
                doc,
                skeleton,
                self._counter.count(skeleton) if skeleton else 0,
                outline,
                self._counter.count(outline) if outline else 0,
            )
        )
        said = self._redacted(parsed.path, [text for s in parsed.symbols for text in (s.signature, s.doc)])
        for symbol, signature, about in zip(parsed.symbols, said[::2], said[1::2], strict=True):
            rows["symbols"].append((*where, *_symbol_row(symbol), signature, about, symbol.public))
        rows["symbol_references"].extend((*where, *row) for row in _folded(parsed.references))
        rows["imports"].extend(
            (*where, clean(item.module), clean(" ".join(item.names)), item.line) for item in parsed.imports
        )
        slots = self._redacted(parsed.path, [_slots(shape) for shape in parsed.shapes])
        rows["shapes"].extend(
            (*where, shape.family.value, clean(shape.key), shape.line, clean(shape.symbol), slot)
            for shape, slot in zip(parsed.shapes, slots, strict=True)
        )

    def _redacted(self, path: str, texts: Sequence[str]) -> list[str]:
        """The texts without secrets. All are read at once: hardly any file has a secret in it."""
        plain = [clean(text) for text in texts]
        together = "\n".join(plain)
        if not together.strip() or self._redactor.redact(together, path) == together:
            return plain
        return [self._redactor.redact(text, path) for text in plain]


def _symbol_row(symbol: Symbol) -> Row:
    return (clean(symbol.name), clean(symbol.qualname), symbol.kind.value, symbol.line, symbol.end_line)


def _folded(references: Iterable[Reference]) -> list[Row]:
    """Uses of the same name in the same way as one row: how often, and the first line."""
    uses: Counter[tuple[str, str, str]] = Counter()
    first: dict[tuple[str, str, str], int] = {}
    for reference in references:
        key = (clean(reference.name), reference.kind.value, clean(reference.qualifier))
        uses[key] += 1
        first[key] = min(first.get(key, reference.line), reference.line)
    return [(*key, uses[key], line) for key, line in first.items()]


def _slots(shape: Shape) -> str:
    return json.dumps(dict(shape.slots), ensure_ascii=False, sort_keys=True)
