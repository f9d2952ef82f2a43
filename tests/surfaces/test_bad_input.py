"""Whatever a repository, a path or an argument is like: an answer, or a sentence with the next command."""

from __future__ import annotations

from pathlib import Path

import pytest
from app.conftest import Desk
from fakes import FakeClock

from companion.api import Note, Order
from companion.config import HIDING_NAME
from companion.records import Format, Profile, SearchQuery, Signals
from surfaces.conftest import NOTE
from surfaces.odd import NewRepo, code
from surfaces.shells import Shell, refused

HALF = "caf\udce9 \ud800 x"
"""Undecodable bytes as Python hands them over, and half a character from nowhere."""
UNDECODED = "caf\udce9 x"
"""The same as a system hands it over; the other half cannot be in a command line."""


# ---------------------------------------------------------------------- arguments of every sort


@pytest.mark.parametrize(
    "arguments",
    [
        ("context", "--query", HALF, "--collaborator", HALF),
        ("predict", "--query", HALF),
        ("search", HALF),
        ("search", "x", "--entity", HALF, "--scope", HALF),
        ("remember", HALF, "--label", HALF, "--scope", HALF),
    ],
)
def test_half_a_character_in_a_text_is_replaced(shop: Shell, arguments: tuple[str, ...]) -> None:
    said = shop(*arguments, "--json")
    assert said.code == 0
    assert "\\ud" not in said.out
    assert shop(*arguments).code == 0


@pytest.mark.parametrize(
    "arguments",
    [
        ("context", "--branch", UNDECODED),
        ("context", "--activity", UNDECODED),
        ("context", "--at", UNDECODED),
        ("context", "--error", UNDECODED),
        ("context", "--format", UNDECODED),
        ("search", "x", "--kind", UNDECODED),
        ("search", "x", "--as-of", UNDECODED),
        ("expand", UNDECODED),
        ("expand", f"file:{UNDECODED}"),
        ("explain", UNDECODED),
        ("forget", UNDECODED),
        ("revive", UNDECODED),
        ("pin", UNDECODED),
        ("import", UNDECODED),
        ("init", UNDECODED),
    ],
)
def test_half_a_character_in_a_name_is_a_name_that_is_not_there(
    visited_shop: Shell, arguments: tuple[str, ...]
) -> None:
    said = visited_shop(*arguments)
    refused(said, "", "")
    said.err.encode("utf-8")


@pytest.mark.parametrize(
    ("arguments", "what", "next_step"),
    [
        (("context", "--budget", "-1"), "A budget of -1 tokens makes no sense", "--budget 8000"),
        (("context", "--budget", "99999999999999999999"), "makes no sense", "--budget 8000"),
        (("explain", "--budget", "-5"), "A budget of -5 tokens makes no sense", "--budget 8000"),
        (("search", "x", "--kind", "rumour"), "There is no kind `rumour`", "fact, episode, pattern, workflow"),
        (("remember", "x", "--kind", "rumour"), "There is no kind `rumour`", "fact, episode, pattern, workflow"),
        (("remember", "x", "--visibility", "all"), "There is no visibility `all`", "user-private, project-shared"),
        (("search", "x", "--profile", "best"), "There is no profile `best`", "learned"),
        (("context", "--format", "pdf"), "There is no format `pdf`", "md, xml, json"),
        (("context", "--order", "random"), "There is no order `random`", "people, assistants"),
        (("context", "--activity", "sleeping"), "There is no activity `sleeping`", "debugging"),
        (("context", "--branch", "nowhere"), "There is no branch `nowhere`", "git branch"),
        (("context", "--at", "someday"), "`someday` is not a moment", "2026-01-31"),
        (("context", "--at", "99999y"), "`99999y` is not a moment", "2026-01-31"),
        (("context", "--at", "0001-01-01T00:00+14:00"), "is not a moment", "2026-01-31"),
        (("context", "--error", "nowhere.log"), "nowhere.log cannot be read", "standard input"),
        (("context", "--error", "."), "cannot be read", "standard input"),
        (("remember", "  "), "There is nothing to remember", "companion remember"),
        (("remember", "\u200b\u202e"), "There is nothing to remember", "companion remember"),
        (("remember", "x" * 20_001), "20001 characters are too many", "split it"),
        (("expand", "m1nothing"), "No memory has an id or label `m1nothing`", "companion search"),
        (("expand", ""), "No memory", "companion search"),
        (("search", " "), "There is nothing to search for", "companion search TEXT"),
        (("why", "shop/cart.py:0"), "There is no line 0", "Lines begin at 1"),
        (("why", "shop/cart.py:7-0"), "There is no line 0", "Lines begin at 1"),
        (("forget", "m1nothing"), "No memory", "companion search"),
        (("expand", "file:nowhere.py"), "is not an indexed file", "companion init"),
    ],
)
def test_what_makes_no_sense_is_refused_with_what_does(
    visited_shop: Shell, arguments: tuple[str, ...], what: str, next_step: str
) -> None:
    refused(visited_shop(*arguments), what, next_step)


def test_a_budget_of_nothing_is_an_empty_context(shop: Shell) -> None:
    said = shop("context", "--budget", "0", "--json")
    assert said.code == 0
    assert said.json["tokens"] == 0


