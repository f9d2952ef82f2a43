"""What a maintainer would not want remembered: a seeded sample of what a scan teaches, for a person to read.

The product reads each repository into a store of its own; its active memories, in the order of their keys, are the
urn. Whoever judges writes a line for each one that is junk - `REPOSITORY NUMBER CAUSE`, separated by spaces - and
gives the file back: the share is told with its interval, by repository and by cause. Reading is the measure; no rule
of the product takes part in it.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from msgspec import Struct

from companion.app.replay import scanned_at
from companion.config import Settings
from companion.errors import UsageError
from companion.evals.shown import Measured
from companion.evals.statistics import Figures, rounded, wilson
from companion.records import Memory, Status

Verdicts = Mapping[tuple[str, int], str]
"""Cause by repository and number; what is not named is wanted."""


class Drawn(Struct, frozen=True):
    """One memory to be read, as a context would show it, with where it comes from."""

    repository: str
    number: int
    kind: str
    since: str
    """The day from which it holds, as `2024-05-01`; empty where it has none."""
    says: str
    source: str


def drawn(repo: Path, most: int, seed: int) -> list[Drawn]:
    """At most `most` memories of a repository at its newest commit, the same for the same seed.

    Raises UsageError for a repository that cannot be read or teaches nothing.
    """
    with scanned_at(repo, "HEAD", settings=Settings(embeddings="off")) as (runtime, project):
        urn = [memory for memory in runtime.store.memories.iterate(project) if memory.status is Status.ACTIVE]
    if not urn:
        raise UsageError(f"A scan of {repo} teaches nothing.", "Choose a repository with some history.")
    urn.sort(key=lambda memory: (memory.key, memory.draft.levels.full))
    picked = random.Random(seed).sample(urn, min(most, len(urn)))
    name = repo.resolve().name
    return [_read(name, number, memory) for number, memory in enumerate(picked, 1)]


def _read(name: str, number: int, memory: Memory) -> Drawn:
    draft = memory.draft
    since = f"{draft.valid_from:%Y-%m-%d}" if draft.valid_from else ""
    proof = draft.evidence[0] if draft.evidence else None
    source = "" if proof is None else f"{proof.ref}:{proof.line}" if proof.line else proof.ref
    says = " | ".join(draft.levels.full.split("\n"))
    return Drawn(name, number, draft.type or draft.kind.value, since, says, source)


def judged(sample: Sequence[Drawn], lines: Iterable[str]) -> Measured:
    """The share of junk in a sample by somebody's verdicts, by repository and by cause.

    Raises UsageError for a line that names nothing of the sample.
    """
    verdicts = _verdicts(lines)
    if unknown := verdicts.keys() - {(one.repository, one.number) for one in sample}:
        name, number = sorted(unknown)[0]
        raise UsageError(f"The sample has no {name} {number}.", "Judge the sample of the same repositories and seed.")
    by: dict[str, Figures] = {}
    for name in dict.fromkeys(one.repository for one in sample):
        of = sum(one.repository == name for one in sample)
        by[name] = _share(sum(repository == name for repository, _ in verdicts), of)
    causes = Counter(verdicts.values())
    return {
        "eval": "junk",
        "n": len(sample),
        "ours": _share(len(verdicts), len(sample)),
        "by": by,
        "causes": dict(causes.most_common()),
    }


def _verdicts(lines: Iterable[str]) -> Verdicts:
    found: dict[tuple[str, int], str] = {}
    for line in lines:
        name, _, rest = line.strip().partition(" ")
        number, _, cause = rest.strip().partition(" ")
        if not name:
            continue
        if not number.isdigit() or not cause.strip():
            raise UsageError(f"No verdict: {line.strip()!r}.", "Write lines like `flask 12 vague title`.")
        found[name, int(number)] = cause.strip()
    return found


def _share(junk: int, of: int) -> Figures:
    ends = wilson(junk, of)
    return rounded({"junk": junk / of, "low": ends.low, "high": ends.high, "of": float(of)})
