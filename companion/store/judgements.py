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
from datetime import datetime

from msgspec.structs import replace

from companion.ports import Redactor
from companion.records.judgements import WAITING_MOST, Inquiry, JudgedText, Judgement, JudgeQuestion, JudgeVerdict, fold
from companion.store.binding import duckdb
from companion.store.by_columns import pairs_where, set_where
from companion.store.consolidation import by_hand
from companion.store.database import Database
from companion.store.memories.conflicts import pair_id
from companion.store.rows import Given, Query, Table, apart, column
from companion.store.statements import execute
from companion.store.texts import clean, hashed_id

PERSON = "person"
"""The judge that a command line or a page speaks for: no limit holds for it."""
TEXT_CHARACTERS = 600
"""Characters of a memory that a judge reads: the first sentences say it, the rest argues."""
REASON_CHARACTERS = 400
"""Characters of a reason that are kept: a sentence or two."""

INQUIRIES = Table(Inquiry, "judgements", apart("also", "conflict"))
JUDGEMENTS = Table(
    Judgement,
    "judgements",
    {"inquiry": "", "texts": Given(()), **apart("inquiry.also", "inquiry.conflict", "asks", "answers")},
)

_GONE = """
delete from judgements
where project_id = $project
    and answer = ''
    and id not in (select unnest($standing::varchar[]))
"""
"""Questions that nobody has answered about what is said no longer."""

_LISTED = JUDGEMENTS.select(
    """
where project_id = $project
    and list_contains($unanswered::boolean[], answer = '')
    and not list_contains(declined, $judge)
order by answer <> '', weight desc, asked_at, id
""",
    "coalesce(also, []) as more",
)

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
from run_changes
join runs on runs.id = run_changes.run_id
where runs.project_id = $project
    and pass = $pass
    and run_changes.state in ('applied', 'undone')
"""

_TEXTS = Query(
    JudgedText,
    """
select
    id, left(content_full, $characters) as text, md5(content_full) as digest,
    coalesce(nullif(origin, ''), source) as source, coalesce(valid_from, created_at) as since,
    concat_ws(
        ', ',
        nullif(if(attribute <> '', subject, if(source <> 'scan' and label <> 'convention', label, '')), ''),
        nullif(scope_language, ''), nullif(scope_path, ''), nullif(scope_environment, ''), nullif(scope_version, ''),
        nullif(scope_branch, '')
    ) as holds_in
from memories
where id in (select unnest($ids::varchar[]))
    and status = 'active'
""",
)

_ACTIONS = Query(
    JudgedText,
    """
select id, action as text, 'action' as source, asked_at as since
from answers
where id in (select unnest($ids::varchar[]))
""",
)

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
        where question = $question
    )
    and ($question <> 'decision' or (kind = 'episode' and id in (
        select unnest(memories)
        from judgements
        where question = 'worth'
            and answer = 'keep'
    )))
order by importance desc, retrieved_count desc, created_at desc, id
limit greatest(0, $limit - (
    select count(*)
    from judgements
    where project_id = $project
        and question = $question
        and answer = ''
))
"""
"""What commits taught and nobody was asked this about yet: what is held dear and shown most comes first. Whether it was
decided is asked of an episode that is worth keeping."""

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
    there = questions(database, project)
    known = {(one.inquiry.question, pair): one for one in there for pair in _pairs(one.inquiry)}
    conflicts = {one.inquiry.conflict: one for one in there if one.inquiry.conflict}
    standing = [one for one in there if one.answer is None]
    wanted: list[Inquiry] = []
    for one in sorted(inquiries, key=lambda one: -one.weight):
        asked_before = (known.get((one.question, pair)) for pair in _pairs(one))
        met = next(filter(None, asked_before), conflicts.get(one.conflict))
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
    ids = {id_ for one in wanted for id_ in one.memories}
    said = pairs_where(database, "memories", "id, md5(content_full)", id=ids, status="active")
    fresh = {
        id_of(one.question, [said[id_] for id_ in one.memories]): replace(
            one, why=redactor.redact(clean(one.why))[:REASON_CHARACTERS], weight=min(1.0, max(0.0, one.weight))
        )
        for one in wanted
        if all(id_ in said for id_ in one.memories)
    }
    if not fresh:
        return 0
    with database.write(quiet=True) as connection:
        execute(connection, _GONE, {"project": project, "standing": [one.id for one in standing]})
        about = [list(one.memories) for one in fresh.values()]
        execute(connection, _STALE, {"ids": list(fresh), "memories": about})
        return insert(connection, project, fresh, now)


def insert(connection: duckdb.DuckDBPyConnection, project: str, fresh: Mapping[str, Inquiry], now: datetime) -> int:
    """Put questions in, by their ids, but for those that are there; returns how many that were."""
    also = [[id_ for pair in one.also for id_ in pair] for one in fresh.values()]
    given = {"id": list(fresh), "project_id": project, "asked_at": now, "also": also}
    return INQUIRIES.insert(connection, list(fresh.values()), or_ignore=True, **given)


