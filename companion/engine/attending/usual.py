"""Which commands are usual at this hour and on this weekday, from when they were run before.

A step is usual now if most of its runs fall into this part of the day (an hour either side), or on this
weekday. It must have happened a few times: once is no custom. Times are those of the store's clock (UTC):
the same hours every day, one hour off for half the year where clocks change, which an hour either side covers.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from datetime import datetime

LEAST_RUNS = 3
"""Runs that make a custom."""
LEAST_SHARE = 0.5
"""The share of all its runs that fall into this part of the day; three hours of a working day are under 0.4."""
LEAST_SHARE_WEEKDAY = 0.6
"""The share that falls on this weekday; evenly spread it would be 0.2."""
USUAL_MOST = 5
"""Steps named at once: as many workflows as a context shows."""
HOURS_A_DAY = 24

Taken = tuple[int, int, str, int]
"""Weekday (1 is Monday), hour, step, and how often it was taken then."""


def usual_steps(taken: Iterable[Taken], now: datetime) -> tuple[str, ...]:
    """Steps usually taken at this time, most often first; equal ones by name."""
    all_runs: Counter[str] = Counter()
    this_hour: Counter[str] = Counter()
    this_day: Counter[str] = Counter()
    for weekday, hour, step, runs in taken:
        all_runs[step] += runs
        apart = abs(hour - now.hour)
        if min(apart, HOURS_A_DAY - apart) <= 1:
            this_hour[step] += runs
        if weekday == now.isoweekday():
            this_day[step] += runs
    usual = {
        step: max(this_hour[step], this_day[step])
        for step, runs in all_runs.items()
        if _is_usual(this_hour[step], runs, LEAST_SHARE) or _is_usual(this_day[step], runs, LEAST_SHARE_WEEKDAY)
    }
    return tuple(sorted(usual, key=lambda step: (-usual[step], step)))[:USUAL_MOST]


def _is_usual(runs: int, of_all: int, least_share: float) -> bool:
    return runs >= LEAST_RUNS and runs >= least_share * of_all
