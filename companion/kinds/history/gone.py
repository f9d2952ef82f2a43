"""Whether what a happening touched or decided on still stands in the checkout, files followed through renames.

What speaks of files that are gone tells nothing of the code there is.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, cached_property

from companion.kinds.history import noise
from companion.kinds.history.choices import SUPPORT, WORD, Choice, answered, choices_in, names_in, still_applies
from companion.records import ChangeStatus, Commit, FileSeen, ParsedFile

_VERSION = re.compile(r"\d+(?:\.\d+)*")
RENAMES = 12
"""Renames a file is followed through: a file moved more often went in a circle."""
_PLAIN_NAMES = "index main mod lib init __init__ __main__ app setup"
_EVERYWHERE = frozenset(_PLAIN_NAMES.split())
"""Names that a file has for its place in a folder: one of that name in another folder is no later form of it."""
_FOLDERS_OF_SOURCE = "src source sources lib crate crates packages pkg main python java"
_PLAIN_FOLDERS = frozenset(_FOLDERS_OF_SOURCE.split())
"""Folders that a part of a project has for its source: `parser/src/lib.rs` is known by `parser`."""


@dataclass(frozen=True)
class Standing:
    """A checkout as it stands: its paths, and where files moved. Without paths nothing is known to be gone."""

    paths: frozenset[str]
    moved: Mapping[str, str]
    code: Callable[[], Sequence[ParsedFile]] = tuple
    """Asked for once, and only where a name has to be looked up: reading all of the code takes a while."""
    texts: Callable[[Iterable[str]], Iterable[FileSeen]] = lambda paths: ()
    """Asked for the files of which a name has to be looked up that no code has."""
    given_up: Mapping[str, tuple[int, ...]] = field(default_factory=dict)
    """The newest version of each platform that is no longer supported."""
    _read: dict[str, frozenset[str]] = field(default_factory=dict)

    def stands(self, paths: Sequence[str]) -> bool:
        """Whether more than half of some files are still there."""
        return not self.paths or 2 * sum(self._today(path) in self.paths for path in paths) > len(paths)

    def half_stands(self, paths: Sequence[str]) -> bool:
        """Whether half of some files are still there, or others of their names: what is written anew keeps its name."""
        here = sum(self._today(path) in self.paths or self._written_anew(path) for path in paths)
        return not self.paths or 2 * here >= len(paths)

    def any_stands(self, paths: Sequence[str]) -> bool:
        """Whether any of some files is still there, or another of its name."""
        return not self.paths or any(self._today(path) in self.paths or self._written_anew(path) for path in paths)

    def outlived(self, title: str) -> bool:
        """Whether a title speaks of a version of a platform older than the newest one that was given up."""
        return any(
            _older(_parts(found["version"]), newest)
            for platform, newest in self.given_up.items()
            for found in _versions_of(platform).finditer(title)
        )

    def _written_anew(self, path: str) -> bool:
        """Whether a file of this name lies elsewhere: for source another file of source, by a name that tells."""
        name = path.rpartition("/")[2]
        return _telling_name(path) in self._source_names if _is_source(path) else name in self._last_names

    @cached_property
    def _last_names(self) -> frozenset[str]:
        return frozenset(path.rpartition("/")[2] for path in self.paths)

    @cached_property
    def _source_names(self) -> frozenset[str]:
        return frozenset(_telling_name(path) for path in self.paths if _is_source(path))

    def applies(self, choice: Choice) -> bool:
        """Whether a decision speaks of what still stands in the code."""
        return still_applies(choice, self._names)

    def names(self, name: str, paths: Sequence[str]) -> bool:
        """Whether a name is still to be found, in the code or in the files at some paths; always without any code."""
        missing = {word for word in WORD.findall(name) if word not in self._names} if self._names else set()
        return not missing or missing <= {word for path in paths for word in self._words(self._today(path))}

    def _words(self, path: str) -> frozenset[str]:
        """The words of a file's text, comments and settings too."""
        if path not in self._read:
            self._read[path] = frozenset(word for file in self.texts((path,)) for word in WORD.findall(file.text))
        return self._read[path]

    @cached_property
    def _names(self) -> frozenset[str]:
        names = names_in(self.code())
        return names and names.union(*(WORD.findall(path) for path in self.paths))

    def _today(self, path: str) -> str:
        """Where a file lies now, as the renames tell; one that came back to its place is there."""
        for _ in range(RENAMES):
            if path in self.paths or path not in self.moved:
                break
            path = self.moved[path]
        return path


def _telling_name(path: str) -> str:
    """The name that a file is known again by: where it is that of many, with the folders up to one that tells."""
    *folders, name = path.split("/")
    if name.partition(".")[0].lower() not in _EVERYWHERE:
        return name
    telling = next((i for i in reversed(range(len(folders))) if folders[i].lower() not in _PLAIN_FOLDERS), 0)
    return "/".join((*folders[telling:], name))


def _is_source(path: str) -> bool:
    return not noise.test_path(path) and not noise.quiet_path(path)


def given_up_in(commits: Iterable[Commit]) -> dict[str, tuple[int, ...]]:
    """The newest version of each platform whose support a title says was dropped."""
    newest: dict[str, tuple[int, ...]] = {}
    for commit in commits:
        if "support" not in commit.subject.lower():
            continue
        for choice in choices_in(noise.bare_subject(commit.subject).text, ""):
            versions = [_parts(found) for found in _VERSION.findall(choice.subject)]
            if choice.attribute == SUPPORT and versions:
                platform = answered(choice.subject, SUPPORT)
                newest[platform] = max([newest.get(platform, ()), *versions])
    return newest


@cache
def _versions_of(platform: str) -> re.Pattern[str]:
    words = r"[\s.-]*".join(map(re.escape, platform.split()))
    return re.compile(rf"\b{words}[\s-]?v?(?P<version>{_VERSION.pattern})", re.IGNORECASE)


def _parts(version: str) -> tuple[int, ...]:
    return tuple(int(part) for part in version.split("."))


def _older(version: tuple[int, ...], newest: tuple[int, ...]) -> bool:
    """Whether all that a version covers is older: `3` covers more than `3.8`."""
    return version < newest[: len(version)] or (len(version) > 1 and version < newest)


def renames_of(commits: Iterable[Commit]) -> dict[str, str]:
    """Where each renamed file went, the last time."""
    return {
        change.old_path: change.path
        for commit in commits
        for change in commit.changes
        if change.status is ChangeStatus.RENAMED
    }
