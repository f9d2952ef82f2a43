"""Pictures of what people see, taken from a real repository; run by `scripts/pictures`.

The repository is cloned and read into a data folder of its own; nothing is said or settled by hand, so that what is
seen is what anybody sees after `companion init`. The README's pictures go to lsp/vscode/media/pictures; every step of
somebody who has only VS Code and Python goes to build/pictures/steps.
"""

from __future__ import annotations

import argparse
import io
import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from PIL import Image

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "tests"))

from browsers import browsing, find_browser  # noqa: E402
from client.houses import House, short_folder  # noqa: E402
from companion_lsp.texts import STILL_ASKING  # noqa: E402
from editors.vscode_server import HOVER_MS, OFFERED, PRESS_MS, Window, find_editor, serving  # noqa: E402
from editors.vscode_shop import needed_extension  # noqa: E402
from waiting import until  # noqa: E402

OUT = Path(os.environ.get("COMPANION_PICTURES") or ROOT / "lsp" / "vscode" / "media" / "pictures")
STEPS = ROOT / "build" / "pictures" / "steps"
"""Each step of the way, in its order; the README shows some of them."""
EDITOR_SIZE = {"width": 1100, "height": 660}
PAGE_SIZE = {"width": 1180, "height": 760}
DENSITY = 2
"""Pixels of a picture for one of the page: README pages are read on screens that have two."""
HOVER_AGAIN_MS = 500
COLOURS = 88
"""Of a picture's palette: letters stay smooth, what is small keeps its colour, and it has a fifth of the bytes."""
SIZE_MOST_BYTES = 160_000
"""A README with six of them still opens at once."""
INSTALLED_MS = 10 * 60_000
"""To fetch and unpack all that Companion needs, over a slow network."""
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
        (folder / "home" / ".bashrc").write_text("PS1='\\W $ '\n")  # whose computer it is, is of no interest
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
    asked = parser.parse_args()
    if not (asked.repo / asked.file).is_file():
        parser.error(f"{asked.repo} has no {asked.file}: name a file with --file, and what else is asked of it")
    return asked


def steps(browser: Any, folder: Path, root: Path, asked: argparse.Namespace) -> None:
    """The way of somebody who has only VS Code and Python to why a line is as it is, a picture a step."""
    fresh = without_companion(folder)
    with watching(browser, folder / "steps", "light", root / asked.file, root, fresh) as window:
        window.see(".notification-toast", "Python")
        take(window.page, "1-message", STEPS)
        _install(window, folder)
        button = window.page.locator(".welcome-view-content .monaco-button", has_text="Index Repository")
        button.wait_for(timeout=INSTALLED_MS)  # the extension sees by itself that the command has ended
        take(window.page, "5-installed", STEPS)
        window.run("workbench.action.terminal.killAll")
        window.run("workbench.action.closePanel")
        take(window.page, "6-unread", STEPS, "step-2-unread")
        button.click()
        window.page.mouse.move(0, 0)
        window.see(".statusbar-item", "%")
        take(window.page, "7-reading", STEPS)
        window.row("Places")
        window.row("Rules that hold here")
        take(window.page, "8-now-and-memory", STEPS, "step-3-read")
        window.open(root / asked.file, asked.line)
        _hover(window, asked)
        take(window.page, "9-hover", STEPS, "step-4-why")
        window.page.keyboard.press("Escape")
        window.palette("Companion: Explain This Line")
        window.see(".tab.active", f"Why line {asked.line}")
        rendered = window.page.frame_locator("iframe.webview.ready").frame_locator("#active-frame")
        rendered.get_by_text(f"{asked.file}:{asked.line}").first.wait_for()
        take(window.page, "10-explained", STEPS, "step-5-explained")


def without_companion(folder: Path) -> dict[str, str]:
    """The environment of somebody whose Python has no Companion."""
    programs = folder / "programs"
    programs.mkdir()
    (programs / "python3").symlink_to(Path(sys.base_prefix) / "bin" / "python3")
    (folder / "companion").symlink_to(ROOT)
    others = [one for one in os.get_exec_path() if not (Path(one) / "companion").exists()]
    rest = {name: value for name, value in os.environ.items() if name != "VIRTUAL_ENV"}
    # Only of the public index: what else this machine has of packages is nobody else's.
    rest = {name: value for name, value in rest.items() if name not in {"PIP_FIND_LINKS", "PIP_EXTRA_INDEX_URL"}}
    return rest | {
        "PATH": os.pathsep.join([str(programs), *others]),
        "SHELL": "/bin/bash",
        "PIP_CONFIG_FILE": os.devnull,
    }


