"""The judge that reads and counts: what rules decide stays theirs, and what a reader adds has its limits."""

from __future__ import annotations

from dataclasses import replace

import pytest

from companion.adapters.pair_reader import PairReader
from companion.app.nights.judges import local, reader
from companion.evals.labelled.pairs import read_scope
from companion.judging.comparing.reworded import rewordable
from companion.judging.learned import READ_ALONE, LocalJudge
from companion.judging.likeness import Likeness
from companion.records import Scope, Statement


class Convinced:
    """A reader that believes one thing of every pair, and keeps what it was asked."""

    version = "fake"

    def __init__(self, contrary: float, same: float) -> None:
        self._told = (contrary, same, 1 - contrary - same)
        self.asked: list[tuple[str, str]] = []

    def read(self, a: str, b: str) -> tuple[float, float, float]:
        self.asked.append((a, b))
        return self._told


A = Statement("Angles are in degrees.")
B = Statement("The module works with radians.")


def test_a_reader_is_heard_where_no_word_shows_a_contradiction() -> None:
    ruling = LocalJudge(Convinced(0.98, 0.01)).rule(A, B)
    assert ruling.contradict is True and ruling.reason == READ_ALONE
    assert LocalJudge(Convinced(0.01, 0.01)).rule(A, B).contradict is False


def test_a_reader_is_not_asked_where_place_time_or_values_decide() -> None:
    sure = Convinced(0.98, 0.01)
    judge = LocalJudge(sure)
    production, staging = (replace(one, scope=Scope(environment=name)) for one, name in ((A, "prod"), (B, "staging")))
    assert judge.rule(production, staging).contradict is False
    assert judge.rule(A, A).contradict is False
    fact = Statement("python: >=3.9", subject="python", attribute="requires", value=">=3.9")
    assert judge.rule(fact, replace(fact, text="python: >=3.11", value=">=3.11")).contradict is True
    assert not sure.asked


def test_a_reader_does_not_overrule_two_clear_values_of_one_property() -> None:
    unbelieving = Convinced(0.01, 0.98)
    ruling = LocalJudge(unbelieving).rule(
        Statement("Error tracking goes to Sentry."), Statement("Exceptions are reported to Rollbar.")
    )
    assert ruling.contradict is True and not unbelieving.asked


def test_sentences_that_were_read_from_files_are_left_to_the_rules() -> None:
    sure = Convinced(0.98, 0.01)
    read = [replace(one, said_by=f"scan prose {name}") for one, name in ((A, "a.md"), (B, "b.md"))]
    assert LocalJudge(sure).rule(*read).contradict is False
    assert not sure.asked


def test_a_judge_reads_so_many_pairs_and_asks_again_about_the_others() -> None:
    judge = LocalJudge(Convinced(0.98, 0.01), most=1)
    assert judge.rule(A, B).again is False
    later = judge.rule(A, replace(B, text="Everything is computed in radians."))
    assert later.again is True and later.contradict is False


def test_the_place_is_read_with_the_text_only_where_places_differ() -> None:
    asked = Convinced(0.5, 0.2)
    LocalJudge(asked).rule(replace(A, subject="module:geo"), B)
    assert set(asked.asked[0]) == {f"[project] {B.text}", f"[module:geo] {A.text}"}


@pytest.mark.parametrize(
    "other",
    [
        "Writes are cached.",
        "Reads of version 2 are cached in memory for every tenant.",
        "Reads were cached in memory before.",
        "Only reads are ever cached in memory.",
        "Reads are never cached in any of the services.",
    ],
)
def test_no_reader_can_make_one_of_two_that_differ_in_what_can_be_counted(other: str) -> None:
    assert Likeness(Convinced(0.0, 1.0)).difference("Reads are cached.", other)


def test_sentences_built_differently_are_one_if_the_reader_is_sure() -> None:
    one, other = "Unsubscribing works without login.", "No login is required to unsubscribe."
    assert rewordable(one, other)
    assert Likeness().difference(one, other)
    assert Likeness(Convinced(0.0, 0.6)).difference(one, other)
    assert not Likeness(Convinced(0.0, 0.99)).difference(one, other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("The probe runs every 40 s.", "The interval at which the probe runs: 40 seconds"),
        ("Upload limit of the portal: 20 MB", "The upload limit is 20 MB for everyone who uses the portal."),
        ("The ledger is kept by Marta.", "Marta is the person who keeps the ledger."),
    ],
)
def test_numbers_in_other_units_labels_and_names_in_other_places_may_be_the_same(one: str, other: str) -> None:
    assert rewordable(one, other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Calls to the portal may take 20 s at most.", "The portal has to answer within 20 ms at most."),
        ("Chapter 3 of the manual is about sync.", "In the manual the whole of chapter 4 is about sync."),
        ("Keys come from the store called Passbolt.", "Vaulty is the store from which all the keys come."),
        ("Never copy rows of users.", "Rows of users are copied every night by a job."),
    ],
)
def test_other_numbers_names_or_denials_are_never_the_same(one: str, other: str) -> None:
    assert not rewordable(one, other)
    assert Likeness(Convinced(0.0, 1.0)).difference(one, other)


def test_the_shipped_model_reads_a_pair_the_same_from_either_side() -> None:
    shipped = reader()
    assert isinstance(shipped, PairReader) and isinstance(local(), LocalJudge)
    told = shipped.read(A.text, B.text)
    assert shipped.read(B.text, A.text) == pytest.approx(told, abs=1e-5)
    assert sum(told) == pytest.approx(1.0)


def test_a_scope_as_written_becomes_a_place_or_a_subject() -> None:
    assert read_scope("path:src/net") == (Scope(path="src/net"), "")
    assert read_scope("env:prod") == (Scope(environment="prod"), "")
    assert read_scope("lang:go") == (Scope(language="go"), "")
    assert read_scope("module:auth") == (Scope(), "module:auth")
    assert read_scope("project") == (Scope(), "")
