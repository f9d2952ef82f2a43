"""What stands apart from an ask is ranked, placed and told as if it were looked at for that ask alone."""

from __future__ import annotations

from datetime import timedelta

import pytest

from companion.engine.recalling.global_candidates import Apart
from companion.engine.recalling.place import place
from companion.engine.recalling.rank import rank
from companion.engine.recalling.recall import Recalled
from companion.engine.recalling.scoring_context import ScoringContext
from companion.records import Activity
from engine.generated import generated
from engine.makers import NOW
from engine.scenes import LOGIN, SESSION, project

MEMORIES = (*project().memories, *generated(300).memories)
SOME = frozenset(memory.id for memory in MEMORIES[::3])
MATCHED = {memory.id: 0.7 for memory in MEMORIES[::11]}
RECALLED = Recalled(
    memories=MEMORIES, foundation=SOME, conventions=SOME, same_errors=frozenset(memory.id for memory in MEMORIES[::17])
)


@pytest.mark.parametrize("activity", list(Activity))
@pytest.mark.parametrize("current", ["", LOGIN])
@pytest.mark.parametrize("matched", [None, {}, MATCHED], ids=["no task", "no match", "matches"])
def test_a_memory_apart_goes_where_it_would_go_by_itself(
    activity: Activity, current: str, matched: dict[str, float] | None
) -> None:
    for later in (timedelta(), timedelta(days=400)):
        scoring = ScoringContext(
            NOW + later, activity, current, neighbours={SESSION: 0.4}, matched=matched, usual=frozenset({"pytest"})
        )
        apart = Apart(RECALLED, scoring)
        for memory in MEMORIES:
            known = apart.of(memory)
            if known is not None:
                alone = rank(memory, scoring)
                assert known[0] == place(alone, RECALLED, scoring)
                assert known[0] is None or (known[1].score, known[1].reasons) == (alone.score, alone.reasons)


def test_most_of_what_is_always_recalled_stands_apart_and_nothing_at_hand_does() -> None:
    apart = Apart(Recalled(), ScoringContext(NOW, Activity.EXPLORING, LOGIN, matched=MATCHED))
    standing = [memory for memory in MEMORIES if apart.of(memory) is not None]
    assert len(standing) > len(MEMORIES) / 2
    assert not [memory for memory in standing if memory.id in MATCHED or LOGIN in memory.draft.entities]
