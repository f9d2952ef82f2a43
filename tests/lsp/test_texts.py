"""What was remembered is shown as text, whatever it holds."""

from __future__ import annotations

from datetime import datetime
from types import SimpleNamespace
from typing import Any, cast

from companion_lsp import texts
from companion_lsp.features.lenses import marks_here
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from companion.escape import markdown_name
from companion.records import CodeLens, StoryLink, StoryStep, Why, WhyLine
from companion.surfaces.documents import told_why
from companion.surfaces.wording import STILL_ASKING

NOW = datetime(2026, 1, 5)
HOSTILE = "[click](command:evil) ![x](http://evil/p.png) <script> `a` **b** https://evil.org me@evil.org _x_"


def told(text):
    return Why("a.py", "f", 1, 2, lines=(WhyLine(text, "docs/adr/1.md:3", datetime(2025, 11, 1), "m1aa"),))


def test_markdown_in_a_memory_makes_no_link_no_image_and_no_tag():
    shown = texts.hover_markdown(told(HOSTILE), NOW, "/r", links=False)
    for dangerous in ("[click](", "![", " <script>", " **b**", " https://", "me@evil"):
        assert dangerous not in shown.replace("**Companion**", "")


@given(st.text(max_size=80))
def test_no_text_adds_a_line_to_a_hover(text):
    assert len(texts.hover_markdown(told(text), NOW, "/r", links=True).splitlines()) == 2
    assert len(texts.hover_plain(told(text), NOW).splitlines()) == 2


def test_each_line_has_its_source_and_age():
    shown = texts.hover_plain(told("Decided: cents"), NOW)
    assert shown == "Companion: f\n- Decided: cents (docs/adr/1.md:3, 2 months ago)"


def test_why_a_line_is_as_it_is_can_be_read_as_a_document():
    assert told_why(replace(told("Decided: cents"), line=2)) == (
        "f, lines 1 to 2 of a.py\n\n  Decided: cents\n    docs/adr/1.md:3, 2025-11-01, m1aa"
    )
    assert told_why(Why("a.py", "", 1, 1, 9)) == "a.py:9\n\nNothing is known of it."


def test_a_document_that_is_shown_rendered_has_every_source_as_a_link_and_no_text_as_markup():
    links = (StoryLink("pull request", "#7", ""), StoryLink("commit", "abcdefabcd", ""))
    step = StoryStep(HOSTILE, "abcdefabcd" * 4, datetime(2025, 10, 1), "Ann", detail=HOSTILE, links=links)
    why = replace(told(HOSTILE), line=2, written=step, steps=(replace(step, sha="1" * 40),), asking=True)
    shown = texts.why_markdown(why, lambda id_: f"../memory/{id_}")
    assert shown.startswith("`a.py:2` is part of `f`, lines 1 to 2\n\n- **This line: ")
    assert "2025-10-01, Ann, pull request #7, commit [abcdefabcd](../memory/abcdefabcd)" in shown
    assert "[docs/adr/1.md:3, 2025-11-01](../memory/m1aa)" in shown
    assert shown.endswith(STILL_ASKING)
    for dangerous in ("[click](", "![", " <script>", " **b**", " https://", "me@evil"):
        assert dangerous not in shown
    there = texts.why_markdown(
        replace(why, written=replace(step, links=(replace(links[1], url="https://x.org/a"),))), str
    )
    assert "commit [abcdefabcd](https://x.org/a)" in there
    assert texts.why_markdown(Why("a.py", "", 1, 1, 9), str) == "`a.py:9`\n\nNothing is known of it."


def test_a_commit_is_named_by_its_id_and_its_address_stands_on_a_line_of_its_own():
    links = (StoryLink("pull request", "#7", "https://x.org/7"), StoryLink("commit", "abcdefabcd", "https://x.org/a"))
    step = StoryStep("Use cents", "abcdefabcd" * 4, datetime(2025, 10, 1), "Ann", links=links)
    why = Why("a.py", "f", 1, 2, 2, written=step, asking=True)
    assert "This line: Use cents — *Ann, 3 months ago* [#7](https://x.org/7)" in texts.hover_markdown(
        why, NOW, "/r", links=True
    )
    assert told_why(why).split("\n\n")[1:] == [
        "  2025-10-01 This line: Use cents\n    Ann, https://x.org/7, https://x.org/a",
        "  More of its story is still being read.",
    ]
    assert "Ann, pull request #7, commit abcdefabcd" in told_why(why, urls=False), "an assistant opens them by name"
    here = replace(why, written=replace(step, links=(StoryLink("commit", "abcdefabcd"),)))
    assert "*Ann, 3 months ago* [abcdefabcd](command:" in texts.hover_markdown(here, NOW, "/r", links=True)
    assert "*Ann, 3 months ago* abcdefabcd" in texts.hover_markdown(here, NOW, "/r", links=False)


def test_command_links_are_there_only_for_clients_that_follow_them():
    assert "command:companion.expand?" in texts.hover_markdown(told("x"), NOW, "/r", links=True)
    assert "command:" not in texts.hover_markdown(told("x"), NOW, "/r", links=False)


def test_a_name_cannot_end_its_code():
    assert markdown_name("a`b") == "`aˋb`"


def test_a_lens_counts_and_says_when():
    mark = CodeLens("a.py", "C", "class", 1, 9, 3, "Use cents", datetime(2025, 10, 1))
    assert texts.lens_title(mark, NOW) == "changed 3 months ago: Use cents · 3 remembered"
    scoped = replace(mark, path="cart/price.py", says="fix(price): use cents (#12)")
    assert texts.lens_title(scoped, NOW) == "changed 3 months ago: use cents · 3 remembered", "the file says the rest"


def test_a_lens_is_plain_text_without_numbers_of_requests_and_cut_between_words():
    says = "Send `Content-Length` only where there is no other header Transfer-Encoding (#4893)"
    mark = CodeLens("a.py", "C", "class", 1, 9, 0, says, datetime(2025, 10, 1))
    shown = texts.lens_title(mark, NOW)
    assert shown == "changed 3 months ago: Send Content-Length only where there is no other header…"
    assert texts.lens_title(replace(mark, says="Use `x` (#7)"), NOW) == "changed 3 months ago: Use x"


def test_above_a_file_nothing_is_said_that_stands_above_one_of_its_definitions():
    at, other = datetime(2025, 10, 1), datetime(2025, 9, 1)
    of_file = CodeLens("a.py", "", "module", 1, 9, 0, "Use cents", at)
    here = SimpleNamespace(versions=lambda: (None, SimpleNamespace(to_edited=lambda line: line)))
    companion = SimpleNamespace(now=lambda: NOW)

    def first(says: str, changed_at: datetime) -> str:
        known = (of_file, CodeLens("a.py", "C", "class", 2, 9, 0, says, changed_at))
        return marks_here(cast(Any, companion), cast(Any, here), known)[0][2]

    assert first("Use cents", at) == "this file: changed 3 months ago"
    assert first("Round", other) == "this file: changed 3 months ago: Use cents"
