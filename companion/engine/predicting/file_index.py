"""A project's files laid out for scoring: what their paths and symbols say, as arrays.

Made once for each state of the code index and kept while it is asked; a question then costs a few
array operations, whatever the number of files.
"""

from __future__ import annotations

import math
import re
from bisect import bisect_left
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cached_property

import numpy as np
import numpy.typing as npt
from msgspec import Struct

from companion.engine.lasting import Lasting
from companion.ports import Recent
from companion.records import CodeForms
from companion.syntax.alike import area_of
from companion.syntax.file_names import FRONTS, read_name
from companion.syntax.languages import SOURCE_SHARE, is_code_language

Floats = npt.NDArray[np.float64]
Flags = npt.NDArray[np.bool_]
Places = npt.NDArray[np.intp]

INDEXES_KEPT = 4
"""States of code indexes kept ready: a checkout or two and their last moments, some MB each."""
SHORTEST_MENTION = 4
"""Shorter file names (`app`, `io`, `db`) are words of their own and name nothing."""
SHORTEST_NAME = 3
"""Shorter definitions (`g` of `e.g`) are meant by no dotted name."""

RANKS_HALF = 5
"""Of a list's first file counts 1, of its seventh a half: best of 2 to 60 on three repositories."""
AROUND = 60
"""Files of the nearest folders that are listed; those further away count next to nothing."""

_TOKEN = re.compile(r"[\w./-]+")
_PLACE = re.compile(r"[\w./\\:*-]+")
_SLASH = re.compile(r"[/\\]")
_DOT = re.compile(r"::|\.")
_END, _BEHIND_END = "\0", "\1"
"""What closes a part of a path, and what sorts right behind it."""
_NOWHERE: Places = np.empty(0, dtype=np.intp)


class Latest(Struct, frozen=True):
    """What changed lately: as told, in a file index as a list and by rank, and how many commits ago each changed."""

    told: tuple[Recent, ...]
    order: Places
    recency: Floats
    ago: Mapping[str, int]


