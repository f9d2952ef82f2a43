"""Code goes into tables and comes back as it was read, without secrets."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from fakes import PlainRedactor, WordCounter
from msgspec.structs import replace
from stores import store

from companion.records import (
    FileRole,
    Import,
    Link,
    LinkKind,
    ParsedFile,
    Reference,
    ReferenceKind,
    Shape,
    ShapeFamily,
    Symbol,
    SymbolKind,
)
from companion.store.bulk import insert_rows
from companion.store.code.tables import Code
from companion.store.database import Database

CHECKOUT = "c1test"


@pytest.fixture
def database(tmp_path: Path) -> Iterator[Database]:
    with store(tmp_path) as opened:
        with opened.write() as connection:
            insert_rows(
                connection, "checkouts", ("id", "project_id", "common_dir", "root"), [(CHECKOUT, "p", "/g", "/r")]
            )
        yield opened


@pytest.fixture
def code(database: Database) -> Code:
    return Code(database, WordCounter(), PlainRedactor())


def parsed(path: str = "src/app.py", **given: object) -> ParsedFile:
    return replace(
        ParsedFile(
            path=path,
            language="python",
            role=FileRole.SOURCE,
            content_hash="h1",
            size_bytes=10,
            lines=3,
            symbols=(
                Symbol("App", "App", SymbolKind.CLASS, 1, 9, "class App:"),
                Symbol("run", "App.run", SymbolKind.METHOD, 2, 4, "def run(self):", public=False),
            ),
            references=(Reference("go", ReferenceKind.CALL, 3, qualifier="self"),) * 2,
            imports=(Import("os", 1, ("path", "sep")), Import("sys", 2)),
            shapes=(Shape(ShapeFamily.ENDPOINT, "log.info", 4, "App.run", {"level": "info"}),),
        ),
        **given,
    )


def revision(database: Database) -> int:
    with database.read() as connection:
        row = connection.execute("select code_revision from checkouts").fetchone()
    assert row is not None
    return int(row[0])


def test_a_file_comes_back_as_it_was_parsed(code: Code) -> None:
    code.replace(CHECKOUT, [(parsed(), "App run", 5)])
    assert code.parsed(CHECKOUT) == (parsed(),)
    assert code.parsed(CHECKOUT, ["src/app.py"]) == (parsed(),)
    assert code.parsed(CHECKOUT, []) == ()
    assert code.known(CHECKOUT) == {"src/app.py": (5, 10, "h1")}


def test_forms_carry_exact_counts_and_symbols(code: Code) -> None:
    code.replace(CHECKOUT, [(parsed(), "App run", 5)])
    forms = code.forms(CHECKOUT)["src/app.py"]
    assert forms.outline_tokens == 2
    assert forms.symbols == tuple(replace(one, signature="") for one in parsed().symbols)


def test_files_without_syntax_are_kept(code: Code) -> None:
    plain = ParsedFile("notes.txt", "", FileRole.DOC, "h", 3, 1)
    code.replace(CHECKOUT, [(plain, "", 1)])
    assert code.parsed(CHECKOUT) == (plain,)
    assert code.forms(CHECKOUT)["notes.txt"].outline_tokens == 0


def test_replacing_leaves_nothing_of_before(code: Code, database: Database) -> None:
    code.replace(CHECKOUT, [(parsed(), "o", 1), (parsed("b.py"), "o", 1)])
    before = revision(database)
    empty = replace(parsed(), symbols=(), references=(), imports=(), shapes=(), content_hash="h2")
    code.replace(CHECKOUT, [(parsed(), "o", 1), (empty, "", 2)])
    assert code.parsed(CHECKOUT) == (parsed("b.py"), empty)
    assert revision(database) == before + 1


def test_a_removed_file_takes_its_links_along(code: Code) -> None:
    code.replace(CHECKOUT, [(parsed(path), "o", 1) for path in ("a.py", "b.py", "c.py")])
    links = [Link("a.py", "b.py", LinkKind.IMPORT, 2.0, ("x", "y")), Link("b.py", "c.py", LinkKind.TEST)]
    code.set_links(CHECKOUT, ["a.py", "b.py"], links)
    assert code.links(CHECKOUT) == tuple(links)
    code.remove(CHECKOUT, ["c.py"])
    assert code.links(CHECKOUT) == (links[0],)
    assert [one.path for one in code.parsed(CHECKOUT)] == ["a.py", "b.py"]


def test_links_are_replaced_by_source(code: Code) -> None:
    kept = Link("a.py", "b.py", LinkKind.CALL)
    code.set_links(CHECKOUT, ["a.py", "b.py"], [kept, Link("b.py", "a.py", LinkKind.CALL)])
    code.set_links(CHECKOUT, ["b.py"], [])
    assert code.links(CHECKOUT) == (kept,)


def test_secrets_reach_no_column(code: Code, database: Database) -> None:
    secret = "hunter2-secret"
    leaky = replace(
        parsed(),
        symbols=(Symbol("k", "k", SymbolKind.CONSTANT, 1, 1, f"k = '{secret}'"),),
        shapes=(Shape(ShapeFamily.ENDPOINT, "log", 1, "", {"text": secret}),),
    )
    code.replace(CHECKOUT, [(leaky, secret, 1)])
    with database.read() as connection:
        for table in ("code_files", "symbols", "shapes"):
            assert secret not in str(connection.execute(f"select * from {table}").fetchall())
    assert code.parsed(CHECKOUT)[0].symbols[0].signature == "k = '[redacted password]'"


def test_new_times_are_noted_without_a_new_revision(code: Code, database: Database) -> None:
    code.replace(CHECKOUT, [(parsed(), "o", 1)])
    before, written = revision(database), database.revision
    code.restamp(CHECKOUT, {"src/app.py": (10, 99, "h1")})
    assert code.known(CHECKOUT)["src/app.py"] == (99, 10, "h1")
    assert (revision(database), database.revision) == (before, written)


def test_paths_that_are_no_text_are_kept_and_removed(code: Code) -> None:
    code.replace(CHECKOUT, [(parsed("bad\udcff.py"), "o", 1)])
    assert [one.path for one in code.parsed(CHECKOUT)] == ["bad�.py"]
    code.remove(CHECKOUT, ["bad\udcff.py"])
    assert code.known(CHECKOUT) == {}
