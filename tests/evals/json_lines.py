"""Files of JSON Lines, as measurements read them."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

from companion.errors import UsageError


def read_json_lines(path: Path) -> list[dict[str, Any]]:
    """The objects of a file, one a line, gzipped or not. Raises UsageError for a file that holds anything else."""
    try:
        raw = path.read_bytes()
        text = (gzip.decompress(raw) if path.suffix == ".gz" else raw).decode("utf-8")
        rows = [json.loads(line) for line in text.splitlines() if line.strip()]
    except (OSError, ValueError) as wrong:
        raise UsageError(f"{path} cannot be read: {wrong}.", "It is JSON Lines, gzipped or not.") from wrong
    if not all(isinstance(row, dict) for row in rows):
        raise UsageError(f"{path} cannot be read.", "Each line is a JSON object.")
    return rows
