"""Which model makes vectors, as the settings say."""

from __future__ import annotations

from pathlib import Path

from companion.adapters.embedding import MiniLmEmbedder, check_installed
from companion.adapters.sentence_transformers import PREFIX, SentenceTransformerEmbedder
from companion.config import Settings
from companion.errors import ModelMissing, UsageError
from companion.ports import Embedder

EMBEDDINGS = ("minilm-int8", "off")
"""What the setting `embeddings` may say."""


def make_embedder(settings: Settings, folder: Path | None = None, *, keep: bool = False) -> Embedder | None:
    """The embedder that the settings name; None if it is off or its package is not installed.

    Raises ModelMissing where they name a folder without a model. `folder` is where the model may lie ready to
    run; `keep` has it put there.
    """
    if settings.embeddings.startswith(PREFIX):
        return SentenceTransformerEmbedder(Path(settings.embeddings.removeprefix(PREFIX)))
    if settings.embeddings not in EMBEDDINGS:
        raise UsageError(
            f"Setting `embeddings` is {settings.embeddings!r}.",
            f"Choose one of: {', '.join(EMBEDDINGS)}, or {PREFIX}FOLDER.",
        )
    if settings.embeddings == "off":
        return None
    try:
        check_installed()
    except ModelMissing:
        return None
    return MiniLmEmbedder(folder, keep=keep)
