"""What starts a run at an hour: systemd, cron, launchd or the task scheduler of Windows, each with what it is told.

A timer says what it would write and run before it does either; writing the same again changes nothing.
"""

from __future__ import annotations

import os
import plistlib
import shlex
import shutil
import subprocess
import sys
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from pathlib import Path

from msgspec import Struct

from companion.errors import CompanionError, UsageError

SYSTEM_S = 30.0
"""How long a command of the system may take; they take milliseconds."""
NICE = 10
"""A run is in no hurry: whoever else computes goes first."""
RELOAD = ("systemctl", "--user", "daemon-reload")


class Job(Struct, frozen=True):
    """One repository's run: what is run, where, with which data folder, and when (hours and minutes, local time)."""

    name: str
    command: tuple[str, ...]
    root: str
    home: str
    hour: int
    minute: int


def timer_for(wanted: str) -> FileTimer | Cron | WindowsTasks:
    """The timer of that name, or (empty) the one that this system has. Raises UsageError where there is none."""
    timers: dict[str, type[FileTimer | Cron | WindowsTasks]] = {
        "systemd": Systemd,
        "cron": Cron,
        "launchd": Launchd,
        "schtasks": WindowsTasks,
    }
    if wanted:
        if wanted not in timers:
            raise UsageError(f"There is no timer `{wanted}`.", f"Choose one of: {', '.join(timers)}.")
        return timers[wanted]()
    if sys.platform == "darwin":
        return Launchd()
    if sys.platform == "win32":
        return WindowsTasks()
    if shutil.which("systemctl") and _run(["systemctl", "--user", "show-environment"]).returncode == 0:
        return Systemd()
    if shutil.which("crontab"):
        return Cron()
    raise UsageError(
        "This system has neither a systemd of the user's own nor cron.",
        "Have `companion consolidate --scheduled` run once a day by whatever starts things here.",
    )


class FileTimer(ABC):
    """A timer that is told by files of the user's own, and by commands that make them count or count no more."""

    system: str

    def planned(self, job: Job) -> str:
        """What would be written and run, to the letter."""
        files = "\n".join(f"{path}:\n\n{_indented(text)}" for path, text in self._files(job).items())
        return f"{files}\nThen: {'; '.join(map(shlex.join, self._begin(job.name)))}"

    def install(self, job: Job) -> bool:
        """Have it run from now on, in place of an earlier one; whether anything had to be written."""
        if self.shown(job.name):
            _run(self._end(job.name))
        changed = [_write(path, text) for path, text in self._files(job).items()]
        for command in self._begin(job.name):
            _must(command)
        return any(changed)

    def remove(self, name: str) -> bool:
        """Have it run no more; whether there was anything to remove."""
        if not self.shown(name):
            return False
        _run(self._end(name))
        for path in self._paths(name):
            path.unlink(missing_ok=True)
        return True

    def shown(self, name: str) -> str:
        """The files that are there, to the letter; empty where none is."""
        files = {path: path.read_text("utf-8") for path in self._paths(name) if path.exists()}
        return "\n".join(f"{path}:\n\n{_indented(text)}" for path, text in files.items())

    @abstractmethod
    def _paths(self, name: str) -> Sequence[Path]: ...

    @abstractmethod
    def _files(self, job: Job) -> Mapping[Path, str]: ...

    @abstractmethod
    def _begin(self, name: str) -> Sequence[Sequence[str]]: ...

    @abstractmethod
    def _end(self, name: str) -> Sequence[str]: ...


class Systemd(FileTimer):
    """A service and a timer among the user's own units."""

    system = "systemd"

    def remove(self, name: str) -> bool:
        """Stop the timer and delete its files."""
        if removed := super().remove(name):
            _must(RELOAD)
        return removed

    def _begin(self, name: str) -> Sequence[Sequence[str]]:
        return [RELOAD, ["systemctl", "--user", "enable", "--now", f"{name}.timer"]]

    def _end(self, name: str) -> Sequence[str]:
        return ["systemctl", "--user", "disable", "--now", f"{name}.timer"]

    def _paths(self, name: str) -> Sequence[Path]:
        config = Path(os.environ.get("XDG_CONFIG_HOME") or Path.home() / ".config")
        folder = config / "systemd" / "user"
        return folder / f"{name}.service", folder / f"{name}.timer"

    def _files(self, job: Job) -> Mapping[Path, str]:
        service, timer = self._paths(job.name)
        home = f"Environment={_unit_word(f'COMPANION_HOME={job.home}')}\n" if job.home else ""
        command = " ".join(_unit_word(word) for word in job.command)
        about = f"Companion tidies what it remembers of {job.root.replace('%', '%%')}"
        return {
            service: f"[Unit]\nDescription={about}\n\n"
            f"[Service]\nType=oneshot\n{home}ExecStart={command}\nNice={NICE}\nIOSchedulingClass=idle\n",
            timer: f"[Unit]\nDescription={about}, every day\n\n"
            f"[Timer]\nOnCalendar=*-*-* {job.hour:02}:{job.minute:02}:00\nRandomizedDelaySec=600\nPersistent=true\n\n"
            "[Install]\nWantedBy=timers.target\n",
        }


