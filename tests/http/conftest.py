"""A daemon over a copy of a store that was read once."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
from daemons import Served, make_shop, start

from companion.ports import NoProgress


@pytest.fixture(scope="session")
def read_shop(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """A shop that was read once: its root, and the data folder."""
    folder = tmp_path_factory.mktemp("http")
    root = make_shop(folder / "shop")
    with ExitStack() as stack:
        sockets = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        start(folder / "home", root, stack, sockets).remote().scan(NoProgress())
    return root, folder / "home"


@pytest.fixture
def serving(read_shop: tuple[Path, Path], tmp_path: Path) -> Iterator[Callable[..., Served]]:
    """Starts a daemon over a copy of the store that was read."""
    root, home = read_shop
    shutil.copytree(home, tmp_path / "home", dirs_exist_ok=True)
    with ExitStack() as stack:
        sockets = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="c")))
        yield lambda **how: start(tmp_path / "home", root, stack, sockets, **how)


@pytest.fixture(scope="session")
def served(read_shop: tuple[Path, Path], tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """A daemon that answers all tests that leave it as it was, but for what they remember."""
    root, home = read_shop
    copied = shutil.copytree(home, tmp_path_factory.mktemp("served") / "home")
    with ExitStack() as stack:
        sockets = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="c")))
        yield start(copied, root, stack, sockets)
