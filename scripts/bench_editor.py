"""How long the extension takes in a real VS Code; run by `scripts/eval editor`, prints JSON.

Two things, on a repository that was read: what its activation costs, by VS Code's own account (*Developer: Startup
Performance*), and how long it takes from opening the folder to the first item in *Now* (which is one of the last window
there) and to the first that is of this moment, with the daemon of the store running and with none. The clock is the
window's: it begins with the navigation to the folder, so VS Code's own start is part of it. That is told apart twice:
by VS Code's own mark, and by an extension that shows one row and does nothing else, opened in turn with ours.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import re
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "tests"))

from browsers import PATIENCE_MS, browsing, find_browser  # noqa: E402
from client.houses import House, short_folder  # noqa: E402
from editors.vscode_server import LEAST, VERSIONS, Editor, Served, Window, find_editor, serving  # noqa: E402
from editors.vscode_shop import WIDE, needed_extension  # noqa: E402
from waiting import until  # noqa: E402

ID = "companion-context.companion-context"
ROUNDS = 5
WATCH = """
let opened = false;
const look = () => {
    const icon = document.querySelector('.activitybar .action-item:not(.checked) a[aria-label^="Companion"]');
    if (icon && !opened) {
        opened = true;
        icon.click();
    }
    if (document.querySelector('.pane-body .monaco-list-row[aria-level="2"]')) {
        window.firstItem ??= performance.now();
        const heads = [...document.querySelectorAll('.pane-header .description')];
        if (heads.some((one) => / tokens/.test(one.textContent))) {
            window.freshItem = performance.now();
            return;
        }
    }
    requestAnimationFrame(look);
};
requestAnimationFrame(look);
"""
"""Opens our views as soon as there is a way to, and looks at every frame whether the tree shows an item, and whether
the head of the view says that it is of this moment."""
STANDS_MS = 8_000
"""A window that somebody works in stands longer than the two seconds after which the extension keeps what it shows."""
STARTED = "performance.getEntriesByName('code/didStartWorkbench')[0]?.startTime ?? null"
COSTS = re.compile(rf"^\|\s*{re.escape(ID)}\s*\|\s*\w+\s*\|\s*(\d+)\s*\|\s*(\d+)\s*\|\s*(\d+)\s*\|", re.MULTILINE)
"""Our row of the table: Extension, Eager, Load Code, Call Activate, Finish Activate."""


def main() -> None:
    """Measure and print."""
    asked = arguments()
    browser_program = needed(find_browser(), "a Chromium (scripts/install-editors)")
    with tempfile.TemporaryDirectory(prefix="bench-") as scratch, short_folder() as runtime:
        folder = Path(scratch)
        (folder / "home").mkdir()
        os.environ |= {
            "HOME": str(folder / "home"),
            "COMPANION_HOME": str(folder / "data"),
            "XDG_RUNTIME_DIR": str(runtime),
        }
        root = folder / asked.repo.resolve().name
        subprocess.run(["git", "clone", "--quiet", str(asked.repo.resolve()), str(root)], check=True)
        companion(root, "init")
        try:
            with browsing(browser_program) as browser:
                measured = [editor(browser, folder / name, root, name, asked.rounds) for name in asked.version]
        finally:
            House(folder / "data", root).clear()
    told = {
        "repository": root.name,
        "system": platform.platform(),
        "processors": os.cpu_count(),
        "vsix_bytes": needed_extension().stat().st_size,
        "editors": measured,
    }
    print(json.dumps(told, indent=2))


def arguments() -> argparse.Namespace:
    """What was asked for on the command line."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--repo", type=Path, default=ROOT, help="this one unless given")
    parser.add_argument("--version", action="append", choices=VERSIONS, help="both unless given")
    parser.add_argument("--rounds", type=int, default=ROUNDS, help="windows opened, for each of the two ways")
    asked = parser.parse_args()
    asked.version = asked.version or list(VERSIONS)
    return asked


