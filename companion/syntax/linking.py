"""Parsed files and what the project defines, to links: who imports, calls, extends and tests whom.

The policy, in short. An import leads to the file it names; where that file only passes names on, also
to the file below it that defines what is used. A call is a link if the name was imported, if a file
that is imported defines it, or if at most three files of the project do and the name is no everyday
word. What came from another project, and what the file defines itself, is no link. A test is linked
to the source that its name or its imports point at.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence

from msgspec import Struct, field

from companion.records import FileRole, Link, LinkKind, ParsedFile, ReferenceKind
from companion.syntax.definitions import BY_ADDRESS, Definitions, family_of, names_of
from companion.syntax.resolve import Meant, resolve
from companion.syntax.testing import tested_by_name
from companion.syntax.words import words

MAX_DEFINERS = 3
"""A name that more files define says nothing about which is meant."""

MAX_NAMES = 12
"""Names kept with a link, the most used first."""

GUESSED = 0.5
"""Weight of a use whose target is known by its name alone."""

MIN_NAME_CHARS = 4
"""Shorter names are guessed wrong too often."""

MAX_TESTED = 3
"""Sources that one test file is linked to."""

_COMMON = words(
    """
    self this super main init setup teardown before after call apply bind each filter reduce find first last
    push shift append extend insert remove delete update create build make copy clone close open read write
    send recv load save dump parse format print printf println string int float bool list dict object array
    error errorf exception equal equals assert asserttrue assertequal expect then catch resolve reject next
    done name value values keys items length size count index join split replace strip trim lower upper
    contains start stop run execute handle process reset clear flush wait lock unlock sleep warn info debug
    log trace fatal test it describe default from into unwrap expect clone iter collect some none hash
    tostring hashcode valueof isempty add get put post set has merge sort sorted reverse range type with
    where select order group validate render emit match
    """
)
_SELF = frozenset({"self", "this", "cls", "$this", "super", "static", "parent", "super()", "Self"})
# Files of one folder or package see each other's names without importing them.
_SHARED_FOLDER = frozenset({"go", "terraform"})
_SHARED_PACKAGE = frozenset({"jvm", "csharp", "php"})
# A call without a receiver means a free function here; elsewhere it may be an inherited method.
_FREE_CALLS = frozenset({"python", "ecmascript", "rust", "go", "bash", "lua", "elixir"})
_PER_SYMBOL = frozenset({"python", "ecmascript", "rust", "jvm"})


class _View(Struct):
    """What one file can see: what it defines itself (`own`), its neighbours, and where its imports lead."""

    file: ParsedFile
    family: str
    own: frozenset[str]
    neighbours: frozenset[str]
    names: dict[str, Meant] = field(default_factory=dict)
    foreign: set[str] = field(default_factory=set)
    wholes: set[str] = field(default_factory=set)
    files: set[str] = field(default_factory=set)
    scopes: set[str] = field(default_factory=set)


class _Found(Struct):
    """Links of one file while they are counted."""

    weights: dict[tuple[str, LinkKind], float] = field(default_factory=lambda: defaultdict(float))
    names: dict[tuple[str, LinkKind], Counter[str]] = field(default_factory=lambda: defaultdict(Counter))

    def add(self, target: str, kind: LinkKind, weight: float, name: str) -> None:
        """Count a use."""
        self.weights[target, kind] += weight
        if name:
            self.names[target, kind][name] += 1


def link(parsed: Sequence[ParsedFile], definitions: Definitions) -> tuple[Link, ...]:
    """The links whose source is one of `parsed`, sorted by source, target and kind.

    `definitions` knows all files of the project. Weights count uses; `names` are the most used.
    """
    links: list[Link] = []
    for file in parsed:
        if file.references or file.imports:
            links.extend(_links_of(file, definitions))
    return tuple(sorted(links, key=lambda one: (one.source, one.target, one.kind)))


def _links_of(file: ParsedFile, definitions: Definitions) -> Iterable[Link]:
    found = _Found()
    view = _view(file, definitions, found)
    uses = Counter((ref.name, ref.qualifier, ref.kind) for ref in file.references)
    for (name, qualifier, how), count in sorted(uses.items()):
        for target, certain in _targets(name, qualifier, view, definitions):
            kind = LinkKind.INHERIT if how is ReferenceKind.INHERIT else LinkKind.CALL
            found.add(target, kind, count if certain else count * GUESSED, name)
            if target in view.files or _within(target, view.scopes):
                found.add(target, LinkKind.IMPORT, count, name)
    if file.role is FileRole.TEST:
        _link_tested(file, definitions, found)
    for (target, kind), weight in found.weights.items():
        if target != file.path:
            names = sorted(found.names[target, kind].items(), key=lambda pair: (-pair[1], pair[0]))
            yield Link(file.path, target, kind, round(weight, 2), tuple(name for name, _ in names[:MAX_NAMES]))


def _view(file: ParsedFile, definitions: Definitions, found: _Found) -> _View:
    """Resolve the imports; each leads to a link of weight 1 and one more for each use."""
    family = family_of(file.language)
    own = names_of(family, file.symbols)
    view = _View(file, family, own, _neighbours(file, family, definitions))
    for imported in file.imports:
        for name, meant in resolve(definitions, file.path, file.language, imported):
            if not meant:
                view.foreign.update((name,) if name else (imported.module, _last_part(imported.module)))
                continue
            view.files.update(meant.files)
            view.scopes.update(meant.folders)
            if name:
                view.names[name] = meant
            else:
                view.wholes.update(meant.folders)
                view.names.setdefault(imported.module, meant)
                view.names.setdefault(_last_part(imported.module), meant)
            for target in meant.files:
                found.add(target, LinkKind.IMPORT, 1.0, "")
    return view


def _last_part(module: str) -> str:
    for mark in ("/", "::", "\\", "."):
        module = module.rstrip(mark).rpartition(mark)[2] or module
    return module.strip("\"'<>")


def _neighbours(file: ParsedFile, family: str, definitions: Definitions) -> frozenset[str]:
    """Files whose names this one sees without an import."""
    if family in _SHARED_FOLDER:
        return frozenset(definitions.in_folder(file.path.rpartition("/")[0]))
    if family in _SHARED_PACKAGE:
        packages = definitions.packages_of(file.path)
        return frozenset(path for package in packages for path in definitions.package(package))
    return frozenset()


def _within(path: str, folders: set[str]) -> bool:
    return path.rpartition("/")[0] in folders


def _targets(name: str, qualifier: str, view: _View, definitions: Definitions) -> list[tuple[str, bool]]:
    """The files that a use most likely means, and whether an import or package says so."""
    if view.family in BY_ADDRESS:
        return _at_address(f"{qualifier}.{name}", view, definitions)
    head = qualifier.split(".", 1)[0].split("::", 1)[0].split("\\", 1)[0] if qualifier else ""
    key = head or name
    if not view.foreign.isdisjoint((key, qualifier)) and key not in view.names:
        return []
    if name in view.own and (not qualifier or qualifier in _SELF):
        return []
    file, family = view.file, view.family
    meant = view.names.get(qualifier) or view.names.get(key)
    bare = not qualifier and family in _FREE_CALLS
    definers = definitions.top_definers(family, name) if bare else definitions.definers(family, name)
    if meant is not None:
        owners = definitions.top_definers(family, key)
        targets = _meant_targets(meant, owners, file.path, definitions)
        targets = targets or _meant_targets(meant, definers, file.path, definitions)
        return [(target, True) for target in targets]
    if not definers:
        return []
    usable = [path for path in definers if path != file.path and _may_use(file, path, definitions)]
    seen = _visible(usable, view)
    if 0 < len(seen) <= MAX_DEFINERS and (not qualifier or not _is_common(name)):
        return [(path, True) for path in sorted(seen)]
    return [(path, False) for path in _guess(name, qualifier, family, usable, definitions.closest(usable, file.path))]


def _at_address(address: str, view: _View, definitions: Definitions) -> list[tuple[str, bool]]:
    """The neighbours that define an address which the file does not define itself; no import brings one in."""
    definers = () if address in view.own else definitions.definers(view.family, address)
    return [(path, True) for path in sorted(definers) if path in view.neighbours]


def _visible(usable: Sequence[str], view: _View) -> list[str]:
    """Those that the file sees by an import or as a neighbour, else those in a folder that it imports whole."""
    seen = [path for path in usable if path in view.files or path in view.neighbours]
    return seen or [path for path in usable if _within(path, view.wholes)]


def _may_use(file: ParsedFile, target: str, definitions: Definitions) -> bool:
    """What is not a test does not use tests."""
    return file.role is FileRole.TEST or definitions.places[target].role is not FileRole.TEST


def _meant_targets(meant: Meant, definers: Iterable[str], source: str, definitions: Definitions) -> list[str]:
    """The imported file if it defines the name, else the files of its folder tree that do."""
    holding = set(definers)
    direct = [path for path in meant.files if path in holding]
    if direct:
        return direct
    below = [path for path in holding if path != source and any(_is_below(path, f) for f in meant.folders)]
    same = [path for path in below if path.rpartition("/")[0] in meant.folders]
    chosen = same or below
    not_tests = [path for path in chosen if definitions.places[path].role is not FileRole.TEST] or chosen
    return sorted(not_tests) if len(not_tests) <= MAX_DEFINERS else []


def _is_below(path: str, folder: str) -> bool:
    return not folder or path.startswith(f"{folder}/")


def _guess(name: str, qualifier: str, family: str, usable: list[str], closest: list[str]) -> list[str]:
    """Definers by the name alone: few of them, the nearest, and no everyday word."""
    if _is_common(name):
        return []
    if family in _PER_SYMBOL:
        # Names must be imported here; only a method's receiver hides where it comes from.
        distinctive = qualifier and ("_" in name.strip("_") or any(c.isupper() for c in name[1:]))
        return usable if distinctive and len(usable) == 1 else []
    return sorted(closest) if len(usable) <= MAX_DEFINERS else []


def _is_common(name: str) -> bool:
    return len(name) < MIN_NAME_CHARS or name.startswith("__") or name.lower() in _COMMON


def _link_tested(file: ParsedFile, definitions: Definitions, found: _Found) -> None:
    """A test is linked to the source it is named after, or else to what it uses most."""
    used: dict[str, float] = defaultdict(float)
    for (target, kind), weight in found.weights.items():
        place = definitions.places.get(target)
        if place is not None and place.role is FileRole.SOURCE and kind is not LinkKind.TEST:
            used[target] += weight
    named = tested_by_name(file.path, definitions, used)
    for target in named:
        found.add(target, LinkKind.TEST, max(1.0, used.get(target, 0.0)), "")
    if any(target in used for target in named):
        return
    heaviest = sorted(used.items(), key=lambda pair: (-pair[1], pair[0]))[: MAX_TESTED - len(named)]
    for target, weight in heaviest:
        if weight >= heaviest[0][1] / 2:
            found.add(target, LinkKind.TEST, weight, "")
