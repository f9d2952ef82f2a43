"""What speaks for a file being needed next: named features, each 0 to 1, each with a sentence.

They read the evidence that was gathered, and the shelf in it. To add one, write a function, a sentence
and a line in `FEATURES`; its weight is learned beside the others.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

import numpy as np

from companion.engine.predicting.evidence import Evidence
from companion.engine.predicting.shelf import Floats, Name, Places, Shelf, read_name
from companion.records import LinkKind

SHARE_FLOOR = 0.01
"""Shares of co-change below a hundredth are told apart no further."""
LINKS_HALF = 3.0
"""Uses at which a link counts half; twenty calls are not ten times two."""
WORDS_HALF = 5.0
"""BM25 value that counts half: about one rare word."""
NAMES_HALF = 0.5

_ASKS_FOR_TESTS = re.compile(
    r"\b(?:add|write|fix|improve|flaky|failing|missing|more|extend|new|update|split|move|port|rename)\b[^.]*\btests?\b"
    r"|^\W*tests?\b",
    re.IGNORECASE,
)
"""First lines of tasks whose tests are what must change."""


@dataclass(frozen=True, slots=True)
class Feature:
    """A named value of every file on the shelf, 0 to 1, its usual weight, and how it is told to people.

    A project's own past moves the usual weight, where it can be replayed (see `learn`).
    """

    name: str
    weight: float
    values: Callable[[Evidence], Floats]
    says: Callable[[Evidence, str], str]


def matrix(evidence: Evidence, weights: Sequence[float] = ()) -> Floats:
    """All features of all files: shape (files on the shelf, features), each 0 to 1.

    What weighs nothing in `weights`, where they are given in the order of FEATURES, is not looked at and stays 0.
    """
    nothing = np.zeros(len(evidence.shelf))
    counted = [weight > 0 for weight in weights] or [True] * len(FEATURES)
    columns = [
        feature.values(evidence) if counts else nothing for feature, counts in zip(FEATURES, counted, strict=True)
    ]
    return np.stack(columns, axis=1) if columns else np.zeros((len(evidence.shelf), 0))


# ------------------------------------------------------------------ co-change


def together(evidence: Evidence) -> Floats:
    """Decayed co-change, as a share of all that the file at hand ever changed with, on a log scale.

    A log scale, since the step from never to once tells more than from ten times to eleven.
    """
    found = np.zeros(len(evidence.shelf))
    for _, weight, neighbours in evidence.together:
        values = _placed(evidence.shelf, ((n.path, n.weight) for n in neighbours))
        whole = float(values[evidence.shelf.code].sum()) or float(values.sum())
        if whole > 0:
            share = np.minimum(values / whole, 1.0)
            found = np.maximum(found, weight * np.log1p(share / SHARE_FLOOR) / np.log1p(1 / SHARE_FLOOR))
    return found


def _says_together(evidence: Evidence, path: str) -> str:
    if path not in evidence.partners:
        return ""
    with_path, neighbour = evidence.partners[path]
    times = "once" if neighbour.together == 1 else f"in {neighbour.together} commits"
    last = f", last “{neighbour.last_subject}”" if neighbour.last_subject else ""
    return f"changed together with {with_path} {times}{last}"


# ------------------------------------------------------------------ recency


def recency(evidence: Evidence) -> Floats:
    """1 for a file of the newest commit, a half after two more, a quarter after fourteen."""
    return evidence.latest.recency


def _says_recency(evidence: Evidence, path: str) -> str:
    ago = evidence.latest.ago.get(path, 0)
    if ago == 0:
        return "changed in the newest commit"
    return f"changed {ago} commits ago" if ago > 1 else "changed one commit ago"


# ------------------------------------------------------------------ names


def pair(evidence: Evidence) -> Floats:
    """1 for the test of a file at hand or what it tests, by name."""
    return _over_files(evidence, evidence.shelf.pairs)


def _says_pair(evidence: Evidence, path: str) -> str:
    side = "tests" if read_name(path).test else "is tested by"
    other = _best(evidence, path, Name.pairs)
    return f"by its name {side} {other}"


def alike(evidence: Evidence) -> Floats:
    """Words that two file names share, of all words in both."""
    return _over_files(evidence, evidence.shelf.alike)


def _says_alike(evidence: Evidence, path: str) -> str:
    other = _best(evidence, path, Name.alike)
    shared = sorted(read_name(path).words & read_name(other).words)
    return f"shares “{' '.join(shared)}” in its name with {other}"


# ------------------------------------------------------------------ links


def linked(evidence: Evidence) -> Floats:
    """Uses between the file and one at hand, both ways (imports, calls, inheritance, tests)."""
    found = np.zeros(len(evidence.shelf))
    for path, weight in evidence.followed:
        uses = np.zeros(len(evidence.shelf))
        for link in evidence.links:
            if path not in (link.source, link.target):
                continue
            place = evidence.shelf.index.get(link.target if link.source == path else link.source)
            if place is not None:
                uses[place] += link.weight
        found = np.maximum(found, weight * uses / (uses + LINKS_HALF))
    return found


_LINK_WORDS = {
    LinkKind.IMPORT: ("imports", "imported"),
    LinkKind.CALL: ("calls", "called"),
    LinkKind.INHERIT: ("inherits from", "inherited from"),
    LinkKind.TEST: ("tests", "tested"),
}
"""What a file does with another, and what then is done with that one."""


def _says_linked(evidence: Evidence, path: str) -> str:
    """The two strongest sorts of use, told as one where they tie the same two files in the same direction."""
    uses: dict[tuple[str, bool], tuple[list[str], list[str]]] = {}
    for link in evidence.strongest_links:
        outward = link.source == path and link.target in evidence.focus.files
        if outward or (link.target == path and link.source in evidence.focus.files):
            verbs, names = uses.setdefault((link.target if outward else link.source, outward), ([], []))
            verbs.append(_LINK_WORDS[link.kind][0 if outward else 1])
            names += link.names
    return "; ".join(_use(*tie, *told) for tie, told in list(uses.items())[:2])


def _use(other: str, outward: bool, verbs: Sequence[str], names: Sequence[str]) -> str:
    does = " and ".join(list(dict.fromkeys(verbs))[:2])
    shown = _some(list(dict.fromkeys(names)))
    return f"{does} {other}{shown}" if outward else f"is {does} by {other}{shown}"


def _some(names: Sequence[str]) -> str:
    return f" ({', '.join(names[:3])})" if names else ""


# ------------------------------------------------------------------ the words of the task


def words(evidence: Evidence) -> Floats:
    """How well names, symbols and documentation match the task, as a share of the best match."""
    places, scores, past = evidence.found
    return _of_best(evidence, places, scores - past)


def strength(evidence: Evidence) -> Floats:
    """The whole match, past subjects included, in absolute terms: a task that fits nothing lifts nothing."""
    values = np.zeros(len(evidence.shelf))
    places, scores, _ = evidence.found
    some = scores > 0
    values[places[some]] = scores[some] / (scores[some] + WORDS_HALF)
    return values


def told(evidence: Evidence) -> Floats:
    """How much commits whose subjects resemble the task touched the file, as a share of the most touched."""
    places, _, past = evidence.found
    return _of_best(evidence, places, past)


def _says_words(evidence: Evidence, path: str) -> str:
    matched = evidence.matched.get(path, ())
    return f"matches {', '.join(f'“{word}”' for word in matched[:5])}" if matched else "matches the task's words"


def _says_strength(_evidence: Evidence, _path: str) -> str:
    return "fits the task as a whole"


def _says_told(_evidence: Evidence, _path: str) -> str:
    return "earlier commits with such a subject changed it"


def mention(evidence: Evidence) -> Floats:
    """1 for a file that the task names."""
    return evidence.shelf.mentioned(evidence.focus.text)


def _says_mention(_evidence: Evidence, _path: str) -> str:
    return "the task names it"


def place(evidence: Evidence) -> Floats:
    """1 for the only file that the task gives the place of: a path, a file's name, a module's."""
    return evidence.shelf.placed(evidence.focus.text)


def _says_place(_evidence: Evidence, _path: str) -> str:
    return "the task gives its place"


def source(evidence: Evidence) -> Floats:
    """The whole match of a file that is no test: what a task speaks of is changed there, unless it asks for tests."""
    first_line = evidence.focus.text.strip().partition("\n")[0]
    if not evidence.matches or _ASKS_FOR_TESTS.search(first_line):
        return np.zeros(len(evidence.shelf))
    return np.where(evidence.shelf.test, 0.0, strength(evidence))


def _says_source(evidence: Evidence, path: str) -> str:
    return f"{_says_words(evidence, path)} and is no test"


def symbol(evidence: Evidence) -> Floats:
    """Whether the file defines a name that the task or the error uses; less where many files do."""
    share = evidence.shelf.defining(evidence.focus.names)
    return share / (share + NAMES_HALF)


def _says_symbol(evidence: Evidence, path: str) -> str:
    place = evidence.shelf.index[path]
    here = [name for name in evidence.focus.names if evidence.shelf.defining([name])[place] > 0]
    return f"defines {', '.join(f'`{name}`' for name in here[:3])}"


def in_error(evidence: Evidence) -> Floats:
    """1 for the file where the error arose, less along its stack."""
    return _placed(evidence.shelf, evidence.focus.error_files.items())


def _says_in_error(_evidence: Evidence, _path: str) -> str:
    return "the error's stack passes through it"


FEATURES: tuple[Feature, ...] = (
    Feature("together", 4.0, together, _says_together),
    Feature("recent", 2.95, recency, _says_recency),
    Feature("pair", 0.7, pair, _says_pair),
    Feature("alike", 0.9, alike, _says_alike),
    Feature("linked", 2.35, linked, _says_linked),
    Feature("words", 1.5, words, _says_words),
    Feature("strength", 2.2, strength, _says_strength),
    Feature("told", 0.8, told, _says_told),
    Feature("mention", 0.7, mention, _says_mention),
    Feature("place", 0.0, place, _says_place),
    Feature("source", 0.0, source, _says_source),
    Feature("symbol", 0.4, symbol, _says_symbol),
    Feature("in_error", 8.0, in_error, _says_in_error),
)
"""The weights are those of a pooled fit on the past of eleven public repositories in eight languages. The
past has no examples for `in_error`: its weight puts the place of an error before co-change and recency."""

FROM_TEXT: Mapping[str, float] = MappingProxyType(
    {
        "recent": 0.7,
        "words": 1.1,
        "strength": 2.1,
        "told": 1.3,
        "mention": 0.3,
        "place": 1.6,
        "source": 2.9,
        "symbol": 1.2,
    }
)
"""The weights where nothing but a text is known, no file at hand: what it says then decides, not what changed last.
Those of a fit on real issues and on messages of past commits, of repositories in six languages."""


# ------------------------------------------------------------------ arrays


def _placed(shelf: Shelf, values: Iterable[tuple[str, float]]) -> Floats:
    found = np.zeros(len(shelf))
    for path, value in values:
        place = shelf.index.get(path)
        if place is not None:
            found[place] = value
    return found


def _of_best(evidence: Evidence, places: Places, scores: Floats) -> Floats:
    values = np.zeros(len(evidence.shelf))
    values[places] = scores
    top = float(values[evidence.shelf.code].max(initial=0.0)) or float(values.max(initial=0.0))
    return np.clip(values / top, 0.0, 1.0) if top > 0 else values


def _over_files(evidence: Evidence, value: Callable[[str], Floats]) -> Floats:
    found = np.zeros(len(evidence.shelf))
    for path, weight in evidence.followed:
        found = np.maximum(found, weight * value(path))
    return found


def _best(evidence: Evidence, path: str, value: Callable[[Name, Name], float]) -> str:
    """The file followed whose name has most to do with a path's."""
    name = read_name(path)
    return max(evidence.followed, key=lambda item: item[1] * value(name, read_name(item[0])))[0]
