"""Conversations: begun, spoken in, put away, looked up and deleted. How they end is in `reviewing`."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from companion.api import BY_HAND, TALKS_TOLD, Erased, Transcript
from companion.app.talks import confirming, consulting, heard
from companion.app.verbs.storied import OPEN_MOST, Storied, page
from companion.errors import CompanionError, ModelMissing, StoreError, UnknownConversation, UsageError
from companion.records.search import QUERY_MAX_CHARACTERS
from companion.records.talk import Conversation, Message, Role, TalkState, Turn, TurnHit
from companion.store.talk import bringing, conversations, finding, forgetting, items, kept, turn_index, turns

if TYPE_CHECKING:
    from companion.records.talk import Extraction
    from companion.talk.consulted.claims import ModelClaim, Told

MESSAGES_MOST = 1_000
"""Messages of one turn: a long chain of an assistant's steps."""
TURNS_FOUND_MOST = 100
"""Turns that one search gives at most: more is reading the transcript."""
LEFT_OUT = "[our own context, left out]"
"""Stands for a message that was nothing but what we had put into the conversation."""
HEARD_BEFORE = 2
"""Turns before one that are read with it, as what it agrees to stands there."""


class Talking(Storied):
    """The verbs of conversations. See `companion.api.Companion`."""

    def start_conversation(self, title: str = "", persona: str = "", source: str = BY_HAND) -> Conversation:
        """Begin a conversation; one that was confirmed and cut off is finished first."""
        self._finish_confirmed()
        now = self.now()
        self.acts()
        held_in = self.project if self.checkout else ""
        who, by = self.rooms.user, self._line(persona)
        new = Conversation("", who, TalkState.ACTIVE, now, held_in, by, self._line(source), self._line(title))
        return conversations.start(self.rooms.database, new)

    def active_conversation(self) -> Conversation | None:
        """The conversation that holds the place: going on, paused, or waiting for review."""
        return conversations.holder(self.rooms.database, self.rooms.user)

    def add_turn(self, messages: Sequence[Message], conversation: str = "", channel: str = "") -> Turn:
        """Write down what was said: without hidden reasoning, redacted, without what we put into it ourselves."""
        database = self.rooms.database
        fit = self._sayable(messages)
        one = self._talk(conversation)
        said = turns.say(
            database,
            one,
            fit,
            self.now(),
            channel=self._line(channel),
            counter=self.rooms.counter,
            firmness=self.rooms.talk_rules().anchor,
            gap=self.rooms.past.gap(),
        )
        self._behind(lambda: self._note_heard(one, said))
        return said

    def pause_conversation(self, conversation: str = "", *, on: bool = True) -> Conversation:
        """Silence nudges about a conversation, or no more."""
        return conversations.pause(self.rooms.database, self._talk(conversation).id, self.now(), on=on)

    def archive_conversation(self, conversation: str = "") -> Conversation:
        """Put a conversation away without remembering anything of it; its transcript stays."""
        database = self.rooms.database
        one = self._talk(conversation)
        allowed = set(TalkState) - ({TalkState.ARCHIVED} if not one.unseen else set())
        with database.write():
            bringing.seen(database, one.id)
            away = conversations.move(database, one.id, allowed, TalkState.ARCHIVED, "put away", self.now())
            items.drop_candidates(database, one.id)
            conversations.drop_preview(database, one.id)
        return away

    def conversations(
        self, state: TalkState | None = None, persona: str = "", limit: int = TALKS_TOLD
    ) -> tuple[Conversation, ...]:
        """The user's conversations, the one spoken in last first."""
        by = self._line(persona)
        return conversations.listed(self.rooms.database, self.rooms.user, page(limit), state=state, persona=by)

    def transcript(self, conversation: str = "", first: int = 1, last: int | None = None) -> Transcript:
        """What was said in a conversation, from one turn to another."""
        database = self.rooms.database
        one = self._talk(conversation)
        memories = tuple(memory.id for memory in kept.of_conversation(database, one.id))
        return Transcript(
            one, turns.of(database, one.id, first, last), items.of_conversation(database, one.id), memories
        )

    def find_turns(self, text: str, limit: int = 10, conversation: str = "") -> tuple[TurnHit, ...]:
        """What was said about something, in all conversations or in one, best first.

        Without a model, or before its vectors are made, words alone decide.
        """
        if not text.strip() or not 1 <= limit <= TURNS_FOUND_MOST:
            raise UsageError("That cannot be looked for.", f"Give words, and a limit of 1 to {TURNS_FOUND_MOST}.")
        self._tell_if_cut(text)
        rooms = self.rooms
        within = self._talk(conversation).id if conversation else ""
        asked = self._asked_of_talk(self._fit(text)[:QUERY_MAX_CHARACTERS], within)
        found = finding.turns(rooms.database, rooms.text_index, rooms.vectors, rooms.user, asked, limit)
        said = {turn.id: turn for turn in turns.get(rooms.database, [one.turn for one in found])}
        held = {id_: conversations.get(rooms.database, id_) for id_ in {one.conversation for one in found}}
        return tuple(
            TurnHit(said[one.turn], held[one.conversation], one.score, one.words, one.meaning)
            for one in found
            if one.turn in said
        )

    def _asked_of_talk(self, text: str, within: str) -> finding.TurnQuery:
        embedder = self.rooms.embedder
        try:
            if embedder is not None:
                vector = self.rooms.readings.questions.vector(embedder, text)
                return finding.TurnQuery(text, embedder.model, vector, conversation=within)
        except ModelMissing as wrong:
            self._notices.append(f"Words alone decided. {wrong}")
        return finding.TurnQuery(text, conversation=within)

    def forget_conversation(self, conversation: str) -> Erased:
        """Delete a conversation for good, and what the indexes have of it at once."""
        rooms, one = self.rooms, self._talk(conversation)
        with rooms.database.write():
            bringing.note_deleted(rooms.database, one.id, self.now())
            gone = forgetting.forget(rooms.database, one.id)
        turn_index.update(rooms.database, rooms.text_index, rooms.user)
        self._taken_in(gone.spaces)
        self._taken_in([turn_index.talk_project(rooms.user)])
        self._gone_for_good(
            lambda copy: forgetting.has_talk(copy, one.id), lambda database: forgetting.forget(database, one.id)
        )
        return Erased(one.id, gone.turns, gone.items, gone.memories)

    def _sayable(self, messages: Sequence[Message]) -> list[Message]:
        """Messages as they may be kept. Raises UsageError where nothing was said."""
        if len(messages) > MESSAGES_MOST:
            raise UsageError(f"{len(messages)} messages are too many for one turn.", f"At most {MESSAGES_MOST}.")
        from companion.talk.past.hidden import without_reasoning

        meant = [
            replace(one, text=without_reasoning(one.text)) if one.role is Role.ASSISTANT else one for one in messages
        ]
        said = [one for one in meant if one.text.strip()]
        if not said:
            raise UsageError("There is nothing said in it.", 'Say something: `companion talk add "…"`.')
        rules = self.rooms.talk_rules()
        return [Message(one.role, rules.without_echo(one.text).strip() or LEFT_OUT) for one in said]

    def _talk(self, conversation: str) -> Conversation:
        """A conversation by the beginning of its id; none given: the one that holds the place."""
        if conversation:
            return conversations.get(self.rooms.database, self._fit(conversation))
        one = conversations.holder(self.rooms.database, self.rooms.user)
        if one is None:
            raise UnknownConversation("No conversation is going on.", "Begin one: `companion talk start`.")
        return one

    def _heard_in(self, said: Sequence[Turn], claims: Sequence[ModelClaim] = ()) -> Extraction:
        """What these turns leave behind, by the rules and what a model claimed as far as it was said."""
        database, rules = self.rooms.database, self.rooms.talk_rules()
        open_items = items.open_ones(database, OPEN_MOST)
        begun = time.monotonic()
        beside = (claims,) if claims else ()
        found = rules.extract(said, open_items, self.acts(), heard.names(self, rules), *beside)
        return replace(found, seconds=round(time.monotonic() - begun, 3))

    def _consulted(self, said: Sequence[Turn], most_s: float = consulting.CLOSING_S) -> Told | None:
        """What a language model says of these turns, None where there is none; asked outside of any transaction."""
        return consulting.told(self.rooms, said, lambda claims: self._heard_in(said, claims), most_s)

    def _heard_with(self, said: Sequence[Turn], told: Told | None) -> Extraction:
        """What these turns leave behind, with what a model said of them."""
        return self._heard_in(said) if told is None else consulting.joined(self._heard_in(said, told.claims), told)

    def _note_heard(self, one: Conversation, said: Turn) -> None:
        """Candidates of a turn, used inside their own conversation alone; what is lost of them is found at the end."""
        database = self.rooms.database
        before = turns.of(database, one.id, max(1, said.number - HEARD_BEFORE), said.number)
        found = [item for item in self._heard_in(before).items if item.turn == said.number]
        items.propose_turn(database, one.id, said.number, found, one.persona, self.now())

    def _finish_confirmed(self) -> None:
        """What was confirmed and cut off is put into memory now; where it fails again, it waits on."""
        database, user = self.rooms.database, self.rooms.user
        for one in conversations.listed(database, user, TALKS_TOLD, state=TalkState.COMPRESSING):
            try:
                with database.unsigned():
                    confirming.finish(self.rooms, one.id, user)
            except StoreError:
                raise
            except CompanionError as wrong:
                self._notices.append(f"The conversation {one.id[:12]} could not be put into memory yet: {wrong}")
