"""What tests are written for, told by the tests themselves: what they import, extend and call.

A manifest only says what is installed: a library of mocks brings its runner along, and nothing runs with it.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence

from companion.kinds import subjects as s
from companion.kinds.habits.habit import Habit, holds_tests, main_languages
from companion.records import FileRole, ParsedFile

SHARE = 2 / 3
"""Share of the tests that could show another tool from which it is the project's: fewer are one way among others."""
SHOWN = 1 / 3
"""Share of a language's tests that have to show one: where most show none, they use what is not listed here."""

_TOOLS = (
    ("python", "test_framework", "pytest", "Tests run with pytest.", "pytest"),
    ("python", "test_framework", "unittest", "Tests are written with unittest.", "unittest.TestCase"),
    ("ruby", "test_framework", "rspec", "Tests run with RSpec.", "RSpec.describe RSpec.configure rails_helper"),
    ("ruby", "test_framework", "minitest", "Tests run with Minitest.", "Minitest minitest ActiveSupport.TestCase"),
    ("ruby", "test_framework", "test-unit", "Tests run with test-unit.", "Test.Unit test.unit"),
    ("javascript", "test_framework", "vitest", "Tests run with vitest.", "vitest"),
    ("javascript", "test_framework", "jest", "Tests run with jest.", "jest @jest.globals"),
    ("javascript", "test_framework", "node:test", "Tests run with Node's own runner.", "node:test"),
    ("javascript", "test_framework", "mocha", "Tests run with mocha.", "mocha"),
    ("javascript", "test_framework", "ava", "Tests run with ava.", "ava"),
    ("javascript", "test_framework", "tap", "Tests run with tap.", "tap"),
    ("javascript", "e2e_test_framework", "playwright", "Browser tests run with Playwright.", "@playwright.test"),
    ("javascript", "e2e_test_framework", "cypress", "Browser tests run with Cypress.", "cypress"),
    ("php", "test_framework", "phpunit", "Tests run with PHPUnit.", "PHPUnit.Framework.TestCase"),
    ("go", "assertion_library", "testify", "Tests assert with testify.", "github.com.stretchr.testify"),
    ("go", "assertion_library", "gomega", "Tests assert with gomega.", "github.com.onsi.gomega"),
    ("java", "test_framework", "junit jupiter", "Tests run with JUnit Jupiter.", "org.junit.jupiter"),
    ("java", "test_framework", "junit 4", "Tests run with JUnit 4.", "org.junit.Test"),
    ("java", "test_framework", "testng", "Tests run with TestNG.", "org.testng"),
    ("java", "test_framework", "kotlin.test", "Tests are written with kotlin.test.", "kotlin.test"),
    ("java", "assertion_library", "assertj", "Tests assert with AssertJ.", "org.assertj"),
    ("java", "assertion_library", "truth", "Tests assert with Truth.", "com.google.common.truth"),
    ("csharp", "test_framework", "xunit", "Tests run with xUnit.", "Xunit"),
    ("csharp", "test_framework", "nunit", "Tests run with NUnit.", "NUnit.Framework"),
)
"""Language, attribute, tool, sentence, and the names by which a test shows it; of one attribute the first one wins."""
_RUNNERS = frozenset({"test_framework", "e2e_test_framework"})
"""What runs a test that shows none as well; without another tool it asserts with what its language brings."""
_READ_AS = {"typescript": "javascript", "tsx": "javascript", "kotlin": "java"}


def testing_tools(code: Sequence[ParsedFile]) -> Iterator[Habit]:
    """The tools that most of the tests which show one are written for, in the project's main languages."""
    main = main_languages(_READ_AS.get(file.language, file.language) for file in code)
    shown: dict[tuple[str, str], dict[str, set[str]]] = defaultdict(lambda: defaultdict(set))
    tests: dict[str, set[str]] = defaultdict(set)
    for file in code:
        language = _READ_AS.get(file.language, file.language)
        tests[language] |= {file.path} if holds_tests(file) else set()
        names = _names(file) if file.role is FileRole.TEST else set()
        for of, attribute, tool, _, marks in _TOOLS if names else ():
            if of == language and any(_brings(name, mark) for mark in marks.split() for name in names):
                shown[language, attribute][tool].add(file.path)
    for language, attribute, tool, says, _ in _TOOLS:
        found = shown.get((language, attribute), {})
        every = set().union(*found.values())
        shows = attribute in _RUNNERS
        could = every if shows else every | tests[language]
        told = language in main and tool in found and len(every) >= SHOWN * len(tests[language])
        if told and len(found[tool]) >= SHARE * len(could):
            del shown[language, attribute]
            share, examples = len(found[tool]) / len(could), tuple(sorted(found[tool])[:2])
            unit = "tests that show a runner" if shows else "tests"
            yield Habit(attribute, tool, says, language, share, len(could), examples, subject=s.TESTS, unit=unit)


def _names(file: ParsedFile) -> set[str]:
    """What a test imports, extends and calls, parts joined by dots."""
    brought = {name for item in file.imports for name in (item.module, *(f"{item.module}.{n}" for n in item.names))}
    used = {f"{use.qualifier}.{use.name}" if use.qualifier else use.name for use in file.references}
    return {name.replace("::", ".").replace("\\", ".").replace("/", ".") for name in brought | used}


def _brings(name: str, mark: str) -> bool:
    return name == mark or name.startswith(f"{mark}.")
