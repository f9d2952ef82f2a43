"""How soon every way in tells what happened: eight events times four ways, each cell in seconds.

Each event changes code, a decision record or history of a generated repository. A way is right when every
file reads as it is now (gone ones are unknown) and every decision is found, or no longer found, by its words.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

from companion.api import Companion
from companion.errors import CompanionError
from companion.ports import Progress
from companion.records import Profile, SearchQuery
from evals.speed.editor import Editor
from evals.speed.processes import companion, git, own_home

FILES = 2_000
"""Code files of the repository; the issue's own size."""
FILES_A_FOLDER = 40
PATIENCE_S = 30.0
"""A cell that is not right by then is wrong."""
LOOK_S = 0.02
WAYS = ("command line", "http", "language server", "search")


@dataclass(frozen=True)
class Expected:
    """What is true after an event: paths with a word each holds (None: it is gone), words found or not."""

    files: Mapping[str, str | None] = field(default_factory=dict)
    found: Sequence[str] = ()
    not_found: Sequence[str] = ()


class Way(Protocol):
    """A way in."""

    def file(self, path: str) -> str:
        """The file as it is known; empty if it is not."""
        ...

    def search(self, word: str) -> str:
        """Everything that a search for a word says."""
        ...


def freshness(folder: Path, files: int, progress: Progress) -> dict[str, object]:
    """Seconds of every cell, made in the empty `folder`; None where it was not right in time."""
    root = _Repository(folder / "work", files)
    with own_home(folder / "home"):
        progress.step("reading the repository", 0, 1)
        companion(root.root, "init", "--no-vectors")
        companion(root.root, "start")
        progress.step("reading the repository", 1, 1)
        cells: dict[str, dict[str, float | None]] = {}
        ways = _Ways(root.root)
        try:
            events = root.events(ways.reopened)
            for done, (name, act) in enumerate(events):
                progress.step("events", done, len(events))
                ways.ready()
                expected = act()
                ways.ready()
                cells[name] = _seconds(ways, expected)
        finally:
            ways.close()
        times = [seconds for row in cells.values() for seconds in row.values() if seconds is not None]
        wrong = sum(seconds is None for row in cells.values() for seconds in row.values())
        return {
            "eval": "freshness",
            "n": len(cells) * len(WAYS),
            "files": files,
            "wrong": wrong,
            "slowest_s": max(times, default=0.0),
            "cells_s": cells,
        }


def _seconds(ways: _Ways, expected: Expected) -> dict[str, float | None]:
    """How long after the event each way was right, each watched on a thread of its own."""
    begin = time.monotonic()

    def watched(name: str) -> float | None:
        while time.monotonic() - begin < PATIENCE_S:
            if _right(ways.way(name), expected, files=name != "search"):
                return time.monotonic() - begin
            time.sleep(LOOK_S)
        return None

    with ThreadPoolExecutor(len(WAYS)) as pool:
        return dict(zip(WAYS, pool.map(watched, WAYS), strict=True))


def _right(way: Way, expected: Expected, *, files: bool) -> bool:
    if files:
        for path, word in expected.files.items():
            known = way.file(path)
            if (word is None and known) or (word is not None and word not in known):
                return False
    return all(word in way.search(word) for word in expected.found) and not any(
        word in way.search(word) for word in expected.not_found
    )


# ---------------------------------------------------------------------- the ways


class _Ways:
    """All ways in to one repository; those that hold something open are opened anew after a restart."""

    def __init__(self, root: Path) -> None:
        self._root = root
        self._ways: dict[str, _Typed | _Asked | _Edited] = {}

    def ready(self) -> None:
        """Everything that has to be open is, before an event's time begins to count."""
        for name in WAYS:
            self.way(name)

    def way(self, name: str) -> Way:
        """A way by its name."""
        if name not in self._ways:
            self._ways[name] = _OPENED.get(name, _Asked)(self._root)
        return self._ways[name]

    def reopened(self) -> None:
        """Forget what is open: the daemon it was opened to is gone."""
        self.close()
        self._ways.clear()

    def close(self) -> None:
        """Close whatever is open."""
        for way in self._ways.values():
            way.close()


@dataclass
class _Typed:
    root: Path

    def file(self, path: str) -> str:
        return _told(self.root, "expand", f"file:{path}")

    def search(self, word: str) -> str:
        return _told(self.root, "search", word)

    def close(self) -> None:
        """Nothing is open."""


class _Asked:
    def __init__(self, root: Path) -> None:
        from companion.client import connect

        self._companion: Companion = connect(root, start=True)

    def file(self, path: str) -> str:
        try:
            return self._companion.expand(f"file:{path}").text
        except CompanionError:
            return ""

    def search(self, word: str) -> str:
        hits = self._companion.search(SearchQuery(text=word, profile=Profile.MEMORY))
        return "\n".join(hit.memory.draft.levels.full for hit in hits if hit.memory)

    def close(self) -> None:
        self._companion.close()


