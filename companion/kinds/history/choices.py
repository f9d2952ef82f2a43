"""Decisions that a commit message states: a sentence with a choice, and the reason it gives.

Conservative: only a few shapes of sentence count, each with a subject that can be named. Two
sentences on the same subject are one question; the later answer stands. The reason is the sentence's own,
else the opening of the story under a title, else the sentence that follows.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from companion.kinds.leads import hedged, lead, reasons
from companion.kinds.prose import sentences
from companion.records import ParsedFile

_NAME = r"[`'\"]?(?P<{0}>[A-Z@$_a-z][\w.:/()@$*-]*(?: [A-Z0-9][\w.+-]*){{0,2}})[`'\"]?"
_THING = r"(?P<{0}>(?:[^\s,;:()]+ ){{0,4}}[^\s,;:()]+?)"
_WHY = (
    r"(?P<reason>\b(?:because|since|so that|due to|as (?:it|they|this|the|we)|in order to"
    r"|to (?:avoid|prevent|allow|reduce|keep|make))\b.*)"
)

_DROPPED = re.compile(
    r"^(?:we )?(?:drop(?:s|ped|ping)?|remov(?:e[sd]?|ing)|discontinue[sd]?|end(?:s|ed)?) support (?:for|of) "
    rf"(?P<thing>[^,;:]{{2,60}}?)(?:[,;:]?\s+{_WHY})?$",
    re.IGNORECASE,
)
_PLATFORM = re.compile(
    r"\b(?:python|py|ruby|node(?:\.?js)?|php|java|jdk|go|rust|msrv|typescript|ts|windows|macos|linux|ie\d*|pypy|jruby"
    r"|internet explorer|rails|django|postgres\w*|mysql|sqlite|redis|android|ios|c\+\+|gcc|clang|esm|cjs|commonjs|umd"
    r"|openssl|python2|python3)\b|\d",
    re.IGNORECASE,
)
_DEPRECATED = re.compile(
    rf"\b(?:[Tt]he )?{_NAME.format('thing')} (?:\w+ )?(?:is|are|has been|have been) "
    r"(?:(?:now )?deprecated,? in favou?r of (?P<other>[^,;]{2,80})"
    r"|now deprecated\b|deprecated,? and will be removed\b)",
)
_PART_OF = re.compile(r"\b(?:of|in|for|to|from|on|by|with) (?:the )?[`'\"]?$", re.IGNORECASE)
"""Before a name that only says whose part is deprecated: `the `name` parameter of Field is deprecated`."""
_DEPRECATE = re.compile(
    rf"^[Dd]eprecate[sd]? (?:the )?(?:use of )?(?:public |internal |old )*{_NAME.format('thing')}"
    r"(?: (?:class|function|method|option|argument|parameter|module|attribute|flag|setting|property|helper|api))?"
    r"(?: in favou?r of (?P<other>[^,;]{2,80}))?$",
)
_DECIDED = re.compile(
    r"^(?:(?:so|therefore|thus|hence|in the end|after [^,]{3,60}),? )?"
    r"(?:we|it was|the team)(?:'ve| have| has)? (?:have )?"
    r"(?:decided|chose|chosen|opted|agreed|settled)\b(?P<choice> (?:to|on|for|not to|against|that)\b.{8,240})$",
    re.IGNORECASE,
)
_SWITCHED = re.compile(
    r"^(?:we )?(?:switch(?:es|ed|ing)?|migrat(?:e[sd]?|ing)|mov(?:e[sd]?|ing)|chang(?:e[sd]?|ing)) (?:over )?"
    rf"(?:from {_THING.format('old')} )to {_THING.format('new')}(?:[,;:]? {_WHY})?$",
    re.IGNORECASE,
)
_INSTEAD = re.compile(
    rf"^(?:we (?:now )?|now )?(?:use|prefer|adopt)(?:s|ed|d)? {_THING.format('new')} "
    rf"(?:instead of|rather than|over|in place of) {_THING.format('old')}(?:[,;:]? {_WHY})$",
    re.IGNORECASE,
)
_REQUIRES = re.compile(
    r"\b(?:now )?requires? (?P<thing>python|ruby|node(?:\.?js)?|php|java|go|rust|typescript|rails) "
    r"(?:version )?(?:>=? ?)?(?P<version>\d+(?:\.\d+)*)(?:\+| or (?:higher|later|newer|above))",
    re.IGNORECASE,
)
WORD = re.compile(r"[A-Za-z_$][\w$]*")
_PLAIN = re.compile(r"[@$.]?[A-Za-z_][\w$.:@+#() -]*")
"""What a piece of code, a tool or a product is called; a path, a pattern or a sign that was mistyped is none."""
STATUS = "status"
"""Attribute of a deprecation: whether a thing may still be used."""
SUPPORT = "support"
"""Attribute of a platform that was given up: the next version given up is the newer answer."""
REPLACED = "choice"
"""Attribute of one thing that was taken instead of another."""
_INSTEAD_OF = " instead of "
DEPRECATED = "deprecated"
"""The answer of a deprecation that names nothing to use instead."""
_NOT_LETTERS = re.compile(r"[^a-z+#]+")
_VERSION_WORDS = "and or below older than earlier x eol version versions release releases end of life"
_OF_VERSIONS = frozenset(_VERSION_WORDS.split())
"""Words that say which versions of a platform, not which platform."""
_OUTDATED = re.compile(r"^(?:(?:eol|end-of-life|ancient|old(?:er)?|legacy|outdated|unsupported) )+", re.IGNORECASE)
_ENDED = re.compile(r"^(?:eol|end-of-life|unsupported)\b", re.IGNORECASE)
"""What is said of a platform that gives the reason itself."""
_USE_INSTEAD = re.compile(
    r"^(?:- )?(?:please |you should |users should |one should )?(?:use|prefer) (?P<other>`[^`]{2,60}`|[\w.:()]{2,60})"
    r" instead\b",
    re.IGNORECASE,
)
SENTENCE_CHARS = 320
"""A longer sentence is a list or a log, not a choice."""
LISTED = 3
"""Lines of a list from which what it replaces is a step of the work: the next line may replace it again."""
_FINAL = re.compile(r"(?<![.!;:\s])[.!;:\s]++$")


@dataclass(frozen=True, slots=True)
class Choice:
    """A decision as stated: what it is about, the question, the answer, the reason, the sentence."""

    subject: str
    attribute: str
    question: str
    choice: str
    reason: str
    sentence: str

    @property
    def taken(self) -> str:
        """What was taken instead of the subject; empty where nothing was."""
        return self.choice.partition(_INSTEAD_OF)[0] if self.attribute == REPLACED else ""

    @property
    def answer(self) -> str:
        """The answer as a sentence."""
        several = " and " in self.subject or "," in self.subject
        if self.attribute in {STATUS, SUPPORT}:
            return f"{self.subject} {'are' if several else 'is'} {self.choice}."
        if self.attribute == "minimum version":
            return f"{self.choice} is required."
        if self.attribute == REPLACED:
            return f"{self.choice}."
        return self.sentence if self.sentence.endswith(".") else f"{self.sentence}."


def may_state_choice(text: str) -> bool:
    """Whether a message has any word that a choice is stated with; quick, and right only in its no."""
    return _HINT.search(text) is not None


_HINT = re.compile(
    r"support (?:for|of)|deprecate|requires? |decided|chose|opted|agreed|settled|switch|migrat|mov(?:e|ing)"
    r"|chang(?:e|ing)|instead of|rather than|in place of|(?:use|prefer|adopt)(?:s|ed|d)? ",
    re.IGNORECASE,
)


def answered(subject: str, attribute: str = STATUS) -> str:
    """The key two answers to one question share: a platform without its versions, the last name of a dotted one."""
    bare = subject.strip("`'\" ").removesuffix("()").lower()
    if attribute == SUPPORT:
        words = (word for word in _NOT_LETTERS.sub(" ", bare).split() if word not in _OF_VERSIONS)
        return " ".join(words) or bare
    return re.split(r"\.|::|#", bare)[-1] or bare


def names_in(code: Sequence[ParsedFile]) -> frozenset[str]:
    """Every name that stands in the code as it is: defined, used, imported, or a parameter."""
    names: set[str] = set()
    for file in code:
        names.update(WORD.findall(file.path))
        for symbol in file.symbols:
            names.update(WORD.findall(symbol.qualname))
            names.update(WORD.findall(symbol.signature))
        names.update(reference.name for reference in file.references)
        for item in file.imports:
            names.update(WORD.findall(item.module))
            names.update(item.names)
    return frozenset(names)


def still_applies(choice: Choice, names: frozenset[str]) -> bool:
    """Whether a decision speaks of what still is.

    A deprecated name has to stand in the code, with what it is part of; of what was taken instead of something else
    any word has to, since products are named in many ways. Without any names (nothing was parsed) nothing can be said
    against it.
    """
    if not names or choice.attribute not in {STATUS, REPLACED}:
        return True
    if choice.attribute == STATUS:
        words = WORD.findall(choice.subject.partition("(")[0])
        return bool(words) and all(word in names for word in words)
    known = {name.lower() for name in names}
    return any(word.lower() in known for word in WORD.findall(choice.taken))


def choices_in(title: str, story: str) -> Iterator[Choice]:
    """The decisions that a title and the prose under it state, in order; at most one a sentence."""
    told = list(sentences(story))
    steps = sum(text.startswith("- ") for text in told) >= LISTED
    for place, text in enumerate((title, *told)):
        sentence = _FINAL.sub("", text.removeprefix("- ").strip())
        if len(sentence) > SENTENCE_CHARS or (choice := _read(sentence, title)) is None:
            continue
        if place == 0 and choice.choice == DEPRECATED:
            choice = _with_another_way(choice, told)
        if steps and text.startswith("- ") and choice.attribute == REPLACED:
            continue
        after = "" if place == len(told) else told[place]
        given = lead(title, story) if place == 0 else after if _explains(after) else ""
        yield replace(choice, reason=choice.reason or given)


def _read(sentence: str, title: str) -> Choice | None:
    lowered = sentence.lower()
    if "support" in lowered and (found := _DROPPED.match(sentence)) and _PLATFORM.search(found["thing"]):
        thing = _OUTDATED.sub("", _clean(found["thing"]))
        ended = _ENDED.match(_clean(found["thing"]))
        reason = _because(found["reason"]) or (f"It is {ended[0]}." if ended else "")
        return Choice(thing, SUPPORT, f"Is {thing} supported?", "no longer supported", reason, sentence)
    if "deprecate" in lowered:
        return _deprecation(sentence)
    if (found := _REQUIRES.search(sentence)) is not None:
        thing = found["thing"]
        question = f"Which {thing} is required at least?"
        return Choice(thing, "minimum version", question, f"{thing} {found['version']} or newer", "", sentence)
    if (found := _DECIDED.match(sentence)) is not None:
        choice = found["choice"].strip()
        if not (reason := _reason_in(choice)):
            return None
        return Choice(title, "decision", f"What was decided on: {title}?", choice, reason, sentence)
    return _replacement(sentence)


def _deprecation(sentence: str) -> Choice | None:
    found = _DEPRECATED.search(sentence) or _DEPRECATE.match(sentence)
    if found is None or not _is_named(found["thing"]) or _PART_OF.search(sentence[: found.start("thing")]):
        return None
    thing = found["thing"].strip("`'\"")
    other = _clean(re.split(r",? and (?:is|are|will|has|have|now)\b", found["other"] or "")[0])
    choice = f"{DEPRECATED} in favour of {other}" if other else DEPRECATED
    return Choice(thing, STATUS, f"May {thing} still be used?", choice, "", sentence)


def _explains(sentence: str) -> bool:
    """Whether the sentence after a choice gives its reason: the next item of a list gives another."""
    return reasons(sentence) > 0 and not hedged(sentence) and not sentence.startswith("- ")


def _with_another_way(choice: Choice, told: Sequence[str]) -> Choice:
    """A deprecation with what the story says to use instead."""
    for sentence in told:
        if found := _USE_INSTEAD.match(sentence):
            return replace(choice, choice=f"{DEPRECATED} in favour of {_clean(found['other'])}")
    return choice


def _replacement(sentence: str) -> Choice | None:
    found = _SWITCHED.match(sentence) or _INSTEAD.match(sentence)
    if found is None or not (_is_named(found["old"]) or _is_named(found["new"])):
        return None
    old, new = _clean(found["old"]), _clean(found["new"])
    if not (_PLAIN.fullmatch(old) and _PLAIN.fullmatch(new)):
        return None
    reason = _because(found["reason"])
    if found.re is _SWITCHED and not reason and len(sentence.split()) > 8:
        return None
    return Choice(old, REPLACED, f"{old} or {new}?", f"{new}{_INSTEAD_OF}{old}", reason, sentence)


def _is_named(thing: str) -> bool:
    """Whether a thing is a name - code or a product - and no ordinary word."""
    word = thing.strip("`'\"")
    if "`" in thing or any(c in word for c in "_.:()@$") or any(c.isdigit() for c in word):
        return True
    return any(c.isupper() for c in word[1:]) or (word[:1].isupper() and word.lower() not in _ORDINARY)


_ORDINARY_WORDS = (
    "existing old new this that these those it they support method class function option all both some everything which"
)
_ORDINARY = frozenset(_ORDINARY_WORDS.split())


def _clean(text: str) -> str:
    return _FINAL.sub("", text.strip().removeprefix("the ")).strip("`'\"")


def _because(reason: str | None) -> str:
    return _FINAL.sub("", (reason or "").strip())


def _reason_in(choice: str) -> str:
    found = re.search(_WHY, choice, re.IGNORECASE)
    return _because(found["reason"]) if found else ""
