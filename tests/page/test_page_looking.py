"""The rooms that look back: the timeline by time and by meaning, prediction's accuracy, the health of the store."""

from __future__ import annotations

import html
import re
from datetime import datetime, timedelta
from types import SimpleNamespace
from typing import Any

import pytest
from happened import commit_told, remember_commits
from visits import Visit
from waiting import until

from companion.api import Order
from companion.records import Format, Signals, Touch, Touched
from companion.records.looking import MonthCount, Rate, Replayed, TimelineQuery, WorkedWeek
from companion.surfaces.page.rooms.accuracy import at_work, of_ten, on_commits
from companion.surfaces.page.rooms.health import by_language
from companion.surfaces.page.rooms.timeline import MONTHS_DRAWN, bars, by_month, years

NOW = datetime(2026, 1, 5, 9, 0)


@pytest.fixture(scope="module", autouse=True)
def happened(visit: Visit) -> None:
    """Five commits of some months, as if they had been learned from the history."""

    told = [
        commit_told(n, datetime(2025, 7 + n, 3), "fix" if n % 2 else "feature", f"library/part_{n}.py")
        for n in range(5)
    ]
    remember_commits(visit.daemon.runtime, visit.daemon.checkouts.of(visit.root).project, told, NOW)


def titles(page: str) -> list[str]:
    return re.findall(r'<span class="title" dir="auto">([^<]*)</span>', page)


# ---------------------------------------------------------------- timeline


def test_the_timeline_tells_what_happened_newest_first_under_its_months(visit: Visit):
    page = visit.see("timeline")
    told = visit.companion.timeline(TimelineQuery()).happened
    assert titles(page) == [html.escape(one.memory.draft.levels.compressed, quote=True) for one in told]
    assert f"{told[0].at:%B %Y}" in page
    assert 'aria-current="page"' in page


def test_filters_narrow_it_and_the_address_says_how(visit: Visit):
    page = visit.browser.get(visit.at("timeline/told?change=fix&path=library"))
    assert page.headers["hx-replace-url"].endswith("timeline?change=fix&path=library")
    assert len([title for title in titles(page.text) if title.startswith("Commit")]) == 2
    assert len(titles(visit.see("timeline/told?change=feature&person=Ann+Otter"))) == 3
    assert len(titles(visit.see("timeline/told?path=library/part_3.py"))) == 1
    assert "Nothing fits" in visit.see("timeline/told?person=Nobody")


def test_by_meaning_the_nearest_come_first(visit: Visit):
    page = visit.see("timeline/told?words=loan+of+February")
    assert "by meaning" in page
    assert titles(page)
    assert len(titles(visit.see("timeline/told?words=loans&change=fix&path=library/part_1.py"))) == 1
    assert "Nothing like that" in visit.see("timeline/told?words=zzzz+qqqq&type=conversation")


def test_a_page_goes_on_where_the_one_before_ended(visit: Visit):
    told = visit.companion.timeline(TimelineQuery()).happened
    page = visit.see(f"timeline/older?before={told[0].at.isoformat()}&before_id={told[0].memory.id}")
    assert titles(page)[0].startswith("Commit 3")
    assert len(titles(page)) == len(told) - 1


@pytest.mark.parametrize(
    "wrong", ["timeline/older?before=yesterday", "timeline/told?type=nonsense", "timeline/told?path=../../etc"]
)
def test_an_address_with_nonsense_says_so_in_a_line(visit: Visit, wrong: str):
    answer = visit.browser.get(visit.at(wrong))
    assert answer.status_code == 409
    assert 'class="trouble"' in answer.text


def test_a_month_that_goes_on_over_two_pages_is_headed_once():
    def at(day: int) -> Any:
        return SimpleNamespace(at=datetime(2025, 3, day))

    (first,) = by_month((at(9), at(8)))
    assert first.says == "March 2025"
    (second,) = by_month((at(7),), datetime(2025, 3, 8))
    assert second.says == ""


def counted(*at: tuple[int, int]) -> tuple[MonthCount, ...]:
    return tuple(MonthCount(datetime(year, month, 1), 2) for year, month in at)


def test_months_without_anything_are_empty_bars_and_a_long_past_is_drawn_by_years():
    assert bars(()) == ()
    assert bars(counted((2024, 11), (2025, 2))) == (2, 0, 0, 2)
    assert len(bars(counted((1970, 1), (2026, 1)))) == 57
    assert len(bars(counted((1, 1), (9999, 12)))) == MONTHS_DRAWN


