"""A companion outside of any repository, over a store that nothing was said in."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from app.conftest import Desk
from app.turns.said import at_home
from companion.app.local import LocalCompanion


@pytest.fixture
def opened(desk: Desk) -> Iterator[LocalCompanion]:
    companion = at_home(desk)
    yield companion
    companion.close()