def asked(database: Database, project: str) -> frozenset[frozenset[str]]:
    """The memories that questions were put about which still say what was asked about."""
    return frozenset(pair for one in questions(database, project) for pair in _pairs(one.inquiry))


def questions(database: Database, project: str) -> list[Judgement]:
    """All questions that still stand, those without an answer first."""
    return _listed(database, project, unanswered=(True, False))


def waiting(database: Database, project: str, judge: str = "") -> list[Judgement]:
    """Questions without an answer that `judge` has not declined, the likeliest first."""
    return _listed(database, project, judge, unanswered=(True,))


def answered(database: Database, project: str) -> list[Judgement]:
    """Questions with an answer."""
    return _listed(database, project, unanswered=(False,))


def not_carried_out(database: Database, project: str, step: str, asked: Iterable[Judgement]) -> Iterator[Judgement]:
    """What was answered of those asked, a pair each, but for what the pass `step` has carried out, ever."""
    done = {frozenset(memories) for memories in column(database, _UNDONE_OR_DONE, **{"project": project, "pass": step})}
    found = (one for said in asked if said.answer is not None for one in each_pair(said))
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
    """Write down what a judge says. Unsure is no answer: others are asked.

    A person's word replaces any other, and so does what is said of a question that is given with its answer.
    That two are to be one is left to a person, as if the judge were unsure, where nobody else may fold them.
    """
    folds = fold(verdict, one.texts, one.inquiry.memories)
    left = judge != PERSON and folds is not None and by_hand.why_unfolded(database, *folds, now)
    with database.write(quiet=True) as connection:
        if verdict is JudgeVerdict.UNSURE or left:
            execute(connection, _DECLINE, {"id": one.id, "judge": judge})
            return
        said = redactor.redact(clean(reason))[:REASON_CHARACTERS]
        told = {"answer": verdict, "reason": said, "judge": judge, "answered_at": now}
        unanswered = {} if judge == PERSON or one.answer is not None else {"answer": ""}
        set_where(connection, "judgements", told, quiet=True, id=one.id, **unanswered)


def answered_since(database: Database, project: str, judge: str, since: datetime) -> int:
    """How many questions a judge has answered since a moment."""
    return int(column(database, _ANSWERED_SINCE, project=project, judge=judge, since=since)[0])


def to_weigh(database: Database, project: str, question: JudgeQuestion, limit: int) -> list[str]:
    """Memories of history that no judge was asked this about, as many as `limit` leaves beside those that wait."""
    given = {"project": project, "question": question.value, "limit": limit, "characters": TEXT_CHARACTERS}
    return column(database, _TO_WEIGH, **given)


def _listed(database: Database, project: str, judge: str = "", *, unanswered: Sequence[bool]) -> list[Judgement]:
    with database.read() as connection:
        found = list(_LISTED.keyed(connection, "more", project=project, judge=judge, unanswered=unanswered))
        ids = {id_ for more, one in found for id_ in (*one.inquiry.memories, *more)}
        told = _TEXTS.keyed(connection, "digest", ids=ids, characters=TEXT_CHARACTERS) if ids else ()
        texts = {text.id: (text, digest) for digest, text in told}
        of_action = any(one.inquiry.question is JudgeQuestion.ACTION for _, one in found)
        actions = _ACTIONS.all(connection, ids=ids) if of_action else ()
    texts |= {one.id: (one, digest_of(one.text)) for one in actions}
    return list(_standing(found, texts))


def _standing(
    listed: Iterable[tuple[list[str], Judgement]], texts: Mapping[str, tuple[JudgedText, str]]
) -> Iterator[Judgement]:
    """Those whose memories still say what was asked about, each with the pairs that it stands for beside its own."""
    for more, one in listed:
        asked, memories = one.inquiry.question, one.inquiry.memories
        found = [texts[memory] for memory in memories if memory in texts]
        if len(found) < len(memories) or id_of(asked, [digest for _, digest in found]) != one.id:
            continue
        also = tuple((a, b) for a, b in zip(more[::2], more[1::2], strict=True) if a in texts and b in texts)
        conflict = pair_id(*memories) if asked is JudgeQuestion.PAIR else ""
        inquiry = replace(one.inquiry, also=also, conflict=conflict)
        yield replace(one, inquiry=inquiry, texts=tuple(text for text, _ in found))


def digest_of(action: str) -> str:
    """What tells an action from others: its words, whatever stands between them and at its end."""
    return hashlib.md5(" ".join(action.split()).rstrip(". ").encode(), usedforsecurity=False).hexdigest()


def id_of(question: JudgeQuestion, digests: Sequence[str]) -> str:
    """The id of a question, from what its memories say in whatever order."""
    return hashed_id("j1", question.value, *sorted(digests))
