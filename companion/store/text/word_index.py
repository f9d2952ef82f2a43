"""Documents by their words: an index of tantivy's for each space, and what each document is known by, as arrays.

Documents live in spaces (one for each project's memories, each user's turns and conversations), each with an index of
its own, so that what is said in one makes no word of another common. They are numbered in the order they come. Words
are scored by BM25; labels are exact keys, which never rank.

All of it is derived. A change of a space is one commit, so that a killed process leaves the state before or after it.
Whatever cannot be read raises IndexDamaged; the daemon then makes it anew.
"""

from __future__ import annotations

import hashlib
import shutil
import threading
from collections.abc import Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext, suppress
from pathlib import Path

import numpy as np
import tantivy

from companion.store.text.space import SCHEMA, IndexDamaged, guarded, rarities
from companion.store.text.word_space import (
    Document,
    Flags,
    HeldState,
    Ints,
    RankedDocuments,
    SpaceChange,
    WordSpace,
    record_of,
)

MAX_TERMS = 32
"""Terms of a query that are scored, the rarest first: 30 words and a few compounds."""


class WordIndex:
    """The spaces under one folder. Threads share it; a change is seen by all at once."""

    def __init__(
        self, path: Path, commits: AbstractContextManager[object] | None = None, *, copied: bool = False
    ) -> None:
        """Nothing is opened before it is asked. With `copied` copies are worked in, for a disk that takes nothing.

        `commits` is entered for the moment in which a change becomes visible to others.
        """
        self.is_copied = copied
        self._path = path
        self._commits = commits or nullcontext()
        self._lock = threading.RLock()
        self._writing = threading.RLock()
        """Held while something is changed; before `_lock`, where both are waited for."""
        self._spaces: dict[str, WordSpace] = {}
        self._changes: dict[str, SpaceChange] | None = None
        self._looked_at: set[str] | None = None

    def close(self) -> None:
        """Let go of the files."""
        self.rest()
        with self._lock:
            for space in self._spaces.values():
                space.close()
            self._spaces.clear()

    def rest(self) -> None:
        """Let another process write."""
        with self._writing, suppress(IndexDamaged, OSError), guarded():
            for space in list(self._spaces.values()):
                space.rest()

    def drop(self) -> None:
        """Throw all of it away."""
        with self._writing, self._lock:
            self.close()
            with suppress(FileNotFoundError):
                shutil.rmtree(self._path)

    def disown(self) -> None:
        """Let the spaces that were asked here count as none, so that they are made anew: one of them is damaged."""
        with self._lock:
            for space in self._spaces.values():
                space.disown()

    @contextmanager
    def changing(self) -> Iterator[None]:
        """All changes of a space inside are one commit; changes inside changes join it. Spaces keep their order."""
        with self._writing, guarded():
            if self._changes is not None:
                yield
                return
            self._changes = {}
            try:
                yield
                for change in self._changes.values():
                    change.writer.commit()
                with self._commits, self._lock:
                    for change in self._changes.values():
                        change.space.show(change.heads)
            except BaseException:
                for change in self._changes.values():
                    change.space.rollback()
                raise
            finally:
                self._changes = None

    def mark(self, space: str) -> str:
        """The text kept beside the documents of a space; empty if there is none."""
        with self._lock, guarded():
            return self._of(space).mark()

    def set_mark(self, space: str, text: str) -> None:
        """Keep a text beside the documents of a space, to be set once what it tells of is committed."""
        with self._writing, guarded():
            self._of(space).set_mark(text)

    def states(self, space: str) -> dict[str, int]:
        """Every living document's key and state."""
        return {key: state for key, state, _ in self.view(space).heads.values()}

    def add(self, space: str, documents: Iterable[Document]) -> None:
        """Index documents; those whose keys are known already are replaced, and keep their numbers."""
        with self.changing():
            for document in documents:
                self._change(space).put(document)

    def remove(self, space: str, keys: Sequence[str]) -> None:
        """Strike documents off; unknown keys are passed over."""
        with self.changing():
            for key in keys:
                self._change(space).remove(key)

    @property
    def is_steady(self) -> bool:
        """Whether questions are being asked that belong together."""
        return self._looked_at is not None

    @contextmanager
    def steady(self) -> Iterator[None]:
        """For questions that belong together: each space is as it was at the first of them."""
        with self._lock:
            if self.is_steady:
                yield
                return
            self._looked_at = set()
            try:
                yield
            finally:
                self._looked_at = None

    def view(self, name: str) -> HeldState:
        """A space as arrays; the same until something in it changes, here or in another process."""
        with self._lock, guarded():
            space = self._of(name)
            if self._looked_at is None or name not in self._looked_at:
                space.look()
            if self._looked_at is not None:
                self._looked_at.add(name)
            return space.held

    def having(self, space: str, labels: Sequence[str]) -> Ints:
        """Numbers of living documents that carry any of the labels, ascending."""
        held = self.view(space)
        if held.searcher is None or not labels:
            return np.empty(0, dtype=np.int32)
        with guarded():
            most = sum(held.searcher.doc_freq("label", label) for label in dict.fromkeys(labels))
            asked = tantivy.Query.term_set_query(SCHEMA, "label", list(dict.fromkeys(labels)))
            hits = held.searcher.search(asked, most, count=False).hits if most else []
            return np.array(sorted(number for number, _ in held.numbered(hits)), dtype=np.int32)

    def rank(
        self, space: str, words: Sequence[str], limit: int, allowed: Flags | None = None, *, told: bool = True
    ) -> RankedDocuments:
        """The best documents for a query by BM25, newest first among equals; at most MAX_TERMS words, the rarest.

        `allowed` restricts by document number. Unless `told`, terms are not looked up and nothing is covered.
        """
        held = self.view(space)
        if held.searcher is None or limit < 1:
            return RankedDocuments(np.empty(0, dtype=np.int32), np.empty(0, dtype=np.float32))
        with guarded():
            worth = rarities(held.searcher, dict.fromkeys(words), "words")
            known = (term for term in worth if held.searcher.doc_freq("words", term))
            chosen = sorted(known, key=lambda term: (-worth[term], term))
            best = _best(held, chosen[:MAX_TERMS], limit, allowed)
            matched = tuple(_said(held, number, chosen) for number, _ in best) if told else ()
        whole = sum(worth.values())
        covers = tuple(sum(worth[term] for term in terms) / whole for terms in matched)
        numbers = np.array([number for number, _ in best], dtype=np.int32)
        return RankedDocuments(
            numbers, np.array([score for _, score in best], dtype=np.float32), matched, whole, covers
        )

    def records(self, space: str, numbers: Sequence[int]) -> dict[int, tuple[str, str]]:
        """Key and record of documents by number."""
        held = self.view(space)
        found: dict[int, tuple[str, str]] = {}
        with guarded():
            for number in numbers:
                if held.searcher is not None and number in held.places:
                    stored = held.searcher.doc(held.places[number])
                    found[number] = (held.heads[number][0], record_of(stored))
        return found

    def numbers(self, space: str, keys: Sequence[str]) -> dict[str, int]:
        """Document numbers by key; unknown ones are left out."""
        held = self.view(space)
        return {key: held.numbers[key] for key in keys if key in held.numbers}

    def keyed(self, space: str, keys: Sequence[str]) -> dict[str, str]:
        """Records by key; unknown ones are left out."""
        return dict(self.records(space, list(self.numbers(space, keys).values())).values())

    def check(self) -> str:
        """Read all of it; empty if sound, else what is wrong."""
        try:
            with guarded():
                for folder in sorted(self._path.glob("*/")):
                    space = WordSpace(folder)
                    space.look()
                    if wrong := space.wrong():
                        return wrong
        except IndexDamaged as wrong:
            return str(wrong)
        return ""

    def _of(self, name: str) -> WordSpace:
        if name not in self._spaces:
            folder = self._path / hashlib.sha256(name.encode()).hexdigest()[:16]
            self._spaces[name] = WordSpace(folder, copied=self.is_copied)
        return self._spaces[name]

    def _change(self, name: str) -> SpaceChange:
        assert self._changes is not None
        if name not in self._changes:
            self.view(name)
            self._changes[name] = SpaceChange(self._of(name))
        return self._changes[name]


def _best(held: HeldState, terms: Sequence[str], limit: int, allowed: Flags | None) -> list[tuple[int, float]]:
    """Numbers and scores of the best documents that are allowed; more are asked for until there are enough."""
    if held.searcher is None or not terms or (allowed is not None and not allowed.any()):
        return []
    says = [tantivy.Query.term_query(SCHEMA, "words", term, index_option="freq") for term in terms]
    asked = tantivy.Query.boolean_query([(tantivy.Occur.Should, one) for one in says])
    wanted = limit
    while True:
        hits = held.numbered(held.searcher.search(asked, wanted, count=False).hits)
        found = [(number, score) for number, score in hits if allowed is None or allowed[number]]
        if len(found) >= limit or len(hits) < wanted:
            return sorted(found, key=lambda one: (-one[1], -one[0]))[:limit]
        wanted *= 4


def _said(held: HeldState, number: int, terms: Sequence[str]) -> tuple[str, ...]:
    """Which of the terms a document has."""
    words = set(held.words(number).split())
    return tuple(term for term in terms if term in words)
