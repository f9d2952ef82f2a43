"""Orders: what a rule asks for or forbids, what an action does, and whether the one settles the other.

Only what can be read without a doubt is read: one clause with its verb, its object and its circumstances (`slots`, by
their prepositions). Reasons, asides and the better way that a rule names are cut off before anything is compared; a
rule that makes an exception, points at something said elsewhere or merely describes gives no order. An order forbids an
action of the same verb and the same object in the same circumstances. Words that the two share say nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

from msgspec import Struct

from companion.language.lexicon import stem
from companion.language.phrases import says
from companion.language.phrasing import stretches
from companion.language.requests import IRREGULAR
from companion.language.word_lists import DENIALS
from companion.records.reasoning import Conformance
from companion.syntax.words import words

READ_CHARS = 1_000
"""Signs of a text that are read: a rule is a sentence or two."""
READ = 1_024
"""Texts kept as read, about 2 kB each: an action is held against a score of memories."""

_WRAPPED = re.compile(r"\n(?!\s*(?:\n|[-*•#]|\d+[.)]))")
"""A line's end inside a sentence."""
_BULLET = re.compile(r"^\s*(?:[-*•#>]+|\d+[.)])\s+")
_ASIDE = re.compile(
    r"\s*(?:[;:(]|\s[-–—]+\s"
    r"|,?\s+(?:because|since|so that|so as to|in order to|otherwise)\b"
    r"|,\s+(?:so|as|only|just|even|not even|which|it|they|we|use|always|instead)\b)",
    re.IGNORECASE,
)
"""Ends the clause that orders: a reason follows, or what to do instead."""
_DENIES = re.compile(
    r"(?:please )?(?:(?:we|you) )?(?:(?:must|shall|should) (?:not|never)|never)(?: ever)? (?P<done>.+)"
    r"|(?:please )?do not(?: ever)? (?P<order>.+)"
    r"|(?:we )?(?:decided|agreed|chose) not to (?P<chosen>.+)"
    r"|(?:avoid|refrain from|(?:we )?decided against) (?P<gerund>\w+ing\b.*)"
    r"|(?P<object>.+?) (?:must|shall|should) (?:not|never) be (?P<passive>\w.*)",
    re.IGNORECASE,
)
_ASKS = re.compile(r"(?:(?:we|you) )?(?:always|must(?: always)?) (?P<done>.+)", re.IGNORECASE)
_DECIDES_NOT = re.compile(r"we (?:do|will) not (?P<done>.+)", re.IGNORECASE)
_DECIDES = re.compile(r"(?:we )?(?:(?:decided|agreed) to )?(?P<done>.+)", re.IGNORECASE)
"""What is an order only as the text of a decision: elsewhere “we do not” may tell what is missing."""
_INTENDS = re.compile(
    r"(?:(?:please|now|let's|let us|(?:i am|we are) going to|(?:i|we)(?:'ll| will)) )*"
    r"(?P<no>(?:do not|never) )?(?P<done>.+)",
    re.IGNORECASE,
)


_ARTICLES = words("a an the any our your my all every each")
_COUNTED = words("all every each both some just merely simply always more less most than")
"""Words that say how many: a rule about all of them forbids no single one."""
_POINTING = words("it its them their this that these those there here such he she they which who whose")
"""Words that point at something said elsewhere."""
_JOINS = words("and or then plus only instead") | DENIALS - {"without"}
"""Words after which a second thing is said."""
_SIDES = words(
    "in inside into on onto at to from for with without by via through over under of during before after when while if"
    " as between across against outside within using per about behind"
)
_NARROWS = words("in inside on at to into from for when while if during")
"""Sides that may stand in an action beside those of the rule: what is forbidden is forbidden there, too.

What is done *with*, *as* or *after* something may be just the way in which it is allowed."""
_CHOOSING = words("use uses using used choose chose chosen adopt adopted pick picked")


class Directive(Struct, frozen=True):
    """One clause: its verb, its object and its circumstances, as stems; whether it is denied.

    `plain` is the verb as it stands, empty where its ending says nothing (“never be logged”). `clause` is quoted;
    `beside` has the stems of all that is said around it.
    """

    verb: str
    plain: str
    object: tuple[str, ...]
    slots: tuple[tuple[str, tuple[str, ...]], ...]
    denied: bool
    clause: str
    beside: frozenset[str] = frozenset()

    @property
    def words(self) -> frozenset[str]:
        """All that is done, to what and where, as stems."""
        return frozenset((self.verb, *self.object, *(word for _, words in self.slots for word in words)))


