"""The code of a checkout, read back: files as they were parsed, the forms they are shown in, links."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Sequence
from typing import TYPE_CHECKING, Any, TypeVar

from companion.records import (
    CodeForms,
    Import,
    Link,
    LinkKind,
    ParsedFile,
    Reference,
    ReferenceKind,
    Role,
    Shape,
    ShapeFamily,
    Symbol,
    SymbolKind,
)

if TYPE_CHECKING:
    from companion.store.database import Database

Made = TypeVar("Made")

_KNOWN = """
select path, mtime_ns, size_bytes, content_hash
from code_files
where checkout_id = $checkout
"""

_LANGUAGES = """
select language
from code_files
where language != ''
group by language
order by count(*) desc, language
limit $most
"""

_FILES = """
select path, language, role, content_hash, size_bytes, lines, doc
from code_files
where checkout_id = $checkout and ($all or path in (select unnest($paths)))
order by path
"""

_FORMS = """
select path, language, role, content_hash, lines, skeleton, skeleton_tokens, outline, outline_tokens
from code_files
where checkout_id = $checkout and ($all or path in (select unnest($paths)))
order by path
"""

_SYMBOLS = """
select path, name, qualname, kind, line, end_line, signature, doc, public
from symbols
where checkout_id = $checkout and ($all or path in (select unnest($paths)))
order by path, line, end_line desc, qualname
"""

# Signatures and sentences stand in a file's skeleton: they were half of what 60,000 definitions took in memory.
_DEFINED = """
select path, name, qualname, kind, line, end_line, '' as signature, '' as doc, public
from symbols
where checkout_id = $checkout and ($all or path in (select unnest($paths)))
order by path, line, end_line desc, qualname
"""

_REFERENCES = """
select path, name, kind, qualifier, uses, line
from symbol_references
where checkout_id = $checkout and ($all or path in (select unnest($paths)))
order by path, line, name, kind, qualifier
"""

_IMPORTS = """
select path, module, names, line
from imports
where checkout_id = $checkout and ($all or path in (select unnest($paths)))
order by path, line, module
"""

_SHAPES = """
select path, family, key, line, symbol, slots::varchar
from shapes
where checkout_id = $checkout and ($all or path in (select unnest($paths)))
order by path, line, family, key
"""

_LINKS = """
select source, target, kind, weight, names
from links
where checkout_id = $checkout and ($all or source in (select unnest($paths)))
order by source, target, kind
"""

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


def known(database: Database, checkout: str) -> dict[str, tuple[int, int, str]]:
    """Every known path with its time of last change (ns), size in bytes and content hash."""
    rows = database.rows(_KNOWN, {"checkout": checkout})
    return {path: (int(mtime), int(size), digest) for path, mtime, size, digest in rows}


def commonest_languages(database: Database, most: int) -> tuple[str, ...]:
    """Languages of the files of all checkouts, the commonest first."""
    rows = database.rows(_LANGUAGES, {"most": most})
    return tuple(row[0] for row in rows)


def parsed(database: Database, checkout: str, paths: Sequence[str] | None = None) -> tuple[ParsedFile, ...]:
    """Files as they were parsed, by path; all of them if no paths are given.

    A name used several times is given as often, at the line of its first use; in which
    definition it stands is not kept, nor are problems.
    """
    asked = {"checkout": checkout, "all": paths is None, "paths": list(paths or ())}
    with database.read() as connection:
        files = connection.execute(_FILES, asked).fetchall()
        symbols = _symbols(connection.execute(_SYMBOLS, asked).fetchnumpy())
        references = _grouped(connection.execute(_REFERENCES, asked).fetchall(), _references)
        imports = _grouped(connection.execute(_IMPORTS, asked).fetchall(), _import)
        shapes = _grouped(connection.execute(_SHAPES, asked).fetchall(), _shape)
    return tuple(
        ParsedFile(
            path=path,
            language=language,
            role=Role(role),
            content_hash=content_hash,
            size_bytes=size_bytes,
            lines=lines,
            doc=doc,
            symbols=tuple(symbols.get(path, ())),
            references=tuple(references.get(path, ())),
            imports=tuple(imports.get(path, ())),
            shapes=tuple(shapes.get(path, ())),
        )
        for path, language, role, content_hash, size_bytes, lines, doc in files
    )


def users(database: Database, checkout: str, names: Collection[str]) -> set[str]:
    """Files that use one of the names, or reach something through one."""
    if not names:
        return set()
    rows = database.rows(_USERS, {"checkout": checkout, "names": sorted(names)})
    return {row[0] for row in rows}


def importers(database: Database, checkout: str, words: Collection[str], *, bare: bool) -> set[str]:
    """Files with an import that has one of the words (in lower case); `bare`: or that has none at all."""
    if not words and not bare:
        return set()
    asked = {"checkout": checkout, "words": sorted(words), "bare": bare}
    rows = database.rows(_IMPORTERS, asked)
    return {row[0] for row in rows}


def link_digests(database: Database, checkout: str) -> dict[str, tuple[int, int]]:
    """By source, what tells whether its links are others than before."""
    rows = database.rows(_LINK_DIGESTS, {"checkout": checkout})
    return {source: (int(count), int(digest)) for source, count, digest in rows}


def links(database: Database, checkout: str, sources: Sequence[str] | None = None) -> tuple[Link, ...]:
    """All links of a checkout, or those from `sources`, by source, target and kind."""
    asked = {"checkout": checkout, "all": sources is None, "paths": list(sources or ())}
    rows = database.rows(_LINKS, asked)
    return tuple(
        Link(source, target, _LINK_KINDS[kind], float(weight), tuple(names.split()))
        for source, target, kind, weight, names in rows
    )


def forms(database: Database, checkout: str, paths: Sequence[str] | None = None) -> dict[str, CodeForms]:
    """Every file (or those at `paths`) at the lengths it may be shown at, by path, in order of path."""
    asked = {"checkout": checkout, "all": paths is None, "paths": list(paths or ())}
    with database.read() as connection:
        files = connection.execute(_FORMS, asked).fetchall()
        symbols = _symbols(connection.execute(_DEFINED, asked).fetchnumpy())
    return {
        row[0]: CodeForms(
            path=row[0],
            language=row[1],
            role=_ROLES[row[2]],
            content_hash=row[3],
            lines=row[4],
            skeleton=row[5],
            skeleton_tokens=row[6],
            outline=row[7],
            outline_tokens=row[8],
            symbols=tuple(symbols.get(row[0], ())),
        )
        for row in files
    }


_LINK_KINDS = {kind.value: kind for kind in LinkKind}
_ROLES = {role.value: role for role in Role}
_SYMBOL_COLUMNS = ("name", "qualname", "line", "end_line", "signature", "doc", "public")
_REFERENCE_KINDS = {kind.value: kind for kind in ReferenceKind}
_SYMBOL_KINDS = {kind.value: kind for kind in SymbolKind}


def _symbols(columns: dict[str, Any]) -> dict[str, list[Symbol]]:
    """Symbols by path, out of the columns of `_SYMBOLS` or `_DEFINED`: a large project has 100,000 of them."""
    paths, kinds, *rest = (columns[name].tolist() for name in ("path", "kind", *_SYMBOL_COLUMNS))
    name, qualname, line, end_line, signature, doc, public = rest
    known: dict[str, str] = {}  # one string for a name that stands in many files, and for a name that is a whole one
    name, qualname = ([known.setdefault(one, one) for one in column] for column in (name, qualname))
    made = map(Symbol, name, qualname, map(_SYMBOL_KINDS.__getitem__, kinds), line, end_line, signature, doc, public)
    found: defaultdict[str, list[Symbol]] = defaultdict(list)
    for path, symbol in zip(paths, made, strict=True):
        found[path].append(symbol)
    return found


def _grouped(rows: Sequence[Sequence[Any]], make: Callable[..., Iterable[Made]]) -> dict[str, list[Made]]:
    found: defaultdict[str, list[Made]] = defaultdict(list)
    for path, *rest in rows:
        found[path].extend(make(*rest))
    return found


def _references(name: str, kind: str, qualifier: str, uses: int, line: int) -> Iterable[Reference]:
    return (Reference(name, _REFERENCE_KINDS[kind], line, qualifier=qualifier),) * uses


def _import(module: str, names: str, line: int) -> Iterable[Import]:
    return (Import(module, line, tuple(names.split())),)


def _shape(family: str, key: str, line: int, symbol: str, slots: str) -> Iterable[Shape]:
    return (Shape(ShapeFamily(family), key, line, symbol, json.loads(slots)),)
