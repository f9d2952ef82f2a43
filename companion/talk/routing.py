"""Where a conversation's memory might belong: the act that its items point to, if one clearly does."""

from __future__ import annotations

import re
from collections.abc import Sequence

from companion.language.sentences import Clause
from companion.language.subjects import subject
from companion.records.talk import Act, Item, ItemType, Suggestion
from companion.talk.items.found import FoundItem

CLEAR = 2
"""Items that must point to an act before it is suggested, unless it is named outright."""
LEAD = 2.0
"""How many times the items of the next act the first one's must be."""


def named_acts(clauses: Sequence[Clause], acts: Sequence[Act]) -> list[tuple[Act, FoundItem]]:
    """Each act that the user names, with where they first do."""
    found: list[tuple[Act, FoundItem]] = []
    for act in acts:
        if act.permanent or not subject(act.name):
            continue
        pattern = re.compile(
            rf"(?<![\w/]){re.escape(act.name)}(?![\w/])",
            re.IGNORECASE if len(act.name.split()) > 1 or len(act.name) > 5 else 0,
        )
        for clause in clauses:
            if (match := pattern.search(clause.masked)) is not None:
                said = clause.text[match.start() : match.end()]
                found.append((act, FoundItem(ItemType.ACT, said, clause, 0.9, {"act": act.id})))
                break
    return found


def suggestion(items: Sequence[Item], open_items: Sequence[Item], acts: Sequence[Act]) -> Suggestion | None:
    """The act that clearly more items point to than to any other, None for Your Story.

    An item points to an act that its words or quotation name, or that an open item of the same entity belongs to.
    """
    able = [act for act in acts if not act.permanent]
    pointing = {act.id: _pointing(act, items, open_items) for act in able}
    ranked = sorted(able, key=lambda act: (-len(pointing[act.id]), act.id))
    if not ranked or not pointing[ranked[0].id]:
        return None
    first, many = ranked[0], len(pointing[ranked[0].id])
    second = len(pointing[ranked[1].id]) if len(ranked) > 1 else 0
    named = any(item.type is ItemType.ACT and item.details.get("act") == first.id for item in items)
    if many < LEAD * second or (many < CLEAR and not (named and not second)):
        return None
    counted = [item for item in items if item.type not in {ItemType.PERSON, ItemType.ACT}] or list(items)
    share = min(1.0, many / max(1, len(counted)))
    confidence = round(min(0.95, 0.45 + 0.25 * share + (0.2 if named else 0.0) + (0.1 if many >= 4 else 0.0)), 2)
    by = "it is named" if named else f"they mention {', '.join(sorted(pointing[first.id].values())[:3])}"
    return Suggestion(first.id, confidence, f"{many} of its items point to {first.name}: {by}", many)


def _pointing(act: Act, items: Sequence[Item], open_items: Sequence[Item]) -> dict[str, str]:
    """Ids of the items that point to an act, each with what it shares with it."""
    words = subject(act.name)
    theirs = {key for item in open_items if item.act == act.id for key in item.entities}
    found: dict[str, str] = {}
    for item in items:
        said = subject(f"{item.text} {item.quote}")
        if item.details.get("act") == act.id or (words and words <= said):
            found[item.id] = act.name
        elif common := theirs & set(item.entities):
            found[item.id] = min(common).partition(":")[2]
    return found
