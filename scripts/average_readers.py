"""Average two files of weights that `train_reader.py` wrote, and write the average as a third.

    python scripts/average_readers.py ONE.onnx OTHER.onnx OUT.onnx

Two teachings from one base end near one another, and what lies between them reads better than either. Needs `onnx`,
which the product does not. The same two files give the same third.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import numpy as np
import onnx
from onnx import numpy_helper

QUANTIZED, SCALE, ZERO = "_quantized", "_scale", "_zero_point"
STEPS = 64
"""Values of a weight on each side of zero: sums of more overflow on older processors."""

Tensors = dict[str, onnx.TensorProto]


def main() -> None:
    """Write the average of two files."""
    asked = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    for name in ("one", "other", "out"):
        asked.add_argument(name, type=Path)
    told = asked.parse_args()
    model, other = onnx.load(told.one), onnx.load(told.other)
    mine, theirs = ({tensor.name: tensor for tensor in each.graph.initializer} for each in (model, other))
    for name in mine:
        if name.endswith(QUANTIZED):
            _average_quantized(mine, theirs, name.removesuffix(QUANTIZED))
        elif not name.endswith((SCALE, ZERO)) and numpy_helper.to_array(mine[name]).dtype == np.float32:
            _set(mine, name, (numpy_helper.to_array(mine[name]) + numpy_helper.to_array(theirs[name])) / 2)
    onnx.save(model, told.out)


def _average_quantized(mine: Tensors, theirs: Tensors, name: str) -> None:
    """Average a weight by its values, and say it again in steps: of each column of its own, or of the whole."""
    average = (_values(mine, name) + _values(theirs, name)) / 2
    scale, zero = (numpy_helper.to_array(mine[name + part]) for part in (SCALE, ZERO))
    if scale.size > 1:
        axis = _axis(average, scale)
        others = tuple(one for one in range(average.ndim) if one != axis)
        size = (np.abs(average).max(axis=others) / STEPS).astype(np.float32)
        size[size == 0] = 1
        steps = np.clip(np.round(average / _along(size, average, axis)), -STEPS, STEPS).astype(np.int8)
        zero = np.zeros_like(zero)
    else:
        low, high = average.min(), average.max()
        size = np.float32((high - low) / 255)
        zero = np.array(np.round(-low / size), dtype=zero.dtype).reshape(zero.shape)
        steps = np.clip(np.round(average / size) + int(zero), 0, 255).astype(np.uint8)
    for part, value in ((QUANTIZED, steps), (SCALE, np.reshape(size, scale.shape)), (ZERO, zero)):
        _set(mine, name + part, value)


def _values(tensors: Tensors, name: str) -> np.ndarray:
    steps, scale, zero = (
        numpy_helper.to_array(tensors[name + part]).astype(np.float32) for part in (QUANTIZED, SCALE, ZERO)
    )
    if scale.size == 1:
        return (steps - zero) * scale
    axis = _axis(steps, scale)
    return (steps - _along(zero, steps, axis)) * _along(scale, steps, axis)


def _axis(weight: np.ndarray, scale: np.ndarray) -> int:
    """The axis whose places have a scale of their own: the last of that length."""
    return max(axis for axis in range(weight.ndim) if weight.shape[axis] == scale.size)


def _along(values: np.ndarray, weight: np.ndarray, axis: int) -> np.ndarray:
    return values.reshape([-1 if one == axis else 1 for one in range(weight.ndim)])


def _set(tensors: Tensors, name: str, value: np.ndarray) -> None:
    tensors[name].CopyFrom(numpy_helper.from_array(np.ascontiguousarray(value), name))


if __name__ == "__main__":
    main()
