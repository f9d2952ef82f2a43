"""What a file gives, and that no bytes can make parsing raise."""

import pickle
import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.records import ParsedFile, ReferenceKind
from companion.syntax import LANGUAGES, captures, parse
from companion.syntax.captures import HardText
from companion.syntax.macros import without_directives, without_macros
from companion.syntax.parsing import MAX_REFERENCES, parse_here

EXTENSIONS = [row.extensions.split()[0] for row in LANGUAGES]
TOKENS = """
    def class fn func function { } ( ) [ ] < > ; : , . => -> = ' " ` # // /* */ <?php end if else try catch import from
    package use @x #[a] impl trait struct interface ü 名 async return throw raise
"""
FRAGMENTS = st.sampled_from([*TOKENS.split(), "\n", "\t", "\r\n", "\0"])
NESTING_LIMIT_S = 5.0
"""Processor seconds. Uncut, such nesting takes eight seconds to minutes; cut, at most one."""


def qualnames(parsed: ParsedFile) -> list[str]:
    return [symbol.qualname for symbol in parsed.symbols]


def lines_are_within(parsed: ParsedFile) -> bool:
    last = max(parsed.lines, 1)
    spans = [(s.line, s.end_line) for s in parsed.symbols]
    points = [one.line for one in (*parsed.references, *parsed.imports, *parsed.shapes)]
    return all(1 <= first <= end <= last for first, end in spans) and all(1 <= line <= last for line in points)


@settings(max_examples=150, deadline=None)
@given(st.binary(max_size=400), st.sampled_from(EXTENSIONS))
def test_random_bytes_never_raise_and_lines_stay_within_the_file(data, extension):
    assert lines_are_within(parse(f"a{extension}", data, "h"))


@settings(max_examples=250, deadline=None)
@given(st.lists(FRAGMENTS, max_size=60).map(" ".join), st.sampled_from(EXTENSIONS))
def test_soup_of_tokens_never_raises_and_lines_stay_within_the_file(text, extension):
    parsed = parse(f"a{extension}", text.encode(), "h")
    assert lines_are_within(parsed)
    assert parsed == parse(f"a{extension}", text.encode(), "h")


@pytest.mark.parametrize("extension", EXTENSIONS)
def test_an_empty_file_is_a_file_without_anything(extension):
    parsed = parse(f"a{extension}", b"", "h")
    assert (parsed.lines, parsed.symbols, parsed.references) == (0, (), ())


def test_macros_of_a_preprocessor_hide_no_definition_and_what_a_statement_needs_stays():
    text = b"""STORE_BEGIN_NAMESPACE

class STORE_EXPORT Basket : public Shelf {
 public:
  int sell(int count) { return count; }
};

STORE_TEMPLATE(Key, Price)
class Till final {
  STORE_CONSTEXPR STORE_INLINE Till(int coins) : coins_(coins) {}
  STORE_INLINE int count() { return coins_; }
  int coins_;
};

enum Color {
  RED,
  BLUE
};

class FINAL {};

STORE_END_NAMESPACE
"""
    parsed = parse("shop.hpp", text, "h")
    spans = {symbol.qualname: (symbol.line, symbol.end_line) for symbol in parsed.symbols}
    assert spans.items() >= {"Basket": (3, 6), "Basket.sell": (5, 5), "Till": (9, 13), "Till.count": (11, 11)}.items()
    assert {"Color", "FINAL", "Till.Till"} <= set(spans)
    assert without_macros(text).split(b"\n")[14:18] == text.split(b"\n")[14:18]


def test_a_method_keeps_its_class_whatever_is_left_out_under_a_condition():
    text = b"""namespace Shop
{
    public partial class Till
#if HAVE_DISPOSABLE
        : IDisposable
#endif
    {
        public int Count(int coins)
        {
#if NET20
            if (coins > 0 &&
#else
            if (
#endif
                coins < 9)
            {
                return coins;
            }
            return 0;
        }

        #region closing
        public void Close() { }
        #endregion
    }
}
"""
    spans = {symbol.qualname: (symbol.line, symbol.end_line) for symbol in parse("Till.cs", text, "h").symbols}
    assert spans.items() >= {"Shop.Till.Count": (8, 20), "Shop.Till.Close": (23, 23)}.items()
    assert "if" not in {name.rpartition(".")[2] for name in spans}


