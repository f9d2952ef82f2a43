"""Task files: what can be run in a project, as rows. One reader a family of files, each a line in `READERS`."""

from __future__ import annotations

from companion.kinds.tasks import make, pipelines, python_envs, ruby_tasks, scripts, shell_scripts
from companion.kinds.tasks.task import TaskReader

__all__ = ["READERS"]

READERS: tuple[TaskReader, ...] = (
    make.READER,
    scripts.READER,
    python_envs.READER,
    ruby_tasks.READER,
    shell_scripts.READER,
    pipelines.READER,
)
