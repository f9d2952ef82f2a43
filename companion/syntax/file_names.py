"""What a file's name says: what it is about, and whether it is a test of that."""

from __future__ import annotations

import re
from functools import lru_cache

from msgspec import Struct

NAMES_KEPT = 20_000
"""Paths whose reading is kept: those of a few large projects, some 10 MB."""

FRONTS = frozenset(["__init__", "index", "mod", "lib", "main"])
"""File names that stand for their folder."""

_TESTS = frozenset(["test", "tests", "spec", "specs"])
"""Names of files and folders that say that something is a test, and not of what."""
_TEST_FOLDERS = _TESTS | {"testing", "__tests__"}
_PART = re.compile(r"[A-Z]+(?=[A-Z][a-z])|[A-Z]?[a-z]+|[A-Z]+|\d+")
_TEST_MARK = re.compile(r"^(?:tests?|spec)[_-]|[_.-](?:tests?|specs?)$|(?<=[a-z0-9])(?:Tests?|Spec)$|^Test(?=[A-Z])")


class Name(Struct, frozen=True):
    """What one path says: what it is called without test marks, whether it is a test, the words of its file's name."""

    stem: str
    test: bool
    words: frozenset[str]

    def pairs(self, other: Name) -> float:
        """1 if one is the other's test by name, else 0."""
        return float(self.stem == other.stem and self.test != other.test)

    def alike(self, other: Name) -> float:
        """Words shared over words of both (Jaccard)."""
        return len(self.words & other.words) / max(len(self.words | other.words), 1)


@lru_cache(maxsize=NAMES_KEPT)
def read_name(path: str) -> Name:
    """`tests/test_json_tag.py` gives stem `json_tag`, a test, with the words test, json and tag.

    A name that says nothing by itself is that of its folder: `add/index.ts` and `add/test.ts` are both `add`.
    """
    *folders, base = path.split("/")
    whole = base.rpartition(".")[0] or base
    stem = _TEST_MARK.sub("", whole) or whole
    test = stem != whole or whole.lower() in _TESTS or not _TEST_FOLDERS.isdisjoint(map(str.lower, folders))
    words = frozenset(part.lower() for part in _PART.findall(whole) if len(part) > 1)
    silent = FRONTS | _TESTS
    if stem.lower() in silent:
        stem = next((name for name in reversed(folders) if name.lower() not in silent | _TEST_FOLDERS), stem)
    return Name(stem.lower(), test, words)
