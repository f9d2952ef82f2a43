"""Patterns: what a new piece of a sort must have, with support, exceptions and examples.

Places of the same family and key within a language are one group. A group becomes a pattern when it recurs often and
in several files, and says something that whoever adds one more needs: the parts, methods and names that nearly all
share, the file that names each of them (a table, a registry), the test beside each. A base class alone says nothing.
What nearly all places share becomes the template's fixed text, what varies a `{slot}`; the places that do otherwise are
the exceptions. At most `PATTERNS` are kept, the strongest of each family first.
"""

from __future__ import annotations

import math
import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from pathlib import PurePosixPath

from companion.kinds.habits.around import Around
from companion.kinds.habits.common_structures import is_common
from companion.kinds.habits.habit import main_languages
from companion.kinds.habits.templates import (
    AGREED,
    LEAST_PLACES,
    SIDE_BY_SIDE,
    Group,
    ShapeLocation,
    Template,
    hint_of,
    question_of,
    template_of,
)
from companion.kinds.levels import pattern_levels
from companion.kinds.paths import quiet_path
from companion.ports import World
from companion.records import Draft, FileRole, Kind, ParsedFile, Pattern, Scope, Shape, ShapeFamily, SymbolKind, entity

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
SORT_LEAST = 2
"""What files side by side must have in common to be of one sort: a method, a name, a register. One may be chance."""
EXAMPLES = 4
"""Examples shown, each of another file while there are any."""
EXCEPTIONS = 5
"""Exceptions shown; the count tells of the rest."""

TRIGGERS = {
    ShapeFamily.ENDPOINT: "new_endpoint",
    ShapeFamily.TEST: "new_test",
    ShapeFamily.NAMING: "new_name",
    ShapeFamily.CLASS_FAMILY: "new_class",
}
"""When a pattern of each family is wanted."""
_DATA = re.compile(
    r"(?:^|/)(?:testdata|test[_-]data|fixtures|__fixtures__|snapshots)/"
    r"|(?:^|/)(?:tests?|specs?|__tests__)/(?:[^/]+/)*(?:data|cases|resources|samples|inputs?|expected|stubs)/"
)
"""Code that tests read rather than run: nobody's manner."""
_TYPES = frozenset({SymbolKind.CLASS, SymbolKind.TYPE})
"""What a file is named for."""
_CALLED = frozenset({SymbolKind.FUNCTION, SymbolKind.METHOD})
"""What a type does."""
_RIVALS = frozenset({ShapeFamily.NAMING, ShapeFamily.TEST})
"""Families whose keys are answers to one question, so that other answers are exceptions."""
_Question = tuple[str, ShapeFamily, str]
"""Language, family, and for rivals what their keys answer."""


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
    own = frozenset(
        symbol.name
        for file in code
        if file.role is not FileRole.TEST
        for symbol in file.symbols
        if symbol.kind is not SymbolKind.INTERFACE
    )
    around = Around(code)
    least = least_places(sum(1 for file in code if file.shapes))
    main = main_languages(file.language for file in code)
    tested = Counter(f.language for f in code if any(s.family is ShapeFamily.TEST for s in f.shapes))
    kept: dict[ShapeFamily, list[tuple[float, Group]]] = defaultdict(list)
    for group in (*groups_of(code), *siblings_of(code)):
        files = {place.path for place in group.places}
        if group.language not in main or len(group.places) < least or len(files) < LEAST_FILES:
            continue
        if group.family in _RIVALS and group.share < AGREED:
            continue
        if group.family is ShapeFamily.TEST and len(files) < TESTS_SHARE * tested[group.language]:
            continue
        strength = worth(group, template_of(group), own, around.needs(group))
        if strength > 0:
            kept[group.family].append((strength, group))
    chosen: list[tuple[float, Group]] = []
    for family in ShapeFamily:
        ranked = sorted(kept[family], key=lambda pair: (-pair[0], pair[1].language, pair[1].key))
        chosen += ranked[:PATTERNS_EACH]
    chosen.sort(key=lambda pair: (-pair[0], pair[1].family.value, pair[1].language, pair[1].key))
    told: list[Group] = []
    for _, group in chosen[:PATTERNS]:
        if group.family is ShapeFamily.CLASS_FAMILY and any(_same(group, other) for other in told):
            continue  # classes side by side of one base are one sort
        told.append(group)
        yield draft_of(group, around.needs(group))


