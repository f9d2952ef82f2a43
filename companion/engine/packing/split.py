"""How a budget is shared between the four tiers, and how the activity shifts it."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from companion.records import Activity, Tier

WHOLE = 10_000
"""Shares are kept in hundredths of a per cent, so that 37.5 % is a whole number and rounds exactly."""


def _split(critical: int, relevant: int, background: int, index: int) -> Mapping[Tier, int]:
    parts = (critical, relevant, background, index)
    return MappingProxyType(dict(zip(Tier, parts, strict=True)))


SPLITS: Mapping[Activity, Mapping[Tier, int]] = MappingProxyType(
    {
        Activity.NEW_FEATURE: _split(2_500, 3_750, 2_500, 1_250),
        Activity.DEBUGGING: _split(3_750, 3_125, 1_875, 1_250),
        Activity.REVIEW: _split(2_500, 4_500, 2_000, 1_000),
        Activity.REFACTORING: _split(2_000, 4_500, 2_500, 1_000),
        Activity.EXPLORING: _split(1_000, 3_000, 3_000, 3_000),
    }
)
"""The share of each tier for each activity; a new feature's split is the default one."""


def shares(budget_tokens: int, activity: Activity) -> dict[Tier, int]:
    """The tokens each tier may fill of `budget_tokens`, most urgent first, rounded down.

    What rounding leaves over belongs to no tier yet: assembling hands it on like any other rest.
    """
    split = SPLITS[activity]
    return {tier: budget_tokens * split[tier] // WHOLE for tier in Tier}
