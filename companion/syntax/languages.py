"""The table of languages, and which language a path is written in.

A row with a grammar is parsed; the others only give files a name for their language. The grammar's
query is `queries/<name>.scm`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection
from enum import Enum
from functools import cache, lru_cache
from importlib import import_module
from importlib.resources import files
from pathlib import PurePosixPath
from typing import TYPE_CHECKING

from msgspec import Struct

from companion.records import FileRole
from companion.records.roles import role_of
from companion.syntax.words import words

if TYPE_CHECKING:
    from tree_sitter import Language, Query


class Public(Enum):
    """How a language says that a definition is meant for others."""

    NO_UNDERSCORE = "no leading underscore"
    CAPITAL = "a capital first letter"
    PUB_WORD = "the word pub"
    PUBLIC_WORD = "the word public"
    NOT_PRIVATE = "no private or protected"
    EXPORTED = "an export"
    NOT_STATIC = "no static"


class Preprocessed(Enum):
    """What a preprocessor takes away before a grammar can read the text."""

    NOTHING = "nothing"
    MACROS = "macros"
    DIRECTIVES = "lines that begin with #, and what their conditions leave out"


class _Row(Struct, frozen=True):
    """One parsed language: where its grammar is and which files it claims.

    `package` is the import name of the grammar wheel and `factory` its function; `interpreters` are
    the programs of a shebang line; `comment` begins a comment up to the end of the line; `equations`:
    neighbours that define one name define one thing.
    """

    name: str
    package: str
    extensions: str
    public: Public
    factory: str = "language"
    interpreters: str = ""
    comment: str = "//"
    preprocessed: Preprocessed = Preprocessed.NOTHING
    equations: bool = False


PATHS_KEPT = 65_536
"""Paths whose role is kept within a process, those of a large project's past: each is asked for several times."""

LANGUAGES = (
    _Row("python", "tree_sitter_python", ".py .pyi .pyw", Public.NO_UNDERSCORE, interpreters="python", comment="#"),
    _Row("typescript", "tree_sitter_typescript", ".ts .mts .cts", Public.EXPORTED, "language_typescript"),
    _Row("tsx", "tree_sitter_typescript", ".tsx", Public.EXPORTED, "language_tsx"),
    _Row("javascript", "tree_sitter_javascript", ".js .jsx .mjs .cjs", Public.EXPORTED, interpreters="node"),
    _Row("go", "tree_sitter_go", ".go", Public.CAPITAL),
    _Row("rust", "tree_sitter_rust", ".rs", Public.PUB_WORD),
    _Row("java", "tree_sitter_java", ".java", Public.PUBLIC_WORD),
    _Row("c", "tree_sitter_c", ".c .h", Public.NOT_STATIC, preprocessed=Preprocessed.MACROS),
    _Row(
        "cpp",
        "tree_sitter_cpp",
        ".cc .cpp .cxx .hh .hpp .hxx .ipp .inl",
        Public.NOT_STATIC,
        preprocessed=Preprocessed.MACROS,
    ),
    _Row("csharp", "tree_sitter_c_sharp", ".cs", Public.PUBLIC_WORD, preprocessed=Preprocessed.DIRECTIVES),
    _Row("ruby", "tree_sitter_ruby", ".rb .rake .gemspec .ru", Public.NOT_PRIVATE, interpreters="ruby", comment="#"),
    _Row("php", "tree_sitter_php", ".php .phtml", Public.NOT_PRIVATE, "language_php", interpreters="php"),
    _Row("bash", "tree_sitter_bash", ".sh .bash .bats", Public.NO_UNDERSCORE, "language", "bash sh dash zsh ksh", "#"),
    _Row("kotlin", "tree_sitter_kotlin", ".kt .kts", Public.NOT_PRIVATE),
    _Row("lua", "tree_sitter_lua", ".lua", Public.NO_UNDERSCORE, interpreters="lua luajit", comment="--"),
    _Row("scala", "tree_sitter_scala", ".scala .sc", Public.NOT_PRIVATE),
    _Row("elixir", "tree_sitter_elixir", ".ex .exs", Public.NOT_PRIVATE, interpreters="elixir", comment="#"),
    _Row("swift", "tree_sitter_swift", ".swift", Public.NOT_PRIVATE, interpreters="swift"),
    _Row("dart", "tree_sitter_dart", ".dart", Public.NO_UNDERSCORE),
    _Row(
        "haskell", "tree_sitter_haskell", ".hs", Public.EXPORTED, "language", "runghc runhaskell", "--", equations=True
    ),
    _Row("terraform", "tree_sitter_hcl", ".tf .tofu", Public.NO_UNDERSCORE, comment="#"),
)

