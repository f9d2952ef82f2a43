"""What the measurements of developers share: options, a folder of their own, and what came of a storm of kills."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated

from msgspec import Struct

from companion.ports import Progress
from companion.surfaces.cli.declared import Option, Positional
from companion.surfaces.cli.output import print_json, print_table, print_text, progress

Repos = Annotated[Path, Option("--repos", help="The folder that holds the repositories.")]
Pairs = Annotated[Path, Positional(help="Labelled pairs of statements, one JSON object a line.")]
Memories = Annotated[int, Option("--memories", help="Size of the generated store.", min=100)]
Kills = Annotated[int, Option("--kills", help="How often one is killed.", min=1, max=100_000)]


@contextmanager
def own_folder(name: str, *, quiet: bool) -> Iterator[tuple[Path, Progress]]:
    """An empty folder that goes away in the end, and bars of progress."""
    with progress(quiet=quiet) as bars, tempfile.TemporaryDirectory(prefix=f"companion-{name}-") as folder:
        yield Path(folder), bars


def show_storm(
    told: Struct | Mapping[str, Struct],
    says: str,
    broken: Mapping[str, Sequence[object]],
    *,
    holds: bool,
    as_json: bool,
) -> None:
    """What came of killing processes at random moments; exit code 1 where a promise was broken."""
    if as_json:
        print_json(told)
    else:
        print_text(says)
        print_table("Broken promises", ("what", "how many"), [(name, len(found)) for name, found in broken.items()])
    if not holds:
        raise SystemExit(1)
