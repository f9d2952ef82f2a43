"""What the engine reads: one checkout's project, as seen by one persona on one branch at one moment.

A library is cheap to make; what is slow to read is kept in `Readings`, which libraries of the same
store share, and is read again only after something it depends on was written.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from datetime import datetime
from functools import partial
from types import MappingProxyType
from typing import TYPE_CHECKING

from msgspec.structs import replace

from companion.ports import (
    CommitSummary,
    Embedder,
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
from companion.records import CodeForms, Hit, Link, Memory, Passage, PassageHit, PassageKind, SearchQuery, Span, entity
from companion.records.talk import Item
from companion.store import declared, parameters, projects
from companion.store.by_columns import value_where
from companion.store.declared import Declared, DeclaredAnswer
from companion.store.memories.aliases import one_each
from companion.store.passages.among import told_apart
from companion.store.passages.asking import PassageQuery
from companion.store.passages.files_meant import match_files, subjects_of
from companion.store.passages.likeness import telling_words
from companion.store.passages.makers import coverage, summary_of
from companion.store.question_vectors import QuestionVectors
from companion.store.search import WordsQuery, search
from companion.store.standing import FOUNDATION, standing, topics
from companion.store.talk import items
from companion.store.talk.act_memories import has_any
from companion.store.text import analysis, facets
from companion.store.text.documents import commit_space, file_space
from companion.store.text.facets import Viewer

if TYPE_CHECKING:
    from companion.evidence.line_origins import LineOrigins
    from companion.store.store import Store

ReadLines = Callable[[str, int, int, str], str]
"""Path, first line, last line and expected content hash to redacted lines, empty if it has changed."""


FAILURES_READ = 50
"""Error episodes answered at once: more than a context has room for."""

OF_PROJECTS = ("file:", "symbol:", "commit:")
"""Entities that mean something in their own project alone."""

NO_MODEL = "no embedding model: search goes by words and names"
ONLY_READ = "the store cannot be written, so nothing new is kept: see `companion doctor`"
NOT_INDEXED = "code and commits are not searched, for their index has yet to be made: run `companion init`"


class StoreLibrary:
    """Implements `companion.ports.Library` over the store."""

    def __init__(
        self,
        store: Store,
        project: str,
        checkout: str,
        *,
        embedder: Embedder | None,
        read_lines: ReadLines,
        branch: str = "",
        persona: str = "",
        as_of: datetime | None = None,
    ) -> None:
        """With `embedder` None, search goes by words and names.

        The space of what is the user's and no project's is asked too, where there is anything in it.
        """
        self._own_space = store.user if store.user != project else ""
        self._database, self._readings, self._text_index = store.database, store.readings, store.text_index
        self._project = project
        self._checkout = checkout
        self._passages, self._passage_vectors = store.passages, store.passage_vectors
        self._line_origins = store.line_origins
        self._vectors = store.vectors
        self._embedder = embedder
        self._read_lines = read_lines
        self.unread = ""
        """What changed and was not read, in a sentence; it is named as missing."""
        self._reader = Viewer(branch, persona, as_of, checkout)
        self._questions = QuestionVectors(store, embedder, project)

    def paths(self) -> Mapping[str, CodeForms]:
        """Every indexed file by path, at the lengths it may be shown at; the mapping is cached: do not change it."""
        return self._readings.forms(self._checkout)

    def cochanged(self, paths: Sequence[str], limit: int) -> tuple[Neighbour, ...]:
        """At most `limit` other files that changed together with any of `paths`, of greatest decayed weight first."""
        return self._readings.snapshots.cochanged(self._project, paths, limit, self._reader.as_of)

    def recent(self, limit: int) -> tuple[Recent, ...]:
        """The `limit` files that changed last, newest first."""
        return self._readings.snapshots.of(self._project, self._reader.as_of).recent[: max(0, limit)]

    def links(self, paths: Sequence[str]) -> tuple[Link, ...]:
        """Links from and to any of `paths`, by source, target and kind."""
        by_path = self._readings.kept(
            ("links", self._checkout),
            self._readings.code_revision(self._checkout),
            lambda: self._readings.code.links(self._checkout),
        )
        found = {link: None for path in dict.fromkeys(paths) for link in by_path.get(path, ())}
        return tuple(sorted(found, key=lambda link: (link.source, link.target, link.kind)))

    def match_files(self, text: str, limit: int) -> tuple[TextMatch, ...]:
        """At most `limit` files that a free text speaks of, best match first."""
        snapshots, branch, then = self._readings.snapshots, self._reader.branch, self._reader.as_of
        return match_files(
            self._passages,
            PassageQuery([file_space(self._checkout)], text, (), limit),
            subjects_of([commit_space(self._project)], text, limit, branch, then),
            snapshots.of(self._project),
            snapshots.changes(self._project),
            self.paths(),
        )

    def worth(self, text: str) -> Mapping[str, float]:
        """How much each word of a text, in lower case, tells in this project: 1 for the one that tells most of it."""
        spoken = analysis.spoken(text)
        worth = self._passages.worth(text)
        most = max(worth.values(), default=1.0)
        told: dict[str, float] = {}
        for term, value in worth.items():
            word = spoken[term].lower()
            told[word] = max(told.get(word, 0.0), value / most)
        return told

    def passages(
        self,
        text: str,
        kinds: Sequence[PassageKind],
        limit: int,
        *,
        paths: Sequence[str] = (),
        meaning: bool = False,
    ) -> tuple[PassageHit, ...]:
        """At most `limit` passages of some kinds that a free text speaks of, best match first.

        With `paths` only those of these files, weighed among one another. With `meaning` how near each is in meaning
        counts too, where it has a vector, and without `paths` as many more are found that are near whatever they say.
        Files are known as they are now: of an earlier moment there are commits alone.
        """
        then = self._reader.as_of
        spaces = [] if then is not None else [file_space(self._checkout)]
        spaces += [] if paths else [commit_space(self._project)]
        query = PassageQuery(spaces, text, kinds, limit, paths, self._reader.branch, then)
        embedder, vectors = self._questions.model(self._own) if meaning else None, self._passage_vectors
        vector = self._questions.vector(embedder, text) if embedder is not None else None
        if embedder is None or vector is None:
            found = self._passages.search(query)
            return told_apart(found, text) if paths else found
        near = () if paths else vectors.near(self._project, embedder.model, vector, limit)
        hits = self._passages.search(replace(query, near=near))
        measured = vectors.measured(self._project, embedder.model, vector, hits)
        return told_apart(measured, text) if paths else measured

    def alike(
        self, paths: Sequence[str], kinds: Sequence[PassageKind], limit: int, *, among: Sequence[str]
    ) -> tuple[PassageHit, ...]:
        """At most `limit` passages of the files `among` that share most words with some others, best match first."""
        if self._reader.as_of is not None or not among:
            return ()
        space = file_space(self._checkout)
        words = telling_words(self._passages, space, paths)
        text = " ".join(words)
        query = PassageQuery([space], text, kinds, limit, among, self._reader.branch, weights=words)
        return told_apart(self._passages.search(query), text)

    def past_changes(self, text: str, limit: int) -> tuple[PastChange, ...]:
        """At most `limit` past changes whose subjects say most nearly what a free text says, most alike first."""
        snapshots = self._readings.snapshots
        changes, paths = snapshots.changes(self._project), snapshots.of(self._project).paths
        return tuple(changes.alike(text, limit, paths, branch=self._reader.branch, until=self._reader.as_of))

    def makers(self, path: str, spans: Sequence[Span]) -> tuple[tuple[LineMaker, ...], ...]:
        """For each of some spans of a file as it is indexed the commits that made its lines, the newest first."""
        origins, known = self._origins(), self.paths().get(path)
        if origins is None or known is None:
            return tuple(() for _ in spans)
        made = (origins.makers(path, known.content_hash, span) for span in spans)
        return tuple(tuple(LineMaker(sha, lines) for sha, lines in one) for one in made)

    def messages(self, text: str, limit: int) -> Mapping[str, float]:
        """How much of a text the messages of at most `limit` commits say, by id; of a merge what it brought."""
        found = self.passages(text, (PassageKind.COMMIT,), limit)
        return coverage(self._readings.snapshots.changes(self._project), {hit.passage.ref: hit.covers for hit in found})

    def commit_summary(self, sha: str) -> CommitSummary | None:
        """A commit in short; None where it is not known, or is a merge that nobody wrote anything about."""
        origins = self._origins()
        if origins is None:
            return None
        changes = self._readings.snapshots.changes(self._project)
        return summary_of(self._passages, changes, sha, merge=origins.is_merge(sha))

    def _origins(self) -> LineOrigins | None:
        """Where the lines of what is checked out came from; None at an earlier moment, or where that is not known."""
        if self._reader.as_of is not None:
            return None
        database, checkout = self._database, self._checkout
        head = self._readings.kept(
            ("head", checkout), database.revision, lambda: projects.checkout_head(database, checkout)
        )
        return self._line_origins.of(self._project, head) if head else None

    def owners(self, path: str, limit: int) -> tuple[FileOwner, ...]:
        """Who has worked on a file, most first, each person once under whatever names and addresses."""
        found = self._readings.snapshots.owners(self._project, path, self._reader.as_of)
        return one_each(found, self._readings.memory_index.aliases.of(self._project))[: max(0, limit)]

    def called(self, path: str) -> str:
        """The path by which memories name a file, asked for by any path that it has or had."""
        return self._readings.memory_index.aliases.of(self._project, self._reader.as_of).paths(path)[0]

    def about(self, entities: Sequence[str], limit: int) -> tuple[Memory, ...]:
        """Active memories that refer to any of the entities, most important, then newest first."""
        found = self._readings.memory_index.about(self._project, entities, self._reader, limit)
        people = [one for one in entities if not one.startswith(OF_PROJECTS)]
        for space in self._own() if people else ():
            found = (*found, *self._readings.memory_index.about(space, people, self._reader, limit))[:limit]
        return found

    def open_threads(self, paths: Sequence[str], limit: int) -> tuple[Item, ...]:
        """Open questions and blockers of the project that name any of the files, under any name that these had."""
        if self._reader.as_of is not None or not paths:
            return ()
        keys = self._readings.memory_index.aliases.of(self._project).all([entity("file", path) for path in paths])
        read = partial(items.threads_of, self._database, self._project, self._reader.persona)
        there = self._readings.kept(("threads", self._project, self._reader.persona), self._database.revision, read)
        return tuple(one for one in there if set(keys) & set(one.entities))[: max(0, limit)]

    def within(self, path: str, limit: int) -> tuple[Memory, ...]:
        """Active memories whose scope or evidence is the path or a folder above it, nearest first."""
        return self._readings.memory_index.within(self._project, path, self._reader, limit)

    def at(self, path: str, limit: int) -> tuple[Memory, ...]:
        """Active memories whose scope or evidence is the very path, without the folders above it."""
        return self._readings.memory_index.within(self._project, path, self._reader, limit, above=False)

    def declared(self, text: str, paths: Sequence[str], limit: int) -> tuple[Memory, ...]:
        """Rows of files of settings that a text names, without one those of these files; their ids are no memories."""
        found = declared.meant(self._declared(), text, paths)[: max(0, limit)]
        return tuple(declared.as_memory(self._project, one, tokens) for one, tokens in found)

    def declared_answers(self, text: str, limit: int) -> tuple[DeclaredAnswer, ...]:
        """Rows that files of settings declare now, and that say words of a question, those that say most first."""
        if self._reader.as_of is not None:
            return ()
        asked = self._readings.kept(
            ("declared terms", self._checkout), self._database.revision, lambda: declared.DeclaredRows(self._declared())
        )
        return asked.answers(text, self._passages.worth(text))[: max(0, limit)]

    def _declared(self) -> tuple[Declared, ...]:
        return self._readings.kept(
            ("declared", self._checkout), self._database.revision, lambda: declared.read(self._database, self._checkout)
        )

    def failures(self, fingerprints: Sequence[str], since: datetime | None) -> tuple[Memory, ...]:
        """Error episodes with one of the fingerprints, or (none given) all since a moment."""
        moment = facets.NEVER if since is None else facets.micros(since)
        return self._readings.memory_index.failures(self._project, fingerprints, moment, self._reader, FAILURES_READ)

    def expect(self, text: str) -> None:
        """This text will be searched for soon: its vector is begun on another thread."""
        self._questions.expect(text)

    def search(self, query: SearchQuery) -> tuple[Hit, ...]:
        """Hybrid search; see SearchQuery. The library's branch, persona and moment hold unless given."""
        self._text_index.update(self._project)
        asked = WordsQuery(query)
        if query.text.strip() and (embedder := self._questions.model(self._own)) is not None:
            asked = WordsQuery(query, self._questions.begun(embedder, query.text), embedder.model)
        return search(self._readings.memory_index, self._vectors, self._project, asked, self._reader, self._own())

    def commits_called(self, subject: str, limit: int) -> tuple[Passage, ...]:
        """At most `limit` commits whose very subject that is, whatever its case and number, the newest first."""
        query = PassageQuery(
            [commit_space(self._project)],
            subject,
            [PassageKind.COMMIT],
            limit,
            branch=self._reader.branch,
            until=self._reader.as_of,
        )
        return self._passages.called(query, limit)

    def get(self, ids: Sequence[str]) -> tuple[Memory, ...]:
        """Memories by id, in the given order, unknown ones left out.

        How often they were served is as of their last other change; counts are kept in the store.
        """
        return self._readings.memory_index.get(self._project, ids)

    def standing(self) -> Standing:
        """Foundation, conventions, workflows, decisions in force, open contradictions."""
        return self._readings.kept(
            ("standing", self._project, self._reader),
            self._database.revision,
            self._standing,
        )

    def _standing(self) -> Standing:
        """The project's, and what is pinned in the user's own space: it holds in every project."""
        found = standing(self._database, self._project, self._reader, self.get)
        for space in self._own():
            more = standing(self._database, space, self._reader, self.get).foundation
            found = replace(found, foundation=(*found.foundation, *more)[:FOUNDATION])
        return found

    def _own(self) -> tuple[str, ...]:
        """The user's own space, if there is anything in it; nearly always it costs nothing to know."""
        space = self._own_space
        if not space or not self._readings.kept(
            ("own", space), self._database.revision, lambda: has_any(self._database, space)
        ):
            return ()
        self._text_index.update(space)
        return (space,)

    def topics(self, limit: int) -> tuple[Topic, ...]:
        """What one can ask about, most spoken of first."""
        return self._readings.kept(
            ("topics", self._project, self._reader),
            self._version(),
            lambda: topics(self._database, self._project, self._reader),
        )[: max(0, limit)]

    def body(self, path: str, first_line: int, last_line: int) -> str:
        """Lines of a file as indexed, redacted; empty if it has changed since or is gone."""
        known = self.paths().get(path)
        return self._read_lines(path, first_line, last_line, known.content_hash) if known else ""

    def weights(self, name: str) -> Mapping[str, float]:
        """Learned parameters kept under a name; empty if nothing was learned."""
        return self._readings.kept(
            ("weights", self._project, name),
            self._database.revision,
            lambda: MappingProxyType(parameters.load(self._database, self._project, name)),
        )

    def missing(self) -> tuple[str, ...]:
        """What is damaged or not there, in sentences."""
        self._text_index.update(self._project)  # which notices damage
        indexed = self._readings.kept(("indexed", self._checkout), self._passages.version(), self._is_indexed)
        lacking = self._passages.missing or ("" if indexed else NOT_INDEXED)
        found = [self.unread, self._text_index.missing, self._questions.failed, lacking]
        found += [ONLY_READ] if self._database.unwritable is not None else []
        found.append(NO_MODEL if self._embedder is None else self._vectors.missing.get(self._project, ""))
        return tuple(reason for reason in found if reason)

    def _is_indexed(self) -> bool:
        """Whether files that were read can be searched."""
        return self._passages.has(file_space(self._checkout)) or not self.paths()

    def readiness(self) -> Readiness:
        """How far the indexes are and what is damaged."""
        embedder = self._embedder
        dimension = self._questions.dimension(embedder) if embedder is not None else None
        version = (self._version(), self._vectors.revision)
        counted = self._readings.kept(
            ("readiness", self._project, embedder.model if embedder else ""), version, partial(self._counted, dimension)
        )
        if embedder is not None and dimension is not None:
            wanted, made = self._passage_vectors.extent(self._project, embedder.model, dimension)
            counted = replace(counted, embedded=counted.embedded + made, to_embed=counted.to_embed + wanted - made)
        return replace(counted, missing=self.missing())

    def _counted(self, dimension: int | None) -> Readiness:
        memories = int(value_where(self._database, "memories", "count(*)", project_id=self._project, status="active"))
        if self._embedder is None:
            return Readiness(memories, 0, 0)
        texts, embedded = self._vectors.extent(self._project, self._embedder.model, dimension)
        return Readiness(memories, embedded, texts - embedded)

    def _version(self) -> Hashable:
        """Changes whenever a memory of the project does."""
        return self._text_index.version(self._project) or self._database.revision
