"""What is remembered: learned in bulk, kept by hand, found again, never lost."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path

import pytest
from learned import BODIES, active, everything, learn
from msgspec.structs import astuple, replace
from stores import NOW, PROJECT, at, fact, memories, private, store

from companion.errors import UnknownMemory, UsageError
from companion.records import (
    Artifact,
    ArtifactKind,
    Body,
    Decision,
    Draft,
    Evidence,
    EvidenceKind,
    Importance,
    Kind,
    Levels,
    Scope,
    Source,
    Status,
    Visibility,
    Workflow,
    memory_key,
)
from companion.store.memories import usage
from companion.store.memories.memories import ReconcileOutcome
from companion.store.memories.reconcile import FORGOTTEN, NO_LONGER_SAID, SUPERSEDED


@pytest.mark.parametrize("body", BODIES, ids=lambda body: type(body).__name__)
def test_a_memory_comes_back_as_it_was_given(tmp_path: Path, body: Body) -> None:
    draft = Draft(
        kind=Kind.FACT,
        type="decision" if isinstance(body, Decision) else "fact",
        subject="Zoë's store 🦆",
        attribute="engine",
        value="DuckDB\n2.0",
        levels=Levels("full " * 100, "summary", "short", "store: DuckDB"),
        origin="docs/adr/1.md",
        evidence=(
            Evidence(EvidenceKind.COMMIT, "c" * 40),
            Evidence(EvidenceKind.FILE, "docs/adr/1.md", 7, "we chose"),
            Evidence(EvidenceKind.COMMAND, "make test"),
        ),
        body=body,
        entities=("file:docs/adr/1.md", "topic:store"),
        artifacts=(Artifact(ArtifactKind.ADR, "docs/adr/1.md"), Artifact(ArtifactKind.PULL_REQUEST, "12")),
        scope=Scope("python", "docs", "ci", "3.11", "main"),
        visibility=Visibility.SYSTEM,
        source=Source.CURATED,
        confidence=0.75,
        importance=Importance.SIGNIFICANT,
        label="the store",
        persona="ada",
        valid_from=datetime(2025, 1, 1),
        valid_to=datetime(2027, 1, 1, 0, 0, 0, 5),
    )
    with store(tmp_path) as database:
        kept = memories(database)
        assert learn(kept, draft) == ReconcileOutcome(added=1)
        (memory,) = active(kept)
        assert memory.draft == draft
        assert memory.key == memory_key(draft, PROJECT)
        assert memory.created_at == NOW
        assert memory.tokens == (100, 1, 1, 3)
        assert (memory.user, memory.project, memory.status) == ("u1", PROJECT, Status.ACTIVE)


def test_what_is_said_again_stays_with_its_use_pin_and_importance(tmp_path: Path) -> None:
    with store(tmp_path) as database:
        kept = memories(database)
        learn(kept, fact())
        (before,) = active(kept)
        usage.record(database, [before.id], "cited", "src/app.py", at(1))
        kept.pin(before.id, True)
        assert learn(kept, fact(), days=2) == ReconcileOutcome(unchanged=1)
        (after,) = active(kept)
        assert (after.id, after.created_at, after.usage.cited) == (before.id, NOW, 1)
        assert (after.draft.pinned, after.draft.importance) == (True, Importance.CRITICAL)


def test_evidence_that_moved_and_new_words_are_refreshed_in_place(tmp_path: Path) -> None:
    with store(tmp_path) as database:
        kept = memories(database)
        learn(kept, fact())
        (before,) = active(kept)
        moved = (Evidence(EvidenceKind.FILE, "pyproject.toml", 40, "line-length = 100"),)
        words = Levels("Lines are at most 100 long now.", "At most 100.", "100", "ruff 100")
        again = fact(evidence=moved, levels=words, entities=("topic:style",), artifacts=())
        assert learn(kept, again, days=1) == ReconcileOutcome(unchanged=1)
        (after,) = active(kept)
        assert after.id == before.id
        assert (after.draft.evidence, after.draft.levels) == (moved, words)
        assert after.draft.entities == ("topic:style",)
        assert after.tokens == (8, 4, 1, 2)


def test_another_value_is_a_new_version_and_the_old_one_keeps_its_time(tmp_path: Path) -> None:
    with store(tmp_path) as database:
        kept = memories(database)
        learn(kept, fact(value="100", valid_from=at(-100)))
        (old,) = active(kept)
        assert learn(kept, fact(value="120"), days=10) == ReconcileOutcome(changed=1)
        (new,) = active(kept)
        first, second = kept.versions(new.id)
        assert (first.id, second.id) == (old.id, new.id)
        assert (first.superseded_by, second.supersedes) == (new.id, old.id)
        assert (first.status, first.archived_reason) == (Status.ARCHIVED, SUPERSEDED)
        assert (first.draft.valid_from, first.draft.valid_to) == (at(-100), at(10))
        assert second.draft.valid_to is None
        assert first.draft.evidence == old.draft.evidence


def test_a_new_version_keeps_the_importance_that_use_gave_the_old_one_and_the_floor_under_it(tmp_path: Path) -> None:
    with store(tmp_path) as database:
        kept = memories(database)
        learn(kept, fact(value="100"))
        with database.write() as connection:
            connection.execute("update memories set importance = 2, importance_floor = 2")
        learn(kept, fact(value="120"), days=10)
        (new,) = active(kept)
        assert new.draft.importance is Importance.SIGNIFICANT
        with database.read() as connection:
            assert connection.execute("select importance_floor from memories").fetchall() == [(2,), (2,)]


def test_a_new_version_ends_the_old_one_when_it_begins(tmp_path: Path) -> None:
    with store(tmp_path) as database:
        kept = memories(database)
        learn(kept, fact(value="100", valid_from=at(-100)))
        learn(kept, fact(value="120", valid_from=at(-20)), days=10)
        old = next(memory for memory in everything(kept) if memory.draft.value == "100")
        assert old.draft.valid_to == at(-20)


def test_a_clock_that_runs_backwards_ends_nothing_before_it_began(tmp_path: Path) -> None:
    with store(tmp_path) as database:
        kept = memories(database)
        learn(kept, fact(value="100", valid_from=at(0)))
        learn(kept, days=-30)
        (old,) = everything(kept)
        assert old.draft.valid_to == at(0)


def test_what_comes_from_an_origin_that_was_not_read_replaces_one_value_and_retires_none(tmp_path: Path) -> None:
    with store(tmp_path) as database:
        kept = memories(database)
        learn(kept, fact(value="80"), fact(value="100"))
        outcome = learn(kept, fact(value="120"), days=1, origins=("elsewhere.toml",))
        assert (outcome.changed, outcome.retired) == (1, 0)
        left = {memory.draft.value for memory in active(kept)}
        assert left in ({"80", "120"}, {"100", "120"})
        assert learn(kept, fact(value="120"), days=2).retired == 1


def test_what_an_origin_no_longer_says_is_retired_and_what_was_not_read_stays(tmp_path: Path) -> None:
    with store(tmp_path) as database:
        kept = memories(database)
        learn(kept, fact("ruff"), fact("black"), fact("flake8", origin="setup.cfg"))
        outcome = learn(kept, fact("ruff"), days=1, origins=("pyproject.toml",))
        assert outcome == ReconcileOutcome(retired=1, unchanged=1)
        gone = [memory for memory in everything(kept) if memory.status is Status.ARCHIVED]
        assert [(memory.draft.subject, memory.archived_reason) for memory in gone] == [("black", NO_LONGER_SAID)]
        assert gone[0].draft.valid_to == at(1)
        assert {memory.draft.subject for memory in active(kept)} == {"ruff", "flake8"}


def test_a_value_that_returns_is_a_fresh_memory(tmp_path: Path) -> None:
    with store(tmp_path) as database:
        kept = memories(database)
        for days, said in enumerate([[fact()], [], [fact()], [], [fact()]]):
            learn(kept, *said, days=days)
        assert len(everything(kept)) == 3
        (now,) = active(kept)
        assert now.created_at == at(4)
        assert [memory.id for memory in kept.versions(now.id)][-1] == now.id


def test_ids_depend_on_content_alone(tmp_path: Path) -> None:
    ids = []
    for name in ("one", "two"):
        with store(tmp_path / name) as database:
            kept = memories(database)
            for days, said in enumerate([[fact("a"), fact("b")], [fact("b")], [fact("b", "5"), fact("a")]]):
                learn(kept, *(said if name == "one" else reversed(said)), days=days)
            ids.append([memory.id for memory in everything(kept)])
    assert ids[0] == ids[1]
    assert all(id_.startswith("m1") for id_ in ids[0])


def test_two_checkouts_may_say_the_same_without_colliding(tmp_path: Path) -> None:
    with store(tmp_path) as database:
        kept = memories(database)
        assert kept.reconcile(PROJECT, "facts@c1", ["pyproject.toml"], [fact()], NOW).added == 1
        assert kept.reconcile(PROJECT, "facts@c2", ["pyproject.toml"], [fact()], NOW).added == 1
        assert kept.reconcile(PROJECT, "facts@c1", ["pyproject.toml"], [], NOW).retired == 1
        assert len(active(kept)) == 1


def test_drafts_that_say_the_same_are_one_with_all_their_evidence(tmp_path: Path) -> None:
    other = Evidence(EvidenceKind.FILE, "pyproject.toml", 99)
    with store(tmp_path) as database:
        kept = memories(database)
        outcome = learn(kept, fact(confidence=0.5), fact(evidence=(other,), confidence=0.9), fact(confidence=0.1))
        assert outcome == ReconcileOutcome(added=1)
        (memory,) = active(kept)
        assert memory.draft.evidence == (*fact().evidence, other)
        assert memory.draft.confidence == 0.9


def test_nothing_is_kept_if_a_draft_cannot_be(tmp_path: Path) -> None:
    broken = replace(fact("b"), confidence="not a number")  # type: ignore[arg-type]
    with store(tmp_path) as database:
        kept = memories(database)
        with pytest.raises(Exception, match="not a number"):
            learn(kept, fact("a"), broken)
        assert everything(kept) == []


def test_remembering_the_same_again_gives_the_memory_that_is_there(tmp_path: Path) -> None:
    note = private(fact("staging", "3.12", origin=""))
    with store(tmp_path) as database:
        kept = memories(database)
        first = kept.remember(PROJECT, note, NOW)
        again = kept.remember(PROJECT, replace(note, label="mine", pinned=True), at(1))
        assert again.id == first.id
        assert (again.draft.label, again.draft.pinned) == ("mine", True)
        assert (first.draft.source, first.draft.visibility) == (Source.BY_HAND, Visibility.USER_PRIVATE)
        newer = kept.remember(PROJECT, replace(note, value="3.13"), at(2))
        assert newer.supersedes == first.id
        assert (newer.draft.label, newer.draft.pinned) == ("mine", True), "what a person marked goes on"
        assert [memory.id for memory in kept.versions(first.id)] == [first.id, newer.id]
        assert learn(kept, days=3) == ReconcileOutcome(), "no learner retires what a person said"


def test_the_forgotten_is_not_learned_again_until_it_is_revived(tmp_path: Path) -> None:
    with store(tmp_path) as database:
        kept = memories(database)
        learn(kept, fact())
        (memory,) = active(kept)
        gone = kept.forget(memory.id, at(1))
        assert (gone.status, gone.archived_reason, gone.draft.valid_to) == (Status.ARCHIVED, FORGOTTEN, None)
        assert kept.forget(memory.id, at(2)) == gone
        assert learn(kept, fact(), days=2) == ReconcileOutcome(unchanged=1)
        assert active(kept) == []
        assert kept.revive(memory.id, at(3)).status is Status.ACTIVE
        assert learn(kept, fact(), days=4) == ReconcileOutcome(unchanged=1)
        assert len(everything(kept)) == 1


def test_what_a_person_says_again_after_forgetting_it_is_kept(tmp_path: Path) -> None:
    with store(tmp_path) as database:
        kept = memories(database)
        first = kept.remember(PROJECT, fact(), NOW)
        kept.forget(first.id, at(1))
        second = kept.remember(PROJECT, fact(), at(2))
        assert second.id != first.id
        assert second.status is Status.ACTIVE


def test_a_version_that_was_replaced_is_not_revived_beside_its_successor(tmp_path: Path) -> None:
    with store(tmp_path) as database:
        kept = memories(database)
        old = kept.remember(PROJECT, fact(value="1"), NOW)
        new = kept.remember(PROJECT, fact(value="2"), at(1))
        with pytest.raises(UsageError, match=new.id):
            kept.revive(old.id, at(2))
        kept.forget(new.id, at(3))
        assert kept.revive(old.id, at(4)).draft.valid_to is None


def test_a_pinned_memory_is_neither_forgotten_nor_archived(tmp_path: Path) -> None:
    with store(tmp_path) as database:
        kept = memories(database)
        learn(kept, fact(importance=Importance.SIGNIFICANT))
        (memory,) = active(kept)
        assert kept.pin(memory.id, True).draft.importance is Importance.CRITICAL
        with pytest.raises(UsageError, match="pinned"):
            kept.forget(memory.id, at(1))
        assert learn(kept, days=2) == ReconcileOutcome(retired=1)
        assert learn(kept, days=3) == ReconcileOutcome()
        (still,) = active(kept)
        assert still.draft.valid_to == at(2)
        assert learn(kept, fact(), days=4) == ReconcileOutcome(unchanged=1)
        assert active(kept)[0].draft.valid_to is None
        free = kept.pin(memory.id, False)
        assert (free.draft.pinned, free.draft.importance) == (False, Importance.SIGNIFICANT)
        assert kept.forget(memory.id, at(5)).status is Status.ARCHIVED


def test_a_prefix_finds_one_memory_or_names_the_candidates(tmp_path: Path) -> None:
    with store(tmp_path) as database:
        kept = memories(database)
        learn(kept, *(fact(f"tool{number}") for number in range(20)))
        for memory in active(kept):
            assert kept.resolve(memory.id, [memory.project]) == (memory.id, memory.project)
            assert kept.resolve(memory.id[:16], ["another"]) == (memory.id, memory.project)
        with pytest.raises(UnknownMemory, match="Several") as several:
            kept.resolve("m1", [])
        assert str(several.value).count("tool") == 5
        for nothing in ("m1zzz", "", "%"):
            with pytest.raises(UnknownMemory):
                kept.resolve(nothing, [])
        with pytest.raises(UnknownMemory):
            kept.forget("m1zzz", NOW)


def test_secrets_are_redacted_wherever_they_stand(tmp_path: Path) -> None:
    secret = "hunter2-secret"
    planted = fact(
        subject=f"login {secret}",
        attribute=f"password {secret}",
        value=secret,
        levels=Levels(f"the password is {secret}", f"s {secret}", f"c {secret}", secret),
        evidence=(Evidence(EvidenceKind.FILE, "a.env", 1, f"P={secret}"), Evidence(EvidenceKind.COMMAND, secret)),
        body=Workflow("deploy", (f"login {secret}",), {secret: f"echo {secret}"}),
        label=secret,
    )
    with store(tmp_path) as database:
        kept = memories(database)
        learn(kept, planted)
        kept.remember(PROJECT, planted, NOW)
        usage.record(database, [memory.id for memory in active(kept)], "cited", "action", NOW)
        database.checkpoint()
    assert len(list(tmp_path.rglob("*"))) >= 1
    for path in tmp_path.rglob("*"):
        assert secret.encode() not in path.read_bytes()


def test_lone_surrogates_and_long_index_lines_do_no_harm(tmp_path: Path) -> None:
    odd = fact(
        subject="caf\udce9",
        attribute="",
        value="\ud800",
        levels=Levels("full \udcff", "s", "c", "i" * 80),
        origin="src/\udcff.py",
        entities=("file:src/\udcff.py",),
        evidence=(Evidence(EvidenceKind.FILE, "src/\udcff.py", 1, "x" * 999),),
        body=Workflow("t\udcff", ("a",), {"k\udcff": "v"}),
    )
    with store(tmp_path) as database:
        kept = memories(database)
        assert learn(kept, odd, origins=("src/\udcff.py",)) == ReconcileOutcome(added=1)
        (memory,) = active(kept)
        assert memory.draft.subject == "caf\ufffd"
        assert len(memory.draft.levels.index) == 50
        assert len(memory.draft.evidence[0].quote) == 200
        assert learn(kept, odd, origins=("src/\udcff.py",), days=1) == ReconcileOutcome(unchanged=1)


def test_uses_are_logged_and_counted_once_each(tmp_path: Path) -> None:
    with store(tmp_path) as database:
        kept = memories(database)
        learn(kept, fact("a"), fact("b"))
        a, b = sorted(active(kept), key=lambda memory: memory.draft.subject)
        revision = database.revision
        usage.record(database, [a.id, b.id, a.id], "retrieved", "src/\udcff.py", at(1))
        usage.record(database, [a.id], "cited", "edit", at(2))
        usage.record(database, [b.id], "ignored", "edit", at(3))
        usage.record(database, [], "cited", "nothing", at(4))
        assert database.revision == revision
        one, other = kept.get([a.id, b.id])
        assert astuple(one.usage) == (1, 1, 0, at(2))
        assert astuple(other.usage) == (1, 0, 1, at(1)), "what was passed over was not used"
        assert astuple(usage.totals(database, PROJECT)) == (2, 1, 1, at(2))
        with database.read() as connection:
            assert connection.execute("select count(*) from usage_log").fetchall() == [(4,)]
        with pytest.raises(UsageError):
            usage.record(database, [a.id], "seen", "", NOW)


def test_counts_and_pages_cover_every_memory_of_the_project_alone(tmp_path: Path) -> None:
    with store(tmp_path) as database:
        kept = memories(database)
        learn(kept, *(fact(f"t{number}") for number in range(1203)))
        kept.reconcile("p1other", "facts", ["pyproject.toml"], [fact()], NOW)
        learn(kept, *(fact(f"t{number}") for number in range(1200)), days=1)
        assert kept.counts(PROJECT) == {("fact", "fact", "active"): 1200, ("fact", "fact", "archived"): 3}
        ids = [memory.id for memory in everything(kept)]
        assert ids == sorted(set(ids)) and len(ids) == 1203
        assert len(active(kept)) == 1200


def test_unknown_ids_are_left_out_and_the_order_is_as_asked(tmp_path: Path) -> None:
    with store(tmp_path) as database:
        kept = memories(database)
        learn(kept, fact("a"), fact("b"))
        ids = [memory.id for memory in active(kept)]
        asked = [ids[1], "m1nothing", ids[0]]
        assert [memory.id for memory in kept.get(asked)] == [ids[1], ids[0]]
        assert kept.get([]) == ()
