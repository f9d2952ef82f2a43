"""What is made of turns behind the answers: session, rolling and whole summaries, blocks of the array, cold sentences.

All of it follows from turns that are written down already, and each step looks at what is missing, not at what just
happened: whatever a kill interrupts is made by the next turn. A step that fails leaves what was said as it is, notes
why, and is tried again.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from datetime import datetime, timedelta

from companion.app.consolidation.judges import reader
from companion.app.runtime import Runtime
from companion.app.talks.compacting import array_tokens, compact
from companion.app.talks.past import past_turns
from companion.errors import StoreError
from companion.records.talk import Item, ItemState, Role, Turn
from companion.records.turn_history import SessionSummary, TalkSession, Whole
from companion.store.talk import acts, items, running, sessions, summaries, talk_turns, warmth
from companion.store.talk.summaries import Summary, SummarySort
from companion.talk.past import gist, summing

_log = logging.getLogger(__name__)

AT_ONCE = 5
"""Sessions summed up after one turn: more have piled up only after a deletion."""
GISTS = "gists"
"""What the state calls the sentences of cold turns."""
GISTS_AT_ONCE = 500
"""Cold turns that get their sentence in one go: some seconds behind the answer."""
RULES_ALONE_FROM = 2.0
"""At so many times the threshold rules make the block if the model has not: nothing grows without end."""
RETRY_AFTER = timedelta(minutes=10)
"""A try that came to nothing is repeated after so long."""
LOOK_SHARE = 20
"""A turn of more than this part of the array's threshold is a reason to look at the array at once."""
ITEMS_LOOKED_AT = 1_000
"""Open items that the whole is made from: more than anybody keeps open."""
FOR_GOOD_MOST = 50
"""Anchors that the whole is made from."""


def tend(runtime: Runtime, persona: str, now: datetime, *, tokens: int = 0) -> None:
    """Make what is missing with a persona; `tokens` are those of the turn that came in, 0: look at everything.

    With a session's first turn the sessions before it are summed up; the rest is looked at every four turns, since
    each look asks the store. Never raises but for a store that cannot be written.
    """
    session = sessions.latest(runtime.store.database, runtime.store.user, persona)
    if session is None:
        return
    first = not tokens or session.turns == 1
    due = first or session.turns % summing.ROLLING_EVERY == 0 or tokens > runtime.settings.array_tokens // LOOK_SHARE
    steps: list[tuple[str, Callable[[], object]]] = []
    if first:
        sessions.end_idle(runtime.store.database, runtime.store.user, now - past_turns(runtime).gap())
        cool(runtime, persona, now)
        steps.append((SummarySort.SESSION, lambda: _sum_up_sessions(runtime, now)))
    if due:
        steps.append((SummarySort.ROLLING, lambda: _sum_up_so_far(runtime, session, now)))
        steps.append((SummarySort.WHOLE, lambda: _sum_up_everything(runtime, persona, now)))
        steps.append((SummarySort.BLOCK, lambda: _compact_if_due(runtime, persona, now)))
    for what, step in steps:
        _tried(runtime, persona, now, what, step)


def cool(runtime: Runtime, persona: str, now: datetime) -> None:
    """Turns of archived conversations become cold, and get the sentence they are shown as."""
    last = sessions.latest(runtime.store.database, runtime.store.user, persona)
    warmth.cool(runtime.store.database, runtime.store.user, last.started_at if last else now, now)
    _tried(runtime, persona, now, GISTS, lambda: _give_gists(runtime, persona, now))


def session_summary(runtime: Runtime, session: TalkSession) -> SessionSummary:
    """What a session came to: as it was kept, or made now."""
    for kept in summaries.of_sessions(runtime.store.database, [session.id]):
        if kept.sort is SummarySort.SESSION:
            return read_session(kept)
    return _session_made(runtime, session)[0]


_FIELDS = ("mattered", "open_loops", "commitments", "people")
_PARTS = ("profile", "projects", "people", "open_loops")


def read_session(kept: Summary) -> SessionSummary:
    """A session summary from its lines."""
    found = _read(kept.text)
    return SessionSummary(
        line="".join(found.get("line", ())),
        tone="".join(found.get("tone", ())),
        made_by=kept.made_by,
        **{name: tuple(found.get(name, ())) for name in _FIELDS},
    )


def read_whole(kept: Summary) -> Whole:
    """A version of the whole from its lines."""
    found = _read(kept.text)
    return Whole(kept.number, kept.made_at, kept.turns, **{name: tuple(found.get(name, ())) for name in _PARTS})


def _tried(runtime: Runtime, persona: str, now: datetime, what: str, step: Callable[[], object]) -> None:
    try:
        step()
    except StoreError:
        raise
    except Exception as wrong:
        _log.exception("something said could not be summarised")
        summaries.tried(
            runtime.store.database, runtime.store.user, persona, now, what, f"{type(wrong).__name__}: {wrong}"[:200]
        )


def _sum_up_sessions(runtime: Runtime, now: datetime) -> None:
    """Sessions that are over get their summary."""
    for session in sessions.unsummed(runtime.store.database, runtime.store.user, AT_ONCE):
        made, heard = _session_made(runtime, session)
        lines = [("line", made.line), ("tone", made.tone)]
        lines += [(name, line) for name in _FIELDS for line in getattr(made, name)]
        _keep_of_session(runtime, SummarySort.SESSION, session, now, _written(lines), heard)


