"""Processes that write to a store, hold it, or leave it as a kill would; and the rows they leave."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from companion.store.database import Database

posix_only = pytest.mark.skipif(os.name != "posix", reason="permission bits and signals are POSIX")

WRITER = """
import sys
from pathlib import Path
from companion.store.opening import open_store
database = open_store(Path(sys.argv[1]), wait_s=1, memory_limit="200MB")
start, number = int(sys.argv[2]), 0
while True:
    name = f"k{start + number:06d}"
    with database.write() as connection:
        connection.execute("insert into store_meta values ($name, $value)", {"name": name, "value": "v" * 50})
        connection.execute("insert into usage_log values ($name, 'cited', '2026-01-01', '')", {"name": name})
    print(name, flush=True)
    number += 1
    if number % 7 == 0:
        database.checkpoint()
"""

HOLDER = """
import sys
from pathlib import Path
from companion.store.opening import open_store
database = open_store(Path(sys.argv[1]), wait_s=1, memory_limit="200MB")
print("open", flush=True)
sys.stdin.readline()
database.close()
"""


def put(database: Database, name: str, value: str = "v") -> None:
    with database.write() as connection:
        connection.execute("insert into store_meta values ($name, $value)", {"name": name, "value": value})


def names(database: Database) -> list[str]:
    with database.read() as connection:
        rows = connection.execute("select name from store_meta where name <> 'log_probe' order by name").fetchall()
    return [row[0] for row in rows]


def crash_after(home: Path, writes: int, length: int = 50) -> None:
    """Leave a store whose process was killed after this many confirmed writes of so many signs, log and all."""
    code = WRITER.replace("        database.checkpoint()", "        pass").replace('"v" * 50', f'"v" * {length}')
    code = code.replace(
        "start, number",
        """with database.write() as connection:
    connection.execute("set checkpoint_threshold = '1TB'")  # as where somebody reads whenever it would be emptied
start, number""",
    )
    with subprocess.Popen([sys.executable, "-c", code, str(home), "0"], stdout=subprocess.PIPE, text=True) as child:
        assert child.stdout is not None
        for _ in range(writes):
            child.stdout.readline()
        child.kill()
