"""Vectors in a file that only grows: found by nearness, whole after a kill, never those of another model."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from companion.store.vectors.packed import VectorFile

MODEL, DIMENSION = "model", 8


def opened(folder: Path, model: str = MODEL, indexed_from: int = 1_000) -> VectorFile:
    return VectorFile(folder, "project", model, DIMENSION, indexed_from)


def unit(seed: int) -> np.ndarray:
    vector = np.random.default_rng(seed).standard_normal(DIMENSION).astype(np.float32)
    return vector / np.linalg.norm(vector)


def added(file: VectorFile, first: int, last: int) -> None:
    keys = np.arange(first, last, dtype=np.uint64)
    file.add(keys, np.stack([unit(key) for key in range(first, last)]))


def best(file: VectorFile, seed: int) -> int:
    return file.nearest(unit(seed), 1)[0][0]


@pytest.mark.parametrize("indexed_from", [1_000, 20])
def test_the_nearest_is_found_before_and_after_the_file_is_opened_again(tmp_path: Path, indexed_from: int):
    file = opened(tmp_path, indexed_from=indexed_from)
    added(file, 1, 41)
    while file.index_some(16):
        pass
    added(file, 41, 61)
    again = opened(tmp_path, indexed_from=indexed_from)
    assert [best(file, seed) for seed in (3, 40, 55)] == [3, 40, 55]
    assert [best(again, seed) for seed in (3, 40, 55)] == [3, 40, 55]
    near = again.similarities(unit(55), np.array([55, 3, 999], np.uint64)).tolist()
    assert near == pytest.approx([1.0, float(unit(55) @ unit(3)), 0.0], abs=0.01)


def test_until_an_index_is_made_the_first_and_most_useful_are_searched(tmp_path: Path):
    file = opened(tmp_path, indexed_from=20)
    added(file, 1, 41)
    assert best(opened(tmp_path, indexed_from=20), 3) == 3
    assert best(opened(tmp_path, indexed_from=20), 40) != 40


def test_what_a_kill_cut_off_is_dropped_and_the_rest_goes_on(tmp_path: Path):
    added(opened(tmp_path), 1, 11)
    path = next(tmp_path.glob("*.vectors"))
    path.write_bytes(path.read_bytes()[:-5])
    file = opened(tmp_path)
    assert file.keys().tolist() == list(range(1, 10))
    added(file, 10, 13)
    assert opened(tmp_path).keys().tolist() == list(range(1, 13))
    assert best(opened(tmp_path), 12) == 12


@pytest.mark.parametrize("damage", [b"", b"short", b"\0" * 500])
def test_a_file_that_is_none_of_ours_holds_nothing_and_is_written_anew(tmp_path: Path, damage: bytes):
    added(opened(tmp_path), 1, 11)
    next(tmp_path.glob("*.vectors")).write_bytes(damage)
    file = opened(tmp_path)
    assert not file.keys().size
    added(file, 5, 6)
    assert opened(tmp_path).keys().tolist() == [5]


def test_vectors_of_another_model_are_not_ours_and_neither_is_their_index(tmp_path: Path):
    file = opened(tmp_path, indexed_from=20)
    added(file, 1, 41)
    while file.index_some(16):
        pass
    other = opened(tmp_path, "other", indexed_from=20)
    assert not other.keys().size
    assert other.nearest(unit(3), 3) == []
    added(other, 50, 90)
    again = opened(tmp_path, "other", indexed_from=20)
    assert min(key for key, _ in again.nearest(unit(3), 20)) >= 50


def test_what_nobody_needs_leaves_the_disk_once_it_is_much(tmp_path: Path):
    file = opened(tmp_path)
    added(file, 1, 101)
    size = next(tmp_path.glob("*.vectors")).stat().st_size
    file.retain(np.arange(1, 95, dtype=np.uint64))
    assert len(file.keys()) == 100
    file.retain(np.arange(1, 51, dtype=np.uint64))
    assert opened(tmp_path).keys().tolist() == list(range(1, 51))
    assert next(tmp_path.glob("*.vectors")).stat().st_size < 0.6 * size
    assert best(file, 30) == 30


def test_an_index_that_is_damaged_is_made_anew_from_the_file(tmp_path: Path):
    file = opened(tmp_path, indexed_from=20)
    added(file, 1, 41)
    while file.index_some(16):
        pass
    made = next(tmp_path.glob("*.usearch"))
    made.write_bytes(made.read_bytes()[:100])
    again = opened(tmp_path, indexed_from=20)
    assert best(again, 3) == 3
    while again.index_some(16):
        pass
    assert best(again, 40) == 40


def test_a_vector_that_two_made_is_kept_once(tmp_path: Path):
    file = opened(tmp_path, indexed_from=2)
    keys = np.array([3, 1, 3], np.uint64)
    matrix = np.eye(3, DIMENSION, dtype=np.float32)
    file.add(keys, matrix)
    file.add(keys, matrix)
    file.add(np.array([7, 1], np.uint64), matrix[1:])
    assert file.keys().tolist() == [3, 1, 7]
    while file.index_some(1):
        pass
    assert sorted(key for key, _ in file.nearest(matrix[0], 9)) == [1, 3, 7]
