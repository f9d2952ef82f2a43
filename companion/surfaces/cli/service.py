"""Commands about the daemon: serve, start, stop, status, page, watch, logs."""

from __future__ import annotations

import json
import os
import sys
import time
from collections import deque
from collections.abc import Iterator, Sequence
from contextlib import closing, suppress
from itertools import chain
from pathlib import Path
from queue import Empty, SimpleQueue
from typing import TYPE_CHECKING, Annotated

from companion.api import DaemonState, News
from companion.config import WAIT_MAX_S, data_home
from companion.errors import UsageError
from companion.records.wording import counted, enumerated
from companion.surfaces.cli.declared import Option
from companion.surfaces.cli.options import AsJson, Repo
from companion.surfaces.cli.output import print_answer, print_json, print_table, print_text

if TYPE_CHECKING:
    import socket

    from companion.api import Host

PORT_MAX = 65_535
IDLE_MAX_S = 24 * WAIT_MAX_S
LINES_MAX = 100_000
"""All the lines that a log and the old ones beside it can hold."""
FOLLOW_EVERY_S = 0.5
"""How often `--follow` looks for new lines: often enough for somebody who reads them."""
CTRL_C_S = 1.0
"""How often who watches looks up: Windows hands Ctrl-C over between two waits alone."""
PATHS_TOLD = 3
"""Files that a line of news names."""
NOBODY_EXIT = 1
"""`status` leaves with it when there is no daemon, so that scripts can tell."""


