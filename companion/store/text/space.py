"""One index of the library tantivy, in a folder of its own: all full-text search is made of these.

Readers see the last commit, of whichever process. A commit is whole or not there, so a killed process leaves the state
before or after it. An index of another format counts as absent, and the first change makes it anew: all of it is
derived from the tables.

Callers work inside `guarded`, which raises IndexDamaged for what cannot be read and OSError where the disk refuses.
"""

from __future__ import annotations

import json
import math
import shutil
import threading
import zlib
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from tempfile import TemporaryDirectory

import tantivy

from companion.store.files import PRIVATE_FOLDER
from companion.store.text import analysis

FORMAT = f"16.{analysis.VERSION}"
"""Version of what is written."""

HEAP_BYTES = 15_000_000
"""What is collected before a part of an index is written: the least that the library takes."""

_FORMAT, _MARK, _META = "format", "mark", "meta.json"
_HINDRANCES = ("No space left", "Permission denied", "Read-only", "Disk quota", "LockBusy", "too large", "Input/output")


class IndexDamaged(Exception):
    """What lies there is not readable as an index of ours."""


def _schema() -> tantivy.Schema:
    """Fields of a memory or turn: number, key, state, words, facets; of a passage: title, above, text, at.

    Both have labels, which are exact keys and never rank, and a record, which is handed out. Words are analysed before
    they come here, and only split at blanks.
    """
    builder = tantivy.SchemaBuilder()
    builder.add_integer_field("number", indexed=True, fast=True)
    builder.add_integer_field("at", indexed=True, fast=True)
    builder.add_integer_field("state", stored=True)
    builder.add_text_field("key", tokenizer_name="raw", index_option="basic", stored=True)
    builder.add_text_field("label", tokenizer_name="raw", index_option="basic")
    builder.add_text_field("words", tokenizer_name="whitespace", index_option="freq", stored=True)
    for field in ("title", "above", "text"):
        builder.add_text_field(field, tokenizer_name="whitespace", index_option="freq")
    for field in ("facets", "record"):
        builder.add_bytes_field(field, stored=True)
    return builder.build()


SCHEMA = _schema()


class Space:
    """The index of one folder. Threads may share it; one at a time may write."""

    def __init__(self, folder: Path, heap_bytes: int = HEAP_BYTES, *, copied: bool = False) -> None:
        """Nothing is opened before it is asked. With `copied` a copy is worked in, for a disk that takes nothing."""
        self._heap_bytes = heap_bytes
        self._copy = _copy_of(folder) if copied else None
        self._folder = Path(self._copy.name) if self._copy is not None else folder
        self._index: tantivy.Index | None = None
        self._searcher: tantivy.Searcher | None = None
        self._writer: tantivy.IndexWriter | None = None
        self._seen: tuple[object, object] | None = None
        self._mark = ""
        self._lock = threading.RLock()

    @property
    def is_copied(self) -> bool:
        """Whether a copy is worked in."""
        return self._copy is not None

    @property
    def is_written(self) -> bool:
        """Whether this process alone may write to it now."""
        return self._writer is not None

    def close(self) -> None:
        """Let go of the files."""
        with self._lock:
            self._forget()
            if self._copy is not None:
                self._copy.cleanup()

    def rest(self) -> None:
        """Let another process write, once what is being merged is merged."""
        writer, self._writer = self._writer, None
        if writer is not None:
            writer.wait_merging_threads()

    def is_ours(self) -> bool:
        """Whether an index of this format lies there."""
        return self._read(_FORMAT) == FORMAT

    def version(self) -> tuple[object, object] | None:
        """What was made when and committed when; None where there is no index."""
        try:
            made, found = (self._folder / _FORMAT).stat(), (self._folder / _META).stat()
        except OSError:
            return None
        return (made.st_ino, made.st_mtime_ns), (found.st_ino, found.st_mtime_ns, found.st_size)

    def searcher(self) -> tantivy.Searcher | None:
        """The last commit, the same object until there is another; None where there is no index of this format."""
        with self._lock:
            seen = self.version()
            if self._seen is not None and (seen is None or seen[0] != self._seen[0]):
                self._forget()  # another process made it anew
            if seen != self._seen:
                if self._index is None and self.is_ours():
                    self._index = tantivy.Index(SCHEMA, path=str(self._folder))
                if self._index is not None:
                    self._index.reload()
                    self._searcher = self._index.searcher()
                    self._mark = self._read(_MARK)
                self._seen = seen
            return self._searcher

    def writer(self) -> tantivy.IndexWriter:
        """What changes it. An index that is absent is made."""
        with self._lock:
            if self._writer is None:
                index = self._index if self.searcher() is not None else None
                self._writer = (index or self._made()).writer(heap_size=self._heap_bytes, num_threads=1)
            return self._writer

    def rollback(self) -> None:
        """Take back what was not committed."""
        writer, self._writer = self._writer, None
        if writer is not None:
            with suppress(Exception):
                writer.rollback()

    def mark(self) -> str:
        """The text that was kept beside the documents; empty if there is none."""
        return self._mark if self.searcher() is not None else ""

    def set_mark(self, text: str) -> None:
        """Keep a text beside the documents, to be set once what it tells of is committed."""
        with self._lock:
            if self.searcher() is None:
                self._made()
        new = self._folder / f"{_MARK}.new"
        new.write_text(text, "utf-8")
        new.replace(self._folder / _MARK)
        self._mark = text

    def drop(self) -> None:
        """Throw everything away; the next change makes it anew."""
        with self._lock:
            self._forget()
            with suppress(FileNotFoundError):
                shutil.rmtree(self._folder)

    def disown(self) -> None:
        """Let what lies there count as no index of ours, in every process."""
        with self._lock:
            self._forget()
            (self._folder / _FORMAT).unlink(missing_ok=True)

    def wrong(self) -> str:
        """Read all files; return what is wrong with them, empty if they are sound."""
        return wrong_in(self._folder) if self.searcher() is not None else ""

    def _made(self) -> tantivy.Index:
        self.drop()
        self._folder.parent.mkdir(
            mode=PRIVATE_FOLDER, exist_ok=True
        )  # not what lies above: a store may have moved away
        self._folder.mkdir(mode=PRIVATE_FOLDER)
        self._index = made = tantivy.Index(SCHEMA, path=str(self._folder), reuse=False)
        (self._folder / _FORMAT).write_text(FORMAT, "utf-8")  # last: without it, it was cut off
        return made

    def _read(self, name: str) -> str:
        try:
            return (self._folder / name).read_text("utf-8")
        except (FileNotFoundError, UnicodeDecodeError):
            return ""

    def _forget(self) -> None:
        self._index = self._searcher = self._writer = self._seen = None
        self._mark = ""


