"""Planning a run: passes as strangers bring them, what they may claim, and what becomes of one that fails."""

from __future__ import annotations

import importlib
import sys
from textwrap import dedent

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.api import Note, RunOrder
from companion.app.consolidation.running import Claims, chosen_passes, known_passes
from companion.errors import UsageError
from companion.ports import NoProgress
from companion.records import (
    Merge,
    Oppose,
    Outdate,
    Profile,
    Relate,
    Relation,
    Retire,
    SearchQuery,
    Shorten,
    Supersede,
    Unite,
    ids_in,
)
from companion.records.runs import RunState
from companion.records.sorts import Level

IDS = st.sampled_from("abcdef")
CHANGES = st.one_of(
    st.builds(lambda keep, drop: Merge(keep, tuple(drop), "why"), IDS, st.lists(IDS, max_size=3, unique=True)),
    st.builds(lambda old, new: Supersede(old, new, "why"), IDS, IDS),
    st.builds(lambda a, b: Oppose(a, b, 0.9, "rules", "why"), IDS, IDS),
    st.builds(lambda id_: Retire(id_, "why"), IDS),
    st.builds(lambda id_: Outdate(id_, "why"), IDS),
    st.builds(lambda id_: Shorten(id_, Level.SUMMARY, 10, "why"), IDS),
    st.builds(lambda a, b: Relate(Relation.NEAR, a, b, 0.5, "why"), IDS, IDS),
    st.builds(lambda a, b: Unite(a, b, "why"), IDS, IDS),
)


@pytest.fixture
def companion(desk, shop):
    desk.scan(shop.root)
    opened = desk.open(shop.root)
    yield opened
    opened.close()


@pytest.fixture
def brought(tmp_path, monkeypatch):
    """Brings a pass as a stranger's package would: a module, and an entry point that names it."""
    folder = tmp_path / "brought"
    info = folder / "brought-1.0.dist-info"
    info.mkdir(parents=True)
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: brought\nVersion: 1.0\n")
    monkeypatch.syspath_prepend(str(folder))
    modules: dict[str, str] = {}

    def bring(name: str, plan: str) -> None:
        module = f"brought_{name.replace('-', '_')}"
        (folder / f"{module}.py").write_text(HEAD + dedent(plan))
        modules[name] = module
        listed = "".join(f"{one} = {where}\n" for one, where in modules.items())
        (info / "entry_points.txt").write_text(f"[companion.passes]\n{listed}")
        importlib.invalidate_caches()

    yield bring
    for module in modules.values():
        sys.modules.pop(module, None)


HEAD = """
from companion.records import *
from companion.records.sorts import Level

def ids(archive):
    with archive.database.read() as connection:
        return [row[0] for row in connection.execute("select id from memories where status = 'active' order by id").fetchall()]
"""


def consolidate(companion, *passes, **how):
    return companion.consolidate(RunOrder(**({"dry_run": True, "passes": passes} | how)), NoProgress())


def passes(told):
    return {one.name: one for one in told.passes}


@given(st.lists(CHANGES, max_size=40))
def test_what_goes_in_a_plan_takes_no_other_change_and_what_must_stay_does_not_go(proposed):
    claims, gone, needed = Claims(), set(), set()
    for change in proposed:
        if not claims.take(change):
            continue
        assert gone.isdisjoint(ids_in(change, change.about))
        match change:
            case Merge(keep, drop):
                assert keep not in drop
                assert needed.isdisjoint(drop)
                gone.update(drop)
                needed.add(keep)
            case Supersede(old, new):
                assert old != new
                gone.add(old)
            case Retire(id_) | Outdate(id_):
                assert id_ not in needed
                gone.add(id_)
            case Oppose(a, b):
                needed.update((a, b))


@given(st.permutations("abcd"))
def test_no_cycle_of_supersession_comes_into_a_plan(order):
    claims = Claims()
    pairs = zip(order, [*order[1:], order[0]], strict=True)
    taken = [claims.take(Supersede(old, new, "newer")) for old, new in pairs]
    assert taken == [True, True, True, False]


def test_passes_run_in_the_order_of_their_names_and_only_those_asked_for(brought):
    brought("00-early", "def plan(archive):\n    yield from ()\n")
    known = list(known_passes())
    assert known[0] == "early"
    assert known.index("contradict") < known.index("forget")
    assert list(chosen_passes(("forget", "early"))) == ["early", "forget"]
    with pytest.raises(UsageError, match="early"):
        chosen_passes(("late",))


def test_a_pass_that_fails_is_reported_and_the_others_go_on(companion, brought):
    brought("00-broken", "def plan(archive):\n    yield from ()\n    raise ValueError('hunter2-secret')\n")
    told = consolidate(companion, dry_run=False)
    assert passes(told)["broken"].wrong == "it failed with ValueError"
    assert told.state is RunState.APPLIED
    assert not [one for one in told.passes if one.wrong and one.name != "broken"]
    assert passes(companion.report(told.run))["broken"].wrong


