"""Scans, checks and copies that an owner makes."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from companion.api import Finding, Refreshed, ScanReport, Stats
from companion.client.remote.asker import Asker, result_of
from companion.ports import Progress


class Tending(Asker):
    """See `companion.api.tending.Tending` for the verbs."""

    def scan(self, progress: Progress, *, full: bool = False, embed: bool = True) -> ScanReport:
        """Read what is new in history and code, and learn from it."""
        return self._follow(ScanReport, progress, "/scan", full=full, embed=embed)

    def refresh(self, paths: Sequence[str] | None) -> Refreshed:
        """Take in what changed in these files (None: wherever anything did) and in the history."""
        return result_of(Refreshed, self._slow("/refresh", paths=None if paths is None else list(paths)))

    def stats(self) -> Stats:
        """What the store holds of this project."""
        return result_of(Stats, self._read("/stats"))

    def doctor(self) -> tuple[Finding, ...]:
        """Check the store, the indexes, the models and the repository."""
        return result_of(tuple[Finding, ...], self._slow("/doctor"))

    def rebuild(self, progress: Progress) -> tuple[Finding, ...]:
        """Make every derived index anew from what is canonical."""
        return self._follow(tuple[Finding, ...], progress, "/rebuild")

    def export(self, folder: Path, *, everything: bool = False) -> tuple[Path, ...]:
        """Write what is remembered of this project, or everything, as JSON Lines and Markdown."""
        asked = {"folder": str(folder.absolute()), "everything": everything}
        return result_of(tuple[Path, ...], self._slow("/export", **asked))

    def import_file(self, path: Path) -> int:
        """Read an export back, a folder or its lines; returns the number of memories that were new."""
        return result_of(int, self._slow("/import", path=str(path.absolute())))

    def backup(self, target: Path | None) -> Path:
        """A consistent copy of the whole store."""
        return result_of(Path, self._slow("/backup", target=None if target is None else str(target.absolute())))
