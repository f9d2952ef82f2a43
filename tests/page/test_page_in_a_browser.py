"""The page in a real Chromium: by keyboard alone, as somebody types, on a phone, in the dark, and scanned by axe."""

from __future__ import annotations

import asyncio
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from datetime import datetime
from importlib.resources import files

import lived
import pytest
from browsers import PATIENCE_MS, browsing, needed_browser
from team_records import BOB, withdrawal
from team_records import version as shared
from visits import Visit
from waiting import until

from companion.api import RunOrder
from companion.ports import NoProgress
from companion.surfaces.http.handler import RequestHandler
from companion.surfaces.http.server import made_server
from companion.surfaces.page.app import Page
from companion.surfaces.page.page_access import PageAccess
from companion.surfaces.page.rooms import ROOMS
from companion.surfaces.page.rooms.memories import LEAF_ROWS, PAGE_ROWS

pytestmark = pytest.mark.timeout(300)
ROOM_NAMES = tuple(room.name for room in ROOMS)
DESK, PHONE = {"width": 1200, "height": 800}, {"width": 360, "height": 740}
SERIOUS = {"serious", "critical"}
LEAVES_AT_FIRST = PAGE_ROWS // LEAF_ROWS
WATCH = """
    window.broken = [];
    document.addEventListener('securitypolicyviolation', (e) => window.broken.push(e.violatedDirective + ' ' + e.blockedURI));
"""
"""Keeps what the page's policy forbade."""
OPEN_SOME = """() => {
    for (const closed of [...document.querySelectorAll('details:not([open])')].slice(0, 4)) closed.open = true;
    document.querySelector('a.row')?.click();
}"""
"""Shows what stands behind the first things of a room that open."""

GIVEN_UP = ("htmx:sendAbort", "htmx:afterRequest")
"""What htmx writes into the console when a request is given up, as that of words that were typed on or of a page left."""


@dataclass
class Seen:
    """A page in a browser, and everything it asked the network for or complained of."""

    page: object
    origin: str
    asked: list[str] = field(default_factory=list)
    complaints: list[str] = field(default_factory=list)

    def quiet(self) -> None:
        """Nothing was asked of anybody else, nothing forbidden was tried, nothing was complained of."""
        assert [one for one in self.asked if not one.startswith(self.origin)] == []
        assert self.page.evaluate("window.broken") == []
        assert [one for one in self.complaints if not one.startswith(GIVEN_UP)] == []


@pytest.fixture(scope="module")
def remembered(visit: Visit) -> Visit:
    """What is to be settled, what is hostile, and enough to look for."""
    visit.keep(*lived.HOSTILE)
    visit.keep(*(f"Loan {number} of the reading room is due on day {number}" for number in range(150)))
    visit.remember("The payment client never retries failed calls")
    visit.remember("The payment client retries failed calls")
    visit.remember(lived.PINNED, pinned=True)
    taken, long = shared("The zanzibar plan", BOB), f"a {'very' * 30}_long name, `code` and <b>more</b>"
    visit.came(taken, withdrawal(taken, BOB), shared(long, BOB))
    return visit


@contextmanager
def listening(page: Page) -> Iterator[str]:
    """The page behind a real socket of this computer, which is closed at the end of the block."""
    plug = socket.create_server(("127.0.0.1", 0))
    server = made_server(PageAccess(page.app()), page.handler)
    begun: list[asyncio.AbstractEventLoop] = []

    async def serve() -> None:
        begun.append(asyncio.get_running_loop())
        await server.serve(sockets=[plug])

    thread = threading.Thread(target=lambda: asyncio.run(serve()))
    thread.start()
    until(lambda: server.started)
    try:
        yield f"http://127.0.0.1:{plug.getsockname()[1]}"
    finally:
        begun[0].call_soon_threadsafe(page.handler.stopping.set)
        thread.join(30)


@pytest.fixture(scope="module")
def origin(remembered: Visit) -> Iterator[str]:
    with listening(remembered.page) as origin:
        yield origin


@pytest.fixture(scope="module")
def browser():
    with browsing(needed_browser()) as opened:
        yield opened


def let_in(browser, origin: str, visit: Visit, **look: object) -> Seen:
    """A new browser that has followed the link, and stands in the first room."""
    context = browser.new_context(**{"viewport": DESK, "reduced_motion": "reduce", **look})
    context.add_init_script(WATCH)
    context.set_default_timeout(PATIENCE_MS)
    page = context.new_page()
    seen = Seen(page, origin)
    page.on("request", lambda request: seen.asked.append(request.url))
    page.on("pageerror", lambda wrong: seen.complaints.append(str(wrong)))
    page.on("console", lambda said: seen.complaints.append(said.text) if said.type in {"error", "warning"} else None)
    page.goto(origin + visit.page.link(visit.root))
    page.wait_for_selector("#rooms")
    return seen


