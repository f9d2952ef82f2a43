from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.kinds.facts.canonical import (
    canonical_version,
    indent,
    licence_id,
    minimum_version,
    requirement,
    version_order,
)


@pytest.mark.parametrize(
    ("requirement_text", "parts", "oldest"),
    [
        (">=3.9", 2, "3.9"),
        (">=3.9,<4", 2, "3.9"),
        ("<4,>=3.10.2", 2, "3.10"),
        ("~=3.9", 2, "3.9"),
        ("^7.4 || ^8.0", 2, "7.4"),
        (">= 2.7.8", 2, "2.7"),
        (">=18.17.0", 1, "18"),
        ("20.x || >=22", 1, "20"),
        ("==3.11.*", 2, "3.11"),
        ("!=3.9.0,>=3.8", 2, "3.8"),
        ("[17,22)", 1, "17"),
        ("<4", 2, ""),
        ("*", 2, ""),
        ("", 2, ""),
    ],
)
def test_a_requirement_gives_its_oldest_version(requirement_text: str, parts: int, oldest: str) -> None:
    assert minimum_version(requirement_text, parts) == oldest


@given(st.lists(st.tuples(st.integers(1, 9), st.integers(0, 30)), min_size=1, max_size=4))
def test_alternatives_give_the_oldest_in_whatever_order(versions: list[tuple[int, int]]) -> None:
    told = [f"{major}.{minor}" for major, minor in versions]
    oldest = min(told, key=version_order)
    assert minimum_version(" || ".join(f"^{v}" for v in told)) == oldest
    assert minimum_version(" || ".join(f"^{v}" for v in reversed(told))) == oldest


@pytest.mark.parametrize(
    ("text", "keep", "version"),
    [("3.10.0", 2, "3.10"), ("1.71.0", 2, "1.71"), ("1.71.1", 2, "1.71.1"), ("18.0.0", 1, "18"), ("none", 2, "")],
)
def test_zeros_that_say_nothing_go(text: str, keep: int, version: str) -> None:
    assert canonical_version(text, keep) == version


@pytest.mark.parametrize(
    ("told", "spdx"),
    [
        ("MIT License", "MIT"),
        ("Apache Software License", "Apache"),
        ("Apache License, Version 2.0", "Apache-2.0"),
        ("Apache 2.0", "Apache-2.0"),
        ("New BSD License", "BSD-3-Clause"),
        ("BSD-3-Clause", "BSD-3-Clause"),
        ("MIT/Apache-2.0", "MIT OR Apache-2.0"),
        ("GPL-3.0-or-later", "GPL-3.0-or-later"),
        ("MIT OR Apache-2.0", "MIT OR Apache-2.0"),
    ],
)
def test_licences_get_one_spelling(told: str, spdx: str) -> None:
    assert licence_id(told) == spdx


def test_indents_get_one_spelling() -> None:
    assert (indent("space", "4"), indent("tab", "8"), indent("Tabs", ""), indent("space", "tab")) == (
        "4 spaces",
        "tab",
        "tab",
        "",
    )


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("httpcore==1.*", ("httpcore", "==1.*", "")),
        ("Uvicorn[standard] >= 0.12 ; python_version < '3.9'", ("uvicorn", ">=0.12", "python_version < '3.9'")),
        ("typing_extensions", ("typing-extensions", "", "")),
        ("pkg @ https://example.org/pkg.tar.gz", ("pkg", "", "")),
        ("-r requirements.txt", ("", "", "")),
        ("https://example.org/x.tar.gz", ("", "", "")),
        ("two words", ("", "", "")),
    ],
)
def test_requirements_come_apart(text: str, parts: tuple[str, str, str]) -> None:
    assert requirement(text) == parts
