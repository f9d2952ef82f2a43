"""Keeping: what a person says about memories, and copies of all of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path

from companion import escape
from companion.api import Note
from companion.app.checkout import OpenCheckout
from companion.app.given import scope_inside
from companion.errors import UsageError
from companion.records import Kind, Memory
from companion.records.talk import Item, ItemType
from companion.store.memories import usage
from companion.store.memories.kept import Outcome
from companion.store.subjects import is_id

PINNED, REVIVED = "pin", "revive"
"""The actions by which pinning a memory and bringing one back are logged as citing it."""
NAME_CHARACTERS = 100
"""Characters of an assistant's name."""
LOOKED_AT_LATER = "What it may contradict was not all looked at yet: a run does it, or `companion consolidate`."
"""Said where a busy machine broke the look off."""


class Keeping(OpenCheckout):
    """The verbs of a person's hand. See `companion.api.Companion`."""

    def remember(self, note: Note) -> Memory:
        """Keep what a person says."""
        from companion.kinds.by_hand import draft_from_note

        if not escape.clean(note.text).strip():  # what nobody sees would be an empty line of every context
            raise UsageError("There is nothing to remember.", "Write it: `companion remember TEXT`.")
        scope = replace(note.scope, path=scope_inside(note.scope.path, self.state))
        from companion.app.consolidation.opposing import ARRIVED_S, note_opposed

        moment = self.now()
        writer = self._fit(" ".join(note.assistant.split()))[:NAME_CHARACTERS]
        draft = draft_from_note(
            note.text, note.kind, scope, note.visibility, note.pinned, note.label, moment, assistant=writer
        )
        memory = self.rooms.memories.remember(self.project, draft, moment)
        if memory.created_at >= moment:
            put_off = partial(self._notices.append, LOOKED_AT_LATER)
            note_opposed(self.rooms, self.project, Outcome(added=1), moment, ARRIVED_S, put_off)
        self._open_todo(memory)
        return memory

    def _open_todo(self, memory: Memory) -> None:
        """Open the to-do that a note is, if something is to be taken out later; it is told like any other."""
        from companion.language.later import taken_out_later
        from companion.store.talk import acts, items

        database, moment = self.rooms.database, self.now()
        todo = taken_out_later(memory.draft.levels.full, moment)
        if todo is None or memory.draft.kind is Kind.EPISODE:
            return
        act = acts.ensure(database, self.rooms.user, self._name[: acts.NAME_MAX], moment, project=self.project)
        details = {"status": "decided", **({"due": todo.due} if todo.due else {})}
        item = Item("", ItemType.TASK, todo.text, 0, details=details, memory=memory.id, act=act.id)
        kept = items.add(database, item, "", moment)
        self._notices.append(f"It is to be done: `companion todo --done {kept.id[:12]}` once it is.")

    def forget(self, id_: str) -> Memory:
        """Archive a memory; explicit search still finds it."""
        return self.rooms.memories.forget(self._resolved(id_), self.now())

    def revive(self, id_: str) -> Memory:
        """Bring an archived memory back; that cites it, so that the next run does not forget it again."""
        back = self.rooms.memories.revive(self._resolved(id_), self.now())
        usage.record(self.rooms.database, [back.id], "cited", REVIVED, self.now())
        return back

    def pin(self, id_: str, *, on: bool) -> Memory:
        """Pin a memory, which is citing it too, or take the pin out."""
        pinned = self.rooms.memories.pin(self._resolved(id_), on)
        if on:
            usage.record(self.rooms.database, [pinned.id], "cited", PINNED, self.now())
        return pinned

    def cite(self, ids: Sequence[str], action: str) -> None:
        """Record that memories influenced an action; what a run had archived comes back by it."""
        known = self._known(ids)
        usage.record(self.rooms.database, known, "cited", action, self.now())
        self.rooms.memories.asked_for(known, self.now())

    def pass_over(self, ids: Sequence[str], action: str) -> None:
        """Record that memories were shown and of no use."""
        usage.record(self.rooms.database, self._known(ids), "ignored", action, self.now())

    def export(self, folder: Path, *, everything: bool = False) -> tuple[Path, ...]:
        """Write what is remembered of this project, or everything the store keeps, as JSON Lines and Markdown."""
        from companion.store.care.export import export
        from companion.store.everything import export_everything

        if everything:
            return tuple(export_everything(self.rooms.database, folder))
        return tuple(export(self.rooms.database, self.project, folder))

    def import_file(self, path: Path) -> int:
        """Read an export back, a folder or its lines; returns the number of memories that were new."""
        from companion.store.care.imports import import_file
        from companion.store.everything import import_everything, is_everything, lines_in

        rooms, lines = self.rooms, lines_in(path)
        if not is_everything(lines):
            return import_file(rooms.database, self.project, lines, counter=rooms.counter, redactor=rooms.redactor)
        came = import_everything(rooms.database, lines, counter=rooms.counter, redactor=rooms.redactor)
        rooms.__dict__.pop("user", None)  # an empty store takes over the user of the export
        new = {**came.rows, "notes": came.notes}
        if told := ", ".join(f"{count} {name.replace('_', ' ')}" for name, count in sorted(new.items()) if count):
            self._notices.append(f"Also new: {told}.")
        return came.memories

    def backup(self, target: Path | None) -> Path:
        """A consistent copy of the whole store."""
        from companion.store.backup import backup

        return backup(self.rooms.database, target)

    def _known(self, ids: Sequence[str]) -> list[str]:
        """Whole ids; of commits, which a search finds too, none is counted. Raises UnknownMemory for other prefixes."""
        return [self._resolved(id_) for id_ in ids if not is_id(id_)]
