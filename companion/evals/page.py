"""How fast the local page answers on a generated store of a given size, and how soon a browser shows it.

The page is served as an owner serves it, over loopback, from a store made from a seed (see `latency`). Every room is
asked for again and again; a search is typed letter by letter, each letter a question of its own. Where playwright and
a Chromium are installed the same is seen from outside: from the wish to the first paint, from the key to the row, and
how evenly ten thousand memories scroll.
"""

from __future__ import annotations

import asyncio
import os
import random
import shutil
import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass
from datetime import datetime
from http.client import HTTPConnection
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

from companion.api import Companion, News, OwnerState
from companion.app.compose import open_rooms
from companion.app.replay import SetClock
from companion.config import Settings
from companion.evals.latency import SEED, Made, Served, made_store, state_of
from companion.evals.statistics import percentile
from companion.ports import Progress
from companion.surfaces.http.app import Desk
from companion.surfaces.http.server import made_server
from companion.surfaces.page.app import COOKIE, Page
from companion.surfaces.page.door import PageDoor

KEY = "measured"
FIRST_ASKED = 3
"""First answers of a room, which load templates and fill caches; told apart."""
WORDS_TYPED = 2
"""Words of a search: what somebody types before they see what they looked for."""
PAINTS = 10
"""Times that each room is opened in the browser."""
SCROLLED = 10_000
"""Memories that are scrolled through."""
LONG_MS = 50
"""A stretch of work in which nothing can be drawn; browsers call it a long task from here."""
BROWSERS = ("chromium", "chromium-browser", "google-chrome")
PATIENCE_MS = 60_000


@dataclass
class OneCompanion:
    """A host with one companion, whatever is asked for."""

    one: Served
    folder: Path

    def __post_init__(self) -> None:
        """Nobody has asked it to stop."""
        self._told: list[Callable[[], None]] = []

    def companion(self, path: Path, *, anywhere: bool = False) -> Companion:
        """The one; closing it lets go of nothing."""
        return self.one

    def state(self) -> OwnerState:
        """An owner in name only."""
        return OwnerState(0, "", str(self.folder), "", datetime.min, 0, 0, 0.0, 0)

    def attached(self) -> nullcontext[None]:
        """Nobody counts."""
        return nullcontext()

    def asked(self) -> nullcontext[None]:
        """Nobody counts."""
        return nullcontext()

    def news(self, path: Path, tell: Callable[[News], None]) -> nullcontext[None]:
        """There is none."""
        return nullcontext()

    def stop(self, why: str) -> None:
        """End the server."""
        for tell in self._told:
            tell()

    def when_stopped(self, tell: Callable[[], None]) -> None:
        """Remember whom to tell."""
        self._told.append(tell)


class Kept(Served):
    """One that is asked again and again: closing it lets go of nothing."""

    def close(self) -> None:
        """It goes on."""


def page_times(memories: int, rounds: int, progress: Progress, kept: Path | None = None) -> dict[str, Any]:
    """Milliseconds of each room, of each letter typed and, with a browser, of what is seen, as one JSON object.

    A store that is `kept` in a folder is made once and used again.
    """
    with made_store(memories, progress, kept) as (folder, made):
        rooms = open_rooms(Path(folder), Settings(), SetClock(made.now))
        try:
            host = OneCompanion(Kept(rooms, state_of(folder), made.project, made.checkout), Path(folder))
            with served(host) as page:
                told = _asked(page, made, rounds, progress)
                seen = _seen(page, made, progress)
        finally:
            rooms.close()
    return {"eval": "page", "n": memories, "milliseconds": told | seen.pop("milliseconds", {}), "browser": seen}


@dataclass(frozen=True)
class Listening:
    """A page that is served, and where."""

    page: Page
    folder: Path
    port: int

    def at(self, place: str, **query: str) -> str:
        """The address of a room or part, from the root."""
        asked = f"?{urlencode(query)}" if query else ""
        return f"/{KEY}/{self.page.folders.name(self.folder)}/{place}{asked}"

    def link(self) -> str:
        """The whole address that lets a browser in."""
        return f"http://127.0.0.1:{self.port}{self.page.link(self.folder)}"


@contextmanager
def served(host: OneCompanion) -> Iterator[Listening]:
    """The page over loopback, as an owner serves it, for as long as the block lasts."""
    desk = Desk(host)
    page = Page(desk, KEY)
    plug = socket.create_server(("127.0.0.1", 0))
    server = made_server(PageDoor(page.app()), desk)
    thread = threading.Thread(target=lambda: asyncio.run(server.serve(sockets=[plug])), daemon=True)
    thread.start()
    try:
        while not server.started:
            time.sleep(0.01)
        yield Listening(page, host.folder, plug.getsockname()[1])
    finally:
        host.stop("measured")
        thread.join()
        desk.lanes.close()


