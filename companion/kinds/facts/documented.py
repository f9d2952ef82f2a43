"""What documents claim that manifests, settings and the file tree declare as well: the two are to meet.

README, CONTRIBUTING and the first pages of the documentation say which versions are needed, under which licence
the project is, how long a line may be, what tests must cover, which branch is the default, which package manager
and which make targets there are. Each claim is given under the subject and attribute of the declared fact, so that
a document which lags behind is found. Conservative: a sentence about the past, about a part of the project, about
somebody else, or with a condition claims nothing; nor does a document that names two values.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import PurePosixPath

from companion.kinds import subjects as s
from companion.kinds.facts.canonical import licence_id, minimum_version
from companion.kinds.facts.documents import PLATFORMS, SPOKEN, needs, translated
from companion.kinds.facts.prose_blocks import Sentence, sentences
from companion.kinds.facts.statement import DOCUMENTED, Reader, Statement, Statements
from companion.records import FileSeen, Importance

CLAIM_CHARACTERS = 240
"""A sentence that claims something is short; longer ones tell a story around it."""
LINE_LEAST, LINE_MOST = 60, 200
"""Columns that a limit of line length can be: less is about commit subjects, more about data."""

_PAST = re.compile(
    r"\b(?:dropp?(?:ed|s|ing)?|remov\w+|no longer|used to|until|prior|previous\w*|older|earlier|formerly|legacy|"
    r"was|were|deprecat\w+|for example|e\.g\.|such as|if you|instead|unless|except|planned|will be|in the future)\b",
    re.IGNORECASE,
)
"""Words of a sentence that tells of another time, an example or a condition."""

_LICENCE = re.compile(
    r"\b(?:licen[sc]ed|released|distributed|available|open.sourced software licen[sc]ed|made available|published)\s+"
    r"(?:\w+\s+){0,3}?under\s+(?:the\s+)?(?:terms\s+of\s+(?:the\s+)?)?(?:conditions\s+of\s+the\s+)?[`*]?"
    r"(?P<name>MIT|Apache(?:[ -]Licen[sc]e)?,?[ -]*(?:Version |v)?2(?:\.0)?|ISC|Unlicense|"
    r"BSD[ -][23](?:[ -]Clause)?|(?:MPL|Mozilla Public Licen[sc]e)[ -]*(?:Version )?2(?:\.0)?)\b",
    re.IGNORECASE,
)
_LICENCE_OF_A_PART = re.compile(
    r"\b(?:documentation|docs|manual|logo|icons?|fonts?|artwork|images?|data|dataset|website|contribut\w+|examples?|"
    r"parts? of|portions?|some|third.party|bundled|vendored|either|or|and|plugin|theme|based on|derived|files? in|"
    r"except|dual\w*|directory|folder)\b",
    re.IGNORECASE,
)

_LINE_LENGTH = (
    re.compile(
        r"\b(?:lines?|line[- ]length)\b(?!\s+(?:of|from)\b)[^.]{0,60}?\b"
        r"(?:to|at|than|exceed|under|of|is|most|beyond|within|:)\s+"
        r"(?:max(?:imum)?\s+(?:of\s+)?)?(?P<columns>\d{2,3})(?:\s+(?:characters|columns|chars)|\b(?!\s*%))",
        re.IGNORECASE,
    ),
    re.compile(
        r"\b(?P<columns>\d{2,3})[- ](?:characters?|columns?|chars?)\b[^.]{0,25}\b(?:lines?|line[- ]length)\b", re.I
    ),
)
_OF_OTHER_LINES = re.compile(
    r"\b(?:commit\w*|subject|messages?|summary|title|doc\s?strings?|comments?|docs|documentation|markdown|text|prose|"
    r"changelog|body|paragraphs?|ok|okay|fine|may|"
    r"output|log|terminal|table|url|minimum|first|test|each line of|rst|readme)\b",
    re.IGNORECASE,
)

_COVERAGE = re.compile(
    r"\bcoverage\b[^.]{0,80}?(?P<after>\b\d{2,3}(?:\.\d+)?)\s?%|"
    r"(?P<before>\b\d{2,3}(?:\.\d+)?)\s?%\s+(?:\w+\s+){0,2}coverage",
    re.IGNORECASE,
)
_COVERAGE_ASKED = re.compile(
    r"\b(?:must|should|has to|required?|requires|at least|minimum|below|threshold|maintain\w*|enforce\w*|keep)\b",
    re.IGNORECASE,
)
_NOT_DEMANDED = re.compile(r"\b(?:has|have|reached|currently|FAIL|badge|sample|example|patch|diff|new code)\b")

_BRANCH = (
    re.compile(
        r"\b(?:default|main development|primary)\s+branch\b[^.`]{0,30}?(?:\bis\b|:|\()\s*`?(?P<name>[\w./-]+)`?", re.I
    ),
    re.compile(
        r"\b(?:pull requests?|PRs?|patches|changes)\b[^.`]{0,60}?\b(?:against|target(?:ing|ed)?(?: at)?|to|into)\s+"
        r"(?:the\s+|our\s+)?`(?P<name>[\w./-]+)`(?:\s+branch)",
        re.IGNORECASE,
    ),
)
_BRANCH_NAMES = frozenset({"main", "master", "develop", "dev", "trunk", "development", "stable", "next"})
"""Names that a default branch has; anything else in such a sentence is a feature branch of an example."""
_OTHER_BRANCH = re.compile(
    r"\b(?:bug ?fix\w*|hotfix\w*|release|maintenance|backport\w*|security|feature|docs?|documentation)\b", re.I
)

_MANAGER = re.compile(
    r"(?:^|&&\s*|`)\s*(?P<name>npm|yarn|pnpm|bun)(?P<verb>\s+(?:install|ci|i))?(?:\s+--[\w-]+)*\s*(?=$|&&|`)"
)
_MAKE = re.compile(r"(?:^|&&\s*|`)\s*make\s+(?P<target>[a-z][\w.-]*)\s*(?=$|&&|`)")
_SCRIPT = re.compile(r"(?:^|&&\s*|`)\s*(?:npm|pnpm|yarn|bun) run (?P<target>[a-z][\w:.-]*)")
_ELSEWHERE = re.compile(r"\bcd\s|\s-C\s|--prefix|--filter|\s-w\s|--workspace|pushd")
_WORKING_FILES = re.compile(r"^contributing", re.IGNORECASE)
"""The one document that speaks of work on the project itself: what a README shows is often run elsewhere."""
_PAGES = re.compile(r"^(?:docs?|documentation)/", re.IGNORECASE)


def read(file: FileSeen) -> Statements:
    """The claims of one document, one for each question; a document that claims two things claims neither."""
    if translated(file):
        return
    name = PurePosixPath(file.path).name
    at_root = "/" not in file.path or file.path.startswith(".github/")
    found: dict[tuple[str, str], list[Statement]] = {}
    targets: dict[str, dict[str, int]] = {}
    for sentence in sentences(file.text, file.path):
        for statement in _claims(sentence, at_root=at_root, pages=bool(_PAGES.match(file.path))):
            found.setdefault((statement.subject, statement.attribute), []).append(statement)
        if at_root and _WORKING_FILES.match(name):
            for attribute, target in _targets(sentence):
                targets.setdefault(attribute, {}).setdefault(target, sentence.line)
            for statement in _managers(sentence):
                found.setdefault((statement.subject, statement.attribute), []).append(statement)
    for statements in found.values():
        if len({one.value for one in statements}) == 1:
            yield statements[0]
    for attribute, lines in targets.items():
        yield _named(attribute, lines)


def _claims(sentence: Sentence, *, at_root: bool, pages: bool) -> Iterator[Statement]:
    text = sentence.text
    if len(text) > CLAIM_CHARACTERS or _PAST.search(text):
        return
    if pages:
        yield from needs(sentence, users=True)
    yield from _needed_plainly(sentence)
    yield from _listed(sentence)
    yield from _line_length(sentence)
    yield from _coverage(sentence)
    if at_root:
        yield from _licence(sentence)
        yield from _branch(sentence)


_PLAINLY = tuple(
    (
        platform,
        re.compile(
            rf"\b(?i:requires?|needs?|prerequisites?:?)\s+(?:\w+\s+){{0,2}}?{platform[2]}\s+(?:version\s+)?v?"
            r"(?P<version>\d++(?:\.\d++){0,2}+)(?!\s*(?:\+|,?\s*(?:or|and|to|\d)|-|–|through))\b",
        ),
    )
    for platform in PLATFORMS
)


_REQUIREMENTS = re.compile(r"^(?:system )?(?:requirements?|prerequisites?|dependencies)\b", re.IGNORECASE)
_LISTED = tuple(
    (
        platform,
        re.compile(
            rf"^{platform[2]}\s*(?:version\s*)?[(:]?\s*(?:>=|≥|v)?\s*(?P<version>\d++(?:\.\d++){{0,2}}+)"
            r"\s*(?:\+|(?:,? ?or|and) (?:later|newer|higher|above|greater))?\)?\s*(?:\.|$)",
            re.IGNORECASE,
        ),
    )
    for platform in PLATFORMS
)


def _listed(sentence: Sentence) -> Iterator[Statement]:
    """An item of a list of requirements: `python (3.9+)`."""
    if sentence.bullet and _REQUIREMENTS.match(sentence.heading):
        for (subject, attribute, _, language, parts), pattern in _LISTED:
            if found := pattern.match(sentence.text):
                oldest = minimum_version(found["version"], parts)
                says = f"{SPOKEN[subject]} {oldest} or newer is required."
                yield _claim(subject, attribute, oldest, says, sentence.line, language)


def _needed_plainly(sentence: Sentence) -> Iterator[Statement]:
    """`Requires Node.js 18`: said without "or newer", and meant so."""
    for (subject, attribute, _, language, parts), pattern in _PLAINLY:
        if found := pattern.search(sentence.text):
            oldest = minimum_version(found["version"], parts)
            says = f"{sentence.text.rstrip('.')}."
            yield _claim(subject, attribute, oldest, says, sentence.line, language)


def _licence(sentence: Sentence) -> Iterator[Statement]:
    found = _LICENCE.search(sentence.text)
    if found is None or _LICENCE_OF_A_PART.search(sentence.text):
        return
    spdx = licence_id(re.sub(r"(?i)^(bsd[ -][23])$", r"\1-Clause", found["name"]))
    says = f"The project says that it is licensed under {spdx}."
    yield _claim(s.PROJECT, "licence", spdx, says, sentence.line)


def _line_length(sentence: Sentence) -> Iterator[Statement]:
    if _OF_OTHER_LINES.search(sentence.text):
        return
    for pattern in _LINE_LENGTH:
        if (found := pattern.search(sentence.text)) and LINE_LEAST <= int(found["columns"]) <= LINE_MOST:
            says = f"Lines are at most {found['columns']} characters long."
            yield _claim(s.CODE_STYLE, s.LINE_LENGTH, found["columns"], says, sentence.line)
            return


def _coverage(sentence: Sentence) -> Iterator[Statement]:
    text = sentence.text
    found = _COVERAGE.search(text)
    if found is None or not _COVERAGE_ASKED.search(text) or _NOT_DEMANDED.search(text):
        return
    share = found["after"] or found["before"]
    if float(share) <= 100:
        yield _claim(
            s.TESTS, "coverage_minimum", share, f"Tests must cover at least {share} % of the code.", sentence.line
        )


def _branch(sentence: Sentence) -> Iterator[Statement]:
    if _OTHER_BRANCH.search(sentence.text):
        return
    for pattern in _BRANCH:
        found = pattern.search(sentence.text)
        if found and found["name"].lower() in _BRANCH_NAMES:
            says = f"Changes are made against the branch `{found['name']}`."
            yield _claim(s.PROJECT, s.DEFAULT_BRANCH, found["name"], says, sentence.line)
            return


def _managers(sentence: Sentence) -> Iterator[Statement]:
    """The package manager that contributors are told to install with."""
    for text in (sentence.code, sentence.text):
        if _ELSEWHERE.search(text):
            continue
        for found in _MANAGER.finditer(text):
            if found["verb"] or found["name"] == "yarn":
                says = f"Contributors are told to install dependencies with {found['name']}."
                yield _claim(s.PROJECT, "package_manager", found["name"], says, sentence.line, "javascript")


def _targets(sentence: Sentence) -> Iterator[tuple[str, str]]:
    for text in (sentence.code, sentence.text):
        if not _ELSEWHERE.search(text):
            yield from ((s.MAKE_TARGETS, found["target"]) for found in _MAKE.finditer(text))
            yield from ((s.PACKAGE_SCRIPTS, found["target"]) for found in _SCRIPT.finditer(text))


def _named(attribute: str, lines: dict[str, int]) -> Statement:
    listed = " ".join(sorted(lines))
    if attribute == s.MAKE_TARGETS:
        says = f"Documents tell to run {', '.join(f'`make {target}`' for target in sorted(lines))}."
    else:
        says = f"Documents tell to run the package's scripts {', '.join(f'`{target}`' for target in sorted(lines))}."
    return _claim(s.PROJECT, attribute, listed, says, min(lines.values()))


def _claim(subject: str, attribute: str, value: str, says: str, line: int, language: str = "") -> Statement:
    return Statement(
        subject,
        attribute,
        value,
        says,
        line,
        language=language,
        confidence=DOCUMENTED,
        importance=Importance.TRIVIAL,
    )


READER = Reader(
    "documented",
    (
        "/README",
        "/README.md",
        "/README.rst",
        "/README.txt",
        "/CONTRIBUTING*",
        "/.github/CONTRIBUTING*",
        "/DEVELOPMENT.md",
        "/DEVELOPING.md",
        "/HACKING*",
        *(
            f"/{folder}/{page}.{ending}"
            for folder in ("docs", "doc", "documentation", "docs/en", "doc/en", "docs/source")
            for page in (
                "index",
                "install",
                "installation",
                "getting-started",
                "getting_started",
                "quickstart",
                "contributing",
            )
            for ending in ("md", "rst")
        ),
    ),
    read,
    document=True,
)
