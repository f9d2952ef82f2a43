"""Who judges whether two statements can both hold: rules always, a language model beside them if there is one."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from companion.ports import Judge, LanguageModel
    from companion.records import Ruling, Statement


@cache
def rules() -> Judge:
    """The judge that is always there; it reads its word lists once."""
    from companion.judging import RulesJudge

    return RulesJudge()


def judge_for(model: LanguageModel | None) -> Judge:
    """Rules alone, or with a model that looks over what they propose. See `companion.judging.panel`."""
    if model is None:
        return rules()
    from companion.adapters.model_judge import ModelJudge
    from companion.judging.panel import Panel

    return Panel(rules(), ModelJudge(model))


class LazyRules:
    """The rules, loaded with the first pair: a command that learns nothing reads no word lists."""

    @property
    def name(self) -> str:
        """Name and version of the rules."""
        return rules().name

    def rule(self, a: Statement, b: Statement) -> Ruling:
        """What the rules make of the two."""
        return rules().rule(a, b)
