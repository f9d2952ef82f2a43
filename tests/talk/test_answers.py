"""What the user makes of what was put to them, or asked by themselves: agrees, chooses, answers, binds.

What each sentence does is scripted, see `scripted_talks`.
"""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from companion.language.names import Names
from companion.records.readings import DialogueAct, PairReading
from companion.records.talk import ItemType
from companion.talk.extract import extract
from talk.conversations import turn_of
from talk.scripted import ScriptedReader
from talk.scripted_talks import START, heard_as, items_of, texts

PROPOSED = ("question| how do we page?", "remark| Offsets get slow.\nquestion| Shall we use cursors of 50 rows?")


def test_what_the_assistant_asks_stands_once_the_user_agrees() -> None:
    (item,) = items_of(PROPOSED, ("agree| sure, go ahead", "done| Done."))
    assert (item.type, item.text, item.turn) == (ItemType.DECISION, "use cursors of 50 rows", 1)
    assert item.details["agreed"] == "2"


@pytest.mark.parametrize(
    "answer", ["refuse| no", "question| hmm, why?", "weighed| maybe later", "remark| let me think", ""]
)
def test_what_the_user_does_not_agree_to_is_not_kept(answer: str) -> None:
    assert not [one for one in items_of(PROPOSED, (answer, "remark| OK.")) if one.type is ItemType.DECISION]


def test_a_suggestion_can_be_agreed_to_and_is_kept_without_what_opens_it() -> None:
    suggested = ("question| what about limits?", "weighed| I'd suggest 100 requests per minute.")
    assert texts(suggested, ("remark| hm", "")) == []
    assert texts(suggested, ("agree| yes do that", "")) == ["100 requests per minute"]


@pytest.mark.parametrize(
    ("answer", "chosen"),
    [
        ("agree| option 2", ["A header"]),
        ("agree| the first one", ["In the path"]),
        ("agree| 3 please", ["None at all"]),
        ("decision| 1 and 2, not 3", ["In the path", "A header"]),
        ("agree| the header", ["A header"]),
    ],
)
def test_options_are_chosen_by_number_place_or_name(answer: str, chosen: list[str]) -> None:
    offered = "weighed| You could do:\n1. In the path\n2. A header\n3. None at all\n\nquestion| Which do you prefer?"
    assert texts(("question| how do we version?", offered), (answer, "")) == chosen


def test_of_two_things_that_were_asked_the_named_one_is_chosen() -> None:
    asked = ("question| next?", "question| Do you want a separate schema or a separate server?")
    assert texts(asked, ("agree| separate server", "")) == ["a separate server"]


def test_a_value_alone_is_told_with_the_question_that_it_answers() -> None:
    asked = ("request| add retries", "question| How often should the client retry?")
    assert texts(asked, ("agree| 12 then", "done| Done.")) == ["How often should the client retry? 12"]


TWO = "question| How often should the client retry?\nquestion| Which port does the admin server listen on?"


@pytest.mark.parametrize(
    "answers",
    [
        ("decision| the admin port is 8081", "decision| 5 times"),
        ("decision| 5 times", "decision| the admin port is 8081"),
        ("decision| we also keep the changelog by hand", "decision| 5 times"),
    ],
)
def test_of_several_questions_the_one_that_an_answer_is_to_is_answered_and_the_others_stay(answers) -> None:
    found = texts(("request| go on", TWO), ("\n".join(answers), ""))
    assert "How often should the client retry? 5 times" in found


@pytest.mark.parametrize(
    ("asked", "answer", "told"),
    [
        ("Does the evaluation of flags need a server?", "server yes, I won't have websockets in the page", True),
        ("Does the evaluation of flags need a server?", "Windows come from a shared lookup table", False),
        ("Should the report keep the videos?", "The report should keep the videos of failures", False),
        ("Which one?", "the second shard", False),
    ],
)
def test_an_answer_is_told_with_its_question_unless_it_repeats_it_or_is_of_something_else(
    asked: str, answer: str, told: bool
) -> None:
    found = texts(("request| go on", f"question| {asked}"), (f"decision| {answer}", ""))
    assert found == [f"{asked} {answer}" if told else answer]


