"""Which statements are laid before a judge: those that could meet, few enough, and none twice."""

from __future__ import annotations

import json
import time
from pathlib import Path

import pytest
from fakes import PlainRedactor
from stores import NOW, PROJECT, at, fact, memories

from companion.records import (
    Decision,
    DecisionStatus,
    Inquiry,
    JudgeQuestion,
    JudgeVerdict,
    Levels,
    Oppose,
    Resolution,
    Ruling,
    Scope,
    Source,
    Statement,
)
from companion.store import judgements
from companion.store.consolidation.pairs import FILLING_FACTS, SLOT_FACTS, SLOT_FEW, candidates, sides
from companion.store.consolidation.rulings import SLOT_LEAST, SLOTS, judged, slot_room
from companion.store.consolidation.view import MOST_PAIRS, View
from companion.store.memories import contradictions, detection

JUDGE = "says 1"


class Says:
    """A judge that says the same of every pair, and counts how often it was asked."""

    def __init__(self, contradict: bool | None = True, *, name: str = JUDGE) -> None:
        self.name = name
        self._ruling = Ruling(contradict, 0.9, "so it is, hunter2-secret", name)
        self.asked: list[tuple[str, str]] = []

    def rule(self, a: Statement, b: Statement) -> Ruling:
        self.asked.append((a.text, b.text))
        return self._ruling


def note(text: str, **given):
    return fact("note", text, **{"attribute": "", "levels": Levels(text, text, text, text[:50])} | given)


def tell(database, *drafts, origin: str = "README.md", learner: str = "facts@w", now=NOW):
    from msgspec.structs import replace

    said = [replace(draft, origin=origin) for draft in drafts]
    memories(database).reconcile(PROJECT, learner, [origin], said, now)


def tell_each(database, texts, **given) -> None:
    """Notes that each stand in a file of their own, learned at once."""
    drafts = [note(text, origin=f"{number}.md", **given) for number, text in enumerate(texts)]
    memories(database).reconcile(PROJECT, "facts@w", [draft.origin for draft in drafts], drafts, NOW)


def pairs_of(database, **how):
    found = candidates(View(database, PROJECT, NOW, by_meaning=False, **how), JUDGE)
    known = sides(database, [id_ for one in found for id_ in (one.a, one.b)])
    return {tuple(sorted((known[one.a].statement.text, known[one.b].statement.text))) for one in found}


def rulings(database, judge, **how):
    how = {"by_meaning": False} | how
    return list(judged(View(database, PROJECT, NOW, judge=judge, redactor=PlainRedactor(), **how)))


def test_a_judge_hears_what_free_text_is_about_however_it_was_told(database):
    for source in (Source.BY_HAND, Source.SHADOW, Source.SCAN):
        tell(database, note(f"{source} retries", source=source, label="billing"), learner=f"tests {source}")
    with database.read() as connection:
        ids = [row[0] for row in connection.execute("select id from memories").fetchall()]
    about = [(side.statement.said_by.split()[0], side.statement.subject) for side in sides(database, ids).values()]
    assert sorted(about) == [("person", "billing"), ("person", "billing"), ("scan", "")]


PAY, RETRY = "The payment client never retries failed calls", "Retries are enabled for the payment client"


def test_free_texts_that_share_rare_words_meet_and_strangers_do_not(database):
    tell(database, note(PAY), note("Snapshots lie in git"), origin="a.md")
    tell(database, note(RETRY), origin="b.md")
    assert pairs_of(database) == {tuple(sorted((PAY, RETRY)))}


def test_two_values_of_one_property_meet_whatever_their_words(database):
    tell(database, fact("ruff", "100"), origin="a.toml")
    tell(database, fact("ruff", "79", scope=Scope(language="python")), origin="b.toml")
    assert len(pairs_of(database)) == 1


def test_what_was_noted_on_arrival_is_not_laid_before_a_judge_again(database):
    tell(database, fact("ruff", "100"), origin="a.toml")
    tell(database, fact("ruff", "79"), origin="b.toml")
    assert len(contradictions.open_ones(database, PROJECT)) == 1
    assert pairs_of(database) == set()


@pytest.mark.parametrize(
    ("one", "two"),
    [
        ({"scope": Scope(environment="ci")}, {"scope": Scope(environment="production")}),
        ({"scope": Scope(language="go")}, {"scope": Scope(language="rust")}),
        ({"scope": Scope(path="a")}, {"scope": Scope(path="b")}),
        ({"persona": "ada"}, {"persona": "bob"}),
        ({"valid_to": at(-2)}, {"valid_from": at(-1)}),
    ],
)
def test_what_cannot_meet_is_not_compared(database, one, two):
    tell(database, note(PAY, **one), origin="a.md")
    tell(database, note(RETRY, **two), origin="b.md")
    assert pairs_of(database) == set()


def test_one_file_is_not_held_against_itself_nor_one_work_tree_against_another(database):
    tell(database, note(PAY), note(RETRY))
    assert pairs_of(database) == set()
    tell(database, note(RETRY), origin="b.md", learner="facts@other")
    assert pairs_of(database) == set()


