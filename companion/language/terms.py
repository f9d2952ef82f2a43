"""A statement as a row of terms: the words that claim something, and how each is tied to the others.

Words of one meaning are read alike, filling words are dropped, numbers take one unit, and every term keeps the
preposition before it and the "not" that reaches it. Force ("must", "may") and time ("was", "will") are told of
the whole. What may be exchanged for what stands in `data/likeness.toml`.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cache, lru_cache

from msgspec import Struct

from companion.language.amounts import OFTEN, UNITS, amount
from companion.language.lexicon import Phrases, stem
from companion.language.word_lists import DENIALS, listed, meanings, word_set

MAX_CHARS = 4_000
"""Texts longer than this are compared word for word: they are documents, not statements."""
READ_TEXTS = 8_192
"""Texts remembered as read, about 2 kB each: one is compared with several neighbours."""

_TOKEN = re.compile(
    r"(?P<code>`[^`]+`)"
    r"|(?P<number>(?<![\w.])[<>=~^]*\d[\d_]*(?:,\d{3})*(?:[.:]\d+)*%?(?:[\w.+-]*\w)?)"
    r"|(?P<name>(?<![\w-])--?[a-z][\w-]*|[@#][\w/-]+|(?<![\w.@-])(?:[\w.@-]++/)++[\w.*@-]*|(?<![\w-])[\w-]++(?:\.[\w-]++)++(?:\(\))?|\.\w[\w.-]+"
    r"|\w+(?:_\w+)+(?:\(\))?|_+\w+|\w+\(\)|\w+::[\w:]+|(?-i:[A-Za-z]*[a-z]\d*[A-Z]\w*))"
    r"|(?P<word>%|[^\W\d_]\w*[+#]*)"
    r"|(?P<end>[.!?;:](?=\s|$))",
    re.VERBOSE | re.IGNORECASE,
)
_HUMPED = re.compile(r"[a-z]\d*[A-Z]")
_PERIOD = "|".join(word for word, known in UNITS.items() if known.dimension == "seconds")
_PER = re.compile(rf"(?<=\w)\s*/\s*(?=(?:{_PERIOD})\b)", re.IGNORECASE)
_NOT = re.compile(r"n['’]t\b", re.IGNORECASE)
_STATE = re.compile(
    r"\b(is|are|be|stays?|turned|switched|defaults? to|remains?|default(?:s|ed)?) (on|off)\b"
    r"(?=\s*(?:$|[.,;!?)]|by default|in |for |during |at |when |unless |everywhere|locally|until ))",
    re.IGNORECASE,
)
_OFTEN = re.compile(rf"\b({'|'.join(OFTEN)})(?=\s*(?:$|[.,;!?)]|by |in |at |on |from |to |with ))", re.IGNORECASE)
_ONCE = re.compile(
    r"(?:(?<=^)|(?<=, )|(?<=\. ))once (?!(?:a|an|per|every|each|more)\b)|\bonce (?=(?:\w+ed|sent|done|built)\b)",
    re.IGNORECASE,
)
_PLAINER = (
    (re.compile(r"\b(?:must|has to|have to) have\b", re.IGNORECASE), "need"),
    (re.compile(r"\bnext to\b", re.IGNORECASE), "beside"),
    (re.compile(r"(?<![\w.])(\d+(?:\.\d+)?)(px|em|rem|pt|cm|mm|km)\b"), r"\1 \2"),
)
_USED_TO = re.compile(r"(?<!\bis )(?<!\bare )(?<!\bbe )(?<!\bwas )(?<!\bwere )(?<!\bbeen )\bused to\b", re.IGNORECASE)
_BOUNDS = frozenset(("<least>", "<most>", "<more>", "<less>", "<near>"))
_ENDED = re.compile(r"\w+[^e\W]ed$")


@dataclass(frozen=True, slots=True)
class Term:
    """A word that claims something: its meaning, how it is tied to the others, and how it is written."""

    meaning: str
    case: str = ""
    denied: bool = False
    written: str = field(default="", compare=False)


class TermReading(Struct, frozen=True):
    """A text as terms. `force` is must, should, may, free or empty; `time` past, was, will or empty.

    `acted` are the stems of "is done", "are kept"; `ended` those of verbs that may tell of the past ("used"),
    None where a "be" or "have" tells the time.
    """

    plain: str
    terms: tuple[Term, ...]
    force: str
    time: str
    acted: frozenset[str]
    ended: frozenset[str] | None
    commands: bool
    loose_denials: int
    sentences: int

    @property
    def passive(self) -> bool:
        """Whether something is said to be done to what the text begins with."""
        return bool(self.acted)


@lru_cache(maxsize=READ_TEXTS)
def read_terms(text: str) -> TermReading:
    """A text as terms; the same text is read once."""
    text = unicodedata.normalize("NFKC", text)
    plain = " ".join(text.split()).strip(" .!;")
    if len(text) > MAX_CHARS:
        return TermReading(plain, (), "", "", frozenset(), None, False, 0, 1)
    past = bool(_USED_TO.search(text))
    found, sentences = _words(text)
    return _Reader(found).reading(plain, sentences, past=past)


STRICT = frozenset(listed("likeness")["strict"])
"""The cases that may neither be left out nor moved."""
_CASES = meanings("likeness", "case") | meanings("likeness", "strict")


def _said(name: str) -> frozenset[str]:
    return word_set("likeness", name)


@cache
def _same() -> Phrases[str]:
    """Words of one meaning, each with its meaning."""
    return Phrases((text, group[0]) for group in listed("likeness")["same"] for text in group)


@cache
def _marks() -> Phrases[tuple[str, str]]:
    """What bears on the whole: force, bounds, denials."""
    told = listed("likeness")
    return Phrases(
        [
            *((text, ("force", force)) for force, phrases in told["modal"].items() for text in phrases),
            *((text, ("term", f"<{bound}>")) for bound, phrases in told["bound"].items() for text in phrases),
            *((text, ("deny", text)) for text in DENIALS),
            *((text, ("forbid", text)) for text in told["deny"]["forbid"]),
        ]
    )


class _Word(Struct, frozen=True):
    """A token: `sort` is word, name, number or code; a word in capitals ("GET") is `loud`, and never an empty one."""

    text: str
    sort: str
    loud: bool = False


def _words(text: str) -> tuple[list[_Word], int]:
    """The tokens of a text, and in how many sentences they stand."""
    text = text.replace("’", "'").replace("can't", "can not").replace("cannot", "can not").replace("won't", "will not")
    text = _NOT.sub(" not", text)
    text = _STATE.sub(r"\1 state_\2", text)
    text = _OFTEN.sub(lambda found: f"every {OFTEN[found[1].lower()]}", text)
    text = _PER.sub(" per ", text)
    text = _ONCE.sub("when ", text)
    for pattern, plain in _PLAINER:
        text = pattern.sub(plain, text)
    found: list[_Word] = []
    sentences, first = 1, True
    for token in _TOKEN.finditer(text):
        sort = token.lastgroup or "word"
        if sort == "end":
            first = True
            continue
        if first and found:
            sentences += 1
        found += _split(token[0], sort, first=first)
        first = False
    return found, sentences


def _split(token: str, sort: str, *, first: bool) -> list[_Word]:
    """A token as one or several words: "squash-merged" is two, `src/app` and "3.11" stay whole."""
    if sort == "name" and re.fullmatch(r"[A-Za-z]+", token) and (token[0].isupper() or not _HUMPED.search(token)):
        sort = "word"  # GitHub is a name in any letters; parseConfig is not parseconfig
    if sort == "word":
        plain = token.lower()
        loud = token.isupper() and plain != "i" and (len(token) > 1 or not first)
        return [_Word(plain, sort, loud)]
    return [_Word(token.strip("`").rstrip("./"), sort)]


class _Reader:
    """Goes through the words of one text once, from left to right."""

    def __init__(self, words: Sequence[_Word]) -> None:
        self._words = words
        self._stems = [stem(word.text) if word.sort == "word" else word.text for word in words]
        self._terms: list[Term] = []
        self._case = ""
        self._denied = False
        self._force = ""
        self._loose = 0
        self._no_before_force = False

    def reading(self, plain: str, sentences: int, *, past: bool) -> TermReading:
        """All of it as a reading."""
        place = 0
        while place < len(self._words):
            place += self._step(place)
        self._loose += self._denied
        self._keep_case()
        self._bind_bounds()
        plains = [word.text for word in self._words if word.sort == "word"]
        commands = bool(plains) and (plains[0] in _said("imperative.verbs") or plains[:2] == ["do", "not"])
        return TermReading(
            plain=plain,
            terms=tuple(self._terms),
            force=self._forced(),
            time=self._time(plains, past=past),
            acted=self._acted(plains),
            ended=self._ended(plains),
            commands=commands,
            loose_denials=self._loose,
            sentences=sentences,
        )

    def _step(self, place: int) -> int:
        """Read what stands at `place`; how many words that were."""
        word = self._words[place]
        if (counted := self._amount(place)) is not None:
            return counted
        if word.sort != "word":
            self._add(word.text, place)
            return 1
        if (mark := _marks().at(self._stems, place)) is not None:
            length, (what, said) = mark
            return self._mark(what, said, place, length)
        if word.text in _CASES and not word.loud:
            self._keep_case()
            self._case = _CASES[word.text]
            return 1
        if not word.loud and (word.text in _said("empty") or self._only_located(place)):
            return 1
        if (like := _same().at(self._stems, place)) is not None:
            self._add(like[1], place, like[0])
            return int(like[0])
        self._add(self._stems[place], place)
        return 1

    def _keep_case(self) -> None:
        """A preposition that says much and is followed by no word of its own ("except for") is a term itself."""
        if self._case in STRICT:
            self._terms.append(Term(f"<{self._case}>", written=self._case))
        self._case = ""

    def _mark(self, what: str, said: str, place: int, length: int) -> int:
        if what == "force":
            self._no_before_force |= self._denied and said == "must"
            following = self._stems[place + length : place + length + 1]
            if said == "may" and (self._denied or set(following) & {"not", "never"}):
                said = "must"  # "may not" forbids
            self._force = self._force or said
        elif what == "term":
            self._add(said, place, length)
        elif what == "forbid":
            self._loose += 1
        else:
            self._loose += self._denied  # "without no", "nobody is not"
            self._denied = True
        return length

    def _amount(self, place: int) -> int | None:
        """A number with its unit as one term; how many words it took, None where there is none."""
        found = amount([word.text for word in self._words[place : place + 4]])
        if found is None:
            return None
        length, meaning = found
        self._add(meaning, place, length)
        return length

    def _only_located(self, place: int) -> bool:
        following = self._words[place + 1].text if place + 1 < len(self._words) else ""
        return self._words[place].text in _said("located") and _CASES.get(following) in {"place", "beside"}

    def _add(self, meaning: str, place: int, length: int = 1) -> None:
        written = " ".join(word.text for word in self._words[place : place + length])
        self._terms.append(Term(meaning, self._case, self._denied, written))
        self._denied = False
        if not meaning.startswith("<"):
            self._case = ""

    def _bind_bounds(self) -> None:
        """Make one term of "at most 5" and of "5 at most", and of "every 5 minutes", which may stand anywhere."""
        bound: list[Term] = []
        for term in self._terms:
            last = bound[-1] if bound else None
            both = f"{last.written} {term.written}" if last else ""
            if (
                last is not None
                and last.meaning == "<all>"
                and (term.meaning[:1].isdigit() or term.meaning in _said("grammar.recurring"))
            ):
                bound[-1] = Term(f"every {term.meaning}", "time", last.denied, both)
            elif last is not None and last.meaning in _BOUNDS and term.meaning[:1].isdigit():
                bound[-1] = Term(last.meaning + term.meaning, last.case, last.denied, both)
            elif last is not None and term.meaning in _BOUNDS and last.meaning[:1].isdigit():
                bound[-1] = Term(term.meaning + last.meaning, last.case, last.denied, both)
            else:
                bound.append(term)
        self._terms = bound

    def _forced(self) -> str:
        return "free" if self._no_before_force else self._force  # "does not have to"

    def _acted(self, plains: Iterable[str]) -> frozenset[str]:
        before, found = "", set()
        for word in plains:
            if before in _said("grammar.being") and (_ENDED.match(word) or word in _said("grammar.participles")):
                found.add(stem(word))
            if word not in _said("grammar.between"):
                before = word
        return frozenset(found)

    def _ended(self, plains: Sequence[str]) -> frozenset[str] | None:
        if self._force or not (_said("grammar.being") | _said("grammar.tensed")).isdisjoint(plains):
            return None
        return frozenset(stem(word) for word in plains if _ENDED.match(word) or word in _said("grammar.pasts"))

    def _time(self, plains: Sequence[str], *, past: bool) -> str:
        said = set(plains)
        if past or said & _said("grammar.past"):
            return "past"
        if said & {"was", "were", "had"} or ({"has", "have"} & said and "been" in said):
            return "was"
        return "will" if "will" in said else ""
