"""The codec of the store: every record that has a table stands in its columns, and comes back as it was put in."""

from __future__ import annotations

import pkgutil
import re
from collections.abc import Iterator, Mapping
from datetime import datetime
from enum import StrEnum
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
from msgspec import Struct, field
from msgspec.structs import replace
from stores import NOW, store

import companion.store
from companion import wire
from companion.records import Body, Decision, DecisionStatus, Episode, ErrorReport, Memory, Scope
from companion.records.live import Serving
from companion.records.talk import Item, ItemState, ItemType, Message, Role, Turn
from companion.store.by_columns import column_where, delete_where, pairs_where, rows_where, set_where, value_where
from companion.store.database import Database
from companion.store.memories.rows_sql import MEMORIES, load, put_parts
from companion.store.rows import As, Given, MadeOf, Query, Sql, Table, apart
from companion.store.talk.items import ITEMS
from companion.store.talk.talk_turns import TURNS
from companion.store.working import sightings
from companion.store.working.events import SERVINGS
from companion.store.working.sightings import Ending, Fix, Sighting, Via


@pytest.fixture
def database(tmp_path: Path) -> Iterator[Database]:
    with store(tmp_path) as opened:
        yield opened


class Colour(StrEnum):
    RED = "red"
    BLUE = "blue"


class Inner(Struct, frozen=True):
    left: str
    right: int = 0


class Outer(Struct, frozen=True):
    id: str
    project: str
    colour: Colour
    seen_at: datetime
    inner: Inner
    pair: tuple[int, int]
    words: tuple[str, ...]
    names: tuple[str, ...]
    tree: Mapping[str, tuple[str, ...]]
    parts: tuple[Inner, ...]
    other: Colour | None = None
    until: datetime | None = None
    files: tuple[str, ...] | None = None
    length: int = 0
    branch: str = ""
    apart: str = "not in the table"
    constant: int = 1
    template: Mapping[str, str] = field(default_factory=dict)


OUTERS = Table(
    Outer,
    "outers",
    {
        "inner": "in_",
        "pair": ("first_one", "second_one"),
        "words": As.WORDS,
        "parts": As.PACKED,
        "length": Sql("length(outers.id)"),
        "branch": MadeOf("learner", lambda learner: learner.partition("@")[2]),
        "constant": Given(7),
        **apart("apart"),
    },
)
ONE = Outer(
    "one", "p1", Colour.RED, NOW, Inner("a", 2), (1, 2), ("x", "y"), ("n m", "o"), {"k": ("v", "w")},
    (Inner("b", 3), Inner("c")), Colour.BLUE, NOW, ("s",), template={"a": "b"},
)  # fmt: skip
TABLE = """
create table outers (
    id varchar, project_id varchar, colour varchar, seen_at timestamp, in_left varchar, in_right integer, first_one integer,
    second_one integer, words varchar, names varchar[], tree json, parts json, other varchar, until timestamp,
    files varchar[], template json, learner varchar
)
"""


def test_a_record_comes_back_from_its_columns_as_it_was_put_in(database: Database) -> None:
    bare = replace(ONE, id="two", other=None, until=None, files=None, words=(), parts=(), tree={})
    with database.write() as connection:
        connection.execute(TABLE)
        assert OUTERS.insert(connection, [ONE, bare], learner=["scan@main", "scan"]) == 2
    found = OUTERS.select("order by id").all(database)
    read = {"length": 3, "constant": 7}
    assert found == (replace(ONE, branch="main", **read), replace(bare, **read))
    assert OUTERS.select("where id = $id").first(database, id="none") is None
    by = OUTERS.select("", "learner as who").by(database, "who")
    assert [one.id for one in by["scan"]] == ["two"]


def test_columns_of_rows_are_changed_by_their_id(database: Database) -> None:
    with database.write() as connection:
        connection.execute(TABLE)
        OUTERS.insert(connection, [ONE, replace(ONE, id="two")], learner="scan")
        OUTERS.refresh(connection, [replace(ONE, inner=Inner("z", 9), colour=Colour.BLUE)], "inner", learner="x@y")
    OUTERS.change(database, "two", second_one=5)
    one, two = OUTERS.select("order by id").all(database)
    assert (one.inner, one.colour, one.branch) == (Inner("z", 9), Colour.RED, "y")
    assert (two.pair, two.inner) == ((1, 5), ONE.inner)


def test_rows_are_found_changed_and_deleted_by_the_values_of_their_columns(database: Database) -> None:
    bare = replace(ONE, id="two", colour=Colour.BLUE, until=None)
    with database.write() as connection:
        connection.execute(TABLE)
        OUTERS.insert(connection, [ONE, bare], learner="scan")
    assert rows_where(database, "outers", "id, colour", order="id desc") == [("two", "blue"), ("one", "red")]
    assert pairs_where(database, "outers", "id, in_right", id={"one", "none"}) == {"one": 2}
    assert column_where(database, "outers", "id", until=None, colour=Colour.BLUE) == ["two"]
    assert column_where(database, "outers", "id", id=[]) == []
    assert value_where(database, "outers", "count(*)", learner="scan") == 2
    assert value_where(database, "outers", "colour", id="none", otherwise="no row") == "no row"
    assert [one.id for one in OUTERS.where(database, order="id desc", limit=1, learner="scan")] == ["two"]
    assert OUTERS.one(database, id="none") is None
    set_where(database, "outers", {"until": NOW, "colour": Colour.RED}, id=["two"], until=None)
    assert column_where(database, "outers", "id", until=NOW, colour="red", order="id") == ["one", "two"]
    delete_where(database, "outers", id=("two", "none"))
    assert [one.id for one in OUTERS.where(database)] == ["one"]


