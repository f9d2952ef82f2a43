"""Written conversations with what must be found in them, and how well the rules do on them."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from functools import partial
from pathlib import Path
from typing import Any

from companion.app.consolidation.judges import reader
from companion.language.names import Names
from companion.records.talk import Act, Extraction, Item, ItemState, ItemType, Message, Role, Turn
from companion.talk import extract as talk_extract

READER = reader()
extract = partial(talk_extract.extract, reader=READER)
"""As the product reads conversations: with the small model that comes with it."""
DATA = Path(__file__).parent / "data"
BETWEEN = timedelta(minutes=3)


@dataclass
class Talk:
    """A conversation and what is expected of it."""

    name: str
    turns: list[Turn]
    acts: list[Act]
    open_items: list[Item]
    raw: dict[str, Any]

    def extracted(self) -> Extraction:
        return extract(self.turns, self.open_items, self.acts, Names())


@dataclass
class Outcome:
    """What was found and what was not."""

    missing: list[str] = field(default_factory=list)
    extra: list[str] = field(default_factory=list)
    forbidden: list[str] = field(default_factory=list)
    expected: int = 0
    items: int = 0


def talks(folder: str) -> Iterator[Talk]:
    for path in sorted((DATA / folder).glob("*.toml")):
        yield read(path)


def read(path: Path) -> Talk:
    raw = tomllib.loads(path.read_text("utf-8"))
    turns = [turn_of(path.stem, at, said, raw["at"] + at * BETWEEN) for at, said in enumerate(raw["turns"])]
    acts = [Act(one["id"], one["name"]) for one in raw.get("acts", [])]
    open_items = [
        Item(
            id=one["id"],
            type=ItemType(one["type"]),
            text=one["text"],
            turn=1,
            details=one.get("details", {}),
            entities=tuple(one.get("entities", [])),
            state=ItemState.OPEN,
            conversation="earlier",
            act=one.get("act", ""),
        )
        for one in raw.get("earlier", [])
    ]
    return Talk(path.stem, turns, acts, open_items, raw)


def turn_of(conversation: str, at: int, said: Sequence[str], when: datetime) -> Turn:
    messages = tuple(Message(role, text) for role, text in zip((Role.USER, Role.ASSISTANT), said, strict=False))
    return Turn(id=f"{conversation}-{at + 1}", conversation=conversation, number=at + 1, at=when, messages=messages)


def outcome(talk: Talk, extraction: Extraction | None = None) -> Outcome:
    made = extraction or talk.extracted()
    result = Outcome(expected=len(talk.raw.get("expect", [])) + len(talk.raw.get("settles", [])), items=len(made.items))
    accounted: set[str] = set()
    for wanted in talk.raw.get("expect", []):
        found = [item for item in made.items if matches(item, wanted)]
        accounted |= {item.id for item in found}
        if not found:
            result.missing.append(str(wanted))
    for fine in talk.raw.get("fine", []):
        accounted |= {item.id for item in made.items if matches(item, fine)}
    settled = {one.item for one in made.settles}
    result.missing += [f"settles {one['item']}" for one in talk.raw.get("settles", []) if one["item"] not in settled]
    allowed = {one["item"] for one in talk.raw.get("settles", [])}
    result.forbidden += [f"settles {one}" for one in settled - allowed]
    for never in talk.raw.get("never", []):
        result.forbidden += [shown(item) for item in made.items if matches(item, never)]
    result.extra = [shown(item) for item in made.items if item.id not in accounted]
    return result


def matches(item: Item, wanted: dict[str, Any]) -> bool:
    if wanted.get("type", item.type.value) != item.type.value:
        return False
    said = " ".join(
        (item.text, *(value for name, value in item.details.items() if name not in {"why", "replaces"}))
    ).lower()
    if not all(words.lower() in said for words in wanted["has"]):
        return False
    details = {name: value for name, value in wanted.items() if name not in {"type", "has"}}
    return all(value.lower() in item.details.get(name, "").lower() for name, value in details.items())


def shown(item: Item) -> str:
    return f"{item.type.value}: {item.text} {dict(item.details)} (turn {item.turn}, {item.confidence})"
