"""Pictures of what people see, taken from a real repository; run by `scripts/pictures`.

The repository is cloned and read into a data folder of its own; nothing is said or settled by hand, so that what is
seen is what anybody sees after `companion init`.
"""

from __future__ import annotations

import argparse
import io
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from PIL import Image

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "tests"))

from browsers import browsing, find_browser  # noqa: E402
from client.houses import House, short_folder  # noqa: E402
from editors.vscode_server import Window, find_editor, serving  # noqa: E402
from editors.vscode_shop import needed_extension  # noqa: E402

OUT = Path(os.environ.get("COMPANION_PICTURES") or ROOT / "lsp" / "vscode" / "media" / "pictures")
EDITOR_SIZE = {"width": 1100, "height": 660}
PAGE_SIZE = {"width": 1180, "height": 760}
DENSITY = 2
"""Pixels of a picture for one of the page: README pages are read on screens that have two."""
COLOURS = 88
"""Of a picture's palette, those that most of it is made of: letters stay smooth, and it has a fifth of the bytes."""
SIZE_MOST_BYTES = 150_000
"""A README with six of them still opens at once."""
FONTS = """<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
  <include ignore_missing="yes">/etc/fonts/fonts.conf</include>
  <match target="pattern"><test name="family"><string>system-ui</string></test>
    <edit name="family" mode="prepend" binding="strong"><string>Inter</string></edit></match>
  <match target="pattern"><test name="family"><string>sans-serif</string></test>
    <edit name="family" mode="prepend" binding="strong"><string>Inter</string></edit></match>
  <match target="pattern"><test name="family"><string>monospace</string></test>
    <edit name="family" mode="prepend" binding="strong"><string>JetBrains Mono</string></edit></match>
</fontconfig>
"""
THEMES = {"light": "Default Light Modern", "dark": "Default Dark Modern"}


def main() -> None:
    """Take all of them."""
    asked = arguments()
    with tempfile.TemporaryDirectory(prefix="pictures-") as scratch, short_folder() as runtime:
        folder = Path(scratch)
        (folder / "fonts.conf").write_text(FONTS)
        os.environ |= {
            "FONTCONFIG_FILE": str(folder / "fonts.conf"),
            "HOME": str(folder / "home"),
            "COMPANION_HOME": str(folder / "data"),
            "XDG_RUNTIME_DIR": str(runtime),
        }
        (folder / "home").mkdir()
        root = folder / asked.repo.resolve().name
        subprocess.run(["git", "clone", "--quiet", str(asked.repo.resolve()), str(root)], check=True)
        try:
            with browsing(needed(find_browser(), "a Chromium")) as browser:
                steps(browser, folder, root, asked)
                editor(browser, folder, root, asked)
                page(browser, root, asked)
        finally:
            House(folder / "data", root).clear()


def arguments() -> argparse.Namespace:
    """What was asked for on the command line."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("repo", type=Path)
    parser.add_argument("--file", default="src/flask/sessions.py")
    parser.add_argument("--line", type=int, default=324)
    parser.add_argument("--word", default="open_session", help="what the pointer rests on, in that line")
    parser.add_argument("--task", default="partitioned cookies")
    parser.add_argument("--words", default="session cookie", help="what is searched for on the page")
    return parser.parse_args()


def steps(browser: Any, folder: Path, root: Path, asked: argparse.Namespace) -> None:
    """The way from a folder that nobody has read to why a line is as it is, a picture a step."""
    with watching(browser, folder / "steps", "light", root / asked.file, root) as window:
        button = window.see(".welcome-view-content .monaco-button", "Read This Repository")
        take(window.page, "step-1-unread")
        button.click()
        window.row("Critical")
        take(window.page, "step-2-read")
        window.open(root / asked.file, asked.line)
        _hover(window, asked)
        take(window.page, "step-3-why")


def editor(browser: Any, folder: Path, root: Path, asked: argparse.Namespace) -> None:
    """VS Code with the trees and a hover, in light and in dark."""
    for look in THEMES:
        with watching(browser, folder / look, look, root / asked.file, root) as window:
            window.row("Critical")
            window.open(root / asked.file, asked.line)
            _hover(window, asked)
            take(window.page, f"vscode-{look}")


@contextmanager
def watching(browser: Any, place: Path, look: str, file: Path, root: Path) -> Iterator[Window]:
    """A window of VS Code with a file and Companion's views open."""
    installed = needed(find_editor("newest"), "VS Code (scripts/install-editors)")
    settings = {
        "companion.interpreter": sys.executable,
        "workbench.colorTheme": THEMES[look],
        "editor.fontFamily": "'JetBrains Mono', monospace",
        "editor.stickyScroll.enabled": False,
    }
    context = browser.new_context(viewport=EDITOR_SIZE, device_scale_factor=DENSITY, color_scheme=look)
    with serving(installed, place, context, [needed_extension()], dict(os.environ), settings) as served:
        window = served.window(root, [file])
        window.page.set_default_timeout(60_000)
        window.container("Companion")
        yield window
    context.close()


def _hover(window: Window, asked: argparse.Namespace) -> None:
    """Rest on a word until it is said why its line is as it is."""
    line = window.page.locator(".view-line", has_text=f"def {asked.word}").first
    line.locator("span").filter(has_text=asked.word).last.hover()
    window.see(".monaco-hover .hover-contents", "Companion")


def page(browser: Any, root: Path, asked: argparse.Namespace) -> None:
    """Rooms of the page, let in by the link that the command gives."""
    for look in THEMES:
        context = browser.new_context(
            viewport=PAGE_SIZE, device_scale_factor=DENSITY, color_scheme=look, reduced_motion="reduce"
        )
        shown = context.new_page()
        shown.goto(companion(root, "page", "--no-open").split()[-1])
        shown.wait_for_selector("#rooms")
        here = shown.url.rpartition("/")[0]
        shown.goto(f"{here}/context?file={asked.file}&task={asked.task}")
        take(shown, f"page-context-{look}")
        shown.goto(f"{here}/memories?q={asked.words}")
        shown.locator("a.row").first.click()
        shown.wait_for_selector("[data-memory]")
        take(shown, f"page-memories-{look}")
        shown.goto(f"{here}/timeline")
        take(shown, f"page-timeline-{look}")
        context.close()


def take(shown: Any, name: str) -> None:
    """Photograph a page into a small file."""
    shown.wait_for_timeout(600)  # what fades in is pale at first
    image = Image.open(io.BytesIO(shown.screenshot())).convert("RGB")
    often = sorted(image.getcolors(image.width * image.height), reverse=True)[:COLOURS]
    palette = Image.new("P", (1, 1))
    palette.putpalette([part for _, colour in often for part in colour])
    small = image.quantize(palette=palette, dither=Image.Dither.NONE)
    OUT.mkdir(parents=True, exist_ok=True)
    target = OUT / f"{name}.png"
    small.save(target, optimize=True)
    size = target.stat().st_size
    print(f"{target}: {size:,} bytes" + (" - too large" if size > SIZE_MOST_BYTES else ""))


def companion(root: Path, *words: str) -> str:
    """What our command prints in a repository."""
    program = Path(sys.executable).with_name("companion")
    return subprocess.run([program, *words], cwd=root, check=True, capture_output=True, text=True).stdout


def needed(found: Any, what: str) -> Any:
    """What was found, or the end with its name."""
    if found is None:
        sys.exit(f"{what} is not installed.")
    return found


if __name__ == "__main__":
    main()
