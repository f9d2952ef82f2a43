"""Being the daemon: the lock that decides between many who start, and the process behind it."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from companion.client.finding import API, LOCK_NAME, read_card, sign_lock, try_lock
from companion.config import load_settings, make_home
from companion.errors import StoreHeld

if TYPE_CHECKING:
    from companion.daemon.process import Serve


def own(home: Path, serve: Serve, *, http_port: int | None = None, idle_s: float | None = None) -> None:
    """Be the daemon of the store in `home` until it is time to leave, and have `serve` answer.

    To be called once, at the end of a program: the lock is let go of when its process ends. `http_port` is a
    loopback port to listen on too (0: any), `idle_s` how long to stay with nobody here.
    The lock is taken before anything heavy is loaded: of twenty who start at once, nineteen cost little.

    Raises:
        StoreHeld: there is a daemon already, or another process keeps the store.
    """
    make_home(home)
    handle = os.open(home / LOCK_NAME, os.O_RDWR | os.O_CREAT, 0o600)
    if not try_lock(handle):
        os.close(handle)
        card = read_card(home)
        raise StoreHeld(
            f"The store in {home} has a background service already.",
            "See `companion status`.",
            card.pid if card else None,
        )
    sign_lock(handle)
    settings = load_settings(home)
    if idle_s is not None:
        settings = replace(settings, daemon_idle_s=idle_s)
    from companion.daemon.process import run_daemon

    run_daemon(home, settings, serve, api=API, http_port=http_port)
    # The lock stays with the process: that it is free tells that the process has really ended.
