"""The door: what a verb is given loses its secrets before anything is made of it, whoever asks and by which way.

Cutting, joining or resolving a text can take a secret's shape away and leave its letters. So every text of every
argument is looked at as it came, in one place, and no verb has to remember it.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from types import FunctionType
from typing import Protocol

from companion.store.memories.sanitise import rewritten

NOT_HERE = frozenset({"observe"})
"""What editors and shells report is parsed as it came (a command has variables, an output errors), then redacted."""
AS_GIVEN = frozenset({"path", "paths", "progress"})
"""Arguments that name files on disk, which must be found before they are redacted, and who is told how it goes."""
LOOKED_UP = frozenset({"current_file"})
"""Fields of records that name such a file."""


class Fitting(Protocol):
    """Who answers behind the door."""

    def _fit(self, text: str) -> str: ...


def set_doors(verbs: type) -> None:
    """Put the door before each verb that a class is the first to have; those that go on to one are behind it anyway."""
    for name, verb in list(vars(verbs).items()):
        known = name.startswith("_") or name in NOT_HERE or any(name in vars(base) for base in verbs.__mro__[1:])
        if isinstance(verb, FunctionType) and not known:
            setattr(verbs, name, _behind_the_door(verb))


def _behind_the_door(verb: FunctionType) -> Callable[..., object]:
    names = verb.__code__.co_varnames[1 : verb.__code__.co_argcount]

    @wraps(verb)
    def asked(self: Fitting, *given: object, **named: object) -> object:
        def fit(name: str, one: object) -> object:
            return one if name in AS_GIVEN else rewritten(one, self._fit, LOOKED_UP)

        told = [fit(name, one) for name, one in zip(names, given, strict=False)]
        return verb(self, *told, *given[len(told) :], **{name: fit(name, one) for name, one in named.items()})

    return asked
