"""An export of everything is readable, complete, and gives an empty store the same content."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from fakes import FakeClock, WordCounter
from repos import Repo

from companion.adapters.secrets import SecretRedactor
from companion.api import Note, Todo
from companion.app.local import LocalCompanion
from companion.errors import UsageError
from companion.records import Draft, Evidence, EvidenceKind, Kind, Levels
from companion.records.looking import Rate
from companion.records.talk import Message, Role
from companion.store import projects
from companion.store.care.rebuilding import SCANNED
from companion.store.database import Database
from companion.store.everything import export, import_lines
from companion.store.everything.tables import KEPT
from companion.store.history import accuracy
from companion.store.memories import usage
from companion.store.opening import open_store

from .conftest import Desk
from .talks import LabelledLines, say

MEMORY_TABLES = ("memories", "memory_evidence", "memory_entities", "memory_artifacts", "contradictions", "usage_log")
"""Tables that memories are kept in: they are written as whole memories, contradictions and uses."""

_SCAN = "read again from the repository by `companion init`"
DERIVED = {
    "schema_migrations": "what the program did to make this store",
    "store_meta": "notes about this machine; the user's id stands in the first line",
    **dict.fromkeys(("checkouts", *SCANNED), _SCAN),
    "parameters": "learned again from the history",
    "requests": "asked for again by no client once its program has ended",
    "embeddings": "made again from the texts",
}
"""What is made again, and from what."""


def fact(value: str, origin: str) -> Draft:
    text = f"Python is {value}"
    evidence = (Evidence(EvidenceKind.FILE, origin, 12, f"python {value}"),)
    return Draft(Kind.FACT, "fact", "python", "version", value, Levels(text, text, text, text), origin, evidence)


@pytest.fixture(scope="module")
def lived(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LocalCompanion]:
    """A companion some days into its work; nobody here changes what it keeps."""
    folder = tmp_path_factory.mktemp("lived")
    (folder / "shop").mkdir()
    repo = Repo(folder / "shop")
    repo.git("init", "-q")
    repo.write("README.md", "A shop.")
    repo.commit("Begin")
    one = Desk(folder / "home", FakeClock()).open(repo.root)
    one.runtime.talk_rules = LabelledLines  # type: ignore[assignment]
    live(one)
    yield one
    one.close()


def live(one: LocalCompanion) -> None:
    clock = one.runtime.adapters.clock
    said = [fact(value="3.11", origin="pyproject.toml"), fact(value="3.12", origin="README.md")]
    one.runtime.store.memories.reconcile(one.project, "facts", ["pyproject.toml", "README.md"], said, clock.now())
    noted = one.remember(Note("staging runs Python 3.12", pinned=True, label="mine"))
    one.forget(one.remember(Note("gone again")).id)
    one.remember(Note("# not a heading\n- deploy on `Monday`", kind=Kind.EPISODE))
    one.cite([noted.id], "edit")
    one.start_conversation("Prices")
    say(one, "decision: prices are cents", "task: write the release notes by 2026-02-01", "waiting-on: Alex reviews it")
    one.close_conversation()
    one.confirm_review()
    clock.advance(hours=2)  # type: ignore[attr-defined]
    one.start_conversation("Deleted")
    say(one, "decision: zanzibar unobtainium")
    deleted = one.close_conversation().conversation
    one.confirm_review()
    one.forget_conversation(deleted.id)
    clock.advance(hours=2)  # type: ignore[attr-defined]
    one.start_conversation("Going on")
    one.add_turn([Message(Role.USER, "done: write the release notes\n## 7, no turn of its own")])
    one.add_todo(Todo("buy milk", due="2026-02-02"))
    one.make_act("Side project")
    one.allow_source("codex")
    one.classify("where do prices round?")
    accuracy.count(one.runtime.store.database, "c1", clock.now(), {"opened": Rate(3, 2)})
    notes = one.runtime.store.home / "notes" / "days"
    notes.mkdir(parents=True)
    (notes / "2026-01-05.md").write_text("A quiet day.\n")


def rows(database: Database, table: str) -> list[str]:
    with database.read() as connection:
        found = connection.execute(f"select * from {table}")
        names = [column[0] for column in found.description]
        return sorted(
            json.dumps(dict(zip(names, row, strict=True)), default=str, sort_keys=True) for row in found.fetchall()
        )


def taken(database: Database, folder: Path) -> object:
    path = folder / "companion.jsonl"
    return import_lines(database, "", path, counter=WordCounter(), redactor=SecretRedactor())


def test_every_kind_of_column_that_is_kept_has_been_written_and_read_back(lived: LocalCompanion):
    """A column of a type that no row of the law below has would break the export of whoever has one."""
    question = "select distinct data_type from duckdb_columns() where list_contains($names, table_name)"
    names = [table.name for table in KEPT]
    with lived.runtime.store.database.read() as connection:
        types = {found for (found,) in connection.execute(question, {"names": names}).fetchall()}
    plain = {"VARCHAR", "VARCHAR[]", "JSON", "BOOLEAN", "BIGINT", "INTEGER", "DOUBLE", "FLOAT[]"}
    assert types == {*plain, "TIMESTAMP", "DATE"}


def test_an_empty_store_gets_the_same_content_and_exports_the_same_bytes(lived: LocalCompanion, tmp_path: Path):
    written = export(lived.runtime.store.database, tmp_path / "one")
    with_rows = {
        table: rows(lived.runtime.store.database, table) for table in [*(one.name for one in KEPT), *MEMORY_TABLES]
    }
    other = open_store(tmp_path / "other", wait_s=1, memory_limit="200MB")
    taken(other, tmp_path / "one")
    again = export(other, tmp_path / "two")
    assert {table: rows(other, table) for table in with_rows} == with_rows
    assert projects.user_id(other) == lived.runtime.store.user
    assert [path.relative_to(tmp_path / "two") for path in again] == [
        path.relative_to(tmp_path / "one") for path in written
    ]
    assert [path.read_bytes() for path in again] == [path.read_bytes() for path in written]
    assert (tmp_path / "other" / "notes" / "days" / "2026-01-05.md").read_text() == "A quiet day.\n"
    other.close()
    filled = sum(bool(some) for some in with_rows.values())
    assert filled >= 15, "the law says nothing about empty tables"


def test_every_table_is_exported_or_said_to_be_made_again(lived: LocalCompanion):
    with lived.runtime.store.database.read() as connection:
        there = {
            row[0] for row in connection.execute("select table_name from duckdb_tables() where not internal").fetchall()
        }
    kept = {one.name for one in KEPT}
    assert there == kept | set(MEMORY_TABLES) | set(DERIVED)
    assert not kept & set(DERIVED)


def test_the_pages_say_all_that_is_kept(lived: LocalCompanion, tmp_path: Path):
    lived.export(tmp_path, everything=True)
    pages = {str(path.relative_to(tmp_path)): path.read_text() for path in tmp_path.rglob("*.md")}
    whole = "\n".join(pages.values())
    for text in (
        "staging runs Python 3.12", "pinned", "label: mine", "archived: forgotten by hand", "cited 2026-01-05", "prices are cents",
        "decision: prices are cents", "Noted.", "buy milk", "due: 2026-02-02", "Side project", "Your Story", "waiting-on", "Alex",
        "where do prices round?", "A quiet day.", "source: pyproject.toml:12", "open, sure",
    ):  # fmt: skip
        assert text in whole, text
    assert re.search(r"\d+ memories, 2 conversations with \d+ turns, \d+ items, 1 answer\.", pages["README.md"])
    assert any(name.startswith("conversations/2026-01-05 prices") for name in pages)
    assert "zanzibar" not in whole + (tmp_path / "companion.jsonl").read_text()


def test_text_of_talk_and_memories_cannot_pose_as_a_heading(lived: LocalCompanion, tmp_path: Path):
    lived.export(tmp_path, everything=True)
    lines = [
        line for path in tmp_path.rglob("*.md") if "notes" not in path.parts for line in path.read_text().splitlines()
    ]
    assert not [line for line in lines if line.startswith(("# not a heading", "## 7, no turn"))]
    assert "> # not a heading" in lines and "> ## 7, no turn of its own" in lines


def test_another_store_gets_what_it_lacks_once_and_stays_its_own(
    lived: LocalCompanion, tmp_path: Path, new_repo: Callable[..., Repo]
):
    lived.export(tmp_path / "one", everything=True)
    there = Desk(tmp_path / "there", FakeClock())
    mine = new_repo("mine")
    mine.write("README.md", "Mine.")
    mine.commit("Begin")
    other = there.open(mine.root)
    other.runtime.talk_rules = LabelledLines  # type: ignore[assignment]
    own = other.start_conversation("Mine")
    user, story = other.runtime.store.user, other.acts()[0]
    assert other.import_file(tmp_path / "one") > 0
    assert other.runtime.store.user == user and other.acts()[0] == story, "one user, one Your Story"
    assert [act.permanent for act in other.acts()].count(True) == 1
    assert other.active_conversation() is not None and other.active_conversation().id == own.id
    assert "prices are cents" in [memory.draft.value for memory in other.story()]
    assert other.import_file(tmp_path / "one" / "companion.jsonl") == 0
    before = rows(other.runtime.store.database, "turns")
    usage.record(other.runtime.store.database, [other.story()[0].id], "cited", "later", there.clock.now())
    other.import_file(tmp_path / "one")
    assert rows(other.runtime.store.database, "turns") == before
    other.close()


FAULTS = {
    "no JSON": lambda line: line[:-5],
    "a table that is none": lambda line: line.replace('"table":"turns"', '"table":"users"'),
    "a row that is none": lambda line: '{"table":"turns","row":[1]}',
    "no key": lambda line: line.replace('"id":', '"idea":'),
    "a number for a text": lambda line: line.replace('"channel":""', '"channel":7'),
    "a text for a number": lambda line: line.replace('"tokens":', '"tokens":"x","was":'),
    "no such time": lambda line: line.replace('"said_at":"2026', '"said_at":"someday 2026'),
    "messages that are no JSON": lambda line: line.replace('"messages":"', '"messages":"{'),
}


@pytest.fixture(scope="module")
def lines(lived: LocalCompanion, tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    folder = tmp_path_factory.mktemp("lines")
    export(lived.runtime.store.database, folder)
    return (folder / "companion.jsonl").read_text().splitlines()


def test_an_export_of_before_tables_were_renamed_or_gone_is_read_as_one_of_today(lines: list[str], tmp_path: Path):
    run = {"id": "n1then", "number": 1, "project_id": "p1", "asked_by": "command", "state": "applied", "passes": []}
    row = (
        run
        | dict.fromkeys(("since", "started_at", "ended_at", "undone_at", "figures"))
        | {"planned_at": "2026-01-05T00:00:00"}
    )
    before = [
        {"table": "night_runs", "row": row},
        {"table": "talk_moves", "row": {"conversation_id": "c1", "number": 1}},
    ]
    (tmp_path / "companion.jsonl").write_text("\n".join([*lines, *map(json.dumps, before)]))
    other = open_store(tmp_path / "other", wait_s=1, memory_limit="200MB")
    taken(other, tmp_path)
    assert [json.loads(kept)["id"] for kept in rows(other, "runs")] == ["n1then"]
    other.close()


def test_a_faulty_line_imports_nothing(lines: list[str], tmp_path: Path):
    at = next(number for number, line in enumerate(lines) if '"table":"turns"' in line)
    other = open_store(tmp_path / "other", wait_s=1, memory_limit="200MB")
    for name, fault in FAULTS.items():
        bad = fault(lines[at])
        assert bad != lines[at], name
        folder = tmp_path / "bad"
        folder.mkdir(exist_ok=True)
        (folder / "companion.jsonl").write_text("\n".join([*lines[:at], bad, *lines[at + 1 :]]))
        with pytest.raises(UsageError, match="was not imported"):
            taken(other, folder)
        assert rows(other, "acts") == rows(other, "turns") == rows(other, "memories") == [], name
    other.close()


def test_an_export_of_a_newer_program_is_refused(lines: list[str], tmp_path: Path):
    (tmp_path / "companion.jsonl").write_text("\n".join([lines[0].replace('"version":2', '"version":9'), *lines[1:]]))
    other = open_store(tmp_path / "other", wait_s=1, memory_limit="200MB")
    with pytest.raises(UsageError, match="format 9"):
        taken(other, tmp_path)
    other.close()


def test_secrets_in_an_edited_export_do_not_come_in(lines: list[str], tmp_path: Path):
    token = "ghp_" + "R9x2LmQ7vT4kZ8nB3cY6wP1sD5fG0hJ2aK4e"
    (tmp_path / "companion.jsonl").write_text("\n".join(lines).replace("prices are cents", f"prices {token}"))
    other = open_store(tmp_path / "other", wait_s=1, memory_limit="200MB")
    taken(other, tmp_path)
    assert token not in "".join(text for one in (*(t.name for t in KEPT), *MEMORY_TABLES) for text in rows(other, one))
    other.close()
