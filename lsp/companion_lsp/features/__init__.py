"""What an editor can ask, one module each: `register(server)` says which messages it answers.

There is no inline completion, on purpose. What Companion knows of a place (why it is so, what belongs
with it) is no text to be typed there: ghost text made of a pattern's template would be a guess in the
middle of a line, would fight with the assistant that people have for it, and would cost an answer at
each key. The same knowledge reaches an assistant by the context, which it completes better from.
"""

from __future__ import annotations

from types import ModuleType

from companion_lsp.features import (
    actions,
    asks,
    commands,
    diagnostics,
    documents,
    hover,
    indexing,
    lenses,
    links,
    now,
    nudges,
    seeing,
    session,
    story,
    views,
    virtual,
)

FEATURES: tuple[ModuleType, ...] = (
    session,
    documents,
    indexing,
    hover,
    lenses,
    diagnostics,
    actions,
    commands,
    virtual,
    links,
    nudges,
    now,
    story,
    asks,
    views,
    seeing,
)
