"""What speaks for a file being needed next: named features, each 0 to 1, each with a sentence.

The first are lists: files in the order of a simple ranker, of which only the rank counts (reciprocal rank
fusion, Cormack, Clarke and Buettcher 2009). The others weigh what a task and its errors say. All read the
evidence that was gathered, and the file_index in it. To add one, write a function, a sentence and a line in
`LISTS` or `FEATURES`; the weight of a list is learned beside the others.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence

import numpy as np
from msgspec import Struct

from companion.engine.predicting.evidence import FocusEvidence
from companion.engine.predicting.file_index import FileIndex, Floats, Places, nearness
from companion.records import LinkKind
from companion.syntax.file_names import Name, read_name

WORDS_HALF = 5.0
"""BM25 value that counts half: about one rare word."""
WORDS_BY_CHANCE = 2.0
"""Words of a task that a piece has by chance: to say both of two tells half as much as to say all of many."""
NAMES_HALF = 0.5

_WORD = re.compile(r"\w{3,}")


class Feature(Struct, frozen=True):
    """A named value of every file of the file index, 0 to 1, its usual weight, and how it is told to people.

    A project's own past moves the usual weight, where it can be replayed (see `learn`).
    """

    name: str
    weight: float
    values: Callable[[FocusEvidence], Floats]
    says: Callable[[FocusEvidence, str], str]


def matrix(evidence: FocusEvidence, weights: Sequence[float] = ()) -> Floats:
    """All features of all files: shape (files of the file index, features), each 0 to 1.

    What weighs nothing in `weights`, where they are given in the order of FEATURES, is not looked at and stays 0.
    """
    nothing = np.zeros(len(evidence.file_index))
    counted = [weight > 0 for weight in weights] or [True] * len(FEATURES)
    columns = [
        feature.values(evidence) if counts else nothing for feature, counts in zip(FEATURES, counted, strict=True)
    ]
    return np.stack(columns, axis=1) if columns else np.zeros((len(evidence.file_index), 0))


# ------------------------------------------------------------------ lists: what counts is the rank


def together(evidence: FocusEvidence) -> Floats:
    """Files that changed with one at hand: half by decayed weight, half by the number of commits."""
    file_index = evidence.file_index
    found = np.zeros(len(file_index))
    for _, weight, neighbours in evidence.together:
        listed = [(place, one.together) for one in neighbours if (place := file_index.index.get(one.path)) is not None]
        lately = file_index.ranked([place for place, _ in listed])
        often = file_index.ranked([place for place, _ in sorted(listed, key=lambda one: -one[1])])
        found = np.maximum(found, weight * (lately + often) / 2)
    return found


def _says_together(evidence: FocusEvidence, path: str) -> str:
    if path not in evidence.partners:
        return ""
    with_path, neighbour = evidence.partners[path]
    times = "once" if neighbour.together == 1 else f"in {neighbour.together} commits"
    last = f", last “{neighbour.last_subject}”" if neighbour.last_subject else ""
    return f"changed together with {with_path} {times}{last}"


def recency(evidence: FocusEvidence) -> Floats:
    """Files by how lately they changed, the one in front left out."""
    order = evidence.latest.order
    return evidence.file_index.ranked(order[order != evidence.file_index.index.get(evidence.focus.current, -1)])


def _says_recency(evidence: FocusEvidence, path: str) -> str:
    ago = evidence.latest.ago.get(path, 0)
    if ago == 0:
        return "changed in the newest commit"
    return f"changed {ago} commits ago" if ago > 1 else "changed one commit ago"


def alike(evidence: FocusEvidence) -> Floats:
    """Files by the words that their names share with one at hand; its test, or what it tests, before all others."""
    file_index = evidence.file_index

    def by_name(path: str) -> Floats:
        values = file_index.pairs(path) + file_index.alike(path)
        places = np.nonzero(values)[0]
        return _listed(evidence, path, places, (values[places],))

    return _over_files(evidence, by_name)


def _says_alike(evidence: FocusEvidence, path: str) -> str:
    name = read_name(path)
    others = [one for one in evidence.followed if one[0] != path]
    likeness = {other: weight * _likeness(name, read_name(other)) for other, weight in others}
    other = max(likeness, key=lambda one: likeness[one])
    if name.pairs(read_name(other)):
        return f"by its name {'tests' if name.test else 'is tested by'} {other}"
    file = path.rpartition("/")[2].lower()
    shared = sorted(name.words & read_name(other).words, key=lambda word: (file.find(word), word))
    return f"shares “{' '.join(shared)}” in its name with {other}"


def _likeness(name: Name, other: Name) -> float:
    return name.pairs(other) + name.alike(other)


def beside(evidence: FocusEvidence) -> Floats:
    """Files of the folder of one at hand, then of those around it, each time the latest changed first."""

    def by_folder(path: str) -> Floats:
        places, near = evidence.file_index.around(path.rpartition("/")[0])
        return _listed(evidence, path, places, (near, evidence.latest.recency[places]))

    return _over_files(evidence, by_folder)


def _says_beside(evidence: FocusEvidence, path: str) -> str:
    near = max(evidence.followed, key=lambda one: one[1] * nearness(path.rpartition("/")[0], one[0].rpartition("/")[0]))
    return f"is near {near[0]}"


def linked(evidence: FocusEvidence) -> Floats:
    """Files by their uses of one at hand, both ways (imports, calls, inheritance, tests).

    Only the order counts, so that a file which everything uses gives no more to each of its users.
    """
    file_index = evidence.file_index

    def by_uses(path: str) -> Floats:
        uses = np.zeros(len(file_index))
        for link in evidence.links:
            if path in (link.source, link.target):
                place = file_index.index.get(link.target if link.source == path else link.source)
                if place is not None:
                    uses[place] += link.weight
        places = np.nonzero(uses)[0]
        return _listed(evidence, path, places, (uses[places], evidence.latest.recency[places]))

    return _over_files(evidence, by_uses)


_LINK_WORDS = {
    LinkKind.IMPORT: ("imports", "imported"),
    LinkKind.CALL: ("calls", "called"),
    LinkKind.INHERIT: ("inherits from", "inherited from"),
    LinkKind.TEST: ("tests", "tested"),
}
"""What a file does with another, and what then is done with that one."""


def _says_linked(evidence: FocusEvidence, path: str) -> str:
    """The two strongest sorts of use, told as one where they tie the same two files in the same direction."""
    uses: dict[tuple[str, bool], tuple[list[str], list[str]]] = {}
    followed = {other for other, _ in evidence.followed}
    for link in evidence.strongest_links:
        outward = link.source == path and link.target in followed
        if outward or (link.target == path and link.source in followed):
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


def strength(evidence: FocusEvidence) -> Floats:
    """How well names, symbols, documentation and past subjects of a file match the task, in absolute terms.

    A task that fits nothing lifts nothing.
    """
    values = np.zeros(len(evidence.file_index))
    places, scores = evidence.found
    some = scores > 0
    values[places[some]] = scores[some] / (scores[some] + WORDS_HALF)
    return values


def _says_strength(evidence: FocusEvidence, path: str) -> str:
    match = evidence.matched[path]
    if match.past > match.score / 2:
        return "earlier commits with such a subject changed it"
    return _says(match.matched)


def covered(evidence: FocusEvidence) -> Floats:
    """How much of the task one piece of a file's code says, rare words counting most; all of a short one says less."""
    asked = len(set(_WORD.findall(evidence.focus.text.lower())))
    sure = asked / (asked + WORDS_BY_CHANCE)
    return _placed(evidence.file_index, ((path, sure * hit.covers) for path, hit in evidence.best_pieces.items()))


