"""Kill whoever reads an assistant's log at random moments: is a turn lost or taken in twice, does reading go on?

A log grows by some hundreds of turns, its last line often half written. A process reads it and is killed (SIGKILL, no
warning) at a moment drawn from the time that reading so much took undisturbed; another goes on with the same log and
store. Each begins by saying how many turns there are: none of them may be gone when the next one begins. At the end
the log is read to its end, and the store must hold each of its turns once, in its order, with its reply.
"""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from datetime import datetime, timedelta
from itertools import pairwise
from pathlib import Path
from typing import TextIO

from msgspec import Struct

from companion.app.compose import open_companion
from companion.app.local import LocalCompanion
from companion.errors import CompanionError
from companion.ports import NoProgress
from companion.records.talk import Role
from companion.store.talk import talk_turns
from evals.speed.processes import MEASURES, git

SOURCE = "claude-code"
BEGUN = datetime(2026, 1, 5, 9)
GROWS = (250, 450)
"""Turns by which the log grows before each reader: several commits of them."""
HALF_WRITTEN = 0.5
"""How often the last line of the log is only half there."""
BEYOND = 1.1
"""A reader is killed within so much of the time that reading took undisturbed: some are not cut off at all."""
HALF = 1
"""The last turn of a log may be half written, and is taken in when it is whole."""
ALIVE = "alive"


class ImportKills(Struct, frozen=True):
    """What came of it. `lost` and `doubled` name turns; `gone` says that a reader found fewer than the one before."""

    kills: int
    turns: int
    cut_off: int
    """Readers that found a log which the one before them had not read to its end."""
    seconds: float
    lost: tuple[str, ...] = ()
    doubled: tuple[str, ...] = ()
    gone: tuple[str, ...] = ()
    misplaced: tuple[str, ...] = ()

    @property
    def holds(self) -> bool:
        """Whether every promise was kept."""
        return not (self.lost or self.doubled or self.gone or self.misplaced)


class GrowingLog:
    """A session as Claude Code writes it, growing; the end of its last line may be still to come."""

    def __init__(self, path: Path, folder: Path) -> None:
        """An empty log about a folder."""
        self.path, self.turns = path, 0
        self._folder, self._owed = folder, b""
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(b"")

    def grow(self, count: int, draw: random.Random | None = None) -> None:
        """So many more turns; with `draw` the last line is half written now and then."""
        lines = [line for _ in range(count) for line in self._turn()]
        said = self._owed + b"".join(lines)
        cut = len(said) - len(lines[-1]) // 2 if draw is not None and draw.random() < HALF_WRITTEN else len(said)
        with self.path.open("ab") as file:
            file.write(said[:cut])
        self._owed = said[cut:]

    def finish(self) -> None:
        """What is still owed of the last line."""
        with self.path.open("ab") as file:
            file.write(self._owed)
        self._owed = b""

    def _turn(self) -> Sequence[bytes]:
        number = self.turns
        self.turns += 1
        texts = ((Role.USER, asked(number)), (Role.ASSISTANT, answered(number)))
        return [self._line(role, text, 2 * number + place) for place, (role, text) in enumerate(texts)]

    def _line(self, role: Role, text: str, number: int) -> bytes:
        content = text if role is Role.USER else [{"type": "text", "text": text}]
        record = {
            "type": role.value,
            "uuid": f"u-{number}",
            "sessionId": "5e551000-0000-4000-8000-000000000001",
            "cwd": str(self._folder),
            "timestamp": f"{(BEGUN + timedelta(seconds=number)).isoformat()}.000Z",
            "message": {"role": role.value, "content": content},
        }
        return json.dumps(record).encode() + b"\n"


def asked(number: int) -> str:
    """What a turn asks."""
    return f"Look at part {number}: word-{number} is wrong there, and the test of it fails since yesterday."


def answered(number: int) -> str:
    """What it is answered."""
    return f"reply-{number}: mended, with a test."


