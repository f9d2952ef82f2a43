"""Outlines: what is told of a file that is named and not shown."""

import pytest

from companion.syntax import outline, parse

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


def test_a_file_without_symbols_has_an_empty_outline():
    parsed = parse("a.json", b"{}", "h")
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


def test_where_several_have_a_name_an_outline_tells_them_apart():
    source = b'resource "aws_eip" "this" {}\nresource "aws_route" "this" {}\nvariable "zone" {}\n'
    assert outline(parse("main.tf", source, "h")) == "aws_eip.this, aws_route.this, zone"


def test_a_namespace_around_a_whole_file_does_not_stand_for_what_is_in_it():
    source = "module Shop\n  class Basket\n    def sell; end\n    def initialize; end\n  end\nend\n"
    assert outline(parse("basket.rb", source.encode(), "h")) == "Basket (sell, initialize)"
    source = "module Shop\n  def self.open; end\nend\n"
    assert outline(parse("shop.rb", source.encode(), "h")) == "Shop (open)"
