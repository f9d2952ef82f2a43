"""Whether an action breaks a limit: goes wider, does what is forbidden, leaves out what is asked for, passes a number.

A judge of statements asks whether two can both hold; an imperative and a rule nearly always can: “retry every request”
denies no word of “retry only idempotent requests”. Where the words do not say, nothing is found: silence is no breach.
"""

from __future__ import annotations

import math
import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass, replace
from functools import lru_cache

from companion.judging.comparing.compare import compare
from companion.judging.lexicon import TURN
from companion.judging.reading.bounds import AT_LEAST, AT_MOST
from companion.judging.reading.quantities import Quantity, as_rate, disjoint, quantities
from companion.reason.limits import (
    READ,
    READ_CHARS,
    WHO,
    Always,
    Limit,
    Never,
    OneByOne,
    Only,
    Rule,
    rules,
    stems_of,
    uncontracted,
    words,
)
from companion.records import Statement

MOST_OF = 0.5
"""Share of the words of a limit that an action must name to be about it."""
SURELY_OF = 0.75
"""The same where the verb is another: “do not touch the staging cluster on Fridays”, “restart the staging cluster”."""

_WIDE = re.compile(
    r"\b(?:every(?:thing|one|body|where)?|all|any(?:thing|one|body|where)?|whatever|regardless|always|whole|entire"
    r"|public(?:ly)?|unconditionally|freely|unrestricted)\b(?: \w+){0,2}",
    re.IGNORECASE,
)
_AT_ONCE = re.compile(
    r"\b(?:right away|immediately|at once|directly|straight away|instantly|as soon as|on (?:receipt|arrival)|up front"
    r"|beforehand|before)\b",
    re.IGNORECASE,
)
_TOGETHER = re.compile(
    r"\b(?:at once|together|in parallel|simultaneously|concurrently|at the same time)\b", re.IGNORECASE
)
_LEAVES_OUT = re.compile(
    r"\b(?P<cue>without|outside(?: of)?|skip(?:s|ping)?|bypass(?:es|ing)?|circumvent(?:ing)?|leav(?:e|ing) out"
    r"|omit(?:ting)?|disabl(?:e|ing)|turn(?:ing)? off|switch(?:ing)? off|drop(?:ping)?|remov(?:e|ing)|ignor(?:e|ing)"
    r"|stop(?:ping)?|impossible to|instead of|rather than|no|not|never|lacking|lacks|despite)\b\s+(?P<what>[^,;.]+)",
    re.IGNORECASE,
)
_LESSER = re.compile(
    r",?\s+\b(?:before|after|so that|so it|such that|until|because|since|while|to (?:avoid|prevent))\b.*$",
    re.IGNORECASE,
)
_JOINT = re.compile(r"[,;:]\s*|\b(?:and|then|or|but)\b\s*", re.IGNORECASE)
_SLOT = re.compile(
    r"\b(?P<side>on|in|inside|from|by|to|into|over|via|with|for|at)\s+"
    r"(?P<end>(?:(?!\b(?:on|in|inside|from|by|to|into|over|via|with|for|at|when|while)\b)[^,;.])+)",
    re.IGNORECASE,
)
_CONDITIONS = frozenset({"after", "once", "when", "if", "as soon as"})
_LETS = re.compile(r"(?:let|allow|permit|enable|have|make)\b", re.IGNORECASE)
LET_WORDS = 5
"""Words behind a “let” among which its verb is: “let the reporting service read”."""
SHORT = 3
"""Words of an action that does what is forbidden anywhere: “deploy now”."""
QUOTED_BEFORE, QUOTED_WORDS = 30, 4
"""Signs before an amount that are looked at for its bound, and words shown with it."""
_LIKE = {"in": "inside", "inside": "in", "to": "into", "into": "to", "via": "over", "over": "via"}
_PATH = re.compile(r"(?<!\w)/\w|\w/\w")
_MORE_THAN = re.compile(r"\b(?:more|longer|older|larger|bigger|higher|greater) than\s*$", re.IGNORECASE)
_DENIED = re.compile(r"\b(?:no|not|never|none|nobody|nothing|cannot)\b", re.IGNORECASE)
_WEAK = stems_of("touch use need break change edit alter modify tamper affect")
"""Verbs of a rule that another verb of a deed may stand for."""
_HARMLESS = stems_of(
    "list read show print log count explain describe document check test review look find search mock fake stub"
    " mask redact strip block refuse reject forbid prevent guard warn ask rename split"
)
"""Verbs of an action that do not do what another verb forbids, or keep it from being done."""


@dataclass(frozen=True, slots=True)
class Breach:
    """That an action breaks a limit: the words of the memory, those of the action, and in which way."""

    limit: str
    action: str
    how: str

    @property
    def why(self) -> str:
        """As it is told."""
        return f"“{self.limit}” is {self.how} by “{self.action}”"


