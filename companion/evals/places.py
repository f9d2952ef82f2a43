"""Whether a context shows the very lines that a commit was to change, replayed on a project's own past.

The subject is the task, each changed file in turn is at hand (or none, or a file without a task), and what the commit
changed in the other files was needed: its old lines, and for lines that were only added the one before them. Beside
the context stand three simple ways to fill the same budget, by the words of the task or else of the file at hand, and a
ceiling that knows the answer.
"""

from __future__ import annotations

import math
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field
from typing import Protocol

from msgspec import Struct

from companion.evals.bm25 import bm25_scores, plain_words
from companion.evals.prediction import BARE_LEVELS, PREDICTED
from companion.evals.replay import Case, Progress, WithCode, cases, walk
from companion.evals.statistics import Figures, bootstrap, mean, milliseconds, rounded
from companion.evidence.cutting import cut_file
from companion.records import Commit, Context, FileSeen, Passage, PassageKind, Signals, Span
from companion.syntax import parse

BUDGET_TOKENS = 4_000
UNLIKELY = 0.05
"""A file of a smaller probability fills the context."""
LEAST_LIKELIHOOD = 0.001
"""Of a file that was not predicted: its chunks come last and are not struck out."""
LIKELIHOOD_POWER = 0.6
"""What a file's probability is raised to before it weighs its chunks; the best of a sweep on other repositories."""
AROUND_LINES = 15
"""Lines either side of a changed place that the ceiling shows."""
MISFITS_MOST = 30
"""Pieces in a row that are too long for what is left of the budget, before a baseline gives up."""
WHOLE = "whole files by probability"
LIKELY_CHUNKS = "chunk bm25 times likelihood"
CHUNKS = "chunk bm25"
CEILING = "ceiling"

Spans = Mapping[str, Sequence[Span]]


class WithPlaces(WithCode, Protocol):
    """A replay that knows the text of its files and what a commit changes in them."""

    def seen(self, path: str) -> FileSeen | None:
        """A file as of the last `advance`, redacted; None if there is none to be read."""

    def old_spans(self, commit: Commit) -> Spans:
        """The lines of its first parent that a commit changes, by path."""

    def count(self, text: str) -> int:
        """The tokens of a text."""


@dataclass
class Shown:
    """What fills a context: lines and tokens by file, the files of which more than a name is told, and all tokens."""

    lines: dict[str, set[int]] = field(default_factory=lambda: defaultdict(set))
    by_file: Counter[str] = field(default_factory=Counter)
    files: set[str] = field(default_factory=set)
    tokens: int = 0

    def add(self, path: str, spans: Iterable[Span], tokens: int) -> None:
        """Count a piece of a file."""
        self.files.add(path)
        self.by_file[path] += tokens
        self.lines[path] |= lines_in(spans)


class PlacesTask(Struct, frozen=True):
    """One question and its answer: what was at hand, the old lines of the other files, the likelihood of files."""

    signals: Signals
    needed: Mapping[str, Set[int]]
    likelihood: Mapping[str, float]

    @property
    def at_hand(self) -> str:
        """The file at hand; empty for none."""
        return self.signals.current_file


class Piece(Struct, frozen=True):
    """Some lines of a file that a baseline may show."""

    path: str
    span: Span
    text: str


def places(
    commits: Sequence[Commit],
    subject: WithPlaces,
    *,
    last: int = 60,
    budget_tokens: int = BUDGET_TOKENS,
    with_file: bool = True,
    with_task: bool = True,
    progress: Progress | None = None,
    settings: Mapping[str, object] | None = None,
) -> dict[str, object]:
    """Replay the last `last` test commits (oldest first) and tell the figures as one JSON object."""
    chosen = cases(commits, last)
    measure = _Measure(subject, budget_tokens)
    for case in walk(commits, chosen, subject, progress):
        measure.take(case, with_file=with_file, with_task=with_task)
    known = {"with_file": with_file, "with_task": with_task}
    settled = {"last": last, "budget_tokens": budget_tokens, **known, **(settings or {})}
    return measure.told(settled)


def lines_in(spans: Iterable[Span]) -> set[int]:
    """Every line of some spans."""
    return {line for first, last in spans for line in range(first, last + 1)}


