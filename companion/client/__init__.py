"""The thin way to a companion: finds who can answer for a repository, importing almost nothing itself."""

from __future__ import annotations

from pathlib import Path

from companion.api import Companion, Finding


def connect(path: Path) -> Companion:
    """A companion for the repository that `path` lies in; the caller closes it.

    The store is opened in this process; if another one holds it, this waits for a moment.

    Raises:
        NotARepository: there is no git repository at the path.
        StoreHeld: another process keeps the store.
    """
    from companion.app.compose import open_companion

    return open_companion(path)


def examine(path: Path, *, repair: bool) -> tuple[Finding, ...]:
    """Check store, indexes, models and repository, even where the store cannot be opened."""
    from companion.app import checks

    return checks.examine(path, repair=repair)


def settings_table() -> tuple[tuple[str, str, str, str], ...]:
    """Every setting: name, value in force, default, reason."""
    from companion.app import checks

    return checks.settings_table()
