"""Habits that the paths alone show: where tests lie, how they are called, how files are named."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import PurePosixPath

from companion.kinds import subjects as s
from companion.kinds.habits.habit import AGREED, Habit, language_of, shares, voted
from companion.kinds.paths import quiet_path, test_path

_NAMED_FREELY = frozenset({"javascript", "typescript", "c", "cpp", "php", "bash"})
"""Languages in which file names follow taste."""
_TESTED_INSIDE = frozenset({"rust"})
"""Languages whose tests stand in the files of source too, so that folders do not tell where they lie."""
_TEST_FOLDERS = frozenset({"tests", "test", "testing", "spec", "specs", "__tests__", "e2e", "unit", "integration"})
_TEST_STEMS = (
    ("test_*.py", re.compile(r"(?:^|/)test_[^/]+\.py$")),
    ("*_test.py", re.compile(r"(?:^|/)[^/]+_test\.py$")),
    ("*.test.*", re.compile(r"\.test\.[cm]?[jt]sx?$")),
    ("*.spec.*", re.compile(r"\.spec\.[cm]?[jt]sx?$")),
    ("*_test.rb", re.compile(r"_test\.rb$")),
    ("*_spec.rb", re.compile(r"_spec\.rb$")),
    ("*Test.java", re.compile(r"Tests?\.java$")),
    ("*Test.php", re.compile(r"Test\.php$")),
)
_NAMED_TEST = re.compile(r"(?:^|/)(?:test_[^/]*|[^/]*(?:_test|_spec|\.test|\.spec|Tests?))\.\w+$")
"""A test by its own name: what lies beside the source and is none (a benchmark, a playground) has no say."""
_CASES = (
    ("kebab-case", re.compile(r"(?:^|\.)[a-z0-9]+(?:-[a-z0-9]+)+(?:\.|$)")),
    ("snake_case", re.compile(r"(?:^|\.)_*[a-z0-9]+(?:_[a-z0-9]+)+(?:\.|$)")),
    ("PascalCase", re.compile(r"(?:^|\.)(?:[A-Z][a-z0-9]+)+(?:\.|$)")),
    ("camelCase", re.compile(r"(?:^|\.)[a-z0-9]+(?:[A-Z][a-z0-9]*)+(?:\.|$)")),
)


def path_habits(paths: Iterable[str]) -> Iterator[Habit]:
    """Where tests lie, how they are called, and how files are named."""
    code = [path for path in sorted(paths) if language_of(path) and not quiet_path(path)]
    tests = [path for path in code if test_path(path) and language_of(path) not in _TESTED_INSIDE]
    homes = {path: home for path in tests if (home := _test_home(path)) or _NAMED_TEST.search(path)}
    yield from voted(homes, s.TEST_DIR, _only_language(tests), {"": "Tests are in {value}."}, subject=s.TESTS)
    named = {path: name for path in code if (name := _form(_TEST_STEMS, path))}
    for language, votes in _by_language(named):
        yield from voted(votes, s.TEST_NAMING, language, {"": "Test files are called {value}."}, subject=s.TESTS)
    free = [path for path in code if language_of(path) in _NAMED_FREELY and path not in named]
    cased = {path: case for path in free if (case := _form(_CASES, PurePosixPath(path).stem))}
    for language, votes in _by_language(cased):
        yield from voted(votes, s.FILE_NAMING, language, {"": "{name} files are named in {value}."})


def _by_language(votes: Mapping[str, str]) -> Iterator[tuple[str, Mapping[str, str]]]:
    """The votes of each language's paths."""
    for language in sorted(set(map(language_of, votes))):
        yield language, {path: vote for path, vote in votes.items() if language_of(path) == language}


def _form(forms: Sequence[tuple[str, re.Pattern[str]]], text: str) -> str:
    """The name of the first form that a text has; empty where it has none."""
    return next((name for name, form in forms if form.search(text)), "")


def _only_language(paths: Sequence[str]) -> str:
    """The language that nearly all paths are of, else none."""
    value, share, _ = shares(Counter(language_of(path) for path in paths))
    return value if share >= AGREED else ""


def _test_home(path: str) -> str:
    """The outermost test folder of a path with a slash, empty where it lies beside the source."""
    parts = PurePosixPath(path).parts[:-1]
    for i, part in enumerate(parts):
        if part.lower() in _TEST_FOLDERS:
            return "/".join(parts[: i + 1]) + "/"
    return ""
