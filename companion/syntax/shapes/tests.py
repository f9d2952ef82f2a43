"""Tests: functions and methods that test, fixtures, parameters, setups, and titled blocks."""

from __future__ import annotations

import re
from collections.abc import Iterator

from companion.records import FileRole, ReferenceKind, Shape, ShapeFamily, Symbol, SymbolKind
from companion.syntax.shapes.ground import Ground, dotted, short, unquoted
from companion.syntax.words import words

_TEST_NAME = re.compile(r"^(?:test(?:_|[A-Z0-9]|$)|Test[A-Z]|Benchmark[A-Z]|Fuzz[A-Z])")
_CASE_MARKS = words(
    """
    Test ParameterizedTest RepeatedTest test rstest Fact Theory TestMethod
    """
)
_SETUP_MARKS = words(
    """
    Before BeforeEach BeforeAll BeforeClass After AfterEach AfterAll SetUp TearDown OneTimeSetUp
    """
)
_SETUP_NAMES = words(
    """
    setUp tearDown setUpClass tearDownClass setup_method teardown_method setup_class setUpBeforeClass
    TestMain
    """
)
_MARKS = _CASE_MARKS | _SETUP_MARKS
_GROUPS = words("describe context suite feature group testGroup")
_PARAMETER_MARKS = {"parametrize", "DataProvider", "TestWith", "InlineData", "MemberData", "ValueSource", "CsvSource"}
_MARKERS = {"rust": "#[{}]", "csharp": "[{}]", "php": "#[{}]"}
_CALLABLE = frozenset({SymbolKind.FUNCTION, SymbolKind.METHOD})


def tests(ground: Ground) -> Iterator[Shape]:
    """Shapes of testing; the key's first word says what it is: test, fixture, parametrize, setup, group, case."""
    yield from _marked(ground)
    if ground.role is FileRole.TEST:
        yield from _named(ground)
        yield from _titled(ground)


def _named(ground: Ground) -> Iterator[Shape]:
    """Functions whose name makes them tests."""
    marked = {reference.inside for _, reference in ground.uses(ReferenceKind.DECORATE) if reference.name in _MARKS}
    subtests = {
        reference.inside for reference in ground.references if reference.name == "Run" and reference.qualifier == "t"
    }
    unittest = {
        reference.inside for _, reference in ground.uses(ReferenceKind.INHERIT) if reference.name.endswith("TestCase")
    }
    for symbol in ground.symbols:
        if symbol.kind not in _CALLABLE or symbol.qualname in marked:
            continue
        if symbol.name in _SETUP_NAMES:
            yield _shape(f"setup {symbol.name}", symbol)
        elif _TEST_NAME.match(symbol.name):
            yield _shape(f"test {_style(symbol, subtests, unittest)}", symbol)


def _style(symbol: Symbol, subtests: set[str], unittest: set[str]) -> str:
    if symbol.qualname in subtests:
        return "table-driven"
    if symbol.qualname.rpartition(".")[0] in unittest:
        return "testcase-method"
    return symbol.kind.value


def _shape(key: str, symbol: Symbol) -> Shape:
    return Shape(ShapeFamily.TEST, key, symbol.line, symbol.qualname)


def _marked(ground: Ground) -> Iterator[Shape]:
    """Tests, fixtures, setups and parameters told by decorator, attribute or annotation."""
    mark = _MARKERS.get(ground.language, "@{}")
    for use, reference in ground.uses(ReferenceKind.DECORATE):
        if reference.name in _CASE_MARKS:
            what = "test"
        elif reference.name in _SETUP_MARKS:
            what = "setup"
        elif reference.name == "fixture":
            what = "fixture"
        elif reference.name in _PARAMETER_MARKS:
            what = "parametrize"
        else:
            continue
        slots = {"arguments": short(use.arguments)} if use.arguments else {}
        yield Shape(
            ShapeFamily.TEST, f"{what} {mark.format(dotted(reference))}", reference.line, reference.inside, slots
        )


def _titled(ground: Ground) -> Iterator[Shape]:
    """Blocks with a title: `describe`, `it`, `t.Run`."""
    for event, line, inside in ground.events("block"):
        verb = event.parts.get("verb", "")
        what = "group" if verb in _GROUPS else "case"
        yield Shape(
            ShapeFamily.TEST, f"{what} {verb}", line, inside, {"title": short(unquoted(event.parts.get("path", "")))}
        )
