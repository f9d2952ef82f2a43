"""Events to memories: each way of learning is a module and a line in `_LEARNERS`, from which `KINDS` is made."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from companion.ports import Extractor

_LEARNERS = (
    "facts:DeclaredFacts",
    "decisions:DeclaredDecisions",
    "people:People",
    "history.episodes:Episodes",
    "habits.of_history:HistoryHabits",
    "habits.of_code:CodeHabits",
    "habits.patterns:Patterns",
)
"""`module:class` of each way of learning, in the order they learn; imported when first asked for."""

UNHURRIED = frozenset({"history habits", "code habits", "patterns"})
"""Names of those that look at the whole to say one thing of it: while someone works, they wait until nobody does."""

KINDS: tuple[Extractor, ...]


def __getattr__(name: str) -> object:
    """`KINDS`, made when it is first used: a command that learns nothing imports none of them."""
    if name != "KINDS":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    learners = (line.partition(":")[2] for line in _LEARNERS)
    made = (getattr(import_module(name), learner)() for name, learner in zip(modules(), learners, strict=True))
    globals()["KINDS"] = tuple(made)
    return globals()["KINDS"]


def modules() -> tuple[str, ...]:
    """The full names of the modules that learn, for whoever imports them one by one."""
    return tuple(f"{__name__}.{line.partition(':')[0]}" for line in _LEARNERS)
