"""How much of the rows of *Now* a side bar of 300 pixels shows: the whole subject or file name, phrases of it, or a cut.

Widths are those of the letters at 13 pixels, the size of VS Code's lists, in the font that Pillow brings (Aileron, as wide
as what Windows and macOS have) and in DejaVu Sans, the widest that VS Code is drawn with. The room is what VS Code 1.139
leaves at 300 pixels.
"""

from __future__ import annotations

import random
import shutil
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from companion_lsp.drawing import DrawnRow, drawn

from companion import client
from companion.api import Order
from companion.ports import Progress
from companion.records import FileRole, Format, Signals
from companion.records.roles import role_of
from companion.surfaces import groups
from companion.syntax import is_code
from evals.speed.processes import companion as command
from evals.speed.processes import git_said, own_home

if TYPE_CHECKING:
    from PIL.ImageFont import FreeTypeFont

LETTERS_PX = 13
ROOM_PX, ROOM_WITH_ICON_PX = 217, 196
"""Behind the check box of a row, and behind its icon too."""
WIDEST = "DejaVuSans.ttf"
BUDGET_TOKENS = 8_000


def labels(repo: Path, folder: Path, files: int, seed: int, progress: Progress) -> dict[str, object]:
    """Shares of the rows that are seen at first, of `files` files of a copy of `repo`, in all and by group."""
    root = folder / repo.resolve().name
    shutil.copytree(repo, root, symlinks=True)
    source = [path for path in git_said(root, "ls-files").splitlines() if _is_source(path)]
    chosen = random.Random(seed).sample(source, min(files, len(source)))
    found: list[tuple[str, DrawnRow]] = []
    with own_home(folder / "home", EMBEDDINGS="off"):
        progress.step("reading the repository", 0, 1)
        command(root, "init")
        asked = client.connect(root)
        for number, path in enumerate(chosen):
            progress.step("files", number, len(chosen))
            signals = Signals(current_file=str(root / path))
            context = asked.assemble(BUDGET_TOKENS, signals, Format.MARKDOWN, Order.PEOPLE, count_use=False)
            for row in groups.of_context(context, path):
                found += ((row.id, one) for one in _seen(drawn(row, root, asked.now())))
    return {"repository": root.name, "files": len(chosen), **_told(found)}


def _is_source(path: str) -> bool:
    return is_code(path) and role_of(path, "") is not FileRole.TEST


def _seen(row: DrawnRow) -> Iterator[DrawnRow]:
    """What stands below a group as long as nobody folds anything out."""
    if row["fold"] == "expanded":
        for one in row["rows"]:
            if one["sort"] != "group":
                yield one


def _told(found: list[tuple[str, DrawnRow]]) -> dict[str, object]:
    from PIL import ImageFont

    told: dict[str, object] = {"rows": len(found)}
    for name, font in {"usual": ImageFont.load_default(LETTERS_PX), "widest": _widest()}.items():
        if not isinstance(font, ImageFont.FreeTypeFont):
            continue
        by = Counter((group, _how(row, font)) for group, row in found)
        for how in ("whole", "phrases", "cut"):
            told[f"{how}, {name} letters"] = sum(by[group, how] for group in groups.OF_CONTEXT) / max(len(found), 1)
        for group in groups.OF_CONTEXT:
            if of_group := sum(by[group, how] for how in ("whole", "phrases", "cut")):
                told[f"{group} whole, {name} letters"] = by[group, "whole"] / of_group
    return told


def _how(row: DrawnRow, font: FreeTypeFont) -> str:
    room_px = ROOM_WITH_ICON_PX if row["sort"] == "file" or row["icon"] else ROOM_PX
    if font.getlength(row["label"]) > room_px:
        return "cut"
    rest = row["spoken"].removeprefix(row["label"])  # what is read aloud begins with all of it
    return "whole" if rest[:1] in {"", ",", "."} else "phrases"


def _widest() -> object:
    from PIL import ImageFont

    try:
        return ImageFont.truetype(WIDEST, LETTERS_PX)
    except OSError:
        return None