def _same(group: Group, other: Group) -> bool:
    """Whether nearly all places of two groups are the same, or any where both ask for the same parts."""
    mine, theirs = ({(place.path, place.line) for place in one.places} for one in (group, other))
    alike = bool(mine & theirs) and template_of(group).slots == template_of(other).slots
    return alike or len(mine & theirs) >= AGREED * max(len(mine), len(theirs))


def least_places(files: int) -> int:
    """Places that make a structure recur: grows with the root of the code's size."""
    return max(LEAST_PLACES, round(math.sqrt(files) / 3))


def groups_of(code: Sequence[ParsedFile]) -> list[Group]:
    """Places by language, family and key; for rival families with the places of the other keys.

    What stands in tests counts for the families of tests alone; examples and documentation are nobody's house style.
    """
    places: dict[_Question, dict[str, list[ShapeLocation]]] = defaultdict(lambda: defaultdict(list))
    for file in sorted(code, key=lambda f: f.path):
        if quiet_path(file.path) or _DATA.search(file.path):
            continue
        testing = _test_scopes(file)
        for shape in file.shapes:
            tests = file.role is FileRole.TEST or f"{shape.symbol}.".startswith(testing)
            if len(_name_in(shape.key)) == 1 or (tests and shape.family is not ShapeFamily.TEST):
                continue  # a base of one letter is a test's own
            asked = question_of(shape.key) if shape.family in _RIVALS else ""
            question = (file.language, shape.family, asked)
            places[question][_key_of(shape)].append(ShapeLocation(file.path, shape.line, shape.symbol, shape.slots))
    groups = []
    for (language, family, _), answers in sorted(places.items()):
        for key, found in sorted(answers.items()):
            rivals = [place for other in sorted(answers) if other != key for place in answers[other]]
            others = _near(found, rivals) if family in _RIVALS else ()
            groups.append(Group(language, family, key, tuple(found), others))
    return groups


def _test_scopes(file: ParsedFile) -> tuple[str, ...]:
    """How names begin that are defined in the tests of a file of source, or in the modules that hold these."""
    tests = {shape.symbol for shape in file.shapes if shape.family is ShapeFamily.TEST and shape.symbol}
    modules = {test.rpartition(".")[0] for test in tests} - {""}
    return tuple(f"{scope}." for scope in sorted(tests | modules))


def siblings_of(code: Sequence[ParsedFile]) -> Iterator[Group]:
    """The main types of the source files that lie side by side in a folder: what one more file there must look like."""
    folders: dict[tuple[str, str], list[ShapeLocation]] = defaultdict(list)
    for file in sorted(code, key=lambda f: f.path):
        types = [symbol for symbol in file.symbols if symbol.kind in _TYPES and symbol.public]
        if types and file.role is FileRole.SOURCE and not quiet_path(file.path):
            main = max(types, key=lambda symbol: (symbol.end_line - symbol.line, -symbol.line))
            inside = f"{main.qualname}."
            own = [one for one in file.symbols if one.public and one.qualname == f"{inside}{one.name}"]
            demanded = _demanded(file)
            methods = [one.name for one in own if one.kind in _CALLED and one.name not in demanded]
            slots = {"methods": ", ".join(methods)}
            where = (file.language, str(PurePosixPath(file.path).parent))
            folders[where].append(ShapeLocation(file.path, main.line, main.qualname, slots))
    for (language, folder), places in sorted(folders.items()):
        if folder != ".":  # the root holds every sort
            yield Group(language, ShapeFamily.CLASS_FAMILY, f"{SIDE_BY_SIDE}{folder}", tuple(places))


def _demanded(file: ParsedFile) -> set[str]:
    """The methods that traits of the language itself want, such as `fmt`."""
    if file.language != "rust":
        return set()
    traits = (shape for shape in file.shapes if is_common(file.language, shape.family, _key_of(shape)))
    return {name for shape in traits for name in shape.slots.get("methods", "").split(", ")}


def _key_of(shape: Shape) -> str:
    """The key places are grouped by: a base class by its name, however it is reached."""
    return _name_in(shape.key) if shape.family is ShapeFamily.CLASS_FAMILY else shape.key


def _near(places: Sequence[ShapeLocation], others: Sequence[ShapeLocation]) -> tuple[ShapeLocation, ...]:
    """Exceptions count where the pattern lives: in the top folders its places lie in."""
    homes = {PurePosixPath(place.path).parts[:-1][:1] for place in places}
    return tuple(place for place in others if PurePosixPath(place.path).parts[:-1][:1] in homes)