@dataclass(frozen=True, slots=True)
class Deed:
    """An action as it is read: its words, what it plainly does, its leading verbs, what it leaves out, how wide."""

    text: str
    words: tuple[str, ...]
    does: frozenset[str]
    verbs: frozenset[str]
    without: tuple[tuple[str, frozenset[str]], ...]
    turned: frozenset[str]
    wide: str


def breach(action: str, memory: str) -> Breach | None:
    """The first limit of a memory that an action breaks; None where it breaks none, or where nobody can tell."""
    deed = read_deed(action)
    for rule in rules(memory):
        if _excepted(rule, deed):
            continue
        found = next((one for limit in rule.limits if (one := _broken(limit, deed)) is not None), None)
        found = found or _passed(rule.text, deed)
        if found is not None:
            return found
    return None


def observes(action: str, memory: str) -> bool:
    """Whether a rule that was read here is kept, so that words or numbers which the two share deny nothing.

    “Move poison messages away” shares its words with “never requeue poison messages”, and does not requeue; five are
    at least three. Where two values clash, or one says the opposite of the other, that stands.
    """
    found, deed = rules(memory), read_deed(action)
    if breach(action, memory) is not None:
        return False
    limits = [limit for rule in found for limit in rule.limits]
    if any(_excepted(rule, deed) for rule in found) or (limits and all(_spares(one, deed) for one in limits)):
        return True
    pairs = [(rule.text, *pair) for rule in found for pair in _pairs(rule.text, deed)]
    within = bool(pairs) and all(not disjoint(bound, one) or _apart(text, deed) for text, bound, one in pairs)
    if not within and not any(_shuts_out(one) for one in limits):
        return False
    beside = compare(Statement(action), Statement(memory))
    clash = beside.values_opposed or beside.poles_opposed or beside.ends_opposed
    return not clash and (within or not beside.numbers.opposed)


@lru_cache(maxsize=READ)
def read_deed(action: str) -> Deed:
    """An action as it is read."""
    text = uncontracted(action[:READ_CHARS].strip())
    main = _LESSER.sub("", text)
    left = tuple((one[0].strip(), frozenset(words(one["what"]))) for one in _LEAVES_OUT.finditer(text))
    plainly = _LEAVES_OUT.sub(" ", main) if not _LEAVES_OUT.match(main) else ""
    told = words(text)
    return Deed(
        text,
        told,
        frozenset(words(plainly)),
        frozenset(_verbs(main)),
        left,
        frozenset(word.removeprefix(TURN) for word in told if word.startswith(TURN)),
        wide[0].strip() if (wide := _WIDE.search(text)) else "",
    )


def _excepted(rule: Rule, deed: Deed) -> bool:
    """Whether an action is of what a rule excepts."""
    return bool(rule.but) and _share(rule.but, deed.words) > MOST_OF


def _spares(limit: Limit, deed: Deed) -> bool:
    """Whether a limit is kept beyond doubt: it forbids that of something else, or what it waits for is done."""
    if isinstance(limit, Only):
        return limit.side in _CONDITIONS and bool(limit.allowed & deed.does)
    return isinstance(limit, Never) and bool(limit.what) and not limit.what & set(deed.words)


def _shuts_out(limit: Limit) -> bool:
    """Whether a limit is said with a “not” or an “only”, which a judge may take for a denial of all its words."""
    return isinstance(limit, Never | Only) or (isinstance(limit, Always) and limit.denied)


def _broken(limit: Limit, deed: Deed) -> Breach | None:
    match limit:
        case Only():
            return _sooner(limit, deed) or _wider(limit, deed) or _elsewhere(limit, deed)
        case OneByOne():
            together = _TOGETHER.search(deed.text)
            fits = together is not None and _share(limit.of, deed.words) >= MOST_OF
            return Breach(limit.quote, together[0], "broken") if together and fits else None
        case Never():
            return _forbidden(limit, deed)
        case Always():
            return _left_out(limit, deed)


def _sooner(only: Only, deed: Deed) -> Breach | None:
    """What may be done only after something, done without waiting for it."""
    if only.side not in _CONDITIONS or _share(only.of, deed.words) < MOST_OF or only.allowed & deed.does:
        return None
    at_once = _AT_ONCE.search(deed.text)
    left = next((cue for cue, what in deed.without if what & only.allowed), "")
    if at_once is None and not left:
        return None
    return Breach(only.quote, at_once[0] if at_once else left, "not waited for")


def _wider(only: Only, deed: Deed) -> Breach | None:
    """What is allowed of some, done to all."""
    if not deed.wide or only.side in _CONDITIONS or _share(only.allowed, deed.words) > MOST_OF:
        return None
    if not only.of & set(deed.words) or _share(only.of, deed.words) < MOST_OF:
        return None
    return Breach(only.quote, deed.wide, "widened")


