"""How fast the local page answers on a generated store of a given size, and how soon a browser shows it.

The page is served as a daemon serves it, over loopback, from a store made from a seed (see `latency`). Every room is
asked for again and again; a search is typed letter by letter, each letter a question of its own. Where playwright and
a Chromium are installed the same is seen from outside: from the wish to the first paint, from the key to the row, and
how evenly ten thousand memories scroll.
"""

from __future__ import annotations

import os
import random
import shutil
import time
from collections.abc import Iterator
from http.client import HTTPConnection
from pathlib import Path
from typing import Any

from companion.evals.statistics import percentile
from companion.ports import Progress
from companion.surfaces.page.rooms import ROOMS
from evals.speed.latency import SEED, Made, made_store
from evals.speed.page_served import Listening, served

FIRST_ASKED = 3
"""First answers of a room, which load templates and fill caches; told apart."""
FIRST_WAIT_S, TOO_SLOW = 120, 503
WORDS_TYPED = 2
"""Words of a search: what somebody types before they see what they looked for."""
LETTERS_TYPED = 60
"""Letters typed in the browser, each awaited."""
STRETCHES = 10
"""Searches typed in the browser without waiting for anything."""
BETWEEN_KEYS_MS = 80
"""Between two keys of somebody who types fast."""
PAINTS = 10
"""Times that each room is opened in the browser."""
SCROLLED = 10_000
"""Memories that are scrolled through."""
LONG_MS = 50
"""A stretch of work in which nothing can be drawn; browsers call it a long task from here."""
BROWSERS = ("chromium", "chromium-browser", "google-chrome")
PATIENCE_MS = 60_000


def page_times(memories: int, rounds: int, progress: Progress, kept: Path | None = None) -> dict[str, Any]:
    """Milliseconds of each room, of each letter typed and, with a browser, of what is seen, as one JSON object.

    A store that is `kept` in a folder is made once and used again.
    """
    with made_store(memories, progress, kept and kept.absolute()) as (folder, made), served(Path(folder), made) as page:
        told = _asked(page, made, rounds, progress)
        seen = _seen(page, made, progress)
    return {"eval": "page", "n": memories, "milliseconds": told | seen.pop("milliseconds", {}), "browser": seen}


def _asked(page: Listening, made: Made, rounds: int, progress: Progress) -> dict[str, dict[str, float]]:
    """What the server takes, over one connection that stays."""
    line = HTTPConnection("127.0.0.1", page.port)
    line.request("GET", page.link())
    entered = line.getresponse()
    entered.read()
    cookie = (entered.getheader("Set-Cookie") or "").partition(";")[0]
    heads = {"Cookie": cookie, "Sec-Fetch-Site": "same-origin"}

    def ask(address: str) -> float:
        start = time.perf_counter()
        while True:  # a store of 100,000 that nobody has asked yet may take longer than one question waits
            line.request("GET", address, headers=heads)
            answer = line.getresponse()
            body = answer.read()
            if answer.status != TOO_SLOW or time.perf_counter() - start > FIRST_WAIT_S:
                break
        if answer.status != 200:
            raise OSError(f"{address} answered {answer.status}: {body[-300:]!r}")
        return 1_000 * (time.perf_counter() - start)

    told = {}
    for room in ROOMS:
        times = []
        for done in range(rounds):
            times.append(ask(page.at(room.name)))
            if done == FIRST_ASKED:
                page.rest()
            progress.step(f"asking for {room.title.lower()}", done + 1, rounds)
        told[f"room {room.name}"] = _spread(times)
    letters = [ask(page.at("memories/rows", q=typed)) for typed in _typed(made, rounds)]
    told["search, each letter"] = _spread(letters)
    line.close()
    page.rest()
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
            shown.goto(f"http://127.0.0.1:{page.port}{page.link()}")
            shown.wait_for_selector("#rooms")
            milliseconds = _painted(shown, page, progress) | _found(shown, page, made, progress)
            return {"version": browser.version, "milliseconds": milliseconds, "scrolling": _scrolled(shown, page)}
        finally:
            browser.close()


def _painted(shown: Any, page: Listening, progress: Progress) -> dict[str, dict[str, float]]:
    """From the wish for a room until something of it is on the screen."""
    paint = "() => performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? null"
    told = {}
    for room in ROOMS:
        times = []
        for done in range(PAINTS):
            shown.goto(page.whole(room.name))
            while (at := shown.evaluate(paint)) is None:
                shown.wait_for_timeout(5)
            times.append(float(at))
            progress.step(f"painting {room.title.lower()}", done + 1, PAINTS)
        told[f"first paint, {room.name}"] = _spread(times)
    return told


def _found(shown: Any, page: Listening, made: Made, progress: Progress) -> dict[str, dict[str, float]]:
    """From a key until the rows that it brings are painted: each awaited, and typed at a stretch to the last key."""
    shown.goto(page.whole("memories"))
    watch = """() => {
        document.addEventListener('keydown', () => {
            const keyed = performance.now();
            window.found = new Promise((done) => { window.tell = () => done(performance.now() - keyed); });
        }, true);
        document.addEventListener('htmx:afterSwap', () => {
            const { tell } = window, answer = new URL(location).searchParams.get('q') ?? '';
            if (answer === document.getElementById('words').value.trim())
                requestAnimationFrame(() => setTimeout(tell));
        });
    }"""
    shown.evaluate(watch)
    shown.focus("#words")
    draw = random.Random(SEED)
    each, stretches = [], []
    for done, letter in enumerate(" ".join(draw.choices(made.words, k=LETTERS_TYPED // 4))[:LETTERS_TYPED]):
        shown.keyboard.press("Space" if letter == " " else letter)
        each.append(float(shown.evaluate("() => window.found")))
        progress.step("typing", done + 1, LETTERS_TYPED)
    for done in range(STRETCHES):
        shown.fill("#words", "")
        shown.keyboard.type(" ".join(draw.choices(made.words, k=WORDS_TYPED)), delay=BETWEEN_KEYS_MS)
        stretches.append(float(shown.evaluate("() => window.found")))
        progress.step("typing at a stretch", done + 1, STRETCHES)
    return {"key to rows": _spread(each), "last key of a stretch to rows": _spread(stretches)}


def _scrolled(shown: Any, page: Listening) -> dict[str, float]:
    """Go through ten thousand memories a screen at a time: the stretches in which nothing could be drawn."""
    shown.goto(page.whole("memories"))
    script = """async (most) => {
        const long = [], frames = [];
        new PerformanceObserver((seen) => long.push(...seen.getEntries().map((one) => one.duration)))
            .observe({ type: 'longtask' });
        let last = performance.now(), still = 0;
        const listed = document.getElementsByClassName('row'), rows = () => listed.length;
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
