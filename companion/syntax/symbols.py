"""Definitions to symbols: qualified names, signatures, and whether they are public."""

from __future__ import annotations

import re
from bisect import bisect_left

from msgspec import Struct

from companion.records import Symbol, SymbolKind
from companion.syntax.captures import Definition, SyntaxReading
from companion.syntax.languages import Public

MAX_SIGNATURE_CHARS = 200
"""A head of a definition longer than this says no more at a glance."""

MAX_CONSTANT_CHARS = 90
"""A constant shows its value if it is short; tables of data are cut."""

MAX_SYMBOLS = 4_000
"""Symbols of one file: beyond it is generated code."""

_TYPES = frozenset({SymbolKind.CLASS, SymbolKind.INTERFACE, SymbolKind.ENUM, SymbolKind.TYPE})
# Heads that end at the first brace where the query does not say where the body begins.
_BRACED = frozenset({SymbolKind.CLASS, SymbolKind.INTERFACE, SymbolKind.ENUM, SymbolKind.MACRO})
_CALLABLE = frozenset({SymbolKind.FUNCTION, SymbolKind.METHOD})
_HIDING = re.compile(r"\b(?:private|protected|fileprivate|internal|def(?:macro|guard)?p|typep)\b")
_TRAILING = re.compile(r"(?:\s*(?:=>|[:{=;,\\]|\bdo|\bthen))+$")
_ANNOTATIONS = re.compile(r"^(?:@(?!interface)[\w.]+(?:\((?:[^()]|\([^()]*\))*\))?\s*|#?\[[^\[\]]*\]\s*)+")
_ARGUMENTS = re.compile(r"<[^<>]*>")
_WORD = re.compile(r"\w")
_OPERATOR = re.compile(r"\boperator\b(?!\s*\w)")
_MACRO_TEST = re.compile(r"(?:[A-Z]+_)*TEST(?:_[A-Z]+)*\((\w+), ?(\w+)\)")
"""A test that a macro defines, as GoogleTest has them: its name are the macro's arguments."""


class Named(Struct):
    """A definition with its place among the others. `symbol` is None for what only encloses."""

    definition: Definition
    qualname: str
    symbol: Symbol | None
    local: bool


def name_definitions(reading: SyntaxReading, rule: Public) -> list[Named]:
    """Every definition with qualified name and symbol, in the order of the text."""
    named: list[Named] = []
    stack: list[Named] = []
    for definition in reading.definitions[:MAX_SYMBOLS]:
        if definition.name in {"", "_"}:
            continue
        while stack and stack[-1].definition.end <= definition.start:
            stack.pop()
        above = stack[-1] if stack else None
        one = _name(reading, definition, above, rule)
        named.append(one)
        stack.append(one)
    return named


def _name(reading: SyntaxReading, definition: Definition, above: Named | None, rule: Public) -> Named:
    name = _dotted(definition.name)
    owner, _, own = name.rpartition(".") if _WORD.search(name) else ("", "", name)
    if definition.owner:
        owner = _dotted(definition.owner)
    if definition.kind in (None, SymbolKind.MODULE):
        instance = f"{definition.owner} {' '.join(definition.name.split())}"  # `Show (Shop a)`
        owner, own = "", instance if definition.owner else name
    prefix = above.qualname if above else ""
    qualname = ".".join(part for part in (prefix, owner, own) if part)
    local = above is not None and (above.local or _kind_of(above) in _CALLABLE)
    if definition.kind is None:
        qualname = prefix if name == "self" else qualname
        return Named(definition, qualname, None, local)
    kind = definition.kind
    if kind is SymbolKind.FUNCTION and not local and (owner or (above and _is_type(above))):
        kind = SymbolKind.METHOD
    signature = _signature(reading, definition, kind)
    if test := _MACRO_TEST.fullmatch(signature):
        qualname = qualname.removesuffix(own) + (own := f"{test[1]}.{test[2]}")
    line = reading.line(definition.name_start)
    symbol = Symbol(
        name=own,
        qualname=qualname,
        kind=kind,
        line=line,
        end_line=max(line, reading.line(max(definition.start, definition.end - 1))),
        signature=signature,
        public=not local and _is_public(reading, definition, own, signature, rule, above),
    )
    return Named(definition, qualname, symbol, local)


def _dotted(name: str) -> str:
    if name.isidentifier() or not _WORD.search(name):
        return name
    text = re.sub(r"\[[^\[\]]*\]|[\s*&()]", "", _without_arguments(name))
    return re.sub(r"::?|\\", ".", text).replace("#", "").strip(".'\"`" if name.startswith("'") else '."`') or name


