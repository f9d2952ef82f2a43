"""Patterns: structures that recur in the syntax trees, with support, exceptions and examples.

Places of the same family and key within a language are one group. A group becomes a pattern when it
recurs often and in several files, and says something of this project: what any project of the
language has (catching `KeyError`, `@property`) is passed over unless the project does something of
its own with it. What nearly all places share becomes the template's fixed text, what varies a
`{slot}`; the places that do otherwise are the exceptions. At most `PATTERNS` are kept, the strongest
of each family first.
"""

from __future__ import annotations

import math
import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from pathlib import PurePosixPath

from companion.kinds.habits.common_structures import CATCHES, is_common
from companion.kinds.habits.templates import (
    AGREED,
    LEAST_PLACES,
    Group,
    Place,
    Template,
    hint_of,
    last_name,
    template_of,
)
from companion.kinds.history.noise import quiet_path
from companion.kinds.levels import pattern_levels
from companion.ports import World
from companion.records import Draft, Kind, ParsedFile, Pattern, Role, Scope, Shape, ShapeFamily, entity

ORIGIN = "code patterns"
"""All patterns are one reading of the whole code; each run says them anew."""
PATTERNS = 40
"""Patterns kept of one project: more is nobody's vocabulary."""
PATTERNS_EACH = 10
"""Patterns kept of one family, so that no family crowds out the others."""
LEAST_FILES = 2
"""Files that the places must be spread over."""
TESTS_SHARE = 0.2
"""Share of a language's test files that a way of testing must be seen in: else it is one author's."""
EXAMPLES = 4
"""Examples shown, each of another file while there are any."""
EXCEPTIONS = 5
"""Exceptions shown; the count tells of the rest."""

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
_DATA = re.compile(
    r"(?:^|/)(?:testdata|test[_-]data|fixtures|__fixtures__|snapshots)/"
    r"|(?:^|/)(?:tests?|specs?|__tests__)/(?:[^/]+/)*(?:data|cases|resources|samples|inputs?|expected|stubs)/"
)
"""Code that tests read rather than run: nobody's manner."""
_RIVALS = frozenset({ShapeFamily.NAMING, ShapeFamily.LOGGING, ShapeFamily.TEST})
"""Families whose keys are answers to one question, so that other answers are exceptions."""
_Question = tuple[str, ShapeFamily, bool, str]
"""Language, family, whether in tests, and for rivals what their keys answer."""


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
    tested = Counter(f.language for f in code if any(s.family is ShapeFamily.TEST for s in f.shapes))
    kept: dict[ShapeFamily, list[tuple[float, Group]]] = defaultdict(list)
    for group in groups_of(code):
        files = {place.path for place in group.places}
        if len(group.places) < least or len(files) < LEAST_FILES:
            continue
        if group.family in _RIVALS and group.share < AGREED:
            continue
        if group.family is ShapeFamily.TEST and len(files) < TESTS_SHARE * tested[group.language]:
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
        if quiet_path(file.path) or _DATA.search(file.path):
            continue
        for shape in _told_once(file.shapes):
            tested = file.role is Role.TEST and shape.family is not ShapeFamily.TEST
            asked = question_of(shape.key) if shape.family in _RIVALS else ""
            question = (file.language, shape.family, tested, asked)
            places[question][_key_of(shape)].append(Place(file.path, shape.line, shape.symbol, shape.slots))
    groups = []
    for (language, family, tested, _), answers in sorted(places.items()):
        for key, found in sorted(answers.items()):
            rivals = [place for other in sorted(answers) if other != key for place in answers[other]]
            others = _near(found, rivals) if family in _RIVALS else ()
            groups.append(Group(language, family, key, tuple(found), others, in_tests=tested))
    return groups


def _key_of(shape: Shape) -> str:
    """The key places are grouped by: a base class by its name, however it is reached."""
    return _name_in(shape.key) if shape.family is ShapeFamily.CLASS_FAMILY else shape.key


def _told_once(shapes: Sequence[Shape]) -> Iterator[Shape]:
    """Shapes, without the decorators and bases that an endpoint, a test or an exception class tells of."""
    taken = {shape.line for shape in shapes if shape.family in {ShapeFamily.ENDPOINT, ShapeFamily.TEST}}
    errors = {(shape.line, shape.slots.get("base", "")) for shape in shapes if shape.key.startswith("class of ")}
    for shape in shapes:
        if shape.family is ShapeFamily.DECORATOR and shape.line in taken:
            continue
        base = _name_in(shape.key) if shape.family is ShapeFamily.CLASS_FAMILY else ""
        if len(base) == 1 or (base and (shape.line, base) in errors):
            continue  # a base of one letter is a test's own
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


def worth(group: Group, template: Template, own: frozenset[str]) -> float:
    """How much a pattern says of this project; 0 for what any project of the language has.

    Grows slowly with support; the project's own names and fixed parts add to it.
    """
    is_own = _name_in(group.key) in own
    if is_common(group.language, group.family, group.key):
        return 0.0
    if _catches(group.key) and not (is_own and _does_alike(template)):
        return 0.0
    if group.family is ShapeFamily.CLASS_FAMILY:
        if not (is_own or template.fixed):
            return 0.0  # classes of somebody else's base that have nothing more in common
        if group.language == "python" and group.key.islower():
            return 0.0  # a variable that holds a class
    if group.in_tests and not is_own and not _on_tests(group):
        return 0.0
    strength = math.log2(len(group.places)) * (1.0 + 0.5 * is_own + 0.25 * min(template.fixed, 3))
    return strength * _WEIGHTS[group.family]


def _catches(key: str) -> bool:
    return key.startswith(CATCHES)


def _does_alike(template: Template) -> bool:
    """Whether all places do the same with what they caught: else there is nothing to copy."""
    then = template.slots.get("then", "")
    return bool(then) and not then.startswith("{")


def _on_tests(group: Group) -> bool:
    """Whether a decorator sits on tests and fixtures, not on things that are tested."""
    if group.family is not ShapeFamily.DECORATOR:
        return False
    tests = sum(1 for place in group.places if last_name(place.symbol).lower().startswith("test"))
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
    """The last plain name of a key: `fixture` of `pytest.fixture`."""
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
