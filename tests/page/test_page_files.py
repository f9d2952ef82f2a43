"""What others wrote is what they published; what is served is what lies there."""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass

from companion.surfaces.page import static
from companion.surfaces.page.rendering import TEMPLATES
from companion.surfaces.page.rooms import ROOMS


@dataclass(frozen=True, slots=True)
class Vendored:
    """A file of somebody else's, as its publisher packed it for npm."""

    file: str
    package: str
    version: str
    licence: str
    sha256: str


VENDORED = (
    Vendored(
        "vendored/htmx.min.js",
        "htmx.org",
        "2.0.11",
        "0BSD",
        "d6fdc75f204e6bdefa99b69bf1e6d4ac69b8a364f77929f45c13476b4000f717",
    ),
    Vendored(
        "vendored/d3.min.js",
        "d3",
        "6.7.0",
        "BSD-3-Clause",
        "fbb8da602a76f4ed49bac3561da62d8149fa121b8fd15685bacc21355d3a3322",
    ),
)
"""To take a newer one: `npm pack PACKAGE@VERSION`, copy the file and the licence, and put its sha256 here."""


def test_each_library_is_the_file_that_its_publisher_packed():
    for one in VENDORED:
        content = (static.FOLDER / one.file).read_bytes()
        assert hashlib.sha256(content).hexdigest() == one.sha256, one.file


def test_nothing_of_others_lies_there_unnamed_and_each_brings_its_licence():
    named = {one.file for one in VENDORED}
    assert {
        f"vendored/{path.name}" for path in (static.FOLDER / "vendored").iterdir() if path.suffix in static.TYPES
    } == named
    for one in VENDORED:
        licence = static.FOLDER / "vendored" / f"{one.file.removeprefix('vendored/').split('.')[0]}.LICENSE"
        assert licence.read_text().strip(), one.file


def test_an_address_changes_with_what_it_leads_to():
    for name, found in static.files().items():
        assert found.stamp == hashlib.sha256(found.content).hexdigest()[: static.STAMP_DIGITS]
        assert static.address(name) == f"/static/{found.stamp}/{name}"


def test_no_script_or_style_of_ours_names_another_computer():
    for name, found in static.files().items():
        if not name.startswith("vendored/"):
            text = found.content.decode()
            assert "http://" not in text.replace("http://www.w3.org/", ""), name
            assert "https://" not in text, name
            assert "@import" not in text
            assert "eval(" not in text


FORBIDDEN = (
    r"\|\s*safe\b",
    r"autoescape",
    r"\sstyle=",
    r"<style",
    r"<script(?![^>]*\ssrc=)",
    r"\son[a-z]+=",
    r"hx-on",
    r"javascript:",
)
"""What would let text become markup, or what the page's policy forbids."""


def test_no_template_goes_around_the_policy():
    for path in TEMPLATES.rglob("*.html"):
        text = path.read_text("utf-8")
        for pattern in FORBIDDEN:
            assert not re.search(pattern, text), f"{pattern} in {path.name}"
        for condition in re.findall(r'hx-trigger="([^"]*)"', text):
            assert "[" not in condition, f"{path.name}: a condition needs eval"


def test_rooms_are_told_apart_and_each_says_what_one_finds_there():
    assert len({room.name for room in ROOMS}) == len(ROOMS)
    for room in ROOMS:
        assert re.fullmatch(r"[a-z-]+", room.name)
        assert room.says
        assert not set(room.parts) & set(room.deeds)
        assert room.slow <= {room.name, *room.parts, *room.deeds}
