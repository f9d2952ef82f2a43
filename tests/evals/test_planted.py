"""What was planted in written talks is found again, and measured so."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

import pytest
from talk.conversations import extract

from companion.errors import UsageError
from companion.language.names import Names
from companion.records.talk import Message, Role, Turn
from evals.labelled.planted import Written, planted, read_talks

TALK = """
at = 2026-01-05T09:00:00
turns = [
  ["We decided to keep prices as integer cents.", "Noted."],
  ["Priya reviews the tax table, 19 percent is the rate", "OK."],
]
plants = [
  ["decision", ["integer cents"], "how are prices kept?"],
  ["name", ["Priya"], "who reviews the tax table?"],
  ["number", ["19 percent"], "what is the tax rate?"],
]
never = ["half a cent"]
"""


def kept(talk: Written, sort: str) -> list[bool]:
    """Whether each planted thing of a sort stands in an item that the rules find."""
    turns = [
        Turn(f"t{n}", talk.name, n, talk.at + timedelta(minutes=n), (Message(Role.USER, a), Message(Role.ASSISTANT, b)))
        for n, (a, b) in enumerate(talk.turns, 1)
    ]
    texts = ["\n".join((one.text, *one.details.values())) for one in extract(turns, [], [], Names()).items]
    assert not [word for word in talk.never for text in texts if word.lower() in text.lower()]
    return [any(map(one.stands_in, texts)) for one in talk.planted if one.sort == sort]


def test_a_talk_is_held_by_the_product_and_what_was_planted_is_found_again(tmp_path: Path):
    (tmp_path / "one.toml").write_text(TALK)
    told = planted(tmp_path)
    assert (told["n"], told["missing"], told["kept_wrongly"]) == (3, [], [])
    assert told["by"]["decision"]["ours"]["kept"] == 1  # type: ignore[index]


def test_the_rules_keep_most_decisions_and_names_of_the_written_talks():
    talks = list(read_talks(None))
    decisions = [one for talk in talks for one in kept(talk, "decision")]
    names = [one for talk in talks for one in kept(talk, "name")]
    assert sum(decisions) >= 0.6 * len(decisions)
    assert sum(names) >= 0.8 * len(names)


@pytest.mark.parametrize("text", ["", "[", TALK.replace("Priya", "Nobody", 1), TALK.replace('"name"', '"colour"')])
def test_a_talk_that_is_none_is_refused_with_what_it_should_be(tmp_path: Path, text: str):
    (tmp_path / "one.toml").write_text(text)
    with pytest.raises(UsageError):
        list(read_talks(tmp_path))


def test_an_empty_folder_has_no_talk(tmp_path: Path):
    with pytest.raises(UsageError, match="no talk"):
        list(read_talks(tmp_path))
