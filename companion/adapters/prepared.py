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
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

GRAPH, WEIGHTS, LABEL = "graph.onnx", "weights.bin", "label.json"
SMALLEST_APART_BYTES = 1_024
"""Weights larger than this lie in the file of weights."""


class ModelInput(Protocol):
    """What a model is given."""

    name: str


class ModelSession(Protocol):
    """A model that is ready to run, as far as it is used here: the library has no types."""

    def get_inputs(self) -> Sequence[ModelInput]:
        """What it takes."""

    def run(
        self, outputs: Sequence[str] | None, given: Mapping[str, npt.NDArray[np.int64]]
    ) -> list[npt.NDArray[np.float32]]:
        """What it makes of what is given by name: these outputs, or all."""


def session_of(onnxruntime: ModuleType, weights: Path, digest: str, folder: Path | None, *, make: bool) -> ModelSession:
    """A session that runs the model in `weights`, whose checksum is `digest` and was compared.

    It runs from `folder` if the model is kept there; `make` has it kept there. What goes wrong with that is not
    told: the session then takes more memory.
    """
    if folder is not None:
        place = folder / f"{digest[:12]}-{onnxruntime.__version__}-{platform.machine()}"
        with contextlib.suppress(Exception):  # whatever the library or the disk has against it
            if make and not _is_whole(place):
                _make(onnxruntime, weights, place)
            if _is_whole(place):
                return _started(onnxruntime, place / GRAPH, _options(onnxruntime, optimise=False))
    # By its path: the session would keep the bytes for good.
    return _started(onnxruntime, weights, _options(onnxruntime, optimise=True))


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
    place.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
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
