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
    r"create|choose|stick|leave|respect|respond|regenerate|generate|rebuild|build|install|execute|"
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
_PEOPLE = re.compile(
    r"\b(?:issue tracker|(?:open|file|create|report)\w* an? (?:new )?(?:issue|bug|ticket)|discussions?|discord|slack"
    r"|chat|gitter|forum|mailing list|irc|stack ?overflow|e-?mail|contact|maintainers?|reviewers?|newcomers?|sponsor\w*"
    r"|welcome|thank\w*|feel free|vulnerabilit\w+|questions?|fork\w*|clon(?:e|ing)|upstream|origin|button|cla"
    r"|sign (?:up|the)|log ?in|screenshots?|(?:commit|push) your|your (?:feature )?branch|feature branch|duplicate"
    r"|template|checklist|good commit messages?|existing (?:code |coding )?style)\b",
    re.IGNORECASE,
)
"""The talk with people and the mechanics of a request: not the work itself."""
_LEANING = re.compile(
    r"^(?:this|that|these|those|it|they|he|she|here|there|however|but|and|or|so|also|otherwise|therefore|thus|now|next|note"
    r"|additionally|furthermore|for (?:example|instance)|alternatively|finally|we|i|our|any|some"
    r"|you (?:can|may|might|could|will))\b",
    re.IGNORECASE,
)
"""How a sentence begins that goes on from another one, or orders nothing."""
_POINTS_BACK = re.compile(
    r"\b(?:that|these|those) (?:file|change|line|step|command|section|example|list|value|option|setting|script|folder"
    r"|directory|branch|commit|case|rule)s?\b|\b(?:their|his|her|him|them|again|also)\b|\b(?:instead|above|below|following"
    r"|here)\.?$|\bthe following\b|^replace\b.*\bwith (?:your|the)\b",
    re.IGNORECASE,
)
"""What another sentence or an example has named."""
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
    r"issue|bug|report|question|help|support|communit|security|conduct|translat|donat|sponsor|looking for|contact"
    r"|getting started|installation|usage|example|troubleshoot|faq|proxy|review|merg|clos(?:e|ing)|backport|categor"
    r"|area|label|plugin|maintain|fork|discuss|releas(?!e notes?)",
    re.IGNORECASE,
)
"""Headings under which people are told how to ask for help, or maintainers what to do."""


def holds_rules(heading: str) -> bool:
    """Whether rules may stand under a heading: not where people are told how to ask for help."""
    return not _ASIDE_HEADINGS.search(heading)


def orders_nothing(block: str) -> bool:
    """Whether a paragraph begins as one that tells of something: `We recognise`, `You can now`, `For instance`."""
    return _LEANING.match(block) is not None


def is_rule(text: str, *, any_topic: bool = False) -> bool:
    """Whether a sentence without markup is a rule for the work on the project.

    `any_topic` is for files that hold little but rules.
    """
    if not LEAST_CHARS <= len(text) <= MOST_CHARS or text.endswith(("?", ":", "…", "...")):
        return False
    bare = text.lstrip("\"'(*_ ")
    if any(p.search(bare) for p in (_PEOPLE, _NOT_ABOUT_WORK, _POINTS_BACK)) or _MODAL_SELF.search(bare):
        return False
    if _LEANING.match(bare) or _NOUN_FIRST.match(bare) or len(bare.split()) < LEAST_WORDS:
        return False
    if not (any_topic or _TOPIC.search(bare)) or text.count("(") != text.count(")") or text.count("`") % 2:
        return False
    return _orders(bare)


def _orders(text: str) -> bool:
    """Whether a sentence tells what to do, or how things must be, past the condition that it begins with."""
    rest = text[found.end() :] if (found := _CONDITION.match(text)) else text
    return _IMPERATIVE.match(rest) is not None or _DUTY.search(rest) is not None


def is_announced(text: str, announcement: str) -> bool:
    """Whether a list item is a rule because what announces its list makes one of it: `Your change should:`."""
    return (
        (_ANNOUNCES.search(announcement) is not None or _orders(announcement))
        and len(text.split()) >= LEAST_WORDS
        and not text.endswith(("?", ":"))
        and not (_PEOPLE.search(text) or _NOT_ABOUT_WORK.search(text))
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
