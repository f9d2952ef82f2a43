"""Undoing a run restores the store byte for byte, and leaves alone what was changed since."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from journalled import journalled
from msgspec.structs import replace
from runs import as_json, carry_out, consolidated, dump, episode, exported, found, learn, link, plan, rows
from stores import PROJECT, at, fact, memories, store

from companion import wire
from companion.errors import UsageError
from companion.records import (
    Artifact,
    ArtifactKind,
    Change,
    Importance,
    Level,
    Levels,
    Merge,
    Oppose,
    Outdate,
    Relation,
    Resolution,
    Retire,
    Revive,
    Reword,
    Scope,
    Shorten,
    Status,
    Supersede,
    Unite,
    Unrelate,
    Warm,
    Warmth,
    Weigh,
)
from companion.records.runs import ChangeState, RunState
from companion.store.consolidation import applying, journal, undoing
from companion.store.database import Database
from companion.store.memories import contradictions, usage

MEMORIES = 9
"""Of the generated store: few enough that changes often meet on one of them."""


def everything(database: Database) -> tuple[Change, ...]:
    """A run with each sort of change, several of them on one memory."""
    kept = learn(
        database,
        *[
            episode(
                f"number {n}",
                entities=(f"file:src/{n}.py", f"topic:{n}"),
                artifacts=(Artifact(ArtifactKind.FILE, f"src/{n}.py"),),
                scope=Scope(path=f"src/{n}.py") if n == 5 else Scope(),
            )
            for n in range(12)
        ],
    )
    i = [memory.id for memory in kept]
    usage.record(database, i[:3], "cited", "a.py", at(1))
    consolidated(
        database, Retire(i[11], "unused"), link(i[8], i[9]), Oppose(i[2], i[6], 0.5, "rules", "differ"), now=at(50)
    )
    return (
        Merge(i[0], (i[1], i[2]), "the same"),
        Supersede(i[3], i[4], "newer"),
        Unite("person:ann", "person:anne", "one mail address"),
        Reword(i[0], Levels("", "other words", "other", "o"), 3, "rules", "better"),
        Shorten(i[0], Level.INDEX, 3, "old"),
        Shorten(i[5], Level.SUMMARY, 3, "old"),
        Weigh(i[0], Importance.CRITICAL, 1 / 3, "used"),
        Warm(i[0], Warmth.COLD, "old"),
        Oppose(i[5], i[6], 0.7, "rules", "they differ"),
        Revive(i[11], "asked for"),
        Retire(i[7], "unused"),
        Outdate(i[10], "its files are gone: src/10.py"),
        link(i[8], i[9], 0.9),
        link(i[5], i[6], 0.4),
        Unrelate(Relation.NEAR, *sorted((i[8], i[9])), "no longer so"),
        Unite("person:anne", "person:anne_b", "one mail address"),
    )


def test_undoing_a_run_of_all_changes_restores_tables_and_export_byte_for_byte(
    database: Database, tmp_path: Path
) -> None:
    changes = everything(database)
    before, told = dump(database), exported(database, tmp_path / "before")
    run = plan(database, changes)
    done = carry_out(database, run)
    assert done.applied == len(changes), list(journalled(database, run))
    assert dump(database) != before
    undone = undoing.undo(database, run, None, at(101))
    assert (undone.undone, undone.kept) == (len(changes), ())
    assert dump(database) == before
    assert exported(database, tmp_path / "after") == told
    assert journal.run(database, PROJECT, run).state is RunState.UNDONE


def test_undoing_twice_changes_nothing_and_says_so(database: Database) -> None:
    run = consolidated(database, *everything(database))
    undoing.undo(database, run, None, at(101))
    before = dump(database)
    again = undoing.undo(database, run, None, at(102))
    assert (again.undone, again.kept) == (0, ())
    assert dump(database) == before
    assert journal.run(database, PROJECT, run).undone_at == at(101)


def test_one_change_is_taken_back_alone(database: Database) -> None:
    a, b = learn(database, fact("a", "1"), fact("b", "2"))
    run = consolidated(database, Retire(a.id, "unused"), Warm(b.id, Warmth.COLD, "old"))
    assert undoing.undo(database, run, 1, at(101)).undone == 1
    assert found(database, "1") == a
    assert found(database, "2").warmth is Warmth.COLD
    assert undoing.undo(database, run, 1, at(102)).undone == 0
    assert undoing.undo(database, run, None, at(103)).undone == 1
    assert journal.run(database, PROJECT, run).state is RunState.UNDONE


def test_a_number_that_a_run_does_not_have_or_did_not_make_is_named(database: Database) -> None:
    (one,) = learn(database, fact())
    memories(database).pin(one.id, True)
    run = consolidated(database, Retire(one.id, "unused"))
    with pytest.raises(UsageError, match="no change 7"):
        undoing.undo(database, run, 7, at(101))
    with pytest.raises(UsageError, match="was not made"):
        undoing.undo(database, run, 1, at(101))


def test_a_plan_that_changed_nothing_cannot_be_taken_back(database: Database) -> None:
    (one,) = learn(database, fact())
    run = plan(database, [Retire(one.id, "unused")])
    with pytest.raises(UsageError, match="changed nothing"):
        undoing.undo(database, run, None, at(101))


def test_what_was_counted_since_stays_when_a_merge_is_taken_back(database: Database) -> None:
    keep, drop = learn(database, episode("one"), episode("two"))
    usage.record(database, [keep.id, drop.id], "retrieved", "a.py", at(1))
    run = consolidated(database, Merge(keep.id, (drop.id,), "same"))
    usage.record(database, [keep.id], "cited", "a.py", at(101))
    assert undoing.undo(database, run, None, at(102)).kept == ()
    kept = found(database, "one")
    assert (kept.usage.retrieved, kept.usage.cited, kept.usage.last_access_at) == (1, 1, at(101))
    assert found(database, "two") == replace(drop, usage=replace(drop.usage, retrieved=1, last_access_at=at(1)))


def test_what_was_changed_since_is_kept_with_a_reason_and_the_rest_taken_back(database: Database) -> None:
    a, b, c, d, e = learn(database, *[fact(name, name) for name in "abcde"])
    run = consolidated(
        database,
        Retire(a.id, "unused"),
        Warm(b.id, Warmth.COLD, "old"),
        Weigh(c.id, Importance.SIGNIFICANT, 0.5, "used"),
        Oppose(d.id, e.id, 0.9, "rules", "they differ"),
        Shorten(d.id, Level.INDEX, 3, "old"),
    )
    memories(database).revive(a.id, at(101))
    memories(database).pin(c.id, True)
    (opened,) = contradictions.open_ones(database, PROJECT)
    memories(database).settle(opened.id, Resolution.BOTH_VALID, "fine", at(101))
    told = undoing.undo(database, run, None, at(102))
    assert told.undone == 2
    assert [(one.number, one.why_not) for one in told.kept] == [
        (1, "a memory that it archived is active again"),
        (3, "its rank has moved since"),
        (4, "a contradiction was resolved or opened since"),
    ]
    kept = {one.number: one for one in journalled(database, run, state=ChangeState.APPLIED)}
    assert kept[3].why_not == "its rank has moved since"
    assert journal.run(database, PROJECT, run).state is RunState.APPLIED


def test_a_column_that_nothing_is_said_of_is_compared_all_the_same(database: Database) -> None:
    """As a change would have it that moves a column which none moved before."""
    (one,) = learn(database, fact("a", "1"))
    run = consolidated(database, Warm(one.id, Warmth.COLD, "old"))
    with database.write() as connection:
        connection.execute("""update run_rows set before = '{"label": ""}', after = '{"label": "billing"}'""")
    assert [one.why_not for one in undoing.undo(database, run, None, at(101)).kept] == [
        "a row that it moved has changed since"
    ]
    with database.write() as connection:
        connection.execute("update memories set label = 'billing'")
    assert undoing.undo(database, run, None, at(102)).undone == 1
    assert found(database, "1").draft.label == ""


def test_a_memory_that_is_gone_for_good_does_not_stop_the_rest(database: Database) -> None:
    a, b = learn(database, fact("a", "1"), fact("b", "2"))
    run = consolidated(database, Warm(a.id, Warmth.COLD, "old"), Warm(b.id, Warmth.COLD, "old"))
    with database.write() as connection:
        connection.execute("delete from memories where id = $id", {"id": a.id})
    told = undoing.undo(database, run, None, at(101))
    assert (told.undone, [one.why_not for one in told.kept]) == (1, ["a memory that it changed is gone"])


def test_a_run_that_was_stopped_is_taken_back_and_never_goes_on(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(applying, "BATCH_ROWS", 2)
    kept = learn(database, *[episode(f"number {n}") for n in range(6)])
    before = dump(database)
    run = plan(database, [Shorten(one.id, Level.INDEX, 1, "old") for one in kept])
    answers = iter([True, False])
    carry_out(database, run, go_on=lambda: next(answers))
    assert undoing.undo(database, run, None, at(101)).undone == 2
    assert dump(database) == before
    assert journal.unfinished(database, PROJECT) is None
    assert {one.state for one in journalled(database, run)} == {ChangeState.UNDONE, ChangeState.REFUSED}


def test_runs_are_taken_back_one_after_the_other_newest_first(database: Database) -> None:
    (one,) = learn(database, fact())
    states = [dump(database)]
    runs = []
    for number, warmth in enumerate((Warmth.WARM, Warmth.COLD, Warmth.HOT)):
        runs.append(consolidated(database, Warm(one.id, warmth, "moved"), now=at(100 + number)))
        states.append(dump(database))
    assert undoing.undo(database, runs[0], None, at(110)).kept[0].why_not == "its warmth has moved since"
    for run, state in zip(reversed(runs), reversed(states[:-1]), strict=True):
        undoing.undo(database, run, None, at(111))
        assert dump(database) == state


def test_what_was_taken_back_can_be_planned_again(database: Database) -> None:
    (one,) = learn(database, fact())
    undoing.undo(database, consolidated(database, Retire(one.id, "unused")), None, at(101))
    consolidated(database, Retire(one.id, "unused"), now=at(102))
    assert found(database, "100").status is Status.ARCHIVED


_place = st.integers(0, MEMORIES - 1)
_figure = st.floats(-1, 1)
_text = st.text(max_size=12)


@st.composite
def _changes(draw: st.DrawFn) -> list[tuple[str, tuple[object, ...]]]:
    """Changes with places in a list of memories in place of ids."""
    merge = st.tuples(st.just("merge"), st.tuples(_place, st.lists(_place, min_size=1, max_size=3, unique=True), _text))
    two = st.sampled_from(["supersede", "oppose", "relate", "unrelate"])
    pair = st.tuples(two, st.tuples(_place, _place, st.floats(0, 1), _text))
    one = st.sampled_from(["reword", "shorten", "weigh", "warm", "retire", "outdate", "revive"])
    single = st.tuples(one, st.tuples(_place, _figure, st.sampled_from(list(Level)), _text))
    unite = st.tuples(st.just("unite"), st.tuples(_place, _place, _text))
    return draw(st.lists(st.one_of(merge, pair, single, unite), min_size=1, max_size=14))


def _made(what: str, given: tuple[object, ...], ids: list[str]) -> Change:
    place, second, *rest = given
    a, text = ids[place], str(rest[-1])  # type: ignore[call-overload]
    match what:
        case "merge":
            return Merge(a, tuple(ids[n] for n in second), text)  # type: ignore[attr-defined]
        case "unite":
            return Unite(f"person:{place}", f"person:{second}", text)
        case "supersede" | "oppose" | "relate" | "unrelate":
            b = ids[second]  # type: ignore[call-overload]
            return {
                "supersede": Supersede(a, b, text),
                "oppose": Oppose(a, b, float(rest[0]), "rules", text),  # type: ignore[arg-type]
                "relate": link(a, b, float(rest[0])),  # type: ignore[arg-type]
                "unrelate": Unrelate(Relation.NEAR, *sorted((a, b)), text),  # type: ignore[call-arg]
            }[what]
        case _:
            level, figure = rest[0], float(second)  # type: ignore[arg-type]
            importance = Importance(round(abs(figure) * 3))
            return {
                "reword": Reword(a, Levels("", text or "s", text or "c", "i"), 1, "rules", text),
                "shorten": Shorten(a, level, 1, text),  # type: ignore[arg-type]
                "weigh": Weigh(a, importance, figure, text),
                "warm": Warm(a, list(Warmth)[round(abs(figure) * 2)], text),
                "retire": Retire(a, text),
                "outdate": Outdate(a, text),
                "revive": Revive(a, text),
            }[what]


@settings(max_examples=10, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(runs=st.lists(_changes(), min_size=1, max_size=3), batch=st.sampled_from([1, 3, 1000]))
def test_whatever_runs_do_undoing_them_all_restores_every_row(
    runs: list[list[tuple[str, tuple[object, ...]]]], batch: int, tmp_path_factory: pytest.TempPathFactory
) -> None:
    home = tmp_path_factory.mktemp("law")
    with store(home) as database, pytest.MonkeyPatch.context() as patch:
        patch.setattr(applying, "BATCH_ROWS", batch)
        patch.setattr(undoing, "BATCH_ROWS", 1001 - batch)
        kept = learn(
            database,
            *[
                episode(f"number {n}", entities=(f"file:src/{n}.py",), scope=Scope(path="src" if n % 2 else ""))
                for n in range(MEMORIES)
            ],
        )
        ids = [memory.id for memory in kept]
        states, runs = [dump(database)], []
        for number, drawn in enumerate(runs):
            runs.append(consolidated(database, *[_made(*one, ids) for one in drawn], now=at(100 + number)))
            states.append(dump(database))
            told = journal.run(database, PROJECT, runs[-1])
            assert (told.state, told.planned) == (RunState.APPLIED, 0)
            assert told.applied + told.refused == len(drawn)
        for run, state in zip(reversed(runs), reversed(states[:-1]), strict=True):
            assert undoing.undo(database, run, None, at(200)).kept == ()
            assert dump(database) == state


def test_a_contradiction_that_merges_handed_on_is_taken_back_in_order(database: Database) -> None:
    a, b, c, d = (one.id for one in learn(database, *[episode(f"number {n}") for n in range(4)]))
    before = dump(database)
    run = plan(
        database, [Oppose(b, d, 0.7, "rules", "they differ"), Merge(a, (b,), "the same"), Merge(c, (d,), "the same")]
    )
    carry_out(database, run)
    (left,) = contradictions.open_ones(database, PROJECT)
    assert {left.a.id, left.b.id} == {a, c}
    assert undoing.undo(database, run, None, at(101)).kept == ()
    assert dump(database) == before


def test_spellings_that_move_along_with_what_they_stand_for_are_taken_back_in_order(database: Database) -> None:
    consolidated(database, Unite("person:8", "person:5", "one mail address"))
    before = dump(database)
    run = consolidated(
        database,
        Unite("person:5", "person:0", "one mail address"),
        Unite("person:8", "person:3", "a better guess"),
        Unite("person:0", "person:1", "one mail address"),
        Unite("person:7", "person:6", "one mail address"),
        now=at(101),
    )
    assert sorted(rows(database, "select entity, stands_for from aliases")) == [
        ("person:0", "person:1"),
        ("person:5", "person:1"),
        ("person:7", "person:6"),
        ("person:8", "person:3"),
    ]
    assert undoing.undo(database, run, None, at(102)).kept == ()
    assert dump(database) == before


def test_batches_of_alternating_sorts_are_few_and_come_to_the_same_as_one_by_one(database: Database) -> None:
    from companion.store.consolidation.batches import Planned, batches

    kept = learn(database, *[episode(f"number {n}") for n in range(6)])
    changes: list[Change] = []
    for memory in kept:
        changes += [Warm(memory.id, Warmth.COLD, "old"), Weigh(memory.id, Importance.DEFAULT, 0.5, "used")]
    changes += [Retire(kept[0].id, "unused"), Warm(kept[1].id, Warmth.WARM, "used")]
    planned = [
        Planned(number, type(change).__name__, as_json(wire.encode(change, Change)), (change.id,), ("",))  # type: ignore[union-attr]
        for number, change in enumerate(changes, start=1)
    ]
    made = [(batch[0].what, len(batch)) for batch in batches(planned, 1000)]
    assert sorted(made) == [("Retire", 1), ("Warm", 1), ("Warm", 6), ("Weigh", 6)]
    assert made.index(("Warm", 6)) < min(made.index(("Retire", 1)), made.index(("Warm", 1)))
    assert rows(database, "select count(*) from run_changes") == [(0,)]


def test_a_spelling_that_moved_along_and_then_away_is_taken_back_in_order(database: Database) -> None:
    consolidated(database, Unite("person:0", "person:1", "one mail address"))
    before = dump(database)
    run = plan(
        database, [Unite("person:1", "person:6", "one mail address"), Unite("person:0", "person:5", "a better guess")]
    )
    carry_out(database, run)
    assert sorted(rows(database, "select entity, stands_for from aliases")) == [
        ("person:0", "person:5"),
        ("person:1", "person:6"),
    ]
    assert undoing.undo(database, run, None, at(102)).kept == ()
    assert dump(database) == before
