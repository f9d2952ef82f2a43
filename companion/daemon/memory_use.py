"""How much memory this process has, as far as the system tells, and tidying it where nobody waits."""

from __future__ import annotations

import ctypes
import gc
import os
import sys
from contextlib import suppress
from pathlib import Path


def memory_bytes() -> int:
    """Resident memory: the present figure on Linux, the highest so far on other Unix systems, 0 where nobody says."""
    try:
        return int(Path("/proc/self/statm").read_text("ascii").split()[1]) * os.sysconf("SC_PAGE_SIZE")
    except (OSError, ValueError, IndexError, AttributeError):
        pass
    try:
        import resource
    except ImportError:
        return 0
    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return most if sys.platform == "darwin" else most * 1024


def tidy() -> None:
    """Search for cycles nobody needs, never again look at what stays, and hand freed memory back.

    For a moment in which nobody waits. What a daemon knows of a project is a million objects that live as
    long as it does: Python would look at them all again and again, a twentieth of a second each time and in the
    middle of an answer. Only a cycle that is alive now and dropped later is not found any more, and those are few.
    """
    gc.collect()
    gc.freeze()
    give_back()


def untidy() -> None:
    """Undo it before the process ends: libraries complain of what is then still there."""
    gc.unfreeze()


def give_back() -> None:
    """Hand freed memory back to the system, where its C library keeps it: after loading a model that is 80 MB."""
    if sys.platform.startswith("linux"):
        with suppress(OSError, AttributeError):  # another C library than GNU's has no such function, and no such habit
            ctypes.CDLL(None).malloc_trim(0)