class _Edited:
    def __init__(self, root: Path) -> None:
        self._root = root
        self._editor = Editor(root)

    def file(self, path: str) -> str:
        given = {"root": str(self._root), "id": f"file:{path}"}
        asked = {"command": "companion.expand", "arguments": [given]}
        return str((self._editor.ask("workspace/executeCommand", asked) or {}).get("text", ""))

    def search(self, word: str) -> str:
        asked = {"folder": self._root.as_uri(), "verb": "search", "ask": {"query": {"text": word, "profile": "memory"}}}
        return json.dumps(self._editor.ask("companion/ask", asked))

    def close(self) -> None:
        self._editor.close()


def _told(root: Path, *arguments: str) -> str:
    """What a command prints; nothing where it fails, as it does for what is not known."""
    try:
        return companion(root, *arguments)
    except OSError:
        return ""


_OPENED: Mapping[str, Callable[[Path], _Typed | _Asked | _Edited]] = {
    "command line": _Typed,
    "language server": _Edited,
}
"""What is not here is asked over the socket."""


# ---------------------------------------------------------------------- the events


class _Repository:
    """Generated code with a decision record, a second branch that has others, and the eight events."""

    def __init__(self, root: Path, files: int) -> None:
        self.root = root
        root.mkdir(parents=True)
        self._git("init", "-q", "-b", "main")
        for number in range(files):
            self._code(f"src/part_{number // FILES_A_FOLDER}/module_{number}.py", f"function_{number}")
        self._decision("0001-first", "basalt")
        self._commit("Begin")
        self._git("checkout", "-q", "-b", "side")
        self._code("src/side_only.py", "on_the_side")
        self._decision("0002-side", "gneiss")
        self._commit("Work on the side")
        self._git("checkout", "-q", "main")

    def events(self, reopened: Callable[[], None]) -> list[tuple[str, Callable[[], Expected]]]:
        """Each event by its name: it happens when it is called, and says what is true then."""
        return [
            ("create", self._create),
            ("edit", self._edit),
            ("rename", self._rename),
            ("delete", self._delete),
            ("checkout", self._checkout),
            ("commit", self._commit_something),
            ("revert", self._revert),
            ("restart", lambda: self._restart(reopened)),
        ]

    def _create(self) -> Expected:
        self._code("src/fresh.py", "created_now")
        self._decision("0003-fresh", "obsidian")
        return Expected({"src/fresh.py": "created_now"}, found=["obsidian"])

    def _edit(self) -> Expected:
        self._code("src/fresh.py", "edited_now")
        self._decision("0003-fresh", "rhyolite")
        return Expected({"src/fresh.py": "edited_now"}, found=["rhyolite"], not_found=["obsidian"])

    def _rename(self) -> Expected:
        (self.root / "src/fresh.py").rename(self.root / "src/renamed.py")
        (self.root / "docs/adr/0003-fresh.md").rename(self.root / "docs/adr/0004-renamed.md")
        return Expected({"src/renamed.py": "edited_now", "src/fresh.py": None}, found=["rhyolite"])

    def _delete(self) -> Expected:
        (self.root / "src/renamed.py").unlink()
        (self.root / "docs/adr/0004-renamed.md").unlink()
        return Expected({"src/renamed.py": None}, not_found=["rhyolite"])

    def _checkout(self) -> Expected:
        self._git("checkout", "-q", "side")
        return Expected({"src/side_only.py": "on_the_side"}, found=["gneiss", "basalt"])

    def _commit_something(self) -> Expected:
        self._git("checkout", "-q", "main")
        self._code("src/committed.py", "committed_now")
        self._decision("0005-committed", "feldspar")
        self._commit("Feldspar is weighed before mica\n\nThe scale drifts by a gram a day, because mica is damp.")
        return Expected(
            {"src/committed.py": "committed_now", "src/side_only.py": None}, found=["feldspar"], not_found=["gneiss"]
        )

    def _revert(self) -> Expected:
        self._git("revert", "--no-edit", "HEAD")
        return Expected({"src/committed.py": None}, not_found=["We choose feldspar"])

    def _restart(self, reopened: Callable[[], None]) -> Expected:
        reopened()
        companion(self.root, "stop")
        self._code("src/meanwhile.py", "written_while_away")
        self._decision("0006-meanwhile", "dolerite")
        companion(self.root, "start")
        return Expected({"src/meanwhile.py": "written_while_away"}, found=["dolerite"])

    def _code(self, path: str, name: str) -> None:
        target = self.root / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(f'def {name}(items):\n    """Does what {name} says."""\n    return list(items)\n')

    def _decision(self, name: str, word: str) -> None:
        target = self.root / "docs" / "adr" / f"{name}.md"
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(
            f"# {int(name[:4])}. Choose {word}\n\n## Status\n\nAccepted\n\n## Context\n\nStones differ.\n\n"
            f"## Decision\n\nWe choose {word} for every wall.\n"
        )

    def _commit(self, message: str) -> None:
        self._git("add", ".")
        self._git("commit", "-q", "-m", message)

    def _git(self, *arguments: str) -> None:
        git(self.root, *arguments)
