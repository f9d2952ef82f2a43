"""What happened: episodes by time, with filters; Your Story and other acts, by time and by meaning."""

from __future__ import annotations

from datetime import datetime
from itertools import groupby

from msgspec import Struct
from msgspec.structs import replace

from companion.api import Companion
from companion.records import EpisodeType, Kind, Memory, Profile, SearchQuery, entity
from companion.records.looking import Happened, MonthCount, TimelinePage, TimelineQuery
from companion.surfaces.page.rendering import address
from companion.surfaces.page.room import PageRequest, PageView, Room, need_reading

PAGE = 60
"""Episodes of one page: two screens, so that the next is there before one has scrolled to it."""
FOUND = 50
"""Memories found by meaning: beyond them little fits."""
MONTHS_LEAST = 12
"""A drawing has room for so many: the bars of a young project are no blocks."""
MONTHS_DRAWN = 360
"""Months that are drawn each with a bar of its own; a longer past is drawn by years."""
YEARS_NAMED, YEAR_WIDTH = 16, 5.0
"""Years that have room for their names below the drawing on a desk, a phone has half of it; and how many hundredths of
the width a name takes."""
CHANGES = ("feature", "fix", "refactor", "performance", "docs", "test", "removal", "revert")
"""What a commit was, in the order in which people look for it."""


class _Asked(Struct, frozen=True):
    """What the filters say; `words` look by meaning, all else by time."""

    words: str = ""
    type: EpisodeType | None = None
    change: str = ""
    path: str = ""
    person: str = ""
    act: str = ""
    archived: bool = False
    before: datetime | None = None
    before_id: str = ""

    @property
    def filters(self) -> dict[str, object]:
        """The fields of an address that says the same, but for the place in time."""
        return {
            "words": self.words,
            "type": self.type.value if self.type else "",
            "change": self.change,
            "path": self.path,
            "person": self.person,
            "act": self.act,
            "archived": "1" if self.archived else "",
        }

    @property
    def narrowed(self) -> bool:
        """Whether anything is left out."""
        return any(value for name, value in self.filters.items() if name not in {"act", "archived"})

    def query(self) -> TimelineQuery:
        """The filters as a question to the timeline."""
        return TimelineQuery(
            before=self.before,
            before_id=self.before_id,
            types=(self.type.value,) if self.type else (),
            changes=(self.change,) if self.change else (),
            path=self.path,
            person=self.person,
            act=self.act,
            include_archived=self.archived,
            limit=PAGE,
        )


class Month(Struct, frozen=True):
    """What happened in a month, newest first; `says` heads it, empty where the page before it did."""

    says: str
    at: datetime
    happened: tuple[Happened, ...]


class Year(Struct, frozen=True):
    """A year below the bars: how much happened in it, the first moment after it, and where it begins.

    `at` is in hundredths of the drawing's width. A `minor` one has no room for its name on a narrow screen.
    """

    name: str
    until: datetime
    count: int
    at: float
    minor: bool


def show(companion: Companion, ask: PageRequest) -> PageView:
    """The room of the timeline: its filters, and what they leave."""
    asked = _asked(ask)
    choices = {"types": tuple(EpisodeType), "changes": CHANGES, "acts": companion.acts()}
    return PageView("timeline/room.html", {**_told(companion, asked), **choices})


def told(companion: Companion, ask: PageRequest) -> PageView:
    """What the filters leave, for whoever changes them."""
    asked = replace(_asked(ask), before=None, before_id="")
    view = PageView("timeline/told.html", _told(companion, asked))
    return replace(view, address=address("timeline", **asked.filters))


def older(companion: Companion, ask: PageRequest) -> PageView:
    """The next page."""
    asked = _asked(ask)
    page = companion.timeline(replace(asked.query(), count=False))
    return PageView("timeline/page.html", {**_page(asked, page), "asked": asked})


def _told(companion: Companion, asked: _Asked) -> dict[str, object]:
    if asked.words:
        return {"asked": asked, "found": _found(companion, asked)}
    page = companion.timeline(asked.query())
    if not page.total and not any(asked.filters.values()):
        need_reading(companion)
    months = page.months
    return {
        "asked": asked,
        "found": None,
        "total": page.total,
        "years": years(months),
        "bars": bars(months),
        "months_least": MONTHS_LEAST,
        "span": (months[0].month, months[-1].month) if months else None,
        **_page(asked, page),
    }


