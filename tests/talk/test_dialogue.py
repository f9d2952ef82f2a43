"""What is said later does to what was said before: takes it back, replaces, goes on about it, finishes it.

What each sentence does is scripted, see `scripted_talks`. How well the shipped model hears acts is measured by
`scripts/eval extraction` and, roughly, by `test_conversations`.
"""

from __future__ import annotations

import pytest

from companion.records.talk import ItemType
from talk.scripted_talks import items_of, texts


@pytest.mark.parametrize("back", ["scratch that", "never mind", "no wait, forget that"])
def test_what_was_just_said_can_be_taken_back(back: str) -> None:
    assert texts(("decision| Let's use Redis for the queue", "remark| OK."), (f"refuse| {back}", "remark| OK.")) == []


def test_what_was_said_long_ago_is_taken_back_by_name_only() -> None:
    small = [("remark| ok", "remark| Fine.")] * 5
    said = ("decision| Let's use Redis for the queue", "remark| OK.")
    assert texts(said, *small, ("refuse| never mind", "remark| OK.")) == ["use Redis for the queue"]
    assert texts(said, *small, ("refuse| forget Redis and the queue", "remark| OK.")) == []


def test_a_later_choice_stands_in_the_place_of_an_earlier_one() -> None:
    first = ("decision| Let's use DuckDB.", "")
    assert texts(first, ("decision| Actually let's use SQLite.", "")) == ["use SQLite"]
    assert texts(("decision| set the timeout to 30 seconds", ""), ("decision| set the timeout to 60 seconds", "")) == [
        "set the timeout to 60 seconds"
    ]
    (item,) = items_of(("decision| let's support Windows", ""), ("decision| we won't support Windows", ""))
    assert (item.text, item.details["replaces"]) == ("we won't support Windows", "support Windows")


@pytest.mark.parametrize(
    ("first", "then", "stands"),
    [
        ("decision| run the backup daily", "remark| actually weekly is enough", "run the backup: weekly is enough"),
        ("decision| keep ten copies", "remark| no wait, five", "keep: five"),
        (
            "decision| the worker stops after 30 s",
            "remark| hold on, two minutes",
            "the worker stops: two minutes",
        ),
        ("request| poll every minute", "weighed| too often\ndecision| make it 5", "poll: make it 5"),
        (
            "decision| keep sessions in redis",
            "decision| drop that, sessions won't live in redis",
            "sessions won't live in redis",
        ),
    ],
)
def test_what_is_set_against_the_last_choice_stands_in_its_place_with_what_it_is_of(
    first: str, then: str, stands: str
) -> None:
    assert texts((first, "done| Done, every time."), (then, "")) == [stands]


@pytest.mark.parametrize(
    "then",
    [
        "remark| actually that took two days",
        "remark| weekly would be enough elsewhere",
        "weighed| actually weekly may do",
    ],
)
def test_another_amount_that_is_of_something_else_or_set_against_nothing_changes_nothing(then: str) -> None:
    assert "run the backup daily" in texts(("decision| run the backup daily", "done| Done."), (then, "remark| Well."))


def test_two_choices_of_different_things_both_stand() -> None:
    chosen = (("decision| Let's use DuckDB for storage.", ""), ("decision| Let's use ruff for linting.", ""))
    assert texts(*chosen) == ["use DuckDB for storage", "use ruff for linting"]


def test_what_the_assistant_does_of_what_was_to_do_is_completed() -> None:
    (item,) = items_of(
        ("todo| I still need to add a retry to the client", ""),
        ("request| please do", "done| I've added a retry to the client."),
    )
    assert (item.type, item.details["status"]) == (ItemType.TASK, "completed")


def test_what_is_asked_of_the_assistant_is_no_item() -> None:
    assert texts(("request| add a retry to the client", "done| I've added a retry to the client.")) == []


def test_what_was_waited_for_and_came_is_no_wait_any_more() -> None:
    waits = ("waiting| waiting on Alex for the contract", "")
    (item,) = items_of(waits)
    assert (item.type, item.details["who"]) == (ItemType.WAITING_ON, "Alex")
    assert texts(waits, ("done| Alex sent the contract", "")) == []


