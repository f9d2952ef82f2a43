"""A team's records in a store: memories like others, the same whatever the order, gone when they are withdrawn."""

from __future__ import annotations

from itertools import permutations
from pathlib import Path

import pytest
from msgspec.structs import replace
from stores import NOW, PROJECT, at, fact, memories, store, store_of_before

from companion.records import JudgeVerdict, Memory, Resolution, Source, memory_key
from companion.records.team import SharedResolution, SharedVerdict, SharedVersion, TeamRecord, Withdrawal
from companion.store.care import deleted
from companion.store.care.deleted import Deleted
from companion.store.database import Database
from companion.store.memories import contradictions
from companion.store.team.records import Arrived, TeamRecords
from companion.team.text import record_id

ADA, BEN = "Ada <ada@example.org>", "Ben <ben@example.org>"


def team(database: Database) -> TeamRecords:
    return TeamRecords(database, memories(database))


def version(value: str, author: str = ADA, days: float = 0, **given: object) -> SharedVersion:
    replaces = given.pop("replaces", ())
    draft = fact("indent", value, source=Source.BY_HAND, origin="", evidence=(), entities=())
    draft = replace(draft, **given)
    return SharedVersion(memory_key(draft, ""), draft, author, at(days), replaces)


def take(database: Database, *records: TeamRecord, days: float = 1) -> Arrived:
    return team(database).take_in(PROJECT, {record_id(one): one for one in records}, at(days))


def active(database: Database) -> list[Memory]:
    return list(memories(database).iterate(PROJECT))


def said(database: Database) -> dict[str, str]:
    return {memory.draft.value: memory.draft.origin.removeprefix("team:") for memory in active(database)}


def opened(database: Database) -> list[frozenset[str]]:
    return [frozenset({one.a.draft.value, one.b.draft.value}) for one in contradictions.open_ones(database, PROJECT)]


def test_what_a_colleague_shared_is_a_memory_that_says_who_and_when(database: Database) -> None:
    arrived = take(database, version("tabs"))
    (memory,) = active(database)
    assert arrived.memories == (memory.id,)
    assert (memory.draft.source, memory.draft.origin) == (Source.IMPORT, f"team:{ADA}")
    assert memory.draft.evidence[0].label() == "Ada, shared 5 January 2026"


def test_taking_the_same_in_again_changes_nothing(database: Database) -> None:
    records = (version("tabs"), version("spaces", BEN))
    take(database, *records)
    before = (active(database), team(database).stored(PROJECT), opened(database))
    assert take(database, *records, days=2) == Arrived()
    assert (active(database), team(database).stored(PROJECT), opened(database)) == before


def test_two_people_who_say_different_things_are_two_memories_and_a_contradiction_that_names_both(
    database: Database,
) -> None:
    assert take(database, version("tabs"), version("spaces", BEN)).contradictions == 1
    assert said(database) == {"tabs": ADA, "spaces": BEN}
    (one,) = contradictions.open_ones(database, PROJECT)
    assert "Ada" in one.reason
    assert "Ben" in one.reason


def test_what_one_said_here_in_the_same_words_is_one_memory(database: Database) -> None:
    mine = memories(database).remember(PROJECT, version("tabs").draft, NOW)
    take(database, version("tabs", BEN))
    assert [memory.id for memory in active(database)] == [mine.id]
    assert opened(database) == []


def test_what_one_said_here_in_other_words_stands_against_it(database: Database) -> None:
    memories(database).remember(PROJECT, version("tabs").draft, NOW)
    take(database, version("spaces", BEN))
    assert opened(database) == [frozenset({"tabs", "spaces"})]


def history() -> tuple[TeamRecord, ...]:
    """Ada says one thing, then another; Ben a third, which Ada's second is held against, and takes his back."""
    first, second, third = version("tabs"), version("2", days=1), version("spaces", BEN)
    a, b = sorted((record_id(second), record_id(third)))
    wins = Resolution.A_WINS if a == record_id(second) else Resolution.B_WINS
    note = version("use make", subject="note", attribute="", days=2)
    instead = version("use just", BEN, 3, subject="note", attribute="", replaces=(record_id(note),))
    back = Withdrawal(record_id(instead), BEN, at(4))
    return first, second, third, SharedResolution(a, b, wins, BEN, at(2)), note, instead, back


