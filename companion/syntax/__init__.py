"""Source text to symbols, references, imports and shapes; the only room that knows tree-sitter."""

from companion.syntax.forms import outline, skeleton
from companion.syntax.languages import language_of
from companion.syntax.parsing import parse
from companion.syntax.pool import parse_many
from companion.syntax.roles import role_of

__all__ = ["language_of", "outline", "parse", "parse_many", "role_of", "skeleton"]
