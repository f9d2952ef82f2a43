"""A rule as a limit: what it is about, and what alone it allows, forbids or asks for; what it excepts stands beside it.

“Retry only idempotent requests” allows, of what retries, idempotent requests alone. “Never run migrations outside a
transaction” asks for the transaction. Words are stems, those of one meaning read alike, as the judges read them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from companion.judging.lexicon import TURN, lexicon, stem
from companion.reason.words import IRREGULAR

READ_CHARS = 1_000
"""Signs of a text that are read: a rule is a sentence or two."""
READ = 1_024
"""Texts kept as read, some 3 kB each: an action is held against a score of memories."""

_SENTENCE = re.compile(r"(?<=[.;!?])\s+|\n+|;\s*|(?<!\s)\s++[-–—]++\s++")
_WORD = re.compile(r"/[\w./-]+|[^\W_][\w.+#/'-]*|_\w+")
_BUT = re.compile(
    r",?\s*\b(?:except(?: for)?|unless|excluding|apart from|other than|besides|with the exception of)\b\s*",
    re.IGNORECASE,
)
_EXEMPT = re.compile(r"^(?P<who>.+?)\s+(?:is|are)\s+(?:exempt\w*|excepted|excluded|the exceptions?)\b", re.IGNORECASE)
_INSTEAD = re.compile(r",\s+(?:not|never)\s+|(?:,|(?<![\s,]))\s++(?:instead of|rather than)\s+", re.IGNORECASE)
_LAST_SIDE = re.compile(r"\b(?:on|in|from|by|to|over|via|with|at)\b(?!.*\b(?:on|in|from|by|to|over|via|with|at)\b)")
_NOBODY_BUT = re.compile(r"\b(?:nobody|no one|none|nothing) (?:but|except|other than|besides)\b", re.IGNORECASE)
_NOT = re.compile(
    r"\b(?:(?:do|does|must|may|should|shall|can|will|is|are) not(?: ever)?|must never|cannot|never|not|avoid"
    r"|refrain from|nobody|no one|nothing|none|no longer|no)\b\s*(?:be\s+)?",
    re.IGNORECASE,
)
_FORBIDDEN = re.compile(
    r"(?:(?<!\s)\s++)?\b(?:is|are)\s+(?:strictly )?"
    r"(?:forbidden|prohibited|banned|not allowed|not permitted|off limits)\b",
    re.IGNORECASE,
)
_UNDER = re.compile(r"\b(?:with|on|in|at|during|while|when|if|by|under|for)\b", re.IGNORECASE)
_ONLY = re.compile(r"\b(?:only|solely|exclusively|nothing but)\b\s*", re.IGNORECASE)
_ONE_BY_ONE = re.compile(r"\b(?:one (?:at a time|by one|after (?:the )?(?:other|another))|in turn)\b", re.IGNORECASE)
_OUTSIDE = re.compile(r"\b(?:outside(?: of)?|without)\b\s*", re.IGNORECASE)
_ASKS = re.compile(
    r"\b(?:always|every|each|all|any|must|shall|needs?|requires?|required|mandatory|ha(?:s|ve) to|should)\b",
    re.IGNORECASE,
)
_SAYS = re.compile(r"\b(?:is|are|must|needs?|requires?|ha(?:s|ve)(?: to)?|should|comes? with|gets?)\b", re.IGNORECASE)
_MEASURED = re.compile(
    r"\b(?:more|less|fewer|longer|older|larger|bigger|higher|lower|newer)(?: \w+){0,2} than\b", re.IGNORECASE
)
_WHO_MAY = re.compile(
    r"(?P<who>.+?)\s+(?:may|can|is allowed to|are allowed to|should|must|ha(?:s|ve) to|does|do|is|are|gets?"
    r"|needs?|uses?|requires?)\b",
    re.IGNORECASE,
)
_END = re.compile(
    r"(?P<what>\w.+?)\s+\b(?P<side>on|in|inside|from|by|to|into|over|via|with|for|at|after|once|when|if)\b\s+(?P<end>.+)",
    re.IGNORECASE,
)
WHO = "who"
"""Stands for the side of an “only” that says who may."""


def stems_of(words: str) -> frozenset[str]:
    """The stems of words with blanks between them."""
    return frozenset(map(stem, words.split()))


_FILLING = stems_of(
    "itself themselves right away leave let once ever very just our your their his her be been being is are at most"
    " least over under do does"
)
"""Words that say nothing of what is limited, beside those that the judges keep silent about."""


@dataclass(frozen=True, slots=True)
class Only:
    """Of what is done (`of`), only so much is allowed (`allowed`); `side` is the preposition that stands before it."""

    of: frozenset[str]
    allowed: frozenset[str]
    side: str
    quote: str


@dataclass(frozen=True, slots=True)
class OneByOne:
    """Several are never done together."""

    of: frozenset[str]
    quote: str


@dataclass(frozen=True, slots=True)
class Never:
    """What must not be done: the verbs that say so, if they are, by or to whom, and where or how (`under`)."""

    verbs: frozenset[str]
    what: frozenset[str]
    under: frozenset[str]
    quote: str


@dataclass(frozen=True, slots=True)
class Always:
    """What is asked for (`asks`), of what (`of` has the words of both); `denied` if by a “never without”."""

    of: frozenset[str]
    asks: frozenset[str]
    quote: str
    denied: bool = False


Limit = Only | OneByOne | Never | Always


@dataclass(frozen=True, slots=True)
class Rule:
    """One sentence of a memory with its limits, and the words of what it excepts."""

    text: str
    limits: tuple[Limit, ...]
    but: frozenset[str]


def uncontracted(text: str) -> str:
    """A text whose “don't” is “do not”."""
    return re.sub(r"n['’]t\b", " not", text.replace("can not", "cannot"))


