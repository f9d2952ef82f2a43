"""Source text to symbols, references, imports and shapes; the only room that knows tree-sitter.

A file is read once: its language's query is run over its tree (`reading`), and everything after that
works on names and positions, never on trees. So a language is one file, `queries/<name>.scm`, and one
row in `languages.LANGUAGES`. A query speaks with these captures:

- definitions: `@function @method @class @interface @enum @type @constant @module @macro` on the whole,
  or on its first and last part, `@name` on its name, `@body` where the signature ends (or `@to` on its
  last part); `@owner` on a type that the definition names itself, `@owner.var` where what stands there
  is called otherwise; `@within` on what encloses names without being a symbol;
- `@comment` on comments, which no signature shows;
- visibility: `@exported` on export statements, `@exports` on exported names, `@private` where what
  follows is private;
- references: `@call @inherit @decorate` on the name, `@via` on what it is reached through (the first of
  several up to the last), `@with` on arguments;
- imports: `@import` on the statement, `@module`, `@imported` on names, `@alias`, `@relative` if the
  module lies beside the file;
- shapes: `@route @block`, with `@with @via @verb @path @handler`.

A first line `; inherits: a b` puts other queries before it. Captures that begin with `_` are only for
predicates. How an import is resolved can be said in `resolve.RESOLVERS`; without a line there the
ends of paths decide. Families of shapes are a tuple in `shapes`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.records.lazily import lazily

if TYPE_CHECKING:
    from companion.syntax.alone import *
    from companion.syntax.definitions import *
    from companion.syntax.forms import *
    from companion.syntax.languages import *
    from companion.syntax.linking import *
    from companion.syntax.pool import *
    from companion.syntax.relinking import *

_NAMES = {
    "alone": "parse",
    "definitions": "Definitions",
    "forms": "outline",
    "languages": "LANGUAGES is_code language_of made_of role_by_name",
    "linking": "link",
    "pool": "parse_many",
    "relinking": "Ripple ripple tests_named_after",
}
"""The names of each module; what a path is for can be told without a parser."""

if not TYPE_CHECKING:
    __getattr__ = lazily(__name__, _NAMES)
