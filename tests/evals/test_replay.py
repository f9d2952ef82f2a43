"""Replaying the past: which commits are tests, what is known before each, and that nothing leaks."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest
from engine.past import commit, history

from companion.errors import UsageError
from companion.evals.baselines import BASELINES
from companion.evals.prediction import prediction, stripped
from companion.evals.replay import cases, walk
from companion.records import Commit, Signals
from evals.replayed.history_file import HistoryLibrary, HistoryReplay, read_history


def library(commits: list[Commit]) -> HistoryLibrary:
    made = HistoryLibrary()
    for one in commits:
        made.add(one)
    return made


def test_a_test_commit_changes_2_to_20_source_files_that_were_there() -> None:
    commits = history(
        "+a.py +b.py +c.py",
        "a.py +new.py",
        "a.py b.py notes.md",
        "a.py notes.md",
        "a.py -b.py",
    )
    commits.append(commit(5, "a.py", "c.py", parents=2))
    commits.append(commit(6, *(f"+n{n}.py" for n in range(21))))
    commits.append(commit(7, *(f"n{n}.py" for n in range(21))))
    assert [(case.number, case.files) for case in cases(commits, 300)] == [
        (2, ("a.py", "b.py")),
        (4, ("a.py", "b.py")),
    ]


def test_renamed_files_are_asked_for_by_their_old_name() -> None:
    commits = history("+a.py +b.py", "a.py>z.py b.py", "z.py b.py")
    assert [case.files for case in cases(commits, 300)] == [("a.py", "b.py"), ("b.py", "z.py")]


def test_exact_repeats_are_left_out() -> None:
    commits = [
        commit(0, "+a.py", "+b.py"),
        commit(1, "a.py", "b.py", subject="Backport it"),
        commit(2, "a.py", "b.py", subject="Backport it"),
        commit(3, "a.py", "b.py", subject="Another"),
    ]
    assert [case.number for case in cases(commits, 300)] == [1, 3]


def test_the_last_cases_are_taken() -> None:
    commits = history("+a.py +b.py", *["a.py b.py"] * 9)
    assert [case.number for case in cases(commits, 2)] == [8, 9]
    assert cases(commits, 0) == []


def test_before_each_case_exactly_the_earlier_commits_are_known() -> None:
    class Noting(HistoryReplay):
        def advance(self, commits: object, tree: str) -> None:
            super().advance(commits, tree)  # type: ignore[arg-type]
            noted.append((self.library._past.commits, tree))

    noted: list[tuple[int, str]] = []
    commits = history("+a.py +b.py", "a.py", "a.py b.py", "readme.md", "a.py b.py")
    numbers = [case.number for case in walk(commits, cases(commits, 9), Noting())]
    assert [known for known, _ in noted] == numbers == [2, 4]
    assert [tree for _, tree in noted] == [commits[1].sha, commits[3].sha]


def test_the_first_file_of_a_pair_finds_the_second_and_the_table_says_so() -> None:
    commits = history("+a.py +b.py +c.py +d.py", *["a.py b.py", "c.py d.py"] * 20)
    told = prediction(commits, HistoryReplay(), last=10)
    json.dumps(told)
    assert told["n"] == 10
    assert told["ours"]["recall@5"] == 1.0  # type: ignore[index]
    assert told["baselines"]["decayed co-change"]["mrr"] == 1.0  # type: ignore[index]
    assert {"file only", "with intent"} <= set(told["by"])  # type: ignore[call-overload]
    not_above = told["by"]["file only"]["not_above"]  # type: ignore[index]
    assert any(line.startswith("decayed co-change: ") and "mrr" in line for line in not_above)
    assert "bm25 on the subject" not in told["baselines"]  # type: ignore[operator]
    assert set(told["by"]["file only"]["difference"]) == {"decayed co-change", "rank fusion"}  # type: ignore[index]


def test_what_no_ranker_could_know_is_not_found() -> None:
    """A pair that meets for the first time, in one commit after it has been told apart for long."""
    rows = ["+a.py +x.py " + " ".join(f"+n{n}.py" for n in range(40))]
    rows += [f"n{n}.py n{n + 1}.py" for n in range(39)] * 2
    rows += ["a.py x.py"]
    commits = history(*rows)
    told = prediction(commits, HistoryReplay(learn=False), last=1)
    assert told["baselines"]["raw co-change"]["recall@10"] == 0.0  # type: ignore[index]


def test_a_replay_gives_the_same_figures_again() -> None:
    commits = history("+a.py +b.py +c.py", *["a.py b.py", "b.py c.py", "a.py c.py"] * 25)
    one, other = (prediction(commits, HistoryReplay(), last=30) for _ in range(2))
    for told in (one, other):
        told.pop("latency_ms")
    assert one == other


def test_an_empty_history_tells_that_nothing_was_measured() -> None:
    told = prediction([], HistoryReplay())
    assert (told["n"], told["ours"], told["baselines"]) == (0, {}, {})


def test_words_that_the_diff_holds_are_stripped_from_the_intent() -> None:
    assert stripped("Let make_app take a Config (fix #12)", frozenset({"make_app", "Config"})) == "Let take a (fix #12)"


@pytest.mark.parametrize("name", list(BASELINES))
def test_a_baseline_answers_with_known_files_each_once(name: str) -> None:
    held = library(history("+src/a.py +src/b.py +tests/test_a.py", "src/a.py tests/test_a.py"))
    found = list(BASELINES[name](held, "src/a.py", "work on b"))
    assert len(found) == len(set(found))
    assert set(found) <= set(held.paths())


def test_baselines_rank_by_what_they_are_named_for() -> None:
    held = library(
        history(
            "+src/a.py +src/b.py +tests/test_a.py +lib/z.py",
            "src/a.py lib/z.py",
            "src/a.py lib/z.py",
            "src/b.py",
        )
    )
    ranked = {name: list(ranker(held, "src/a.py", "the b part")) for name, ranker in BASELINES.items()}
    assert ranked["most recently used"][0] == "src/b.py"
    assert ranked["same directory"][:2] == ["src/b.py", "src/a.py"]
    assert next(p for p in ranked["name similarity"] if p != "src/a.py") == "tests/test_a.py"
    assert ranked["raw co-change"][0] == ranked["decayed co-change"][0] == "lib/z.py"
    assert ranked["import graph"] == []


def test_rank_fusion_puts_first_what_stands_high_in_several_simple_lists() -> None:
    """`tests/test_a.py` leads no list but the one of names; it alone stands near the top of three."""
    held = library(
        history(
            "+src/a.py +src/far.py +tests/test_a.py +lib/z.py",
            "src/a.py lib/z.py",
            "src/a.py lib/z.py tests/test_a.py",
            "src/far.py",
        )
    )
    simple = {name: list(ranker(held, "src/a.py", "")) for name, ranker in BASELINES.items()}
    assert simple["decayed co-change"][0] == "lib/z.py"
    assert simple["most recently used"][0] == "src/far.py"
    assert simple["rank fusion"][0] == "tests/test_a.py"
    assert "src/a.py" not in simple["rank fusion"]


def test_words_of_past_subjects_find_the_files_they_changed() -> None:
    held = library([commit(0, "+a.py", "+b.py"), commit(1, "b.py", subject="Retry lost connections")])
    (found, *_) = held.match_files("connection retries", 5)
    assert (found.path, found.matched) == ("b.py", ("connection",))


def test_a_history_file_is_read_with_its_running_table_of_paths(tmp_path: Path) -> None:
    rows = [
        {"s": "c0", "t": 60, "a": "x", "m": "Begin", "new": ["a.py", "b.py"], "f": [["A", 0], ["A", 1]], "o": 2},
        {"s": "c1", "t": 120, "a": "x", "m": "Move", "new": ["z.py"], "f": [["R", 0, 2], ["M", 1]], "o": 0},
    ]
    plain, packed = tmp_path / "h.jsonl", tmp_path / "h.jsonl.gz"
    plain.write_text("\n".join(map(json.dumps, rows)))
    packed.write_bytes(gzip.compress(plain.read_bytes()))
    commits = read_history(plain)
    assert commits == read_history(packed)
    assert [(c.path, c.old_path) for c in commits[1].changes] == [("z.py", "a.py"), ("b.py", "")]
    assert set(library(commits).paths()) == {"z.py", "b.py"}


@pytest.mark.parametrize("line", ["{", "[]", '{"s": "c", "t": 1, "m": "x", "f": [["M", 7]]}', '{"s": "c"}'])
def test_a_line_that_is_no_commit_is_named(tmp_path: Path, line: str) -> None:
    path = tmp_path / "h.jsonl"
    path.write_text(line)
    with pytest.raises(UsageError, match="Line 1 of"):
        read_history(path)


def test_a_library_of_history_alone_answers_every_question() -> None:
    replay = HistoryReplay()
    replay.advance(history("+a.py +b.py"), "")
    assert [p.path for p in replay.predict(Signals(current_file="a.py"), 5)] == ["b.py"]
    assert replay.library.links(["a.py"]) == ()
    assert replay.library.standing().foundation == ()
