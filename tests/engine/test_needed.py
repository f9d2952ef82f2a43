"""Which files stand first: those that people write, before what tools make and what tests read."""

from __future__ import annotations

from datetime import datetime

import pytest
from msgspec.structs import replace

from companion.engine.recalling.candidate_files import of_files
from companion.engine.recalling.recall import Ask, Recalled
from companion.records import Activity, FileRole, Prediction, Reason, Signals, Tier
from engine.makers import code

NOW = datetime(2026, 1, 5, 9, 0)


class Words:
    name = "words"

    def count(self, text: str) -> int:
        return len(text.split())


def offered(current: str, sure: dict[str, float], reason: str | dict[str, str] = "together") -> list[tuple[str, Tier]]:
    """The files of a context in order, with their tiers, from how sure they are needed."""
    codes = {path: _forms(path) for path in (current, *sure)}
    spoken = reason if isinstance(reason, dict) else dict.fromkeys(sure, reason)
    predictions = tuple(
        Prediction(path, chance, 1.0, (Reason(spoken[path], 1.0, 1.0, "spoken for"),)) for path, chance in sure.items()
    )
    ask = Ask(Signals(), (), NOW, Activity.EXPLORING, current=current, predictions=predictions)
    found = of_files(ask, Recalled(codes=codes), Words())
    return [(one.title, one.tier) for one in sorted(found, key=lambda one: -one.score)]


def _forms(path: str):
    language = {"py": "python", "lock": "toml", "json": "json"}.get(path.rpartition(".")[2], "")
    role = FileRole.TEST if path.startswith("tests/") else FileRole.SOURCE
    return replace(code(path, language=language), role=role)


@pytest.mark.parametrize("assistant", ["", "claude-code"])
def test_a_file_that_an_assistant_names_is_offered_and_one_that_an_editor_shows_is_not(assistant: str) -> None:
    signals = Signals("src/pool.py", "size of the pool", assistant=assistant)
    ask = Ask(signals, (), NOW, Activity.EXPLORING, current="src/pool.py", text=signals.query)
    found = of_files(ask, Recalled(codes={"src/pool.py": _forms("src/pool.py")}), Words())
    assert [one.title for one in found] == (["src/pool.py"] if assistant else [])


@pytest.mark.parametrize(
    "path",
    [
        "poetry.lock",
        "package-lock.json",
        "go.sum",
        "vendor/lib/pool.py",
        "src/__snapshots__/pool.snap",
        "static/app.min.js",
        "tests/examples/.gitconfig",
        "tests/data/answer.json",
    ],
)
def test_what_tools_make_and_tests_read_stands_behind_sources_however_often_it_changes(path: str) -> None:
    assert offered("src/pool.py", {path: 0.9, "src/cache.py": 0.1}) == [
        ("src/cache.py", Tier.RELEVANT),
        (path, Tier.BACKGROUND),
    ]


def test_tests_and_manifests_are_written_by_people_and_stay_where_they_are() -> None:
    found = offered("src/pool.py", {"tests/test_pool.py": 0.9, "Cargo.toml": 0.8, "src/cache.py": 0.1})
    assert [path for path, _ in found] == ["tests/test_pool.py", "Cargo.toml", "src/cache.py"]


@pytest.mark.parametrize("reason", ["place", "in_error"])
def test_a_lock_file_that_somebody_or_an_error_names_is_not_put_behind(reason: str) -> None:
    found = offered("src/pool.py", {"poetry.lock": 0.9, "src/cache.py": 0.1}, reason)
    assert found[0] == ("poetry.lock", Tier.RELEVANT)


@pytest.mark.parametrize("path", ["tests/examples/config", "poetry.lock"])
def test_what_stands_behind_is_not_named_by_an_everyday_word(path: str) -> None:
    assert offered("src/pool.py", {path: 0.9, "src/cache.py": 0.1}, "mention") == [("src/cache.py", Tier.RELEVANT)]


def test_around_data_of_a_test_other_data_counts() -> None:
    found = offered("tests/data/one.json", {"tests/data/two.json": 0.9, "src/cache.py": 0.1})
    assert found[0][0] == "tests/data/two.json"


@pytest.mark.parametrize("path", [".gitignore", "docs/logo.svg", "poetry.lock", "tests/data/answer.json"])
def test_what_nobody_edits_for_a_task_is_not_offered_for_words_alone(path: str) -> None:
    sure = {path: 0.4, "src/cache.py": 0.1}
    assert [found for found, _ in offered("src/pool.py", sure, "strength")] == ["src/cache.py"]
    assert [found for found, _ in offered("src/pool.py", sure, "together")] == ["src/cache.py", path]


def test_an_ignore_list_that_the_task_names_is_offered() -> None:
    found = offered("src/pool.py", {".dockerignore": 0.9, "src/cache.py": 0.1}, "mention")
    assert found[0][0] == ".dockerignore"
