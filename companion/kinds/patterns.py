"""Patterns: structures that recur in the syntax trees, with support, exceptions and examples.

Places of the same family and key within a language are one group. A group becomes a pattern when it
recurs often and in several files, and says something of this project: what any project of the
language has (raising `ValueError`, `@property`) is passed over unless the project does something of
its own with it. What nearly all places share becomes the template's fixed text, what varies a
`{slot}`; the places that do otherwise are the exceptions. At most `PATTERNS` are kept, the strongest
of each family first.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath

from companion.kinds.common_structures import is_common
from companion.kinds.levels import pattern_levels
from companion.kinds.noise import quiet_path
from companion.ports import World
from companion.records import (
    Draft,
    Evidence,
    EvidenceKind,
    Kind,
    ParsedFile,
    Pattern,
    Role,
    Scope,
    Shape,
    ShapeFamily,
    entity,
)

ORIGIN = "code patterns"
"""All patterns are one reading of the whole code; each run says them anew."""
PATTERNS = 40
"""Patterns kept of one project: more is nobody's vocabulary."""
PATTERNS_EACH = 10
"""Patterns kept of one family, so that no family crowds out the others."""
LEAST_PLACES = 4
"""Places that make a structure recur in the smallest project."""
LEAST_FILES = 2
"""Files that the places must be spread over."""
AGREED = 0.8
"""Share of places from which a part is the pattern's and its absence an exception."""
EXAMPLES = 4
"""Examples shown, each of another file while there are any."""
EXCEPTIONS = 5
"""Exceptions shown; the count tells of the rest."""
AFFIX_LEAST = 4
"""Letters of an ending or a beginning that names must share to be worth telling."""
SLOT_CHARS = 80
"""Characters of a slot's fixed text; longer ones are bodies, not parts."""

TRIGGERS = {
    ShapeFamily.ENDPOINT: "new_endpoint",
    ShapeFamily.ERROR_HANDLING: "error_handling",
    ShapeFamily.TEST: "new_test",
    ShapeFamily.NAMING: "new_name",
    ShapeFamily.CLASS_FAMILY: "new_class",
    ShapeFamily.DECORATOR: "new_decorated",
    ShapeFamily.LOGGING: "logging",
}
"""When a pattern of each family is wanted."""
_RIVALS = frozenset({ShapeFamily.NAMING, ShapeFamily.LOGGING, ShapeFamily.TEST})
"""Families whose keys are answers to one question, so that other answers are exceptions."""
_Question = tuple[str, ShapeFamily, bool, str]
"""Language, family, whether in tests, and for rivals what their keys answer."""


@dataclass(frozen=True, slots=True)
class Place:
    """Where a shape stands, and its parts."""

    path: str
    line: int
    symbol: str
    slots: Mapping[str, str]

    def evidence(self) -> Evidence:
        """The place as evidence."""
        return Evidence(EvidenceKind.FILE, self.path, self.line, quote=self.symbol[:200])


@dataclass(frozen=True, slots=True)
class Group:
    """Places of one key, and those that answer the same question otherwise."""

    language: str
    family: ShapeFamily
    key: str
    places: tuple[Place, ...]
    others: tuple[Place, ...] = ()
    in_tests: bool = False

    @property
    def share(self) -> float:
        """The part of all answers that this one has."""
        return len(self.places) / (len(self.places) + len(self.others))


class Patterns:
    """Learns what recurs in the code."""

    name = "patterns"

    def origins(self, world: World) -> Sequence[str]:
        """One origin, whenever code changed."""
        return (ORIGIN,) if world.changed_code() else ()

    def learn(self, world: World) -> Iterator[Draft]:
        """Patterns of the whole checkout, the strongest of each family first."""
        if world.changed_code():
            yield from patterns_of(world.all_code())


