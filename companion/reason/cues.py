"""What the words of a request tell by rules: points for each label of the three axes, with the reason of each.

The verb that a clause begins with counts most, a question by how it is asked, nouns, phrases and paths lean. The first
clause decides, later ones add: "explain the cache and then fix it" is both.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache

from companion.language.requests import Request, Token, request_stem
from companion.language.word_lists import Table, listed, word_set
from companion.records.reasoning import Consumer, Destination, Semantics

AXES: Mapping[str, tuple[str, ...]] = {
    "destination": tuple(one.value for one in Destination),
    "consumer": tuple(one.value for one in Consumer),
    "semantics": tuple(one.value for one in Semantics),
}
"""The labels of each axis."""
AXIS_OF = {label: axis for axis, labels in AXES.items() for label in labels}
USUAL = {"stream": 0.3, "human": 0.2, "interpret": 0.1}
"""Points where nothing is said: an answer that is shown does no harm."""
LATER = 0.45
"""How much a later clause counts beside the first that asks for something."""
ASKS_FOR = 1.2
"""Points of a label from which something was asked for: “the page crashes, please fix” asks in its second clause."""
IN_QUESTION = 0.2
"""How much a verb counts in a question: "why does it fail to build" asks for no build."""
NAMED = 0.25
"""How much a verb counts as a noun: "the build" names it, and asks for something else."""
UNLED = 0.7
"""How much a verb counts that does not begin its clause: "gate: build and test"."""
LEAD, ARTICLES = word_set("requests", "lead.words"), word_set("requests", "lead.articles")
"""Words that may stand before the verb that a request is about, and those that make a noun of the word behind them."""
LEADING = 6
"""Words at the beginning of a clause among which its verb is looked for."""


@dataclass
class Points:
    """Points for each label and the words they come from, as they are gathered."""

    of: dict[str, float] = field(default_factory=lambda: {label: USUAL.get(label, 0.0) for label in AXIS_OF})
    why: dict[str, list[tuple[float, str]]] = field(default_factory=lambda: {axis: [] for axis in AXES})

    def add(self, label: str, points: float, reason: str) -> None:
        """Points for a label, with where they come from."""
        self.of[label] += points
        if points and reason:
            self.why[AXIS_OF[label]].append((points, reason))

    def best(self, axis: str) -> str:
        """The label with the most points, the first of the axis among equals."""
        return max(AXES[axis], key=lambda label: self.of[label])

    def lead(self, axis: str) -> float:
        """How far the best label is ahead of the next."""
        ordered = sorted((self.of[label] for label in AXES[axis]), reverse=True)
        return ordered[0] - ordered[1]

    def shares(self, axis: str) -> tuple[tuple[str, float], ...]:
        """How sure each label is: points as shares of one (a softmax), the surest first."""
        top = max(self.of[label] for label in AXES[axis])
        weights = {label: math.exp(self.of[label] - top) for label in AXES[axis]}
        whole = sum(weights.values())
        shares = [(label, round(weight / whole, 4)) for label, weight in weights.items()]
        return tuple(sorted(shares, key=lambda pair: -pair[1]))

    def reasons(self, axis: str) -> tuple[str, ...]:
        """The four weightiest reasons, the weightiest first."""
        ordered = sorted(self.why[axis], key=lambda pair: -abs(pair[0]))
        return tuple(dict.fromkeys(reason for _, reason in ordered))[:4]


def points(request: Request) -> Points:
    """What the rules make of a request."""
    found = Points()
    share = 1.0
    for _, tokens in request.clauses:
        _clause(found, tokens, share)
        if max(found.of.values()) >= ASKS_FOR:
            share = LATER
    return found


def is_verb(token: Token) -> bool:
    """Whether rules know a word as something that is asked for."""
    return token.sort == "word" and (token.plain in _verbs() or token.stem in _verbs())


def _clause(found: Points, tokens: Sequence[Token], share: float) -> None:
    plain = _plain(tokens)
    question = _asks(plain)
    if question is not None:
        start, labels = question
        _give(found, labels, share, f"it asks “{start} …”")
    verb_share = share * IN_QUESTION if question is not None else share
    _verb(found, tokens, verb_share)
    words = {token.plain for token in tokens} | {token.stem for token in tokens}
    for labels, of_group in _groups("noun", "words"):
        for word in sorted(words & of_group):
            _give(found, labels, share, f"it mentions “{word}”")
    for phrase, labels in _phrases():
        if phrase in plain:
            _give(found, labels, share, f"“{phrase.strip()}”")
    _paths(found, tokens, share)


def _verb(found: Points, tokens: Sequence[Token], share: float) -> None:
    """The verb a clause begins with, or the first one it has at all; as a noun it counts little."""
    spoken = [token for token in tokens if token.sort != "mark"]
    begun = True
    before = ""
    for place, token in enumerate(spoken):
        labels = _verbs().get(token.plain) or _verbs().get(token.stem) if token.sort == "word" else None
        if labels is not None and (begun or before not in ARTICLES):
            full = begun and place < LEADING
            _give(found, labels, share * (1.0 if full else UNLED), f"“{token.plain}” is asked for")
            return
        if labels is not None:
            _give(found, labels, share * NAMED, f"“{token.plain}” is named")
        begun = begun and token.plain in LEAD
        before = token.plain


def _paths(found: Points, tokens: Sequence[Token], share: float) -> None:
    before = ""
    for token in tokens:
        name = token.plain
        if token.sort in {"path", "code"} and "." in name:
            ending = name[name.rfind(".") :]
            for labels, endings in _groups("path", "endings"):
                if ending in endings:
                    _give(found, labels, share, f"{name} is named")
                    if before in {"to", "into", "as"}:
                        found.add(Destination.FILE.value, 1.8 * share, f"it goes {before} {name}")
        if token.sort != "mark":
            before = name


def _give(found: Points, labels: Mapping[str, float], share: float, reason: str) -> None:
    for label, worth in labels.items():
        found.add(label, worth * share, reason)


def _plain(tokens: Sequence[Token]) -> str:
    """The words of a clause between single spaces, so that phrases are found whole."""
    return f" {' '.join(token.plain for token in tokens if token.sort != 'mark')} "


_POLITE = re.compile(
    r"^ (?:(?:please|hey|hi|hello|ok|okay|so|and|but|now|then|well|also|actually|quick question|hm+|um|btw) )*"
    r"(?:(?:can|could|would|will) (?:you|we|i|someone) (?:please |just |quickly |kindly |maybe )*"
    r"|(?:i|we)(?:'d| would)? (?:want|need|like|have|wish)(?: you)? to (?:know )?|let's |lets |let us |please )?"
    r"(?:(?:tell|remind|show) (?:me|us) (?=why|how|what|which|who|when|where|whether)"
    r"|do you know |i wonder |any clue )?"
)


def _asks(plain: str) -> tuple[str, Mapping[str, float]] | None:
    """How a clause asks, if it does; "can you run it" does not."""
    polite = _POLITE.match(plain)
    rest = " " + plain[polite.end() :].lstrip() if polite else plain
    for start, labels in _questions():
        if rest.startswith(f" {start} "):
            return start, labels
    return None


@cache
def _questions() -> tuple[tuple[str, Mapping[str, float]], ...]:
    """Beginnings of questions, the longest first."""
    pairs = [(start, _worth(group)) for group in listed("requests")["question"] for start in group["starts"]]
    return tuple(sorted(pairs, key=lambda pair: -len(pair[0])))


@cache
def _verbs() -> dict[str, Mapping[str, float]]:
    return {
        form: _worth(group)
        for group in reversed(listed("requests")["verb"])
        for word in group["words"].split()
        for form in (word, request_stem(word))
    }


@cache
def _groups(sort: str, words: str) -> tuple[tuple[Mapping[str, float], frozenset[str]], ...]:
    return tuple((_worth(group), frozenset(group[words].split())) for group in listed("requests")[sort])


@cache
def _phrases() -> tuple[tuple[str, Mapping[str, float]], ...]:
    return tuple((f" {phrase} ", _worth(group)) for group in listed("requests")["phrase"] for phrase in group["words"])


def _worth(group: Table) -> dict[str, float]:
    return {label: float(group[label]) for label in AXIS_OF if label in group}
