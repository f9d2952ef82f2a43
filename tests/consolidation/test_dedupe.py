"""What says the same is proposed to become one, with a reason that a person can check."""

from __future__ import annotations

from dataclasses import dataclass, field

from companion_consolidation import dedupe

from companion.records import Alike, Inquiry, JudgeQuestion, Merge, Twins

DOUBTFUL = Inquiry(JudgeQuestion.PAIR, ("m8", "m9"), "only one says daily", 0.8)


@dataclass
class Shelf:
    """An archive that answers with what it was given."""

    groups: tuple[Twins, ...] = ()
    near: tuple[Inquiry | Twins, ...] = (DOUBTFUL,)
    asked: list[Inquiry] = field(default_factory=list)

    def twins(self):
        yield from self.groups

    def near_twins(self):
        yield from self.near

    def ask(self, inquiries):
        self.asked += inquiries


def planned(*groups: Twins) -> list[Merge]:
    return list(dedupe.plan(Shelf(groups)))


def test_the_one_that_the_archive_names_stays_and_all_others_go_at_once():
    (merge,) = planned(Twins("m0", ("m1", "m2"), 1.0, Alike.SAME_WORDS))
    assert (merge.keep, merge.drop) == ("m0", ("m1", "m2"))


def test_the_reason_says_how_many_and_what_and_whether_the_words_are_the_same():
    same, near = planned(Twins("m0", ("m1",), 1.0, Alike.SAME_WORDS), Twins("m2", ("m3", "m4"), 0.87, Alike.SAME_TERMS))
    assert same.reason == "both say it in the same words"
    assert near.reason == "all 3 say the same in other words (similarity 0.87 or more)"


def test_what_was_folded_takes_nothing_in_and_what_took_something_in_goes_nowhere():
    near = (
        Twins("m5", ("m6",), 0.8, Alike.CONTAINED),
        Twins("m1", ("m7",), 0.8, Alike.CONTAINED),
        Twins("m8", ("m0",), 0.8, Alike.CONTAINED),
        Twins("m9", ("m6",), 0.8, Alike.CONTAINED),
    )
    merges = list(dedupe.plan(Shelf((Twins("m0", ("m1",), 1.0, Alike.SAME_WORDS),), near)))
    assert [(one.keep, one.drop) for one in merges] == [("m0", ("m1",)), ("m5", ("m6",))]
    assert merges[1].reason == "the longer one says all of it (similarity 0.80)"


def test_nothing_alike_plans_nothing():
    assert planned() == []


def test_what_rules_cannot_tell_to_be_the_same_is_asked():
    shelf = Shelf()
    assert list(dedupe.plan(shelf)) == []
    assert shelf.asked == [DOUBTFUL]