MARKS = [
    b"class ",
    b"ABC",
    b"ABC(x)",
    b" ",
    b"\n",
    b"\r\n",
    b"{",
    b"<",
    b"Basket",
    b",",
    b"#if A\n",
    b"#else",
    b"#endif\n",
]


@pytest.mark.parametrize("taken_away", [without_macros, without_directives])
@given(st.lists(st.sampled_from(MARKS)))
def test_what_a_preprocessor_takes_gives_way_to_blanks_and_each_line_keeps_its_place(taken_away, parts):
    text = b"".join(parts)
    plain = taken_away(text)
    assert [len(line) for line in plain.split(b"\n")] == [len(line) for line in text.split(b"\n")]
    assert all(now in {was, ord(" ")} for now, was in zip(plain, text, strict=True))


def test_broken_syntax_gives_what_can_be_read():
    parsed = parse("a.py", b"def whole(x):\n    return x\n\ndef broken(:\n\nclass After:\n    def m(self): pass\n", "h")
    assert {"whole", "After", "After.m"} <= set(qualnames(parsed))


@pytest.mark.parametrize("extension", EXTENSIONS)
@pytest.mark.parametrize("pattern", [b"[", b"(", b"a(", b"a<", b"a+"])
def test_a_hundred_thousand_nested_brackets_are_cut_short(extension, pattern):
    head = b"<?php " if extension == ".php" else b""
    started = time.process_time()
    parsed = parse(f"a{extension}", head + pattern * 100_000, "h")
    assert time.process_time() - started < NESTING_LIMIT_S
    assert lines_are_within(parsed)


@pytest.mark.parametrize("lines", [3_000, 100_000])
def test_a_text_that_would_exhaust_the_memory_or_end_the_process_costs_only_itself(lines):
    """At 3,000 lines the grammar asks for 3 GB in its last step; with 333,333 it has ended a process."""
    parsed = parse("a.py", b"def before(): pass\n" + b"/*\n" * lines, "h")
    assert (parsed.lines, parsed.symbols) == (lines + 1, ())
    assert parse("a.py", b"def after(): pass\n", "h").symbols


def test_a_hard_text_is_parsed_in_another_process_as_it_would_be_here(monkeypatch: pytest.MonkeyPatch):
    text = b"def before(): pass\n" + b"/*\n" * 50
    known = parse("a.py", text, "h")
    for limit in ("HERE_BASE_S", "HERE_S_PER_BYTE"):  # so that whatever the machine it is too slow for here
        monkeypatch.setattr(captures, limit, 0.0)
    with pytest.raises(HardText):
        parse_here("a.py", text, "h")
    assert parse("a.py", text, "h") == known


def test_one_part_nested_too_deep_does_not_hide_the_others():
    deep = b"def deep(x=" + b"[" * 50_000 + b"]" * 50_000 + b"): pass\n"
    parsed = parse("a.py", b"def before(): pass\n" + deep + b"def after(): pass\n", "h")
    assert qualnames(parsed) == ["before", "after"]


def test_a_line_of_a_megabyte_is_read_up_to_the_limit_of_references():
    parsed = parse("a.js", b"f(x);" * 200_000, "h")
    assert parsed.lines == 1
    assert len(parsed.references) == MAX_REFERENCES


