"""Somebody who notes and shares while their laptop's daemon is killed; each text that was acknowledged is printed."""

from __future__ import annotations

import random
import sys
import time
from contextlib import closing
from pathlib import Path

from companion.api import Note
from companion.client import connect
from companion.errors import AlreadyKept, CompanionError

PAUSE_S = 0.2
"""The longest between two notes."""


def main(root: Path, end: Path, seed: int) -> None:
    """Note and share in a repository until there is a file `end`."""
    draw, number = random.Random(seed), 0
    while not end.exists():
        try:
            with closing(connect(root, start=True)) as companion:
                while not end.exists():
                    number += 1
                    words = " ".join(f"w{draw.randrange(20_000)}" for _ in range(12))
                    text = f"{root.parent.name} {number} {words}"
                    try:
                        id_ = companion.remember(Note(text)).id
                        companion.team_share([id_])
                    except AlreadyKept:
                        continue  # the note, or that it is shared: which of them was acknowledged nobody knows
                    print(text, flush=True)
                    time.sleep(draw.random() * PAUSE_S)
        except CompanionError:
            time.sleep(PAUSE_S)


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]), int(sys.argv[3]))