def _without_arguments(name: str) -> str:
    """A name without the arguments of templates, however deep; those of an operator's own sign stay."""
    sign = _OPERATOR.search(name)
    text, rest = (name[: sign.start()], name[sign.start() :]) if sign else (name, "")
    while (shorter := _ARGUMENTS.sub("", text)) != text:
        text = shorter
    return text + rest


def _kind_of(named: Named) -> SymbolKind | None:
    return named.symbol.kind if named.symbol else None


def _is_type(named: Named) -> bool:
    return named.symbol is None or named.symbol.kind in _TYPES


def _signature(reading: SyntaxReading, definition: Definition, kind: SymbolKind) -> str:
    """The head on one line, without annotations and opening brackets."""
    start, end = definition.head
    limit = MAX_CONSTANT_CHARS if kind is SymbolKind.CONSTANT else MAX_SIGNATURE_CHARS
    text = " ".join(_without_comments(reading, start, min(end, start + 4 * limit)).split())
    if text.startswith(("@", "[", "#[")):
        text = _ANNOTATIONS.sub("", text) or text
    if kind is SymbolKind.CONSTANT:
        return _cut(text.rstrip(";, \\"), limit)
    if kind in _BRACED:
        text = text.split(" {", 1)[0]
    text = _TRAILING.sub("", text).replace("( ", "(").replace(", )", ")").replace(" )", ")")
    if definition.name not in text:
        text = f"{text} {definition.name}"
    return _cut(text, limit)


def _without_comments(reading: SyntaxReading, start: int, end: int) -> str:
    at = bisect_left(reading.comments, (start, 0))
    if at == len(reading.comments) or reading.comments[at][0] >= end:
        return reading.text(start, end)
    pieces: list[str] = []
    while at < len(reading.comments) and reading.comments[at][0] < end:
        pieces.append(reading.text(start, reading.comments[at][0]))
        start = reading.comments[at][1]
        at += 1
    pieces.append(reading.text(min(start, end), end))
    return " ".join(pieces)


def _is_public(
    reading: SyntaxReading, definition: Definition, name: str, signature: str, rule: Public, above: Named | None
) -> bool:
    """Whether the definition is meant for others, by the language's rule and that of what encloses it."""
    if definition.kind is SymbolKind.MODULE and rule is not Public.PUB_WORD:
        return True
    if above and above.symbol and above.symbol.kind in _TYPES and not above.symbol.public:
        return False
    head = signature.split("(", 1)[0]
    in_interface = above is not None and _kind_of(above) is SymbolKind.INTERFACE
    match rule:
        case Public.NO_UNDERSCORE:
            said = not name.startswith("_") or (name.startswith("__") and name.endswith("__"))
        case Public.CAPITAL:
            said = name[:1].isupper()
        case Public.PUB_WORD:
            shared = in_interface or _implements_trait(reading, above)
            said = shared or head.startswith("pub") or "macro" in head
        case Public.PUBLIC_WORD:
            said = in_interface or "public" in head.split()
        case Public.NOT_PRIVATE:
            said = not (_HIDING.search(head) or _after_private(reading, definition, above))
        case Public.NOT_STATIC:
            said = "static" not in head.split() or (above is not None and _is_type(above))
        case Public.EXPORTED:
            said = _is_exported(reading, definition, name, head, above)
    return said


def _implements_trait(reading: SyntaxReading, above: Named | None) -> bool:
    """Rust: what `impl Trait for Type` holds is as public as the trait."""
    if above is None or above.symbol is not None:
        return False
    return " for " in reading.text(above.definition.start, above.definition.name_start)


def _after_private(reading: SyntaxReading, definition: Definition, above: Named | None) -> bool:
    """Ruby: after a bare `private` in the same body, or behind one on the same line."""
    if _HIDING.search(reading.prefix(definition.start).decode("utf-8", "replace")):
        return True
    opened = above.definition.start if above else 0
    closed = above.definition.end if above else len(reading.data)
    return any(opened < start < definition.start < closed for start in reading.private_from)


def _is_exported(reading: SyntaxReading, definition: Definition, name: str, head: str, above: Named | None) -> bool:
    if above is not None and above.symbol is not None:
        return not (definition.name.startswith(("_", "#")) or _HIDING.search(head))
    if not reading.exported and not reading.exports:
        return not name.startswith("_")
    if name in reading.exports:
        return True
    return any(start <= definition.start < end for start, end in reading.exported)


def _cut(text: str, limit: int) -> str:
    """The text cut at a word with an ellipsis, at most `limit` characters."""
    if len(text) <= limit:
        return text
    cut = text[: limit - 1]
    space = cut.rfind(" ")
    return (cut[:space] if space > limit // 2 else cut).rstrip() + "…"
