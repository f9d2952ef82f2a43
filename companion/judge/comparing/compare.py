"""Two claims laid side by side: what agrees, what differs, and what only seems to.

Every finding is worked out when it is first asked for, and is the same from either side but for the order of what
it quotes.
"""

from __future__ import annotations

from functools import cached_property

from msgspec import Struct
from msgspec.structs import replace

from companion.judge.comparing import apartness, measuring
from companion.judge.comparing.measuring import Difference, Numbers
from companion.judge.comparing.scopes import Lie, lie, times_apart
from companion.language.amounts import UNITS
from companion.language.claims import Claim, claim
from companion.language.frames import CHOSEN_FOR, clash
from companion.records import Statement


class Comparison(Struct, frozen=True, dict=True):
    """What a judge weighs. Every list quotes the two statements; a number is a share from 0 to 1.

    `told` says that both are declared to be about the same thing.
    """

    a: Claim
    b: Claim
    lie: Lie
    times_apart: bool
    told: bool

    @property
    def both_ways(self) -> tuple[tuple[Claim, Claim], tuple[Claim, Claim]]:
        """The two, and the other way round."""
        return (self.a, self.b), (self.b, self.a)

    @cached_property
    def shared(self) -> frozenset[str]:
        """Words of both."""
        return frozenset(self.a.signs.keys() & self.b.signs.keys())

    @cached_property
    def overlap(self) -> float:
        """Share of the words of the shorter one that both have."""
        return len(self.shared) / max(1, min(len(self.a.signs), len(self.b.signs)))

    @cached_property
    def opposed(self) -> frozenset[str]:
        """Words said with a plus here and a minus there: no units, and nothing that is said of versions alone."""
        told = (*self.a.refusals, *self.b.refusals)
        of_versions = {word for one in told for word in (measuring.thing(one.product), *one.words)}
        said = self.shared - of_versions - UNITS.keys()
        return frozenset(word for word in said if not self.a.signs[word] & self.b.signs[word])

    @cached_property
    def denied(self) -> frozenset[str]:
        """Opposed words that a denial is about."""
        return self.opposed & (self.a.target | self.b.target)

    @cached_property
    def denied_share(self) -> float:
        """How much of what one denies the other speaks of at all."""
        return max(_share(self.a.target, self.b), _share(self.b.target, self.a))

    @cached_property
    def poles_opposed(self) -> frozenset[str]:
        """Named pairs of which each takes another side."""
        return frozenset(
            one for one in self.a.poles.keys() & self.b.poles.keys() if not self.a.poles[one] & self.b.poles[one]
        )

    @cached_property
    def poles_agreed(self) -> frozenset[str]:
        """Named pairs of which both take one side."""
        return frozenset(self.a.poles.keys() & self.b.poles.keys()) - self.poles_opposed

    @cached_property
    def values_opposed(self) -> tuple[Difference, ...]:
        """Two values where one can hold."""
        a, b = self.a.fillers, self.b.fillers
        slots = (slot for slot in sorted(a.keys() & b.keys()) if not a[slot] & b[slot])
        return tuple(Difference(", ".join(sorted(a[slot])), ", ".join(sorted(b[slot]))) for slot in slots)

    @cached_property
    def values_agreed(self) -> frozenset[str]:
        """Values that both give."""
        a, b = self.a.fillers, self.b.fillers
        return frozenset(value for slot in a.keys() & b.keys() for value in a[slot] & b[slot])

    @cached_property
    def refused(self) -> tuple[Difference, ...]:
        """What one refuses and the other says."""
        return _refused(self.a, self.b) + _refused(self.b, self.a, turned=True)

    @cached_property
    def numbers(self) -> Numbers:
        """The numbers of both."""
        found = measuring.numbers(self.a, self.b)
        asked = tuple(one for pair in self.both_ways for one in measuring.asked_and_refused(*pair))
        return replace(found, opposed=found.opposed + asked, versions=True) if asked else found

    @cached_property
    def head_shared(self) -> bool:
        """Whether what one begins with is spoken of by the other."""
        return not self.a.head.isdisjoint(self.b.signs) or not self.b.head.isdisjoint(self.a.signs)

    @cached_property
    def ends_opposed(self) -> tuple[Difference, ...]:
        """Two ends of one relation of one thing; a value known by another name is the same end."""
        a, b = ([frame for clause in one.clauses for frame in clause.frames] for one in (self.a, self.b))
        return tuple(Difference(" ".join(sorted(one)), " ".join(sorted(two))) for one, two in clash(a, b))

    @property
    def chosen_otherwise(self) -> bool:
        """Whether both say nothing but what is chosen for one purpose, and choose otherwise."""
        if len(self.a.clauses) != 1 or len(self.b.clauses) != 1:
            return False
        frames = (claim.clauses[0].frames for claim in (self.a, self.b))
        return bool(clash(*([one for one in some if one.relation.startswith(CHOSEN_FOR)] for some in frames)))

    @cached_property
    def order_opposed(self) -> bool:
        """Whether what comes first by the one comes second by the other."""
        a, b = self.a.sequence, self.b.sequence
        if not a or not b:
            return False
        return bool((a[0] - b[0]) & (b[1] - a[1]) and (a[1] - b[1]) & (b[0] - a[0]))

    @cached_property
    def shut_out(self) -> bool:
        """Whether one says that something alone does what the other says that something else does."""
        return any(_sole(*pair) for pair in self.both_ways)

    @cached_property
    def things_apart(self) -> tuple[str, ...]:
        """Words of pairs that are two things."""
        return apartness.things_apart(self.a, self.b, self.ends_opposed)

    @cached_property
    def freed(self) -> bool:
        """Whether one leaves open what the other binds."""
        free, bound = (self.a.free, self.b.free), (self.a.binds, self.b.binds)
        return free[0] != free[1] and bound[free[0]]

    @property
    def wider(self) -> tuple[Claim, ...]:
        """The claim that is made of more places; both where neither place holds the other."""
        return self._but(Lie.SECOND_WIDER, Lie.FIRST_WIDER)

    @property
    def narrower(self) -> tuple[Claim, ...]:
        """The claim that is made of fewer places; both where neither place holds the other."""
        return self._but(Lie.FIRST_WIDER, Lie.SECOND_WIDER)

    def _but(self, first: Lie, second: Lie) -> tuple[Claim, ...]:
        return (*(() if self.lie is first else (self.a,)), *(() if self.lie is second else (self.b,)))


def compare(a: Statement, b: Statement) -> Comparison:
    """Lay two statements side by side."""
    told = bool(a.subject) and a.subject == b.subject
    return Comparison(claim(a.text), claim(b.text), lie(a, b), times_apart(a, b), told)


def _sole(a: Claim, b: Claim) -> bool:
    if a.sole is None or any(clause.sign < 0 for clause in b.clauses):
        return False
    rest = (a.signs.keys() - a.sole) & b.signs.keys()
    return a.sole.isdisjoint(b.signs) and (len(rest) > 1 or bool(a.names & b.names))


def _share(target: frozenset[str], other: Claim) -> float:
    """How much of what one denies the other speaks of at all."""
    return len(target & other.signs.keys()) / max(1, len(target))


def _refused(a: Claim, b: Claim, *, turned: bool = False) -> tuple[Difference, ...]:
    """What the first refuses and the second says."""
    found: list[Difference] = []
    for slot in sorted(a.refused.keys() & b.fillers.keys()):
        both = sorted((a.refused[slot] - a.fillers.get(slot, frozenset())) & b.fillers[slot])
        found += [Difference(one, f"not {one}") if turned else Difference(f"not {one}", one) for one in both]
    return tuple(found)