def patterns_of(code: Sequence[ParsedFile]) -> Iterator[Draft]:
    """The patterns of parsed files, in a fixed order, at most `PATTERNS`."""
    own = _own_names(code)
    least = least_places(sum(1 for file in code if file.shapes))
    kept: dict[ShapeFamily, list[tuple[float, Group]]] = defaultdict(list)
    for group in groups_of(code):
        files = {place.path for place in group.places}
        if len(group.places) < least or len(files) < LEAST_FILES:
            continue
        if group.family in _RIVALS and group.share < AGREED:
            continue
        shared = template_of(group)
        strength = worth(group, shared, own[group.in_tests])
        if strength > 0:
            kept[group.family].append((strength, group))
    chosen: list[tuple[float, Group]] = []
    for family in ShapeFamily:
        ranked = sorted(kept[family], key=lambda pair: (-pair[0], pair[1].language, pair[1].key))
        chosen += ranked[:PATTERNS_EACH]
    chosen.sort(key=lambda pair: (-pair[0], pair[1].family.value, pair[1].language, pair[1].key))
    for _, group in chosen[:PATTERNS]:
        yield draft_of(group)


def _own_names(code: Sequence[ParsedFile]) -> tuple[frozenset[str], frozenset[str]]:
    """Names that the source defines, and names that the tests define."""
    source = {symbol.name for file in code if file.role is not Role.TEST for symbol in file.symbols}
    tests = {symbol.name for file in code if file.role is Role.TEST for symbol in file.symbols}
    return frozenset(source), frozenset(tests - source)


def least_places(files: int) -> int:
    """Places that make a structure recur: grows with the root of the code's size."""
    return max(LEAST_PLACES, round(math.sqrt(files) / 3))


def groups_of(code: Sequence[ParsedFile]) -> list[Group]:
    """Places by language, family and key; for rival families with the places of the other keys.

    Shapes in tests are grouped apart: what tests do is no pattern of the source. Examples and
    documentation are nobody's house style and are passed over.
    """
    places: dict[_Question, dict[str, list[Place]]] = defaultdict(lambda: defaultdict(list))
    for file in sorted(code, key=lambda f: f.path):
        if quiet_path(file.path):
            continue
        for shape in _told_once(file.shapes):
            tested = file.role is Role.TEST and shape.family is not ShapeFamily.TEST
            asked = question_of(shape.key) if shape.family in _RIVALS else ""
            question = (file.language, shape.family, tested, asked)
            places[question][shape.key].append(Place(file.path, shape.line, shape.symbol, shape.slots))
    groups = []
    for (language, family, tested, _), answers in sorted(places.items()):
        for key, found in sorted(answers.items()):
            rivals = [place for other in sorted(answers) if other != key for place in answers[other]]
            others = _near(found, rivals) if family in _RIVALS else ()
            groups.append(Group(language, family, key, tuple(found), others, in_tests=tested))
    return groups


def _told_once(shapes: Sequence[Shape]) -> Iterator[Shape]:
    """Shapes, without the decorators and bases that an endpoint, a test or an exception class tells of."""
    taken = {shape.line for shape in shapes if shape.family in {ShapeFamily.ENDPOINT, ShapeFamily.TEST}}
    errors = {(shape.line, shape.slots.get("base", "")) for shape in shapes if shape.key.startswith("class of ")}
    for shape in shapes:
        if shape.family is ShapeFamily.DECORATOR and shape.line in taken:
            continue
        if shape.family is ShapeFamily.CLASS_FAMILY and (shape.line, _name_in(shape.key)) in errors:
            continue
        yield shape


def question_of(key: str) -> str:
    """What a rival key answers: `function` of `function snake_case`, `private class` of `private class _name`."""
    words = key.split(" ")
    return " ".join(words[:2]) if words[0] == "private" else words[0]


def _near(places: Sequence[Place], others: Sequence[Place]) -> tuple[Place, ...]:
    """Exceptions count where the pattern lives: in the top folders its places lie in."""
    homes = {_top(place.path) for place in places}
    return tuple(place for place in others if _top(place.path) in homes)


def _top(path: str) -> str:
    return PurePosixPath(path).parts[0] if "/" in path else ""


@dataclass(frozen=True, slots=True)
class Template:
    """The parts of a pattern, and the places that lack a part which nearly all have."""

    slots: Mapping[str, str]
    fixed: int
    deviating: tuple[Place, ...]


def template_of(group: Group) -> Template:
    """What the places share: a slot's common value, else `{slot}`; an affix of names; a common folder."""
    names = sorted({slot for place in group.places for slot in place.slots})
    slots: dict[str, str] = {}
    deviating: dict[tuple[str, int], Place] = {}
    fixed = 0
    for name in names:
        if name in _UNTOLD:
            continue
        if name == "methods":
            if common := common_methods(group.places):
                slots[name] = common
                fixed += 1
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
    affix = affix_of([_last(place.symbol) for place in group.places])
    if affix is not None and affix.text.lower().strip("_") != "test":
        slots["name"] = affix.shown
        fixed += 1
        deviating.update({(p.path, p.line): p for p in group.places if not affix.fits(_last(p.symbol))})
    return Template(slots, fixed, tuple(deviating[at] for at in sorted(deviating)))


