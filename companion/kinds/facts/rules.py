"""Which sentences of a document are rules that whoever works on the project should keep.

A rule tells what to do (an imperative) or how things must be (all, every, must, never), and speaks
of the work itself: code, tests, commits, documentation. What is left out on purpose: how to report
issues, courtesy, how GitHub works, marketing, and whatever depends on a sentence before it.
"""

from __future__ import annotations

import re

LEAST_WORDS = 4
"""Words of a rule: `Write documentation` is a title."""

LEAST_CHARS, MOST_CHARS = 18, 340
"""Length of a rule: shorter ones lack their object, longer ones are explanations."""

_IMPERATIVE = re.compile(
    r"^(?:please,? )?(?:always |only )?(?:"
    r"use|run|add|write|keep|avoid|prefer|never|do not|don['’]t|make sure|ensure|be sure|include|update|put|place|"
    r"name|test|format|squash|rebase|follow|document|annotate|wrap|declare|define|return|raise|import|export|commit|"
    r"prefix|limit|remove|replace|treat|handle|check|verify|cover|mark|set|store|reference|mention|describe|"
    r"choose|stick|leave|respect|respond|regenerate|generate|rebuild|build|install|execute|"
    r"indent|capitali[sz]e|separate|order|sort|group|split|target|base|bump|tag|ask before|do all|no)\b(?!-)",
    re.IGNORECASE,
)
_DUTIES = (
    r"must|shall|should|never|need(?:s|ed)? (?:to|an?)|ha(?:s|ve) to|mandatory|forbidden|banned|not allowed|may not"
    r"|make sure|ensure|please(?! (?:see|read|refer|feel))"
)
_DUTY = re.compile(rf"\b(?:{_DUTIES})\b", re.IGNORECASE)
"""What makes a duty of a sentence."""
_ANNOUNCES = re.compile(rf"\b(?:{_DUTIES}|guidelines?|requirements?|rules|conventions)\b", re.IGNORECASE)
"""What makes a duty of each item of a list that it stands above."""
_CONDITION = re.compile(
    r"^(?:if|when|whenever|before|after|for|in|as|while|unless|once)\b[^,]{3,160},\s+", re.IGNORECASE
)
"""The condition under which the rest of a sentence holds."""
_TOPIC = re.compile(
    r"`[^`]+`|\b(?:tests?|testing|unit|coverage|commit|commits|message|subject line|changelog|"
    r"release notes?|format|formatted|"
    r"formatting|lint|linter|style|indent|tabs?|spaces?|quotes?|line length|characters|type hints?|annotations?|typed|"
    r"docstrings?|comments?|documentation|docs|api|public api|deprecat\w+|backwards?.compat\w*|breaking|benchmarks?|"
    r"dependenc\w+|branch|branches|rebase|squash|naming|camelcase|snake_case|class|classes|function|functions|method|"
    r"methods|variable|variables|constants?|import|imports|exception|exceptions|error handling|logging|log|migrations?|"
    r"version|versions|schema|generated|unsafe|panic|async|thread|performance|allocation|memory|security fix\w*|"
    r"pull requests?|PRs?|regression|fixture|mock|assert\w*|warnings?)\b",
    re.IGNORECASE,
)
_COMMUNITY = re.compile(
    r"\b(?:issue tracker|file an? issue|open an? (?:new )?(?:issue|discussion|ticket)|"
    r"existing issues?|report\w*|discussion\w*|"
    r"discord|slack|gitter|mailing list|stack ?overflow|irc|forum|sponsor\w*|donat\w+|star (?:the|"
    r"this|us)|thank\w*|welcome|checklist|template|"
    r"code of conduct|vulnerabilit\w+|feel free|fork\b|forking|your fork|clone|cloning|click|button|"
    r"download\w*|e-?mail|contact|"
    r"chat|twitter|newsletter|cla\b|contributor licen[cs]e agreement|sign the|question\w*|help (?:us|with|wanted)|"
    r"maintainers? will|we(?:'|’)ll|be patient|be respectful|be kind|good first issue|assign\w*|"
    r"duplicate|steps to reproduce|"
    r"reproduc\w+|already (?:filed|been|open\w*)|search (?:for|feature|the|open|existing|through)\b|"
    r"screenshot|upvote|hacktoberfest|github account|"
    r"sign up|log ?in|website|blog|gist|provide a link|"
    r"your changes \(|commit your changes|good commit messages?|existing (?:code |coding )?style|"
    r"push to the branch|push your (?:changes|branch|commits?|work)|"
    r"(?:create|make) (?:a|your) (?:new )?(?:feature )?branch|"
    r"tutorial|video|newcomers?|"
    r"first[- ]time|reviewer will|approved by|git (?:remote|clone|fetch|pull|checkout)|upstream|origin)\b",
    re.IGNORECASE,
)
_LEANING = re.compile(
    r"^(?:this|that|these|those|it|they|he|she|here|there|however|but|and|or|so|also|otherwise|therefore|thus|"
    r"additionally|furthermore|for example|note that|alternatively|finally|now|next|if you are|if you(?:'|’)re)\b",
    re.IGNORECASE,
)
_POINTS_BACK = re.compile(
    r"\b(?:that|these|those) (?P<thing>file|change|line|step|command|section|example|list|value|option|setting|script"
    r"|folder|directory|branch|commit|case|rule)s?\b",
    re.IGNORECASE,
)
"""A thing that another sentence has named."""
_FILLS_IN = re.compile(r"^replace\b.*\bwith (?:your|the (?:name|number|id|version|path|url)\b)", re.IGNORECASE)
"""How to fill in an example that stands elsewhere."""
_NOUN_FIRST = re.compile(
    r"^(?:each one|no one|nothing|(?:commit|test|name|document|format|build|version|tag|target|base|"
    r"order|group|mark|cover|"
    r"store|reference|export|import|update|check|use|run|set)s?(?: \w+)? (?:is|are|was|were|will|can|"
    r"has|have|may|live|lives)\b)",
    re.IGNORECASE,
)
"""What looks like an imperative and is a noun with its verb."""

