"""Source text to symbols, references, imports and shapes; the only room that knows tree-sitter."""

from companion.syntax.definitions import Definitions
from companion.syntax.forms import outline, skeleton
from companion.syntax.languages import is_code, language_of
from companion.syntax.linking import link
from companion.syntax.parsing import parse
from companion.syntax.pool import parse_many
from companion.syntax.roles import role_of

__all__ = ["Definitions", "is_code", "language_of", "link", "outline", "parse", "parse_many", "role_of", "skeleton"]
