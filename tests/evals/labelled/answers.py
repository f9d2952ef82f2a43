"""How often the answer to a colleague's question stands in what the product's own search finds first.

The product reads each repository at its newest commit, vectors included. An answer is known by a regular expression,
which ignores case and the difference between sorts of white space. Beside it stands plain BM25 over the raw text:
paragraphs of documents and settings and commit messages, and the same with chunks of code.
"""

from __future__ import annotations

import re
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from companion.errors import UsageError
from companion.evals.bm25 import bm25_scores, plain_words
from companion.evals.places import CutTree
from companion.evals.statistics import Figures, bootstrap, mean, percentile, rounded
from companion.records import Commit, FileSeen, SearchHit, SearchQuery
from companion.syntax import is_code
from evals.json_lines import read_json_lines
from evals.replayed.localize import ReplayOfRepository, folder_of

FIRSTS = (1, 5)
"""Places at which answers are counted."""
DEEP = 10
"""Hits asked for, for the reciprocal rank."""
PARAGRAPHS = "bm25 over paragraphs"
WITH_CODE = "bm25 over paragraphs and chunks"

Progress = Callable[[int, int], None]
_BREAK = re.compile(r"\n\s*\n")


class Searchable(ReplayOfRepository, Protocol):
    """A replay that answers the product's search, and knows the text of its files."""

    def search(self, query: SearchQuery) -> Sequence[SearchHit]:
        """What the product's search finds, best first."""
        ...

    def seen(self, path: str) -> FileSeen | None:
        """A file as of the last `advance`, redacted; None if there is none to be read."""
        ...


@dataclass(frozen=True, slots=True)
class KeyedQuestion:
    """A question about a repository; whatever `key` matches answers it."""

    repo: str
    sort: str
    text: str
    key: re.Pattern[str]

    def place_in(self, texts: Sequence[str]) -> int | None:
        """The place of the first text that answers, from 1; None where none does."""
        return next((place for place, text in enumerate(texts, 1) if self.key.search(" ".join(text.split()))), None)


def answers(
    questions: Path,
    repos: Path,
    open_replay: Callable[[Path], Searchable],
    *,
    progress: Progress | None = None,
) -> dict[str, object]:
    """Share of the questions that are answered, as one JSON object; repositories lie in `repos` under their names.

    Questions about repositories that are not there are counted in `settings`. Raises UsageError for a bad file.
    """
    asked = read_keyed_questions(questions)
    rows: dict[str, list[tuple[KeyedQuestion, Figures]]] = defaultdict(list)
    seconds: list[float] = []
    of_repo: dict[str, list[KeyedQuestion]] = defaultdict(list)
    for question in asked:
        of_repo[question.repo].append(question)
    for repo, some in of_repo.items():
        folder = folder_of(repos, repo)
        if folder is None:
            continue
        replay = open_replay(folder)
        try:
            _ask_all(replay, some, rows, seconds, progress)
        finally:
            replay.close()
    return _told(rows, seconds, left_out=len(asked) - len(rows["ours"]))


def read_keyed_questions(path: Path) -> list[KeyedQuestion]:
    """The questions of a file: repo, question, key, and if they are sorted, sort. Raises UsageError naming the line."""
    found = []
    for number, row in enumerate(read_json_lines(path), start=1):
        try:
            key = re.compile(str(row["key"]), re.IGNORECASE)
            found.append(KeyedQuestion(str(row["repo"]), str(row.get("sort", "")), str(row["question"]), key))
        except (re.error, KeyError) as wrong:
            raise UsageError(
                f"Line {number} of {path} is no question ({wrong}).", "Each has repo, question and key, an expression."
            ) from wrong
    return found


def texts_of(hit: SearchHit) -> str:
    """What somebody who sees a hit can read of it."""
    return "\n".join((hit.title, hit.path or "", hit.text))


