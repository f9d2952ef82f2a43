"""How much memory this process has, as far as the system tells, and giving back what it no longer needs."""

from __future__ import annotations

import ctypes
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


def give_back() -> None:
    """Hand freed memory back to the system, where its C library keeps it: after loading a model that is 60 MB."""
    if sys.platform.startswith("linux"):
        with suppress(OSError, AttributeError):  # another C library than GNU's has no such function, and no such habit
            ctypes.CDLL(None).malloc_trim(0)
