"""The queue of questions for judges, and what they answered.

A question is known by what its memories say: the same pair in the same words is asked once, and other words are
another question. Pairs of one conflict are one question, which has one answer for all of them. What no longer stands
as it was asked about (a memory has ended, or says something else) is left out of every list. An answer is written once;
that it was carried out is told by the journal of the runs, so that what a person took back is not done again.

Of an action (`companion.store.actions`) the second text is that of the answer it was verified by.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import TYPE_CHECKING, Any

from companion.records.judgements import WAITING_MOST, Inquiry, JudgedText, Judgement, JudgeQuestion, JudgeVerdict, fold
from companion.store.bulk import insert_rows
from companion.store.consolidation import by_hand
from companion.store.memories.conflicts import pair_id
from companion.store.texts import clean

if TYPE_CHECKING:
    from companion.ports import Redactor
    from companion.store.database import Database

PERSON = "person"
"""The judge that a command line or a page speaks for: no limit holds for it."""
TEXT_CHARACTERS = 600
"""Characters of a memory that a judge reads: the first sentences say it, the rest argues."""
REASON_CHARACTERS = 400
"""Characters of a reason that are kept: a sentence or two."""

_COLUMNS = ("id", "project_id", "question", "memories", "why", "proposed_by", "weight", "opens", "asked_at", "also")

_SAID = """
select id, md5(content_full)
from memories
where id in (select unnest($ids::varchar[]))
    and status = 'active'
"""

_GONE = """
delete from judgements
where project_id = $project
    and answer = ''
    and id not in (select unnest($standing::varchar[]))
"""
"""Questions that nobody has answered about what is said no longer."""

_ROWS = """
select
    id, question, memories, why, proposed_by, weight, opens, asked_at, answer, reason, judge, answered_at,
    coalesce(also, [])
from judgements
where project_id = $project
    and (answer = '') = $waiting
    and not list_contains(declined, $judge)
order by weight desc, asked_at, id
"""

_STALE = """
delete from judgements
using (
    select unnest($ids::varchar[]) as id, unnest($memories::varchar[][]) as memories
) as asked
where judgements.id = asked.id
    and list_sort(judgements.memories) <> list_sort(asked.memories)
"""
"""Questions in the same words about memories that are no longer those."""

_JOINED = """
update judgements
set also = coalesce(also, []) || $also::varchar[], opens = opens or $opens
where id = $id
"""

_UNDONE_OR_DONE = """
select distinct memories
from night_changes
join night_runs on night_runs.id = night_changes.run_id
where night_runs.project_id = $project
    and pass = $pass
    and night_changes.state in ('applied', 'undone')
"""

_TEXTS = """
select
    id, left(content_full, $characters), md5(content_full),
    coalesce(nullif(origin, ''), source), coalesce(valid_from, created_at),
    concat_ws(
        ', ',
        nullif(if(attribute <> '', subject, if(source <> 'scan', label, '')), ''),
        nullif(scope_language, ''), nullif(scope_path, ''), nullif(scope_environment, ''), nullif(scope_version, ''),
        nullif(scope_branch, '')
    )
from memories
where id in (select unnest($ids::varchar[]))
    and status = 'active'
"""

_ACTIONS = """
select id, action, asked_at
from answers
where id in (select unnest($ids::varchar[]))
"""

_ANSWER = """
update judgements
set answer = $answer, reason = $reason, judge = $judge, answered_at = $now
where id = $id
    and (answer = '' or $person)
"""

_DECLINE = """
update judgements
set declined = list_distinct(list_append(declined, $judge))
where id = $id
"""

_TO_WEIGH = """
select id
from memories
where project_id = $project
    and status = 'active'
    and not pinned
    and source = 'scan'
    and starts_with(origin, 'commit:')
    and length(content_full) <= $characters
    and id not in (
        select unnest(memories)
        from judgements
        where question = 'worth'
    )
order by importance desc, retrieved_count desc, created_at desc, id
limit greatest(0, $limit - (
    select count(*)
    from judgements
    where project_id = $project
        and question = 'worth'
        and answer = ''
))
"""
"""What commits taught and nobody has weighed yet: what is held dear and shown most comes first."""

_ANSWERED_SINCE = """
select count(*)
from judgements
where project_id = $project
    and answered_at >= $since
    and judge = $judge
