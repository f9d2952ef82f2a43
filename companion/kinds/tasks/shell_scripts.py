"""Scripts in `scripts/`, `script/`, `bin/`: those whose name says what they are for."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import PurePosixPath

from companion.kinds.tasks.task import Task, TaskReader, commands_of, trigger_of
from companion.records import FileSeen

_SHELL = frozenset({"", ".sh", ".bash"})


def read(file: FileSeen, paths: Sequence[str]) -> Iterator[Task]:
    """The one task that a script is, if its name is plain: `scripts/test`, `bin/setup`."""
    path = PurePosixPath(file.path)
    name = path.stem.lower()
    first = file.text.split("\n", 1)[0]
    if path.suffix not in _SHELL or not first.startswith("#!") or name.count("-") + name.count("_") > 1:
        return
    trigger = trigger_of(name)
    if trigger:
        yield Task(name, trigger, file.path, 1, commands_of(file.text))


READER = TaskReader("scripts folder", ("/scripts/*", "/script/*", "/bin/*", "/dev/*", "/ci/*.sh"), read)
