"""Sources that disagree: noted once, settled by a person, closed when one side goes."""

from __future__ import annotations

from pathlib import Path

import pytest
from learned import active, everything, learn
from stores import PROJECT, at, fact, memories, private, store

from companion.records import Decision, DecisionStatus, Draft, Kind, Resolution, Scope
from companion.store.memories import contradictions, detection
from companion.store.memories.memories import ReconcileOutcome
from companion.store.memories.reconcile import LOST


def test_sources_that_disagree_both_stay_and_one_contradiction_is_noted(tmp_path: Path) -> None:
    with store(tmp_path) as database:
        kept = memories(database)
        pair = (fact(value="100"), fact(value="79", origin="setup.cfg"))
        assert learn(kept, *pair).contradictions == 1
        assert learn(kept, *pair, days=1).contradictions == 0
        (found,) = contradictions.open_ones(database, PROJECT)
        assert {found.a.draft.value, found.b.draft.value} == {"100", "79"}
        assert "pyproject.toml" in found.reason and "setup.cfg" in found.reason
        assert len(active(kept)) == 2


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (fact(value="A  b"), fact(value="a B", origin="setup.cfg")),
        (fact(value="100"), fact(value="79", origin="setup.cfg", scope=Scope(path="docs"))),
        (fact(value="100"), private(fact(value="79", origin="setup.cfg"))),
        (fact(value="100", valid_to=at(-9)), fact(value="79", origin="setup.cfg", valid_from=at(-9))),
        (fact(value="100", kind=Kind.PATTERN), fact(value="79", kind=Kind.PATTERN, origin="setup.cfg")),
        (fact(value="100", kind=Kind.EPISODE), fact(value="79", kind=Kind.EPISODE, origin="setup.cfg")),
        (fact(value="100"), fact(value="79")),
    ],
    ids=["same words", "other scope", "other visibility", "other time", "patterns", "episodes", "one origin"],
)
def test_what_can_both_hold_is_no_contradiction(tmp_path: Path, one: Draft, other: Draft) -> None:
    with store(tmp_path) as database:
        kept = memories(database)
        assert learn(kept, one, other).contradictions == 0
        assert contradictions.open_ones(database, PROJECT) == ()


def test_decisions_contradict_while_both_are_in_force(tmp_path: Path) -> None:
    def decided(choice: str, status: DecisionStatus, origin: str) -> Draft:
        body = Decision("line length", choice, "", status)
        return fact(value=choice, type="decision", body=body, origin=origin)

    firm = decided("100", DecisionStatus.IN_FORCE, "pyproject.toml")
    with store(tmp_path) as database:
        kept = memories(database)
        assert learn(kept, firm, decided("79", DecisionStatus.PROPOSED, "setup.cfg")).contradictions == 0
        both = (firm, decided("79", DecisionStatus.IN_FORCE, "setup.cfg"))
        assert learn(kept, *both, days=1).contradictions == 1
        learn(kept, firm, decided("79", DecisionStatus.SUPERSEDED, "setup.cfg"), days=2)
        assert contradictions.open_ones(database, PROJECT) == ()


def test_a_contradiction_closes_by_itself_when_one_side_goes(tmp_path: Path) -> None:
    with store(tmp_path) as database:
        kept = memories(database)
        learn(kept, fact(value="100"), fact(value="79", origin="setup.cfg"))
        learn(kept, fact(value="100"), days=1)
        assert contradictions.open_ones(database, PROJECT) == ()
        (closed,) = contradictions.open_ones(database, PROJECT, settled=True)
        assert closed.resolved_at == at(1)
        assert "setup.cfg" in closed.note
        winner = closed.a if closed.resolution is Resolution.A_WINS else closed.b
        assert winner.draft.value == "100"


def test_what_a_person_settled_stays_settled_and_the_loser_is_not_learned_again(tmp_path: Path) -> None:
    pair = (fact(value="100"), fact(value="79", origin="setup.cfg"))
    with store(tmp_path) as database:
        kept = memories(database)
        learn(kept, *pair)
        (found,) = contradictions.open_ones(database, PROJECT)
        how = Resolution.A_WINS if found.a.draft.value == "100" else Resolution.B_WINS
        settled = kept.settle(found.id[:10], how, "asked Ann", at(1))
        assert (settled.resolution, settled.note, settled.resolved_at) == (how, "asked Ann", at(1))
        assert learn(kept, *pair, days=2) == ReconcileOutcome(unchanged=2)
        (left,) = active(kept)
        assert left.draft.value == "100"
        (lost,) = [memory for memory in everything(kept) if memory.id != left.id]
        assert lost.archived_reason == LOST


def test_both_valid_leaves_both_and_is_not_opened_again(tmp_path: Path) -> None:
    pair = (fact(value="100"), fact(value="79", origin="setup.cfg"))
    with store(tmp_path) as database:
        kept = memories(database)
        learn(kept, *pair)
        (found,) = contradictions.open_ones(database, PROJECT)
        kept.settle(found.id, Resolution.BOTH_VALID, "tests are wider", at(1))
        assert learn(kept, *pair, days=2) == ReconcileOutcome(unchanged=2)
        assert contradictions.open_ones(database, PROJECT) == ()


def test_many_sources_that_all_differ_are_noted_to_a_limit(tmp_path: Path) -> None:
    drafts = [fact(value=str(number), origin=f"pkg{number}/package.json") for number in range(60)]
    with store(tmp_path) as database:
        kept = memories(database)
        outcome = learn(kept, *drafts, origins=())
        assert outcome.contradictions == detection.PAIRS_A_KEY
        assert learn(kept, *drafts, origins=(), days=1).contradictions == 0
