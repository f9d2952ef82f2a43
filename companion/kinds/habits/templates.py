"""What the places of one structure share: fixed parts, slots, names and methods; and the hint to copy by."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from msgspec import Struct

from companion.records import Evidence, EvidenceKind, ShapeFamily

LEAST_PLACES = 4
"""Places that make a structure recur in the smallest project, and names that make an affix."""
AGREED = 0.8
"""Share of places from which a part is the pattern's and its absence an exception."""
AFFIX_LEAST = 4
"""Letters of an ending or a beginning that names must share to be worth telling."""
SIDE_BY_SIDE = "in "
"""How the key of a group begins whose files lie side by side in a folder, which it names."""
SLOT_CHARS = 80
"""Characters of a slot's fixed text; longer ones are bodies, not parts."""


class ShapeLocation(Struct, frozen=True):
    """Where a shape stands, and its parts."""

    path: str
    line: int
    symbol: str
    slots: Mapping[str, str]

    def evidence(self) -> Evidence:
        """The place as evidence."""
        return Evidence(EvidenceKind.FILE, self.path, self.line, quote=self.symbol[:200])


class Group(Struct, frozen=True):
    """Places of one key, and those that answer the same question otherwise."""

    language: str
    family: ShapeFamily
    key: str
    places: tuple[ShapeLocation, ...]
    others: tuple[ShapeLocation, ...] = ()

    @property
    def share(self) -> float:
        """The part of all answers that this one has."""
        return len(self.places) / (len(self.places) + len(self.others))


class Template(Struct, frozen=True):
    """The parts of a pattern, and the places that lack a part which nearly all have."""

    slots: Mapping[str, str]
    fixed: int
    deviating: tuple[ShapeLocation, ...]

    def followed(self, places: Sequence[ShapeLocation]) -> list[ShapeLocation]:
        """The places that lack no part."""
        deviating = {(place.path, place.line) for place in self.deviating}
        return [place for place in places if (place.path, place.line) not in deviating]


def template_of(group: Group) -> Template:
    """What the places share: a slot's common value, else `{slot}`; an affix of names; a common folder."""
    names = sorted({slot for place in group.places for slot in place.slots})
    slots: dict[str, str] = {}
    deviating: dict[tuple[str, int], ShapeLocation] = {}
    fixed = 0
    for name in names:
        if name == _UNTOLD:
            continue
        if name == "methods":
            if common := common_methods(group.places):
                slots[name] = ", ".join(common)
                fixed += 1
                deviating.update({(p.path, p.line): p for p in group.places if not methods_of(p).issuperset(common)})
            continue
        counts = Counter(place.slots.get(name, "") for place in group.places)
        value, count = max(sorted(counts.items()), key=lambda pair: pair[1])
        if value and len(value) <= SLOT_CHARS and count >= AGREED * len(group.places):
            slots[name] = value
            fixed += 1
            deviating.update(
                {
                    (p.path, p.line): p
                    for p in group.places
                    if p.slots.get(name, "") != value and count < len(group.places)
                }
            )
        elif counts.get("", 0) < len(group.places) / 2:
            slots[name] = f"{{{name}}}"
    affix = affix_of([last_name(place.symbol) for place in group.places])
    if affix is not None and affix.text.lower().strip("_") != "test":
        slots["name"] = affix.shown
        fixed += 1
        deviating.update({(p.path, p.line): p for p in group.places if not affix.fits(last_name(p.symbol))})
    return Template(slots, fixed, tuple(deviating[at] for at in sorted(deviating)))


def common_methods(places: Sequence[ShapeLocation]) -> list[str]:
    """Methods that nearly all places define, all of them together; constructors do not count."""
    counts = Counter(name for place in places for name in methods_of(place) - _CONSTRUCTORS)
    together: list[str] = []
    for name in sorted(counts, key=lambda name: (-counts[name], name)):
        if sum(methods_of(place).issuperset((*together, name)) for place in places) >= AGREED * len(places):
            together.append(name)
    return sorted(together)


def methods_of(place: ShapeLocation) -> set[str]:
    """The names of the methods of a place."""
    return set(place.slots.get("methods", "").split(", ")) - {""}


_UNTOLD = "title"
"""The slot that varies by nature: it would make every template look alike."""
_CONSTRUCTORS = frozenset({"__init__", "constructor", "initialize", "__construct", "new"})