def worth(group: Group, template: Template, own: frozenset[str], needs: Sequence[str]) -> float:
    """How much a pattern says of this project; 0 for what any project of the language has.

    Grows slowly with support; the project's own names, fixed parts and what each needs beside it add to it.
    """
    is_own = _name_in(group.key) in own
    if is_common(group.language, group.family, group.key):
        return 0.0
    if 2 * len(template.followed(group.places)) < len(group.places):
        return 0.0  # most depart from it, in one part or another
    if group.family is ShapeFamily.CLASS_FAMILY:
        beside = group.key.startswith(SIDE_BY_SIDE)
        if not (template.fixed or needs):
            return 0.0  # one more of these must have nothing but its base
        methods = template.slots.get("methods", "").split(", ")
        if beside and len({*methods, template.slots.get("name", ""), *needs} - {""}) < SORT_LEAST:
            return 0.0
        if not is_own and not beside and template.slots.keys() <= {"methods"}:
            return 0.0  # a base from elsewhere, as an interface, says itself which methods it wants
        if group.language == "python" and group.key.islower() and not beside:
            return 0.0  # a variable that holds a class
    told = min(template.fixed, 3) + len(needs)
    return math.log2(len(group.places)) * (1.0 + 0.5 * is_own + 0.25 * told) * _WEIGHTS[group.family]


_WEIGHTS = {
    ShapeFamily.ENDPOINT: 1.4,
    ShapeFamily.CLASS_FAMILY: 1.2,
    ShapeFamily.TEST: 1.0,
    ShapeFamily.NAMING: 0.6,
}
"""How telling a family is: an endpoint is copied whole, a name only spelt alike."""


def _name_in(key: str) -> str:
    """The last plain name of a key: `fixture` of `pytest.fixture`."""
    return key.partition("(")[0].strip().rpartition(" ")[2].rpartition(".")[2].rpartition("::")[2]


def draft_of(group: Group, needs: Sequence[str]) -> Draft:
    """The memory a group makes."""
    template = template_of(group)
    exceptions = tuple(sorted({(p.path, p.line): p for p in (*group.others, *template.deviating)}.items()))
    outliers = tuple(place.evidence() for _, place in exceptions)
    following = template.followed(group.places)
    examples = tuple(place.evidence() for place in spread(following, EXAMPLES))
    home = folder_of(group.places)
    hint = hint_of(group, template, needs)
    untold = (need for need in needs if need[1:].rstrip(".") not in hint)
    notes = [*untold, _counted(following, len(outliers), home)]
    notes.append("For example " + ", ".join(e.label() for e in examples) + ".")
    if outliers:
        notes.append("Otherwise at " + ", ".join(e.label() for e in outliers[:EXCEPTIONS]) + ".")
    title = f"{group.family.value}: {group.key} ({group.language})"
    paths = dict.fromkeys(e.ref for e in (*examples, *outliers[:EXCEPTIONS]))
    return Draft(
        kind=Kind.PATTERN,
        type="",
        subject=f"{group.family.value} {group.key}",
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


def _counted(following: Sequence[ShapeLocation], other: int, home: str) -> str:
    files = len({place.path for place in following})
    nearly = "" if all(place.path.startswith(f"{home}/") for place in following) else ", nearly all"
    where = f"{nearly} under {home}" if home else ""
    told = f"{len(following)} places in {files} files{where}"
    return f"{told}, {other} otherwise." if other else f"{told}."


def spread(places: Sequence[ShapeLocation], limit: int) -> list[ShapeLocation]:
    """At most `limit` places: the first of each file in turn, files spread evenly over the sorted paths."""
    first: dict[str, ShapeLocation] = {}
    for place in places:
        first.setdefault(place.path, place)
    paths = sorted(first)
    step = max(1.0, len(paths) / limit)
    return [first[paths[int(i * step)]] for i in range(min(limit, len(paths)))]


def folder_of(places: Sequence[ShapeLocation]) -> str:
    """The deepest folder that nearly all places lie in; '' for the root."""
    counts: Counter[str] = Counter()
    for place in places:
        parts = PurePosixPath(place.path).parts[:-1]
        counts.update("/".join(parts[: depth + 1]) for depth in range(len(parts)))
    wide = [folder for folder, count in counts.items() if count >= 0.9 * len(places)]
    return max(sorted(wide), key=len, default="")
