"""Weights from a project's own past: what it teaches, and that it never looks ahead."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.engine.predicting.calibrate import (
    USUAL_SHIFT,
    USUAL_SLOPE,
    Calibration,
    expected_calibration_error,
    fit_calibration,
    shares,
)
from companion.engine.predicting.cochange import commit_weight
from companion.engine.predicting.features import LISTS
from companion.engine.predicting.learn import (
    FEWEST_COMMITS,
    PAST_TREES,
    TrainingExample,
    examples_from,
    fitted,
    found_among,
    found_by_commit,
    past_trees,
    replay_weights,
    replayed,
    unseen,
)
from companion.records import Commit, Link, LinkKind
from engine.past import commit, history

LEARNED = [feature.name for feature in LISTS]
USUAL = [feature.weight for feature in LISTS]
NAMES = [f"src/part_{n}.py" for n in range(12)]


def steady(commits: int = 160) -> list[Commit]:
    """Twelve files in six fixed pairs that always change together, in turn."""
    rows = [" ".join(f"+{name}" for name in NAMES)]
    rows += [f"{NAMES[2 * (n % 6)]} {NAMES[2 * (n % 6) + 1]}" for n in range(commits)]
    return history(*rows)


def fit_ranker(commits: list[Commit]) -> dict[str, float]:
    return fitted(examples_from(commits)).parameters


def test_too_short_a_past_teaches_nothing() -> None:
    assert fit_ranker([]) == {}
    assert fit_ranker(steady(FEWEST_COMMITS - 2)) == {}


def test_documents_beside_code_teach_nothing_and_teach_where_there_is_no_code() -> None:
    documents = ["+a.md +b.md", *["a.md b.md"] * 100]
    assert fit_ranker(history("+a.py", *documents)) == {}
    assert fit_ranker(history(*documents))


def test_pictures_are_nothing_that_is_worked_on_however_many_there_are() -> None:
    pictures = [f"+{name}.png" for name in "abcdefghijklmnopqrstuvwxyz"]
    rows = [" ".join(["+a.py", "+b.py", *pictures]), *["a.py b.py", "a.png b.png"] * 50]
    assert {number for number, _ in replayed(history(*rows))} == set(range(1, 100, 2))


def test_what_is_learned_is_named_finite_and_not_negative() -> None:
    learned = fit_ranker(steady())
    assert {"calibration.slope", "calibration.shift"} <= set(learned) <= {
        *LEARNED, "calibration.slope", "calibration.shift"
    }  # fmt: skip
    assert all(np.isfinite(value) for value in learned.values())
    assert all(learned.get(name, 0.0) >= 0 for name in LEARNED)
    assert learned == fit_ranker(steady())


def test_examples_are_files_that_were_there_and_all_of_a_commit_weigh_less_the_more_it_changed() -> None:
    examples = examples_from(steady(20))
    by_commit: dict[int, float] = {}
    for example in examples:
        assert example.values.shape == (len(NAMES) - 1, len(LEARNED))
        assert example.needed.sum() == 1
        by_commit[example.commit] = by_commit.get(example.commit, 0.0) + example.weight
    assert list(by_commit) == list(range(1, 21))
    assert list(by_commit.values()) == pytest.approx([commit_weight(2)] * 20)
    sweep = history(" ".join(f"+{name}" for name in NAMES), " ".join(NAMES))
    assert sum(example.weight for example in examples_from(sweep)) == pytest.approx(commit_weight(12))


def test_new_files_deleted_ones_merges_and_sweeps_are_no_examples() -> None:
    rows = history(
        "+a.py +b.py +c.py",
        "a.py +d.py",
        "-d.py",
        "a.py d.py",
        "a.py readme.md",
    )
    rows.append(commit(5, "a.py", "b.py", parents=2))
    rows.append(commit(6, *(f"+n{n}.py" for n in range(25))))
    rows.append(commit(7, *(f"n{n}.py" for n in range(25))))
    assert {example.commit for example in examples_from(rows)} == set()


def test_a_rename_is_followed_as_the_file_was_called_before() -> None:
    rows = history("+a.py +b.py", "a.py>z.py b.py", "z.py b.py")
    assert {example.commit for example in examples_from(rows)} == {1, 2}


@settings(max_examples=25, deadline=None)
@given(
    st.lists(st.lists(st.sampled_from(NAMES), min_size=1, max_size=4, unique=True), min_size=4, max_size=20),
    st.data(),
)
def test_no_example_knows_of_later_commits(rows: list[list[str]], data: st.DataObject) -> None:
    commits = [commit(0, *(f"+{name}" for name in NAMES))]
    commits += [commit(number, *row) for number, row in enumerate(rows, start=1)]
    cut = data.draw(st.integers(2, len(commits)))
    whole = [example for example in examples_from(commits) if example.commit < cut]
    short = examples_from(commits[:cut])
    assert len(whole) == len(short)
    for one, other in zip(whole, short, strict=True):
        assert np.array_equal(one.values, other.values)
        assert np.array_equal(one.needed, other.needed)


def test_no_example_knows_of_its_own_commit() -> None:
    """What is known before a commit is the same whichever file it goes on to change beside the one at hand."""
    told = []
    for changed in ("b.py", "c.py"):
        rows = history("+a.py +b.py +c.py", "a.py b.py", f"a.py {changed}", "a.py b.py c.py")
        told.append([example for example in examples_from(rows) if example.commit == 2][:1])
    for one, other in zip(*told, strict=True):
        assert np.array_equal(one.values, other.values)
        assert not np.array_equal(one.needed, other.needed)


def test_no_example_has_files_that_came_later_or_were_gone_already() -> None:
    rows = history("+a.py +b.py +gone.py", "-gone.py", "a.py b.py", "+late.py", "a.py b.py late.py")
    files = {example.commit: len(example.needed) for example in examples_from(rows)}
    assert files == {2: 1, 4: 2}


def misleading(commits: int) -> list[TrainingExample]:
    """A project where recency misleads and names tell all: the usual weights rank the wrong file first."""
    rows = []
    for number in range(commits):
        values = np.zeros((12, len(LEARNED)), dtype=np.float32)
        values[:11, LEARNED.index("recent")] = 1.0
        values[11, LEARNED.index("alike")] = 0.9
        needed = np.zeros(12, dtype=bool)
        needed[11] = True
        rows.append(TrainingExample(values, needed, number, 1.0))
    return rows


def test_weights_move_where_the_past_speaks_against_the_usual_ones() -> None:
    learned = fitted(misleading(200)).parameters
    assert learned["alike"] > learned["recent"]


def test_learned_weights_are_dropped_if_the_later_past_does_not_bear_them_out() -> None:
    honest = misleading(200)
    turned = [
        example
        if example.commit < 140
        else TrainingExample(example.values, ~example.needed, example.commit, example.weight)
        for example in honest
    ]
    assert "alike" not in fitted(turned).parameters


def test_what_a_link_is_worth_is_learned_from_the_trees_of_the_past() -> None:
    """Links lead to what changes next, and nothing else does: the more of them are known, the more they weigh."""
    ties = [Link(NAMES[2 * n], NAMES[2 * n + 1], LinkKind.IMPORT, 1.0) for n in range(6)]
    commits = steady()
    known = examples_from(commits, links={0: ties})
    column = LEARNED.index("linked")
    assert all(example.values[example.needed, column].min() == 1.0 for example in known)
    assert all(example.values[:, column].max() == 0.0 for example in examples_from(commits))


def test_no_example_knows_links_of_a_later_tree() -> None:
    late = [Link(NAMES[0], NAMES[1], LinkKind.IMPORT, 1.0)]
    examples = examples_from(steady(40), links={1: [], 20: late})
    linked = {example.commit for example in examples if example.values[:, LEARNED.index("linked")].any()}
    assert linked
    assert min(linked) >= 20
    unknown = examples_from(steady(40), links={20: late})
    assert min(example.commit for example in unknown) == 20, "before the first known tree nothing is said of links"


def test_few_trees_are_asked_for_and_none_in_a_short_past() -> None:
    assert past_trees(steady(FEWEST_COMMITS - 2)) == ()
    wanted = past_trees(steady())
    assert len(wanted) == PAST_TREES
    assert wanted == tuple(sorted(wanted))


@pytest.mark.parametrize("told", [("together",), ("recent", "alike")])
def test_where_a_simple_ranker_finds_more_later_on_weights_go_its_way(told: tuple[str, ...]) -> None:
    """The earlier past speaks for links, the later for what every simple ranker says: the guard follows the later."""
    rows = []
    for number in range(100):
        values = np.zeros((30, len(LEARNED)), dtype=np.float32)
        for name in told:
            values[29, LEARNED.index(name)] = 0.5
        values[:20, LEARNED.index("linked")] = 1.0
        values[:20, LEARNED.index("beside")] = 1.0 if told == ("together",) else 0.0
        needed = np.zeros(30, dtype=bool)
        needed[29 if number >= 70 else 0] = True
        rows.append(TrainingExample(values, needed, number, 1.0))
    learned = fitted(rows).parameters
    usual = dict(zip(LEARNED, USUAL, strict=True))
    assert learned["linked"] == pytest.approx(usual["linked"] / 2, rel=0.3)


def test_found_among_counts_a_commit_once_whatever_its_files() -> None:
    asked = np.arange(11, dtype=np.float32)[:, None]
    one = TrainingExample(asked, np.arange(11) == 10, 0, 0.5)
    two = TrainingExample(asked, np.arange(11) == 0, 1, 1.0)
    assert found_among([one, one, two], np.array([1.0])) == pytest.approx(0.5)
    assert found_among([], np.array([1.0])) == 0.0


def test_commits_are_measured_by_weights_that_have_not_seen_them() -> None:
    past = misleading(200)
    taught = fitted(past)
    assert taught.unseen_from == 140
    told = unseen(past, taught.early, taught.unseen_from)
    assert [commit for commit, *_ in told] == list(range(140, 200))
    assert {learned for _, learned, _, _ in told} == {1.0}
    assert {recent for *_, recent in told} == {0.0}, "naming what was changed last is misled"
    later = [example for example in past if example.commit >= 140]
    other = [TrainingExample(one.values, ~one.needed, one.commit, one.weight) for one in later]
    assert np.array_equal(fitted([*past[:140], *other]).early, taught.early), "what comes later moves nothing"


def test_in_too_short_a_past_nothing_was_seen_and_the_usual_weights_are_measured() -> None:
    few = misleading(FEWEST_COMMITS - 1)
    taught = fitted(few)
    assert (taught.parameters, taught.unseen_from) == ({}, 0)
    assert [learned == usual for _, learned, usual, _ in unseen(few, taught.early, 0)] == [True] * len(few)
    assert unseen([], taught.early, 0) == []


def test_weights_that_were_kept_are_the_same_again_in_a_replay() -> None:
    assert list(replay_weights({})) == USUAL
    learned = fitted(misleading(200)).parameters
    assert list(replay_weights(learned)) == [learned[name] for name in LEARNED]


def test_each_commit_is_found_by_its_own_examples() -> None:
    past = misleading(3)
    assert found_by_commit(past, replay_weights({})) == {0: 0.0, 1: 0.0, 2: 0.0}
    assert found_by_commit(past, replay_weights({"alike": 9.0})) == {0: 1.0, 1: 1.0, 2: 1.0}
    assert found_by_commit([], replay_weights({})) == {}


def test_shares_of_counted_files_add_up_to_one_and_others_do_not_take_from_them() -> None:
    scores = np.array([2.0, 1.0, 5.0])
    share = shares(scores, np.array([True, True, False]))
    assert share[:2].sum() == pytest.approx(1.0)
    assert 0 < share[2] < 1
    pages = shares(np.array([-9.0, 5.0, 5.0, 5.0]), np.array([True, False, False, False]))
    assert pages[1:].sum() == pytest.approx(1.0, abs=1e-3)  # however little is known of the counted


def test_calibration_learns_that_shares_are_too_bold() -> None:
    draw = np.random.default_rng(1)
    share = draw.uniform(0.01, 0.9, 4_000)
    needed = draw.uniform(size=4_000) < share / 3
    fitted = fit_calibration(share, needed, np.ones(4_000))
    before = expected_calibration_error(Calibration().probabilities(share), needed, np.ones(4_000))
    after = expected_calibration_error(fitted.probabilities(share), needed, np.ones(4_000))
    assert after < before / 2


def test_without_examples_calibration_stays_usual() -> None:
    nothing = np.zeros(0)
    fitted = fit_calibration(nothing, np.zeros(0, dtype=bool), nothing)
    assert (fitted.slope, fitted.shift) == (USUAL_SLOPE, USUAL_SHIFT)


@given(st.lists(st.floats(0, 1), min_size=2, max_size=20))
def test_calibration_keeps_the_order(share: list[float]) -> None:
    ordered = np.array(sorted(share))
    probabilities = Calibration(0.4, -1.0).probabilities(ordered)
    assert list(probabilities) == sorted(probabilities)


def test_the_calibration_error_by_hand_and_by_weight() -> None:
    said, came = np.array([0.25, 0.25, 0.95]), np.array([True, False, True])
    assert expected_calibration_error(said, came, np.ones(3)) == pytest.approx((0.5 + 0.05) / 3)
    assert expected_calibration_error(said, came, np.array([1.0, 3.0, 0.0])) == pytest.approx(0.0)
    assert expected_calibration_error(np.zeros(0), np.zeros(0, dtype=bool), np.zeros(0)) == 0.0
