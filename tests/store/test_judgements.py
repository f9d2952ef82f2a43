"""The queue of questions: asked once, the likeliest first, and nothing of what is said no longer."""

from __future__ import annotations

from fakes import PlainRedactor
from msgspec.structs import replace
from stores import NOW, PROJECT, at, fact, memories

from companion.records import Inquiry, JudgeQuestion, JudgeVerdict, Levels, Source
from companion.store import judgements
from companion.store.judgements import WAITING_MOST


def told(database, *texts: str) -> list[str]:
    """Notes by hand, and their ids in that order."""
    for number, text in enumerate(texts):
        draft = fact("note", text, attribute="", levels=Levels(text, text, text, text[:50]), source=Source.BY_HAND)
        memories(database).reconcile(PROJECT, f"hand {text}", [text], [replace(draft, origin=text)], at(number))
    with database.read() as connection:
        known = dict(connection.execute("select content_full, id from memories where status = 'active'").fetchall())
    return [known[text] for text in texts]


def put(database, *pairs: tuple[str, str], weight: float = 0.5) -> int:
    asked = [Inquiry(JudgeQuestion.PAIR, pair, "they differ, hunter2-secret", weight) for pair in pairs]
    return judgements.ask(database, PROJECT, asked, NOW, PlainRedactor())


def test_a_pair_is_asked_about_once_in_whatever_order_and_its_reason_is_redacted(database):
    a, b = told(database, "Sessions live in Redis", "Sessions live in Postgres")
    assert put(database, (a, b)) == 1
    assert put(database, (b, a)) == 0
    (one,) = judgements.waiting(database, PROJECT)
    assert [text.text for text in one.texts] == ["Sessions live in Redis", "Sessions live in Postgres"]
    assert "hunter2" not in one.inquiry.why


def test_the_likeliest_come_first_and_no_more_wait_than_a_judge_would_read(database):
    ids = told(database, *(f"note number {number}" for number in range(36)))
    pairs = [(a, b) for n, a in enumerate(ids) for b in ids[n + 1 :]]
    weighed = [Inquiry(JudgeQuestion.PAIR, pair, "", weight / len(pairs)) for weight, pair in enumerate(pairs, start=1)]
    assert judgements.ask(database, PROJECT, weighed, NOW, PlainRedactor()) == WAITING_MOST
    waiting = judgements.waiting(database, PROJECT)
    assert [one.inquiry.memories for one in waiting] == pairs[::-1][:WAITING_MOST]
    judgements.answer(
        database, waiting[0], JudgeVerdict.BESIDE, reason="", judge="person", now=NOW, redactor=PlainRedactor()
    )
    assert judgements.ask(database, PROJECT, weighed, NOW, PlainRedactor()) == 1, "the next likeliest has its turn"


def test_a_likelier_question_takes_the_place_of_the_least_likely_that_waits(database):
    ids = told(database, *(f"note number {number}" for number in range(36)))
    pairs = [(a, b) for n, a in enumerate(ids) for b in ids[n + 1 :]][: WAITING_MOST + 2]
    first = [Inquiry(JudgeQuestion.PAIR, pair, "", 0.5 - n / 2_000) for n, pair in enumerate(pairs[:-2])]
    later = [Inquiry(JudgeQuestion.PAIR, pairs[-2], "", 0.9), Inquiry(JudgeQuestion.PAIR, pairs[-1], "", 0.1)]
    judgements.ask(database, PROJECT, first, NOW, PlainRedactor())
    assert judgements.ask(database, PROJECT, later, NOW, PlainRedactor()) == 1
    waiting = [one.inquiry.memories for one in judgements.waiting(database, PROJECT)]
    assert waiting == [pairs[-2], *pairs[:-3]]


def test_what_is_said_no_longer_is_neither_shown_nor_in_the_way(database):
    a, b, c = told(database, "Sessions live in Redis", "Sessions live in Postgres", "Sessions live in memory")
    put(database, (a, b))
    memories(database).forget(a, NOW)
    assert judgements.waiting(database, PROJECT) == []
    put(database, (b, c))
    with database.read() as connection:
        assert connection.execute("select count(*) from judgements").fetchone() == (1,)


def test_who_cannot_say_is_not_asked_again_and_others_are(database):
    a, b = told(database, "Sessions live in Redis", "Sessions live in Postgres")
    put(database, (a, b))
    (one,) = judgements.waiting(database, PROJECT, "model tiny")
    judgements.answer(
        database, one, JudgeVerdict.UNSURE, reason="", judge="model tiny", now=NOW, redactor=PlainRedactor()
    )
    assert judgements.waiting(database, PROJECT, "model tiny") == []
    assert judgements.waiting(database, PROJECT, "assistant tiny") == judgements.waiting(database, PROJECT) != []


def test_all_questions_are_listed_at_once_those_without_an_answer_first_and_the_likeliest_of_each(database):
    ids = told(database, *(f"note number {number}" for number in range(5)))
    for number, weight in enumerate((0.2, 0.9, 0.4, 0.7)):
        put(database, (ids[number], ids[number + 1]), weight=weight)
    for one in judgements.waiting(database, PROJECT)[:3:2]:
        judgements.answer(
            database, one, JudgeVerdict.BESIDE, reason="", judge="person", now=NOW, redactor=PlainRedactor()
        )
    assert [one.inquiry.weight for one in judgements.questions(database, PROJECT)] == [0.7, 0.2, 0.9, 0.4]
    assert [one.inquiry.weight for one in judgements.waiting(database, PROJECT)] == [0.7, 0.2]
    assert [one.inquiry.weight for one in judgements.answered(database, PROJECT)] == [0.9, 0.4]
