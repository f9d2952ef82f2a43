"""Skeletons and outlines: what is shown of a file at a given length."""

from itertools import pairwise

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


CPP = b"""namespace detail {
using none = int;
}
namespace detail {
template <typename T> struct Price { int cents; };
template <typename T> struct Price<std::vector<std::pair<T, T>>> { int cents; };
}
TEST(price_test, rounds) { EXPECT_EQ(1, 1); }
TEST(price_test, adds) { EXPECT_EQ(2, 2); }
"""


def test_a_name_stands_once_in_an_outline_and_a_test_macro_by_what_it_tests():
    text = outline(parse("price.cc", CPP, "h"))
    assert text == "none, Price, price_test.rounds, price_test.adds"


def test_a_namespace_around_a_whole_file_does_not_stand_for_what_is_in_it():
    source = "module Shop\n  class Basket\n    def sell; end\n    def initialize; end\n  end\nend\n"
    assert outline(parse("basket.rb", source.encode(), "h")) == "Basket (sell, initialize)"
    source = "module Shop\n  def self.open; end\nend\n"
    assert outline(parse("shop.rb", source.encode(), "h")) == "Shop (open)"


def test_a_namespace_is_shown_around_what_it_holds_and_never_empty():
    lines = skeleton(parse("price.cc", CPP, "h"), COUNT, limit_tokens=17).splitlines()
    assert all(after.startswith("  ") for line, after in pairwise(lines) if line == "namespace detail")
    assert lines[-1].startswith("…")


@pytest.mark.parametrize(
    ("path", "source", "shown"),
    [
        ("a.rs", b"/// A basket.\npub struct Basket;\n", "pub struct Basket  // A basket."),
        ("a.lua", b"-- Sells one.\nfunction sell() end\n", "function sell()  -- Sells one."),
        ("a.rb", b"# Sells one.\ndef sell; end\n", "def sell  # Sells one."),
    ],
)
def test_what_is_said_of_a_definition_stands_as_a_comment_of_its_language(path, source, shown):
    assert skeleton(parse(path, source, "h"), COUNT).splitlines()[-1] == shown


def test_a_tag_that_names_something_is_read_as_that_name():
    source = (
        b'/// <summary>Makes a <see cref="T:Shop.Basket"/> of <paramref name="things"/>.</summary>\nclass Maker {}\n'
    )
    assert "Makes a Shop.Basket of things." in skeleton(parse("a.cs", source, "h"), COUNT)
