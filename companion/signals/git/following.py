"""What commits did to some lines of a file, newest first: `git log -L`, on from where they were moved out of.

Git follows the lines through what the file was called before. Where a commit put them there, the lines that it took out
elsewhere are looked at: those that are the same are followed on, in that file or another; and where it brought all of
the file, in one that was deleted before. All of it ends after a time; what is known by then is the answer.
"""

from __future__ import annotations

import os
import re
import time
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from msgspec import Struct, field

from companion.errors import SourceError
from companion.evidence.moves import TakenOut
from companion.records import HistoryEnd, LineChange, LineHistory, RepoState, Span
from companion.records.line_changes import Hunk, Moved
from companion.signals.git.changed import diff_headers, line_changes, signed, unquoted, work_tree_hunks
from companion.signals.git.checkout import history_ends
from companion.signals.git.history import named_commits
from companion.signals.git.running import folder_of, stream
from companion.signals.paths import raw_path, shown_path

HISTORY_WAIT_S = 15.0
"""Seconds for the history of one definition: a third of one in a repository of 10,000 commits."""
READ_MOST_BYTES = 32_000_000
"""Bytes of a history that are read: git prints the whole definition for each commit."""
CHANGES_MOST = 300
"""Commits of one definition that are looked at, newest first."""
MOVES_MOST = 6
"""Times that lines are followed to where they were before; also ends a circle."""
LINES_KEPT = 600
"""Changed lines of a commit that are kept: enough to see what it did."""
GONE_COMMITS, GONE_TRIED, GONE_FILES = 1_000, 3, 20
"""Commits, a year of most projects, in which is looked for those that deleted a file of a name; how many of these are
tried, and how many files in all: an `index.js` stands in every folder."""
MOVED_SHARE = 0.5
"""Share of the lines put that must have been taken out elsewhere, to have come from there."""

_FILE = re.compile(rb"^([-+])\1\1 (.+?)\t?$", re.MULTILINE)
"""The lines that name a file before its hunks."""


class _Seen(Struct):
    """What git printed of a commit: the file's names, where the lines stood in it, those taken out and put."""

    sha: str
    old_path: str = ""
    path: str = ""
    first: int = 0
    count: int = 0
    old_count: int = 0
    taken: list[str] = field(default_factory=list)
    put: list[str] = field(default_factory=list)


def line_history(state: RepoState, path: str, span: Span, wait_s: float = HISTORY_WAIT_S) -> LineHistory:
    """What commits did to the lines of a file as it lies on disk. Merges and what is not committed are left out.

    Commits at which a shallow history was cut are left out too: they show all lines as new. Empty where the
    lines are in no commit.
    """
    until = time.monotonic() + wait_s
    root, cut = folder_of(state), history_ends(state)
    committed = _as_committed(state, path, span)
    seen: list[_Seen] = []
    came_from: dict[str, str] = {}
    end, rev, moves = HistoryEnd.BEGUN, "HEAD", 0
    while committed is not None and moves <= MOVES_MOST:
        part, whole = _followed(root, rev, *committed, until)
        seen += part
        if not whole or not part:
            end = end if whole else HistoryEnd.TIME
            break
        made = part[-1]
        if made.sha in cut:
            seen.pop()
            end = HistoryEnd.SHALLOW
            break
        moved = _moved_from(state, made, until) if not made.old_count else None
        committed = moved and moved[1:]
        if moved is not None:
            rev, came_from[made.sha], moves = *moved[:2], moves + 1
    return LineHistory(tuple(_told(state, seen, came_from, end)), end)


def _told(state: RepoState, seen: list[_Seen], came_from: dict[str, str], end: HistoryEnd) -> Iterator[LineChange]:
    commits = {one.sha: one for one in named_commits(state, [one.sha for one in seen])}
    for number, one in enumerate(seen, 1):
        commit = commits.get(one.sha)
        if commit is not None and not commit.is_merge:
            first = number == len(seen) and end is HistoryEnd.BEGUN
            span = (one.first, max(one.first, one.first + one.count - 1))
            origin = came_from.get(one.sha, "")
            yield LineChange(commit, one.path, span, tuple(one.taken), tuple(one.put), first, origin)


def _as_committed(state: RepoState, path: str, span: Span) -> tuple[str, Span] | None:
    """The same lines in the commit that is checked out; None where all of them are new."""
    if not state.head:
        return None
    hunks = work_tree_hunks(state, path)
    first, last = _before(hunks, span[0] - 1).start, _before(hunks, span[1] - 1).stop
    return (path, (first + 1, last)) if first < last else None


def _before(hunks: Iterable[Hunk], line: int) -> range:
    """The lines that stood where a line (from 0) is now, before some hunks; as a range, empty where it is new."""
    shift = 0
    for hunk in hunks:
        at = hunk.at + shift
        if line < at:
            break
        if line < at + hunk.put:
            return range(hunk.at, hunk.at + hunk.taken)
        shift += hunk.put - hunk.taken
    return range(line - shift, line - shift + 1)


