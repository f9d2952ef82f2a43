"""Who says it matters: what the assistant proposes, what the user agrees to, takes back, replaces, finishes.

What each sentence does is scripted here: a line begins with its act. How well the shipped model hears acts is measured
by `scripts/eval extraction` and, roughly, by `test_conversations`.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime, timedelta

import pytest

from companion.language.names import Names
from companion.records.readings import DialogueAct, PairReading
from companion.records.talk import Item, ItemType
from companion.talk.extract import extract
from talk.conversations import turn_of
from talk.scripted import ScriptedReader

START = datetime(2026, 3, 2, 9, 0)


def reads(a: str, b: str) -> PairReading:
    """Two statements of which one says "won't" and the other does not contradict; all others stand side by side."""
    contrary = ("won't" in a) is not ("won't" in b)
    return PairReading(0.9, 0.0, 0.0, 0.0, 0.1) if contrary else PairReading(0.0, 0.0, 0.0, 0.0, 1.0)


def items_of(*said: tuple[str, str]) -> list[Item]:
    """Of turns (user, assistant), each line `act| sentence`."""
    acts: dict[str, DialogueAct] = {}

    def plain(text: str) -> str:
        lines = []
        for line in text.splitlines():
            act, bar, sentence = line.partition("| ")
            if bar:
                acts[sentence] = DialogueAct(act)
            lines.append(sentence if bar else line)
        return "\n".join(lines)

    turns = [
        turn_of("talk", at, (plain(user), plain(reply)), START + timedelta(minutes=at))
        for at, (user, reply) in enumerate(said)
    ]
    found = extract(turns, [], [], Names(), reader=ScriptedReader(acts, pair=reads)).items
    return [item for item in found if item.type is not ItemType.PERSON]


def texts(*said: tuple[str, str]) -> list[str]:
    return [item.text for item in items_of(*said)]


def heard_as(
    acts: dict[str, DialogueAct], *said: tuple[str, str], pair: Callable[[str, str], PairReading] = reads
) -> list[str]:
    """What is found where a sentence does what the first key that it contains says."""
    turns = [turn_of("talk", at, one, START + timedelta(minutes=at)) for at, one in enumerate(said)]
    found = extract(turns, [], [], Names(), reader=ScriptedReader(acts, pair=pair)).items
    return [item.text for item in found if item.type is not ItemType.PERSON]


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
