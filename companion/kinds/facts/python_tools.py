"""What the settings of Python's tools say, whichever file they stand in.

Every function takes a tool's table (TOML or INI alike) and yields the conventions in it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from companion.kinds import subjects as s
from companion.kinds.facts.canonical import canonical_version
from companion.kinds.facts.located import Node
from companion.kinds.facts.statement import Statement, Statements

RULES_SHOWN = 30
"""Rule codes of a linter that a value lists: more are not read, the count says it."""


def style(attribute: str, value: str, says: str, line: int, subject: str = s.CODE_STYLE) -> Statement:
    """A convention of Python code."""
    return Statement(subject, attribute, value, says, line, convention=True, language="python")


def line_length(node: Node | None, tool: str) -> Statements:
    """The longest line a tool allows."""
    if node is not None and node.text.isdigit():
        says = f"Python lines are at most {node.text} characters long ({tool})."
        yield style(s.LINE_LENGTH, node.text, says, node.line)


def ruff(table: Node) -> Statements:
    """Ruff: line length, quotes, rules, import and docstring conventions."""
    yield from line_length(table.at("line-length"), "ruff")
    lint = table.at("lint") or table
    yield from _ruff_rules(lint)
    single = lint.at("isort", "force-single-line")
    if single is not None and single.flag is not None:
        yield _one_import_per_line(single)
    if required := lint.at("isort", "required-imports"):
        for item in required.items():
            says = f"Every Python file must have the import `{item.text}`."
            yield style(f"required_import {item.text}", "true", says, item.line)
    if (docs := lint.at("pydocstyle", "convention")) and docs.text:
        says = f"Docstrings follow the {docs.text} convention."
        yield style(s.DOCSTRING_CONVENTION, docs.text.lower(), says, docs.line)
    ban = lint.at("flake8-tidy-imports", "ban-relative-imports")
    if ban is not None and ban.text == "all":
        yield style("relative_imports", "banned", "Relative imports are banned.", ban.line)
    for name, banned in (lint.at("flake8-tidy-imports", "banned-api") or Node(1, {})).fields().items():
        reason = (banned.at("msg") or Node(1, "")).text
        yield style(f"banned_api {name}", "true", f"`{name}` must not be used. {reason}".strip(), banned.line)
    if (inline := lint.at("flake8-quotes", "inline-quotes")) and inline.text in {"single", "double"}:
        yield style(s.QUOTES, inline.text, f"Python strings use {inline.text} quotes.", inline.line)
    yield from _ruff_format(table.at("format"))


def _ruff_rules(lint: Node) -> Statements:
    rules = lint.at("select") or lint.at("extend-select")
    if rules is None or not rules.texts():
        return
    codes = rules.texts()
    shown = ", ".join(codes[:RULES_SHOWN]) + (
        f" and {len(codes) - RULES_SHOWN} more" if len(codes) > RULES_SHOWN else ""
    )
    yield style("lint_rules", shown, f"Ruff checks Python with the rules {shown}.", rules.line)


def _ruff_format(table: Node | None) -> Statements:
    if table is None:
        return
    yield style(s.FORMATTER, "ruff format", "Python code is formatted with `ruff format`.", table.line)
    quotes = table.at("quote-style")
    if quotes is not None and quotes.text:
        yield style(s.QUOTES, quotes.text, f"Python strings use {quotes.text} quotes.", quotes.line)
    tabs = table.at("indent-style")
    if tabs is not None and tabs.text == "tab":
        yield style(s.INDENT_PYTHON, "tab", "Python is indented with tabs.", tabs.line)


def _one_import_per_line(node: Node) -> Statement:
    if node.flag:
        says = "Imports stand one name on a line: `from x import a`, then `from x import b`."
        return style(s.IMPORTS_ONE_PER_LINE, s.TRUE, says, node.line)
    return style(s.IMPORTS_ONE_PER_LINE, s.FALSE, "Several names may be imported on one line.", node.line)


def black(table: Node) -> Statements:
    """Black: that it formats, line length, quotes."""
    yield style(s.FORMATTER, "black", "Python code is formatted with `black`.", table.line)
    yield from line_length(table.at("line-length") or table.at("line_length"), "black")
    skip = table.at("skip-string-normalization") or table.at("skip_string_normalization")
    if skip is not None and skip.flag:
        says = "Quotes of Python strings are left as written."
        yield style(s.QUOTES, "preserve", says, skip.line)


def isort(table: Node) -> Statements:
    """isort: profile, one import a line."""
    profile = table.at("profile")
    if profile is not None and profile.text:
        says = f"Imports are sorted by isort with the {profile.text} profile."
        yield style("import_sorting", f"isort {profile.text}", says, profile.line)
    single = table.at("force_single_line") or table.at("force-single-line")
    if single is not None and single.flag is not None:
        yield _one_import_per_line(single)


def mypy(table: Node) -> Statements:
    """mypy: that it checks, and how strictly."""
    yield style("type_checker", "mypy", "Types are checked by mypy.", table.line)
    strict = table.at("strict")
    if strict is not None and strict.flag:
        yield style("mypy_strict", s.TRUE, "mypy checks in strict mode.", strict.line)
        return
    for option, says in (
        ("disallow_untyped_defs", "Every function must have type annotations (mypy disallow_untyped_defs)."),
        ("disallow_any_generics", "Generic types must have parameters (mypy disallow_any_generics)."),
        ("no_implicit_optional", "An argument that may be None must say so (mypy no_implicit_optional)."),
    ):
        node = table.at(option)
        if node is not None and node.flag:
            yield style(option, s.TRUE, says, node.line)


def pyright(table: Node) -> Statements:
    """Pyright: that it checks, and how strictly. It may stand beside mypy, so it has a question of its own."""
    yield style("type_checker pyright", "pyright", "Types are checked by pyright.", table.line)
    mode = table.at("typeCheckingMode")
    if mode is not None and mode.text:
        yield style("pyright_mode", mode.text, f"pyright checks in {mode.text} mode.", mode.line)


def pytest(table: Node) -> Statements:
    """pytest: where tests lie, warnings as errors, strictness, asyncio mode."""
    yield style("test_framework", "pytest", "Tests run with pytest.", table.line, s.TESTS)
    paths = table.at("testpaths")
    folders = _words(paths)
    if paths is not None and folders:
        value = ", ".join(f"{folder.text.rstrip('/')}/" for folder in folders)
        yield style(s.TEST_DIR, value, f"Tests lie in {value}.", folders[0].line, s.TESTS)
    filters = table.at("filterwarnings")
    for item in filters.lines() if filters is not None else []:
        if item.text == "error":
            says = "Any warning raised in a test fails it (pytest filterwarnings = error)."
            yield style(s.WARNINGS_ARE_ERRORS, s.TRUE, says, item.line, s.TESTS)
    for option, value, says in (
        ("xfail_strict", s.TRUE, "A test marked xfail that passes fails the run."),
        ("strict", s.TRUE, "pytest runs in strict mode."),
    ):
        node = table.at(option)
        if node is not None and node.flag:
            yield style(f"pytest_{option}", value, says, node.line, s.TESTS)
    yield from _pytest_words(table)


def pytest_table(table: Node) -> Statements:
    """The TOML table of pytest itself, where it holds more than `ini_options`."""
    if set(table.fields()) - {"ini_options"}:
        yield from pytest(table)


def _pytest_words(table: Node) -> Statements:
    mode = table.at("asyncio_mode")
    if mode is not None and mode.text:
        meaning = " (no marker is needed)" if mode.text == "auto" else ""
        says = f"pytest-asyncio runs in {mode.text} mode{meaning}."
        yield style("asyncio_mode", mode.text, says, mode.line, s.TESTS)
    options = table.at("addopts")
    if options is not None:
        text = " ".join(part.text for part in options.lines())
        if "--strict-markers" in text or "--strict" in text.split():
            says = "Every pytest marker must be registered (--strict-markers)."
            yield style("strict_markers", s.TRUE, says, options.line, s.TESTS)
        if re.search(r"(^|\s)-W\s?error(\s|$)", text):
            says = "Any warning raised in a test fails it (pytest -W error)."
            yield style(s.WARNINGS_ARE_ERRORS, s.TRUE, says, options.line, s.TESTS)
        if "--doctest-modules" in text:
            yield style("doctests", s.TRUE, "Examples in docstrings are run as tests.", options.line, s.TESTS)
    for marker in (table.at("markers") or Node(1, None)).lines():
        name, _, meaning = marker.text.partition(":")
        if meaning.strip():
            says = f"Tests may be marked `{name.strip()}`: {meaning.strip()}"
            yield style(f"pytest_marker {name.split('(')[0].strip()}", meaning.strip(), says, marker.line, s.TESTS)


def _words(node: Node | None) -> list[Node]:
    """Folders of a list, or of a text of words over several lines."""
    if node is None:
        return []
    if isinstance(node.value, list):
        return [item for item in node.items() if item.text]
    return [Node(line.line, word) for line in node.lines() for word in line.text.split()]


def coverage_report(table: Node) -> Statements:
    """coverage.py: the least share of lines that tests must reach."""
    least = table.at("fail_under")
    if least is not None and least.text and canonical_version(least.text, 1) != "0":
        says = f"Tests must cover at least {least.text} % of the code."
        yield style("coverage_minimum", least.text, says, least.line, s.TESTS)


def flake8(table: Node) -> Statements:
    """flake8: line length, docstring convention, quotes."""
    yield style(s.LINTER, "flake8", "Python code is linted with flake8.", table.line)
    yield from _flake8_line_length(table)
    docs = table.at("docstring-convention") or table.at("docstring_convention")
    if docs is not None and docs.text:
        says = f"Docstrings follow the {docs.text} convention."
        yield style(s.DOCSTRING_CONVENTION, docs.text.lower(), says, docs.line)
    quotes = table.at("inline-quotes")
    if quotes is not None and quotes.text:
        value = {"'": "single", '"': "double"}.get(quotes.text, quotes.text)
        yield style(s.QUOTES, value, f"Python strings use {value} quotes.", quotes.line)


def _flake8_line_length(table: Node) -> Statements:
    """The longest line: with bugbear's B950 in place of E501, a tenth more than is written."""
    most = table.at("max-line-length") or table.at("max_line_length")
    chosen = {
        code
        for key in ("select", "extend-select", "extend_select")
        if (node := table.at(key)) is not None
        for code in re.split(r"[\s,]+", node.text)
    }
    if (
        most is not None
        and re.fullmatch(r"\d{1,5}", most.text)
        and chosen & {"B", "B9", "B950"}
        and "E501" in _ignored(table)
    ):
        most = Node(most.line, str(int(most.text) * 11 // 10))
    yield from line_length(most, "flake8")


def _ignored(table: Node) -> set[str]:
    found = [table.at(key) for key in ("ignore", "extend-ignore", "extend_ignore")]
    return {code for node in found if node is not None for code in re.split(r"[\s,]+", node.text)}


def pydocstyle(table: Node) -> Statements:
    """pydocstyle: the docstring convention."""
    docs = table.at("convention")
    if docs is not None and docs.text:
        says = f"Docstrings follow the {docs.text} convention."
        yield style(s.DOCSTRING_CONVENTION, docs.text.lower(), says, docs.line)


def pycodestyle(table: Node) -> Statements:
    """pycodestyle: line length."""
    yield from line_length(table.at("max-line-length") or table.at("max_line_length"), "pycodestyle")


def pylint(table: Node) -> Statements:
    """Pylint's format section, or the tables that hold it: line length."""
    for holder in (table, table.at("format"), table.at("FORMAT")):
        if holder is not None:
            yield from line_length(holder.at("max-line-length"), "pylint")


def towncrier(table: Node) -> Statements:
    """Towncrier: where changelog fragments are put."""
    folder = table.at("directory")
    if folder is not None and folder.text:
        says = f"Each change gets a changelog fragment in {folder.text.rstrip('/')}/ (towncrier)."
        yield Statement(
            s.PROJECT, "changelog_fragments", f"{folder.text.rstrip('/')}/", says, folder.line, convention=True
        )


def conventional(table: Node) -> Statements:
    """Commitizen, semantic release: commit messages follow Conventional Commits."""
    name = table.at("name")
    if name is not None and name.text not in {"", "cz_conventional_commits"}:
        return
    says = "Commit messages follow Conventional Commits."
    yield Statement(s.COMMITS, s.CONVENTIONAL_COMMITS, s.TRUE, says, table.line, convention=True)


TOML_TOOLS: tuple[tuple[tuple[str, ...], Callable[[Node], Iterator[Statement]]], ...] = (
    (("ruff",), ruff),
    (("black",), black),
    (("isort",), isort),
    (("mypy",), mypy),
    (("pyright",), pyright),
    (("pytest", "ini_options"), pytest),
    (("pytest",), pytest_table),
    (("coverage", "report"), coverage_report),
    (("flake8",), flake8),
    (("pydocstyle",), pydocstyle),
    (("pycodestyle",), pycodestyle),
    (("pylint",), pylint),
    (("towncrier",), towncrier),
    (("commitizen",), conventional),
    (("semantic_release",), conventional),
)
"""Tables under `tool` of pyproject.toml and what reads them."""

INI_TOOLS: tuple[tuple[str, Callable[[Node], Iterator[Statement]]], ...] = (
    ("flake8", flake8),
    ("pycodestyle", pycodestyle),
    ("pep8", pycodestyle),
    ("pydocstyle", pydocstyle),
    ("isort", isort),
    ("settings", isort),
    ("mypy", mypy),
    ("tool:pytest", pytest),
    ("pytest", pytest),
    ("coverage:report", coverage_report),
    ("report", coverage_report),
    ("FORMAT", pylint),
    ("MASTER", pylint),
)
"""Sections of INI files and what reads them."""