class FileIndex:
    """Files in a fixed order (by path), and where in that order each name, word and symbol leads."""

    def __init__(
        self,
        files: Mapping[str, Sequence[str]],
        code: Iterable[str],
        owned: Callable[[str], Iterable[str]] = lambda path: (),
    ) -> None:
        """`files` maps paths to the names they define; `code` lists those that are source code.

        `owned` tells the qualified names that a file defines.
        """
        self.paths: tuple[str, ...] = tuple(sorted(files))
        self.index: dict[str, int] = {path: place for place, path in enumerate(self.paths)}
        names = [read_name(path) for path in self.paths]
        known_code = set(code)
        self.code: Flags = np.fromiter((path in known_code for path in self.paths), bool, len(self.paths))
        self.test: Flags = np.fromiter((name.test for name in names), bool, len(names))
        self.word_count: Floats = np.fromiter((len(name.words) for name in names), float, len(names))
        self._stems = _Inverted((name.stem,) for name in names)
        self._words = _Inverted(name.words for name in names)
        self._bases = _Inverted((path.rpartition("/")[2].lower(),) for path in self.paths)
        self._definers = _Inverted(frozenset(files[path]) for path in self.paths)
        self._owned = owned
        self._latest: Latest | None = None
        self._around: dict[str, tuple[Places, Floats]] = {}

    def __len__(self) -> int:
        return len(self.paths)

    def ranked(self, best_first: Sequence[int] | Places) -> Floats:
        """What a list gives each file: 1 for the first, less behind it, 0 where it is not listed.

        Documents and data stand between source files without taking a rank from them.
        """
        places = np.asarray(best_first, dtype=np.intp)
        found = np.zeros(len(self))
        code = self.code[places]
        ranks = np.cumsum(code) + ~code if code.any() else np.arange(1, len(places) + 1)
        found[places] = (RANKS_HALF + 1) / (RANKS_HALF + ranks)
        return found

    def around(self, folder: str) -> tuple[Places, Floats]:
        """The files of a folder and of the nearest others, AROUND of them or more, and how near each is."""
        known = self._around.get(folder)
        if known is None:
            near = {other: value for other in self._folders if (value := nearness(folder, other))}
            taken: list[int] = []
            floor = 0.0
            for other in sorted(near, key=lambda one: -near[one]):
                if len(taken) >= AROUND and near[other] < floor:
                    break
                floor = near[other]
                taken += self._folders[other]
            places = np.array(taken, dtype=np.intp)
            values = [near[self.paths[place].rpartition("/")[0]] for place in taken]
            known = self._around[folder] = (places, np.array(values, dtype=np.float64))
        return known

    @cached_property
    def _folders(self) -> dict[str, list[int]]:
        """The places of each folder's files."""
        found: dict[str, list[int]] = {}
        for place, path in enumerate(self.paths):
            found.setdefault(path.rpartition("/")[0], []).append(place)
        return found

    def pairs(self, path: str) -> Floats:
        """1 for the tests of a source file, or the sources of a test, by name."""
        name = read_name(path)
        found = np.zeros(len(self))
        same = self._stems.get(name.stem)
        if same is not None:
            found[same[self.test[same] != name.test]] = 1.0
        return found

    def alike(self, path: str) -> Floats:
        """Words shared with the file's name over words of both (Jaccard)."""
        words = read_name(path).words
        shared = np.zeros(len(self))
        for word in words:
            places = self._words.get(word)
            if places is not None:
                shared[places] += 1.0
        return shared / np.maximum(len(words) + self.word_count - shared, 1.0)

    def mentioned(self, text: str, worth: Mapping[str, float]) -> Floats:
        """1 for files that a text names: by path, by name, or by a stem of four letters or more.

        A name without an ending may be a plain word, and counts what this word is worth, 1 where that is not known or
        where it is the area that the text begins with (`path: skip empty names`).
        A name that stands for its folder (`index.md`) is that of one file or of none.
        """
        found = np.zeros(len(self))
        area = {token.lower() for token in _TOKEN.findall(area_of(text.partition("\n")[0]))}
        for token in {match.group().strip("./-") for match in _TOKEN.finditer(text)}:
            if token in self.index:
                found[self.index[token]] = 1.0
            for word in {token.lower(), *token.lower().rpartition("/")[2:]}:
                for table, shortest in ((self._bases, 0), (self._stems, SHORTEST_MENTION)):
                    places = table.get(word)
                    if places is None or len(word) < shortest:
                        continue
                    if len(places) == 1 or word.partition(".")[0] not in FRONTS:
                        named = 1.0 if "." in word or word in area else worth.get(word, 1.0)
                        found[places] = np.maximum(found[places], named)
        return found

    def placed(self, text: str) -> Floats:
        """1 for the only file that a text gives the place of, less for each of several that it may mean.

        A place is a path, whatever stands before what the project knows of it (`/usr/lib/python3/shop/till.py`), a
        file's name with its ending, a module's with its folder (`shop.till.close`, `shop::till`), or a definition's
        with what it belongs to (`shop.close`, `Till.close`).
        """
        found = np.zeros(len(self))
        for token in {match.group().strip("./\\:*-") for match in _PLACE.finditer(text)}:
            for told in (self._at, self._in_module, self._belonging):
                if len(meant := told(token)):
                    found[meant] = np.maximum(found[meant], 1.0 / math.sqrt(len(meant)))
                    break
        return found

    def _at(self, token: str) -> Places:
        """The files whose paths end like a path or a file's name, those that share most of it.

        Where several have the name and none of them lies in its folder, the path is of something else.
        """
        *folders, last = _SLASH.split(token.lower())
        name = last.partition(":")[0]
        if "." not in name:
            return _NOWHERE
        meant, shared = self._endings.alike([*folders, name])
        return _NOWHERE if folders and shared < 2 <= len(meant) else meant

    def _in_module(self, token: str) -> Places:
        """The files that the innermost module of a dotted name stands for, known by their folder too."""
        parts = [part for part in _DOT.split(token.lower()) if part]
        ways = (self._modules.get(f"{parts[at - 1]}/{parts[at]}") for at in range(len(parts) - 1, 0, -1))
        return next((meant for meant in ways if meant is not None), _NOWHERE)

    def _belonging(self, token: str) -> Places:
        """The files that define what a dotted name ends with, in its owner or in a folder of the owner's name."""
        owner, name = ["", *_DOT.split(token)][-2:]
        definers = self._definers.get(name) if owner and len(name) >= SHORTEST_NAME else None
        if definers is None:
            return _NOWHERE
        owned = self._members.get(f"{owner}.{name}")
        if owned is not None:
            return owned
        chosen: Places = definers[[owner.lower() in self.paths[at].lower().split("/")[-2:-1] for at in definers]]
        return chosen

    @cached_property
    def _members(self) -> _Inverted:
        """Files by what belongs to a class or a module in them, as `Till.close`; made with the first dotted name."""
        named = (
            (".".join(one.split(".")[-2:]) for one in names if "." in one) for names in map(self._owned, self.paths)
        )
        return _Inverted(map(frozenset, named))

    @cached_property
    def _endings(self) -> _Endings:
        """Made when a text first gives a place: few asks do."""
        return _Endings(self.paths)

    @cached_property
    def _modules(self) -> _Inverted:
        """Files by folder and module, likewise; of a test, no name without its mark."""
        ends = ((_module_end(path), read_name(path).stem) for path in self.paths)
        return _Inverted(("/".join(end),) if len(end) == 2 and end[1] == stem else () for end, stem in ends)

    def latest(self, recent: tuple[Recent, ...]) -> Latest:
        """What changed lately, the newest first.

        It stays the same between two commits, so the last answer is kept with all that it follows from.
        """
        known = self._latest
        if known is None or known.told != recent:
            listed = [place for one in recent if (place := self.index.get(one.path)) is not None]
            order = np.array(listed, dtype=np.intp)
            known = self._latest = Latest(
                recent, order, self.ranked(order), {one.path: one.commits_ago for one in reversed(recent)}
            )
        return known

    def defining(self, names: Iterable[str]) -> Floats:
        """For each file, its share in the definitions of the names: 1 for the only place of one name."""
        found = np.zeros(len(self))
        for name in names:
            places = self._definers.get(name)
            if places is not None:
                found[places] += 1.0 / len(places)
        return found


