"""What people read: one page has all of it to be read through, and none of it has a word that the glossary forbids."""

from __future__ import annotations

import re
import tomllib

import pytest
from house.source import ROOT
from house.texts import PAGE, by_file, page

ROWS = tomllib.loads((ROOT / "tests/house/words.toml").read_text(encoding="utf-8"))["words"]
WORDS = {re.compile(pattern, re.IGNORECASE): instead for pattern, instead in ROWS.items()}


@pytest.fixture(scope="module")
def texts() -> str:
    return page()


def forbidden(text: str) -> list[str]:
    """The words in a text that are not to be there, each with what is written instead."""
    return [f"{found[0]} -> {instead}" for word, instead in WORDS.items() if (found := word.search(text))]


def test_the_page_of_all_texts_is_what_the_code_says(texts: str):
    assert PAGE.read_text(encoding="utf-8") == texts, "run `python scripts/pages.py`"


def test_no_text_has_a_word_that_the_glossary_forbids(texts: str):
    listed = [(file, text) for file, texts in by_file(texts).items() for text in texts]
    assert len(listed) > 3_000
    assert not [(file, text, wrong) for file, text in listed if (wrong := forbidden(text))]


@pytest.mark.parametrize(
    ("file", "text"),
    [
        ("companion/config.py", "errors of the last 24 hours are critical"),
        ("companion/store/trouble.py", "companion doctor --repair"),
        ("companion/surfaces/cli/init.py", "Example: `companion init"),
        ("companion/surfaces/mcp/tools/memories.py", " "),
        ("companion/surfaces/page/templates/health/room.html", "Contents"),
        ("companion/surfaces/page/templates/health/checks.html", "Something is broken."),
        ("companion/surfaces/page/static/page.js", " "),
        ("companion/records/tidying.py", "{…} {…} merged into {…}"),
        ("companion/talk/nudging.py", "nudges are switched off"),
        ("lsp/companion_lsp/features/actions.py", "Companion: pin this convention"),
        ("lsp/vscode/package.json", "Explain This Line"),
        ("lsp/vscode/src/failure.ts", " "),
    ],
)
def test_texts_of_every_sort_are_on_the_page(texts: str, file: str, text: str):
    assert text in "\n".join(by_file(texts)[file])


def test_what_nobody_reads_is_not_on_the_page(texts: str):
    every = "\n".join(text for listed in by_file(texts).values() for text in listed)
    assert len(every) > 100_000
    assert not re.search(r"\bselect \w+.* from \w+\n|\\b|Raises \w+Error where", every)


@pytest.mark.parametrize(
    "text",
    [
        "The owner of the store ended.",
        "The background service leaves after 60 s.",
        "Settle it by hand.",
        "An assistant was told of it.",
        "It rests on two notes.",
        "That is no file.",
        "Mend it, then take the pin out.",
        "Its first 20 bytes are taken in.",
        "Companion tidies every night.",
    ],
)
def test_an_odd_text_is_found(text: str):
    assert forbidden(text)


@pytest.mark.parametrize(
    "text",
    [
        "There is no file here, and it is no longer read.",
        "The rest of the vectors is made later.",
        "Settings are read from config.toml.",
        "The two cannot be told apart.",
        "Code owners are listed; what was left out is shown.",
        "`--settled` lists the resolved ones too.",
    ],
)
def test_a_plain_text_is_left_alone(text: str):
    assert not forbidden(text)
