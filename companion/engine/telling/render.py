"""Chosen items as text: Markdown for people, tagged text or JSON for programs.

People get the most urgent tier first; assistants get what changes least first, so that the head of a
prompt stays the same from one ask to the next and a model's cache holds: header, background, index,
relevant, critical, then the moment. Where there are places to work at, as with a task, assistants get those
first and the rest as people do. How each format writes its parts is in `styles`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence, Set

from companion.api import Order
from companion.engine.telling.styles import STYLES, FrameStyle, Sections, Style
from companion.records import ContextItem, Format, Tier

TIER_ORDER: Mapping[Order, tuple[Tier, ...]] = {
    Order.PEOPLE: (Tier.CRITICAL, Tier.RELEVANT, Tier.BACKGROUND, Tier.INDEX),
    Order.ASSISTANTS: (Tier.BACKGROUND, Tier.INDEX, Tier.RELEVANT, Tier.CRITICAL),
}
PLACES, TESTS = "Places", "Tests"
"""The sections of the places to work at, and of what tests them."""
STEADY = frozenset({Tier.BACKGROUND, Tier.INDEX})
"""Tiers that assistants get in the order of names, which stays the same while scores move."""


def style_of(form: Format) -> Style:
    """The style of a format."""
    return STYLES[form]


def write(style: Style, frame: FrameStyle, blocks: Iterable[tuple[ContextItem, str]], order: Order) -> str:
    """The whole text from items and their blocks: by tier, in sections, the best first."""
    by_tier: dict[Tier, list[tuple[ContextItem, str]]] = {}
    for item, block in blocks:
        by_tier.setdefault(item.tier, []).append((item, block))
    tiers, steady = _in_order(by_tier, order)
    written = [style.tier(tier, in_sections(by_tier[tier], tier in steady)) for tier in tiers]
    moment = style.moment(frame)
    parts = [moment, *written] if order is Order.PEOPLE else [*written, moment]
    return style.whole(style.head(frame), [part for part in parts if part])


def _in_order(by_tier: Mapping[Tier, Sequence[tuple[ContextItem, str]]], order: Order) -> tuple[list[Tier], Set[Tier]]:
    """The tiers that there are, in their order, and those whose items stand in the order of names."""
    leading = {tier for tier, its in by_tier.items() if any(item.section == PLACES for item, _ in its)}
    if order is Order.ASSISTANTS and not leading:
        return [tier for tier in TIER_ORDER[order] if tier in by_tier], STEADY
    told = [tier for tier in TIER_ORDER[Order.PEOPLE] if tier in by_tier]
    return (told if order is Order.PEOPLE else sorted(told, key=lambda tier: tier not in leading)), frozenset()


def in_sections(blocks: Iterable[tuple[ContextItem, str]], steady: bool) -> Sections:
    """Blocks by section, in reading order: by score, or by names where the order must be steady."""
    groups: dict[str, list[str]] = {}
    held = list(blocks)
    first = (TESTS, PLACES) if any(item.section == PLACES for item, _ in held) else ()
    for item, block in sorted(held, key=lambda pair: _steady(pair[0]) if steady else _urgent(pair[0], first)):
        groups.setdefault(item.section, []).append(block)
    return tuple((section, tuple(members)) for section, members in groups.items())


def _steady(item: ContextItem) -> tuple[float, str, str, str]:
    return (0.0, item.section, item.title, item.id)


def _urgent(item: ContextItem, first: Sequence[str]) -> tuple[float, str, str, str]:
    """By score, which is 1 at most; what stands in the sections `first` before all else, the last of them foremost."""
    lead = first.index(item.section) + 1 if item.section in first else 0
    return (-item.score - 2 * lead, item.id, "", "")
