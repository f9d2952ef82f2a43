"""Text of any length and shape is made fit to show in a time that grows with its length alone."""

from __future__ import annotations

import pytest

from companion import escape
from companion.engine.attending.focus import identifiers

LONG = 100_000
"""Characters: what grows with their square takes minutes, and the suite ends a test before."""
PIECES = ("\n", " ", "#", "# ", " #\n", "\n\n#", "`", "<", "< ", "=", "A", "a.", "aA_1")


@pytest.mark.parametrize("piece", PIECES)
def test_a_long_run_of_anything_is_shown(piece: str) -> None:
    text = "# " + piece * (LONG // len(piece)) + "x"
    assert "x" in escape.markdown_code(text, "py")
    assert "x" in escape.markdown_text(text, "  ")
    assert escape.one_line(text, 100)
    assert identifiers(text) is not None


def test_a_heading_of_ours_in_code_is_moved_from_the_edge_and_empty_lines_stay_as_they_are() -> None:
    shown = escape.markdown_code("a\n\n## Context\n\n  # critical path\n#context\n# contextual", "py")
    assert shown == "```py\na\n\n ## Context\n\n   # critical path\n #context\n# contextual\n```"