# Files that are not parsed still have a language: it decides their role and how they are shown.
_UNPARSED = {
    "markdown": ".md .markdown .mdx .mdown",
    "restructuredtext": ".rst",
    "asciidoc": ".adoc .asciidoc",
    "text": ".txt",
    "toml": ".toml",
    "yaml": ".yaml .yml",
    "json": ".json .jsonc .json5 .jsonl .geojson .webmanifest",
    "xml": ".xml .xsd .xsl .csproj .fsproj .props .targets .plist .svg",
    "ini": ".ini .cfg .conf .properties .editorconfig",
    "sql": ".sql",
    "html": ".html .htm .xhtml",
    "template": ".jinja .jinja2 .j2 .erb .haml .slim .hbs .mustache .ejs .twig .liquid .pug",
    "vue": ".vue",
    "svelte": ".svelte",
    "css": ".css",
    "scss": ".scss .sass",
    "less": ".less",
    "graphql": ".graphql .gql",
    "protobuf": ".proto",
    "hcl": ".hcl .tfvars",
    "erlang": ".erl .hrl",
    "literate haskell": ".lhs",
    "ocaml": ".ml .mli",
    "fsharp": ".fs .fsx .fsi",
    "clojure": ".clj .cljs .cljc .edn",
    "perl": ".pl .pm .t",
    "r": ".r .rmd",
    "julia": ".jl",
    "zig": ".zig",
    "nim": ".nim",
    "objective-c": ".m .mm",
    "groovy": ".groovy .gradle",
    "powershell": ".ps1 .psm1",
    "batch": ".bat .cmd",
    "fish": ".fish",
    "vim": ".vim",
    "lisp": ".lisp .el .scm .rkt",
    "assembly": ".s .asm",
    "cython": ".pyx .pxd",
    "notebook": ".ipynb",
    "cmake": ".cmake",
    "make": ".mk .mak",
    "nix": ".nix",
    "bazel": ".bzl .bazel",
    "latex": ".tex",
    "jq": ".jq",
    "yacc": ".y .l",
    "man": ".1 .3 .5 .7 .8",
}

_WHOLE_NAMES = {
    "make": "makefile gnumakefile justfile",
    "dockerfile": "dockerfile containerfile",
    "cmake": "cmakelists.txt",
    "ruby": "rakefile gemfile guardfile vagrantfile podfile fastfile brewfile",
    "groovy": "jenkinsfile",
    "yaml": "procfile yarn.lock",
    "bazel": "build workspace",
    "gomod": "go.mod go.sum",
    "toml": "pipfile poetry.lock uv.lock cargo.lock",
    "json": "pipfile.lock composer.lock",
    "text": "codeowners license readme authors changelog",
    "ignore": ".gitignore .dockerignore .gitattributes",
    "ini": ".npmrc",
    "bash": ".bashrc .profile .zshrc",
}
"""Files that their whole name tells, in lower case."""

_NOT_CODE = words(
    """
    markdown restructuredtext asciidoc text toml yaml json xml ini html css scss less dockerfile make cmake
    gomod ignore latex man batch bazel nix hcl
    """
)

_NAMES = {name: language for language, names in _WHOLE_NAMES.items() for name in names.split()}
_ROWS = {row.name: row for row in LANGUAGES}
_EXTENSIONS = {ext: name for name, exts in _UNPARSED.items() for ext in exts.split()} | {
    ext: row.name for row in LANGUAGES for ext in row.extensions.split()
}
_INTERPRETERS = {program: row.name for row in LANGUAGES for program in row.interpreters.split()}
_SHEBANG = re.compile(r"^#!\s*(?:\S*/)?(?:env\s+(?:-\S+\s+)*(?:\S*/)?)?([A-Za-z]+)")


def language_of(path: str, first_line: str = "") -> str:
    """The language a file is written in, `''` if unknown.

    The file's name decides, then its extension, then the shebang in `first_line`.
    """
    name = PurePosixPath(path).name.lower()
    if known := _NAMES.get(name):
        return known
    stem, dot, extension = name.rpartition(".")
    if dot and stem and (known := _EXTENSIONS.get(f".{extension}")):
        return known
    if name.startswith(("dockerfile.", "makefile.", "containerfile.")) or extension == "dockerfile":
        return "make" if name.startswith("makefile") else "dockerfile"
    found = _SHEBANG.match(first_line)
    return _INTERPRETERS.get(found[1].lower(), "") if found else ""


def is_code(path: str) -> bool:
    """Whether a path is source code by its name, tests included: neither prose, data nor settings."""
    return is_code_language(language_of(path))


SOURCE_SHARE = 0.1
"""Share of the files below which code is not what a project is made of: its pages, charts or playbooks count alike."""


def made_of(paths: Collection[str]) -> Callable[[str], bool]:
    """Which files are worked on in a project of these paths: code, or where that is rare all that have a language."""
    told = [path for path in paths if language_of(path)]
    return is_code if sum(map(is_code, told)) >= SOURCE_SHARE * len(told) else lambda path: bool(language_of(path))


def is_code_language(language: str) -> bool:
    """Whether programs are written in a language; it is none of prose, data or settings, and not empty."""
    return bool(language) and language not in _NOT_CODE


@lru_cache(maxsize=PATHS_KEPT)
def role_by_name(path: str) -> FileRole:
    """What a file is for, as its path alone tells; it may be long gone."""
    return role_of(path, language_of(path))


def row_of(language: str) -> _Row | None:
    """The table's row of a parsed language, None for the others."""
    return _ROWS.get(language)


def query_text(name: str) -> str:
    """A query file, with the files named by its `; inherits:` line before it."""
    text = (files(__package__) / "queries" / f"{name}.scm").read_text(encoding="utf-8")
    first = text.split("\n", 1)[0]
    if not first.startswith("; inherits:"):
        return text
    parents = first.removeprefix("; inherits:").replace(",", " ").split()
    return "\n".join([*(query_text(parent) for parent in parents), text])


@cache
def grammar_of(language: str) -> tuple[Language, Query]:
    """Grammar and compiled query of a language in the table; loaded once in each process."""
    from tree_sitter import Language, Query  # who asks for the name of a language alone needs no parser

    row = _ROWS[language]
    grammar = Language(getattr(import_module(row.package), row.factory)())
    return grammar, Query(grammar, query_text(row.name))
