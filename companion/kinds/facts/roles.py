"""What dependencies tell: which tools do the chores of a project.

What tests run with is not among them: the tests say that (see `habits.testing_tools`).
"""

from __future__ import annotations

from collections.abc import Iterable

from companion.kinds import subjects as s
from companion.kinds.facts.located import Node
from companion.kinds.facts.statement import INFERRED, Statement, Statements

_ROLES: dict[str, tuple[tuple[str, str, str], ...]] = {
    "python": (
        (s.FORMATTER, "black", "Python code is formatted with `black`."),
        ("property_tests", "hypothesis", "Property-based tests use hypothesis."),
        ("task_runner", "nox", "Development tasks run through nox."),
        ("task_runner", "tox", "Development tasks run through tox."),
    ),
    "javascript": (
        (s.FORMATTER, "@biomejs/biome", "JavaScript is formatted with biome."),
        (s.FORMATTER, "prettier", "JavaScript is formatted with prettier."),
        (s.LINTER, "eslint", "JavaScript is linted with eslint."),
        (s.LINTER, "xo", "JavaScript is linted with xo."),
        (s.LINTER, "standard", "JavaScript is linted with standard."),
        (s.LINTER, "oxlint", "JavaScript is linted with oxlint."),
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
        ("static_analysis", "phpstan/phpstan", "Types are checked by PHPStan."),
        ("static_analysis", "vimeo/psalm", "Types are checked by Psalm."),
        (s.FORMATTER, "friendsofphp/php-cs-fixer", "Code is formatted with PHP-CS-Fixer."),
        (s.FORMATTER, "laravel/pint", "Code is formatted with Pint."),
        (s.LINTER, "squizlabs/php_codesniffer", "Code style is checked by PHP_CodeSniffer."),
    ),
    "ruby": (
        (s.LINTER, "rubocop", "Ruby code is linted with RuboCop."),
        (s.LINTER, "standard", "Ruby code is linted with Standard."),
    ),
    "rust": (
        ("property_tests", "proptest", "Property-based tests use proptest."),
        ("property_tests", "quickcheck", "Property-based tests use quickcheck."),
        ("benchmark_framework", "criterion", "Benchmarks use criterion."),
    ),
}
"""Tools by what they do: attribute, package, sentence. The first of a role that a manifest names wins."""

_SHOWN = {
    "@biomejs/biome": "biome", "@changesets/cli": "changesets",
    "phpstan/phpstan": "phpstan", "vimeo/psalm": "psalm",
    "friendsofphp/php-cs-fixer": "php-cs-fixer", "laravel/pint": "pint",
    "squizlabs/php_codesniffer": "php_codesniffer",
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
        subject = s.TESTS if "test" in attribute else s.CODE_STYLE
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
