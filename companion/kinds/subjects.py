"""Names that several kinds share: what a fact is about and which property it gives.

Declared facts and observed habits meet here: when both speak of the same subject and attribute,
the store sees one question with two sources.
"""

from __future__ import annotations

import hashlib
import re

CODE_STYLE = "code style"
COMMITS = "commit messages"
TESTS = "tests"
PROJECT = "project"

CONVENTION = "convention"
"""Label of what the code and the history show."""

LINE_LENGTH = "line_length"
IMPORTS_ONE_PER_LINE = "imports_one_per_line"
DOCSTRING_CONVENTION = "docstring_convention"
MIN_PYTHON = "min_python"
TEST_DIR = "test_dir"
TEST_NAMING = "test_naming"
INDENT_JS_CSS_YAML = "indent_js_css_yaml"
INDENT = "indent"
QUOTES = "quotes"
SEMICOLONS = "semicolons"
FILE_NAMING = "file_naming"
MSRV = "msrv"

CONVENTIONAL_COMMITS = "conventional_commits"
SCOPE_COLON_SUBJECT = "scope_colon_subject"
BRACKETED_AREA = "bracketed_area"
PR_NUMBER_SUFFIX = "pr_number_suffix"
CAPITALISED_SUBJECT = "capitalised_subject"

TRUE, FALSE = "true", "false"

_VOLATILE = re.compile(r"0x[0-9a-fA-F]+|'[^']*'|\"[^\"]*\"|`[^`]*`|\d+")
_SPACES = re.compile(r"\s+")


def failure_key(error_type: str, message: str) -> str:
    """A fingerprint of an error told in words: 16 hexadecimal digits.

    Quoted parts, numbers and addresses of the message do not count, nor its case.
    """
    plain = _SPACES.sub(" ", _VOLATILE.sub("*", message)).strip().lower()
    return hashlib.sha256(f"{error_type.rpartition('.')[2].lower()}\x1f{plain}".encode()).hexdigest()[:16]
