"""What is told of a message: how it begins, whole, with the lists that it announces, and what speaks for it else."""

from __future__ import annotations

import pytest
from kinds.history import SOURCE_AND_TEST, WHY, HistoryWorld, Log, episodes, learn

from companion.kinds.history.episodes import Episodes
from companion.kinds.history.reasons import STORY_CHARS, opening
from companion.records import Draft, EpisodeType, FileRole, ParsedFile, Shape, ShapeFamily


@pytest.mark.parametrize(
    ("story", "told"),
    [
        (
            "The pool changed:\n- It closes.\n- It counts\nThat is all.",
            "The pool changed: It closes. It counts. That is all.",
        ),
        ("It closes.\n- It counts.\nThat is all.", "It closes."),
        ("It closes.\nTwo things follow:", "It closes."),
        ("It closes.\nTwo things follow:\n…\nThat is all.", "It closes."),
        (f"It closes.\nTwo things follow:\n- {'x' * STORY_CHARS}", "It closes."),
        (f"Two things follow:\n- It counts.\n- {'x' * STORY_CHARS}\nThat is all.", "Two things follow: It counts. …"),
        (
            "Two paths changed:\n- The pool:\nIt closes.\n- The door.\nIt opens.",
            "Two paths changed: The pool: It closes. The door. It opens.",
        ),
        ("It closes. For example:\nmsg := close() msg.Send()", "It closes."),
        ("- Add the pool\nThis closes.\n- Fix lint", "Add the pool. This closes."),
        (f"It closes. {'It counts. ' * 100}".strip(), f"It closes. {'It counts. ' * 80}…"),
        ("It closed. What it does is\n- It counts.", "It closed. What it does is It counts."),
        ("It closed. What it does is", "It closed."),
        (
            "Two things follow:\n- It counts.\n- It calls\n…\n- It closes.",
            "Two things follow: It counts. It calls. It closes.",
        ),
        ("Two things follow:\n- It counts.\n- It calls …\n- It closes.", "Two things follow: It counts. …"),
        (
            "- Close early\nIt closes.\n- Revert Close early\nIt closed too early.\n- Close late\nIt waits.",
            "Revert Close early. It closed too early.",
        ),
        ("I asked Bo.\nConnections close.", "Connections close."),
        ("I asked Bo.\nThis closes.", ""),
        ("It closes (as it did before.).", "It closes (as it did before.)."),
        ("It closed\nIt counts", "It closed. It counts."),
        ("It closed. I asked Bo. Instead, I count.", "It closed. I asked Bo. Instead, I count."),
        ("It closed. I asked Bo.", "It closed."),
        ("It closed. In the next commit it counts instead of closing.", "It closed."),
    ],
)
def test_a_story_is_told_from_its_beginning_with_the_lists_it_announces(story: str, told: str) -> None:
    assert opening(story) == told


REQUEST = (
    "Count connections\n\nThe pool counts what it lends now, and the door asks it for that number before it opens "
    "another one. A door that gets none waits for a second and asks anew. "
)


def landed(step: str, why: str, request: str = REQUEST) -> list[Draft]:
    log = Log()
    base = log.commit("Start the pool", parents=())
    work = log.commit(step, why, SOURCE_AND_TEST, parents=(base,))
    log.merge(base, work, "Merge pull request #8 from anna/count", request, pull_request="8")
    return episodes(learn(log.commits))


def test_a_branch_whose_request_explains_itself_is_told_so_and_its_reason_by_the_step_that_gives_one() -> None:
    (draft,) = landed("Prepare the pool", f"A door that gets none waits for a second and asks anew. {WHY}")
    assert draft.subject == "Count connections"
    assert draft.levels.full.index("The pool counts") < draft.levels.full.index(WHY[:20])
    assert draft.levels.full.count("A door that gets none") == 1


def test_the_step_is_told_where_its_reason_finds_no_room_beside_the_request() -> None:
    (draft,) = landed("Prepare the pool", WHY, REQUEST + "It lends ten at most. " * 40)
    assert draft.subject == "Prepare the pool"


def test_an_error_that_a_step_fixed_stays_one_under_a_long_request() -> None:
    (draft,) = landed("Fix ValueError when the pool is read twice", WHY)
    assert draft.type == EpisodeType.ERROR


def test_a_title_is_not_told_twice() -> None:
    log = Log()
    log.commit("Count connections (#17)", f"- Count connections.\n\nThis was asked for often. {WHY}", SOURCE_AND_TEST)
    (draft,) = learn(log.commits)
    assert draft.levels.full.lower().count("count connections") == 1


def test_a_security_fix_that_says_nothing_is_told_by_the_tests_it_brought() -> None:
    log = Log()
    fix = log.commit("Merge commit from fork", "", SOURCE_AND_TEST)
    shapes = (
        Shape(ShapeFamily.TEST, "group describe", 1, "", {"title": "pool"}),
        Shape(ShapeFamily.TEST, "case it", 2, "", {"title": "lends to no stranger."}),
        Shape(ShapeFamily.TEST, "case it", 9, "", {"title": "was there before"}),
        Shape(ShapeFamily.TEST, "test function", 12, "test_a_key_is_asked_for"),
    )
    tests = ParsedFile(SOURCE_AND_TEST[1], "python", FileRole.TEST, "0", 1, 20, shapes=shapes)
    world = HistoryWorld(log.commits, code=(tests,), paths=SOURCE_AND_TEST, made={(fix.sha, tests.path): (1, 2, 3, 12)})
    (draft,) = Episodes().learn(world)
    assert draft.subject == "Security fix in src/pool.py"
    assert "Tests that came with it: lends to no stranger; test_a_key_is_asked_for." in draft.levels.full
