"""Whether a value reads as code: names that can be pronounced, joined by operators, brackets that open and close.

What a password has instead is a name right after a bracket, a letter after a digit, a mark that joins nothing. A value
may be the beginning of an expression, since it ends at the first blank: brackets may stay open, none may close wrongly.
"""

from __future__ import annotations

import re

from companion.adapters.secrets import looks

LONGEST_NUMBER = 6
"""Digits of a number in code that is read as one; what is longer was drawn or counts something else."""
LONGEST_NAME = 3
"""Letters that some name in an expression has at least: chance makes shorter ones by the dozen."""

_LEXEME = re.compile(
    r"""(?x)
      (?P<text> (?:[rbfuRBFUL]{1,2})? (?: "(?:\\.|[^"\\])*(?:"|$) | '(?:\\.|[^'\\])*(?:'|$) | `[^`]*(?:`|$) ) )
    | (?P<name> [$@]{0,2} [A-Za-z_] \w* | [$] (?=[({]) )
    | (?P<number> 0x[0-9a-fA-F]+ | \d+ (?:\.\d+)? (?![A-Za-z_]) )
    | (?P<open> [(\[{] )
    | (?P<close> [)\]}] )
    | (?P<member> ::|->|\?\.|\.(?=[A-Za-z_]) )
    | (?P<joint> =>|&&|\|\||[=!]==?|[<>]=|<<|>>|\.\.\.?|[,;:=+\-*/%&|<>?.] )
    | (?P<before> [!~] )
    """
)
_MARKED_WORD = re.compile(r"!?[A-Za-z]\w*\d[!?*&<|]*")
"""A word with a number and the mark that a rule for passwords asks for: `Winter2026!`."""
_ENDED = re.compile(r"^\w{0,2}([\"'`]).*\1$")
_CLOSES = {")": "(", "]": "[", "}": "{"}
_BEFORE_A_NAME = frozenset({"-", "*", "&", ":", "...", "<", "::", "->", "."})
"""Joints that may also stand before a name: a sign, a pointer, a symbol, the rest of a list, a member of what is meant."""
_BEFORE_A_CLOSE = frozenset({",", ":", ";", "?", "*", "...", ".."})


def is_expression(value: str) -> bool:
    """Whether the value is code that names, calls or computes something; a name alone is none."""
    if _MARKED_WORD.fullmatch(value):
        return False
    at, last, waiting, built, longest = 0, "", True, False, 0
    lexeme, open_ones = "", list[str]()
    while at < len(value):
        found = _LEXEME.match(value, at)
        if found is None:
            return False
        kind, before, lexeme, at = found.lastgroup or "", lexeme, found[0], found.end()
        if kind in ("name", "number", "text"):
            if not waiting or not (
                _is_plain(kind, lexeme) or (last == "open" and kind == "text" and _ENDED.search(lexeme))
            ):
                return False
            built |= lexeme[0] in "$@"
            longest = max(longest, len(lexeme))
            waiting = False
        elif kind == "open":
            built, waiting = True, True
            open_ones.append(lexeme)
        elif kind == "close":
            if waiting and last not in ("open", "close", "") and before not in _BEFORE_A_CLOSE:
                return False
            if open_ones and open_ones.pop() != _CLOSES[lexeme]:
                return False
            built, waiting = True, False
        elif kind == "before" or (waiting and lexeme in _BEFORE_A_NAME):
            if not waiting and lexeme != "!":
                return False
            built |= lexeme in ("*", "&", "!", ".", "::", "->")
        elif waiting:
            return False
        else:
            built |= kind == "member" or lexeme not in ("-", "/", "+", "=", ":", ",", ".", ";", "%")
            waiting = True
        last = kind
    return built and longest >= LONGEST_NAME


def _is_plain(kind: str, lexeme: str) -> bool:
    """Whether a name or number could have been written by somebody."""
    if kind == "number":
        return lexeme.startswith("0x") or len(lexeme) <= LONGEST_NUMBER
    return looks.is_name(lexeme.strip("$@\"'`" if kind == "name" else "\"'`rbfu%"))