def test_a_pass_that_cannot_even_be_loaded_is_reported(companion, brought):
    brought("00-unloadable", "raise RuntimeError\n")
    assert "RuntimeError" in passes(consolidate(companion))["unloadable"].wrong


def test_what_a_failing_pass_had_proposed_stands(companion, brought):
    brought(
        "00-half",
        """
        def plan(archive):
            yield Shorten(ids(archive)[0], Level.SUMMARY, 5, "it is long")
            raise ValueError
        """,
    )
    told = consolidate(companion, "half")
    assert (passes(told)["half"].changes, told.changes_total) == (1, 1)


def test_what_a_plan_ends_is_not_weighed_warmed_or_shortened_by_it_before(companion, brought):
    brought(
        "00-shapes",
        """
        def plan(archive):
            for id_ in ids(archive)[:2]:
                yield Shorten(id_, Level.SUMMARY, 5, "it is long")
                yield Warm(id_, Warmth.COLD, "it is old")
                yield Weigh(id_, Importance.DEFAULT, 0.5, "it was cited")
        """,
    )
    brought("01-ends", "def plan(archive):\n    yield Retire(ids(archive)[0], 'nobody asks')\n")
    told = consolidate(companion, "shapes", "ends", dry_run=False)
    assert (passes(told)["shapes"].changes, passes(told)["shapes"].dropped) == (3, 3)
    assert (passes(told)["ends"].changes, told.changes_total, told.refused) == (1, 4, 0)
    assert passes(companion.report(told.run))["shapes"].changes == 3
    assert companion.undo(told.run).undone == 4


def test_a_note_is_kept_though_nobody_could_look_for_what_it_contradicts(companion, monkeypatch):
    def fails(*given):
        raise IndexError

    monkeypatch.setattr("companion.app.consolidation.opposing.search", fails)
    companion.remember(Note("Prices are kept as integer cents."))
    monkeypatch.undo()
    assert companion.search(SearchQuery(text="integer cents", profile=Profile.MEMORY))


def test_nothing_is_forgotten_where_looking_for_contradictions_failed(companion, brought):
    brought("6-contradict", "def plan(archive):\n    raise ValueError\n    yield\n")
    told = consolidate(companion, "contradict", "forget")
    assert "nothing is forgotten" in passes(told)["forget"].wrong


def test_nothing_is_forgotten_before_contradictions_were_looked_for_since_the_newest_memory(companion, desk):
    assert "have not been looked for" in passes(consolidate(companion, "forget"))["forget"].wrong
    consolidate(companion, "contradict", dry_run=False)
    assert not passes(consolidate(companion, "forget"))["forget"].wrong
    desk.clock.advance(hours=1)
    companion.remember(Note("Prices are cents"))
    assert "have not been looked for" in passes(consolidate(companion, "forget"))["forget"].wrong
    assert not passes(consolidate(companion, "contradict", "forget"))["forget"].wrong


def test_what_an_earlier_pass_dealt_with_is_left_out_and_counted(companion, brought):
    brought("00-first", "def plan(archive):\n    yield Retire(ids(archive)[0], 'it is old')\n")
    brought("01-second", "def plan(archive):\n    yield Shorten(ids(archive)[0], Level.SUMMARY, 5, 'it is long')\n")
    told = consolidate(companion, "first", "second")
    assert [one.step for one in told.changes] == ["first"]
    assert passes(told)["second"].dropped == 1


def test_all_passes_see_the_same_state_and_planning_writes_no_memory(companion, brought):
    brought(
        "00-greedy",
        """
        def plan(archive):
            for id_ in ids(archive)[:3]:
                yield Retire(id_, "it is old")
        """,
    )
    brought(
        "01-counting",
        """
        def plan(archive):
            raise ValueError(len(ids(archive)))
            yield
        """,
    )
    before = [memory for memory in companion.store.memories.iterate(companion.project, archived=True)]
    told = consolidate(companion, "greedy", "counting")
    assert told.forgotten == 3
    assert [memory for memory in companion.store.memories.iterate(companion.project, archived=True)] == before


def test_a_run_that_is_interrupted_while_it_plans_leaves_nothing(companion):
    class Stops(Exception):
        pass

    class Breaks:
        def step(self, stage, done, total):
            raise Stops

    before = [memory for memory in companion.store.memories.iterate(companion.project, archived=True)]
    with pytest.raises(Stops):
        companion.consolidate(RunOrder(), Breaks())
    assert [memory for memory in companion.store.memories.iterate(companion.project, archived=True)] == before
    assert {one.state for one in companion.reports()} <= {RunState.DISCARDED}
    assert consolidate(companion, dry_run=False).state is RunState.APPLIED
