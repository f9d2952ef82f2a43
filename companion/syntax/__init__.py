"""Source text to symbols, references, imports and shapes; the only room that knows tree-sitter."""
