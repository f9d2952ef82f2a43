"""What cannot both hold is opened, what time has settled is superseded, and each memory goes once."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime, timedelta

from companion_consolidation import contradict
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from companion.records import Inquiry, Judged, JudgeQuestion, Oppose, Ruling, Scope, Statement, Supersede

NOW = datetime(2026, 1, 1)
HAND, FILE = "by-hand by-hand by-hand", "scan facts@w README.md"


SLOT = {"subject": "gateway", "attribute": "port"}


def said(day: int | None, by: str = HAND, **given: object) -> Statement:
    moment = None if day is None else NOW + timedelta(days=day)
    return Statement("x", said_by=by, valid_from=moment, **(SLOT | given))


def pair(a: str, b: str, one: Statement, two: Statement, confidence: float = 0.9, **given: object) -> Judged:
    return Judged(a, b, one, two, Ruling(True, confidence, "they differ", "rules 1"), **given)


@dataclass
class Found:
    """An archive in which just these pairs were judged; `batches` stands for a language model."""

    pairs: tuple[Judged, ...]
    batches: object | None = None
    asked: list[Inquiry] = field(default_factory=list)

    def judged(self):
        yield from self.pairs

    def contradictions(self):
        return ()

    def ask(self, inquiries):
        self.asked += inquiries


def plan(*pairs: Judged):
    return list(contradict.plan(Found(pairs)))


def test_two_sources_that_contradict_one_another_are_opened_with_who_says_so_and_why():
    one = pair("m1", "m2", said(1), said(2, "by-hand by-hand other"))
    assert plan(one) == [Oppose("m1", "m2", 0.9, "rules 1", "they differ")]


def test_a_newer_statement_of_the_same_source_supersedes_and_is_no_contradiction():
    (change,) = plan(pair("m1", "m2", said(1), said(2)))
    assert isinstance(change, Supersede)
    assert (change.old, change.new) == ("m1", "m2")


def test_a_sentence_is_superseded_by_one_that_is_the_same_but_for_a_value_and_by_no_other():
    told = {"subject": "", "attribute": ""}
    old = replace(said(1, **told), text="Outgoing HTTP calls time out after 5 s.")
    same, other = (
        replace(said(2, **told), text=text)
        for text in ("Outgoing HTTP calls time out after 9 s", "Database queries time out after 30 s")
    )
    assert [type(one) for one in plan(pair("m1", "m2", old, same))] == [Supersede]
    assert [type(one) for one in plan(pair("m1", "m3", old, other))] == [Oppose]
    both = plan(pair("m1", "m2", old, same), pair("m1", "m3", old, other))
    assert [type(one) for one in both] == [Supersede], "what one run supersedes it does not report as well"


def test_a_pinned_statement_is_never_superseded_by_time():
    assert isinstance(plan(pair("m1", "m2", said(1), said(2), fixed=True))[0], Oppose)


def test_neither_one_moment_nor_an_unknown_one_nor_another_scope_settles_anything():
    for a, b in (
        (said(1), said(1)),
        (said(None), said(2)),
        (said(1), said(2, scope=Scope(environment="ci"))),
    ):
        assert isinstance(plan(pair("m1", "m2", a, b))[0], Oppose)


def test_what_was_said_in_a_row_is_superseded_by_the_newest_and_each_goes_once():
    first, second, third = said(1), said(2), said(3)
    changes = plan(pair("m1", "m2", first, second), pair("m1", "m3", first, third), pair("m2", "m3", second, third))
    assert [(change.old, change.new) for change in changes] == [("m1", "m3"), ("m2", "m3")]


def test_what_is_superseded_stands_in_no_contradiction():
    changes = plan(pair("m1", "m2", said(1), said(2)), pair("m1", "m9", said(1), said(2, FILE)))
    assert [type(change) for change in changes] == [Supersede]


def test_what_is_not_sure_enough_is_not_shown_and_sentences_of_files_need_most():
    assert plan(pair("m1", "m2", said(1), said(2, "other"), 0.5)) == []
    told = {"subject": "", "attribute": ""}
    read = pair("m1", "m2", said(1, FILE, **told), said(2, "scan facts@w docs/a.md", **told), 0.9)
    assert plan(read) == []
    assert len(plan(replace(read, ruling=replace(read.ruling, confidence=0.97)))) == 1
    slot = {"subject": "python", "attribute": "min_python", "value": "3.9"}
    declared = pair("m1", "m2", said(1, FILE, **slot), said(2, "scan facts@w pyproject.toml", **slot), 0.8)
    assert len(plan(declared)) == 1


def test_a_memory_is_not_held_against_itself():
    assert plan(pair("m1", "m1", said(1), said(2))) == []


IDS = st.sampled_from(["m1", "m2", "m3", "m4"])


@given(st.lists(st.tuples(IDS, IDS, st.integers(0, 3), st.integers(0, 3)), max_size=12))
def test_supersession_never_goes_round_in_a_circle(rows):
    days: dict[str, int] = {}
    pairs = []
    for a, b, day_a, day_b in rows:
        one, two = days.setdefault(a, day_a), days.setdefault(b, day_b)
        pairs.append(pair(*((a, b, said(one), said(two)) if one <= two else (b, a, said(two), said(one)))))
    heirs = {change.old: change.new for change in plan(*pairs) if isinstance(change, Supersede)}
    for start in heirs:
        seen, at = set(), start
        while at in heirs:
            assert at not in seen
            seen.add(at)
            at = heirs[at]


def test_where_a_sentence_had_to_be_read_a_judge_is_asked_and_a_model_before_anything_is_opened():
    told = {"subject": "", "attribute": ""}
    sure = pair("m1", "m2", said(1, **told), said(2, "by-hand by-hand other", **told), 0.7)
    unsure = replace(pair("m3", "m4", said(1, **told), said(2, "by-hand by-hand other", **told), 0.4))
    cannot_say = replace(unsure, a="m5", b="m6", ruling=Ruling(None, 0.5, "the two disagree", "rules 1"))
    compared = pair("m7", "m8", said(1), said(2, "by-hand by-hand other"))
    alone = Found((sure, unsure, cannot_say, compared))
    opened = list(contradict.plan(alone))
    assert [(one.a, one.b) for one in opened] == [("m1", "m2"), ("m7", "m8")]
    assert [(one.memories, one.weight, one.opens) for one in alone.asked] == [
        (("m1", "m2"), 0.7, False),
        (("m3", "m4"), 0.4, False),
        (("m5", "m6"), 0.5, False),
    ]
    assert {one.question for one in alone.asked} == {JudgeQuestion.PAIR}
    with_model = Found((sure, unsure, compared), batches=object())
    assert [(one.a, one.b) for one in contradict.plan(with_model)] == [("m7", "m8")]
    assert [(one.memories, one.opens) for one in with_model.asked] == [(("m1", "m2"), True), (("m3", "m4"), False)]
