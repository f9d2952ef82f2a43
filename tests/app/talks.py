"""Rules small enough to know by heart, for tests of what becomes of conversations."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from companion.app.local import LocalCompanion
from companion.records import entity
from companion.records.talk import Act, Extraction, Item, ItemType, Message, Role, Settles, Suggestion, Turn

_SAID = re.compile(r"^(decision|task|waiting-on|question|insight|done): (.+)$", re.MULTILINE)


@dataclass
class LabelledLines:
    """Takes what stands behind a label, `decision: …`; `done: …` settles the open item of those words."""

    heard: list[Sequence[Turn]] = field(default_factory=list)

    def extract(
        self, turns: Sequence[Turn], open_items: Sequence[Item], acts: Sequence[Act], known: object, claims: object = ()
    ) -> Extraction:
        self.heard.append(turns)
        found = [(turn.number, *said.groups()) for turn in turns for said in _SAID.finditer(turn.said(Role.USER))]
        items = [
            Item(f"n{at}", ItemType.TASK if label == "done" else ItemType(label), text.partition(" by ")[0], turn,
                 quote=text, details=_details(label, text), entities=_named(text))
            for at, (turn, label, text) in enumerate(found)
        ]  # fmt: skip
        settles = [
            Settles(before.id, one.id, 0.9, "the same words")
            for one in items
            for before in open_items
            if one.details.get("status") == "completed" and before.text == one.text
        ]
        told = f"It was about {len(items)} things. {items[0].text} came first." if items else ""
        to = next((act for act in acts if any(act.name in item.text for item in items)), None)
        suggestion = None if to is None else Suggestion(to.id, 0.8, f"{to.name} is named", 1)
        return Extraction(told, tuple(items), tuple(settles), suggestion)

    def anchor(self, turn: Turn) -> float:
        return 1.0 if "for good" in turn.said(Role.USER) else 0.0


def _details(label: str, text: str) -> dict[str, str]:
    due = text.partition(" by ")[2]
    return {**({"status": "completed"} if label == "done" else {}), **({"due": due} if due else {})}


def _named(text: str) -> tuple[str, ...]:
    return tuple(entity("person", name) for name in ("Alex", "Maria") if name in text)


def say(companion: LocalCompanion, *texts: str, reply: str = "Noted.") -> Turn:
    """Turns of a user, each answered."""
    for text in texts:
        turn = companion.add_turn([Message(Role.USER, text), Message(Role.ASSISTANT, reply)])
    return turn


def talking(companion: LocalCompanion) -> LocalCompanion:
    """The same one, reading conversations by these rules."""
    rules = LabelledLines()
    companion.runtime.talk_rules = lambda: rules
    return companion
