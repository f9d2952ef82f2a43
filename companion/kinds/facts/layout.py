"""The file tree itself: source layout, and the package manager whose lock file lies there.

Derived from paths alone, all of them each time: lock files are too large to read and say no more.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from companion.kinds import subjects as s
from companion.kinds.languages import SPOKEN
from companion.records.declared import Declaration

LOCKS = (
    ("uv.lock", "uv", "python"),
    ("poetry.lock", "poetry", "python"),
    ("pdm.lock", "pdm", "python"),
    ("Pipfile.lock", "pipenv", "python"),
    ("pnpm-lock.yaml", "pnpm", "javascript"),
    ("yarn.lock", "yarn", "javascript"),
    ("bun.lock", "bun", "javascript"),
    ("bun.lockb", "bun", "javascript"),
    ("package-lock.json", "npm", "javascript"),
    ("Gemfile.lock", "bundler", "ruby"),
    ("mix.lock", "mix", "elixir"),
)
"""Lock files at the root, and the manager that writes each."""

_NOT_PACKAGES = frozenset({"tests", "test", "testing", "docs", "examples", "scripts", "benchmarks", "tools", "src"})


def told(paths: Sequence[str], default_branch: str = "") -> Iterator[Declaration]:
    """What the tree says, each with the path that shows it, and which branch the remote takes for the default."""
    at_root = {path for path in paths if "/" not in path}
    for name, manager, language in LOCKS:
        if name in at_root:
            of = SPOKEN.get(language, language.title())
            says = f"{of} dependencies are managed with {manager} (there is a {name})."
            yield Declaration(name, 0, "package manager", manager, says)
    yield from _source_layout(paths)
    if default_branch:
        yield Declaration("", 0, "default branch", default_branch, f"The default branch is `{default_branch}`.")


def _source_layout(paths: Sequence[str]) -> Iterator[Declaration]:
    """Python packages under src/, or at the root."""
    initials = [path for path in paths if path.endswith("/__init__.py")]
    under_src = next((p for p in sorted(initials) if p.startswith("src/") and p.count("/") == 2), "")
    at_root = next((p for p in sorted(initials) if p.count("/") == 1 and p.split("/")[0] not in _NOT_PACKAGES), "")
    if under_src:
        yield Declaration(under_src, 0, "src layout", s.TRUE, "The Python package is under src/ (src layout).")
    elif at_root:
        says = f"The Python package `{at_root.split('/')[0]}` is at the root, not under src/."
        yield Declaration(at_root, 0, "src layout", s.FALSE, says)
