"""What dependencies tell: what the project stands on, and which tools do its chores."""

from __future__ import annotations

from collections.abc import Iterable

from companion.kinds import subjects as s
from companion.kinds.facts.located import Node
from companion.kinds.facts.statement import INFERRED, Statement, Statements

FROM_HERE = "(from this repository)"
"""The version of a dependency that is a folder of this repository."""

MAX_DEPENDENCIES = 60
"""Dependencies of one manifest that become facts; applications with more are listed by their lock file."""

CONDITION_CHARS = 80
"""Characters of a condition that is told; a longer one is a list of platforms, which the manifest says better."""


def dependency(
    name: str, version: str, line: int, language: str, *, condition: str = "", environment: str = ""
) -> Statement:
    """A direct dependency; the version is the requirement as written, `any` where none is."""
    shown = " ".join(version.split())
    condition = condition if len(condition) <= CONDITION_CHARS else "its conditions hold"
    says = f"Depends on {name}{f' {shown}' if shown else ''}{f' when {condition}' if condition else ''}."
    return Statement(
        s.PROJECT, f"dependency {name}", shown or "any", says, line, language=language, environment=environment
    )


LISTED = 12
"""Dependencies named in the one fact of a manifest among many."""

_TOLD_BY_THE_ROOT = (
    "min_",
    "namespace ",
    "extension ",
    "test_framework",
    "peer_dependency ",
    "licence",
    "module_system",
    "features",
    "default_features",
)


def shortened(found: Statements) -> Statements:
    """The statements of a manifest among many: its dependencies in one, what all repeat left out."""
    names: list[Statement] = []
    for statement in found:
        if statement.attribute.startswith("dependency "):
            names.append(statement)
        elif not statement.attribute.startswith(_TOLD_BY_THE_ROOT):
            yield statement
    if names:
        shown = [statement.attribute.removeprefix("dependency ") for statement in names]
        listed = ", ".join(shown[:LISTED]) + (f" and {len(shown) - LISTED} more" if len(shown) > LISTED else "")
        first = names[0]
        yield Statement(s.PROJECT, "dependencies", listed, f"Depends on {listed}.", first.line, language=first.language)


