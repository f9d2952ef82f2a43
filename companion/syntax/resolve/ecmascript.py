"""JavaScript and TypeScript: relative files, front files, aliases, packages of the same repository."""

from __future__ import annotations

import re
from collections.abc import Iterator

from companion.records import Import
from companion.syntax.definitions import Definitions
from companion.syntax.resolve.meaning import Meant, folder_of, join

_ES_ENDS = (".ts", ".tsx", ".d.ts", ".js", ".jsx", ".mjs", ".cjs", ".mts", ".cts", ".vue", ".svelte", ".json", ".css")
_ES_BUILT = re.compile(r"\.(?:[cm]?js|jsx)$")
_ES_ALIAS = re.compile(r"^(?:@/|~/?|#/?|\$\w*/|@[a-z]*/)")


def ecmascript(definitions: Definitions, path: str, imported: Import) -> Iterator[tuple[str, Meant]]:
    """An ES import, export or require."""
    file = _es_file(definitions, path, imported.module.split("?", 1)[0])
    if not file:
        return
    folders = (folder_of(file),) if file.rsplit("/", 1)[-1].startswith("index.") else ()
    # A front file may be called anything; what it passes on lies beside or below it.
    meant = Meant((file,), folders or (folder_of(file),))
    for name in imported.names or ("",):
        yield name, meant


def _es_file(definitions: Definitions, path: str, module: str) -> str:
    if module.startswith("."):
        base = join(folder_of(path), module)
        return _es_ends(definitions, base) if base or module in {".", "./"} else ""
    if found := _es_package(definitions, path, module):
        return found
    rest = _ES_ALIAS.sub("", module)
    if rest == module and "/" not in module:
        return ""
    for folder in definitions.nearest(
        [f"{f}/x".lstrip("/") for f in definitions.folders_of("package.json")] or ["x"], path, 8
    ):
        root = folder_of(folder)
        for inner in ("", "src", "app", "lib"):
            if found := _es_ends(definitions, "/".join(part for part in (root, inner, rest) if part)):
                return found
    return ""


def _es_package(definitions: Definitions, path: str, module: str) -> str:
    """A package of the same repository, by the name in its manifest."""
    parts = module.split("/")
    for length in (2, 1):
        name, rest = "/".join(parts[:length]), "/".join(parts[length:])
        for folder in definitions.manifest_folders(name):
            for inner in ("src", "", "lib", "source"):
                base = "/".join(part for part in (folder, inner, rest) if part)
                if found := _es_ends(definitions, base, front=not rest):
                    return found
    return ""


def _es_ends(definitions: Definitions, base: str, front: bool = False) -> str:
    if base in definitions and not front:
        return base
    bare = _ES_BUILT.sub("", base)
    for stem in dict.fromkeys((base, bare)):
        for end in _ES_ENDS:
            if stem and (file := stem + end) in definitions and not front:
                return file
    for end in _ES_ENDS:
        for name in ("index", "main", "mod") if front else ("index",):
            if (file := f"{base}/{name}{end}".lstrip("/")) in definitions:
                return file
    return ""
