"""A small project with a history, and companions over a store of their own."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from blank import blank_home, is_blank
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
    shops: ReadShop | None = None

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
        """Read a repository; the shop as it is committed was read once for all, and what that left is copied."""
        if self.shops is not None and not options and (report := self.shops.read_for(self, folder)):
            return report
        companion = self.open(folder)
        try:
            return companion.scan(NoProgress(), **options)
        finally:
            companion.close()


@dataclass
class ReadShop:
    """The shop as one reading left it. It stands at the same place in every test, since a store knows it by that."""

    built: Repo
    place: Path
    home: Path
    _report: ScanReport | None = None

    def put(self, repo: Repo) -> Repo:
        """A copy of a repository at the place, instead of what stood there."""
        shutil.rmtree(self.place, ignore_errors=True)
        shutil.copytree(repo.root, self.place, symlinks=True)
        return Repo(self.place, repo.minute)

    def read_for(self, desk: Desk, folder: Path) -> ScanReport | None:
        """Fill the desk's store with what a reading now would put there; None where it would find something else."""
        if folder != self.place or desk.clock.now() != FakeClock().now() or not is_blank(desk.home):
            return None
        if _files(folder) != _files(self.built.root):
            return None
        if self._report is None:
            self._report = Desk(blank_home(self.home), FakeClock()).scan(folder)
        shutil.copytree(self.home, desk.home, dirs_exist_ok=True)
        return self._report


def _files(root: Path) -> dict[str, bytes]:
    """The files of a small repository, and where its branches stand."""
    files = (path for path in root.rglob("*") if path.is_file())
    names = ((path.relative_to(root).as_posix(), path) for path in files)
    told = {name: path for name, path in names if not name.startswith(".git/") or name.startswith(GIT_STATE)}
    return {name: path.read_bytes() for name, path in told.items()}


GIT_STATE = (".git/HEAD", ".git/refs/", ".git/packed-refs", ".git/shallow", ".git/info/", ".git/config", ".git/MERGE")
"""What git keeps of a repository that a reading looks at, beside the commits themselves."""


@pytest.fixture(autouse=True, scope="module")
def unhurried() -> Iterator[None]:
    """What a note contradicts is looked for as long as it takes: a busy machine would break it off unfinished."""
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(opposing, "ARRIVED_S", DEADLINE_S)
        yield


@pytest.fixture
def desk(tmp_path: Path, read_shop: ReadShop, request: pytest.FixtureRequest) -> Desk:
    """A desk whose store is there and empty; a test that patches anything reads the shop itself."""
    patched = "monkeypatch" in request.fixturenames
    return Desk(blank_home(tmp_path / "home"), FakeClock(), None if patched else read_shop)


@pytest.fixture(scope="session")
def read_shop(built_shop: Repo, tmp_path_factory: pytest.TempPathFactory) -> ReadShop:
    """The shop, to be read when the first test needs it."""
    folder = tmp_path_factory.mktemp("read")
    return ReadShop(built_shop, folder / "shop", folder / "home")


@pytest.fixture(scope="session")
def built_shop(tmp_path_factory: pytest.TempPathFactory) -> Repo:
    """The shop as it is committed, from which each test has a copy: to commit it takes two dozen processes."""
    repo = Repo(tmp_path_factory.mktemp("built") / "shop")
    repo.root.mkdir()
    repo.git("init", "-q")
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
def shop(built_shop: Repo, read_shop: ReadShop) -> Repo:
    """A shop: two modules that change together, a test, a manifest, a decision record."""
    return read_shop.put(built_shop)


@pytest.fixture
def opened(desk: Desk, shop: Repo) -> Iterator[LocalCompanion]:
    """A companion in the shop that reads conversations by rules small enough to know by heart."""
    companion = talking(desk.open(shop.root, embedder=True))
    yield companion
    companion.close()
