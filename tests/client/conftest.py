"""A house: a user whose shop was read once; each test gets its own copy of the store; the shop itself is read only."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from repos import Repo

from companion.app.compose import open_companion
from companion.ports import NoProgress

from .houses import House, short_folder


@pytest.fixture(scope="session")
def read_shop(tmp_path_factory: pytest.TempPathFactory) -> House:
    """A shop that was read, and the data folder it was read into."""
    folder = tmp_path_factory.mktemp("read")
    root = folder / "shop"
    root.mkdir()
    repo = Repo(root)
    repo.git("init", "-q")
    repo.write("shop/price.py", 'def total(items):\n    """Adds up prices."""\n    return sum(items)\n')
    repo.write("shop/cart.py", "from shop.price import total\n\n\ndef checkout(items):\n    return total(items)\n")
    repo.commit("Add the cart\n\nPrices are integers, because floats lose digits.")
    before = os.environ.get("COMPANION_EMBEDDINGS")
    os.environ["COMPANION_EMBEDDINGS"] = "off"
    companion = open_companion(root, folder / "home")
    companion.scan(NoProgress())
    companion.close()
    if before is None:
        del os.environ["COMPANION_EMBEDDINGS"]
    return House(folder / "home", root)


@pytest.fixture
def house(read_shop: House, tmp_path: Path) -> Iterator[House]:
    """The same user with a copy of the store; whatever is started ends with the test."""
    with _lived_in(read_shop, tmp_path) as house:
        yield house


@pytest.fixture(scope="module")
def kept_house(read_shop: House, tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    """One such house, and one daemon, for all tests of a file that leave the daemon as it was."""
    with _lived_in(read_shop, tmp_path_factory.mktemp("kept")) as house:
        yield house


@contextmanager
def _lived_in(read_shop: House, folder: Path) -> Iterator[House]:
    shutil.copytree(read_shop.home, folder / "home")
    house = House(folder / "home", read_shop.root)
    with short_folder() as runtime, pytest.MonkeyPatch.context() as patch:
        patch.setenv("COMPANION_HOME", str(house.home))
        patch.setenv("COMPANION_EMBEDDINGS", "off")
        patch.setenv("COMPANION_DAEMON_IDLE_S", "60")
        patch.setenv("XDG_RUNTIME_DIR", str(runtime))
        try:
            yield house
        finally:
            house.clear()
