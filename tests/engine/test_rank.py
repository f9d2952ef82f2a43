"""Ranking: what moves a memory up, how far, and that each part is told."""

from __future__ import annotations

from datetime import timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from companion.engine.recalling.rank import FEATURES, rank
from companion.engine.recalling.scoring_context import ScoringContext
from companion.records import Activity, Importance, Memory, Usage, Warmth
from engine.generated import generated
from engine.makers import NOW, decision, episode, fact

HERE = "src/auth/login.py"
LENS = ScoringContext(NOW, Activity.EXPLORING, HERE, neighbours={"src/auth/session.py": 0.6})


def score(memory: Memory, scoring: ScoringContext = LENS) -> float:
    return rank(memory, scoring).score


def used(memory: Memory, **counts: int) -> Memory:
    return replace(memory, usage=Usage(**counts))


def weighed(memory: Memory, usefulness: float, warmth: Warmth = Warmth.HOT, **counts: int) -> Memory:
    return replace(used(memory, **counts), usefulness=usefulness, warmth=warmth)


@pytest.mark.parametrize("activity", list(Activity))
def test_the_parts_of_a_score_lie_between_0_and_1_and_add_up_to_it(activity: Activity) -> None:
    scoring = replace(LENS, activity=activity, matched={})
    for memory in generated(60).memories:
        ranked = rank(memory, scoring)
        assert all(0 <= reason.value <= 1 for reason in ranked.reasons)
        weights = sum(reason.weight for reason in ranked.reasons)
        added = sum(reason.value * reason.weight for reason in ranked.reasons) / weights
        assert ranked.score == pytest.approx(added, abs=1e-3)


def test_every_feature_is_told_by_name_where_it_applies() -> None:
    memory = episode("Fix login", names=[HERE])
    told = {reason.feature for reason in rank(memory, replace(LENS, matched={memory.id: 0.5})).reasons}
    assert told == {name for name, *_ in FEATURES} - {"pinned", "usual"}


def test_how_sure_a_memory_is_is_said_in_words() -> None:
    memory = episode("Fix login", names=[HERE])
    says = {reason.feature: reason.says for reason in rank(memory, LENS).reasons}
    assert says["confidence"] in {"nearly certain", "likely", "possible", "a guess", "hardly"}


def test_nearer_memories_rank_higher() -> None:
    names_it = decision("Sessions?", "server side", names=[HERE])
    folder = decision("Layout of auth?", "flat", scope="src/auth")
    above = decision("Layout of src?", "packages", scope="src")
    neighbour = decision("Storage of sessions?", "redis", names=["src/auth/session.py"])
    elsewhere = decision("Colour of docs?", "blue", names=["docs/conf.py"])
    scores = [score(memory) for memory in (names_it, folder, above, neighbour, elsewhere)]
    assert scores[0] > scores[1] > scores[2] > scores[4]
    assert scores[3] > scores[4]


def test_a_commit_over_many_files_says_less_of_each() -> None:
    narrow = episode("Fix login", names=[HERE])
    wide = episode("Reformat", names=[HERE, *(f"src/other_{n}.py" for n in range(20))])
    assert score(narrow) > score(wide)


def test_the_words_of_the_task_bring_up_what_matches_them() -> None:
    one, other = decision("Passwords?", "argon2"), decision("Colours?", "blue")
    scoring = ScoringContext(NOW, Activity.EXPLORING, matched={one.id: 0.9})
    assert score(one, scoring) > score(other, scoring)
    assert "matches the task" in {reason.says for reason in rank(one, scoring).reasons}


def test_without_file_and_task_nothing_is_held_against_a_memory() -> None:
    scoring = ScoringContext(NOW, Activity.EXPLORING)
    assert "about" not in {reason.feature for reason in rank(decision("Passwords?", "argon2"), scoring).reasons}


ONE_CLICK = 0.3
"""How far a run moves a memory at most for one session in which it was left, dismissed or cited."""


