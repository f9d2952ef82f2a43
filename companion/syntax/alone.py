"""Any file parsed, whatever is in it; one that the parser finds hard in a process of its own, where it is lost alone.

A grammar may keep two readings of every token of a broken text. Joining them at its end takes memory that grows with
the square of its length, in one step that nothing can stop: 60 KB of `/*` in Python take 100 GB, or end the process.
Such a text shows itself before: each of its tokens takes fifty times as long as others do.
"""

from __future__ import annotations

import pickle
import subprocess
import sys
from contextlib import suppress

from companion.records import ParsedFile
from companion.syntax.captures import HardText
from companion.syntax.parsing import parse_here, parse_plainly

ALONE_S = 10
"""Processor seconds of a process that parses one hard text: twice what the slowest is allowed, and its start."""

MAX_MEMORY_BYTES = 1 << 30
"""Address space of such a process, where the system can limit it: ten times what an ordinary file of 2 MB takes."""

MAX_WAIT_S = 60
"""How long its answer is waited for on a busy machine; it may use `ALONE_S` of a processor."""


def parse(path: str, data: bytes, content_hash: str) -> ParsedFile:
    """Everything that can be read from a file's bytes; never raises, whatever they are.

    `path` is relative to the repository; `content_hash` is kept as given. A file without a grammar
    has language, role, lines and perhaps a heading; of what cannot be read only that is left out.
    """
    try:
        return parse_here(path, data, content_hash)
    except HardText:
        return parse_alone(path, data, content_hash)


def parse_alone(path: str, data: bytes, content_hash: str) -> ParsedFile:
    """What `parse` gives, or, where the text ends or exhausts the other process, the file without symbols."""
    command = [sys.executable, "-c", "from companion.syntax.alone import answer; answer()"]
    with suppress(OSError, subprocess.SubprocessError):
        done = subprocess.run(
            command,
            input=pickle.dumps((path, data, content_hash)),
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            timeout=MAX_WAIT_S,
            check=True,
            start_new_session=True,  # Ctrl-C is its parent's affair, which then ends it
        )
        parsed = pickle.loads(done.stdout)  # noqa: S301 - written by this very module
        assert isinstance(parsed, ParsedFile)
        return parsed
    return parse_plainly(path, data, content_hash)


def answer() -> None:
    """In the other process: parse what stands on the input, within limits, and write it to the output."""
    path, data, content_hash = pickle.load(sys.stdin.buffer)  # noqa: S301 - written by this very module
    _limit()
    pickle.dump(parse_here(path, data, content_hash, alone=True), sys.stdout.buffer)


def _limit() -> None:
    """Tell the system what this process may use; Windows has no such limits, and macOS ignores that of memory."""
    with suppress(ImportError):
        import resource

        limits = {
            resource.RLIMIT_AS: MAX_MEMORY_BYTES,
            resource.RLIMIT_CPU: ALONE_S,
            resource.RLIMIT_CORE: 0,
        }
        for limit, most in limits.items():
            highest = resource.getrlimit(limit)[1]
            if highest == resource.RLIM_INFINITY or most < highest:
                with suppress(OSError, ValueError):
                    resource.setrlimit(limit, (most, most))
