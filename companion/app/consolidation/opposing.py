"""What has just arrived, against what is known: an open contradiction is seen at once, not the next morning.

The pass that looks for contradictions is asked about what arrived alone, with rules and reader
as judge, without vectors and within a time. Only contradictions are opened: what time settles is superseded by a
run, which can be undone. What does not fit into the time waits for a quiet moment of the service, or for the run.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable
from datetime import datetime
from functools import cache

from companion.app.consolidation.judges import local
from companion.app.consolidation.running import CONTRADICT, known_passes
from companion.app.runtime import Runtime
from companion.errors import StoreError
from companion.ports import Pass
from companion.records import Kind, Oppose, Profile, SearchQuery, Supersede
from companion.store import projects
from companion.store.consolidation.archive import StoredArchive
from companion.store.consolidation.neighbours import NEAREST_FACTS
from companion.store.consolidation.pairs import arrived, slot_mates
from companion.store.memories import detection
from companion.store.memories.memories import ReconcileOutcome
from companion.store.search import WordsQuery, search
from companion.store.text.facets import Viewer

_log = logging.getLogger(__name__)

ARRIVED_S = 0.3
"""Seconds for what one note or one saved file brought: whoever waits for it does not notice."""
ARRIVED_SCAN_S = 5.0
"""Seconds for what a scan brought: a tenth of the time that a first scan takes."""
QUIET_S, QUIET_TIMES = 1.0, 5
"""Seconds for what was put off, before others are given way to, and how often one quiet moment goes on with it."""
PAIRS_MOST = 2_000
"""Pairs looked at on arrival: what rules and reader judge in some seconds."""

FEW = 40
"""Facts that the text index is asked about one by one; of more, all are compared with all by one statement."""

NOTHING = ReconcileOutcome()


def note_opposed(
    runtime: Runtime,
    project: str,
    came: ReconcileOutcome,
    since: datetime,
    seconds: float,
    put_off: Callable[[], object] = lambda: None,
    tell_over: Callable[[str], object] = lambda _: None,
) -> ReconcileOutcome:
    """Open what contradicts what came since a moment; how many are newly open. Never fails what brought it.

    `put_off` is called where not everything could be looked at: `compare_later` does. `tell_over` is given the id of
    each memory whose place what came takes: the next run supersedes it.
    """
    if not (came.added or came.changed):
        return NOTHING
    from companion.judge.likeness import ReadLikeness

    def wait() -> None:
        _wait(runtime, project, since.isoformat())
        put_off()

    until_s = time.monotonic() + seconds
    try:
        among = _among(runtime, project, since)
        if among is not None and len(among) <= 1:
            return NOTHING
        archive = StoredArchive(
            runtime.store.database,
            project,
            runtime.adapters.clock.now(),
            judge=local(),
            likeness=ReadLikeness(),
            redactor=runtime.adapters.redactor,
            since=since,
            among=among,
            until_s=until_s,
            by_meaning=False,
            pairs_most=PAIRS_MOST,
            put_off=wait,
        )
        planned = list(_pass().plan(archive))
        for change in planned:
            if isinstance(change, Supersede):
                tell_over(change.old)
        found = [change for change in planned if isinstance(change, Oppose)]
        if not found:
            return NOTHING
        with runtime.store.database.write() as connection:
            return ReconcileOutcome(contradictions=detection.oppose(connection, project, found, archive.now))
    except StoreError:
        raise
    except Exception:  # whoever wrote the pass, the judge or the search, what arrived is kept
        _log.exception("what arrived could not be compared with what is known")
        wait()
        return NOTHING


def uncompared(runtime: Runtime, project: str) -> str:
    """Since when something has come in that was not compared with all that is known; empty where all was."""
    return projects.get_value(runtime.store.database, _waiting(project))


def compare_later(runtime: Runtime, project: str, give_way: Callable[[], bool]) -> int:
    """Compare what was put off, a second at a time while nobody else is in need; how many contradictions are new.

    What was judged is kept, so that each second gets further; the rest waits on.
    """
    opened = 0
    for _ in range(QUIET_TIMES):
        since = uncompared(runtime, project)
        if not since or give_way():
            break
        projects.set_value(runtime.store.database, _waiting(project), "")
        try:
            came = ReconcileOutcome(added=1)
            opened += note_opposed(runtime, project, came, datetime.fromisoformat(since), QUIET_S).contradictions
        except BaseException:
            _wait(runtime, project, since)
            raise
    return opened


def _wait(runtime: Runtime, project: str, since: str) -> None:
    """What came since a moment is not compared yet, nor is what was put off before."""
    kept = uncompared(runtime, project)
    projects.set_value(runtime.store.database, _waiting(project), min(kept or since, since))


def _waiting(project: str) -> str:
    return f"uncompared:{project}"


def _among(runtime: Runtime, project: str, since: datetime) -> tuple[str, ...] | None:
    """What arrived and the few that the text index finds near it; None where so much came that all are looked at."""
    store = runtime.store
    came = arrived(store.database, project, since, FEW + 1)
    if len(came) > FEW:
        return None
    if not came:
        return ()
    ids = {id_ for id_, _ in came}
    store.text_index.update(project)
    for _, text in came:
        asked = WordsQuery(SearchQuery(text=text, kinds=(Kind.FACT,), profile=Profile.MEMORY, limit=NEAREST_FACTS))
        found = search(store.readings.memory_index, store.vectors, project, asked, Viewer())
        ids |= {hit.memory.id for hit in found}
    return tuple(sorted(ids.union(slot_mates(store.database, project, [id_ for id_, _ in came]))))


@cache
def _pass() -> Pass:
    """The pass that looks for contradictions, found once."""
    found: Pass = known_passes()[CONTRADICT].load()
    return found