def shown_by(context: Context) -> Shown:
    """What a context shows of which files."""
    shown = Shown(tokens=context.tokens)
    for report in context.tiers:
        for item in report.items:
            if item.path is None:
                continue
            shown.by_file[item.path] += item.tokens
            if item.spans or item.level not in BARE_LEVELS:
                shown.files.add(item.path)
            shown.lines[item.path] |= lines_in(item.spans)
    return shown


def place_figures(shown: Shown, ask: PlacesTask) -> Figures:
    """How much of what was needed is shown, and how many of the tokens are of it, or of files that nobody expects."""
    needed = sum(len(lines) for lines in ask.needed.values())
    found = sum(len(lines & shown.lines.get(path, set())) for path, lines in ask.needed.items())
    in_needed = sum(tokens for path, tokens in shown.by_file.items() if path in ask.needed)
    unlikely = sum(
        tokens
        for path, tokens in shown.by_file.items()
        if path != ask.at_hand and ask.likelihood.get(path, 0.0) < UNLIKELY
    )
    return {
        "places": found / needed,
        "files": len(shown.files & ask.needed.keys()) / len(ask.needed),
        "hit_tokens": in_needed / shown.tokens if shown.tokens else 0.0,
        "filler": unlikely / shown.tokens if shown.tokens else 0.0,
        "tokens": float(shown.tokens),
    }


def packed(pieces: Iterable[Piece], budget_tokens: int, count: Callable[[str], int]) -> Shown:
    """The first pieces that fit, each under its path and lines; one that is too long is passed over."""
    shown = Shown()
    misfits = 0
    for piece in pieces:
        first, last = piece.span
        tokens = count(f"{piece.path}:{first}-{last}\n{piece.text}\n")
        if shown.tokens + tokens <= budget_tokens:
            shown.add(piece.path, [piece.span], tokens)
            shown.tokens += tokens
            misfits = 0
        elif (misfits := misfits + 1) >= MISFITS_MOST:
            break
    return shown


class _Measure:
    """Collects figures commit by commit."""

    def __init__(self, subject: WithPlaces, budget_tokens: int) -> None:
        self._subject = subject
        self._budget_tokens = budget_tokens
        self._tree = CutTree(subject.seen)
        self._rows: dict[str, list[Figures]] = defaultdict(list)
        self._first: dict[str, list[Figures]] = defaultdict(list)
        self._seconds: list[float] = []

    def take(self, case: Case, *, with_file: bool, with_task: bool) -> None:
        """Measure one commit: the mean over its asks is one row."""
        there = self._subject.library.paths()
        changed = {path: lines_in(spans) for path, spans in self._subject.old_spans(case.commit).items()}
        files = {path: changed[path] for path in case.files if path in there and changed.get(path)}
        if len(files) < 2:
            return
        self._tree.follow({path: forms.content_hash for path, forms in there.items()})
        task = case.commit.subject if with_task else ""
        rows: dict[str, list[Figures]] = defaultdict(list)
        for path in files if with_file else ("",):
            needed = {other: lines for other, lines in files.items() if other != path}
            signals = Signals(current_file=path, query=task)
            predicted = self._subject.predict(signals, PREDICTED)
            ask = PlacesTask(signals, needed, {one.path: one.probability for one in predicted})
            scores = bm25_scores(self._tree.words, list(plain_words(task or self._text_of(path))))
            for name, shown in self._ways(ask, scores):
                rows[name].append(place_figures(shown, ask))
        for name, asked in rows.items():
            self._rows[name].append(mean(asked))
            self._first[name].append(asked[0])

    def _text_of(self, path: str) -> str:
        seen = self._subject.seen(path)
        return seen.text if seen is not None else ""

    def _ways(self, ask: PlacesTask, scores: Mapping[tuple[str, int], float]) -> Iterator[tuple[str, Shown]]:
        """Ours, the baselines and the ceiling, each by its name."""
        start = time.perf_counter()
        context = self._subject.assemble(self._budget_tokens, ask.signals)
        self._seconds.append(time.perf_counter() - start)
        yield "ours", shown_by(context)

        def weight(path: str) -> float:
            return math.pow(max(ask.likelihood.get(path, 0.0), LEAST_LIKELIHOOD), LIKELIHOOD_POWER)

        others = {key: score for key, score in scores.items() if key[0] != ask.at_hand}
        likely = {key: score * weight(key[0]) for key, score in others.items()}
        whole = (path for path, p in sorted(ask.likelihood.items(), key=lambda one: -one[1]) if path != ask.at_hand)
        for name, pieces in (
            (CHUNKS, self._chunks(others)),
            (LIKELY_CHUNKS, self._chunks(likely)),
            (WHOLE, self._whole(whole)),
            (CEILING, self._around(ask.needed)),
        ):
            yield name, packed(pieces, self._budget_tokens, self._subject.count)

    def _chunks(self, scores: Mapping[tuple[str, int], float]) -> Iterator[Piece]:
        for path, number in sorted(scores, key=lambda key: (-scores[key], key)):
            chunk = self._tree.chunk(path, number)
            if chunk.span is not None:
                yield Piece(path, chunk.span, chunk.text)

    def _whole(self, paths: Iterable[str]) -> Iterator[Piece]:
        for path in paths:
            seen = self._subject.seen(path)
            if seen is not None:
                yield Piece(path, (1, seen.text.count("\n") + 1), seen.text)

    def _around(self, needed: Mapping[str, Set[int]]) -> Iterator[Piece]:
        """The changed places with some lines either side, those with the most changed lines a line first."""
        found: list[tuple[float, Piece]] = []
        for path, lines in sorted(needed.items()):
            text = self._text_of(path).splitlines()
            for first, last in windows(lines, len(text)):
                inside = sum(first <= line <= last for line in lines) / (last - first + 1)
                found.append((inside, Piece(path, (first, last), "\n".join(text[first - 1 : last]))))
        yield from (piece for _, piece in sorted(found, key=lambda one: -one[0]))

    def told(self, settings: Mapping[str, object]) -> dict[str, object]:
        """All figures as one JSON object, with intervals over commits."""
        figures = {name: rounded(_with_intervals(rows)) for name, rows in self._rows.items()}
        first = {name: rounded(mean(rows)) for name, rows in self._first.items()}
        ours = figures.pop("ours", {})
        return {
            "eval": "places",
            "n": len(self._rows["ours"]),
            "ours": ours,
            "baselines": figures,
            "by": {"first file": {"ours": first.pop("ours", {}), "baselines": first}},
            "latency_ms": milliseconds(self._seconds),
            "settings": dict(settings),
        }


