"""What was said, handed back: history within a budget, the running array, sessions and their summaries."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from msgspec.structs import replace

from companion.api import MOVES_TOLD, SESSIONS_TOLD
from companion.app.checkout import Service
from companion.app.given import line_of, page
from companion.app.talks import compacting, summing_up
from companion.app.talks.past import past_turns
from companion.app.verbs.conversation.talks import talk_named, turn_query
from companion.config import BUDGET_MAX_TOKENS
from companion.errors import UsageError
from companion.records.talk import Conversation, Role, TalkState, Turn
from companion.records.turn_history import (
    ArrayMessage,
    Compaction,
    History,
    Rolling,
    RunningArray,
    SessionSummary,
    TalkProgress,
    TalkSession,
    TurnMove,
    Whole,
)
from companion.store.talk import conversations, running, sessions, summaries, talk_turns, warmth
from companion.store.talk.summaries import SummarySort
from companion.talk.past import handing, relevance
from companion.talk.past.handing import Handful
from companion.talk.past.handing import RecalledTurn as Found

if TYPE_CHECKING:
    from companion.talk.past.looking_back import Back

BY_HAND = "you asked for it"
MESSAGE_CHARS = 20_000
"""Characters of a message that is answered which are looked at: it is searched for, not kept."""


class PastTalk(Service):
    """The verbs of what was said. See `companion.api.Companion`."""

    def history(
        self, message: str = "", conversation: str = "", budget_tokens: int | None = None, *, back: bool | None = None
    ) -> History:
        from companion.talk.past.looking_back import Back, points_back

        if budget_tokens is not None and not 0 <= budget_tokens <= BUDGET_MAX_TOKENS:
            raise UsageError(f"A budget of {budget_tokens} tokens makes no sense.", f"Give 0 to {BUDGET_MAX_TOKENS:,}.")
        past, now = past_turns(self.runtime), self.here.now()
        one = (
            talk_named(self.here, conversation)
            if conversation
            else conversations.holder(self.store.database, self.store.user)
        )
        text = message[:MESSAGE_CHARS]
        asked = relevance.words(text)
        hot, before = self._hot(one, asked, now)
        found = points_back(text, past.open_names(), now) if back is None and text else None
        found = Back(BY_HAND) if back else found
        given = handing.Handful(
            hot=hot,
            anchors=past.anchors(one.persona if one else ""),
            before=before,
            looked_back=found.why if found else "",
        )
        if found is not None:
            given = self._looked_back(given, one, text, found, now)
        return handing.hand(given, past.limits(budget_tokens), past.shapes)

    def recall_turn(self, id_: str) -> Turn:
        """A turn in full; a cold one is warm from now on, until the session is over."""
        database = self.store.database
        found = talk_turns.named(database, line_of(self.here.fit(id_)))
        warmth.promote(database, found.id, self.here.now())
        return talk_turns.named(database, found.id)

    def running(self, persona: str = "") -> RunningArray:
        """The array as it stands on disk: a block of what is older, then every message since."""
        runtime, by = self.runtime, line_of(persona)
        last = compacting.last_block(runtime, by)
        heard = running.heard(runtime.store.database, runtime.store.user, by, last.last_heard if last else 0)
        messages = [
            ArrayMessage(one.role, one.text, turn.at, turn.conversation, turn.id)
            for _, turn in heard
            for one in turn.messages
        ]
        if last is not None:
            messages.insert(0, ArrayMessage(Role.SYSTEM, last.text, last.made_at))
        tokens = sum(turn.tokens for _, turn in heard) + (last.tokens if last else 0)
        told = tuple(messages)
        return RunningArray(by, told, len(heard), tokens, runtime.settings.array_tokens, compacting.block_of(last))

    def compact(self, persona: str = "", *, now_at_once: bool = False) -> Compaction:
        by = line_of(persona)
        return compacting.compact(self.runtime, by, self.here.now(), at_once=now_at_once, with_model=True)

    def sessions(self, persona: str = "*", limit: int = SESSIONS_TOLD) -> tuple[TalkSession, ...]:
        """Sessions, the newest first, with what they came to; one that has rested long enough is over."""
        runtime, summed_up = self.runtime, summing_up.session_summary
        by = persona if persona == "*" else line_of(persona)
        found = sessions.listed(runtime.store.database, runtime.store.user, by, page(limit))
        over = self.here.now() - past_turns(runtime).gap()
        rolling: dict[str, list[Rolling]] = {}
        summed: dict[str, SessionSummary] = {}
        for kept in summaries.of_sessions(runtime.store.database, [one.id for one in found]):
            if kept.sort is SummarySort.SESSION:
                summed[kept.session] = summing_up.read_session(kept)
            else:
                rolling.setdefault(kept.session, []).append(Rolling(kept.number, kept.made_at, kept.turns, kept.text))
        return tuple(
            replace(
                one,
                ended_at=one.ended_at or (one.last_turn_at if one.last_turn_at < over else None),
                rolling=tuple(rolling.get(one.id, ())),
                summary=summed.get(one.id) or (summed_up(runtime, one) if one.last_turn_at < over else None),
            )
            for one in found
        )

    def talk_progress(self, persona: str = "") -> TalkProgress:
        runtime, by = self.runtime, line_of(persona)
        count, held, last_turn_at = sessions.counted(runtime.store.database, runtime.store.user, by)
        tries = summaries.tries(runtime.store.database, runtime.store.user, by)
        last = sessions.latest(runtime.store.database, runtime.store.user, by)
        said = running.of_session(runtime.store.database, last.id, last=1) if last else ()
        return TalkProgress(
            by,
            count,
            held,
            last_turn_at,
            summing_up.last_said(said[0][1] if said else None),
            sessions.last_run(runtime.store.database),
            tries.tried_at,
            tries.made_at,
            tries.error,
            compacting.array_tokens(runtime, by),
        )

    def whole_summary(self, version: int = 0) -> Whole:
        kept = summaries.latest(self.store.database, self.store.user, SummarySort.WHOLE, number=max(0, version))
        if kept is None and version:
            raise UsageError(
                f"There is no version {version} of the summary.", "`companion talk whole` shows the newest."
            )
        return summing_up.read_whole(kept) if kept else Whole(0)

    def turn_moves(self, conversation: str = "", limit: int = MOVES_TOLD) -> tuple[TurnMove, ...]:
        which = talk_named(self.here, conversation).id if conversation else ""
        return warmth.moves(self.store.database, self.store.user, which, page(limit))

    def _hot(self, one: Conversation | None, asked: frozenset[str], now: datetime) -> tuple[Sequence[Turn], str]:
        """The last turns of this session; at its beginning those of the one before it too, with what that came to."""
        past, runtime = past_turns(self.runtime), self.runtime
        if one is not None and one.state is not TalkState.ACTIVE:
            return past.hot.of(one.id), ""
        mine = _of_one_session(past.hot.of(one.id) if one is not None else (), now, past.gap())
        if len(mine) == warmth.HOT_TURNS:
            return mine, ""
        persona = one.persona if one else ""
        newest = sessions.latest(runtime.store.database, runtime.store.user, persona)
        if newest is not None and now - newest.last_turn_at <= past.gap():
            mine = tuple(
                turn for _, turn in running.of_session(runtime.store.database, newest.id, last=warmth.HOT_TURNS)
            )
        session = past.session_before(persona, newest, now) if len(mine) < warmth.HOT_TURNS else None
        if session is None:
            return mine, ""
        carried = past.carried_over(session, asked, warmth.HOT_TURNS - len(mine))
        return (*carried, *mine), self._told_of(session)

    def _told_of(self, session: TalkSession) -> str:
        """A session in a line: when, what about, what it left open."""
        made = summing_up.session_summary(self.runtime, session)
        words = [made.line, *(f"Open: {line}" for line in made.open_loops[:1])]
        words += [f"To do: {line}" for line in made.commitments[:1]]
        return f"{session.last_turn_at:%Y-%m-%d %H:%M}: {' '.join(words)}" if made.line else ""

    def _looked_back(self, given: Handful, one: Conversation | None, text: str, back: Back, now: datetime) -> Handful:
        """The same with earlier turns of the conversation, and of others as far as they are found in time."""
        past, persona = past_turns(self.runtime), one.persona if one else ""
        missing: list[str] = []
        shown = {turn.id for turn in given.hot}
        warm: list[Found] = past.asked_for(persona, one.id if one else "")
        if one is not None:
            first_shown = min((turn.number for turn in given.hot if turn.conversation == one.id), default=one.turns + 1)
            warm += past.earlier(one, first_shown - 1, relevance.words(text))

        def search() -> list[Found]:
            asked = replace(turn_query(self.here, self.here.fit(text)), but=one.id if one else "")
            return past.of_long_ago(asked, persona, back, now)

        cold = past.in_time(search, missing) or []
        warm = [found for found in warm if found.turn.id not in shown]
        shown |= {found.turn.id for found in warm}
        cold = [found for found in cold if found.turn.id not in shown]
        return replace(given, warm=warm, cold=cold, missing=tuple(missing))


def _of_one_session(last: Sequence[Turn], now: datetime, gap: timedelta) -> tuple[Turn, ...]:
    """The turns at the end that lie no further apart than a session's pause, from now on backwards."""
    kept: list[Turn] = []
    for turn in reversed(last):
        if now - turn.at > gap:
            break
        kept.append(turn)
        now = turn.at
    return tuple(reversed(kept))
