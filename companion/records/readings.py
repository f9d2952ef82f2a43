"""What the small model makes of two texts that it reads together; each reading is of shares that sum to one."""

from __future__ import annotations

from enum import StrEnum
from typing import NamedTuple


class PairReading(NamedTuple):
    """What two statements are to one another, as shares: of what `a` is to `b`."""

    contrary: float
    same: float
    contains: float
    """`a` says all that `b` says, and more."""
    contained: float
    beside: float


class DialogueAct(StrEnum):
    """What a sentence does in its place in a conversation. The order is that of the model's outputs."""

    DECISION = "decision"
    WEIGHED = "weighed"
    AGREE = "agree"
    REFUSE = "refuse"
    TODO = "todo"
    REQUEST = "request"
    DONE = "done"
    QUESTION = "question"
    WAITING = "waiting"
    BLOCKED = "blocked"
    RULE = "rule"
    INSIGHT = "insight"
    PRIORITY = "priority"
    REMARK = "remark"
