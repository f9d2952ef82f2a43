"""README, CONTRIBUTING, AGENTS.md and their like: the sentences in them that are rules or commands.

Conservative on purpose: a document speaks to people, and most of what it says is not worth keeping.
Facts from documents are less sure than settings; each has the line its sentence begins on.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import PurePosixPath

from companion.evidence.guides import brought_along, speaks_of_change
from companion.kinds import subjects as s
from companion.kinds.facts.canonical import minimum_version
from companion.kinds.facts.prose_blocks import Sentence, sentences
from companion.kinds.facts.rules import holds_rules, is_announced, is_command, is_rule, orders_nothing, purpose
from companion.kinds.facts.statement import DOCUMENTED, Reader, Statement, Statements
from companion.records import FileSeen, Importance
from companion.records.instructions import INSTRUCTION_FILES, is_instruction_file

FOREIGN_SHARE = 0.2
"""Share of letters outside ASCII above which a text is a translation, not the original."""


@dataclass(frozen=True, slots=True)
class _Manner:
    """How far a document is believed: how many rules at most, and only under which headings."""

    rules: int
    confidence: float
    headings: re.Pattern[str] | None = None
    importance: Importance = Importance.DEFAULT


_WORK_HEADINGS = re.compile(
    r"contribut|develop|hacking|testing|\btests?\b|coding|style|convention|guideline|build from|"
    r"building|pull request|commit",
    re.IGNORECASE,
)
_AGENTS = _Manner(rules=80, confidence=0.85, importance=Importance.SIGNIFICANT)
_GUIDE = _Manner(rules=60, confidence=DOCUMENTED)
_README = _Manner(rules=6, confidence=DOCUMENTED, headings=_WORK_HEADINGS)

_GENERIC_HEADING = re.compile(
    r"^(?:rules?|contribut\w*(?: (?:guide\w*|code|rules|policy))?|guidelines?|develop\w*|working on the project"
    r"|important.*|notes?|(?:short|long) version|overview|general|introduction|agents?(?:\.md)?|claude(?:\.md)?)$",
    re.I,
)
"""Headings of a whole document: what stands under any other may hold for that alone (the examples of its pages)."""

_COUNTED = re.compile(r"^(?:\d+(?:\.\d+)*[.)]?|[ivx]+[.)])\s+", re.IGNORECASE)
"""The number of a chapter."""
_PICTURES = re.compile(r"^[^\w\s`\"'(\[<@.$]+\s+")
"""Pictures before the name of a chapter."""
_TRANSLATION = re.compile(
    r"[._-](?!en\b)[a-z]{2}(?:[-_][A-Za-z]{2,4})?\.(?:md|rst|txt)$|[._-](?:zh|pt|es)[-_]?\w*\.(?:md|rst)$"
)
_LANGUAGE_FOLDER = re.compile(r"^(?!en$)[a-z]{2}(?:-[a-z]{2,4})?$")
_TWO_LETTER_FOLDERS = frozenset({"ci", "db", "js", "ts", "go", "ui", "py", "rs", "qa", "ml", "ai", "io"})


def read(file: FileSeen) -> Statements:
    """Facts of one document."""
    if translated(file):
        return
    manner = _manner(file.path)
    taken: set[int] = set()
    told: set[str] = set()
    for sentence in sentences(file.text, file.path):
        needed = list(needs(sentence, users=manner is _README))
        yield from needed
        if needed or not _counts(sentence, manner):
            continue
        typed = list(_commands(sentence, told))
        told.update(statement.attribute or statement.value for statement in typed)
        yield from typed
        if typed:
            continue
        if len(taken) < manner.rules and sentence.block_line not in taken and _binds(sentence, file.path, manner):
            taken.add(sentence.block_line)
            yield _rule(sentence, manner)


def read_linked(file: FileSeen) -> Statements:
    """What a document asks of every change that a guide only links to: the rest of it may be about anything."""
    if translated(file):
        return
    taken: set[int] = set()
    for sentence in sentences(file.text, file.path):
        if sentence.block_line not in taken and holds_rules(sentence.heading) and _asks(sentence, file.path):
            taken.add(sentence.block_line)
            if speaks_of_change(f"{sentence.heading} {sentence.under} {sentence.block}"):
                yield _rule(sentence, _GUIDE)


def is_guide(path: str) -> bool:
    """Whether a document tells contributors how to work, so that what it links to may do so too."""
    return _manner(path) is not _README


def _binds(sentence: Sentence, path: str, manner: _Manner) -> bool:
    """Whether the paragraph of a sentence is a rule for work on the project."""
    if _asks(sentence, path):
        return True
    if sentence.block.endswith(":") or orders_nothing(sentence.block):
        return False
    return is_rule(sentence.text, any_topic=manner is _AGENTS) or is_announced(sentence.text, sentence.under)


def _asks(sentence: Sentence, path: str) -> bool:
    """Whether a paragraph says what a change must bring along."""
    return not sentence.block.endswith(":") and bool(brought_along(f"{sentence.under} {sentence.block}".strip(), path))


def translated(file: FileSeen) -> bool:
    """Whether a document is a translation: the original says the same."""
    path = PurePosixPath(file.path)
    if _TRANSLATION.search(path.name):
        return True
    if any(_LANGUAGE_FOLDER.match(p) and p not in _TWO_LETTER_FOLDERS for p in path.parts[:-1]):
        return True
    letters = [c for c in file.text[:20_000] if c.isalpha()]
    return bool(letters) and sum(not c.isascii() for c in letters) / len(letters) > FOREIGN_SHARE


def _manner(path: str) -> _Manner:
    if is_instruction_file(path):
        return _AGENTS
    return _README if PurePosixPath(path).name.lower().startswith("readme") else _GUIDE


def _counts(sentence: Sentence, manner: _Manner) -> bool:
    if manner.headings is not None and not manner.headings.search(sentence.heading):
        return False
    return manner is _AGENTS or holds_rules(sentence.heading)


def _rule(sentence: Sentence, manner: _Manner) -> Statement:
    """The paragraph or list item that a rule stands in, whole, under its heading and what announces its list."""
    text = re.sub(r"::(?=\s|$)", ":", sentence.block.removesuffix("-->").rstrip("; "))
    text = text[0].upper() + text[1:]
    if sentence.under:
        text = f"{sentence.under} {text}"
    subject = _PICTURES.sub("", _COUNTED.sub("", sentence.heading))[:60] or "working on the project"
    if not _GENERIC_HEADING.search(subject):
        text = f"{subject.rstrip(':')}: {text}"
    return Statement(
        subject,
        "",
        text,
        text if text.endswith((".", "!", "?", ":")) else f"{text}.",
        sentence.block_line,
        convention=True,
        confidence=manner.confidence,
        importance=manner.importance,
    )


# --- versions -----------------------------------------------------------------------------------

PLATFORMS: tuple[tuple[str, str, str, str, int], ...] = (
    ("python", s.MIN_PYTHON, r"(?:C?Python)", "python", 2),
    ("node", "min_node", r"Node(?:\.?js)?", "javascript", 1),
    ("go", "min_go", r"Go(?:lang)?", "go", 2),
    ("rust", s.MSRV, r"(?:Rust|rustc|MSRV|Minimum Supported Rust Version)", "rust", 3),
    ("java", "min_java", r"(?:Java|JDK|OpenJDK)(?: SE)?", "java", 1),
    ("php", "min_php", r"PHP", "php", 2),
    ("ruby", "min_ruby", r"(?:M?Ruby)", "ruby", 2),
)
SPOKEN = {
    "python": "Python",
    "node": "Node.js",
    "go": "Go",
    "rust": "Rust",
    "java": "Java",
    "php": "PHP",
    "ruby": "Ruby",
}
"""Platforms as people write them: what a document says is worded as a manifest's fact is."""
_NUMBER = r"v?(?P<version>\d+(?:\.\d+){0,2})"
_LATER = r"(?:\s*\+|\s*(?:,? ?or|and) (?:later|newer|higher|above|greater|up|upwards|over)|\s*>=?)"
_NEED = re.compile(
    r"\b(?:requires?|required|requirements?|needs?|supports?|supported|minimum|compatible|"
    r"prerequisites?|runs on|works with|MSRV|at least|target(?:s|ing)?)\b",
    re.IGNORECASE,
)
_PAST = re.compile(
    r"\b(?:dropp?(?:ed|s|ing)?|remov\w+|no longer|used to|until|prior|previous\w*|older|earlier|since|added in|before|"
    r"deprecat\w+|if you|instead|legacy|end.of.life|(?:in|of|as of|use) (?:version|release) \d|"
    r"v\d+\.\d+ (?:of|supports)|for example|policy|"
    r"will be|was|were|benchmark\w*)\b",
    re.IGNORECASE,
)
_BUILDING = re.compile(r"\b(?:build|building|built|compil\w+|develop\w*|contribut\w*|source)\b", re.IGNORECASE)
_PATTERNS = tuple(
    (
        platform,
        re.compile(
            rf"\b{platform[2]}\b(?: (?:version|versions|is|at least|release|language))*(?:\s*(?P<op>>=|≥|"
            rf"\^))?\s*`?{_NUMBER}\b(?P<later>{_LATER})?"
        ),
    )
    for platform in PLATFORMS
)


