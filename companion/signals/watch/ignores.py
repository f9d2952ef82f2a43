"""Which files and folders a watcher says nothing of, and places no watch in where it can help it."""

from __future__ import annotations

import os
from collections.abc import Collection
from dataclasses import dataclass

import pathspec

from companion.errors import SourceError
from companion.records import RepoState
from companion.signals import git
from companion.signals.files import OWN_IGNORE_FILE, WorkTree
from companion.signals.ignore import foreign_folder_reason, secret_reason
from companion.signals.paths import raw_path

RULES = (".gitignore", OWN_IGNORE_FILE)
"""Names of files that say what is ignored: when one changes, everything may be."""


@dataclass
class GitIgnores:
    """What git ignores, what `.companionignore` names, and folders that other people's programs fill.

    Paths are relative to the checkout's folder.
    """

    state: RepoState

    def __post_init__(self) -> None:
        self._own = self._own_rules()
        self._root = os.fspath(git.folder_of(self.state))

    def shut(self, folder: str) -> bool:
        """Whether a folder is called like one that programs fill, or is a repository of its own; asked often."""
        if foreign_folder_reason(folder.rpartition("/")[2]):
            return True
        return bool(folder) and os.path.lexists(f"{self._root}/{os.fsdecode(raw_path(folder))}/.git")

    def of(self, paths: Collection[str]) -> frozenset[str]:
        """Those of the paths that git or the project's own file ignores, or that are never read; asked once a burst."""
        hidden = {path for path in paths if self._own.match_file(path) or secret_reason(path)}
        try:
            return frozenset(hidden | git.ignored(self.state, [path for path in paths if path not in hidden]))
        except SourceError:
            return frozenset(hidden)

    def folders(self) -> frozenset[str]:
        """Folders that git ignores whole, the outermost alone."""
        try:
            return git.ignored_folders(self.state)
        except SourceError:
            return frozenset()

    def look_again(self) -> None:
        """Read the project's own rules anew; git reads its own by itself."""
        self._own = self._own_rules()

    def _own_rules(self) -> pathspec.GitIgnoreSpec:
        return WorkTree(self.state).own_rules()
