"""README, CONTRIBUTING, AGENTS.md and their like: the sentences in them that are rules or commands.

Conservative on purpose: a document speaks to people, and most of what it says is not worth keeping.
Facts from documents are less sure than settings; each has the line its sentence begins on.
"""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterator, Sequence
from itertools import groupby
from pathlib import PurePosixPath

from msgspec import Struct
from msgspec.structs import replace

from companion.escape import shortened
from companion.evidence.guides import READMES, brought_along, speaks_of_change
from companion.kinds import subjects as s
from companion.kinds.facts.platforms import versions_named
from companion.kinds.facts.prose_blocks import Sentence, sentences
from companion.kinds.facts.rules import (
    holds_rules,
    is_announced,
    is_command,
    is_rule,
    makes_ready,
    orders,
    orders_nothing,
    points_elsewhere,
    purpose,
    refuses,
)
from companion.kinds.facts.statement import DOCUMENTED, DeclaredStatement, FactReader, Statements
from companion.language.phrases import opens, says
from companion.language.sentences import split_sentences
from companion.records import FactType, FileSeen, Importance
from companion.records.instructions import INSTRUCTION_FILES, is_instruction_file

FOREIGN_SHARE = 0.2
"""Share of letters outside ASCII above which a text is a translation, not the original."""


class _Manner(Struct, frozen=True):
    """How far a document is believed: how many rules at most, and only under which headings."""

    rules: int
    confidence: float
    headings: str = ""
    importance: Importance = Importance.DEFAULT


_AGENTS = _Manner(rules=80, confidence=0.85, importance=Importance.SIGNIFICANT)
_GUIDE = _Manner(rules=60, confidence=DOCUMENTED)
_README = _Manner(rules=6, confidence=DOCUMENTED, headings="written.rules.work_headings")

_COUNTED = re.compile(r"^(?:\d+(?:\.\d+)*[.)]?|[ivx]+[.)])\s+", re.IGNORECASE)
"""The number of a chapter."""
_ASIDE = re.compile(r"\s+\((?:put|check|tick|mark|select|choose|delete|remove)\b[^()]*\)(?=\W*$)", re.IGNORECASE)
"""What stands in brackets at the end of a heading and says how to fill in what follows."""
HEADING_CHARS = 60
ISSUES_MOST, ISSUE_WORDS = 20, 5
"""Known issues taken from a document, and words that one has at least: less is the name of something."""
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
    most = 0 if manner is _GUIDE and _is_aside(file.path) else manner.rules
    taken: set[int] = set()
    told: set[str] = set()
    for sentence in _with_cases(sentences(file.text, file.path)):
        needed = list(needs(sentence, users=manner is _README))
        yield from needed
        if says(sentence.heading, "written.rules.known_issues") and not needed:
            if sentence.block_line not in taken and len(taken) < ISSUES_MOST and _is_told(sentence):
                taken.add(sentence.block_line)
                yield _issue(sentence, manner)
            continue
        if needed or not _counts(sentence, manner):
            continue
        typed = list(_commands(sentence, told))
        told.update(statement.attribute or statement.value for statement in typed)
        yield from typed
        if typed or sentence.caption:
            continue
        if len(taken) < most and sentence.block_line not in taken and _binds(sentence, file.path, manner):
            taken.add(sentence.block_line)
            yield _rule(sentence, manner)


def _with_cases(said: Iterator[Sentence]) -> Iterator[Sentence]:
    """Sentences; the cases of one rule (`Update the notes if you change any of the following:`) as one of them."""
    for under, group in groupby(said, lambda one: one.under if _is_of_cases(one.under) else ""):
        if not under:
            yield from group
            continue
        first, *others = group
        whole = "; ".join({one.block_line: one.block.rstrip(".;,") for one in (first, *others)}.values())
        yield replace(first, text=whole, block=whole)


def _is_of_cases(announcement: str) -> bool:
    return says(announcement, "written.rules.cases") or refuses(announcement)


def read_linked(file: FileSeen) -> Statements:
    """What a document asks of every change that a guide only links to: the rest of it may be about anything."""
    if translated(file):
        return
    taken: set[int] = set()
    for sentence in sentences(file.text, file.path):
        if sentence.is_link or not holds_rules(sentence.heading):
            continue
        if sentence.block_line not in taken and _asks(sentence, file.path):
            taken.add(sentence.block_line)
            if speaks_of_change(f"{sentence.heading} {sentence.under} {sentence.block}"):
                yield _rule(sentence, _GUIDE)


def is_guide(path: str) -> bool:
    """Whether a document tells contributors how to work, so that what it links to may do so too."""
    return _manner(path) is not _README


