"""What will be remembered of a conversation, as a person changes it: previews in, previews out.

Nothing here is kept; the words that the rules or a model found first stand beside whatever was made of them.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from msgspec.structs import replace

from companion.api import Edit
from companion.errors import UsageError, the_one
from companion.records.talk import Conversation, Extraction, Item, Part, Preview
from companion.store.talk.items import item_id
from companion.talk.narrative import QUIET, narrative

NARRATIVE_MAX = 20_000
"""Characters of a part's words: two to four sentences, and by hand as much as a note."""
ITEM_MAX = 500
"""Characters of an item's statement: a long sentence."""
SHOW = "`companion review` shows what there is."


def fresh(conversation: Conversation, found: Extraction, act: str) -> Preview:
    """A preview of what was found, all of it for one act; nothing where there is no item, however much was said."""
    extraction = _known_by_id(conversation.id, found)
    if not extraction.items:
        return Preview(conversation, extraction, ())
    narrative = extraction.narrative.strip() or told(extraction.items)
    whole = Part(act, narrative, tuple(one.id for one in extraction.items))
    return Preview(conversation, extraction, (whole,), narrative)


def edited(preview: Preview, edit: Edit, home: str) -> Preview:
    """With other words, without some items, with others changed. Raises UsageError for what is not there.

    Where nothing was found, or all of it was dropped, the words alone are what is remembered; `home` is their act.
    """
    gone = {named(preview, id_).id for id_ in edit.drop}
    changed = {named(preview, id_).id: _fit(text, ITEM_MAX) for id_, text in edit.change.items()}
    before = preview.extraction
    kept = [replace(one, text=changed.get(one.id, one.text)) for one in before.items if one.id not in gone]
    ids = {one.id: item_id(preview.conversation.id, one) for one in kept}
    extraction = replace(
        before,
        items=tuple(replace(one, id=ids[one.id]) for one in kept),
        settles=tuple(replace(one, by=ids[one.by]) for one in before.settles if one.by in ids),
    )
    after = replace(preview, extraction=extraction)
    parts = tuple(found for part in preview.parts if (found := _without(part, ids, preview, after)).narrative)
    if edit.narrative:
        to = preview.parts[0].act if preview.parts else home
        parts = _reworded(parts or (Part(to, "", ()),), edit.part, _fit(edit.narrative, NARRATIVE_MAX))
    return replace(after, parts=parts)


def redirected(preview: Preview, act: str) -> Preview:
    """All of it for one act."""
    if not preview.parts:
        return preview
    words = dict.fromkeys(part.narrative for part in preview.parts)
    items = tuple(one.id for one in preview.extraction.items)
    return replace(preview, parts=(Part(act, "\n\n".join(words), items),))


def split(preview: Preview, wanted: Sequence[Part]) -> Preview:
    """Some items for other acts, each act with words of its own; raises UsageError for items that are not there."""
    taken: dict[str, Part] = {}
    for part in wanted:
        ids = tuple(dict.fromkeys(named(preview, id_).id for id_ in part.items))
        if doubled := [id_ for id_ in ids if any(id_ in other.items for other in taken.values())]:
            raise UsageError(f"The item {doubled[0]} is given to two acts.", SHOW)
        before = taken.get(part.act, Part(part.act, "", ()))
        narrative = _fit(part.narrative, NARRATIVE_MAX) if part.narrative.strip() else before.narrative
        taken[part.act] = Part(part.act, narrative, (*before.items, *ids))
    moved = {id_ for part in taken.values() for id_ in part.items}
    left = {one.id: one.id for one in preview.extraction.items if one.id not in moved}
    rest = [_without(part, left, preview, preview) for part in preview.parts]
    fresh_parts = [replace(part, narrative=part.narrative or _told(preview, part.items)) for part in taken.values()]
    return replace(preview, parts=_one_an_act([part for part in (*rest, *fresh_parts) if part.narrative]))


def standing(preview: Preview, acts: Collection[str], story: str) -> Preview:
    """A preview whose parts go to acts that are there: what was meant for a deleted one goes to Your Story."""
    parts = tuple(part if part.act in acts else replace(part, act=story) for part in preview.parts)
    return preview if parts == preview.parts else replace(preview, parts=_one_an_act(parts))


def named(preview: Preview, id_: str) -> Item:
    """An item of a preview by its id or the beginning of it. Raises UsageError."""
    fits = [one for one in preview.extraction.items if id_ and one.id.startswith(id_)]
    return the_one(fits, id_, "item", SHOW)


def told(items: Sequence[Item]) -> str:
    """Items in sentences, where nobody has worded them better."""
    words = narrative(items)
    return " ".join(_sentence(one.text) for one in items) if words == QUIET else words


def _told(preview: Preview, ids: Collection[str]) -> str:
    return told([one for one in preview.extraction.items if one.id in ids])


def _without(part: Part, ids: Mapping[str, str], before: Preview, after: Preview) -> Part:
    """A part without items that are no more (`ids` gives what became of the others)."""
    left = tuple(ids[id_] for id_ in part.items if id_ in ids)
    same = left == part.items or _is_by_hand(part, before)
    return replace(part, items=left) if same else Part(part.act, _told(after, left), left)


def _is_by_hand(part: Part, preview: Preview) -> bool:
    """Whether a person wrote its words: those stay; others are told anew when items go or change."""
    return part.narrative not in (preview.original, _told(preview, part.items))


def _reworded(parts: tuple[Part, ...], number: int, words: str) -> tuple[Part, ...]:
    if not 1 <= number <= len(parts):
        raise UsageError(f"There is no part {number}; there are {len(parts)}.", SHOW)
    return tuple(replace(part, narrative=words) if at == number else part for at, part in enumerate(parts, 1))


def _one_an_act(parts: Sequence[Part]) -> tuple[Part, ...]:
    """Parts of the same act made one."""
    by_act: dict[str, Part] = {}
    for part in parts:
        before = by_act.get(part.act)
        if before is None:
            by_act[part.act] = part
        else:
            words = "\n\n".join(dict.fromkeys((before.narrative, part.narrative)))
            by_act[part.act] = Part(part.act, words, tuple(dict.fromkeys((*before.items, *part.items))))
    return tuple(by_act.values())


def _known_by_id(conversation: str, found: Extraction) -> Extraction:
    """With the ids that items are kept by; the same words of the same turn are one item."""
    ids = {one.id: item_id(conversation, one) for one in found.items if one.id}
    kept = {item_id(conversation, one): one for one in found.items}
    items = tuple(replace(one, id=id_, conversation=conversation) for id_, one in kept.items())
    settles = tuple(replace(one, by=ids[one.by]) for one in found.settles if one.by in ids)
    return replace(found, items=items, settles=settles)


def _fit(text: str, most: int) -> str:
    said = text.strip()
    if not said or len(said) > most:
        raise UsageError(f"What is remembered has 1 to {most:,} characters, not {len(said):,}.", SHOW)
    return said


def _sentence(text: str) -> str:
    said = text.strip()
    return said if said.endswith((".", "!", "?")) else f"{said}."
