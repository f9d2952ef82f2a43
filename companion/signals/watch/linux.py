"""Linux: a watch on each folder that is not ignored, placed before what is in it is looked at.

watchdog's own emitter watches every folder below a top, 4,400 of 5,200 for nothing where there is a
`node_modules`, loses the rest in silence when the limit is reached, and holds a lone move back for
half a second. So only its reader of the kernel's queue (`InotifyFD`) is used: it reads on a thread of
its own and calls back. A move is a deletion here and a creation there; whoever reads the files finds
out that they are the same.
"""

from __future__ import annotations

import errno
import logging
import os
import threading
import warnings
from collections.abc import Sequence
from pathlib import Path

from watchdog.observers.inotify_c import (
    CallbackId,
    InotifyConstants,
    InotifyEvent,
    InotifyFD,
    Mask,
    WatchDescriptor,
)

from companion.signals.watch.tops import Sees, Top, folders_in, folders_of

LIMIT_FILE = Path("/proc/sys/fs/inotify/max_user_watches")
LIMIT_PART = 0.8
"""Part of the limit that one checkout may take: editors and test runners of the same user watch too."""

_MASK = Mask(
    InotifyConstants.IN_MODIFY
    | InotifyConstants.IN_CREATE
    | InotifyConstants.IN_DELETE
    | InotifyConstants.IN_MOVED_FROM
    | InotifyConstants.IN_MOVED_TO
    | InotifyConstants.IN_DELETE_SELF
    | InotifyConstants.IN_MOVE_SELF
    | InotifyConstants.IN_ONLYDIR
    | InotifyConstants.IN_DONT_FOLLOW
    | InotifyConstants.IN_EXCL_UNLINK
)
"""Neither opened nor closed: reading a tree would fill the queue, and every change is one of these too."""

_log = logging.getLogger(__name__)


class LinuxSource:
    """Watches each folder by itself. `limit` is how many watches the user may have; None: what the system says."""

    def __init__(self, tops: Sequence[Top], sees: Sees, limit: int | None = None) -> None:
        self._tops = {top.path: top for top in tops}
        self._sees = sees
        self._limit = watch_limit() if limit is None else limit
        self._lock = threading.RLock()
        self._places: dict[WatchDescriptor, tuple[str, Top]] = {}
        self._watches: dict[str, WatchDescriptor] = {}
        self._id = CallbackId(id(self))
        self._fd: InotifyFD | None = None

    @property
    def folders(self) -> int:
        """How many folders are watched."""
        return len(self._places)

    def start(self) -> None:
        """Place all watches. Raises OSError where the limit does not allow that, or a top is not there."""
        needed = sum(1 for _ in folders_of(tuple(self._tops.values())))
        if needed > self._limit * LIMIT_PART:
            raise OSError(errno.ENOSPC, f"{needed:,} folders, and the system's limit is {self._limit:,} watches")
        self._fd = InotifyFD()
        self._fd.start()
        try:
            for top in self._tops.values():
                if not os.path.isdir(top.path):
                    raise NotADirectoryError(errno.ENOTDIR, os.strerror(errno.ENOTDIR), top.path)
                self._place(top.path, top)
        except OSError:
            self.close()
            raise

    def close(self) -> None:
        """Take all watches away and end the thread that reads."""
        with self._lock:
            fd, self._fd = self._fd, None
            self._places.clear()
            self._watches.clear()
        if fd is not None:
            fd.stop()
            if threading.current_thread() is not fd:
                fd.join()

    def leave(self, folder: str) -> None:
        """Take the watches of a folder and of all below it away."""
        with self._lock:
            below = folder + os.sep
            found = [wd for path, wd in self._watches.items() if path == folder or path.startswith(below)]
            for wd in found:
                self._forget(wd)
            if self._fd is not None and found:
                self._fd.remove_callbacks([(wd, self._id) for wd in found])

    def look_again(self) -> None:
        """Place watches that are missing, where folders were created unseen or are no longer ignored."""
        for top in self._tops.values():
            self._try_to_place(top.path, top)

    # ------------------------------------------------------------------ what the reader calls

    def on_event(self, event: InotifyEvent) -> None:
        """Something happened in a watched folder."""
        try:
            self._on_event(event)
        except Exception:
            _log.exception("an event of the file system could not be understood")
            self._sees.lost()

    def on_watch_deleted(self, wd: WatchDescriptor) -> None:
        """The kernel took a watch away: the folder is gone, or its disk was unmounted."""
        with self._lock:
            place = self._places.get(wd)
            self._forget(wd)
        if place is not None and place[0] == place[1].path:
            self._sees.gone(place[0])

    def on_queue_overflow(self) -> None:
        """The kernel dropped events: folders may have come that nobody watches."""
        self._sees.lost()
        self.look_again()

    # ------------------------------------------------------------------ inside

    def _on_event(self, event: InotifyEvent) -> None:
        with self._lock:
            place = self._places.get(event.wd)
        if place is None:
            return
        folder, top = place
        if event.is_delete_self or event.is_move_self:
            if folder == top.path:
                self._sees.gone(folder)
            return
        if not event.name:
            return
        path = os.path.join(folder, os.fsdecode(event.name))
        if event.is_directory:
            if event.is_delete or event.is_moved_from:
                self.leave(path)
            elif not top.enters(path):
                return
            else:
                self._try_to_place(path, top)
        self._sees.seen(path)

    def _try_to_place(self, path: str, top: Top) -> None:
        try:
            self._place(path, top)
        except OSError as wrong:
            self._sees.short(wrong.strerror or str(wrong))

    def _place(self, path: str, top: Top) -> None:
        """Watch a folder and all below it. Each is watched before it is looked into, so nothing falls between.

        Raises OSError where no more watches may be placed; a folder that vanishes or is closed is passed over.
        """
        waiting = [path]
        while waiting:
            folder = waiting.pop()
            if self._watch_one(folder, top) or folder == path:
                waiting += [below for below in folders_in(folder) if top.enters(below)]

    def _watch_one(self, folder: str, top: Top) -> bool:
        """Whether the folder is watched now."""
        with self._lock:
            if folder in self._watches:
                return True
            if self._fd is None or not os.access(folder, os.R_OK):
                return False
            try:
                with warnings.catch_warnings():
                    warnings.simplefilter("ignore", RuntimeWarning)  # a folder met under a second name
                    wd = self._fd.add_callback(os.fsencode(folder), _MASK, self, self._id)
            except OSError as wrong:
                if wrong.errno in (errno.ENOSPC, errno.ENOMEM, errno.EMFILE):
                    raise
                return False
            self._forget(wd)
            self._places[wd], self._watches[folder] = (folder, top), wd
            return True

    def _forget(self, wd: WatchDescriptor) -> None:
        place = self._places.pop(wd, None)
        if place is not None and self._watches.get(place[0]) == wd:
            del self._watches[place[0]]


def watch_limit() -> int:
    """How many watches one user may have; a limit that nobody reaches where the system does not say."""
    try:
        return int(LIMIT_FILE.read_text("ascii"))
    except (OSError, ValueError):
        return 1 << 31