@pytest.mark.parametrize(("answer", "told"), [("64, people have laptops", True), ("we sign every release", False)])
def test_the_users_own_question_is_told_with_what_does_not_stand_alone(answer: str, told: bool) -> None:
    found = texts(("question| max grains", "weighed| 128 would be possible."), (f"decision| {answer}", ""))
    assert found == ([f"max grains: {answer}"] if told else ["max grains", answer])


def test_a_to_do_that_points_at_what_was_said_is_told_with_it() -> None:
    said = (("remark| The drawing says M4 bolts", ""), ("todo| somebody should take the calipers to it", ""))
    assert texts(*said) == ["The drawing says M4 bolts: somebody should take the calipers to it"]


def test_a_value_for_an_it_is_told_with_what_was_set_before_and_stands_in_its_place() -> None:
    said = (("decision| set the timeout to 30 seconds", ""), ("remark| hm", ""), ("decision| make it 60 seconds", ""))
    assert texts(*said) == ["set the timeout: make it 60 seconds"]
    between = (*said[:2], ("decision| use full jitter", ""), said[2])
    assert texts(*between) == ["use full jitter", "set the timeout: make it 60 seconds"]


QUEUE = "Which queue shall we use, SQS or RabbitMQ?"


@pytest.mark.parametrize(
    ("answer", "told"),
    [
        ("agree| sqs then", f"{QUEUE} SQS"),
        ("weighed| customers cannot reach aws, so rabbitmq", f"{QUEUE} RabbitMQ"),
        ("remark| SQS", f"{QUEUE} SQS"),
        ("agree| sqs then\nrefuse| no wait, aws is blocked there\nagree| rabbitmq", f"{QUEUE} RabbitMQ"),
        ("decision| we use RabbitMQ with three retries", f"{QUEUE} we use RabbitMQ with three retries"),
    ],
)
def test_of_what_the_user_asked_about_they_may_choose_and_choose_anew(answer: str, told: str) -> None:
    assert texts((f"question| {QUEUE}", "remark| Both would do."), (answer, "")) == [told]


def test_what_could_be_done_either_way_is_chosen_from_and_its_it_is_told() -> None:
    reply = "remark| The proxy gives up early.\nweighed| We could raise it to 300s, or move to uploads by parts."
    assert texts(("remark| uploads break", reply), ("agree| raise it for now", "")) == [
        "The proxy gives up early: raise it to 300s"
    ]


@pytest.mark.parametrize(
    ("reply", "answer", "told"),
    [
        ("weighed| They need a small package.", "agree| acceptable", "They need a small package: acceptable"),
        ("remark| I can leave a hook.", "agree| ok leave a hook", "what about virus scans? leave a hook"),
        ("remark| It is hardly used.", "request| kill it", "what about virus scans? kill it"),
    ],
)
def test_a_yes_is_told_with_what_it_adds(reply: str, answer: str, told: str) -> None:
    assert texts(("question| what about virus scans?", reply), (answer, "")) == [told]


def test_who_agrees_to_a_reply_has_the_answer_to_their_question_and_what_is_then_done_is_done() -> None:
    asked = ("question| We need to decide how cookies are signed.", "question| Shall I switch the digest to sha256?")
    (item,) = items_of(asked, ("agree| yes, do that", "done| The digest is sha256 now."))
    assert (item.text, item.details["status"]) == ("switch the digest to sha256", "completed")


def test_a_question_behind_a_label_is_still_one() -> None:
    replied = "Done: sha256. Should the fallback be documented?"
    acts = {"Should the fallback": DialogueAct.QUESTION}
    assert heard_as(acts, ("go on", replied), ("not sure yet", "")) == ["Should the fallback be documented?"]


def test_what_a_yes_is_bound_to_stands_with_what_it_says_yes_to() -> None:
    acts = {"nightly purge": DialogueAct.WEIGHED, "user: sure": DialogueAct.AGREE}
    said = (("rows pile up", "Then I'd add a nightly purge."), ("sure, but on Sundays only", ""))
    assert heard_as(acts, *said) == ["add a nightly purge, but on Sundays only"]


