"""From turns to what they meant: items, what they settle, where it belongs, and the narrative of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from companion.language.names import GIVEN, EntityKeys, Names, TalkPeople, is_someone, people_of
from companion.language.sentences import clauses
from companion.records.talk import Act, Extraction, Item, ItemType, Role, Turn
from companion.talk.consulted.believing import believed
from companion.talk.consulted.claims import ModelClaim
from companion.talk.course.dialogue import Dialogue
from companion.talk.course.settling import settles
from companion.talk.items.found import Found, item_of
from companion.talk.items.people import persons
from companion.talk.items.waiting import NEEDS_A_PERSON
from companion.talk.narrative import narrative
from companion.talk.routing import named_acts, suggestion

MADE_BY = "rules"
_PRONOUNS = frozenset({"she", "he", "her", "him"})


def extract(
    turns: Sequence[Turn],
    open_items: Sequence[Item],
    acts: Sequence[Act],
    known: Names,
    claims: Sequence[ModelClaim] = (),
) -> Extraction:
    """What a conversation leaves behind, by rules; the same turns give the same, whenever they are asked.

    `open_items` are those of earlier memories, which it may settle; `acts` is where it may belong; `known` what files,
    symbols and people there are; `claims` what a model named: only what was said counts. Items stand in order.
    """
    ordered = sorted(turns, key=lambda turn: turn.number)
    said = clauses(ordered)
    mine = [clause for clause in said if clause.role is Role.USER]
    also = believed(claims, said) if claims else ()
    people = people_of(mine, replace(known, people=frozenset(known.people) | _awaited(open_items, also)))
    dialogue = Dialogue(ordered, said, also)
    _add_awaited(people, dialogue.found)
    found = [
        *(one for one in (_named(one, people) for one in dialogue.found) if _is_sound(one, people)),
        *persons(people),
        *(one for _, one in named_acts(mine, acts)),
    ]
    keys = EntityKeys(known, people)
    conversation = ordered[0].conversation if ordered else ""
    items = _once(item_of(one, conversation, keys.of(one.spoken)) for one in sorted(found, key=_place))
    settled = settles(items, open_items)
    words, to = narrative(items, settled, open_items), suggestion(items, open_items, acts)
    return Extraction(words, items, settled, to, _confidence(items), MADE_BY)


def _awaited(open_items: Sequence[Item], also: Sequence[Found]) -> frozenset[str]:
    """Who is waited for: since an earlier conversation, or as a model says, where they could be somebody."""
    before = {item.details["who"] for item in open_items if item.details.get("who")}
    return frozenset(before | {who for one in also if (who := one.details.get("who", "")) and is_someone(who)})


def _named(found: Found, people: TalkPeople) -> Found:
    """With the person a `she` stands for: who was named last in the same message, else nobody."""
    who = found.details.get("who", "")
    if who.lower() not in _PRONOUNS:
        return found
    place, message = found.clause.place, found.clause.message
    before = [one for one, clause in people.named.items() if clause.message == message and clause.place <= place]
    details = {name: value for name, value in found.details.items() if name != "who"}
    if before:
        details["who"] = people.shown[max(before, key=lambda one: people.named[one].place)]
    return found.but(details=details)


def _add_awaited(people: TalkPeople, found: Sequence[Found]) -> None:
    """Who is waited for is somebody, also where the user writes all names small."""
    for one in found:
        who = one.details.get("who", "")
        if one.type is ItemType.WAITING_ON and who.lower() in GIVEN and who.lower() not in people.named:
            people.named[who.lower()], people.shown[who.lower()] = one.clause, who


def _place(found: Found) -> tuple[int, str]:
    return (found.clause.place, found.type.value)


def _is_sound(found: Found, people: TalkPeople) -> bool:
    """Whether somebody who is waited for is somebody: `Redis will restart` is no promise."""
    who = found.details.get("who", "")
    if found.type is not ItemType.WAITING_ON or not who or found.confidence > NEEDS_A_PERSON:
        return True
    return people.is_one(who) or who.split()[0].lower() in GIVEN


def _once(items: object) -> tuple[Item, ...]:
    """Each id once, the first."""
    kept: dict[str, Item] = {}
    for item in items:  # type: ignore[attr-defined]
        kept.setdefault(item.id, item)
    return tuple(kept.values())


def _confidence(items: Sequence[Item]) -> float:
    """That of the least certain half: one sure item does not vouch for the others."""
    if not items:
        return 1.0
    ordered = sorted(item.confidence for item in items)
    half = ordered[: max(1, len(ordered) // 2)]
    return round(sum(half) / len(half), 2)