_ROLES: dict[str, tuple[tuple[str, str, str], ...]] = {
    "python": (
        ("test_framework", "pytest", "Tests run with pytest."),
        ("test_framework", "nose2", "Tests run with nose2."),
        (s.FORMATTER, "black", "Python code is formatted with `black`."),
        ("property_tests", "hypothesis", "Property-based tests use hypothesis."),
        ("task_runner", "nox", "Development tasks run through nox."),
        ("task_runner", "tox", "Development tasks run through tox."),
    ),
    "javascript": (
        ("test_framework", "vitest", "Tests run with vitest."),
        ("test_framework", "jest", "Tests run with jest."),
        ("test_framework", "mocha", "Tests run with mocha."),
        ("test_framework", "ava", "Tests run with ava."),
        ("test_framework", "jasmine", "Tests run with jasmine."),
        ("test_framework", "tap", "Tests run with tap."),
        ("e2e_test_framework", "@playwright/test", "Browser tests run with Playwright."),
        ("e2e_test_framework", "cypress", "Browser tests run with Cypress."),
        (s.FORMATTER, "@biomejs/biome", "Code is formatted with biome."),
        (s.FORMATTER, "prettier", "Code is formatted with prettier."),
        (s.LINTER, "eslint", "Code is linted with eslint."),
        (s.LINTER, "xo", "Code is linted with xo."),
        (s.LINTER, "standard", "Code is linted with standard."),
        (s.LINTER, "oxlint", "Code is linted with oxlint."),
        ("monorepo_tool", "turbo", "The monorepo is built with turbo."),
        ("monorepo_tool", "nx", "The monorepo is built with nx."),
        ("monorepo_tool", "lerna", "The monorepo is released with lerna."),
        (
            "versioning_tool",
            "@changesets/cli",
            "Versions and changelog are made with changesets: add one to each change.",
        ),
        ("versioning_tool", "semantic-release", "Releases are made by semantic-release from commit messages."),
        ("language", "typescript", "The code is written in TypeScript."),
    ),
    "php": (
        ("test_framework", "phpunit/phpunit", "Tests run with PHPUnit."),
        ("test_framework", "pestphp/pest", "Tests run with Pest."),
        ("static_analysis", "phpstan/phpstan", "Types are checked by PHPStan."),
        ("static_analysis", "vimeo/psalm", "Types are checked by Psalm."),
        (s.FORMATTER, "friendsofphp/php-cs-fixer", "Code is formatted with PHP-CS-Fixer."),
        (s.FORMATTER, "laravel/pint", "Code is formatted with Pint."),
        (s.LINTER, "squizlabs/php_codesniffer", "Code style is checked by PHP_CodeSniffer."),
    ),
    "ruby": (
        ("test_framework", "rspec", "Tests run with RSpec."),
        ("test_framework", "minitest", "Tests run with Minitest."),
        (s.LINTER, "rubocop", "Code is linted with RuboCop."),
        (s.LINTER, "standard", "Code is linted with Standard."),
    ),
    "go": (
        ("assertion_library", "github.com/stretchr/testify", "Tests assert with testify."),
        ("assertion_library", "github.com/onsi/gomega", "Tests assert with gomega."),
    ),
    "java": (
        ("test_framework", "junit:junit", "Tests run with JUnit 4."),
        ("test_framework", "org.junit.jupiter", "Tests run with JUnit 5."),
        ("test_framework", "org.testng:testng", "Tests run with TestNG."),
        ("assertion_library", "org.assertj:assertj-core", "Tests assert with AssertJ."),
        ("assertion_library", "com.google.truth:truth", "Tests assert with Truth."),
    ),
    "rust": (
        ("property_tests", "proptest", "Property-based tests use proptest."),
        ("property_tests", "quickcheck", "Property-based tests use quickcheck."),
        ("benchmark_framework", "criterion", "Benchmarks use criterion."),
    ),
    "csharp": (
        ("test_framework", "xunit", "Tests run with xUnit."),
        ("test_framework", "NUnit", "Tests run with NUnit."),
        ("test_framework", "MSTest.TestFramework", "Tests run with MSTest."),
    ),
}
"""Tools by what they do: attribute, package, sentence. The first of a role that a manifest names wins."""

_SHOWN = {
    "@biomejs/biome": "biome", "@playwright/test": "playwright", "@changesets/cli": "changesets",
    "phpunit/phpunit": "phpunit", "pestphp/pest": "pest", "phpstan/phpstan": "phpstan", "vimeo/psalm": "psalm",
    "friendsofphp/php-cs-fixer": "php-cs-fixer", "laravel/pint": "pint",
    "squizlabs/php_codesniffer": "php_codesniffer", "github.com/stretchr/testify": "testify",
    "github.com/onsi/gomega": "gomega", "junit:junit": "junit 4", "org.junit.jupiter": "junit 5",
    "org.testng:testng": "testng", "org.assertj:assertj-core": "assertj", "com.google.truth:truth": "truth",
}  # fmt: skip
"""Short names of packages whose own are long."""


def roles(names: Iterable[Node], language: str) -> Statements:
    """Which chores the named packages do; `names` are nodes whose text is a package's name."""
    lines = {node.text: node.line for node in reversed(list(names))}
    told: set[str] = set()
    for attribute, package, says in _ROLES.get(language, ()):
        line = lines.get(package) or next((at for name, at in lines.items() if name.startswith(f"{package}:")), None)
        if line is None or attribute in told:
            continue
        told.add(attribute)
        subject = s.TESTS if "test" in attribute or "assertion" in attribute else s.CODE_STYLE
        if attribute.endswith("_tool") or attribute in {"task_runner", "language"}:
            subject = s.PROJECT
        yield Statement(
            subject,
            attribute,
            _SHOWN.get(package, package),
            says,
            line,
            convention=True,
            language=language,
            confidence=INFERRED,
        )
