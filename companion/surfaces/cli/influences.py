"""What an answer about a request rests on and what it taught, in words."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from companion.records.reasoning import Answered, Influence, Influences
from companion.records.wording import unbroken
from companion.surfaces.wording import ID_SHOWN

ANSWER_ID = "q1"
"""How an answer's id begins."""


def influenced(found: Influences) -> str:
    """What an answer rests on and taught, or which answers a memory has moved, in words."""
    known = {one.id: one for one in found.answers}
    if found.of in known:
        mine = [one for one in found.influences if one.answer == found.of]
        taught = [one for one in found.influences if one.answer != found.of]
        lines = [_answer(known[found.of]), *(_by(mine) or ["  It is based on nothing but its own words."])]
        lines += ["What it taught moved", *_moved(taught, known)] if taught else []
        return "\n".join(lines)
    return "\n".join(_moved(found.influences, known)) or "It has moved no answer."


def _moved(influences: Sequence[Influence], known: dict[str, Answered]) -> Iterator[str]:
    for one in influences:
        if one.answer in known:
            yield f"{_weight(one)}  {one.how}  {_answer(known[one.answer])}"
            yield f"         {unbroken(one.why)}"


def _answer(one: Answered) -> str:
    what = unbroken(one.action or one.request)
    said = unbroken(one.said) or "(quoted what was deleted)"
    came = f", {one.outcome}" if one.outcome else ""
    came += f" to {unbroken(one.right)}" if one.right else ""
    came += f": {unbroken(one.note)}" if one.note else ""
    return f"{one.id[:ID_SHOWN]}  {one.at:%Y-%m-%d}  “{what}” - {said}{came}"


def _by(influences: Sequence[Influence]) -> list[str]:
    return [
        f"{_weight(one)}  {one.how:<20}{one.source[:ID_SHOWN]}  {unbroken(one.title)} ({unbroken(one.why)})"
        for one in influences
    ]


def _weight(one: Influence) -> str:
    return f"  {one.weight:+.2f}"