def test_no_use_buries_a_decision_about_this_file_under_one_about_another_folder() -> None:
    memory, weaker = decision("Sessions?", "server side", names=[HERE]), decision("Layout?", "flat", scope="src")
    assert score(memory) - score(weighed(memory, -ONE_CLICK)) < 0.01
    assert score(weighed(memory, -1, Warmth.COLD)) > score(weighed(weaker, 1, cited=10_000))


def test_citations_help_and_the_help_is_bounded() -> None:
    memory = fact("login", "takes a form", names=[HERE])
    assert score(memory) < score(used(memory, cited=3)) < score(used(memory, cited=10_000)) < score(memory) + 0.05


def test_what_was_of_use_ranks_above_and_what_was_left_below_its_like() -> None:
    memory = fact("login", "takes a form", names=[HERE])
    assert score(weighed(memory, 0.8)) > score(weighed(memory, 0.2)) > score(memory) > score(weighed(memory, -0.5))
    assert score(memory) > score(weighed(memory, 0, Warmth.WARM)) > score(weighed(memory, 0, Warmth.COLD))


def test_being_passed_over_changes_nothing_before_the_run_has_weighed_it() -> None:
    memory = fact("login", "takes a form", names=[HERE])
    assert rank(used(memory, ignored=500), LENS).score == score(memory)


def test_the_run_s_part_of_a_score_is_told() -> None:
    told = {reason.feature: reason.says for reason in rank(weighed(episode("Fix login"), 0.4), LENS).reasons}
    assert told["usefulness"] == "was useful when it was shown (+0.40)"
    assert told["warmth"] == "hot: used or learned within days of work"


_memories = st.sampled_from([*generated(40).memories, decision("Sessions?", "server side", names=[HERE])])


@given(_memories, st.sampled_from(Activity), st.floats(-1, 1), st.floats(-ONE_CLICK, ONE_CLICK))
def test_one_click_moves_no_memory_by_more_than_a_fiftieth(
    memory: Memory, activity: Activity, before: float, click: float
) -> None:
    scoring = replace(LENS, activity=activity, matched={})
    moved = score(weighed(memory, before + click), scoring) - score(weighed(memory, before), scoring)
    assert abs(moved) <= 0.02


@given(st.floats(allow_nan=False), st.integers(0, 10**6))
def test_whatever_stands_in_the_store_moves_a_score_within_bounds(usefulness: float, cited: int) -> None:
    memory = decision("Sessions?", "server side", names=[HERE])
    assert abs(score(weighed(memory, usefulness, Warmth.COLD, cited=cited)) - score(memory)) < 0.06


def test_being_shown_alone_changes_nothing() -> None:
    memory = fact("login", "takes a form", names=[HERE])
    assert rank(used(memory, retrieved=500), LENS).score == score(memory)


def test_pinned_and_important_memories_rank_above_their_like() -> None:
    plain = fact("login", "takes a form", names=[HERE])
    pinned = replace(plain, draft=replace(plain.draft, pinned=True))
    trivial = replace(plain, draft=replace(plain.draft, importance=Importance.TRIVIAL))
    assert score(pinned) > score(plain) > score(trivial)


def test_newer_episodes_rank_higher_and_a_clock_gone_back_harms_nobody() -> None:
    new, old = episode("Fix login", names=[HERE], days_ago=1), episode("Fix it", names=[HERE], days_ago=800)
    assert score(new) > score(old)
    assert score(new, replace(LENS, now=NOW - timedelta(days=9_000))) >= score(new)


def test_what_fits_the_activity_ranks_higher_then() -> None:
    fix = episode("Fix login", names=[HERE], change="fix")
    assert score(fix, replace(LENS, activity=Activity.DEBUGGING)) > score(fix)


@given(st.integers(0, 10**6), st.integers(0, 10**6), st.integers(0, 10**6))
def test_no_use_moves_a_score_by_more_than_a_twentieth(retrieved: int, cited: int, ignored: int) -> None:
    memory = decision("Sessions?", "server side", names=[HERE])
    moved = score(used(memory, retrieved=retrieved, cited=cited, ignored=ignored)) - score(memory)
    assert abs(moved) < 0.05
