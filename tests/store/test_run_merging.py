"""What a run folds together or lets a newer statement replace, and what never is."""

from __future__ import annotations

import pytest
from journalled import journalled
from msgspec.structs import replace
from runs import consolidated, dump, episode, found, learn, refusals, rows
from stores import NOW, PROJECT, at, fact, memories, private

from companion.records import (
    Artifact,
    ArtifactKind,
    Evidence,
    EvidenceKind,
    Importance,
    Merge,
    Oppose,
    Scope,
    Status,
    Supersede,
)
from companion.records.runs import ChangeState
from companion.store.consolidation.about import EVIDENCE_KEPT
from companion.store.database import Database
from companion.store.memories import contradictions, usage
from companion.store.memories.reconcile import MERGED


def test_a_merge_keeps_the_evidence_entities_and_artifacts_of_all_once(database: Database) -> None:
    here = Evidence(EvidenceKind.FILE, "a.py", 1, "x")
    there = Evidence(EvidenceKind.FILE, "b.py", 2, "y")
    keep, drop, other = learn(
        database,
        episode("one", evidence=(here,), entities=("file:a.py",), artifacts=(Artifact(ArtifactKind.FILE, "a.py"),)),
        episode(
            "two",
            evidence=(here, there),
            entities=("file:a.py", "file:b.py"),
            artifacts=(Artifact(ArtifactKind.FILE, "a.py"), Artifact(ArtifactKind.FILE, "b.py")),
        ),
        episode("three", evidence=(there,), entities=("topic:c",)),
    )
    consolidated(database, Merge(keep.id, (drop.id, other.id), "3 say the same"))
    kept = found(database, "one")
    assert kept.draft.evidence == (here, there)
    assert set(kept.draft.entities) == {"file:a.py", "file:b.py", "topic:c"}
    assert set(kept.draft.artifacts) == {Artifact(ArtifactKind.FILE, "a.py"), Artifact(ArtifactKind.FILE, "b.py")}
    gone = found(database, "two")
    assert (gone.status, gone.archived_reason, gone.superseded_by) == (Status.ARCHIVED, MERGED, keep.id)
    assert gone.draft.evidence == (here, there)


def test_a_merge_adds_the_uses_up_and_takes_the_greatest_importance(database: Database) -> None:
    keep, drop = learn(database, episode("one"), episode("two", importance=Importance.SIGNIFICANT))
    usage.record(database, [keep.id], "retrieved", "a.py", at(1))
    usage.record(database, [drop.id], "cited", "a.py", at(2))
    usage.record(database, [keep.id, drop.id], "ignored", "a.py", at(3))
    consolidated(database, Merge(keep.id, (drop.id,), "same"))
    kept = found(database, "one")
    assert (kept.usage.retrieved, kept.usage.cited, kept.usage.ignored) == (1, 1, 2)
    assert kept.usage.last_access_at == at(2)
    assert kept.draft.importance is Importance.SIGNIFICANT


def test_a_merge_of_very_many_keeps_a_bounded_part_of_their_evidence(database: Database) -> None:
    def drawn(number: int) -> Evidence:
        return Evidence(EvidenceKind.FILE, f"{number}.py", number, "")

    drafts = [episode(f"number {n}", evidence=(drawn(n),)) for n in range(EVIDENCE_KEPT + 50)]
    keep, *drop = learn(database, *drafts)
    run = consolidated(database, Merge(keep.id, tuple(one.id for one in drop), "many say the same"))
    assert refusals(database, run) == []
    assert len(found(database, "number 0").draft.evidence) == EVIDENCE_KEPT


def test_what_a_merged_memory_contradicted_the_one_that_stays_contradicts(database: Database) -> None:
    keep, drop = learn(database, episode("one"), episode("two"))
    (against,) = learn(database, episode("three"))
    consolidated(database, Oppose(drop.id, against.id, 0.9, "rules", "they differ"))
    consolidated(database, Merge(keep.id, (drop.id,), "same"), now=at(101))
    (still,) = contradictions.open_ones(database, PROJECT)
    assert {still.a.id, still.b.id} == {keep.id, against.id}


@pytest.mark.parametrize(
    ("other", "why"),
    [
        (episode("two", scope=Scope(environment="production")), "different places"),
        (episode("two", scope=Scope(version="3")), "different places"),
        (episode("two", scope=Scope(branch="next")), "different places"),
        (private(episode("two")), "different people"),
        (episode("two", persona="coach"), "different people"),
        (fact("two", "two"), "different kinds"),
    ],
)
def test_what_others_see_or_what_holds_elsewhere_is_never_merged(database: Database, other: object, why: str) -> None:
    keep, drop = learn(database, episode("one"), other)  # type: ignore[arg-type]
    before = dump(database)
    (told,) = refusals(database, consolidated(database, Merge(keep.id, (drop.id,), "same")))
    assert why in told
    assert dump(database) == before


