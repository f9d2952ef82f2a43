"""What is offered unasked: once, at a calm moment, never in the way, and with its answer taken to heart."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta

import pytest
from repos import Repo

from app.conftest import Desk
from app.talks import LabelledLines, say
from companion.api import Todo
from companion.app.local import LocalCompanion
from companion.app.verbs.conversation.nudges import night_of
from companion.errors import UsageError
from companion.ports import NoProgress
from companion.records import Touch, Touched
from companion.records.nudges import NudgeAnswer, NudgeSort, NudgeState
from companion.records.talk import ItemState, Message, Role, TalkState, TodoSort
from companion.store.talk import items
from companion.talk.nudging import FLOW_TOUCHES

MEND = "mend the rounding"


def calm(desk: Desk, repo: Repo) -> LocalCompanion:
    companion = desk.open(repo.root)
    rules = LabelledLines()
    companion.runtime.talk_rules = lambda: rules
    companion.runtime.adapters.on_the_wall = lambda moment: moment
    return companion


@pytest.fixture
def opened(desk: Desk, repo: Repo) -> Iterator[LocalCompanion]:
    companion = calm(desk, repo)
    yield companion
    companion.close()


def later(companion: LocalCompanion, **by: float) -> None:
    companion.runtime.adapters.clock.advance(**by)  # type: ignore[attr-defined]


def stale(companion: LocalCompanion, *texts: str, days: float = 6) -> list[str]:
    kept = [companion.add_todo(Todo(text)).id for text in texts or (MEND,)]
    later(companion, days=days)
    return kept


def kept_back(companion: LocalCompanion) -> dict[str, str]:
    return {one.subject: one.why for one in companion.nudges() if one.state is NudgeState.KEPT_BACK}


def test_a_task_that_nobody_touched_for_days_is_offered_once(opened: LocalCompanion):
    (task,) = stale(opened)
    one = opened.offer_nudge()
    assert one is not None
    assert (one.sort, one.subject, one.state) == (NudgeSort.STALE_TASK, task, NudgeState.OFFERED)
    assert one.text == "“mend the rounding” has not been mentioned for 6 days. Is it done?"
    later(opened, days=30, hours=1)
    assert opened.offer_nudge() is None
    assert [(each.id, each.answer) for each in opened.nudges()] == [(one.id, NudgeAnswer.NONE)]


def test_nothing_is_offered_where_there_is_nothing(opened: LocalCompanion):
    opened.add_todo(Todo("young"))
    opened.add_todo(Todo("stretch", TodoSort.HABIT))
    assert opened.offer_nudge() is None
    later(opened, days=6)
    opened.settle_thread(next(one.id for one in opened.threads() if one.text == "young"))
    assert opened.offer_nudge() is None, "a habit is never done"
    assert opened.nudges() == ()


def test_done_settles_the_task_and_any_answer_can_be_changed(opened: LocalCompanion):
    (task,) = stale(opened)
    one = opened.offer_nudge()
    assert one is not None
    assert opened.answer_nudge(one.id[:8], NudgeAnswer.OPEN).answer is NudgeAnswer.OPEN
    assert items.get(opened.store.database, task).state is ItemState.OPEN
    done = opened.answer_nudge(one.id, NudgeAnswer.DONE)
    assert items.get(opened.store.database, task).state is ItemState.SETTLED
    assert done.text == "It has been resolved or removed."
    assert opened.answer_nudge(one.id, NudgeAnswer.DONE).answer is NudgeAnswer.DONE


def test_later_brings_it_once_more_and_never_for_good(opened: LocalCompanion):
    first, second = stale(opened, "one", "two")
    one = opened.offer_nudge()
    assert one is not None
    opened.answer_nudge(one.id, NudgeAnswer.LATER)
    assert opened.offer_nudge() is None
    assert kept_back(opened) == {({first, second} - {one.subject}).pop(): "another was suggested a short while ago"}
    later(opened, days=1, hours=1)
    again = opened.offer_nudge()
    assert again is not None
    opened.answer_nudge(again.id, NudgeAnswer.NEVER)
    offered = []
    for _ in range(4):
        later(opened, days=2)
        offered.append(opened.offer_nudge())
    assert [one.subject for one in offered if one is not None] == [*({first, second} - {again.subject})]


def test_what_was_not_offered_cannot_be_answered(opened: LocalCompanion):
    stale(opened, "one", "two")
    opened.offer_nudge()
    other = next(one for one in opened.nudges() if one.state is NudgeState.KEPT_BACK)
    with pytest.raises(UsageError, match="was not offered"):
        opened.answer_nudge(other.id, NudgeAnswer.DONE)
    offered = next(one for one in opened.nudges() if one.state is NudgeState.OFFERED)
    with pytest.raises(UsageError, match="not an answer"):
        opened.answer_nudge(offered.id, NudgeAnswer.NONE)
    for unknown in ("n1nothing", "", "n1"):
        with pytest.raises(UsageError, match="nudge"):
            opened.answer_nudge(unknown, NudgeAnswer.DONE)


def test_why_it_was_kept_back_is_told_and_written_only_when_it_changes(opened: LocalCompanion):
    (task,) = stale(opened)
    later(opened, hours=14)
    assert opened.offer_nudge() is None
    assert kept_back(opened) == {task: "these are quiet hours"}
    decided = opened.nudges()[0].decided_at
    later(opened, hours=1)
    assert opened.offer_nudge() is None
    assert opened.nudges()[0].decided_at == decided
    later(opened, hours=10)
    assert opened.offer_nudge() is not None


def test_a_conversation_that_rests_is_offered_to_be_closed(opened: LocalCompanion):
    opened.start_conversation("Prices")
    say(opened, "Hello", "decision: prices are cents")
    later(opened, minutes=44)
    assert opened.offer_nudge() is None
    later(opened, minutes=2)
    one = opened.offer_nudge()
    assert one is not None
    assert one.text == "The conversation “Prices” is idle after 2 turns. Done? It would be prepared for review."
    opened.answer_nudge(one.id, NudgeAnswer.DONE)
    waits = opened.active_conversation()
    assert waits is not None
    assert waits.state is TalkState.READY_TO_CLOSE
    assert opened.story() == (), "nothing is remembered before it is reviewed"


def test_a_paused_conversation_silences_everything(opened: LocalCompanion):
    (task,) = stale(opened)
    opened.start_conversation("Prices")
    say(opened, "Hello", "decision: prices are cents")
    opened.pause_conversation()
    later(opened, hours=2)
    assert opened.offer_nudge() is None
    assert kept_back(opened)[task] == "the conversation is paused"


def test_while_turns_are_exchanged_nothing_is_offered(opened: LocalCompanion):
    (task,) = stale(opened)
    opened.start_conversation("Prices")
    say(opened, "Hello")
    later(opened, minutes=5)
    assert opened.offer_nudge() is None
    assert kept_back(opened) == {task: "turns are being exchanged"}


def test_what_is_offered_joins_the_conversation_without_the_words_of_others(opened: LocalCompanion):
    (task,) = stale(opened)
    one = opened.start_conversation("Prices")
    say(opened, "Hello")
    later(opened, minutes=20)
    offer = opened.offer_nudge()
    assert offer is not None
    joined = opened.transcript().turns[-1].messages[-1]
    assert joined.role is Role.SYSTEM
    assert task[:12] in joined.text
    assert MEND not in joined.text
    opened.add_turn([Message(Role.USER, "I mended it")])
    preview = opened.close_conversation()
    assert not [item for item in preview.extraction.items if "offered" in item.text]
    opened.answer_nudge(offer.id, NudgeAnswer.NEVER)
    opened.forget_conversation(one.id)
    assert [each.answer for each in opened.nudges()] == [NudgeAnswer.NEVER], "the task is another's"
    with opened.store.database.read() as connection:
        assert connection.execute("select distinct conversation_id from nudges").fetchall() == [("",)]


def test_what_an_offer_is_about_can_be_deleted(opened: LocalCompanion):
    opened.start_conversation("Prices")
    say(opened, "Hello", "Hello again")
    later(opened, hours=1)
    one = opened.offer_nudge()
    assert one is not None
    opened.forget_conversation(one.subject)
    assert opened.nudges() == ()
    assert opened.offer_nudge() is None


def test_settings_switch_it_off_or_move_the_night(opened: LocalCompanion):
    import dataclasses

    (task,) = stale(opened)
    runtime = opened.runtime
    runtime.settings = dataclasses.replace(runtime.settings, nudges="off")
    assert opened.offer_nudge() is None
    assert kept_back(opened)[task] == "nudges are switched off"
    runtime.settings = dataclasses.replace(runtime.settings, nudges="on", quiet_hours="8-12")
    assert opened.offer_nudge() is None
    runtime.settings = dataclasses.replace(runtime.settings, quiet_hours="")
    assert opened.offer_nudge() is not None
    for wrong in ("late", "22", "25-3", "22-8-3"):
        with pytest.raises(UsageError, match="quiet_hours"):
            night_of(wrong)


def test_work_in_full_flow_is_not_disturbed_and_a_contradiction_at_hand_comes_first(desk: Desk, new_repo):
    repo = new_repo("shop")
    repo.write("pyproject.toml", '[project]\nname = "shop"\nrequires-python = ">=3.11"\n')
    repo.write("setup.cfg", "[options]\npython_requires = >=3.8\n")
    repo.commit("Add the shop")
    companion = calm(desk, repo)
    companion.scan(NoProgress())
    (pair,) = companion.contradictions()
    assert companion.offer_nudge("setup.cfg") is None
    assert kept_back(companion) == {pair.id: "it has only just come up"}
    later(companion, days=1)
    for number in range(FLOW_TOUCHES + 1):
        how = Touch.SAVED if number % 2 else Touch.EDITED
        companion.observe([Touched(str(repo.root / "setup.cfg"), how, line=number + 1)])
    assert companion.offer_nudge(str(repo.root / "setup.cfg")) is None
    assert kept_back(companion) == {pair.id: "work is in full flow"}
    later(companion, minutes=5)
    one = companion.offer_nudge(str(repo.root / "setup.cfg"))
    assert one is not None
    assert (one.sort, one.subject, one.opens) == (NudgeSort.CONTRADICTION, pair.id, pair.a.id)
    assert pair.a.draft.levels.index in one.text
    companion.close()


def test_of_two_editors_that_ask_at_once_one_is_told(opened: LocalCompanion):
    from concurrent.futures import ThreadPoolExecutor

    stale(opened, "one", "two")
    with ThreadPoolExecutor(4) as pool:
        given = list(pool.map(lambda _: opened.offer_nudge(), range(4)))
    assert len([one for one in given if one is not None]) == 1


def test_a_clock_that_is_set_back_brings_nothing_twice(opened: LocalCompanion):
    stale(opened)
    assert opened.offer_nudge() is not None
    opened.runtime.adapters.clock.moment -= timedelta(days=2)  # type: ignore[attr-defined]
    assert opened.offer_nudge() is None
