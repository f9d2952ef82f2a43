"""What somebody keeps coming back to: names and words that recur in what was remembered of their conversations."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Sequence

from companion.language.word_lists import GLUE
from companion.records import Memory
from companion.records.talk import Theme

LEAST_MEMORIES = 3
"""What is spoken of in two conversations may be chance; in three it recurs."""
_WORD = re.compile(r"[^\W\d_][\w-]{3,}")
_OURS = frozenset(
    {"because", "decided", "done", "else", "keep", "kept", "learned", "left", "nothing", "open", "since", "still"}
    | {"waiting", "what", "with", "your"}
)
"""Words of the sentences that we ourselves make of items."""


def themes(memories: Sequence[Memory], limit: int) -> tuple[Theme, ...]:
    """The names and words that recur, most conversations first; what is one episode and its facts counts once."""
    spoken: defaultdict[str, dict[str, str]] = defaultdict(dict)
    for memory in memories:
        for name in _names(memory) | _words(memory):
            spoken[name].setdefault(memory.draft.origin, memory.id)
    found = [Theme(name, tuple(ids.values())) for name, ids in spoken.items() if len(ids) >= LEAST_MEMORIES]
    found.sort(key=lambda theme: (-len(theme.memories), theme.name))
    return tuple(found[:limit])


def _names(memory: Memory) -> set[str]:
    """Who and what it names, as people say it."""
    kinds = (name.partition(":") for name in memory.draft.entities)
    return {name.replace("_", " ") for kind, _, name in kinds if kind not in {"act", "file", "commit"}}


def _words(memory: Memory) -> set[str]:
    return {word for word in map(str.lower, _WORD.findall(memory.draft.value)) if word not in GLUE | _OURS}