def needs(sentence: Sentence, *, users: bool) -> Statements:
    """Versions a sentence says are needed at least: by users, or to work on the project."""
    text = sentence.text
    if len(text) > 240 or _PAST.search(text):
        return
    for (subject, attribute, _, language, parts), pattern in _PATTERNS:
        found = pattern.search(text)
        if found is None:
            continue
        needed = _NEED.search(text) or _NEED.search(sentence.heading)
        if not needed or not (
            found["later"] or found["op"] or re.search(r"at least|minimum|MSRV", text, re.IGNORECASE)
        ):
            continue
        told = {minimum_version(one["version"], parts) for one in pattern.finditer(text)}
        if len(told) > 1:
            continue  # `3.4 and newer, and 2.7`: which is the oldest cannot be told for sure
        oldest = told.pop()
        building = not users or _BUILDING.search(text) or _BUILDING.search(sentence.heading)
        purpose_told = " to work on the project" if building else ""
        yield Statement(
            subject,
            f"development_{attribute}" if building else attribute,
            oldest,
            f"{SPOKEN[subject]} {oldest} or newer is required{purpose_told}.",
            sentence.line,
            convention=True,
            language=language,
            confidence=DOCUMENTED,
        )


# --- commands -----------------------------------------------------------------------------------

COMMAND_SENTENCE_CHARS = 160
"""A sentence that tells a command is short; longer ones tell a story around it."""
_LISTED = re.compile(
    r"^`(?P<command>[^`]+)`\s*(?:(?:[-–—:]|=>)\s*|(?=(?:runs?|builds?|checks?|starts?|formats?|lints?|installs?|will|to)\s))"
    r"(?P<meaning>.+)$"
)
_GOVERNED = re.compile(
    r"\b(?:run|running|use|using|with|via|execute|executing|invoke|call|type|by)\s+(?:the\s+)?`(?P<command>[^`]+)`",
    re.IGNORECASE,
)
_ASIDE = re.compile(
    r"^(?:if|when|alternatively|optionally|for|on|under|unless|once|after)\b|\b(?:static\w*|only|"
    r"windows|docker|also|debug|features?|support|enabl\w+|"
    r"specific version|stress|slow|without|cross|again|alternative\w*|faster|verbose|optionally)\b",
    re.IGNORECASE,
)
"""Commands for special cases: the usual one is what is wanted."""
_SHOWN = {
    "setup": "Development is set up with",
    "test": "The tests are run with",
    "single_test": "A single test is run with",
    "coverage": "Coverage is measured with",
    "format": "The code is formatted with",
    "lint": "The code is linted with",
    "typecheck": "Types are checked with",
    "benchmark": "Benchmarks are run with",
    "docs": "The documentation is built with",
    "build": "The project is built with",
}