def windows(lines: Set[int], length: int) -> list[Span]:
    """Spans of a file of `length` lines that hold `lines` with their surroundings, joined where they meet."""
    found: list[Span] = []
    for line in sorted(line for line in lines if line <= length):
        first, last = max(1, line - AROUND_LINES), min(length, line + AROUND_LINES)
        if found and first <= found[-1][1] + 1:
            found[-1] = (found[-1][0], last)
        else:
            found.append((first, last))
    return found


def _with_intervals(rows: Sequence[Figures]) -> Figures:
    told = mean(rows)
    for name in ("places", "files", "filler"):
        interval = bootstrap([row[name] for row in rows])
        told |= {f"{name}_low": interval.low, f"{name}_high": interval.high}
    return told


class CutTree:
    """The chunks of every file by path and number, following a tree from one commit to the next."""

    def __init__(self, seen: Callable[[str], FileSeen | None]) -> None:
        self._seen = seen
        self._hashes: dict[str, str] = {}
        self._chunks: dict[str, Sequence[Passage]] = {}
        self.words: dict[tuple[str, int], Counter[str]] = {}

    def follow(self, hashes: Mapping[str, str]) -> None:
        """Hold the chunks of just these files, given by path with the hash of their content."""
        for path in [path for path, known in self._hashes.items() if hashes.get(path) != known]:
            for number in range(len(self._chunks.pop(path))):
                del self.words[path, number]
            del self._hashes[path]
        for path, content_hash in hashes.items():
            if path not in self._hashes:
                self._take(path, content_hash)

    def chunk(self, path: str, number: int) -> Passage:
        """One chunk. Raises KeyError or IndexError where there is none."""
        return self._chunks[path][number]

    def _take(self, path: str, content_hash: str) -> None:
        self._hashes[path] = content_hash
        self._chunks[path] = chunks = self._cut(path)
        for number, chunk in enumerate(chunks):
            self.words[path, number] = Counter(plain_words(f"{path} {chunk.title}\n{chunk.text}"))

    def _cut(self, path: str) -> Sequence[Passage]:
        seen = self._seen(path)
        if seen is None:
            return ()
        parsed = parse(path, seen.text.encode("utf-8", "replace"), seen.content_hash)
        return tuple(one for one in cut_file(path, seen.text, parsed) if one.kind is PassageKind.CHUNK)
