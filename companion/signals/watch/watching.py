"""One eye on one checkout: its files and git's references, by whatever way the system offers.

What it promises: whatever changes below the root and is not ignored is told within half a second, or
it is told that everything must be looked at, since something was missed. When the
limit of watches is too low, it goes over to looking again and again, and says so. It ends by itself
when the checkout's folder goes away.
"""

from __future__ import annotations

import os
import sys
import threading
from collections.abc import Callable, Collection
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from companion.records import RepoState
from companion.signals import git
from companion.signals.paths import raw_path, shown_path
from companion.signals.watch.burst import Burst, GatheredChanges
from companion.signals.watch.elsewhere import PollingSource, TreeSource
from companion.signals.watch.ignores import RULES, GitIgnores
from companion.signals.watch.references import EXCLUDE, References
from companion.signals.watch.tops import Top, WatchSource

IGNORED_HELD = 20_000
"""Ignored files remembered, so that a log that is written to all day wakes nobody; some 4 MB."""
RAISE_LIMIT = "Raise it: `sudo sysctl fs.inotify.max_user_watches=524288`."


Changed = Callable[[frozenset[str] | None], None]
"""Told of paths below the root that were created, written, moved or deleted; a folder means everything in it.

None: everything is to be looked at, since something was missed, or HEAD, a branch, tag or stash moved, or what moves
them began or ended. No path: a commit was made here, whose files were told of as they were written.
"""


class WatchState(Struct, frozen=True):
    """How a checkout is watched: `events`, `polling: why` or `off: why`, how many folders, what to know of it."""

    how: str
    folders: int = 0
    notes: tuple[str, ...] = ()


