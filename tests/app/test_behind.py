"""A process that asks once, with no service beside it, never shows what was read before as how things stand."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest
from repos import Repo

from app.conftest import Desk
from companion.api import Order
from companion.app.checks import OK, WARNING, examine_open
from companion.app.compose import open_companion
from companion.app.local import LocalCompanion
from companion.app.scanning.behind import COMMITS_AT_ONCE, FILES_AT_ONCE, caught_up, look
from companion.ports import NoProgress
from companion.records import Format, SearchQuery, Signals

NEW = "def grand_sum(items):\n    return sum(items)\n"


@pytest.fixture
def alone(desk: Desk, shop: Repo) -> LocalCompanion:
    """A companion of its own process, whose shop was read before."""
    desk.scan(shop.root)
    companion = desk.open(shop.root)
    companion.around = caught_up
    return companion


def context(companion: LocalCompanion) -> str:
    signals = Signals(current_file="shop/price.py")
    return companion.assemble(4_000, signals, Format.MARKDOWN, Order.PEOPLE, count_use=False).text


def reading(companion: LocalCompanion) -> tuple[str, str]:
    found = examine_open(companion.runtime, companion.state, companion.project, companion.checkout)
    return next((one.state, one.what) for one in found if one.name == "reading")


def test_what_nobody_changed_is_not_behind_and_no_file_of_it_is_opened(
    alone: LocalCompanion, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(alone.source(), "read", lambda path: pytest.fail(f"{path} was opened"))
    assert not look(alone)
    assert reading(alone) == (OK, "All commits and files are read.")
    alone.close()


def test_few_commits_and_edits_are_taken_in_before_the_answer(desk: Desk, shop: Repo):
    desk.scan(shop.root)
    shop.write("shop/price.py", NEW)
    shop.commit("Sum prices in one place")
    shop.write("shop/rebate.py", "def christmas_rebate(items):\n    return 0\n")
    alone = desk.open(shop.root)
    alone.around = caught_up
    assert look(alone).told == "1 commit and 2 files"
    assert reading(alone) == (WARNING, "Not read yet: 1 commit and 2 files.")
    assert "changed since" not in context(alone)
    assert "grand_sum" in alone.library().paths()["shop/price.py"].outline
    found = alone.search(SearchQuery(text="christmas rebate"))
    assert "shop/rebate.py" in [hit.path for hit in found]
    assert not look(alone)
    alone.close()


def test_a_file_that_is_gone_is_not_told_of(alone: LocalCompanion, shop: Repo):
    (shop.root / "shop/price.py").unlink()
    assert look(alone).paths == ("shop/price.py",)
    alone.predict(Signals(query="price"))
    assert "shop/price.py" not in alone.library().paths()
    alone.close()


@pytest.mark.parametrize("ask", ["assemble", "search", "predict"])
def test_of_much_that_is_new_each_answer_says_that_it_is_missing(alone: LocalCompanion, shop: Repo, ask: str):
    for number in range(FILES_AT_ONCE + 1):
        shop.write(f"shop/new_{number}.py", f"def rebate_{number}():\n    return {number}\n")
    missing = f"{FILES_AT_ONCE + 1} files, changed since the repository was read: run `companion init`"
    if ask == "assemble":
        assert f"Missing: {missing}\n" in context(alone)
    elif ask == "search":
        alone.search(SearchQuery(text="price"))
        assert missing in alone.notices()
    else:
        assert missing in alone.predict(Signals(query="price")).missing
    assert "shop/new_0.py" not in alone.library().paths()
    alone.close()


def test_many_commits_that_change_few_files_are_told_too(desk: Desk, shop: Repo):
    desk.scan(shop.root)
    for number in range(COMMITS_AT_ONCE + 1):
        shop.write("shop/price.py", f"def total_{number}(items):\n    return {number}\n")
        shop.commit(f"Total number {number}")
    alone = desk.open(shop.root)
    alone.around = caught_up
    assert f"Missing: {COMMITS_AT_ONCE + 1} commits and 1 file, changed since" in context(alone)
    alone.close()


def test_a_new_time_alone_is_no_change_and_is_looked_at_once(
    alone: LocalCompanion, shop: Repo, monkeypatch: pytest.MonkeyPatch
):
    place = shop.root / "shop/price.py"
    os.utime(place, (1, 1))
    assert not look(alone)
    monkeypatch.setattr(alone.source(), "read", lambda path: pytest.fail(f"{path} was opened"))
    assert not look(alone)
    alone.close()


def test_what_is_never_read_is_no_change(alone: LocalCompanion, shop: Repo):
    shop.write(".companionignore", "drafts/\n")
    alone.refresh(None)
    shop.write("drafts/one.py", NEW)
    shop.write("shop/logo.png", b"\x89PNG\r\n\x1a\n\x00\x00")
    assert not look(alone)
    alone.close()


def test_whoever_opens_a_store_by_himself_looks_first(tmp_path: Path, shop: Repo):
    first = open_companion(shop.root, tmp_path / "home")
    first.scan(NoProgress(), embed=False)
    first.close()
    subprocess.run(["git", "-C", shop.root, "checkout", "-q", "-b", "other"], check=True)
    shop.write("shop/price.py", NEW)
    again = open_companion(shop.root, tmp_path / "home")
    again.predict(Signals(query="price"))
    assert "grand_sum" in again.library().paths()["shop/price.py"].outline
    again.close()