def _binds(sentence: Sentence, path: str, manner: _Manner) -> bool:
    """Whether the paragraph of a sentence is a rule for work on the project."""
    if sentence.is_link or points_elsewhere(sentence.text):
        return False
    if _asks(sentence, path):
        return True
    if sentence.block.endswith(":") or orders_nothing(sentence.block) or says(sentence.under, "written.rules.offers"):
        return False
    if sentence.numbered and opens(sentence.under, "written.rules.condition", "written.rules.aims"):
        return False  # a step of one task: `If you need an icon:`
    return is_rule(sentence.text, any_topic=manner is _AGENTS) or is_announced(sentence.text, sentence.under)


def _asks(sentence: Sentence, path: str) -> bool:
    """Whether a paragraph says what a change must bring along, and not only what one may do (`Ways to contribute:`).

    One that begins as if it told of something must say so in a sentence that does not lean on another.
    """
    asked = sentence.block.endswith("?") and not sentence.box
    aside = asked or opens(sentence.block, "written.rules.remarks") > 0
    if aside or sentence.block.endswith(":") or says(sentence.under, "written.rules.offers"):
        return False
    telling = orders_nothing(sentence.block)
    if telling and opens(sentence.text, "written.leaning"):
        return False
    return bool(brought_along(f"{sentence.under} {sentence.text if telling else sentence.block}".strip(), path))


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
    if manner.headings and not says(sentence.heading, manner.headings):
        return False
    return manner is _AGENTS or holds_rules(sentence.heading) or refuses(sentence.under)


def _is_aside(path: str) -> bool:
    """Whether a guide is, by its name, about reports or releases, not about changes: `issue_triage.md`."""
    name = re.sub(r"[_-]", " ", PurePosixPath(path).stem)
    return says(name, "written.rules.aside_documents") and not says(name, "written.rules.release_notes")


def _heading(written: str) -> str:
    """A heading without its number, pictures and asides, cut where a word ends."""
    plain = _ASIDE.sub("", _PICTURES.sub("", _COUNTED.sub("", written)))
    return textwrap.shorten(plain, HEADING_CHARS, placeholder="…").lstrip("…") or shortened(plain, HEADING_CHARS)


def _rule(sentence: Sentence, manner: _Manner) -> DeclaredStatement:
    """The paragraph or list item that a rule stands in, whole, under its heading and what announces its list.

    A command that stands in a block of code below it is told with it.
    """
    whole = re.sub(r"::(?=\s|$)", ":", sentence.block.removesuffix("-->").rstrip("; "))
    text = " ".join(_without_pointers(split_sentences(whole))) or whole
    if is_command(sentence.code):
        text = f"{text.rstrip('.')}: `{sentence.code}`"
    text = text[0].upper() + text[1:]
    subject = _heading(sentence.heading) or "working on the project"
    heads = not says(subject, "written.rules.generic_headings")
    if sentence.under and _is_needed(sentence.under, text):
        text = f"{sentence.under} {text}"
    elif sentence.box and not orders(text):
        text, heads = f"A pull request must confirm: {text}", False
    if heads:
        text = f"{subject.rstrip(':')}: {text}"
    return DeclaredStatement(
        subject,
        "",
        text,
        text if text.endswith((".", "!", "?", ":")) else f"{text}.",
        sentence.block_line,
        convention=True,
        confidence=manner.confidence,
        importance=manner.importance,
    )


def _is_told(sentence: Sentence) -> bool:
    """Whether a paragraph says something itself, and is no question or pointer to where it is said."""
    points = sentence.is_link or points_elsewhere(sentence.text)
    return not points and not sentence.block.endswith((":", "?")) and len(sentence.block.split()) >= ISSUE_WORDS


def _issue(sentence: Sentence, manner: _Manner) -> DeclaredStatement:
    """What a document says is known to go wrong, a paragraph or list item, with what announces its list."""
    told = f"{sentence.under} {sentence.block}".strip()
    text = told if told.endswith((".", "!")) else f"{told}."
    confidence, subject = manner.confidence, _heading(sentence.heading)
    return DeclaredStatement(
        subject, "", told, text, sentence.block_line, type=FactType.FRICTION, confidence=confidence
    )


def _without_pointers(said: Sequence[str]) -> Iterator[str]:
    """The sentences of a rule that lean on nothing which is not told."""
    gone = False
    for one in said:
        gone = points_elsewhere(one) or (gone and opens(one, "written.leaning") > 0)
        if not gone:
            yield one


def _is_needed(announcement: str, rule: str) -> bool:
    """Whether a rule says less without what announces its list, which may refuse, or narrow what the rule is for."""
    if _is_of_cases(announcement):
        return True
    if opens(announcement, "written.rules.introduces"):
        return False
    case = says(announcement, "written.rules.condition") and not speaks_of_change(announcement)
    return case or opens(announcement, "written.rules.condition") > 0 or not is_rule(rule, any_topic=True)


# --- versions -----------------------------------------------------------------------------------

CLAIM_CHARACTERS = 240
"""A sentence that claims something is short; longer ones tell a story around it."""


