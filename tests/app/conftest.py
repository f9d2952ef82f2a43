"""A small project with a history, and companions over a store of their own."""

from __future__ import annotations

import hashlib
import os
import shutil
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Any, TypeVar

import pytest
from blank import blank_home
from fakes import FakeClock, HashEmbedder, WordCounter
from repos import WHY_ROUNDED, Repo
from waiting import DEADLINE_S

from app.talks import talking
from companion.adapters.secrets import SecretRedactor
from companion.api import ScanReport
from companion.app.consolidation import opposing
from companion.app.local import LocalCompanion
from companion.app.runtime import Adapters, runtime_over
from companion.config import Settings
from companion.ports import NoProgress
from companion.signals import git
from companion.store import projects
from companion.store.opening import open_store


@dataclass
class Desk:
    """A user's data folder and clock; opens companions for repositories."""

    home: Path
    clock: FakeClock
    readings: Readings | None = None

    def open(self, folder: Path, *, embedder: bool = False) -> LocalCompanion:
        database = open_store(self.home, wait_s=0.2, memory_limit="400MB")
        runtime = runtime_over(
            database,
            Settings(),
            Adapters(self.clock, WordCounter(), SecretRedactor(), HashEmbedder() if embedder else None),
        )
        state = git.open_repository(folder)
        project, checkout = projects.identify(database, state, self.clock.now())
        return LocalCompanion(runtime, state, project, checkout)

    def scan(self, folder: Path, **options: bool) -> ScanReport:
        """Read a repository, or put back what a reading of the same files at the same place left in the same store."""
        return self._scan(folder, **options) if self.readings is None else self.readings.of(self, folder, options)

    def _scan(self, folder: Path, **options: bool) -> ScanReport:
        companion = self.open(folder)
        try:
            return companion.scan(NoProgress(), **options)
        finally:
            companion.close()


Made = TypeVar("Made")


@dataclass
class Readings:
    """Data folders as readings left them, by all that was there to read: who reads the same has a copy."""

    standing: Path
    kept: Path
    left: dict[str, tuple[Any, datetime]] = field(default_factory=dict)

    def of(self, desk: Desk, folder: Path, options: dict[str, bool]) -> ScanReport:
        """Have the data folder as a reading leaves it. What lies elsewhere is read each time."""
        if folder.parent != self.standing:
            return desk._scan(folder, **options)
        given = (folder, sorted(options.items()), desk.clock.now(), _files(desk.home), _files(folder))
        key = hashlib.sha256(repr(given).encode()).hexdigest()
        return self.once(key, desk, lambda: desk._scan(folder, **options))

    def once(self, key: str, desk: Desk, fill: Callable[[], Made]) -> Made:
        """Have the data folder and the clock as `fill` leaves them; it is asked by the first test that gives the key."""
        if key not in self.left:
            self.left[key] = fill(), desk.clock.moment
            shutil.copytree(desk.home, self.kept / key)
        else:
            shutil.rmtree(desk.home)
            shutil.copytree(self.kept / key, desk.home)
        made: Made
        made, desk.clock.moment = self.left[key]
        return made


def _files(root: Path) -> list[tuple[str, int, bytes]]:
    """The files of a data folder or a small repository; of what git keeps, where its branches stand."""
    files = (path for path in sorted(root.rglob("*")) if path.is_symlink() or not path.is_dir())
    named = ((path.relative_to(root).as_posix(), path) for path in files)
    told = ((name, path) for name, path in named if not name.startswith(".git/") or name.startswith(GIT_STATE))
    return [(name, path.lstat().st_mode, _content(path)) for name, path in told]


def _content(path: Path) -> bytes:
    if path.is_symlink():
        return os.fsencode(path.readlink())
    return hashlib.sha256(path.read_bytes()).digest() if path.is_file() else b""


GIT_STATE = (".git/HEAD", ".git/refs/", ".git/packed-refs", ".git/shallow", ".git/info/", ".git/config", ".git/MERGE")
"""What git keeps of a repository that a reading looks at, beside the commits themselves."""


