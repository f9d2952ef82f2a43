"""Which structures of the code are patterns, and what a pattern tells."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from kinds.history import HistoryWorld
from msgspec.structs import replace

from companion.kinds.habits.patterns import (
    EXAMPLES,
    PATTERNS,
    PATTERNS_EACH,
    Patterns,
    least_places,
    patterns_of,
)
from companion.kinds.habits.templates import LEAST_PLACES, affix_of
from companion.records import (
    Draft,
    FileRole,
    Kind,
    ParsedFile,
    Pattern,
    Reference,
    ReferenceKind,
    Shape,
    ShapeFamily,
    Symbol,
    SymbolKind,
)


def parsed(
    path: str, shapes: Sequence[Shape] = (), *, defines: Sequence[str] = (), language: str = "python"
) -> ParsedFile:
    role = FileRole.TEST if path.startswith("tests/") else FileRole.SOURCE
    symbols = tuple(Symbol(name, name, SymbolKind.CLASS, 1, 2, f"class {name}") for name in defines)
    cases = (Shape(ShapeFamily.TEST, f"test {path}", 1, "test_it"),) if role is FileRole.TEST else ()
    return ParsedFile(path, language, role, "h", 100, 10, symbols=symbols, shapes=(*shapes, *cases))


def view(name: str, line: int, methods: str = "render") -> Shape:
    return Shape(ShapeFamily.CLASS_FAMILY, "View", line, name, {"methods": methods})


def route(method: str, path: str, line: int, handler: str = "show") -> Shape:
    slots = {"method": method, "path": path, "handler": handler}
    return Shape(ShapeFamily.ENDPOINT, "@app.{method}", line, handler, slots)


def body(draft: Draft) -> Pattern:
    assert isinstance(draft.body, Pattern)
    return draft.body


def test_a_class_family_of_the_project_tells_name_methods_support_examples_and_the_exception() -> None:
    code = [
        parsed("src/base.py", defines=["View"]),
        parsed("src/a.py", [view("ListView", 3), view("EditView", 9)]),
        parsed("src/b.py", [view("HomeView", 4), view("LoginView", 14)]),
        parsed("src/c.py", [view("Oddity", 7)]),
    ]
    (draft,) = patterns_of(code)
    pattern = body(draft)
    assert draft.kind is Kind.PATTERN
    assert pattern.trigger == "new_class"
    assert pattern.template == {"methods": "render", "name": "{Name}View"}
    assert pattern.hint == "A class that extends View has a method render and is called {Name}View"
    assert (pattern.support, pattern.exception_count) == (4, 1)
    assert [e.label() for e in pattern.exceptions] == ["src/c.py:7"]
    assert {e.ref for e in pattern.examples} == {"src/a.py", "src/b.py"}
    assert draft.confidence == 0.8
    assert (draft.scope.language, draft.scope.path) == ("python", "src")
    assert draft.levels.compressed == f"{pattern.hint}."
    assert "4 places in 2 files under src, 1 otherwise." in draft.levels.full


@pytest.mark.parametrize(
    ("language", "said"),
    [("python", "A class that extends"), ("java", "A class that extends"), ("go", "A type that extends")],
)
def test_what_is_no_class_in_its_language_is_called_a_type(language: str, said: str) -> None:
    views = [
        [view("ListView", 3), view("EditView", 9)],
        [view("HomeView", 4)],
        [view("LoginView", 14), view("HelpView", 24)],
    ]
    code = [
        parsed("src/base.py", defines=["View"], language=language),
        *(parsed(f"src/part_{at}.py", found, language=language) for at, found in enumerate(views)),
    ]
    (draft,) = patterns_of(code)
    assert body(draft).hint.startswith(said)


def test_endpoints_become_a_template_with_slots() -> None:
    code = [
        parsed("src/users.py", [route("get", "/users", 3), route("post", "/users", 9, "make")]),
        parsed("src/posts.py", [route("get", "/posts", 3, "list_posts"), route("delete", "/posts", 20, "drop")]),
    ]
    (draft,) = patterns_of(code)
    assert body(draft).trigger == "new_endpoint"
    assert body(draft).hint == "An endpoint is written @app.{method}→{path}→{handler}"
    assert body(draft).template["method"] == "{method}"


def test_what_differs_from_place_to_place_is_not_told_of_a_way_of_testing() -> None:
    shapes = [
        Shape(ShapeFamily.TEST, "parametrize [InlineData]", line, f"case{line}", {"arguments": str(line)})
        for line in range(10, 50, 5)
    ]
    drafts = patterns_of([replace(parsed(f"tests/{name}.cs", shapes), language="csharp") for name in "ab"])
    assert [body(draft).hint for draft in drafts] == ["Parameters are given by [InlineData]"]


def test_what_any_project_of_the_language_has_is_no_pattern() -> None:
    shapes = [
        *(Shape(ShapeFamily.NAMING, "function snake_case", line, "do_it") for line in range(31, 39)),
        *(Shape(ShapeFamily.CLASS_FAMILY, "abc.ABC", line, "Base", {"methods": "run"}) for line in range(41, 49)),
    ]
    assert list(patterns_of([parsed("src/a.py", shapes), parsed("src/b.py", shapes)])) == []


def piece(name: str, *, methods: Sequence[str] = (), path: str = "") -> ParsedFile:
    """A file of a folder with one type in it."""
    symbols = (
        Symbol(name, name, SymbolKind.CLASS, 1, 9, f"class {name}"),
        *(Symbol(one, f"{name}.{one}", SymbolKind.METHOD, 2, 3, f"def {one}") for one in methods),
    )
    return ParsedFile(path or f"src/render/{name.lower()}.py", "python", FileRole.SOURCE, "h", 9, 9, symbols=symbols)


NAMES = ("Json", "Xml", "Yaml", "Text")


def test_what_files_side_by_side_have_in_common_is_told_with_the_file_that_names_each_and_their_tests() -> None:
    uses = tuple(Reference(name, ReferenceKind.CALL, 3, inside="pick") for name in NAMES)
    code = [
        *(piece(name, methods=("render", name.lower())) for name in NAMES),
        ParsedFile("src/table.py", "python", FileRole.SOURCE, "h", 9, 9, references=uses),
        *(parsed(f"tests/test_{name.lower()}.py") for name in NAMES),
    ]
    (draft,) = patterns_of(code)
    assert body(draft).hint == "A class in src/render has a method render"
    assert "Each is named in src/table.py (4 of 4, Yaml in line 3)." in draft.levels.summary
    assert "Each file has a test named after it, such as tests/test_json.py (4 of 4)." in draft.levels.summary
    assert {e.ref for e in body(draft).examples} == {f"src/render/{name.lower()}.py" for name in NAMES}


def test_a_class_that_has_nothing_of_its_own_is_told_by_what_each_needs() -> None:
    kinds = [Shape(ShapeFamily.CLASS_FAMILY, "Render", 3, name) for name in NAMES]
    code = [parsed(f"src/{one.symbol.lower()}.py", [one], defines=[one.symbol]) for one in kinds]
    case = Shape(ShapeFamily.TEST, "test function", 1, "test_it")
    tests = [replace(parsed(f"tests/test_{name.lower()}.py", [case]), role=FileRole.TEST) for name in NAMES]
    (draft,) = patterns_of([*code, *tests, parsed("src/render.py", defines=["Render"])])
    hint = "A class that extends Render: each file has a test named after it, such as tests/test_json.py (4 of 4)"
    assert body(draft).hint == hint
    assert draft.levels.full.count("test named after it") == 1


def test_of_files_that_are_called_by_their_folders_each_has_its_own_test() -> None:
    pieces = [
        parsed(f"src/{name.lower()}/index.ts", [view(f"{name}View", 3)], defines=[f"{name}View"]) for name in NAMES
    ]
    case = Shape(ShapeFamily.TEST, "case it", 1, "")
    tests = [replace(parsed(f"src/{name.lower()}/test.ts", [case]), role=FileRole.TEST) for name in NAMES]
    stray = replace(parsed("src/shared/test/index.ts", [case]), role=FileRole.TEST)
    (draft,) = patterns_of([*pieces, *tests, stray])
    assert "Each file has a test named after it, such as src/json/test.ts (4 of 4)." in draft.levels.summary


def test_code_of_a_language_that_a_project_hardly_uses_has_no_patterns() -> None:
    pieces = [piece(name, methods=("render", "mime")) for name in NAMES]
    others = [ParsedFile(f"lib/q_{i}.go", "go", FileRole.SOURCE, "h", 9, 9) for i in range(10 * len(NAMES))]
    assert list(patterns_of(pieces))
    assert not list(patterns_of([*pieces, *others]))


def test_of_tests_of_one_name_that_of_the_folder_called_alike_is_the_example() -> None:
    tests = [parsed(f"tests/{folder}/test_{name.lower()}.py") for folder in ("draw", "render") for name in NAMES]
    (draft,) = patterns_of([*(piece(name, methods=("render",)) for name in NAMES), *tests])
    assert "such as tests/render/test_json.py (4 of 4)." in draft.levels.summary


def test_a_register_may_be_one_of_the_pieces_files_and_there_may_be_two() -> None:
    guards = tuple(Reference(name, ReferenceKind.CALL, line) for line, name in enumerate(NAMES, start=11))
    table = ParsedFile("src/table.py", "python", FileRole.SOURCE, "h", 9, 9, references=guards)
    pieces = [piece(name, methods=("render",)) for name in (*NAMES, "Base")]
    pieces[-1] = replace(pieces[-1], references=guards)
    (draft,) = patterns_of([*pieces, table])
    register = "src/render/base.py (4 of 5, Text in line 14) and src/table.py (4 of 5, Text in line 14)"
    assert f"Each is named in {register}." in draft.levels.summary


def test_files_side_by_side_that_share_nothing_are_no_sort() -> None:
    assert list(patterns_of([piece(name, methods=(name.lower(),)) for name in NAMES])) == []


def test_a_table_that_names_few_of_them_is_no_register() -> None:
    uses = tuple(Reference(name, ReferenceKind.CALL, 3, inside="pick") for name in NAMES[:2])
    table = ParsedFile("src/table.py", "python", FileRole.SOURCE, "h", 9, 9, references=uses)
    (draft,) = patterns_of([*(piece(name, methods=("render", "mime")) for name in NAMES), table])
    assert "named in" not in draft.levels.full


def test_a_test_is_of_the_one_file_that_lies_nearest_and_what_holds_no_tests_is_none() -> None:
    views = [piece(name, methods=("render", "mime"), path=f"src/{name.lower()}/views.py") for name in NAMES]
    shapes = [view(f"{name}View", 1) for name in NAMES]
    code = [replace(one, shapes=(shape,)) for one, shape in zip(views, shapes, strict=True)]
    empty = [replace(parsed(f"tests/{name.lower()}/test_views.py"), shapes=()) for name in NAMES]
    (draft,) = patterns_of([*code, *empty, parsed("tests/test_views.py"), parsed("src/base.py", defines=["View"])])
    assert "test named after it" not in draft.levels.full


def test_what_lies_side_by_side_is_a_sort_by_two_things_at_least_and_the_root_holds_every_sort() -> None:
    tests = [parsed(f"tests/test_{name.lower()}.py") for name in NAMES]
    assert list(patterns_of([piece(name, methods=("render",)) for name in NAMES])) == []
    assert list(patterns_of([*(piece(name) for name in NAMES), *tests])) == []
    rooted = [piece(name, methods=("render", "mime"), path=f"{name.lower()}.py") for name in NAMES]
    assert list(patterns_of([*rooted, *tests])) == []


def test_methods_are_those_that_nearly_all_have_together_and_who_lacks_one_is_an_exception() -> None:
    pieces = [piece(name, methods=("render", "mime", "size")) for name in (*NAMES, "Html")]
    pieces[0] = piece("Json", methods=("render", "mime"))
    pieces[1] = piece("Xml", methods=("render", "size"))
    (draft,) = patterns_of(pieces)
    assert body(draft).hint == "A class in src/render has the methods mime and render"
    assert (body(draft).support, [one.ref for one in body(draft).exceptions]) == (4, ["src/render/xml.py"])


def test_a_variable_that_classes_of_tests_extend_is_no_family() -> None:
    shapes = [Shape(ShapeFamily.CLASS_FAMILY, "self.spider_class", line, f"A{line}Spider") for line in range(1, 9)]
    code = [parsed(f"tests/test_{name}.py", shapes, defines=["spider_class"]) for name in "abc"]
    assert list(patterns_of(code)) == []


def test_names_against_the_languages_custom_are_told_with_their_exceptions() -> None:
    camel = [Shape(ShapeFamily.NAMING, "function camelCase", line, f"doIt{line}") for line in range(1, 10)]
    snake = [Shape(ShapeFamily.NAMING, "function snake_case", 50, "do_it")]
    (draft,) = patterns_of([parsed("src/a.py", camel), parsed("src/b.py", [*camel, *snake])])
    assert body(draft).hint == "Names are written camelCase for each function"
    assert [e.label() for e in body(draft).exceptions] == ["src/b.py:50"]


@pytest.mark.parametrize("role", ["function", "method", "class", "interface", "type", "constant"])
@pytest.mark.parametrize("casing", ["camelCase", "PascalCase"])
def test_how_a_name_begins_in_go_says_who_may_use_it_and_is_no_convention(role: str, casing: str) -> None:
    names = [Shape(ShapeFamily.NAMING, f"{role} {casing}", line, f"name{line}") for line in range(1, 10)]
    snake = [Shape(ShapeFamily.NAMING, f"{role} snake_case", line, f"name{line}") for line in range(1, 10)]
    assert list(patterns_of([parsed(f"src/{file}.go", names, language="go") for file in "ab"])) == []
    (told,) = patterns_of([parsed(f"src/{file}.go", snake, language="go") for file in "ab"])
    assert body(told).hint == f"Names are written snake_case for each {role}"


def test_a_mixed_convention_is_none() -> None:
    camel = [Shape(ShapeFamily.NAMING, "function camelCase", line, f"doIt{line}") for line in range(1, 10)]
    snake = [Shape(ShapeFamily.NAMING, "function snake_case", line, "do_it") for line in range(20, 26)]
    assert list(patterns_of([parsed("src/a.py", [*camel, *snake]), parsed("src/b.py", [*camel, *snake])])) == []


def test_what_stands_in_one_file_or_seldom_is_no_pattern() -> None:
    once = [parsed("src/base.py", defines=["View"]), parsed("src/a.py", [view(f"V{i}View", i) for i in range(1, 9)])]
    few = [
        parsed("src/base.py", defines=["View"]),
        parsed("src/a.py", [view("AView", 1)]),
        parsed("src/b.py", [view("BView", 1)]),
    ]
    assert list(patterns_of(once)) == []
    assert list(patterns_of(few)) == []


def test_examples_and_documentation_are_no_house_style() -> None:
    code = [parsed("src/base.py", defines=["View"])] + [
        parsed(f"examples/e{i}.py", [view(f"A{i}View", 1), view(f"B{i}View", 5)]) for i in range(5)
    ]
    assert list(patterns_of(code)) == []


def test_what_tests_do_with_the_product_is_no_pattern() -> None:
    code = [parsed("src/base.py", defines=["View"])] + [
        parsed(f"tests/test_{i}.py", [view(f"A{i}View", 1), view(f"B{i}View", 5)]) for i in range(4)
    ]
    assert list(patterns_of(code)) == []


def test_the_threshold_grows_with_the_code() -> None:
    assert least_places(10) == LEAST_PLACES
    assert least_places(3_000) > 3 * LEAST_PLACES


def test_affixes_are_whole_words_that_nearly_all_names_share() -> None:
    ending = affix_of(["ParseError", "LoadError", "SaveError", "ReadError"])
    beginning = affix_of(["make_pool", "make_app", "make_user", "make_request"])
    assert ending is not None
    assert ending.shown == "{Name}Error"
    assert beginning is not None
    assert beginning.shown == "make_{name}"
    assert affix_of(["alpha", "beta", "gamma", "delta"]) is None
    whole = affix_of(["FakeFileSystem", "ZipFileSystem", "JvmSystemFileSystem", "ForwardingFileSystem"])
    assert whole is not None
    assert whole.shown == "{Name}FileSystem"
    assert affix_of(["ParseError"] * 9) is None


def test_nothing_is_said_where_no_code_changed() -> None:
    assert Patterns().origins(HistoryWorld()) == ()
    assert list(Patterns().learn(HistoryWorld())) == []


SHAPES = st.builds(
    Shape,
    st.sampled_from(list(ShapeFamily)),
    st.sampled_from(["View", "raise PoolError", "@app.{method}", "case it", "case test", "function camelCase", "x"]),
    st.integers(1, 400),
    st.sampled_from(["A.run", "ListView", "test_it", "", "doIt"]),
    st.dictionaries(st.sampled_from(["methods", "path", "then", "arguments"]), st.text(max_size=9), max_size=2),
)
FILES = st.builds(
    parsed,
    st.sampled_from([f"{top}/{name}.py" for top in ("src", "tests", "lib/deep") for name in "abcdef"]),
    st.lists(SHAPES, max_size=25),
    defines=st.just(["View", "PoolError"]),
    language=st.sampled_from(["python", "typescript", "rust", "c"]),
)


@settings(max_examples=120, deadline=None)
@given(st.lists(FILES, max_size=9, unique_by=lambda f: f.path))
def test_any_code_gives_bounded_patterns_in_an_order_of_their_own(code: list[ParsedFile]) -> None:
    drafts = list(patterns_of(code))
    assert len(drafts) <= PATTERNS
    per_trigger = [body(d).trigger for d in drafts]
    assert all(per_trigger.count(trigger) <= PATTERNS_EACH for trigger in per_trigger)
    for draft in drafts:
        assert 0 < len(body(draft).examples) <= EXAMPLES
        assert body(draft).support + body(draft).exception_count >= least_places(1)
    shuffled = sorted(code, key=lambda f: f.path, reverse=True)
    assert list(patterns_of(shuffled)) == drafts


def test_classes_of_one_base_are_a_pattern_only_if_they_share_more_than_that() -> None:
    plain = [Shape(ShapeFamily.CLASS_FAMILY, "EventEmitter", line, name) for line, name in enumerate("PQR", 1)]
    code = [parsed("src/a.py", plain), parsed("src/b.py", plain)]
    assert list(patterns_of([*code, parsed("src/base.py", defines=["EventEmitter"])])) == []
    alike = [view(name, line) for line, name in enumerate(("Home", "Page", "Item"), 1)]
    home = parsed("src/base.py", defines=["View"])
    (shared,) = patterns_of([parsed("src/a.py", alike), parsed("src/b.py", alike), home])
    assert body(shared).hint.startswith("A class that extends View has a method render")


def test_the_methods_that_a_base_from_elsewhere_wants_are_no_pattern_and_a_name_is() -> None:
    alike = [view(name, line) for line, name in enumerate(("Home", "Page", "Item"), 1)]
    assert list(patterns_of([parsed("src/a.py", alike), parsed("src/b.py", alike)])) == []
    named = [view(f"{name}View", line) for line, name in enumerate(("Home", "Page", "Item", "List"), 1)]
    (shared,) = patterns_of([parsed("src/a.py", named[:2]), parsed("src/b.py", named[2:])])
    assert body(shared).hint == "A class that extends View has a method render and is called {Name}View"


def test_what_the_tests_in_a_file_of_source_do_with_the_product_is_no_pattern() -> None:
    def tests(n: int) -> list[Shape]:
        scope = f"tests.finds_{n}"
        return [Shape(ShapeFamily.TEST, "test #[odd]", n, scope), replace(route("get", f"/{n}", n), symbol=scope)]

    code = [parsed(f"src/{file}.rs", [*tests(file), *tests(file + 1)], language="rust") for file in (1, 3, 5)]
    assert {body(draft).trigger for draft in patterns_of(code)} == {"new_test"}


def test_classes_side_by_side_of_one_base_are_told_once() -> None:
    names = ("Bson", "Json", "Orjson", "Msgpack")
    code = [
        replace(
            parsed(f"src/out/{name.lower()}.py", [view(f"{name}View", 1)]),
            symbols=(
                Symbol(f"{name}View", f"{name}View", SymbolKind.CLASS, 1, 9, f"class {name}View"),
                Symbol("render", f"{name}View.render", SymbolKind.METHOD, 2, 3, "def render"),
            ),
        )
        for name in names
    ]
    hints = [body(draft).hint for draft in patterns_of([*code, parsed("src/base.py", defines=["View"])])]
    assert len(hints) == 1


def test_classes_of_one_base_that_ask_for_what_all_of_their_folder_do_are_told_once() -> None:
    names = ("Bson", "Json", "Orjson", "Msgpack", "Plain", "Text", "Xml")
    code = [
        replace(
            piece(f"{name}View", methods=("render",)),
            shapes=(view(f"{name}View", 1),) if number < 4 else (),
        )
        for number, name in enumerate(names)
    ]
    hints = [body(draft).hint for draft in patterns_of([*code, parsed("src/base.py", defines=["View"])])]
    assert len(hints) == 1
    assert hints[0].endswith("has a method render and is called {Name}View")
