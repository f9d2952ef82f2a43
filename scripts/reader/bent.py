"""Sentences that differ in one small word and say something else: whom, how many, how surely, when, where, how much.

What says the same in other words shares little with its source, and what says something else often shares all but a
word. From written pairs alone a model learns the first and takes the second for the same.
"""

from __future__ import annotations

import re
from random import Random

_SWAPS = (
    ("every", "each", "all", "some", "most", "no", "the first", "only the last"),
    ("always", "usually", "sometimes", "rarely", "never"),
    ("both", "one of the", "neither of the"),
    ("must", "should", "may", "need not", "will"),
    ("can", "cannot", "must", "could"),
    ("has to", "is allowed to", "is going to", "does not have to", "used to"),
    ("is", "was", "will be", "is not"),
    ("are", "were", "will be", "are no longer"),
    ("has", "had", "will have"),
    ("we use", "we used", "we will use", "we may use", "nobody uses"),
    ("at least", "at most", "exactly", "about"),
    ("more than", "less than", "as much as"),
    ("before", "after", "during"),
    ("with", "without"),
    ("from", "to"),
    ("only", "also", "not only"),
    ("unless", "if", "even if", "whenever"),
    ("daily", "weekly", "monthly", "hourly"),
    ("first", "last", "second"),
    ("anyone", "everyone", "someone", "no one"),
)
"""Words of one place in a sentence of which none means the same as another, but for some of the first row."""
_ALIKE = frozenset({"every", "each", "all"})
_WHERE = (
    " in production", " in the tests", " on Windows", " for guests", " on weekends", " in version 2", " by default",
    " for admins only", " in the web client", " since May", " until the release", " in the old importer",
)  # fmt: skip
_NOUNS = (
    "gateway", "ledger", "worker", "scheduler", "editor", "parser", "client", "server", "mobile app", "index", "cache",
    "reviewer", "author", "maintainer", "importer", "exporter", "sensor", "controller", "plugin", "host", "queue",
    "nurse", "driver", "backup", "primary", "replica", "proxy", "crawler", "lexer", "linker", "front end", "core",
    "teacher", "office", "supplier", "archive", "team lead", "vendor", "renderer", "simulation",
)  # fmt: skip
_VERBS = (
    "call calls called", "own owns owned", "notify notifies notified", "load loads loaded", "check checks checked",
    "follow follows followed", "restart restarts restarted", "feed feeds fed", "replace replaces replaced",
    "trust trusts trusted", "wrap wraps wrapped", "start starts started", "poll polls polled", "copy copies copied",
    "validate validates validated", "bill bills billed", "lock locks locked", "import imports imported",
    "approve approves approved", "inform informs informed", "extend extends extended", "block blocks blocked",
)  # fmt: skip
_NUMBER = re.compile(r"(?<![\w.])\d{1,5}(?![\w.]*\d)")


def bent(text: str, chance: Random) -> str | None:
    """The sentence with one small word, number or place put for another; None where that would change nothing."""
    ways = [(row, word) for row in _SWAPS for word in row if re.search(rf"\b{word}\b", text, re.IGNORECASE)]
    numbers = list(_NUMBER.finditer(text))
    pick = chance.random()
    if numbers and pick < 0.3:
        at = chance.choice(numbers)
        other = max(1, int(at[0]) + chance.choice((-5, -2, -1, 1, 2, 5, int(at[0]))))
        return None if other == int(at[0]) else f"{text[: at.start()]}{other}{text[at.end() :]}"
    if not ways or pick > 0.9:
        return f"{text.rstrip('.')}{chance.choice(_WHERE)}{'.' * text.endswith('.')}"
    row, word = chance.choice(ways)
    other = chance.choice([one for one in row if one != word and not {one, word} <= _ALIKE])
    return re.sub(rf"\b{word}\b", lambda found: _as_written(other, found[0]), text, count=1, flags=re.IGNORECASE)


def turned_roles(chance: Random) -> tuple[str, str, bool]:
    """Two sentences of who does something to whom, and whether they say the same: active and passive, either way."""
    one, other = chance.sample(_NOUNS, 2)
    _, does, done = chance.choice(_VERBS).split()
    tail = chance.choice(("", "", *_WHERE))
    active, passive = f"The {one} {does} the {other}{tail}.", f"The {other} is {done} by the {one}{tail}."
    swapped = f"The {other} {does} the {one}{tail}.", f"The {one} is {done} by the {other}{tail}."
    if chance.random() < 0.4:
        return (*chance.sample((active, passive), 2), True)
    return chance.choice((active, passive)), chance.choice(swapped), False


def _as_written(word: str, like: str) -> str:
    return word[:1].upper() + word[1:] if like[:1].isupper() else word
