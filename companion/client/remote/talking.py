"""Conversations, held by an owner."""

from __future__ import annotations

from collections.abc import Sequence

from companion import wire
from companion.api import BY_HAND, TALKS_TOLD, Edit, Erased, Remembered, Transcript
from companion.client.remote.asker import Asker, result_of, result_or_none
from companion.records.talk import Conversation, Message, Part, Preview, TalkState, Turn, TurnHit


class Talking(Asker):
    """See `companion.api.talking.Talking` for the verbs."""

    def start_conversation(self, title: str = "", persona: str = "", source: str = BY_HAND) -> Conversation:
        """Begin a conversation, which takes the user's one place."""
        return result_of(Conversation, self._write("/start-conversation", title=title, persona=persona, source=source))

    def active_conversation(self) -> Conversation | None:
        """The conversation that holds the place."""
        return result_or_none(Conversation, self._read("/active-conversation"))

    def add_turn(self, messages: Sequence[Message], conversation: str = "", channel: str = "") -> Turn:
        """Write down what was said."""
        said = wire.encode(tuple(messages), tuple[Message, ...])
        return result_of(Turn, self._write("/add-turn", messages=said, conversation=conversation, channel=channel))

    def pause_conversation(self, conversation: str = "", *, on: bool = True) -> Conversation:
        """Silence nudges about a conversation, or no more."""
        return result_of(Conversation, self._write("/pause-conversation", conversation=conversation, on=on))

    def close_conversation(self, conversation: str = "") -> Preview:
        """End a conversation and read what it leaves behind."""
        return result_of(Preview, self._slow("/close-conversation", conversation=conversation))

    def resume_conversation(self, conversation: str = "") -> Conversation:
        """Go on with a conversation."""
        return result_of(Conversation, self._write("/resume-conversation", conversation=conversation))

    def archive_conversation(self, conversation: str = "") -> Conversation:
        """Put a conversation away without remembering anything of it."""
        return result_of(Conversation, self._write("/archive-conversation", conversation=conversation))

    def review(self, conversation: str = "") -> Preview:
        """What will be remembered of a conversation, and where."""
        return result_of(Preview, self._read("/review", conversation=conversation))

    def edit_review(self, edit: Edit, conversation: str = "") -> Preview:
        """Change what will be remembered."""
        said = wire.encode(edit)
        return result_of(Preview, self._write("/review/edit", edit=said, conversation=conversation))

    def redirect_review(self, act: str, conversation: str = "") -> Preview:
        """Send all that will be remembered to one act."""
        return result_of(Preview, self._write("/review/redirect", act=act, conversation=conversation))

    def split_review(self, parts: Sequence[Part], conversation: str = "") -> Preview:
        """Send some items to other acts."""
        said = wire.encode(tuple(parts), tuple[Part, ...])
        return result_of(Preview, self._write("/review/split", parts=said, conversation=conversation))

    def confirm_review(self, conversation: str = "") -> Remembered:
        """Remember it as the preview says, exactly once."""
        return result_of(Remembered, self._slow("/review/confirm", conversation=conversation))

    def conversations(
        self, state: TalkState | None = None, persona: str = "", limit: int = TALKS_TOLD
    ) -> tuple[Conversation, ...]:
        """The user's conversations, the one spoken in last first."""
        named = None if state is None else state.value
        said = self._read("/conversations", state=named, persona=persona, limit=limit)
        return result_of(tuple[Conversation, ...], said)

    def transcript(self, conversation: str = "", first: int = 1, last: int | None = None) -> Transcript:
        """What was said in a conversation."""
        return result_of(Transcript, self._read("/transcript", conversation=conversation, first=first, last=last))

    def find_turns(self, text: str, limit: int = 10, conversation: str = "") -> tuple[TurnHit, ...]:
        """What was said about something, best first."""
        said = self._read("/find-turns", text=text, limit=limit, conversation=conversation)
        return result_of(tuple[TurnHit, ...], said)

    def forget_conversation(self, conversation: str) -> Erased:
        """Delete a conversation for good."""
        return result_of(Erased, self._slow("/forget-conversation", conversation=conversation))