@pytest.fixture
def seen(browser, origin, remembered):
    opened = let_in(browser, origin, remembered)
    yield opened
    opened.quiet()
    opened.page.context.close()


def go(seen: Seen, room: str) -> None:
    seen.page.locator(f'#rooms a[href$="/{room}"]').click()
    seen.page.wait_for_selector(f"main.room-{room}")


def focused(page) -> str:
    return page.evaluate("(document.activeElement.innerText || document.activeElement.id || '').trim()")


def test_every_room_is_reached_by_keyboard_alone_and_takes_the_focus(seen):
    page = seen.page
    page.keyboard.press("Tab")
    assert focused(page).startswith("Skip to")
    for room in (room for room in ROOMS if room.listed):
        for _ in range(40):
            if focused(page) == room.title:
                break
            page.keyboard.press("Tab")
        assert focused(page) == room.title
        ring = page.evaluate("getComputedStyle(document.activeElement).outlineStyle")
        assert ring != "none", room.name
        page.keyboard.press("Enter")
        page.wait_for_selector(f"main.room-{room.name}")
        page.wait_for_function("() => document.activeElement.id === 'room' || document.activeElement === document.body")
        assert page.locator("h1").first.is_visible()
        page.keyboard.press("Home")
        page.evaluate("document.body.focus(); document.activeElement.blur()")


def test_the_link_lets_one_browser_in_once_and_says_how_to_get_another(browser, origin, remembered):
    link = origin + remembered.page.link(remembered.root)
    context = browser.new_context()
    page = context.new_page()
    page.goto(link)
    page.wait_for_selector("#rooms")
    assert "ticket" not in page.url
    (cookie,) = context.cookies()
    assert cookie["httpOnly"]
    assert cookie["sameSite"] == "Strict"
    page.goto(link)
    assert "companion page" in page.locator(".trouble").inner_text()
    context.close()
    stranger = browser.new_context()
    other = stranger.new_page()
    answer = other.goto(f"{origin}{remembered.at('memories')}")
    assert answer.status == 401
    assert "companion page" in other.locator(".trouble").inner_text()
    stranger.close()


def test_memories_are_found_as_one_types_and_the_keys_lead_through_them(seen):
    page = seen.page
    go(seen, "memories")
    page.keyboard.press("/")
    page.keyboard.type("payment client", delay=20)
    page.wait_for_function("() => document.querySelector('#found .row .title')?.innerText.includes('ayment client')")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    page.wait_for_selector("#one [data-memory]")
    assert "ayment client" in page.locator("#one h2").inner_text()
    page.go_back()
    page.wait_for_selector("#words")


def test_a_later_answer_leaves_the_focus_in_the_row_where_it_was(seen):
    page = seen.page
    go(seen, "memories")
    page.fill("#words", "payment clien")
    page.wait_for_function("() => document.querySelector('#found .row .title')?.innerText.includes('ayment client')")
    held = []

    def hold(route: object) -> None:
        held.append(route)

    page.route("**/memories/rows?**", hold)
    with page.expect_request("**/memories/rows?**"):
        page.keyboard.type("t")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowDown")
    row = page.evaluate(
        "() => document.activeElement.dataset.held = new URL(document.activeElement.href).searchParams.get('id')"
    )
    with page.expect_response("**/memories/rows?**"):
        held[0].continue_()
    page.wait_for_function("() => !document.querySelector('[data-held]')")
    page.keyboard.press("Enter")
    page.wait_for_selector(f"#one [data-memory='{row}']")


def test_a_list_goes_on_as_it_is_scrolled(seen):
    page = seen.page
    go(seen, "memories")
    first = page.locator("#rows a.row").count()
    page.wait_for_function(
        "(first) => { scrollTo(0, document.body.scrollHeight);"
        " return document.querySelectorAll('#rows a.row').length > first; }",
        arg=first,
    )


