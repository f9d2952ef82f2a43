"""Pairs to learn from, drawn without end from groups of statements and from single labelled pairs.

A line of a file in `groups/` holds three parts, `same || contrary || beside`, of sentences with open places ({A}, {n},
..., see also `spellings`); each time a group is drawn they are filled anew. A line of a file in `pairs/` is
`label|place|place|one|other`, its label c (contradict), s (same) or n (neither). What is almost the same and is not
(another name, number or place) is made.

What stands near one another in real documents mostly gets on: `neighbours.tsv.gz` holds such sentences of free
projects, a line each of project, licence, both files, both sentences. They count half, since nobody looked at each.
"""

from __future__ import annotations

import gzip
import json
import random
import re
import zlib
from dataclasses import dataclass, field
from pathlib import Path

from reader.bent import bent, turned_roles
from reader.labelled import BESIDE, CONTAINED, CONTAINS, CONTRARY, SAME, Notes, Sample
from reader.spellings import CHOICES, Values

HERE = Path(__file__).resolve().parent
PAIRS = HERE.parent.parent / "tests" / "judge" / "data" / "pairs.jsonl"
NEIGHBOURS = HERE / "neighbours.tsv.gz"
NOT_SAME = (CONTRARY, CONTAINS, CONTAINED, BESIDE)
NOISY = 0.5
"""What a pair of neighbours counts: one in some hundred contradicts or repeats the other."""
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
OPENINGS = ("",) * 8 + ("Note: ", "FYI: ", "We agreed that ", "As of today ", "- ", "Decision: ", "ADR 9: ", "Hint: ")
SHORTENED = (
    ("do not ", "don't "),
    ("does not ", "doesn't "),
    ("is not ", "isn't "),
    ("are not ", "aren't "),
    ("cannot ", "can't "),
    ("there is ", "there's "),
    ("it is ", "it's "),
    ("we are ", "we're "),
    ("must not ", "mustn't "),
)
TURNS = (
    ("is", "is not"),
    ("are", "are not"),
    ("can", "cannot"),
    ("must", "need not"),
    ("must", "must not"),
    ("has to", "does not have to"),
    ("have to", "do not have to"),
    ("always", "never"),
    ("enabled", "disabled"),
    ("allowed", "forbidden"),
    ("forbidden", "allowed"),
    ("required", "optional"),
    ("optional", "mandatory"),
    ("before", "after"),
    ("after", "before"),
    ("at least", "at most"),
    ("at most", "at least"),
    ("opt-in", "opt-out"),
    ("opt-out", "opt-in"),
    ("Use", "Do not use"),
    ("Every", "No"),
    ("Each", "No"),
    ("Nobody", "Everybody"),
    ("Never", "Always"),
    ("never", "always"),
    ("on by default", "off by default"),
    ("off by default", "on by default"),
    ("public", "private"),
    ("synchronous", "asynchronous"),
    ("ignored", "respected"),
    ("accepted", "refused"),
    ("refused", "accepted"),
    ("first", "last"),
)
"""A word, and one that turns the sentence round."""
UNTURNABLE = re.compile(
    r"\b(?:if|when|that|which|who|because|unless|until|while|but|so|not|no|nothing|none|only)\b|n't|;"
)
"""Words that one more denial would not simply turn round."""
SORTS = ("auth", "billing", "search", "mailer", "web", "cli", "export", "import", "sync", "cache", "users", "orders")
SWAPPED = (("{A}", "{B}"), ("{person}", "{person2}"), ("{x}", "{y}"), ("{f}", "{f2}"), ("{k}", "{k2}"), ("{n}", "{m}"))
SWAPPED += tuple((f"{{{name}}}", f"{{{name}2}}") for name in (*CHOICES, "span", "size", "share", "count", "many"))
OWN = ("{A}", "{person}", "{who}", "{part}", "{f}", "{k}", "{thing}")
"""What each has for itself: of two of these the same may be said, of two databases of one service not."""
HELD_OUT = 12
"""One group and one pair of so many are kept out of training: what the model makes of them is the honest measure."""