def _commands(sentence: Sentence, told: set[str]) -> Iterator[Statement]:
    """Commands a sentence tells to type: listed, followed by a block, or named within."""
    listed = _LISTED.match(sentence.text)
    if listed and sentence.bullet and is_command(listed["command"]) and len(listed["meaning"]) < 200:
        says = f"`{listed['command']}`: {listed['meaning']}"
        if listed["command"] not in told:
            yield _command("", listed["command"], says, sentence.line)
        return
    if (
        _ASIDE.search(sentence.text)
        or _ASIDE.search(sentence.heading)
        or sentence.inner
        or len(sentence.text) > COMMAND_SENTENCE_CHARS
    ):
        return
    command = sentence.code if sentence.text.endswith((":", ".")) and is_command(sentence.code) else ""
    if not command and not sentence.code and not sentence.text.endswith(":"):
        spans = {found["command"] for found in _GOVERNED.finditer(sentence.text)}
        command = next(iter(spans)) if len(spans) == 1 and all(is_command(span) for span in spans) else ""
    aim = purpose(re.sub(r"`[^`]*`", "", sentence.text), sentence.heading) if command else ""
    if aim and f"{aim}_command" not in told:
        yield _command(f"{aim}_command", command, f"{_SHOWN[aim]} `{command}`.", sentence.line)


def _command(attribute: str, value: str, says: str, line: int) -> Statement:
    return Statement(
        s.TESTS if "test" in attribute else s.PROJECT,
        attribute,
        value,
        says,
        line,
        convention=True,
        confidence=DOCUMENTED,
    )


READER = Reader(
    "documents",
    (
        "README",
        "README.md",
        "README.rst",
        "README.txt",
        "CONTRIBUTING*",
        "[Cc]ontributing.md",
        "[Cc]ontributing.rst",
        "**/[Cc]ontributing/*.md",
        "**/[Cc]ontributing/*.rst",
        "PULL_REQUEST_TEMPLATE.md",
        "pull_request_template.md",
        "DEVELOPMENT.md",
        "DEVELOPING.md",
        "HACKING*",
        "STYLEGUIDE.md",
        "STYLE_GUIDE.md",
        "CODING_STYLE*",
        *INSTRUCTION_FILES,
    ),
    read,
    document=True,
)

LINKED = Reader("linked guides", (), read_linked, document=True)
"""Documents that a guide links to: found by its links, not by their names."""
