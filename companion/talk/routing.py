"""Where a conversation's memory might belong: the act that its items point to, if one clearly does."""

from __future__ import annotations

import re
from collections.abc import Sequence

from companion.language.marks import is_identifier
from companion.language.names import Names
from companion.language.sentences import Clause
from companion.language.subjects import subject
from companion.records.talk import Act, Item, ItemType, Suggestion
from companion.talk.items.found import FoundItem

CLEAR = 2
"""Items that must point to an act before it is suggested, unless it or a file of its project is named outright."""
LEAD = 2.0
"""How many times the items of the next act the first one's must be."""
NOTHING_KNOWN = Names()


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


def suggestion(
    items: Sequence[Item], open_items: Sequence[Item], acts: Sequence[Act], known: Names = NOTHING_KNOWN
) -> Suggestion | None:
    """The act that clearly more items point to than to any other, None for Your Story.

    An item points to an act that its words or quotation name, that an open item of the same entity belongs to, or
    whose project has the file or symbol that it names.
    """
    able = [act for act in acts if not act.permanent]
    pointing = {act.id: _pointing(act, items, open_items, known) for act in able}
    ranked = sorted(able, key=lambda act: (-len(pointing[act.id]), act.id))
    if not ranked or not pointing[ranked[0].id]:
        return None
    first, many = ranked[0], len(pointing[ranked[0].id])
    second = len(pointing[ranked[1].id]) if len(ranked) > 1 else 0
    named = any(item.type is ItemType.ACT and item.details.get("act") == first.id for item in items)
    filed = first.project == known.project != "" and any(_file_of(item, known) for item in items)
    if many < LEAD * second or (many < CLEAR and not ((named or filed) and not second)):
        return None
    counted = [item for item in items if item.type not in {ItemType.PERSON, ItemType.ACT}] or list(items)
    share = min(1.0, many / max(1, len(counted)))
    confidence = round(min(0.95, 0.45 + 0.25 * share + (0.2 if named else 0.0) + (0.1 if many >= 4 else 0.0)), 2)
    by = "it is named" if named else f"they mention {', '.join(sorted(pointing[first.id].values())[:3])}"
    return Suggestion(first.id, confidence, f"{many} of its items point to {first.name}: {by}", many)


def _pointing(act: Act, items: Sequence[Item], open_items: Sequence[Item], known: Names) -> dict[str, str]:
    """Ids of the items that point to an act, each with what it shares with it."""
    words, has_code = subject(act.name), act.project == known.project != ""
    theirs = {key for item in open_items if item.act == act.id for key in item.entities}
    found: dict[str, str] = {}
    for item in items:
        said = subject(f"{item.text} {item.quote}")
        if item.details.get("act") == act.id or (words and words <= said):
            found[item.id] = act.name
        elif common := theirs & set(item.entities):
            found[item.id] = min(common).partition(":")[2]
        elif has_code and (code := _file_of(item, known) or _symbol_of(item, known)):
            found[item.id] = code
    return found


def _file_of(item: Item, known: Names) -> str:
    """A file of the project that an item names; empty for none."""
    return next((path for path in _keys("file", item) if path in known.files), "")


def _symbol_of(item: Item, known: Names) -> str:
    """A name that the project defines, and that is no word of English besides; empty for none."""
    return next((name for name in _keys("symbol", item) if name in known.symbols and is_identifier(name)), "")


def _keys(sort: str, item: Item) -> list[str]:
    return [key.removeprefix(f"{sort}:") for key in item.entities if key.startswith(f"{sort}:")]
