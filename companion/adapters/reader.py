"""Two texts read together by a small model: statements, or a sentence in its conversation.

The model is all-MiniLM-L6-v2 (Apache-2.0) with int8 weights, taught by `scripts/train_reader.py` on the labelled
texts beside it. It runs in onnxruntime on the machine itself and is checked against the checksum below.
"""

from __future__ import annotations

import threading
from collections.abc import Mapping, Sequence
from functools import cached_property, lru_cache
from importlib.resources import files
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

from companion.adapters.prepared import ModelSession, session_of, word_pieces
from companion.records.readings import DialogueAct, PairReading

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt
    from tokenizers import BertWordPieceTokenizer

WEIGHTS_SHA256 = "19259c3e5a583cadf0b794f42c4e9f7c5ae58ee6d469c652bc68044952597569"
OUTPUTS = ["leanings", "acts"]
"""The heads of the model: pairs of statements, and sentences of conversations."""
READ = 4_096
"""Pairs remembered as read: what arrived and was judged at once is judged again by the next run."""


class PairReader:
    """See `companion.ports.Reader`. Loaded with the first text; threads may share it."""

    version = WEIGHTS_SHA256[:8]

    def __init__(self) -> None:
        self._loading = threading.Lock()
        self.pair = lru_cache(READ)(self._pair)
        self.act = lru_cache(READ)(self._act)

    def _pair(self, a: str, b: str) -> PairReading:
        """Both ways round, so that the order given does not matter."""
        shares = self._run([(a, b), (b, a)])[0]
        back = shares[1][[0, 1, 3, 2, 4]]
        return PairReading(*((shares[0] + back) / 2).tolist())

    def _act(self, context: str, sentence: str) -> Mapping[DialogueAct, float]:
        return dict(zip(DialogueAct, self._run([(context, sentence)])[1][0].tolist(), strict=True))

    def _run(self, pairs: Sequence[tuple[str, str]]) -> list[npt.NDArray[np.float64]]:
        """The shares of each head, an array of a row a pair."""
        import numpy as np

        with self._loading:
            session, tokenizer = self._session, self._tokenizer
        read = tokenizer.encode_batch(list(pairs))
        rows = {
            "input_ids": [one.ids for one in read],
            "attention_mask": [one.attention_mask for one in read],
            "token_type_ids": [one.type_ids for one in read],
        }
        given = {name: np.array(row, dtype=np.int64) for name, row in rows.items()}
        leanings = [np.asarray(head, dtype=np.float64) for head in session.run(OUTPUTS, given)]
        exponents = [np.exp(head - head.max(axis=1, keepdims=True)) for head in leanings]
        return [one / one.sum(axis=1, keepdims=True) for one in exponents]

    @cached_property
    def _session(self) -> ModelSession:
        return session_of(weights_path(), WEIGHTS_SHA256)

    @cached_property
    def _tokenizer(self) -> BertWordPieceTokenizer:
        return word_pieces()


def weights_path() -> Path:
    """Where the weights lie in the package."""
    return Path(str(files("companion.adapters") / "data" / "reader.onnx"))


def can_read() -> bool:
    """Whether what the model runs in is installed, and the model too."""
    return weights_path().is_file() and all(find_spec(name) is not None for name in ("onnxruntime", "tokenizers"))
