"""The measurement of verdicts on actions: what is right, wrong and left unknown, beside plain words."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion.errors import UsageError
from evals.labelled.verifying import verifying

ROWS = """conflicts | Avoid calling the tax service in tests. | call the tax service in tests | Avoid calling the tax service
fits | We use pnpm, never npm. | install the packages with pnpm | We use pnpm
silent | Never deploy on Fridays. | water the plants | -
"""


def test_verdicts_are_counted(tmp_path: Path) -> None:
    (tmp_path / "rules.txt").write_text(ROWS, "utf-8")
    told = verifying(tmp_path / "rules.txt")
    ours = told["ours"]
    assert told["n"] == 3
    assert ours["wrong"] == 0  # type: ignore[index]
    assert ours["right"] >= round(2 / 3, 4)  # type: ignore[index]
    assert told["baselines"]["always unknown"]["right"] == round(1 / 3, 4)  # type: ignore[index]


def test_what_is_no_row_is_refused(tmp_path: Path) -> None:
    (tmp_path / "rules.txt").write_text("forbids | a | b | c\n", "utf-8")
    with pytest.raises(UsageError, match="no rules and actions"):
        verifying(tmp_path / "rules.txt")
