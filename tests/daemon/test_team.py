"""Daemons that share a project through a server: what one shares the other has, while all else goes on."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
from desks import Desk, desk
from laptops import PROJECT
from lines import line_to
from postgres import Base, base, postgres_folder
from waiting import until

from companion.errors import UsageError
from companion.records.memory import TEAM_FOLDER

__all__ = ["base", "postgres_folder"]


@pytest.fixture
def two(tmp_path: Path, base: Base) -> Iterator[tuple[Desk, Desk]]:
    base.admit("ada", PROJECT), base.admit("bob", PROJECT)
    with ExitStack() as open_:
        yield open_.enter_context(desk(tmp_path / "ada", "Ada")), open_.enter_context(desk(tmp_path / "bob", "Bob"))


def test_what_one_shares_the_other_has_without_asking_and_a_withdrawal_takes_it_away(
    base: Base, two: tuple[Desk, Desk]
):
    ada, bob = two
    ada.asks.team_connect(base.url("ada"), PROJECT)
    bob.asks.team_connect(base.url("bob"), PROJECT)
    until(lambda: bob.online and ada.online)
    ada.share("Deploys happen on Tuesdays only.")
    until(lambda: "Tuesdays" in bob.says)
    (one,) = ada.asks.team_status().shared
    ada.asks.team_withdraw(one.memory)
    until(lambda: "Tuesdays" not in bob.says)


def test_work_goes_on_while_the_server_is_gone_and_all_arrives_when_it_is_back(
    base: Base, two: tuple[Desk, Desk], postgres_folder: str
):
    ada, bob = two
    bob.asks.team_connect(base.url("bob"), PROJECT)
    with line_to(postgres_folder) as line:
        ada.asks.team_connect(f"postgresql://ada@127.0.0.1:{line.port}/{base.name}", PROJECT)
        until(lambda: ada.online)
        line.hold()
        line.cut()
        ada.share("Deploys happen on Tuesdays only.")
        until(lambda: ada.online is False)
        standing = ada.asks.team_status().server
        assert standing is not None and standing.waiting == 1 and "cannot be used" in standing.wrong
        assert ada.log.count("team failed") == 1, "it is told once, however often it is tried"
        line.free.set()
        until(lambda: "Tuesdays" in bob.says)
        until(lambda: ada.online)


def test_status_says_in_a_line_how_sharing_stands_and_nothing_where_nobody_shares(base: Base, two: tuple[Desk, Desk]):
    ada, bob = two
    quiet = bob.notes
    assert not any("Team" in one or "server" in one.lower() for one in quiet)
    ada.asks.team_connect(base.url("ada"), PROJECT)
    until(lambda: ada.online)
    assert f"Team: Server {base.url('ada')}: online." in ada.notes
    waits = bob.root / TEAM_FOLDER / "half.json"
    waits.parent.mkdir(parents=True)
    waits.write_text("{")
    assert bob.notes == (*quiet, "Team: 1 file to be read: `companion team import`.")
    bob.asks.team_import()
    assert bob.notes == quiet, "what was refused waits no more"


def test_who_disconnects_hears_and_says_nothing_more(base: Base, two: tuple[Desk, Desk]):
    ada, bob = two
    for one, login in ((ada, "ada"), (bob, "bob")):
        one.asks.team_connect(base.url(login), PROJECT)
    until(lambda: bob.online and ada.online)
    assert bob.asks.team_disconnect()
    assert not bob.asks.team_disconnect()
    ada.share("Deploys happen on Tuesdays only.")
    until(lambda: base.run("select count(*) from companion.log") == [(1,)])
    assert bob.asks.team_status().server is None
    assert "Tuesdays" not in bob.says


def test_search_asks_the_server_and_names_who_shared(base: Base, two: tuple[Desk, Desk]):
    ada, bob = two
    for one, login in ((ada, "ada"), (bob, "bob")):
        one.asks.team_connect(base.url(login), PROJECT)
    ada.share("Deploys happen on Tuesdays only.")
    until(lambda: "Tuesdays" in bob.says)
    (found,) = bob.asks.team_search("deploys tuesday")
    assert (found.author, bool(found.memory)) == ("Ada <ada@example.org>", True)


def test_no_password_reaches_store_or_log(base: Base, two: tuple[Desk, Desk]):
    ada, _ = two
    with pytest.raises(UsageError) as refused:
        ada.asks.team_connect(f"postgresql://ada:hunter2-xyz@localhost/{base.name}", PROJECT)
    assert "hunter2-xyz" not in str(refused.value)
    assert ada.asks.team_status().server is None
    assert "hunter2-xyz" not in ada.log
