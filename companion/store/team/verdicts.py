"""What judges said of pairs of shared memories: told to a team, and taken from it where nobody answered here.

A verdict travels only where both memories say what versions say word for word: then it is about the same two texts on
every laptop.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from datetime import datetime

from companion.ports import Redactor
from companion.records import Judgement, JudgeQuestion, JudgeVerdict
from companion.records.team import SharedVerdict, TeamRecord
from companion.store import judgements
from companion.store.by_columns import rows_where
from companion.store.database import Database
from companion.store.rows import tuples
from companion.team.joining import state_of
from companion.team.text import read

COLLEAGUE = "colleague "
"""How a judge is named who answered on another laptop, before the name of whose it is."""

_SAID_BY = """
select team_records.id, memories.id, md5(content_full)
from team_records
join memories on memories.id = memory_id
where team_records.project_id = $project
    and sort = 'version'
    and text <> ''
    and memory_id in (select unnest($memories::varchar[]))
    and text ->> '$.draft.levels.full' = content_full
order by team_records.id desc
"""

_ANSWERED = """
select id, memories, answer, judge, answered_at
from judgements
where project_id = $project
    and question = 'pair'
    and answer <> ''
    and not starts_with(judge, $colleague)
order by id
"""
"""What was answered here, also where one of the two has gone by it."""

_TURNED = {
    JudgeVerdict.FIRST_CONTAINS_SECOND: JudgeVerdict.SECOND_CONTAINS_FIRST,
    JudgeVerdict.SECOND_CONTAINS_FIRST: JudgeVerdict.FIRST_CONTAINS_SECOND,
}
"""What is said of two texts, said of them the other way round."""


def shared_among(database: Database, project: str, asked: Collection[Judgement]) -> frozenset[str]:
    """The questions, by id, that are about two memories which the team shares."""
    shared = set(_memories(database, project, asked).values())
    return frozenset(one.id for one in _of_pairs(asked) if shared.issuperset(one.inquiry.memories))


def to_tell(database: Database, project: str, author: str) -> Iterator[SharedVerdict]:
    """What was answered here of shared memories, as it is told to the team; always the same for the same answers."""
    answered = tuples(database, _ANSWERED, project=project, colleague=COLLEAGUE)
    about = sorted({memory for _, memories, *_ in answered for memory in memories})
    said = {
        memory: (version, digest)
        for version, memory, digest in tuples(database, _SAID_BY, project=project, memories=about)
    }
    for id_, memories, word, judge, at in answered:
        found = [said[memory] for memory in memories if memory in said]
        versions = [version for version, _ in found]
        if len(set(versions)) == 2 and id_ == judgements.id_of(JudgeQuestion.PAIR, [digest for _, digest in found]):
            (a, b), answer = sorted(versions), JudgeVerdict(word)
            answer = answer if [a, b] == versions else _TURNED.get(answer, answer)
            yield SharedVerdict(a, b, answer, author, at, judge == judgements.PERSON)


def take(database: Database, project: str, now: datetime, redactor: Redactor) -> None:
    """Have questions that nobody here has answered answered as the team did; a colleague's word replaces a model's."""
    texts = rows_where(database, "team_records", "id, text", project_id=project, sort="verdict")
    if not texts:
        return
    records: dict[str, TeamRecord] = {id_: read(text.encode()) for id_, text in texts}
    open_ = [
        one
        for one in _of_pairs(judgements.questions(database, project))
        if one.answer is None or one.judge.startswith(COLLEAGUE)
    ]
    memories = _memories(database, project, open_)
    said = {
        (memories[one.a], memories[one.b]): one
        for one in state_of(records).verdicts.values()
        if one.a in memories and one.b in memories
    }
    for question in open_:
        for a, b in ((question.inquiry.memories[0], question.inquiry.memories[-1]), *question.inquiry.also):
            if (verdict := said.get((a, b)) or said.get((b, a))) is not None:
                answer = verdict.answer if (a, b) in said else _TURNED.get(verdict.answer, verdict.answer)
                _answer(database, question, verdict, answer, now, redactor)
                break


def _answer(
    database: Database,
    question: Judgement,
    verdict: SharedVerdict,
    answer: JudgeVerdict,
    now: datetime,
    redactor: Redactor,
) -> None:
    judge = f"{COLLEAGUE}{verdict.author.partition(' <')[0]}{'' if verdict.by_person else '’s model'}"
    if (question.answer, question.judge) != (answer, judge):
        judgements.answer(database, question, answer, reason="", judge=judge, now=now, redactor=redactor)


def _of_pairs(asked: Iterable[Judgement]) -> Iterator[Judgement]:
    return (one for one in asked if one.inquiry.question is JudgeQuestion.PAIR)


def _memories(database: Database, project: str, asked: Iterable[Judgement]) -> dict[str, str]:
    """By version the memory that says it, of all that questions are about."""
    pairs = [pair for one in _of_pairs(asked) for pair in (one.inquiry.memories, *one.inquiry.also)]
    about = sorted({memory for pair in pairs for memory in pair})
    found = tuples(database, _SAID_BY, project=project, memories=about) if about else ()
    return {version: memory for version, memory, _ in found}
