"""What is printed: records as JSON, tables for people, errors with the next command, progress bars."""

from __future__ import annotations

import json
import math
import os
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import datetime
from enum import Enum
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import Struct

from companion.errors import CompanionError
from companion.surfaces.wording import printable

if TYPE_CHECKING:
    from rich.console import Console, RenderableType
    from rich.progress import TaskID

    from companion.ports import Progress

PIPED_COLUMNS = 240
"""A file or a pipe has no edge, and whoever reads it wants a row on one line; the widest table has some 200."""

NARROWEST_COLUMNS = 20
"""Columns that a paragraph gets in any case."""
TABLE_GAP_COLUMNS = 2
"""Between two columns of a table."""
HANGING_COLUMNS = 4
"""How far a line that goes on is set in."""


class TextTable(Struct, frozen=True):
    """Rows under their columns; those whose name ends in a blank are numbers and stand to the right."""

    title: str
    columns: tuple[str, ...]
    rows: Sequence[tuple[object, ...]]


class Aside(Struct, frozen=True):
    """Something worth knowing beside the answer, for standard error."""

    text: str


class MarkdownPage(Struct, frozen=True):
    """A page of Markdown."""

    text: str


class Verbatim(Struct, frozen=True):
    """Text of which no line is broken, as it may be copied: a script, a document."""

    text: str


Part = str | TextTable | Aside | MarkdownPage | Verbatim
Shown = Part | Sequence[Part]
"""What people are told, its parts in their order."""


def plain(value: object) -> object:
    """A record as JSON can hold it: records by field, times in ISO 8601 with Z, enums by value.

    What JSON has no sign for, as a number without a value or half a character, becomes null or a mark.
    """
    if isinstance(value, Struct):
        return {name: plain(getattr(value, name)) for name in value.__struct_fields__}
    if isinstance(value, Enum):
        return value.value
    if isinstance(value, datetime):
        return value.isoformat(timespec="seconds") + "Z"
    if isinstance(value, Path):
        return str(value)
    if isinstance(value, Mapping):
        return {str(plain(key)): plain(item) for key, item in value.items()}
    if isinstance(value, (list, tuple, set, frozenset)):
        return [plain(item) for item in value]
    if isinstance(value, float) and not math.isfinite(value):
        return None
    return value.encode("utf-8", "replace").decode("utf-8") if isinstance(value, str) else value


def as_document(value: object) -> str:
    """A record as one JSON document."""
    return json.dumps(plain(value), indent=2, ensure_ascii=True, allow_nan=False)


def print_json(value: object) -> None:
    """One JSON document on standard output."""
    print(as_document(value))


def print_answer(value: object, shown: Shown, as_json: bool) -> None:
    """What a command did or found: a JSON document for programs, else what tells people."""
    if as_json:
        print_json(value)
    else:
        show(shown)


def show(shown: Shown) -> None:
    """Print what tells people, each part in its own way."""
    for part in [shown] if isinstance(shown, Part) else shown:
        match part:
            case TextTable(title, columns, rows):
                print_table(title, columns, rows)
            case Aside(text):
                print_note(text)
            case MarkdownPage(text):
                print_markdown(text)
            case Verbatim(text):
                print_text(text)
            case _:
                print_text(_between_words(part))


def print_text(text: str) -> None:
    """Text in which nothing steers the terminal; what that cannot show is replaced rather than fatal."""
    text = printable(text.replace("\r\n", "\n"))
    encoding = sys.stdout.encoding or "utf-8"
    sys.stdout.write(text.encode(encoding, "replace").decode(encoding))
    if not text.endswith("\n"):
        sys.stdout.write("\n")
    sys.stdout.flush()


def print_markdown(text: str) -> None:
    """A page of Markdown: set for people who look at a terminal, as it is for everything else."""
    if not sys.stdout.isatty():
        print_text(text)
        return
    from rich.markdown import Markdown

    to_people().print(Markdown(printable(text), hyperlinks=False))


def print_error(wrong: CompanionError, *, as_json: bool) -> None:
    """What happened and the next command, on standard error (or as JSON on standard output)."""
    if as_json:
        kind = type(wrong).__name__
        print_json({"error": {"kind": kind, "what": wrong.what, "next_step": wrong.next_step}})
        return
    if not wrong.exit_code:
        print_note(str(wrong))
        return
    console = to_people(stderr=True)
    console.print(f"[bold red]Error:[/] {_literal(printable(wrong.what))}", soft_wrap=True)
    if wrong.next_step:
        console.print(f"[bold]Next:[/]  {_literal(printable(wrong.next_step))}", soft_wrap=True)


def print_note(text: str) -> None:
    """Something worth knowing beside the answer, on standard error."""
    to_people(stderr=True).print(f"[bold]Note:[/] {_literal(printable(text))}", soft_wrap=True)


def print_stopped(*, as_json: bool) -> None:
    """That the user stopped the program, and what became of its work."""
    what, next_step = "Stopped.", "What was done is kept; run the command again to go on."
    if as_json:
        print_json({"error": {"kind": "Interrupted", "what": what, "next_step": next_step}})
    else:
        print(f"{what} {next_step}", file=sys.stderr)


