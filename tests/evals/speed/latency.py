"""How fast the product answers in a warm process, on a generated store of a given size.

The store is made from a seed; questions name its files and words. Vectors of the stored texts are
random (what they say does not change how long a search takes), the question's is made by the real
model, and the final text is counted by the real tokenizer. A process of its own makes the store and
its indexes, so that the first question meets what a server meets that is started on an old store,
and memory is what answering takes.
"""

from __future__ import annotations

import gc
import json
import random
import re
import resource
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from datetime import datetime
from functools import partial
from multiprocessing import get_context
from pathlib import Path
from zlib import crc32

import numpy as np
import numpy.typing as npt
from msgspec.structs import replace

from companion.adapters.embedders import make_embedder
from companion.adapters.secrets import SecretRedactor
from companion.adapters.tokens import QuickTokens
from companion.api import Order
from companion.app.compose import open_runtime
from companion.app.contexts import predicted
from companion.app.local import LocalCompanion
from companion.app.replay import SetClock
from companion.app.runtime import Adapters, Runtime, runtime_over
from companion.config import Settings
from companion.errors import UsageError
from companion.evals.statistics import percentile
from companion.evidence.commits import cut_commit
from companion.ports import Progress
from companion.records import Context, Format, Profile, RepoState, SearchQuery, Signals
from companion.store.passages.documents import SourcePassages, whole_of
from companion.store.passages.index import PassageChange
from companion.store.text.documents import commit_space, file_space
from evals.speed.generated import SYMBOLS_A_FILE, content, generate

SEED = 1
VECTORS_AT_ONCE = 10_000
"""Random vectors made between two looks at what is missing."""
THEMES = 400
"""Themes of what is remembered, where vectors are to mean something: as many as a large project has modules."""
LINES_OF_A_FILE = 10 * SYMBOLS_A_FILE
MADE = "generated.json"
"""The file beside a generated store that says what is in it."""
COLD_QUESTIONS = 5
"""First questions, which fill caches; told apart and not counted in the warm figures."""


@dataclass(frozen=True, slots=True)
class Made:
    """A generated store that lies in a folder: what it knows, and how long its indexes took to make."""

    project: str
    checkout: str
    paths: tuple[str, ...]
    words: tuple[str, ...]
    now: datetime
    vectors_s: float
    text_index_s: float


class Served(LocalCompanion):
    """As a daemon answers: what was served is written down behind the answer, not before it."""

    def __post_init__(self) -> None:
        """Nothing is to be written yet."""
        super().__post_init__()
        self.served: list[Callable[[], None]] = []
        self.later = self.served.append

    def write_down(self) -> None:
        """Write down what was served."""
        while self.served:
            self.served.pop()()


def latency(memories: int, rounds: int, progress: Progress) -> dict[str, object]:
    """Times of assemble, search, predict, why, marks and hints in milliseconds, as one JSON object.

    The last three are asked about files at random, of which nearly none was asked about before: in an
    editor most questions are about a file that was, and take a tenth of that.
    """
    with made_store(memories, progress) as (folder, made):
        start = time.perf_counter()
        runtime = open_runtime(Path(folder), Settings(), SetClock(made.now))
        try:
            companion = Served(runtime, state_of(folder), made.project, made.checkout)
            opened_ms = 1_000 * (time.perf_counter() - start)
            return _told(companion, made, memories, rounds, progress, opened_ms)
        finally:
            gc.unfreeze()
            runtime.close()


@contextmanager
def made_store(
    memories: int, progress: Progress, kept: Path | None = None, state: RepoState | None = None
) -> Iterator[tuple[str, Made]]:
    """A generated store in a folder of its own, or in one that is `kept`, where it is made once and used again.

    `state` is the checkout that it is to have read; see `generate`.
    Raises UsageError for a kept folder with something else in it.
    """
    with tempfile.TemporaryDirectory(prefix="companion-made-") as short_lived:
        folder = str(kept or short_lived)
        made = None if kept is None else _made_before(kept, memories)
        if made is None:
            progress.step("generating the store", 0, 1)
            with ProcessPoolExecutor(1, get_context("spawn")) as apart:
                made = apart.submit(make, folder, memories, Settings(), state=state).result()
            progress.step("generating the store", 1, 1)
            said = {**_sort(memories), **asdict(made), "now": made.now.isoformat()}
            (Path(folder) / MADE).write_text(json.dumps(said), "utf-8")
        yield folder, made


