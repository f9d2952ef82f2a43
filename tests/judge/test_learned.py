"""The judge that reads and counts: what rules decide stays theirs, and what a reader adds has its limits."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import numpy.typing as npt
import pytest
from evals.labelled.pairs import read_scope
from msgspec.structs import replace

from companion.adapters.embedders import make_embedder
from companion.adapters.reader import PairReader
from companion.app.consolidation.judges import local, near, reader
from companion.config import Settings
from companion.judge.learned import LocalJudge, NearInMeaning
from companion.records import Scope, Statement
from companion.records.readings import DialogueAct, PairReading


class Convinced:
    """A reader that believes one thing of every pair, and keeps what it was asked."""

    version = "fake"

    def __init__(self, contrary: float, same: float) -> None:
        self._told = PairReading(contrary, same, 0.0, 0.0, 1 - contrary - same)
        self.asked: list[tuple[str, str]] = []

    def act(self, context: str, sentence: str) -> Mapping[DialogueAct, float]:
        raise AssertionError("a judge hears no conversation")

    def pair(self, a: str, b: str) -> PairReading:
        self.asked.append((a, b))
        return self._told


A = Statement("API requests time out after 15 seconds.")
B = Statement("Our API requests have a timeout of 60 seconds.")


def test_what_the_reader_alone_believes_is_no_contradiction_outside_a_run() -> None:
    sure = Convinced(0.98, 0.01)
    angles = Statement("Angles are in degrees."), Statement("The module works with radians.")
    assert LocalJudge(sure).rule(*angles).contradict is False
    assert not sure.asked


def test_in_a_run_what_the_reader_alone_believes_is_left_to_others_and_what_rules_exclude_is_not_read() -> None:
    angles = Statement("Angles are in degrees."), Statement("The module works with radians.")
    for belief in (0.7, 0.98):
        ruling = LocalJudge(Convinced(belief, 0.01), thorough=True).rule(*angles)
        assert (ruling.contradict, ruling.confidence) == (None, belief)
        assert ruling.reason == "read together, the two may not both hold"
    assert LocalJudge(Convinced(0.3, 0.5), thorough=True).rule(*angles).contradict is False
    unasked = Convinced(0.98, 0.01)
    apart = [replace(one, scope=Scope(environment=name)) for one, name in zip(angles, ("prod", "staging"), strict=True)]
    assert LocalJudge(unasked, thorough=True).rule(*apart).contradict is False
    assert not unasked.asked
    assert LocalJudge(unasked, thorough=True).name != LocalJudge(unasked).name


def test_of_two_sentences_near_in_meaning_the_reader_alone_is_believed_where_it_is_nearly_certain() -> None:
    angles = Statement("Angles are in degrees."), Statement("The module works with radians.")
    compared: list[tuple[str, str]] = []

    def judge(belief: float, *, near: bool) -> LocalJudge:
        alike = NearInMeaning("a model", lambda a, b: (compared.append((a, b)), near)[1])
        return LocalJudge(Convinced(belief, 0.01), alike, thorough=True)

    assert judge(0.85, near=True).rule(*angles).reason == "read together, the two sentences cannot both hold"
    assert judge(0.98, near=False).rule(*angles).contradict is None
    assert [set(pair) for pair in compared] == [{one.text for one in angles}] * 2
    assert judge(0.8, near=True).rule(*angles).contradict is None
    assert len(compared) == 2
    for several in ("The module is old: it works with radians.", "A module.\nIt works with radians."):
        assert judge(0.98, near=True).rule(angles[0], replace(angles[1], text=several)).contradict is None
    short = replace(angles[1], text="The module works with radians, i.e. Numbers.")
    assert judge(0.98, near=True).rule(angles[0], short).contradict is True
    assert "a model" in judge(0.8, near=True).name != LocalJudge(Convinced(0.8, 0.01), thorough=True).name


def test_nearness_is_that_of_the_model_and_nothing_is_near_where_it_cannot_be_run() -> None:
    embedder = make_embedder(Settings())
    assert embedder is not None
    assert near(embedder, "Angles are in degrees.", "Angles are measured in radians.")
    assert not near(embedder, "Angles are in degrees.", "The office plants are watered on Fridays.")

    class Missing:
        model, dimension = embedder.model, 384

        def embed(self, texts: Sequence[str]) -> npt.NDArray[np.float32]:
            raise RuntimeError("The model cannot be run.")

    assert not near(Missing(), "Angles are in degrees.", "Angles are in degrees.")


def test_where_the_reader_hardly_believes_what_the_rules_propose_nothing_is_decided() -> None:
    for belief, opened in ((0.98, True), (0.3, True), (0.05, None)):
        assert LocalJudge(Convinced(belief, 0.01)).rule(A, B).contradict is opened


def test_a_reader_is_not_asked_where_place_time_or_values_decide() -> None:
    unbelieving = Convinced(0.01, 0.98)
    judge = LocalJudge(unbelieving)
    production, staging = (replace(one, scope=Scope(environment=name)) for one, name in ((A, "prod"), (B, "staging")))
    assert judge.rule(production, staging).contradict is False
    assert judge.rule(A, A).contradict is False
    fact = Statement("python: >=3.9", subject="python", attribute="requires", value=">=3.9")
    assert judge.rule(fact, replace(fact, text="python: >=3.11", value=">=3.11")).contradict is True
    assert not unbelieving.asked


def test_sentences_that_were_read_from_files_are_left_to_the_rules() -> None:
    unbelieving = Convinced(0.01, 0.98)
    read = [replace(one, said_by=f"scan prose {name}") for one, name in ((A, "a.md"), (B, "b.md"))]
    assert LocalJudge(unbelieving).rule(*read).contradict is True
    assert not unbelieving.asked


def test_the_place_is_read_with_the_text_only_where_places_differ() -> None:
    asked = Convinced(0.5, 0.2)
    LocalJudge(asked).rule(A, B)
    every = replace(A, text="All API requests time out after 15 seconds.")
    LocalJudge(asked).rule(every, replace(B, scope=Scope(path="src/geo")))
    assert set(asked.asked[0]) == {A.text, B.text}
    assert set(asked.asked[1]) == {f"[project] {every.text}", f"[path:src/geo] {B.text}"}


def test_the_shipped_model_reads_a_pair_the_same_from_either_side() -> None:
    shipped = reader()
    assert isinstance(shipped, PairReader) and isinstance(local(), LocalJudge)
    told = shipped.pair(A.text, B.text)
    turned = PairReading(told.contrary, told.same, told.contained, told.contains, told.beside)
    assert shipped.pair(B.text, A.text) == pytest.approx(turned, abs=1e-5)
    assert sum(told) == pytest.approx(1.0)


def test_a_scope_as_written_becomes_a_place_or_a_subject() -> None:
    assert read_scope("path:src/net") == (Scope(path="src/net"), "")
    assert read_scope("env:prod") == (Scope(environment="prod"), "")
    assert read_scope("lang:go") == (Scope(language="go"), "")
    assert read_scope("module:auth") == (Scope(), "module:auth")
    assert read_scope("project") == (Scope(), "")


def test_yes_and_no_of_one_sentence_is_a_contradiction_whatever_a_reader_believes() -> None:
    judge = LocalJudge(Convinced(0.0, 0.9))
    yes, no = Statement("Always squash commits on merging."), Statement("Never squash commits on merging.")
    assert judge.rule(yes, no).contradict is True
    elsewhere = replace(no, scope=Scope(path="vendor"))
    assert judge.rule(yes, elsewhere).contradict is not True
    full = Statement("Do not retry when the queue is empty."), Statement("Retry when the queue is not empty.")
    assert judge.rule(*full).contradict is not True, "each denies something else"
