"""A short run of `companion eval durability`: what was acknowledged survives kill -9."""

from __future__ import annotations

import pytest

from evals.kills.durability import WRITERS, Tally, durability

KILLS = 4


@pytest.mark.timeout(300)
def test_daemons_that_are_killed_lose_nothing_acknowledged_keep_nothing_twice_and_reopen_clean(tmp_path):
    told = durability(tmp_path, KILLS, seed=7)
    assert told.kills == KILLS
    assert (told.lost, told.doubled, told.stale, told.unclean) == ((), (), (), ())
    assert told.holds
    for way in ("command line", "socket", "language server", "files"):
        assert told.tried[way] >= WRITERS, way
    assert sum(told.acknowledged[way] for way in ("command line", "socket", "language server")) > 0


def test_a_write_that_failed_counts_as_tried_and_not_as_acknowledged(tmp_path):
    import threading

    from evals.kills import durability as module

    class Broken:
        def __init__(self, root, number):
            self.over = over

        def write(self, text):
            self.over.set()
            raise OSError("the daemon died")

        def close(self):
            pass

    over = threading.Event()
    tally = Tally("socket")
    module._write(Broken, tmp_path, 0, tally, over)
    assert len(tally.tried) == 1
    assert tally.acknowledged == []
    assert sum(tally.refused.values()) == 1
