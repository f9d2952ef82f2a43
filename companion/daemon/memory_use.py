"""How much memory this process has, as far as the system tells, and tidying it where nobody waits."""

from __future__ import annotations

import ctypes
import gc
import os
import re
import sys
from contextlib import suppress
from pathlib import Path

_MAPPED = re.compile(r"([0-9a-f]+)-([0-9a-f]+) \S+ \S+ \S+ [0-9]+ *(.*)")
"""A line of Linux's `smaps` that begins a mapping: first address, address behind the last, path if it is a file's."""
_WRITTEN = re.compile(r"(?:Anonymous|Swap): +([0-9]+) kB")
"""How much of a mapping was written to, and is therefore no longer the file's: in memory, and put out to disk."""
_DONTNEED = 4
"""Linux's MADV_DONTNEED: pages that are the file's are dropped, and read from it again when they are asked for."""


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

    For a moment in which nobody waits. What an owner knows of a project is a million objects that live as
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


def unread(folder: Path) -> None:
    """Drop what was read of files in this folder that are mapped into memory; who reads on has it from the system.

    For the embedding model at rest, 43 MB of which a question touches little. A mapping that was ever written to is
    left alone: what was written is nowhere else. Nobody may unmap any meanwhile: others' memory may lie there next.
    """
    if sys.platform.startswith("linux"):
        with suppress(OSError, AttributeError, ValueError):
            advise = ctypes.CDLL(None).madvise
            advise.argtypes = (ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int)
            told = Path("/proc/self/smaps").read_text("utf-8", "surrogateescape")
            for start, end in unwritten(told, folder):
                advise(start, end - start, _DONTNEED)


def unwritten(told: str, folder: Path) -> list[tuple[int, int]]:
    """Where unchanged mappings of files in a folder begin and end, as `smaps` tells."""
    inside = f"{folder.resolve()}{os.sep}"
    found: dict[tuple[int, int], bool] = {}
    place: tuple[int, int] | None = None
    for line in told.splitlines():
        if mapped := _MAPPED.match(line):
            place = (int(mapped[1], 16), int(mapped[2], 16)) if mapped[3].startswith(inside) else None
        elif place is not None and (written := _WRITTEN.match(line)):
            found[place] = found.get(place, True) and written[1] == "0"
    return [place for place, is_whole in found.items() if is_whole]
