"""Rust: `use` trees, `mod` declarations, crates of the same repository."""

from __future__ import annotations

import re
from collections.abc import Iterator

from companion.records import Import
from companion.syntax.definitions import Definitions
from companion.syntax.resolve.meaning import NOWHERE, Meant, folder_of

_RUST_WORDS = re.compile(r"[\w*]+|::|[{},]|\bas\b")


def rust_paths(text: str) -> list[tuple[list[str], str]]:
    """The paths of a `use` argument, nested lists taken apart, each with the name it brings in."""
    paths: list[tuple[list[str], str]] = []
    stack: list[list[str]] = []
    current: list[str] = []
    alias = ""
    tokens = _RUST_WORDS.findall(text)
    at = 0

    def close() -> None:
        nonlocal current, alias
        if current:
            whole = [*(part for level in stack for part in level), *current]
            if whole[-1] == "self" and len(whole) > 1:
                whole.pop()
            paths.append((whole, alias or whole[-1]))
        current, alias = [], ""

    while at < len(tokens):
        word = tokens[at]
        if word == "{":
            stack.append(current)
            current = []
        elif word == "}":
            close()
            if stack:
                stack.pop()
            current = []
        elif word == ",":
            close()
        elif word == "as" and at + 1 < len(tokens):
            alias = tokens[at + 1]
            at += 1
        elif word != "::":
            current.append(word)
        at += 1
    close()
    return paths


def rust(definitions: Definitions, path: str, imported: Import) -> Iterator[tuple[str, Meant]]:
    """A `use` or a `mod`: the deepest module of each path."""
    if imported.module.startswith("./"):
        meant = _rust_deepest(definitions, _rust_children(path), [imported.module[2:]])
        yield imported.module[2:], meant
        return
    for parts, name in rust_paths(imported.module):
        yield name, _rust_path(definitions, path, parts)


def _rust_path(definitions: Definitions, path: str, parts: list[str]) -> Meant:
    first = parts[0]
    if first == "crate":
        return _rust_deepest(definitions, _rust_source(definitions, path), parts[1:])
    if first in {"self", "super"}:
        folder = _rust_children(path)
        while parts and parts[0] in {"self", "super"}:
            folder = folder_of(folder) if parts[0] == "super" else folder
            parts = parts[1:]
        return _rust_deepest(definitions, folder, parts)
    for name in (first, first.replace("_", "-")):
        for folder in definitions.manifest_folders(name):
            return _rust_deepest(definitions, f"{folder}/src".lstrip("/"), parts[1:])
    inner = _rust_deepest(definitions, _rust_children(path), parts)
    return inner if inner.files and inner.files[0] != path and len(parts) > 1 else NOWHERE


def _rust_children(path: str) -> str:
    """The folder in which the modules declared by a file lie."""
    folder, _, name = path.rpartition("/")
    stem = name.removesuffix(".rs")
    inside = folder if stem in {"mod", "lib", "main"} else f"{folder}/{stem}"
    return inside.strip("/")


def _rust_source(definitions: Definitions, path: str) -> str:
    """The folder that `crate` means: that of the library or program, or of the tests, each its own crate."""
    folder = folder_of(path)
    parts = folder.split("/")
    for at, part in enumerate(parts):
        if part in {"tests", "benches", "examples"} and "src" not in parts[:at]:
            return "/".join(parts[: at + 1])
    while folder:
        if f"{folder}/lib.rs" in definitions or f"{folder}/main.rs" in definitions:
            return folder
        folder = folder_of(folder)
    return "src"


def _rust_deepest(definitions: Definitions, folder: str, parts: list[str]) -> Meant:
    """The file of the deepest module that a path names, below a folder."""
    found = ""
    for front in ("lib.rs", "mod.rs", "main.rs"):
        if f"{folder}/{front}".lstrip("/") in definitions:
            found = f"{folder}/{front}".lstrip("/")
            break
    else:
        found = f"{folder}.rs" if f"{folder}.rs" in definitions else ""
    for part in parts:
        base = f"{folder}/{part}".lstrip("/")
        nxt = next((file for file in (f"{base}.rs", f"{base}/mod.rs") if file in definitions), "")
        if not nxt and not definitions.is_folder(base):
            break
        found, folder = nxt or found, base
    if not found:
        return NOWHERE
    return Meant((found,), (folder,) if definitions.is_folder(folder) else ())
