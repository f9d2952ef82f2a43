"""Nobody sees the page but a browser that followed the link, and nothing of it reaches another page."""

from __future__ import annotations

from pathlib import Path
from urllib.parse import urlencode

import pytest
from starlette.testclient import TestClient
from visits import HERE, KEY, Visit, enter, stranger

from companion.surfaces.http.handler import RequestHandler
from companion.surfaces.http.verbs import VERBS
from companion.surfaces.page import app
from companion.surfaces.page.app import Page
from companion.surfaces.page.keys import SESSIONS_MAX, TICKET_S
from companion.surfaces.page.page_access import PageAccess

FORM = {"Origin": HERE, "Sec-Fetch-Site": "same-origin"}


def test_the_link_lets_one_browser_in_once(visit: Visit):
    link, first, second = visit.page.link(visit.root), stranger(visit.page), stranger(visit.page)
    assert first.get(link).status_code == 200
    assert first.get(visit.at("context")).status_code == 200
    again = second.get(link)
    assert again.status_code == 410
    assert "companion page" in again.text
    assert second.get(visit.at("context")).status_code == 401


@pytest.mark.parametrize(
    ("to", "led_to"),
    [("review?id=c1", "review?id=c1"), ("contradictions#x1", "contradictions#x1"), ("//elsewhere.net", "overview")],
)
def test_the_link_leads_to_a_room_and_nowhere_else(visit: Visit, to: str, led_to: str):
    answer = stranger(visit.page).get(f"{visit.page.link(visit.root)}&{urlencode({'to': to})}")
    assert f'url={visit.at(led_to)}"' in answer.text


def test_a_link_is_good_for_a_minute(visit: Visit):
    link, late = visit.page.link(visit.root), stranger(visit.page)
    visit.seconds.at += TICKET_S + 1
    answer = late.get(link)
    assert answer.status_code == 410
    assert "companion page" in answer.text
    assert late.get(visit.at("context")).status_code == 401


@pytest.mark.parametrize("ticket", ["", "forged", "x" * 5_000, "%00", "%ff%fe"])
def test_a_forged_ticket_opens_nothing(visit: Visit, ticket: str):
    answer = stranger(visit.page).get(f"/{KEY}/enter?ticket={ticket}")
    assert answer.status_code == 403
    assert "companion page" in answer.text
    assert "set-cookie" not in answer.headers


def test_a_browser_that_fetches_in_advance_does_not_use_the_link_up(visit: Visit):
    link, browser = visit.page.link(visit.root), stranger(visit.page)
    assert browser.get(link, headers={"Sec-Purpose": "prefetch;prerender"}).status_code == 409
    assert browser.get(link).status_code == 200


def test_another_user_who_read_the_link_is_refused_and_does_not_use_it_up(visit: Visit, monkeypatch):
    link, browser = visit.page.link(visit.root), stranger(visit.page)
    with monkeypatch.context() as another:
        another.setattr(app, "is_anothers", lambda port: True)
        answer = browser.get(link)
    assert answer.status_code == 403
    assert "another user" in answer.text
    assert "companion page" in answer.text
    assert "set-cookie" not in answer.headers
    assert browser.get(link).status_code == 200


def test_the_cookie_is_out_of_reach_of_scripts_and_of_other_pages_and_ports(visit: Visit):
    cookie = stranger(visit.page).get(visit.page.link(visit.root)).headers["set-cookie"]
    assert "HttpOnly" in cookie
    assert "SameSite=strict" in cookie
    assert f"Path=/{KEY}/" in cookie  # browsers send cookies of 127.0.0.1 to every port, but to this path alone
    assert "Max-Age" not in cookie
    assert "expires" not in cookie.lower()


def test_the_cookie_of_another_daemon_opens_nothing(visit: Visit):
    other = Page(RequestHandler(visit.daemon), "another-key")
    theirs = enter(other, visit.root).cookies["companion"]
    browser = stranger(visit.page)
    browser.cookies.set("companion", theirs, path=f"/{KEY}/")
    assert browser.get(visit.at("context")).status_code == 401


def test_a_page_of_a_daemon_that_has_ended_says_what_opens_it_anew(visit: Visit):
    answer = visit.browser.get("/key-of-a-dead-daemon/library/context")
    assert answer.status_code == 404
    assert "companion page" in answer.text


def test_who_came_in_first_is_put_out_when_there_are_too_many(visit: Visit):
    page = Page(visit.page.handler, "crowded")
    first = enter(page, visit.root)
    place = f"/crowded/{page.folders.first}/memories"
    assert first.get(place).status_code == 200
    for _ in range(SESSIONS_MAX):
        page.keys.enter(page.keys.ticket("library"))
    assert first.get(place).status_code == 401


@pytest.mark.parametrize(
    "host", ["evil.example:7391", "evil.example", "127.0.0.1.evil.example:7391", "127.0.0.1", "[::2]:7391", ""]
)
def test_no_foreign_name_resolves_to_the_page(visit: Visit, host: str):
    assert visit.browser.get(visit.at("context"), headers={"Host": host}).status_code == 403


@pytest.mark.parametrize("host", ["localhost:50123", "127.0.0.1:50123", "[::1]:7391"])
def test_a_forwarded_port_leads_to_the_page(visit: Visit, host: str):
    assert visit.browser.get(visit.at("context"), headers={"Host": host}).status_code == 200


