"""A purge empties what was archived long ago and can be read again, and nothing else; deletion reaches the journal."""

from __future__ import annotations

from fakes import PlainRedactor
from journalled import journalled
from msgspec.structs import replace
from runs import WHEN, consolidated, dump, episode, learn, link, rows
from stores import PROJECT, at, fact, memories

from companion.records import (
    Decision,
    DecisionStatus,
    Levels,
    Merge,
    Retire,
    Revive,
    Reword,
    Ruling,
    Source,
    Statement,
    Status,
    Supersede,
    Warm,
    Warmth,
)
from companion.store.bulk import insert_rows
from companion.store.consolidation import journal, purging, undoing
from companion.store.consolidation.rulings import judged
from companion.store.consolidation.view import View
from companion.store.database import Database
from companion.store.memories.reconcile import FADED
from companion.store.memories.rows_sql import MEMORIES
from companion.store.text.documents import FULL_TEXT_CHARACTERS, text_hash

LONG_AFTER = at(100 + purging.GRACE_DAYS)


def listed(database: Database) -> list[str]:
    return [one.id for one in purging.plan(database, PROJECT, LONG_AFTER)]


def test_the_dry_run_lists_what_is_emptied_and_empties_nothing(database: Database) -> None:
    (one,) = learn(database, episode("one"))
    consolidated(database, Retire(one.id, "unused"))
    before = dump(database)
    (told,) = purging.plan(database, PROJECT, LONG_AFTER)
    assert (told.id, told.title, told.archived_at) == (one.id, one.draft.levels.index, at(100))
    assert told.size_bytes > 0
    assert dump(database) == before
    assert list(purging.plan(database, PROJECT, at(99 + purging.GRACE_DAYS))) == []


def test_a_purge_removes_texts_body_quotes_vectors_and_images_and_leaves_the_index_line(database: Database) -> None:
    one, shared = learn(database, episode("one"), episode("two"))
    with database.write() as connection:
        vectors = [(text_hash(text), "model", [1.0]) for m in (one, shared) for text in _embedded(m.draft.levels)]
        insert_rows(connection, "embeddings", ("text_hash", "model", "vector"), vectors)
    run = consolidated(database, Reword(one.id, Levels("", "secret words", "sec", "s"), 1, "rules", "better"))
    consolidated(database, Retire(one.id, "unused"))
    assert [emptied.id for emptied in purging.purge(database, PROJECT, LONG_AFTER)] == [one.id]
    kept = memories(database).get([one.id])[0]
    assert (kept.draft.levels, kept.draft.value, kept.draft.body) == (Levels("", "", "", "s"), "", None)
    assert all(item.quote == "" for item in kept.draft.evidence)
    assert rows(database, "select count(*) from embeddings") == [(2,)]
    assert rows(database, "select count(*) from run_rows where row_key = $id", id=one.id) == [(0,)]
    assert purging.purge(database, PROJECT, LONG_AFTER) == ()
    undone = undoing.undo(database, run, None, LONG_AFTER)
    assert [one.why_not for one in undone.kept] == ["what it was about was removed for good"]


def test_the_vector_of_a_text_that_another_memory_has_too_stays(database: Database) -> None:
    one, other = learn(database, episode("one"), episode("two", levels=episode("one").levels))
    with database.write() as connection:
        vectors = [(text_hash(text), "model", [1.0]) for text in _embedded(one.draft.levels)]
        insert_rows(connection, "embeddings", ("text_hash", "model", "vector"), vectors)
    consolidated(database, Retire(one.id, "unused"))
    assert [emptied.id for emptied in purging.purge(database, PROJECT, LONG_AFTER)] == [one.id]
    assert rows(database, "select count(*) from embeddings") == [(len(vectors),)]
    assert memories(database).get([other.id]) == (other,)


def test_what_was_emptied_is_not_revived_without_its_text(database: Database) -> None:
    (one,) = learn(database, episode("one"))
    consolidated(database, Retire(one.id, "unused"))
    purging.purge(database, PROJECT, LONG_AFTER)
    run = consolidated(database, Revive(one.id, "asked for"), now=LONG_AFTER)
    (told,) = journalled(database, run)
    assert told.why_not == "its text was removed for good"


