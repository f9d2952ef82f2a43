"""What a path of a commit or a checkout holds: source that is shipped, tests, or what only accompanies both."""

from __future__ import annotations

from functools import lru_cache

from companion.kinds.facts.project_files import is_foreign
from companion.records import FileRole
from companion.syntax.languages import PATHS_KEPT, role_by_name


def test_path(path: str) -> bool:
    """Whether a path is a test by its folder or name."""
    return role_by_name(path) is FileRole.TEST


@lru_cache(maxsize=PATHS_KEPT)
def source_path(path: str) -> bool:
    """Whether a path is the project's own source, no test and no example."""
    return role_by_name(path) is FileRole.SOURCE and not any(
        is_foreign(folder.lower()) for folder in path.split("/")[:-1]
    )


def quiet_path(path: str) -> bool:
    """Whether a path is neither source nor test: documents, settings, locks, other people's code, examples."""
    return not source_path(path) and not test_path(path)