@pytest.fixture(autouse=True, scope="module")
def unhurried() -> Iterator[None]:
    """What a note contradicts is looked for as long as it takes: a busy machine would break it off unfinished."""
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(opposing, "ARRIVED_S", DEADLINE_S)
        yield


@pytest.fixture
def desk(tmp_path: Path, readings: Readings, request: pytest.FixtureRequest) -> Desk:
    """A desk whose store is there and empty; a test that patches anything reads for itself."""
    patched = "monkeypatch" in request.fixturenames
    return Desk(blank_home(tmp_path / "home"), FakeClock(), None if patched else readings)


@pytest.fixture(scope="session")
def readings(standing: Path, tmp_path_factory: pytest.TempPathFactory) -> Readings:
    """What was read in this session."""
    return Readings(standing, tmp_path_factory.mktemp("read"))


@pytest.fixture(scope="session")
def standing(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where the shop lies in every test, since a store knows it by that."""
    return tmp_path_factory.mktemp("place")


@pytest.fixture(scope="session")
def built_shop(tmp_path_factory: pytest.TempPathFactory) -> Repo:
    """The shop as it is committed, from which each test has a copy: to commit it takes two dozen processes."""
    repo = Repo(tmp_path_factory.mktemp("built") / "shop")
    repo.root.mkdir()
    repo.git("init", "-q", "--template=")  # no samples of hooks, which would be copied too
    repo.write(
        "pyproject.toml", '[project]\nname = "shop"\nrequires-python = ">=3.11"\n\n[tool.ruff]\nline-length = 100\n'
    )
    repo.write("shop/__init__.py", "")
    repo.write(
        "shop/cart.py",
        'from shop.price import total\n\n\nclass Cart:\n    """Holds items."""\n\n    def sum(self):\n        return total([])\n',
    )
    repo.write("shop/price.py", 'def total(items):\n    """Adds up prices."""\n    return sum(items)\n')
    repo.write("tests/test_cart.py", "from shop.cart import Cart\n\n\ndef test_sum():\n    assert Cart().sum() == 0\n")
    repo.write(
        "docs/adr/0001-money.md",
        "# 1. Prices are integers\n\n## Status\n\nAccepted\n\n## Context\n\nFloats lose cents in shop/price.py.\n\n## Decision\n\nWe keep prices as integer cents.\n",
    )
    repo.commit("Add the cart")
    for number in range(4):
        repo.write(
            "shop/cart.py",
            (repo.root / "shop/cart.py").read_text() + f"\n\ndef cart_step_{number}():\n    return {number}\n",
        )
        repo.write(
            "shop/price.py",
            (repo.root / "shop/price.py").read_text() + f"\n\ndef price_step_{number}():\n    return {number}\n",
        )
        repo.commit(f"Fix rounding of prices, step {number}\n\n{WHY_ROUNDED}\n\nFixes #{number + 1}")
    return repo


@pytest.fixture
def shop(built_shop: Repo, standing: Path) -> Iterator[Repo]:
    """A shop: two modules that change together, a test, a manifest, a decision record."""
    root = standing / "shop"
    yield Repo(shutil.copytree(built_shop.root, root, symlinks=True), built_shop.minute)
    shutil.rmtree(root, ignore_errors=True)


@pytest.fixture
def live(desk: Desk, shop: Repo, readings: Readings) -> Iterator[LocalCompanion]:
    """A companion that stays open, as in a daemon, over the shop as it was read before anything was patched."""
    readings.of(desk, shop.root, {})
    companion = desk.open(shop.root)
    yield companion
    companion.close()


@pytest.fixture
def opened(desk: Desk, shop: Repo) -> Iterator[LocalCompanion]:
    """A companion in the shop that reads conversations by rules small enough to know by heart."""
    companion = talking(desk.open(shop.root, embedder=True))
    yield companion
    companion.close()