def _followed(root: Path, rev: str, path: str, span: Span, until: float) -> tuple[list[_Seen], bool]:
    """The commits that changed the lines, newest first, and whether these are all; none of a file that git has not."""
    wait_s = until - time.monotonic()
    if wait_s <= 0:
        return [], False
    asked = f"-L{span[0]},{span[1]}:{os.fsdecode(raw_path(path))}"
    flags = ("--format=%x01%H", "--no-show-signature", "--no-color", "--no-ext-diff", "--no-textconv", "-M")
    log = stream(root, "log", *flags, asked, rev, wait_s=wait_s)
    found: list[_Seen] = []
    for one in _parsed(_bounded(log)):
        found.append(one)
        if len(found) >= CHANGES_MOST:
            return found, False
    return found, log.complete or bool(log.complaint)


def _bounded(chunks: Iterable[bytes]) -> Iterator[bytes]:
    """As much of a text as is read."""
    room = READ_MOST_BYTES
    for chunk in chunks:
        yield chunk
        room -= len(chunk)
        if room <= 0:
            return


def _parsed(chunks: Iterable[bytes]) -> Iterator[_Seen]:
    """The commits of a log."""
    one: _Seen | None = None
    for header, content in diff_headers(chunks):
        started, _, _, first, taken, new_first, put, *_ = header.groups()
        if started is not None:
            if one is not None:
                yield one
            one = _Seen(started.decode("ascii"))
        if one is None:
            continue
        if first is None:
            for sign, quoted in _FILE.findall(content):
                name = shown_path(unquoted(quoted)[2:])
                one.old_path, one.path = (name, one.path) if sign == b"-" else (one.old_path, name)
        else:
            one.first = one.first or int(new_first)
            one.count, one.old_count = one.count + int(put or b"1"), one.old_count + int(taken or b"1")
            for kept, sign in ((one.taken, b"-"), (one.put, b"+")):
                kept.extend(line.decode("utf-8", "replace") for line in signed(content, sign)[: LINES_KEPT - len(kept)])
    if one is not None:
        yield one


def _moved_from(state: RepoState, made: _Seen, until: float) -> tuple[str, str, Span] | None:
    """The commit, file and lines in which those that a commit put stood before, if it took as many out elsewhere.

    Of a file that it brought whole, an earlier commit may have deleted one of the same name that had them.
    """
    try:
        commit = next(iter(line_changes(state, made.sha, 1)), None)
    except SourceError:
        return None
    files = [file for file in (commit.files if commit is not None else ()) if file.path == made.path]
    if stood := _stood(made, [block for file in files for block in file.moved]):
        return f"{made.sha}^", *stood
    gone = _deleted_before(folder_of(state), made, until) if any(not file.old_path for file in files) else ()
    return next(((before, *stood) for before, blocks in gone if (stood := _stood(made, blocks))), None)


def _deleted_before(root: Path, made: _Seen, until: float) -> Iterator[tuple[str, list[Moved]]]:
    """The commits in which files of the same name stood last, the newest first, and which lines were put again.

    At most `GONE_FILES` of them are looked into, and none after `until`.
    """
    name = re.sub(r"([*?\[\\])", r"\\\1", os.fsdecode(raw_path(made.path)).rpartition("/")[2])
    asked = ("--ignore-missing", f"--max-count={GONE_TRIED}", "--format=%x01%H", "--name-only", "--diff-filter=D")
    place = (f"{made.sha}^", f"^{made.sha}~{GONE_COMMITS}", "--", f":(glob)**/{name}")
    put = dict(enumerate((b"".join(line.encode().split()) for line in made.put), made.first - 1))
    before, looked_into = "", 0
    for row in filter(None, _printed(root, until, "log", *asked, *place).split(b"\n")):
        if row.startswith(b"\x01"):
            before = f"{row[1:].decode('ascii')}^"
            continue
        looked_into += 1
        if looked_into > GONE_FILES or time.monotonic() > until:
            break
        path = shown_path(unquoted(row))
        text = _printed(root, until, "cat-file", "blob", f"{before}:{os.fsdecode(raw_path(path))}")
        gone = TakenOut([dict(enumerate(b"".join(line.split()) for line in text.split(b"\n")))])
        yield before, [Moved(to, path, at, count) for to, _, at, count in gone.put_back(put)]


def _printed(root: Path, until: float, *asked: str) -> bytes:
    """What git prints until then."""
    return b"".join(stream(root, *asked, wait_s=max(0.1, until - time.monotonic())))


def _stood(made: _Seen, moved: Sequence[Moved]) -> tuple[str, Span] | None:
    """The file and lines that enough of the lines come from which a commit put; None if they come from nowhere."""
    wanted = range(made.first - 1, made.first - 1 + made.count)
    moved = [block for block in moved if block.to < wanted.stop and block.to + block.lines > wanted.start]
    counts: Counter[str] = Counter()
    for block in moved:
        counts[block.old_path] += _inside(block, wanted)
    if not counts or counts.most_common(1)[0][1] < MOVED_SHARE * max(1, sum(map(bool, map(str.strip, made.put)))):
        return None
    path = counts.most_common(1)[0][0]
    blocks = [block for block in moved if block.old_path == path]
    first = min(block.at + max(0, wanted.start - block.to) for block in blocks)
    last = max(block.at + min(block.lines, wanted.stop - block.to) for block in blocks)
    return path, (first + 1, min(last, first + 2 * made.count))


def _inside(block: Moved, wanted: range) -> int:
    """How many lines of a block are among those wanted."""
    return min(block.to + block.lines, wanted.stop) - max(block.to, wanted.start)
