"""Filters switched off: programs that a repository's settings name, and that git would run over edited files."""

from __future__ import annotations

import os
import re
import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path

from companion.errors import SourceError
from companion.signals.git.running import ANSWER_WAIT_S, ask, run

_PROGRAMS = r"^filter\..*\.(clean|process|required)$"
"""Settings that name programs for git to run over files of the work tree, and that insist on them."""
_VARIABLES_SINCE = (2, 31)
"""The first git that takes settings by GIT_CONFIG_COUNT."""


def run_unfiltered(
    folder: Path,
    *arguments: str,
    given: bytes | None = None,
    wait_s: float = ANSWER_WAIT_S,
    beside: Mapping[str, str] | None = None,
) -> subprocess.CompletedProcess[bytes]:
    """`run` for a command that reads files of the work tree: they are compared as they lie on disk.

    Filters are switched off by `-c`, which every git knows, and by variables for a name with `=`, where `-c` would end
    it. SourceError if such a name meets a git that knows no variables: its program would run.
    """
    told = ask(folder, "config", "-z", "--name-only", "--get-regexp", _PROGRAMS, fails=True).split(b"\0")
    names = sorted({os.fsdecode(name) for name in told if name})
    odd = [name for name in names if "=" in name]
    if odd and _version(folder) < _VARIABLES_SINCE:
        raise SourceError(
            f"This git would run a program that the settings of {folder} name (`{odd[0]}`).",
            "Install git 2.31 or later, or take the setting out.",
        )
    options = (part for name in names if name not in odd for part in ("-c", f"{name}={_off(name)}"))
    variables = {**_variables(odd), **(beside or {})}
    return run(folder, *options, *arguments, given=given, wait_s=wait_s, beside=variables)


def _variables(names: Sequence[str]) -> Mapping[str, str]:
    """Settings after those that the environment already has."""
    if not names:
        return {}
    told = os.environ.get("GIT_CONFIG_COUNT", "")
    first = int(told) if told.isascii() and told.isdigit() else 0
    variables = {"GIT_CONFIG_COUNT": str(first + len(names))}
    for number, name in enumerate(names, first):
        variables[f"GIT_CONFIG_KEY_{number}"] = name
        variables[f"GIT_CONFIG_VALUE_{number}"] = _off(name)
    return variables


def _off(name: str) -> str:
    return "false" if name.endswith(".required") else ""


def _version(folder: Path) -> tuple[int, ...]:
    """Of git: `git version 2.39.5 (Apple Git-154)` is (2, 39)."""
    found = re.search(rb"(\d+)\.(\d+)", ask(folder, "version", fails=True))
    return (int(found[1]), int(found[2])) if found else (0, 0)
