"""What each commit did to lines, for a long run of history at once: one `git log -p`, read as it comes.

History is followed along first parents: a merge stands for its branch, and what it brought is asked for by itself. A
line of content begins with `+`, `-`, a blank or a backslash, a name with a line end in it is quoted, and of messages
only the subject is asked for, behind the id, so that nothing in a repository can pose as a header. Lines of content are
kept until their commit is told, to see which of them only moved.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain

from msgspec import Struct, field

from companion.errors import SourceError
from companion.evidence.moves import TakenOut
from companion.records import RepoState, Span
from companion.records.line_changes import CommitLines, FileLines, Hunk, Moved
from companion.signals.git.checkout import history_ends
from companion.signals.git.filters import run_unfiltered
from companion.signals.git.history import RENAME_LIMIT
from companion.signals.git.running import BARE_DIFF, ask, commit_id, folder_of, names_commit, run, stream
from companion.signals.paths import raw_path, shown_path

SHOWN = (
    "--raw",
    "--no-abbrev",
    "--patch",
    "--full-index",
    "--inter-hunk-context=0",
    "-M",
    f"-l{RENAME_LIMIT}",
    "--submodule=short",
    *BARE_DIFF,
    "-O/dev/null",
)
"""How a difference is shown, for `commits_of` to read."""
SHOWN_HEAD = "--format=%x01%H %P%x02%s"
"""How a commit begins there."""
_LOGGED = (
    "--first-parent",
    "--diff-merges=first-parent",
    "--reverse",
    "--root",
    SHOWN_HEAD,
    "--ignore-all-space",
    "--no-show-signature",
)
_HEADER = re.compile(
    rb"^(?:\x01([0-9a-f]{40,64})([^\n]*)$"
    rb"|:([^\n]*)$"
    rb"|@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@"
    rb"|index ([0-9a-f]+\.\.[0-9a-f]+)"
    rb"|(Binary) files )",
    re.MULTILINE,
)
_LINE_MOST = 1_000_000
"""Bytes of a line without its end that are kept: no header is as long, and a minified file is one line."""
_COMPARED = 1_000_000
"""Bytes of a commit's lines from which on nobody looks for what moved: imports of other people's code are as long."""
_BLANKS = b" \t\r\f\v"
_TRAILING = re.compile(rb",(?=[)\]}])")
"""A comma behind the last of several things, which formatters put or take."""
_TEXT_MODE = b"100"
"""How the modes of regular files begin."""
_QUOTED = re.compile(rb'\\(?:([0-7]{3})|([abtnvfr"\\]))')
_SIGNS = dict(zip(b'abtnvfr"\\', b'\a\b\t\n\v\f\r"\\', strict=True))


def first_parents(state: RepoState, rev: str, most: int) -> tuple[str, ...]:
    """Ids of a commit and of its first parents, newest first, at most so many; none where it is not here.

    Commits at which a shallow history was cut are left out: what they did is not known.
    """
    root = folder_of(state)
    if not names_commit(rev) or not commit_id(root, rev):
        return ()
    listed = ask(root, "rev-list", "--first-parent", f"--max-count={most}", rev, fails=True).decode("ascii").split()
    cut = history_ends(state)
    return tuple(sha for sha in listed if sha not in cut)


def line_changes(state: RepoState, rev: str, most: int) -> Iterator[CommitLines]:
    """What the newest `most` commits along the first parents of `rev` did to lines, oldest first.

    Lines of which only blanks differ count as the same. Raises SourceError where git stops early, as it does where
    contents are not here.
    """
    if most < 1 or not names_commit(rev):
        return
    log = stream(folder_of(state), "log", *_LOGGED, *SHOWN, f"--max-count={most}", rev)
    yield from commits_of(log)
    if not log.complete:
        raise SourceError(f"git log stopped early: {log.complaint}.")


def old_spans(state: RepoState, older: str, newer: str) -> dict[str, tuple[Span, ...]]:
    """The lines of commit `older` that `newer` changes or removes, by path in `older`; new files have none.

    Where lines are only added, the line before them stands for them (the first line at the top of a file). Empty where
    a commit is not there.
    """
    if not (names_commit(older) and names_commit(newer)):
        return {}
    shown = ask(folder_of(state), "diff-tree", "-r", *SHOWN, older, newer, fails=True)
    files = [file for difference in commits_of([shown]) for file in difference.files]
    return {file.old_path: tuple(map(_span, file.hunks)) for file in files if file.old_path and file.hunks}


def work_tree_hunks(state: RepoState, path: str) -> tuple[Hunk, ...]:
    """How a file as it lies on disk differs from the commit that is checked out; nothing of one that it does not have.

    Lines of which only blanks differ count as the same.
    """
    if state.bare:
        return ()
    asked = ("diff-index", "--patch", "--ignore-all-space", *BARE_DIFF, "HEAD", "--", os.fsdecode(raw_path(path)))
    shown = run_unfiltered(folder_of(state), *asked).stdout
    found = (header.groups()[3:7] for header in _HEADER.finditer(shown) if header[4] is not None)
    return tuple(_hunk(first, taken, put) for first, taken, _, put in found)


def _hunk(first: bytes, taken: bytes | None, put: bytes | None) -> Hunk:
    """A hunk by the numbers of its header."""
    return Hunk(int(first) - (taken != b"0"), int(taken or b"1"), int(put or b"1"))


def edited_spans(state: RepoState) -> dict[str, tuple[Span, ...] | None]:
    """The files that differ from the checked-out commit, by path, and their lines on disk that are in no commit yet.

    None for files that git does not track. Where lines are only taken out, the line before them stands for them.
    """
    if state.bare:
        return {}
    untracked = run(folder_of(state), "ls-files", "--others", "--exclude-standard", "-z").stdout
    found: dict[str, tuple[Span, ...] | None] = {shown_path(name): None for name in untracked.split(b"\0") if name}
    if not state.head:
        return found
    shown = run_unfiltered(folder_of(state), "diff", "--ignore-submodules=dirty", *SHOWN, "HEAD").stdout
    files = [file for difference in commits_of([shown]) for file in difference.files]
    tracked = {file.path or file.old_path: tuple(_spans_now(file.hunks)) if file.path else () for file in files}
    return {**found, **tracked}


def _spans_now(hunks: Iterable[Hunk]) -> Iterator[Span]:
    """The lines that hunks put, where they stand afterwards."""
    moved = 0
    for hunk in hunks:
        first = hunk.at + moved + 1
        yield (first, first + hunk.put - 1) if hunk.put else (max(first - 1, 1), max(first - 1, 1))
        moved += hunk.put - hunk.taken


def _span(hunk: Hunk) -> Span:
    return (hunk.at + 1, hunk.at + hunk.taken) if hunk.taken else (max(hunk.at, 1), max(hunk.at, 1))


def changed_lines(state: RepoState, sha: str) -> list[str]:
    """The lines that a commit adds or removes, without their marks; empty for a merge or a missing object."""
    shown = ask(folder_of(state), "show", "--format=", *BARE_DIFF, "--no-show-signature", sha, fails=True)
    return [line[1:] for line in signed_lines(shown.decode("utf-8", "replace"))]


def signed_lines(shown: str) -> list[str]:
    """The lines of a diff that were taken out or put in, with their sign; headers are none."""
    return [line for line in shown.splitlines() if line[:1] in {"+", "-"} and not line.startswith(("+++ ", "--- "))]


def diff_headers(chunks: Iterable[bytes]) -> Iterator[tuple[re.Match[bytes], bytes]]:
    """The header lines of a log, each with what stands until the next one; of very much the beginning."""
    header: re.Match[bytes] | None = None
    content = b""
    for text in _whole_lines(chunks):
        read = 0
        for found in _HEADER.finditer(text):
            if header is not None:
                yield header, content + text[read : found.start()]
            header, content, read = found, b"", found.end()
        if len(content) < _COMPARED:
            content += text[read:]
    if header is not None:
        yield header, content


def _whole_lines(chunks: Iterable[bytes]) -> Iterator[bytes]:
    """The same text in pieces that end where a line does."""
    rest = b""
    for chunk in chunks:
        whole, end, last = chunk.rpartition(b"\n")
        if end:
            yield rest + whole + end
            rest = last
        elif len(rest) < _LINE_MOST:
            rest += last
    yield rest


class _Entry(Struct):
    """A file of a commit, as `--raw` names it, and the hunks that follow, with the text of each."""

    blobs: bytes
    path: str
    old_path: str
    text: bool
    hunks: list[Hunk] = field(default_factory=list)
    new_firsts: list[int] = field(default_factory=list)
    contents: list[bytes] = field(default_factory=list)

    def taken(self) -> dict[int, bytes]:
        """The lines it lost, without their blanks, by their number before."""
        firsts = (hunk.at for hunk in self.hunks)
        return dict(chain.from_iterable(map(enumerate, (signed(one, b"-") for one in self.contents), firsts)))

    def put(self) -> dict[int, bytes]:
        """The lines it gained, without their blanks, by their number now."""
        return dict(chain.from_iterable(map(enumerate, (signed(one, b"+") for one in self.contents), self.new_firsts)))


def signed(content: bytes, sign: bytes) -> list[bytes]:
    """The lines of a hunk that begin with a sign, without it."""
    return [line[1:] for line in content.split(b"\n") if line[:1] == sign]


def commits_of(chunks: Iterable[bytes]) -> Iterator[CommitLines]:
    """What commits did, from their differences as git shows them; one without a commit has no id."""
    sha, merge, subject = "", False, ""
    entries: list[_Entry] = []
    at, shown = 0, None
    for header, content in diff_headers(chunks):
        started, rest, raw, first, taken, new_first, put, blobs, binary = header.groups()
        if first is not None:
            if shown is not None:
                hunk = _hunk(first, taken, put)
                shown.hunks.append(hunk)
                shown.new_firsts.append(int(new_first) - (hunk.put > 0))
                shown.contents.append(content[content.find(b"\n") :].translate(None, _BLANKS))
        elif blobs is not None:
            found = next((n for n in range(at, len(entries)) if _same(entries[n].blobs, blobs)), None)
            shown = None if found is None else entries[found]  # where a file became a link, it is shown as two
            at = at if found is None else found + 1
        elif raw is not None:
            entries.append(_entry(raw))
        elif binary is not None:
            if shown is not None:
                shown.text = False
        else:
            if sha:
                yield CommitLines(sha, merge, tuple(_told(entries)), subject)
            parents, _, said = rest.partition(b"\x02")
            sha, merge, subject = started.decode(), b" " in parents.strip(), said.decode("utf-8", "replace")
            entries, at, shown = [], 0, None
    if sha or entries:
        yield CommitLines(sha, merge, tuple(_told(entries)), subject)


def _same(listed: bytes, shown: bytes) -> bool:
    """Whether a file is listed and shown with the same contents; what is in no commit is listed without an id."""
    old, _, new = listed.partition(b"..")
    return listed == shown or (not new.strip(b"0") and shown.startswith(old + b".."))


def _told(entries: Sequence[_Entry]) -> Iterator[FileLines]:
    """What a commit did to its files, once all of it was shown."""
    size = sum(len(content) for entry in entries for content in entry.contents)
    taken_out = TakenOut([entry.taken() for entry in entries] if size < _COMPARED else [])
    for entry in entries:
        blob = entry.blobs.rpartition(b"..")[2].decode()
        blocks = taken_out.put_back(entry.put() if size < _COMPARED else {})
        moved = [Moved(to, entries[number].old_path, at, count) for to, number, at, count in blocks]
        known = {line for one in moved for line in range(one.to, one.to + one.lines)}
        broken = [one for one in _broken_anew(entry) if one.to not in known] if size < _COMPARED else []
        yield FileLines(entry.path, entry.old_path, blob, tuple(entry.hunks), entry.text, (*moved, *broken))


def _broken_anew(entry: _Entry) -> Iterator[Moved]:
    """Each line of hunks that say what they said before in other lines, with the line that stood about there."""
    for hunk, first, content in zip(entry.hunks, entry.new_firsts, entry.contents, strict=True):
        if hunk.taken and hunk.put and _said(content, b"-") == _said(content, b"+"):
            for line in range(hunk.put):
                yield Moved(first + line, entry.old_path, hunk.at + line * hunk.taken // hunk.put, 1)


def _said(content: bytes, sign: bytes) -> bytes:
    """The lines of a hunk with a sign as one, without what only the form of code asks for."""
    return _TRAILING.sub(b"", b"".join(signed(content, sign)).replace(b"'", b'"'))


def _entry(raw: bytes) -> _Entry:
    """A line of `--raw` without its colon: modes, blobs and status, then one path or two."""
    facts, *names = raw.split(b"\t")
    old_mode, mode, old_blob, blob, status = facts.split(b" ")
    paths = [shown_path(unquoted(name)) for name in names]
    gone, new = status.startswith(b"D"), status.startswith(b"A")
    return _Entry(
        blobs=old_blob + b".." + blob,
        path="" if gone else paths[-1],
        old_path="" if new else paths[0],
        text=mode.startswith(_TEXT_MODE) and (new or old_mode.startswith(_TEXT_MODE)),
    )


def unquoted(name: bytes) -> bytes:
    """A path as git quotes it where it holds quotes, backslashes or control characters."""
    if not name.startswith(b'"'):
        return name
    return _QUOTED.sub(lambda found: bytes([int(found[1], 8) if found[1] else _SIGNS[found[2][0]]]), name[1:-1])
