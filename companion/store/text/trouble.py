"""What the library of the indexes says when it fails, in the two sorts that matter: the disk, or what was read."""

from __future__ import annotations

_HINDRANCES = ("No space left", "Permission denied", "Read-only", "Disk quota", "LockBusy", "too large", "Input/output")


def panicked(wrong: BaseException) -> bool:
    """Whether the library itself fell over what it read."""
    return type(wrong).__module__ == "pyo3_runtime"


def cannot_be_written(wrong: BaseException) -> bool:
    """Whether the system refused, by its own words, rather than what was read being wrong."""
    return isinstance(wrong, ValueError) and any(said in str(wrong) for said in _HINDRANCES)


def first_line(wrong: BaseException) -> str:
    """How an error begins."""
    return str(wrong).partition("\n")[0][:200]