def _page(asked: _Asked, page: TimelinePage) -> dict[str, object]:
    """The months of a page, and where the next one begins."""
    last = page.happened[-1] if page.more_before and page.happened else None
    following = {"before": last.at.isoformat(), "before_id": last.memory.id} if last else None
    shown = asked.before if asked.before_id else None
    return {"months": by_month(page.happened, shown), "following": following}


def by_month(happened: tuple[Happened, ...], shown: datetime | None = None) -> tuple[Month, ...]:
    """What happened in the order it comes, a month each; that of `shown` has its heading already."""
    return tuple(
        Month("" if shown and (shown.year, shown.month) == key else f"{some[0].at:%B %Y}", some[0].at, some)
        for key, group in groupby(happened, key=lambda one: (one.at.year, one.at.month))
        if (some := tuple(group))
    )


def bars(months: tuple[MonthCount, ...]) -> tuple[int, ...]:
    """How much happened from the first month to the last, one number a month, or a year where they are too many."""
    if not months:
        return ()
    counted = {_number(one.month): one.count for one in months}
    first, last = min(counted), max(counted)
    if last - first < MONTHS_DRAWN:
        return tuple(counted.get(month, 0) for month in range(first, last + 1))
    of_year = _by_year(months)
    return tuple(of_year.get(year, 0) for year in range(min(of_year), max(of_year) + 1))[-MONTHS_DRAWN:]


def years(months: tuple[MonthCount, ...]) -> tuple[Year, ...]:
    """The years that the bars run through, the oldest first; of a long past as many as have room for their names."""
    if not months:
        return ()
    of_year, drawn = _by_year(months), len(bars(months))
    first, last = min(_number(one.month) for one in months), max(of_year)
    if max(_number(one.month) for one in months) - first < MONTHS_DRAWN:
        begins = {year: max(12 * year - first, 0) for year in range(first // 12, last + 1)}
    else:
        begins = {year: place for place, year in enumerate(range(last - drawn + 1, last + 1))}
    step = -(-len(begins) // YEARS_NAMED)
    hundredth = 100 / max(drawn, MONTHS_LEAST)
    named = [(year, hundredth * place) for year, place in begins.items()][::step]
    if len(named) > 1 and named[1][1] < YEAR_WIDTH:  # its name would lie below the next
        named = named[1:]
    return tuple(
        Year(str(year), _after(year), of_year.get(year, 0), at, bool(place % 2))
        for place, (year, at) in enumerate(named)
    )


def _by_year(months: tuple[MonthCount, ...]) -> dict[int, int]:
    counted: dict[int, int] = {}
    for one in months:
        counted[one.month.year] = counted.get(one.month.year, 0) + one.count
    return counted


def _number(month: datetime) -> int:
    return month.year * 12 + month.month - 1


def _after(year: int) -> datetime:
    return datetime(year + 1, 1, 1) if year < datetime.max.year else datetime.max


def _found(companion: Companion, asked: _Asked) -> tuple[Memory, ...]:
    """What is near in meaning, best first; by the same filters, as far as a search knows them."""
    query = SearchQuery(
        text=asked.words,
        kinds=() if asked.act else (Kind.EPISODE,),
        entities=(entity("person", asked.person),) if asked.person else (),
        act=asked.act,
        include_archived=asked.archived,
        profile=Profile.MEMORY,
        limit=FOUND,
    )
    return tuple(hit.memory for hit in companion.search(query) if hit.memory and _fits(hit.memory, asked))


def _fits(memory: Memory, asked: _Asked) -> bool:
    under = f"file:{asked.path.rstrip('/')}"
    return (
        (asked.type is None or memory.draft.type == asked.type.value)
        and (not asked.change or getattr(memory.draft.body, "change", "") == asked.change)
        and (not asked.path or any(one == under or one.startswith(f"{under}/") for one in memory.draft.entities))
    )


def _asked(ask: PageRequest) -> _Asked:
    return _Asked(
        words=ask.question("words"),
        type=ask.choice("type", EpisodeType),
        change=ask.text("change", 50),
        path=ask.text("path"),
        person=ask.text("person", 200),
        act=ask.text("act", 200),
        archived=bool(ask.text("archived")),
        before=ask.moment("before"),
        before_id=ask.text("before_id", 100),
    )


ROOM = Room(
    name="timeline",
    title="Timeline",
    says="What happened, by time and by meaning",
    show=show,
    parts={"told": told, "older": older},
)
