"""What was written and labelled by hand for the reader's heads, as samples: talks and projects' notes.

`talks/*.txt`: a conversation begins with `== id | about`; a line `U label| sentence` or `A label| sentence` is one of
the user's or the assistant's, a blank line ends a turn, `K ...` tells what stands at the end (for measuring, not read
here). `notes/*.txt`: after `== id | about` the notes of a project, which all hold together and say nothing twice, then
`X note | what contradicts it`, `Y note | the same`, `Z longer | shorter`.
"""

from __future__ import annotations

import random
import re
import tomllib
import zlib
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

from companion.records.readings import DialogueAct
from companion.records.talk import Role
from companion.talk.hearing import framed

ACTS = tuple(DialogueAct)

HERE = Path(__file__).resolve().parent
CONTRARY, SAME, CONTAINS, CONTAINED, BESIDE = range(5)
"""Classes of a pair of statements."""
SENTENCES = HERE.parent.parent / "tests" / "talk" / "data" / "sentences.toml"
OF_SORTS = {
    "decision": "decision", "task": "todo", "waiting-on": "waiting", "blocker": "blocked", "question": "question",
    "priority-change": "priority", "insight": "insight",
}  # fmt: skip
"""The act of a sentence that leaves behind an item of a sort."""
LEAVE_NOTHING = ("weighed", "remark", "agree", "refuse", "request", "question")
"""Acts of which a sentence that leaves nothing behind does one."""
HELD_OUT = 9
"""One conversation of so many is kept out of training."""
NEAR = 10
"""Of a note so many others that share the most words with it are drawn as often as all the rest."""
_SENTENCE = re.compile(r"([UA]) (\w+)\| ?(.+)")
_WORD = re.compile(r"[a-z]{3,}|\d+")


@dataclass(frozen=True)
class Sample:
    """Two texts, the class that they are of or the classes of which they are one, and how much they count."""

    a: str
    b: str
    labels: tuple[int, ...]
    weight: float = 1.0


def _is_held_out(line: str) -> bool:
    return zlib.crc32(line.encode()) % HELD_OUT == 0


def acts(folder: Path = HERE / "talks", *, held_out: bool | None = False) -> list[Sample]:
    """Sentences of talks as they are framed for the reader, with their act; rare acts count more."""
    found: list[tuple[str, str, int]] = []
    for talk in "\n".join(file.read_text("utf-8") for file in sorted(folder.glob("*.txt"))).split("\n== "):
        head, _, body = talk.partition("\n")
        if held_out is not None and _is_held_out(head) is not held_out:
            continue
        theirs, own, speaker = "", "", ""
        for line in body.splitlines():
            if (match := _SENTENCE.match(line)) is None:
                continue
            by, label, text = match.groups()
            if by != speaker:
                theirs, own, speaker = own, "", by
            a, b = framed(theirs, own, text, Role.USER if by == "U" else Role.ASSISTANT)
            found.append((a, b, ACTS.index(label)))
            own = f"{own} {text}".strip()
    often = Counter(label for _, _, label in found)
    usual = len(found) / len(ACTS)
    written = [Sample(a, b, (label,), min(2.0, max(0.6, (usual / often[label]) ** 0.5))) for a, b, label in found]
    return written if held_out else written + _alone()


def _alone() -> list[Sample]:
    """Sentences without what was said before them, with their act; of some it is known only that they leave nothing."""
    found = []
    for sort, sentences in tomllib.loads(SENTENCES.read_text("utf-8")).items():
        labels = tuple(ACTS.index(one) for one in (LEAVE_NOTHING if sort == "none" else (OF_SORTS[sort],)))
        found += [Sample(*framed("", "", said, Role.USER), labels, 0.5) for said in sentences]
    return found


def varied(one: Sample, chance: random.Random) -> Sample:
    """The same sentence as another would type it, or, at times, where it means the same alone, alone."""
    a, b = one.a, one.b
    if chance.random() < 0.1:
        b = b.rstrip(".!")
    if chance.random() < 0.12:
        a, b = a.lower(), b.lower()
    if chance.random() < 0.12 and not set(one.labels) & {ACTS.index("agree"), ACTS.index("refuse")}:
        a = "-"
    return Sample(a, b, one.labels, one.weight)


class Notes:
    """Draws pairs of sets of notes: two notes of a project, which get on, and what was written to one of them."""

    def __init__(self, chance: random.Random, folder: Path = HERE / "notes") -> None:
        """Reads all sets."""
        self._chance = chance
        self.sets: list[list[str]] = []
        self.written: list[Sample] = []
        labels = {"X": CONTRARY, "Y": SAME, "Z": CONTAINS}
        for file in sorted(folder.glob("*.txt")):
            for line in file.read_text("utf-8").splitlines():
                if line.startswith("== "):
                    self.sets.append([])
                elif line[:2] in {"X ", "Y ", "Z "} and line.count(" | ") == 1:
                    a, _, b = line[2:].partition(" | ")
                    self.written.append(Sample(a.strip(), b.strip(), (labels[line[0]],)))
                elif line.strip() and self.sets:
                    self.sets[-1].append(line.strip().lstrip("- "))
        self._near = [_nearest(notes) for notes in self.sets]

    def draw(self) -> Sample:
        """A pair that was written, two notes of one set, or one that says both of two and one of them."""
        chance = self._chance.random()
        if chance < 0.4:
            return self._chance.choice(self.written)
        at = self._chance.randrange(len(self.sets))
        notes, near = self.sets[at], self._near[at]
        one = self._chance.randrange(len(notes))
        other = self._chance.choice(near[one]) if chance < 0.7 else self._chance.randrange(len(notes))
        if one == other:
            return self.draw()
        if chance > 0.93:
            both = f"{notes[one].rstrip('.')}. {notes[other]}"
            return Sample(both, self._chance.choice((notes[one], notes[other])), (CONTAINS,))
        return Sample(notes[one], notes[other], (BESIDE,))


def _nearest(notes: list[str]) -> list[list[int]]:
    """The nearest notes of each, by shared words, rare ones counting more."""
    said = [frozenset(_WORD.findall(note.lower())) for note in notes]
    often = Counter(word for words in said for word in words)
    near = []
    for at, words in enumerate(said):
        scores = [
            (sum(1 / often[w] for w in words & other) / (1 + len(other)) ** 0.5, to) for to, other in enumerate(said)
        ]
        near.append([to for _, to in sorted(scores, reverse=True) if to != at][:NEAR])
    return near
