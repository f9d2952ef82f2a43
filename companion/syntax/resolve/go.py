"""Go: import paths below a module's name mean folders."""

from __future__ import annotations

from collections.abc import Iterator

from companion.records import Import
from companion.syntax.definitions import Definitions
from companion.syntax.resolve.meaning import NOWHERE, Meant


def go(definitions: Definitions, path: str, imported: Import) -> Iterator[tuple[str, Meant]]:
    """A Go import: the folder of its package."""
    module = imported.module
    for name, folder in definitions.manifests("go.mod"):
        if module == name or module.startswith(f"{name}/"):
            yield "", _go_package(definitions, f"{folder}/{module[len(name) + 1 :]}".strip("/"))
            return
    if "." in module.split("/", 1)[0]:
        parts = module.split("/")
        for start in range(1, len(parts)):
            meant = _go_package(definitions, "/".join(parts[start:]))
            if meant and len(parts) - start >= 2:
                yield "", meant
                return


def _go_package(definitions: Definitions, folder: str) -> Meant:
    has_code = any(file.endswith(".go") for file in definitions.in_folder(folder))
    return Meant(folders=(folder,)) if has_code else NOWHERE
