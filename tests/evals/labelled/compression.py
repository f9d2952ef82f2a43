"""What shorter levels save, and what they keep: counted over everything a scan of a repository teaches.

The product reads the repository into a store of its own. Saved is the share of tokens that a level has less than
the full text, summed over all memories of a kind. Kept are the identifiers, numbers and names of what was told
(an episode's title and story) that stand in its summary; commit ids and `#12` do not count, evidence
and artifacts hold those. Levels
are shortened by whole sentences, so nothing is lost of what a summary says; what stands in the sentences after it
counts as not kept (`negations_left_out` for negations), and `expand` reaches it. Files touched are told apart: a
summary names none, they stand beside every level as artifacts.
"""

from __future__ import annotations

import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from msgspec.structs import replace

from companion.app.consolidation.archives import archive_for
from companion.app.consolidation.running import known_passes
from companion.app.replay import scanned_at
from companion.app.runtime import Runtime
from companion.config import Settings
from companion.errors import UsageError
from companion.evals.statistics import Figures, percentile, rounded
from companion.judge.faithfulness import compare, left_out
from companion.language.marks import MarkKind, is_reference, marks_of
from companion.ports import LanguageModel, Pass
from companion.records import Kind, Level, Memory, Reword
from companion.store.rows import pairs

Progress = Callable[[int, int], None]

STEP = "compress"
"""The pass that is measured."""
FILES = "\n\nFiles: "
"""What begins the list of files in an episode's full text."""
FIRM = (MarkKind.IDENTIFIER, MarkKind.NUMBER, MarkKind.NAME)
"""What counts as a checked identifier."""
REFUSED_SHOWN = 12
"""Replies of a model that were refused and are shown with their reasons."""
_REFUSED = """
select why_not, count(*)
from rewordings
where model = $model
    and why_not <> ''
group by why_not
order by count(*) desc, why_not
limit $limit
"""


@dataclass
class _Tally:
    """Tokens and marks of many memories, and what became of them at their summary."""

    memories: int = 0
    tokens: Counter[str] = field(default_factory=Counter)
    marks: Counter[str] = field(default_factory=Counter)
    lost: Counter[str] = field(default_factory=Counter)
    files: int = 0
    wrong: int = 0

    def add(self, full: str, summary: str, tokens: Mapping[str, int]) -> None:
        """One memory at its full and its summary."""
        told, _, files = full.partition(FILES)
        self.memories += 1
        self.tokens.update(tokens)
        self.files += files.count(",") + 1 if files else 0
        self.wrong += not compare(full, summary).holds
        lost = set(left_out(told, summary))
        for mark in marks_of(told):
            if not is_reference(mark.text):
                self.marks[mark.kind] += 1
                self.lost[mark.kind] += mark in lost

    def figures(self) -> Figures:
        """Shares of tokens saved and of marks kept."""
        full = self.tokens[Level.FULL]
        firm = sum(self.marks[kind] for kind in FIRM)
        told = {
            "memories": float(self.memories),
            "tokens_full": float(full),
            **{f"saved_{level.value}": 1 - self.tokens[level] / full for level in list(Level)[1:] if full},
        }
        if firm:
            told["identifiers"] = float(firm)
            told["kept"] = 1 - sum(self.lost[kind] for kind in FIRM) / firm
        for kind in FIRM:
            if self.marks[kind]:
                told[f"kept_{kind}"] = 1 - self.lost[kind] / self.marks[kind]
        told["negations"] = float(self.marks[MarkKind.NEGATION])
        told["negations_left_out"] = float(self.lost[MarkKind.NEGATION])
        told["files_not_in_summary"] = float(self.files)
        told["wrong"] = float(self.wrong)
        return rounded(told)


def compression(
    repos: Sequence[Path], *, settings: Settings | None = None, progress: Progress | None = None
) -> dict[str, object]:
    """Figures of the levels over all episodes of some repositories at their newest commits, by kind and repository.

    With `settings` that name a language model, the pass `compress` asks it about the longest texts of the first
    repository and its replies are counted. Raises UsageError for a repository that cannot be read.
    """
    started = time.perf_counter()
    of_repo: dict[str, list[Memory]] = {}
    model: dict[str, object] = {}
    for repo in repos:
        with scanned_at(repo, "HEAD", settings=settings) as (runtime, project):
            memories = _learned(runtime, project, repo)
            name = repo.resolve().name
            of_repo[name if name not in of_repo else str(repo.resolve())] = memories
            counter = runtime.adapters.counter
            asking = runtime.adapters.make_language_model() if len(of_repo) == 1 else None
            if asking is not None:
                model = asked(runtime, project, asking, memories, progress)
    every = [memory for memories in of_repo.values() for memory in memories]
    episodes = _episodes(every)
    told: dict[str, object] = {
        "eval": "compression",
        "n": len(episodes),
        "ours": _of_levels(episodes),
        "baselines": {
            "title alone": _of_texts(episodes, _title, counter.count),
        },
        "by": _by_kind(every) | {f"episodes of {name}": _of_levels(_episodes(own)) for name, own in of_repo.items()},
        "settings": {"level": "summary", "tokenizer": counter.name, "repositories": list(of_repo)},
    }
    if model:
        told["model"] = model
    told["seconds"] = round(time.perf_counter() - started, 1)
    return told


