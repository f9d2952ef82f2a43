"""A short run of `scripts/eval start`: each way in is measured, without a daemon and with one."""

from __future__ import annotations

from pathlib import Path

import pytest
from client.houses import short_folder
from repos import Repo

from companion.ports import NoProgress
from evals.speed.start import start


@pytest.mark.timeout(600)
def test_each_way_in_is_measured_without_a_daemon_and_with_one(repo: Repo, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COMPANION_EMBEDDINGS", "off")
    repo.write("shop/price.py", "def total(items):\n    return sum(items)\n")
    repo.commit("Add prices")
    with short_folder() as folder:
        told = start(Path(repo.root), folder, 1, NoProgress(), rests=False)
    by = told["by"]
    assert isinstance(by, dict)
    assert {name.partition(", ")[2] for name in by if "memory" not in name} == {"no daemon", "daemon"}
    for name in ("context --task", "search", "expand", "remember"):
        assert 0 < by[f"{name}, daemon"]["files"] < by[f"{name}, no daemon"]["files"]
