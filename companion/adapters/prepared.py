"""The embedding model as the library has made it ready to run, kept on disk and mapped into memory from there.

onnxruntime unpacks the 23 MB of weights into 90 MB in memory, each time and in each process. Kept as a file, only
the pages that are needed are there, shared by all processes and dropped by the system when it needs the room:
70 MB less in a daemon. It is derived: deleting it is never an error, and what is not whole is not used.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import platform
import shutil
from collections.abc import Mapping, Sequence
from importlib import import_module
from importlib.resources import files
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any, Protocol

from companion.errors import ModelMissing

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt
    from tokenizers import BertWordPieceTokenizer

VOCABULARY_SHA256 = "07eced375cec144d27c900241f3e339478dec958f92fddbc551f295c992038a3"
NO_TELEMETRY = "ORT_DISABLE_TELEMETRY"
"""Read by onnxruntime as it is loaded; without it, 1.31 keeps a file of events in the user's cache folder
and, some seconds later, sends them to its makers."""
MAX_WORD_PIECES = 128
"""The models were trained on 128; longer texts are cut there, which also bounds the time of one."""
GRAPH, WEIGHTS, LABEL = "graph.onnx", "weights.bin", "label.json"
SMALLEST_APART_BYTES = 1_024
"""Weights larger than this lie in the file of weights."""


class ModelSession(Protocol):
    """A model that is ready to run, as far as it is used here: the library has no types."""

    def run(
        self, outputs: Sequence[str] | None, given: Mapping[str, npt.NDArray[np.int64]]
    ) -> list[npt.NDArray[np.float32]]:
        """What it makes of what is given by name: these outputs, or all."""


def session_of(weights: Path, digest: str, folder: Path | None = None, *, make: bool = False) -> ModelSession:
    """A session that runs the model in `weights`. Raises ModelMissing where it has not this checksum, or cannot run.

    It runs from `folder` if the model is kept there; `make` has it kept there. What goes wrong with that is not
    told: the session then takes more memory.
    """
    os.environ[NO_TELEMETRY] = "1"
    onnxruntime = _imported("onnxruntime")
    _check(weights, digest)
    if folder is not None:
        place = folder / f"{digest[:12]}-{onnxruntime.__version__}-{platform.machine()}"
        with contextlib.suppress(Exception):  # whatever the library or the disk has against it
            if make and not _is_whole(place):
                _make(onnxruntime, weights, place)
            if _is_whole(place):
                return _started(onnxruntime, place / GRAPH, _options(onnxruntime, optimise=False))
    # By its path: the session would keep the bytes for good.
    return _started(onnxruntime, weights, _options(onnxruntime, optimise=True))


def word_pieces() -> BertWordPieceTokenizer:
    """What cuts texts into the pieces that MiniLM reads. Raises ModelMissing where its library does not load."""
    tokenizers = _imported("tokenizers")
    vocabulary = Path(str(files("companion.adapters") / "data" / "minilm_vocab.txt"))
    _check(vocabulary, VOCABULARY_SHA256)
    tokenizer: BertWordPieceTokenizer = tokenizers.BertWordPieceTokenizer(str(vocabulary), lowercase=True)
    tokenizer.enable_truncation(MAX_WORD_PIECES)
    return tokenizer


def _imported(name: str) -> ModuleType:
    """A library that models run in. Raises ModelMissing where it is not installed or does not load."""
    try:
        return import_module(name)
    except ImportError as wrong:
        raise ModelMissing(f"The model cannot run: {wrong}.", f"pip install {name}") from wrong


def _check(path: Path, sha256: str) -> None:
    """Raises ModelMissing for a file that is not there or not the one it should be."""
    try:
        found = _sha256(path)
    except OSError as wrong:
        raise ModelMissing(f"{path} cannot be read: {wrong}.", "Install the package again.") from wrong
    if found != sha256:
        raise ModelMissing(f"{path} is not the expected file.", "Install the package again.")


def _options(onnxruntime: ModuleType, *, optimise: bool) -> Any:  # the library has no types
    options = onnxruntime.SessionOptions()
    options.log_severity_level = 3
    # One thread a batch: a question is too short to share, and many texts go as batches side by side.
    options.intra_op_num_threads = 1
    # Its own pool of memory keeps all that the longest batch ever took, 200 MB, and saves no time.
    options.enable_cpu_mem_arena = False
    levels = onnxruntime.GraphOptimizationLevel
    options.graph_optimization_level = levels.ORT_ENABLE_ALL if optimise else levels.ORT_DISABLE_ALL
    return options


def _started(onnxruntime: ModuleType, path: Path, options: object) -> ModelSession:
    started: ModelSession = onnxruntime.InferenceSession(str(path), options, providers=["CPUExecutionProvider"])
    return started


def _make(onnxruntime: ModuleType, weights: Path, place: Path) -> None:
    """Keep the model: made beside its place, forced to disk, and put there in one step."""
    new = place.with_name(f"{place.name}.new-{os.getpid()}")
    place.parent.mkdir(mode=0o700, exist_ok=True)
    try:
        new.mkdir(mode=0o700)
        options = _options(onnxruntime, optimise=True)
        options.optimized_model_filepath = str(new / GRAPH)
        options.add_session_config_entry("session.optimized_model_external_initializers_file_name", WEIGHTS)
        options.add_session_config_entry(
            "session.optimized_model_external_initializers_min_size_in_bytes", str(SMALLEST_APART_BYTES)
        )
        _started(onnxruntime, weights, options)
        (new / LABEL).write_text(json.dumps({name: _sha256(new / name) for name in (GRAPH, WEIGHTS)}))
        for name in (GRAPH, WEIGHTS, LABEL):
            with (new / name).open("r+b") as written:
                os.fsync(written.fileno())
        for old in place.parent.iterdir():  # of another version, or damaged; whoever has it mapped keeps it
            if old != new:
                shutil.rmtree(old, ignore_errors=True)
        new.rename(place)
    finally:
        shutil.rmtree(new, ignore_errors=True)


def _is_whole(place: Path) -> bool:
    try:
        label = json.loads((place / LABEL).read_text("utf-8"))
        return all(_sha256(place / name) == label[name] for name in (GRAPH, WEIGHTS))
    except (OSError, ValueError, KeyError, TypeError):
        return False


def _sha256(path: Path) -> str:
    with path.open("rb") as data:
        return hashlib.file_digest(data, "sha256").hexdigest()
