"""Ten conversations teach how requests are meant, without a language model; without their outcomes nothing is taught."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta
from pathlib import Path

import pytest

from companion.app.compose import open_runtime
from companion.app.local import LocalCompanion, nowhere
from companion.app.replay import SetClock
from companion.config import Settings
from companion.errors import UsageError
from evals.labelled.reasoning import Labelled, answer_all, read_requests, talk_about

BEGUN = datetime(2026, 1, 5, 9, 0)
EVERYDAY, PROJECTS = read_requests(None)
HELD = PROJECTS[0].held
"""Requests that ask for the same in other words, and are never corrected."""


@pytest.fixture
def companion(tmp_path: Path) -> Iterator[LocalCompanion]:
    runtime = open_runtime(tmp_path, Settings(), SetClock(BEGUN))
    yield nowhere(runtime, tmp_path, owns_runtime=False)
    runtime.close()


def read_rightly(companion: LocalCompanion, asked: Sequence[Labelled]) -> float:
    return answer_all(lambda text: str(companion.classify(text).reading), asked)


def hold(companion: LocalCompanion, talks: Sequence[Sequence[Labelled]]) -> None:
    for talk in talks:
        companion.runtime.adapters.clock.moment += timedelta(days=1)  # type: ignore[attr-defined]
        talk_about(companion, talk)


def test_over_ten_conversations_requests_in_other_words_are_read_better_and_others_as_well_as_before(
    companion: LocalCompanion,
):
    talks = PROJECTS[0].talks
    assert len(talks) == 10
    wordings = {text for talk in talks for text, _ in talk}
    assert not wordings & {text for text, _ in HELD}
    before, unrelated = read_rightly(companion, HELD), read_rightly(companion, EVERYDAY[::6])
    hold(companion, talks[:5])
    halfway = read_rightly(companion, HELD)
    hold(companion, talks[5:])
    after = read_rightly(companion, HELD)
    assert before < 0.3
    assert before + 0.2 < halfway < after
    assert after > 0.75
    assert read_rightly(companion, EVERYDAY[::6]) >= unrelated


def test_the_same_conversations_without_their_outcomes_teach_nothing(
    companion: LocalCompanion, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(companion, "record_outcome", lambda *_, **__: None)
    before = read_rightly(companion, HELD[::2])
    hold(companion, PROJECTS[0].talks[:3])
    assert read_rightly(companion, HELD[::2]) == before


@pytest.mark.parametrize(
    "text",
    [
        "",
        "not toml [",
        "[[project]]\nname = 'x'\n",
        "project = 3",
        '[[project]]\nname = "x"\nheld = [["a", "moon"]]\ntalks = []\n',
    ],
)
def test_a_file_that_has_no_requests_is_refused(tmp_path: Path, text: str):
    path = tmp_path / "requests.toml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(UsageError):
        read_requests(path)