def test_a_years_name_stands_below_the_bar_of_its_first_month():
    told = years(counted((2024, 11), (2024, 12), (2027, 1)))
    assert [(one.name, one.count) for one in told] == [("2024", 4), ("2025", 0), ("2026", 0), ("2027", 2)]
    assert [round(one.at * 27 / 100, 6) for one in told] == [0, 2, 14, 26]
    assert years(()) == ()
    assert [one.name for one in years(counted((1999, 12), (2026, 1)))][:2] == ["2001", "2003"], "names have room"
    far = years(counted((1, 1), (9999, 12)))
    assert (far[0].name, len(far), round(far[1].at * MONTHS_DRAWN / 100)) == ("9640", 16, 23)


# ---------------------------------------------------------------- accuracy


def test_before_anything_was_measured_accuracy_says_what_is_to_come(visit: Visit):
    page = visit.see("accuracy")
    told = visit.companion.accuracy()
    assert told.overall is not None
    assert "Backtest on recent commits" in page
    assert not told.own_weights
    assert f"Companion had named <strong>{of_ten(told.overall.usual)}</strong>" in page, "by the weights in use"
    for way in ("with this project&#39;s own weights", "with the usual weights", "baseline: most recently changed"):
        assert f"<span>{way}</span>" in page
    assert f"naming what changed last: <strong>{of_ten(told.overall.recent)}</strong>" in page
    assert "A curve grows here" in page
    assert "Nothing was watched yet" in page


def test_a_week_of_work_stands_in_the_table(visit: Visit):
    companion = visit.companion
    companion.observe([Touched("library/loans.py", Touch.OPENED)])
    companion.assemble(4_000, Signals(current_file="library/loans.py"), Format.MARKDOWN, Order.PEOPLE)
    until(lambda: visit.companion.stats().retrieved)  # it is noted behind the answer
    companion.observe([Touched("library/dates.py", Touch.EDITED)])
    (week,) = visit.companion.accuracy().weeks
    assert week.edited == Rate(1, 1)
    page = visit.see("accuracy")
    assert "2026-01-05" in page
    assert "of files edited next" in page
    assert "<strong>1 of 1</strong>" in page
    assert "too few to give a share" in page


def test_a_chart_is_drawn_where_the_figures_are_and_says_them():
    points = [Replayed(NOW, NOW + timedelta(days=3 * n), 10, 0.75, 0.7, 0.5) for n in range(3)]
    chart = on_commits(points)
    assert chart.drawn(chart.lines[0]) == "0.0,25.0 500.0,25.0 1000.0,25.0"
    (first, second, third) = chart.bands()
    assert (first[:2], second[:2], third[:2]) == ((0, 250), (250, 500), (750, 250))
    assert "with this project's own weights: 75%" in first[2]


def test_a_line_of_a_single_point_is_seen_all_the_same():
    chart = at_work([WorkedWeek(NOW, opened=Rate(4, 1)), WorkedWeek(NOW + timedelta(days=7))])
    assert chart.lines[1].values == (25.0, None)
    assert chart.drawn(chart.lines[1]) == "0.0,75.0 12.0,75.0"


def test_shares_are_told_in_words():
    assert [of_ten(share) for share in (0, 0.04, 0.45, 0.81, 0.96, 1)] == [
        "none", "none", "four", "eight", "all ten", "all ten",
    ]  # fmt: skip


@pytest.mark.parametrize("wrong", ["0", "-3", "many", "10000"])
def test_weeks_that_make_no_sense_are_told(visit: Visit, wrong: str):
    page = visit.browser.get(visit.at(f"accuracy?weeks={wrong}"))
    assert "trouble" in page.text


# ------------------------------------------------------------------ health


def test_health_tells_what_is_held_and_who_holds_it(visit: Visit):
    page = visit.see("health")
    held = visit.companion.stats()
    assert held.store_path in page
    assert f"{held.commits:,}" in page
    assert str(visit.daemon.state().pid) in page
    numbers = re.findall(r'class="figure">(\d+) files?</span>', page.partition("Files by language")[2])
    assert sum(map(int, numbers)) == held.files


def test_files_of_rare_languages_and_of_none_are_counted_with_the_others():
    many = tuple((f"language {number}", 20 - number) for number in range(14))
    held = SimpleNamespace(languages=many, files=sum(number for _, number in many) + 3)
    assert by_language(held)[-1] == ("other files", 8 + 7 + 3)  # type: ignore[arg-type]


def test_checks_come_by_themselves_and_name_each_finding(visit: Visit):
    assert "health/checks" in visit.see("health")
    page = visit.see("health/checks")
    for finding in visit.companion.doctor():
        assert f"<strong>{finding.name}</strong>" in page
