"""What is known when files are foreseen: a few set-based questions to the library, and their answers by file index.

`predict` gathers it from the library; `learn` makes it from past commits. The features read nothing else.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property

import numpy as np
from msgspec import Struct, field
from msgspec.structs import replace

from companion.engine.attending.focus import Focus
from companion.engine.predicting.file_index import FileIndex, Floats, Latest, Places, file_index_of
from companion.ports import Library, Neighbour, Recent, TextMatch
from companion.records import Link, PassageHit, PassageKind, Prediction

NEIGHBOURS_LIMIT = 200
"""Co-changed files asked for: the rest have less than a thousandth of the strongest one's weight."""
RECENT_LIMIT = 500
"""Recently changed files asked for; further back recency hardly differs."""
MATCHES_LIMIT = 100
"""Files asked for by text: beyond them nothing but common words match."""
PIECES_LIMIT = 150
"""Pieces of code asked for by text: 400 found hardly more, 50 less (BENCHMARKS-HISTORY)."""
FOLLOWED_LIMIT = 6
"""Files at hand whose neighbours are asked for, heaviest first, and as many likely ones: each is a question to the
store."""
FOLLOWED_FROM = 0.02
"""Probability from which the neighbours of a likely file are asked for."""


class FocusEvidence(Struct, frozen=True, dict=True):
    """What is known for one focus: answers of the library, beside the file index that features index by.

    `together` holds an entry for each file followed, with its weight; `links` those of all of them. `likely` are the
    files that the task makes likely by itself, with their probability; `pieces` those of code that say most of it.
    `worth` is how much each of its words tells.
    """

    focus: Focus
    file_index: FileIndex
    together: tuple[tuple[str, float, tuple[Neighbour, ...]], ...] = ()
    links: tuple[Link, ...] = ()
    recent: tuple[Recent, ...] = ()
    matches: tuple[TextMatch, ...] = ()
    pieces: tuple[PassageHit, ...] = ()
    worth: Mapping[str, float] = field(default_factory=dict)
    likely: tuple[tuple[str, float], ...] = ()

    @cached_property
    def followed(self) -> tuple[tuple[str, float], ...]:
        """The files whose neighbours are looked at, each with its weight: those at hand, then those likely."""
        return (*tuple(self.focus.files.items())[:FOLLOWED_LIMIT], *self.likely)

    @cached_property
    def best_pieces(self) -> Mapping[str, PassageHit]:
        """Of each file the piece that says most of the task."""
        found: dict[str, PassageHit] = {}
        for hit in self.pieces:
            known = found.get(hit.passage.path)
            if known is None or hit.covers > known.covers:
                found[hit.passage.path] = hit
        return found

    @cached_property
    def partners(self) -> Mapping[str, tuple[str, Neighbour]]:
        """The followed file that each other changed with most, and how: the current one where it ever did."""
        found: dict[str, tuple[tuple[bool, float, str], Neighbour]] = {}
        for path, weight, neighbours in self.together:
            for neighbour in neighbours:
                worth = (path == self.focus.current, weight * neighbour.weight, path)
                known = found.get(neighbour.path)
                if known is None or worth > known[0]:
                    found[neighbour.path] = (worth, neighbour)
        return {path: (followed, neighbour) for path, ((_, _, followed), neighbour) in found.items()}

    @cached_property
    def latest(self) -> Latest:
        """What changed lately, by file index."""
        return self.file_index.latest(self.recent)

    @cached_property
    def found(self) -> tuple[Places, Floats]:
        """The matches that are in the file index: their places and their scores."""
        index = self.file_index.index
        there = [(place, match) for match in self.matches if (place := index.get(match.path)) is not None]
        return (
            np.array([place for place, _ in there], dtype=np.intp),
            np.array([match.score for _, match in there], dtype=np.float64),
        )

    @cached_property
    def matched(self) -> Mapping[str, TextMatch]:
        """How each file matches the task."""
        return {match.path: match for match in reversed(self.matches)}

    @cached_property
    def strongest_links(self) -> tuple[Link, ...]:
        """The links, those used most first."""
        return tuple(sorted(self.links, key=lambda link: (-link.weight, link.kind.value, link.source, link.target)))


def gather(focus: Focus, library: Library) -> FocusEvidence:
    """Ask the library for all that the features need: co-change of each file followed, links, recency, text."""
    asked = bool(focus.text.strip())
    evidence = FocusEvidence(
        focus=focus,
        file_index=file_index_of(library.paths()),
        recent=library.recent(RECENT_LIMIT),
        matches=library.match_files(focus.text, MATCHES_LIMIT) if asked else (),
        pieces=library.passages(focus.text, (PassageKind.CHUNK,), PIECES_LIMIT) if asked else (),
        worth=library.worth(focus.text) if asked else {},
    )
    return _followed(evidence, library)


def follow(evidence: FocusEvidence, likely: Sequence[Prediction], library: Library) -> FocusEvidence:
    """The evidence with the neighbours of the likeliest files too, as if they were at hand by their probability."""
    new = [one for one in likely if one.path not in evidence.focus.files and one.probability >= FOLLOWED_FROM]
    if not new:
        return evidence
    return _followed(replace(evidence, likely=tuple((one.path, one.probability) for one in new)), library)


def _followed(evidence: FocusEvidence, library: Library) -> FocusEvidence:
    paths = [path for path, _ in evidence.followed]
    known = {path: neighbours for path, _, neighbours in evidence.together}
    together = (
        (path, weight, known[path] if path in known else library.cochanged([path], NEIGHBOURS_LIMIT))
        for path, weight in evidence.followed
    )
    return replace(evidence, together=tuple(together), links=library.links(paths) if paths else ())