def _made_before(folder: Path, memories: int) -> Made | None:
    """What was made in a folder before; None for an empty one."""
    if not folder.exists() or not any(folder.iterdir()):
        folder.mkdir(parents=True, exist_ok=True)
        return None
    try:
        said = json.loads((folder / MADE).read_text("utf-8"))
        if {name: said.pop(name) for name in _sort(memories)} != _sort(memories):
            raise ValueError("of another sort")
        lists = {name: tuple(said[name]) for name in ("paths", "words")}
        return Made(**{**said, **lists, "now": datetime.fromisoformat(said["now"])})
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        next_step = "Name a folder that is empty or not there yet."
        raise UsageError(f"{folder} holds no generated store of {memories:,} memories.", next_step) from None


def _sort(memories: int) -> dict[str, object]:
    """What two stores must have in common to be as good as one another."""
    return {"memories": memories, "seed": SEED, "embeddings": Settings().embeddings}


def state_of(folder: str) -> RepoState:
    """A checkout in name only, for a store that was generated."""
    return RepoState(folder, folder, "", "", "", "main")


def make(
    folder: str, memories: int, settings: Settings, *, lived: bool = False, state: RepoState | None = None
) -> Made:
    """Fill the folder with a store and its indexes, and let go of it; see `generate` for `lived` and `state`."""
    counter, redactor = QuickTokens(), SecretRedactor()
    made = generate(Path(folder), memories, SEED, counter=counter, redactor=redactor, lived=lived, state=state)
    runtime = runtime_over(
        made.database, settings, Adapters(SetClock(made.now), counter, redactor, make_embedder(settings))
    )
    try:
        start = time.perf_counter()
        _vectors(runtime, made.project, meant=lived)
        between = time.perf_counter()
        runtime.store.text_index.update(made.project)
        runtime.store.passages.change(partial(_passages, runtime, made.project, made.checkout))
        end = time.perf_counter()
    finally:
        runtime.close()
    return Made(made.project, made.checkout, made.paths, made.words, made.now, between - start, end - between)


def _passages(runtime: Runtime, project: str, checkout: str, change: PassageChange) -> None:
    """Commits, and files as wholes: nothing was generated that stands in them."""
    shas = runtime.store.history.branches(project)
    for commit in runtime.store.history.commits(project, shas):
        change.replace(commit_space(project), SourcePassages(commit.sha, "-", cut_commit(commit)))
    for file in runtime.store.code.parsed(checkout):
        change.replace(file_space(checkout), SourcePassages(file.path, file.content_hash, (), whole=whole_of(file)))


def _vectors(runtime: Runtime, project: str, *, meant: bool) -> None:
    """Random vectors, or `meant` ones: what a search takes does not depend on them, what a run finds does."""
    if runtime.adapters.embedder is None:
        return
    draw = np.random.default_rng(SEED)
    model, width = runtime.adapters.embedder.model, runtime.adapters.embedder.dimension
    meanings = _Meanings(width)
    while found := runtime.store.vectors.pending(project, model, VECTORS_AT_ONCE):
        if meant:
            matrix = np.stack([meanings.of(text) for _, text in found])
        else:
            matrix = draw.standard_normal((len(found), width)).astype(np.float32)
        matrix /= np.linalg.norm(matrix, axis=1, keepdims=True)
        runtime.store.vectors.keep(project, model, [digest for digest, _ in found], matrix)
    runtime.store.vectors.refresh(project, runtime.adapters.embedder)


class _Meanings:
    """Vectors by words: of one theme they are as near as those of one module, of the same words nearly the same."""

    def __init__(self, width: int) -> None:
        self._width = width
        self._known: dict[str, npt.NDArray[np.float32]] = {}

    def of(self, text: str) -> npt.NDArray[np.float32]:
        """The middle of a text's words, drawn half way to its theme, which its longest word decides."""
        words = sorted(set(re.findall(r"[a-z]+", text.lower()))) or [text]
        theme = crc32(max(words, key=len).encode()) % THEMES
        middle = np.sum([self._drawn(word) for word in words], axis=0) / len(words) ** 0.5
        mixed: npt.NDArray[np.float32] = middle + self._drawn(f"theme {theme}")
        return mixed

    def _drawn(self, word: str) -> npt.NDArray[np.float32]:
        """A direction of the word's own, of length one on average."""
        if word not in self._known:
            draw = np.random.default_rng([SEED, crc32(word.encode())])
            self._known[word] = (draw.standard_normal(self._width) / self._width**0.5).astype(np.float32)
        return self._known[word]