def test_a_half_sign_is_kept_replaced_wherever_it_stands(database: Database) -> None:
    broken = replace(ONE, inner=Inner("\ud800"), words=("\ud800",), names=("\ud800",), template={"a": "\ud800"})
    with database.write() as connection:
        connection.execute(TABLE)
        OUTERS.insert(connection, [broken], learner="\ud800")
    (found,) = OUTERS.select("").all(database)
    assert (found.inner.left, found.words, found.names, found.template) == ("�", ("�",), ("�",), {"a": "�"})


def test_words_that_are_none_of_ours_and_columns_that_are_missing_are_an_error(database: Database) -> None:
    with pytest.raises(ValueError, match="green"):
        list(Query(Colours, "").read({"colour": ("green",)}))
    with pytest.raises(ValueError, match="`colour` is missing"):
        list(Query(Colours, "").read({"other": ("red",)}))


class Colours(Struct, frozen=True):
    colour: Colour


def tables() -> dict[str, Table[Any]]:
    """Every table of the store's modules, by module and name."""
    found: dict[str, Table[Any]] = {}
    for module in pkgutil.walk_packages(companion.store.__path__, "companion.store."):
        for name, value in vars(import_module(module.name)).items():
            if isinstance(value, Table):
                found[f"{module.name}.{name}"] = value
    return found


def test_every_record_with_a_table_finds_its_columns_there(database: Database) -> None:
    known = tables()
    assert len(known) > 25
    for table in known.values():
        assert table.select("limit 1").all(database) == ()


def test_what_was_said_left_behind_served_and_seen_comes_back_whole(database: Database) -> None:
    turn = Turn("t1", "c2", 1, NOW, (Message(Role.USER, "a\n“b”"), Message(Role.ASSISTANT, "")), "cli", 3, anchor=0.5)
    item = Item("i1", ItemType.TASK, "mend", 1, details={"due": "2026-03-01"}, entities=("file:a",), touched_at=NOW)
    item = replace(item, state=ItemState.OPEN, conversation="c2", act="a1", settled_by="user", settled_at=NOW)
    serving = Serving(3, NOW, "a.py", {"m1": ("a.py", "b.py"), "m2": ()}, None)
    with database.write() as connection:
        TURNS.insert(connection, [turn], words="", session="", heard=0)
        ITEMS.insert(connection, [item], persona="", created_at=NOW)
        SERVINGS.insert(connection, [serving], checkout_id="c1")
    assert TURNS.select("").all(database) == (turn,)
    assert ITEMS.select("").all(database) == (item,)
    assert SERVINGS.select("").all(database) == (serving,)


def test_an_error_has_a_fix_once_it_is_gone(database: Database) -> None:
    report = ErrorReport("python", "E", "m", "f1")
    one = Sighting("s1", "p1", "c1", report, Via.COMMAND, "pytest", NOW, NOW, 1, dirty={"a": "b"})
    sightings.begin(database, one)
    assert sightings.of_error(database, "p1", "f1") == (one,)
    fix = Fix("changed a.py", "abc", ("a.py", "b.py"), "+x", verified=True)
    sightings.end(database, "s1", Ending.CHANGED, fix, NOW)
    assert sightings.of_error(database, "p1", "f1") == (replace(one, gone_at=NOW, ending=Ending.CHANGED, fix=fix),)


def test_a_memory_is_the_same_out_of_its_row_and_out_of_its_copy(database: Database) -> None:
    body = Episode("t", NOW, ("Ann",), ("a" * 40,), "fix")
    for number, given in enumerate((None, body, Decision("q", "c", "r", DecisionStatus.IN_FORCE))):
        memory = learned(f"m{number}", given, Scope(path="src") if number else Scope())
        with database.write() as connection:
            MEMORIES.insert(connection, [memory], learner="scan@c1", importance_floor=0)
            put_parts(connection, [memory])
        assert load(database, [memory.id]) == (memory,)
        assert wire.kept(Memory, wire.keep(memory, Memory, wire.Spelling.PACKED)) == memory


def learned(id_: str, body: Body, scope: Scope) -> Memory:
    from stores import fact

    draft = replace(fact(), body=body, scope=scope, valid_from=NOW)
    return Memory(id_, "p1", "u1", "k", draft, NOW, (1, 2, 3, 4), checkout="c1", usefulness=0.5)


def test_what_an_earlier_version_kept_is_read_as_far_as_it_goes() -> None:
    text = '{"record": "Episode", "title": "t", "occurred_at": "2026-01-02T03:04:05", "mood": "new"}'
    assert wire.kept(Body, text) == Episode("t", datetime(2026, 1, 2, 3, 4, 5))
    assert wire.kept(tuple[Message, ...], '[["user", "a"], ["assistant", "b", "more"]]') == (
        Message(Role.USER, "a"),
        Message(Role.ASSISTANT, "b"),
    )
    assert wire.kept(tuple[Inner, ...], '[["a"]]') == (Inner("a"),)
    for none in ('{"record": "Nothing"}', '{"title": "t"}', "[]", '{"record": "Decision"}', "{", "{} {}"):
        with pytest.raises(ValueError, match=r"of ours|Expecting|double quotes"):
            wire.kept(Body, none)


def test_no_row_is_taken_apart_by_the_places_of_its_columns() -> None:
    runtime = Path(companion.store.__path__[0])
    generic = {"database.py", "bulk.py", "rows.py", "migrate.py", "probing.py", "rebuilding.py", "foreign.py"}
    for path in runtime.rglob("*.py"):
        if path.name in generic or "consolidation" in path.parts:
            continue
        text = path.read_text(encoding="utf-8")
        assert not re.search(r"\brow\[\d|\brows\[\d|\.fetch(one|all)\(", text), path
        assert not re.search(r"\*row\b", text), path
