"""A short run of `companion eval hooks`: whatever has become of the daemon, a hook ends well and says nothing wrong."""

from __future__ import annotations

import pytest
from client.houses import short_folder

from evals.speed.hooks import hook_times


@pytest.mark.timeout(300)
def test_a_hook_ends_well_and_speaks_only_where_a_daemon_answers():
    with short_folder() as folder:
        told = hook_times(folder, 1, states=("absent", "alive"))
    assert told["broken"] == []
    assert len(told["by"]) == 4
    spoke = {name for name, figures in told["by"].items() if figures["answered"]}
    assert spoke <= {"session-start, daemon alive"}