def common_methods(places: Sequence[Place]) -> str:
    """Methods that nearly all places define, joined by commas; constructors do not count."""
    counts = Counter(name for p in places for name in set(p.slots.get("methods", "").split(", ")) if name)
    return ", ".join(sorted(n for n, c in counts.items() if c >= AGREED * len(places) and n not in _CONSTRUCTORS))


_UNTOLD = frozenset({"times", "title", "base", "level"})
"""Slots that vary by nature: they would make every template look alike."""
_CONSTRUCTORS = frozenset({"__init__", "constructor", "initialize", "__construct", "new"})


@dataclass(frozen=True, slots=True)
class Affix:
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
    """The longest word that nearly all names (of more than one) end or begin with; None if there is none."""
    distinct = sorted({name for name in names if name})
    if len(distinct) < LEAST_PLACES:
        return None
    for ending in (True, False):
        words = Counter(_edge(name, ending=ending) for name in distinct)
        word, count = max(sorted(words.items()), key=lambda pair: pair[1])
        affix = Affix(word, ending)
        enough = len(word) >= AFFIX_LEAST and count >= AGREED * len(distinct)
        if enough and sum(map(affix.fits, names)) >= AGREED * len(names):
            return affix
    return None


def _edge(name: str, *, ending: bool) -> str:
    """The last or first word of a camelCase or snake_case name, joint included; empty for one word."""
    cuts = [i for i in range(1, len(name)) if name[i] == "_" or (name[i].isupper() and not name[i - 1].isupper())]
    if not cuts:
        return ""
    if ending:
        return name[cuts[-1] :]
    return name[: cuts[0] + (1 if name[cuts[0]] == "_" else 0)]


def _last(symbol: str) -> str:
    return symbol.rpartition(".")[2]


def worth(group: Group, template: Template, own: frozenset[str]) -> float:
    """How much a pattern says of this project; 0 for what any project of the language has.

    Grows slowly with support; the project's own names and fixed parts add to it.
    """
    is_own = _name_in(group.key) in own
    if is_common(group.language, group.family, group.key) or (_catches(group.key) and not is_own):
        return 0.0
    if group.in_tests and not is_own and not _on_tests(group):
        return 0.0
    strength = math.log2(len(group.places)) * (1.0 + 0.5 * is_own + 0.25 * min(template.fixed, 3))
    return strength * _WEIGHTS[group.family]


def _catches(key: str) -> bool:
    return key.startswith(("except", "catch", "rescue", "Err"))


def _on_tests(group: Group) -> bool:
    """Whether a decorator sits on tests and fixtures, not on things that are tested."""
    if group.family is not ShapeFamily.DECORATOR:
        return False
    tests = sum(1 for place in group.places if _last(place.symbol).lower().startswith("test"))
    return tests >= AGREED * len(group.places) or "fixture" in group.key.lower()


_WEIGHTS = {
    ShapeFamily.ENDPOINT: 1.4,
    ShapeFamily.CLASS_FAMILY: 1.2,
    ShapeFamily.ERROR_HANDLING: 1.1,
    ShapeFamily.TEST: 1.0,
    ShapeFamily.DECORATOR: 1.0,
    ShapeFamily.LOGGING: 0.9,
    ShapeFamily.NAMING: 0.6,
}
"""How telling a family is: an endpoint is copied whole, a name only spelt alike."""


def _name_in(key: str) -> str:
    """The last plain name of a key: `HTTPException` of `raise HTTPException`, `fixture` of `pytest.fixture`."""
    return key.partition("(")[0].strip().rpartition(" ")[2].rpartition(".")[2].rpartition("::")[2]