_MODAL_SELF = re.compile(
    r"^(?:we|you|i|the|a|an|this) .*\bshould(?: now)? (?:see|be able|work|have|get|look|receive|find)\b", re.IGNORECASE
)
_NOT_ABOUT_WORK = re.compile(
    r"\bsee\b.{0,60}$|^(?:see|read|check out|visit|refer|consult|have a look|take a look|learn)\b|https?://|\bwww\.",
    re.IGNORECASE,
)


_ASIDE_HEADINGS = re.compile(
    r"issue|bug|report|question|help|support|communit|security|conduct|translat|donat|sponsor|looking for|contact|"
    r"getting started|installation|usage|example|troubleshoot|faq|proxy",
    re.IGNORECASE,
)


def holds_rules(heading: str) -> bool:
    """Whether rules may stand under a heading: not where people are told how to ask for help."""
    return not _ASIDE_HEADINGS.search(heading)


def is_rule(text: str, *, any_topic: bool = False) -> bool:
    """Whether a sentence without markup is a rule for the work on the project.

    `any_topic` is for files that hold little but rules.
    """
    if not LEAST_CHARS <= len(text) <= MOST_CHARS or text.endswith(("?", ":", "…", "...")):
        return False
    bare = text.lstrip("\"'(*_ ")
    if _COMMUNITY.search(bare) or _NOT_ABOUT_WORK.search(bare) or _MODAL_SELF.search(bare):
        return False
    if _LEANING.match(bare) or not (any_topic or _TOPIC.search(bare)) or len(bare.split()) < LEAST_WORDS:
        return False
    if re.search(r"\b(?:their|his|her|him|them|again|also)\b", bare) or re.search(
        r"\b(?:instead|above|below|following|here)\.?$|\bthe following (?:\w+ )?(?:commands?|steps?|format|lines?)\b",
        bare,
    ):
        return False
    if _NOUN_FIRST.match(bare) or _FILLS_IN.match(bare):
        return False
    if (back := _POINTS_BACK.search(bare)) and back["thing"].lower() not in bare[: back.start()].lower():
        return False
    if text.count("(") != text.count(")") or text.count("`") % 2:
        return False
    rest = bare[found.end() :] if (found := _CONDITION.match(bare)) else bare
    return _IMPERATIVE.match(rest) is not None or _DUTY.search(rest) is not None


