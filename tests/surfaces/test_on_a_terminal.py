"""What a person sees: Markdown set as a page, lines and tables broken between words, a table before its details."""

from __future__ import annotations

import os
import re

import pytest
from kept_open import let_go

from companion.surfaces.cli.output import print_table
from surfaces.shells import PROGRAM, Shell
from surfaces.terminals import terminal

pytestmark = pytest.mark.skipif(os.name != "posix", reason="terminals are those of POSIX")
COLUMNS = 60
_STYLE = re.compile(r"\x1b\[[0-9;?]*[a-zA-Z]")


def screen(shell: Shell, *asked: str) -> str:
    """What a narrow terminal shows, without its colours."""
    let_go(shell.home)
    environment = {**shell._environment(), "COLUMNS": str(COLUMNS)}
    with terminal([*PROGRAM, *asked], shell.folder, environment) as shown:
        assert shown.end() == 0, shown.said
    return _STYLE.sub("", shown.said.decode()).replace("\r\n", "\n")


@pytest.mark.parametrize(
    "asked",
    [
        ("search", "rounding"),
        ("explain",),
        ("facts",),
        ("timeline",),
        ("stats",),
        ("predict", "--file", "shop/cart.py"),
    ],
    ids=lambda asked: asked[0],
)
def test_no_word_is_broken_and_no_line_is_too_long(visited_shop: Shell, asked: tuple[str, ...]) -> None:
    piped = visited_shop(*asked).out
    shown = screen(visited_shop, *asked)
    assert {word for word in piped.split() if len(word) < COLUMNS // 2} <= set(shown.split())
    assert all(len(line) <= COLUMNS for line in shown.splitlines() if " " in line.strip())


def test_a_context_is_set_as_a_page_and_copied_as_it_is(visited_shop: Shell) -> None:
    piped, shown = visited_shop("context").out, screen(visited_shop, "context")
    (title,) = re.findall(r"^# (.+)$", piped, re.MULTILINE)
    assert title in shown
    assert not re.findall(r"^#+ ", shown, re.MULTILINE)


def test_an_explanation_begins_with_a_table_and_goes_on_with_each_item(visited_shop: Shell) -> None:
    assert visited_shop("context", "--file", str(visited_shop.folder / "shop/cart.py")).code == 0
    told = visited_shop("explain").out
    table, _, details = told.partition("\n\n")
    ranks = re.findall(r"^(\d+)(?:st|nd|rd|th) ", table, re.MULTILINE)
    assert ranks == [str(number) for number in range(1, len(ranks) + 1)] != []
    assert "because" in table
    assert re.findall(r"^reason +in words", details, re.MULTILINE)
    assert "in words" not in table


def test_where_a_table_has_no_room_its_columns_keep_their_names(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("COLUMNS", str(COLUMNS))
    columns = ("run", "when (UTC)", "state", "by", "made ", "waiting ", "refused ", "undone ")
    print_table("", columns, [("n1a2b3c4d5e6", "2026-11-30 12:00", "applied", "command", 12, 0, 3, 0)])
    assert capsys.readouterr().out == (
        "run  when (UTC)  state  by\n"
        "n1a2b3c4d5e6  2026-11-30 12:00  applied  command\n"
        "    made 12  waiting 0  refused 3  undone 0\n"
    )
