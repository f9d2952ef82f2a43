"""Two ways to keep a child process: one that only talks, and one that answers line by line."""

from __future__ import annotations

import os
import subprocess
import tempfile
import threading
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import IO

from companion.errors import SourceError

CHUNK_BYTES = 256 * 1024
"""Read from a stream at once; larger pieces measured no quicker."""
COMPLAINT_MAX_BYTES = 2_000
"""Kept of what a process says on its error output; the first lines name the cause."""


@dataclass
class Stream:
    """The output of one process in chunks; the process ends when the reading does, or after `wait_s`.

    After the last chunk `complete` says whether the process ended well, `complaint` what it said.
    """

    command: Sequence[str]
    environment: Mapping[str, str]
    wait_s: float | None = None
    complete: bool = field(default=False, init=False)
    complaint: str = field(default="", init=False)

    def __iter__(self) -> Iterator[bytes]:
        with (
            tempfile.TemporaryFile() as errors,
            subprocess.Popen(
                self.command,
                env=self.environment,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=errors,
            ) as process,
        ):
            assert process.stdout is not None
            late = threading.Timer(self.wait_s or 0, process.kill)
            if self.wait_s is not None:
                late.start()
            try:
                while chunk := os.read(process.stdout.fileno(), CHUNK_BYTES):
                    yield chunk
                self.complete = process.wait() == 0
            finally:
                late.cancel()
                process.kill()
            errors.seek(0)
            self.complaint = errors.read(COMPLAINT_MAX_BYTES).decode("utf-8", "replace").strip()


@dataclass
class LineDialogue:
    """A process that answers each line it is given; started at the first question, restarted if it died.

    Not for use by two threads at once.
    """

    command: Sequence[str]
    environment: Mapping[str, str]
    _process: subprocess.Popen[bytes] | None = field(default=None, init=False)

    def ask(self, line: bytes) -> IO[bytes]:
        """Send one line; the answer is read from what is returned. Raises SourceError if it cannot start."""
        process = self._process
        if process is None or process.poll() is not None:
            self.close()
            process = self._process = self._started()
        assert process.stdin is not None
        assert process.stdout is not None
        try:
            process.stdin.write(line + b"\n")
            process.stdin.flush()
        except OSError:
            self.close()
            raise SourceError(f"`{self.command[0]}` stopped answering.", "Run the command again.") from None
        return process.stdout

    def close(self) -> None:
        """End the process; another question starts a new one."""
        process, self._process = self._process, None
        if process is None:
            return
        process.kill()
        for pipe in (process.stdin, process.stdout):
            if pipe is not None:
                try:
                    pipe.close()
                except OSError:  # what was still to be written has no reader any more
                    continue
        process.wait()

    def _started(self) -> subprocess.Popen[bytes]:
        return subprocess.Popen(
            self.command,
            env=self.environment,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        )
