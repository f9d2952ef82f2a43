"""What a project's manifests call its packages, as module symbols, so that imports can be resolved."""

from __future__ import annotations

import json
import re
from pathlib import PurePosixPath

from companion.records import Symbol, SymbolKind

_GO_MODULE = re.compile(r"^[^\S\n]*+module\s+\"?([^\s\"]+)", re.MULTILINE)
_PUB_NAME = re.compile(r"^name:[^\S\n]*+[\"']?(\w+)", re.MULTILINE)
_CARGO_NAME = re.compile(r"^\[(?:package|lib)\][^\[]*?^[^\S\n]*+name\s*=\s*\"([^\"]+)\"", re.MULTILINE | re.DOTALL)


def declared_modules(path: str, text: str) -> tuple[Symbol, ...]:
    """Module symbols declared by a manifest: go.mod, Cargo.toml, package.json, pubspec.yaml; none for other files."""
    match PurePosixPath(path).name:
        case "go.mod":
            return _first(_GO_MODULE, text)
        case "Cargo.toml":
            return _first(_CARGO_NAME, text)
        case "package.json":
            return _package_json(text)
        case "pubspec.yaml":
            return _first(_PUB_NAME, text)
    return ()


def _first(pattern: re.Pattern[str], text: str) -> tuple[Symbol, ...]:
    found = pattern.search(text)
    return (_module(found[1], text.count("\n", 0, found.start(1)) + 1),) if found else ()


def _package_json(text: str) -> tuple[Symbol, ...]:
    try:
        name = json.loads(text).get("name")
    except (ValueError, AttributeError, RecursionError):
        return ()
    if not isinstance(name, str) or not name:
        return ()
    at = text.find('"name"')
    return (_module(name, text.count("\n", 0, max(at, 0)) + 1),)


def _module(name: str, line: int) -> Symbol:
    return Symbol(name, name, SymbolKind.MODULE, line, line, f"module {name}")