def test_what_a_person_said_is_held_against_what_the_same_person_said(database):
    for text in (PAY, RETRY):
        memories(database).remember(PROJECT, note(text, source=Source.BY_HAND), NOW)
    assert len(pairs_of(database)) == 1


def test_decisions_count_while_they_are_in_force(database):
    for status, met in ((DecisionStatus.SUPERSEDED, 0), (DecisionStatus.IN_FORCE, 1)):
        body = Decision("", PAY, "", status)
        tell(database, note(PAY, type="decision", body=body), origin="docs/adr/1.md")
        tell(database, note(RETRY), origin="b.md")
        assert len(pairs_of(database)) == met


def test_no_pair_is_judged_twice_until_its_words_or_the_judge_change(database):
    tell(database, note(PAY), origin="a.md")
    tell(database, note(RETRY), origin="b.md")
    judge = Says(False)
    assert rulings(database, judge) == rulings(database, judge) == []
    assert len(judge.asked) == 1
    assert rulings(database, other := Says(False, name="says 2")) == []
    assert len(other.asked) == 1
    tell(database, note(RETRY + " again"), origin="b.md", now=at(1))
    assert rulings(database, judge) == []
    assert len(judge.asked) == 2


def test_what_a_dry_run_found_is_found_again_without_asking_and_not_once_it_is_noted(database):
    tell(database, note(PAY), origin="a.md")
    tell(database, note(RETRY), origin="b.md")
    judge = Says(True)
    (first,) = rulings(database, judge)
    (second,) = rulings(database, judge)
    assert (first.a, first.b, first.ruling.contradict) == (second.a, second.b, True)
    assert len(judge.asked) == 1
    with database.write() as connection:
        change = Oppose(first.a, first.b, 0.9, JUDGE, "so")
        assert detection.oppose(connection, PROJECT, [change, change], NOW) == 1
        assert detection.oppose(connection, PROJECT, [change], NOW) == 0
    assert rulings(database, judge) == []


def test_a_pair_that_a_person_settled_is_never_opened_again(database):
    tell(database, note(PAY), origin="a.md")
    tell(database, note(RETRY), origin="b.md")
    (one,) = rulings(database, Says(True))
    with database.write() as connection:
        detection.oppose(connection, PROJECT, [Oppose(one.a, one.b, 0.9, JUDGE, "so")], NOW)
    (opened,) = contradictions.open_ones(database, PROJECT)
    memories(database).settle(opened.id, Resolution.BOTH_VALID, "", NOW)
    assert rulings(database, Says(True, name="says 3")) == []


def test_what_a_judge_cannot_say_is_told_once_and_its_secrets_are_not_kept(database):
    tell(database, note(PAY), origin="a.md")
    tell(database, note(RETRY), origin="b.md")
    silent = Says(None)
    (told,) = rulings(database, silent)
    assert told.ruling.contradict is None
    assert rulings(database, silent) == []
    assert len(silent.asked) == 1
    with database.read() as connection:
        kept = connection.execute("select reason from rulings").fetchall()
    assert kept
    assert "hunter2" not in str(kept)


def test_what_a_run_has_done_with_is_compared_with_nothing(database):
    tell(database, note(PAY), origin="a.md")
    tell(database, note(RETRY), origin="b.md")
    (pair,) = candidates(View(database, PROJECT, NOW), JUDGE)
    assert candidates(View(database, PROJECT, NOW, gone={pair.a}), JUDGE) == []


def test_the_earlier_statement_comes_first_and_a_pinned_one_is_told(database):
    memories(database).remember(PROJECT, note(RETRY, source=Source.BY_HAND, valid_from=at(3)), NOW)
    memories(database).remember(PROJECT, note(PAY, source=Source.BY_HAND, valid_from=at(-3), pinned=True), at(1))
    (one,) = rulings(database, Says(True))
    assert (one.of_a.text, one.fixed) == (PAY, True)


def test_only_what_arrived_is_compared_where_that_is_asked(database):
    tell(database, note(PAY), origin="a.md")
    tell(database, note(RETRY), origin="b.md")
    assert pairs_of(database, since=at(1)) == set()
    tell(database, note("The payment client retries nothing"), origin="c.md", now=at(2))
    assert len(pairs_of(database, since=at(1))) == 2


def test_ten_thousand_memories_with_one_key_make_few_pairs_of_the_newest(database):
    drafts = [fact("gateway", f"value {number}", source=Source.IMPORT) for number in range(10_000)]
    tell(database, *drafts, origin="import")
    tell(database, fact("gateway", "the newest of all", source=Source.IMPORT), origin="other", now=at(1))
    found = candidates(View(database, PROJECT, NOW), JUDGE)
    assert len(found) <= SLOT_FACTS * (SLOT_FACTS - 1) / 2 < MOST_PAIRS
    newest = {one.b for one in found}
    assert any(side.statement.value == "the newest of all" for side in sides(database, list(newest)).values())
    assert len(contradictions.open_ones(database, PROJECT)) <= detection.PAIRS_A_KEY


