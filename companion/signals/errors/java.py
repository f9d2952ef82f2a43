"""The JVM: stack traces with their causes, and messages of javac, Maven, Gradle, Kotlin and Scala."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from msgspec.structs import replace

from companion.signals.errors.found import FoundError, LineForm, RawFrame, number

HEAD_REACH_LINES = 10
"""How far above its first frame a message may begin."""
DETAIL_REACH_LINES = 5
"""Below a compiler message, where the symbol that is meant stands."""

_FRAME = re.compile(r"\s*at (?:[\w.$@/-]*/)?([\w.$<>]+)\.([\w$<>-]+)\(([^()]*)\)(?: ~?\[.*\])?$")
_PLACE = re.compile(r"([\w$-]+\.(?:java|kt|kts|scala|groovy|clj)):(\d+)$")
_MORE = re.compile(r"\s*(?:\.\.\. \d+ (?:more|common frames omitted)|Suppressed: |at .*\()")
_HEAD = re.compile(r".*?(?:^|\s|\[)((?:[a-z_][\w]*\.)+[A-Z][\w$]*|[A-Z][\w$]*(?:Exception|Error))(?::(?: (.*))?)?$")
_MESSAGES = (
    r"(?P<path>\S.*\.java):(?P<line>\d+): error: (?P<said>.+)$",
    r"\[ERROR\] (?P<path>\S.*\.(?:java|kt|scala)):\[(?P<line>\d+),\d+\] (?:error: )?(?P<said>.+)$",
    r"e: (?:file://)?(?P<path>\S.*?\.kts?):(?P<line>\d+):\d+:? (?P<said>.+)$",
    r"e: (?P<path>\S.*?\.kts?): \((?P<line>\d+), \d+\): (?P<said>.+)$",
    r"\[error\] (?P<path>\S.*?\.(?:scala|java)):(?P<line>\d+):(?:\d+:)? (?P<said>.+)$",
)
FORMS = tuple(LineForm("java", re.compile(message), "compile error") for message in _MESSAGES)
_SYMBOL = re.compile(r"\s+symbol:\s+(.+)$")
_SUREFIRE = re.compile(r"\[ERROR\]\s+(?:[\w$]+\.)*?([\w$]+)\.([\w$]+):(\d+)(?:->[\w$.:<>-]+)? (.+)$")


def find(lines: Sequence[str]) -> Iterator[FoundError]:
    """Each exception of each trace - causes are errors of their own - and each compiler message."""
    at, above = 0, -1
    while at < len(lines):
        if _FRAME.match(lines[at]):
            found = _trace(lines, at, above)
            yield found
            above = found.last_line
            at = above + 1
            continue
        if message := _message(lines, at):
            yield message
        at += 1


def symbol_of(type_name: str, method: str) -> str:
    """`Class.method`; constructors and lambdas by the name of what they belong to."""
    names = [part for part in type_name.rpartition(".")[2].split("$") if part and not part[0].isdigit()]
    own = re.sub(r"lambda\$(\w+)\$\d+", r"\1", method)
    own = own.split("$")[0] or own
    return ".".join([*names, own] if own not in ("<init>", "<clinit>", "invokeSuspend") else names)


def _trace(lines: Sequence[str], first: int, above: int) -> FoundError:
    frames: list[RawFrame] = []
    last = first
    while last < len(lines):
        if found := _FRAME.match(lines[last]):
            frames += _placed(*found.groups())
        elif not _MORE.match(lines[last]) or "Suppressed: " in lines[last]:
            break
        last += 1
    for at in range(first - 1, max(above, first - 1 - HEAD_REACH_LINES), -1):
        if head := _HEAD.match(lines[at]):
            return FoundError("java", head.group(1), head.group(2) or "", tuple(frames), at, last - 1)
    return FoundError("java", "", "", tuple(frames), first, last - 1)


def _placed(type_name: str, method: str, location: str) -> Iterator[RawFrame]:
    place = _PLACE.match(location)
    if place:
        package = type_name.rpartition(".")[0].replace(".", "/")
        path = f"{package}/{place.group(1)}" if package else place.group(1)
        yield RawFrame(path, number(place.group(2)), symbol_of(type_name, method))


def _message(lines: Sequence[str], at: int) -> FoundError | None:
    if said := next((one for form in FORMS if (one := form(lines, at))), None):
        below = lines[at + 1 : at + DETAIL_REACH_LINES]
        detail = next((found.group(1) for line in below if (found := _SYMBOL.match(line))), "")
        return replace(said, message=f"{said.message}: {detail}") if detail else said
    if found := _SUREFIRE.match(lines[at]):
        type_name, method, row, words = found.groups()
        frame = RawFrame(f"{type_name}.java", number(row), f"{type_name}.{method}")
        return FoundError("java", "test failed", words, (frame,), at, at)
    return None
