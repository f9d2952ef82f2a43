"""A disk that fills up under a living daemon: said, survived, and over when there is room again."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import pytest
from client.houses import House
from waiting import until

from companion.api import Note
from companion.client import connect
from companion.client.starting import start_daemon
from companion.errors import StoreUnwritable
from companion.records import Profile, SearchQuery

DISK = "size=32m,mode=700"
"""Room for a fresh store and a few hundred notes."""
ROOM_BYTES = 300_000
"""What is left of it when it counts as nearly full."""
WORDS = 2_000
"""Words of a note that is to take room: twelve kilobytes."""
NOTES_MAX = 200
"""Several times as many as there is room for."""


@contextmanager
def small_disk(place: Path) -> Iterator[Path]:
    place.mkdir()
    mounting = ["mount", "-t", "tmpfs", "-o", DISK, "tmpfs", str(place)]
    if subprocess.run(mounting, capture_output=True, check=False).returncode:
        pytest.skip("nothing can be mounted here")
    try:
        yield place
    finally:
        subprocess.run(["umount", "-l", str(place)], check=True)


def fill(disk: Path) -> None:
    """Leave little room."""
    left = os.statvfs(disk).f_bavail * os.statvfs(disk).f_frsize
    (disk / "filling").write_bytes(bytes(left - ROOM_BYTES))


def found(root: Path, words: str) -> set[str]:
    companion = connect(root)
    try:
        return {
            hit.memory.draft.levels.full
            for hit in companion.search(SearchQuery(words, limit=1_000, profile=Profile.MEMORY))
        }
    finally:
        companion.close()


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="small disks as Linux makes them")
def test_on_a_full_disk_writes_are_refused_reading_goes_on_and_all_is_well_with_room_again(
    house: House, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    with small_disk(tmp_path / "disk") as disk:
        home = disk / "home"
        shutil.copytree(house.home, home)
        monkeypatch.setenv("COMPANION_HOME", str(home))
        living = replace(house, home=home)
        try:
            daemon = start_daemon(home)
            companion = connect(house.root)
            companion.remember(Note("walrus before the disk was full"))
            assert found(house.root, "walrus") == {"walrus before the disk was full"}
            fill(disk)
            acknowledged: dict[str, str] = {}
            with pytest.raises(StoreUnwritable, match=r"(?s)cannot be written.*Free some space"):
                for number in range(NOTES_MAX):
                    text = f"seal {number}" + " barks" * WORDS
                    acknowledged[companion.remember(Note(text)).id] = text
            assert acknowledged
            assert found(house.root, "walrus") == {"walrus before the disk was full"}
            (disk / "filling").unlink()
            companion.remember(Note("walrus after the disk was full"))
            both = {"walrus before the disk was full", "walrus after the disk was full"}
            until(lambda: found(house.root, "walrus") == both)
            assert all(companion.expand(id_).memory.draft.levels.full == text for id_, text in acknowledged.items())
            companion.close()
            assert living.daemon == daemon
        finally:
            living.clear()
