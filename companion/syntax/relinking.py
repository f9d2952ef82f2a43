"""A few changed files, to the files whose links may have changed with them.

A file's links depend on its own text and on what it asks of the project: who defines the names it
uses, which files its imports mean, which source its own name means as a test. So when some files
change, links change in those files, and in files that use a name that was gained or lost, import
something that is called like what came or went, or are tests named after it. What is said here may
be too much, never too little: the links themselves are made anew by `link`, by the same rules as in
a first scan. Where one file can move the imports of a whole family of languages (a manifest, a
package's front file), the family is linked anew.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping

from msgspec import Struct

from companion.records import FileRole
from companion.syntax.definitions import DefiningFile, Definitions
from companion.syntax.languages import language_of

_WORD = re.compile(r"[^\W_]+(?:_+[^\W_]+)*")
_MANIFESTS = {"package.json": "ecmascript", "go.mod": "go", "cargo.toml": "rust", "pubspec.yaml": "dart"}
"""Files by which imports of a whole family find other packages of the same repository."""
_FRONTS = {"__init__": "python", "lib": "rust", "main": "rust ecmascript", "index": "ecmascript", "mod": "ecmascript"}
"""Names of files that make a folder a package; where one comes or goes, imports may lead through it."""


class Ripple(Struct, frozen=True):
    """Which files may link differently, told by what stands in them.

    `names`: files that use one of them. `words`: files with an import one of whose words, in lower case,
    is among them. `stems`: tests whose name without marks holds one. `families`: all files of them.
    `bare`: files with an import that has no word at all, like `..`.
    """

    names: frozenset[str] = frozenset()
    words: frozenset[str] = frozenset()
    stems: frozenset[str] = frozenset()
    families: frozenset[str] = frozenset()
    bare: bool = False


def ripple(before: Mapping[str, DefiningFile | None], after: Definitions, roots_before: tuple[str, ...]) -> Ripple:
    """What a change moves in other files.

    `before` holds each changed path as it was (None: new); `after` is already up to date;
    `roots_before` are its Python roots from before.
    """
    names: set[str] = set()
    words: set[str] = set()
    stems: set[str] = set()
    families: set[str] = {"python"} if after.python_roots() != roots_before else set()
    bare = False
    for path, old in before.items():
        new = after.places.get(path)
        if old is not None and new is not None and _frame(old) == _frame(new):
            names |= {*old.names} ^ {*new.names} | {*old.tops} ^ {*new.tops}
            continue
        bare = True
        for place in (old, new):
            if place is not None:
                names |= {*place.names}
                words |= path_words(path) | {word for package in place.packages for word in _last_words(package)}
                stems |= {plain(path)} if place.role is FileRole.SOURCE else set()
        families |= _families_moved(path, old, new)
    words |= import_words("", names)
    return Ripple(frozenset(names), frozenset(words), frozenset(stems), frozenset(families), bare)


def import_words(module: str, names: Iterable[str]) -> frozenset[str]:
    """The words of an import, in lower case."""
    return frozenset(word.lower() for text in (module, *names) for word in _WORD.findall(text))


def path_words(path: str) -> frozenset[str]:
    """What an import may call a file: the words of its name and of the folder it lies in."""
    folder, _, name = path.rpartition("/")
    stem, dot, _ = name.rpartition(".")
    return import_words(stem if dot and stem else name, (folder.rpartition("/")[2],))


def plain(path: str) -> str:
    """A file's name without ending and marks, in lower case, as tests are named after it."""
    stem = path.rpartition("/")[2].partition(".")[0] or path.rpartition("/")[2]
    return stem.replace("-", "_").strip("_").lower()


def tests_named_after(stems: Collection[str], tests: Iterable[str]) -> list[str]:
    """Those of the test files whose name holds one of the stems."""
    wanted = [stem for stem in stems if stem]
    found = []
    for path in tests:
        name = path.rpartition("/")[2].replace("-", "_").lower()
        if any(stem in name for stem in wanted):
            found.append(path)
    return found


def _frame(place: DefiningFile) -> tuple[object, ...]:
    """What of a file, beside the names it defines, others' imports depend on."""
    return (place.family, place.role, place.packages, place.manifest)


def _last_words(package: str) -> frozenset[str]:
    return frozenset(word.lower() for word in _WORD.findall(package)[-1:])


def _families_moved(path: str, old: DefiningFile | None, new: DefiningFile | None) -> set[str]:
    folder, _, name = path.rpartition("/")
    moved: set[str] = set()
    if (family := _MANIFESTS.get(name.lower())) is not None:
        moved.add(family)
    families = {place.family for place in (old, new) if place is not None}
    moved |= families.intersection(_FRONTS.get(name.partition(".")[0], "").split())
    if not folder and language_of(path) == "go":
        moved.add("go")  # the module's own name means its top folder
    return moved
