"""Kill the daemon at random moments while others write: is anything lost that was acknowledged, or kept twice?

Eight writers work at once, two of each sort: commands of the command line, requests over the daemon's
socket, language servers, and files that only the watcher sees. Each notes what was acknowledged. Now and
then the daemon is killed (SIGKILL, no warning); the writers go on and the daemon is started again by whoever
needs it. At the end everything that was acknowledged must be in the store, once, every file as it was
written last must be known, and no part of a write-ahead log may have been dropped.
"""

from __future__ import annotations

import os
import random
import signal
import subprocess
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from msgspec import Struct

from companion.errors import CompanionError
from evals.speed.editor import Editor
from evals.speed.processes import companion, git, own_home

WRITERS = 2
"""Of each sort; four sorts make the eight."""
LONGEST_LIFE_S = 1.5
"""A daemon is killed at a random moment of its first seconds: while starting, reading and writing."""
COMMAND_S = 60.0
"""A command that takes longer hangs."""
SETTLE_S = 60.0
"""Time the last daemon has to take in the files as they were written last."""
PAUSE_S = 0.05
"""Between two writes of a writer: eight that never pause would leave no time to be killed in."""
LOOK_S = 0.02
"""Between two looks for a daemon to kill."""

_IGNORE_LOSS = (CompanionError, OSError, subprocess.SubprocessError, ValueError)
"""What a writer may meet when the daemon dies under it: then the write was not acknowledged."""


@dataclass
class Tally:
    """What one writer tried and what was acknowledged; written by its own thread."""

    way: str
    tried: list[str] = field(default_factory=list)
    acknowledged: list[str] = field(default_factory=list)
    refused: Counter[str] = field(default_factory=Counter)


class Durable(Struct, frozen=True):
    """What came of it. `lost` and `doubled` are texts, `stale` are files whose last state is not known."""

    kills: int
    acknowledged: dict[str, int]
    tried: dict[str, int]
    lost: tuple[str, ...]
    doubled: tuple[str, ...]
    stale: tuple[str, ...]
    unclean: tuple[str, ...]
    torn: int
    """Write-ahead logs whose last entry was cut by a kill, and that were kept aside; none of it was acknowledged."""
    seconds: float
    refused: dict[str, int]

    @property
    def holds(self) -> bool:
        """Whether the promise was kept."""
        return not (self.lost or self.doubled or self.stale or self.unclean)


def durability(
    folder: Path, kills: int, seed: int, progress: Callable[[int, int], None] = lambda done, total: None
) -> Durable:
    """Kill `kills` daemons of a store in the empty `folder` and look what is left. Takes about 2 s a kill.

    Stopped by hand (Ctrl-C), it judges what was done so far.
    """
    begin = time.monotonic()
    root = _repository(folder / "work")
    with own_home(folder / "home", DAEMON="auto", EMBEDDINGS="off"):
        companion(root, "init")
        over = threading.Event()
        tallies = [Tally(way) for way in ("command line", "socket", "language server", "files") for _ in range(WRITERS)]
        threads = [
            threading.Thread(target=_write, args=(_WAYS[tally.way], root, number, tally, over), name=tally.way)
            for number, tally in enumerate(tallies)
        ]
        for thread in threads:
            thread.start()
        try:
            killed = _kill(kills, random.Random(seed), progress)
        finally:
            over.set()
            for thread in threads:
                thread.join(COMMAND_S * 2)
        return _judged(root, tallies, killed, begin)


def _repository(root: Path) -> Path:
    root.mkdir(parents=True)
    (root / "kept").mkdir()
    (root / "README.md").write_text("# Durable\n")
    for arguments in (("init", "-q"), ("add", "."), ("commit", "-q", "-m", "Begin")):
        git(root, *arguments)
    return root


def _write(way: Callable[[Path, int], Any], root: Path, number: int, tally: Tally, over: threading.Event) -> None:
    """One writer, until it is over: a fresh connection whenever the last one broke."""
    writing: Any = None
    count = 0
    while not over.is_set():
        text = f"Durable note {count} of writer {number}"
        tally.tried.append(text)
        count += 1
        try:
            writing = writing or way(root, number)
            writing.write(text)
            tally.acknowledged.append(text)
        except _IGNORE_LOSS as wrong:
            tally.refused[f"{tally.way}: {type(wrong).__name__} {str(wrong)[:80]}"] += 1
            if writing is not None:
                writing.close()
            writing = None
        over.wait(PAUSE_S)
    if writing is not None:
        writing.close()


@dataclass
class _Typing:
    """A command for each note; acknowledged by its exit code."""

    root: Path
    number: int

    def write(self, text: str) -> None:
        companion(self.root, "remember", text, timeout_s=COMMAND_S)

    def close(self) -> None:
        """Each command ended by itself."""


