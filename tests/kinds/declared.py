"""Files that declare facts, and what is learned of them."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from kinds.worlds import world_of

from companion.kinds.facts import said_by, said_in
from companion.kinds.facts.agreeing import agreed
from companion.kinds.facts.statement import FactReader
from companion.records import Draft, FileSeen


def learned(folder: Path, files: Mapping[str, str]) -> list[Draft]:
    """What readers make of files, whether it is remembered or listed."""
    return list(agreed(one for one, _ in said_in(world_of(folder, files), whole=True)))


def facts_of(reader: FactReader, file: FileSeen) -> list[Draft]:
    """The facts of one file alone."""
    return list(agreed(said_by(reader, file)))


def said(drafts: list[Draft]) -> dict[tuple[str, str], tuple[str, str]]:
    """Value and place by subject and attribute; the first source of each."""
    found: dict[tuple[str, str], tuple[str, str]] = {}
    for draft in drafts:
        found.setdefault((draft.subject, draft.attribute), (draft.value, draft.evidence[0].label()))
    return found


PYPROJECT = """\
[build-system]
requires = ["flit_core>=3"]
build-backend = "flit_core.buildapi"

[project]
name = "thing"
description = "A fast, modern thing."
requires-python = ">=3.9,<4"
license = {text = "MIT License"}
keywords = ["thing"]
classifiers = ["Programming Language :: Python :: 3.8"]
dependencies = [
    "click>=8",
    # why
    "tomli>=2 ; python_version < '3.11'",
]

[project.optional-dependencies]
async = ["anyio>=4"]
dev = ["pytest", "hypothesis"]

[project.scripts]
thing = "thing.cli:main"

[tool.ruff]
line-length = 100

[tool.ruff.lint]
select = ["E", "F"]

[tool.ruff.lint.isort]
force-single-line = true

[tool.ruff.lint.pydocstyle]
convention = "google"

[tool.ruff.format]
quote-style = "single"

[tool.mypy]
strict = true

[tool.pytest.ini_options]
testpaths = ["testing"]
filterwarnings = [
    "error",
    "ignore::DeprecationWarning",
]

[tool.coverage.report]
fail_under = 95

[tool.towncrier]
directory = "changelog"
"""


CI = """\
name: tests
on: [push]
jobs:
  tests:
    runs-on: ${{ matrix.os || 'ubuntu-latest' }}
    strategy:
      matrix:
        python-version: [3.10, "3.12"]
        include:
          - {python-version: "3.9-dev", os: windows-latest}
          - {python-version: "3.13"}
    steps:
      - uses: actions/setup-python@v5
        with:
          python-version: ${{ matrix.python-version }}
"""


EDITORCONFIG = """\
root = true
[*]
indent_style = space
indent_size = 4
max_line_length = 88

[*.{css,js,yml}]
indent_size = 2

[*.go]
indent_style = tab

[Makefile]
indent_style = tab

[src/**.py]
indent_size = 8
"""
