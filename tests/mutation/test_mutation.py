"""A change that no test notices is told with its place; a sample of changes of pure rooms is noticed by their tests."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from mutation.changing import left_out, mutants_of

ROOT = Path(__file__).resolve().parent.parent.parent
forks = pytest.mark.skipif(not hasattr(os, "fork"), reason="changes are tried in forked processes")
LEAST = 0.85
"""Share of the changes that must be noticed: what the house promises of its runtime."""

SOURCE = b'''
LIMIT = 5
WEIGHT = 0.5

def asked(ages, most=3):
    """The ages that count."""
    if not ages:
        return []
    kept = [age for age in ages if age > 2 and age != 40]
    for age in ages:
        if age < LIMIT:
            continue
        kept.append(age * 0.3 if age >= WEIGHT else age)
    return f"{kept[0]}" if len(kept) == 1 else kept[:20]
'''


def changed(source: bytes) -> set[str]:
    return {mutant.told().partition("  ")[2] for mutant in mutants_of("room.py", source)}


def test_guards_comparisons_small_numbers_and_early_ends_are_changed():
    assert changed(SOURCE) == {
        "not ages  ->  (ages)",
        "return []  ->  pass",
        "age > 2 and age != 40  ->  (not (age > 2 and age != 40))",
        "age > 2 and age != 40  ->  ((age > 2) or (age != 40))",
        ">  ->  >=",
        "2  ->  3",
        "!=  ->  ==",
        "40  ->  80",
        "age < LIMIT  ->  (not (age < LIMIT))",
        "continue  ->  pass",
        "age >= WEIGHT  ->  (not (age >= WEIGHT))",
        "len(kept) == 1  ->  (not (len(kept) == 1))",
        "1  ->  2",
        "20  ->  40",
    }


def test_figures_that_were_chosen_are_left_out_and_counted():
    assert left_out(SOURCE) == 5  # LIMIT, WEIGHT, the default, 0.3 and what stands in the text


@pytest.mark.parametrize(
    "text",
    ["assert age > 2", "raise ValueError(2)", "while age > 2: age -= age", "age: int", "zip(age, age, strict=True)"],
)
def test_what_ends_a_program_or_would_never_end_is_let_be(text: str):
    assert not changed(f"def asked(age):\n    {text}\n".encode())


def test_every_change_is_python():
    for file in (ROOT / "companion" / "judge").glob("*.py"):
        source = file.read_bytes()
        for mutant in mutants_of(str(file), source):
            compile(mutant.of(source), str(file), "exec")


def mutate(notes: Path, *arguments: str) -> tuple[int, dict]:
    done = subprocess.run(
        [sys.executable, "-m", "mutation", *arguments, "--json", "--notes", str(notes)],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(ROOT / "tests")},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.stdout, done.stderr
    return done.returncode, json.loads(done.stdout)


SAMPLE = {
    "team/door": ("tests/team/test_door.py",),
    "notes/status": ("tests/notes/test_status.py",),
}
"""Two modules with quick tests of their own: whole rooms are for `scripts/mutate`."""


@forks
@pytest.mark.parametrize("room", SAMPLE)
def test_a_sample_of_changes_of_a_pure_module_is_noticed(tmp_path: Path, room: str):
    asked = [word for test in SAMPLE[room] for word in ("--tests", test)]
    code, tally = mutate(tmp_path, room, *asked, "--sample", "8", "--least", str(LEAST))
    survivors = [one["mutant"] for one in tally["outcomes"] if not one["killed_by"]]
    assert len(tally["outcomes"]) == 8 and not tally["failing"]
    assert tally["share"] >= LEAST and code == 0, survivors


@forks
def test_tests_that_ask_nothing_notice_nothing_and_the_next_call_says_so_again(tmp_path: Path):
    asked = ("judge", "--tests", "tests/mutation/asks_nothing.py", "--sample", "3")
    before = (ROOT / "companion/judge/faithfulness.py").read_bytes()
    code, tally = mutate(tmp_path, *asked)
    assert code == 1 and tally["killed"] < 3
    assert len(tally["outcomes"]) == 3 and tally["covered"] < tally["possible"]
    assert (ROOT / "companion/judge/faithfulness.py").read_bytes() == before
    noted = (tmp_path / "judge.jsonl").read_text("utf-8")
    assert mutate(tmp_path, *asked) == (code, tally)
    assert (tmp_path / "judge.jsonl").read_text("utf-8") == noted
