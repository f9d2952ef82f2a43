"""What a project defines and where: names to files, modules to files, and paths by their ends."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence

from msgspec import Struct

from companion.records import CodeForms, FileRole, ParsedFile, Symbol, SymbolKind

_FAMILIES = {
    language: family
    for family, languages in {
        "ecmascript": "typescript tsx javascript vue svelte",
        "c": "c cpp",
        "jvm": "java kotlin scala",
    }.items()
    for language in languages.split()
}


BY_ADDRESS = frozenset({"terraform"})
"""Families in which a name means nothing without what stands before it: `var.name` and `local.name` are two."""


def family_of(language: str) -> str:
    """The languages that can use each other's names have one family."""
    return _FAMILIES.get(language, language)


def names_of(family: str, symbols: Iterable[Symbol]) -> frozenset[str]:
    """The names by which definitions are known: where they have an address, by that as well."""
    by_address = family in BY_ADDRESS
    return frozenset(name for one in symbols for name in ((one.name, one.qualname) if by_address else (one.name,)))


_Known = ParsedFile | CodeForms
"""A file as it was parsed, or as the store keeps it."""


class DefiningFile(Struct, frozen=True):
    """One file as the definitions keep it."""

    path: str
    family: str
    role: FileRole
    names: tuple[str, ...]
    """What it defines, each name once, sorted: a set of each file's names takes ten times the room."""
    tops: tuple[str, ...]
    """Those outside of any type or function."""
    packages: tuple[str, ...]
    manifest: bool


class _Definers:
    """Paths by the names they define. Nearly every name has one: sets took 50 MB where 60,000 names are defined."""

    def __init__(self) -> None:
        self._paths: dict[str, dict[str, str | tuple[str, ...]]] = defaultdict(dict)

    def of(self, family: str, name: str) -> tuple[str, ...]:
        found = self._paths[family].get(name, ())
        return (found,) if isinstance(found, str) else found

    def add(self, family: str, name: str, path: str) -> None:
        before = self._paths[family].setdefault(name, path)
        if before is not path:
            self._paths[family][name] = (before, path) if isinstance(before, str) else (*before, path)

    def discard(self, family: str, name: str, path: str) -> None:
        left = tuple(one for one in self.of(family, name) if one != path)
        if left:
            self._paths[family][name] = left if len(left) > 1 else left[0]
        else:
            self._paths[family].pop(name, None)


