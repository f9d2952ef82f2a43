"""Scripts in `scripts/`, `script/`, `bin/`: those whose name says what they are for."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import PurePosixPath

from companion.kinds.tasks.task import TaskReader, commands_of, task_row, trigger_of
from companion.records import FileSeen
from companion.records.declared import Declaration

_SHELL = frozenset({"", ".sh", ".bash"})
_RUN_BY_SHELL = re.compile(r"#!.*sh\b")


def read(file: FileSeen, paths: Sequence[str]) -> Iterator[Declaration]:
    """The one task that a script is, if its name is plain: `scripts/test`, `bin/setup`."""
    path = PurePosixPath(file.path)
    name = path.stem.lower()
    first = file.text.split("\n", 1)[0]
    if path.suffix not in _SHELL or not _RUN_BY_SHELL.match(first) or name.count("-") + name.count("_") > 1:
        return
    trigger = trigger_of(name)
    if trigger:
        yield task_row(file, 1, file.path, trigger, commands_of(file.text))


READER = TaskReader(("/scripts/*", "/script/*", "/bin/*", "/dev/*", "/ci/*.sh"), read)