@dataclass
class Samples:
    """Draws samples, of what is held out if asked; the same seed draws the same ones."""

    seed: int
    held_out: bool = False
    groups: list[list[list[str]]] = field(init=False)
    pairs: list[Sample] = field(init=False)
    neighbours: list[Sample] = field(init=False)

    def __post_init__(self) -> None:
        self.random = random.Random(self.seed)  # noqa: S311 - the same samples for the same seed
        lines = self._lines("groups")
        self.groups = [[[s.strip() for s in part.split(" | ")] for part in line.split("||")] for line in lines]
        written = [line.split("|") for line in self._lines("pairs")]
        labels = {"c": CONTRARY, "s": SAME, "n": BESIDE}
        rows = [] if self.held_out else [json.loads(line) for line in PAIRS.read_text("utf-8").splitlines()]
        self.pairs = [_placed(a, b, at_a, at_b, labels[label]) for label, at_a, at_b, a, b in written] * 2
        self.pairs += [_placed(row["a"], row["b"], row["scope_a"], row["scope_b"], _label(row)) for row in rows]
        self.notes = Notes(self.random)
        written = (*self.pairs, *self.notes.written)
        self._same, self._containing = (
            [one for one in written if one.labels == (label,)] for label in (SAME, CONTAINS)
        )
        told = gzip.decompress(NEIGHBOURS.read_bytes()).decode("utf-8").splitlines()
        self.neighbours = [Sample(*line.split("\t")[-2:], (BESIDE,), NOISY) for line in told]

    def _lines(self, folder: str) -> list[str]:
        """What is written in the files of a folder, in the order of their names, as far as it is held out or not."""
        files = sorted((HERE / folder).glob("*.txt"))
        lines = [line for file in files for line in file.read_text("utf-8").splitlines() if line]
        return [line for line in lines if (zlib.crc32(line.encode()) % HELD_OUT == 0) is self.held_out]

    def draw(self) -> Sample:
        """The next one: a written pair, one that is almost the same or turned round, or two of a group."""
        chance = self.random.random()
        if chance < 0.3:
            found = self.notes.draw()
        elif chance < 0.68:
            found = self.random.choice(self.pairs)
        elif chance < 0.73:
            found = self.random.choice(self.neighbours)
        elif chance < 0.8:
            found = self._bent()
        else:
            found = self._almost() if chance > 0.965 else self._turned() if chance > 0.93 else self.of_group()
        return found if self.random.random() < 0.5 else _turned_round(found)

    def of_group(self) -> Sample:
        """Two of a group, mostly."""
        same, contrary, beside = self._filled(self.random.choice(self.groups))
        pick, chance = self.random.choice, self.random.random()
        if chance < 0.05:  # two things of one sort
            here, there = self.random.sample(SORTS, 2)
            sort = self.random.choice(("module", "service", "tool", "table", "app"))
            return Sample(f"[{sort}:{here}] {pick(same)}", f"[{sort}:{there}] {pick(contrary)}", (BESIDE,))
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

    def _turned(self) -> Sample:
        """A sentence and the denial of another that says the same, as far as one word makes it."""
        same = self.random.choice(self.groups)[0]
        one, other = self.random.choice(same), self.random.choice(same)
        turns = [] if UNTURNABLE.search(other) else [turn for turn in TURNS if re.search(rf"\b{turn[0]}\b", other)]
        if not turns:
            return self._almost()
        word, instead = self.random.choice(turns)
        (a,), (b,) = self._filled([[one], [re.sub(rf"\b{word}\b", instead, other, count=1)]])
        return self._worded(a, b, CONTRARY)

    def _almost(self) -> Sample:
        """One name, number or place put for another."""
        same = self.random.choice(self.groups)[0]
        one, other = same[0], self.random.choice(same)
        open_places = [swap for swap in SWAPPED if swap[0] in one and swap[0] in other]
        if not open_places or self.random.random() < 0.3:
            here, there = self.random.sample(self.random.choice(PLACES), 2)
            (a,), (b,) = self._filled([[one], [other]])
            return Sample(here + _lowered(a), there + _lowered(b), (BESIDE,), 0.8)
        name, instead = self.random.choice(open_places)
        swapped = other.replace(name, "@").replace(instead, name).replace("@", instead)
        (a,), (b,) = self._filled([[one], [swapped]])
        sure = name in OWN and instead not in one + other
        return self._worded(a, b, BESIDE if sure else NOT_SAME)

    def _bent(self) -> Sample:
        """A sentence beside one that says the same but for a small word, or who does it beside whom it is done to."""
        if self.random.random() < 0.25:
            one, other, same = turned_roles(self.random)
            return self._worded(one, other, SAME if same else NOT_SAME)
        chance, labels = self.random.random(), NOT_SAME
        if chance < 0.3:
            written = self.random.choice(self._containing)
            one, other, labels = written.a, written.b, (CONTRARY, BESIDE)
        elif chance < 0.6:
            written = self.random.choice(self._same)
            one, other = self.random.sample((written.a, written.b), 2)
        else:
            same = self._filled(self.random.choice(self.groups))[0]
            one, other = self.random.choice(same), self.random.choice(same)
        if (instead := bent(other, self.random)) is None:
            return self.of_group()
        return self._worded(one, instead, labels)

    def _filled(self, group: list[list[str]]) -> list[list[str]]:
        told = {}
        for names, words in FILLINGS.items():
            keys = names.split()
            told |= dict(zip(keys, self.random.sample(words.split(), len(keys)), strict=True))
        values = Values(self.random)

        def fill(found: re.Match[str]) -> str:
            spelt = values.spell(found[1])
            if spelt is None:
                return told[found[1]]
            return spelt[:1].upper() + spelt[1:] if found.start() == 0 else spelt

        return [[re.sub(r"\{(\w+)\}", fill, text) for text in part] for part in group]

    def _worded(self, a: str, b: str, label: int | tuple[int, ...], weight: float = 1.0) -> Sample:
        labels = label if isinstance(label, tuple) else (label,)
        return Sample(self._opened(a), self._opened(b), labels, weight)

    def _opened(self, text: str) -> str:
        opening = self.random.choice(OPENINGS)
        text = text.rstrip(".") if self.random.random() < 0.25 else text
        if self.random.random() < 0.4:
            for long, short in SHORTENED:
                text = text.replace(long, short).replace(long.capitalize(), short.capitalize())
        if self.random.random() < 0.08:
            text = text.lower()
        return opening + (_lowered(text) if opening.endswith(("that ", "today ")) else text)


def _turned_round(one: Sample) -> Sample:
    """The same pair the other way round."""
    turned = {CONTAINS: CONTAINED, CONTAINED: CONTAINS}
    return Sample(one.b, one.a, tuple(turned.get(label, label) for label in one.labels), one.weight)


def _lowered(text: str) -> str:
    return text[:1].lower() + text[1:] if text[1:2].islower() else text


def _placed(a: str, b: str, at_a: str, at_b: str, label: int) -> Sample:
    if at_a == at_b:
        return Sample(a, b, (label,))
    return Sample(f"[{at_a or 'project'}] {a}", f"[{at_b or 'project'}] {b}", (label,))


def _label(row: dict[str, str]) -> int:
    return CONTRARY if row["label"] == "contradiction" else SAME if row["kind"] == "paraphrase" else BESIDE