def is_announced(text: str, announcement: str) -> bool:
    """Whether a list item is a rule because what announces its list makes one of it: `Your change should:`."""
    return (
        _ANNOUNCES.search(announcement) is not None
        and len(text.split()) >= LEAST_WORDS
        and not text.endswith(("?", ":"))
        and not (_COMMUNITY.search(text) or _NOT_ABOUT_WORK.search(text))
        and _TOPIC.search(text) is not None
    )


_PURPOSE: tuple[tuple[str, re.Pattern[str]], ...] = (
    ("single_test", re.compile(
        r"\b(?:single|specific|individual|one|particular|only (?:one|some)|subset|certain)\b.*\btests?\b|"
        r"\btests?\b.*\b(?:single|specific|individual|matching|subset)\b"
    , re.I)),
    ("coverage", re.compile(r"\bcoverage\b", re.I)),
    ("format", re.compile(r"\bformat(?:s|ted|ting|ter)?\b|auto-?format", re.I)),
    ("lint", re.compile(r"\blint(?:s|ing|er|ers)?\b|\bstatic analysis\b|\bcode style\b|\bcode checks\b", re.I)),
    ("typecheck", re.compile(r"\btype.?check(?:s|ing|er)?\b", re.I)),
    ("benchmark", re.compile(r"\bbenchmarks?\b", re.I)),
    ("docs", re.compile(r"\b(?:build|serve|generate|run|preview)\w*\b.*\b(?:docs?|documentation)\b", re.I)),
    ("test", re.compile(
        r"\b(?:run|running|execute|launch)\w*\b.*\btests?\b|\btest suite\b|^tests?$|^testing$|\bto test\b", re.I
    )),
    ("build", re.compile(r"\b(?:build|building|compile|compiling)\b", re.I)),
    ("setup", re.compile(
        r"\b(?:install|set ?up)\w*\b.*\b(?:dependenc\w+|development|environment|locally|hooks?|pre-commit|"
        r"requirements)\b"
    , re.I)),
)  # fmt: skip

_COMMAND = re.compile(
    r"^(?:(?:[A-Z_]+=\S+\s+)*)(?:\./|scripts/|bin/|script/)?(?:"
    r"npm|npx|pnpm|yarn|bun|deno|node|tsx|vitest|jest|python3?|py|pip3?|pipx|uv|uvx|poetry|pdm|hatch|"
    r"tox|nox|pytest|pre-commit|"
    r"ruff|black|mypy|make|cmake|ctest|meson|ninja|cargo|rustup|rustfmt|cross|go|golangci-lint|gofmt|"
    r"mvn|\./mvnw|mvnw|gradle|"
    r"\./gradlew|gradlew|bundle|rake|rspec|rubocop|ruby|gem|composer|phpunit|php|vendor/bin/\S+|"
    r"dotnet|docker|docker-compose|"
    r"podman|just|task|bazel|bazelisk|buck2|sh|bash|mkdocs|sphinx-build|autoreconf|configure|bin/\S+|"
    r"scripts/\S+|script/\S+|"
    r"autogen\.sh|tests?\.sh)(?=\s|$)"
)


def purpose(text: str, heading: str) -> str:
    """What a command is for, told from the sentence before it, else from its heading; empty if neither says."""
    for told in (text, heading):
        for name, pattern in _PURPOSE:
            if pattern.search(told):
                return name
    return ""


def is_command(text: str) -> bool:
    """Whether a code span or block is something to type, and short enough to be remembered.

    `make ensure-mkdocs` only fetches a tool for what the sentence speaks of.
    """
    return len(text) <= 160 and bool(_COMMAND.match(text.strip())) and " ensure-" not in text
