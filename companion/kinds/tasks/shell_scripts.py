"""Scripts in `scripts/`, `script/`, `bin/`: those that a shell runs."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import PurePosixPath

from companion.kinds.tasks.task import TaskReader, commands_of, task_row
from companion.records import FileSeen
from companion.records.declared import Declaration

_SHELL = frozenset({"", ".sh", ".bash"})
_RUN_BY_SHELL = re.compile(r"#!.*sh\b")


def read(file: FileSeen, paths: Sequence[str]) -> Iterator[Declaration]:
    """The one task that a script is: `scripts/test`, `bin/setup`."""
    runs = _RUN_BY_SHELL.match(file.text.split("\n", 1)[0])
    if runs and PurePosixPath(file.path).suffix in _SHELL:
        yield task_row(file, 1, file.path, commands_of(file.text))


READER = TaskReader(("/scripts/*", "/script/*", "/bin/*", "/dev/*", "/ci/*.sh"), read)
