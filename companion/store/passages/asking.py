"""A question to the index of passages, and what is found: BM25 over title, headings and text."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime

import tantivy

from companion.records import Passage, PassageHit, PassageKind
from companion.store.passages.documents import BOOSTS, seconds, subject_key, unpacked, view_key, words_of
from companion.store.text import analysis

TERMS_ASKED = 48
"""Words of a question that are looked for, the rarest: a task of 20,000 characters has hundreds, and says no more."""

SCHEMA_OPTION = "freq"
_LATEST = datetime.max


@dataclass(frozen=True, slots=True)
class PassageQuery:
    """What passages are looked for: those of some spaces and kinds, with `paths` only those of these files.

    On `branch` what is on it alone is seen too. `until` leaves out what was said later, and what has no time.
    """

    spaces: Sequence[str]
    text: str
    kinds: Sequence[PassageKind]
    limit: int
    paths: Sequence[str] = ()
    branch: str = ""
    until: datetime | None = None


def ask(searcher: tantivy.Searcher, schema: tantivy.Schema, query: PassageQuery) -> tuple[PassageHit, ...]:
    """The best passages, best first; equal ones in the order of the index. Raises ValueError for a damaged index."""
    spoken = analysis.spoken(query.text)
    if not spoken or not query.kinds or not query.spaces or query.limit < 1 or not searcher.num_docs:
        return ()
    worth = worth_of(searcher, spoken)
    chosen = sorted(worth, key=lambda term: -worth[term])[:TERMS_ASKED]
    asked = tantivy.Query.boolean_query(
        [
            (tantivy.Occur.Must, _says(schema, chosen)),
            *((tantivy.Occur.Must, tantivy.Query.const_score_query(one, 0.0)) for one in _filters(schema, query)),
        ]
    )
    hits = []
    mass = sum(worth.values())
    for score, address in searcher.search(asked, query.limit, count=False).hits:
        passage = unpacked(searcher.doc(address)["passage"][0])
        said = words_of(passage) & worth.keys()
        covers = sum(worth[term] for term in said) / mass
        words = tuple(dict.fromkeys(spoken[term] for term in spoken if term in said))
        hits.append(PassageHit(passage, float(score), min(1.0, covers), words))
    return tuple(hits)


def commits_called(
    searcher: tantivy.Searcher, schema: tantivy.Schema, query: PassageQuery, limit: int
) -> tuple[Passage, ...]:
    """The commits whose very subject the text of a query is, the newest first."""
    asked = [_exactly(schema, "subject", subject_key(query.text)), *_filters(schema, query)]
    hits = searcher.search(
        tantivy.Query.boolean_query([(tantivy.Occur.Must, one) for one in asked]),
        limit,
        count=False,
        order_by_field="at",
    ).hits
    return tuple(unpacked(searcher.doc(address)["passage"][0]) for _, address in hits)


def worth_of(searcher: tantivy.Searcher, spoken: Iterable[str]) -> dict[str, float]:
    """How much each word tells: its inverse document frequency, as BM25 counts it."""
    total = searcher.num_docs
    worth = {}
    for term in spoken:
        among = max(searcher.doc_freq(field, term) for field in BOOSTS)
        worth[term] = math.log(1.0 + (max(0, total - among) + 0.5) / (among + 0.5))
    return worth


def _says(schema: tantivy.Schema, terms: Sequence[str]) -> tantivy.Query:
    """Any of the words, in any field."""
    return tantivy.Query.boolean_query(
        [
            (tantivy.Occur.Should, tantivy.Query.boost_query(_term(schema, field, term), boost))
            for field, boost in BOOSTS.items()
            for term in terms
        ]
    )


def _filters(schema: tantivy.Schema, query: PassageQuery) -> list[tantivy.Query]:
    branches = dict.fromkeys(("", query.branch))
    views = [view_key(space, kind, branch) for space in query.spaces for kind in query.kinds for branch in branches]
    found = [tantivy.Query.term_set_query(schema, "view", views)]
    if query.paths:
        found.append(tantivy.Query.term_set_query(schema, "path", list(query.paths)))
    if query.until is not None:
        until = seconds(query.until)
        found.append(tantivy.Query.range_query(schema, "at", tantivy.FieldType.Integer, None, until))
    return found


def _exactly(schema: tantivy.Schema, field: str, key: str) -> tantivy.Query:
    return tantivy.Query.term_query(schema, field, key, index_option="basic")


def _term(schema: tantivy.Schema, field: str, term: str) -> tantivy.Query:
    return tantivy.Query.term_query(schema, field, term, index_option=SCHEMA_OPTION)
