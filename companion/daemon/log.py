"""The daemon's log: verbs, ids, counts and durations. No text of a file, a query or an error ever stands in it."""

from __future__ import annotations

import logging
import os
import time
import traceback
from logging.handlers import RotatingFileHandler
from pathlib import Path
from typing import Any

FOLDER = "logs"
FILE_NAME = "daemon.log"
BYTES_MAX = 1_000_000
"""Some 10,000 lines: a week or two of work."""
OLD_FILES = 3
"""Files kept beside the one that is written: 4 MB in all."""
FRAMES_TOLD = 6
"""Innermost places that a failure is told by: where it was raised, and who asked."""


def log_path(home: Path) -> Path:
    """The file that a daemon writes its log to."""
    return home / FOLDER / FILE_NAME


class DaemonLog:
    """Writes the log of one daemon. A disk that is full silences it and harms nothing else."""

    def __init__(self, home: Path) -> None:
        path = log_path(home)
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        self._handler = _Private(path, maxBytes=BYTES_MAX, backupCount=OLD_FILES, encoding="utf-8", delay=True)
        formatter = logging.Formatter("%(asctime)sZ %(message)s", "%Y-%m-%dT%H:%M:%S")
        formatter.converter = time.gmtime
        self._handler.setFormatter(formatter)
        self._logger = logging.Logger("companion.daemon")  # one of its own: nobody else's words come here
        self._logger.addHandler(self._handler)
        self._ear = _Ear(self)
        logging.getLogger().addHandler(self._ear)

    def said(self, verb: str, **facts: object) -> None:
        """One line: what was done, and ids, counts and seconds as `name=value`."""
        self._logger.info(" ".join([verb, *(f"{name}={_shown(value)}" for name, value in facts.items())]))

    def failed(self, verb: str, wrong: BaseException, **facts: object) -> None:
        """A line on what went wrong and where in the program; never the message, which may quote a file."""
        frames = traceback.extract_tb(wrong.__traceback__)[-FRAMES_TOLD:]
        where = "<".join(f"{Path(f.filename).stem}.{f.name}:{f.lineno}" for f in reversed(frames))
        self.said(verb, failed=type(wrong).__name__, at=where or "-", **facts)

    def close(self) -> None:
        """Let go of the file."""
        logging.getLogger().removeHandler(self._ear)
        self._logger.removeHandler(self._handler)
        self._handler.close()


class _Ear(logging.Handler):
    """Hears what the rest of the program and its libraries warn of, and writes down who and where, never the words."""

    def __init__(self, log: DaemonLog) -> None:
        super().__init__(logging.WARNING)
        self._log = log

    def emit(self, record: logging.LogRecord) -> None:
        """A line on a warning, or on the failure it tells of."""
        wrong = record.exc_info[1] if record.exc_info else getattr(record, "wrong", None)
        if isinstance(wrong, BaseException):
            self._log.failed(record.name, wrong)
        else:
            self._log.said(
                record.name, warned=record.levelname, at=f"{record.module}.{record.funcName}:{record.lineno}"
            )


class _Private(RotatingFileHandler):
    """A file that only its user can read, and a handler that says nothing where it cannot write."""

    def _open(self) -> Any:  # the library says TextIOWrapper, `open` says IO
        return open(
            self.baseFilename,
            self.mode,
            encoding=self.encoding,
            opener=lambda path, flags: os.open(path, flags, 0o600),
        )

    def handleError(self, record: logging.LogRecord) -> None:  # noqa: N802 - the library's name
        """A log that cannot be written is missed by nobody who works."""


def _shown(value: object) -> str:
    return f"{value:.3f}" if isinstance(value, float) else str(value)