class _Endings:
    """Paths in order of their last parts: thousands of files have one name, and a report names dozens of them."""

    def __init__(self, paths: Sequence[str]) -> None:
        backwards = [_backwards(path.lower().split("/")) for path in paths]
        order = sorted(range(len(paths)), key=backwards.__getitem__)
        self._paths = [backwards[place] for place in order]
        self._places: Places = np.array(order, dtype=np.intp)

    def alike(self, parts: Sequence[str]) -> tuple[Places, int]:
        """Those that end with the most of these parts, in no order, and how many parts that are."""
        first, behind, most = 0, 0, 0
        for shared in range(1, len(parts) + 1):
            beginning = _backwards(parts[-shared:])
            start = bisect_left(self._paths, beginning)
            end = bisect_left(self._paths, beginning[:-1] + _BEHIND_END, start)
            if start == end:
                break
            first, behind, most = start, end, shared
        return self._places[first:behind], most


def nearness(folder: str, other: str) -> float:
    """How much two folders' paths share: 1 for the same one, 0 for two that stand apart from the top on."""
    here, there = folder.split("/"), other.split("/")
    shared = next((n for n, (a, b) in enumerate(zip(here, there, strict=False)) if a != b), min(len(here), len(there)))
    return (2 * shared + 1) / (len(here) + len(there) + 1) if shared else 0.0


def _backwards(parts: Sequence[str]) -> str:
    """The parts of a path, the last one first, each closed by a mark that sorts before all else."""
    return "".join(f"{part}{_END}" for part in reversed(parts))


def _module_end(path: str) -> list[str]:
    """A module's folder and name, as code would call it: `src/shop/till.py` gives shop and till."""
    parts = path.lower().rpartition(".")[0].split("/")
    return parts[-3:-1] if parts[-1] in FRONTS else parts[-2:]


def source_files(paths: Mapping[str, CodeForms]) -> list[str]:
    """The files that are code by their language, tests included; where these are few, all that have a language."""
    told = [path for path, forms in paths.items() if forms.language]
    found = [path for path in told if is_code_language(paths[path].language)]
    return found if len(found) >= SOURCE_SHARE * len(told) else told


def _laid_out(paths: Mapping[str, CodeForms]) -> FileIndex:
    names = {path: [symbol.name for symbol in forms.symbols] for path, forms in paths.items()}
    return FileIndex(names, source_files(paths), lambda path: (symbol.qualname for symbol in paths[path].symbols))


file_index_of = Lasting(_laid_out, INDEXES_KEPT).of
"""The file index of an index of code; the same mapping (a library keeps it while nothing changes) is laid out once."""


class _Inverted:
    """The places of each word. Most names stand in one place, kept as a number: an array for each took 10 MB more."""

    def __init__(self, rows: Iterable[Iterable[str]]) -> None:
        found: dict[str, int | list[int]] = {}
        for place, row in enumerate(rows):
            for word in row:
                before = found.setdefault(word, place)
                if isinstance(before, list):
                    before.append(place)
                elif before != place:
                    found[word] = [before, place]
        self._places: dict[str, int | Places] = {
            word: np.array(places, dtype=np.intp) if isinstance(places, list) else places
            for word, places in found.items()
        }

    def get(self, word: str) -> Places | None:
        """In ascending order; None where it stands nowhere."""
        places = self._places.get(word)
        return np.array([places], dtype=np.intp) if isinstance(places, int) else places