def serve(
    http: Annotated[
        int | None,
        Option("--http", help="Listen on this loopback port too, with a token; 0: any.", min=0, max=PORT_MAX),
    ] = None,
    idle: Annotated[
        float | None,
        Option(help="Exit after this many seconds without a client.", min=0, max=IDLE_MAX_S, show_default="900"),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Be the background service in the foreground: answer for every repository until nobody asks any more.

    With `--json` it says in one object who it is and where it listens, as `start` does.

    Example: `companion serve --http 8765`
    """
    from companion.client.hosting import own
    from companion.surfaces.http import serving

    def answer(host: Host, sockets: Sequence[socket.socket], token: str) -> None:
        if as_json:
            state = host.state()
            print_json({"pid": state.pid, "version": state.version, "address": state.address})
            sys.stdout.flush()
        serving.serve(host, sockets, token)

    own(data_home(), answer, http_port=http, idle_s=idle)


def start(as_json: AsJson = False) -> None:
    """Start the background service, if there is none: it watches, keeps contexts ready and exits when idle.

    Example: `companion start`
    """
    from companion.client.starting import start_daemon

    found = start_daemon(data_home())
    print_answer(
        {"pid": found.pid, "version": found.version, "address": found.says},
        f"The background service is process {found.pid}, at {found.says}.",
        as_json,
    )


def stop(as_json: AsJson = False) -> None:
    """Stop the background service; what is being written is finished first.

    Example: `companion stop`
    """
    from companion.client.starting import stop_daemon

    pid = stop_daemon(data_home(), why="companion stop")
    print_answer(
        {"pid": pid},
        "The background service was not running."
        if pid is None
        else f"The background service, process {pid}, has ended.",
        as_json,
    )


def status(as_json: AsJson = False) -> None:
    """Say who owns the store, where it listens and what it watches; exit code 1 if nobody does.

    Example: `companion status --json`
    """
    from companion.client import daemon_state

    state = daemon_state()
    if as_json:
        print_json(state)
    elif state is None:
        print_text(
            "The background service is not running: commands open the store themselves. `companion start` starts it."
        )
    else:
        _print_state(state)
    if state is None:
        raise SystemExit(NOBODY_EXIT)


def page(
    open_: Annotated[
        bool, Option("--open/--no-open", help="Open it in a browser, where there is a screen for one.")
    ] = True,
    as_json: AsJson = False,
    repo: Repo = Path(),
) -> None:
    """Open the local page: what is in the context and why, memories, contradictions, consolidation, health.

    The background service serves it on this computer alone, and is started if need be. Its link works once, within a
    minute; the page stays open for as long as the service runs.

    Example: `companion page`
    """
    from companion.client import page_link

    url = page_link(repo)
    if as_json:
        print_json({"url": url})
    elif open_ and _shown_in_browser(url):
        print_text("The page is open in your browser. Where it is not: `companion page --no-open` prints a link.")
    else:
        print_text(f"Open this within a minute; it works once:\n{url}")


def _shown_in_browser(url: str) -> bool:
    """Have a browser show an address, where there is a screen to show it on; whether one does.

    On Linux the link then stands on a command line, which other users may read: the daemon asks the system whose
    connection comes with it, and refuses another user's before the link is used up. A private file that leads there
    would hide it, but browsers that are kept from the user's hidden files could not read that.
    """
    import webbrowser

    if sys.platform not in {"win32", "darwin"} and not (os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")):
        return False  # a browser for terminals would take this one's place
    return webbrowser.open(url)


def watch(as_json: AsJson = False, repo: Repo = Path()) -> None:
    """Say what the background service notices in this repository, as it happens, until Ctrl-C.

    It is started if need be, and stays as long as somebody watches. With `--json`, one object a line.

    Example: `companion watch`
    """
    from companion.client import attach

    heard: SimpleQueue[News | str] = SimpleQueue()
    with closing(attach(repo, heard.put, heard.put)) as held:
        begun, told = False, None
        while True:
            with suppress(Empty):
                told = heard.get(timeout=CTRL_C_S)
            if held.refused is not None:
                raise held.refused
            if not begun and held.wait(0):
                begun = True
                _print_news(News("attached", "", f"Watching ({_watching(repo)}); Ctrl-C ends it."), as_json)
            if isinstance(told, str):
                begun, told = False, News("lost", "", told)
            if told is not None:
                _print_news(told, as_json)
            told = None


def _watching(repo: Path) -> str:
    """How the service watches the repository that a folder lies in."""
    from companion.client import daemon_state

    state, here = daemon_state(), repo.resolve()
    there = [one for one in (state.repositories if state else ()) if here.is_relative_to(one.root)]
    return max(there, key=lambda one: len(one.root)).watching if there else "nothing yet"


def _print_news(told: News, as_json: bool) -> None:
    if as_json:
        print_text(json.dumps({"what": told.what, "says": told.says, "paths": told.paths, "count": told.count}))
    else:
        more = len(told.paths) - PATHS_TOLD
        named = enumerated((*told.paths[:PATHS_TOLD], *([f"{more} more"] if more > 0 else ())))
        print_text(f"{time.strftime('%H:%M:%S')}  {told.says}{f' ({named})' if named else ''}")
    sys.stdout.flush()


def logs(
    lines: Annotated[int, Option("--lines", "-n", help="How many of the newest lines.", min=0, max=LINES_MAX)] = 20,
    follow: Annotated[bool, Option("--follow", "-f", help="Go on with new lines until Ctrl-C.")] = False,
    as_json: AsJson = False,
) -> None:
    """Show the background service's log: verbs, ids, counts and seconds; never text of yours.

    With `--json`, one object with all the lines; with `--follow` too, one object a line.

    Example: `companion logs -n 50 --follow`
    """
    path = data_home() / "logs" / "daemon.log"
    if not path.is_file() and not follow:
        raise UsageError(f"There is no log in {path.parent} yet.", "Run `companion start` first.")
    newest = _newest(path, lines)
    if as_json and not follow:
        print_json({"lines": newest})
        return
    for line in chain(newest, _following(path) if follow else ()):
        print_text(json.dumps({"line": line}) if as_json else line)


def _newest(path: Path, count: int) -> list[str]:
    """The newest lines of a log, which may go on in older files."""
    found: deque[str] = deque(maxlen=count)
    for one in (*sorted(path.parent.glob(f"{path.name}.*"), reverse=True), path):
        if one.is_file():
            found.extend(one.read_text("utf-8", "replace").splitlines())
    return list(found)


def _following(path: Path) -> Iterator[str]:
    """Lines as they are written; where the log begins anew, so does this."""
    at = path.stat().st_size if path.is_file() else 0
    while True:
        time.sleep(FOLLOW_EVERY_S)
        size = path.stat().st_size if path.is_file() else 0
        at = 0 if size < at else at
        if size > at:
            with path.open("rb") as opened:
                opened.seek(at)
                whole, _, _ = opened.read(size - at).rpartition(b"\n")
            at += len(whole) + bool(whole)
            yield from whole.decode("utf-8", "replace").splitlines()


def _print_state(state: DaemonState) -> None:
    print_text(f"companion {state.version}, process {state.pid}, since {state.started_at:%Y-%m-%d %H:%M} UTC")
    print_text(f"Store in {state.home}; answers at {state.address}")
    print_text(
        f"{counted(state.requests, 'request')}, {state.attached} attached, {state.memory_bytes / 1e6:.0f} MB; "
        f"exits after {state.leaves_after_s:g} s when idle."
    )
    rows: list[tuple[object, ...]] = [
        (
            one.root,
            one.project,
            one.branch or "(detached)",
            one.watching,
            one.waiting,
            f"{one.refreshed_at:%H:%M:%S}" if one.refreshed_at else "-",
        )
        for one in state.repositories
    ]
    if rows:
        print_table("Repositories", ("root", "project", "branch", "watching", "waiting ", "refreshed"), rows)
    for one in state.repositories:
        for note in one.notes:
            print_text(f"{one.root}: {note}")
