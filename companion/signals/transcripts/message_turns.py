"""Messages become turns: what a user says until the assistant has answered, with the answer."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator
from datetime import datetime

from msgspec import Struct, field
from msgspec.structs import replace

from companion.records.talk import Message, Role
from companion.signals.transcripts.said import Facts, HeardMessage, HeardTurn

TEXT_MAX = 1_000_000
"""Characters of one message that are taken from a log; the store keeps the first 200,000 of them."""
MESSAGES_MOST = 1_000
"""Messages of one turn that are kept: a long chain of an assistant's steps."""


class TranscriptMessage(Struct, frozen=True):
    """A message, what was known before its record and after it, and the byte that the record begins at."""

    said: HeardMessage
    known: Facts
    about: Facts
    start: int = 0


class _Turn(Struct):
    """A turn that is still being heard: its first message, and all messages in pieces."""

    first: TranscriptMessage
    id: str
    before: str
    until: datetime | None = None
    roles: list[Role] = field(default_factory=list)
    texts: list[list[str]] = field(default_factory=list)
    ids: list[str] = field(default_factory=list)

    def take(self, said: HeardMessage) -> None:
        """Add a message, or a piece of the last one; one that comes again takes its place, or is left out."""
        text, self.until = said.text[:TEXT_MAX], said.at or self.until
        if said.goes_on and self.roles and self.roles[-1] is said.role:
            self.texts[-1].append(text)
        elif said.id and said.id in self.ids:
            self.texts[self.ids.index(said.id)] = [text]
        elif said.id or said.goes_on or not self._has(said.role, text):
            self._add(said, text)

    def _add(self, said: HeardMessage, text: str) -> None:
        if len(self.roles) < MESSAGES_MOST and text.strip():
            self.roles.append(said.role)
            self.texts.append([text])
            self.ids.append(said.id)

    def _has(self, role: Role, text: str) -> bool:
        return any(one is role and pieces == [text] for one, pieces in zip(self.roles, self.texts, strict=True))

    def begins_after(self, heard: TranscriptMessage) -> bool:
        """Whether a message begins the next turn: another session's, or the user's once there was an answer."""
        said = heard.said
        if heard.about.session != self.first.about.session:
            return True
        return said.role is Role.USER and Role.ASSISTANT in self.roles and not (said.id and said.id in self.ids)

    def whole(self) -> HeardTurn:
        """The turn as it stands."""
        said = [Message(role, "\n".join(pieces).strip()) for role, pieces in zip(self.roles, self.texts, strict=True)]
        first, about = self.first, self.first.about
        return HeardTurn(
            session=about.session,
            folder=about.folder,
            title=about.title,
            id=self.id,
            at=first.said.at or about.began,
            until=self.until,
            messages=tuple(said),
            start=first.start,
            facts=replace(first.known, before=self.before),
        )


def turns(heard: Iterable[TranscriptMessage]) -> Iterator[HeardTurn]:
    """The turns that messages make, in order; the last may still grow."""
    now: _Turn | None = None
    for one in heard:
        if now is None or now.begins_after(one):
            if not one.said.text.strip():
                continue
            if now is not None:
                yield now.whole()
            now = _new(one, now)
        now.take(one.said)
    if now is not None:
        yield now.whole()


def _new(first: TranscriptMessage, last: _Turn | None) -> _Turn:
    said, about = first.said, first.about
    same = last is not None and last.first.about.session == about.session
    before = last.id if same and last is not None else about.before
    return _Turn(first, said.id or _id(about.session, said, before), before)


def _id(session: str, said: HeardMessage, before: str) -> str:
    """The id of a turn that the log has no name for: by its time, or by all that was said before it."""
    told = said.at.isoformat() if said.at is not None else before
    text = said.text[:TEXT_MAX].strip()
    return hashlib.sha256("\x1f".join((session, told, text)).encode("utf-8", "replace")).hexdigest()[:32]
