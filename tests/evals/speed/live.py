"""How quickly a running daemon answers and notices, measured from outside on a copy of a repository or a generated one.

Every figure is taken by real processes: cold shells, a language server, the daemon with its watcher. Times
are in milliseconds unless the name says seconds.
"""

from __future__ import annotations

import os
import random
import shutil
import subprocess
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from companion.api import Companion
from companion.errors import CompanionError
from companion.evals.statistics import percentile
from companion.ports import Progress
from companion.records import Touch, Touched
from evals.speed.editor import Editor
from evals.speed.inhabited import inhabited
from evals.speed.processes import companion as command
from evals.speed.processes import own_home

SEED = 1
COMMANDS = 20
"""Cold shells: each takes a tenth of a second and more."""
STARTS = 5
"""Language servers started."""
HOVERS = 150
"""Places asked about, drawn over all files."""
SAVES = 20
OPENINGS = 60
"""Files opened in the editor one after the other, their lenses asked for at once."""
BETWEEN_OPENINGS_S = 0.3
"""Who opens a file looks at it before the next one: what the daemon makes ready for it is done by then."""
STORM_WRITES = 5_000
STORM_FILES = 500
"""The storm goes over them ten times."""
LOOK_S = 0.005
"""Between two looks whether something has arrived: the figures are no finer."""
PATIENCE_S = 60.0
CALM_S = 30.0
"""How long to wait before that: what was put off for a quiet moment is done then."""
IDLE_MINUTES = 1
"""How long nothing happens, for the CPU time of an idle daemon; one shows what polls, ten what comes seldom."""
CODE = (".py", ".ts", ".tsx", ".js", ".go", ".rs", ".java", ".rb", ".php", ".c", ".cpp", ".cs")


def live(
    repo: Path, folder: Path, progress: Progress, idle_minutes: int = IDLE_MINUTES, memories: int = 0
) -> dict[str, object]:
    """All figures on a copy of `repo`, or on a generated repository of so many `memories`, in the empty `folder`."""
    repository = f"generated, {memories:,} memories" if memories else repo.resolve().name
    root = inhabited(folder, memories, progress) if memories else folder / repo.resolve().name
    if not memories:
        shutil.copytree(repo, root, symlinks=True)
    with own_home(folder / "home"):
        if not memories:
            progress.step("reading the repository", 0, 1)
            command(root, "init")
            progress.step("reading the repository", 1, 1)
        start = time.perf_counter()
        command(root, "start")
        figures: dict[str, object] = {"daemon_start_s": time.perf_counter() - start}
        from companion.client import connect

        companion = connect(root, start=True)
        try:
            paths = _code(root)
            for name, measure in _measures(root, companion, paths, random.Random(SEED), idle_minutes):
                progress.step(name, 0, 1)
                figures |= measure()
                progress.step(name, 1, 1)
        finally:
            companion.close()
        return {"eval": "live", "repository": repository, "code_files": len(paths), **figures}


def _measures(
    root: Path, companion: Companion, paths: Sequence[Path], draw: random.Random, idle_minutes: int
) -> Iterator[tuple[str, Callable[[], dict[str, object]]]]:
    yield "cold shells", lambda: _shells(root, paths, draw)
    yield "opening files", lambda: _opening(root, companion, paths, draw)
    yield "language server", lambda: _editing(root, paths, draw)
    yield "saving files", lambda: _saving(root, companion)
    yield "a storm", lambda: _storm(root, companion)
    yield "doing nothing", lambda: _idle(idle_minutes)


def _code(root: Path) -> list[Path]:
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=root, check=True, capture_output=True).stdout.decode()
    return [root / name for name in sorted(listed.split("\0")) if name.endswith(CODE) and (root / name).is_file()]


def _shells(root: Path, paths: Sequence[Path], draw: random.Random) -> dict[str, object]:
    times = [
        _timed(lambda path=path: command(root, "context", "--file", str(path.relative_to(root))))  # type: ignore[misc]
        for path in draw.choices(paths, k=COMMANDS)
    ]
    return _spread("cold_context", times[1:])


def _opening(root: Path, companion: Companion, paths: Sequence[Path], draw: random.Random) -> dict[str, object]:
    """From the word that a file was opened until its context lies ready."""

    from companion.client import attach

    ready = threading.Event()
    listening = attach(root, lambda news: ready.set() if news.what == "prefetched" else None)

    def opened(path: Path) -> None:
        ready.clear()
        companion.observe([Touched(str(path.relative_to(root)), Touch.OPENED)])
        assert ready.wait(PATIENCE_S), f"no context was made ready for {path}"

    try:
        assert listening.wait(PATIENCE_S), "the background service tells no news"
        chosen = draw.sample(list(paths), min(len(paths), SAVES))
        return _spread("opened_to_prefetched", [_timed(lambda path=path: opened(path)) for path in chosen])  # type: ignore[misc]
    finally:
        listening.close()