def _ask_all(
    replay: Searchable,
    questions: Sequence[KeyedQuestion],
    rows: Mapping[str, list[tuple[KeyedQuestion, Figures]]],
    seconds: list[float],
    progress: Progress | None,
) -> None:
    """Ask all questions about one repository."""
    commits = replay.commits()
    replay.advance(commits, "")
    plain = _Plain(replay, commits)
    for done, question in enumerate(questions, start=1):
        start = time.perf_counter()
        hits = replay.search(SearchQuery(text=question.text, limit=DEEP))
        seconds.append(time.perf_counter() - start)
        rows["ours"].append((question, _figures(question, [texts_of(hit) for hit in hits])))
        for name in (PARAGRAPHS, WITH_CODE):
            rows[name].append((question, _figures(question, plain.found(question.text, code=name == WITH_CODE))))
        if progress:
            progress(done, len(questions))


class _Plain:
    """The raw text of a repository in pieces, ranked by plain BM25."""

    def __init__(self, replay: Searchable, commits: Sequence[Commit]) -> None:
        self._texts: dict[tuple[str, int], str] = {}
        code = {}
        for path, forms in replay.library.paths().items():
            if is_code(path):
                code[path] = forms.content_hash
            elif (seen := replay.seen(path)) is not None:
                for number, paragraph in enumerate(_BREAK.split(seen.text)):
                    self._texts[path, number] = f"{path} {paragraph}"
        for commit in commits:
            self._texts[commit.sha, 0] = f"{commit.subject}\n{commit.body}"
        self._words = {key: Counter(plain_words(text)) for key, text in self._texts.items()}
        self._code = CutTree(replay.seen)
        self._code.follow(code)

    def found(self, text: str, *, code: bool) -> list[str]:
        """The texts that rank first."""
        documents = {**self._words, **self._code.words} if code else self._words
        scores = bm25_scores(documents, list(plain_words(text)))
        return [self._text(key) for key in sorted(scores, key=lambda key: (-scores[key], key))[:DEEP]]

    def _text(self, key: tuple[str, int]) -> str:
        if key in self._texts:
            return self._texts[key]
        chunk = self._code.chunk(*key)
        return f"{chunk.path} {chunk.title} {chunk.text}"


def _figures(question: KeyedQuestion, texts: Sequence[str]) -> Figures:
    place = question.place_in(texts[:DEEP])
    return {
        **{f"answered@{k}": float(place is not None and place <= k) for k in FIRSTS},
        "mrr": 1.0 / place if place else 0.0,
    }


def _told(
    rows: Mapping[str, Sequence[tuple[KeyedQuestion, Figures]]], seconds: Sequence[float], *, left_out: int
) -> dict[str, object]:
    def figures_of(name: str, group: str = "") -> Figures:
        return mean([row for question, row in rows[name] if group in ("", question.repo, question.sort)])

    names = [name for name in rows if name != "ours"]
    ours = figures_of("ours")
    for name in list(ours):
        interval = bootstrap([row[name] for _, row in rows["ours"]])
        ours[f"{name}_low"], ours[f"{name}_high"] = interval.low, interval.high
    asked = [question for question, _ in rows["ours"]]
    groups = dict.fromkeys([*(one.repo for one in asked), *(one.sort for one in asked if one.sort)])
    return {
        "eval": "answers",
        "n": len(asked),
        "ours": rounded(ours),
        "baselines": {name: rounded(figures_of(name)) for name in names},
        "by": {
            group: {
                "ours": rounded(figures_of("ours", group)),
                "baselines": {name: rounded(figures_of(name, group)) for name in names},
            }
            for group in groups
        },
        "missed": [f"{one.repo}: {one.text}" for one, row in rows["ours"] if not row[f"answered@{FIRSTS[-1]}"]],
        "latency_ms": {f"p{part}": round(1000 * percentile(seconds, part / 100), 2) for part in (50, 95)},
        "settings": {"left_out": left_out},
    }
