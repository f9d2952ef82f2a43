"""Habits of the code: indent, quotes, line length, imports, docstrings, names.

Each file votes; a habit is told where nearly all files agree, and not at all where a declared fact already speaks of it
or names a formatter that settles it, or where the language leaves no choice.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence

from companion.kinds import subjects as s
from companion.kinds.facts import DeclaredFacts
from companion.kinds.habits.habit import (
    LEAST_FILES,
    ORIGIN,
    SUFFIXES,
    Habit,
    kind_of,
    language_of,
    main_languages,
    shares,
    voted,
)
from companion.kinds.habits.of_paths import path_habits
from companion.kinds.habits.testing_tools import testing_tools
from companion.kinds.languages import SPOKEN
from companion.kinds.paths import quiet_path
from companion.ports import World
from companion.records import Draft, FileSeen

SAMPLE_FILES = 240
"""Files read for one reading: shares move by less than .02 beyond it, and it takes about 0.3 s."""
LEAST_LINES = 30
"""Lines just within a length limit before a cliff behind it is believed."""
CLIFF = 3.5
"""How many times more lines end within 4 columns before a limit than behind it; formatters give 4 to 300."""
OVERLONG_SHARE = 0.03
"""Share of lines (of 40 and more characters) that may run over a limit: addresses and long strings."""
LINE_LIMITS = (72, 78, 79, 80, 88, 90, 95, 99, 100, 105, 110, 115, 119, 120, 128, 132, 140, 150, 160)
"""Lengths that people set as limits."""

_INDENTED = frozenset(SUFFIXES.values()) - {"go", "rust", "yaml", "css"}
"""Languages whose indent neither a formatter nor the grammar settles (yaml and css join javascript's)."""
_WIDTH_GIVEN = frozenset({"rust"})
"""Languages whose usual formatter breaks lines at a width of its own."""
_QUOTED = frozenset({"python", "javascript", "typescript", "ruby", "php"})

_FORMAT_TOO = frozenset({"ruff", "rubocop", "standard", "xo", "checkstyle", "php_codesniffer"})
"""Linters by whose own settings, given or by default, code is written, as by a formatter's."""
_RUFF = ("lint_rules", "python")
"""What tells of ruff where nothing else does."""
_SAME_TOOLS = {"typescript": "javascript", "css": "javascript", "cpp": "c"}
_FORMATTED = frozenset({s.INDENT, s.QUOTES, s.LINE_LENGTH, s.SEMICOLONS})
"""What a formatter settles."""

_STRING = re.compile(r"(?<![\w\"'`\\])(?:\"(?!\"\")(?:[^\"\\\n']|\\.)*\"|'(?!'')(?:[^'\\\n\"]|\\.)*')(?![\"'])")
_COMMENT_LINE = re.compile(r"^\s*(?:#|//|\*|/\*)")
_FROM_IMPORT = re.compile(r"^from\s+(\S+)\s+import\s+(\(?[^#\n]*)", re.MULTILINE)
_GOOGLE = re.compile(r"^[ \t]+(?:Args|Arguments|Returns|Raises|Yields|Attributes|Example):\s*\n", re.MULTILINE)
_NUMPY = re.compile(r"^[ \t]+(?:Parameters|Returns|Raises|Yields|Attributes|Examples)\s*\n\s+-{4,}\s*$", re.MULTILINE)
_SPHINX = re.compile(r"^[ \t]+:(?:param|returns?|raises|type|rtype)\b[^:\n]*:", re.MULTILINE)


class CodeHabits:
    """Learns the manner of the code from a sample of files and from all paths."""

    name = "code habits"

    def origins(self, world: World) -> Sequence[str]:
        """One origin, whenever code changed."""
        return (ORIGIN,) if world.changed_code() else ()

    def learn(self, world: World) -> Iterator[Draft]:
        """One draft a clear habit of a language."""
        if not world.changed_code():
            return
        facts = world.taught(DeclaredFacts.name)
        declared = {kind_of(fact.attribute) for fact in facts}
        formatted = {fact.scope.language for fact in facts if _settles_form(fact)}
        main = main_languages(map(language_of, world.all_paths()))
        patterns = [f"*{suffix}" for suffix, language in SUFFIXES.items() if language in main]
        files = list(world.sample_texts(patterns, SAMPLE_FILES)) if patterns else []
        by_language: dict[str, list[FileSeen]] = defaultdict(list)
        for file in files:
            if not quiet_path(file.path):
                by_language[language_of(file.path)].append(file)
        for language, group in sorted(by_language.items()):
            settled = _FORMATTED if formatted & {language, _SAME_TOOLS.get(language)} else frozenset()
            known = declared | settled
            yield from (h.draft() for h in habits_of(language, group) if kind_of(h.attribute) not in known)
        yield from (h.draft() for h in path_habits(world.all_paths()) if kind_of(h.attribute) not in declared)
        told = {(fact.attribute, fact.value) for fact in facts}
        yield from (h.draft() for h in testing_tools(world.all_code()) if (h.attribute, h.value) not in told)


def _settles_form(fact: Draft) -> bool:
    """Whether a declared fact names a tool that formats the code."""
    named = fact.attribute == "formatter" or fact.value in _FORMAT_TOO
    return named or (fact.attribute, fact.scope.language) == _RUFF


def habits_of(language: str, files: Sequence[FileSeen]) -> Iterator[Habit]:
    """The habits of the texts of one language, in a fixed order."""
    for attribute, languages, manner, says in _MANNERS:
        if language in languages:
            votes = {file.path: vote for file in files if (vote := manner(file.text))}
            yield from voted(votes, attribute.format(language), language, says)
    if language not in _WIDTH_GIVEN:
        yield from line_length_of(language, files)


def indent_of(text: str) -> str:
    """`4 spaces`, `2 spaces`, `tab`: the commonest step inwards; empty where there is hardly any."""
    steps: Counter[str] = Counter()
    before = 0
    for line in text.split("\n"):
        body = line.lstrip(" \t")
        if not body or _COMMENT_LINE.match(line):
            continue
        lead = line[: len(line) - len(body)]
        if "\t" in lead:
            if lead == "\t" * len(lead):
                steps["tab"] += 1
            continue
        step = len(lead) - before
        before = len(lead)
        if step in {2, 3, 4, 8}:
            steps[f"{step} spaces"] += 1
    value, share, n = shares(steps)
    return value if n >= 3 and share >= 0.6 else ""


def quotes_of(text: str) -> str:
    """`single` or `double`: most plain string literals that need no escape; empty where mixed."""
    counts: Counter[str] = Counter()
    for line in text.split("\n"):
        if not _COMMENT_LINE.match(line):
            counts.update("single" if found[0] == "'" else "double" for found in _STRING.findall(line))
    value, share, n = shares(counts)
    return value if n >= 5 and share >= 0.9 else ""


def semicolons_of(text: str) -> str:
    """`always` or `never`: how statements that stand alone on a line end."""
    counts: Counter[str] = Counter()
    for line in text.split("\n"):
        body = line.strip()
        if re.match(r"^(?:import|export \*|const|let|return|throw|await)\b", body) and re.search(
            r"[\w)\]'\"`;]$", body
        ):
            counts["always" if body.endswith(";") else "never"] += 1
    value, share, n = shares(counts)
    return value if n >= 5 and share >= 0.9 else ""


def docstrings_of(text: str) -> str:
    """`google`, `numpy` or `sphinx`, by the sections of docstrings; empty where none shows."""
    if '"""' not in text and "'''" not in text:
        return ""
    counts = {
        "google": len(_GOOGLE.findall(text)),
        "numpy": len(_NUMPY.findall(text)),
        "sphinx": len(_SPHINX.findall(text)),
    }
    value, share, n = shares(counts)
    return value if n >= 2 and share >= 0.8 else ""


def imports_of(text: str) -> str:
    """`true` where each name taken from a module has its own statement, `false` where several share one.

    Empty where no more than one name is taken from any module.
    """
    single: Counter[str] = Counter()
    for module, names in _FROM_IMPORT.findall(text):
        if names.strip().startswith("(") or "," in names:
            return s.FALSE
        single[module] += 1
    return s.TRUE if any(count > 1 for count in single.values()) else ""


_MANNERS: tuple[tuple[str, frozenset[str], Callable[[str], str], Mapping[str, str]], ...] = (
    ("indent_{}", _INDENTED, indent_of, {"": "{name} is indented with {value}."}),
    (s.QUOTES, _QUOTED, quotes_of, {"": "{name} strings use {value} quotes."}),
    (
        s.SEMICOLONS,
        frozenset({"javascript", "typescript"}),
        semicolons_of,
        {"always": "{name} statements end with semicolons.", "never": "{name} statements have no semicolons."},
    ),
    (
        s.IMPORTS_ONE_PER_LINE,
        frozenset({"python"}),
        imports_of,
        {s.TRUE: "Imports stand one name on a line: `from x import a`, then `from x import b`."},
    ),
    (
        s.DOCSTRING_CONVENTION,
        frozenset({"python"}),
        docstrings_of,
        {"": "Docstrings are written in {value} style."},
    ),
)
"""Attribute, languages, how a text votes, and the sentence of each value that is told (see `voted`)."""


def line_length_of(language: str, files: Sequence[FileSeen]) -> Iterator[Habit]:
    """The limit lines are kept to: where many end just within it and hardly any behind.

    Of several the narrowest counts: formatters wrap at it, while a wider one only bounds what they
    could not wrap. Limits a column or two apart share a cliff; the steeper is meant.
    """
    lengths: Counter[int] = Counter()
    for file in files:
        lengths.update(len(line) for line in file.text.split("\n") if "://" not in line)
    long_enough = sum(count for length, count in lengths.items() if length >= 40)
    best: tuple[float, int, float] | None = None
    for limit in LINE_LIMITS:
        within = sum(lengths[limit - i] for i in range(4))
        behind = sum(lengths[limit + 1 + i] for i in range(4))
        over = sum(count for length, count in lengths.items() if length > limit)
        if within < LEAST_LINES or over > OVERLONG_SHARE * long_enough:
            continue
        cliff = within / (behind + 1)
        if cliff < CLIFF or (best is not None and (limit > best[1] + 2 or cliff <= best[0])):
            continue
        best = (cliff, limit, over / long_enough)
    if best is not None and len(files) >= LEAST_FILES:
        _, limit, over_share = best
        says = f"{SPOKEN.get(language, language)} lines are kept to {limit} characters."
        longest = sorted(files, key=lambda f: (-len(f.text), f.path))[:1]
        shown = tuple(file.path for file in longest)
        yield Habit(s.LINE_LENGTH, str(limit), says, language, 1 - over_share, long_enough, shown, unit="long lines")
