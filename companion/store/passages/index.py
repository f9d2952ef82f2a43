"""The index of passages of one store: written by whoever holds the store, read by all threads.

Derived: deleting its folder loses nothing, and one that is damaged or of another version is made anew. The states of
sources are committed with their passages, so that a killed process leaves what was before or after, and the next scan
cuts only what differs. Where the disk takes nothing, what is there goes on being read, and `missing` says so.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path
from typing import TypeVar

import tantivy

from companion.records import Passage, PassageHit
from companion.store.passages.asking import (
    FileHit,
    PassageQuery,
    ReadIndex,
    ask,
    commits_called,
    files_about,
    labelled,
    worth_of,
)
from companion.store.passages.documents import (
    BETWEEN,
    SourcePassages,
    documents,
    label,
    meaning_label,
    record_of,
    terms_of,
    unpacked,
    whole_in,
)
from companion.store.passages.meaning import in_turn, meant
from companion.store.text.space import IndexDamaged, Space, guarded

FOLDER = "passages"

HEAP_BYTES = 32_000_000
"""What is collected before a part of the index is written: some 10,000 passages."""

_STATES_MOST = 1_000_000
"""Sources of one space that are told of: more than the commits of any project."""

Answer = TypeVar("Answer")


class PassageChange:
    """What one commit of the index changes."""

    def __init__(self, writer: tantivy.IndexWriter) -> None:
        self._writer = writer

    def replace(self, space: str, cut: SourcePassages) -> None:
        """These are the passages of a source now."""
        self.remove(space, [cut.source])
        for document in documents(space, cut):
            self._writer.add_document(document)

    def remove(self, space: str, sources: Iterable[str]) -> None:
        """A source is there no longer."""
        for source in sources:
            self._writer.delete_documents_by_term("label", label("source", space, source))


class PassageIndex:
    """The passages under one folder. `missing` says what is wrong with them, empty while all is well."""

    def __init__(self, home: Path) -> None:
        """Nothing is opened before it is asked. Never raises: what is wrong is said in `missing`."""
        self.missing = ""
        self._folder = home / FOLDER
        self._space = Space(self._folder, HEAP_BYTES)
        self._index: ReadIndex | None = None
        self._writing = threading.Lock()
        """Held while something is changed."""

    def close(self) -> None:
        """Let go of the files."""
        with self._writing:
            self._index = None
            self._space.close()

    def unload(self) -> None:
        """Forget what was read; what is found is read again."""
        self._index = None
        terms_of.cache_clear()

    def rest(self) -> None:
        """Let another process write, once what is being merged is merged."""
        with self._writing, self._told("merged"):
            self._space.rest()

    def search(self, query: PassageQuery) -> tuple[PassageHit, ...]:
        """The best passages for a question, best first; none where the index cannot be read."""
        return self._asked(partial(ask, query=query), ())

    def files(self, query: PassageQuery) -> tuple[FileHit, ...]:
        """The files that as wholes fit a question best, best first; none where the index cannot be read."""
        return self._asked(partial(files_about, query=query), ())

    def called(self, query: PassageQuery, limit: int) -> tuple[Passage, ...]:
        """The commits whose very subject the text of a query is, the newest first."""
        return self._asked(partial(commits_called, query=query, limit=limit), ())

    def worth(self, text: str) -> Mapping[str, float]:
        """How much each term of a question tells among all passages; nothing where the index cannot be read."""
        return self._asked(partial(worth_of, text=text), {})

    def states(self, space: str) -> Mapping[str, str]:
        """The state of every source of a space when it was cut."""
        return {source: state for source, _, state in (key.rpartition(BETWEEN) for key in self._keys("state", space))}

    def has(self, space: str) -> bool:
        """Whether anything of a space is in the index; nothing is where one of another version was dropped."""
        return bool(self._keys("source", space, most=1))

    def state(self, space: str, source: str) -> str:
        """The state of one source when it was cut; empty if it is not known."""
        return next(iter(self._keys("state", space, source)), "")

    def of_source(self, space: str, source: str) -> tuple[SourcePassages, ...]:
        """What is kept of one source, one or none; for one that has moved, so that it is not cut again."""

        def kept(index: ReadIndex) -> tuple[SourcePassages, ...]:
            documents = labelled(index, label("source", space, source), index.searcher.num_docs)
            wholes = [whole_in(document) for document in documents]
            held = [one for one, whole in zip(documents, wholes, strict=True) if record_of(one) and whole is None]
            whole = next(filter(None, wholes), None)
            passages = tuple(map(unpacked, held))
            return (SourcePassages(source, state, passages, whole=whole),)

        state = self.state(space, source)
        return self._asked(kept, ()) if state else ()

    def of_commit(self, sha: str) -> Passage | None:
        """The passage that a commit's message begins with; None where it is not known."""

        def passage(index: ReadIndex) -> Passage | None:
            return next((unpacked(one) for one in labelled(index, label("ref", sha), 1)), None)

        return self._asked(passage, None)

    def meanings(self, space: str, places: Mapping[str, int]) -> list[int]:
        """Keys of what is to have a vector in a space, the most useful first; `places` are those of its files."""
        return in_turn(self._keys("turn", space), places)

    def meant(self, keys: Iterable[int]) -> list[str]:
        """What is embedded for some of these keys; of what is gone meanwhile nothing."""

        def texts(index: ReadIndex) -> list[str]:
            found = (one for key in keys for one in labelled(index, meaning_label(key), 1))
            return [meant(unpacked(one)) for one in found]

        return self._asked(texts, [])

    def version(self) -> object:
        """Another one after each change."""
        return self._space.version()

    def change(self, work: Callable[[PassageChange], None]) -> bool:
        """Have something changed in one commit; False where the disk does not take it, which `missing` says."""
        done = False
        with self._writing, self._told("written"):
            space = self._in_place()
            try:
                writer = space.writer()
                work(PassageChange(writer))
                writer.commit()
            except BaseException:
                space.rollback()
                raise
            done = True
            self.missing = ""
        return done

    def rebuild(self) -> None:
        """Throw everything away; the next scan fills it again."""
        with self._writing, self._told("written"):
            self._in_place().drop()
            self.missing = ""

    def verify(self) -> str:
        """Read all files of the index; empty if they are sound, else what is wrong."""
        self.rest()
        with self._told("read"):
            if self._read() is not None and (wrong := self._space.wrong()):
                raise IndexDamaged(wrong)
        return self.missing

    def _asked(self, question: Callable[[ReadIndex], Answer], nothing: Answer) -> Answer:
        """The answer to a question; `nothing` where there is no index, or it cannot be read."""
        with self._told("read"):
            index = self._read()
            return question(index) if index is not None else nothing
        return nothing

    def _keys(self, *start: str, most: int = _STATES_MOST) -> list[str]:
        """What is behind the start of labels."""
        prefix = label(*start, "")

        def keys(index: ReadIndex) -> list[str]:
            alive = tantivy.Query.all_query()  # else labels of what was deleted come too
            found = index.searcher.terms_with_prefix("label", prefix, alive, most)
            return [key.removeprefix(prefix) for key, _ in found]

        return self._asked(keys, [])

    def _read(self) -> ReadIndex | None:
        """The last commit, the same object until there is another."""
        searcher, read = self._searcher(), self._index
        if searcher is None or read is None or read.searcher is not searcher:
            read = self._index = ReadIndex(searcher) if searcher is not None else None
        return read

    def _searcher(self) -> tantivy.Searcher | None:
        try:
            with guarded():
                return self._space.searcher()
        except OSError:
            if self._space.is_copied:
                raise
        # It takes a lock even to be read: on a disk that takes nothing a copy is read.
        self._space = Space(self._folder, HEAP_BYTES, copied=True)
        return self._space.searcher()

    def _in_place(self) -> Space:
        """The index itself, where a copy was read: the disk may take something again."""
        if self._space.is_copied:
            self._space.close()
            self._space = Space(self._folder, HEAP_BYTES)
        return self._space

    @contextmanager
    def _told(self, done: str) -> Iterator[None]:
        """Note in `missing` what keeps the index from being read or written; the rest of the block is left out.

        What is damaged counts as no index from now on, so that the next scan fills it again.
        """
        try:
            with guarded():
                yield
        except OSError as wrong:
            self.missing = f"the index of passages cannot be {done} ({wrong}); what is in it is found"
        except IndexDamaged as wrong:
            self.missing = f"the index of passages was damaged ({wrong}): run `companion init`"
            with suppress(OSError):
                self._space.disown()