class Watching:
    """A checkout that is being watched; `changed` is called from one thread, a burst at a time.

    `limit` is how many folders may be watched (None: what the system allows).
    """

    def __init__(self, state: RepoState, changed: Changed, limit: int | None = None) -> None:
        root = git.folder_of(state)
        own = git.git_folder(root)
        self._root, self._git_dir = os.path.realpath(root), os.path.realpath(own)
        self._common_dir = os.path.realpath(git.common_folder(own))
        self._ignores = GitIgnores(state)
        self._changed = changed
        self._limit = limit
        self._references = References(Path(self._git_dir))
        self._burst = Burst(self._tell)
        self._shut: frozenset[str] = frozenset()
        self._shut_folders: dict[str, bool] = {}
        self._ignored: set[str] = set()
        self._state = WatchState("off: not begun")
        self._source: WatchSource | None = None
        self._short = self._away = ""
        self._lock = threading.Lock()

    @property
    def state(self) -> WatchState:
        """How the checkout is watched now."""
        source = self._source
        return self._state if source is None else replace(self._state, folders=source.folders)

    def start(self, mode: str = "events") -> None:
        """Begin, by `events` or `polling`: what changes after this returns is told.

        Raises OSError if the root or a git folder is not there.
        """
        self._shut = self._ignores.folders()
        if mode == "polling":
            self._poll("as the settings say", short=False)
        elif sys.platform.startswith("linux"):
            self._watch_folders()
        else:
            self._begin(TreeSource(self._tops(), self), WatchState("events"))
        self._burst.start()

    def close(self) -> None:
        """Look away; nothing is told any more."""
        with self._lock:
            source, self._source = self._source, None
            self._state = WatchState("off: closed")
        if source is not None:
            source.close()
        self._burst.close()

    # ------------------------------------------------------------------ what a source tells

    def seen(self, path: str) -> None:
        """Something happened at a path."""
        for folder in (self._git_dir, self._common_dir):
            if (inside := _inside(path, folder)) is not None:
                if self._references.matters(inside):
                    self._burst.reference(inside)
                return
        inside = _inside(path, self._root)
        if inside and inside not in self._ignored and not self._lies_shut(inside):
            self._burst.file(inside)

    def lost(self) -> None:
        """Something was missed: the whole checkout is looked at."""
        self._burst.lost()

    def short(self, reason: str) -> None:
        """Not every folder can be watched: from the next burst on, one looks again and again."""
        self._short = reason
        self._burst.lost()

    def gone(self, top: str) -> None:
        """A folder that must be there is not: nothing can be seen any longer."""
        self._away = f"{top} was moved away or deleted"
        self._burst.lost()

    # ------------------------------------------------------------------ beginning

    def _tops(self) -> tuple[Top, ...]:
        def enters(base: str) -> Callable[[str], bool]:
            return lambda path: self._references.enters(_inside(path, base) or "")

        own = dict.fromkeys((self._git_dir, self._common_dir))
        return (Top(self._root, self._enters), *(Top(folder, enters(folder)) for folder in own))

    def _enters(self, path: str) -> bool:
        """Whether a folder of the checkout is watched."""
        return not self._is_shut(_inside(path, self._root) or "")

    def _is_shut(self, folder: str) -> bool:
        return folder == ".git" or folder in self._shut or self._ignores.shut(folder)

    def _lies_shut(self, inside: str) -> bool:
        """Whether a path lies in a folder that is not watched; where whole trees are, such are seen too."""
        folder = inside.rpartition("/")[0]
        known = self._shut_folders.get(folder)
        if known is None:
            known = bool(folder) and (self._is_shut(folder) or self._lies_shut(folder))
            self._shut_folders[folder] = known
        return known

    def _watch_folders(self) -> None:
        from companion.signals.watch.linux import LinuxSource

        try:
            self._begin(LinuxSource(self._tops(), self, self._limit), WatchState("events"))
        except OSError as wrong:
            if not all(os.path.isdir(top.path) for top in self._tops()):
                raise
            self._poll(wrong.strerror or str(wrong))

    def _poll(self, why: str, *, short: bool = True) -> None:
        """Look again and again; where watches were `short`, it is said how to have more, and all is looked at."""
        notes = (f"{why}. {RAISE_LIMIT}",) if short else ()
        self._begin(PollingSource(self._tops(), self), WatchState(f"polling: {why}", notes=notes))
        if short:
            self._burst.lost()

    def _begin(self, source: WatchSource, state: WatchState) -> None:
        source.start()
        with self._lock:
            self._source, self._state = source, state

    # ------------------------------------------------------------------ telling

    def _tell(self, gathered: GatheredChanges) -> None:
        """Hand on a burst: files first, since whoever reads them sees where references have moved as well."""
        self._mend()
        moved = None
        if gathered.references:
            self._ignored.clear()  # what is tracked is not ignored, and a commit may change what is tracked
            gathered.lost |= EXCLUDE in gathered.references
            moved = self._references.moved(gathered.references)
        if gathered.lost:
            self._rules_changed()
            self._changed(None)
        elif paths := self._wanted(gathered.files):
            self._changed(paths)
        if moved is not None:
            self._changed(frozenset() if moved else None)

    def _wanted(self, paths: Collection[str]) -> frozenset[str]:
        """The paths of a burst without ignored ones, which are left alone from now on."""
        if any(path.rpartition("/")[2] in RULES for path in paths):
            self._rules_changed()
        ignored = self._ignores.of(paths)
        if len(self._ignored) > IGNORED_HELD:
            self._ignored.clear()
        for path in ignored:
            if os.path.isdir(self._place(path)):
                self._shut |= {path}
                self._leave(path)
            else:
                self._ignored.add(path)
        return frozenset(path for path in paths if path not in ignored and not self._lies_shut(path))

    def _rules_changed(self) -> None:
        """What is ignored has changed: watch what no longer is."""
        self._ignored.clear()
        self._shut_folders.clear()
        self._ignores.look_again()
        self._shut = self._ignores.folders()
        for folder in self._shut:
            self._leave(folder)
        if self._source is not None:
            self._source.look_again()

    def _leave(self, folder: str) -> None:
        self._shut_folders.clear()
        if self._source is not None:
            self._source.leave(self._place(folder))

    def _place(self, inside: str) -> str:
        return os.path.join(self._root, os.fsdecode(raw_path(inside)))

    def _mend(self) -> None:
        """Go over to polling where watches ran out, and end where the checkout is gone."""
        source = self._source
        if source is None:
            return
        if self._away or not os.path.isdir(self._root):
            with self._lock:
                self._source = None
                self._state = WatchState(f"off: {self._away or f'{self._root} is gone'}")
            source.close()
        elif self._short and not isinstance(source, PollingSource):
            why, self._short = self._short, ""
            source.close()
            self._poll(why)


def _inside(path: str, folder: str) -> str | None:
    """A path as records write it, seen from a folder, '' for itself; None if it lies elsewhere."""
    if path == folder:
        return ""
    prefix = folder if folder.endswith(os.sep) else folder + os.sep
    if not path.startswith(prefix):
        return None
    return shown_path(os.fsencode(path[len(prefix) :].replace(os.sep, "/")))
