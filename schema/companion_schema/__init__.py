"""The store's schema: numbered migrations, each applied once, and refused for a newer store."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from importlib.resources import files


@dataclass(frozen=True, slots=True)
class Migration:
    """One numbered SQL script."""

    number: int
    name: str
    sql: str


_FOLDER = files(__name__) / "migrations"
_SCRIPTS = sorted(entry.name for entry in _FOLDER.iterdir() if entry.name.endswith(".sql"))


@cache
def migrations() -> tuple[Migration, ...]:
    """All migrations, in order."""
    return tuple(
        Migration(int(name[:4]), name[5:-4], (_FOLDER / name).read_text(encoding="utf-8")) for name in _SCRIPTS
    )


LATEST: int = int(_SCRIPTS[-1][:4])
"""The schema this program writes."""

FORMER_NAMES = {
    "night_runs": "runs",
    "night_changes": "run_changes",
    "night_rows": "run_rows",
    "night_digests": "run_digests",
    "night_decisions": "run_decisions",
}
"""Tables that have another name now, by the one that older stores and exports have for them."""

GONE = frozenset({"talk_moves"})
"""Tables that are no more, of which older exports hold rows."""
