"""Habits that the paths alone show: where tests lie, how they are called, how files are named."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from pathlib import PurePosixPath

from companion.kinds import subjects as s
from companion.kinds.habits.habit import AGREED, LEAST_FILES, SPOKEN, Habit, language_of
from companion.kinds.habits.of_history import shares
from companion.kinds.paths import quiet_path, test_path

_NAMED_FREELY = frozenset({"javascript", "typescript", "c", "cpp", "php", "bash"})
"""Languages in which file names follow taste."""
_TESTED_INSIDE = frozenset({"rust"})
"""Languages whose tests stand in the files of source too, so that folders do not tell where they lie."""
_TEST_FOLDERS = frozenset({"tests", "test", "testing", "spec", "specs", "__tests__", "e2e", "unit", "integration"})
_TEST_STEMS = (
    ("test_*.py", re.compile(r"(?:^|/)test_[^/]+\.py$")),
    ("*_test.py", re.compile(r"(?:^|/)[^/]+_test\.py$")),
    ("*.test.ts", re.compile(r"\.test\.tsx?$")),
    ("*.spec.ts", re.compile(r"\.spec\.tsx?$")),
    ("*.test.js", re.compile(r"\.test\.[cm]?jsx?$")),
    ("*.spec.js", re.compile(r"\.spec\.[cm]?jsx?$")),
    ("*_test.rb", re.compile(r"_test\.rb$")),
    ("*_spec.rb", re.compile(r"_spec\.rb$")),
    ("*Test.java", re.compile(r"Tests?\.java$")),
    ("*Test.php", re.compile(r"Test\.php$")),
)
_NAMED_TEST = re.compile(r"(?:^|/)(?:test_[^/]*|[^/]*(?:_test|_spec|\.test|\.spec|Tests?))\.\w+$")
"""A test by its own name: what lies beside the source and is none (a benchmark, a playground) has no say."""
_CASES = (
    ("kebab-case", re.compile(r"^[a-z0-9]+(?:-[a-z0-9]+)+$")),
    ("snake_case", re.compile(r"^_*[a-z0-9]+(?:_[a-z0-9]+)+$")),
    ("PascalCase", re.compile(r"^(?:[A-Z][a-z0-9]+){2,}$")),
    ("camelCase", re.compile(r"^[a-z0-9]+(?:[A-Z][a-z0-9]*)+$")),
)


def path_habits(paths: Iterable[str]) -> Iterator[Habit]:
    """Where tests lie, how they are called, and how files are named."""
    code = [path for path in sorted(paths) if language_of(path) and not quiet_path(path)]
    named = [path for path in code if any(stem.search(path) for _, stem in _TEST_STEMS)]
    yield from _test_folder([path for path in code if test_path(path) and language_of(path) not in _TESTED_INSIDE])
    yield from _test_names(named)
    by_language: dict[str, list[str]] = defaultdict(list)
    for path in code:
        if language_of(path) in _NAMED_FREELY and path not in set(named):
            by_language[language_of(path)].append(path)
    for language, group in sorted(by_language.items()):
        yield from _file_names(language, group)


def _test_folder(tests: Sequence[str]) -> Iterator[Habit]:
    """The top folder that nearly all tests lie in; none where many lie beside the source."""
    homes = Counter(home for path in tests if (home := _test_home(path)) or _NAMED_TEST.search(path))
    value, share, n = shares(homes)
    if value and n >= LEAST_FILES and share >= AGREED:
        says = f"Tests lie in {value}."
        examples = tuple(path for path in tests if path.startswith(value))[:2]
        yield Habit(s.TEST_DIR, value, says, _only_language(tests), share, n, examples, subject=s.TESTS)


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


def _test_names(tests: Sequence[str]) -> Iterator[Habit]:
    """How test files of a language are called, where it leaves a choice."""
    by_language: dict[str, Counter[str]] = defaultdict(Counter)
    for path in tests:
        for name, stem in _TEST_STEMS:
            if stem.search(path):
                by_language[language_of(path)][name] += 1
                break
    for language, counts in sorted(by_language.items()):
        value, share, n = shares(counts)
        if n >= LEAST_FILES and share >= AGREED:
            stem = dict(_TEST_STEMS)[value]
            says = f"Test files are called {value}."
            examples = tuple(path for path in tests if stem.search(path))[:2]
            yield Habit(s.TEST_NAMING, value, says, language, share, n, examples, subject=s.TESTS)


def _file_names(language: str, paths: Sequence[str]) -> Iterator[Habit]:
    """The case of file names of more than one word."""
    votes: dict[str, str] = {}
    for path in paths:
        stem = PurePosixPath(path).name.split(".")[0]
        case = next((name for name, form in _CASES if form.match(stem)), "")
        if case:
            votes[path] = case
    value, share, n = shares(Counter(votes.values()))
    if n >= LEAST_FILES and share >= AGREED:
        says = f"{SPOKEN.get(language, language)} files are named in {value}."
        examples = tuple(path for path in sorted(votes) if votes[path] == value)[:2]
        yield Habit(s.FILE_NAMING, value, says, language, share, n, examples)
