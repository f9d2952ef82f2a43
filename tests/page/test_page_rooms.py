"""What the rooms of the context and of memories show, and what can be done there."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from repos import Repo
from visits import Visit, make_library

from companion.api import Note
from companion.ports import NoProgress
from companion.records import Kind, Profile, SearchQuery, Signals, Touch, Touched
from companion.records.looking import TimelineQuery
from companion.records.search import QUERY_CUT, QUERY_MAX_CHARACTERS, State
from companion.surfaces import groups
from companion.surfaces.page.room import Room
from companion.surfaces.page.rooms import ROOMS
from companion.surfaces.page.rooms.memories import PAGE_ROWS


def ids(page: str) -> list[str]:
    """The memories that a list names, in its order."""
    return re.findall(r'class="row" href="[^"]*/memories\?id=([^"&]+)[&"]', page)


@pytest.mark.parametrize("room", ROOMS, ids=lambda room: room.name)
def test_every_room_is_shown_and_marked_in_the_list(visit: Visit, room: Room):
    page = visit.see(room.name)
    assert bool(re.search(rf'aria-current="page">{room.title}</a>', page)) == room.listed
    assert 'class="trouble"' not in re.sub(r'<p id="(gone|late)" class="trouble" role="alert" hidden>', "", page)


def test_the_context_is_shown_in_groups_with_what_each_tier_takes_of_the_budget(visit: Visit):
    page = visit.see("context?file=library/loans.py")
    context = visit.companion.explain(
        8_000, Signals(current_file="library/loans.py"), None, leave_one_out=False
    ).context
    for tier in context.tiers:
        assert f'{tier.tokens:,} tokens</span> <span class="meta">(share {tier.share_tokens:,})' in page
    assert f">{context.tokens:,}</strong>" in page
    assert page.count('<details class="item"') == sum(len(tier.items) for tier in context.tiers)
    found = groups.of_context(context, "library/loans.py")
    assert re.findall(r'id="of-(\w+)"', page) == [group.id for group in found]
    assert all(f">{group.label} <span" in page and group.rows for group in found), "nothing stands for an empty group"


def test_the_context_of_the_page_is_what_the_editor_has_open(visit: Visit):
    visit.companion.observe([Touched("library/dates.py", Touch.OPENED)])
    assert "library/dates.py</bdi>" in visit.see("context")


def test_looking_at_the_context_counts_as_no_use(visit: Visit):
    before = visit.companion.stats()
    visit.see("context?file=library/loans.py&task=due+dates")
    after = visit.companion.stats()
    assert (before.retrieved, before.cited) == (after.retrieved, after.cited)


def test_an_item_says_what_would_be_there_without_it(visit: Visit):
    page = visit.see("context?file=library/loans.py&budget=600")
    link = re.search(r'hx-get="[^"]*/(context/item\?[^"]*)"', page)
    assert link is not None
    said = visit.see(link[1].replace("&amp;", "&"))
    assert "Value × weight" in said
    assert "Without it" in said


def test_who_comes_back_sees_what_is_open_by_now(visit: Visit):
    visit.companion.observe([Touched("library/loans.py", Touch.OPENED)])
    assert "library/loans.py</bdi>" in visit.see("context/now?budget=8000")


def test_a_budget_or_activity_that_is_none_is_refused_in_a_line(visit: Visit):
    for place in ("context?budget=-1", "context?budget=99999999", "context?activity=dancing", "context?budget=x"):
        page = visit.see(place)
        assert 'class="trouble"' in page
        assert '<nav aria-label="Rooms"' in page


def test_memories_are_found_as_one_types(visit: Visit):
    id_ = visit.remember("The returns desk closes at noon on Wednesdays.")
    answer = visit.browser.get(visit.at("memories/rows?q=returns+desk"), headers={"HX-Request": "true"})
    assert ids(answer.text)[0] == id_
    assert answer.headers["hx-replace-url"] == visit.at("memories?q=returns+desk")
    assert "Nothing found" in visit.see("memories/rows?q=zebra+xylophone")


def test_memories_are_filtered_by_kind_and_state(visit: Visit):
    workflow = visit.remember("Bind, label, shelve.", kind=Kind.WORKFLOW)
    pinned = visit.remember("Overdue books cost a coin a day.", pinned=True)
    gone = visit.remember("The lift is out of order.")
    visit.companion.forget(gone)
    assert workflow in ids(visit.see("memories/rows?kind=workflow"))
    assert pinned not in ids(visit.see("memories/rows?kind=workflow"))
    assert pinned in ids(visit.see("memories/rows?state=pinned"))
    assert workflow not in ids(visit.see("memories/rows?state=pinned"))
    assert gone not in ids(visit.see("memories/rows"))
    assert gone in ids(visit.see("memories/rows?state=archived"))
    assert {gone, pinned} <= set(ids(visit.see("memories/rows?state=all")))
    assert ids(visit.see("memories/rows?q=lift+order&state=archived")) == [gone]
    assert ids(visit.see("memories/rows?q=overdue+books+coin&state=pinned")) == [pinned]


def test_all_memories_come_page_by_page_each_once(visit: Visit):
    visit.keep(*(f"Shelf {number} holds volume {number * 7}." for number in range(2 * PAGE_ROWS)))
    total = visit.companion.timeline(TimelineQuery(state=State.CURRENT)).total
    page, seen = visit.see("memories"), []
    while True:
        seen += ids(page)
        more = re.search(r'hx-get="[^"]*/(memories/more\?[^"]*)"', page)
        if more is None:
            break
        page = visit.see(more[1].replace("&amp;", "&"))
    assert len(seen) == len(set(seen)) == total > 2 * PAGE_ROWS


def test_a_memory_shows_where_it_comes_from_and_what_it_replaced(visit: Visit):
    old = visit.remember("The reading room seats forty.")
    new = visit.companion.revise(old, "The reading room seats sixty.").id
    page = visit.see(f"memories?id={new}")
    assert "seats sixty" in page
    assert "Earlier versions" in page
    assert "seats forty" in page
    scanned = visit.companion.search(SearchQuery(text="line length", profile=Profile.MEMORY))[0].memory
    assert scanned.draft.evidence[0].label() in visit.see(f"memories/one?id={scanned.id}")


def test_the_page_of_a_pattern_names_each_of_its_files_once(visit: Visit):
    page = visit.companion.timeline(TimelineQuery(kinds=(Kind.PATTERN, Kind.FACT), limit=PAGE_ROWS))
    known = [one.memory for one in page.happened]
    told = [one for one in known if {f"file:{e.ref}" for e in one.draft.evidence}.intersection(one.draft.entities)]
    assert told, "one comes from a file that it names"
    for memory in told:
        shown = visit.see(f"memories/one?id={memory.id}").partition("What it names")[2].partition("<h3>")[0]
        assert not [one.ref for one in memory.draft.evidence if f">{one.ref}</a>" in shown]


def test_looking_at_a_memory_changes_nothing(visit: Visit):
    id_ = visit.remember("The microfilm reader hums.")
    visit.companion.forget(id_)
    visit.see(f"memories?id={id_}")
    found = visit.companion.dossier(id_)
    assert found.memory.status.value == "archived"
    assert found.used == ()


def test_a_memory_can_be_pinned_forgotten_brought_back_and_said_otherwise(visit: Visit):
    id_ = visit.remember("The cloakroom locks itself.")
    assert "Pinned" in visit.do("memories/pin", id=id_, on="1")
    assert visit.companion.dossier(id_).memory.draft.pinned
    assert "Unpin" in visit.see(f"memories/one?id={id_}")
    assert "No longer pinned" in visit.do("memories/pin", id=id_, on="")
    assert "Bring back" in visit.do("memories/forget", id=id_)
    assert visit.companion.dossier(id_).memory.status.value == "archived"
    assert "Forget" in visit.do("memories/revive", id=id_)
    assert "locks by key" in visit.do("memories/edit", id=id_, text="The cloakroom locks by key.")


def test_an_item_of_the_context_can_be_pinned_or_passed_over(visit: Visit):
    id_ = visit.remember("Loans of maps end on Fridays.")
    assert "Pinned" in visit.do("context/pin", id=id_, on="1")
    assert "shown less" in visit.do("context/pass", id=id_)
    assert visit.companion.dossier(id_).memory.usage.ignored == 1


def test_who_used_a_memory_is_shown(visit: Visit):
    id_ = visit.remember("Atlases stand on the lowest shelf.")
    visit.companion.cite([id_], "moved an atlas")
    page = visit.see(f"memories/one?id={id_}")
    assert "moved an atlas" in page
    assert "cited 1" in page


def test_what_cannot_be_done_is_said_in_a_line_with_the_next_step(visit: Visit):
    id_ = visit.remember("The archive is damp.", pinned=True)
    said = visit.do("memories/forget", status=409, id=id_)
    assert "pinned" in said
    assert "<code>companion pin" in said
    assert 'role="alert"' in said
    assert visit.do("memories/forget", status=404, id="m1nosuch")
    assert visit.see("memories/one?id=m1nosuch", status=404)


def test_what_a_memory_says_is_never_markup(visit: Visit):
    text = 'Beware of <script>alert("x")</script> <img src=x onerror=y> {{ 7 * 7 }} \x1b[31mred\x1b[0m \u202eevil\u202c'
    id_ = visit.remember(text, pinned=True)
    for place in (f"memories?id={id_}", "memories/rows?q=beware", f"context/item?id={id_}"):
        page = visit.see(place)
        assert "<script>alert" not in page
        assert "<img src=x" not in page
        assert "{{ 7 * 7 }}" in page
        assert "\x1b" not in page
        assert "\u202e" not in page
        assert "&lt;script&gt;" in page


def test_a_search_names_the_archived_that_match(visit: Visit):
    memory = visit.companion.remember(Note("Loans of maps are renewed by telephone"))
    visit.companion.forget(memory.id)
    assert "In the archive since" in visit.see("memories/rows?q=maps+renewed+telephone")


def test_a_search_or_an_address_is_never_markup(visit: Visit):
    page = visit.see("memories?q=%3Cscript%3Ealert(1)%3C/script%3E%22%27")
    assert "<script>alert" not in page
    assert 'value="&lt;script&gt;' in page


def test_what_is_written_right_to_left_stands_so(visit: Visit):
    id_ = visit.remember("ספריית העיר פתוחה בימי שני")
    page = visit.see(f"memories?id={id_}")
    assert "ספריית העיר" in page
    assert re.search(r'<h2 dir="auto"[^>]*>ספריית', page)


def test_a_memory_of_a_hundred_thousand_characters_is_shown_whole_where_it_is_opened(visit: Visit):
    (id_,) = visit.keep("Catalogue. " + "entry of a long list, " * 4_600)
    page = visit.see(f"memories/one?id={id_}")
    shown = page.partition('<div class="text"')[2].partition("</div>")[0]
    assert shown.count("entry of a long list") == 4_600
    assert len(visit.see("memories/rows?q=catalogue")) < 60_000


def test_of_a_question_that_is_too_long_the_beginning_is_looked_for_and_that_is_said(visit: Visit):
    for place in ("memories?q=", "memories/rows?q=", "timeline?words=", "timeline/told?words=", "context?task="):
        answer = visit.browser.get(visit.at(place + "word+" * 4_000))
        assert answer.status_code == 200
        assert QUERY_CUT in answer.text, place
    assert QUERY_CUT not in visit.see("memories/rows?q=" + "x" * QUERY_MAX_CHARACTERS)


def test_a_repository_that_was_not_read_says_what_to_run(visit: Visit, tmp_path: Path):
    unread = visit.page.folders.name(make_library(tmp_path / "unread"))
    for room in ("overview", "context", "memories", "timeline", "accuracy", "files", "commits"):
        answer = visit.browser.get(f"/{visit.page.key}/{unread}/{room}")
        assert answer.status_code == 200
        assert answer.text.count("<code>companion init</code>") == 1, f"{room} says it once"


def test_an_empty_repository_has_a_page(visit: Visit, tmp_path: Path):
    (tmp_path / "empty").mkdir()
    Repo(tmp_path / "empty").git("init", "-q")
    (tmp_path / "empty" / "notes.txt").write_text("\n")
    visit.daemon.companion(tmp_path / "empty").scan(NoProgress())
    empty = visit.page.folders.name(tmp_path / "empty")
    for room in ("context", "memories"):
        assert visit.browser.get(f"/{visit.page.key}/{empty}/{room}").status_code == 200
    assert "Nothing here yet" in visit.browser.get(f"/{visit.page.key}/{empty}/memories").text


def test_a_page_loads_nothing_from_elsewhere_and_styles_nothing_inline(visit: Visit):
    for place in ("context?file=library/loans.py", "memories"):
        page = visit.see(place)
        for address in re.findall(r'(?:src|href|action|hx-get|hx-post)="([^"]*)"', page):
            assert address.startswith(("/", "#")), address
        assert " style=" not in page
        assert "<style" not in page
        assert not re.search(r"<script(?![^>]*\ssrc=)", page)
        assert not re.search(r"<[^>]*\son[a-z]+=", page)
