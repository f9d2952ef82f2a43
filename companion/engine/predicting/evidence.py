"""What is known when files are foreseen: a few set-based questions to the library, and their answers on the shelf.

`predict` gathers it from the library; `learn` makes it from past commits. The features read nothing else.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from companion.engine.attending.focus import Focus
from companion.engine.predicting.shelf import Floats, Latest, Places, Shelf, shelf_of
from companion.ports import Library, Neighbour, Recent, TextMatch
from companion.records import Link

NEIGHBOURS_LIMIT = 200
"""Co-changed files asked for: the rest have less than a thousandth of the strongest one's weight."""
RECENT_LIMIT = 500
"""Recently changed files asked for; further back recency hardly differs."""
MATCHES_LIMIT = 100
"""Files asked for by text: beyond them nothing but common words match."""
FOLLOWED_LIMIT = 6
"""Files at hand whose neighbours are asked for, heaviest first: each is a question to the store."""


@dataclass(frozen=True)
class Evidence:
    """What is known for one focus: answers of the library, beside the shelf that features index by.

    `together` and `links` hold one entry for each file followed, with that file's weight in the focus.
    """

    focus: Focus
    shelf: Shelf
    together: tuple[tuple[str, float, tuple[Neighbour, ...]], ...] = ()
    links: tuple[Link, ...] = ()
    recent: tuple[Recent, ...] = ()
    matches: tuple[TextMatch, ...] = ()

    @cached_property
    def followed(self) -> tuple[tuple[str, float], ...]:
        """The files at hand whose neighbours are looked at, heaviest first, each with its weight in the focus."""
        return tuple(self.focus.files.items())[:FOLLOWED_LIMIT]

    @cached_property
    def partners(self) -> Mapping[str, tuple[str, Neighbour]]:
        """The followed file that each other changed with most, and how."""
        found: dict[str, tuple[float, str, Neighbour]] = {}
        for path, weight, neighbours in self.together:
            for neighbour in neighbours:
                worth = weight * neighbour.weight
                known = found.get(neighbour.path)
                if known is None or (worth, path) > known[:2]:
                    found[neighbour.path] = (worth, path, neighbour)
        return {path: (followed, neighbour) for path, (_, followed, neighbour) in found.items()}

    @cached_property
    def latest(self) -> Latest:
        """What changed lately, on the shelf."""
        return self.shelf.latest(self.recent)

    @cached_property
    def found(self) -> tuple[Places, Floats, Floats]:
        """The matches that are on the shelf: their places, their whole scores, and what past commits gave of these."""
        index = self.shelf.index
        there = [(place, match) for match in self.matches if (place := index.get(match.path)) is not None]
        return (
            np.array([place for place, _ in there], dtype=np.intp),
            np.array([match.score for _, match in there], dtype=np.float64),
            np.array([match.past for _, match in there], dtype=np.float64),
        )

    @cached_property
    def matched(self) -> Mapping[str, tuple[str, ...]]:
        """The words of the task that each file matches."""
        return {match.path: match.matched for match in reversed(self.matches)}

    @cached_property
    def strongest_links(self) -> tuple[Link, ...]:
        """The links, those used most first."""
        return tuple(sorted(self.links, key=lambda link: (-link.weight, link.kind.value, link.source, link.target)))


def gather(focus: Focus, library: Library) -> Evidence:
    """Ask the library for all that the features need: co-change of each file followed, links, recency, text."""
    followed = list(focus.files)[:FOLLOWED_LIMIT]
    return Evidence(
        focus=focus,
        shelf=shelf_of(library.paths()),
        together=tuple((path, focus.files[path], library.cochanged([path], NEIGHBOURS_LIMIT)) for path in followed),
        links=library.links(followed) if followed else (),
        recent=library.recent(RECENT_LIMIT),
        matches=library.match_files(focus.text, MATCHES_LIMIT) if focus.text.strip() else (),
    )
