"""Whatever text of whatever verb holds a secret, by whatever way it came: nothing that is kept or said holds it."""

from __future__ import annotations

import dataclasses
import random
import types
import typing
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from datetime import datetime
from enum import Enum
from functools import cache
from pathlib import Path
from typing import Any

from adapters.issued import BIG, WORD, run
from adapters.strong import left_of
from msgspec.structs import replace
from repos import Repo

from app.conftest import Desk
from app.planting import everything_in
from companion import wire
from companion.api import Edit, Note, RunOrder, Todo
from companion.api.routes import ROUTES
from companion.app.local import LocalCompanion
from companion.errors import CompanionError
from companion.kinds.by_hand import draft_from_note
from companion.ports import NoProgress
from companion.records.talk import Message, Part, Role

Leaf = tuple[str, ...]
"""Where a text stands in the arguments of a verb."""
SHAPES: tuple[Callable[[random.Random], tuple[str, str]], ...] = (
    lambda d: ((v := run(d, WORD, 24)) and f"https://hooks.slack.com/services/T{run(d, BIG, 8)}/B{run(d, BIG, 8)}/{v}", v),
    lambda d: ((v := f"q7{run(d, WORD, 16)}") and f"postgres://app:{v}@db1.corp.io/shop", v),
    lambda d: ((v := "ghp_" + run(d, WORD, 36)) and f"a  {v}", v),
    lambda d: ((v := f"kX(9){run(d, WORD, 12)}#2") and f"password:  {v}", v),
)  # fmt: skip
"""Secrets that lose their shape when a path is resolved, blanks are joined or a line is cut."""


EMPTY = {"conversation": "", "persona": ""}
"""Arguments that mean whatever is going on, and whoever asks."""


@cache
def verbs() -> dict[str, dict[str, Any]]:
    """Every verb with the types of its arguments."""
    found = {}
    for route in ROUTES:
        hints = typing.get_type_hints(route.declared, include_extras=False)
        found[route.verb] = {one: kind for one, kind in hints.items() if one != "return"}
    return found


def leaves(kind: Any, at: Leaf) -> Iterator[Leaf]:
    """Where texts stand in a value of a type."""
    origin = typing.get_origin(kind)
    if kind is str:
        yield at
    elif origin in (typing.Union, types.UnionType):
        for one in typing.get_args(kind):
            yield from leaves(one, at)
    elif origin is not None and issubclass(origin, Mapping):
        yield from leaves(typing.get_args(kind)[1], (*at, "*"))
    elif origin is not None and issubclass(origin, Sequence):
        yield from leaves(typing.get_args(kind)[0], (*at, "0"))
    elif wire.is_record(kind):
        for name, one in typing.get_type_hints(kind).items():
            yield from leaves(one, (*at, name))


def put(value: Any, kind: Any, at: Leaf, text: str) -> Any:
    """The value with a text at a place, made where there is none yet."""
    if not at:
        return text
    origin = typing.get_origin(kind)
    if origin in (typing.Union, types.UnionType):
        kind = next(one for one in typing.get_args(kind) if at in list(leaves(one, ())))
        return put(value if isinstance(value, typing.get_origin(kind) or kind) else None, kind, at, text)
    if at[0] == "*":
        known = next(iter(value), text) if value else text
        return {known: text}
    if at[0] == "0":
        (inner, *_) = typing.get_args(kind)
        return (put(value[0] if value else made(inner), inner, at[1:], text),)
    value = made(kind) if value is None else value
    hints = typing.get_type_hints(type(value))
    return replace(value, **{at[0]: put(getattr(value, at[0]), hints[at[0]], at[1:], text)})


def made(kind: Any) -> Any:
    """A plain value of a type."""
    origin = typing.get_origin(kind)
    if origin in (typing.Union, types.UnionType):
        options = typing.get_args(kind)
        return None if type(None) in options else made(options[0])
    if origin is not None:
        return {} if issubclass(origin, Mapping) else ()
    if isinstance(kind, type) and issubclass(kind, Enum):
        return next(iter(kind))
    if wire.is_record(kind):
        hints = wire.hints_of(kind)
        return kind(**{name: made(hints[name]) for name in wire.required(kind)})
    plain = {str: "plain", int: 400, float: 1.0, bool: False, datetime: datetime(2026, 1, 5), Path: Path("nowhere")}
    return NoProgress() if kind not in plain else plain[kind]