def _learned(runtime: Runtime, project: str, repo: Path) -> list[Memory]:
    """All memories of a project. Raises UsageError where a scan taught none."""
    memories = list(runtime.store.memories.iterate(project))
    if not memories:
        raise UsageError(f"A scan of {repo} teaches nothing.", "Choose a repository with some history.")
    return memories


def _episodes(memories: Iterable[Memory]) -> list[Memory]:
    return [memory for memory in memories if memory.draft.kind is Kind.EPISODE]


def _of_levels(memories: Iterable[Memory]) -> Figures:
    tally = _Tally()
    for memory in memories:
        tally.add(memory.draft.levels.full, memory.draft.levels.summary, dict(zip(Level, memory.tokens, strict=True)))
    return tally.figures()


def _of_texts(memories: Iterable[Memory], summarise: Callable[[str], str], count: Callable[[str], int]) -> Figures:
    """The same figures for another way of making summaries."""
    tally = _Tally()
    for memory in memories:
        summary = summarise(memory.draft.levels.full)
        tally.add(memory.draft.levels.full, summary, {Level.FULL: memory.tokens[0], Level.SUMMARY: count(summary)})
    figures = tally.figures()
    return {name: value for name, value in figures.items() if name not in ("saved_compressed", "saved_index")}


def _by_kind(memories: Sequence[Memory]) -> dict[str, dict[str, float]]:
    groups: defaultdict[str, list[Memory]] = defaultdict(list)
    for memory in memories:
        groups[memory.draft.kind.value].append(memory)
    return {kind: _of_levels(groups[kind]) for kind in sorted(groups)}


def _title(full: str) -> str:
    return full.split("\n", 1)[0]


@dataclass
class _Timed:
    """A model that notes how long each answer took."""

    inner: LanguageModel
    progress: Progress | None
    calls: int
    durations_s: list[float] = field(default_factory=list)

    @property
    def name(self) -> str:
        """The inner model's."""
        return self.inner.name

    def complete(self, prompt: str, schema: Mapping[str, object], timeout_s: float) -> str:
        """The inner model's answer, timed."""
        started = time.perf_counter()
        try:
            return self.inner.complete(prompt, schema, timeout_s)
        finally:
            self.durations_s.append(time.perf_counter() - started)
            if self.progress is not None:
                self.progress(min(len(self.durations_s), self.calls), self.calls)


def asked(
    runtime: Runtime, project: str, model: LanguageModel, memories: Sequence[Memory], progress: Progress | None
) -> dict[str, object]:
    """What the pass `compress` makes of a model: replies asked, accepted, refused and why, and tokens saved."""
    timed = _Timed(model, progress, runtime.settings.model_max_calls)
    archive = replace(archive_for(runtime, project, runtime.adapters.clock.now()), language_model=timed, counted={})
    step: Pass = known_passes()[STEP].load()
    changes = [change for change in step.plan(archive) if isinstance(change, Reword)]
    of_id = {memory.id: memory for memory in memories}
    before = sum(of_id[change.id].tokens[1] for change in changes)
    return {
        "name": model.name,
        **{what.replace(" ", "_"): many for what, many in archive.counted.get(STEP, {}).items()},
        "tokens_before": before,
        "tokens_saved": sum(change.tokens_saved for change in changes),
        "why_refused": pairs(runtime.store.database, _REFUSED, model=model.name, limit=REFUSED_SHOWN),
        "seconds_p50": round(percentile(timed.durations_s, 0.5), 2),
        "seconds_p95": round(percentile(timed.durations_s, 0.95), 2),
        "accepted_texts": [
            {"full": change.levels.full, "rules": of_id[change.id].draft.levels.summary, "model": change.levels.summary}
            for change in changes
        ],
    }