def draft_of(group: Group) -> Draft:
    """The memory a group makes."""
    template = template_of(group)
    exceptions = tuple(sorted({(p.path, p.line): p for p in (*group.others, *template.deviating)}.items()))
    outliers = tuple(place.evidence() for _, place in exceptions)
    deviating = {(p.path, p.line) for p in template.deviating}
    following = [p for p in group.places if (p.path, p.line) not in deviating]
    examples = tuple(place.evidence() for place in spread(following, EXAMPLES))
    home = folder_of(group.places)
    hint = hint_of(group, template)
    notes = [_counted(group, len(following), len(outliers), home)]
    notes.append("For example " + ", ".join(e.label() for e in examples) + ".")
    if outliers:
        notes.append("Otherwise at " + ", ".join(e.label() for e in outliers[:EXCEPTIONS]) + ".")
    where = "tests" if group.in_tests else group.language
    title = f"{group.family.value}: {group.key} ({where})"
    paths = dict.fromkeys(e.ref for e in (*examples, *outliers[:EXCEPTIONS]))
    return Draft(
        kind=Kind.PATTERN,
        type="",
        subject=f"{group.family.value} {group.key}" + (" in tests" if group.in_tests else ""),
        attribute="",
        value=hint,
        levels=pattern_levels(title, hint, template.slots, notes),
        origin=ORIGIN,
        evidence=examples,
        body=Pattern(
            trigger=TRIGGERS[group.family],
            template=dict(template.slots),
            hint=hint,
            support=len(following),
            exception_count=len(outliers),
            examples=examples,
            exceptions=outliers[:EXCEPTIONS],
        ),
        entities=tuple(entity("file", path) for path in paths),
        scope=Scope(language=group.language, path=home),
        confidence=round(len(following) / (len(following) + len(outliers)), 3),
    )


def hint_of(group: Group, template: Template) -> str:
    """One line to copy by: `endpoint: @app.{method} {path}→{handler}`, `class: extends View, name {Name}View`."""
    head = f"{_HEADS[group.family]}{' (tests)' if group.in_tests else ''}: {_said(group)}"
    slots = dict(template.slots)
    if group.family is ShapeFamily.ENDPOINT:
        steps = [head, *(slots[name] for name in ("path", "handler") if name in slots)]
        return "→".join(steps)
    if arguments := slots.pop("arguments", ""):
        head += arguments if arguments.startswith("(") else f"({arguments})"
    if then := slots.pop("then", ""):
        head += f" → {then}"
    return ", ".join((head, *(f"{name} {text}" for name, text in slots.items())))


_HEADS = {
    ShapeFamily.ENDPOINT: "endpoint",
    ShapeFamily.ERROR_HANDLING: "error",
    ShapeFamily.TEST: "test",
    ShapeFamily.NAMING: "name",
    ShapeFamily.CLASS_FAMILY: "class",
    ShapeFamily.DECORATOR: "decorator",
    ShapeFamily.LOGGING: "log",
}
_MARKS = {"rust": "#[{}]", "csharp": "[{}]", "php": "#[{}]"}


def _said(group: Group) -> str:
    """A key in words: what is extended, put on, raised."""
    if group.family is ShapeFamily.CLASS_FAMILY:
        return f"extends {group.key}"
    if group.family is ShapeFamily.DECORATOR:
        return _MARKS.get(group.language, "@{}").format(group.key)
    return group.key.replace("class of ", "exceptions extend ")


def _counted(group: Group, follow: int, other: int, home: str) -> str:
    files = len({place.path for place in group.places})
    where = f" under {home}" if home else ""
    told = f"{follow} places in {files} files{where}"
    return f"{told}, {other} otherwise." if other else f"{told}."


def spread(places: Sequence[Place], limit: int) -> list[Place]:
    """At most `limit` places: the first of each file in turn, files spread evenly over the sorted paths."""
    first: dict[str, Place] = {}
    for place in places:
        first.setdefault(place.path, place)
    paths = sorted(first)
    step = max(1.0, len(paths) / limit)
    return [first[paths[int(i * step)]] for i in range(min(limit, len(paths)))]


def folder_of(places: Sequence[Place]) -> str:
    """The deepest folder that nearly all places lie in; '' for the root."""
    counts: Counter[str] = Counter()
    for place in places:
        parts = PurePosixPath(place.path).parts[:-1]
        counts.update("/".join(parts[: depth + 1]) for depth in range(len(parts)))
    wide = [folder for folder, count in counts.items() if count >= 0.9 * len(places)]
    return max(sorted(wide), key=len, default="")
