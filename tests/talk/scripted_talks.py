"""Short talks whose every sentence does what a test says, and what they leave behind."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime, timedelta

from companion.language.names import Names
from companion.records.readings import DialogueAct, PairReading
from companion.records.talk import Item, ItemType
from companion.talk.extract import extract
from talk.conversations import turn_of
from talk.scripted import ScriptedReader

START = datetime(2026, 3, 2, 9, 0)


def reads(a: str, b: str) -> PairReading:
    """Two statements of which one says "won't" and the other does not contradict; all others stand side by side."""
    contrary = ("won't" in a) is not ("won't" in b)
    return PairReading(0.9, 0.0, 0.0, 0.0, 0.1) if contrary else PairReading(0.0, 0.0, 0.0, 0.0, 1.0)


def items_of(*said: tuple[str, str]) -> list[Item]:
    """Of turns (user, assistant), each line `act| sentence`."""
    acts: dict[str, DialogueAct] = {}

    def plain(text: str) -> str:
        lines = []
        for line in text.splitlines():
            act, bar, sentence = line.partition("| ")
            if bar:
                acts[sentence] = DialogueAct(act)
            lines.append(sentence if bar else line)
        return "\n".join(lines)

    turns = [
        turn_of("talk", at, (plain(user), plain(reply)), START + timedelta(minutes=at))
        for at, (user, reply) in enumerate(said)
    ]
    found = extract(turns, [], [], Names(), reader=ScriptedReader(acts, pair=reads)).items
    return [item for item in found if item.type is not ItemType.PERSON]


def texts(*said: tuple[str, str]) -> list[str]:
    """The texts of what they leave behind."""
    return [item.text for item in items_of(*said)]


def heard_as(
    acts: dict[str, DialogueAct], *said: tuple[str, str], pair: Callable[[str, str], PairReading] = reads
) -> list[str]:
    """What is found where a sentence does what the first key that it contains says."""
    turns = [turn_of("talk", at, one, START + timedelta(minutes=at)) for at, one in enumerate(said)]
    found = extract(turns, [], [], Names(), reader=ScriptedReader(acts, pair=pair)).items
    return [item.text for item in found if item.type is not ItemType.PERSON]
