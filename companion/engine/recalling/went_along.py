"""What usually goes along with a sort of work: the files that most of the nearest precedents have in common.

That may be one file (a changelog, a table of settings) or a sort of file that does not exist yet: a fragment named
after its request, a test beside the code. Of these is told the template: what stays, and what varies from one
precedent to the next. Code that was changed is left to the prediction; code that was added is told as a template too.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from msgspec import Struct

from companion.ports import PastChange
from companion.records import ChangeStatus, FileChange, FileRole
from companion.syntax.languages import role_by_name

LOOKED_AT = 4
"""The nearest precedents among which a habit is looked for."""
CLEAR = 3
"""Of those, how many must have it: three of four, or all of three."""
VARIES = "*"
"""Stands for what varies; a number that does is told as NUMBER."""

_DIGITS = re.compile(r"\d+")


class WentAlong(Struct, frozen=True):
    """What went along in `times` of the `of` nearest precedents.

    `path` is a file, or a template of files with `*` and NUMBER for what varies; `made` says that the file was new each
    time. `example` is the id of the nearest commit that has it, `example_path` the file that it changed.
    """

    path: str
    times: int
    of: int
    made: bool
    example: str
    example_path: str


def habits_of(nearest: Sequence[PastChange]) -> tuple[WentAlong, ...]:
    """The habits of the first LOOKED_AT precedents, the most common first; none without clear support."""
    looked = nearest[:LOOKED_AT]
    found: list[WentAlong] = []
    explained: set[tuple[str, str]] = set()
    for level in _LEVELS:
        having: dict[tuple[str, bool], list[tuple[PastChange, FileChange]]] = {}
        for precedent in looked:
            for file in precedent.files:
                template = level(file)
                if template and (precedent.sha, file.path) not in explained:
                    key = (template, file.status is ChangeStatus.ADDED)
                    having.setdefault(key, []).append((precedent, file))
        for (template, made), members in having.items():
            times = len({precedent.sha for precedent, _ in members})
            if times >= CLEAR:
                first, file = members[0]
                path = _narrowed(template, [file.path for _, file in members])
                found.append(WentAlong(path, times, len(looked), made, first.sha, file.path))
                explained.update((precedent.sha, file.path) for precedent, file in members)
    return tuple(sorted(found, key=lambda habit: (-habit.times, habit.path)))


def _itself(file: FileChange) -> str:
    """A file that is there and is no code: that very path."""
    return file.path if file.status is not ChangeStatus.ADDED and role_by_name(file.path) is not FileRole.SOURCE else ""


def _numbered(file: FileChange) -> str:
    """A new file whose name differs in a number alone."""
    folder, _, name = file.path.rpartition("/")
    told = _DIGITS.sub("NUMBER", name)
    return _joined(folder, told) if file.status is ChangeStatus.ADDED and told != name else ""


def _sibling(file: FileChange) -> str:
    """A new file, or a test, beside others of the same endings."""
    folder, _, name = file.path.rpartition("/")
    _, dot, endings = name.partition(".")
    wanted = file.status is ChangeStatus.ADDED or role_by_name(file.path) is FileRole.TEST
    return _joined(folder, f"{VARIES}.{endings}") if wanted and dot else ""


def _cousin(file: FileChange) -> str:
    """A new file beside others of its last ending, or in a folder beside theirs."""
    *above, name = file.path.split("/")
    _, dot, ending = name.rpartition(".")
    if file.status is not ChangeStatus.ADDED or not dot or len(above) < 2:
        return ""
    return "/".join([*above[:-1], VARIES, f"{VARIES}.{ending}"])


_LEVELS: tuple[Callable[[FileChange], str], ...] = (_itself, _numbered, _sibling, _cousin)
"""From the most particular on; a file that one of them explains is not told again."""


def _joined(folder: str, name: str) -> str:
    return f"{folder}/{name}" if folder else name


def _narrowed(template: str, paths: Sequence[str]) -> str:
    """A template with the beginning of the name that all its files share: `tests/test_*.py`."""
    names = [path.rpartition("/")[2].partition(".")[0] for path in paths]
    folder, _, name = template.rpartition("/")
    if not name.startswith(VARIES):
        return template
    if all(map(str.isdigit, names)):
        return _joined(folder, f"NUMBER{name.removeprefix(VARIES)}")
    if len(set(names)) == 1:
        return _joined(folder, names[0] + name.removeprefix(VARIES))
    return _joined(folder, _beginning(names) + name)


def _beginning(names: Sequence[str]) -> str:
    """The characters that all begin with: those that the first and the last of them in order share."""
    first, last = min(names), max(names)
    return first[
        : next((at for at, (one, other) in enumerate(zip(first, last, strict=False)) if one != other), len(first))
    ]
