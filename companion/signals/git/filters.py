"""Filters switched off: programs that a repository's settings name, and that git would run over edited files."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Mapping
from pathlib import Path

from companion.errors import SourceError
from companion.signals.git.running import ANSWER_WAIT_S, ask, run

_PROGRAMS = r"^filter\..*\.(clean|process|required)$"
"""Settings that name programs for git to run over files of the work tree, and that insist on them."""


def run_unfiltered(
    folder: Path,
    *arguments: str,
    given: bytes | None = None,
    wait_s: float = ANSWER_WAIT_S,
    beside: Mapping[str, str] | None = None,
) -> subprocess.CompletedProcess[bytes]:
    """`run` for a command that reads files of the work tree: they are compared as they lie on disk.

    SourceError if the settings name a filter with `=`: `-c` cannot switch it off, and its program would run.
    """
    told = ask(folder, "config", "-z", "--name-only", "--get-regexp", _PROGRAMS, fails=True).split(b"\0")
    names = sorted({os.fsdecode(name) for name in told if name})
    if odd := next((name for name in names if "=" in name), ""):
        raise SourceError(
            f"git would run a program that the settings of {folder} name (`{odd}`).", "Take the setting out."
        )
    options = (part for name in names for part in ("-c", f"{name}=" + "false" * name.endswith(".required")))
    return run(folder, *options, *arguments, given=given, wait_s=wait_s, beside=beside)
