"""Vectors for what has none yet, at once and by whoever embeds; and what is near."""

from __future__ import annotations

from companion.ports import Embedder
from companion.store.text.documents import memory_space
from companion.store.vectors.vector_rows import Floats
from companion.store.vectors.vectors import Vectors

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


def nearest(vectors: Vectors, project: str, model: str, vector: Floats, k: int) -> list[tuple[str, float]]:
    """Ids of the memories nearest to a unit vector, with their cosine similarity, nearest first."""
    index = vectors._text_index
    index.update(project)
    with index.asked() as file:
        alive = file.view(memory_space(project)).alive
        near: dict[int, float] = {}
        for number, similarity in vectors.nearest_numbers(project, model, vector, 2 * k):
            if alive[number]:
                near.setdefault(number, similarity)
        ids = file.records(memory_space(project), list(near))
    return [(ids[number][0], similarity) for number, similarity in near.items()][:k]
