"""A history file and a library that knows nothing but history: for replays without a repository.

Co-change, recency, names and past subjects are all there is: no code, so no symbols, links or
forms. The ranking is the product's own.
"""

from __future__ import annotations

import gzip
import json
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path

from companion.engine.attending.focus import focus
from companion.engine.predicting.cochange import Cochange
from companion.engine.predicting.learn import examples_from, fitted
from companion.engine.predicting.predict import WEIGHTS_NAME, predict
from companion.errors import UsageError
from companion.evals.bm25 import bm25_scores, plain_words
from companion.ports import (
    CommitSummary,
    FileOwner,
    LineMaker,
    Neighbour,
    PastChange,
    Readiness,
    Recent,
    Standing,
    TextMatch,
    Topic,
)
from companion.records import (
    ChangeStatus,
    CodeForms,
    Commit,
    FileChange,
    Hit,
    Link,
    Memory,
    PassageHit,
    PassageKind,
    Person,
    Prediction,
    SearchQuery,
    Signals,
    Span,
)
from companion.records.roles import role_of
from companion.records.talk import Item
from companion.syntax import language_of

PATH_WEIGHT = 3
"""A word of the path counts as often as in three subjects."""
MOST_TOLD = 30
"""Commits of more files are sweeps, and their subjects tell of no file."""


def read_history(path: Path) -> list[Commit]:
    """Commits of a history file (JSON Lines, `.gz` allowed), oldest first. Raises UsageError if it is none.

    Only source files are named in it; of the others it gives the number.
    """
    table: list[str] = []
    commits: list[Commit] = []
    text = gzip.decompress(path.read_bytes()) if path.suffix == ".gz" else path.read_bytes()
    for number, line in enumerate(text.splitlines(), start=1):
        try:
            commits.append(_commit(json.loads(line), table, commits[-1].sha if commits else ""))
        except (ValueError, KeyError, IndexError, TypeError, AttributeError) as wrong:
            raise UsageError(
                f"Line {number} of {path} is no commit of a history file ({wrong}).",
                "It needs s (its id), t (seconds), f (changes: status and numbers of paths), new (paths not seen yet); m, a.",
            ) from wrong
    return commits


class HistoryReplay:
    """A replay over commits alone."""

    def __init__(self, *, learn: bool = True) -> None:
        self.library = HistoryLibrary()
        self._learn = learn
        self._begun = False

    def advance(self, commits: Sequence[Commit], tree: str) -> None:
        """Take in commits; the first stretch also teaches the weights."""
        for commit in commits:
            self.library.add(commit)
        if not self._begun and commits and self._learn:
            self.library.learned = fitted(examples_from(commits)).parameters
        self._begun = True

    def predict(self, signals: Signals, limit: int) -> tuple[Prediction, ...]:
        """Files likely needed, ranked as the product does."""
        return predict(focus(signals, ()), self.library, limit)

    def close(self) -> None:
        """Nothing is held."""


