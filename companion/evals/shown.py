"""What measuring commands share: options, bars of progress, and how figures are printed."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Any

from companion.errors import UsageError
from companion.surfaces.cli.declared import Option
from companion.surfaces.cli.output import print_json, print_table, print_text, progress

Repo = Annotated[Path, Option("--repo", "-C", help="The repository.", show_default="this folder")]
SeveralRepos = Annotated[list[Path] | None, Option("--repo", help="A git repository; may be given several times.")]
Last = Annotated[int, Option("--last", help="How many of the newest fitting commits to replay.", min=1, max=5000)]
Seed = Annotated[int, Option("--seed", help="Of what is left to chance.")]
Budget = Annotated[int, Option("--budget", help="Tokens of the contexts that are shipped.", min=1)]
Vectors = Annotated[bool, Option("--vectors/--no-vectors", help="Make vectors, and search by meaning, too.")]

Measured = dict[str, Any]
"""What a measurement tells, as its JSON has it: figures, and groups of them."""
Steps = Callable[[int, int], None]
"""Told how many of how many are done."""
ROW_FIGURES_MOST = 6
"""Figures that stand side by side in a terminal of eighty columns; with more, each gets a line of its own."""


@contextmanager
def steps(what: str, *, quiet: bool) -> Iterator[Steps]:
    """One bar of progress."""
    with progress(quiet=quiet) as bars:
        yield lambda done, total: bars.step(what, done, total)


def show(told: Measured, *, as_json: bool) -> None:
    """Figures of ours and of each baseline, for the whole and for each group."""
    if as_json:
        print_json(told)
        return
    print_text(f"{told['eval']}: n = {told['n']}")
    blocks = _blocks(told)
    names = sorted({name for figures in blocks.values() for name in figures})
    if len(names) <= ROW_FIGURES_MOST:
        rows = [(block, *(cell(figures.get(name)) for name in names)) for block, figures in blocks.items()]
        print_table("", ("", *(f"{name} " for name in names)), rows)
    else:
        rows = [(name, *(cell(figures.get(name)) for figures in blocks.values())) for name in names]
        print_table("", ("", *(f"{block} " for block in blocks)), rows)
    latency = told.get("latency_ms") or {}
    if latency:
        print_text("latency in ms: " + ", ".join(f"{name} {cell(value)}" for name, value in latency.items()))


def cell(value: object) -> str:
    """A figure as tables show it; nothing where there is none."""
    if value is None:
        return ""
    return f"{value:.3f}" if isinstance(value, float) else str(value)


def existing(path: Path) -> Path:
    """The path of a file. Raises UsageError where there is none."""
    if not path.is_file():
        raise UsageError(f"There is no file {path}.", "Give the path of an existing file.")
    return path


def _blocks(told: Measured) -> dict[str, Measured]:
    """Ours and each baseline, for the whole and for each group, as rows of figures."""
    blocks: dict[str, Measured] = {"ours": _figures(told.get("ours"))}
    blocks |= {name: _figures(figures) for name, figures in (told.get("baselines") or {}).items()}
    for group, inner in (told.get("by") or {}).items():
        if isinstance(inner, Mapping) and "ours" in inner:
            blocks[f"{group}: ours"] = _figures(inner["ours"])
            blocks |= {f"{group}: {name}": _figures(f) for name, f in (inner.get("baselines") or {}).items()}
        else:
            blocks[str(group)] = _figures(inner)
    return {name: figures for name, figures in blocks.items() if figures}


def _figures(given: object) -> Measured:
    return {k: v for k, v in given.items() if isinstance(v, (int, float))} if isinstance(given, Mapping) else {}
