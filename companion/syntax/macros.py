"""What a preprocessor takes away, and a grammar stumbles over: `class STORE_API Basket`, `STORE_BEGIN`, `#if NET20`."""

from __future__ import annotations

import re

_MACRO = rb"[A-Z][A-Z0-9_]{2,}+(?:\([^();{}]{0,200}\))?"
_IN_A_TYPE = re.compile(
    rb"\b(?:class|struct|union|enum)\b(?:[ \t]+class\b)?\s{1,20}"
    rb"(?P<macro>%s)(?=\s{1,20}(?!final\b)[A-Za-z_][\w:]*+(?:<[^;{}]{0,200}>)?\s{0,20}(?:final\s{1,20})?[{:])" % _MACRO
)
_ALONE = re.compile(rb"^[ \t]*+(?P<macro>%s)[ \t\r]*+(?://.*+)?$" % _MACRO, re.MULTILINE)
_BEFORE_A_NAME = re.compile(
    rb"^[ \t]*+(?P<macro>%s(?:[ \t]{1,20}%s){0,3})"
    rb"(?=\s{1,20}(?:(?:explicit|inline|constexpr)\s{1,20})?~?(?P<name>\w++)\()" % (_MACRO, _MACRO),
    re.MULTILINE,
)
_TYPE = re.compile(rb"\b(?:class|struct|union)\s{1,20}([A-Za-z_]\w*+)")
_GOES_ON_FROM = frozenset(b"\\,(=+-|&?:<.")
_GOES_ON_WITH = frozenset(b"},=;.({?:|&+-<)")
_AROUND = 400
"""Bytes looked at on each side of a line, for the sign before and behind it."""
_SAYS = re.compile(rb"[^\r\n]")
_DIRECTIVE = re.compile(rb"[ \t]*+#[ \t]*+(?P<word>[a-z]*+)")


def without_macros(data: bytes) -> bytes:
    """The same text, as long, with blanks for macros alone on a line, or before the name of a type or constructor.

    Such a line is left as it is where a statement goes on over it: a value of an `enum`, an argument.
    """
    plain = _IN_A_TYPE.sub(_blank, data)
    plain = _ALONE.sub(lambda found: _blank(found) if _stands_alone(found) else found[0], plain)
    types = set(_TYPE.findall(plain))
    return _BEFORE_A_NAME.sub(lambda found: _blank(found) if found["name"] in types else found[0], plain)


def without_directives(data: bytes) -> bytes:
    """The same text, as long, with blanks for lines that begin with `#`, and for all but the first branch of an `#if`.

    The first is what a body, a list of types or a chain of calls goes on with; two of them one after the other are no
    code.
    """
    taken: list[bool] = []
    left_out = 0
    lines = data.splitlines(keepends=True)
    for at, line in enumerate(lines):
        directive = _DIRECTIVE.match(line)
        if directive is not None or left_out:
            lines[at] = _SAYS.sub(b" ", line)
        word = b"" if directive is None else directive["word"]
        if word == b"if":
            taken.append(True)
        elif taken and word in {b"elif", b"else"}:
            left_out += taken[-1]
            taken[-1] = False
        elif taken and word == b"endif":
            left_out -= not taken.pop()
    return b"".join(lines)


def _stands_alone(line: re.Match[bytes]) -> bool:
    before = line.string[max(0, line.start() - _AROUND) : line.start()].rstrip()[-1:]
    behind = line.string[line.end() : line.end() + _AROUND].lstrip()[:1]
    return not (before and before[0] in _GOES_ON_FROM) and not (behind and behind[0] in _GOES_ON_WITH)


def _blank(found: re.Match[bytes]) -> bytes:
    start, end = (at - found.start() for at in found.span("macro"))
    whole = found[0]
    return whole[:start] + _SAYS.sub(b" ", whole[start:end]) + whole[end:]
