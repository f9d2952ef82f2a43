"""Which files speak for the project: not examples, not fixtures, not other people's code."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache
from pathlib import PurePosixPath
from typing import TYPE_CHECKING

from companion.syntax.words import words

if TYPE_CHECKING:
    from pathspec import GitIgnoreSpec


MAX_DEPTH = 4
"""Folders above a settings file: monorepos keep packages two or three deep; below lie fixtures."""

MAX_FILES_OF_A_FAMILY = 40
"""Files of one family that are read: a monorepo with more packages says the same over and over."""

_FOREIGN = words(
    "vendor vendored third_party thirdparty third-party external externals extern node_modules deps submodules "
    "dist site-packages generated gen snapshots __snapshots__ testdata docs_src cookbook boilerplate "
    "skeleton skeletons stubs archetype archetypes scaffold scaffolds scaffolding starters"
)
"""Folders of other people's code, or of code written for others to start from."""

_TRYOUT = words(
    "example examples fixture fixtures sample samples demo demos playground playgrounds template templates "
    "test tests testing testcases spec specs e2e bench benches benchmark benchmarks tutorial tutorials "
    "doctest doctests sandbox scratch mock mocks experiments fuzz snippet snippets"
)
"""First words of folders that hold tries and trials; `tokio-test` is a product, `test-suite` is not."""

_BOOKS = words("doc docs documentation website site wiki www translations i18n locale locales changelog news")
"""Folders of documentation: their build settings say nothing of the code."""


@cache
def spec_of(patterns: tuple[str, ...]) -> GitIgnoreSpec:
    """Gitignore-style patterns, compiled once for each family of files."""
    from pathspec import GitIgnoreSpec

    return GitIgnoreSpec.from_lines(patterns)


def speaks_for_project(path: str, *, document: bool = False) -> bool:
    """Whether a file's word counts. Prose may lie in documentation folders, settings may not."""
    folders = PurePosixPath(path).parts[:-1]
    if len(folders) > MAX_DEPTH or any(is_foreign(folder.lower()) for folder in folders):
        return False
    books = [index for index, folder in enumerate(folders) if is_book(folder)]
    return not books or (document and books[0] == 0)


def is_book(folder: str) -> bool:
    """Whether a folder holds documentation."""
    return _words(folder)[0] in _BOOKS


def is_foreign(folder: str) -> bool:
    """Whether a folder, in lower case, holds other people's code, examples or trials."""
    return folder in _FOREIGN or folder.strip("_.") in _FOREIGN or _words(folder)[0] in _TRYOUT


def _words(folder: str) -> list[str]:
    return [w for w in re.split(r"[-_.]", folder.lower()) if w] or [""]


def nearest(paths: Iterable[str], limit: int = MAX_FILES_OF_A_FAMILY) -> list[str]:
    """At most `limit` paths, those nearest to the root first, then by name."""
    return sorted(paths, key=lambda path: (path.count("/"), path))[:limit]
