"""What judges say of a rule and an action, known by the words of both, so that the same is not asked again.

A verdict says what one rule says of one action and nothing else: no other action is read by it, and nothing changes.
What waits for one is little and never in the way of questions about memories.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime

from companion.records.judgements import Inquiry, JudgeQuestion, JudgeVerdict
from companion.store.by_columns import keep_first
from companion.store.database import Database
from companion.store.judgements import INQUIRIES, TEXT_CHARACTERS, digest_of, id_of, insert
from companion.store.rows import pairs, tuples

WAITING_MOST = 20
"""Rules and actions of a project that wait for a judge, the newest: of older ones the work is done."""
WEIGHT = 0.1
"""How soon they are asked about: after contradictions, twins and what is worth keeping."""
WHY = "no words that both share decide it"
"""Why they are asked."""

_RULES = """
select id, md5(content_full)
from memories
where id in (select unnest($ids::varchar[]))
    and status = 'active'
    and length(content_full) <= $characters
"""

_ANSWERED = """
select id, answer, reason, judge
from judgements
where id in (select unnest($ids::varchar[]))
    and answer <> ''
"""


def questions(database: Database, action: str, rules: Sequence[str]) -> dict[str, str]:
    """The question about an action that each rule raises, by the rule's id; none where a judge would not read all."""
    if not rules or len(action) > TEXT_CHARACTERS:
        return {}
    found = pairs(database, _RULES, ids=rules, characters=TEXT_CHARACTERS)
    of_action = digest_of(action)
    return {rule: id_of(JudgeQuestion.ACTION, (digest, of_action)) for rule, digest in found.items()}


def answers(database: Database, asked: Mapping[str, str]) -> dict[str, tuple[JudgeVerdict, str, str]]:
    """Verdict, reason and judge by the rule's id, where a question has its answer."""
    found = tuples(database, _ANSWERED, ids=asked.values()) if asked else []
    known = {id_: (JudgeVerdict(said), reason, judge) for id_, said, reason, judge in found}
    return {rule: known[id_] for rule, id_ in asked.items() if id_ in known}


def put(database: Database, project: str, asked: Mapping[str, str], answer: str, now: datetime) -> None:
    """Have questions wait, by the rule's id, about the action of an answer; the newest WAITING_MOST stay."""
    rule_of = {id_: rule for rule, id_ in asked.items()}
    if not rule_of:
        return
    memories = [(rule, answer) for rule in rule_of.values()]
    inquiries = [Inquiry(JudgeQuestion.ACTION, both, WHY, WEIGHT, "rules") for both in memories]
    with database.write(quiet=True) as connection:
        # one that waits is about the action as it was verified last: earlier answers are deleted some day
        newer = [{"id": id_, "memories": (rule, answer), "asked_at": now} for id_, rule in rule_of.items()]
        INQUIRIES.update(connection, newer, only="judgements.answer = ''")
        insert(connection, project, dict(zip(rule_of, inquiries, strict=True)), now)
        waiting = {"project_id": project, "question": JudgeQuestion.ACTION, "answer": ""}
        keep_first(connection, "judgements", WAITING_MOST, order="asked_at desc, id", **waiting)
