"""The thin way to a companion: finds who can answer for a repository, importing almost nothing itself.

    finding.py   is there an owner of the store, and where
    starting.py  start one, have an older one replaced, end one
    owning.py    be one
    remote.py    ask one
    stream.py    stay attached to one, and hear its news
    companions.py      both of these for several repositories

Where no owner lives and none is wanted, the store is opened in this process.
"""

from __future__ import annotations

import os
from contextlib import closing, suppress
from typing import TYPE_CHECKING

from companion.client.finding import lock_is_held

if TYPE_CHECKING:  # a cold shell that only asks an owner waits for none of these
    from collections.abc import Callable
    from pathlib import Path

    from companion.api import Companion, Finding, News, OwnerState
    from companion.app.scheduled import ScheduleLog
    from companion.client.finding import Address
    from companion.client.stream import Attachment
    from companion.config import OwnerUse

BLAS_THREADS = "OPENBLAS_NUM_THREADS"
"""How many threads numpy starts as it is loaded. No product in one context is worth a second one, whose start takes
as long as loading numpy."""


def connect(path: Path, *, start: bool = False, anywhere: bool = False, patient: bool = True) -> Companion:
    """A companion for the repository that `path` lies in; the caller closes it.

    With `anywhere` it need not lie in one: what is the user's own is known everywhere. A living owner is asked.
    Where there is none, `start` (or the setting `owner`) has one started; else the store is opened in this process;
    if another process holds it, this waits for a moment. Who asks once and leaves is not `patient`: then no model is
    loaded in this process.

    Raises:
        NotARepository: there is no git repository at the path, and it may not be anywhere.
        StoreHeld: another process keeps the store.
        StoreError: no owner could be started, or a newer one does not understand us.
    """
    from companion.config import OwnerUse, data_home
    from companion.errors import StoreHeld, StoreUnwritable

    home = data_home()
    use = owner_use(home)
    with suppress(StoreUnwritable):  # then no owner can be, and what is there is read in this process
        if use is not OwnerUse.NEVER and (address := _owner(home, start=start or use is OwnerUse.ALWAYS)) is not None:
            return _remote(home, path, address)
    if not patient:
        os.environ.setdefault(BLAS_THREADS, "1")
    from companion.app.compose import open_companion

    try:
        return open_companion(path, anywhere=anywhere, patient=patient).verbs
    except StoreHeld:
        if use is OwnerUse.NEVER or (address := _owner(home, start=False)) is None:  # one may have come up meanwhile
            raise
    return _remote(home, path, address)


def attach(
    path: Path, on_news: Callable[[News], None], on_lost: Callable[[str], None] = lambda why: None
) -> Attachment:
    """Stay attached to the owner, which is started where it is missing, until the attachment is closed.

    `on_news` gets the news of the repository that `path` lies in. When the owner is lost, `on_lost` is told
    why, once, and another is started - unless it was ended on purpose: then the next to ask starts one. Both are
    called on a thread of the attachment.
    """
    from companion.client.finding import find_owner
    from companion.client.starting import start_owner
    from companion.client.stream import Attachment
    from companion.config import data_home

    home = data_home()
    return Attachment(path, on_news, lambda: start_owner(home), on_lost, lambda: find_owner(home))


def owner_state(home: Path | None = None) -> OwnerState | None:
    """Who the owner is and what it does; None if there is none."""
    from pathlib import Path

    from companion.client.finding import find_owner
    from companion.client.remote import RemoteCompanion
    from companion.config import data_home

    address = find_owner(home or data_home())
    if address is None:
        return None
    with closing(RemoteCompanion(address, Path())) as companion:
        return companion.state()


def schedule_log(root: str) -> ScheduleLog:
    """The log of the runs that the system starts by itself for the checkout at `root`."""
    from companion.app.scheduled import ScheduleLog
    from companion.config import data_home

    return ScheduleLog(data_home(), root)


def page_link(path: Path) -> str:
    """A link to the local page of the repository that `path` lies in; it works once, within a minute.

    An owner serves it, and is started where there is none. Raises UsageError where the setting `owner` forbids that,
    NotARepository, StoreError.
    """
    from companion.client.remote import RemoteCompanion
    from companion.client.starting import start_owner
    from companion.config import OwnerUse, data_home
    from companion.errors import UsageError

    home = data_home()
    if owner_use(home) is OwnerUse.NEVER:
        raise UsageError(
            "The page is served by the background service, and the setting `owner` says never.",
            "Set it to auto, in config.toml or as COMPANION_OWNER=auto.",
        )
    with closing(RemoteCompanion(start_owner(home), path)) as companion:
        return companion.page()


def owner_use(home: Path) -> OwnerUse:
    """What the setting `owner` says. Raises UsageError for what it may not say."""
    from companion.config import OwnerUse, chosen, load_settings

    return chosen(OwnerUse, "owner", os.environ.get("COMPANION_OWNER") or load_settings(home).owner)


def examine(path: Path, *, repair: bool) -> tuple[Finding, ...]:
    """Check store, indexes, models and repository, even where the store cannot be opened.

    An owner checks what it has open; mending is done without one, so it is asked to end before, and another
    is started afterwards.
    """
    from companion.app import doctor
    from companion.config import OwnerUse, data_home

    home = data_home()
    if repair and owner_use(home) is not OwnerUse.NEVER:
        from companion.client.starting import stop_owner

        had_owner = stop_owner(home, why="the store is to be mended") is not None
        found = doctor.examine(path, repair=True)
        return (*found, *_owner_again(home)) if had_owner else found
    if (address := _owner(home, start=False)) is not None:
        with closing(_remote(home, path, address)) as companion:
            return companion.doctor()
    return doctor.examine(path, repair=repair)


def _owner_again(home: Path) -> tuple[Finding, ...]:
    """Start an owner in place of the one that ended; what is to be said if none could be."""
    from companion.api import Finding
    from companion.client.starting import start_owner
    from companion.errors import CompanionError

    try:
        start_owner(home)
    except CompanionError as wrong:
        return (Finding("owner", "warning", f"It was ended and none could be started: {wrong.what}", wrong.next_step),)
    return ()


def settings_table() -> tuple[tuple[str, str, str, str], ...]:
    """Every setting: name, value in force, default, reason."""
    from companion.app import doctor

    return doctor.settings_table()


def _owner(home: Path, *, start: bool) -> Address | None:
    """The owner that there is, or the one that is coming up; `start` has one started."""
    if not start and not lock_is_held(home):
        return None
    from companion.client.starting import awaited_owner, start_owner
    from companion.config import load_settings

    return start_owner(home) if start else awaited_owner(home, load_settings(home).store_wait_s)


def _remote(home: Path, path: Path, address: Address) -> Companion:
    """A companion that asks an owner; where that ends another is found, or started."""
    from companion.client.remote import companion_of
    from companion.client.starting import start_owner

    return companion_of(address, path, lambda: start_owner(home))
