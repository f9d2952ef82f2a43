"""What an answer is handed of what was said: looked up as far back as the message asks for, and no further.

The last turns are in memory. Where a message points backwards, earlier turns of the conversation are read (warm), and
all other conversations searched (cold), beside and with a deadline: a search that takes longer goes on for the next
time, and the answer goes without it and says so.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from concurrent.futures import TimeoutError as TooLate
from datetime import datetime, timedelta
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, Any, TypeVar

from companion.app.consolidation.judges import reader
from companion.app.runtime import Runtime
from companion.errors import CompanionError
from companion.records.talk import Conversation, ItemType, Turn
from companion.records.turn_history import Anchor, TalkSession
from companion.store.talk import finding, items, known, running, sessions, talk_turns, warmth
from companion.store.talk.hot import HotTurns
from companion.talk.items.anchors import statements
from companion.talk.past import gist, handing, relevance
from companion.talk.past.sampling import sampled

if TYPE_CHECKING:
    from companion.talk.past.looking_back import Back

T = TypeVar("T")
_log = logging.getLogger(__name__)

WARM_MOST = 50
"""Earlier turns of a conversation that are looked at; spec V8."""
COLD_LOOKED_AT = 60
"""Turns of other conversations that are weighed: more than ever find room."""
COLD_MOST = 30
"""Of them that are offered for packing."""
ANCHORS_MOST = 20
"""Turns whose firm sentences may lead a history: 200 tokens hold about ten."""
NAMES_MOST = 200
"""Names of open items that a message is searched for."""
NAME_LEAST = 3
"""Letters of a name that is looked for: shorter ones are in every message."""
PROMOTED_MOST = 10
"""Turns that were asked for by hand and stay in histories: a session's worth."""
ALONE_WAIT_S = 5.0
"""How long a process that answers once waits for a search: nobody else will have its result."""
CLOSING_S = 5.0
"""How long closing the store waits for a model that is asked: what it says later is not used."""
STATEMENTS_HELD = 200
"""Anchor turns whose sentences are held in memory."""


def past_turns(runtime: Runtime) -> PastTurns:
    """What histories of one store share."""
    return runtime.one(PastTurns, runtime)


