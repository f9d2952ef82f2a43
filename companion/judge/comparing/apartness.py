"""Whether two claims speak of one thing or of two, whatever they say of it: subjects, objects, editions."""

from __future__ import annotations

import re
from collections.abc import Sequence

from companion.judge.comparing.measuring import Difference, thing
from companion.language.claims import Claim
from companion.language.lexicon import lexicon, stem


def other_objects(a: Claim, b: Claim, shared: frozenset[str]) -> bool:
    """Whether the first denies doing to one thing what the second does to another: "never log keys", "log errors"."""
    verbs = {clause.verb for clause in a.clauses if clause.verb}
    objects = a.target - verbs
    rest = {word for word in b.signs.keys() - shared if not lexicon().poles.at((word,), 0)}
    return bool(verbs and objects and rest) and a.target & b.signs.keys() == verbs and objects.isdisjoint(b.signs)


def other_subjects(a: Claim, b: Claim) -> bool:
    """Whether each begins with something that the other does not speak of, or says so of what is another's."""
    if a.whose and b.whose and a.whose.isdisjoint(b.signs) and b.whose.isdisjoint(a.signs):
        return True
    named = _named(a.subject) and _named(b.subject) and a.subject not in b.signs and b.subject not in a.signs
    return named or renamed(a, b)


def _named(word: str) -> bool:
    return bool(word) and not lexicon().knows(word)


def renamed(a: Claim, b: Claim) -> bool:
    """Whether the two are word for word the same but for one name, or say one thing of two from the start."""
    stems_a, stems_b = (claim.clauses[0].stems[:2] if claim.clauses else () for claim in (a, b))
    if len(stems_a) == len(stems_b) == 2 and stems_a[1] == stems_b[1]:
        valued = lexicon().fillers.at(stems_a, 0) or lexicon().fillers.at(stems_b, 0)
        return stems_a[0] not in b.signs and stems_b[0] not in a.signs and not valued
    words_a, words_b = ([thing(word) for word in re.findall(r"[a-z][\w-]*", one.text.lower())] for one in (a, b))
    if len(words_a) != len(words_b):
        return False
    other = [at for at, pair in enumerate(zip(words_a, words_b, strict=True)) if pair[0] != pair[1]]
    # What a sentence begins with is what it is about.
    return len(other) == 1 and (other == [0] or (_named(words_a[other[0]]) and _named(words_b[other[0]])))


def things_apart(a: Claim, b: Claim, ends: Sequence[Difference]) -> tuple[str, ...]:
    """Words of pairs that are two things, unless they are what the two say of one thing."""
    said = {word for end in ends for word in (*end.a.split(), *end.b.split())}
    kinds = [
        kind
        for kind in a.apart.keys() & b.apart.keys()
        if not a.apart[kind] & b.apart[kind] and not {stem(word) for word in a.apart[kind] | b.apart[kind]} <= said
    ]
    found = [f"{', '.join(sorted(a.apart[kind]))} - {', '.join(sorted(b.apart[kind]))}" for kind in kinds]
    return tuple(sorted(found))


def exempted(a: Claim, b: Claim) -> bool:
    """Whether the first leaves out by name what the second says the contrary of: "all are, but tests are exempt"."""
    if b.every or not a.clauses or not b.clauses or a.clauses[0].sign == b.clauses[0].sign:
        return False
    for clause in a.clauses:
        words = [stem(word) for word in re.findall(r"[a-z][\w-]*", clause.text.lower())]
        found = lexicon().lists["excepts"].found(words)
        marks = {at for place, length, _ in found for at in range(place, place + length)}
        left_out = {thing(word) for at, word in enumerate(words) if at not in marks} - lexicon().silent
        if found and left_out and left_out <= b.signs.keys():
            return True
    return False
