"""What the page tells of a team: who shared what lately, how the server stands, and nothing where nobody shares."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime, timedelta

import pytest
from msgspec.structs import replace
from team_records import ADA, BOB, version, withdrawal
from visits import Visit

from companion.api import SharedMemory, TeamStanding
from companion.app.team import exchange
from companion.app.team.linking import ServerLink, ServerNow, ServerStates, set_link
from companion.records.memory import TEAM_FOLDER
from companion.surfaces.page.rooms.overview import NEWS_TOLD, team_news
from companion.team.text import record_id

TITLE = "Shared by the team"
AT = datetime(2026, 3, 2, 9)
URL = "postgresql://ada@db.example.org/team"


@pytest.fixture
def states(visit: Visit) -> Iterator[ServerStates]:
    """The project has a server, which is taken away afterwards."""
    here = visit.here
    set_link(here.runtime, here.project, ServerLink(URL, "library"))
    yield here.runtime.one(ServerStates)
    set_link(here.runtime, here.project, None)


def test_where_nobody_shares_nothing_is_said_of_a_team(visit: Visit):
    visit.remember("Known here alone")
    assert "Rules that hold here" in visit.see("overview")
    assert TITLE not in visit.see("overview")


def test_who_shared_what_is_told_with_a_link_and_what_is_withdrawn_without_its_words(visit: Visit):
    taken = version("The zanzibar plan")
    (said,) = visit.came(version("Deploys go <b>out</b> on Tuesdays", BOB))
    visit.came(taken), visit.came(withdrawal(taken))
    page = visit.see("overview")
    _, _, told = page.partition(TITLE)
    assert f'href="{visit.at("memories")}?id={said}"' in told
    assert "Deploys go &lt;b&gt;out&lt;/b&gt; on Tuesdays" in told
    assert "<bdi>Bob</bdi>, <time" in told
    assert "A memory was withdrawn" in told
    assert "<bdi>Ada</bdi>, <time" in told
    assert "zanzibar" not in page
    assert "example.org" not in told, "a name is enough"


def test_a_memory_says_once_who_shared_it_and_when(visit: Visit):
    (said,) = visit.came(version("Prices are integer cents", BOB))
    told = visit.see(f"memories/one?id={said}")
    assert "Bob, shared 1 March 2026" in told
    assert told.count("shared 1 March 2026") == 1


@pytest.mark.parametrize(
    ("now", "says"),
    [
        (None, f"Server {URL}: not asked yet"),
        (ServerNow(True, AT), f"Server {URL}: online."),
        (ServerNow(False, AT, "It does not answer."), f"Server {URL}: offline since 02 Mar 09:00 UTC. It does not"),
    ],
)
def test_how_the_server_stands_is_told(visit: Visit, states: ServerStates, now: ServerNow | None, says: str):
    if now is not None:
        states.set(visit.here.project, now)
    assert says in visit.see("overview")


def test_what_waits_to_be_sent_and_to_be_read_is_counted(visit: Visit, states: ServerStates):
    states.set(visit.here.project, ServerNow(True, AT))
    mine = version("Reviews are due within a day", ADA)
    here = visit.here
    exchange.records_of(here.runtime).add(here.project, {record_id(mine): mine}, here.now())
    folder = visit.root / TEAM_FOLDER
    folder.mkdir(parents=True)
    half = folder / "half.json"
    half.write_text("{")
    try:
        page = visit.see("overview")
        assert "online; 1 record to be sent." in page
        assert "1 file to be read: <code>companion team import</code>." in page
        visit.companion.team_import()
        page = visit.see("overview")
        assert "to be read" not in page
        assert "1 file not imported; <code>companion team status</code> says why." in page
    finally:
        half.unlink(), folder.rmdir(), folder.parent.rmdir()


def test_a_folder_that_leads_elsewhere_is_said_and_all_else_is_shown(visit: Visit):
    folder = visit.root / TEAM_FOLDER
    folder.parent.mkdir()
    folder.symlink_to(visit.root / "library")
    try:
        page = visit.see("overview")
        assert f"{TEAM_FOLDER} is a link that leads elsewhere." in page
        assert "Rules that hold here" in page
    finally:
        folder.unlink(), folder.parent.rmdir()


def test_what_was_shared_and_withdrawn_comes_in_one_order_the_latest_first_and_ends():
    shared = tuple(SharedMemory(f"m{day}", f"Of day {day}", BOB, AT + timedelta(days=day)) for day in (9, 7, 5, 3))
    empty = TeamStanding("", "", (), 0, (), 0, False, (), ())
    many = tuple((ADA, AT + timedelta(days=day)) for day in (8, 1, 2, 0))
    told = team_news(replace(empty, shared=shared, withdrawn=many))
    assert [(one.text, one.at.day) for one in told] == [
        ("Of day 9", 11),
        ("", 10),
        ("Of day 7", 9),
        ("Of day 5", 7),
        ("Of day 3", 5),
        ("", 4),
    ]
    assert len(told) == NEWS_TOLD
