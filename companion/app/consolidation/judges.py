"""Who judges at once whether two statements can both hold: rules always, and beside them a small model."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from companion.ports import Judge, Reader


@cache
def rules() -> Judge:
    """The judge that is always there, loaded with the first pair: a command that learns nothing reads no word lists."""
    from companion.judge.rules import RulesJudge

    return RulesJudge()


@cache
def reader() -> Reader | None:
    """The model that reads two sentences together, loaded with the first pair; None where it cannot be run."""
    from companion.adapters.reader import PairReader, can_read

    return PairReader() if can_read() else None


def local(*, thorough: bool = False) -> Judge:
    """Rules and reader together; rules alone where there is no reader. `thorough` is for who has some seconds."""
    from companion.judge.learned import LocalJudge

    found = reader()
    return rules() if found is None else LocalJudge(found, thorough=thorough)
