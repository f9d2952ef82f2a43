"""What shorter levels save and keep is counted on a real small repository, with a model and without."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from fakes import ScriptedModel, with_language_model
from repos import Repo

from companion.app import compose
from companion.config import Settings
from companion.errors import CompanionError
from evals.labelled.compression import compression

STORY = (
    "Sessions were never locked, because one writer was expected, so two lost data if both saved. The lock is taken by `SessionStore.save` "
    "for at most 30 seconds now, after which the writer is told that the store is busy and may try again later. Tests of Redis and "
    "of PostgreSQL were moved to conftest.py on the way."
)


@pytest.fixture
def told(repo: Repo) -> Path:
    repo.write("src/session.py", "def save():\n    return 1\n")
    repo.commit("Add the session store")
    repo.write("src/session.py", "def save():\n    return 2\n")
    repo.commit(f"Lock the session store while it is written\n\n{STORY}")
    return repo.root


def test_tokens_saved_and_identifiers_kept_are_told_beside_simpler_ways(told: Path):
    figures = compression([told])
    ours = figures["ours"]
    assert figures["n"] >= 1
    assert 0 < ours["saved_summary"] < 1
    assert ours["kept_identifier"] == 1
    assert ours["wrong"] == 0
    assert figures["baselines"]["title alone"]["kept"] < 1
    assert "model" not in figures


def test_several_repositories_are_counted_together_and_each_by_itself(told: Path, new_repo: Callable[..., Repo]):
    other = new_repo("other")
    other.write("src/cache.py", "def read():\n    return 1\n")
    other.commit(f"Lock the cache before sessions are written\n\n{STORY}")
    both = compression([told, other.root])
    parts = [both["by"][f"episodes of {root.name}"]["memories"] for root in (told, other.root)]
    assert both["n"] == both["ours"]["memories"] == sum(parts)
    assert all(parts)


def test_a_repository_that_teaches_nothing_is_an_error_with_a_next_step(new_repo: Callable[..., Repo]):
    with pytest.raises(CompanionError) as caught:
        compression([new_repo("empty").root])
    assert caught.value.next_step


def test_what_a_model_says_is_counted_as_accepted_or_refused(told: Path, monkeypatch: pytest.MonkeyPatch):
    reply = {"summary": "Lock the session store while it is written.", "compressed": "Lock session store while written"}
    model = ScriptedModel([json.dumps(reply)])
    opened = compose.open_runtime
    monkeypatch.setattr(
        "companion.app.replay.open_runtime",
        lambda *given, **named: with_language_model(opened(*given, **named), lambda: model),
    )
    said = compression([told], settings=Settings(embeddings="off"))["model"]
    assert said["asked"] == len(model.asked) >= 1
    assert said.get("accepted", 0) + said.get("refused", 0) == said["asked"]
