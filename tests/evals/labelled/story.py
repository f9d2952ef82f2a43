"""How many stories name the commits that a reader of the log names, and how many functions of a file share one text.

A file of marks names functions by repository, path and line, each with the commits that its reader would name, and a
line of it that surprises with the commit behind that. Stories are read as `companion why FILE:LINE` reads them, at the
commit that is given; what is remembered of a function, which makes its text yet another, is left out.
"""

from __future__ import annotations

import json
import subprocess
import tempfile
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from companion.app.working.stories import Story, read_story
from companion.engine.telling.dossier import FileDossier
from companion.engine.telling.why import blamed_at, followed
from companion.errors import UsageError
from companion.records import Span, StoryStep, SymbolKind
from companion.signals import git
from companion.syntax.alone import parse
from evals.replayed.localize import folder_of

SIBLINGS = 4
"""Functions of a file whose texts are compared with each other."""
FUNCTIONS = {SymbolKind.FUNCTION, SymbolKind.METHOD}

Progress = Callable[[int, int], None]


@dataclass(frozen=True, slots=True)
class MarkedFunction:
    """A function with the commits that a reader of its log would name, and a line of it with the one behind that."""

    repository: str
    path: str
    line: int
    symbol: str
    commits: frozenset[str]
    surprising: tuple[int, str]


@dataclass(frozen=True, slots=True)
class MarkedRepository:
    """A repository at a commit, with its marked functions."""

    name: str
    commit: str
    functions: tuple[MarkedFunction, ...]


def stories(marks: Path, repos: Path, progress: Progress = lambda done, total: None) -> dict[str, object]:
    """Measure the stories of marked functions of repositories that lie in `repos`. Raises UsageError for odd marks."""
    known = read_marks(marks)
    rows: list[dict[str, object]] = []
    texts: list[list[str]] = []
    total = sum(len(one.functions) for one in known)
    for repository in known:
        folder = folder_of(repos, repository.name)
        if folder is None:
            raise UsageError(f"There is no `{repository.name}` in {repos}.", "Clone it there, with its history.")
        with tempfile.TemporaryDirectory(prefix="companion-story-") as home:
            reader = _Reader(_copy(folder, repository.commit, Path(home)))
            for function in repository.functions:
                rows.append(_row(function, reader))
                texts.append(list(_texts_beside(function, reader)))
                progress(len(rows), total)
    return _told(rows, texts)


class _Reader:
    """Reads the stories of a work tree's lines."""

    def __init__(self, folder: Path) -> None:
        self._state = git.open_repository(folder)
        self._folder = folder
        self._read: dict[tuple[str, Span], Story] = {}

    def known(self, path: str) -> FileDossier:
        """A file with its definitions, of which nothing is remembered."""
        parsed = parse(path, (self._folder / path).read_bytes(), "")
        return FileDossier(path, symbols=tuple(parsed.symbols))

    def story(self, path: str, line: int) -> tuple[StoryStep | None, tuple[StoryStep, ...]]:
        """The commit of a line, and the steps of its definition."""
        lines, name = followed(self.known(path), line)
        content = (self._folder / path).read_bytes()
        key = path, lines
        told = self._read.get(key) or read_story(self._state, path, content, lines, name, str)
        self._read[key] = told
        wrote = blamed_at(told.wrote, line)
        return told.by_commit.get(wrote.sha) if wrote is not None else None, told.steps


def read_marks(marks: Path) -> list[MarkedRepository]:
    """The repositories of a file of marks. Raises UsageError for what is none."""
    try:
        given = json.loads(marks.read_text("utf-8"))
        return [
            MarkedRepository(
                one["name"],
                one["commit"],
                tuple(_marked(row) for row in given["functions"] if row["repository"] == one["name"]),
            )
            for one in given["repositories"]
        ]
    except (OSError, ValueError, KeyError, TypeError) as wrong:
        raise UsageError(f"{marks} cannot be read: {wrong!r}.", "It holds `repositories` and `functions`.") from wrong


def _marked(row: Mapping[str, Any]) -> MarkedFunction:
    surprising = row.get("surprising") or {"line": 0, "commit": ""}
    return MarkedFunction(
        row["repository"],
        row["path"],
        row["line"],
        row["symbol"],
        frozenset(row["commits"]),
        (surprising["line"], surprising["commit"]),
    )


def _copy(folder: Path, commit: str, home: Path) -> Path:
    """A repository as of a commit, in a copy that shares its objects."""
    copy = home / "copy"
    for arguments in (
        ["clone", "-q", "--shared", "--no-checkout", str(folder), str(copy)],
        ["-C", str(copy), "checkout", "-q", commit],
    ):
        subprocess.run(["git", *arguments], check=True, capture_output=True)
    return copy


def _row(function: MarkedFunction, reader: _Reader) -> dict[str, object]:
    """What the story of a function names of what its reader does."""
    written, steps = reader.story(function.path, function.line)
    named = {step.sha for step in (*steps, *([written] if written else []))}
    line, behind = function.surprising
    told = reader.story(function.path, line)[0] if line else None
    return {
        "repository": function.repository,
        "function": f"{function.path}:{function.line} {function.symbol}",
        "named": len(function.commits & named),
        "marked": len(function.commits),
        "steps": len(named),
        "missing": sorted(sha[:10] for sha in function.commits - named),
        "line": bool(told and told.sha == behind) if line else None,
        "named there": function.commits <= {step.sha for step in (*steps, *([told] if told else []))},
    }


def _texts_beside(function: MarkedFunction, reader: _Reader) -> Iterator[str]:
    """The stories of functions of the same file, as they are read: the marked one and the first others."""
    known = [one for one in reader.known(function.path).symbols if one.kind in FUNCTIONS]
    known.sort(key=lambda one: not one.line <= function.line <= one.end_line)
    for symbol in known[:SIBLINGS]:
        written, steps = reader.story(function.path, symbol.line)
        told = "\n".join(step.text for step in (*([written] if written else []), *steps))
        yield told.replace(symbol.name, "it")  # a name alone makes no text another


def _told(rows: Sequence[Mapping[str, Any]], texts: Sequence[Sequence[str]]) -> dict[str, object]:
    by: dict[str, list[Mapping[str, Any]]] = defaultdict(list)
    for row in rows:
        by[row["repository"]].append(row)
    count = sum(map(len, texts))
    alike = sum(sum(times for times in Counter(many).values() if times > 1) for many in texts)
    return {
        "eval": "story",
        "n": len(rows),
        "ours": {**_figures(rows), "texts": count, "identical texts": alike / max(1, count)},
        "by": {name: _figures(of_it) for name, of_it in by.items()},
        "missed": [row for row in rows if row["missing"] or row["line"] is False],
    }


def _figures(rows: Sequence[Mapping[str, Any]]) -> dict[str, float]:
    marked, named = sum(row["marked"] for row in rows), sum(row["named"] for row in rows)
    lines = [row["line"] for row in rows if row["line"] is not None]
    return {
        "all named": sum(row["named"] == row["marked"] for row in rows) / max(1, len(rows)),
        "of the commits": named / max(1, marked),
        "of what is named": named / max(1, sum(row["steps"] for row in rows)),
        "commits of a story": sum(row["steps"] for row in rows) / max(1, len(rows)),
        "all named, asked there": sum(row["named there"] for row in rows) / max(1, len(lines)),
        "surprising lines": sum(lines) / max(1, len(lines)),
    }