def test_nothing_that_a_person_said_named_weighed_or_forgot_is_purged(database: Database) -> None:
    named, weighed, forgotten = learn(database, episode("named"), episode("weighed"), episode("forgotten"))
    by_hand = memories(database).remember(PROJECT, fact("hand", "by hand"), at(0))
    imported = learn(database, episode("imported", source=Source.IMPORT))[0]
    with database.write() as connection:
        connection.execute("update memories set label = 'mine' where id = $id", {"id": named.id})
        connection.execute("update memories set importance_floor = 1 where id = $id", {"id": weighed.id})
    consolidated(database, *[Retire(one.id, "unused") for one in (named, weighed)])
    with database.write() as connection:  # no run of today would
        for one in (by_hand, imported):
            MEMORIES.change(connection, one.id, status=Status.ARCHIVED, archived_at=WHEN, archived_reason=FADED)
    memories(database).forget(forgotten.id, at(100))
    assert rows(database, "select count(*) from memories where status = 'archived'") == [(5,)]
    assert listed(database) == []


def test_no_decision_and_no_transcript_is_purged(database: Database) -> None:
    over = Decision("Which store?", "SQLite", "", DecisionStatus.SUPERSEDED)
    decision, talk, commit = learn(
        database,
        replace(fact("store", "SQLite", origin="adr"), type="decision", body=over),
        episode("talk", type="conversation"),
        episode("commit"),
    )
    consolidated(database, *[Retire(one.id, "unused") for one in (decision, talk, commit)])
    assert listed(database) == [commit.id]


def test_what_a_living_memory_leads_back_to_is_not_purged(database: Database) -> None:
    merged, keep, old, middle, new, linked, live, evidence, citing, free = learn(
        database,
        *[episode(name) for name in ("merged", "keep", "old", "middle", "new", "linked", "live", "evidence")],
        episode("citing"),
        episode("free"),
    )
    with database.write() as connection:
        given = {"ref": evidence.id, "id": citing.id}
        connection.execute("update memory_evidence set ref = $ref where memory_id = $id", given)
    consolidated(
        database,
        Merge(keep.id, (merged.id,), "same"),
        Supersede(old.id, middle.id, "later"),
        Supersede(middle.id, new.id, "later"),
        link(linked.id, live.id),
        Retire(linked.id, "unused"),
        Retire(evidence.id, "unused"),
        Retire(free.id, "unused"),
    )
    assert listed(database) == [free.id]


def test_a_clock_that_was_set_back_purges_nothing(database: Database) -> None:
    (one,) = learn(database, episode("one"))
    consolidated(database, Retire(one.id, "unused"))
    assert list(purging.plan(database, PROJECT, at(-1000))) == []


def test_deleting_for_good_reaches_every_word_in_the_journal(database: Database) -> None:
    (one, two) = learn(database, episode("one"), episode("two"))
    run = consolidated(
        database,
        Reword(one.id, Levels("", "the very secret", "very secret", "secret"), 1, "rules", "says the very secret"),
        Warm(two.id, Warmth.COLD, "old"),
    )
    waiting = journal.open_run(database, PROJECT, "command", ["tests"], at(101))
    assert rows(database, "select number from run_rows where run_id = $r order by 1", r=run) == [(1,), (2,)]
    with database.write() as connection:
        purging.erase_traces(connection, [one.id])
        connection.execute("delete from memories where id = $id", {"id": one.id})
    assert rows(database, "select number from run_rows where run_id = $r", r=run) == [(2,)]
    tables = ("run_changes", "run_rows", "run_digests", "runs")
    assert not any("secret" in repr(rows(database, f"select * from {table}")) for table in tables)
    assert rows(database, "select count(*) from run_digests where run_id = $r", r=waiting) == [(1,)]
    changes = list(journalled(database, run))
    assert [one.change.reason for one in changes] == ["", "old"]
    assert undoing.undo(database, run, None, at(102)).undone == 1


class Quoting:
    """A judge that finds no pair to contradict, and quotes both sides."""

    name = "quoting 1"

    def rule(self, a: Statement, b: Statement) -> Ruling:
        return Ruling(False, 0.9, f"“{a.text}” says nothing against “{b.text}”", self.name)


def test_deleting_for_good_reaches_what_judges_said_of_it_and_no_other_ruling(database: Database) -> None:
    said = ("the payment key is secret", "the payment key is short", "payment calls are retried", "payment calls fail")
    notes = [fact(text, text, attribute="", origin=text, levels=Levels(text, text, text, text[:50])) for text in said]
    one, *_ = learn(database, *notes)
    assert list(judged(View(database, PROJECT, at(1), judge=Quoting(), redactor=PlainRedactor()))) == []
    kept = "select reason from rulings where not contains(reason, 'secret')"
    before = rows(database, kept)
    assert before
    assert rows(database, "select count(*) from rulings where contains(reason, 'secret')") != [(0,)]
    with database.write() as connection:
        purging.erase_traces(connection, [one.id])
    assert rows(database, "select reason from rulings") == before == rows(database, kept)


def _embedded(levels: Levels) -> list[str]:
    return [levels.summary[:FULL_TEXT_CHARACTERS], levels.full[:FULL_TEXT_CHARACTERS]]
