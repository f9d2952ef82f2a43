"""Vectors for what has none yet, at once and by whoever embeds."""

from __future__ import annotations

from companion.ports import Embedder
from companion.store.vectors.kept import Vectors

MOST = 10_000
"""More texts than any test has."""


def embed_pending(vectors: Vectors, project: str, embedder: Embedder) -> int:
    """Give a vector to each text that has none, and have all of them searched; how many were made."""
    found = vectors.pending(project, embedder.model, MOST, embedder.dimension)
    if found:
        made = embedder.embed([text for _, text in found])
        vectors.keep(project, embedder.model, [digest for digest, _ in found], made)
    vectors.refresh(project, embedder)
    return len(found)
