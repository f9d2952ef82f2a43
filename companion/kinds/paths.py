"""What a path of a commit or a checkout holds: source that is shipped, tests, or what only accompanies both."""

from __future__ import annotations

from functools import lru_cache

from companion.kinds.facts.project_files import is_foreign
from companion.records import FileRole
from companion.records.roles import role_of
from companion.syntax import language_of

_REMEMBERED = 65_536
"""Paths whose role is kept within a process; each is asked for several times."""


@lru_cache(maxsize=_REMEMBERED)
def _role(path: str) -> FileRole:
    return role_of(path, language_of(path))


def test_path(path: str) -> bool:
    """Whether a path is a test by its folder or name."""
    return _role(path) is FileRole.TEST


@lru_cache(maxsize=_REMEMBERED)
def source_path(path: str) -> bool:
    """Whether a path is the project's own source, no test and no example."""
    return _role(path) is FileRole.SOURCE and not any(is_foreign(folder.lower()) for folder in path.split("/")[:-1])


def quiet_path(path: str) -> bool:
    """Whether a path is neither source nor test: documents, settings, locks, other people's code, examples."""
    return not source_path(path) and not test_path(path)
