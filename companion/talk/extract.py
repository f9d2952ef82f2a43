"""From turns to what they meant: items, what they settle, where it belongs, and the narrative of it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from msgspec.structs import replace

from companion.language.names import Names, TalkPeople, is_someone, people_of, someone_in
from companion.language.sentences import clauses
from companion.ports import Reader
from companion.records.talk import Act, Extraction, Item, ItemType, Role, Turn
from companion.talk.consulted.believing import believed
from companion.talk.consulted.claims import ModelClaim
from companion.talk.course.dialogue import Dialogue
from companion.talk.course.settling import settles
from companion.talk.entities import EntityKeys
from companion.talk.hearing import hear
from companion.talk.items.found import FoundItem, item_of
from companion.talk.narrative import narrative
from companion.talk.routing import named_acts, suggestion

MADE_BY = "reader"


def extract(
    turns: Sequence[Turn],
    open_items: Sequence[Item],
    acts: Sequence[Act],
    known: Names,
    claims: Sequence[ModelClaim] = (),
    *,
    reader: Reader | None = None,
) -> Extraction:
    """What a conversation leaves behind, as the small model hears it; the same turns give the same at any time.

    `open_items` are those of earlier memories, which it may settle; `acts` is where it may belong; `known` what files,
    symbols and people there are; `claims` what a model named: only what was said counts. Items stand in order.
    """
    ordered = sorted(turns, key=lambda turn: turn.number)
    heard = hear(clauses(ordered), reader)
    mine = [one.clause for one in heard if one.clause.role is Role.USER]
    also = believed(claims, heard) if claims else ()
    people = people_of(mine, replace(known, people=frozenset(known.people) | _awaited(open_items, also)))
    dialogue = Dialogue(ordered, heard, reader, also)
    found = [
        *(_awaiting(one, people) for one in dialogue.found),
        *(_person(plain, people) for plain in people.named),
        *(one for _, one in named_acts(mine, acts)),
    ]
    keys = EntityKeys(known, people)
    conversation = ordered[0].conversation if ordered else ""

    def made(some: Iterable[FoundItem]) -> tuple[Item, ...]:
        return _once(item_of(one, conversation, keys.of(one.spoken)) for one in sorted(some, key=_place))

    settled = settles(made([*found, *dialogue.reported]), open_items)
    over = {one.by for one in settled}
    items = made([*found, *(one for one in dialogue.reported if item_of(one, conversation, ()).id in over)])
    words, to = narrative(items, settled, open_items), suggestion(items, open_items, acts, known)
    return Extraction(words, items, settled, to, _confidence(items), MADE_BY)


def _awaited(open_items: Sequence[Item], also: Sequence[FoundItem]) -> frozenset[str]:
    """Who is waited for: since an earlier conversation, or as a model says, where they could be somebody."""
    before = {item.details["who"] for item in open_items if item.details.get("who")}
    return frozenset(before | {who for one in also if (who := one.details.get("who", "")) and is_someone(who)})


def _person(plain: str, people: TalkPeople) -> FoundItem:
    """Somebody the user names, with who they are to the user where that is said."""
    relation = people.relations.get(plain, "")
    found = FoundItem(ItemType.PERSON, people.shown[plain], people.named[plain], 0.85)
    return found.with_details(relation=relation)


def _awaiting(found: FoundItem, people: TalkPeople) -> FoundItem:
    """What is waited for, with whom: the first person or team that its sentence names."""
    if found.type is not ItemType.WAITING_ON or "who" in found.details:
        return found
    return found.with_details(who=someone_in(found.clause.text, people))


def _place(found: FoundItem) -> tuple[int, str]:
    return (found.clause.place, found.type.value)


def _once(items: Iterable[Item]) -> tuple[Item, ...]:
    """Each id once, the first."""
    kept: dict[str, Item] = {}
    for item in items:
        kept.setdefault(item.id, item)
    return tuple(kept.values())


def _confidence(items: Sequence[Item]) -> float:
    """That of the least certain half: one sure item does not vouch for the others."""
    if not items:
        return 1.0
    ordered = sorted(item.confidence for item in items)
    half = ordered[: max(1, len(ordered) // 2)]
    return round(sum(half) / len(half), 2)
