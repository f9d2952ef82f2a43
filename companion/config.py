"""Settings: each with its default, its unit and where the number comes from.

Read from `config.toml` in the data folder and from `COMPANION_*` environment variables, which win.
"""

from __future__ import annotations

import os
import tomllib
from dataclasses import dataclass, field, fields
from pathlib import Path

from companion.errors import UsageError


def _setting(default: object, why: str) -> object:
    return field(default=default, metadata={"why": why})


@dataclass(frozen=True, slots=True)
class Settings:
    """Every setting of Companion. The settings page is generated from the reasons given here."""

    budget_tokens: int = _setting(8_000, "tokens of an assembled context; document D")  # type: ignore[assignment]
    tokenizer: str = _setting("o200k", "encoding that counts tokens; the newest open vocabulary")  # type: ignore[assignment]
    embeddings: str = _setting("minilm-int8", "`minilm-int8`, or `off`; the model comes inside a package")  # type: ignore[assignment]
    cochange_half_life_commits: int = _setting(300, "best of 100 to 1,000 in replay of nine repositories")  # type: ignore[assignment]
    cochange_max_files: int = _setting(30, "larger commits are sweeps and say nothing of one file")  # type: ignore[assignment]
    file_max_bytes: int = _setting(1_000_000, "larger files are generated or data; skipped and listed")  # type: ignore[assignment]
    store_wait_s: float = _setting(5.0, "how long a second process waits for the store, in seconds")  # type: ignore[assignment]
    memory_limit: str = _setting("400MB", "what DuckDB may hold in memory; a scan still works at 200 MB")  # type: ignore[assignment]
    foundation_limit: int = _setting(20, "most foundation memories; spec M2")  # type: ignore[assignment]
    error_window_hours: int = _setting(24, "errors this young are critical; spec C2")  # type: ignore[assignment]
    parse_workers: int = _setting(0, "processes of a first scan; 0: one for each core, at most 8")  # type: ignore[assignment]


def data_home() -> Path:
    """The folder of the store: `COMPANION_HOME`, else the platform's data folder."""
    override = os.environ.get("COMPANION_HOME")
    if override:
        return Path(override).expanduser()
    import platformdirs

    return Path(platformdirs.user_data_dir("companion", appauthor=False))


def load_settings(home: Path) -> Settings:
    """Settings from `home/config.toml` and the environment; a wrong one is named in the error."""
    path = home / "config.toml"
    given: dict[str, object] = {}
    if path.is_file():
        try:
            given = tomllib.loads(path.read_text(encoding="utf-8"))
        except (tomllib.TOMLDecodeError, UnicodeDecodeError) as wrong:
            raise UsageError(f"{path} is not valid TOML: {wrong}.", "Mend it or move it away.") from wrong
    known = {f.name: f for f in fields(Settings)}
    for name in known:
        if (text := os.environ.get(f"COMPANION_{name.upper()}")) is not None:
            given[name] = text
    values: dict[str, object] = {}
    for name, value in given.items():
        if name not in known:
            raise UsageError(f"{path} has an unknown setting `{name}`.", "See `companion doctor --settings`.")
        values[name] = _as_kind(name, value, known[name].default)
    return Settings(**values)  # type: ignore[arg-type]


def _as_kind(name: str, value: object, default: object) -> object:
    kind = type(default)
    try:
        return kind(value)  # type: ignore[call-arg]
    except (TypeError, ValueError) as wrong:
        raise UsageError(
            f"Setting `{name}` must be {kind.__name__}, not {value!r}.", "See `companion doctor --settings`."
        ) from wrong
