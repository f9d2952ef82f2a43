"""What is being done, told from what happened, with the reason."""

from __future__ import annotations

from datetime import datetime

import pytest

from companion.engine.attending.activity import infer
from companion.records import Activity, Event, Happening

NOW = datetime(2026, 1, 5, 9, 0)


def story(*told: str) -> list[Event]:
    """Events from short words: `open a.py`, `edit a.py`, `edit a.py::f`, `new a.py`, `ran 1`, `errors a.py 2`, `came`."""
    made: list[Event] = []
    for line in told:
        word, *rest = line.split()
        number = len(made) + 1
        if word == "ran":
            made.append(Event(number, NOW, Happening.RAN, exit_code=int(rest[0])))
        elif word == "errors":
            made.append(Event(number, NOW, Happening.DIAGNOSED, rest[0], errors=int(rest[1])))
        elif word == "came":
            made.append(Event(number, NOW, Happening.ARRIVED, people=("Bea",)))
        else:
            what = Happening.OPENED if word == "open" else Happening.EDITED
            path, _, symbol = rest[0].partition("::")
            made.append(Event(number, NOW, what, path, symbol, unindexed=word == "new"))
    return made


OPENED = [f"open f{n}.py" for n in range(6)]
EDITED = [f"edit f{n}.py" for n in range(6)]


@pytest.mark.parametrize(
    ("told", "branch", "activity", "why"),
    [
        (["edit a.py", "ran 1"], "", Activity.DEBUGGING, "the last command failed"),
        (["ran 1", "edit a.py", "ran 2"], "", Activity.DEBUGGING, "the last 2 commands failed"),
        (["errors a.py 2", *OPENED], "", Activity.DEBUGGING, "2 errors are shown in a.py"),
        (["came", *OPENED], "", Activity.REVIEW, "6 files were opened and 0 edited since commits or a branch came in"),
        (OPENED, "pr/1234-cart", Activity.REVIEW, "6 files were opened and 0 edited on a branch for a “pr”"),
        (EDITED, "", Activity.REFACTORING, "6 files were edited and none is new"),
        (
            ["edit a.py::Cart.sum", "edit b.py::sum", "edit c.py::Order.sum"],
            "",
            Activity.REFACTORING,
            "`sum` was edited in 3 files",
        ),
        (["new pay.py", "edit a.py"], "", Activity.NEW_FEATURE, "pay.py is new"),
        ([], "feature/add-payments", Activity.NEW_FEATURE, "the branch name says “feature”"),
        (
            ["new pay.py"],
            "feature/pay",
            Activity.NEW_FEATURE,
            "pay.py is new and the branch name says “feature”",
        ),
    ],
)
def test_it_is_told_with_its_reason(told: list[str], branch: str, activity: Activity, why: str) -> None:
    sign = infer(story(*told), branch)
    assert sign is not None
    assert (sign.activity, sign.says) == (activity, why)


@pytest.mark.parametrize(
    ("told", "branch"),
    [
        ([], ""),
        ([], "main"),
        (OPENED, ""),
        (["ran 1", "edit a.py", "ran 0"], ""),
        (["open a.py", "errors a.py 1", "edit a.py", "errors a.py 0"], ""),
        (["open a.py", "edit a.py", "errors a.py 1"], ""),
        (["came", *OPENED, *EDITED[:3]], ""),
    ],
)
def test_nothing_is_claimed_without_a_sign(told: list[str], branch: str) -> None:
    assert infer(story(*told), branch) is None


def test_a_failing_command_outweighs_what_the_branch_is_called() -> None:
    sign = infer(story("edit a.py", "ran 1"), "feature/pay")
    assert sign is not None
    assert sign.activity is Activity.DEBUGGING


def test_the_same_story_gives_the_same_answer() -> None:
    told = story(*OPENED, *EDITED, "ran 1", "errors f1.py 3", "open f2.py")
    assert len({infer(told, "fix/cart") for _ in range(5)}) == 1


def test_what_is_long_ago_no_longer_counts() -> None:
    back_and_forth = [f"open f{n % 3}.py" for n in range(80)]
    assert infer(story("ran 1", *back_and_forth), "") is None