class HistoryLibrary:
    """What history alone can answer of `companion.ports.Library`; the rest is empty."""

    def __init__(self) -> None:
        self.learned: Mapping[str, float] = {}
        self._past = Cochange()
        self._words: defaultdict[str, Counter[str]] = defaultdict(Counter)
        self._paths: dict[str, CodeForms] | None = None

    def add(self, commit: Commit) -> None:
        """Take in the next commit."""
        for change in commit.changes:
            if change.status is ChangeStatus.RENAMED and change.old_path in self._words:
                self._words[change.path] = self._words.pop(change.old_path)
        touched = self._past.add(commit)
        said = Counter(plain_words(commit.subject))
        if len(touched) <= MOST_TOLD:
            for path in touched:
                self._words[path].update(said)
        self._paths = None

    def paths(self) -> Mapping[str, CodeForms]:
        """See Library; forms are empty, for nothing is known of contents."""
        if self._paths is None:
            self._paths = {path: _form(path) for path in sorted(self._past.living())}
        return self._paths

    def cochanged(self, paths: Sequence[str], limit: int) -> tuple[Neighbour, ...]:
        """See Library."""
        return self._past.cochanged(paths, limit)

    def recent(self, limit: int) -> tuple[Recent, ...]:
        """See Library."""
        return self._past.recent(limit)

    def match_files(self, text: str, limit: int) -> tuple[TextMatch, ...]:
        """See Library: BM25 over words of the path and of past subjects."""
        documents = {path: self._document(path) for path in self.paths()}
        asked = list(dict.fromkeys(plain_words(text)))
        found = bm25_scores(documents, asked)
        ranked = sorted(found.items(), key=lambda item: (-item[1], item[0]))[:limit]
        return tuple(
            TextMatch(path, score, tuple(word for word in asked if word in documents[path])) for path, score in ranked
        )

    def worth(self, text: str) -> Mapping[str, float]:
        """See Library: not known."""
        return {}

    def passages(
        self,
        text: str,
        kinds: Sequence[PassageKind],
        limit: int,
        *,
        paths: Sequence[str] = (),
        meaning: bool = False,
    ) -> tuple[PassageHit, ...]:
        """None: a file of a history has no texts."""
        return ()

    def alike(
        self, paths: Sequence[str], kinds: Sequence[PassageKind], limit: int, *, among: Sequence[str]
    ) -> tuple[PassageHit, ...]:
        """None: a file of a history has no texts."""
        return ()

    def weights(self, name: str) -> Mapping[str, float]:
        """See Library."""
        return self.learned if name == WEIGHTS_NAME else {}

    def missing(self) -> tuple[str, ...]:
        """See Library: a file of history has no indexes."""
        return ()

    def readiness(self) -> Readiness:
        """See Library."""
        return Readiness(0, 0, 0)

    def links(self, paths: Sequence[str]) -> tuple[Link, ...]:
        """See Library: unknown."""
        return ()

    def makers(self, path: str, spans: Sequence[Span]) -> tuple[tuple[LineMaker, ...], ...]:
        """See Library: unknown."""
        return tuple(() for _ in spans)

    def messages(self, text: str, limit: int) -> Mapping[str, float]:
        """See Library: the file holds subjects alone."""
        return {}

    def commit_summary(self, sha: str) -> CommitSummary | None:
        """See Library: unknown."""
        return None

    def past_changes(self, text: str, limit: int) -> tuple[PastChange, ...]:
        """None: the file holds no ids."""
        return ()

    def owners(self, path: str, limit: int) -> tuple[FileOwner, ...]:
        """See Library: unknown."""
        return ()

    def about(self, entities: Sequence[str], limit: int) -> tuple[Memory, ...]:
        """See Library: nothing is remembered."""
        return ()

    def within(self, path: str, limit: int) -> tuple[Memory, ...]:
        """See Library: nothing is remembered."""
        return ()

    def declared(self, text: str, paths: Sequence[str], limit: int) -> tuple[Memory, ...]:
        """See Library: nothing is listed."""
        return ()

    def failures(self, fingerprints: Sequence[str], since: datetime | None) -> tuple[Memory, ...]:
        """See Library: nothing is remembered."""
        return ()

    def expect(self, text: str) -> None:
        """See Library: nothing takes long here."""

    def search(self, query: SearchQuery) -> tuple[Hit, ...]:
        """See Library: nothing is remembered."""
        return ()

    def get(self, ids: Sequence[str]) -> tuple[Memory, ...]:
        """See Library: nothing is remembered."""
        return ()

    def standing(self) -> Standing:
        """See Library: nothing is remembered."""
        return Standing((), (), (), (), ())

    def open_threads(self, paths: Sequence[str], limit: int) -> tuple[Item, ...]:
        """See Library: nothing was said."""
        return ()

    def topics(self, limit: int) -> tuple[Topic, ...]:
        """See Library: nothing is remembered."""
        return ()

    def body(self, path: str, first_line: int, last_line: int) -> str:
        """See Library: contents are unknown."""
        return ""

    def _document(self, path: str) -> Counter[str]:
        words = Counter(self._words.get(path))
        for word in plain_words(path):
            words[word] += PATH_WEIGHT
        return words


def _commit(row: Mapping[str, object], table: list[str], parent: str) -> Commit:
    new = row.get("new") or []
    assert isinstance(new, list)
    table.extend(str(path) for path in new)
    at = datetime.fromtimestamp(int(str(row["t"])), UTC).replace(tzinfo=None)
    changes = row["f"]
    assert isinstance(changes, list)
    return Commit(
        sha=str(row["s"]),
        parents=(parent,) if parent else (),
        author=Person(str(row.get("a", "")), ""),
        authored_at=at,
        committed_at=at,
        subject=str(row.get("m", "")),
        body="",
        changes=tuple(_change(change, table) for change in changes),
    )


def _change(change: Sequence[object], table: Sequence[str]) -> FileChange:
    status = ChangeStatus(str(change[0])[:1])
    places = [int(str(place)) for place in change[1:]]
    if min(places) < 0:
        raise IndexError(f"path {min(places)}")
    if status is ChangeStatus.RENAMED:
        return FileChange(status, table[places[1]], table[places[0]])
    return FileChange(status, table[places[0]])


def _form(path: str) -> CodeForms:
    language = language_of(path)
    return CodeForms(path, language, role_of(path, language), "", 0, "", 0)