def _editing(root: Path, paths: Sequence[Path], draw: random.Random) -> dict[str, object]:
    starts = []
    for _ in range(STARTS):
        begin = time.perf_counter()
        Editor(root).close()
        starts.append(1_000 * (time.perf_counter() - begin))
    editor = Editor(root)
    try:
        chosen = draw.choices(paths, k=HOVERS)
        lines = {path: path.read_text("utf-8", "replace").splitlines() for path in dict.fromkeys(chosen)}
        opened = list(lines)[: OPENINGS + COMMANDS]
        openings = [_lenses_on_opening(editor, path) for path in opened]
        for path in sorted(set(lines) - set(opened)):
            _open(editor, path)
        hovers, lenses = [], []
        for path in chosen:
            place = {"line": draw.randrange(max(1, len(lines[path]))), "character": 0}
            given = {"textDocument": {"uri": path.as_uri()}}
            hovers.append(_timed(lambda g=given, p=place: editor.ask("textDocument/hover", {**g, "position": p})))  # type: ignore[misc]
            lenses.append(_timed(lambda g=given: editor.ask("textDocument/codeLens", g)))  # type: ignore[misc]
        return (
            _spread("language_server_initialized", starts)
            | _spread("hover", hovers[COMMANDS:])
            | _spread("code_lens", lenses[COMMANDS:])
            | _spread("code_lens_on_opening", openings[COMMANDS:] or openings)
        )
    finally:
        editor.close()


def _open(editor: Editor, path: Path) -> dict[str, object]:
    """Open a file as it is saved; what names it in a question."""
    text = path.read_bytes().decode("utf-8", "replace")
    document = {"uri": path.as_uri(), "languageId": "", "version": 1, "text": text}
    editor.tell("textDocument/didOpen", {"textDocument": document})
    return {"textDocument": {"uri": path.as_uri()}}


def _lenses_on_opening(editor: Editor, path: Path) -> float:
    """Open a file and wait for its lenses, which an editor asks for at once."""
    time.sleep(BETWEEN_OPENINGS_S)
    return _timed(lambda: editor.ask("textDocument/codeLens", _open(editor, path)))


def _saving(root: Path, companion: Companion) -> dict[str, object]:
    """From the end of a write until the daemon gives back what was written."""
    path = root / "companion_live_measure.py"

    def saved(number: int) -> None:
        path.write_text(f"def measured_{number}():\n    return {number}\n")
        _await(lambda: f"measured_{number}(" in _known(companion, root, path))

    times = [_timed(lambda number=number: saved(number)) for number in range(SAVES)]  # type: ignore[misc]
    return _spread("saved_to_searchable", times)


def _storm(root: Path, companion: Companion) -> dict[str, object]:
    """Many writes at once: how long until the last state of every file is known."""
    folder = root / "companion_live_storm"
    folder.mkdir()
    begin = time.perf_counter()
    for number in range(STORM_WRITES):
        (folder / f"storm_{number % STORM_FILES}.py").write_text(f"def storm_{number}():\n    pass\n")
    written = time.perf_counter()
    left = {folder / f"storm_{number % STORM_FILES}.py": number for number in range(STORM_WRITES)}

    def settled() -> bool:
        for path, number in list(left.items()):
            if f"storm_{number}(" not in _known(companion, root, path):
                return False
            del left[path]
        return True

    _await(settled)
    end = time.perf_counter()
    return {"storm_writing_s": written - begin, "storm_known_s": end - begin, "storm_lost": len(left)}


def _idle(minutes: int) -> dict[str, object]:
    from companion.client import daemon_state

    daemon = daemon_state()
    if daemon is None:
        return {"idle": "the daemon has left"}
    time.sleep(CALM_S)
    before = _cpu_s(daemon.pid)
    time.sleep(minutes * 60)
    after = _cpu_s(daemon.pid)
    used = None if before is None or after is None else after - before
    return {"idle_cpu_s": used, "idle_minutes": minutes, "daemon_memory_mb": daemon.memory_bytes / 1_000_000}


def _cpu_s(pid: int) -> float | None:
    """CPU time of a process, in seconds; None where the system does not tell it in a file."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return None
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def _known(companion: Companion, root: Path, path: Path) -> str:
    try:
        return companion.expand(f"file:{path.relative_to(root).as_posix()}").text
    except CompanionError:
        return ""


def _await(arrived: Callable[[], bool]) -> None:
    """Wait until something has arrived. Raises TimeoutError after `PATIENCE_S`."""
    deadline = time.monotonic() + PATIENCE_S
    while not arrived():
        if time.monotonic() > deadline:
            raise TimeoutError(f"nothing arrived within {PATIENCE_S:.0f} s")
        time.sleep(LOOK_S)


def _timed(act: Callable[[], object]) -> float:
    start = time.perf_counter()
    act()
    return 1_000 * (time.perf_counter() - start)


def _spread(name: str, times_ms: Sequence[float]) -> dict[str, object]:
    return {name: {"p50": percentile(times_ms, 0.5), "p95": percentile(times_ms, 0.95), "n": len(times_ms)}}
