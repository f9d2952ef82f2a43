"""Sentence vectors by any local model that sentence-transformers can load, where its extra is installed.

`pip install companion-context[sentence-transformers]`, and as the setting `sentence-transformers:FOLDER`, with
the folder that the model lies in. Nothing is downloaded: a name that is no folder is refused.
"""

from __future__ import annotations

import hashlib
import os
import threading
from collections.abc import Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from companion.adapters.prepared import NO_TELEMETRY
from companion.errors import ModelMissing

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt
    from sentence_transformers import SentenceTransformer

PREFIX = "sentence-transformers:"
"""How the setting `embeddings` begins that names a folder."""
WEIGHTS = ("*.safetensors", "pytorch_model.bin", "onnx/model.onnx")
"""Files whose content makes a model what it is."""
BATCH_TEXTS = 32
"""Texts of one batch: larger ones gain nothing on a processor."""


class SentenceTransformerEmbedder:
    """Unit vectors by a model in a folder. Threads may share it; it is loaded when it is first asked."""

    def __init__(self, folder: Path) -> None:
        """Raises ModelMissing where the folder holds no weights."""
        self._folder = folder.expanduser()
        self._loading = threading.Lock()
        self._sha256 = _checksum(self._folder)

    @property
    def model(self) -> str:
        """Name of the folder and checksum of the weights."""
        return f"{self._folder.name}@{self._sha256[:12]}"

    @cached_property
    def dimension(self) -> int:
        """Length of a vector."""
        return int(self.embed(["a text"]).shape[1])

    def embed(self, texts: Sequence[str]) -> npt.NDArray[np.float32]:
        """Unit vectors, shape (len(texts), dimension). Raises ModelMissing if the library does not load."""
        import numpy as np

        if not texts:
            return np.zeros((0, self.dimension), dtype=np.float32)
        made = self._loaded.encode(
            list(texts), batch_size=BATCH_TEXTS, normalize_embeddings=True, show_progress_bar=False
        )
        return np.asarray(made, dtype=np.float32)

    @property
    def _loaded(self) -> SentenceTransformer:
        with self._loading:
            return self._model

    @cached_property
    def _model(self) -> SentenceTransformer:
        os.environ.setdefault("HF_HUB_OFFLINE", "1")
        os.environ.setdefault("TRANSFORMERS_OFFLINE", "1")
        os.environ.setdefault("HF_HUB_DISABLE_PROGRESS_BARS", "1")  # else one is drawn
        os.environ[NO_TELEMETRY] = "1"
        try:
            from sentence_transformers import SentenceTransformer
        except ImportError as wrong:
            raise ModelMissing(
                f"The embedding model cannot run: {wrong}.", "pip install 'companion-context[sentence-transformers]'"
            ) from wrong
        try:
            return SentenceTransformer(str(self._folder), device="cpu", local_files_only=True)
        except (OSError, ValueError, RuntimeError) as wrong:
            raise ModelMissing(f"{self._folder} holds no model that can be loaded: {wrong}.") from wrong


def _checksum(folder: Path) -> str:
    """Of all weights, in the order of their names. Raises ModelMissing where there are none."""
    found = sorted({path for pattern in WEIGHTS for path in folder.glob(pattern)})
    if not found:
        raise ModelMissing(
            f"{folder} holds no model for embeddings.",
            f"Set `embeddings` to `{PREFIX}FOLDER` with the folder of one, or to `minilm-int8`.",
        )
    digest = hashlib.sha256()
    for path in found:
        with path.open("rb") as data:
            hashlib.file_digest(data, lambda: digest)
    return digest.hexdigest()
