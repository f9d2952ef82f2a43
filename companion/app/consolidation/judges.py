"""Who judges at once whether two statements can both hold: rules always, and beside them a small model."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from companion.ports import Judge, Reader
    from companion.records import Ruling, Statement


@cache
def rules() -> Judge:
    """The judge that is always there; it reads its word lists once."""
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


class LazyRules:
    """The rules, loaded with the first pair: a command that learns nothing reads no word lists."""

    @property
    def name(self) -> str:
        """Name and version of the rules."""
        return rules().name

    def rule(self, a: Statement, b: Statement) -> Ruling:
        """What the rules make of the two."""
        return rules().rule(a, b)