def test_of_an_endless_error_the_end_is_read(visited_shop: Shell, tmp_path: Path) -> None:
    log = tmp_path / "error.log"
    frame = b'Traceback (most recent call last):\n  File "shop/price.py", line 3, in total\nTypeError: no cents\n'
    log.write_bytes(b"\xff\x00 noise\n" * 300_000 + frame)
    said = visited_shop("context", "--error", log, "--json")
    assert said.code == 0
    assert said.json["activity"] == "debugging"
    assert "shop/price.py" in said.json["text"]


def test_only_an_export_can_be_imported(shop: Shell, tmp_path: Path) -> None:
    for name, content in (("text", b"hello\n"), ("bytes", b"\xff\xfe\x00\x01"), ("list", b"[1]\n"), ("none", b"")):
        (tmp_path / name).write_bytes(content)
        refused(shop("import", tmp_path / name), "", "")
    refused(shop("import", tmp_path), "There is no export in", "companion export")
    assert NOTE in shop("search", "rounded").out


def test_a_pasted_traceback_is_read_as_one_that_a_file_holds(shop: Shell, tmp_path: Path) -> None:
    pasted = 'Traceback (most recent call last):\n  File "nowhere.py", line 1, in <module>\nKeyError: 1\n'
    (tmp_path / "error.log").write_text(pasted)
    told, kept = (shop("context", "--error", one) for one in (pasted, tmp_path / "error.log"))
    assert told.code == kept.code == 0
    assert told.out == kept.out


# ---------------------------------------------------------------------- settings


@pytest.mark.parametrize(
    ("settings", "what"),
    [
        ("budget_tokens = ", "is not valid TOML"),
        ("colour = 'red'", "unknown setting `colour`"),
        ("budget_tokens = -1", "must lie between 0 and 1,000,000"),
        ("budget_tokens = 'many'", "must be int"),
        ("parse_workers = 100000", "must lie between 0 and 64"),
        ("store_wait_s = nan", "must lie between 0 and 3,600"),
        ("store_wait_s = inf", "must lie between 0 and 3,600"),
        ("file_max_bytes = inf", "must be int"),
        ("tokenizer = 'guess'", "There is no tokenizer `guess`"),
        ("memory_limit = 'lots'", "`memory_limit` is not a size"),
    ],
)
def test_a_setting_that_makes_no_sense_is_named(newcomer: Shell, new_repo: NewRepo, settings: str, what: str) -> None:
    newcomer.home.mkdir()
    (newcomer.home / "config.toml").write_text(settings)
    newcomer = newcomer.at(code(new_repo()).root)
    for arguments in (("init",), ("context",)):
        refused(newcomer(*arguments), what, "")
    assert {one.name for one in newcomer.home.iterdir()} - {HIDING_NAME} == {"config.toml"}


def test_the_doctor_names_settings_that_make_no_sense(newcomer: Shell) -> None:
    newcomer.home.mkdir()
    (newcomer.home / "config.toml").write_text("budget_tokens = ")
    said = newcomer("doctor", "--json")
    assert said.code == 1
    assert ("settings", "broken") in {(one["name"], one["state"]) for one in said.json}


def test_the_budget_of_the_settings_holds(shop: Shell) -> None:
    assert shop.with_(budget_tokens="123")("context", "--json").json["budget_tokens"] == 123
    refused(shop.with_(budget_tokens="-3")("context"), "`budget_tokens` must lie between", "doctor --settings")


# ---------------------------------------------------------------------- a clock that runs backwards


def test_a_clock_that_runs_backwards_loses_nothing(new_repo: NewRepo, tmp_path: Path) -> None:
    repo = code(new_repo())
    repo.write("pyproject.toml", '[project]\nname = "app"\n\n[tool.ruff]\nline-length = 100\n')
    repo.commit("Configure it")
    desk = Desk(tmp_path / "home", FakeClock())
    desk.scan(repo.root)
    companion = desk.open(repo.root)
    companion.remember(Note("Deploys happen on Tuesdays"))
    companion.close()
    desk.clock.advance(days=-4_000)
    repo.write("pyproject.toml", '[project]\nname = "app"\n\n[tool.ruff]\nline-length = 120\n')
    repo.commit("Widen lines", GIT_COMMITTER_DATE="2001-01-01T00:00:00 +0000")
    report = desk.scan(repo.root)
    assert (report.commits_total, report.changed) == (3, 1)
    companion = desk.open(repo.root)
    values = {m.draft.attribute: m.draft.value for m in companion.store.memories.iterate(companion.project)}
    assert values["line_length"] == "120"
    context = companion.assemble(4_000, Signals(current_file="app.py"), Format.MARKDOWN, Order.PEOPLE)
    assert context.tokens <= 4_000
    assert context.missing == () or "model" in context.missing[0]
    (hit,) = [
        h
        for h in companion.search(SearchQuery(text="Tuesdays", profile=Profile.MEMORY))
        if h.memory.draft.value.startswith("Deploys")
    ]
    again = companion.remember(Note("Deploys happen on Wednesdays"))
    companion.forget(again.id)
    assert companion.predict(Signals(current_file="app.py")).files is not None
    assert companion.search(SearchQuery(text="Tuesdays", profile=Profile.MEMORY))[0].memory.id == hit.memory.id
    companion.close()