def _asked(page: Listening, made: Made, rounds: int, progress: Progress) -> dict[str, dict[str, float]]:
    """What the server takes, over one connection that stays."""
    session, _ = page.page.keys.enter(page.page.keys.ticket(page.page.folders.name(page.folder)))
    heads = {"Cookie": f"{COOKIE}={session}", "Sec-Fetch-Site": "same-origin"}
    line = HTTPConnection("127.0.0.1", page.port)

    def ask(address: str) -> float:
        start = time.perf_counter()
        line.request("GET", address, headers=heads)
        answer = line.getresponse()
        body = answer.read()
        if answer.status != 200:
            raise OSError(f"{address} answered {answer.status}: {body[-300:]!r}")
        return 1_000 * (time.perf_counter() - start)

    told = {}
    for room in page.page.rooms:
        times = []
        for done in range(rounds):
            times.append(ask(page.at(room.name)))
            progress.step(f"asking for {room.title.lower()}", done + 1, rounds)
        told[f"room {room.name}"] = _spread(times)
    letters = [ask(page.at("memories/rows", q=typed)) for typed in _typed(made, rounds)]
    told["search, each letter"] = _spread(letters)
    line.close()
    return told


def _typed(made: Made, searches: int) -> Iterator[str]:
    """What stands in the field after each letter of some searches, from the second on."""
    draw = random.Random(SEED)
    for _ in range(searches):
        words = " ".join(draw.choices(made.words, k=WORDS_TYPED))
        yield from (words[:end] for end in range(2, len(words) + 1))


def _spread(times: list[float]) -> dict[str, float]:
    warm = times[FIRST_ASKED:] or times
    parts = {f"p{part}": round(percentile(warm, part / 100), 2) for part in (50, 95, 99)}
    return {**parts, "first": round(times[0], 2)}


def _seen(page: Listening, made: Made, progress: Progress) -> dict[str, Any]:
    """The same as a browser shows it; why not, where there is none."""
    try:
        from playwright.sync_api import sync_playwright
    except ImportError:
        return {"skipped": "playwright is not installed"}
    program = os.environ.get("COMPANION_BROWSER") or next(filter(None, map(shutil.which, BROWSERS)), None)
    if program is None:
        return {"skipped": "no Chromium is installed"}
    with sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=program, args=["--no-sandbox", "--disable-gpu"])
        try:
            shown = browser.new_page(viewport={"width": 1_200, "height": 800})
            shown.set_default_timeout(PATIENCE_MS)
            shown.goto(page.link())
            shown.wait_for_selector("#rooms")
            milliseconds = _painted(shown, page, progress) | _found(shown, page, made, progress)
            return {"version": browser.version, "milliseconds": milliseconds, "scrolling": _scrolled(shown, page)}
        finally:
            browser.close()


def _painted(shown: Any, page: Listening, progress: Progress) -> dict[str, dict[str, float]]:
    """From the wish for a room until something of it is on the screen."""
    paint = "() => performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? null"
    told = {}
    for room in page.page.rooms:
        times = []
        for done in range(PAINTS):
            shown.goto(f"http://127.0.0.1:{page.port}{page.at(room.name)}")
            while (at := shown.evaluate(paint)) is None:
                shown.wait_for_timeout(5)
            times.append(float(at))
            progress.step(f"painting {room.title.lower()}", done + 1, PAINTS)
        told[f"first paint, {room.name}"] = _spread(times)
    return told


def _found(shown: Any, page: Listening, made: Made, progress: Progress) -> dict[str, dict[str, float]]:
    """From a key until the rows that fit are painted; the moment that the page waits for the next key counts too."""
    shown.goto(f"http://127.0.0.1:{page.port}{page.at('memories')}")
    watch = """() => {
        window.keyed = 0; window.waits = [];
        document.addEventListener('keydown', () => { window.keyed = performance.now(); }, true);
        document.addEventListener('htmx:afterSwap', () => requestAnimationFrame(
            () => setTimeout(() => window.waits.push(performance.now() - window.keyed))));
    }"""
    shown.evaluate(watch)
    words = " ".join(random.Random(SEED).choices(made.words, k=10))[:60]
    shown.focus("#words")
    for done, letter in enumerate(words):
        before = shown.evaluate("() => window.waits.length")
        shown.keyboard.press("Space" if letter == " " else letter)
        if letter != " ":
            shown.wait_for_function("(before) => window.waits.length > before", arg=before)
        progress.step("typing", done + 1, len(words))
    return {"key to rows": _spread([float(wait) for wait in shown.evaluate("() => window.waits")])}


def _scrolled(shown: Any, page: Listening) -> dict[str, float]:
    """Go through ten thousand memories a screen at a time: the stretches in which nothing could be drawn."""
    shown.goto(f"http://127.0.0.1:{page.port}{page.at('memories')}")
    script = """async (most) => {
        const long = [], frames = [];
        new PerformanceObserver((seen) => long.push(...seen.getEntries().map((one) => one.duration)))
            .observe({ type: 'longtask' });
        let last = performance.now(), still = 0;
        const rows = () => document.querySelectorAll('#rows a.row').length;
        for (let count = rows(); count < most && still < 300; ) {
            window.scrollBy(0, innerHeight);
            await new Promise(requestAnimationFrame);
            const now = performance.now();
            frames.push(now - last);
            last = now;
            still = rows() === count ? still + 1 : 0;
            count = rows();
        }
        return { rows: rows(), frames: frames.length, long, worst: Math.max(0, ...frames) };
    }"""
    told = shown.evaluate(script, SCROLLED)
    long = [float(one) for one in told["long"] if one > LONG_MS]
    return {
        "rows": told["rows"],
        "frames": told["frames"],
        "long_tasks": len(long),
        "longest_ms": round(max(long, default=0.0), 1),
        "worst_frame_ms": round(told["worst"], 1),
    }