def sweep(folder: Path) -> None:
    """Remove what lies in a folder of indexes and is none of this format."""
    for old in folder.iterdir():
        if not old.is_dir():
            old.unlink()
        elif not Space(old).is_ours():
            shutil.rmtree(old)


def rarities(searcher: tantivy.Searcher, terms: Iterable[str], *fields: str) -> dict[str, float]:
    """How much each term tells apart."""
    return {term: rarity(max(searcher.doc_freq(one, term) for one in fields), searcher.num_docs) for term in terms}


def rarity(having: int, among: int) -> float:
    """How much a term tells that so many documents have: the inverse document frequency that is never negative."""
    return math.log1p((max(0, among - having) + 0.5) / (min(among, having) + 0.5))


@contextmanager
def guarded() -> Iterator[None]:
    """What the library or numpy cannot make sense of is one error of ours."""
    try:
        yield
    except (IndexDamaged, OSError):
        raise
    except BaseException as wrong:
        said = str(wrong).partition("\n")[0][:200]
        if isinstance(wrong, ValueError) and any(one in str(wrong) for one in _HINDRANCES):
            raise OSError(said) from wrong
        panicked = type(wrong).__module__ == "pyo3_runtime"
        if isinstance(wrong, (ValueError, LookupError, TypeError, RuntimeError)) or panicked:
            raise IndexDamaged(said.partition("(")[0].rstrip(": '\"")) from wrong
        raise


def _copy_of(folder: Path) -> TemporaryDirectory[str]:
    """A copy that can be written; an empty one of what cannot even be read."""
    copy = TemporaryDirectory(prefix="companion-index-")
    try:
        for file in folder.iterdir():
            shutil.copyfile(file, Path(copy.name) / file.name)
    except OSError:
        (Path(copy.name) / _FORMAT).unlink(missing_ok=True)
    return copy


_END = 8
"""Bytes behind the footer: its length, then a number that tells a footer."""
_AT_ONCE = 1 << 20


def wrong_in(folder: Path) -> str:
    """The first file of an index that is not as it was written, in words; empty if all are.

    What a killed process was writing belongs to no index yet.
    """
    try:
        meta = json.loads((folder / "meta.json").read_text("utf-8"))
        committed = {str(segment["segment_id"]).replace("-", "") for segment in meta["segments"]}
    except (ValueError, KeyError, TypeError) as wrong:
        return f"meta.json: {wrong}"
    for path in sorted(folder.iterdir()):
        with suppress(FileNotFoundError):  # it was merged away meanwhile
            if path.stem in committed and (said := _wrong(path)):
                return f"{path.name}: {said}"
    return ""


def _wrong(path: Path) -> str:
    size = path.stat().st_size
    if size < _END:
        return "cut off"
    with path.open("rb") as file:
        file.seek(size - _END)
        length = int.from_bytes(file.read(4), "little")
        body = size - _END - length
        if not 0 < length < size:
            return "its footer is cut off"
        file.seek(body)
        try:
            told = int(json.loads(file.read(length))["crc"])
        except (ValueError, KeyError, TypeError):
            return "its footer cannot be read"
        file.seek(0)
        found, left = 0, body
        while left > 0 and (part := file.read(min(_AT_ONCE, left))):
            found = zlib.crc32(part, found)
            left -= len(part)
    return "" if found == told else "it has changed since it was written"
