"""Real processes for measurements: commands, and a daemon, over a data folder of their own."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

MEASURES = str(Path(__file__).resolve().parents[2])
"""The folder of this package, for children that run its code: their PYTHONPATH."""
COMMAND_S = 600.0
"""A command that takes longer hangs; reading a large repository takes minutes."""


@contextmanager
def own_home(home: Path, **settings: str) -> Iterator[None]:
    """This process and its children use the store in `home`; its daemon, if there is one, is stopped at the end.

    `settings` are given by name, in upper case, as in `COMPANION_<NAME>`.
    """
    given = {"COMPANION_HOME": str(home), **{f"COMPANION_{name}": value for name, value in settings.items()}}
    before = {name: os.environ.get(name) for name in given}
    os.environ.update(given)
    try:
        yield
    finally:
        from companion.client.starting import stop_daemon

        stop_daemon(home)
        for name, value in before.items():
            if value is None:
                del os.environ[name]
            else:
                os.environ[name] = value


def companion(root: Path, *arguments: str, timeout_s: float = COMMAND_S) -> str:
    """What a command prints in a repository, as its start script runs it. Raises OSError where it fails."""
    program = Path(sys.executable).with_name("companion")
    command = [str(program)] if program.exists() else [sys.executable, "-m", "companion.surfaces.cli"]
    done = subprocess.run(
        [*command, *arguments], cwd=root, capture_output=True, text=True, timeout=timeout_s, check=False
    )
    if done.returncode:
        raise OSError(f"`companion {arguments[0]}` ended with {done.returncode}: {done.stderr.strip()[-400:]}")
    return done.stdout


def git_said(root: Path, *arguments: str) -> str:
    """What a git command says."""
    return subprocess.run(["git", *arguments], cwd=root, check=True, capture_output=True, text=True).stdout


def git(root: Path, *arguments: str) -> None:
    """A git command by someone who is nobody."""
    identity = ("-c", "user.name=Measured", "-c", "user.email=measured@example.com")
    subprocess.run(["git", *identity, *arguments], cwd=root, check=True, capture_output=True)
