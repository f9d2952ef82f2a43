"""What people type is taken as they mean it, and what is shown to them is what there is."""

from __future__ import annotations

import io

import pytest

from companion import wire
from companion.app.verbs.memory.memories import LOOKED_AT_LATER
from companion.errors import UsageError
from companion.records import Format
from companion.surfaces.mcp.tools.memories import context
from companion.surfaces.wording import printable
from surfaces.shells import Shell, refused


def test_markdown_may_be_called_by_its_name(visited_shop: Shell) -> None:
    asked = ("context", "--budget", "600", "--format")
    named, short = visited_shop(*asked, "markdown"), visited_shop(*asked, "md")
    assert named.code == short.code == 0
    assert named.out == short.out
    refused(visited_shop(*asked, "Markdown 2"), "There is no format", "md, xml, json")


def test_markdown_may_be_called_by_its_name_in_json_too() -> None:
    assert wire.decode(Format, "markdown") is Format.MARKDOWN
    assert wire.decode(context.ask, {"format": "markdown"}).format is Format.MARKDOWN
    for wrong in ("pdf", "", 1, None):
        with pytest.raises(UsageError, match="must be one of md, xml, json"):
            wire.decode(Format, wrong)


def test_a_message_in_the_place_of_a_file_is_the_error(visited_shop: Shell) -> None:
    said = visited_shop("context", "--error", "TypeError: unsupported operand in shop/price.py", "--json")
    assert said.code == 0
    assert said.json["activity"] == "debugging"
    refused(visited_shop("context", "--error", "nowhere.log"), "cannot be read", "`TypeError: no cents`")


def test_a_task_as_long_as_an_issue_is_no_name_of_a_file(visited_shop: Shell) -> None:
    assert visited_shop("context", "the cart forgets what is in it " * 20).code == 0
    refused(visited_shop("why", "the cart forgets " * 20), "No definition is called", "FILE:LINE")


def test_a_place_may_be_typed_as_it_is_shown(visited_shop: Shell) -> None:
    assert visited_shop("why", "shop/price.py:1-2").code == 0
    assert visited_shop("why", "price.py").out.startswith("shop/price.py")
    refused(visited_shop("why", ""), "No file is named", "Name one")


def test_a_file_whose_name_looks_like_a_message_is_read(shop: Shell) -> None:
    log, plain = shop.home / "TypeError: x", shop.home / "error.log"
    for file in (log, plain):
        file.write_text('  File "shop/price.py", line 3, in total\nValueError: no cents\n')
    of_log, of_plain = (shop("context", "--error", file).out for file in (log, plain))
    assert of_log == of_plain
    assert "shop/price.py" in of_log


@pytest.mark.parametrize("mark", [*"\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"])
def test_no_mark_that_turns_the_direction_of_reading_reaches_a_terminal(mark: str) -> None:
    assert printable(f"invoice{mark}fdp.exe") == f"invoice\\u{ord(mark):04x}fdp.exe"


def test_letters_of_every_script_are_shown_as_they_are() -> None:
    for text in ("größe", "价格", "שלום", "مرحبا", "👩‍💻", "a\tb\nc"):
        assert printable(text) == text
    assert printable("\x1b[2J\udce9") == "\\x1b[2J\\xe9"


@pytest.mark.parametrize("name", ["foundation_limit", "error_window_hours"])
def test_a_setting_that_was_removed_is_named_and_everything_works(shop: Shell, name: str) -> None:
    (shop.home / "config.toml").write_text(f"{name} = 5\nbudget_tokens = 777\n")
    said = shop("context", "--json")
    assert said.code == 0
    assert said.json["budget_tokens"] == 777
    assert f"`{name}` has no effect any more" in said.err
    assert "Take its line out of" in said.err
    found = shop("doctor", "--json")
    assert found.code == 0
    assert [one["state"] for one in found.json if name in one["what"]] == ["warning"]


def test_a_setting_that_never_was_is_refused_with_the_one_likely_meant(shop: Shell) -> None:
    (shop.home / "config.toml").write_text("budget_token = 5\n")
    refused(shop("context"), "unknown setting `budget_token`", "Did you mean `budget_tokens`")


def test_what_a_note_may_contradict_and_was_not_looked_at_in_time_is_told(
    shop: Shell, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert shop("remember", "The job server runs Python 3.11", "--json").json["notices"] == []
    monkeypatch.setattr("companion.app.consolidation.opposing.ARRIVED_S", -1.0)
    said = shop("remember", "The job server runs Python 3.12", "--json")
    assert said.json["notices"] == [LOOKED_AT_LATER]
    assert "was looked at yet" in shop("remember", "The job server runs Python 3.13").err


def test_a_profile_is_taken_from_a_file_or_from_what_is_piped(
    visited_shop: Shell, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = "- I work in Berlin time.\n- I prefer pytest.\n"
    file = visited_shop.home / "me.md"
    file.write_text(text)
    said = visited_shop("remember", "--profile", file)
    assert "in every project" in said.out and "(2 things)" in said.out
    assert "I prefer pytest." in visited_shop("story").out
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(text.encode())))
    piped = visited_shop("remember", "--profile", "-", "--json")
    assert [one["draft"]["value"] for one in piped.json] == ["I work in Berlin time.", "I prefer pytest."]
    refused(visited_shop("remember", "--profile", "nowhere.md"), "nowhere.md cannot be read", "Name a text file")
