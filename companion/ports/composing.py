"""How a statement is put together, for the store and for passes: no other module makes SQL of anything but its text.

A `{name}` in a statement stands for a part of it: another constant, or names of tables and columns. Values never stand
there: they are parameters (`$name`), which the database binds.
"""

from __future__ import annotations

from collections.abc import Iterable


def composed(statement: str, /, **parts: str) -> str:
    """The statement with its parts in their places. Raises KeyError for a part that is not given."""
    return statement.format_map(parts)


def quoted(name: str) -> str:
    """A name as SQL takes it, whatever is in it."""
    return '"' + name.replace('"', '""') + '"'


def comma_list(names: Iterable[str]) -> str:
    """Names as SQL takes them, one behind the other."""
    return ", ".join(map(quoted, names))