def needs(sentence: Sentence, *, users: bool) -> Statements:
    """Versions a sentence says are needed at least: by users, or to work on the project."""
    text, heading = sentence.text, sentence.heading
    if len(text) > CLAIM_CHARACTERS or says(text, "written.claims.past", "written.claims.of_versions"):
        return
    asked = says(text, "written.claims.needed") or says(heading, "written.claims.needed")
    least = says(text, "written.claims.least")
    building = not users or says(text, "written.claims.building") or says(heading, "written.claims.building")
    aim = " to work on the project" if building else ""
    for named in versions_named(text):
        listed = sentence.bullet and not named.start and says(heading, "written.claims.requirements")
        told = listed or says(text[: named.start], "written.claims.needs")
        if told or (asked and (named.least or least)):
            platform = named.platform
            yield DeclaredStatement(
                platform.subject,
                f"development_{platform.attribute}" if building else platform.attribute,
                named.version,
                f"{platform.spoken} {named.version} or newer is required{aim}.",
                sentence.line,
                convention=True,
                language=platform.language,
                confidence=DOCUMENTED,
            )


# --- commands -----------------------------------------------------------------------------------

MEANING_CHARS = 200
"""Characters of what a listed command is for: more is told of how it works."""
COMMAND_SENTENCE_CHARS = 160
"""A sentence that tells a command is short; longer ones tell a story around it."""
_LISTED = re.compile(r"^`(?P<command>[^`]+)`\s*(?P<mark>[-–—:]|=>)?\s*(?P<meaning>.+)$")
_SPAN = re.compile(r"`([^`]+)`")
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


def _commands(sentence: Sentence, told: set[str]) -> Iterator[DeclaredStatement]:
    """Commands a sentence tells to type: listed, followed by a block, or named within."""
    listed = _LISTED.match(sentence.text)
    if listed and sentence.bullet and is_command(listed["command"]) and len(listed["meaning"]) < MEANING_CHARS:
        if listed["command"] not in told and (listed["mark"] or opens(listed["meaning"], "written.commands.does")):
            says_ = f"`{listed['command']}`: {listed['meaning']}"
            yield _command("", listed["command"], says_, sentence.line)
        return
    special = says(sentence.text, "written.commands.special") or says(sentence.heading, "written.commands.special")
    if special or sentence.inner or len(sentence.text) > COMMAND_SENTENCE_CHARS:
        return
    announces = sentence.caption or sentence.text.endswith((":", "."))
    command = sentence.code if announces and is_command(sentence.code) else ""
    if not command and not sentence.code and not sentence.text.endswith(":"):
        spans = {span[1] for span in _SPAN.finditer(sentence.text) if _is_governed(sentence.text[: span.start()])}
        command = next(iter(spans)) if len(spans) == 1 and all(map(is_command, spans)) else ""
    heading = "" if sentence.caption else sentence.heading
    aim = purpose(_SPAN.sub("", sentence.text), heading) if command else ""
    if aim != "setup" and makes_ready(command):
        return  # `To run the tests, first install:`
    if aim and f"{aim}_command" not in told and (aim == "single_test" or not _TO_FILL_IN.search(command)):
        yield _command(f"{aim}_command", command, f"{_SHOWN[aim]} `{command}`.", sentence.line)


_TO_FILL_IN = re.compile(r"<[\w .-]+>")
"""A part of a command that whoever types it puts something in place of."""


def _is_governed(before: str) -> bool:
    """Whether what stands before a command tells to type it."""
    return says(before, "written.commands.governs")


def _command(attribute: str, value: str, says: str, line: int) -> DeclaredStatement:
    return DeclaredStatement(
        s.TESTS if "test" in attribute else s.PROJECT,
        attribute,
        value,
        says,
        line,
        convention=True,
        confidence=DOCUMENTED,
    )


READER = FactReader(
    "documents",
    (
        *READMES,
        "CONTRIBUTING*",
        *(
            f"{named}.{ending}"
            for named in ("[Cc]ontributing", "**/[Cc]ontributing/*")
            for ending in ("md", "rst", "adoc")
        ),
        "PULL_REQUEST_TEMPLATE.md",
        "pull_request_template.md",
        "DEVELOPMENT.md",
        "DEVELOPING.md",
        "HACKING*",
        "STYLEGUIDE.md",
        "STYLE_GUIDE.md",
        "CODING_STYLE*",
        *(f"{named}[-_]*[Pp][Oo][Ll][Ii][Cc][Yy].*" for named in ("[Aa][Ii]", "*[-_][Aa][Ii]", "[Ll][Ll][Mm]")),
        *INSTRUCTION_FILES,
    ),
    read,
    document=True,
)

LINKED = FactReader("linked guides", (), read_linked, document=True)
"""Documents that a guide links to: found by its links, not by their names."""