def test_a_blocker_that_is_cleared_is_none_any_more() -> None:
    blocked = ("blocked| the release is blocked by the expired certificate", "")
    assert texts(blocked) == ["the release is blocked by the expired certificate"]
    assert texts(blocked, ("done| the expired certificate that blocked the release is renewed", "")) == []


def test_a_question_that_nobody_could_answer_stays_open_until_it_is_decided() -> None:
    asked = ("question| Should we partition by device or by day?", "remark| It depends on your queries.")
    (item,) = items_of(asked)
    assert (item.type, item.text) == (ItemType.QUESTION, "Should we partition by device or by day?")
    assert texts(asked, ("decision| let's partition by day", "")) == ["partition by day"]


def test_a_question_that_was_answered_leaves_nothing() -> None:
    answer = "remark| eu-west-1, as the other services are there."
    assert texts(("question| Which region should we deploy to?", answer)) == []


def test_the_assistant_alone_leaves_nothing() -> None:
    alone = (
        "decision| We decided to use MongoDB.\ntodo| I'll rewrite everything by Friday.\nwaiting| Waiting on Alex.\n"
        "insight| Lesson learned: test.\nrule| Always squash."
    )
    assert texts(("remark| ok", alone), ("remark| thanks", alone)) == []


LAID_OUT = (
    "remark| uploads die",
    "weighed| Either we raise the proxy's timeout, or we let the browser upload straight to S3.",
)


def test_options_laid_out_in_a_sentence_are_chosen_among_even_after_asking_back() -> None:
    asked_back = ("question| does S3 cost much more?", "remark| About ten euros a month.")
    (item,) = items_of(LAID_OUT, asked_back, ("agree| second one", ""))
    assert (item.type, item.text) == (ItemType.DECISION, "we let the browser upload straight to S3")
    (lettered,) = items_of(
        ("question| where do we search?", "weighed| Options: (a) a trigram index, (b) Meilisearch beside it."),
        ("agree| (a) it is", ""),
    )
    assert "trigram index" in lettered.text


@pytest.mark.parametrize("reply", ["I find no retention rule in the repository.", "CODEOWNERS does not say."])
def test_a_question_whose_reply_does_not_know_stays_open(reply: str) -> None:
    (item,) = items_of(("question| how long do we keep the rows?", f"remark| {reply}"))
    assert (item.type, item.text) == (ItemType.QUESTION, "how long do we keep the rows?")


def test_a_question_that_a_negative_reply_answers_is_not_open() -> None:
    assert not items_of(("question| does the queue survive a restart?", "remark| No, it is not persistent."))


def test_what_the_user_puts_off_stays_open_whoever_asked() -> None:
    theirs = items_of(("remark| hm", "question| Should the old cache be thrown away?"), ("remark| no idea yet", ""))
    mine = items_of(
        ("question| scan before or after upload?", "weighed| Both are possible."), ("remark| dunno, park it", "")
    )
    assert [item.text for item in (*theirs, *mine)] == [
        "Should the old cache be thrown away?",
        "scan before or after upload?",
    ]


def test_who_is_waited_for_is_told_with_what_stands_in_the_way() -> None:
    (blocker, wait) = items_of(
        ("blocked| the load test key has expired\nwaiting| I pinged Noor\nwaiting| she answers tomorrow", "")
    )
    assert (blocker.type, wait.type) == (ItemType.BLOCKER, ItemType.WAITING_ON)
    assert wait.text == "the load test key has expired: I pinged Noor, she answers tomorrow"


def test_who_will_do_it_when_belongs_to_the_task_before() -> None:
    said = "todo| I have to write the alert for the billing run\ntodo| I'll do that when it's quiet"
    assert texts((said, "")) == ["write the alert for the billing run"]


def test_two_decisions_that_share_one_word_of_many_stand_side_by_side() -> None:
    first = "decision| the browser won't upload through the proxy but straight to the storage with a signed URL"
    second = "decision| the signed address lives thirty minutes"
    assert len(texts((first, ""), (second, ""))) == 2
