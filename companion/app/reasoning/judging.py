"""Rules that only a reader can hold against an action: what judges have said of them, and who is to judge by which."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime

from msgspec.structs import replace

from companion.app.runtime import Runtime
from companion.config import Switch, chosen
from companion.errors import StoreUnwritable
from companion.escape import one_line
from companion.reason.verify import Ruled
from companion.records import JudgeVerdict
from companion.records.reasoning import Conformance, RuleToJudge
from companion.store import actions
from companion.store.judgements import TEXT_CHARACTERS

_SAYS = {JudgeVerdict.FITS: Conformance.FITS, JudgeVerdict.CONFLICTS: Conformance.CONFLICTS}


def said(runtime: Runtime, asked: Mapping[str, str]) -> dict[str, Ruled]:
    """What judges said of rules and an action, by the memory's id; `asked` has the id of each question."""
    found = actions.answers(runtime.store.database, asked)
    return {
        rule: Ruled(_SAYS.get(verdict, Conformance.UNKNOWN), judge, reason)
        for rule, (verdict, reason, judge) in found.items()
    }


def to_judge(
    runtime: Runtime, project: str, rules: Sequence[RuleToJudge], asked: Mapping[str, str], answer: str, now: datetime
) -> tuple[RuleToJudge, ...]:
    """The rules that whoever asked should judge an action by; each waits in the queue for others as well.

    None outside of a repository, which has no queue, and none where assistants are not asked.
    """
    if project == runtime.store.user or chosen(Switch, "judgements", runtime.settings.judgements) is Switch.OFF:
        return ()
    able = [
        replace(rule, question=asked[rule.source], text=one_line(rule.text, TEXT_CHARACTERS))
        for rule in rules
        if rule.source in asked
    ]
    try:
        actions.put(runtime.store.database, project, {rule.source: rule.question for rule in able}, answer, now)
    except StoreUnwritable:
        return ()
    return tuple(able)
