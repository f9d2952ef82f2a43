"""Which ways to say something speak of one property, as the values they give show.

A frame is what stands around a value. Two are akin when they give the same values to the same things more often
than chance would have it, or draw on one vocabulary, and nothing speaks against it: another unit, `replica`
beside `primary`, `read` against `write`. A word in common, or documents of one name, make less evidence do.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import combinations, pairwise
from math import comb

from companion.judging.lexicon import stem
from companion.judging.reading.amounts import UNITS
from companion.judging.words import DENIALS, GLUE, listed

ABOUT, VALUE = "@", "#"
"""What stands in a frame for the thing it is about, and for the value."""

BY_CHANCE_ALONE = 0.001
"""How probable the agreement of two frames may be if it came by chance, where no word tells that they are akin:
a thousand pairs of frames are compared in a year's talk."""
BY_CHANCE_AKIN = 0.08
"""The same where they share a word, or are told in documents of one name."""
AGREE_SHARE = 0.1
"""Share of the things known by both frames that must have the same value in both: facts change, so not all do."""
SHARED_VOCABULARY = 0.6
"""Share of the smaller vocabulary that the larger must hold."""
WORDS_LEAST, NUMBERS_LEAST = 3, 4
"""Values that two must share before their vocabularies are compared."""
SPREAD_MOST = 4
"""Properties that may have a value which still tells something: `true` and `10` are said of everything."""
BEGINNING = 4
"""Letters of a stem that another may begin with and be taken for the same."""
ROUNDS = 4
"""Times the joined are looked at anew: each round can only find what the one before made visible."""
FRAMES_A_THING = 60
"""Frames compared with one another for one thing: a thing spoken of in more ways is not one thing."""
DOCUMENT_SHARE = 0.5
"""Share of a frame's documents that must be named alike before the name tells what the frame is about."""

STOP = GLUE | DENIALS | frozenset(":=")
"""Words and signs that carry no property of their own."""
COUNTED = {word: known.name for word, known in UNITS.items() if word != "time"} | {
    word: name for name, words in listed("slots")["counted"].items() for word in words.split()
}
"""Words that tell what a number counts, or per what, with the unit each stands for. `calls time out after # s` counts
seconds and no times."""


def stems(words: str) -> frozenset[str]:
    """The stems of some words."""
    return frozenset(stem(word) for word in words.split())


_NARROWING = stems(listed("slots")["narrowing"])
_OPPOSITES = tuple((one, other) for one, other in (map(stem, pair.split()) for pair in listed("slots")["opposites"]))

Frame = tuple[str, ...]
Thing = tuple[str, ...]
"""What a statement is about, who says it, and where it holds."""


@dataclass(frozen=True, slots=True)
class Said:
    """A statement: that `thing` has `value` for what `frame` speaks of; `document` is where it was told, or empty."""

    thing: Thing
    frame: Frame
    value: str
    document: str


@dataclass(slots=True)
class _Class:
    """Frames that speak of one property, and the values they give."""

    frames: list[Frame]
    values: Counter[str]
    stems: frozenset[str]
    compounds: frozenset[str]
    units: frozenset[str]
    topics: frozenset[str]


def properties(said: Iterable[Said]) -> dict[Frame, Frame]:
    """By frame, the one that stands for all of its property.

    What was joined is looked at as one afterwards, so that a third way to say it is found by what both show.
    """
    read = list(said)
    classes = _apart(read)
    things: defaultdict[Thing, defaultdict[Frame, set[str]]] = defaultdict(lambda: defaultdict(set))
    for one in read:
        things[one.thing][one.frame].add(one.value)
    stands = {frame: frame for frame in classes}
    for _ in range(ROUNDS):
        joined = False
        spread = Counter(value for found in classes.values() for value in found.values)
        for (a, b), (agree, asked) in sorted(_compared(things, stands).items()):
            first, second = stands[a], stands[b]
            if first != second and _akin(classes[first], classes[second], agree, asked, spread):
                _join(classes, stands, first, second)
                joined = True
        if not joined:
            break
    return stands


def _apart(read: Iterable[Said]) -> dict[Frame, _Class]:
    """Each frame as a class of its own."""
    values: defaultdict[Frame, Counter[str]] = defaultdict(Counter)
    named: defaultdict[Frame, Counter[str]] = defaultdict(Counter)
    for one in read:
        values[one.frame][one.value] += 1
        if one.document:
            named[one.frame][_name(one.document)] += 1
    topics = _topics(named)
    return {
        frame: _Class(
            [frame],
            counted,
            content(frame),
            _compounds(frame),
            _units(frame),
            frozenset([topics[frame]] if frame in topics else ()),
        )
        for frame, counted in values.items()
    }