class Definitions:
    """Names, modules and paths of a project; build it once, update it for some files.

    Everything it returns is sorted, whatever the order files came in.
    """

    def __init__(self, files: Iterable[_Known] = ()) -> None:
        self.places: dict[str, DefiningFile] = {}
        self._definers = _Definers()
        self._top_definers = _Definers()
        self._packages: dict[str, set[str]] = defaultdict(set)
        self._manifests: dict[str, set[str]] = defaultdict(set)
        self._folders: dict[str, set[str]] = defaultdict(set)
        self._ends: dict[str, set[str]] = defaultdict(set)
        self._python_roots: tuple[str, ...] | None = None
        for file in files:
            self._add(file)

    def update(self, changed: Iterable[_Known] = (), removed: Iterable[str] = ()) -> None:
        """Take in changed and new files, and forget removed paths."""
        for path in removed:
            self._remove(path)
        for file in changed:
            self._remove(file.path)
            self._add(file)

    def _add(self, file: _Known) -> None:
        family = family_of(file.language)
        names = tuple(sorted(names_of(family, (one for one in file.symbols if one.kind is not SymbolKind.MODULE))))
        modules = tuple(sorted({symbol.qualname for symbol in file.symbols if symbol.kind is SymbolKind.MODULE}))
        manifest = bool(modules) and not names and file.role is FileRole.CONFIG
        tops = tuple(sorted(set(_top_names(file.symbols))))
        tops = names if tops == names else tops
        place = DefiningFile(file.path, family, file.role, names, tops, modules, manifest)
        self.places[file.path] = place
        for name in names:
            self._definers.add(family, name, file.path)
        for name in tops:
            self._top_definers.add(family, name, file.path)
        for module in modules:
            (self._manifests if manifest else self._packages)[module].add(file.path)
        folder, _, name = file.path.rpartition("/")
        self._folders[folder].add(file.path)
        self._ends[name.lower()].add(file.path)
        self._python_roots = None

    def _remove(self, path: str) -> None:
        place = self.places.pop(path, None)
        if place is None:
            return
        for name in place.names:
            self._definers.discard(place.family, name, path)
        for name in place.tops:
            self._top_definers.discard(place.family, name, path)
        for module in place.packages:
            self._packages[module].discard(path)
            self._manifests[module].discard(path)
        folder, _, name = path.rpartition("/")
        self._folders[folder].discard(path)
        self._ends[name.lower()].discard(path)
        self._python_roots = None

    def __contains__(self, path: str) -> bool:
        return path in self.places

    def tests(self) -> list[str]:
        """Every file that is a test."""
        return sorted(path for path, place in self.places.items() if place.role is FileRole.TEST)

    def definers(self, family: str, name: str) -> tuple[str, ...]:
        """Files of a language family that define a name, in no order."""
        return self._definers.of(family, name)

    def top_definers(self, family: str, name: str) -> tuple[str, ...]:
        """Files that define a name outside of any type or function, in no order: what an import can bring in."""
        return self._top_definers.of(family, name)

    def package(self, name: str) -> list[str]:
        """Files that declare themselves to be of a package or namespace."""
        return sorted(self._packages.get(name, ()))

    def packages_of(self, path: str) -> tuple[str, ...]:
        """Packages or namespaces that a file declares."""
        place = self.places.get(path)
        return place.packages if place else ()

    def manifest_folders(self, name: str) -> list[str]:
        """Folders whose manifest calls itself by this name."""
        return sorted(path.rpartition("/")[0] for path in self._manifests.get(name, ()))

    def manifests(self, file_name: str) -> list[tuple[str, str]]:
        """`(declared name, folder)` of every manifest of that file name, longest name first."""
        found = [
            (module, path.rpartition("/")[0])
            for path in self._ends.get(file_name.lower(), ())
            for module in self.places[path].packages
        ]
        return sorted(found, key=lambda pair: (-len(pair[0]), pair))

    def folders_of(self, file_name: str) -> list[str]:
        """Folders that hold a file of that name."""
        return sorted(path.rpartition("/")[0] for path in self._ends.get(file_name.lower(), ()))

    def in_folder(self, folder: str) -> list[str]:
        """Files that lie directly in a folder."""
        return sorted(self._folders.get(folder, ()))

    def is_folder(self, folder: str) -> bool:
        """Whether files lie directly in a folder."""
        return bool(self._folders.get(folder))

    def ending(self, tail: str) -> list[str]:
        """Files whose path is or ends with `/tail`, letter case of folders counting."""
        name = tail.rpartition("/")[2].lower()
        return sorted(path for path in self._ends.get(name, ()) if path == tail or path.endswith(f"/{tail}"))

    def ending_name(self, file_name: str) -> list[str]:
        """Files of that name, letter case aside."""
        return sorted(self._ends.get(file_name.lower(), ()))

    def nearest(self, paths: Iterable[str], to: str, most: int = 1) -> list[str]:
        """The `most` paths that share most leading folders with `to`; equals in alphabetical order."""
        return sorted(paths, key=lambda path: (-_shared(path, to), path.count("/"), path))[:most]

    def closest(self, paths: Sequence[str], to: str) -> list[str]:
        """All paths that share as many leading folders with `to` as the best does."""
        most = max((_shared(path, to) for path in paths), default=0)
        return sorted(path for path in paths if _shared(path, to) == most)

    def python_roots(self) -> tuple[str, ...]:
        """Folders that Python packages lie in: the first above a file that is no package itself."""
        if self._python_roots is None:
            roots: dict[str, int] = {}
            for folder, paths in self._folders.items():
                python = sum(1 for path in paths if path.endswith((".py", ".pyi")))
                if not python:
                    continue
                root = self.python_root(folder)
                roots[root] = roots.get(root, 0) + python
            self._python_roots = tuple(sorted(roots, key=lambda root: (-roots[root], root)))
        return self._python_roots

    def python_root(self, folder: str) -> str:
        """The folder a module in `folder` is imported from."""
        while folder and (f"{folder}/__init__.py" in self.places or f"{folder}/__init__.pyi" in self.places):
            folder = folder.rpartition("/")[0]
        return folder


def _top_names(symbols: Sequence[Symbol]) -> Iterator[str]:
    enclosing = {symbol.qualname for symbol in symbols if symbol.kind is not SymbolKind.MODULE}
    for symbol in symbols:
        if symbol.kind is not SymbolKind.MODULE and symbol.qualname.rpartition(".")[0] not in enclosing:
            yield symbol.name


def _shared(one: str, other: str) -> int:
    """How many leading folders two paths share."""
    shared = 0
    for left, right in zip(one.split("/")[:-1], other.split("/")[:-1], strict=False):
        if left != right:
            break
        shared += 1
    return shared
