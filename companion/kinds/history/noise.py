"""Which commits carry no meaning: what a maintainer would not want told to whoever comes next.

Noise is judged by author (robots that keep house), by subject (version bumps, releases, dependency
updates, formatting, typos, merges that only sync, work without a name, translations, lists of
people) and by the paths touched (documentation, continuous integration, lock files, generated files
only). A subject is also noise when no word of it says anything: "fix failing tests again" is made of
words that stand in every project's log. A subject that speaks of security is never noise.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache
from typing import NamedTuple

from companion.kinds.history.noise_words import ANYWHERE, JOINING, PHRASES, SAYS_NOTHING
from companion.records import Commit

_PREFIX = re.compile(
    r"^(?:\s|:[a-z_]+:|\[[^\]]{1,40}\]:?|[^\w\s#`'\"(\[<@./$:*!\\-]+"  # emoji, :emoji:, [4.x]
    r"|#\d+\s*[-:]?\s|[A-Z][\w.]*-\d+\s*:\s|\d+\.[x\d]+(?:\.[x\d]+)?\s+-\s)+"
)
_CONVENTIONAL = re.compile(
    r"^(?P<type>feat|feature|fix|bugfix|hotfix|perf|refactor|docs?|tests?|build|ci|chore|style|revert|deps?"
    r"|release|wip|security)(?:\((?P<scope>[^)]{1,60})\))?(?P<breaking>!)?:\s*",
    re.IGNORECASE,
)
_NUMBERED = re.compile(
    r"^(?P<type>bug|feature|minor|security|enhancement|task) #\d+ (?P<text>\S.*?)(?: \([\w.-]+(?:, ?[\w.-]+)*\))?$",
    re.IGNORECASE,
)
"""How some tools name a merge: sort, number, title and who wrote it: `bug #12 Fix the lexer (anna, ben)`."""
_QUEUED = re.compile(r"^(?:merge )?(?:#?\d+ )*#?\d+: (?P<text>\S.*?)\s+r=\S+(?:\s+a=\S+)*\s*$", re.IGNORECASE)
"""How a merge queue names a merge: numbers, title, who reviewed and who wrote it: `12: Fix the lexer r=anna a=ben`."""
_TAG = re.compile(r"^\s*\[(?P<type>docs?|tests?|ci|style|build|chore|deps|release)\]:?\s*(?=\S)", re.IGNORECASE)
"""A type in square brackets, which else name a line of releases: `[docs] …`."""
_SCOPE = re.compile(r"^(?P<scope>[A-Za-z0-9_.*/@#,{}&\- ]{1,40}?)(?P<breaking>!)?:\s+(?=\S)")
_ISSUE_SCOPE = re.compile(r"^(?:fix(?:e[sd])?\s+)issue\s*#?\d+$", re.IGNORECASE)
"""What reads as a scope and is what the rest answers: `fix issue575: …`."""
_REQUEST = re.compile(
    r"\s*(?:\((?:[\w./-]*#|GH-|PR ?#?|!)\d+\)|\[#\d+\]"
    r"|[,.;]?\s*\(?(?:close[sd]?|fix(?:e[sd])?|refs?|see|gh-?)\s*#\d+\)?)+\s*\.?$",
    re.IGNORECASE,
)

_BESIDES = re.compile(
    r"\s*(?:[,;+&]|\band\b|\bwith\b)\s*(?:(?:some|also|add(?:s|ed)?|updat(?:e|es|ed)|new|unit|the|its|a|an|and)\s+)*"
    r"(?:tests?|test ?cases?|docs?|documentation|changelog|snapshots?)"
    r"(?:\s*(?:,|and|&|\+)+\s*(?:tests?|docs?|documentation|changelog))*[\s.]*$",
    re.IGNORECASE,
)
"""What a commit did besides what its subject is about: `…, and tests`."""
BESIDES_AFTER = 3
"""Words before that from which the rest is a subject."""

_ROBOT = re.compile(
    r"dependabot|renovate|pre-commit-ci|greenkeeper|snyk|github-actions|allcontributors|imgbot|weblate|crowdin"
    r"|transifex|pyup|mergify|release-please|semantic-release"
    r"|automatic fixes|pull\[bot\]|codecov|styleci|depfu|deepsource"
    r"|restyled|autofix|actions-user|buildbot|jenkins|travis-ci|\bci\[bot\]",
    re.IGNORECASE,
)
_ADVISORY = re.compile(r"\bCVE-\d{4}-\d{4,}|\bGHSA(?:-\w{4}){3}\b", re.IGNORECASE)
SECURITY_FIX = "security fix"
"""What stands in a title for the number of an advisory that nothing names."""
_SECURITY = re.compile(
    r"\bCVE-\d{4}-\d+|\bGHSA-|\bsecurity (?:fix|issue|hole|flaw|bug|vuln|advisor)|\bvulnerabilit", re.IGNORECASE
)

_SECURITY_SIGNS = ("cve-", "ghsa-", "security", "vulnerabilit")
"""What any text that speaks of security contains: a look for these is quicker than the expression."""
_NOISE = re.compile("(?:" + "|".join(f"(?:{p})" for p in PHRASES) + r")[\s.!]*$", re.IGNORECASE)
_NOISE_WORD = re.compile(ANYWHERE, re.IGNORECASE)
_NOISE_TYPES = frozenset({"style", "release", "wip", "deps", "dep", "ci", "build", "test", "tests"})
_NOISE_SCOPES = frozenset(
    {
        "deps",
        "deps-dev",
        "release",
        "ci",
        "lint",
        "linter",
        "linting",
        "ruff",
        "eslint",
        "mypy",
        "typo",
        "typos",
        "locales",
        "i18n",
        "l10n",
        "triage",
        "ecosystem",
        "typing",
        "annotations",
        "bench",
        "benches",
        "benchmark",
        "benchmarks",
        "benchsuite",
        "brew",
        "demo",
        "demos",
        "minor",
        "nit",
        "playground",
        "sample",
        "samples",
        "trivial",
        "website",
        "fuzz",
        "packaging",
        "pkg",
        "repo",
    }
)

_SCOPE_PARTS = re.compile(r"[\s/,&]+")
_WORDS = re.compile(r"[^\W_][\w'.-]*")

_DOC_PATH = re.compile(
    r"(?:^|/)(?:examples?|samples?|demos?|scripts|docs?|documentation|docs[_-]src|website|site|www|blog|changelogs?"
    r"|changes|newsfragments|news|\.changeset|wiki|man"
    r"|screenshots|assets|img|images)/"
    r"|\.(?:md|mdx|rst|adoc|asciidoc|txt|png|svg|jpe?g|gif|po|pot|mo)$"
    r"|(?:^|/)(?:changelog|changes|news|history|authors|contributors|licen[cs]e(?:-\w+)?|copying|readme|notice|thanks"
    r"|credits"
    r"|maintainers|codeowners)(?:\.\w+)?$",
    re.IGNORECASE,
)
_CI_PATH = re.compile(
    r"^\.(?:github|gitlab|circleci|azure|buildkite|ci|semaphore|devcontainer|vscode|idea|husky|agents|claude"
    r"|cursor)(?:/|$)"
    r"|^\.[\w.-]+(?:\.ya?ml|\.json|\.toml|rc|ignore|attributes|\.rb)?$"
    r"|(?:^|/)(?:appveyor|azure-pipelines|codecov|netlify|vercel|cirrus|renovate|dependabot|wercker|circle|mkdocs"
    r"|lefthook)\.(?:ya?ml|json|toml)$"
    r"|(?:^|/)(?:Jenkinsfile|tox\.ini|noxfile\.py|(?:GNU)?Makefile|Dockerfile[\w.-]*|docker-compose[\w.-]*|Vagrantfile"
    r"|Rakefile|[Gg]ulpfile\.\w+|Gruntfile\.\w+)$"
    r"|\.nix$|^ci/",
    re.IGNORECASE,
)
_LOCK_PATH = re.compile(
    r"(?:^|/)(?:[\w.-]*lock(?:\.json|\.ya?ml|b)?|go\.(?:sum|mod)|package\.json|tsconfig[\w.-]*\.json|biome\.jsonc?"
    r"|[\w.-]+\.config\.[cm]?[jt]s|MANIFEST\.in|composer\.json|Cargo\.toml|pyproject\.toml"
    r"|setup\.(?:py|cfg)|mix\.exs|rebar\.config|build\.sbt|pubspec\.yaml|shard\.yml|Package\.swift|[\w.-]+\.(?:cs|fs)proj"
    r"|pom\.xml|build\.gradle(?:\.kts)?|gradle\.properties|Gemfile|[\w-]+\.gemspec"
    r"|requirements[\w./-]*\.(?:txt|in)|npm-shrinkwrap\.json|_?version(?:s|info)?\.\w+|__about__\.py|VERSION)$",
    re.IGNORECASE,
)
_GENERATED_PATH = re.compile(
    r"(?:^|/)(?:dist|vendor|node_modules|third_party|generated|__generated__|__snapshots__)/|\.(?:min\.js|map|snap"
    r"|pb\.go)$"
)
_LOCALE_PATH = re.compile(
    r"(?:^|/)(?:locales?|i18n|l10n|lang|translations"
    r"|messages)/(?:[^/]+/)*?[a-z]{2,3}(?:[-_][A-Za-z]{2,4})?(?:/[^/]+)?\.\w+$"
)
"""What is told to users of one language: `locales/nl.ts`, `lang/pt-BR/auth.php`."""
_TEST_PATH = re.compile(
    r"(?:^|/)(?:tests?|[a-z]\w*Tests?|test[_-]?suite|integration[_-]tests?|testing|__tests__|specs?|e2e|testdata"
    r"|fixtures|benches"
    r"|benchmarks?|play(?:ground)?)/"
    r"|(?:^|/)(?:test_[^/]*|conftest\.py|[^/]*(?:_test|_spec|\.test|\.spec|Tests?|IT)\.[A-Za-z]+)$"
)

_SILENT = SAYS_NOTHING | JOINING
_REMEMBERED = 65_536
"""Subjects and paths whose verdict is kept within a process; each is asked for several times."""

_TELLS_OF = re.compile(
    r"\b(?:changelog|docs?|document\w*|readme|release notes|policy|policies|advisor\w+|contact)\b", re.IGNORECASE
)


class Bare(NamedTuple):
    """A subject without its dress; type and scope are lower case, empty where there are none."""

    text: str
    type: str
    scope: str
    breaking: bool


def robot(commit: Commit) -> bool:
    """Whether a housekeeping program wrote it; merges are judged by what they merge."""
    return not commit.is_merge and _keeps_house(commit.author.name, commit.author.email)


@lru_cache(maxsize=4_096)
def _keeps_house(name: str, email: str) -> bool:
    return bool(_ROBOT.search(name) or _ROBOT.search(email))


def security(text: str) -> bool:
    """Whether a text speaks of a weakness that could be abused."""
    lowered = text.lower()
    return any(sign in lowered for sign in _SECURITY_SIGNS) and _SECURITY.search(text) is not None


def advisory_in(text: str) -> str:
    """The first number of an advisory that a text names; empty without one."""
    return found[0] if security(text) and (found := _ADVISORY.search(text)) else ""


@lru_cache(maxsize=_REMEMBERED)
def bare_subject(subject: str) -> Bare:
    """What a subject says, apart from emoji, branch tags, type and scope, and the request's number."""
    if found := _QUEUED.match(subject):
        subject = found["text"]
    if found := _NUMBERED.match(subject):
        return Bare(found["text"], {"bug": "fix"}.get(found["type"].lower(), found["type"].lower()), "", False)
    if tag := _TAG.match(subject):
        return Bare(subject[tag.end() :], tag["type"].lower(), "", False)
    text = _PREFIX.sub("", subject.strip())
    if "#" in text or "!" in text or "GH-" in text:
        text = _REQUEST.sub("", text)
    if (besides := _BESIDES.search(text)) and text[: besides.start()].count(" ") + 1 >= BESIDES_AFTER:
        text = text[: besides.start()]
    if found := _CONVENTIONAL.match(text):
        rest = text[found.end() :]
        return Bare(rest or text, found["type"].lower(), (found["scope"] or "").lower(), bool(found["breaking"]))
    if (found := _SCOPE.match(text)) and found["scope"].count(" ") <= 2:
        if _ISSUE_SCOPE.match(found["scope"]):
            return Bare(f"fix {text[found.end() :]}", "", "", False)
        return Bare(text[found.end() :], "", found["scope"].lower().strip(), bool(found["breaking"]))
    return Bare(text, "", "", False)


