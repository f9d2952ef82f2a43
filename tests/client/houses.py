"""A user with a data folder, a repository that was read, and daemons that are really processes."""

from __future__ import annotations

import contextlib
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import psutil
from waiting import DEADLINE_S

from companion.client.finding import Address, find_daemon, lock_is_held

PROGRAM = (sys.executable, "-P", "-m", "companion.surfaces.cli")


@dataclass(frozen=True)
class House:
    """One user's data folder; what is started here is ended by `clear`."""

    home: Path
    root: Path

    def begin(self, *arguments: str, **settings: str) -> subprocess.Popen[str]:
        """Begin a command in the repository."""
        return subprocess.Popen(
            [*PROGRAM, *arguments],
            cwd=self.root,
            env={**os.environ, **{f"COMPANION_{name.upper()}": value for name, value in settings.items()}},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )

    def run(self, *arguments: str, **settings: str) -> subprocess.CompletedProcess[str]:
        """A command to its end."""
        process = self.begin(*arguments, **settings)
        out, err = process.communicate(timeout=DEADLINE_S)
        assert "Traceback" not in err, err
        return subprocess.CompletedProcess(arguments, process.returncode, out, err)

    @property
    def daemon(self) -> Address | None:
        """Who lives here."""
        return find_daemon(self.home)

    def processes(self) -> list[psutil.Process]:
        """Every daemon process of this data folder that is alive."""
        found = []
        for process in psutil.process_iter():
            with contextlib.suppress(psutil.Error):
                ours = process.pid != os.getpid() and process.environ().get("COMPANION_HOME") == str(self.home)
                if ours and process.status() != psutil.STATUS_ZOMBIE:
                    found.append(process)
        return found

    def empty(self) -> bool:
        """Whether nobody owns the store."""
        return not lock_is_held(self.home)

    def clear(self) -> None:
        """End whatever is left of this data folder."""
        for process in self.processes():
            with contextlib.suppress(psutil.Error):
                process.kill()
                process.wait(10)


@contextlib.contextmanager
def short_folder() -> Iterator[Path]:
    """A folder whose path leaves room for a socket's name."""
    folder = Path(tempfile.mkdtemp(prefix="cmp-"))
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)
