"""Which episodes are due to be offered shorter or longer, and which texts a model is asked about."""

from __future__ import annotations

from pathlib import Path

import pytest
from companion_consolidation.compress import Aged
from companion_consolidation.compress import due as due_episodes
from fakes import ScriptedModel, WordCounter
from runs import episode, found, learn
from stores import NOW, PROJECT, at, memories, store, work

from companion.records import Level, Levels
from companion.store.consolidation.archive import StoredArchive
from companion.store.database import Database
from companion.store.memories import usage

FULL = "Uploads are retried three times after a timeout of 30 seconds because a slow Redis lost data"
LONG = "one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen"
SUMMARY = f"Uploads are retried: {LONG} and eight or nine more words of them"


def told(value: str, days: float = 0.0, compressed: str = ""):
    levels = Levels(f"{FULL} {LONG} {value}", f"{SUMMARY} {value}", compressed or value, value)
    return episode(value, levels=levels, valid_from=at(days))


def due(database: Database, days: float) -> dict[str, Aged]:
    return {one.id: one for one in due_episodes(StoredArchive(database, PROJECT, at(days)))}


def offer(database: Database, id_: str, level: Level) -> None:
    with database.write() as connection:
        connection.execute("update memories set offered_level = $level where id = $id", {"level": level, "id": id_})


def test_age_is_counted_in_days_of_work_not_of_the_calendar(tmp_path: Path):
    with store(tmp_path) as database:
        (memory,) = learn(database, told("a"))
        work(database, *range(8))
        assert due(database, 400) == {}, "eight days of work, the first its own: seven since"
        work(database, *range(9))
        assert due(database, 400)[memory.id].age_days == 8


@pytest.mark.parametrize(
    ("age_days", "level"),
    [(8, Level.SUMMARY), (30, Level.SUMMARY), (31, Level.COMPRESSED)],
)
def test_an_episode_is_due_at_its_summary_after_a_week_of_work_and_compressed_after_a_month(
    tmp_path: Path, age_days: int, level: Level
):
    with store(tmp_path) as database:
        (memory,) = learn(database, told("a"))
        work(database, *range(age_days + 1))
        assert due(database, 400)[memory.id].level is level


def test_a_level_that_is_no_shorter_is_never_due(tmp_path: Path):
    with store(tmp_path) as database:
        (memory,) = learn(database, told("a", compressed=f"{SUMMARY} and more"))
        work(database, *range(60))
        assert due(database, 60)[memory.id].level is Level.SUMMARY


def test_a_project_that_rests_offers_everything_as_before(tmp_path: Path):
    with store(tmp_path) as database:
        learn(database, told("a"))
        work(database, *range(3))
        assert due(database, 4_000) == {}


def test_what_is_offered_as_its_age_asks_is_left_alone(tmp_path: Path):
    with store(tmp_path) as database:
        (memory,) = learn(database, told("a"))
        work(database, *range(60))
        assert due(database, 60)[memory.id].offered is Level.FULL
        offer(database, memory.id, Level.COMPRESSED)
        assert due(database, 60) == {}


def test_what_somebody_asked_for_lately_is_due_to_be_offered_in_full(tmp_path: Path):
    with store(tmp_path) as database:
        (memory,) = learn(database, told("a"))
        work(database, *range(60))
        offer(database, memory.id, Level.COMPRESSED)
        usage.record(database, [memory.id], "cited", "expand", at(57))
        one = due(database, 60)[memory.id]
        assert one.asked_days is not None and one.asked_days <= 7
        assert one.level is Level.FULL


def test_standing_in_a_context_is_not_asking(tmp_path: Path):
    with store(tmp_path) as database:
        (memory,) = learn(database, told("a"))
        work(database, *range(60))
        offer(database, memory.id, Level.COMPRESSED)
        usage.record(database, [memory.id], "retrieved", "src/app.py", at(59))
        assert due(database, 60) == {}


def test_a_pinned_episode_is_never_offered_shorter(tmp_path: Path):
    with store(tmp_path) as database:
        (memory,) = learn(database, told("a"))
        memories(database).pin(memory.id, True)
        work(database, *range(60))
        assert due(database, 60) == {}


def archive(database: Database, days: float = 0.0) -> StoredArchive:
    return StoredArchive(database, PROJECT, at(days), language_model=ScriptedModel(["{}"]), counter=WordCounter())


def test_a_model_is_asked_about_long_summaries_once_a_run_and_three_times_in_all(tmp_path: Path):
    with store(tmp_path) as database:
        learn(database, told("a"), episode("short"))
        for tries in range(3):
            (asked,) = archive(database, tries).to_reword(10)
            assert (asked.id, asked.tries) == (found(database, "a").id, tries)
            archive(database, tries).reworded(asked, "it lost a number")
            assert list(archive(database, tries + 0.2).to_reword(10)) == []
        assert list(archive(database, 10).to_reword(10)) == []


def test_what_was_accepted_is_not_asked_about_again_even_if_it_was_undone(tmp_path: Path):
    with store(tmp_path) as database:
        learn(database, told("a"))
        (asked,) = archive(database).to_reword(10)
        archive(database).reworded(asked, "")
        assert list(archive(database, 30).to_reword(10)) == []


def test_another_model_may_be_asked_what_the_first_could_not_say(tmp_path: Path):
    with store(tmp_path) as database:
        learn(database, told("a"))
        (asked,) = archive(database).to_reword(10)
        archive(database).reworded(asked, "nonsense")
        other = StoredArchive(database, PROJECT, NOW, language_model=ScriptedModel(["{}"], name="other"))
        assert len(list(other.to_reword(10))) == 1


def test_nothing_of_a_text_is_kept_beside_the_memory(tmp_path: Path):
    with store(tmp_path) as database:
        learn(database, told("a"))
        (asked,) = archive(database).to_reword(10)
        archive(database).reworded(asked, "it lost a number")
        with database.read() as connection:
            kept = str(connection.execute("select * from rewordings").fetchall())
        assert "Uploads" not in kept
