"""What places do to a comparison: who speaks of all, who merely allows."""

from __future__ import annotations

from companion.judge.comparing.compare import Comparison


def wider_says_all(c: Comparison) -> bool:
    """Whether the statement with the wider place is said of every one."""
    return any(claim.every or claim.only for claim in c.wider)


def narrower_permits(c: Comparison) -> bool:
    """Whether the statement with the narrower place merely allows, or names an exception."""
    return any(claim.permits or claim.excepts for claim in c.narrower)


def wider_permits(c: Comparison) -> bool:
    """Whether the statement with the wider place merely allows, and not of every one."""
    return any(claim.permits and not claim.every for claim in c.wider)