def test_leaves_of_the_list_out_of_sight_are_not_laid_out_and_htmx_leaves_rows_alone(seen):
    page = seen.page
    go(seen, "memories")
    page.locator("#rows a.row").last.scroll_into_view_if_needed()
    page.wait_for_function("(leaves) => document.querySelectorAll('.leaf').length > leaves", arg=LEAVES_AT_FIRST)
    page.evaluate("window.scrollTo(0, 0)")
    page.wait_for_function(
        "() => !document.querySelector('.leaf:last-of-type a').checkVisibility(VISIBLE)".replace(
            "VISIBLE", "{ contentVisibilityAuto: true }"
        )
    )
    told = "window.told = 0; document.addEventListener('htmx:beforeCleanupElement', (e) => window.told += e.target.matches('.row'))"
    page.evaluate(told)
    page.fill("#words", "payment client")
    page.wait_for_function("() => document.querySelector('#found .row .title')?.innerText.includes('ayment client')")
    assert page.evaluate("window.told") == 0


def test_on_a_phone_back_leads_to_the_list_as_it_was(browser, origin, remembered):
    seen = let_in(browser, origin, remembered, viewport=PHONE, is_mobile=True, has_touch=True)
    page = seen.page
    page.goto(f"{origin}{remembered.at('memories')}")
    page.locator("#rows a.row").nth(40).scroll_into_view_if_needed()
    stood, listed = page.evaluate("[scrollY, document.querySelectorAll('#rows a.row').length]")
    page.locator("#rows a.row").nth(40).tap()
    page.wait_for_selector("#one [data-memory]")
    page.wait_for_function("() => location.search.includes('id=')")
    page.locator(".back a").tap()
    page.wait_for_function("() => !location.search.includes('id=')")
    assert page.locator("#rows a.row").nth(40).is_visible()
    assert page.locator("#rows a.row").count() >= listed
    assert abs(page.evaluate("scrollY") - stood) < PHONE["height"]
    page.go_forward()
    page.wait_for_selector("#one [data-memory]")
    seen.quiet()
    page.context.close()


def test_what_was_remembered_is_shown_as_text_whatever_it_holds(seen):
    page = seen.page
    for words in ("onerror", "bell and colour", "hundred thousand"):
        go(seen, "memories")
        page.fill("#words", words)
        page.wait_for_function("() => document.querySelectorAll('#found .row').length > 0")
        page.locator("#found .row").first.click()
        page.wait_for_selector("#one [data-memory]")
        go(seen, "timeline")
    assert "broken" not in page.title()
    assert "\x1b" not in page.content()
    assert page.locator("main img").count() == 0


def test_a_contradiction_is_settled_by_keyboard_and_taken_back(seen, remembered):
    page = seen.page
    go(seen, "contradictions")
    pair = page.locator("article.pair", has_text="retries failed calls").first
    pair.get_by_role("button", name="B holds").press("Enter")
    page.wait_for_selector(".settled")
    assert not remembered.companion.contradictions()
    page.get_by_role("button", name="Undo").press("Enter")
    page.wait_for_selector("form.settle")
    assert remembered.companion.contradictions()


def test_a_run_is_told_and_taken_back(seen, remembered):
    for version in ("3.9", "3.12"):
        remembered.remember(f"The minimum supported Python version is {version}.")
        remembered.daemon.runtime.adapters.clock.advance(days=1)
    report = remembered.companion.consolidate(RunOrder(), NoProgress())
    assert report.changes
    page = seen.page
    go(seen, "reports")
    page.once("dialog", lambda dialog: dialog.accept())
    page.get_by_role("button", name="Undo this run").click()
    page.locator("#said", has_text="undone").wait_for()
    assert not any(one.state.value == "applied" for one in remembered.companion.report(report.run).changes)


@pytest.mark.parametrize("room", ROOM_NAMES)
def test_on_a_phone_nothing_sticks_out(room, browser, origin, remembered):
    seen = let_in(browser, origin, remembered, viewport=PHONE, is_mobile=True, has_touch=True)
    seen.page.goto(f"{origin}{remembered.at(room)}")
    wide = seen.page.evaluate(
        "[...document.querySelectorAll('body *')].filter((e) => e.getBoundingClientRect().right > innerWidth + 1 &&"
        " !e.closest('.unseen, .skip, svg, pre, table') && getComputedStyle(e).position !== 'absolute')"
        ".map((e) => e.outerHTML.slice(0, 90)).slice(0, 3)"
    )
    assert seen.page.evaluate("document.documentElement.scrollWidth <= innerWidth"), wide
    seen.quiet()
    seen.page.context.close()