def editor(browser: Any, folder: Path, root: Path, name: str, rounds: int) -> dict[str, object]:
    """What one version of VS Code took."""
    installed: Editor = needed(find_editor(name), f"the {name} VS Code (scripts/install-editors)")
    context = browser.new_context(viewport=WIDE)
    context.add_init_script(WATCH)
    settings = {"companion.interpreter": sys.executable}
    given = dict(os.environ)
    with (
        serving(installed, folder / "least", context, [LEAST], given) as bare,
        serving(installed, folder / "ours", context, [needed_extension()], given, settings) as served,
    ):
        prepare(bare, root, "firstItem")
        prepare(served, root, "freshItem")
        least, running, stopped = [], [], []
        for _ in range(rounds):
            least.append(least_window(bare, root))
            running.append(one_window(served, root))
        for _ in range(rounds):
            companion(root, "stop")
            stopped.append(one_window(served, root))
    context.close()
    return {
        "vscode": installed.version,
        "windows": 3 * rounds,
        "activation_ms": spread([one["activation_ms"] for one in running + stopped]),
        "one_row_and_nothing_else_ms": spread(least),
        "first_item_beyond_that_ms": round(middle(running, "first_item_ms") - statistics.median(least)),
        "daemon_running": ways(running),
        "no_daemon": ways(stopped),
    }


def prepare(served: Served, root: Path, awaited: str) -> None:
    """Open a window that is not counted: afterwards browser, system and extension keep what they keep for a user."""
    window = served.window(root)
    shown(window, awaited)
    window.page.wait_for_timeout(STANDS_MS)
    served.close_windows()


def least_window(served: Served, root: Path) -> float:
    """Open the folder once in a VS Code whose extension has nothing to do; milliseconds to its row."""
    took = shown(served.window(root), "firstItem")
    served.close_windows()
    return took


def one_window(served: Served, root: Path) -> dict[str, float]:
    """Open the folder once."""
    window = served.window(root)
    fresh_ms = shown(window, "freshItem")
    took = {"first_item_ms": shown(window, "firstItem"), "fresh_item_ms": fresh_ms}
    took["vscode_started_ms"] = window.page.evaluate(STARTED) or 0.0
    took["activation_ms"] = activation(window)
    served.close_windows()
    return took


def shown(window: Window, which: str) -> float:
    """Milliseconds from the navigation to the first frame with an item in the tree: `firstItem` or `freshItem`."""
    window.page.wait_for_function(f"window.{which}", timeout=PATIENCE_MS)
    return float(window.page.evaluate(f"window.{which}"))


def activation(window: Window) -> float:
    """Milliseconds that our code took to load, to be called and to finish, as VS Code counted them."""
    window.begin("perfview.show")
    found: list[re.Match[str]] = []

    def shown() -> bool:
        text = window.host("return vscode.workspace.textDocuments.map((one) => one.getText()).join('\\n')")
        found.extend(COSTS.finditer(text))
        return bool(found)

    until(shown)
    return float(sum(int(part) for part in found[0].groups()))


def ways(windows: Sequence[dict[str, float]]) -> dict[str, object]:
    """From opening the folder to the first item and the first fresh one, and how much came after VS Code's start."""
    names = ("first_item_ms", "fresh_item_ms", "vscode_started_ms")
    told: dict[str, object] = {name: spread([one[name] for one in windows]) for name in names}
    for name in ("first_item", "fresh_item"):
        after = [one[f"{name}_ms"] - one["vscode_started_ms"] for one in windows]
        told[f"{name}_after_vscode_started_ms"] = spread(after)
    return told


def middle(windows: Sequence[dict[str, float]], name: str) -> float:
    """The median of one figure."""
    return statistics.median(one[name] for one in windows)


def spread(values: Sequence[float]) -> dict[str, float]:
    """The middle and the ends of some values."""
    return {"median": round(statistics.median(values)), "least": round(min(values)), "most": round(max(values))}


def companion(root: Path, *words: str) -> None:
    """Run our command in a repository; what it says is not part of the answer."""
    program = Path(sys.executable).with_name("companion")
    subprocess.run([program, *words], cwd=root, check=True, capture_output=True)


def needed(found: Any, what: str) -> Any:
    """What was found, or the end with its name."""
    if found is None:
        sys.exit(f"{what} is not installed.")
    return found


if __name__ == "__main__":
    main()
