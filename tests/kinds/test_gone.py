"""What a bare title speaks of must still be there to be looked up; what explains itself needs nothing else."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime, timedelta

from history import START, HistoryWorld, Log

from companion.kinds.episodes import Episodes, origin_of
from companion.kinds.gone import LISTED, SETTLED
from companion.records import ChangeStatus, FileChange, Kind, ParsedFile, Role, Symbol, SymbolKind

SOURCE_AND_TEST = ("src/pool.py", "tests/test_pool.py")
WHY = "The pool handed out closed connections, because nobody asked whether they were alive before they were given."


def code(*classes: str) -> ParsedFile:
    return ParsedFile(
        path="src/pool.py",
        language="python",
        role=Role.SOURCE,
        content_hash="1",
        size_bytes=1,
        lines=1,
        symbols=tuple(Symbol(name, name, SymbolKind.CLASS, 1, 2, f"class {name}") for name in classes),
    )


def subjects(log: Log, classes: Sequence[str] = (), now: datetime = START + 2 * SETTLED) -> list[str]:
    world = HistoryWorld(commits=log.commits, code=(code(*classes),) if classes else (), paths=SOURCE_AND_TEST, now=now)
    return [draft.subject for draft in Episodes().learn(world) if draft.kind is Kind.EPISODE]


def test_a_bare_title_whose_files_are_gone_is_not_told_and_a_moved_file_is_not_gone() -> None:
    log = Log()
    log.commit("Support chunked bodies in the old server", "", ("old/server.py", "tests/test_server.py"))
    kept = log.commit("Support chunked bodies in the client", "", ("client.py", "tests/test_client.py"))
    explained = log.commit("Support trailers in the old server", WHY, ("old/server.py", "tests/test_server.py"))
    log.commits.append(
        replace(
            log.commit("Lay out the sources anew", "", ("x.py",)),
            sha="f" * 40,
            changes=(FileChange(ChangeStatus.RENAMED, "src/client.py", "client.py"),),
        )
    )
    world = HistoryWorld(commits=log.commits, paths=("src/client.py", "tests/test_client.py"))
    told = [draft.origin for draft in Episodes().learn(world) if draft.kind is Kind.EPISODE]
    assert told == [origin_of(kept.sha), origin_of(explained.sha)]


def test_a_bare_title_about_a_class_that_left_the_code_is_not_told() -> None:
    log = Log()
    log.commit("Add `idle` to PoolTimeouts", "", SOURCE_AND_TEST)
    log.commit("Add `idle` to ConnectionPool", "", SOURCE_AND_TEST)
    log.commit("Give PoolTimeouts a repr of its own", WHY, SOURCE_AND_TEST)
    log.commit("Remove PoolTimeouts and their defaults", "", SOURCE_AND_TEST)
    told = subjects(log, ["BaseConnectionPool"])
    assert told == [
        "Add `idle` to ConnectionPool",
        "Give PoolTimeouts a repr of its own",
        "Remove PoolTimeouts and their defaults",
    ]


def test_a_class_is_not_missed_where_no_code_was_read_nor_in_what_was_done_lately() -> None:
    log = Log()
    log.commit("Add `idle` to PoolTimeouts", "", SOURCE_AND_TEST)
    assert subjects(log) == ["Add `idle` to PoolTimeouts"]
    assert subjects(log, ["Other"], now=START + timedelta(days=1)) == ["Add `idle` to PoolTimeouts"]


def test_an_entry_of_a_list_that_only_grew_is_not_told_unless_it_is_explained() -> None:
    log = Log()
    for name in ("haskell", "erlang", "fortran", "cobol", "prolog", "smalltalk", "verilog", "ocaml")[:LISTED]:
        log.commit(f"suffixes: add {name} and its `.{name}` suffix", "", ("src/pool.py",))
    log.commit("suffixes: add a fallback for unknown suffixes", WHY, ("src/pool.py",))
    log.commit("suffixes: add `--suffix-list` to print them all", "", (*SOURCE_AND_TEST[:1], "src/cli.py"))
    assert subjects(log) == [
        "suffixes: add a fallback for unknown suffixes",
        "suffixes: add `--suffix-list` to print them all",
    ]
