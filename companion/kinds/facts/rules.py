"""Which sentences of a document are rules that whoever works on the project should keep.

A rule tells what to do (an imperative) or how things must be (all, every, must, never), and speaks
of the work itself: code, tests, commits, documentation. What is left out on purpose: how to report
issues, courtesy, how GitHub works, marketing, and whatever depends on a sentence before it.
"""

from __future__ import annotations

import re

from companion.evidence.guides import DUTY
from companion.language.orders import orders_a_program
from companion.language.phrases import opens, says
from companion.language.word_lists import listed

LEAST_WORDS = 4
"""Words of a rule: `Write documentation` is a title."""

LEAST_CHARS, MOST_CHARS = 18, 340
"""Length of a rule: shorter ones lack their object, longer ones are explanations."""


_POINTING = re.compile(
    r"\b(?:(?:see|as|listed|described|shown|mentioned|explained|outlined|given)\s+(?:[\w-]+\s+){0,5}|the\s+(?:\w+\s+)?|with\s+)"
    r"(?:above|below)\b(?!\s+(?:\d|zero\b|the\b|an?\b|th(?:is|at)\b|its\b))|\b(?:above|below)[.)]*$"
    r"|\b(?:steps?|rules?|points?|items?|goto|if)\s+#\d",
    re.IGNORECASE,
)
"""Words that send the reader to another place of the document."""


def points_elsewhere(sentence: str) -> bool:
    """Whether a sentence leans on what stands above or below it in its document, or on a numbered step."""
    return _POINTING.search(sentence) is not None


def holds_rules(heading: str) -> bool:
    """Whether rules may stand under a heading: not where people are told how to ask for help."""
    return not says(heading, "written.rules.aside_headings") or says(heading, "written.rules.release_notes")


def orders_nothing(block: str) -> bool:
    """Whether a paragraph begins as one that tells of something: `We recognise`, `You can now`, `For instance`."""
    return opens(block, "written.leaning", "written.rules.telling") > 0


def is_rule(text: str, *, any_topic: bool = False) -> bool:
    """Whether a sentence without markup is a rule for the work on the project.

    `any_topic` is for files that hold little but rules.
    """
    if not LEAST_CHARS <= len(text) <= MOST_CHARS or text.endswith(("?", ":", "…", "...")):
        return False
    bare = text.lstrip("\"'(*_ ")
    if orders_nothing(bare) or says(bare, "written.rules.points_back", "written.rules.no_order"):
        return False
    if says(bare, "written.rules.talk") or says(_past_condition(bare), "written.rules.talk"):
        return False
    whole = text.count("(") == text.count(")") and text.count("`") % 2 == 0
    return (
        whole
        and len(bare.split()) >= LEAST_WORDS
        and (any_topic or _is_of_work(bare))
        and orders(bare)
        and not orders_a_program(bare)
    )


def _is_of_work(text: str) -> bool:
    return "`" in text or says(text, "written.rules.work")


def orders(text: str) -> bool:
    """Whether a sentence tells what to do, or how things must be, past the condition that it begins with."""
    rest = _past_condition(text)
    return opens(rest, "written.rules.imperative") > 0 or says(rest, DUTY)


def _past_condition(text: str) -> str:
    """What a sentence says behind the condition that it begins with, as in `For our workflow, see the wiki`."""
    return (opens(text, "written.rules.condition") and text.partition(", ")[2]) or text


def is_announced(text: str, announcement: str) -> bool:
    """Whether a list item is a rule because what announces its list makes one of it: `Your change should:`."""
    return (
        (says(announcement, DUTY, "written.rules.announces") or orders(announcement) or refuses(announcement))
        and len(text.split()) >= LEAST_WORDS
        and not text.endswith(("?", ":"))
        and not says(text, "written.rules.talk")
        and (_is_of_work(text) or refuses(announcement))
    )


def refuses(announcement: str) -> bool:
    """Whether what a sentence announces is not wanted in this project: `We are not accepting:`."""
    return says(announcement, "written.rules.refuses")


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
    r"autogen\.sh|tests?\.sh|(?<=\./)[\w./-]+\.(?:py|sh)|[\w-]+\.(?:py|sh)(?=\s+\S))(?=\s|$)"
)


_SETUP = re.compile(
    r"^(?:pip3?|python3? -m pip|pipx|npm|pnpm|yarn|bun|bundle|composer|poetry|pdm|uv(?: pip)?|gem|"
    r"rustup|cargo|go|brew|dotnet|pre-commit|prek|lefthook)\s+"
    r"(?:install|ci|i|sync|add|require|update|restore|get|uninstall|target|component|toolchain|"
    r"mod download|config)\b|^(?:yarn|bundle)$"
)
"""Commands that fetch tools and dependencies, as their first words say."""


def makes_ready(command: str) -> bool:
    """Whether a command only fetches what others need: `npm install && pip install -e .`."""
    return all(_SETUP.match(part) for part in command.split(" && "))


def purpose(text: str, heading: str) -> str:
    """What a command is for, told from the sentence before it, else from its heading; empty if neither says."""
    for told in (text, heading):
        for name in listed("written")["purpose"]:
            if says(told, f"written.purpose.{name}"):
                return str(name)
    return ""


def is_command(text: str) -> bool:
    """Whether a code span or block is something to type, and short enough to be remembered.

    `make ensure-mkdocs` only fetches a tool for what the sentence speaks of.
    """
    return len(text) <= 160 and bool(_COMMAND.match(text.strip())) and " ensure-" not in text
