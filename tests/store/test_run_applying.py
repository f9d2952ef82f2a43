"""What each change of a run does to the store, what it refuses, and what it leaves alone."""

from __future__ import annotations

from datetime import timedelta

import pytest
from fakes import WordCounter
from journalled import journalled
from msgspec.structs import replace
from runs import WHEN, carry_out, consolidated, decision, dump, episode, found, learn, link, plan, refusals, rows
from stores import PROJECT, at, fact, memories

from companion import wire
from companion.errors import UsageError
from companion.records import (
    Evidence,
    EvidenceKind,
    Importance,
    Level,
    Levels,
    Memory,
    Merge,
    Oppose,
    Outdate,
    Relate,
    Relation,
    Rescope,
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
from companion.store.consolidation import journal, purging
from companion.store.database import Database
from companion.store.memories import contradictions, usage
from companion.store.memories.reconcile import FADED
from companion.store.text.documents import memory_space
from companion.store.text.index import TextIndex


def test_rewording_moves_the_shorter_levels_and_their_tokens_alone(database: Database) -> None:
    (one,) = learn(database, fact())
    levels = Levels("not to be taken", "a better summary", "better", "word " * 20)
    consolidated(database, Reword(one.id, levels, 3, "rules", "shorter"))
    kept = found(database, "100").draft.levels
    assert (kept.full, kept.summary, kept.compressed) == (one.draft.levels.full, "a better summary", "better")
    assert len(kept.index) == 50
    counted = tuple(map(WordCounter().count, (kept.summary, kept.compressed, kept.index)))
    assert found(database, "100").tokens == (one.tokens[0], *counted)


def test_shortening_warming_and_weighing_one_memory_live_in_one_run(database: Database) -> None:
    (one,) = learn(database, episode("one"))
    consolidated(
        database,
        Weigh(one.id, Importance.SIGNIFICANT, 0.1 + 0.2, "cited in 3 sessions"),
        Warm(one.id, Warmth.COLD, "long ago"),
        Shorten(one.id, Level.SUMMARY, 4, "old"),
        Warm(one.id, Warmth.WARM, "not so long ago"),
    )
    kept = found(database, "one")
    assert (kept.offered, kept.warmth, kept.usefulness) == (Level.SUMMARY, Warmth.WARM, 0.1 + 0.2)
    assert kept.draft.importance is Importance.SIGNIFICANT


def test_what_a_memory_takes_over_in_a_run_is_not_weighed_away_in_it(database: Database) -> None:
    keep, twin = learn(database, episode("keep"), episode("twin"))
    with database.write() as connection:
        connection.execute("update memories set importance = 2 where id = $id", {"id": twin.id})
    consolidated(database, Merge(keep.id, (twin.id,), "same"), Weigh(keep.id, Importance.DEFAULT, 0.5, "used"))
    assert found(database, "keep").draft.importance is Importance.SIGNIFICANT


def test_use_never_weighs_below_what_a_person_set_nor_what_is_pinned(database: Database) -> None:
    one, two = learn(database, fact("a", "1"), fact("b", "2"))
    with database.write() as connection:
        connection.execute("update memories set importance = 2, importance_floor = 2 where id = $id", {"id": one.id})
    memories(database).pin(two.id, True)
    run = consolidated(
        database,
        Weigh(one.id, Importance.TRIVIAL, -1.0, "never used"),
        Weigh(two.id, Importance.TRIVIAL, -1.0, "never used"),
    )
    assert found(database, "1").draft.importance is Importance.SIGNIFICANT
    assert found(database, "2").draft.importance is Importance.CRITICAL
    assert refusals(database, run) == ["it is pinned"]


def test_a_retired_memory_is_in_the_archive_and_comes_back_as_it_was(database: Database) -> None:
    (one,) = learn(database, episode("one"))
    consolidated(database, Retire(one.id, "not asked for in 120 days of work"))
    gone = found(database, "one")
    assert (gone.status, gone.archived_reason) == (Status.ARCHIVED, FADED)
    consolidated(database, Revive(one.id, "asked for"), now=at(101))
    assert found(database, "one") == one


def test_what_was_merged_or_emptied_is_not_brought_back_by_hand_until_that_makes_sense(database: Database) -> None:
    keep, twin, emptied = learn(database, episode("keep"), episode("twin"), episode("emptied"))
    consolidated(database, Merge(keep.id, (twin.id,), "same"), Retire(emptied.id, "unused"))
    keeper = memories(database)
    with pytest.raises(UsageError, match=f"replaced by {keep.id}"):
        keeper.revive(twin.id, at(101))
    keeper.forget(keep.id, at(102))
    back = keeper.revive(twin.id, at(103))
    assert (back.status, back.superseded_by) == (Status.ACTIVE, "")
    purging.purge(database, PROJECT, at(101 + purging.GRACE_DAYS))
    with pytest.raises(UsageError, match="removed for good"):
        keeper.revive(emptied.id, at(400))


def test_a_full_scan_does_not_bring_back_what_a_run_forgot_unless_something_new_speaks_for_it(
    database: Database,
) -> None:
    said = episode("one")
    (one,) = learn(database, said)
    consolidated(database, Retire(one.id, "not asked for in 120 days of work"))
    again = memories(database).reconcile(PROJECT, "tests", [said.origin], [said], at(101))
    assert (again.added, again.unchanged) == (0, 1)
    purging.purge(database, PROJECT, at(101 + purging.GRACE_DAYS))
    assert memories(database).reconcile(PROJECT, "tests", [said.origin], [said], at(400)).added == 0
    more = replace(said, evidence=(*said.evidence, Evidence(EvidenceKind.COMMIT, "c" * 40)))
    assert memories(database).reconcile(PROJECT, "tests", [said.origin], [more], at(401)).added == 1
    assert found(database, "one").status is Status.ACTIVE
    consolidated(database, Retire(found(database, "one").id, "not asked for in 120 days of work"), now=at(500))
    assert memories(database).reconcile(PROJECT, "tests", [said.origin], [more], at(501)).added == 0


def test_what_must_stay_is_never_put_away_whatever_a_plan_says(database: Database) -> None:
    pinned, dispute, against, free = learn(
        database, fact("a", "1"), fact("b", "2"), fact("c", "3"), replace(fact("d", "4"), type="fact")
    )
    (in_force,) = learn(database, replace(decision("DuckDB"), origin="adr"))
    memories(database).pin(pinned.id, True)
    consolidated(database, Oppose(dispute.id, against.id, 0.9, "rules", "they differ"))
    before = dump(database)
    run = consolidated(
        database,
        Retire(pinned.id, "unused"),
        Retire(dispute.id, "unused"),
        Retire(in_force.id, "unused"),
        Outdate(pinned.id, "its files are gone"),
        Merge(free.id, (pinned.id,), "same"),
        Supersede(in_force.id, free.id, "newer"),
        Supersede(pinned.id, free.id, "newer"),
        now=at(101),
    )
    assert refusals(database, run) == [
        "it is pinned",
        "it stands in an open contradiction",
        "it is a decision in force",
        "it is pinned",
        "it is pinned",
        "it is a decision in force",
        "it is pinned",
    ]
    assert dump(database) == before


def test_what_the_same_run_found_in_dispute_is_not_forgotten(database: Database) -> None:
    a, b = learn(database, fact("a", "1"), fact("b", "2"))
    run = consolidated(database, Oppose(a.id, b.id, 0.9, "rules", "they differ"), Retire(a.id, "unused"))
    assert refusals(database, run) == ["it stands in an open contradiction"]


def test_what_was_asked_for_since_it_was_planned_is_not_forgotten(database: Database) -> None:
    (one,) = learn(database, fact())
    run = plan(database, [Retire(one.id, "unused")])
    usage.record(database, [one.id], "cited", "a.py", at(100))
    carry_out(database, run)
    assert found(database, "100").status is Status.ACTIVE
    assert refusals(database, run) == ["it was asked for since that was planned"]


def test_what_is_asked_for_while_the_run_is_carried_out_is_not_forgotten(database: Database) -> None:
    one, other = learn(database, fact("a", "1"), fact("b", "2"))
    run = plan(database, [Retire(one.id, "unused"), Retire(other.id, "unused")])

    def asked_for() -> bool:
        usage.record(database, [one.id], "cited", "a.py", at(100))
        return True

    assert carry_out(database, run, go_on=asked_for).applied == 1
    assert refusals(database, run) == ["it was asked for since that was planned"]


def test_what_changed_after_the_plan_was_made_is_refused_and_reported(database: Database) -> None:
    edited, pinned, archived, same = learn(
        database, fact("a", "1"), fact("b", "2"), fact("c", "3"), fact("d", "4", confidence=0.5)
    )
    run = plan(database, [Shorten(one.id, Level.INDEX, 1, "old") for one in (edited, pinned, archived, same)])
    with database.write() as connection:
        connection.execute("update memories set content_full = 'edited' where id = $id", {"id": edited.id})
    memories(database).pin(pinned.id, True)
    memories(database).forget(archived.id, at(100))
    usage.record(database, [same.id], "cited", "a.py", at(100))
    done = carry_out(database, run)
    assert (done.applied, done.refused, done.planned) == (1, 3, 0)
    assert refusals(database, run) == [
        "a memory that it is about has changed since it was planned",
        "a memory that it is about has changed since it was planned",
        "a memory that it is about was archived since it was planned",
    ]


def test_what_changes_while_the_run_is_carried_out_is_refused(database: Database) -> None:
    """A page was looked at before; what somebody writes then is noticed by the batch that comes to it."""
    one, other = learn(database, fact("a", "1"), fact("b", "2"))
    run = plan(database, [Shorten(one.id, Level.INDEX, 1, "old"), Shorten(other.id, Level.INDEX, 1, "old")])

    def pinned_meanwhile() -> bool:
        memories(database).pin(one.id, True)
        return True

    assert carry_out(database, run, go_on=pinned_meanwhile).applied == 1
    assert refusals(database, run) == ["a memory that it is about has changed since it was planned"]
    assert found(database, "1").draft.pinned


def test_what_is_in_the_archive_takes_no_others_place_and_is_in_no_dispute(database: Database) -> None:
    active, archived = learn(database, fact("a", "1"), fact("b", "2"))
    memories(database).forget(archived.id, at(1))
    before = dump(database)
    run = consolidated(
        database,
        Supersede(active.id, archived.id, "newer"),
        Merge(archived.id, (active.id,), "same"),
        Oppose(active.id, archived.id, 0.9, "rules 1", "they differ"),
    )
    assert refusals(database, run) == [
        "the memory that would stay is in the archive",
        "the memory that would stay is in the archive",
        "one of the two is in the archive",
    ]
    assert dump(database) == before


def test_what_changed_while_the_run_was_being_planned_is_refused_too(database: Database) -> None:
    from fakes import PlainRedactor

    (one,) = learn(database, fact())
    run = journal.open_run(database, PROJECT, "command", ["tests"], WHEN)
    memories(database).pin(one.id, True)
    (late,) = learn(database, fact("late", "9", origin="late"))
    journal.add(
        database,
        run,
        [("tests", Shorten(one.id, Level.INDEX, 1, "old")), ("tests", Shorten(late.id, Level.INDEX, 1, "old"))],
        PlainRedactor(),
    )
    journal.seal(database, run, {})
    carry_out(database, run)
    assert refusals(database, run) == [
        "a memory that it is about has changed since it was planned",
        "a memory that it is about was learned while the run was being planned",
    ]


def test_what_only_an_earlier_version_knew_to_make_is_refused_and_the_rest_made(database: Database) -> None:
    (one,) = learn(database, fact("a", "1", scope=Scope(path="src/old")))
    run = consolidated(database, Rescope(one.id, "src/old", "src/new", "renamed"), Warm(one.id, Warmth.COLD, "old"))
    assert refusals(database, run) == ["an earlier version planned it, and this one makes no such change"]
    kept = found(database, "1")
    assert (kept.draft.scope, kept.warmth) == (one.draft.scope, Warmth.COLD)


def test_what_another_has_replaced_is_not_revived(database: Database) -> None:
    keep, drop = learn(database, episode("one"), episode("two"))
    consolidated(database, Merge(keep.id, (drop.id,), "same"))
    run = consolidated(database, Revive(drop.id, "asked for"), Revive(keep.id, "asked for"), now=at(101))
    assert refusals(database, run) == [f"{keep.id} has its place and still holds", "it is active already"]


def test_a_contradiction_opens_once_and_what_a_person_settled_stays_settled(database: Database) -> None:
    a, b = learn(database, fact("a", "1"), fact("b", "2"))
    change = Oppose(a.id, b.id, 0.9, "rules 1", "they differ")
    consolidated(database, change)
    (opened,) = contradictions.open_ones(database, PROJECT)
    assert (opened.a.id, opened.b.id, opened.reason, opened.judge) == (a.id, b.id, "they differ", "rules 1")
    assert refusals(database, consolidated(database, change, now=at(101))) == ["it is open already"]
    memories(database).settle(opened.id, Resolution.BOTH_VALID, "fine", at(102))
    assert refusals(database, consolidated(database, change, now=at(103))) == ["a person has settled it"]
    assert contradictions.open_ones(database, PROJECT) == ()


def test_links_are_made_take_a_new_score_and_go(database: Database) -> None:
    a, b = learn(database, fact("a", "1"), fact("b", "2"))
    first, second = sorted((a.id, b.id))
    consolidated(database, Relate(Relation.NEAR, second, first, 0.25, "near"))
    assert rows(database, "select a, b, score from memory_links") == [(first, second, 0.25)]
    consolidated(database, link(a.id, b.id, 0.75), now=at(101))
    assert rows(database, "select a, b, score from memory_links") == [(first, second, 0.75)]
    run = consolidated(database, Unrelate(Relation.NEAR, a.id, b.id, "no longer"), now=at(102))
    assert rows(database, "select * from memory_links") == []
    assert refusals(database, run) == []
    again = consolidated(database, Unrelate(Relation.NEAR, a.id, b.id, "no longer"), now=at(103))
    assert refusals(database, again) == ["the two are not linked"]


def test_an_alias_leads_straight_to_what_it_stands_for(database: Database) -> None:
    consolidated(database, Unite("person:ann", "person:anne", "one mail address"))
    consolidated(database, Unite("person:anne", "person:anne_b", "one mail address"), now=at(101))
    consolidated(database, Unite("person:a_b", "person:ann", "one mail address"), now=at(102))
    assert sorted(rows(database, "select entity, stands_for from aliases")) == [
        ("person:a_b", "person:anne_b"),
        ("person:ann", "person:anne_b"),
        ("person:anne", "person:anne_b"),
    ]
    run = consolidated(database, Unite("person:anne_b", "person:ann", "round"), now=at(103))
    assert refusals(database, run) == ["each would stand for the other"]


def test_what_makes_no_sense_in_itself_is_refused_and_the_rest_applied(database: Database) -> None:
    a, b = learn(database, fact("a", "1"), fact("b", "2"))
    run = consolidated(
        database,
        Merge(a.id, (), "nothing"),
        Weigh(a.id, Importance.DEFAULT, float("nan"), "broken"),
        Relate(Relation.NEAR, a.id, b.id, 7.0, "broken"),
        Unite("person:a", "person:a", "itself"),
        Retire("m1nowhere", "unused"),
        Reword(a.id, Levels("", "", "", ""), 1, "model", "nothing"),
        Shorten(b.id, Level.SUMMARY, 1, "old"),
    )
    states = [one.state for one in journalled(database, run)]
    assert states == [ChangeState.REFUSED] * 6 + [ChangeState.APPLIED]


def test_stopping_between_two_batches_leaves_a_run_that_goes_on_where_it_stopped(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    from companion.store.consolidation import applying

    monkeypatch.setattr(applying, "BATCH_ROWS", 2)
    kept = learn(database, *[episode(f"number {n}") for n in range(7)])
    run = plan(database, [Shorten(one.id, Level.INDEX, 1, "old") for one in kept])
    answers = iter([True, True, False])
    heard: list[tuple[int, int]] = []
    stopped = carry_out(
        database, run, go_on=lambda: next(answers), step=lambda done, total: heard.append((done, total))
    )
    assert (stopped.applied, stopped.planned) == (4, 3)
    waiting = journal.unfinished(database, PROJECT)
    assert waiting is not None
    assert (waiting.id, waiting.state, waiting.applied, waiting.planned) == (run, RunState.APPLYING, 4, 3)
    carry_out(database, run, step=lambda done, total: heard.append((done, total)))
    assert journal.run(database, PROJECT, run).state is RunState.APPLIED
    assert heard == [(2, 7), (4, 7), (6, 7), (7, 7)]
    done = dump(database)
    assert carry_out(database, run).applied == 7
    assert dump(database) == done


def test_what_is_still_a_draft_or_was_discarded_is_not_carried_out(database: Database) -> None:
    run = journal.open_run(database, PROJECT, "command", ["tests"], WHEN)
    with pytest.raises(UsageError, match="still being planned"):
        carry_out(database, run)
    journal.seal(database, run, {})
    journal.discard(database, run)
    with pytest.raises(UsageError, match="discarded"):
        carry_out(database, run)


def test_a_clock_that_was_set_back_disturbs_neither_order_nor_application(database: Database) -> None:
    (one,) = learn(database, fact(valid_from=at(50)))
    (new,) = learn(database, fact("later", "88", origin="b"), now=at(60))
    first = consolidated(database, Warm(one.id, Warmth.COLD, "old"), now=at(100))
    second = consolidated(database, Supersede(one.id, new.id, "newer"), now=at(100) - timedelta(days=300))
    assert [run.id for run in journal.runs(database, PROJECT)] == [second, first]
    assert found(database, "100").draft.valid_to == at(60)


def test_how_a_memory_is_headed_reaches_the_text_index(database: Database) -> None:
    (one,) = learn(database, fact("a", "1"))
    index = TextIndex(database)
    index.update(PROJECT)
    consolidated(database, Reword(one.id, replace(one.draft.levels, index="headed"), 1, "rules", "ok"))
    index.update(PROJECT)
    with index.asked() as file:
        kept = wire.kept(Memory, file.keyed(memory_space(PROJECT), [one.id])[one.id])
    assert kept.draft.levels.index == "headed"
