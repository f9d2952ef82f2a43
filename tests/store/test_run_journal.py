"""The journal of the runs: what is kept of a plan, in which order, and what becomes of drafts and full disks."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from fakes import PlainRedactor
from journalled import journalled
from runs import WHEN, carry_out, consolidated, dump, episode, learn, link, plan, rows
from stores import PROJECT, at, fact, store, store_of_before

from companion.errors import UsageError
from companion.records import (
    Change,
    Importance,
    Level,
    Levels,
    Merge,
    Oppose,
    Outdate,
    Relation,
    Rescope,
    Retire,
    Revive,
    Reword,
    Shorten,
    Supersede,
    Unite,
    Unrelate,
    Warm,
    Warmth,
    Weigh,
)
from companion.records.runs import ChangeState, RunState
from companion.store.bulk import insert_rows
from companion.store.consolidation import journal, undoing
from companion.store.database import Database

EVERY: tuple[Change, ...] = (
    Merge("m1a", ("m1b", "m1c"), "“same” words"),
    Supersede("m1a", "m1b", "later"),
    Reword("m1a", Levels("", "s", "c", "i"), 3, "rules", "better"),
    Shorten("m1a", Level.INDEX, 3, "old"),
    Weigh("m1a", Importance.CRITICAL, -1 / 3, "used"),
    Warm("m1a", Warmth.COLD, "old"),
    Oppose("m1a", "m1b", 0.1 + 0.2, "rules", "they differ"),
    Outdate("m1a", "its files are gone"),
    Retire("m1a", "unused"),
    Revive("m1a", "asked for"),
    Rescope("m1a", "src/ä", "lib\n", "renamed"),
    link("m1a", "m1b", 2 / 3),
    Unrelate(Relation.CO_CHANGE, "m1a", "m1b", "no longer"),
    Unite("person:a", "person:b", "one mail address"),
)


def test_every_sort_of_change_comes_back_from_the_journal_as_it_was_planned(database: Database) -> None:
    run = plan(database, EVERY)
    assert tuple(one.change for one in journalled(database, run)) == EVERY
    assert [one.number for one in journalled(database, run)] == list(range(1, len(EVERY) + 1))
    assert list(journalled(database, run, step="another")) == []
    assert len(list(journalled(database, run, state=ChangeState.PLANNED))) == len(EVERY)


def test_a_run_tells_who_asked_what_was_counted_and_how_far_it_has_come(database: Database) -> None:
    (one,) = learn(database, fact())
    run = plan(database, [Warm(one.id, Warmth.COLD, "old"), Retire("m1nowhere", "unused")])
    noted = journal.note(database, run, {"tests": {"refused": 1.0}, "more": {"seconds": 2.0}})
    assert noted == journal.run(database, PROJECT, run)
    carry_out(database, run)
    told = journal.run(database, PROJECT, run[:8])
    assert (told.asked_by, told.passes, told.state) == ("command", ("tests",), RunState.APPLIED)
    assert told.figures == {"tests": {"seconds": 0.5, "refused": 1.0}, "more": {"seconds": 2.0}}
    assert (told.planned, told.applied, told.refused, told.undone) == (0, 1, 1, 0)
    assert (told.planned_at, told.started_at, told.ended_at) == (WHEN, WHEN, WHEN)
    assert journal.runs(database, "p1other") == ()


def test_an_unknown_or_ambiguous_run_is_named(database: Database) -> None:
    (one,) = learn(database, fact())
    for number in range(2):
        consolidated(database, Warm(one.id, Warmth.COLD, "old"), now=at(100 + number))
    with pytest.raises(UsageError, match="No run begins"):
        journal.run(database, PROJECT, "n1zzz")
    with pytest.raises(UsageError, match="Several runs"):
        journal.run(database, PROJECT, "n1")


def test_a_draft_that_a_kill_left_is_discarded_by_the_next_run(database: Database) -> None:
    (one,) = learn(database, fact())
    draft = journal.open_run(database, PROJECT, "idle", ["tests"], WHEN)
    journal.add(database, draft, [("tests", Warm(one.id, Warmth.COLD, "old"))], PlainRedactor())
    again = journal.open_run(database, PROJECT, "idle", ["tests"], WHEN)
    assert draft != again
    with pytest.raises(UsageError, match="takes no more changes"):
        journal.add(database, draft, [("tests", Warm(one.id, Warmth.HOT, "new"))], PlainRedactor())
    journal.seal(database, again, {})
    assert [run.state for run in journal.runs(database, PROJECT)] == [RunState.PLANNED, RunState.DISCARDED]
    assert rows(database, "select count(*) from run_changes") == [(0,)]
    assert rows(database, "select count(*) from run_digests") == [(0,)]


def test_what_was_begun_to_be_applied_cannot_be_discarded_only_taken_back(database: Database) -> None:
    (one,) = learn(database, fact())
    run = consolidated(database, Warm(one.id, Warmth.COLD, "old"))
    with pytest.raises(UsageError, match="companion undo"):
        journal.discard(database, run)


def test_what_a_model_worded_is_redacted_before_it_is_kept(database: Database) -> None:
    class Hiding(PlainRedactor):
        def redact(self, text: str) -> str:
            return text.replace("hunter2", "[redacted PASSWORD]")

    (one, two) = learn(database, fact("a", "1"), fact("b", "2"))
    run = journal.open_run(database, PROJECT, "command", ["tests"], WHEN)
    changes: list[Change] = [
        Reword(one.id, Levels("hunter2", "it is hunter2", "hunter2", "hunter2"), 1, "model", "hunter2"),
        Oppose(one.id, two.id, 0.9, "model", "one says hunter2"),
    ]
    journal.add(database, run, (("tests", change) for change in changes), Hiding())
    journal.seal(database, run, {})
    carry_out(database, run)
    kept = rows(database, "select change::varchar || reason from run_changes union all select note from contradictions")
    assert not any("hunter2" in text for (text,) in kept)
    assert "hunter2" not in repr(dump(database))


def test_many_changes_are_planned_applied_and_taken_back_over_page_ends(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    from companion.store.consolidation import batches

    for module, name in ((journal, "PART_CHANGES"), (batches, "PAGE_CHANGES")):
        monkeypatch.setattr(module, name, 7)
    kept = learn(database, *[episode(f"number {n}") for n in range(20)])
    before = dump(database)
    run = plan(database, [change for one in kept for change in (Warm(one.id, Warmth.COLD, "o"), Retire(one.id, "u"))])
    assert carry_out(database, run).applied == 40
    assert len(list(journalled(database, run))) == 40
    assert undoing.undo(database, run, None, at(101)).undone == 40
    assert dump(database) == before


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no limit on the size of files")
def test_a_disk_that_is_full_in_the_middle_leaves_whole_changes_and_the_run_goes_on(tmp_path: Path) -> None:
    """A limit on the size of files stands for the disk."""
    home = tmp_path / "home"
    with store(home) as database:
        kept = learn(database, *[episode(f"number {n}") for n in range(400)])
        before = dump(database)
        run = plan(database, [Warm(one.id, Warmth.COLD, "old " * 60) for one in kept])
        database.checkpoint()
    code = """