def _compared(
    things: Mapping[Thing, defaultdict[Frame, set[str]]], stands: Mapping[Frame, Frame]
) -> dict[tuple[Frame, Frame], tuple[int, int]]:
    """Of each two properties said of one thing: of how many things they say the same, and of how many anything."""
    agree: Counter[tuple[Frame, Frame]] = Counter()
    asked: Counter[tuple[Frame, Frame]] = Counter()
    for frames in things.values():
        said: defaultdict[Frame, set[str]] = defaultdict(set)
        for frame, values in frames.items():
            said[stands[frame]] |= values
        for a, b in combinations(sorted(said)[:FRAMES_A_THING], 2):
            asked[a, b] += 1
            agree[a, b] += bool(said[a] & said[b])
    return {pair: (agree[pair], times) for pair, times in asked.items()}


def _join(classes: dict[Frame, _Class], stands: dict[Frame, Frame], first: Frame, second: Frame) -> None:
    stays, goes = sorted((first, second))
    one, other = classes[stays], classes.pop(goes)
    one.frames += other.frames
    one.values = one.values + other.values
    one.stems |= other.stems
    one.compounds |= other.compounds
    one.units |= other.units
    one.topics |= other.topics
    for frame in other.frames:
        stands[frame] = stays


def _akin(a: _Class, b: _Class, agree: int, asked: int, spread: Counter[str]) -> bool:
    """Whether two classes of frames speak of one property, by what the store shows."""
    if _numeric(a.values) != _numeric(b.values) or _unlike(a, b):
        return False
    shared = _share_a_word(a, b) or bool(a.topics & b.topics)
    by_chance = _at_least(agree, asked, _chance(a.values, b.values))
    if agree >= AGREE_SHARE * asked and by_chance <= (BY_CHANCE_AKIN if shared else BY_CHANCE_ALONE):
        return True
    if not shared and agree == 0:
        return False
    return bool(a.units & b.units and shared and agree) or _one_vocabulary(a.values, b.values, spread)


def _at_least(times: int, tries: int, chance: float) -> float:
    """The probability that what happens with `chance` happens so often at least (the tail of a binomial)."""
    if times == 0:
        return 1.0
    return sum(comb(tries, k) * chance**k * (1 - chance) ** (tries - k) for k in range(times, tries + 1))


def _chance(a: Counter[str], b: Counter[str]) -> float:
    """How often two statements of these frames would give the same value if they had nothing to do with each other."""
    return sum(a[value] * b[value] for value in a) / (a.total() * b.total())


def _one_vocabulary(a: Counter[str], b: Counter[str], spread: Counter[str]) -> bool:
    """Whether two draw on the same values, such as hardly anything else is said to have.

    `spread` counts the properties that have a value. Numbers are shared more easily, so it takes more of them.
    """
    least = NUMBERS_LEAST if _numeric(a) else WORDS_LEAST
    common = sum(spread[value] <= SPREAD_MOST for value in a.keys() & b.keys())
    return common >= least and common >= SHARED_VOCABULARY * min(len(a), len(b))


def _numeric(values: Counter[str]) -> bool:
    return sum(n for value, n in values.items() if value[0].isdigit()) > values.total() / 2


def _unlike(a: _Class, b: _Class) -> bool:
    """Whether words tell two apart: another unit, `replica` on one side alone, `read` against `write`."""
    if a.units and b.units and not a.units & b.units:
        return True
    if (a.stems ^ b.stems) & _NARROWING:
        return True
    return any(
        (one in a.stems and other in b.stems) or (other in a.stems and one in b.stems) for one, other in _OPPOSITES
    )


def _name(path: str) -> str:
    return stem(path.rpartition("/")[2].partition(".")[0].casefold())


def _topics(named: dict[Frame, Counter[str]]) -> dict[Frame, str]:
    """By frame, the name that most of its documents have and few other frames' documents."""
    spread = Counter(name for counts in named.values() for name in counts)
    topics = {}
    for frame, counts in named.items():
        name, times = counts.most_common(1)[0]
        if times >= DOCUMENT_SHARE * counts.total() and times > 1 and spread[name] <= max(3, len(named) // 6):
            topics[frame] = name
    return topics


def content(frame: Frame) -> frozenset[str]:
    """The stems that carry meaning, without the unit of the value."""
    words = [word for word in frame if word not in (ABOUT, VALUE)]
    units = {frame[at + 1] for at, word in enumerate(frame[:-1]) if word == VALUE and frame[at + 1] in COUNTED}
    return frozenset(stem(word) for word in words if word not in STOP and word not in units)


def _share_a_word(a: _Class, b: _Class) -> bool:
    """Whether two have a stem in common, or the beginning of one; `time out` is `timeout`, `volts` are `voltage`."""
    if (a.stems | a.compounds) & b.stems or a.stems & b.compounds:
        return True
    return any(
        len(one) >= BEGINNING and len(other) >= BEGINNING and (one.startswith(other) or other.startswith(one))
        for one in a.stems
        for other in b.stems
    )


def _compounds(frame: Frame) -> frozenset[str]:
    """Words that follow one another, taken as one."""
    return frozenset(stem(one + other) for one, other in pairwise(frame) if ABOUT not in (one, other))


def _units(frame: Frame) -> frozenset[str]:
    """The units a frame speaks of: what its value counts, or per what."""
    return frozenset(COUNTED[word] for word in frame if word in COUNTED)
