"""C and C++: GCC, Clang, MSVC, linkers, sanitizers, Valgrind, assertions, debuggers."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from msgspec.structs import replace

from companion.signals.errors.found import FoundError, LineForm, Stack, headings, walk


def symbol_of(signature: str) -> str:
    """`Class::method` or the function's name out of a signature."""
    text = signature.partition("(")[0].partition(" [with ")[0]
    text = re.sub(r"<[^<>]*>", "", text).strip()
    name = text.split(" ")[-1].lstrip("*&")
    return "::".join(part for part in name.split("::")[-2:] if part)


STACK_REACH_LINES = 13
"""Between a sanitizer's or debugger's words and the first frame."""
_SOURCE = r"[^\s:][^:]*(?::\\[^:]*)?\.(?:c|h|cc|cpp|cxx|c\+\+|hpp|hh|hxx|inl|ipp|tpp|m|mm|cu|cuh|S|s|y|l)"
_AT = rf"(?P<path>{_SOURCE}):(?P<line>\d+):"
_FLAG = r"(?: \[(?:-Werror[=,])?-?W?(?P<kind>[\w+=-]+)\])?"
_MSVC = r"\s*(?P<path>\S.*?)\((?P<line>\d+)(?:,\d+)?\)\s?: (?:fatal )?error (?P<kind>%s\d+): (?P<said>.+?)(?: \[.*)?$"
_LINKED = r"(?:(?:.*?ld[\w.]*: )?(?P<path>\S+?\.\w+):(?:(?P<line>\d+)|\(\.\w[^)]*\)):)?.*\b%s [`'‘](?P<said>.+?)['’]"
_INSIDE = (
    re.compile(
        r"(?P<path>\S.*): In (?:static |member |constructor |destructor |lambda )*"
        r"(?:function|constructor|destructor) ['‘](?P<name>.+)['’]:$"
    ),
    re.compile(r"(?P<path>.*): in function [`'‘](?P<name>.+?)['’]:"),
)
_STACK = (
    r"\s*#\d+ (?:0x[0-9a-f]+ )?(?:in )?(?P<name>\S.*?)(?: (?P<path>\S+?)(?::(?P<line>\d+))?(?::\d+)?)?(?: \(.+\))?$"
)
_DEBUGGER = r"#\d+\s+(?:0x[0-9a-f]+ in )?(?P<name>\S+) ?\(.*?\)(?: at (?P<path>\S+?):(?P<line>\d+))?(?: from .*)?$"
_VALGRIND = r"==\d+==\s+(?:at|by) 0x[0-9A-Fa-f]+: (?P<name>.+?) \((?:in )?(?P<path>[^():]+)(?::(?P<line>\d+))?\)$"
_SAID = r"(?P<said>.+?)(?: on (?:unknown )?address.*)?"


def _crash(head: str, frame: str, kind: str = "") -> LineForm:
    """What a program printed as it ran; the first stack below is where the fault happened."""
    return LineForm("c", re.compile(head), kind, stack=Stack(re.compile(frame), symbol_of, STACK_REACH_LINES))


UNDEFINED, TWICE = "undefined reference", "multiple definition"
FORMS = (
    LineForm(
        "c", re.compile(rf"{_AT}(?:\d+:)? (?:fatal )?error: (?P<said>.+?){_FLAG}$"), "compile error", mark="error"
    ),
    LineForm("csharp", re.compile(_MSVC % "(?:CS|CA|IDE)[A-Z]{0,2}"), mark="error"),
    LineForm("c", re.compile(_MSVC % "[A-Z]{1,4}"), mark="error"),
    LineForm("c", re.compile(rf"{_AT}\d+: runtime error: (?P<said>.+)$"), "undefined behaviour", mark="runtime error"),
    LineForm("c", re.compile(_LINKED % f"{UNDEFINED} to"), UNDEFINED, f"{UNDEFINED} to `{{said}}`", mark=UNDEFINED),
    LineForm("c", re.compile(_LINKED % f"{TWICE} of"), TWICE, f"{TWICE} of `{{said}}`", mark=TWICE),
    LineForm("c", re.compile(r'\s+"(?P<said>_[^"]+)", referenced from:$'), UNDEFINED, "undefined symbol `{said}`"),
    LineForm(
        "c",
        re.compile(rf"(?:.*?: )?{_AT} (?P<name>.+?): Assertion [`'‘](?P<said>.+)['’] failed"),
        "assertion failed",
        mark="Assertion",
        symbol_of=symbol_of,
    ),
    _crash(rf"==\d+==\s?(?:ERROR|WARNING): (?P<kind>\w+Sanitizer): {_SAID}$", _STACK),
    _crash(rf"WARNING: (?P<kind>ThreadSanitizer): {_SAID} \(pid=\d+\)$", _STACK),
    _crash(r"(?:Program|Thread .*) (?:received|terminated with) signal (?P<kind>SIG\w+), (?P<said>.+?)\.?$", _DEBUGGER),
    _crash(
        r"==\d+== (?P<said>(?:Invalid|Conditional jump|Use of uninit|Process terminating|Source and dest)\S?.*)$",
        _VALGRIND,
        "valgrind",
    ),
)


def find(lines: Sequence[str]) -> Iterator[FoundError]:
    """Messages in order, those of compilers and linkers inside the function that a heading names."""
    inside = headings(lines, *_INSIDE)
    return (_inside(found, inside[found.first_line]) for found in walk(lines, *FORMS))


def _inside(found: FoundError, heading: re.Match[str] | None) -> FoundError:
    if heading is None or not found.frames or found.frames[0].symbol:
        return found
    first, *others = found.frames
    if found.error_type not in (UNDEFINED, TWICE) and first.path != heading["path"]:
        return found
    return replace(found, frames=(replace(first, symbol=symbol_of(heading["name"])), *others))
