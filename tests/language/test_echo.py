"""What we put into a conversation is not what was said in it: whole contexts, parts of them, and our answers."""

from __future__ import annotations

from datetime import datetime
from itertools import combinations
from pathlib import Path

import pytest
from talk.conversations import extract, turn_of

from companion.language.echo import without_echo
from companion.language.names import Names
from companion.surfaces.mcp.answers import element, framed

GOLDEN = Path(__file__).parent.parent / "engine" / "golden"
FORMS = ("debugging.md", "debugging.xml", "debugging.json")
BEFORE = "Here is what I see:\n\n"
AFTER = "\n\nWhy does the login fail?\nLet's go with server-side cookies."


def golden(name: str) -> str:
    return (GOLDEN / name).read_text("utf-8")


@pytest.mark.parametrize("name", FORMS)
def test_nothing_is_left_of_a_whole_context(name: str) -> None:
    assert without_echo(golden(name)).strip() == ""


@pytest.mark.parametrize("name", FORMS)
def test_what_was_said_around_a_context_is_kept(name: str) -> None:
    assert without_echo(BEFORE + golden(name) + AFTER).split() == (BEFORE + AFTER).split()


@pytest.mark.parametrize("name", FORMS)
def test_no_part_of_a_context_becomes_an_item(name: str) -> None:
    """Any lines of it that follow one another, from a single one to all."""
    lines = golden(name).split("\n")
    taken = set()
    for first, last in combinations(range(len(lines) + 1), 2):
        part = "\n".join(lines[first:last])
        turn = turn_of("echo", 0, (part, part), datetime(2026, 3, 2))
        taken |= {(item.type.value, item.text) for item in extract([turn], [], [], Names()).items}
    assert taken == set()


@pytest.mark.parametrize(
    "ours",
    [
        "- Use server-side cookies for sessions m1ab12cd34",
        "- We decided to use Stripe (docs/adr/0004.md:3 · 3 d · m18a2b3c4d)",
        "- python: 3.9 or later [README.md:8]\n  against: 3.11 [setup.py:5] (README.md:8 +1 · 24 h · x16e4a597d)",
    ],
)
def test_a_single_item_or_pointer_of_ours_is_left_out(ours: str) -> None:
    assert without_echo(f"{ours}\nok").strip() == "ok"


def test_an_answer_of_the_search_tool_is_left_out() -> None:
    answer = framed("memories", [element("memory", {"id": "m1-ab12cd34ef"}, "We decided to use Stripe.")])
    assert without_echo(f"{answer}\nok").strip() == "ok"


def test_a_context_in_a_host_s_reminder_is_left_out() -> None:
    reminder = f"<system-reminder>\n{golden('debugging.md')}\n</system-reminder>"
    assert without_echo(f"{reminder}\nok").strip() == "ok"


@pytest.mark.parametrize(
    "said",
    [
        "# Plan\n\n- drop Python 3.8 (full stop)\n- ship",
        "the <item> element has no closing tag",
        "context for the login: we use cookies",
        "- see `companion expand` for more",
        "## Context\nwe are three people",
        "a <context> is opened here",
    ],
)
def test_what_only_resembles_ours_is_kept(said: str) -> None:
    assert without_echo(said) == said
