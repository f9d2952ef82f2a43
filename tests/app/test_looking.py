"""Looking back: the timeline in pages, and how well prediction did, measured on what it had not seen."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from datetime import datetime, timedelta
from pathlib import Path

import pytest
from blank import blank_home
from fakes import FakeClock
from happened import commit_told, remember_commits
from repos import WHY_ROUNDED, Repo

from app.conftest import Desk
from companion.api import Note, Order
from companion.app.local import LocalCompanion
from companion.errors import CompanionError
from companion.ports import NoProgress
from companion.records import Format, Kind, Signals, Touch, Touched
from companion.records.looking import Rate, TimelinePage, TimelineQuery
from companion.store.history import accuracy as store
from companion.store.keeping import VersionedCache
from companion.store.working import events

START = datetime(2025, 3, 1)
CART, PRICE, TEST = "shop/cart.py", "shop/price.py", "tests/test_cart.py"


@pytest.fixture(scope="module")
def read_once(tmp_path_factory: pytest.TempPathFactory) -> tuple[Repo, Path]:
    """A small project, and a data folder in which it has been read."""
    folder = tmp_path_factory.mktemp("looking")
    (folder / "shop").mkdir()
    repo = Repo(folder / "shop")
    repo.git("init", "-q")
    repo.write(CART, "from shop.price import total\n\n\ndef cart():\n    return total([])\n")
    repo.write(PRICE, "def total(items):\n    return sum(items)\n")
    repo.write(TEST, "from shop.cart import cart\n\n\ndef test_cart():\n    assert cart() == 0\n")
    repo.commit("Add the cart with its prices")
    for number in range(4):
        for path in (CART, PRICE):
            repo.write(path, (repo.root / path).read_text() + f"\n\ndef step_{number}():\n    return {number}\n")
        repo.commit(f"Fix rounding of prices, step {number}\n\n{WHY_ROUNDED}")
    desk = Desk(blank_home(folder / "home"), FakeClock())
    desk.scan(repo.root)
    opened = desk.open(repo.root)
    told = [commit_told(n, START + timedelta(days=20 * n), "fix" if n else "feature", CART, PRICE) for n in range(5)]
    remember_commits(opened.runtime, opened.project, told, desk.clock.now())
    opened.close()
    return repo, desk.home


@pytest.fixture
def companion(read_once: tuple[Repo, Path], tmp_path: Path) -> Iterator[LocalCompanion]:
    """A companion over a data folder of its own, in which the project has been read."""
    repo, home = read_once
    opened = Desk(shutil.copytree(home, tmp_path / "own"), FakeClock()).open(repo.root)
    yield opened
    opened.close()


def ids(page: TimelinePage) -> list[str]:
    return [one.memory.id for one in page.happened]


# ---------------------------------------------------------------- timeline


def test_the_timeline_tells_episodes_newest_first_and_counts_them_by_month(companion: LocalCompanion):
    page = companion.timeline(TimelineQuery())
    assert len(page.happened) >= 5
    assert len(page.months) >= 3
    assert all(one.memory.draft.kind is Kind.EPISODE for one in page.happened)
    assert [one.at for one in page.happened] == sorted((one.at for one in page.happened), reverse=True)
    assert page.total == len(page.happened)
    assert not page.more_before


@pytest.mark.parametrize("size", [1, 2, 3])
def test_pages_hold_everything_once(companion: LocalCompanion, size: int):
    whole = ids(companion.timeline(TimelineQuery(limit=100)))
    seen: list[str] = []
    page = companion.timeline(TimelineQuery(limit=size))
    while True:
        seen += ids(page)
        if not page.more_before:
            break
        last = page.happened[-1]
        page = companion.timeline(TimelineQuery(before=last.at, before_id=last.memory.id, limit=size))
    assert seen == whole


def test_what_is_learned_between_two_pages_moves_none_of_them(companion: LocalCompanion):
    whole = ids(companion.timeline(TimelineQuery(limit=100)))
    first = companion.timeline(TimelineQuery(limit=2))
    companion.remember(Note("The cart lost a cent and found it again.", kind=Kind.EPISODE))
    last = first.happened[-1]
    rest = companion.timeline(TimelineQuery(before=last.at, before_id=last.memory.id, limit=100))
    assert ids(first) + ids(rest) == whole
    assert companion.timeline(TimelineQuery(limit=100)).total == len(whole) + 1


def test_filters_narrow_the_timeline_and_its_counts(companion: LocalCompanion):
    whole = companion.timeline(TimelineQuery())
    planted = [one for one in whole.happened if one.memory.draft.origin == "history"]
    assert companion.timeline(TimelineQuery(changes=("fix",), person="Ann Otter")).total == 4
    assert companion.timeline(TimelineQuery(changes=("feature",), person="ann otter")).total == 1
    assert len(planted) == 5
    assert companion.timeline(TimelineQuery(types=("conversation",))).total == 0
    assert companion.timeline(TimelineQuery(path="shop")).total == companion.timeline(TimelineQuery(path=CART)).total
    assert companion.timeline(TimelineQuery(path="nowhere/at/all")).total == 0
    assert companion.timeline(TimelineQuery(person="Nobody Here")).total == 0
    oldest = whole.happened[-1].at
    assert companion.timeline(TimelineQuery(before=oldest)).happened == ()
    assert len(companion.timeline(TimelineQuery(after=oldest)).happened) == sum(
        one.at > oldest for one in whole.happened
    )
    assert companion.timeline(TimelineQuery(after=oldest, limit=1)).happened == whole.happened[:1]


def test_what_is_archived_stands_in_the_timeline_only_when_asked_for(companion: LocalCompanion):
    gone = companion.timeline(TimelineQuery()).happened[0].memory.id
    companion.forget(gone)
    assert gone not in ids(companion.timeline(TimelineQuery()))
    assert gone in ids(companion.timeline(TimelineQuery(include_archived=True)))


def test_an_act_tells_everything_that_was_told_of_it(companion: LocalCompanion):
    companion.remember(Note("Prices are kept in integer cents."))
    act = next(one for one in companion.acts() if one.project)
    told = companion.timeline(TimelineQuery(act=act.name))
    assert [one.memory.draft.kind for one in told.happened] == [Kind.FACT]
    assert companion.timeline(TimelineQuery(act="Your Story")).happened == ()


@pytest.mark.parametrize(
    "wrong",
    [
        TimelineQuery(limit=0),
        TimelineQuery(limit=10_000),
        TimelineQuery(act="no such act"),
        TimelineQuery(path="../elsewhere"),
    ],
)
def test_a_timeline_that_makes_no_sense_is_refused_with_a_way_out(companion: LocalCompanion, wrong: TimelineQuery):
    with pytest.raises(CompanionError) as told:
        companion.timeline(wrong)
    assert told.value.next_step


def test_hostile_places_and_names_find_nothing_and_break_nothing(companion: LocalCompanion):
    for text in ("';drop table memories;--", "\x00", "%", "a" * 5_000, "\u202e", "<b>"):
        assert companion.timeline(TimelineQuery(person=text)).total == 0
        assert companion.timeline(TimelineQuery(types=(text,))).total == 0
        companion.timeline(TimelineQuery(before=datetime(2030, 1, 1), before_id=text, limit=1))


def test_before_a_project_was_read_its_timeline_is_empty(desk: Desk, repo: Repo):
    repo.write("a.txt", "one\n")
    repo.commit("One")
    companion = desk.open(repo.root)
    assert companion.timeline(TimelineQuery()) == TimelinePage()
    told = companion.accuracy()
    assert (told.weeks, told.replayed, told.overall, told.learned_at, told.own_weights) == ((), (), None, None, False)
    companion.close()


# ---------------------------------------------------------------- on commits


def pairs(repo: Repo, first: int, last: int) -> None:
    """Commits that each change two of eight files which always go together."""
    for number in range(first, last):
        for name in (f"part_{2 * (number % 4)}", f"part_{2 * (number % 4) + 1}"):
            repo.write(f"{name}.py", f"def {name}():\n    return {number}\n")
        repo.commit(f"Work {number}")


@pytest.fixture(scope="module")
def paired(tmp_path_factory: pytest.TempPathFactory) -> Repo:
    root = tmp_path_factory.mktemp("pairs") / "pairs"
    root.mkdir()
    repo = Repo(root)
    repo.git("init", "-q")
    for number in range(8):
        repo.write(f"part_{number}.py", "def one():\n    return 0\n")
    repo.commit("Begin")
    pairs(repo, 0, 50)
    return repo


def test_a_first_scan_measures_the_later_commits_by_what_the_earlier_ones_taught(desk: Desk, paired: Repo):
    desk.scan(paired.root)
    companion = desk.open(paired.root)
    told = companion.accuracy()
    assert told.overall is not None
    assert told.overall.commits == 15, "three in ten of fifty; the others were fitted on"
    assert told.overall.learned == 1.0
    assert [one.commits for one in told.replayed] == [10, 5]
    assert told.learned_at == companion.now()
    companion.close()


def test_a_commit_is_measured_once_before_it_is_learned_from(desk: Desk, paired: Repo):
    desk.scan(paired.root)
    pairs(paired, 50, 53)
    desk.clock.advance(days=1)
    companion = desk.open(paired.root)
    companion.scan(NoProgress())
    found = store.replayed(companion.store.database, companion.project)
    assert len(found) == 18
    with companion.store.database.read() as connection:
        at = connection.execute("select count(distinct measured_at), count(*) from replayed").fetchone()
    assert at == (2, 18)
    companion.scan(NoProgress(), full=True)
    assert store.replayed(companion.store.database, companion.project) == found
    companion.close()


def test_in_a_small_project_the_usual_weights_are_measured_and_said_to_be_those(companion: LocalCompanion):
    told = companion.accuracy()
    assert told.overall is not None
    assert told.overall.learned == told.overall.usual
    assert not told.own_weights


# ---------------------------------------------------------------- at work


def ask(companion: LocalCompanion, path: str) -> tuple[str, ...]:
    """A context for a file; the code it showed."""
    shown = companion.assemble(4_000, Signals(current_file=path), Format.MARKDOWN, Order.PEOPLE)
    return tuple(item.id[5:] for tier in shown.tiers for item in tier.items if item.id.startswith("file:"))


def test_a_file_that_was_shown_and_then_opened_and_edited_counts_as_foreseen(companion: LocalCompanion):
    companion.observe([Touched(CART, Touch.OPENED)])
    shown = ask(companion, CART)
    assert PRICE in shown
    companion.observe([Touched(PRICE, Touch.OPENED), Touched(PRICE, Touch.EDITED), Touched(PRICE, Touch.SAVED)])
    (week,) = companion.accuracy().weeks
    assert (week.opened, week.edited) == (Rate(1, 1), Rate(1, 1))
    assert week.asked == Rate(1, 0)
    assert week.week == datetime(2026, 1, 5), "a Monday"


def test_a_file_that_no_context_showed_counts_as_missed(companion: LocalCompanion, read_once: tuple[Repo, Path]):
    read_once[0].write("elsewhere/new.txt", "not read yet\n")
    companion.observe([Touched(CART, Touch.OPENED)])
    assert "elsewhere/new.txt" not in ask(companion, CART)
    companion.observe([Touched("elsewhere/new.txt", Touch.EDITED)])
    (week,) = companion.accuracy().weeks
    assert week.edited == Rate(1, 0)


def test_weeks_are_counted_apart_and_survive_a_restart(read_once: tuple[Repo, Path], tmp_path: Path):
    repo, home = read_once
    desk = Desk(shutil.copytree(home, tmp_path / "own"), FakeClock())
    for _ in range(2):
        companion = desk.open(repo.root)
        companion.observe([Touched(CART, Touch.OPENED)])
        ask(companion, CART)
        companion.observe([Touched(PRICE, Touch.OPENED)])
        companion.close()
        desk.clock.advance(days=7)
    companion = desk.open(repo.root)
    weeks = companion.accuracy(10).weeks
    assert [one.week.day for one in weeks] == [5, 12]
    assert companion.accuracy(1).weeks == weeks[1:]
    companion.close()


def test_memories_that_were_shown_and_used_the_same_day_are_counted_once_a_day(companion: LocalCompanion):
    companion.observe([Touched(TEST, Touch.OPENED)])
    for _ in range(3):
        ask(companion, CART)
    companion.observe([Touched(PRICE, Touch.OPENED), Touched(PRICE, Touch.EDITED)])
    (week,) = companion.accuracy().weeks
    with companion.store.database.read() as connection:
        shown = connection.execute(
            "select count(distinct memory_id) from usage_log where what = 'retrieved'"
        ).fetchone()
    assert shown is not None
    assert week.memories.times == shown[0]
    assert 0 < week.memories.hits <= week.memories.times


def test_what_was_served_before_files_were_kept_is_neither_hit_nor_miss(companion: LocalCompanion):
    companion.observe([Touched(CART, Touch.OPENED)])
    ask(companion, CART)
    database, checkout = companion.store.database, companion.checkout
    with database.write() as connection:
        connection.execute("update servings set files = null")
        connection.execute("delete from foreseen")
    companion.session()._servings = None
    assert events.servings(database, checkout, 5)[-1].files is None
    companion.observe([Touched(PRICE, Touch.OPENED)])
    assert all(week.opened == Rate() for week in companion.accuracy().weeks)


def test_what_was_counted_and_not_written_down_follows_from_the_events_after_a_kill(companion: LocalCompanion):
    companion.observe([Touched(CART, Touch.OPENED)])
    ask(companion, CART)
    companion.observe([Touched(PRICE, Touch.OPENED)])
    before = companion.accuracy().weeks
    assert before[0].opened == Rate(1, 1)
    companion.runtime.sessions = VersionedCache()  # another process, with the same store
    companion.observe([Touched("README.md", Touch.CLOSED)])
    assert companion.accuracy().weeks == before
    ask(companion, TEST)
    companion.runtime.sessions = VersionedCache()
    assert companion.accuracy().weeks[0].opened == Rate(1, 1), "and is not counted again once it is written"
    companion.observe([Touched("README.md", Touch.CLOSED)])
    assert companion.accuracy().weeks[0].opened == Rate(1, 1)


@pytest.mark.parametrize("weeks", [0, -1, 10_000])
def test_weeks_that_make_no_sense_are_refused(companion: LocalCompanion, weeks: int):
    with pytest.raises(CompanionError):
        companion.accuracy(weeks)


def test_only_so_many_replayed_commits_are_kept(companion: LocalCompanion, monkeypatch: pytest.MonkeyPatch):
    from companion.records.looking import Measured

    monkeypatch.setattr(store, "COMMITS_KEPT", 3)
    start = datetime(2026, 1, 1)
    many = [Measured(f"{n:040x}", start + timedelta(days=n), 1.0, 0.5, 0.0) for n in range(5)]
    with companion.store.database.write() as connection:
        connection.execute("delete from replayed")
    store.keep_replayed(companion.store.database, companion.project, many, start)
    assert [one.sha for one in store.replayed(companion.store.database, companion.project)] == [
        one.sha for one in many[2:]
    ]
