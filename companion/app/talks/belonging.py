"""Which project the folder that a log names belongs to: one that is known, or none; never a guess."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field
from pathlib import Path

from companion.errors import CompanionError
from companion.signals import git
from companion.store import projects
from companion.store.database import Database
from companion.store.identity import Checkout

NO_FOLDER = "it names no folder"
UNKNOWN = "its folder is in no project that is known: `companion init` there"
_DIGEST = "sha256:"


@dataclass
class Belonging:
    """Answers for the checkouts that are known when it is made; `home` is the project of what names no folder."""

    database: Database
    home: str = ""
    _checkouts: dict[str, Checkout] = field(default_factory=dict, init=False)
    _known: dict[str, str] = field(default_factory=dict, init=False)

    def __post_init__(self) -> None:
        """Read which folders are known."""
        for project in projects.projects(self.database):
            for checkout in projects.checkouts(self.database, project.id):
                self._checkouts[_real(checkout.root)] = checkout

    @property
    def roots(self) -> tuple[Path, ...]:
        """The folders of the checkouts that are known."""
        return tuple(Path(root) for root in sorted(self._checkouts))

    @property
    def digest(self) -> str:
        """Tells these folders from others."""
        return hashlib.sha256("\x1f".join([self.home, *sorted(self._checkouts)]).encode()).hexdigest()[:16]

    def project_of(self, folder: str) -> str:
        """The project that a folder belongs to; empty where that is none that is known."""
        if not folder:
            return self.home
        if folder not in self._known:
            self._known[folder] = self._by_digest(folder) if folder.startswith(_DIGEST) else self._by_folder(folder)
        return self._known[folder]

    def why(self, folder: str) -> str:
        """Why something of this folder belongs to no project."""
        return UNKNOWN if folder else NO_FOLDER

    def _by_digest(self, folder: str) -> str:
        for root, checkout in self._checkouts.items():
            if any(_DIGEST + hashlib.sha256(said.encode()).hexdigest() == folder for said in (root, checkout.root)):
                return checkout.project
        return ""

    def _by_folder(self, folder: str) -> str:
        place = Path(_real(folder))
        if not place.is_absolute():
            return ""
        if (around := _around(place)) is not None:
            return self._checkouts[str(around)].project if str(around) in self._checkouts else self._of_known(around)
        above = (str(one) for one in (place, *place.parents))
        return (
            next((self._checkouts[one].project for one in above if one in self._checkouts), "")
            if not place.exists()
            else ""
        )

    def _of_known(self, root: Path) -> str:
        """The project of a worktree or clone that was never read itself, where the project was."""
        try:
            return projects.recognised(self.database, git.open_repository(root))
        except CompanionError:
            return ""


def _around(place: Path) -> Path | None:
    """The work tree that a folder lies in, by what stands on disk; None where there is none."""
    return next((one for one in (place, *place.parents) if (one / ".git").exists()), None) if place.exists() else None


def _real(folder: str) -> str:
    try:
        return str(Path(folder).resolve())
    except (OSError, RuntimeError, ValueError):
        return folder
