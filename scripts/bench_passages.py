"""How long the index of passages takes, beside SQLite's FTS5: `scripts/bench_passages.py REPO... --passages 100000`.

Passages are windows of the repositories' files, with a few words drawn anew where the files are too few; questions
are the subjects of their newest commits. What a question takes is processor time, all of it on the thread that asks.
"""

from __future__ import annotations

import argparse
import random
import sqlite3
import subprocess
import tempfile
import time
from collections.abc import Iterator
from functools import partial
from itertools import count, islice
from pathlib import Path

from companion.records import Passage, PassageKind
from companion.store.passages.asking import PassageQuery
from companion.store.passages.documents import SourcePassages, words_of
from companion.store.passages.index import PassageChange, PassageIndex
from companion.store.text import analysis

LINES, AT_ONCE, QUESTIONS = 20, 2_000, 200


def _git(repo: Path, *arguments: str) -> list[str]:
    done = subprocess.run(["git", "-C", str(repo), *arguments], capture_output=True, check=True)
    return done.stdout.decode("utf-8", "replace").splitlines()


def _passages(repos: list[Path]) -> Iterator[Passage]:
    """Windows of the files, again and again with other words among them."""
    draw = random.Random(7)  # noqa: S311 - repeatable, not secret
    windows = [
        ("\n".join(lines[first : first + LINES]), path)
        for repo in repos
        for path in _git(repo, "ls-files")
        if (lines := _lines(repo / path))
        for first in range(0, len(lines), LINES)
    ]
    words = sorted({term for text, _ in windows for term in analysis.terms(text)})
    for turn in count():
        for text, path in windows:
            more = " ".join(draw.choices(words, k=20)) if turn else ""
            yield Passage(PassageKind.CHUNK, f"{text}\n{more}", path=f"{turn}/{path}")


def _lines(path: Path) -> list[str]:
    try:
        return path.read_text("utf-8").splitlines()
    except (OSError, ValueError):
        return []


def _told(name: str, built_s: float, took_s: list[float], size: int) -> None:
    took = sorted(took_s)
    p50, p95 = (1_000 * took[int(len(took) * share)] for share in (0.5, 0.95))
    print(f"{name:8} filled in {built_s:6.1f} s, asked p50 {p50:7.1f} ms, p95 {p95:7.1f} ms, {size / 1e6:6.0f} MB")


def _ours(folder: Path, passages: Iterator[Passage], questions: list[str]) -> None:
    index, started = PassageIndex(folder), time.monotonic()
    number = 0
    while some := list(islice(passages, AT_ONCE)):
        number += 1
        index.change(partial(_put, SourcePassages(str(number), "1", tuple(some))))
    index.rest()
    built, took = time.monotonic() - started, []
    for text in questions:
        started = time.thread_time()
        index.search(PassageQuery(["files b"], text, tuple(PassageKind), 50))
        took.append(time.thread_time() - started)
    _told("tantivy", built, took, sum(file.stat().st_size for file in folder.rglob("*") if file.is_file()))
    started = time.monotonic()
    index.change(partial(_put, SourcePassages("1", "2", ())))
    print(f"         one source changed in {1_000 * (time.monotonic() - started):.0f} ms")


def _put(cut: SourcePassages, change: PassageChange) -> None:
    change.replace("files b", cut)


def _fts5(file: Path, passages: Iterator[Passage], questions: list[str]) -> None:
    connection, started = sqlite3.connect(file), time.monotonic()
    connection.execute("create virtual table t using fts5(words, content='')")
    for number, one in enumerate(passages):
        connection.execute("insert into t(rowid, words) values (?, ?)", (number, " ".join(words_of(one))))
    connection.commit()
    built, took = time.monotonic() - started, []
    for text in questions:
        meant = " OR ".join(f'"{term}"' for term in analysis.spoken(text)) or '""'
        started = time.thread_time()
        connection.execute("select rowid from t where t match ? order by rank limit 50", (meant,)).fetchall()
        took.append(time.thread_time() - started)
    _told("FTS5", built, took, file.stat().st_size)


def main() -> None:
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("repos", nargs="+", type=Path)
    asked.add_argument("--passages", type=int, default=100_000)
    given = asked.parse_args()
    questions = [line for repo in given.repos for line in _git(repo, "log", "--format=%s", "-100")][:QUESTIONS]
    with tempfile.TemporaryDirectory() as folder:
        _ours(Path(folder), islice(_passages(given.repos), given.passages), questions)
        _fts5(Path(folder) / "fts5.sqlite", islice(_passages(given.repos), given.passages), questions)


if __name__ == "__main__":
    main()
