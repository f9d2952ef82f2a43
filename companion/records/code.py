"""Source code as understood: symbols, references, imports, recurring shapes, and links of files."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum

from msgspec import Struct, field


class FileRole(StrEnum):
    """What a file is for."""

    SOURCE = "source"
    TEST = "test"
    DOC = "doc"
    CONFIG = "config"
    OTHER = "other"


class SymbolKind(StrEnum):
    """What a definition defines."""

    FUNCTION = "function"
    METHOD = "method"
    CLASS = "class"
    INTERFACE = "interface"
    ENUM = "enum"
    TYPE = "type"
    CONSTANT = "constant"
    MODULE = "module"
    MACRO = "macro"


class ReferenceKind(StrEnum):
    """How a name is used."""

    CALL = "call"
    INHERIT = "inherit"
    DECORATE = "decorate"


class LinkKind(StrEnum):
    """How one file depends on another."""

    IMPORT = "import"
    CALL = "call"
    INHERIT = "inherit"
    TEST = "test"
    """The source is a test of the target."""


class ShapeFamily(StrEnum):
    """The families of recurring code structure that patterns are made of."""

    ENDPOINT = "endpoint"
    TEST = "test"
    NAMING = "naming"
    CLASS_FAMILY = "class family"


class Symbol(Struct, frozen=True):
    """A definition. Lines are 1-based, the end included.

    `qualname` joins enclosing names with dots; `signature` is the head of the definition on one line.
    """

    name: str
    qualname: str
    kind: SymbolKind
    line: int
    end_line: int
    signature: str
    public: bool = True


class Reference(Struct, frozen=True):
    """A use of a name, and the qualified name of the definition it stands in.

    `qualifier` is what the name is reached through as written (`app` in `app.get()`, `…` for an
    expression); a name that was imported under another one stands here under its own.
    """

    name: str
    kind: ReferenceKind
    line: int
    inside: str = ""
    qualifier: str = ""


class Import(Struct, frozen=True):
    """An import as written; `names` are what it brings in, empty for the module as a whole."""

    module: str
    line: int
    names: tuple[str, ...] = ()


class Shape(Struct, frozen=True):
    """One place where a structure of some family stands.

    `key` is what places are grouped by (`pytest.fixture`, `raise HTTPException`, …); `slots` are
    the parts that vary or matter to a template.
    """

    family: ShapeFamily
    key: str
    line: int
    symbol: str = ""
    slots: Mapping[str, str] = field(default_factory=dict)


class ParsedFile(Struct, frozen=True):
    """All that was read from one file, broken syntax included."""

    path: str
    language: str
    role: FileRole
    content_hash: str
    size_bytes: int
    lines: int
    symbols: tuple[Symbol, ...] = ()
    references: tuple[Reference, ...] = ()
    imports: tuple[Import, ...] = ()
    shapes: tuple[Shape, ...] = ()


class Link(Struct, frozen=True):
    """A file that depends on another of the same project; `weight` counts the uses."""

    source: str
    target: str
    kind: LinkKind
    weight: float = 1.0
    names: tuple[str, ...] = ()


class CodeForms(Struct, frozen=True):
    """A file as it is named: `outline` gives the names it defines on a line or two, with its exact tokens.

    `symbols` are without signature: passages show it.
    """

    path: str
    language: str
    role: FileRole
    content_hash: str
    lines: int
    outline: str
    outline_tokens: int
    symbols: tuple[Symbol, ...] = ()