ORDERS = [*list(permutations(range(7)))[::1259], tuple(reversed(range(7)))]
"""The first and the last have every two records either way round."""


def test_the_order_of_arrival_makes_no_difference(tmp_path: Path) -> None:
    ends = []
    for number, order in enumerate(ORDERS):
        with store(tmp_path / str(number)) as database:
            for place in order:
                take(database, history()[place])
            ends.append((said(database), opened(database), set(team(database).known(PROJECT))))
    assert ends[0][0] == {"2": ADA, "use make": ADA}
    assert all(end == ends[0] for end in ends)


def test_a_newer_version_takes_the_place_of_its_authors_older_one(database: Database) -> None:
    take(database, version("tabs"))
    take(database, version("spaces", days=1))
    (memory,) = active(database)
    (old,) = memories(database).get([memory.supersedes])
    assert (memory.draft.value, old.draft.value, old.superseded_by) == ("spaces", "tabs", memory.id)


def test_a_version_that_replaces_one_of_another_key_supersedes_its_memory(database: Database) -> None:
    note = version("use make", subject="note", attribute="")
    take(database, note)
    take(database, version("use just", BEN, subject="note", attribute="", replaces=(record_id(note),)))
    assert said(database) == {"use just": BEN}


def test_withdrawing_erases_the_text_from_every_table(database: Database) -> None:
    told = version("a-name-nobody-should-know")
    take(database, told, version("spaces", BEN))
    (gone,) = [memory.id for memory in active(database) if memory.draft.value == told.draft.value]
    take(database, Withdrawal(record_id(told), ADA, at(2)))
    assert deleted.noted(database) == Deleted(memories=(gone,), versions=(record_id(told),), spaces=(PROJECT,))
    assert said(database) == {"spaces": BEN}
    assert opened(database) == []
    with database.read() as connection:
        for (table,) in connection.execute("select table_name from duckdb_tables()").fetchall():
            rows = connection.execute(f'select * from "{table}"').fetchall()
            assert "a-name-nobody" not in str(rows), table
    assert take(database, told).records == (), "it does not come back"
    assert said(database) == {"spaces": BEN}


def test_nobody_erases_what_somebody_else_shared(database: Database) -> None:
    take(database, version("tabs"), Withdrawal(record_id(version("tabs")), BEN, at(2)))
    assert said(database) == {"tabs": ADA}


def test_withdrawing_what_was_shared_here_leaves_the_memory_it_was_made_of(database: Database) -> None:
    mine, told = memories(database).remember(PROJECT, version("tabs").draft, NOW), version("tabs")
    team(database).add(PROJECT, {record_id(told): told}, NOW, {record_id(told): mine.id})
    back = Withdrawal(record_id(told), ADA, at(2))
    team(database).add(PROJECT, {record_id(back): back}, at(2))
    assert deleted.noted(database) == Deleted(versions=(record_id(told),), spaces=(PROJECT,))
    assert [memory.id for memory in active(database)] == [mine.id]
    assert set(team(database).known(PROJECT)) == {record_id(back)}


def test_what_the_user_forgot_or_erased_does_not_come_back(database: Database) -> None:
    from companion.store.talk import forgetting

    take(database, version("tabs"), version("use make", subject="note", attribute=""))
    by_value = {memory.draft.value: memory.id for memory in active(database)}
    memories(database).forget(by_value["tabs"], at(2))
    forgetting.erase(database, [by_value["use make"]])
    take(database, version("tabs"), version("use make", subject="note", attribute=""), version("tabs", BEN), days=3)
    assert said(database) == {"tabs": BEN}
    assert "use make" not in str(team(database).stored(PROJECT))


@pytest.mark.parametrize("days", [0, 5], ids=["before", "after"])
def test_a_resolution_holds_whether_it_comes_before_or_after_what_it_resolves(database: Database, days: float) -> None:
    ours, theirs = version("tabs"), version("spaces", BEN)
    a, b = sorted((record_id(ours), record_id(theirs)))
    resolution = SharedResolution(a, b, Resolution.A_WINS, BEN, at(3), "as agreed")
    both: list[TeamRecord] = [ours, theirs]
    for record in (*both, resolution) if days else (resolution, *both):
        take(database, record)
    (winner,) = active(database)
    assert winner.draft.value == (ours if a == record_id(ours) else theirs).draft.value
    assert opened(database) == []
    (one,) = contradictions.open_ones(database, PROJECT, settled=True)
    assert one.note == "Ben: as agreed"


