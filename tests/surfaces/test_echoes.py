"""What a person typed and what files hold is said back without steering the terminal, by whichever command says it."""

from __future__ import annotations

import pytest

from companion.surfaces.cli import output

MARKS = "\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"
STEERING = "".join(map(chr, (*range(8), *range(11, 32), *range(127, 160))))


def test_no_echo_of_a_note_turns_the_direction_of_reading(shop):
    kept = shop("remember", f"The archive is{MARKS} called txt.exe")
    id_ = kept.out.split()[1].rstrip(":")
    told = [kept, shop("pin", id_), shop("pin", id_, "--off"), shop("forget", id_), shop("revive", id_)]
    for one in told:
        assert one.code == 0
        assert "called txt.exe" in one.out
        assert not set(one.out) & set(MARKS)


@pytest.mark.parametrize("printed", [output.print_text, output.print_markdown], ids=["text", "markdown"])
def test_nothing_that_is_printed_steers_the_terminal(capsys, printed):
    printed(f"one{STEERING}{MARKS}two\r\nthree")
    said = capsys.readouterr().out
    assert not set(said) & set(STEERING + MARKS)
    assert "two\nthree" in said


def test_no_cell_of_a_table_steers_the_terminal(capsys):
    output.print_table("", ("what",), [(f"one{STEERING}{MARKS}two",)])
    assert not set(capsys.readouterr().out) & set(STEERING + MARKS)
