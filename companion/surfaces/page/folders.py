"""The repositories that a page may show: those it was asked for, by a short name for the address."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from pathlib import Path

NAME_MAX_CHARACTERS = 40
_UNFIT = re.compile(r"[^a-z0-9]+")


@dataclass
class PageFolders:
    """Folders by name. Only `companion page` adds one, so a page leads nowhere that its user has not been."""

    _roots: dict[str, Path] = field(default_factory=dict)

    def name(self, root: Path) -> str:
        """The name of a folder, made when it is first asked for."""
        for name, known in self._roots.items():
            if known == root:
                return name
        plain = _UNFIT.sub("-", root.name.lower()).strip("-")[:NAME_MAX_CHARACTERS] or "folder"
        name, number = plain, 1
        while name in self._roots:
            number += 1
            name = f"{plain}-{number}"
        self._roots[name] = root
        return name

    def root(self, name: str) -> Path:
        """The folder of a name that is known."""
        return self._roots[name]

    @property
    def first(self) -> str:
        """The name of the folder that was asked for first; empty if there is none."""
        return next(iter(self._roots), "")

    def all(self) -> tuple[tuple[str, str], ...]:
        """Names and folders, in the order in which they were asked for."""
        return tuple((name, str(root)) for name, root in self._roots.items())

    def __contains__(self, name: object) -> bool:
        return name in self._roots
