"""Imports that are paths: C and C++ includes, Ruby, Bash, Terraform, and every language without rules of its own."""

from __future__ import annotations

import re
from collections.abc import Iterator

from companion.records import Import
from companion.syntax.definitions import Definitions
from companion.syntax.resolve.meaning import MAX_CANDIDATES, Meant, beside_or_ending, folder_of, join


def c(definitions: Definitions, path: str, imported: Import) -> Iterator[tuple[str, Meant]]:
    """An included header: beside the file, or wherever the project has one whose path ends so."""
    system = imported.module.startswith("<")
    name = imported.module.strip('<>"')
    here = join(folder_of(path), name)
    if not system and here in definitions:
        yield "", Meant((here,))
        return
    files = definitions.ending(name.removeprefix("./").replace("../", ""))
    if system and "/" not in name:
        files = [file for file in files if "include/" in file or file.count("/") <= 1]
    if files:
        yield "", Meant(tuple(definitions.nearest(files, path)))


# Ruby, Bash, Lua and all others: by the end of the path


def ruby(definitions: Definitions, path: str, imported: Import) -> Iterator[tuple[str, Meant]]:
    """A required file: beside the file, or below a `lib` folder."""
    module = imported.module
    if module.startswith("."):
        base = join(folder_of(path), module)
        file = base if base in definitions else f"{base}.rb"
        if file in definitions:
            yield "", Meant((file,))
        return
    tail = module if module.endswith(".rb") else f"{module}.rb"
    files = definitions.ending(f"lib/{tail}") or [
        file
        for file in definitions.ending(tail)
        if "/" in module or "/" not in file or folder_of(file).rpartition("/")[2] in {"test", "spec"}
    ]
    if files:
        yield "", Meant(tuple(definitions.nearest(files, path)))


def bash(definitions: Definitions, path: str, imported: Import) -> Iterator[tuple[str, Meant]]:
    """A sourced file; what stands before it may be computed."""
    tail = re.sub(r"^.*[$)}\"']+/?|^\./", "", imported.module).strip("\"'")
    if tail:
        yield from (("", meant) for meant in beside_or_ending(definitions, path, tail, tail.replace("../", "")))


def terraform(definitions: Definitions, path: str, imported: Import) -> Iterator[tuple[str, Meant]]:
    """The files of a module that lies in the repository."""
    if imported.module.startswith("."):
        files = definitions.in_folder(join(folder_of(path), imported.module))
        yield "", Meant(tuple(file for file in files if file.endswith((".tf", ".tofu"))))


def by_ending(definitions: Definitions, path: str, imported: Import) -> Iterator[tuple[str, Meant]]:
    """Any other import: a file beside this one or one whose path ends so."""
    module = imported.module.strip("\"'<>")
    extension = path.rpartition(".")[2]
    slashed = module.replace("::", "/").replace("\\", "/")
    if "/" not in slashed and not slashed.endswith(f".{extension}"):
        slashed = slashed.replace(".", "/")
    here = join(folder_of(path), slashed)
    tails = (slashed, f"{slashed}.{extension}", f"{slashed}/init.{extension}")
    for tail in tails:
        near = join(folder_of(path), tail)
        files = [near] if near in definitions and here else definitions.ending(tail.lstrip("./"))
        if 0 < len(files) <= MAX_CANDIDATES:
            for name in imported.names or ("",):
                yield name, Meant(tuple(definitions.nearest(files, path)))
            return
