"""The protocol's records, each made when it is first used: of more than five hundred a session needs about a hundred.

To make one is to write, compile and bind its methods. All of them were two fifths of the processor time until the first
request had its answer, and an editor waits for it. They are the same records, but for having no slots.
"""

from __future__ import annotations

import sys
import threading
from collections.abc import Sequence
from typing import Any

import attrs

_making = threading.RLock()
"""One thread makes records at a time."""


class Fields(Sequence[Any]):
    """Stands where a record tells its fields; it is made when they are looked at. Types know nothing of it."""

    def __init__(self, record: type) -> None:
        self._record = record

    def __len__(self) -> int:
        return len(self._told())

    def __getitem__(self, index: Any) -> Any:
        return self._told()[index]

    def __getattr__(self, name: str) -> Any:
        return getattr(self._told(), name)

    def _told(self) -> Any:
        _make(self._record)
        return attrs.fields(self._record)


def load_types() -> None:
    """Import `lsprotocol.types`, its records to be made later; nothing happens where it was imported before."""
    if "lsprotocol.types" in sys.modules:
        return
    names, at_once = vars(attrs), attrs.define
    names["define"] = _later
    try:
        import lsprotocol.types  # noqa: F401 - only to be there
    finally:
        names["define"] = at_once


def _later(record: Any) -> Any:
    """A record that is made when it is first called or its fields are looked at."""

    def begin(self: object, *given: object, **named: object) -> None:
        _make(record)
        record.__init__(self, *given, **named)

    record.__init__ = begin
    record.__attrs_attrs__ = Fields(record)
    record.__attrs_types_resolved__ = record  # done when it is made: whoever resolves all of them would make all
    return record


def _make(record: Any) -> None:
    from lsprotocol.types import ALL_TYPES_MAP

    with _making:
        if isinstance(vars(record)["__attrs_attrs__"], Fields):
            attrs.define(record, slots=False, init=True)
            del record.__attrs_types_resolved__
            attrs.resolve_types(record, dict(ALL_TYPES_MAP), {})
