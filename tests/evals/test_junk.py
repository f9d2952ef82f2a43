"""Junk is what a person reads and judges: the sample is the same for all, and verdicts are counted as they stand."""

from __future__ import annotations

import pytest
from repos import Repo

from companion.errors import CompanionError
from companion.evals.junk import Drawn, drawn, judged


def sample(name: str, of: int) -> list[Drawn]:
    return [Drawn(name, number, "fact", "", f"Says {number}.", "README.md:1") for number in range(1, of + 1)]


def test_the_same_seed_draws_the_same_memories_each_with_where_it_comes_from(repo: Repo):
    repo.write(
        "pyproject.toml", '[project]\nname = "shop"\n[tool.ruff]\nline-length = 100\n[tool.mypy]\nstrict = true\n'
    )
    repo.write("src/session.py", "def save():\n    return 1\n")
    repo.commit("Reject sessions that were signed with an expired key")
    first = drawn(repo.root, 2, 7)
    assert first == drawn(repo.root, 2, 7)
    assert len({one.says for one in first}) == len(first) == 2
    assert all(one.source and one.repository == repo.root.name for one in first)


def test_verdicts_are_counted_by_repository_and_by_cause():
    told = judged(
        [*sample("flask", 50), *sample("zod", 50)],
        ["flask 3 vague title", "", "zod 1 stray word", "zod 2  vague title"],
    )
    assert told["ours"]["junk"] == 0.03
    assert told["ours"]["low"] < 0.03 < told["ours"]["high"]
    assert {name: figures["junk"] for name, figures in told["by"].items()} == {"flask": 0.02, "zod": 0.04}
    assert told["causes"] == {"vague title": 2, "stray word": 1}


@pytest.mark.parametrize("line", ["flask 51 vague", "zod 1 vague", "flask vague", "flask 1"])
def test_a_verdict_on_nothing_that_was_drawn_is_an_error_with_a_next_step(line: str):
    with pytest.raises(CompanionError) as caught:
        judged(sample("flask", 50), [line])
    assert caught.value.next_step
