"""What was said, handed back by an owner."""

from __future__ import annotations

from companion.api import MOVES_TOLD, SESSIONS_TOLD
from companion.client.remote.asker import Asker, result_of
from companion.records.talk import Turn
from companion.records.turns import Compaction, History, RunningArray, TalkProgress, TalkSession, TurnMove, Whole


class Turns(Asker):
    """See `companion.api.turns.Turns` for the verbs."""

    def history(
        self, message: str = "", conversation: str = "", budget_tokens: int | None = None, *, back: bool | None = None
    ) -> History:
        """What was said before, for the answer to a message."""
        said = self._read(
            "/history", message=message, conversation=conversation, budget_tokens=budget_tokens, back=back
        )
        return result_of(History, said)

    def recall_turn(self, id_: str) -> Turn:
        """A turn in full."""
        return result_of(Turn, self._write("/recall-turn", id=id_))

    def running(self, persona: str = "") -> RunningArray:
        """The one array of messages with a persona."""
        return result_of(RunningArray, self._read("/running", persona=persona))

    def compact(self, persona: str = "", *, now_at_once: bool = False) -> Compaction:
        """Make a block of the older turns of the array."""
        return result_of(Compaction, self._slow("/compact", persona=persona, now_at_once=now_at_once))

    def sessions(self, persona: str = "*", limit: int = SESSIONS_TOLD) -> tuple[TalkSession, ...]:
        """Sessions, the newest first."""
        return result_of(tuple[TalkSession, ...], self._read("/sessions", persona=persona, limit=limit))

    def talk_progress(self, persona: str = "") -> TalkProgress:
        """How it stands with a persona."""
        return result_of(TalkProgress, self._read("/talk-progress", persona=persona))

    def whole_summary(self, version: int = 0) -> Whole:
        """The summary of everything."""
        return result_of(Whole, self._read("/whole-summary", version=version))

    def turn_moves(self, conversation: str = "", limit: int = MOVES_TOLD) -> tuple[TurnMove, ...]:
        """Which turns became warmer or colder."""
        said = self._read("/turn-moves", conversation=conversation, limit=limit)
        return result_of(tuple[TurnMove, ...], said)
