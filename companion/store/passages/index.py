"""The index of passages of one store: written by whoever holds the store, read by all threads.

Derived: deleting its folder loses nothing, and one that is damaged or of another version is made anew. The states of
sources are committed with their passages, so that a killed process leaves what was before or after, and the next scan
cuts only what differs. Where the disk takes nothing, what is there goes on being read, and `missing` says so.
"""

from __future__ import annotations

import shutil
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from tempfile import TemporaryDirectory

import tantivy

from companion.records import Passage, PassageHit
from companion.store.files import PRIVATE_FOLDER
from companion.store.passages.asking import FileHit, PassageQuery, ask, commits_called, files_about, worth_of
from companion.store.passages.documents import (
    BETWEEN,
    FORMAT,
    SourcePassages,
    documents,
    meaning_term,
    schema,
    source_key,
    state_key,
    unpacked,
    unpacked_whole,
)
from companion.store.passages.meaning import in_turn, meant
from companion.store.text.checksums import wrong_in
from companion.store.text.trouble import cannot_be_written, first_line, panicked

FOLDER = "passages"
FORMAT_FILE = "format"
"""Written last when an index is made: without it, it was cut off."""
META = "meta.json"

HEAP_BYTES = 32_000_000
"""What is collected before a part of the index is written: some 10,000 passages."""

_STATES_MOST = 1_000_000
"""Sources of one space that are told of: more than the commits of any project."""


class PassagesDamaged(Exception):
    """What lies there cannot be read as an index of passages."""


class PassageChange:
    """What one commit of the index changes."""

    def __init__(self, writer: tantivy.IndexWriter) -> None:
        self._writer = writer

    def replace(self, space: str, cut: SourcePassages) -> None:
        """These are the passages of a source now."""
        self._writer.delete_documents_by_term("source", source_key(space, cut.source))
        for document in documents(space, cut):
            self._writer.add_document(document)

    def remove(self, space: str, sources: Iterable[str]) -> None:
        """A source is there no longer."""
        for source in sources:
            self._writer.delete_documents_by_term("source", source_key(space, source))