"""


def ask(database: Database, project: str, inquiries: Iterable[Inquiry], now: datetime, redactor: Redactor) -> int:
    """Put questions into the queue, where the likeliest stay as far as there is room; returns how many are new.

    What belongs to the conflict of a question that was put before joins it, whether or not that has its answer.
    """
    standing, settled = waiting(database, project), answered(database, project)
    known = {pair: one for one in (*standing, *settled) for pair in _pairs(one.inquiry)}
    conflicts = {one.inquiry.conflict: one for one in (*standing, *settled) if one.inquiry.conflict}
    wanted: list[Inquiry] = []
    for one in sorted(inquiries, key=lambda one: -one.weight):
        met = next((known[pair] for pair in _pairs(one) if pair in known), conflicts.get(one.conflict))
        if met is None:
            wanted.append(one)
        else:
            _join(database, met, one)
    actions = [one for one in standing if one.inquiry.question is JudgeQuestion.ACTION]
    others = (one for one in standing if one.inquiry.question is not JudgeQuestion.ACTION)
    asked: list[Judgement | Inquiry] = [*others, *wanted]
    likeliest = sorted(asked, key=_weight, reverse=True)[:WAITING_MOST]
    stay = [one for one in likeliest if isinstance(one, Judgement)]
    fresh = [one for one in likeliest if isinstance(one, Inquiry)]
    return _put(database, project, fresh, [*actions, *stay], now, redactor)


def _weight(one: Judgement | Inquiry) -> float:
    return one.inquiry.weight if isinstance(one, Judgement) else one.weight


def _join(database: Database, met: Judgement, one: Inquiry) -> None:
    """Have a question stand for the pairs of an inquiry that it does not stand for yet."""
    there = set(_pairs(met.inquiry))
    more = [id_ for pair in (one.memories, *one.also) if frozenset(pair) not in there for id_ in pair]
    if more:
        database.change(_JOINED, {"id": met.id, "also": more, "opens": one.opens}, quiet=True)


def _put(
    database: Database,
    project: str,
    wanted: Sequence[Inquiry],
    standing: Sequence[Judgement],
    now: datetime,
    redactor: Redactor,
) -> int:
    if not wanted:
        return 0
    with database.read() as connection:
        ids = sorted({id_ for one in wanted for id_ in one.memories})
        said = dict(connection.execute(_SAID, {"ids": ids}).fetchall())
    rows = [
        (
            id_of(one.question, [said[id_] for id_ in one.memories]),
            project,
            one.question.value,
            list(one.memories),
            redactor.redact(clean(one.why))[:REASON_CHARACTERS],
            one.proposed_by,
            min(1.0, max(0.0, one.weight)),
            one.opens,
            now,
            [id_ for pair in one.also for id_ in pair],
        )
        for one in wanted
        if all(id_ in said for id_ in one.memories)
    ]
    fresh = list({row[0]: row for row in rows}.values())
    if not fresh:
        return 0
    with database.write(quiet=True) as connection:
        connection.execute(_GONE, {"project": project, "standing": [one.id for one in standing]})
        connection.execute(_STALE, {"ids": [row[0] for row in fresh], "memories": [row[3] for row in fresh]})
        return insert_rows(connection, "judgements", _COLUMNS, fresh, or_ignore=True)


def asked(database: Database, project: str) -> frozenset[frozenset[str]]:
    """The memories that questions were put about which still say what was asked about."""
    return frozenset(pair for one in questions(database, project) for pair in _pairs(one.inquiry))


def questions(database: Database, project: str) -> list[Judgement]:
    """All questions that still stand, those without an answer first."""
    return [*waiting(database, project), *answered(database, project)]


def waiting(database: Database, project: str, judge: str = "") -> list[Judgement]:
    """Questions without an answer that `judge` has not declined, the likeliest first."""
    return _listed(database, project, judge, waiting=True)


def answered(database: Database, project: str) -> list[Judgement]:
    """Questions with an answer."""
    return _listed(database, project, "", waiting=False)


def not_carried_out(database: Database, project: str, step: str) -> Iterator[Judgement]:
    """What was answered, a pair each, but for what the pass `step` has carried out, ever."""
    with database.read() as connection:
        rows = connection.execute(_UNDONE_OR_DONE, {"project": project, "pass": step}).fetchall()
    done = {frozenset(memories) for (memories,) in rows}
    found = (one for said in answered(database, project) for one in each_pair(said))
    return (one for one in found if frozenset(one.inquiry.memories) not in done)


def each_pair(one: Judgement) -> Iterator[Judgement]:
    """A question as if it had been put about each pair that it stands for."""
    for pair in (one.inquiry.memories, *one.inquiry.also):
        yield replace(one, inquiry=replace(one.inquiry, memories=pair, also=()))


def _pairs(one: Inquiry) -> Iterator[frozenset[str]]:
    return map(frozenset, (one.memories, *one.also))


def answer(
    database: Database,
    one: Judgement,
    verdict: JudgeVerdict,
    *,
    reason: str,
    judge: str,
    now: datetime,
    redactor: Redactor,
) -> None:
    """Write down what a judge says. Unsure is no answer: others are asked. A person's word replaces any other.

    That two are to be one is left to a person, as if the judge were unsure, where nobody else may fold them.
    """
    folds = fold(verdict, one.texts, one.inquiry.memories)
    left = judge != PERSON and folds is not None and by_hand.why_unfolded(database, *folds, now)
    with database.write(quiet=True) as connection:
        if verdict is JudgeVerdict.UNSURE or left:
            connection.execute(_DECLINE, {"id": one.id, "judge": judge})
            return
        said = redactor.redact(clean(reason))[:REASON_CHARACTERS]
        given = {"id": one.id, "answer": verdict.value, "reason": said, "judge": judge, "now": now}
        connection.execute(_ANSWER, {**given, "person": judge == PERSON})


def answered_since(database: Database, project: str, judge: str, since: datetime) -> int:
    """How many questions a judge has answered since a moment."""
    with database.read() as connection:
        given = {"project": project, "judge": judge, "since": since}
        row = connection.execute(_ANSWERED_SINCE, given).fetchone()
    return int(row[0]) if row else 0


def to_weigh(database: Database, project: str, limit: int) -> list[str]:
    """Memories of history that no judge was asked about, as many as `limit` leaves beside those that wait."""
    with database.read() as connection:
        given = {"project": project, "limit": limit, "characters": TEXT_CHARACTERS}
        return [id_ for (id_,) in connection.execute(_TO_WEIGH, given).fetchall()]


def _listed(database: Database, project: str, judge: str, *, waiting: bool) -> list[Judgement]:
    with database.read() as connection:
        given = {"project": project, "judge": judge, "waiting": waiting}
        rows = connection.execute(_ROWS, given).fetchall()
        ids = sorted({id_ for row in rows for id_ in (*row[2], *row[-1])})
        told = connection.execute(_TEXTS, {"ids": ids, "characters": TEXT_CHARACTERS}).fetchall() if ids else []
        done = connection.execute(_ACTIONS, {"ids": ids}).fetchall() if ids else []
    texts = {
        id_: (JudgedText(id_, text, source, since, where), digest) for id_, text, digest, source, since, where in told
    }
    texts |= {id_: (JudgedText(id_, text, "action", at), digest_of(text)) for id_, text, at in done}
    return list(_standing(rows, texts))


def _standing(rows: Sequence[tuple[Any, ...]], texts: Mapping[str, tuple[JudgedText, str]]) -> Iterator[Judgement]:
    """Those whose memories still say what was asked about."""
    for (
        id_,
        question,
        memories,
        why,
        proposed_by,
        weight,
        opens,
        asked_at,
        said,
        reason,
        judge,
        answered_at,
        more,
    ) in rows:
        found = [texts[memory] for memory in memories if memory in texts]
        asked = JudgeQuestion(question)
        if len(found) < len(memories) or id_of(asked, [digest for _, digest in found]) != id_:
            continue
        also = tuple((a, b) for a, b in zip(more[::2], more[1::2], strict=True) if a in texts and b in texts)
        conflict = pair_id(*memories) if asked is JudgeQuestion.PAIR else ""
        yield Judgement(
            id=id_,
            inquiry=Inquiry(asked, tuple(memories), why, weight, proposed_by, opens, also, conflict),
            texts=tuple(text for text, _ in found),
            asked_at=asked_at,
            answer=JudgeVerdict(said) if said else None,
            reason=reason,
            judge=judge,
            answered_at=answered_at,
        )


def digest_of(action: str) -> str:
    """What tells an action from others: its words, whatever stands between them and at its end."""
    return hashlib.md5(" ".join(action.split()).rstrip(". ").encode(), usedforsecurity=False).hexdigest()


def id_of(question: JudgeQuestion, digests: Sequence[str]) -> str:
    """The id of a question, from what its memories say in whatever order."""
    said = "\x1f".join((question.value, *sorted(digests)))
    return "j1" + hashlib.sha256(said.encode()).hexdigest()[:30]