class _Asking:
    """A request for each note; acknowledged by its answer."""

    def __init__(self, root: Path, number: int) -> None:
        from companion.client import connect

        self._companion = connect(root, start=True)

    def write(self, text: str) -> None:
        from companion.api import Note

        self._companion.remember(Note(text))

    def close(self) -> None:
        self._companion.close()


class _Telling:
    """A language server that is told to remember; acknowledged by the result of the command."""

    def __init__(self, root: Path, number: int) -> None:
        self._root = root
        self._editor = Editor(root)

    def write(self, text: str) -> None:
        given = {"root": str(self._root), "text": text}
        result = self._editor.ask("workspace/executeCommand", {"command": "companion.remember", "arguments": [given]})
        if not isinstance(result, dict) or "id" not in result:
            raise OSError(f"not remembered: {result}")

    def close(self) -> None:
        self._editor.close()


class _Filing:
    """A file that is written again and again; nobody acknowledges it, only its last state counts."""

    def __init__(self, root: Path, number: int) -> None:
        self._path = root / "kept" / f"writer_{number}.py"

    def write(self, text: str) -> None:
        beside = self._path.with_suffix(".new")
        beside.write_text(f"def {_name(text)}():\n    pass\n")
        beside.replace(self._path)

    def close(self) -> None:
        """Nothing is open."""


_WAYS: dict[str, Callable[[Path, int], Any]] = {
    "command line": _Typing,
    "socket": _Asking,
    "language server": _Telling,
    "files": _Filing,
}


def _name(text: str) -> str:
    return text.lower().replace(" ", "_")


def _kill(kills: int, chance: random.Random, progress: Callable[[int, int], None]) -> int:
    """Kill so many daemons, each at a random moment of its life, or fewer if interrupted. Returns how many were."""
    killed = 0
    with suppress(KeyboardInterrupt):
        for killed in _killed(kills, chance):
            progress(killed, kills)
    return killed


def _killed(kills: int, chance: random.Random) -> Iterator[int]:
    """Kill daemons one by one, telling how many it were so far."""
    from companion.client.finding import lock_is_held, read_card
    from companion.config import data_home

    home, killed, last = data_home(), 0, 0
    while killed < kills:
        card = read_card(home)
        if card is None or card.pid == last or not lock_is_held(home):
            time.sleep(LOOK_S)
            continue
        time.sleep(chance.random() * LONGEST_LIFE_S)
        try:
            os.kill(card.pid, signal.SIGKILL)
        except ProcessLookupError:  # it had ended by itself
            continue
        killed, last = killed + 1, card.pid
        yield killed


def _judged(root: Path, tallies: list[Tally], killed: int, begin: float) -> Durable:
    """What the store holds in the end, asked of a daemon that nobody kills any more, then of the store itself."""
    stale = _stale(root, [tally for tally in tallies if tally.way == "files"])
    from companion.app.compose import open_companion
    from companion.client.starting import stop_daemon
    from companion.config import data_home

    home = data_home()
    stop_daemon(home)
    opened = open_companion(root)
    try:
        memories = opened.store.memories.iterate(opened.project, archived=True)
        kept = Counter(memory.draft.levels.full for memory in memories)
        unclean = [f"{one.name}: {one.what}" for one in opened.doctor() if one.state == "broken"]
    finally:
        opened.close()
    told = [tally for tally in tallies if tally.way != "files"]
    acknowledged = {text for tally in told for text in tally.acknowledged}
    tried = {text for tally in told for text in tally.tried}
    refused: Counter[str] = Counter()
    for tally in tallies:
        refused.update(tally.refused)
    return Durable(
        kills=killed,
        acknowledged=_by_way(tallies, lambda tally: len(tally.acknowledged)),
        tried=_by_way(tallies, lambda tally: len(tally.tried)),
        lost=tuple(sorted(text for text in acknowledged if not kept[text])),
        doubled=tuple(sorted(text for text in tried if kept[text] > 1)),
        stale=stale,
        unclean=tuple(unclean),
        torn=len(list(home.glob("*.cut-*"))),
        seconds=time.monotonic() - begin,
        refused=dict(refused.most_common(12)),
    )


def _stale(root: Path, tallies: list[Tally]) -> tuple[str, ...]:
    """Files whose last state the daemon does not know after a while."""
    from companion.client import connect

    asked = connect(root, start=True)
    try:
        left = {path: path.read_text() for path in sorted((root / "kept").glob("writer_*.py"))}
        deadline = time.monotonic() + SETTLE_S
        while left and time.monotonic() < deadline:
            for path, text in list(left.items()):
                try:
                    known = asked.expand(f"file:{path.relative_to(root).as_posix()}").text
                except CompanionError:
                    continue
                if text.split("(")[0] in known:
                    del left[path]
            time.sleep(LOOK_S)
        return tuple(path.name for path in left)
    finally:
        asked.close()


def _by_way(tallies: list[Tally], count: Callable[[Tally], int]) -> dict[str, int]:
    found: Counter[str] = Counter()
    for tally in tallies:
        found[tally.way] += count(tally)
    return dict(found)
