"""Skeletons and outlines: what is shown of a file at a given length."""

import pytest
from fakes import WordCounter
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.syntax import outline, parse, skeleton

COUNT = WordCounter().count
SOURCE = b'''"""Baskets."""

class Basket:
    """Holds things."""

    def sell(self, count: int) -> int:
        """Sells some."""
        def inner(): pass
        return count

    def _hide(self): pass

def total(basket): return 1
'''


def test_a_skeleton_shows_every_signature_under_its_class_with_its_first_sentence():
    assert skeleton(parse("a.py", SOURCE, "h"), COUNT) == (
        "# Baskets.\n"
        "class Basket  # Holds things.\n"
        "  def sell(self, count: int) -> int  # Sells some.\n"
        "  def _hide(self)\n"
        "def total(basket)"
    )


def test_what_does_not_fit_is_counted_and_public_names_come_first():
    text = skeleton(parse("a.py", SOURCE, "h"), COUNT, limit_tokens=22)
    assert COUNT(text) <= 22
    assert "class Basket" in text
    assert "_hide" not in text
    assert text.splitlines()[-1].startswith("… ")


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 300), st.integers(0, 60), st.integers(1, 12))
def test_a_skeleton_never_exceeds_its_limit_and_is_the_same_each_time(limit, functions, arguments):
    names = ", ".join(f"argument_{n}: int" for n in range(arguments))
    source = "\n".join(f"def function_{n}({names}): pass" for n in range(functions))
    parsed = parse("a.py", source.encode(), "h")
    text = skeleton(parsed, COUNT, limit)
    assert COUNT(text) <= limit
    assert text == skeleton(parsed, COUNT, limit)


def test_a_long_file_fills_most_of_its_limit():
    source = "\n".join(f"def function_{n}(a: int, b: str) -> None: pass" for n in range(500))
    text = skeleton(parse("a.py", source.encode(), "h"), COUNT, 400)
    assert 300 <= COUNT(text) <= 400


def test_a_file_without_symbols_has_an_empty_skeleton_and_outline():
    parsed = parse("a.json", b"{}", "h")
    assert skeleton(parsed, COUNT) == ""
    assert outline(parsed) == ""


def test_an_outline_names_types_with_their_methods_and_functions():
    assert outline(parse("a.py", SOURCE, "h")) == "Basket (sell), total"


@pytest.mark.parametrize("functions", [1, 30, 400])
def test_an_outline_stays_short_and_says_what_it_leaves_out(functions):
    source = "\n".join(f"def function_number_{n}(): pass" for n in range(functions))
    text = outline(parse("a.py", source.encode(), "h"))
    assert len(text) <= 180
    assert ("more" in text) == (functions > 10)