def test_what_is_not_judged_in_time_waits_for_another_run(database):
    tell(database, note(PAY), origin="a.md")
    tell(database, note(RETRY), origin="b.md")
    judge = Says(True)
    assert rulings(database, judge, until_s=time.monotonic() - 1) == []
    assert judge.asked == []
    assert len(rulings(database, judge)) == 1


def test_never_more_pairs_than_were_asked_for_the_likeliest_first(database):
    tell_each(database, [f"The payment client retries call {number}" for number in range(60)])
    everything = candidates(View(database, PROJECT, NOW), JUDGE)
    for limit in (1, 7, len(everything) - 1):
        assert candidates(View(database, PROJECT, NOW, pairs_most=limit), JUDGE) == everything[:limit]


PNPM, YARN = "Run pnpm install after each pull.", "Newcomers only need yarn and a checkout."


def test_two_values_of_one_slot_meet_though_no_word_is_shared(database):
    tell(database, note(PNPM), origin="a.md")
    tell(database, note(YARN), origin="b.md")
    tell(database, note("Orders land in Postgres."), origin="d.md")
    assert pairs_of(database) == {tuple(sorted((YARN, PNPM)))}


def test_a_slot_that_hundreds_speak_of_makes_few_pairs_and_each_value_meets_the_others(database):
    tell_each(database, [f"pnpm is what place{number} runs" for number in range(300)])
    tell(database, note(YARN), origin="b.md", now=at(2))
    met = [pair for pair in pairs_of(database) if YARN in pair]
    assert 0 < len(met) <= FILLING_FACTS


def test_what_shares_little_but_a_slot_a_name_a_path_or_an_amount_meets(database):
    lines = (Path(__file__).parents[1] / "judge/data/marked_pairs.jsonl").read_text("utf-8").splitlines()
    pairs = [json.loads(line) for line in lines]
    tell_each(database, [one[side] for one in pairs for side in "ab"])
    assert len(pairs) >= 25
    assert {tuple(sorted((one["a"], one["b"]))) for one in pairs} <= pairs_of(database)


CHOSEN = (
    ("Domain events travel over Kafka.", "Look at the RabbitMQ console first."),
    ("Snapshots of screens are recorded with Playwright.", "A flaky login is usually Cypress."),
    ("Bring crashes to Sentry.", "Unhandled exceptions are only visible in Bugsnag."),
    ("Hashing is done by argon2.", "Raise the bcrypt cost once logins get faster."),
    ("Releases are numbered by calver.", "Anything public that breaks means a major bump, as semver wants."),
)
"""Two values of one slot each, and not a word in common."""


def chosen(database, many: int = len(CHOSEN), source: Source = Source.BY_HAND) -> None:
    tell_each(database, [text for pair in CHOSEN[:many] for text in pair], source=source)


def of_a_slot(database, judge=None) -> list:
    found = rulings(database, judge or Says(False), by_meaning=True)
    assert all(one.ruling.contradict is None and not one.opened for one in found)
    return [one for one in found if one.ruling.judge == SLOTS]


def asked_about(database, found) -> None:
    put = [Inquiry(JudgeQuestion.PAIR, (one.a, one.b), "", one.ruling.confidence, one.ruling.judge) for one in found]
    judgements.ask(database, PROJECT, put, NOW, PlainRedactor())


def test_what_only_fills_one_slot_is_for_a_judge_a_few_at_a_time_and_each_once(database):
    chosen(database)
    first = of_a_slot(database)
    assert len(first) == SLOT_LEAST < len(CHOSEN)
    assert of_a_slot(database, judge := Says(False)) == first, "nobody was asked yet"
    assert judge.asked == [], "what the judge said is known"
    asked_about(database, first)
    assert of_a_slot(database) == [], "enough wait"
    for one in judgements.waiting(database, PROJECT):
        said = {"reason": "", "judge": "person", "now": NOW, "redactor": PlainRedactor()}
        judgements.answer(database, one, JudgeVerdict.BESIDE, **said)
    rest = of_a_slot(database)
    assert len(rest) == len(CHOSEN) - SLOT_LEAST
    assert not {(one.a, one.b) for one in rest} & {(one.a, one.b) for one in first}


def test_where_many_pairs_wait_a_share_of_them_may_be_of_one_slot(database):
    assert [slot_room(others) for others in (0, 9, 30, 150)] == [SLOT_LEAST, SLOT_LEAST, 10, 50]


def test_what_only_fills_one_slot_is_not_put_on_arrival_nor_of_files_nor_where_many_fill_it(database):
    chosen(database, 1)
    assert rulings(database, Says(False)) == []
    for number in range(SLOT_FEW):
        tell(database, note(f"thing{number} listens to Kafka", source=Source.BY_HAND), origin=f"more{number}.md")
    assert of_a_slot(database) == []


def test_two_files_that_only_fill_one_slot_are_left_to_the_rules(database):
    chosen(database, source=Source.SCAN)
    assert of_a_slot(database) == []
