"""Two sentences read together by a small model: do they contradict, say the same, or stand beside one another?

The model is all-MiniLM-L6-v2 (Apache-2.0) with int8 weights, taught by `scripts/train_reader.py` on the labelled
statements beside it. It runs in onnxruntime on the machine itself and is checked against the checksum below.
"""

from __future__ import annotations

import hashlib
import os
import threading
from functools import cached_property, lru_cache
from importlib import import_module
from importlib.resources import files
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from companion.adapters.embedding import NO_TELEMETRY
from companion.adapters.prepared import session_of
from companion.errors import ModelMissing

WEIGHTS_SHA256 = "7e6c5211f01367cf3381fb33579fd0fada1e6e700e24db9e8b64fd76f358a845"
MAX_WORD_PIECES = 128
"""Of both sentences together: longer ones are cut, which bounds the time of a pair."""
READ = 4_096
"""Pairs remembered as read: what arrived and was judged at once is judged again by the next run."""


class PairReader:
    """See `companion.ports.PairReader`. Loaded with the first pair; threads may share it."""

    version = WEIGHTS_SHA256[:8]

    def __init__(self) -> None:
        self._loading = threading.Lock()
        self.read = lru_cache(READ)(self._read)

    def _read(self, a: str, b: str) -> tuple[float, float, float]:
        """How likely it is that the two contradict, say the same, or neither. The order given does not matter."""
        import numpy as np

        with self._loading:
            session, tokenizer = self._session, self._tokenizer
        read = [tokenizer.encode(*pair) for pair in ((a, b), (b, a))]
        rows = {
            "input_ids": [one.ids for one in read],
            "attention_mask": [one.attention_mask for one in read],
            "token_type_ids": [one.type_ids for one in read],
        }
        given = {name: np.array(row, dtype=np.int64) for name, row in rows.items()}
        leanings = np.asarray(session.run(None, given)[0], dtype=np.float64).mean(axis=0)
        shares = np.exp(leanings - leanings.max())
        contrary, same, beside = (float(share) for share in shares / shares.sum())
        return contrary, same, beside

    @cached_property
    def _session(self) -> Any:
        os.environ[NO_TELEMETRY] = "1"
        weights = weights_path()
        if hashlib.sha256(weights.read_bytes()).hexdigest() != WEIGHTS_SHA256:
            raise ModelMissing(f"{weights} is not the file it should be.", "Install the package again.")
        return session_of(import_module("onnxruntime"), weights, WEIGHTS_SHA256, None, make=False)

    @cached_property
    def _tokenizer(self) -> Any:
        vocabulary = str(files("companion.adapters") / "data" / "minilm_vocab.txt")
        tokenizer = import_module("tokenizers").BertWordPieceTokenizer(vocabulary, lowercase=True)
        tokenizer.enable_truncation(MAX_WORD_PIECES)
        return tokenizer


def weights_path() -> Path:
    """Where the weights lie in the package."""
    return Path(str(files("companion.adapters") / "data" / "pair_reader.onnx"))


def can_read() -> bool:
    """Whether what the model runs in is installed, and the model too."""
    return weights_path().is_file() and all(find_spec(name) is not None for name in ("onnxruntime", "tokenizers"))
