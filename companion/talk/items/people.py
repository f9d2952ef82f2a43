"""Persons as items: everybody the user names, once, with what they are to the user where that is said."""

from __future__ import annotations

from companion.language.names import TalkPeople
from companion.records.talk import ItemType
from companion.talk.items.found import FoundItem


def persons(people: TalkPeople) -> list[FoundItem]:
    """An item a person, in the order in which they are first named."""
    found = [
        FoundItem(ItemType.PERSON, people.shown[plain], clause, 0.85).with_details(
            relation=people.relations.get(plain, "")
        )
        for plain, clause in people.named.items()
    ]
    return sorted(found, key=lambda one: one.clause.place)
