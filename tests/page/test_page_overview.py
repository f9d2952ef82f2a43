"""The overview, files and commits: what each tells, that nothing of it is ever empty, and that every id leads on."""

from __future__ import annotations

import re
from contextlib import ExitStack
from datetime import datetime, timedelta
from itertools import combinations
from pathlib import Path
from urllib.parse import quote

import pytest
from repos import Repo
from visits import KEY, Visit, enter, opened

from companion.ports import NoProgress
from companion.records import Profile, SearchQuery
from companion.records.looking import ChangedTogether, Overview, PastCommit, WorkedFile
from companion.surfaces.fitting import to_show
from companion.surfaces.http.handler import RequestHandler
from companion.surfaces.page.app import Page
from companion.surfaces.page.rendering import by_words
from companion.surfaces.page.rooms.commits import flowing
from companion.surfaces.page.rooms.overview import folders, unexpected, weeks

MONDAY = datetime(2026, 3, 2, 9)


def commit(days: int, title: str, sort: str = "", author: str = "Ann", *files: str) -> PastCommit:
    return PastCommit(f"{days:040x}", title, author, MONDAY - timedelta(days=days), sort, files)


def test_a_link_leads_to_the_overview_which_tells_the_project_in_one_look(visit: Visit):
    page = visit.see("overview")
    told = visit.companion.overview()
    assert visit.page.rooms[0].name == "overview"
    assert f"{told.commits:,} commits by 1 person" in page
    assert all(f"[&#34;{one.path}&#34;,{one.commits}," in page for one in told.files)
    assert f'href="{visit.at("files")}?folder=library"' in page
    assert '<span class="sort">Fixes:</span>' in page
    assert f'href="{visit.at("commits")}?id={told.newest[0].sha[:12]}"' in page
    assert "Rules that hold here" in page
    assert "no contradictions found" in page


def test_a_week_is_told_by_what_was_done_and_where_and_upkeep_is_only_counted():
    commits = [
        commit(0, "Add loans", "feature", "Ann", "library/loans.py", "library/dates.py"),
        commit(0, "Bump ruff", "chore", "Ann", "go.mod"),
        commit(0, "Update mypy", "", "renovate[bot]", "go.mod"),
        commit(1, "Count days", "fix", "Ben", "library/dates.py"),
    ]
    this, before = weeks(commits, ())
    assert (this.monday, this.sunday.day, this.commits, this.people, this.upkeep) == (MONDAY.date(), 8, 3, 1, 2)
    assert this.where == (("library", 1),)
    assert [(word, [one.title for one in named], more) for word, named, more in this.told] == [
        ("Features", ["Add loans"], 0)
    ]
    assert before.told[0][0] == "Fixes"


def test_weeks_of_upkeep_alone_make_room_for_those_with_more_and_stand_only_where_there_are_no_others():
    upkeep = [commit(7 * n, "Bump ruff", "chore", "renovate[bot]", "go.mod") for n in range(3)]
    (told,) = weeks([*upkeep, commit(21, "Add loans", "feature", "Ann", "loans.py")], ())
    assert told.told[0][0] == "Features"
    assert [(one.upkeep, one.people) for one in weeks(upkeep, ())] == [(1, 0)] * 3


def test_what_several_commits_of_a_week_are_called_is_told_once():
    (week,) = weeks([commit(0, "Tidy up", "", "Ann", f"{name}.py") for name in "abcd"], ())
    assert (week.commits, [(len(named), more) for _, named, more in week.told]) == (4, [(1, 0)])


@pytest.mark.parametrize(
    ("touched", "where", "folders"),
    [
        (["a/x.py", "a/y.py", "b/x.py"], (("a", 2), ("b", 1)), 2),
        (["a/x.py", "b/x.py", "c/x.py", "d/x.py", "e/x.py"], (), 5),
        (["a/x.py", "a/y.py", "b/x.py", "c/x.py"], (("a", 2), ("b", 1)), 3),
    ],
)
def test_a_week_names_folders_only_where_most_of_its_commits_touched_them(
    touched: list[str], where: tuple[tuple[str, int], ...], folders: int
):
    (week,) = weeks([commit(0, f"Change {path}", "", "Ann", path) for path in touched], ())
    assert (week.where, week.folders) == (where, folders)


def test_one_commit_through_many_folders_is_not_told_by_two_of_them():
    (week,) = weeks([commit(0, "Rename all", "", "Ann", "a/x.py", "b/x.py", "c/x.py")], ())
    assert (week.where, week.folders) == ((), 3)