class PastTurns:
    """What histories of one store share. Threads may share it."""

    def __init__(self, runtime: Runtime) -> None:
        self._runtime = runtime
        self.hot = HotTurns(runtime.store.database)
        self.shapes = handing.Shapes(runtime.adapters.counter)
        self._said_for_good = lru_cache(STATEMENTS_HELD)(lambda turn: statements(turn, reader()))
        self._lock = threading.Lock()
        self._search: Future[Any] | None = None  # of whatever is looked for
        self._long: threading.Thread | None = None

    @cached_property
    def _searcher(self) -> ThreadPoolExecutor:
        return ThreadPoolExecutor(1, thread_name_prefix="earlier talk")

    def limits(self, total: int | None) -> handing.Limits:
        """Tokens of a history and its parts, as they are set; another total squeezes or widens them."""
        told = self._runtime.settings
        whole = handing.Limits(
            told.history_tokens,
            told.history_hot_tokens,
            told.history_warm_tokens,
            told.history_cold_tokens,
            told.anchor_tokens,
        )
        return whole if total is None else whole.within(total)

    def gap(self) -> timedelta:
        """The pause that ends a session."""
        return timedelta(minutes=self._runtime.settings.session_gap_minutes)

    def anchors(self, persona: str) -> tuple[Anchor, ...]:
        """What says who the user is or what was decided for good, the firmest first; read again after each write."""
        runtime = self._runtime

        def read() -> tuple[Anchor, ...]:
            said = [
                Anchor(sentence, turn.anchor, turn.at, turn.conversation, turn.number)
                for turn in known.anchored(runtime.store.database, runtime.store.user, persona, ANCHORS_MOST)
                for sentence in self._said_for_good(turn)
            ]
            kept = [
                Anchor(one.draft.value, one.draft.confidence, one.created_at, memory=one.id)
                for one in known.pinned(runtime.store.database, runtime.store.user, persona, ANCHORS_MOST)
            ]
            return tuple({one.text.casefold(): one for one in (*reversed(said), *reversed(kept))}.values())[::-1]

        return runtime.store.readings.kept(("anchors", persona), runtime.store.database.revision, read)

    def open_names(self) -> frozenset[str]:
        """Whom and what open items wait for, in lower case."""
        runtime = self._runtime

        def read() -> frozenset[str]:
            found = items.open_ones(runtime.store.database, NAMES_MOST)
            named = [one.text for one in found if one.type is ItemType.PERSON]
            named += [one.details["who"] for one in found if one.details.get("who")]
            return frozenset(name.lower() for name in named if len(name) >= NAME_LEAST)

        return runtime.store.readings.kept("open names", runtime.store.database.revision, read)

    def earlier(self, one: Conversation, upto: int, asked: frozenset[str]) -> list[handing.RecalledTurn]:
        """Turns of a conversation up to a number, sampled if it is long: those that fit the words first."""
        database = self._runtime.store.database
        firm = known.firmness(database, one.id, upto)
        places = sampled([strength for _, strength in firm], WARM_MOST)
        rank = {talk_turns.turn_id(one.id, firm[at][0]): place for place, at in enumerate(places)}
        found = talk_turns.get(database, list(rank))
        fits = {turn.id: relevance.overlap(asked, talk_turns.words_of(turn.messages)) for turn in found}
        ordered = sorted(found, key=lambda turn: (-fits[turn.id], rank[turn.id]))
        return [handing.RecalledTurn(turn, _below_one(fits[turn.id])) for turn in ordered]

    def asked_for(self, persona: str, but: str) -> list[handing.RecalledTurn]:
        """Turns of other conversations that somebody asked for in this session."""
        database = self._runtime.store.database
        ids = warmth.promoted(database, self._runtime.store.user, persona, PROMOTED_MOST)
        return [handing.RecalledTurn(turn, 0.99) for turn in talk_turns.get(database, ids) if turn.conversation != but]

    def of_long_ago(
        self, asked: finding.TurnQuery, persona: str, back: Back | None, now: datetime
    ) -> list[handing.RecalledTurn]:
        """Turns of other conversations that fit a question, and those of the time it names, best first."""
        runtime = self._runtime
        database, user = runtime.store.database, runtime.store.user
        hits = finding.turns(database, runtime.store.text_index, runtime.store.vectors, user, asked, COLD_LOOKED_AT)
        likeness = {hit.turn: hit.score for hit in hits}
        found = {turn.id: turn for turn in talk_turns.get(database, list(likeness))}
        since, until = (back.since, back.until) if back is not None else (None, None)
        if since is not None and until is not None:
            then = known.within(database, user, persona, asked.but, since, until, COLD_LOOKED_AT)
            found |= {turn.id: turn for turn in then}
        with_whom = known.personas(database, {turn.conversation for turn in found.values()})
        weighed = []
        for turn in found.values():
            if persona and with_whom.get(turn.conversation) not in ("", persona):
                continue
            named = since is not None and until is not None and since <= turn.at < until
            at = now if named else turn.at
            worth = relevance.cold_worth(at, now, likeness.get(turn.id, 0.0), turn.anchor)
            if worth >= relevance.COLD_LEAST:
                weighed.append((_below_one(worth), turn))
        weighed.sort(key=lambda pair: (-pair[0], -pair[1].at.timestamp(), pair[1].id))
        return self._in_a_sentence(weighed[:COLD_MOST])

    def in_time(self, search: Callable[[], T], missing: list[str]) -> T | None:
        """What a search finds, if it does so in time; None, and a sentence in `missing`, where it does not or fails."""
        wait_s = self._runtime.settings.cold_wait_s if self._runtime.shared else ALONE_WAIT_S
        with self._lock:
            if self._search is not None and not self._search.done():
                missing.append("Earlier conversations are still being searched for the previous message.")
                return None
            begun = self._searcher.submit(search)
            self._search = begun
        try:
            return begun.result(wait_s)
        except TooLate:
            missing.append(f"Earlier conversations were left out: the search took longer than {wait_s * 1_000:.0f} ms.")
        except CompanionError as wrong:
            missing.append(f"Earlier conversations were left out: {wrong.what}")
        except Exception as wrong:
            _log.exception("earlier conversations could not be searched")
            missing.append(f"Earlier conversations were left out: {type(wrong).__name__}. See `companion doctor`.")
        return None

    def session_before(self, persona: str, last: TalkSession | None, now: datetime) -> TalkSession | None:
        """The session before the one of now: the last where that is over, else the one before it."""
        runtime = self._runtime
        if last is None or now - last.last_turn_at > self.gap():
            return last
        return sessions.latest(runtime.store.database, runtime.store.user, persona, before=last.number)

    def carried_over(self, session: TalkSession, asked: frozenset[str], most: int) -> tuple[Turn, ...]:
        """The last turns of a session that the next one begins with: the very last, and those that fit the message."""
        last = [turn for _, turn in running.of_session(self._runtime.store.database, session.id, last=most)]
        fits = [turn for turn in last[:-1] if relevance.overlap(asked, talk_turns.words_of(turn.messages)) > 0]
        return (*fits, *last[-1:])

    def aside(self, work: Callable[[], object]) -> None:
        """Have something done that takes as long as a model takes, unless such a thing is going on."""
        with self._lock:
            if self._long is None or not self._long.is_alive():
                self._long = threading.Thread(target=_logged, args=(work,), name="summing up", daemon=True)
                self._long.start()

    def close(self) -> None:
        """Wait for a search that is still going on, and a little for a model."""
        if "_searcher" in self.__dict__:
            self._searcher.shutdown()
        if self._long is not None:
            self._long.join(CLOSING_S)

    def _in_a_sentence(self, weighed: Sequence[tuple[float, Turn]]) -> list[handing.RecalledTurn]:
        """Cold turns with their sentence, made now where none is kept."""
        kept = running.gists(self._runtime.store.database, [turn.id for _, turn in weighed])
        shown = []
        for worth, turn in weighed:
            if turn.id in kept:
                sentence, keywords = kept[turn.id]
            else:
                made = gist.gist(turn, reader())
                sentence, keywords = made.sentence, made.keywords
            shown.append(handing.RecalledTurn(turn, worth, sentence, keywords))
        return shown


def _logged(work: Callable[[], object]) -> None:
    try:
        work()
    except Exception:
        _log.exception("something said could not be summarised")


def _below_one(worth: float) -> float:
    """What was looked up is never as sure as what was just said, which has relevance 1."""
    return min(0.99, round(worth, 2))
