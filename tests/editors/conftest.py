"""A repository that was read, and a user's home in which editors are connected to it."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest
from companion_lsp.texts import STILL_ASKING
from repos import Repo

PROGRAM = Path(sys.executable).with_name("companion")


@dataclass(frozen=True)
class Desk:
    """A home with settings of editors, a data folder, and a repository."""

    home: Path
    repo: Repo

    @property
    def environment(self) -> dict[str, str]:
        """What a program of this user sees; nothing of whoever runs the tests."""
        return {
            "HOME": str(self.home),
            "PATH": f"{PROGRAM.parent}{os.pathsep}{os.environ.get('PATH', os.defpath)}",
            "COMPANION_HOME": str(self.home / "data"),
            "XDG_RUNTIME_DIR": str(self.home / "run"),
            "LANG": "C.UTF-8",
            "TERM": "dumb",
            "STILL_ASKING": STILL_ASKING,  # what the scripts of the editors wait for the end of
        }

    def run(self, *command: str, timeout_s: float = 90) -> subprocess.CompletedProcess[str]:
        """A program in the repository, with nobody at the keyboard."""
        return subprocess.run(
            list(command),
            cwd=self.repo.root,
            env=self.environment,
            text=True,
            capture_output=True,
            stdin=subprocess.DEVNULL,
            timeout=timeout_s,
            check=False,
        )


@pytest.fixture
def editing(tmp_path):
    """A desk whose daemon is stopped at the end, whatever the test did."""
    if not PROGRAM.exists():
        pytest.skip("companion is not installed beside this Python")
    home = tmp_path / "home"
    (home / "run").mkdir(parents=True, mode=0o700)
    root = tmp_path / "shop"
    root.mkdir()
    repo = Repo(root)
    repo.git("init", "-q")
    repo.write("shop/price.py", 'def total(items):\n    """Adds up prices."""\n    return sum(items)\n')
    repo.write("shop/cart.py", "from shop.price import total\n\n\ndef checkout(items):\n    return total(items)\n")
    repo.commit("Add prices")
    repo.write(
        "shop/price.py",
        'def total(items):\n    """Adds up prices, in cents."""\n    return sum(round(i) for i in items)\n',
    )
    repo.commit(
        "Round each price to cents\n\nThe total in shop/price.py was off by a cent, because floats lose digits, "
        "so that no price was right until it had been rounded to whole cents. Each sum was shown beside its parts, and "
        "nobody saw that they differed before the books were closed at the end of a month."
    )
    desk = Desk(home, repo)
    assert desk.run(str(PROGRAM), "init").returncode == 0
    yield desk
    desk.run(str(PROGRAM), "stop")
    shutil.rmtree(home / "run", ignore_errors=True)
