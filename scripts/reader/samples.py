"""Pairs to learn from, drawn without end from groups of statements and from single labelled pairs.

A line of `groups.txt` holds three parts, `same || contrary || beside`, of sentences with open places ({A}, {n}, ...);
each time a group is drawn they are filled anew. A line of `pairs.txt` is `label|place|place|one|other`, its label c
(contradict), s (same) or n (neither). What is almost the same and is not (another name, number or place) is made.
"""

from __future__ import annotations

import json
import random
import re
from dataclasses import dataclass, field
from pathlib import Path

HERE = Path(__file__).resolve().parent
PAIRS = HERE.parent.parent / "tests" / "judging" / "data" / "pairs.jsonl"
CONTRARY, SAME, BESIDE, NOT_SAME = range(4)
"""Classes of the model; the last one only says that a pair is not the second."""
FILLINGS = {
    "A B C": "billing catalog mailer gateway scheduler indexer ingest ledger search profile crawler exporter",
    "person person2": "Anna Ben Chen Dilek Emre Farid Greta Hana Ivan Jonas Kofi Lena Mira Nils Olga Priya",
    "x y": "Redis Kafka NATS MySQL SQLite Django Flask Vue React Vite Jenkins Gradle Nginx Caddy Poetry Jest ruff",
    "f f2": "src/main.py src/index.ts cmd/server/main.go lib/parser.c core/engine.rs config/settings.py",
    "k k2": "max_connections pool_size timeout_ms retry_limit batch_size cache_ttl log_level page_size DB_POOL_SIZE",
    "p p2": "/var/log/app ~/.local/state/app /tmp/app /srv/logs logs/ ~/.cache/app",
    "n m": "2 3 4 5 6 7 8 9 10 12 14 15 20 24 30 45 60 64 80 90 100 128 200 256 300 500 512 1000 1024 8080 9000",
    "v w": "3.8 3.9 3.10 3.11 3.12 16 18 20 22",
    "t": "orders users invoices events sessions payments items messages accounts",
}
PLACES = (
    ("In production ", "In staging "),
    ("On Linux ", "On Windows "),
    ("In CI ", "Locally "),
    ("For admins ", "For guests "),
)
OPENINGS = ("", "", "", "", "Note: ", "FYI: ", "We agreed that ", "As of today ", "- ")
SWAPPED = (("{A}", "{B}"), ("{person}", "{person2}"), ("{x}", "{y}"), ("{f}", "{f2}"), ("{k}", "{k2}"), ("{n}", "{m}"))


@dataclass(frozen=True)
class Sample:
    """Two texts, their class and how much they count."""

    a: str
    b: str
    label: int
    weight: float = 1.0


@dataclass
class Samples:
    """Draws samples; the same seed draws the same ones."""

    seed: int
    groups: list[list[list[str]]] = field(init=False)
    pairs: list[Sample] = field(init=False)

    def __post_init__(self) -> None:
        self.random = random.Random(self.seed)  # noqa: S311 - the same samples for the same seed
        lines = (HERE / "groups.txt").read_text("utf-8").splitlines()
        self.groups = [[[s.strip() for s in part.split(" | ")] for part in line.split("||")] for line in lines if line]
        written = [line.split("|") for line in (HERE / "pairs.txt").read_text("utf-8").splitlines() if line]
        labels = {"c": CONTRARY, "s": SAME, "n": BESIDE}
        rows = [json.loads(line) for line in PAIRS.read_text("utf-8").splitlines()]
        self.pairs = [_placed(a, b, at_a, at_b, labels[label]) for label, at_a, at_b, a, b in written] * 2
        self.pairs += [_placed(row["a"], row["b"], row["scope_a"], row["scope_b"], _label(row)) for row in rows]

    def draw(self) -> Sample:
        """The next one: a written pair, one that is almost the same, or two of a group."""
        chance = self.random.random()
        found = (
            self._almost() if chance > 0.88 else self.random.choice(self.pairs) if chance < 0.3 else self._of_group()
        )
        return found if self.random.random() < 0.5 else Sample(found.b, found.a, found.label, found.weight)

    def _of_group(self) -> Sample:
        same, contrary, beside = self._filled(self.random.choice(self.groups))
        pick, chance = self.random.choice, self.random.random()
        if chance < 0.42:
            return self._worded(pick(same), pick(contrary), CONTRARY)
        if chance < 0.60:
            return self._worded(*self.random.sample(same * 2, 2), SAME)
        if chance < 0.80:
            return self._worded(pick(same), pick(beside), BESIDE)
        if chance < 0.92:  # what is beside the one need not be beside its contrary
            return self._worded(pick(contrary), pick(beside), BESIDE, 0.6)
        others = self._filled(pick(self.groups))
        return self._worded(pick(same), pick(pick(others)), BESIDE)

    def _almost(self) -> Sample:
        """One name, number or place put for another."""
        same = self.random.choice(self.groups)[0]
        one, other = same[0], self.random.choice(same)
        open_places = [swap for swap in SWAPPED if swap[0] in one and swap[0] in other]
        if not open_places or self.random.random() < 0.3:
            here, there = self.random.sample(self.random.choice(PLACES), 2)
            (a,), (b,) = self._filled([[one], [other]])
            return Sample(here + _lowered(a), there + _lowered(b), BESIDE, 0.8)
        name, instead = self.random.choice(open_places)
        swapped = other.replace(name, "@").replace(instead, name).replace("@", instead)
        (a,), (b,) = self._filled([[one], [swapped]])
        sure = name not in ("{n}", "{x}") and instead not in one + other
        return self._worded(a, b, BESIDE if sure else NOT_SAME)

    def _filled(self, group: list[list[str]]) -> list[list[str]]:
        told = {}
        for names, words in FILLINGS.items():
            keys = names.split()
            told |= dict(zip(keys, self.random.sample(words.split(), len(keys)), strict=True))
        return [[re.sub(r"\{(\w+)\}", lambda found: told[found[1]], text) for text in part] for part in group]

    def _worded(self, a: str, b: str, label: int, weight: float = 1.0) -> Sample:
        return Sample(self._opened(a), self._opened(b), label, weight)

    def _opened(self, text: str) -> str:
        opening = self.random.choice(OPENINGS)
        text = text.rstrip(".") if self.random.random() < 0.25 else text
        return opening + (_lowered(text) if opening.endswith(("that ", "today ")) else text)


def _lowered(text: str) -> str:
    return text[:1].lower() + text[1:] if text[1:2].islower() else text


def _placed(a: str, b: str, at_a: str, at_b: str, label: int) -> Sample:
    if at_a == at_b:
        return Sample(a, b, label)
    return Sample(f"[{at_a or 'project'}] {a}", f"[{at_b or 'project'}] {b}", label)


def _label(row: dict[str, str]) -> int:
    return CONTRARY if row["label"] == "contradiction" else SAME if row["kind"] == "paraphrase" else BESIDE
