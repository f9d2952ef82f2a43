"""The file tree itself: source layout, and the package manager whose lock file lies there.

Derived from paths alone, all of them each time: lock files are too large to read and say no more.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from companion.kinds import subjects as s
from companion.kinds.facts.statement import INFERRED, DeclaredStatement
from companion.kinds.languages import SPOKEN

ORIGIN = "file tree"
"""The origin of what paths say."""

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


def told(paths: Sequence[str], default_branch: str = "") -> Iterator[tuple[str, DeclaredStatement]]:
    """What the tree says, each with the path that shows it, and which branch the remote takes for the default."""
    yield from _managers(paths)
    yield from _source_layout(paths)
    yield from _branch(default_branch)


def _managers(paths: Sequence[str]) -> Iterator[tuple[str, DeclaredStatement]]:
    at_root = {path for path in paths if "/" not in path}
    for name, manager, language in LOCKS:
        if name in at_root:
            says = (
                f"{SPOKEN.get(language, language.title())} dependencies are managed with {manager} (there is a {name})."
            )
            yield (
                name,
                DeclaredStatement(
                    s.PROJECT,
                    "package_manager",
                    manager,
                    says,
                    1,
                    convention=True,
                    language=language,
                    confidence=INFERRED,
                ),
            )


def _branch(name: str) -> Iterator[tuple[str, DeclaredStatement]]:
    short = name.removeprefix("refs/remotes/").removeprefix("origin/").removeprefix("refs/heads/")
    if short:
        says = f"The default branch is `{short}`."
        yield "", DeclaredStatement(s.PROJECT, s.DEFAULT_BRANCH, short, says, 1, confidence=INFERRED)


def _source_layout(paths: Sequence[str]) -> Iterator[tuple[str, DeclaredStatement]]:
    """Python packages under src/, or at the root."""
    initials = [path for path in paths if path.endswith("/__init__.py")]
    under_src = next((p for p in sorted(initials) if p.startswith("src/") and p.count("/") == 2), "")
    at_root = next((p for p in sorted(initials) if p.count("/") == 1 and p.split("/")[0] not in _NOT_PACKAGES), "")
    if under_src:
        says = "The Python package is under src/ (src layout)."
        yield under_src, _layout(s.TRUE, says)
    elif at_root:
        says = f"The Python package `{at_root.split('/')[0]}` is at the root, not under src/."
        yield at_root, _layout(s.FALSE, says)


def _layout(value: str, says: str) -> DeclaredStatement:
    return DeclaredStatement(
        s.LAYOUT, s.SRC_LAYOUT, value, says, 1, convention=True, language="python", confidence=INFERRED, scope_path=""
    )
