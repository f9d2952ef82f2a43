"""How soon a cold shell and an assistant are answered, and what a daemon holds at rest, on a copy of a repository.

Each run is a process as a shell or an assistant starts it: seconds on the wall and of the processor, its own alone. Files
are modules of ours that it has run.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import psutil

from companion.client.finding import find_daemon
from companion.daemon.log import log_path
from companion.evals.statistics import Figures, percentile
from companion.ports import Progress
from evals.speed.live import CODE
from evals.speed.processes import companion as command
from evals.speed.processes import git_said, own_home

OURS = ("companion", "companion_lsp", "companion_consolidation", "companion_schema")
NOTE = "Cold starts are measured by `scripts/eval start`"
_IMPORTED = re.compile(r"import time: .*\| +([\w.]+)$", re.MULTILINE)
"""A module that was loaded, as Python says with `-X importtime`."""
PATIENCE_S = 3_600.0
"""A daemon rests once all vectors are made, which takes minutes in a large repository."""
LOOK_S = 0.5
QUESTIONS = 5
"""Asked of a daemon before it is looked at: what it reads of the store is there then."""

Took = tuple[float, float]
"""Seconds on the wall, and of the processor."""


def start(repo: Path, folder: Path, rounds: int, progress: Progress, *, rests: bool = True) -> dict[str, object]:
    """All figures on a copy of `repo` in the empty `folder`; without `rests` the daemon is not waited for at its end."""
    root = folder / repo.resolve().name
    shutil.copytree(repo, root, symlinks=True)
    with own_home(folder / "home", DAEMON="never"):
        progress.step("reading the repository", 0, 1)
        command(root, "init")
        by: dict[str, Figures] = {}
        for name, arguments in _commands(root).items():
            progress.step(f"cold `{name}`", len(by), len(_commands(root)))
            by[f"{name}, no daemon"] = _cold(root, arguments, rounds)
        by["first answer of `mcp`, no daemon"] = _spread([_assistant(root) for _ in range(rounds)])
    with own_home(folder / "home", DAEMON="auto"):
        command(root, "start")
        for name, arguments in _commands(root).items():
            progress.step(f"cold `{name}` with a daemon", 0, 1)
            by[f"{name}, daemon"] = _cold(root, arguments, rounds)
        by["first answer of `mcp`, daemon"] = _spread([_assistant(root) for _ in range(rounds)])
        by["daemon, memory"] = _memory(root, folder / "home", progress) if rests else {}
    return {"eval": "start", "repository": root.name, "n": rounds, "by": by, "settings": {"figures": "s, files, MB"}}


def _commands(root: Path) -> dict[str, list[str]]:
    subject = git_said(root, "log", "-1", "--no-merges", "--format=%s").strip() or "what is this"
    files = git_said(root, "ls-files").splitlines()
    file = next((path for path in files if path.endswith(CODE)), files[0])
    return {
        "context --task": ["context", "--task", subject],
        "context --file": ["context", "--file", file],
        "search": ["search", subject],
        "expand": ["expand", f"file:{file}"],
        "remember": ["remember", NOTE],
    }


def _cold(root: Path, arguments: Sequence[str], rounds: int) -> Figures:
    """Least and median seconds of a command, and how many files of ours it ran."""
    times = [_timed(_program(arguments), root) for _ in range(rounds)]
    loaded = modules_of(root, arguments)
    ours = sum(name.partition(".")[0] in OURS for name in loaded)
    return {**_spread(times), "files": ours, "modules": len(loaded)}


def _timed(program: Sequence[str], root: Path) -> Took:
    before = time.perf_counter()
    process = subprocess.Popen(program, cwd=root, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    status, processor = _ended(process)
    if status:
        raise OSError(f"`{' '.join(program[4:])}` ended with {status}")
    return time.perf_counter() - before, processor


def _ended(process: subprocess.Popen[bytes]) -> tuple[int, float]:
    """How a process ended, and the seconds of the processor that it took."""
    _, status, used = os.wait4(process.pid, 0)
    process.returncode = status
    return status, used.ru_utime + used.ru_stime


def modules_of(root: Path, arguments: Sequence[str]) -> set[str]:
    """The modules that a command loads."""
    program = [sys.executable, "-X", "importtime", *_program(arguments)[1:]]
    done = subprocess.run(program, cwd=root, capture_output=True, text=True, check=False)
    if done.returncode:
        raise OSError(f"`companion {arguments[0]}` ended with {done.returncode}: {done.stderr[-400:]}")
    return set(_IMPORTED.findall(done.stderr))


def _program(arguments: Sequence[str]) -> list[str]:
    return [sys.executable, "-P", "-m", "companion.surfaces.cli", *arguments]


def _assistant(root: Path) -> Took:
    """Seconds from the start of an assistant's server to its first context."""
    before = time.perf_counter()
    process = subprocess.Popen(
        _program(["mcp"]), cwd=root, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
    )
    try:
        who = {"name": "measured", "version": "1"}
        hello = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": who}
        _ask(process, {"id": 1, "method": "initialize", "params": hello})
        _tell(process, {"method": "notifications/initialized"})
        wanted = {"name": "context", "arguments": {"query": NOTE}}
        _ask(process, {"id": 2, "method": "tools/call", "params": wanted})
        took = time.perf_counter() - before
    finally:
        process.kill()
        _, processor = _ended(process)
        for stream in (process.stdin, process.stdout):
            if stream is not None:
                stream.close()
    return took, processor


def _tell(process: subprocess.Popen[bytes], message: dict[str, Any]) -> None:
    assert process.stdin is not None
    process.stdin.write(json.dumps({"jsonrpc": "2.0", **message}).encode() + b"\n")
    process.stdin.flush()


def _ask(process: subprocess.Popen[bytes], message: dict[str, Any]) -> None:
    """Ask, and read to the answer. Raises OSError where the server ends or answers with an error."""
    _tell(process, message)
    assert process.stdout is not None
    for line in process.stdout:
        said = json.loads(line)
        if said.get("id") == message["id"]:
            if "error" in said or said["result"].get("isError"):
                raise OSError(f"an assistant was answered with an error: {line[:400]!r}")
            return
    raise OSError("the assistant's server ended")


def _memory(root: Path, home: Path, progress: Progress) -> Figures:
    """Resident memory of the daemon in MB: once all is read, after questions, and when it has given back."""
    found = find_daemon(home)
    assert found is not None
    daemon, log = psutil.Process(found.pid), log_path(home)
    progress.step("waiting for the daemon to rest", 0, 1)
    _await(lambda: log.read_text("utf-8").count(" unload "))
    rested = _megabytes(daemon)
    for _ in range(QUESTIONS):
        for arguments in list(_commands(root).values())[:3]:
            command(root, *arguments)
    asked, before = _megabytes(daemon), log.read_text("utf-8").count(" unload ")
    _await(lambda: log.read_text("utf-8").count(" unload ") > before)
    return {"read": rested, "asked": asked, "rested": _megabytes(daemon)}


def _megabytes(daemon: psutil.Process) -> float:
    return daemon.memory_info().rss / 1_000_000


def _await(come: Callable[[], object]) -> None:
    deadline = time.monotonic() + PATIENCE_S
    while not come():
        if time.monotonic() > deadline:
            raise OSError("the daemon did not come to rest")
        time.sleep(LOOK_S)


def _spread(times: Sequence[Took]) -> Figures:
    walls, processors = zip(*times, strict=True)
    took = {"wall": min(walls), "wall p50": percentile(walls, 0.5)}
    return {**took, "processor": min(processors), "processor p50": percentile(processors, 0.5)}
