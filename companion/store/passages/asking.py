"""A question to the index of passages, and what is found: BM25 over title, headings and text."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from functools import lru_cache, partial

import tantivy
from msgspec import Struct, field
from msgspec.structs import replace

from companion.records import Passage, PassageHit, PassageKind
from companion.store.passages.documents import (
    BOOSTS,
    WHOLE,
    label,
    meaning_label,
    seconds,
    subject_key,
    terms_of,
    title_terms,
    unpacked,
    whole_in,
)
from companion.store.text import analysis
from companion.store.text.space import SCHEMA, rarities

TERMS_ASKED = 48
"""Words of a question that are looked for, the rarest: a task of 20,000 characters has hundreds, and says no more."""


class PassageQuery(Struct, frozen=True):
    """What passages are looked for: those of some spaces and kinds, with `paths` only those of these files.

    On `branch` what is on it alone is seen too. `until` leaves out what was said later, and what has no time.
    `weights` says how much words count, by the form of a question without; with `titles` they are looked for in titles
    alone.
    Passages whose meaning is one of `near` are found whatever they say, behind the best `limit` by their words.
    """

    spaces: Sequence[str]
    text: str
    kinds: Sequence[PassageKind]
    limit: int
    paths: Sequence[str] = ()
    branch: str = ""
    until: datetime | None = None
    weights: Mapping[str, float] = field(default_factory=dict)
    titles: bool = False
    near: Sequence[int] = ()


DOCUMENTS_KEPT = 8_000
"""Documents of one state of the index that are kept as records: those of twenty contexts, some 3 kB each."""


class StoredFile(Struct, frozen=True):
    """A file as a whole: its path and its terms, a line each, which take a third of the room of a set."""

    path: str
    terms: str


class FileHit(Struct, frozen=True):
    """A file as a whole that was found: how well it fits, larger is better, and the terms of the question it has."""

    path: str
    score: float
    terms: frozenset[str]


class ReadIndex:
    """One state of the index, of which each document is read once while it is kept. Threads may share it."""

    def __init__(self, searcher: tantivy.Searcher) -> None:
        self.searcher = searcher
        self._kept = lru_cache(maxsize=DOCUMENTS_KEPT)(
            partial(_read, searcher)
        )  # not of a method: gone with the last user

    def document(self, address: tantivy.DocAddress) -> Passage | StoredFile:
        """What stands at an address. Raises ValueError."""
        return self._kept(address.segment_ord, address.doc)


def _read(searcher: tantivy.Searcher, segment: int, number: int) -> Passage | StoredFile:
    document = searcher.doc(tantivy.DocAddress(segment, number))
    whole = whole_in(document)
    return unpacked(document) if whole is None else StoredFile(whole.path, "\n".join(("", *whole.terms, "")))


def ask(index: ReadIndex, query: PassageQuery) -> tuple[PassageHit, ...]:
    """The best passages, best first; equal ones in the order of the index. Raises ValueError for a damaged index."""
    query = replace(query, weights=query.weights or analysis.weights(query.text))
    spoken = analysis.spoken(query.text)
    worth = _worth(index, spoken, query.weights)
    views = _views(query, [kind.value for kind in query.kinds])
    hits = []
    mass = sum(worth.values())
    told: dict[tuple[str, ...], tuple[float, tuple[str, ...]]] = {}
    for score, address in _each_once(index.searcher, query, worth, views):
        passage = index.document(address)
        assert isinstance(passage, Passage)
        terms = title_terms(passage) if query.titles else terms_of(passage)
        said = tuple([term for term in worth if term in terms])
        if said not in told:
            covers = sum(worth[term] for term in said) / mass
            told[said] = min(1.0, covers), analysis.as_asked(said, spoken)
        hits.append(PassageHit(passage, score, *told[said]))
    return tuple(hits)


def files_about(index: ReadIndex, query: PassageQuery) -> tuple[FileHit, ...]:
    """The files that as wholes fit a query best, whatever kinds it names; best first, equal ones by their paths."""
    worth = _worth(index, analysis.spoken(query.text), query.weights)
    hits = []
    for score, address in _best(index.searcher, query, worth, _views(query, [WHOLE])):
        file = index.document(address)
        assert isinstance(file, StoredFile)
        hits.append(FileHit(file.path, score, frozenset(term for term in worth if f"\n{term}\n" in file.terms)))
    return tuple(sorted(hits, key=lambda one: (-one.score, one.path)))


def _worth(index: ReadIndex, spoken: Iterable[str], weights: Mapping[str, float]) -> dict[str, float]:
    """How much each word of a question tells: its inverse document frequency, times how much it counts."""
    return {term: rare * weights.get(term, 1.0) for term, rare in rarities(index.searcher, spoken, *BOOSTS).items()}


def _each_once(
    searcher: tantivy.Searcher,
    query: PassageQuery,
    worth: Mapping[str, float],
    views: Sequence[str],
) -> list[tuple[float, tantivy.DocAddress]]:
    """Scores and addresses of the best by words, and behind them of what is near in meaning."""
    by_words = _best(searcher, query, worth, views)
    seen = {(address.segment_ord, address.doc) for _, address in by_words}
    by_meaning = _best(searcher, query, worth, views, near=True) if query.near else []
    return by_words + [one for one in by_meaning if (one[1].segment_ord, one[1].doc) not in seen]


def _best(
    searcher: tantivy.Searcher,
    query: PassageQuery,
    worth: Mapping[str, float],
    views: Sequence[str],
    *,
    near: bool = False,
) -> list[tuple[float, tantivy.DocAddress]]:
    """Scores and addresses of the best documents by words, or of all that are near, with what their words count."""
    if not worth or not views or query.limit < 1 or not searcher.num_docs:
        return []
    chosen = sorted(worth, key=lambda term: -worth[term])[:TERMS_ASKED]
    filters = _filters(query, views)
    if near:
        filters.append(_any(meaning_label(key) for key in query.near))
    asked = tantivy.Query.boolean_query(
        [
            (tantivy.Occur.Should if near else tantivy.Occur.Must, _says(chosen, query)),
            *((tantivy.Occur.Must, tantivy.Query.const_score_query(one, 0.0)) for one in filters),
        ]
    )
    limit = len(query.near) if near else query.limit
    return [(float(score), address) for score, address in searcher.search(asked, limit, count=False).hits]


def commits_called(index: ReadIndex, query: PassageQuery, limit: int) -> tuple[Passage, ...]:
    """The commits whose very subject the text of a query is, the newest first."""
    views = _views(query, [kind.value for kind in query.kinds])
    asked = [_exactly(label("subject", subject_key(query.text))), *_filters(query, views)]
    hits = index.searcher.search(
        tantivy.Query.boolean_query([(tantivy.Occur.Must, one) for one in asked]),
        limit,
        count=False,
        order_by_field="at",
    ).hits
    return tuple(unpacked(index.searcher.doc(address)) for _, address in hits)


def worth_of(index: ReadIndex, text: str) -> dict[str, float]:
    """How much each term of a question tells."""
    return _worth(index, analysis.spoken(text), analysis.weights(text))


def labelled(index: ReadIndex, key: str, limit: int) -> list[tantivy.Document]:
    """At most `limit` stored documents with a label, in the order of the index."""
    searcher = index.searcher
    return [searcher.doc(address) for _, address in searcher.search(_exactly(key), limit, count=False).hits]


def _says(terms: Sequence[str], query: PassageQuery) -> tantivy.Query:
    """Any of the words, in any field."""
    return tantivy.Query.boolean_query(
        [
            (
                tantivy.Occur.Should,
                tantivy.Query.boost_query(
                    tantivy.Query.term_query(SCHEMA, field, term, index_option="freq"),
                    boost * query.weights.get(term, 1.0),
                ),
            )
            for field, boost in BOOSTS.items()
            if not query.titles or field == "title"
            for term in terms
        ]
    )


def _views(query: PassageQuery, kinds: Sequence[str]) -> list[str]:
    branches = dict.fromkeys(("", query.branch))
    return [label("view", space, kind, branch) for space in query.spaces for kind in kinds for branch in branches]


def _filters(query: PassageQuery, views: Sequence[str]) -> list[tantivy.Query]:
    found = [_any(views)]
    if query.paths:
        found.append(_any(label("path", path) for path in query.paths))
    if query.until is not None:
        until = seconds(query.until)
        found.append(tantivy.Query.range_query(SCHEMA, "at", tantivy.FieldType.Integer, None, until))
    return found


def _any(labels: Iterable[str]) -> tantivy.Query:
    return tantivy.Query.term_set_query(SCHEMA, "label", list(labels))


def _exactly(key: str) -> tantivy.Query:
    return tantivy.Query.const_score_query(tantivy.Query.term_query(SCHEMA, "label", key, index_option="basic"), 1.0)
