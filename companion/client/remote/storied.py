"""What conversations have left behind, asked of an owner."""

from __future__ import annotations

from collections.abc import Sequence

from companion import wire
from companion.api import TALKS_TOLD, Erased, Greeting, Identity, Todo
from companion.client.remote.asker import Asker, result_of
from companion.records import Memory
from companion.records.talk import Act, Item, ItemType


class Storied(Asker):
    """See `companion.api.storied.Storied` for the verbs."""

    def threads(
        self, types: Sequence[ItemType] = (), act: str = "", persona: str = "", limit: int = TALKS_TOLD
    ) -> tuple[Item, ...]:
        """What conversations left open."""
        named = [one.value for one in types]
        return result_of(tuple[Item, ...], self._read("/threads", types=named, act=act, persona=persona, limit=limit))

    def settle_thread(self, id_: str) -> Item:
        """Settle an open item by hand."""
        return result_of(Item, self._write("/settle-thread", id=id_))

    def add_todo(self, todo: Todo) -> Item:
        """Keep a commitment, habit, thread or friction by hand."""
        return result_of(Item, self._write("/add-todo", todo=wire.encode(todo)))

    def acts(self) -> tuple[Act, ...]:
        """The containers of memories."""
        return result_of(tuple[Act, ...], self._read("/acts"))

    def make_act(self, name: str) -> Act:
        """Make an act for a line of work."""
        return result_of(Act, self._write("/make-act", name=name))

    def delete_act(self, act: str) -> Act:
        """Delete an act; what it holds goes to Your Story."""
        return result_of(Act, self._write("/delete-act", act=act))

    def story(self, act: str = "", persona: str = "", limit: int = 20, offset: int = 0) -> tuple[Memory, ...]:
        """Memories of Your Story, or of an act, newest first."""
        said = self._read("/story", act=act, persona=persona, limit=limit, offset=offset)
        return result_of(tuple[Memory, ...], said)

    def identity(self, persona: str = "") -> Identity:
        """Who the user is, beyond what they are doing."""
        return result_of(Identity, self._read("/identity", persona=persona))

    def revise(self, id_: str, text: str) -> Memory:
        """Put a memory that a person told into other words; returns its new version."""
        return result_of(Memory, self._write("/revise", id=id_, text=text))

    def route(self, id_: str, act: str) -> Memory:
        """Send a memory that was told to another act."""
        return result_of(Memory, self._write("/route", id=id_, act=act))

    def erase(self, id_: str) -> Erased:
        """Delete a memory that was told, for good."""
        return result_of(Erased, self._slow("/erase", id=id_))

    def greeting(self, persona: str = "") -> Greeting:
        """What a day begins with."""
        return result_of(Greeting, self._read("/greeting", persona=persona))
