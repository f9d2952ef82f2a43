"""An owner tidies its memory where nobody waits: what stays is looked at no more, what nobody needs is gone."""

from __future__ import annotations

import gc
import mmap
import re
import sys
import threading
import weakref
from collections.abc import Iterator
from contextlib import nullcontext
from pathlib import Path
from types import SimpleNamespace
from unittest.mock import MagicMock

import pytest

from companion.app.compose import MODEL_FOLDER
from companion.daemon import writer
from companion.daemon.inbox import Inbox, Rest
from companion.daemon.memory_use import memory_bytes, tidy, unread, untidy, unwritten

LARGE = bytes(range(256)) * 4 * 1_024
on_linux = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="others do not tell what is mapped")


class Knot:
    """Something that only a search for cycles finds."""

    def __init__(self) -> None:
        self.itself = self


@pytest.fixture(autouse=True)
def _as_before() -> Iterator[None]:
    yield
    untidy()


def test_cycles_that_nobody_needs_are_gone():
    gone = weakref.ref(Knot())
    tidy()
    assert gone() is None


def test_what_stays_is_looked_at_no_more_and_goes_when_it_is_let_go_of():
    kept = [object() for _ in range(10)]
    tidy()
    assert not any(one is kept for one in gc.get_objects())
    assert gc.get_freeze_count() > 0
    plain = Knot()
    plain.itself = None  # type: ignore[assignment]
    tidy()
    gone = weakref.ref(plain)
    del plain
    assert gone() is None


def test_memory_is_told_in_bytes():
    assert memory_bytes() == 0 or memory_bytes() > 1_000_000


def resident_kb(path: Path) -> int:
    """How much of a file is in memory where this process has it mapped."""
    mapped = re.split(r"(?m)^(?=[0-9a-f]+-[0-9a-f]+ )", Path("/proc/self/smaps").read_text("utf-8"))
    return sum(int(found[1]) for one in mapped if str(path) in one and (found := re.search(r"Rss: +(\d+)", one)))


def mapped(path: Path) -> mmap.mmap:
    """A file of 1 MB mapped as libraries do it, and read to its end."""
    path.write_bytes(LARGE)
    with path.open("rb") as file:
        found = mmap.mmap(file.fileno(), 0, flags=mmap.MAP_PRIVATE, prot=mmap.PROT_READ | mmap.PROT_WRITE)
    assert found[:] == LARGE
    return found


@on_linux
def test_what_was_read_of_a_mapped_file_is_dropped_and_reads_the_same_again(tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    (tmp_path / "model").symlink_to(tmp_path / "real")
    with mapped(tmp_path / "real" / "weights") as weights, mapped(tmp_path / "other") as other:
        before = resident_kb(tmp_path / "real" / "weights")
        unread(tmp_path / "model")
        assert (before, resident_kb(tmp_path / "real" / "weights")) == (1_024, 0)
        assert resident_kb(tmp_path / "other") == 1_024
        assert weights[:] == other[:] == LARGE


@on_linux
def test_what_was_written_to_a_mapping_is_never_dropped(tmp_path: Path) -> None:
    with mapped(tmp_path / "weights") as weights:
        weights[5_000:5_004] = b"mine"
        unread(tmp_path)
        assert weights[5_000:5_004] == b"mine"


def test_what_was_written_to_a_mapping_and_put_out_to_disk_since_is_never_dropped(tmp_path: Path) -> None:
    tells = "{:x}-{:x} rw-p 00000000 fe:00 7    {}/{}\nRss: 4 kB\nAnonymous: {} kB\nKSM: 0 kB\nSwap: {} kB\n"
    rows = [(0, 16, "read", 0, 0), (32, 48, "written", 4, 0), (64, 80, "put_out", 0, 4)]
    told = "".join(tells.format(start, end, tmp_path, *row) for start, end, *row in rows)
    nobodys = "60-70 rw-p 00000000 00:00 0\nAnonymous: 4 kB\nSwap: 0 kB\n"
    assert unwritten(told + nobodys, tmp_path) == [(0, 16)]
    assert unwritten(told.partition("20-30")[0] + nobodys, tmp_path) == [(0, 16)]


class SlowModel:
    """A model whose loading lasts until somebody lets it end."""

    def __init__(self) -> None:
        self.may_end = threading.Event()

    def embed(self, texts: list[str]) -> None:
        assert self.may_end.wait(30)


def test_an_owner_at_rest_leaves_the_pages_of_a_model_alone_while_that_is_loaded_and_drops_them_then(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    slow, inbox, dropped, rested = SlowModel(), Inbox(quiet_s=0.0), list[Path](), threading.Event()
    rooms = SimpleNamespace(embedder=slow, home=tmp_path)

    def drop(folder: Path) -> None:
        dropped.append(folder)
        inbox.close()

    owner = SimpleNamespace(rooms=rooms, inbox=inbox, log=MagicMock(), working=nullcontext, rest=lambda: None)
    monkeypatch.setattr(writer, "Slices", MagicMock())
    monkeypatch.setattr(writer, "warming", MagicMock())
    monkeypatch.setattr(writer, "give_back", rested.set)
    monkeypatch.setattr(writer, "unread", drop)
    works = writer.Writer(owner, None)  # type: ignore[arg-type]
    works._model.load()
    inbox.put(Rest())
    works.start()
    assert rested.wait(30)
    assert dropped == []
    slow.may_end.set()
    works.join()
    assert dropped == [tmp_path / MODEL_FOLDER]