@pytest.mark.parametrize("refusal", ["leave them", "don't touch the examples"])
def test_a_refusal_of_what_was_reported_or_offered_takes_nothing_else_back(refusal: str) -> None:
    for reply in ("done| Renamed.\nremark| I can change three examples as well.", "remark| Three examples use it."):
        assert texts(("decision| call it list_all", reply), (f"refuse| {refusal}", "")) == ["call it list_all"]


def test_answers_to_two_questions_are_never_one() -> None:
    def alike(a: str, b: str) -> PairReading:
        return PairReading(0.0, 1.0, 0.0, 0.0, 0.0)

    acts = {"which queue": DialogueAct.QUESTION, "one queue": DialogueAct.QUESTION, "sqs": DialogueAct.AGREE}
    acts["one for all"] = DialogueAct.DECISION
    said = [("which queue, SQS or RabbitMQ?", ""), ("sqs", "one queue or a queue per size?"), ("one for all", "")]
    assert len(heard_as(acts, *said, pair=alike)) == 2


@pytest.mark.parametrize("answer", ["integers", "decimals of five places"])
def test_what_stands_in_brackets_behind_an_option_parts_it_no_further(answer: str) -> None:
    question = "Do you want integers (cents, no rounding) or decimals of five places?"
    asked = ("request| keep prices", f"question| {question}")
    assert texts(asked, (f"decision| {answer}", "")) == [f"{question} {answer}"]


def test_a_refusal_of_what_is_put_takes_back_nothing_that_was_decided_before_it() -> None:
    said = ("decision| use Redis for the queue", "remark| OK.\nquestion| Shall I add a health check?")
    assert texts(said, ("refuse| never mind", "")) == ["use Redis for the queue"]


def test_who_says_yes_and_in_the_same_breath_takes_it_back_has_agreed_to_nothing() -> None:
    assert texts(PROPOSED, ("agree| sure, go ahead", ""), ("remark| hm", "")) == ["use cursors of 50 rows"]
    assert texts(PROPOSED, ("agree| sure, go ahead\nrefuse| no wait, scratch that", "")) == []


@pytest.mark.parametrize(
    ("answer", "told"),
    [
        ("weighed| the nodes are far apart, so daily", "Should the job run hourly or daily? daily"),
        ("weighed| we had 3 failures so 2 of us looked at it", None),
    ],
)
def test_what_follows_from_a_reason_chooses_by_words_and_not_by_a_number(answer: str, told: str | None) -> None:
    found = texts(("question| Should the job run hourly or daily?", "remark| Both work."), (answer, ""))
    assert found == ([told] if told else [])


@pytest.mark.parametrize("size", ["small", "large"])
def test_an_option_of_one_plain_word_is_one(size: str) -> None:
    asked = ("request| draw icons", "question| Should the icons be small or large?")
    assert texts(asked, (f"agree| {size}", "")) == [f"Should the icons be small or large? {size}"]


def test_an_amount_in_words_is_told_with_the_question_it_answers() -> None:
    asked = ("request| add retries", "question| How many retries do you want?")
    assert texts(asked, ("decision| three, then a dead letter", "")) == [
        "How many retries do you want? three, then a dead letter"
    ]


@pytest.mark.parametrize(
    ("said", "decided"),
    [
        ("let's wait until the spring release", ["wait until the spring release"]),
        ("I'll wait until the spring release", []),
        ("let's see until the spring release", []),
    ],
)
def test_what_the_model_cannot_place_is_a_decision_where_it_begins_as_one(said: str, decided: list[str]) -> None:
    class Unsure(ScriptedReader):
        def act(self, context: str, sentence: str) -> Mapping[DialogueAct, float]:
            return dict.fromkeys(DialogueAct, 1 / len(DialogueAct)) | {DialogueAct.RULE: 0.0}

    turn = turn_of("talk", 0, (said, ""), START)
    assert [item.text for item in extract([turn], [], [], Names(), reader=Unsure()).items] == decided
