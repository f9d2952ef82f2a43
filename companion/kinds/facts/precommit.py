"""A configuration of pre-commit as a tree: which hooks check every commit, and which of them tell something."""

from __future__ import annotations

import re

from companion.kinds.facts.located import Node, yaml
from companion.syntax.words import words

_HOUSEKEEPING = words(
    "trailing-whitespace end-of-file-fixer check-yaml check-toml check-json check-merge-conflict mixed-line-ending "
    "fix-byte-order-marker check-added-large-files check-case-conflict debug-statements check-ast check-xml "
    "check-executables-have-shebangs check-shebang-scripts-are-executable fix-encoding-pragma check-docstring-first "
    "pretty-format-json requirements-txt-fixer detect-private-key destroyed-symlinks check-symlinks "
    "check-builtin-literals name-tests-test file-contents-sorter forbid-submodules check-vcs-permalinks"
)
"""Hooks nearly everybody has and nobody needs to be told of."""

_TOOLS = {
    **{
        tool: tool
        for tool in words("black mypy pyright flake8 prettier eslint clang-format gofmt golangci-lint rubocop")
    },
    **{"ruff format": "ruff-format", "ruff check": "ruff-check", "cargo fmt": "rustfmt", "cargo clippy": "clippy"},
}
"""Commands of local hooks, and the hook that does the same."""
_TOOL = re.compile(rf"(?:^|[\s/])({'|'.join(sorted(_TOOLS))})(?:\s|$)")
_CODE_TYPES = re.compile(r"javascript|jsx?\b|typescript|tsx?\b|vue|svelte", re.IGNORECASE)


def hooks_of(text: str) -> Node | None:
    """`hooks`, each a table with its name as the key, and `telling`, the names of those that not everybody has.

    A local hook goes by the tool that its command runs, where that is known.
    """
    root = yaml(text)
    if root is None:
        return None
    named_hooks = [(_name(hook), hook) for hook in _under([root], "repos", "hooks")]
    hooks = [Node(name.line, {name.text: name}) for name, hook in named_hooks if not _is_narrowed(name.text, hook)]
    telling: dict[str, Node] = {}
    for name, _ in named_hooks:
        if name.text and name.text not in _HOUSEKEEPING:
            telling.setdefault(name.text, name)
    line = next(iter(telling.values()), root).line
    return Node(1, {"hooks": Node(1, hooks), "telling": Node(line, list(telling.values()))})


def _under(nodes: list[Node], *keys: str) -> list[Node]:
    for key in keys:
        nodes = [one for node in nodes if (below := node.at(key)) is not None for one in below.each()]
    return nodes


def _name(hook: Node) -> Node:
    name, entry = hook.at("id") or Node(1, ""), hook.at("entry")
    tool = _TOOL.search(entry.text) if entry is not None else None
    return Node(name.line, _TOOLS[tool[1]] if tool and name.text else name.text)


def _is_narrowed(name: str, hook: Node) -> bool:
    """Whether a formatter of several languages is kept to files of none that is code."""
    types = [kind.text for key in ("types_or", "types", "files") for kind in _under([hook], key)]
    return name == "prettier" and bool(types) and not _CODE_TYPES.search(" ".join(types))