class _Questions:
    """What is asked of a generated store: about files and words drawn from it, the same ones each time."""

    def __init__(self, companion: Served, made: Made) -> None:
        self.contexts: list[Context] = []
        """All that were assembled."""
        self._companion = companion
        self._made = made
        self._draw = random.Random(SEED)

    def verbs(self) -> Mapping[str, Callable[[], None]]:
        """What can be asked, by name, in the order in which it is timed."""
        return {
            "assemble": self._assemble,
            "search": self._search,
            "predict": self._predict,
            "why": self._why,
            "marks": self._marks,
            "hints": self._hints,
        }

    def _assemble(self) -> None:
        self.contexts.append(self._companion.assemble(8_000, self._signals(), Format.MARKDOWN, Order.PEOPLE))

    def _search(self) -> None:
        self._companion.search(SearchQuery(text=self._words(1), profile=Profile.LEARNED))

    def _predict(self) -> None:
        predicted(self._companion, replace(self._signals(), query=""), ())

    def _why(self) -> None:
        self._companion.why(self._path(), self._draw.randint(1, LINES_OF_A_FILE))

    def _marks(self) -> None:
        self._companion.marks(self._path())

    def _hints(self) -> None:
        self._companion.hints(self._path())

    def _signals(self) -> Signals:
        words = self._words(0)
        return Signals(current_file=self._path(), query=words)

    def _words(self, least: int) -> str:
        return " ".join(self._draw.choices(self._made.words, k=self._draw.randint(least, 6)))

    def _path(self) -> str:
        return self._draw.choice(self._made.paths)


def _timed(companion: Served, name: str, ask: Callable[[], None], rounds: int, progress: Progress) -> dict[str, float]:
    """Milliseconds that one verb took: the first question, and percentiles of so many warm ones, of the processor too.

    The latter says what it takes where others are at work on the machine.
    """
    cold = [_milliseconds(ask)[0] for _ in range(COLD_QUESTIONS)]
    companion.write_down()
    gc.collect()
    gc.freeze()  # as a daemon does once it is warm
    warm, worked = [], []
    for done in range(rounds):
        took, of_processor = _milliseconds(ask)
        warm.append(took)
        worked.append(of_processor)
        companion.write_down()
        progress.step(f"timing {name}", done + 1, rounds)
    by_clock = {f"p{part}": round(percentile(warm, part / 100), 2) for part in (50, 95, 99)}
    by_processor = {f"processor_p{part}": round(percentile(worked, part / 100), 2) for part in (50, 95)}
    return {**by_clock, "first": round(cold[0], 2), **by_processor}


def _told(
    companion: Served, made: Made, memories: int, rounds: int, progress: Progress, opened_ms: float
) -> dict[str, object]:
    questions = _Questions(companion, made)
    by: dict[str, dict[str, float]] = {}
    for name, ask in questions.verbs().items():
        if name == "hints":
            _write_files(companion.work_folder() or Path(), made.paths)
        by[name] = _timed(companion, name, ask, rounds, progress)
    contexts = questions.contexts
    return {
        "eval": "latency",
        "n": rounds,
        "ours": {**by["assemble"], "opened": round(opened_ms, 2), "peak_memory_mb": round(_peak_memory_mb(), 1)},
        "baselines": {},
        "by": by,
        "latency_ms": by["assemble"],
        "settings": {
            "memories": memories,
            "files": len(made.paths),
            "mean_tokens": round(sum(c.tokens for c in contexts) / len(contexts)),
            "vectors_s": round(made.vectors_s, 1),
            "text_index_s": round(made.text_index_s, 1),
        },
    }


def _write_files(folder: Path, paths: Sequence[str]) -> None:
    """Files as they were indexed: hints are given of no other. The verbs before are asked without any file."""
    for path in paths:
        file = folder / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(content(path))


def _milliseconds(ask: Callable[[], None]) -> tuple[float, float]:
    """What an ask takes by the clock, and of the processor on this thread."""
    start, worked = time.perf_counter(), time.thread_time()
    ask()
    return 1_000 * (time.perf_counter() - start), 1_000 * (time.thread_time() - worked)


def _peak_memory_mb() -> float:
    """The most that this process has held; the one that made the store is not in it."""
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak / 1e6 if sys.platform == "darwin" else peak / 1e3