def silence_output() -> None:
    """Let go of what standard output did not take, so that leaving does not try once more."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, sys.stdout.fileno())
    os.close(nowhere)


def _between_words(text: str) -> str:
    """Text broken between words at a terminal's edge, what goes on set in a little; for a pipe as it is."""
    if not sys.stdout.isatty():
        return text
    import shutil
    import textwrap

    edge = max(shutil.get_terminal_size().columns, NARROWEST_COLUMNS)
    lines = []
    for line in text.splitlines():
        further = " " * min(len(line) - len(line.lstrip()) + HANGING_COLUMNS, edge // 2)
        wraps = textwrap.TextWrapper(
            edge, subsequent_indent=further, expand_tabs=False, replace_whitespace=False, break_long_words=False
        )
        wraps.break_on_hyphens = False
        lines += wraps.wrap(line) if len(line) > edge else [line]
    return "\n".join(lines)


def to_people(*, stderr: bool = False) -> Console:
    """A console for tables and messages: as wide as the terminal, or where there is none, as wide as a row may get."""
    from rich.console import Console

    looked_at = (sys.stderr if stderr else sys.stdout).isatty() or "COLUMNS" in os.environ
    return Console(stderr=stderr, highlight=False, width=None if looked_at else PIPED_COLUMNS)


def _literal(text: str) -> str:
    from rich.markup import escape

    return escape(text)


def print_table(title: str, columns: tuple[str, ...], rows: Sequence[tuple[object, ...]]) -> None:
    """A table; columns whose name ends in a blank are numbers and stand to the right.

    Where not even each column's longest word has room beside the others, the numbers stand below the rest, each with
    its name; where there are none, the last column does.
    """
    from rich.table import Table

    people, cells = to_people(), [[printable(str(cell)) for cell in row] for row in rows]
    widths = _widths([[name.strip() for name in columns], *cells], people.width)
    if widths is None:
        print_text(_between_words("\n".join([*([title] if title else []), *_below_one_another(columns, cells)])))
        return
    table = Table(title=title or None, title_justify="left", box=None, pad_edge=False)
    for name, width in zip(columns, widths, strict=True):
        table.add_column(name.strip(), justify="right" if name.endswith(" ") else "left", width=width)
    for row in cells:
        table.add_row(*map(_literal, row))
    people.print(table)


def _below_one_another(columns: Sequence[str], rows: Sequence[Sequence[str]]) -> Iterator[str]:
    """The names of columns and, in two lines, each row: for where a table has no room."""
    numbers = [name for name in columns if name.endswith(" ")]
    low = [at for at, name in enumerate(columns) if name in numbers] or [len(columns) - 1]
    if any(head := [name for name in columns if name not in numbers]):
        yield "  ".join(head)
    for row in rows:
        above = "  ".join(cell for at, cell in enumerate(row) if cell and at not in low)
        below = "  ".join(f"{columns[at] if numbers else ''}{row[at]}" for at in low)
        yield f"{above}\n{' ' * HANGING_COLUMNS}{below}".rstrip()


def _widths(rows: Sequence[Sequence[str]], edge: int) -> list[int] | None:
    """Columns for each column of a table: all it needs, else its longest word and a share of what is left.

    None where that is more than there is.
    """
    from rich.cells import cell_len

    whole = [max(cell_len(line) for cell in column for line in cell.split("\n")) for column in zip(*rows, strict=True)]
    least = [
        max(cell_len(word) for cell in column for word in cell.split() or [""]) for column in zip(*rows, strict=True)
    ]
    left = edge - TABLE_GAP_COLUMNS * (len(whole) - 1) - sum(least)
    wanted = [most - word for most, word in zip(whole, least, strict=True)]
    if left < 0:
        return None
    share = min(1.0, left / (sum(wanted) or 1))
    return [word + int(more * share) for word, more in zip(least, wanted, strict=True)]


class _Bars:
    """A progress bar a stage, on standard error, and below them what was found so far; nothing stays of it."""

    def __init__(self) -> None:
        from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

        from companion.client.so_far import ReadingSoFar

        so_far = ReadingSoFar(time.monotonic)

        class WithFound(Progress):
            def get_renderables(self) -> Iterator[RenderableType]:
                yield from super().get_renderables()
                if said := "; ".join(filter(None, (so_far.found, so_far.left))):
                    yield f"Found so far: {said}"

        self._bars = WithFound(
            TextColumn("{task.description:<26}"),
            BarColumn(),
            MofNCompleteColumn(),
            TimeElapsedColumn(),
            console=to_people(stderr=True),
            transient=True,
        )
        self._so_far = so_far
        self._tasks: dict[str, TaskID] = {}

    def __enter__(self) -> _Bars:
        self._bars.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._bars.stop()

    def step(self, stage: str, done: int, total: int | None) -> None:
        """Move a stage's bar; a new stage gets a new bar. What was found has none."""
        from companion.ports import FOUND

        self._so_far.step(stage, done, total)
        if stage.startswith(FOUND):
            return
        if stage not in self._tasks:
            self._tasks[stage] = self._bars.add_task(stage, total=total)
        self._bars.update(self._tasks[stage], completed=done, total=total)


@contextmanager
def progress(*, quiet: bool) -> Iterator[Progress]:
    """Progress bars on standard error, or silence for `--json` and where nobody is looking."""
    if quiet or not sys.stderr.isatty():
        from companion.ports import NoProgress

        yield NoProgress()
        return
    with _Bars() as bars:
        yield bars
