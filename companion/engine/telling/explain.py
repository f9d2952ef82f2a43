"""Why each item is in a context: its source, the parts of its score, and what would be there without it."""

from __future__ import annotations

from collections.abc import Callable

from companion.api import Explained, Explanation
from companion.errors import UnknownMemory
from companion.records import Context, ContextItem, Tier


def explain(context: Context, item_id: str | None, without: Callable[[str], Context] | None) -> Explanation:
    """Explain one item (by its id or the beginning of it), or all of them.

    `without` assembles the same context with an id left out; given, each item says what would take
    its place (items that are new or longer then) and how many tokens would be left free. Pointers of
    the index replace nothing and are not tried. Raises UnknownMemory for an id that is not shown;
    the message says why, if it was left out.
    """
    items = [item for tier in context.tiers for item in tier.items]
    chosen = items if item_id is None else [_find(context, items, item_id)]
    return Explanation(context, tuple(_explained(context, item, without) for item in chosen))


def _explained(context: Context, item: ContextItem, without: Callable[[str], Context] | None) -> Explained:
    if without is None or item.tier is Tier.INDEX:
        return Explained(item)
    other = without(item.id)
    shown_now = (shown for tier in context.tiers for shown in tier.items if shown.tier is not Tier.INDEX)
    lengths = {shown.id: len(shown.text) for shown in shown_now}
    instead = tuple(
        shown
        for tier in other.tiers
        for shown in tier.items
        if shown.tier is not Tier.INDEX and len(shown.text) > lengths.get(shown.id, -1)
    )
    return Explained(item, instead, max(context.tokens - other.tokens, 0))


def _find(context: Context, items: list[ContextItem], item_id: str) -> ContextItem:
    """The item with an id; else the only one whose id begins so, a path standing for its file."""
    for wanted in (item_id, f"file:{item_id}"):
        exact = next((item for item in items if item.id == wanted), None)
        if exact is not None:
            return exact
    ids = sorted({item.id for item in items if item_id and item.id.startswith(item_id)})
    if len(ids) == 1:
        return next(item for item in items if item.id == ids[0])
    if ids:
        raise UnknownMemory(f"Several items begin with `{item_id}`: {', '.join(ids[:5])}.", "Give more digits.")
    left = next((d for d in context.dropped if d.id in {item_id, f"file:{item_id}"}), None)
    if left is not None:
        raise UnknownMemory(
            f"`{left.id}` ({left.title}) was left out of this context: {left.why}.",
            "A larger `--budget` may bring it in.",
        )
    raise UnknownMemory(f"No item of this context has the id `{item_id}`.", "See `companion explain` for all.")