def words(text: str) -> tuple[str, ...]:
    """The telling words of a text as stems, in order; words of one meaning alike, numbers as they stand."""
    stems = [stem(IRREGULAR.get(word, word)) for word in _split(text)]
    found = []
    for one in stems:
        turn, bare = one[: len(TURN)] if one.startswith(TURN) else "", one.removeprefix(TURN)
        like = lexicon().same.at((bare,), 0)
        found.append(turn + (like[1] if like else bare))
    return tuple(word for word in found if word and (word[0].isdigit() or not _is_silent(word)))


@lru_cache(maxsize=READ)
def rules(memory: str) -> tuple[Rule, ...]:
    """The sentences of a memory with the limits that they set."""
    text = _NOBODY_BUT.sub("only", uncontracted(memory[:READ_CHARS]))
    sentences = [one.strip(" .;:!?") for one in _SENTENCE.split(text) if one.strip(" .;:!?")]
    exempt = frozenset(word for one in sentences if (out := _EXEMPT.match(one)) for word in words(out["who"]))
    return tuple(_rule(one, exempt) for one in sentences if not _EXEMPT.match(one))


def _rule(sentence: str, exempt: frozenset[str]) -> Rule:
    said, but = sentence, set(exempt)
    if (out := _BUT.search(sentence)) is not None:
        # "All endpoints except /health require a login": what is excepted ends at a comma or the verb after it.
        excepted = re.split(r",|\s(?=must\b|need|require|are\b|is\b|ha(?:s|ve) to)", sentence[out.end() :], maxsplit=1)
        but |= set(words(excepted[0]))
        said = f"{sentence[: out.start()]} {excepted[1] if len(excepted) > 1 else ''}".strip()
    return Rule(sentence, tuple(_limits(said)), frozenset(but))