def _says_covered(evidence: FocusEvidence, path: str) -> str:
    hit = evidence.best_pieces[path]
    return f"{_says(hit.words)} in {hit.passage.symbol}" if hit.passage.symbol else _says(hit.words)


def _says(words: Sequence[str]) -> str:
    return f"matches {', '.join(f'“{word}”' for word in words[:5])}" if words else "matches the task's words"


def mention(evidence: FocusEvidence) -> Floats:
    """1 for a file that the task names; less where it does by a word that tells little in this project."""
    return evidence.file_index.mentioned(evidence.focus.text, evidence.worth)


def place(evidence: FocusEvidence) -> Floats:
    """1 for the only file that the task gives the place of: a path, a file's name, a module's."""
    return evidence.file_index.placed(evidence.focus.text)


def symbol(evidence: FocusEvidence) -> Floats:
    """Whether the file defines a name that the task or the error uses; less where many files do."""
    share = evidence.file_index.defining(evidence.focus.names)
    return share / (share + NAMES_HALF)


def _says_symbol(evidence: FocusEvidence, path: str) -> str:
    place = evidence.file_index.index[path]
    here = [name for name in evidence.focus.names if evidence.file_index.defining([name])[place] > 0]
    return f"defines {', '.join(f'`{name}`' for name in here[:3])}"


def in_error(evidence: FocusEvidence) -> Floats:
    """1 for the file where the error arose, less along its stack."""
    return _placed(evidence.file_index, evidence.focus.error_files.items())


LISTS = (
    Feature("together", 3.0, together, _says_together),
    Feature("recent", 1.5, recency, _says_recency),
    Feature("alike", 1.5, alike, _says_alike),
    Feature("beside", 0.3, beside, _says_beside),
    Feature("linked", 1.5, linked, _says_linked),
)
"""Simple rankers: added with these weights they are rank fusion, which a project's own past may shift."""

FEATURES: tuple[Feature, ...] = (
    *LISTS,
    Feature("strength", 2.9, strength, _says_strength),
    Feature("covered", 7.0, covered, _says_covered),
    Feature("mention", 0.9, mention, lambda _, __: "the task names it"),
    Feature("place", 1.1, place, lambda _, __: "the task gives its place"),
    Feature("symbol", 1.3, symbol, _says_symbol),
    Feature("in_error", 8.0, in_error, lambda _, __: "the error's stack passes through it"),
)
"""Of the lists each has one voice (folders a fifth of one, the two of co-change stand together): on the past of three
repositories no other weights found more. Those of words are a fit on twelve (BENCHMARKS-HISTORY). The past has no
examples for `in_error`: its weight puts the place of an error before all lists but the whole of them."""

BESIDE_TEXT = 0.67
"""What lists count beside a task in words, of what they count alone: of the same fit."""


# ------------------------------------------------------------------ arrays


def _placed(file_index: FileIndex, values: Iterable[tuple[str, float]]) -> Floats:
    found = np.zeros(len(file_index))
    for path, value in values:
        place = file_index.index.get(path)
        if place is not None:
            found[place] = value
    return found


def _over_files(evidence: FocusEvidence, value: Callable[[str], Floats]) -> Floats:
    found = np.zeros(len(evidence.file_index))
    for path, weight in evidence.followed:
        found = np.maximum(found, weight * value(path))
    return found


def _listed(evidence: FocusEvidence, path: str, places: Places, keys: tuple[Floats, ...]) -> Floats:
    """The list of these places by the keys, the first key before the next, highest first, without the path itself."""
    order = places[np.lexsort([-key for key in reversed(keys)])]
    return evidence.file_index.ranked(order[order != evidence.file_index.index.get(path, -1)])