def _elsewhere(only: Only, deed: Deed) -> Breach | None:
    """What is allowed in one place, or of one sort, done in or of another."""
    if only.side in _CONDITIONS or not only.of or not only.of <= set(deed.words):
        return None
    if _share(only.allowed, deed.words) > MOST_OF:
        return None
    sides = {"in", "inside", "from", "by"} if only.side == WHO else {only.side, _LIKE.get(only.side, only.side)}
    for slot in _SLOT.finditer(deed.text):
        end = frozenset(words(slot["end"]))
        if slot["side"].lower() in sides and end - only.allowed - only.of and not only.allowed <= end:
            return Breach(only.quote, slot[0].strip(), "left")
    for before, word in zip(deed.words, deed.words[1:], strict=False):
        if word in only.allowed and before not in only.allowed | only.of and not _is_name(before, deed):
            return Breach(only.quote, f"{before} {word}", "left")
    return None


def _forbidden(never: Never, deed: Deed) -> Breach | None:
    """What must not be done, plainly done."""
    if never.under and _share(never.under, deed.words) <= MOST_OF and not deed.wide:
        return None
    share = _share(never.what, deed.does)
    if not never.verbs:
        done = bool(never.what) and share == 1
    elif never.verbs & _WEAK:
        done = bool(never.what) and share >= SURELY_OF and bool(deed.verbs - _HARMLESS)
    else:
        done = bool(never.verbs & deed.verbs) and (share >= MOST_OF if never.what else len(deed.words) <= SHORT)
    return Breach(never.quote, deed.text, "broken") if done else None


def _left_out(always: Always, deed: Deed) -> Breach | None:
    """What is asked for, left out, skipped, or turned off."""
    every = frozenset(deed.words)
    for cue, what in deed.without:
        others = (every - what) & always.of or deed.text.startswith(cue) or _PATH.search(deed.text)
        if what & always.asks and others:
            return Breach(always.quote, cue, "left out")
    turned = deed.turned & always.asks
    if turned and every & always.of:
        return Breach(always.quote, f"not {' '.join(sorted(turned))}", "left out")
    return None


def _passed(rule: str, deed: Deed) -> Breach | None:
    """A number beyond what a rule bounds, of the same thing."""
    for bound, one in _pairs(rule, deed):
        if disjoint(bound, one) and not _apart(rule, deed):
            return Breach(_quoted(rule, bound), _quoted(deed.text, one), "passed")
    return None


def _pairs(rule: str, deed: Deed) -> Iterator[tuple[Quantity, Quantity]]:
    """What a rule bounds, with the numbers of an action that measure the same."""
    given = [as_rate(one) for one in quantities(deed.text)]
    shared = frozenset(words(rule)) & frozenset(deed.words)
    for bound in (as_rate(_bounded(one, rule)) for one in quantities(rule) if given):
        for one in given:
            about, other = frozenset(words(bound.about)), frozenset(words(one.about))
            counted = bool(about & other)
            alike = bound.dimension == one.dimension and (counted or bound.dimension != "count")
            if bound.bound in {AT_LEAST, AT_MOST} and alike and (counted or shared - about - other):
                yield bound, one


def _bounded(one: Quantity, rule: str) -> Quantity:
    """“No longer than a week”, “no class has more than one base”: a denied more is an at most."""
    before = rule[: one.place]
    if one.bound == AT_LEAST and _MORE_THAN.search(before) and _DENIED.search(before):
        return replace(one, bound=AT_MOST, low=-math.inf, high=one.low)
    return one


def _apart(rule: str, deed: Deed) -> bool:
    """Whether the two speak of two sorts of one thing: the small machine and the big one."""
    found = compare(Statement(deed.text), Statement(rule))
    return bool(found.told_apart or found.things_apart)


def _quoted(text: str, one: Quantity) -> str:
    """An amount with the words that bound it."""
    return " ".join(text[max(0, one.place - QUOTED_BEFORE) : one.place + len(one.quote)].split()[-QUOTED_WORDS:])


def _verbs(main: str) -> Iterator[str]:
    """The words that clauses begin with, and those that stand behind a “let”."""
    for part in _JOINT.split(main):
        told = words(part)
        yield from told[: 1 + LET_WORDS] if _LETS.match(part.strip()) else told[:1]


def _is_name(word: str, deed: Deed) -> bool:
    """Whether a word is a name in capitals, which may well be one of those that are allowed: GET is idempotent."""
    return re.search(rf"\b{re.escape(word.upper())}\b", deed.text) is not None and not word[:1].isdigit()


def _share(some: frozenset[str], of: Collection[str]) -> float:
    """Share of some words that are among others; all of none."""
    return len(some & frozenset(of)) / len(some) if some else 1.0