def _limits(said: str) -> Iterator[Limit]:
    if (one := _ONE_BY_ONE.search(said)) is not None:
        yield OneByOne(frozenset(words(said[: one.start()])), said)
        return
    if (only := _ONLY.search(said)) is not None:
        yield _only(said, only)
        return
    if (instead := _INSTEAD.search(said)) is not None and words(said[: instead.start()]):
        before, after = words(said[: instead.start()]), words(said[instead.end() :])
        forbidden_words = frozenset((*before[:1], *after))
        yield Never(frozenset(), forbidden_words, frozenset(), said[instead.start() :].strip(" ,"))
        return
    if (forbidden := _FORBIDDEN.search(said)) is not None:
        yield _never("", said[: forbidden.start()], said)
        return
    if (no := _NOT.search(said)) is not None:
        yield from _denied(said, no)
        return
    if _ASKS.search(said):
        subject, predicate = _halves(said)
        yield Always(frozenset(words(said)), frozenset(words(predicate)) or frozenset(words(subject)), said)


def _only(said: str, only: re.Match[str]) -> Only:
    before, after = said[: only.start()].strip(), said[only.end() :].strip()
    quote = said[only.start() :].strip()
    if not after:  # "over the VPN only"
        side = _LAST_SIDE.search(before)
        cut = side.start() if side else 0
        before, after, quote = before[:cut], before[cut:], said
    side_of = re.match(r"(on|in|inside|from|by|to|into|over|via|with|for|at|after|once|when|if|as soon as)\b", after)
    if not words(before):
        # "Only the store may import duckdb": who may stands before what. "We only follow redirects to our own host":
        # what is limited is the end.
        if (who := _WHO_MAY.match(after)) is not None:
            return Only(frozenset(words(after[who.end() :])), frozenset(words(who["who"])), WHO, quote)
        if (end := _END.match(after)) is not None:
            return Only(frozenset(words(end["what"])), frozenset(words(end["end"])), end["side"].lower(), quote)
        told = words(after)
        return Only(frozenset(told[:1]), frozenset(told[1:]), "", quote)
    return Only(frozenset(words(before)), frozenset(words(after)), side_of[1].lower() if side_of else "", quote)


def _denied(said: str, no: re.Match[str]) -> Iterator[Limit]:
    before, after = said[: no.start()].strip(), said[no.end() :].strip()
    if _MEASURED.search(after):
        return  # "no longer than a week" is a number, not a "never"
    if (outside := _OUTSIDE.search(after)) is not None:
        asks = frozenset(words(after[outside.end() :]))
        yield Always(frozenset(words(f"{before} {after}")), asks, said[no.start() :], denied=True)
        return
    yield _never(before, after, said[no.start() :].strip() if words(after) else said, of_thing=no[0].strip() == "no")


def _never(before: str, after: str, quote: str, *, of_thing: bool = False) -> Never:
    under = _UNDER.search(after)
    done, beside = (after[: under.start()], after[under.end() :]) if under else (after, "")
    if of_thing and words(before):  # "we accept no archives"
        verbs = frozenset(words(before)[-1:])
    elif of_thing:  # "no dynamic allocation in handlers": the last word of the thing is what it is
        verbs = frozenset(words(done)[-1:])
    else:
        verbs = frozenset(_verbs(done))
    return Never(verbs, frozenset(words(f"{before} {done}")) - verbs, frozenset(words(beside)), quote)


def _verbs(done: str) -> Iterator[str]:
    """The verbs that a denial is of: one, or several that are joined."""
    for part in re.split(r"\s*(?:,|\b(?:or|and|nor)\b)\s*", done):
        told = words(part)
        yield from told[:1]
        if len(told) > 1:
            return


def _halves(said: str) -> tuple[str, str]:
    """What a sentence is about, and what it says of that; an order is all of the second."""
    verb = _SAYS.search(said)
    return (said[: verb.start()], said[verb.end() :]) if verb else ("", said)


def _split(text: str) -> list[str]:
    spaced = re.sub(r"['’]s\b", "", text.replace("`", " "))
    found = [word.strip("'") if "/" in word else word.replace("-", " ") for word in _WORD.findall(spaced)]
    return [part.strip(".'").lower() for word in found for part in re.split(r"[ _]", word) if part.strip(".'")]


def _is_silent(word: str) -> bool:
    known = lexicon()
    little = (known.only, known.every, known.excepts)
    return word in known.silent or word in _FILLING or any(one.at((word,), 0) for one in little)
