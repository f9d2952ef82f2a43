"""What a verb is given loses its secrets before anything is made of it, whoever asks and by which way.

Cutting, joining or resolving a text can take a secret's shape away and leave its letters. So every text of every
argument is looked at as it came, in one place, and no verb has to remember it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from companion.store.memories.sanitise import rewritten

NOT_HERE = frozenset({"observe"})
"""What editors and shells report is parsed as it came (a command has variables, an output errors), then redacted."""
AS_GIVEN = frozenset({"path", "paths", "progress"})
"""Arguments that name files on disk, which must be found before they are redacted, and who is told how it goes."""
LOOKED_UP = frozenset({"current_file"})
"""Fields of records that name such a file."""


def redacted(verb: str, given: Mapping[str, object], fit: Callable[[str], str]) -> dict[str, object]:
    """The arguments of a verb by name, each text in them made `fit`."""
    kept = given.keys() if verb in NOT_HERE else AS_GIVEN
    return {name: one if name in kept else rewritten(one, fit, LOOKED_UP) for name, one in given.items()}
