"""What a person shares from the command line: shown before it leaves, taken back by the command that stands there."""

from __future__ import annotations

import re

import pytest

from surfaces.shells import Shell

NOTES = ("Prices are integer cents.", "Releases are cut on Tuesdays.")


@pytest.fixture
def noted(shop: Shell, monkeypatch: pytest.MonkeyPatch) -> tuple[Shell, list[str]]:
    """A shell whose user has a name and wrote notes, and their ids."""
    for name, value in (("DAEMON", "never"), ("EMBEDDINGS", "off")):
        monkeypatch.setenv(f"COMPANION_{name}", value)
    settings = {"user.name": "Ada", "user.email": "ada@example.org"}
    monkeypatch.setenv("GIT_CONFIG_COUNT", str(len(settings)))
    for number, (name, value) in enumerate(settings.items()):
        monkeypatch.setenv(f"GIT_CONFIG_KEY_{number}", name)
        monkeypatch.setenv(f"GIT_CONFIG_VALUE_{number}", value)
    return shop, [shop("remember", note, "--json").json["id"] for note in NOTES]


def test_what_would_leave_is_shown_and_nothing_leaves_before_it_is_agreed_to(noted: tuple[Shell, list[str]]) -> None:
    shop, ids = noted
    asked = shop("team", "share", *ids)
    assert asked.code != 0
    assert all(note in asked.err for note in NOTES) and "--yes" in asked.err
    assert "everybody who can read the repository" in asked.err
    assert shop("team", "status", "--json").json["shared_total"] == 0


def test_each_thing_that_was_shared_can_be_taken_back_by_the_line_that_says_how(noted: tuple[Shell, list[str]]) -> None:
    shop, ids = noted
    told = shop("team", "share", *ids, "--yes").out
    assert "Shared as Ada <ada@example.org>: 2 memories." in told
    undo = re.findall(r"Undo: companion (team withdraw \w+)", told)
    assert len(undo) == len(NOTES)
    for words in undo:
        assert shop(*words.split()).code == 0
    assert shop("team", "export").code == 0
    listed = shop("team", "sent").out
    assert listed.count("a withdrawal") == len(NOTES)
    assert not any(note.rstrip(".") in listed for note in NOTES)
