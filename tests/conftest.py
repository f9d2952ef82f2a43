"""What every room's tests may use."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from repos import Repo


@pytest.fixture
def new_repo(tmp_path: Path) -> Callable[..., Repo]:
    """Makes an empty repository; arguments are those of `git init`."""

    def make(name: str = "repo", *arguments: str) -> Repo:
        root = tmp_path / name
        root.mkdir(parents=True)
        made = Repo(root)
        made.git("init", "-q", *arguments)
        return made

    return make
