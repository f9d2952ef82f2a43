"""What every test of this room may use."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from stores import store

from companion.store.database import Database


@pytest.fixture
def database(tmp_path: Path) -> Iterator[Database]:
    """An empty store with one project."""
    with store(tmp_path / "home") as opened:
        yield opened
