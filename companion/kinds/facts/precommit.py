""".pre-commit-config.yaml and commitlint: what every commit is checked by."""

from __future__ import annotations

import re
from pathlib import PurePosixPath

from companion.kinds import subjects as s
from companion.kinds.facts.located import Node, yaml
from companion.kinds.facts.places import named
from companion.kinds.facts.statement import Reader, Statement, Statements
from companion.records import FileSeen

_HOUSEKEEPING = named(
    "trailing-whitespace end-of-file-fixer check-yaml check-toml check-json check-merge-conflict mixed-line-ending "
    "fix-byte-order-marker check-added-large-files check-case-conflict debug-statements check-ast check-xml "
    "check-executables-have-shebangs check-shebang-scripts-are-executable fix-encoding-pragma check-docstring-first "
    "pretty-format-json requirements-txt-fixer detect-private-key destroyed-symlinks check-symlinks "
    "check-builtin-literals name-tests-test file-contents-sorter forbid-submodules check-vcs-permalinks"
)
"""Hooks nearly everybody has and nobody needs to be told of."""

_HOOKS: dict[str, tuple[str, str, str, str]] = {
    "ruff-format": ("python", s.FORMATTER, "ruff format", "Python code is formatted with `ruff format`."),
    "black": ("python", s.FORMATTER, "black", "Python code is formatted with `black`."),
    "black-jupyter": ("python", s.FORMATTER, "black", "Python code is formatted with `black`."),
    "yapf": ("python", s.FORMATTER, "yapf", "Python code is formatted with `yapf`."),
    "autopep8": ("python", s.FORMATTER, "autopep8", "Python code is formatted with `autopep8`."),
    "ruff": ("python", s.LINTER, "ruff", "Python code is linted with ruff."),
    "ruff-check": ("python", s.LINTER, "ruff", "Python code is linted with ruff."),
    "flake8": ("python", s.LINTER, "flake8", "Python code is linted with flake8."),
    "pylint": ("python", f"{s.LINTER} pylint", "pylint", "Python code is linted with pylint."),
    "mypy": ("python", "type_checker", "mypy", "Types are checked by mypy."),
    "pyright": ("python", "type_checker pyright", "pyright", "Types are checked by pyright."),
    "prettier": ("javascript", s.FORMATTER, "prettier", "JavaScript is formatted with prettier."),
    "biome-format": ("javascript", s.FORMATTER, "biome", "JavaScript is formatted with biome."),
    "biome-check": ("javascript", s.FORMATTER, "biome", "JavaScript is formatted with biome."),
    "eslint": ("javascript", s.LINTER, "eslint", "JavaScript is linted with eslint."),
    "clang-format": ("c", s.FORMATTER, "clang-format", "C code is formatted with clang-format."),
    "gofmt": ("go", s.FORMATTER, "gofmt", "Go code is formatted with gofmt."),
    "go-fmt": ("go", s.FORMATTER, "gofmt", "Go code is formatted with gofmt."),
    "golangci-lint": ("go", s.LINTER, "golangci-lint", "Go code is linted with golangci-lint."),
    "fmt": ("rust", s.FORMATTER, "rustfmt", "Rust code is formatted with rustfmt."),
    "rustfmt": ("rust", s.FORMATTER, "rustfmt", "Rust code is formatted with rustfmt."),
    "clippy": ("rust", s.LINTER, "clippy", "Rust code is linted with clippy."),
    "rubocop": ("ruby", s.LINTER, "rubocop", "Ruby code is linted with RuboCop."),
    "shellcheck": ("bash", s.LINTER, "shellcheck", "Shell scripts are linted with shellcheck."),
    "shfmt": ("bash", s.FORMATTER, "shfmt", "Shell scripts are formatted with shfmt."),
}
"""Hook, then language, attribute, value, sentence."""

_CONVENTIONAL = frozenset({"commitizen", "conventional-pre-commit", "commitlint", "gitlint-conventional"})


def read(file: FileSeen) -> Statements:
    """Facts of one file of commit checks."""
    if "commitlint" in PurePosixPath(file.path).name:
        if found := re.search(r"config-(conventional|angular)", file.text):
            yield _conventional(file.text[: found.start()].count("\n") + 1)
        return
    root = yaml(file.text)
    hooks: list[Node] = (
        [hook for repo in (root.at("repos") or Node(1, [])).items() for hook in _hooks(repo)] if root else []
    )
    narrowed = _narrowed(root) if root else frozenset()
    for hook in hooks:
        if hook.text in _HOOKS and (hook.text, hook.line) not in narrowed:
            language, attribute, value, says = _HOOKS[hook.text]
            yield Statement(s.CODE_STYLE, attribute, value, says, hook.line, convention=True, language=language)
        if hook.text in _CONVENTIONAL:
            yield _conventional(hook.line)
    telling = list(dict.fromkeys(hook.text for hook in hooks if hook.text not in _HOUSEKEEPING))
    if telling:
        listed = ", ".join(telling)
        line = next(hook.line for hook in hooks if hook.text == telling[0])
        yield Statement(
            s.CODE_STYLE,
            "pre_commit_hooks",
            listed,
            f"pre-commit checks every commit with {listed}.",
            line,
            convention=True,
        )


_CODE_TYPES = re.compile(r"javascript|jsx?\b|typescript|tsx?\b|vue|svelte", re.IGNORECASE)


def _narrowed(root: Node) -> frozenset[tuple[str, int]]:
    """Formatters of several languages that are kept to files of none that is code, as (hook, line)."""
    found = set()
    for repo in (root.at("repos") or Node(1, [])).items():
        for hook in (repo.at("hooks") or Node(1, [])).items():
            name = hook.at("id")
            types = [t for key in ("types_or", "types", "files") for t in (hook.at(key) or Node(1, [])).texts()]
            if name is not None and name.text == "prettier" and types and not _CODE_TYPES.search(" ".join(types)):
                found.add((name.text, name.line))
    return frozenset(found)


def _hooks(repo: Node) -> list[Node]:
    """The names of a repository's hooks; a local hook goes by the tool its command runs, where it is known."""
    found = []
    for hook in (repo.at("hooks") or Node(1, [])).items():
        name, entry = hook.at("id"), hook.at("entry")
        if name is None or not name.text:
            continue
        tool = next((t for pattern, t in _ENTRIES if entry is not None and pattern.search(entry.text)), "")
        found.append(Node(name.line, tool or name.text))
    return found


_ENTRIES = tuple(
    (re.compile(rf"(?:^|[\s/]){pattern}(?:\s|$)"), hook)
    for pattern, hook in (
        ("ruff format", "ruff-format"),
        ("ruff check", "ruff-check"),
        ("black", "black"),
        ("mypy", "mypy"),
        ("pyright", "pyright"),
        ("flake8", "flake8"),
        ("prettier", "prettier"),
        ("eslint", "eslint"),
        ("clang-format", "clang-format"),
        ("cargo fmt", "rustfmt"),
        ("cargo clippy", "clippy"),
        ("gofmt", "gofmt"),
        ("golangci-lint", "golangci-lint"),
        ("rubocop", "rubocop"),
    )
)
"""Commands of local hooks, and the hook that does the same."""


def _conventional(line: int) -> Statement:
    says = "Commit messages follow Conventional Commits (checked on commit)."
    return Statement(s.COMMITS, s.CONVENTIONAL_COMMITS, s.TRUE, says, line, convention=True)


READER = Reader(
    "commit checks",
    (".pre-commit-config.yaml", ".pre-commit-config.yml", "commitlint.config.*", ".commitlintrc*"),
    read,
)
