"""What `git log` prints, as commits.

The log is read with `-z`: every field ends in a NUL byte, which neither a message nor a path can
hold, so no name and no message can break the reading.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from datetime import datetime, timedelta
from itertools import islice

from companion.records import ChangeStatus, Commit, FileChange, Person
from companion.signals.git.messages import cleaned, people_in, request_in, reverted_in
from companion.signals.paths import shown_path

LOG_FORMAT = "tformat:%x01%H%x00%P%x00%aN%x00%aE%x00%at%x00%ct%x00%s%x00%b"
"""One commit: a mark, id, parents, mapped author, both times in seconds since 1970, subject, body."""

_START = b"\x01"
_FIELDS_AFTER_ID = 7
_EPOCH = datetime(1970, 1, 1)
_LAST_SECOND = 253_402_300_799
"""The last second of the year 9999, the last that a datetime can hold."""

_STATUS = {
    b"A": ChangeStatus.ADDED,
    b"C": ChangeStatus.ADDED,
    b"M": ChangeStatus.MODIFIED,
    b"T": ChangeStatus.MODIFIED,
    b"D": ChangeStatus.DELETED,
    b"R": ChangeStatus.RENAMED,
}

Whole = Callable[[str], str]
"""Gives the full id of an abbreviated commit id, or '' if there is no such commit."""
Mapped = Callable[[Person], Person]
"""Gives the person that the repository's mailmap makes of one."""


def split_nul(chunks: Iterable[bytes]) -> Iterator[bytes]:
    """The NUL-ended pieces of a stream, without their NUL; a rest that was cut off is dropped."""
    rest = b""
    for chunk in chunks:
        pieces = (rest + chunk).split(b"\0")
        rest = pieces.pop()
        yield from pieces


def parse_log(pieces: Iterator[bytes], ungrown: frozenset[str], whole: Whole, mapped: Mapped) -> Iterator[Commit]:
    """Commits of a log in `LOG_FORMAT` with `--name-status -z`.

    `ungrown` are the commits at which a shallow history was cut: git shows all their files as added,
    which they did not do, so their changes are left empty.
    """
    piece = next(pieces, None)
    while piece is not None:
        if not piece.startswith(_START):
            piece = next(pieces, None)
            continue
        sha = piece[1:].decode("ascii", "replace")
        fields = list(islice(pieces, _FIELDS_AFTER_ID))
        if len(fields) < _FIELDS_AFTER_ID:
            return
        changes, piece = _changes(pieces)
        yield _commit(sha, fields, () if sha in ungrown else changes, whole, mapped)


def moment(seconds: bytes) -> datetime | None:
    """The time of a commit, naive UTC; None if it is none, or before 1970, or after the year 9999."""
    try:
        value = int(seconds)
    except ValueError:
        return None
    return _EPOCH + timedelta(seconds=value) if 0 <= value <= _LAST_SECOND else None


def _changes(pieces: Iterator[bytes]) -> tuple[tuple[FileChange, ...], bytes | None]:
    """The files of one commit, by path, and the piece after them (None at the end)."""
    found: list[FileChange] = []
    for piece in pieces:
        if piece.startswith(_START):
            return _in_order(found), piece
        letter = piece.lstrip(b"\n")[:1]
        if not letter:
            continue
        path = next(pieces, None)
        status = _STATUS.get(letter, ChangeStatus.MODIFIED)
        old_path = b""
        if letter in b"RC" and path is not None:
            old_path, path = path, next(pieces, None)
        if path is None:
            break
        found.append(FileChange(status, shown_path(path), shown_path(old_path)))
    return _in_order(found), None


def _in_order(changes: list[FileChange]) -> tuple[FileChange, ...]:
    return tuple(sorted(changes, key=lambda change: (change.path, change.status)))


def _commit(sha: str, fields: list[bytes], changes: tuple[FileChange, ...], whole: Whole, mapped: Mapped) -> Commit:
    parents, name, email, authored, committed, subject, body = fields
    is_merge = b" " in parents
    said_subject = cleaned(subject.decode("utf-8", "replace"))
    said_body = cleaned(body.decode("utf-8", "replace"))
    co_authors, reviewers = people_in(said_body)
    reverted = reverted_in(said_body)
    authored_at, committed_at = moment(authored), moment(committed)
    return Commit(
        sha=sha,
        parents=tuple(parents.decode("ascii", "replace").split()),
        author=Person(cleaned(name.decode("utf-8", "replace")), cleaned(email.decode("utf-8", "replace"))),
        authored_at=authored_at or committed_at or _EPOCH,
        committed_at=committed_at or authored_at or _EPOCH,
        subject=said_subject,
        body=said_body,
        changes=() if is_merge else changes,
        co_authors=tuple(map(mapped, co_authors)),
        reviewers=tuple(map(mapped, reviewers)),
        reverts=whole(reverted) if reverted else "",
        pull_request=request_in(said_subject, said_body),
    )