def import_kills(
    folder: Path,
    kills: int,
    seed: int,
    told: Callable[[int, int], None] = lambda *_: None,
    *,
    grows: tuple[int, int] = GROWS,
) -> ImportKills:
    """Kill so many readers over a store in the empty `folder`, then look at what they left; see GROWS for `grows`."""
    draw, began = random.Random(seed), time.monotonic()
    root, log = _repository(folder / "work"), GrowingLog(folder / "logs" / "session.jsonl", folder / "work")
    with _opened(folder, root) as companion:
        companion.allow_source(SOURCE)
        log.grow(grows[1])
        start = time.monotonic()
        companion.import_talk(NoProgress(), [SOURCE], log.path)
        whole_s = (time.monotonic() - start) * BEYOND
    found: list[int] = []
    there: list[int] = [log.turns]
    for number in range(kills):
        log.grow(draw.randint(*grows), draw)
        found.append(_killed(folder, root, log.path, draw.uniform(0, whole_s)))
        there.append(log.turns)
        told(number + 1, kills)
    log.finish()
    with _opened(folder, root) as companion:
        companion.import_talk(NoProgress(), [SOURCE], log.path)
        cut_off = sum(fewer < whole - HALF for fewer, whole in zip(found[1:], there[1:], strict=False))
        gone = [f"{before} turns became {after}" for before, after in pairwise(found) if after < before]
        return _looked_over(companion, log, kills, cut_off, gone, time.monotonic() - began)


def read_on(folder: Path, root: Path, log: Path, out: TextIO) -> None:
    """Read a log until killed; first of all a line that says how many turns there are."""
    with _opened(folder, root) as companion:
        print(f"{ALIVE} {sum(one.turns for one in companion.conversations())}", file=out, flush=True)
        companion.import_talk(NoProgress(), [SOURCE], log)
    sys.stdin.read()  # wait to be killed, having done everything


def _killed(folder: Path, root: Path, log: Path, lives_s: float) -> int:
    """How many turns a reader found; it is killed while it goes on."""
    script = "import sys; from pathlib import Path; from evals.kills.imports import read_on; "
    script += "read_on(*map(Path, sys.argv[1:]), sys.stdout)"
    command = [sys.executable, "-c", script, str(folder), str(root), str(log)]
    environment = {**os.environ, "PYTHONPATH": MEASURES, "COMPANION_EMBEDDINGS": "off"}
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=environment) as reader:
        assert reader.stdout is not None
        first = reader.stdout.readline().split()
        if first[:1] != [ALIVE]:
            raise CompanionError("A reader ended by itself.", "Look at what it printed.")
        time.sleep(lives_s)
        reader.kill()
    return int(first[1])


def _looked_over(
    companion: LocalCompanion, log: GrowingLog, kills: int, cut_off: int, gone: Sequence[str], seconds: float
) -> ImportKills:
    """What is in the store against what is in the log."""
    said = [
        (turn.said(Role.USER), turn.said(Role.ASSISTANT))
        for one in companion.conversations()
        for turn in talk_turns.of(companion.store.database, one.id)
    ]
    there = Counter(said)
    wanted = [(asked(number), answered(number)) for number in range(log.turns)]
    return ImportKills(
        kills,
        log.turns,
        cut_off,
        seconds,
        lost=tuple(text for text, reply in wanted if not there[text, reply]),
        doubled=tuple(text for (text, _), count in there.items() if count > 1),
        gone=tuple(gone),
        misplaced=() if said == wanted or there != Counter(wanted) else ("the order of the log",),
    )


@contextmanager
def _opened(folder: Path, root: Path) -> Iterator[LocalCompanion]:
    companion = open_companion(root, folder / "home")
    try:
        yield companion
    finally:
        companion.close()


def _repository(root: Path) -> Path:
    root.mkdir(parents=True)
    (root / "README.md").write_text("# Read in pieces\n")
    for arguments in (("init", "-q"), ("add", "."), ("commit", "-q", "-m", "Begin")):
        git(root, *arguments)
    return root