def test_a_later_resolution_turns_an_earlier_one(database: Database) -> None:
    ours, theirs = version("tabs"), version("spaces", BEN)
    a, b = sorted((record_id(ours), record_id(theirs)))
    for days, how in ((1, Resolution.A_WINS), (2, Resolution.B_WINS)):
        take(database, ours, theirs, SharedResolution(a, b, how, ADA, at(days)))
    (winner,) = active(database)
    assert winner.draft.value == (ours if b == record_id(ours) else theirs).draft.value


def test_what_is_pinned_here_does_not_lose_by_somebody_elses_word(database: Database) -> None:
    ours, theirs = version("tabs"), version("spaces", BEN)
    take(database, ours, theirs)
    for memory in active(database):
        memories(database).pin(memory.id, True)
    a, b = sorted((record_id(ours), record_id(theirs)))
    take(database, SharedResolution(a, b, Resolution.A_WINS, BEN, at(3)))
    assert len(said(database)) == len(opened(database)) + 1 == 2


@pytest.mark.parametrize("by", [ADA, BEN])
def test_what_was_written_by_hand_here_loses_by_its_own_author_alone(database: Database, by: str) -> None:
    ours, theirs = version("tabs"), version("spaces", BEN)
    mine = memories(database).remember(PROJECT, ours.draft, NOW)
    team(database).add(PROJECT, {record_id(ours): ours}, NOW, {record_id(ours): mine.id})
    a, b = sorted((record_id(ours), record_id(theirs)))
    against_ours = Resolution.B_WINS if a == record_id(ours) else Resolution.A_WINS
    take(database, theirs, SharedResolution(a, b, against_ours, by, at(3)))
    assert (mine.id in {memory.id for memory in active(database)}) == (by == BEN)
    assert len(opened(database)) == (by == BEN)


def test_only_what_was_made_here_goes_out_and_once_each_way(database: Database) -> None:
    mine, told = memories(database).remember(PROJECT, version("tabs").draft, NOW), version("tabs")
    records = team(database)
    assert records.unshared(PROJECT) == (mine,)
    records.add(PROJECT, {record_id(told): told}, NOW, {record_id(told): mine.id})
    take(database, version("spaces", BEN))
    assert records.unshared(PROJECT) == ()
    assert records.outgoing(PROJECT, "text") == {record_id(told): told}
    records.note_sent(PROJECT, [record_id(told)], "text", at(1))
    assert records.outgoing(PROJECT, "text") == {}
    assert records.outgoing(PROJECT, "server") == {record_id(told): told}


def test_a_version_of_what_was_reworded_names_the_one_before(database: Database) -> None:
    kept, records = memories(database), team(database)
    mine, told = kept.remember(PROJECT, version("tabs").draft, NOW), version("tabs")
    records.add(PROJECT, {record_id(told): told}, NOW, {record_id(told): mine.id})
    again = kept.revise(mine.id, replace(mine.draft, value="2 spaces"), at(1))
    assert records.unshared(PROJECT) == (again,)
    assert records.replaced_by(again.id) == (record_id(told),)


def test_records_that_an_earlier_version_kept_are_kept_and_verdicts_join_them(tmp_path: Path) -> None:
    """Schema 27 knew no verdicts."""
    both = (version("tabs"), version("spaces", BEN))
    with store_of_before(tmp_path / "home", 27) as older:
        take(older, *both)
        kept = team(older).stored(PROJECT)
    a, b = sorted(map(record_id, both))
    with store(tmp_path / "home") as database:
        assert team(database).stored(PROJECT) == kept
        take(database, SharedVerdict(a, b, JudgeVerdict.BESIDE, ADA, at(1)))
        assert [one.about for one in team(database).stored(PROJECT) if one.sort == "verdict"] == [(a, b)]