class Affix(Struct, frozen=True):
    """An ending or a beginning that names share."""

    text: str
    ending: bool

    @property
    def shown(self) -> str:
        """`{Name}Error`, `test_{name}`."""
        slot = "{Name}" if self.text[:1].isupper() else "{name}"
        return f"{slot}{self.text}" if self.ending else f"{self.text}{slot}"

    def fits(self, name: str) -> bool:
        """Whether a name has it."""
        return name.endswith(self.text) if self.ending else name.startswith(self.text)


def affix_of(names: Sequence[str]) -> Affix | None:
    """The most words that nearly all names (of more than one) end or begin with; None if there are none."""
    distinct = sorted({name for name in names if name})
    if len(distinct) < LEAST_PLACES:
        return None
    for ending in (True, False):
        counts = Counter(edge for name in distinct for edge in _edges(name, ending=ending))
        shared = [
            edge for edge, count in counts.items() if len(edge) >= AFFIX_LEAST and count >= AGREED * len(distinct)
        ]
        for edge in sorted(shared, key=lambda edge: (-len(edge), edge)):
            affix = Affix(edge, ending)
            if sum(map(affix.fits, names)) >= AGREED * len(names):
                return affix
    return None


def _edges(name: str, *, ending: bool) -> Iterator[str]:
    """What a camelCase or snake_case name ends or begins with, a word or more of it, joint included; not all of it."""
    cuts = [i for i in range(1, len(name)) if name[i] == "_" or (name[i].isupper() and not name[i - 1].isupper())]
    for cut in cuts:
        yield name[cut:] if ending else name[: cut + (name[cut] == "_")]


def last_name(symbol: str) -> str:
    """`run` of `Pool.run`."""
    return symbol.rpartition(".")[2]


def hint_of(group: Group, template: Template, needs: Sequence[str] = ()) -> str:
    """A sentence to copy by: `A class that extends View has a method render and is called {Name}View`.

    A class that has nothing of its own is told by the first of what each needs beside it.
    """
    slots = template.slots
    if group.family is ShapeFamily.ENDPOINT:
        steps = (group.key, *(slots[name] for name in ("path", "handler") if name in slots))
        return f"An endpoint is written {'→'.join(steps)}"
    if group.family is ShapeFamily.CLASS_FAMILY:
        return _class_hint(group, slots, needs)
    if group.family is ShapeFamily.TEST:
        what, _, how = group.key.partition(" ")
        said = _TESTED.get(group.key) or (_TESTED[what].format(how) if what in _TESTED else f"Tests: {group.key}")
    else:
        said = f"Names are written {group.key.rpartition(' ')[2]} for each {question_of(group.key)}"
    return ", ".join((said, *(f"{name} {text}" for name, text in slots.items() if text != f"{{{name}}}")))


def _class_hint(group: Group, slots: Mapping[str, str], needs: Sequence[str]) -> str:
    """What a class of a sort has: methods, a name, other parts; else what it needs."""
    one = "type" if group.language in _WITHOUT_CLASSES else "class"
    beside = group.key.startswith(SIDE_BY_SIDE)
    verb = "implements" if group.language == "rust" else "extends"
    sort = f"A {one} {group.key}" if beside else f"A {one} that {verb} {group.key}"
    methods = slots.get("methods", "").split(", ")
    *most, last = methods
    has = f"has the methods {', '.join(most)} and {last}" if most else f"has a method {last}" if last else ""
    called = f"is called {slots['name']}" if "name" in slots else ""
    others = (f"has the {name} {text}" for name, text in slots.items() if name not in {"methods", "name"})
    parts = [part for part in (has, *others, called) if part]
    if not parts and needs:
        return f"{sort}: {needs[0][:1].lower()}{needs[0][1:].rstrip('.')}"
    return f"{sort} {' and '.join(parts)}"


def question_of(key: str) -> str:
    """What a rival key answers: `function` of `function snake_case`."""
    return key.partition(" ")[0]


_WITHOUT_CLASSES = frozenset({"c", "go", "rust"})
"""Languages whose types nobody calls classes."""
_TESTED = {
    "test": "Tests are marked {}",
    "test function": "Tests are plain functions",
    "test method": "Tests are methods of classes",
    "test table-driven": "Tests are table-driven with t.Run",
    "test testcase-method": "Tests are methods of TestCase classes",
    "case": "Cases are written {}(…)",
    "group": "Cases are grouped in {}(…)",
    "setup": "Tests set up in {}",
    "fixture": "Fixtures are made by {}",
    "parametrize": "Parameters are given by {}",
}