@dataclasses.dataclass
class Lived:
    """A companion in use, and ids that its verbs know."""

    companion: LocalCompanion
    told: int = 0

    def given(self, verb: str) -> dict[str, Any]:
        """Arguments with which a verb does what it is for."""
        if verb in SPOKEN:
            self._talking()
        if verb in REVIEWED:
            self._talking()
            with suppress(CompanionError):
                self.companion.close_conversation()
        if verb == "start_conversation":
            while (going := self.companion.active_conversation()) is not None:
                self.companion.forget_conversation(going.id)
        known = {"id_": self._told()} if "id_" in verbs()[verb] else {}
        return known | (ARRANGED[verb](self) if verb in ARRANGED else {})

    def act(self) -> str:
        """An act that is there."""
        return self.companion.make_act("Garden").name

    def ids(self) -> list[str]:
        """A memory that is there."""
        return [self._told()]

    def _talking(self) -> None:
        ask = self.companion
        if ask.active_conversation() is None:
            ask.start_conversation("about prices")
        with suppress(CompanionError):
            ask.add_turn([Message(Role.USER, "We decided to round half to even, because cents were lost.")])

    def _told(self) -> str:
        """A new note, kept as `remember` keeps one and compared with none."""
        self.told += 1
        note, here = Note(f"Prices are rounded by rule {self.told}"), self.companion
        draft = draft_from_note(note.text, note.kind, note.scope, note.visibility, note.pinned, note.label, here.now())
        return here.store.memories.remember(here.project, draft, here.now()).id


SPOKEN = frozenset(
    {"add_turn", "pause_conversation", "close_conversation", "transcript", "history", "archive_conversation"}
)
REVIEWED = frozenset(
    {"review", "edit_review", "split_review", "redirect_review", "confirm_review", "resume_conversation"}
)
ARRANGED: dict[str, Callable[[Lived], dict[str, Any]]] = {
    "settle_thread": lambda one: {"id_": one.companion.add_todo(Todo("call the bank")).id},
    "redirect_review": lambda one: {"act": one.act()},
    "delete_act": lambda one: {"act": one.act()},
    "route": lambda one: {"act": one.act()},
    "split_review": lambda one: {"parts": [Part(one.act(), "we talked", ())]},
    "edit_review": lambda one: {"edit": Edit(narrative="we talked")},
    "cite": lambda one: {"ids": one.ids(), "action": "read"},
    "pass_over": lambda one: {"ids": one.ids(), "action": "read"},
    "update_status": lambda one: {"fields": {"Mood": "fine"}},
    "add_turn": lambda one: {"messages": [Message(Role.USER, "We decided to ship on Fridays.")]},
    "consolidate": lambda one: {"order": RunOrder(dry_run=True)},
}
"""What a verb needs to do what it is for, beside the text that is planted."""


def test_no_text_of_any_verb_brings_a_secret_into_anything_kept_or_said(shop: Repo, desk: Desk) -> None:
    draw, left, went_well = random.Random(11), dict[str, str](), set[str]()
    companion = desk.open(shop.root)
    said: list[str] = []
    secrets: dict[str, str] = {}
    try:
        companion.scan(NoProgress())
        lived = Lived(companion)
        for verb, kinds in verbs().items():
            for name, kind in kinds.items():
                for leaf in leaves(kind, ()):
                    for shape in SHAPES if verb == "remember" else draw.sample(SHAPES, 1):
                        text, secret = shape(draw)
                        where = f"{verb}({'.'.join((name, *leaf))})"
                        secrets[secret] = where
                        given = {one: made(of) for one, of in kinds.items()} | EMPTY | lived.given(verb)
                        given = {one: given[one] for one in kinds}
                        given = {**given, name: put(given[name], kind, leaf, text)}
                        try:
                            said.append(str(getattr(companion, verb)(**given)))
                            went_well.add(where)
                        except CompanionError as wrong:
                            said.append(str(wrong))
        said += companion.notices()
    finally:
        companion.close()
    kept = [("said", "\n".join(said)), *everything_in(desk.home)]
    for place, text in kept:
        left |= {f"{where} in {place}": found for secret, where in secrets.items() if (found := left_of(secret, text))}
    assert not left
    assert went_well >= WRITTEN, WRITTEN - went_well


WRITTEN = {
    "remember(note.text)", "remember(note.label)", "remember(note.scope.path)", "remember(note.scope.branch)",
    "remember(note.scope.version)", "remember(note.scope.environment)", "remember(note.scope.language)",
    "add_todo(todo.text)", "add_todo(todo.who)", "add_todo(todo.persona)", "start_conversation(title)",
    "start_conversation(persona)", "start_conversation(source)", "add_turn(messages.0.text)", "add_turn(channel)",
    "make_act(name)", "cite(action)", "pass_over(action)", "classify(request)", "classify(persona)", "decompose(request)",
    "verify(action)", "verify(request)", "update_status(fields.*)", "edit_review(edit.narrative)", "search(query.text)",
    "search(query.entities.0)", "search(query.scope_path)", "assemble(signals.query)", "assemble(signals.persona)",
    "assemble(signals.errors.0)", "revise(text)",
}  # fmt: skip
"""Places where a text is taken and something is made of it: these must have gone well for the test to mean anything."""
