"""A window of a real VS Code on a repository that somebody has lived with, with the extension as it is packed."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import lived
import pytest
from client.houses import House, short_folder

from companion.__about__ import __version__
from editors.vscode_server import Editor, Served, serving

if TYPE_CHECKING:
    from playwright.sync_api import Browser

ROOT = Path(__file__).parent.parent.parent
PICTURES = ROOT / "build" / "pictures"
"""What tests saw at their end, a folder a version of VS Code."""
WIDE = {"width": 1280, "height": 800}


def needed_extension() -> Path:
    """The extension as it is packed; the test is skipped where nobody packed it."""
    named = os.environ.get("COMPANION_VSIX")
    packed = Path(named) if named else ROOT / "dist" / f"companion-{__version__}.vsix"
    if not packed.exists():
        pytest.skip("the extension is not packed (scripts/build-extension)")
    return packed


@dataclass(frozen=True)
class Home:
    """A user: their repository, their data folder, and what their programs see of the environment."""

    root: Path
    data: Path
    environment: Mapping[str, str]

    def copy(self, folder: Path) -> Path:
        """The repository once more, as somebody has it who never let it be read."""
        shutil.copytree(self.root, folder, symlinks=True)
        return folder


@contextmanager
def a_home(folder: Path) -> Iterator[Home]:
    """A user in the empty `folder`, with a repository that was read; the daemon is ended with the block."""
    root, data = folder / "shop", folder / "data"
    lived.write(root)
    lived.read(root, data)
    with short_folder() as runtime:
        environment = {
            "HOME": str(folder / "home"),
            "PATH": os.environ.get("PATH", os.defpath),
            "COMPANION_HOME": str(data),
            "COMPANION_EMBEDDINGS": "off",
            "XDG_RUNTIME_DIR": str(runtime),
            "LANG": "C.UTF-8",
        }
        (folder / "home").mkdir()
        try:
            yield Home(root, data, environment)
        finally:
            House(data, root).clear()


@contextmanager
def editing(editor: Editor, browser: Browser, folder: Path, home: Home, *, trusted: bool = True) -> Iterator[Served]:
    """VS Code with the packed extension, for a user whose Python has Companion."""
    packed: Sequence[Path] = [needed_extension()]
    with ExitStack() as stack:
        context = browser.new_context(viewport=WIDE, permissions=["clipboard-read", "clipboard-write"])
        stack.callback(context.close)
        settings = {"companion.interpreter": sys.executable}
        yield stack.enter_context(serving(editor, folder, context, packed, home.environment, settings, trusted=trusted))