def _install(window: Window, folder: Path) -> None:
    """Take the way out that the message offers: a command that a person reads, runs, and waits for."""
    window.see(".notification-toast .monaco-button", "Install").click()
    window.picks("folder")
    take(window.page, "2-install-from", STEPS)
    window.see(OFFERED, "folder of its repository").click()
    until(lambda: _chosen(window, folder / "companion"))
    window.see(".xterm-rows", "upgrade")
    take(window.page, "3-command", STEPS)
    window.page.locator(".terminal.xterm").click()
    window.page.keyboard.press("Enter")
    window.see(".xterm-rows", "Collecting")
    take(window.page, "4-installing", STEPS, "step-1-install")


def _chosen(window: Window, folder: Path) -> bool:
    """Choose a folder in VS Code's own dialog, which at first writes where it stands over what was typed."""
    from playwright.sync_api import TimeoutError as Late

    field = window.page.locator(".quick-input-widget .quick-input-box input")
    with suppress(Late):
        field.fill(f"{folder}/", timeout=PRESS_MS)
        window.page.locator(OFFERED, has_text="consolidation").wait_for(timeout=HOVER_MS)
        window.page.locator(".quick-input-widget .monaco-button", has_text="Install").click(timeout=PRESS_MS)
        field.wait_for(state="hidden", timeout=PRESS_MS)
    return not field.is_visible()


def editor(browser: Any, folder: Path, root: Path, asked: argparse.Namespace) -> None:
    """VS Code with the trees and a hover, in light and in dark."""
    for look in THEMES:
        with watching(browser, folder / look, look, root / asked.file, root) as window:
            window.row("Places")
            window.open(root / asked.file, asked.line)
            _hover(window, asked)
            take(window.page, f"vscode-{look}")


@contextmanager
def watching(
    browser: Any, place: Path, look: str, file: Path, root: Path, environment: Mapping[str, str] | None = None
) -> Iterator[Window]:
    """A window of VS Code with a file and Companion's views open; by our own Python, or one of an `environment`."""
    installed = needed(find_editor("newest"), "VS Code (scripts/install-editors)")
    settings = {
        **({} if environment else {"companion.interpreter": sys.executable}),
        "workbench.colorTheme": THEMES[look],
        "editor.fontFamily": "'JetBrains Mono', monospace",
        "editor.stickyScroll.enabled": False,
        "terminal.integrated.fontSize": 12,
    }
    context = browser.new_context(viewport=EDITOR_SIZE, device_scale_factor=DENSITY, color_scheme=look)
    with serving(installed, place, context, [needed_extension()], environment or os.environ, settings) as served:
        window = served.window(root, [file])
        window.page.set_default_timeout(60_000)
        window.container("Companion")
        yield window
    context.close()


def _hover(window: Window, asked: argparse.Namespace) -> None:
    """Rest on a word until it is said why its line is as it is."""
    line = window.page.locator(".view-line", has_text=f"{asked.word}(").first
    word = line.locator("span").filter(has_text=re.compile(f"^{re.escape(asked.word)}$")).last
    window.hover(word, "Companion")
    while window.page.locator(".monaco-hover .hover-contents", has_text=STILL_ASKING).count():
        window.page.mouse.move(0, 0)
        window.page.wait_for_timeout(HOVER_AGAIN_MS)
        window.hover(word, "Companion")


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
        shown.wait_for_selector(".map .dot-of")
        take(shown, f"page-overview-{look}")
        shown.goto(f"{here}/context?file={asked.file}&task={asked.task}")
        take(shown, f"page-context-{look}")
        shown.goto(f"{here}/memories?q={asked.words}")
        shown.locator('a.row[href*="memories?id="]').first.click()
        shown.wait_for_selector("[data-memory]")
        take(shown, f"page-memories-{look}")
        shown.goto(f"{here}/timeline")
        take(shown, f"page-timeline-{look}")
        context.close()


def take(shown: Any, name: str, place: Path = OUT, readme: str = "") -> None:
    """Photograph a page into a small file; with a name for the `readme`, into its pictures too."""
    shown.wait_for_timeout(600)  # what fades in is pale at first
    image = Image.open(io.BytesIO(shown.screenshot())).convert("RGB")
    small = image.quantize(palette=_palette(image), dither=Image.Dither.NONE)
    for target in (place / f"{name}.png", *([OUT / f"{readme}.png"] if readme else [])):
        target.parent.mkdir(parents=True, exist_ok=True)
        small.save(target, optimize=True)
        size = target.stat().st_size
        print(f"{target}: {size:,} bytes" + (" - too large" if size > SIZE_MOST_BYTES else ""), flush=True)


def _palette(image: Image.Image) -> Image.Image:
    """Half are the colours that most of the picture is made of, half those that its rare ones are nearest to."""
    often = sorted(image.getcolors(image.width * image.height) or (), reverse=True)[: COLOURS // 2]
    rest = image.quantize(COLOURS - len(often), method=Image.Quantize.MAXCOVERAGE).getpalette() or []
    palette = Image.new("P", (1, 1))
    palette.putpalette([part for _, colour in often for part in colour] + rest[: 3 * (COLOURS - len(often))])
    return palette


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