class Cron:
    """A line in the user's crontab, between two marks; all other lines stay as they are."""

    system = "cron"

    def planned(self, job: Job) -> str:
        """The lines that are added."""
        return f"Added to your crontab (`crontab -l`):\n\n{_indented(self._block(job))}"

    def install(self, job: Job) -> bool:
        """Add the lines, in place of those of an earlier time."""
        before = self._lines()
        after = [*self._without(before, job.name), *self._block(job).splitlines()]
        if after == before:
            return False
        self._keep(after)
        return True

    def remove(self, name: str) -> bool:
        """Take the lines out."""
        before = self._lines()
        after = self._without(before, name)
        if after == before:
            return False
        self._keep(after)
        return True

    def shown(self, name: str) -> str:
        """The lines that are there."""
        before = self._lines()
        others = self._without(before, name)
        return "\n".join(line for line in before if line not in others)

    def _lines(self) -> list[str]:
        said = _run(["crontab", "-l"])  # fails where there is no crontab yet
        if said.returncode and "no crontab" not in said.stderr.lower() and said.stderr.strip():
            raise CompanionError(f"Your crontab cannot be read: {said.stderr.strip()}", "Look at it with `crontab -l`.")
        return said.stdout.splitlines() if said.returncode == 0 else []

    def _keep(self, lines: Sequence[str]) -> None:
        _must(["crontab", "-"], "".join(f"{line}\n" for line in lines))

    def _without(self, lines: Sequence[str], name: str) -> list[str]:
        begin, end = self._marks(name)
        kept: list[str] = []
        inside = False
        for line in lines:
            inside = inside or (line == begin and end in lines)
            if not inside:
                kept.append(line)
            inside = inside and line != end
        return kept

    def _marks(self, name: str) -> tuple[str, str]:
        return f"# {name}: written by `companion schedule install`", f"# {name}: end"

    def _block(self, job: Job) -> str:
        begin, end = self._marks(job.name)
        given = [f"COMPANION_HOME={job.home}"] if job.home else []
        command = shlex.join(["env", *given, "nice", "-n", str(NICE), *job.command]).replace("%", "\\%")
        return f"{begin}\n{job.minute} {job.hour} * * * {command} >/dev/null 2>&1\n{end}\n"


class Launchd(FileTimer):
    """An agent of the user's own."""

    system = "launchd"

    def _paths(self, name: str) -> Sequence[Path]:
        return [Path.home() / "Library" / "LaunchAgents" / f"{name}.plist"]

    def _begin(self, name: str) -> Sequence[Sequence[str]]:
        return [["launchctl", "load", "-w", *map(str, self._paths(name))]]

    def _end(self, name: str) -> Sequence[str]:
        return ["launchctl", "unload", "-w", *map(str, self._paths(name))]

    def _files(self, job: Job) -> Mapping[Path, str]:
        told: dict[str, object] = {
            "Label": job.name,
            "ProgramArguments": list(job.command),
            "StartCalendarInterval": {"Hour": job.hour, "Minute": job.minute},
            "ProcessType": "Background",
            "LowPriorityIO": True,
            "Nice": NICE,
        }
        if job.home:
            told["EnvironmentVariables"] = {"COMPANION_HOME": job.home}
        text = plistlib.dumps(told).decode("utf-8")
        return dict.fromkeys(self._paths(job.name), text)


class WindowsTasks:
    """A task of the user's own."""

    system = "schtasks"

    def planned(self, job: Job) -> str:
        """The command that makes it."""
        return f"Run: {subprocess.list2cmdline(self._create(job))}"

    def install(self, job: Job) -> bool:
        """Make the task, or make it anew."""
        _must(self._create(job))
        return True

    def remove(self, name: str) -> bool:
        """Delete the task."""
        if not self.shown(name):
            return False
        _must(["schtasks", "/Delete", "/TN", name, "/F"])
        return True

    def shown(self, name: str) -> str:
        """The task as the system tells it."""
        said = _run(["schtasks", "/Query", "/TN", name, "/FO", "LIST", "/V"])
        return said.stdout.strip() if said.returncode == 0 else ""

    def _create(self, job: Job) -> list[str]:
        command = subprocess.list2cmdline(job.command)
        if job.home:
            command = f'cmd /c "set "COMPANION_HOME={job.home}" && {command}"'
        when = f"{job.hour:02}:{job.minute:02}"
        return ["schtasks", "/Create", "/TN", job.name, "/TR", command, "/SC", "DAILY", "/ST", when, "/F"]


def _unit_word(word: str) -> str:
    """A word as a unit file has it: quoted, and nothing in it means anything to systemd."""
    plain = word.replace("\\", "\\\\").replace('"', '\\"').replace("%", "%%").replace("$", "$$")
    return f'"{plain}"'


def _indented(text: str) -> str:
    return "".join(f"    {line}\n" for line in text.splitlines())


def _write(path: Path, text: str) -> bool:
    """Have a file hold a text; whether it did not before."""
    if path.exists() and path.read_text("utf-8") == text:
        return False
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return True


def _must(command: Sequence[str], given: str | None = None) -> None:
    """Run a command of the system. Raises CompanionError with its own words where it fails."""
    said = _run(command, given)
    if said.returncode:
        words = (said.stderr or said.stdout).strip() or f"it exited with {said.returncode}"
        raise CompanionError(
            f"`{shlex.join(command)}` failed: {words}.", "Try another timer: `companion schedule install --with cron`."
        )


def _run(command: Sequence[str], given: str | None = None) -> subprocess.CompletedProcess[str]:
    """A command of the system to its end; one that is not there or hangs is one that fails."""
    try:
        return subprocess.run(
            command,
            input=given or "",
            capture_output=True,
            check=False,
            timeout=SYSTEM_S,
            text=True,
            errors="replace",
        )
    except (OSError, subprocess.TimeoutExpired) as wrong:
        return subprocess.CompletedProcess(command, 1, "", str(wrong))