def test_line_ends_byte_order_mark_and_tabs_change_no_symbol():
    plain = b'class A:\n    """Says it."""\n\n    def m(self, a,\n          b):\n        return a\n'
    expected = parse("a.py", plain, "h")
    for variant in (
        plain.replace(b"\n", b"\r\n"),
        b"\xef\xbb\xbf" + plain,
        plain.decode().encode("utf-16"),
        plain.replace(b"    ", b"\t"),
    ):
        assert parse("a.py", variant, "h").symbols == expected.symbols
    assert qualnames(parse("a.cs", "class Größe { }".encode("latin-1"), "h")) == ["Größe"]


def test_unicode_names_are_read_whole():
    assert qualnames(parse("a.py", "class Größe:\n    def 名前(self): pass\n".encode(), "h")) == ["Größe", "Größe.名前"]
    assert qualnames(parse("a.js", "function größe() {}\n".encode(), "h")) == ["größe"]


def test_undecodable_bytes_stay_inside_their_comment():
    parsed = parse("a.py", b"# \xff\xfe broken\ndef f(): pass\n", "h")
    assert qualnames(parsed) == ["f"]


def test_a_header_with_classes_is_read_as_cplusplus():
    assert parse("a.h", b"namespace n { class A { int f(); }; }\n", "h").language == "cpp"
    assert parse("a.h", b"int f(void);\n", "h").language == "c"


def test_a_file_without_a_grammar_has_language_and_lines():
    parsed = parse("docs/guide.md", b"\n# The *guide*\n\ntext\n", "h")
    assert (parsed.language, parsed.lines) == ("markdown", 4)
    assert not parsed.symbols


@pytest.mark.parametrize(
    ("path", "text", "name"),
    [
        ("go.mod", "module example.com/shop\n", "example.com/shop"),
        ("Cargo.toml", '[package]\nname = "shop"\n', "shop"),
        ("package.json", '{"name": "@market/shop"}', "@market/shop"),
        ("pubspec.yaml", "# A shop.\nname: shop # ours\n", "shop"),
    ],
)
def test_a_manifest_declares_its_module(path, text, name):
    assert qualnames(parse(path, text.encode(), "h")) == [name]


@pytest.mark.parametrize("text", ["{", "[]", '{"name": 3}', '{"name": ""}', "[" * 100_000])
def test_a_broken_manifest_declares_nothing(text):
    assert parse("package.json", text.encode(), "h").symbols == ()


def test_a_signature_and_its_equations_are_one_definition_and_names_keep_their_signs():
    text = b"foldl', a :: Int\nfoldl' = 1\na = 2\n\n(.:?) :: Int -> Int\n\n-- More.\n0 .:? _ = 1\nx .:? y = 2\nfoldl x = x\n"
    spans = [
        (symbol.name, symbol.qualname, symbol.line, symbol.end_line) for symbol in parse("a.hs", text, "h").symbols
    ]
    assert spans == [("foldl'", "foldl'", 1, 2), ("a", "a", 3, 3), (".:?", ".:?", 5, 9), ("foldl", "foldl", 10, 10)]


def test_a_reference_stands_under_the_name_it_was_imported_by_its_owner():
    parsed = parse("a.py", b"from m import real as other\nimport numpy as np\nother()\nnp.zeros()\n", "h")
    calls = [(use.qualifier, use.name) for use in parsed.references if use.kind is ReferenceKind.CALL]
    assert calls == [("", "real"), ("numpy", "zeros")]


def test_a_parsed_file_survives_pickling():
    parsed = parse("a.py", b"@x\nclass A(B):\n    def m(self): raise E()\n", "h")
    assert pickle.loads(pickle.dumps(parsed)) == parsed


@pytest.mark.parametrize(
    ("path", "text", "found"),
    [
        ("a.py", 'TABLE = {"shop.carts.BigCart": 1, "shop.carts": 2, "No. A": 3}\n', [("shop.carts", "BigCart")]),
        ("a.go", "package a\n\nvar _ Render = (*JSON)(nil)\n", [("", "JSON")]),
    ],
)
def test_a_register_names_what_it_lists(path, text, found):
    assert [(use.qualifier, use.name) for use in parse(path, text.encode(), "h").references] == found
