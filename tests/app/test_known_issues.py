"""What documents say is known to go wrong is a friction: debugging brings it, and no other work."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from kinds.worlds import world_of
from repos import Repo

from app.conftest import Desk
from companion.api import Order
from companion.kinds.facts import DeclaredFacts
from companion.records import Activity, FactType, Format, Signals

README = """# Ledger

Ledger keeps accounts.

## Known issues

- Exports of more than 2 GB are cut off in the middle of a row.
- Windows
- See [the tracker](https://example.org).
- On Windows:
  - file locks are not released when a worker crashes

Does it work on 32 bit?

## Usage

The export runs every night.
"""
TASK = "the export of all rows is cut off"
ISSUES = [
    "Exports of more than 2 GB are cut off in the middle of a row.",
    "On Windows: file locks are not released when a worker crashes.",
]


def _issues(folder: Path, path: str, text: str) -> list[str]:
    learned = DeclaredFacts().learn(world_of(folder, {path: text}))
    return [one.levels.full for one in learned if one.type == FactType.FRICTION]


def test_each_thing_under_such_a_heading_is_one_issue(tmp_path: Path) -> None:
    assert _issues(tmp_path, "README.md", README) == ISSUES


@pytest.mark.parametrize(
    "heading", ["Limitations", "Known bugs", "Current problems", "Gotchas", "Known limitations of 2.x"]
)
def test_such_headings_are_known(tmp_path: Path, heading: str) -> None:
    assert len(_issues(tmp_path, "README.md", README.replace("Known issues", heading))) == 2


@pytest.mark.parametrize("heading", ["Reporting issues", "Bugs", "Issue tracker", "Fixing known-good builds"])
def test_others_are_not(tmp_path: Path, heading: str) -> None:
    assert not _issues(tmp_path, "README.md", README.replace("Known issues", heading))


def test_debugging_brings_the_one_that_the_error_is_about(desk: Desk, new_repo: Callable[..., Repo]) -> None:
    repo = new_repo("ledger")
    repo.write("README.md", README)
    repo.write("ledger/export.py", "def export(rows):\n    return list(rows)\n")
    repo.commit("Keep accounts")
    desk.scan(repo.root)
    companion = desk.open(repo.root)
    shown = {}
    for activity in (Activity.DEBUGGING, Activity.NEW_FEATURE):
        asked = Signals("ledger/export.py", TASK, activity=activity)
        context = companion.assemble(2_000, asked, Format.MARKDOWN, Order.PEOPLE)
        items = [one for tier in context.tiers for one in tier.items]
        shown[activity] = [one.text for one in items if one.section == "Known issues"]
    companion.close()
    assert len(shown[Activity.DEBUGGING]) == 1 and "2 GB" in shown[Activity.DEBUGGING][0]
    assert not shown[Activity.NEW_FEATURE]