def without_number(subject: str) -> str:
    """The title alone of a merge that its tool numbered and signed; any other subject as it is."""
    found = _QUEUED.match(subject) or _NUMBERED.match(subject)
    return found["text"] if found else subject


@lru_cache(maxsize=_REMEMBERED)
def noise_subject(subject: str) -> bool:
    """Whether a subject alone says that nothing worth remembering happened."""
    if security(subject) and not _TELLS_OF.search(subject):
        return False
    bare = bare_subject(subject)
    if bare.type in _NOISE_TYPES or _NOISE_SCOPES.union(_NOISE_TYPES).intersection(_SCOPE_PARTS.split(bare.scope)):
        return True
    if not telling_words(bare.text) or _NOISE_WORD.search(bare.text):
        return True
    return _NOISE.match(bare.text) is not None


@lru_cache(maxsize=_REMEMBERED)
def telling_words(text: str) -> tuple[str, ...]:
    """The words of a subject that are not in every project's log, at least two letters long."""
    found = (word.rstrip(".'") for word in _WORDS.findall(text.lower()))
    return tuple(word for word in found if len(word) > 1 and word not in _SILENT and not word.isdigit())


def only_quiet_paths(paths: Iterable[str]) -> bool:
    """Whether all paths are documentation, CI, manifests, locks or generated; False for none."""
    seen = False
    for path in paths:
        seen = True
        if not quiet_path(path):
            return False
    return seen


@lru_cache(maxsize=_REMEMBERED)
def quiet_path(path: str) -> bool:
    """Whether a change of this file alone is seldom worth an episode."""
    return bool(
        _DOC_PATH.search(path)
        or _CI_PATH.search(path)
        or _LOCK_PATH.search(path)
        or _GENERATED_PATH.search(path)
        or _LOCALE_PATH.search(path)
    )


def only_ci_paths(paths: Iterable[str]) -> bool:
    """Whether all paths are of continuous integration and the tools around the code; False for none."""
    found = list(paths)
    return bool(found) and all(_CI_PATH.search(path) for path in found)


def only_tests_or_prose(paths: Iterable[str]) -> bool:
    """Whether all paths are tests or documentation, so that nothing which is shipped changed; False for none."""
    found = list(paths)
    return bool(found) and all(test_path(path) or _DOC_PATH.search(path) for path in found)


@lru_cache(maxsize=_REMEMBERED)
def test_path(path: str) -> bool:
    """Whether a path is a test by its folder or name."""
    return bool(_TEST_PATH.search(path))
