"""A real browser without a window, driven from a test; what is not installed is skipped by name."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from playwright.sync_api import Browser

INSTALLED = Path(os.environ.get("COMPANION_EDITORS") or Path(__file__).parent.parent / "build" / "editors")
"""Where `scripts/install-editors` puts what tests drive."""
NAMES = ("chromium", "chromium-browser", "google-chrome")
PATIENCE_MS = 60_000
"""For anything to appear on two busy processors; playwright's own five seconds are too short for them."""
QUIET = (
    "--no-sandbox",  # root has none in a container
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--force-color-profile=srgb",  # pictures are the same on every machine
)


def find_browser() -> str | None:
    """The program of a Chromium, if there is one."""
    named = os.environ.get("COMPANION_BROWSER")
    fetched = INSTALLED / "chromium" / "chromium"
    return named or next(filter(None, map(shutil.which, NAMES)), None) or (str(fetched) if fetched.exists() else None)


def needed_browser() -> str:
    """The program of a Chromium; the test is skipped where there is none, or nothing to drive it with."""
    pytest.importorskip("playwright", reason="playwright is not installed")
    found = find_browser()
    if found is None:
        pytest.skip("no Chromium is installed (COMPANION_BROWSER names one)")
    return found


@contextmanager
def browsing(program: str) -> Iterator[Browser]:
    """A browser for as long as the block lasts. Only one at a time: playwright allows no second loop in a thread."""
    from playwright.sync_api import expect, sync_playwright

    expect.set_options(timeout=PATIENCE_MS)
    with sync_playwright() as driver, tempfile.TemporaryDirectory(prefix="browser-") as home:
        browser = driver.chromium.launch(
            executable_path=program, args=list(QUIET), env={**os.environ, "HOME": home, "XDG_CONFIG_HOME": home}
        )
        try:
            yield browser
        finally:
            browser.close()