class PassageIndex:
    """The passages under one folder. `missing` says what is wrong with them, empty while all is well."""

    def __init__(self, home: Path) -> None:
        """Nothing is opened before it is asked. Never raises: what is wrong is said in `missing`."""
        self.missing = ""
        self._folder = home / FOLDER
        self._schema = schema()
        self._index: tantivy.Index | None = None
        self._writer: tantivy.IndexWriter | None = None
        self._copy: TemporaryDirectory[str] | None = None
        self._seen: tuple[int, int, int] | None = None
        self._lock = threading.RLock()
        self._writing = threading.Lock()
        """Held while something is changed; before `_lock`, where both are waited for."""

    def close(self) -> None:
        """Let go of the files."""
        with self._writing, self._lock:
            self._let_go()

    def rest(self) -> None:
        """Let another process write, once what is being merged is merged."""
        with self._writing:
            writer, self._writer = self._writer, None
            if writer is not None:
                with self._mapped("merged"):
                    writer.wait_merging_threads()

    def search(self, query: PassageQuery) -> tuple[PassageHit, ...]:
        """The best passages for a question, best first; none where the index cannot be read."""
        found: tuple[PassageHit, ...] = ()
        with self._mapped("read"):
            searcher = self._searcher()
            if searcher is not None:
                found = ask(searcher, self._schema, query)
        return found

    def files(self, query: PassageQuery) -> tuple[FileHit, ...]:
        """The files that as wholes fit a question best, best first; none where the index cannot be read."""
        found: tuple[FileHit, ...] = ()
        with self._mapped("read"):
            searcher = self._searcher()
            if searcher is not None:
                found = files_about(searcher, self._schema, query)
        return found

    def called(self, query: PassageQuery, limit: int) -> tuple[Passage, ...]:
        """The commits whose very subject the text of a query is, the newest first."""
        found: tuple[Passage, ...] = ()
        with self._mapped("read"):
            searcher = self._searcher()
            if searcher is not None:
                found = commits_called(searcher, self._schema, query, limit)
        return found

    def worth(self, terms: Iterable[str]) -> Mapping[str, float]:
        """How much each term tells among all passages; nothing where the index cannot be read."""
        found: dict[str, float] = {}
        with self._mapped("read"):
            searcher = self._searcher()
            if searcher is not None:
                found = worth_of(searcher, terms)
        return found

    def states(self, space: str) -> Mapping[str, str]:
        """The state of every source of a space when it was cut."""
        found: dict[str, str] = {}
        with self._mapped("read"):
            for key in self._keys(f"{space}{BETWEEN}"):
                source, _, state = key.removeprefix(f"{space}{BETWEEN}").rpartition(BETWEEN)
                found[source] = state
        return found

    def state(self, space: str, source: str) -> str:
        """The state of one source when it was cut; empty if it is not known."""
        start = state_key(space, source, "")
        with self._mapped("read"):
            return next((key.removeprefix(start) for key in self._keys(start)), "")
        return ""

    def of_source(self, space: str, source: str) -> tuple[SourcePassages, ...]:
        """What is kept of one source, one or none; for one that has moved, so that it is not cut again."""
        found: list[SourcePassages] = []
        with self._mapped("read"):
            searcher, state = self._searcher(), self.state(space, source)
            if searcher is not None and state:
                asked = tantivy.Query.term_query(
                    self._schema, "source", source_key(space, source), index_option="basic"
                )
                kept = [searcher.doc(address) for _, address in searcher.search(asked, searcher.num_docs).hits]
                passages = tuple(unpacked(one["passage"][0]) for one in kept if one.get_first("passage") is not None)
                wholes = [unpacked_whole(one["whole"][0])[1] for one in kept if one.get_first("whole") is not None]
                found.append(SourcePassages(source, state, passages, whole=wholes[0] if wholes else None))
        return tuple(found)

    def of_commit(self, sha: str) -> Passage | None:
        """The passage that a commit's message begins with; None where it is not known."""
        found: list[Passage] = []
        with self._mapped("read"):
            if (searcher := self._searcher()) is not None:
                asked = tantivy.Query.term_query(self._schema, "ref", sha, index_option="basic")
                hits = searcher.search(asked, 1, count=False).hits
                found += [unpacked(searcher.doc(address)["passage"][0]) for _, address in hits]
        return found[0] if found else None

    def meanings(self, space: str, places: Mapping[str, int]) -> list[int]:
        """Keys of what is to have a vector in a space, the most useful first; `places` are those of its files."""
        start = f"{space}{BETWEEN}"
        with self._mapped("read"):
            return in_turn((key.removeprefix(start) for key in self._keys(start, "meaning")), places)
        return []

    def meant(self, keys: Iterable[int]) -> list[str]:
        """What is embedded for some of these keys; of what is gone meanwhile nothing."""
        found: list[str] = []
        with self._mapped("read"):
            if (searcher := self._searcher()) is not None:
                for key in keys:
                    asked = tantivy.Query.term_query(self._schema, "meaning", meaning_term(key), index_option="basic")
                    hits = searcher.search(asked, 1, count=False).hits
                    found += [meant(unpacked(searcher.doc(address)["passage"][0])) for _, address in hits]
        return found

    def version(self) -> object:
        """Another one after each change."""
        return self._stamp()

    def change(self, work: Callable[[PassageChange], None]) -> bool:
        """Have something changed in one commit; False where the disk does not take it, which `missing` says."""
        done = False
        with self._writing, self._mapped("written"):
            writer = self._open_writer()
            try:
                work(PassageChange(writer))
                writer.commit()
            except BaseException:
                with suppress(Exception):
                    writer.rollback()
                self._writer = None
                raise
            done = True
            self.missing = ""
        return done

    def drop(self, space: str) -> None:
        """Take everything of a space out."""
        self.change(lambda change: change.remove(space, self.states(space)))

    def rebuild(self) -> None:
        """Throw everything away; the next scan fills it again."""
        with self._writing, self._lock, self._mapped("written"):
            self._anew()
            self.missing = ""

    def verify(self) -> str:
        """Read all files of the index; empty if they are sound, else what is wrong."""
        self.rest()
        with self._mapped("read"):
            searcher = self._searcher()
            if searcher is not None and not self._copy and (wrong := wrong_in(self._folder)):
                raise PassagesDamaged(wrong)
        return self.missing

    # ------------------------------------------------------------------ the library

    def _keys(self, start: str, field: str = "state") -> list[str]:
        searcher = self._searcher()
        if searcher is None:
            return []
        alive = tantivy.Query.all_query()  # else words of what was deleted come too
        return [key for key, _ in searcher.terms_with_prefix(field, start, alive, _STATES_MOST)]

    def _searcher(self) -> tantivy.Searcher | None:
        """The index as it was committed last, by whomever; None where there is none."""
        with self._lock:
            seen = self._stamp()
            if self._index is None:
                self._index = self._opened() if seen is not None else None
                self._seen = seen
            elif seen is None:
                self._let_go()
            elif seen != self._seen:
                if self._copy is None:
                    self._index.reload()
                self._seen = seen
            return self._index.searcher() if self._index is not None else None

    def _opened(self) -> tantivy.Index | None:
        if not self._is_ours():
            return None
        try:
            return tantivy.Index(self._schema, path=str(self._folder))
        except ValueError as wrong:
            if not cannot_be_written(wrong):
                raise PassagesDamaged(str(wrong)) from wrong
        # It takes a lock even to be read: on a disk that takes nothing a copy is read.
        self._copy = TemporaryDirectory(prefix="companion-passages-")
        shutil.copytree(self._folder, self._copy.name, dirs_exist_ok=True)
        Path(self._copy.name).chmod(PRIVATE_FOLDER)
        for file in Path(self._copy.name).iterdir():
            file.chmod(0o600)
        return tantivy.Index(self._schema, path=self._copy.name)

    def _is_ours(self) -> bool:
        try:
            return (self._folder / FORMAT_FILE).read_text("utf-8") == FORMAT
        except (OSError, ValueError):
            return False

    def _stamp(self) -> tuple[int, int, int] | None:
        try:
            found = (self._folder / META).stat()
        except OSError:
            return None
        return found.st_ino, found.st_mtime_ns, found.st_size

    def _open_writer(self) -> tantivy.IndexWriter:
        """The writer, which makes an index where there is none that can be written to."""
        with self._lock:
            if self._stamp() is None or not self._is_ours():
                self._anew()
            if self._searcher() is None or self._index is None:
                raise PassagesDamaged("it is gone")
            if self._copy is not None:
                raise PermissionError("it can only be read")
            if self._writer is None:
                self._writer = self._index.writer(heap_size=HEAP_BYTES, num_threads=1)
            return self._writer

    def _anew(self) -> None:
        self._let_go()
        with suppress(FileNotFoundError):
            shutil.rmtree(self._folder)
        self._folder.mkdir(mode=PRIVATE_FOLDER)
        self._index = tantivy.Index(self._schema, path=str(self._folder), reuse=False)
        self._seen = self._stamp()
        (self._folder / FORMAT_FILE).write_text(FORMAT, "utf-8")

    def _let_go(self) -> None:
        self._index = self._writer = self._seen = None
        if self._copy is not None:
            self._copy.cleanup()
            self._copy = None

    @contextmanager
    def _mapped(self, done: str) -> Iterator[None]:
        """Note in `missing` what keeps the index from being read or written; the rest of the block is left out."""
        try:
            yield
        except BaseException as wrong:
            if not isinstance(wrong, (ValueError, OSError, RuntimeError, PassagesDamaged)) and not panicked(wrong):
                raise
            if isinstance(wrong, OSError) or cannot_be_written(wrong):
                self.missing = f"the index of passages cannot be {done} ({first_line(wrong)}); what is in it is found"
                return
            self._fail(wrong)

    def _fail(self, wrong: BaseException) -> None:
        """Damaged: what lies there is thrown away where that can be, and the next scan fills it again."""
        with self._lock:
            self.missing = f"the index of passages was damaged ({first_line(wrong)}): run `companion init`"
            with suppress(OSError, ValueError):
                self._let_go()
                (self._folder / FORMAT_FILE).unlink(missing_ok=True)