import resource, signal, sys
sys.path.insert(0, sys.argv[3])
from pathlib import Path
from fakes import WordCounter
from companion.errors import StoreUnwritable
from companion.store.bulk import insert_rows
from companion.store.opening import open_store
from companion.store.consolidation import applying
from datetime import datetime
applying.BATCH_ROWS = 10
database = open_store(Path(sys.argv[1]), wait_s=1, memory_limit="200MB")
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
limit = 60_000
resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))
try:
    applying.apply(database, sys.argv[2], datetime(2026, 4, 15), counter=WordCounter())
except StoreUnwritable as told:
    print("told", told, flush=True)
import os
os._exit(0)
"""
    tests = str(Path(__file__).parents[1])
    done = subprocess.run(
        [sys.executable, "-c", code, str(home), run, tests], capture_output=True, text=True, timeout=60, check=False
    )
    assert done.stdout.startswith("told The store in"), done.stdout + done.stderr
    with store(home) as database:
        waiting = journal.unfinished(database, PROJECT)
        assert waiting is not None
        assert 0 < waiting.applied < 400
        assert rows(database, "select count(*) from memories where warmth = 'cold'") == [(waiting.applied,)]
        carry_out(database, run)
        assert rows(database, "select count(*) from memories where warmth = 'cold'") == [(400,)]
        undoing.undo(database, run, None, at(101))
        assert dump(database) == before


def test_a_store_of_an_older_schema_is_brought_up_to_date_and_has_its_first_run(tmp_path: Path) -> None:
    home = tmp_path / "home"
    with store_of_before(home, 6) as database, database.write() as connection:
        insert_rows(connection, "memories", tuple(_OLD_MEMORY), [tuple(_OLD_MEMORY.values())])
    with store(home) as database:
        before = dump(database)
        run = consolidated(
            database,
            Shorten("m1old", Level.SUMMARY, 1, "old"),
            Warm("m1old", Warmth.COLD, "old"),
            Weigh("m1old", Importance.SIGNIFICANT, 0.5, "used"),
        )
        assert journal.run(database, PROJECT, run).applied == 3
        assert undoing.undo(database, run, None, at(101)).kept == ()
        assert dump(database) == before


_OLD_MEMORY = {
    **dict.fromkeys(("subject", "attribute", "value", "content_full", "content_summary"), "old"),
    **dict.fromkeys(("content_compressed", "content_index", "user_id", "memory_key", "origin", "learner"), "old"),
    **dict.fromkeys(("tokens_full", "tokens_summary", "tokens_compressed", "tokens_index"), 1),
    **{"id": "m1old", "project_id": PROJECT, "kind": "fact", "type": "fact", "visibility": "system"},
    **{"source": "scan", "confidence": 1.0, "importance": 1, "status": "active", "created_at": at(0)},
}
