"""Which file is which through renames: a file keeps its number whatever it is called.

Fed with the changes of each commit, oldest first, it answers with touches: the file's number, what
happened to it, and its path afterwards. Branches make the order less than perfect, so two rules
help: a change to a path that was renamed away belongs to the renamed file, and a path that comes
back after it was deleted is the same file again. What a rename overwrites is deleted by it.
"""

from __future__ import annotations

from collections.abc import Iterable

from msgspec import Struct, field

from companion.records import ChangeStatus, FileChange


class FileTouch(Struct, frozen=True):
    """What one commit did to one file."""

    file_id: int
    status: ChangeStatus
    path: str


class Lineage(Struct):
    """The files alive after the commits seen so far, and every path ever used.

    `live` maps paths to numbers, `last` every path to the file that had it last.
    """

    live: dict[str, int] = field(default_factory=dict)
    last: dict[str, int] = field(default_factory=dict)
    next_id: int = 1
    _path_of: dict[int, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self._path_of = {file_id: path for path, file_id in self.live.items()}

    def touches(self, changes: Iterable[FileChange]) -> tuple[FileTouch, ...]:
        """The touches of one commit, at most one a file, ordered by number."""
        listed = tuple(changes)
        found: dict[int, FileTouch] = {}
        moved = self._moved(listed)
        for change in listed:
            if change.status is ChangeStatus.DELETED:
                self._delete(change.path, found)
            elif (file_id := moved.get(change.path)) is not None:
                self._leave(file_id)
        for change in listed:
            if change.status is not ChangeStatus.DELETED:
                self._arrive(change, moved.get(change.path), found)
        return tuple(found[file_id] for file_id in sorted(found))

    def _moved(self, changes: Iterable[FileChange]) -> dict[str, int]:
        """Which file each new path takes over; of several from one path, the first is the file."""
        moved: dict[str, int] = {}
        for change in changes:
            if change.status is ChangeStatus.RENAMED and change.old_path:
                file_id = self._known(change.old_path)
                if file_id is not None and file_id not in moved.values():
                    moved[change.path] = file_id
        return moved

    def _known(self, path: str) -> int | None:
        return self.live.get(path, self.last.get(path))

    def _leave(self, file_id: int) -> None:
        path = self._path_of.pop(file_id, None)
        if path is not None and self.live.get(path) == file_id:
            del self.live[path]

    def _delete(self, path: str, found: dict[int, FileTouch]) -> None:
        file_id = self._known(path)
        if file_id is None:
            return
        elsewhere = self._path_of.get(file_id, path)
        if elsewhere != path:  # deleted on a branch that does not know of the rename
            found[file_id] = FileTouch(file_id, ChangeStatus.MODIFIED, elsewhere)
            return
        self._leave(file_id)
        found[file_id] = FileTouch(file_id, ChangeStatus.DELETED, path)

    def _arrive(self, change: FileChange, moved: int | None, found: dict[int, FileTouch]) -> None:
        path = change.path
        file_id = moved if moved is not None else self._of(change)
        if moved is None and self._path_of.get(file_id, path) != path:
            path = self._path_of[file_id]  # changed on a branch that does not know of the rename
        there = self.live.get(path)
        if there is not None and there != file_id:
            self._leave(there)
            found[there] = FileTouch(there, ChangeStatus.DELETED, path)
        self._leave(file_id)
        self.live[path] = file_id
        self._path_of[file_id] = path
        self.last[path] = file_id
        found[file_id] = FileTouch(file_id, change.status, path)

    def _of(self, change: FileChange) -> int:
        """The number of an added or modified file."""
        file_id = self.live.get(change.path)
        if file_id is None:
            file_id = self.last.get(change.path)
            is_new = change.status is not ChangeStatus.MODIFIED and file_id in self._path_of
            if file_id is None or is_new:
                file_id, self.next_id = self.next_id, self.next_id + 1
        return file_id
