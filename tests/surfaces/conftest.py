"""A shop that was read once; each test gets its own copy of the store."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from blank import blank_home
from client.conftest import house, kept_house, read_shop
from kept_open import kept_open
from repos import WHY_ROUNDED, Repo

from surfaces.shells import Shell

__all__ = ["house", "kept_house", "read_shop"]
NOTE = "Prices are rounded half to even"
"""What was remembered by hand in the shop."""


@dataclass(frozen=True)
class Template:
    """A repository and the data folder of somebody who read it."""

    repo: Repo
    home: Path


@pytest.fixture(scope="session")
def template(tmp_path_factory: pytest.TempPathFactory) -> Template:
    folder = tmp_path_factory.mktemp("template")
    root = folder / "shop"
    root.mkdir()
    repo = Repo(root)
    repo.git("init", "-q")
    repo.write(
        "pyproject.toml", '[project]\nname = "shop"\nrequires-python = ">=3.11"\n\n[tool.ruff]\nline-length = 90\n'
    )
    repo.write("shop/cart.py", "from shop.price import total\n\n\ndef checkout(items):\n    return total(items)\n")
    repo.write("shop/price.py", 'def total(items):\n    """Adds up prices."""\n    return sum(items)\n')
    repo.commit("Add the cart")
    for number in range(3):
        for name in ("cart", "price"):
            repo.write(
                f"shop/{name}.py", (root / f"shop/{name}.py").read_text() + f"\n\ndef step_{number}():\n    pass\n"
            )
        repo.commit(f"Fix rounding, step {number}\n\n{WHY_ROUNDED}\n\nFixes #{number}")
    shell = Shell(folder / "home", root)
    assert shell("init").code == 0
    assert shell("remember", NOTE).code == 0
    assert shell("backup").code == 0
    return Template(repo, shell.home)


@pytest.fixture
def stays_open() -> bool:
    """Whether the store stays open between the commands of a test; files whose promise is opening it say no."""
    return True


@pytest.fixture
def shop(template: Template, tmp_path: Path, stays_open: bool) -> Iterator[Shell]:
    """A shell in the shop, over a store that holds all of it and one backup. The repository is shared: read only."""
    home = tmp_path / "home"
    shutil.copytree(template.home, home)
    with kept_open(home, stays_open):
        yield Shell(home, template.repo.root)


@pytest.fixture(scope="session")
def visited_shop(template: Template, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Shell]:
    """The same for commands that change nothing: one store for all of them, a context asked for before."""
    home = tmp_path_factory.mktemp("visited") / "home"
    shutil.copytree(template.home, home)
    shell = Shell(home, template.repo.root)
    with kept_open(home):
        assert shell("context").code == 0
        yield shell


@pytest.fixture
def shell(newcomer: Shell) -> Shell:
    """A shell of somebody with an empty store, in an empty folder."""
    blank_home(newcomer.home)
    return newcomer


@pytest.fixture
def newcomer(tmp_path: Path, stays_open: bool) -> Iterator[Shell]:
    """A shell of somebody who never used the program, in an empty folder."""
    folder = tmp_path / "desk"
    folder.mkdir()
    with kept_open(tmp_path / "home", stays_open):
        yield Shell(tmp_path / "home", folder)
