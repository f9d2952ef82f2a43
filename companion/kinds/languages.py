"""Languages as facts and habits name them, by the suffixes of files, and as people write them."""

from __future__ import annotations

LANGUAGE_OF_SUFFIX = {
    "py": "python", "pyi": "python", "js": "javascript", "jsx": "javascript", "mjs": "javascript",
    "cjs": "javascript", "ts": "typescript", "tsx": "typescript", "mts": "typescript", "css": "css",
    "scss": "css", "sass": "css", "less": "css", "html": "html", "htm": "html", "yaml": "yaml", "yml": "yaml",
    "json": "json", "md": "markdown", "rst": "rst", "go": "go", "rs": "rust", "java": "java", "kt": "kotlin",
    "kts": "kotlin", "rb": "ruby", "php": "php", "c": "c", "h": "c", "cc": "cpp", "cpp": "cpp", "hpp": "cpp",
    "cs": "csharp", "sh": "bash", "bash": "bash", "toml": "toml", "xml": "xml", "vue": "vue", "svelte": "svelte",
    "swift": "swift", "dart": "dart", "scala": "scala", "lua": "lua", "sql": "sql", "ini": "ini", "cfg": "ini",
}  # fmt: skip
"""Languages by file suffix, named as the syntax room names them."""
SPOKEN = {
    "python": "Python", "javascript": "JavaScript", "typescript": "TypeScript", "java": "Java", "c": "C", "cpp": "C++",
    "csharp": "C#", "ruby": "Ruby", "php": "PHP", "bash": "Shell", "go": "Go", "rust": "Rust",
}  # fmt: skip
"""Languages as people write them."""