@pytest.mark.parametrize("look", ["light", "dark"])
def test_axe_finds_nothing_serious_in_any_room(look, browser, origin, remembered):
    axe = files(pytest.importorskip("axe_playwright_python", reason="axe is not installed")) / "axe.min.js"
    seen = let_in(browser, origin, remembered, color_scheme=look)
    seen.page.context.add_init_script(axe.read_text("utf-8"))
    found = {}
    about = remembered.companion.overview().newest[0].sha
    for room in (*ROOM_NAMES, "files?path=library/loans.py", f"commits?id={about}"):
        seen.page.goto(f"{origin}{remembered.at(room)}")
        seen.page.evaluate(OPEN_SOME)
        seen.page.wait_for_function(
            "() => !document.querySelector('.htmx-request') && ![...document.querySelectorAll('.wait')].some((e) => e.checkVisibility())"
        )
        told = seen.page.evaluate("axe.run(document, {resultTypes: ['violations']})")
        wrong = [one for one in told["violations"] if one["impact"] in SERIOUS]
        found |= {f"{room}: {one['id']}": [node["html"][:160] for node in one["nodes"]][:3] for one in wrong}
    assert found == {}
    dark = seen.page.evaluate("getComputedStyle(document.body).backgroundColor.match(/\\d+/g).map(Number)")
    assert (sum(dark[:3]) < 3 * 64) == (look == "dark"), dark
    seen.page.context.close()


def test_when_the_daemon_ends_under_an_open_page_one_line_says_how_to_go_on(browser, remembered):
    handler = RequestHandler(remembered.daemon)
    ending = replace(remembered, page=Page(handler, remembered.page.key))
    with listening(ending.page) as origin:
        seen = let_in(browser, origin, ending)
        seen.page.goto(f"{origin}{ending.at('memories')}")
        seen.page.wait_for_selector("#rows a.row")
    handler.lanes.close()
    seen.page.fill("#words", "gone")
    seen.page.wait_for_selector("#gone:visible")
    seen.page.locator("#rows a.row").first.click()
    assert "companion page" in seen.page.locator("#gone").inner_text()
    assert seen.page.locator(".trouble:visible").count() == 1
    assert seen.page.locator("#rows a.row").count() > 0, "what was shown can still be read"
    seen.page.context.close()


def test_the_first_room_says_what_an_assistant_is_told_and_why(seen, remembered):
    page = seen.page
    page.goto(f"{seen.origin}{remembered.at('context')}?file=library/loans.py&now={datetime.now().year}")
    page.locator("details.item").first.locator("summary").press("Enter")
    page.wait_for_selector("details.item[open] .without p:not(.wait)")
    assert "tokens" in page.locator("details.item[open]").first.inner_text()


def test_the_map_is_drawn_with_its_files_and_leads_into_folders_and_to_files_by_keyboard(seen, remembered):
    page = seen.page
    page.goto(f"{seen.origin}{remembered.at('overview')}")
    page.wait_for_selector(".map svg .dot-of")
    files = [one.path for one in remembered.companion.overview().files]
    assert page.locator(".map .dot-of").count() == len(files)
    assert page.locator(".map .tie").count() > 0
    assert not page.locator("#map-list ul").is_visible()
    page.locator(".map .ring").first.focus()
    assert "library" in page.locator("#map-says").inner_text()
    page.keyboard.press("Enter")
    page.wait_for_selector(".map svg.near")
    page.keyboard.press("Escape")
    page.wait_for_selector(".map svg:not(.near)")
    page.locator('.map .dot-of[aria-label^="library/loans.py"]').focus()
    assert "Changes with dates.py" in page.locator("#map-says").inner_text()
    page.keyboard.press("Enter")
    page.wait_for_selector("#story-title")
    assert "loans.py" in page.locator("h1").inner_text()


def test_where_the_library_does_not_come_the_list_stands_in_place_of_the_map(seen, remembered):
    page = seen.page
    page.route("**/d3.min.js", lambda route: route.fulfill(body="", content_type="text/javascript"))
    page.goto(f"{seen.origin}{remembered.at('overview')}")
    page.wait_for_selector("#map-list a")
    assert page.locator(".map").count() == 0
    assert any("d3" in one for one in seen.complaints)
    seen.complaints.clear()


def test_without_scripts_no_box_is_empty_and_everything_is_reached(browser, origin, remembered):
    seen = let_in(browser, origin, remembered, java_script_enabled=False, viewport={"width": 390, "height": 800})
    page = seen.page
    page.goto(f"{origin}{remembered.at('overview')}")
    assert not page.locator(".map").is_visible()
    page.locator("#map-list a", has_text="library").click()
    page.locator("main a", has_text="library/loans.py").click()
    page.locator(".steps a[href*=commits]").first.click()
    assert page.locator("h1").inner_text().startswith("Fix due dates")
    page.context.close()