def test_memories_of_two_checkouts_are_never_merged(database: Database) -> None:
    keeper = memories(database)
    keeper.reconcile(PROJECT, "facts@c1", ["one"], [episode("one", origin="one")], NOW)
    keeper.reconcile(PROJECT, "facts@c2", ["two"], [episode("two", origin="two")], NOW)
    run = consolidated(database, Merge(found(database, "one").id, (found(database, "two").id,), "same"))
    assert refusals(database, run) == ["the two belong to different checkouts"]


def test_what_was_merged_stays_merged_when_its_source_is_read_again(database: Database) -> None:
    keeper = memories(database)
    a, b = fact("ruff", "100", origin="a"), replace(fact("ruff", "100", origin="b"), attribute="width")
    keeper.reconcile(PROJECT, "facts", ["a", "b"], [a, b], NOW)
    keep, drop = rows(database, "select id from memories order by origin")
    consolidated(database, Merge(keep[0], (drop[0],), "same"))
    outcome = keeper.reconcile(PROJECT, "facts", ["b"], [b], at(101))
    assert (outcome.added, outcome.unchanged) == (0, 1)
    assert rows(database, "select count(*) from memories where status = 'active'") == [(1,)]


def test_what_was_merged_stands_again_when_the_memory_that_stayed_is_no_longer_said(database: Database) -> None:
    keeper = memories(database)
    a, b, c = (replace(fact("ruff", "100", origin=name), attribute=name) for name in "abc")
    keeper.reconcile(PROJECT, "facts", ["a", "b", "c"], [a, b, c], NOW)
    keep, drop, both = (row[0] for row in rows(database, "select id from memories order by origin"))
    consolidated(database, Merge(keep, (drop, both), "same"))
    keeper.reconcile(PROJECT, "facts", ["a", "c"], [], at(101))
    assert rows(database, "select id from memories where status = 'active'") == [(drop,)]


def test_what_a_person_forgot_does_not_come_back_by_what_was_merged_into_it(database: Database) -> None:
    keeper = memories(database)
    a, b = (replace(fact("ruff", "100", origin=name), attribute=name) for name in "ab")
    keeper.reconcile(PROJECT, "facts", ["a", "b"], [a, b], NOW)
    keep, drop = (row[0] for row in rows(database, "select id from memories order by origin"))
    consolidated(database, Merge(keep, (drop,), "same"))
    keeper.forget(keep, at(101))
    keeper.reconcile(PROJECT, "facts", ["a", "b"], [a, b], at(102))
    assert rows(database, "select id from memories where status = 'active'") == []


def test_a_supersession_ends_the_older_where_the_newer_begins(database: Database) -> None:
    old, new = learn(database, fact("ruff", "100", origin="a"), fact("black", "88", origin="b", valid_from=at(7)))
    consolidated(database, Supersede(old.id, new.id, "said later by the same"))
    gone, stays = found(database, "100"), found(database, "88")
    assert (gone.status, gone.superseded_by, gone.draft.valid_to) == (Status.ARCHIVED, new.id, at(7))
    assert (stays.status, stays.supersedes) == (Status.ACTIVE, old.id)


def test_nothing_supersedes_itself_not_even_round_a_corner(database: Database) -> None:
    a, b, c = learn(database, fact("a", "1"), fact("b", "2"), fact("c", "3"))
    with database.write() as connection:  # an older program left a chain that leads back
        connection.execute("update memories set superseded_by = $b where id = $c", {"b": b.id, "c": c.id})
        connection.execute("update memories set superseded_by = $a where id = $b", {"a": a.id, "b": b.id})
    before = dump(database)
    run = consolidated(
        database,
        Supersede(a.id, a.id, "itself"),
        Supersede(a.id, c.id, "round a corner"),
        Merge(c.id, (a.id,), "round a corner"),
    )
    assert refusals(database, run) == [
        "it names one memory twice",
        "it would supersede itself round a corner",
        "it would supersede itself round a corner",
    ]
    assert dump(database) == before


def test_two_changes_of_one_run_that_make_a_circle_leave_one_of_them_standing(database: Database) -> None:
    a, b = learn(database, fact("a", "1"), fact("b", "2"))
    run = consolidated(database, Supersede(a.id, b.id, "newer"), Supersede(b.id, a.id, "newer"))
    assert [one.state for one in journalled(database, run)] == [ChangeState.APPLIED, ChangeState.REFUSED]
    assert found(database, "2").status is Status.ACTIVE


def test_a_circle_of_supersession_that_is_there_already_is_walked_once(database: Database) -> None:
    a, b, c = learn(database, fact("a", "1"), fact("b", "2"), fact("c", "3"))
    with database.write() as connection:
        connection.execute("update memories set superseded_by = $b where id = $a", {"b": b.id, "a": a.id})
        connection.execute("update memories set superseded_by = $a where id = $b", {"b": b.id, "a": a.id})
    run = consolidated(database, Supersede(c.id, a.id, "newer"))
    assert refusals(database, run) == []