@pytest.mark.parametrize("site", ["cross-site", "same-site"])
def test_another_page_cannot_look_not_even_one_of_this_computer(visit: Visit, site: str):
    answer = visit.browser.get(visit.at("context"), headers={"Sec-Fetch-Site": site})
    assert answer.status_code == 403
    assert visit.browser.get("/static/x/page.css", headers={"Sec-Fetch-Site": site}).status_code == 403


def test_the_link_may_be_followed_from_anywhere_but_not_framed(visit: Visit):
    heads = {"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "navigate"}
    answer = stranger(visit.page).get(visit.page.link(visit.root), headers=heads)
    assert answer.status_code == 200
    assert "frame-ancestors 'none'" in answer.headers["content-security-policy"]
    heads["Sec-Fetch-Mode"] = "no-cors"
    assert stranger(visit.page).get(visit.page.link(visit.root), headers=heads).status_code == 403


@pytest.mark.parametrize(
    "heads",
    [
        {},
        {"Origin": "https://evil.example", "Sec-Fetch-Site": "cross-site"},
        {"Origin": "http://127.0.0.1:3000", "Sec-Fetch-Site": "same-site"},
        {"Origin": "null"},
        {"Sec-Fetch-Site": "same-origin"},
        {"Sec-Fetch-Site": "none"},
    ],
)
def test_no_other_page_can_send_a_form(visit: Visit, heads: dict[str, str]):
    id_ = visit.remember("The till is counted at six.")
    answer = visit.browser.post(visit.at("memories/forget"), data={"id": id_}, headers=heads)
    assert answer.status_code == 403
    assert visit.companion.dossier(id_).memory.status.value == "active"


def test_a_form_is_read_as_a_form_alone(visit: Visit):
    answer = visit.browser.post(visit.at("memories/forget"), json={"id": "m1"}, headers=FORM)
    assert answer.status_code == 415


def test_a_deed_is_not_done_by_looking(visit: Visit):
    id_ = visit.remember("The door is painted green.")
    assert visit.browser.get(visit.at(f"memories/forget?id={id_}")).status_code == 404
    assert visit.companion.dossier(id_).memory.status.value == "active"


def test_every_answer_carries_the_policy(visit: Visit):
    for place in (visit.at("context"), "/nowhere", f"/{KEY}/enter?ticket=x", visit.at("memories/rows?q=x")):
        heads = visit.browser.get(place).headers
        policy = heads["content-security-policy"]
        assert policy.startswith("default-src 'none'")
        assert "unsafe" not in policy
        assert "http" not in policy
        assert heads["x-content-type-options"] == "nosniff"
        assert heads["cross-origin-resource-policy"] == "same-origin"
        assert heads["cache-control"] == "no-store"


def test_nothing_of_the_api_is_answered_here(visit: Visit):
    heads = {**FORM, "Authorization": "Bearer x"}
    for path in [verb.route.path for verb in VERBS] + ["/status", "/stop", "/attach", "/openapi.json", "/page"]:
        assert visit.browser.get(path, headers=heads).status_code in {404, 405}
        assert visit.browser.post(path, json={}, headers=heads).status_code in {404, 405}


def test_a_folder_that_was_not_asked_for_is_not_shown(visit: Visit, tmp_path: Path):
    assert visit.browser.get(f"/{KEY}/{tmp_path.name}/context").status_code == 404
    assert visit.browser.get(f"/{KEY}/..%2f..%2fetc/context").status_code == 404


def test_the_root_leads_to_the_first_room(visit: Visit):
    answer = visit.browser.get(f"/{KEY}/{visit.folder}")
    assert (answer.status_code, answer.headers["location"]) == (303, visit.at("overview"))
    assert visit.browser.get(f"/{KEY}/").headers["location"] == visit.at("overview")


def test_without_a_session_there_is_nothing_but_styles(visit: Visit):
    alone = TestClient(PageAccess(visit.page.app()), base_url=HERE, follow_redirects=False)
    for place in ("context", "memories", "memories/rows?q=x", "context/files"):
        answer = alone.get(visit.at(place))
        assert answer.status_code == 401
        assert "companion page" in answer.text
    style = alone.get(alone.get(visit.at("context")).text.split('rel="stylesheet" href="')[1].split('"')[0])
    assert style.status_code == 200
    assert "immutable" in style.headers["cache-control"]


@pytest.mark.parametrize("heads", [{}, {"HX-Request": "true"}], ids=["page", "part"])
def test_a_page_left_open_while_the_daemon_was_started_again_says_how_to_open_it_anew(
    visit: Visit, heads: dict[str, str]
):
    before = f"/key-of-before/{visit.folder}"
    own = {**heads, "Origin": HERE, "Sec-Fetch-Site": "same-origin"}
    answers = [visit.browser.get(f"{before}/{place}", headers=heads) for place in ("health", "memories/rows?q=loan")]
    answers.append(visit.browser.post(f"{before}/contradictions/settle", data={"id": "x1"}, headers=own))
    for answer in answers:
        assert answer.status_code == 404
        assert "has stopped since" in answer.text
        assert "<code>companion page</code>" in answer.text