def _session_made(runtime: Runtime, session: TalkSession) -> tuple[SessionSummary, tuple[tuple[int, Turn], ...]]:
    heard, said, left = _left_behind(runtime, session)
    return summing.session(said, left, reader()), heard


def _left_behind(
    runtime: Runtime, session: TalkSession
) -> tuple[tuple[tuple[int, Turn], ...], list[Turn], tuple[Item, ...]]:
    """The turns of a session, with and without their numbers, and what they left behind."""
    heard = running.of_session(runtime.store.database, session.id)
    said = [turn for _, turn in heard]
    return heard, said, running.items_of(runtime.store.database, [turn.id for turn in said])


def _sum_up_so_far(runtime: Runtime, session: TalkSession, now: datetime) -> None:
    """Every four turns of a session what it has come to; what is missing is one, of all turns so far."""
    kept = summaries.latest(
        runtime.store.database, runtime.store.user, SummarySort.ROLLING, session.persona, session.id
    )
    if session.turns // summing.ROLLING_EVERY <= (kept.turns if kept else 0) // summing.ROLLING_EVERY:
        return
    heard, said, left = _left_behind(runtime, session)
    text = summing.rolling(said, [one for one in left if one.state is not ItemState.DROPPED], reader())
    _keep_of_session(runtime, SummarySort.ROLLING, session, now, text, heard)


def _keep_of_session(
    runtime: Runtime,
    sort: SummarySort,
    session: TalkSession,
    now: datetime,
    text: str,
    heard: Sequence[tuple[int, Turn]],
) -> None:
    """Keep what some turns of a session were summed up to, and that it came to something."""
    first, last = (heard[0][0], heard[-1][0]) if heard else (0, 0)
    tokens = runtime.adapters.counter.count(text)
    new = Summary(sort, runtime.store.user, session.persona, now, text, len(heard), tokens, last, first, session.id)
    summaries.keep(runtime.store.database, new)
    summaries.tried(runtime.store.database, runtime.store.user, session.persona, now, sort)


def _sum_up_everything(runtime: Runtime, persona: str, now: datetime) -> None:
    """Every twenty turns, with whomever, a new version of the whole."""
    database, user = runtime.store.database, runtime.store.user
    kept = summaries.latest(database, user, SummarySort.WHOLE)
    count, _, last_heard = running.length(database, user, "*", kept.last_heard if kept else 0)
    if count < summing.WHOLE_EVERY:
        return
    made = _whole_made(runtime, (kept.turns if kept else 0) + count, now)
    text = _written([(name, line) for name in _PARTS for line in getattr(made, name)])
    new = Summary(SummarySort.WHOLE, user, "", now, text, made.turns, runtime.adapters.counter.count(text), last_heard)
    summaries.keep(database, new)
    summaries.tried(database, user, persona, now, SummarySort.WHOLE)


def _whole_made(runtime: Runtime, count: int, now: datetime) -> Whole:
    database, user = runtime.store.database, runtime.store.user
    standing = items.open_ones(database, ITEMS_LOOKED_AT)
    open_in = {act.id: sum(one.act == act.id for one in standing) for act in acts.all_of(database, user)}
    named = {act.id: act.name for act in acts.all_of(database, user) if not act.permanent}
    return summing.whole(
        0,
        now,
        count,
        profile=[one.text for one in past_turns(runtime).anchors("")][:FOR_GOOD_MOST],
        projects=[f"{name} ({open_in[id_]} open)" if open_in[id_] else name for id_, name in named.items()],
        items=standing,
    )


def _compact_if_due(runtime: Runtime, persona: str, now: datetime) -> None:
    """Past the threshold the array is compacted: by rules at once, by a model aside, if one is configured."""
    database, user, limit = runtime.store.database, runtime.store.user, runtime.settings.array_tokens
    tokens = array_tokens(runtime, persona)
    if tokens <= limit:
        return
    if not runtime.settings.model_endpoint or tokens > RULES_ALONE_FROM * limit:
        compact(runtime, persona, now, at_once=False, with_model=False)
        return
    tries = summaries.tries(database, user, persona)
    failed_at = tries.tried_at if tries.error.startswith(f"{SummarySort.BLOCK}: ") else None
    if runtime.shared and (failed_at is None or now - failed_at > RETRY_AFTER):
        past_turns(runtime).aside(lambda: compact(runtime, persona, now, at_once=False, with_model=True))


def _give_gists(runtime: Runtime, persona: str, now: datetime) -> None:
    """Cold turns get the sentence they are shown as."""
    database = runtime.store.database
    while ids := running.without_gist(database, runtime.store.user, GISTS_AT_ONCE):
        made = [(turn.id, gist.gist(turn, reader())) for turn in talk_turns.get(database, ids)]
        running.keep_gists(database, [(id_, one.sentence or "…", one.keywords) for id_, one in made])
        summaries.tried(database, runtime.store.user, persona, now, GISTS)
        if len(ids) < GISTS_AT_ONCE:
            return


def _written(lines: Sequence[tuple[str, str]]) -> str:
    return "\n".join(f"{name}\t{' '.join(text.split())}" for name, text in lines if text)


def _read(text: str) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for line in text.split("\n"):
        name, _, words = line.partition("\t")
        found.setdefault(name, []).append(words)
    return found


def last_said(turn: Turn | None) -> str:
    """The beginning of what the user said last."""
    return gist.shortened(turn.said(Role.USER)) if turn is not None else ""
