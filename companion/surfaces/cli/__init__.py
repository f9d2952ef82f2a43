"""The command line: read, ask the companion, print. One module a group of commands.

`__main__.py` is where it starts. A command declares what it takes (`declared.py`); `plain.py` reads ordinary calls by
that, and `typed.py` makes typer's commands of the same for help, completion and errors.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable


def __getattr__(name: str) -> Callable[[], None]:
    """`main`, loaded when it is asked for: a start script imports this package before anything else."""
    if name != "main":
        raise AttributeError(name)
    from companion.surfaces.cli.__main__ import main

    return main