def test_folders_come_by_the_work_in_them():
    files = [WorkedFile("a/b/c.py", "source", 2, MONDAY), WorkedFile("a/d.py", "source", 3, MONDAY)]
    found = folders([*files, WorkedFile("README.md", "doc", 9, MONDAY)])
    assert [(one.path, one.files, one.changes) for one in found] == [("", 1, 9), ("a", 2, 5)]


def test_of_pairs_those_are_told_that_one_would_not_guess():
    names = ("loans.py", "tests/test_loans.py", "dates.py", "README.md")
    files = [WorkedFile(name, "doc" if name.endswith("md") else "source", 5, MONDAY) for name in names]
    pairs = [
        ChangedTogether("loans.py", "tests/test_loans.py", 5, 1.0),
        ChangedTogether("loans.py", "README.md", 5, 1.0),
        ChangedTogether("dates.py", "loans.py", 4, 0.8),
        ChangedTogether("dates.py", "tests/test_loans.py", 3, 0.1),
    ]
    assert unexpected(Overview("x", files=tuple(files), pairs=tuple(pairs))) == (pairs[2],)


def test_what_changed_together_often_is_told_first_and_a_group_of_files_once():
    views = [f"users/{name}.ejs" for name in ("edit", "index", "show")]
    files = [WorkedFile(name, "source", 60, MONDAY) for name in (*views, "app.js", "router.js")]
    pairs = [ChangedTogether(a, b, 6, 1.0) for a, b in combinations(views, 2)]
    pairs.append(ChangedTogether("router.js", "app.js", 30, 0.5))
    assert unexpected(Overview("x", files=tuple(files), pairs=tuple(pairs))) == (pairs[3], pairs[0])


def test_a_file_tells_what_made_it_what_changes_with_it_and_who_works_on_it(visit: Visit):
    page = visit.see("files?path=library/loans.py")
    told = visit.companion.file_past("library/loans.py")
    assert told.total == len(told.commits) == 3
    assert all(f'commits?id={one.sha[:12]}"' in page for one in told.commits)
    assert f"{told.commits[0].at.day} {told.commits[0].at:%b %Y}" in page
    assert "In how many of its 3 commits" in page
    assert f'href="{visit.at("files")}?path=library%2Fdates.py"' in page
    assert "Ann" in page


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("gson/JsonReader.java", "gson/|Json|Reader|.java"),
        ("a/.github/ci.yml", "a/|.github/|ci|.yml"),
        ("lib/_http-parser.js", "lib/|_http-|parser|.js"),
        ("a/__init__.py", "a/|__init__|.py"),
        ("a<b/c", "a&lt;b/|c"),
    ],
)
def test_a_path_goes_on_in_the_next_line_only_between_its_words(name: str, shown: str):
    assert by_words(name) == shown.replace("|", "<wbr>")


def test_a_memory_says_its_title_once_and_code_is_set_as_such(visit: Visit):
    (id_,) = visit.keep("Round `total` in cents.\n\nNever before the `tax` is added.")
    page = visit.see(f"memories/one?id={id_}")
    assert page.count("Never before the <code>tax</code> is added") == 1
    assert page.count("Round <code>total</code> in cents") == 1
    assert "Round <code>total</code> in cents" in visit.see("memories/rows?q=cents")


def test_a_commit_tells_its_message_its_files_and_what_was_learned_from_it(visit: Visit):
    sha = visit.companion.overview().newest[0].sha
    page = visit.see(f"commits?id={sha[:8]}")
    assert "counted from March, so that nobody was warned" in page
    assert page.count("Fix due dates, step 2") == 2, "in its heading, and in what was learned from it"
    assert f'href="{visit.at("files")}?path=library%2Floans.py"' in page


def test_the_lines_of_a_message_go_on_but_lists_code_and_trailers_stand_as_they_were_written():
    wide = "A loan of February was due a day late, because its"
    assert flowing(f"{wide}\ndates were counted from March.") == f"{wide} dates were counted from March."
    assert flowing(f"* {wide}\n  dates were counted.") == f"* {wide} dates were counted."
    for apart in (
        f"* {wide}\n* Count again.",
        f"{wide}\n    dates = []",
        f"{wide}\n\nThe dates are counted now.",
        f"{wide}\nSigned-off-by: Ann <ann@example.com>",
        f"```\n{wide}\nprint(1)\n```",
        "Short\nlines",
    ):
        assert flowing(apart) == apart


def test_the_list_of_commits_says_how_many_of_all_it_has(visit: Visit):
    assert "The newest 3 of 3, without merges." in visit.see("commits")


