"""Which turns of a long conversation stand for it: the first, every tenth, anchors, the last ones."""

from __future__ import annotations

from collections.abc import Sequence

STRIDE = 10
"""Every so many turns one stands for those around it; spec V8."""
LAST = 10
"""Turns at the end that are kept in any case; spec V8."""


def sampled(anchors: Sequence[float], most: int) -> tuple[int, ...]:
    """Places of at most `most` turns, those first that are worth most; `anchors` says how firm each turn is.

    The last ten come first, newest first, then the first turn and anchors, the firmest and newest first. Of a
    conversation that fits, all others follow; of a longer one every tenth, so ordered that those which are left out
    when there are still too many leave the rest evenly spread.
    """
    places = range(len(anchors))
    firm = sorted((at for at in places if anchors[at] > 0), key=lambda at: (-anchors[at], -at))
    fits = len(anchors) <= most
    rest = list(places)[::-1] if fits else spread([at for at in places if at % STRIDE == 0])
    return tuple(dict.fromkeys([*places[-LAST:][::-1], *places[:1], *firm, *rest]))[:most]


def spread(places: Sequence[int]) -> list[int]:
    """Places so ordered that any beginning of the list lies evenly over all of them."""
    if len(places) <= 2:
        return list(places)
    middle = len(places) // 2
    left, right = spread(places[:middle]), spread(places[middle + 1 :])
    mixed = [one for pair in zip(left, right, strict=False) for one in pair]
    longer = left if len(left) > len(right) else right
    return [places[middle], *mixed, *longer[min(len(left), len(right)) :]]
