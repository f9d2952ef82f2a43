"""What documents claim that manifests, settings and the file tree declare as well: the two are to meet.

README, CONTRIBUTING and the first pages of the documentation say which versions are needed, under which licence
the project is, how long a line may be, what tests must cover, which branch is the default, which package manager
and which make targets there are. Each claim is given under the subject and attribute of the declared fact, so that
a document which lags behind is found. Conservative: a sentence about the past, about a part of the project, about
somebody else, or with a condition claims nothing; nor does a document that names two values.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import PurePosixPath

from companion.evidence.guides import DUTY, READMES
from companion.kinds import subjects as s
from companion.kinds.facts.canonical import NAMED_LICENCES, licence_id
from companion.kinds.facts.documents import CLAIM_CHARACTERS, needs, translated
from companion.kinds.facts.prose_blocks import Sentence, sentences
from companion.kinds.facts.statement import DOCUMENTED, DeclaredStatement, FactReader, Statements
from companion.language.amounts import AT_MOST
from companion.language.phrases import parted, says
from companion.language.quantities import Quantity, quantities
from companion.records import FileSeen, Importance

LINE_LEAST, LINE_MOST = 60, 200
"""Columns that a limit of line length can be: less is about commit subjects, more about data."""

_LICENSED_WORDS = 6
"""Words of the longest name of a licence."""
_BRANCH_NAMES = frozenset({"main", "master", "develop", "dev", "trunk", "development", "stable", "next"})
"""Names that a default branch has; anything else in such a sentence is a feature branch of an example."""
_SPAN = re.compile(r"`([^`]+)`")
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
    found: dict[tuple[str, str], list[DeclaredStatement]] = {}
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


def _claims(sentence: Sentence, *, at_root: bool, pages: bool) -> Iterator[DeclaredStatement]:
    text = sentence.text
    if len(text) > CLAIM_CHARACTERS or says(text, "written.claims.past"):
        return
    if pages:
        yield from needs(sentence, users=True)
    amounts = quantities(text)
    yield from _line_length(sentence, amounts)
    yield from _coverage(sentence, amounts)
    if at_root:
        yield from _licence(sentence)
        yield from _branch(sentence)


def _licence(sentence: Sentence) -> Iterator[DeclaredStatement]:
    _, licensed, under = parted(sentence.text, "written.claims.licensed")
    if not licensed or says(sentence.text, "written.claims.part"):
        return
    words = re.sub(r"[`*.,]+(?=\s|$)|[`*]", "", under).split()[:_LICENSED_WORDS]
    known = (licence_id(" ".join(words[:end])) for end in range(len(words), 0, -1))
    if spdx := next((one for one in known if one in NAMED_LICENCES), ""):
        says_ = f"The project says that it is licensed under {spdx}."
        yield _claim(s.PROJECT, "licence", spdx, says_, sentence.line)


def _line_length(sentence: Sentence, amounts: Sequence[Quantity]) -> Iterator[DeclaredStatement]:
    if not says(sentence.text, "written.claims.lines") or says(sentence.text, "written.claims.other_lines"):
        return
    for amount in amounts:
        counted = says(amount.about, "written.claims.columns") or (amount.bound == AT_MOST and not amount.about)
        if amount.dimension == "count" and counted and LINE_LEAST <= amount.value <= LINE_MOST:
            says_ = f"Lines are at most {amount.value:.0f} characters long."
            yield _claim(s.CODE_STYLE, s.LINE_LENGTH, f"{amount.value:.0f}", says_, sentence.line)
            return


def _coverage(sentence: Sentence, amounts: Sequence[Quantity]) -> Iterator[DeclaredStatement]:
    text = sentence.text
    share = next((one.value for one in amounts if one.dimension == "percent"), None)
    asked = says(text, "written.purpose.coverage") and says(text, "written.claims.demanded", DUTY)
    if share is not None and asked and not says(text, "written.claims.reached"):
        says_ = f"Tests must cover at least {share:g} % of the code."
        yield _claim(s.TESTS, "coverage_minimum", f"{share:g}", says_, sentence.line)


def _branch(sentence: Sentence) -> Iterator[DeclaredStatement]:
    _, against, rest = parted(sentence.text, "written.claims.branch")
    if not against:
        _, against, rest = parted(sentence.text, "written.claims.against")
        rest = " ".join(_SPAN.findall(rest))
    name = next((word for word in re.findall(r"[\w./-]*\w", rest) if word.lower() in _BRANCH_NAMES), "")
    if against and name and not says(sentence.text, "written.claims.other_branch"):
        yield _claim(s.PROJECT, s.DEFAULT_BRANCH, name, f"Changes are made against the branch `{name}`.", sentence.line)


def _managers(sentence: Sentence) -> Iterator[DeclaredStatement]:
    """The package manager that contributors are told to install with."""
    for text in (sentence.code, sentence.text):
        if _ELSEWHERE.search(text):
            continue
        for found in _MANAGER.finditer(text):
            if found["verb"] or found["name"] == "yarn":
                says = f"The documentation says to install dependencies with {found['name']}."
                yield _claim(s.PROJECT, "package_manager", found["name"], says, sentence.line, "javascript")


def _targets(sentence: Sentence) -> Iterator[tuple[str, str]]:
    for text in (sentence.code, sentence.text):
        if not _ELSEWHERE.search(text):
            yield from ((s.MAKE_TARGETS, found["target"]) for found in _MAKE.finditer(text))
            yield from ((s.PACKAGE_SCRIPTS, found["target"]) for found in _SCRIPT.finditer(text))


def _named(attribute: str, lines: dict[str, int]) -> DeclaredStatement:
    listed = " ".join(sorted(lines))
    if attribute == s.MAKE_TARGETS:
        says = f"The documentation says to run {', '.join(f'`make {target}`' for target in sorted(lines))}."
    else:
        scripts = ", ".join(f"`{target}`" for target in sorted(lines))
        says = f"The documentation says to run the package's scripts {scripts}."
    return _claim(s.PROJECT, attribute, listed, says, min(lines.values()))


def _claim(subject: str, attribute: str, value: str, says: str, line: int, language: str = "") -> DeclaredStatement:
    return DeclaredStatement(
        subject,
        attribute,
        value,
        says,
        line,
        language=language,
        confidence=DOCUMENTED,
        importance=Importance.TRIVIAL,
    )


READER = FactReader(
    "documented",
    (
        *READMES,
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
            for ending in ("md", "rst", "adoc")
        ),
    ),
    read,
    document=True,
)
