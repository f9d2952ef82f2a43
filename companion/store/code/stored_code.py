"""The code of a checkout, read back: files as they were parsed, the forms they are shown in, links."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence

from msgspec.structs import replace

from companion.ports.composing import composed
from companion.records import CodeForms, Import, Link, ParsedFile, Reference, Shape, Symbol
from companion.store.binding import duckdb
from companion.store.by_columns import rows_where
from companion.store.database import Database
from companion.store.rows import As, Given, Table, apart, column, fetched, tuples

_LANGUAGES = """
select language
from code_files
where language != ''
group by language
order by count(*) desc, language
limit $most
"""


def _shown(order: str) -> str:
    """The rows of the files that are asked for, in an order."""
    asked = "where checkout_id = $checkout and ($all or path in (select unnest($paths)))\norder by {order}"
    return composed(asked, order=order)


FILES = Table(ParsedFile, "code_files", apart("symbols", "references", "imports", "shapes"), key="checkout_id, path")
SYMBOLS = Table(Symbol, "symbols", {"name": As.SHARED, "qualname": As.SHARED}, many=True)
REFERENCES = Table(Reference, "symbol_references", apart("inside"), many=True)
IMPORTS = Table(Import, "imports", {"names": As.WORDS})
SHAPES = Table(Shape, "shapes")
LINKS = Table(Link, "links", {"names": As.WORDS})

_FILES = FILES.select(_shown("path"))
_SYMBOLS = SYMBOLS.select(_shown("path, line, end_line desc, qualname"), "path")
_REFERENCES = REFERENCES.select(_shown("path, line, name, kind, qualifier"), "path", "uses")
_IMPORTS = IMPORTS.select(_shown("path, line, module"), "path")
_SHAPES = SHAPES.select(_shown("path, line, family, key"), "path")
_FORMS = Table(CodeForms, "code_files", apart("symbols")).select(_shown("path"))

_DEFINED = Table(
    Symbol,
    "symbols",
    {"name": As.SHARED, "qualname": As.SHARED, "signature": Given("")},
    many=True,
).select(_shown("path, line, end_line desc, qualname"), "path")
"""Without signatures: they were much of what 60,000 definitions took in memory."""

_LINKS = LINKS.select("""
where checkout_id = $checkout and ($all or source in (select unnest($paths)))
order by source, target, kind
""")

_LINK_DIGESTS = """
select source, count(*), bit_xor(hash(hash(target, kind, weight, names)))
from links
where checkout_id = $checkout
group by source
"""

_USERS = """
select distinct path
from symbol_references
where checkout_id = $checkout
    and (
        name in (select unnest($names::varchar[]))
        or split_part(split_part(split_part(qualifier, '.', 1), '::', 1), '\\', 1)
            in (select unnest($names::varchar[]))
    )
"""

_IMPORTERS = r"""
select distinct path
from imports
where checkout_id = $checkout
    and (
        list_has_any(
            regexp_extract_all(lower(module || ' ' || names), '[\p{L}\p{N}]+(?:_+[\p{L}\p{N}]+)*'), $words::varchar[]
        )
        or ($bare and not regexp_matches(module, '[\p{L}\p{N}]'))
    )
"""


def commonest_languages(database: Database, most: int) -> tuple[str, ...]:
    """Languages of the files of all checkouts, the commonest first."""
    return tuple(column(database, _LANGUAGES, most=most))


def _references(connection: duckdb.DuckDBPyConnection, asked: Mapping[str, object]) -> Mapping[str, list[Reference]]:
    """What files use, each name as often as it is used."""
    columns = fetched(connection, _REFERENCES.statement, asked, many=True)
    found: defaultdict[str, list[Reference]] = defaultdict(list)
    for path, uses, reference in zip(columns["path"], columns["uses"], _REFERENCES.read(columns), strict=True):
        found[path] += [reference] * uses
    return found


class StoredCode:
    """The code of checkouts as it is kept."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def known(self, checkout: str) -> dict[str, tuple[int, int, str]]:
        """Every known path with its time of last change (ns), size in bytes and content hash."""
        columns = "path, mtime_ns, size_bytes, content_hash"
        found = rows_where(self._database, "code_files", columns, checkout_id=checkout)
        return {path: (mtime, size, digest) for path, mtime, size, digest in found}

    def parsed(self, checkout: str, paths: Sequence[str] | None = None) -> tuple[ParsedFile, ...]:
        """Files as they were parsed, by path; all of them if no paths are given.

        A name used several times is given as often, at the line of its first use; in which
        definition it stands is not kept.
        """
        asked: dict[str, object] = {"checkout": checkout, "all": paths is None, "paths": paths or ()}
        with self._database.read() as connection:
            files = _FILES.all(connection, **asked)
            symbols = _SYMBOLS.by(connection, "path", **asked)
            references = _references(connection, asked)
            imports = _IMPORTS.by(connection, "path", **asked)
            shapes = _SHAPES.by(connection, "path", **asked)
        return tuple(
            replace(
                file,
                symbols=symbols.get(file.path, ()),
                references=tuple(references.get(file.path, ())),
                imports=imports.get(file.path, ()),
                shapes=shapes.get(file.path, ()),
            )
            for file in files
        )

    def users(self, checkout: str, names: Collection[str]) -> set[str]:
        """Files that use one of the names, or reach something through one."""
        if not names:
            return set()
        return set(column(self._database, _USERS, checkout=checkout, names=set(names)))

    def importers(self, checkout: str, words: Collection[str], *, bare: bool) -> set[str]:
        """Files with an import that has one of the words (in lower case); `bare`: or that has none at all."""
        if not words and not bare:
            return set()
        return set(column(self._database, _IMPORTERS, checkout=checkout, words=set(words), bare=bare))

    def link_digests(self, checkout: str) -> dict[str, tuple[int, int]]:
        """By source, what tells whether its links are others than before."""
        found = tuples(self._database, _LINK_DIGESTS, checkout=checkout)
        return {source: (count, digest) for source, count, digest in found}

    def links(self, checkout: str, sources: Sequence[str] | None = None) -> tuple[Link, ...]:
        """All links of a checkout, or those from `sources`, by source, target and kind."""
        return _LINKS.all(self._database, checkout=checkout, all=sources is None, paths=sources or ())

    def forms(self, checkout: str, paths: Sequence[str] | None = None) -> dict[str, CodeForms]:
        """Every file (or those at `paths`) at the lengths it may be shown at, by path, in order of path."""
        asked: dict[str, object] = {"checkout": checkout, "all": paths is None, "paths": paths or ()}
        with self._database.read() as connection:
            files = _FORMS.all(connection, **asked)
            symbols = _DEFINED.by(connection, "path", **asked)
        return {file.path: replace(file, symbols=symbols.get(file.path, ())) for file in files}