@lru_cache(maxsize=READ)
def orders(memory: str, *, decided: bool) -> tuple[Directive, ...]:
    """What a memory orders; of one that was `decided` “we do not” and a bare imperative count, too."""
    text = _WRAPPED.sub(" ", _plainly(memory[:READ_CHARS]))
    if says(text, "requests.hedged"):
        return ()
    return tuple(one for sentence in stretches(text) for one in _of_sentence(sentence, text, decided=decided))


@lru_cache(maxsize=READ)
def intended(action: str) -> Directive | None:
    """What an action does; None where it does several things, or leaves a doubt."""
    text = _plainly(action[:READ_CHARS])
    clause = _clause(" ".join(text.split()))
    told = _INTENDS.fullmatch(clause)
    if told is None or says(text, "requests.hedged"):
        return None
    return _order(_tokens(told["done"]), clause, denied=bool(told["no"]), doubts=_JOINS | _POINTING)


def conformance(rule: Directive, doing: Directive) -> Conformance:
    """What a rule says of an action: unknown unless both are of one verb, one object and the same circumstances."""
    bare = rule.plain and doing.plain
    if rule.plain != doing.plain if bare else rule.verb != doing.verb:
        return Conformance.UNKNOWN
    if rule.beside & (doing.words - rule.words):
        return Conformance.UNKNOWN  # the rest of the rule speaks of it: perhaps it is the way that is allowed
    if rule.denied and not doing.denied:
        return Conformance.CONFLICTS if _covers(rule, doing) else Conformance.UNKNOWN
    if (rule.object, rule.slots) != (doing.object, doing.slots):
        return Conformance.UNKNOWN
    return Conformance.FITS if rule.denied == doing.denied else Conformance.CONFLICTS


def _covers(rule: Directive, doing: Directive) -> bool:
    """Whether an action is one of those that a denied order names."""
    if rule.object not in {(), doing.object} or not set(rule.slots) <= set(doing.slots):
        return False
    further = [(place, slot[0]) for place, slot in enumerate(doing.slots) if slot not in rule.slots]
    return all(side in _NARROWS or (side == "of" and place) for place, side in further)


def _of_sentence(sentence: str, text: str, *, decided: bool) -> Iterator[Directive]:
    clause = _clause(" ".join(_BULLET.sub("", sentence).split()))
    told = _DENIES.fullmatch(clause) or (_DECIDES_NOT.fullmatch(clause) if decided else None)
    denied = told is not None
    told = told or _ASKS.fullmatch(clause) or (_DECIDES.fullmatch(clause) if decided else None)
    if told is None:
        return
    parts = {name: _tokens(part) for name, part in told.groupdict().items() if part}
    done = parts.pop("object", [])
    (sort, tokens), *_ = parts.items()
    rest = text.replace(clause, " ", 1)
    found = _order(
        [*tokens[:1], *done, *tokens[1:]],
        clause,
        denied=denied,
        doubts=_JOINS | _POINTING | _COUNTED,
        inflected=sort in {"gerund", "passive"},
        beside=frozenset(map(_stem, _tokens(rest))),
    )
    if found is not None and (found.object or found.slots):
        yield found


def _order(
    tokens: list[str],
    clause: str,
    *,
    denied: bool,
    doubts: frozenset[str],
    inflected: bool = False,
    beside: frozenset[str] = frozenset(),
) -> Directive | None:
    if not tokens or "," in clause or doubts & set(tokens):
        return None
    verb = "use" if tokens[0] in _CHOOSING else tokens[0]
    phrases: list[tuple[str, list[str]]] = [("", [])]
    for token in tokens[1:]:
        if token in _SIDES:
            phrases.append((token, []))
        elif token not in _ARTICLES:
            phrases[-1][1].append(_stem(token))
    (_, done), *slots = ((side, tuple(words)) for side, words in phrases)
    plain = "" if inflected or verb.endswith("ing") else verb
    return Directive(_stem(verb), plain, done, tuple(slots), denied, clause, beside)


def _clause(said: str) -> str:
    """A sentence up to its reason or aside."""
    cut = said[: aside.start()] if (aside := _ASIDE.search(said)) else said
    return cut.strip().rstrip(".!?")


def _plainly(text: str) -> str:
    """A text without marks of emphasis, its contractions written out."""
    bare = re.sub(r"[*`“”\"]", "", text.replace("’", "'"))
    return re.sub(r"n't\b", " not", re.sub(r"\bcan't\b|\bcannot\b", "can not", bare, flags=re.IGNORECASE))


def _tokens(text: str) -> list[str]:
    """The words of a text in lower case; of “the recipient's” the recipient."""
    words = (re.sub(r"'s$|'$", "", word.strip(".,;:!?()'")) for word in text.lower().split())
    return [word for word in words if word]


def _stem(word: str) -> str:
    return stem(IRREGULAR.get(word, word))
