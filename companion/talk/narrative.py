"""What a conversation meant, in two to four sentences: what was decided, what changed, what is open.

Written from the items, whose words stand as they were said, so that names, numbers and identifiers are the user's.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from companion.language.word_lists import word_set
from companion.records.talk import Item, ItemType, Settles

SENTENCES = 4
"""A narrative is two to four sentences."""
TOLD = 3
"""Things that a sentence tells of; more are counted."""
QUIET = "Nothing was decided, promised or left open."

_OWN = (
    (re.compile(r"\b[Ii]'?m\b|\b[Ii] am\b"), "you are"),
    (re.compile(r"\b[Ii]'ve\b"), "you have"),
    (re.compile(r"\b[Ii]'ll\b"), "you will"),
    (re.compile(r"(?<![\w./])[Ii](?![\w./:'])"), "you"),
    (re.compile(r"\b[Mm]y\b"), "your"),
    (re.compile(r"\bmyself\b"), "yourself"),
    (re.compile(r"(?<![\w/.])me\b(?![./(])"), "you"),
)
_SMALL = word_set("talk", "openers")


def narrative(items: Sequence[Item], settled: Sequence[Settles] = (), open_items: Sequence[Item] = ()) -> str:
    """Two to four sentences; one where there is nothing to tell."""
    by_type = {type_: [item for item in items if item.type is type_] for type_ in ItemType}
    done = [item for item in by_type[ItemType.TASK] if item.is_done]
    to_do = [item for item in by_type[ItemType.TASK] if not item.is_done]
    learned = by_type[ItemType.INSIGHT][:1]
    told = [
        _decided(by_type[ItemType.DECISION]),
        _changed(by_type[ItemType.PRIORITY], done, settled, {item.id: item for item in open_items}),
        _listed("Still to do", [_task(item) for item in sorted(to_do, key=lambda one: one.details.get("due", "9999"))]),
        _open(by_type[ItemType.QUESTION], by_type[ItemType.BLOCKER], by_type[ItemType.WAITING_ON]),
        _sentence(f"What was learned: {_told(learned[0])}") if learned else "",
    ]
    written = [sentence for sentence in told if sentence][:SENTENCES]
    if len(written) == 1:
        written.append("Nothing was left open." if not (to_do or told[3]) else "Nothing was decided.")
    return " ".join(written) or QUIET


def _decided(items: Sequence[Item]) -> str:
    """What was decided: the surest first where there are too many to tell."""
    best = sorted(items, key=lambda item: -item.confidence)[:TOLD]
    told = [f"{_told(item)}{_because(item)}" for item in items if item in best]
    more = f", and {len(items) - len(best)} more" if len(items) > len(best) else ""
    return _sentence(f"Decided: {'; '.join(told)}{more}") if told else ""


def _because(item: Item) -> str:
    why = item.details.get("why", "")
    return f" because {_small(_own(why))}" if why else ""


def _changed(
    priorities: Sequence[Item], done: Sequence[Item], settled: Sequence[Settles], known: Mapping[str, Item]
) -> str:
    over = [known[one.item] for one in settled if one.item in known]
    parts = [
        _part("done", [_told(item) for item in done]),
        _part("resolved from earlier", [_told(item).rstrip("?") for item in over]),
        _part("priorities changed", [_told(item) for item in priorities]),
    ]
    said = "; ".join(part for part in parts if part)
    return _sentence(said[:1].upper() + said[1:]) if said else ""


def _part(lead: str, told: Sequence[str]) -> str:
    return f"{lead}: {_some(told)}" if told else ""


def _listed(lead: str, told: Sequence[str]) -> str:
    return _sentence(_part(lead, told)) if told else ""


def _task(item: Item) -> str:
    due = item.details.get("due", "")
    return _told(item) + (f" (due {due})" if due else "")


def _open(questions: Sequence[Item], blockers: Sequence[Item], waits: Sequence[Item]) -> str:
    parts = [
        _some([_blocker(item) for item in blockers]),
        _part("waiting on", [_wait(item) for item in waits]).replace(":", "", 1),
        _part("questions" if len(questions) > 1 else "question", [_told(item) for item in questions]),
    ]
    said = "; ".join(part for part in parts if part)
    return _sentence(f"Open: {said}") if said else ""


def _blocker(item: Item) -> str:
    told = _small(_told(item))
    return told if "block" in told.lower() else f"blocked: {told}"


def _wait(item: Item) -> str:
    who, text = item.details.get("who", ""), _told(item)
    return f"{who} ({text})" if who and who.lower() not in text.lower() else text


def _some(told: Sequence[str]) -> str:
    """The first few, and how many more there are."""
    more = f", and {len(told) - TOLD} more" if len(told) > TOLD else ""
    return "; ".join(told[:TOLD]) + more


def _told(item: Item) -> str:
    """An item's words; the assistant's, which the user only agreed to, speak of itself where they say `I`."""
    return item.text if "agreed" in item.details else _own(item.text)


def _own(text: str) -> str:
    """The user's words told back to them: `my branch` is `your branch`; what has code in it stays as it is."""
    if "`" in text:
        return text
    for pattern, instead in _OWN:
        text = pattern.sub(instead, text)
    return text


def _small(text: str) -> str:
    """With a small beginning, if its first word is an ordinary one."""
    first = text.partition(" ")[0]
    return text[0].lower() + text[1:] if first.lower() in _SMALL else text


def _sentence(text: str) -> str:
    text = " ".join(text.split()).rstrip(".;,: ")
    return text if text.endswith(("?", "!")) else f"{text}."
