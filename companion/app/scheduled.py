"""The log of the runs that the system starts by itself, one file a checkout, which `companion doctor` looks at.

It holds when the job was installed, when each run began, and what it came to or the words of its error; of memories
no word, since these may be erased. It is private to its user, bounded, and what looks like a secret is taken out.
"""

from __future__ import annotations

import hashlib
import os
import re
import shlex
import subprocess
import sys
import traceback
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from datetime import datetime, timedelta
from pathlib import Path

from msgspec import Struct, field

from companion.adapters.clock import SystemClock
from companion.adapters.secrets import SecretRedactor
from companion.api import Finding
from companion.errors import CompanionError
from companion.ports import Clock

FOLDER = "logs"
LOG_MAX_CHARACTERS = 200_000
"""A year of runs that end well; the oldest go first."""
ENTRY_MAX_CHARACTERS = 4_000
"""The last of an error: a traceback's innermost calls."""
LINES_SHOWN = 3
"""Last lines of an error that `doctor` repeats."""
NAME_SIGNS = 10
"""Signs of a checkout's digest in the name of its job: no two of one user's are alike."""
OVERDUE = timedelta(hours=49)
"""A job that is due every day has missed one: it is said after the second, since a laptop may sleep through one."""
LASTS_MOST = timedelta(hours=6)
"""A run that began earlier and has not ended was killed: the longest take minutes, and some wait for a model."""
LOOKED_S = 10.0
"""How long another Python may take to say whether it has Companion; it takes a tenth of a second."""
INSTALLED, STARTED, DONE, FAILED = "installed", "started", "done", "failed"
NEXT = "Next: "
AGAIN = "companion consolidate"
_ENTRY = re.compile(rf"^== (\S+)Z ({INSTALLED}|{STARTED}|{DONE}|{FAILED})$", re.MULTILINE)


class _Entry(Struct, frozen=True):
    at: datetime
    event: str
    text: str


def job_name(root: str) -> str:
    """The name of a checkout's job, and of its log."""
    return f"companion-night-{hashlib.sha256(root.encode('utf-8', 'surrogatepass')).hexdigest()[:NAME_SIGNS]}"


class ScheduleLog(Struct, frozen=True):
    """The log of the job of one checkout, in a data folder."""

    home: Path
    root: str
    clock: Clock = field(default_factory=SystemClock)

    @property
    def path(self) -> Path:
        """Where it lies."""
        return self.home / FOLDER / f"{job_name(self.root)}.log"

    def installed(self, command: Sequence[str]) -> None:
        """Write down that a job was installed, and what it starts."""
        self._write(INSTALLED, shlex.join(command))

    def removed(self) -> None:
        """There is no job any more, and nothing to look at."""
        self.path.unlink(missing_ok=True)

    @contextmanager
    def run(self) -> Iterator[list[str]]:
        """Write down that a run begins, and how it ends: what was put into the list, or the words of its error."""
        said: list[str] = []
        self._write(STARTED)
        try:
            yield said
        except CompanionError as wrong:
            self._write(FAILED, f"{wrong.what}\n{NEXT}{wrong.next_step or AGAIN}")
            raise
        except BaseException:
            self._write(FAILED, traceback.format_exc())
            raise
        self._write(DONE, "\n".join(said))

    def finding(self) -> Finding | None:
        """What is to be said of the last scheduled run; None where none was ever scheduled here."""
        entries = self._entries()
        if not entries:
            return None
        program = next(
            (shlex.split(one.text)[0] for one in reversed(entries) if one.event == INSTALLED and one.text), ""
        )
        if program and (wrong := _cannot_run(program)):
            return _warning(f"The job starts {program}, {wrong}.", "companion schedule install")
        return _of(entries[-1], self.clock.now(), self.path)

    def _entries(self) -> list[_Entry]:
        try:
            parts = _ENTRY.split(self.path.read_text("utf-8", "replace"))[1:]
        except OSError:
            return []
        found = []
        for at, event, text in zip(parts[::3], parts[1::3], parts[2::3], strict=True):
            with suppress(ValueError):  # somebody wrote in it
                found.append(_Entry(datetime.fromisoformat(at), event, text.strip()))
        return found

    def _write(self, event: str, text: str = "") -> None:
        """Add an entry; a log that cannot be written stops no run."""
        said = SecretRedactor().redact(text)[-ENTRY_MAX_CHARACTERS:].strip()
        entry = f"== {self.clock.now().isoformat(timespec='seconds')}Z {event}\n" + (f"{said}\n" if said else "")
        with suppress(OSError):
            self.path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            before = self.path.read_text("utf-8", "replace") if self.path.exists() else ""
            with open(self.path, "w", encoding="utf-8", opener=lambda name, flags: os.open(name, flags, 0o600)) as log:
                log.write((before + entry)[-LOG_MAX_CHARACTERS:])


def _cannot_run(program: str) -> str:
    """Why a Python cannot start a run, as one that was installed anew; empty where it can."""
    if not Path(program).exists():
        return "which is not there any more"
    if program == sys.executable:
        return ""
    with suppress(OSError, subprocess.TimeoutExpired):
        done = subprocess.run([program, "-c", "import companion"], capture_output=True, timeout=LOOKED_S, check=False)
        return "which does not have Companion any more" if done.returncode else ""
    return "which does not start"


def _of(last: _Entry, now: datetime, path: Path) -> Finding:
    """What is to be said where a job's last entry is this one."""
    when, overdue = f"{last.at:%Y-%m-%d %H:%M} UTC", now - last.at > OVERDUE
    match last.event:
        case "failed":
            lines = [line.strip() for line in last.text.splitlines() if line.strip()]
            next_step = next((line.removeprefix(NEXT) for line in lines if line.startswith(NEXT)), AGAIN)
            said = " / ".join([line for line in lines if not line.startswith(NEXT)][-LINES_SHOWN:])
            return _warning(f"The run of {when} failed: {said} (more in {path})", next_step)
        case "started" if now - last.at > LASTS_MOST:
            return _warning(f"The run that began {when} did not end: it was killed, or the computer stopped.", AGAIN)
        case "started":
            return _fine(f"A run has been under way since {when}.")
        case _ if overdue:
            since = "it was installed" if last.event == INSTALLED else "its last run"
            return _warning(f"It is due every day and has not run since {since}, {when}.", "companion schedule show")
        case "installed":
            return _fine(f"It was installed {when} and has not run yet.")
        case _:
            return _fine(f"The last run ended well, {when}.")


def _fine(what: str) -> Finding:
    return Finding("scheduled run", "ok", what)


def _warning(what: str, next_step: str) -> Finding:
    return Finding("scheduled run", "warning", what, next_step)
