"""C and C++: GCC, Clang, MSVC, linkers, sanitizers, Valgrind, assertions, debuggers."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from companion.signals.errors.found import FoundError, RawFrame, number

_SOURCE = r"[^\s:][^:]*(?::\\[^:]*)?\.(?:c|h|cc|cpp|cxx|c\+\+|hpp|hh|hxx|inl|ipp|tpp|m|mm|cu|cuh|S|s|y|l)"
_COMPILE = re.compile(rf"({_SOURCE}):(\d+):(?:\d+:)? (?:fatal )?error: (.+)$")
_FLAG = re.compile(r" \[(?:-Werror[=,])?-?W?([\w+=-]+)\]$")
_INSIDE = re.compile(
    r"(\S.*): In (?:static |member |constructor |destructor |lambda )*"
    r"(?:function|constructor|destructor) ['‘](.+)['’]:$"
)
_MSVC = re.compile(r"\s*(\S.*?)\((\d+)(?:,\d+)?\)\s?: (?:fatal )?error ([A-Z]{1,4}\d+): (.+)$")
_UNDEFINED = re.compile(r".*\b(undefined reference to|multiple definition of) [`'‘](.+?)['’]")
_LINK_PLACE = re.compile(r"(?:.*?ld[\w.]*: )?(\S+?\.\w+):(?:(\d+)|\(\.\w[^)]*\)):")
_LINK_INSIDE = re.compile(r"(.*): in function [`'‘](.+?)['’]:")
_MAC_UNDEFINED = re.compile(r'\s+"(_[^"]+)", referenced from:$')
_SANITIZER = re.compile(r"==\d+==\s?(?:ERROR|WARNING): (\w+Sanitizer): (.+)$")
_WARNED = re.compile(r"WARNING: (ThreadSanitizer): (.+) \(pid=\d+\)$")
_STACK = re.compile(r"\s*#\d+ (?:0x[0-9a-f]+ )?(?:in )?(\S.*?)(?: (\S+?)(?::(\d+))?(?::\d+)?)?(?: \(.+\))?$")
_UNDEFINED_BEHAVIOUR = re.compile(rf"({_SOURCE}):(\d+):\d+: runtime error: (.+)$")
_ASSERT = re.compile(rf"(?:.*?: )?({_SOURCE}):(\d+): (.+?): Assertion [`'‘](.+)['’] failed")
_SIGNAL = re.compile(r"(?:Program|Thread .*) (?:received|terminated with) signal (SIG\w+), (.+?)\.?$")
_DEBUGGER = re.compile(r"#\d+\s+(?:0x[0-9a-f]+ in )?(\S+) ?\(.*?\)(?: at (\S+?):(\d+))?(?: from .*)?$")
_VALGRIND = re.compile(
    r"==\d+== ((?:Invalid|Conditional jump|Use of uninit|Process terminating|Source and dest)\S?.*)$"
)
_VALGRIND_FRAME = re.compile(r"==\d+==\s+(?:at|by) 0x[0-9A-Fa-f]+: (.+?) \((?:in )?([^():]+)(?::(\d+))?\)$")
STACK_REACH_LINES = 12
"""Between a sanitizer's or debugger's words and the first frame."""


def find(lines: Sequence[str]) -> Iterator[FoundError]:
    """Messages in order; a sanitizer's first stack is where the fault happened."""
    inside = ("", "")
    at = 0
    while at < len(lines):
        line = lines[at]
        if named := _INSIDE.match(line) or _LINK_INSIDE.match(line):
            inside = (named.group(1), symbol_of(named.group(2)))
        elif not line.strip():
            inside = ("", "")
        found = _compiler(at, line, inside) or _linker(at, line, inside[1]) or _run_time(lines, at)
        if found:
            yield found
        at = found.last_line + 1 if found else at + 1


def symbol_of(signature: str) -> str:
    """`Class::method` or the function's name out of a signature."""
    text = signature.partition("(")[0].partition(" [with ")[0]
    text = re.sub(r"<[^<>]*>", "", text).strip()
    name = text.split(" ")[-1].lstrip("*&")
    return "::".join(part for part in name.split("::")[-2:] if part)


def _compiler(at: int, line: str, inside: tuple[str, str]) -> FoundError | None:
    if "error" not in line:
        return None
    if found := _COMPILE.match(line):
        path, row, message = found.groups()
        function = inside[1] if inside[0] == path else ""
        flag = _FLAG.search(message)
        kind = flag.group(1) if flag else "compile error"
        return FoundError("c", kind, _FLAG.sub("", message), (RawFrame(path, number(row), function),), at, at)
    if found := _MSVC.match(line):
        path, row, code, message = found.groups()
        tool = "csharp" if code.startswith(("CS", "CA", "IDE")) else "c"
        return FoundError(tool, code, message.partition(" [")[0], (RawFrame(path, number(row)),), at, at)
    if found := _UNDEFINED_BEHAVIOUR.match(line):
        path, row, message = found.groups()
        return FoundError("c", "undefined behaviour", message, (RawFrame(path, number(row)),), at, at)
    return None


def _linker(at: int, line: str, function: str) -> FoundError | None:
    if found := _UNDEFINED.match(line):
        place = _LINK_PLACE.match(line)
        frames = (RawFrame(place.group(1), number(place.group(2)), function),) if place else ()
        kind, symbol = found.groups()
        return FoundError("c", kind.removesuffix(" to").removesuffix(" of"), f"{kind} `{symbol}`", frames, at, at)
    if found := _MAC_UNDEFINED.match(line):
        return FoundError("c", "undefined reference", f"undefined symbol `{found.group(1)}`", (), at, at)
    return None


def _run_time(lines: Sequence[str], at: int) -> FoundError | None:
    line = lines[at]
    if found := _ASSERT.match(line):
        path, row, signature, said = found.groups()
        frame = RawFrame(path, number(row), symbol_of(signature))
        return FoundError("c", "assertion failed", said, (frame,), at, at)
    for head, frame_pattern in ((_SANITIZER, _STACK), (_WARNED, _STACK), (_SIGNAL, _DEBUGGER)):
        if found := head.match(line):
            kind, message = found.groups()
            frames, last = _frames(lines, at + 1, frame_pattern)
            return FoundError("c", kind, re.sub(r" on (?:unknown )?address.*", "", message), frames, at, last)
    if found := _VALGRIND.match(line):
        frames, last = _frames(lines, at + 1, _VALGRIND_FRAME)
        return FoundError("c", "valgrind", found.group(1), frames, at, last)
    return None


def _frames(lines: Sequence[str], start: int, pattern: re.Pattern[str]) -> tuple[tuple[RawFrame, ...], int]:
    """The first stack below a line: its frames that have a place, and its last line."""
    frames: list[RawFrame] = []
    last, begun = start - 1, False
    for at in range(start, len(lines)):
        found = pattern.match(lines[at])
        if found:
            begun, last = True, at
            symbol, path, row = found.groups()
            if path and number(row) is not None:
                frames.append(RawFrame(path, number(row), symbol_of(symbol)))
        elif begun or at - start > STACK_REACH_LINES:
            break
    return tuple(frames), last
