"""Who can be set up, and what a set-up consists of."""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterable
from importlib.metadata import entry_points
from pathlib import Path

from msgspec import Struct

from companion.errors import UsageError
from companion.surfaces.connecting.file_edits import Piece

CONNECTIONS = "companion.connections"
"""Entry points of this group are tuples of targets."""
ZED_SIGNS = ("zed", "zeditor", "~/.config/zed", "/Applications/Zed.app", "$APPDATA/Zed")


class Setup(Struct, frozen=True):
    """The pieces that connect a program, what to do then, and what a person has to do by hand."""

    pieces: tuple[Piece, ...]
    then: str
    by_hand: str = ""


class SetupTarget(Struct, frozen=True):
    """For whom a set-up is made: `command` runs this program, `project` is a repository, None: the whole user."""

    command: str
    project: Path | None = None


class Target(Struct, frozen=True):
    """A program by the name that is typed, what it is (`editor`, `assistant`), and how its set-up is made.

    One with `for_projects` can be set up for one repository alone. `signs` show that it is on this machine: names of
    programs, and files or folders, which may begin with `~` or a variable of the environment.
    """

    name: str
    title: str
    what: str
    setup: Callable[[SetupTarget], Setup]
    for_projects: bool = False
    signs: tuple[str, ...] = ()

    def is_here(self) -> bool:
        """Whether the program is on this machine, as far as can be seen."""
        return any(
            Path(os.path.expandvars(sign)).expanduser().exists() if "/" in sign else shutil.which(sign)
            for sign in self.signs
        )


def targets() -> tuple[Target, ...]:
    """Everyone who can be set up, in the order of their names."""
    known = (target for found in entry_points(group=CONNECTIONS) for target in found.load())
    return tuple(sorted(known, key=lambda target: (target.name, target.what)))


def named(name: str, known: Iterable[Target]) -> tuple[Target, ...]:
    """The targets of a name: an editor that is an assistant too is both. Raises UsageError if there is none."""
    found = tuple(target for target in known if target.name == name.lower())
    if not found:
        names = ", ".join(dict.fromkeys(target.name for target in known))
        raise UsageError(f"There is no set-up for `{name}`.", f"Choose one of: {names}.")
    return found


def program() -> str:
    """The path of the `companion` that runs: what is started from a menu knows no PATH of a shell."""
    beside = Path(sys.executable).with_name("companion.exe" if os.name == "nt" else "companion")
    return str(beside) if beside.exists() else shutil.which("companion") or "companion"


def shell_word(command: str) -> str:
    """A program as shells take it."""
    return subprocess.list2cmdline([command]) if os.name == "nt" else shlex.quote(command)


def settings_folder(*parts: str, windows: str = "APPDATA") -> Path:
    """A folder below where programs keep their settings."""
    if os.name == "nt":
        return Path(os.environ.get(windows, str(Path.home())), *parts)
    return Path(os.environ.get("XDG_CONFIG_HOME") or Path.home() / ".config", *parts)


def zed_settings() -> Path:
    """Zed's settings of the user, for its language servers and for its agent."""
    return settings_folder("Zed" if os.name == "nt" else "zed", "settings.json")