@pytest.mark.parametrize("place", ["files?path=nowhere.py", "commits?id=ffffffff", "commits?id=%00", "files?path=../x"])
def test_what_is_not_there_is_said_in_a_line(visit: Visit, place: str):
    page = visit.see(place)
    assert page.count('role="alert">') == 1
    assert '<nav aria-label="Rooms"' in page


def test_a_memory_leads_to_its_files_and_commits_and_shows_them_as_a_graph(visit: Visit):
    told = [commit for commit in visit.companion.overview().newest if visit.companion.commit(commit.sha).learned]
    assert told, "a commit that says why teaches something"
    (memory, *_) = visit.companion.commit(told[0].sha).learned
    assert f'memories?id={memory.id}"' in visit.see(f"commits?id={told[0].sha}")
    page = visit.see(f"memories/one?id={memory.id}")
    assert f'href="{visit.at("commits")}?id={told[0].sha[:12]}"' in page
    assert f'href="{visit.at("files")}?path=library%2Floans.py"' in page
    assert page.count('<path class="own"') >= 2


def test_what_a_search_finds_leads_to_the_page_of_its_file_or_commit(visit: Visit):
    query = SearchQuery(text="def step", profile=Profile.LEARNED, limit=30)
    shown, _ = to_show(visit.companion.search(query))
    found = [hit for hit in shown if hit.memory is None]
    page = visit.see("memories?q=def+step")
    assert found
    for hit in found:
        to = f"commits?id={hit.id[:12]}" if hit.commit else f"files?path={quote(hit.path or '', safe='')}"
        assert f'class="row" href="{visit.at(to)}"' in page


def visiting(home: Path, root: Path, stack: ExitStack, *, scan: bool) -> Visit:
    daemon = opened(home, stack)
    if scan:
        daemon.companion(root).scan(NoProgress())
    handler = RequestHandler(daemon)
    stack.callback(handler.lanes.close)
    page = Page(handler, KEY)
    return Visit(daemon, root, page, enter(page, root))


@pytest.mark.parametrize("state", ["unread", "no commits", "one file"])
def test_no_box_is_empty_whatever_is_not_there_yet(tmp_path: Path, state: str):
    repo = Repo(tmp_path / "young")
    repo.root.mkdir()
    repo.git("init", "-q")
    repo.write("main.py", "print(1)\n")
    if state != "no commits":
        repo.commit("Print one")
    with ExitStack() as stack:
        visit = visiting(tmp_path / "home", repo.root, stack, scan=state != "unread")
        for room in visit.page.rooms:
            page = visit.see(room.name)
            assert "data-map" not in page, room.name
            assert not re.search(r"<svg[^>]*>\s*</svg>|<(ul|ol|table|section)[^>]*>\s*</\1>", page), room.name
        said = {"unread": "companion init", "no commits": "no commits yet", "one file": "1 commit by 1 person"}
        assert said[state] in visit.see("overview")


def test_a_subject_from_right_to_left_or_with_markup_stays_in_its_place(tmp_path: Path):
    repo = Repo(tmp_path / "odd")
    repo.root.mkdir()
    repo.git("init", "-q")
    subject = "תיקון באג <b>בטוח</b>"
    for number in range(2):
        repo.write("main.py", f"print({number})\n")
        repo.commit(f"{subject} {number}")
    with ExitStack() as stack:
        visit = visiting(tmp_path / "home", repo.root, stack, scan=True)
        for place in ("overview", "commits", "files?path=main.py"):
            page = visit.see(place)
            assert "<b>" not in page
            assert re.search(r"(<bdi>|dir=\"auto\">)תיקון באג &lt;b&gt;", page), place


def test_the_bar_of_a_person_is_as_long_as_the_commits_beside_it_are_many(tmp_path: Path):
    repo = Repo(tmp_path / "team")
    repo.root.mkdir()
    repo.git("init", "-q")
    for number in range(5):
        repo.write("main.py", f"print({number})\n")
        repo.commit(f"Print {number}", f"--author={'Bo <bo@x.org>' if number == 4 else 'Cy <cy@x.org>'}")
    with ExitStack() as stack:
        page = visiting(tmp_path / "home", repo.root, stack, scan=True).see("files?path=main.py")
    people = page.partition("Who worked on it")[2]
    assert re.findall(r'<bdi>(\w+)</bdi>.*?class="part" width="([\d.]+)%', people, re.DOTALL) == [
        ("Cy", "100.00"),
        ("Bo", "25.00"),
    ]
