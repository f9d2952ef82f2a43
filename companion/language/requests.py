"""A request as words: what is asked, clause by clause, without what was pasted into it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache, lru_cache

from msgspec import Struct

from companion.language.word_lists import listed, meanings, shape, word_set
from companion.syntax.words import NAME_PART

READ_CHARS = 1_500
"""Characters of a request that are read: some 250 words. What stands behind is material, not what is asked."""
CLAUSES_MOST = 40
"""Clauses that are read: a plan of more steps is a document."""
READ_AHEAD = 60
"""Signs of a clause that are looked at for its verb."""
KEPT_REQUESTS = 1_024
"""Requests kept as read, about 3 kB each: one is compared with all that were corrected."""

_TOKEN = re.compile(
    r"(?P<code>`[^`\n]{1,200}`)"
    r"|(?P<path>(?:[\w.@~-]+/)+[\w.*@-]*|\.?\w[\w-]*\.[a-z]\w{0,6}(?![\w(]))"
    r"|(?P<word>[^\W\d_][\w]*(?:[-'][\w]+)*)"
    r"|(?P<number>\d[\w.]*)"
    r"|(?P<mark>[,;:.!?])"
)
_JOINT = re.compile(
    r"(?:\A|\n)\s*(?:[-*•]|\d+[.)])\s+|(?<=[.!?;])\s+|\n+"
    r"|,?\s+(?:and then|then|after that|afterwards|and after that|and finally|finally|and also)\s+",
    re.IGNORECASE,
)
"""Between two clauses, whatever they are."""
_AND = re.compile(r",\s++(?:(?:and|but)\s++)?|(?<![\s,])\s++(?:and|but)\s++", re.IGNORECASE)
"""Between two clauses if the second asks for something: "fix the header and footer" is one."""


class Token(Struct, frozen=True):
    """One word, span of code or path; `plain` in lower case, `stem` its beginning without an ending."""

    sort: str
    plain: str
    stem: str


class Request(Struct, frozen=True):
    """A request as it is read: its tokens, and its clauses as slices of them with the words as they were said."""

    text: str
    tokens: tuple[Token, ...]
    clauses: tuple[tuple[str, tuple[Token, ...]], ...]

    @property
    def normal(self) -> str:
        """The same for all ways of writing the same words."""
        return " ".join(token.plain for token in self.tokens if token.sort != "mark")


@lru_cache(maxsize=KEPT_REQUESTS)
def read_request(text: str) -> Request:
    """A request as words; the same text is read once."""
    own = asked(text)
    parts = [part.strip(" ,.;:-") for sentence in _JOINT.split(own) for part in _asking(sentence)]
    clauses = [(part, tuple(_tokens(part))) for part in parts if part][:CLAUSES_MOST]
    return Request(own, tuple(_tokens(own)), tuple((part, found) for part, found in clauses if found))


def _asking(sentence: str) -> Iterator[str]:
    """The parts of a sentence, each of which asks for something."""
    start = 0
    for joint in _AND.finditer(sentence):
        if joint.start() > start and _begins(sentence[joint.end() :]):
            yield sentence[start : joint.start()]
            start = joint.end()
    yield sentence[start:]


def _begins(rest: str) -> bool:
    """Whether a text begins with a verb that rules know, or as a question."""
    lead = word_set("requests", "lead.words")
    word = next((one for one in _tokens(rest[:READ_AHEAD]) if one.sort != "word" or one.plain not in lead), None)
    return word is not None and word.sort == "word" and bool({word.plain, word.stem} & _openings())


def asked(text: str) -> str:
    """What is asked in a message, without pasted output, code and quotations; all of it if nothing else is in it."""
    bare = shape("pasted", "fenced").sub("\n", text)
    lines = [line for line in bare.splitlines() if not shape("pasted", "in_request").match(line)]
    own = "\n".join(lines).strip()
    if not re.search(r"\w", own):
        own = text.strip()
    if len(own) <= READ_CHARS:
        return own
    return own[: own.rfind(" ", 0, READ_CHARS) if " " in own[:READ_CHARS] else READ_CHARS]


def _tokens(text: str) -> Iterator[Token]:
    for found in _TOKEN.finditer(text.replace("’", "'")):
        sort = found.lastgroup or "word"
        if sort == "code":
            inside = found[0].strip("` ")
            yield Token("code", inside.lower(), inside.lower())
        elif sort == "word" and _humped(found[0]):
            yield Token("name", found[0].lower(), found[0].lower())
        else:
            yield Token(sort, found[0].lower(), request_stem(found[0].lower()) if sort == "word" else found[0].lower())


def _humped(word: str) -> bool:
    """Whether a word is the name of a symbol: `parseConfig`, `parse_config`."""
    mixed = word[1:].lower() != word[1:] and not word.isupper() and len(NAME_PART.findall(word)) > 1
    return "_" in word.strip("_") or mixed


STOP = word_set("requests", "stop.words")
"""Words that say nothing of any subject."""
IRREGULAR = meanings("requests", "forms")
"""Forms that no ending tells of, with the word they are of."""


@lru_cache(maxsize=20_000)
def request_stem(word: str) -> str:
    """A word without its ending, so that `checks`, `checked` and `checking` are one. Never shorter than three signs."""
    if word in IRREGULAR:
        return IRREGULAR[word]
    for ending, least in (("'s", 3), ("ies", 5), ("ing", 6), ("ied", 5), ("ed", 5), ("es", 5), ("s", 4), ("ly", 6)):
        if word.endswith(ending) and len(word) >= least and not word.endswith("ss"):
            return _whole(word[: -len(ending)], ending)
    return word


def _whole(rest: str, ending: str) -> str:
    if ending in {"ies", "ied"}:
        return rest + "y"
    if ending == "es" and not rest.endswith(("s", "x", "z", "ch", "sh")):
        return rest + "e"
    if ending in {"ing", "ed"}:
        if len(rest) > 3 and rest[-1] == rest[-2] and rest[-1] not in "lsz":
            return rest[:-1]
        if rest + "e" in _known_words():
            return rest + "e"
    return rest


def subjects(request: Request) -> tuple[str, ...]:
    """The stems that name what a request is about: names, paths, code, and words that no rule knows."""
    known = _known_words()
    found: dict[str, None] = {}
    for token in request.tokens:
        if token.sort in {"mark", "number"} or token.plain in STOP:
            continue
        if token.sort != "word" or (token.stem not in known and token.plain not in known):
            found.setdefault(token.stem)
    return tuple(found)


@cache
def _known_words() -> frozenset[str]:
    """Words that rules know: they belong to no project."""
    told = listed("requests")
    lists = ("lead.words", "lead.articles", "vague.words", "vague.pointing")
    words = {word for group in (*told["verb"], *told["noun"]) for word in group["words"].split()}
    starts = (
        start for group in (*told["question"], *told["phrase"]) for start in group.get("starts", group.get("words"))
    )
    return frozenset(words.union(*(start.split() for start in starts), *(word_set("requests", name) for name in lists)))


@cache
def _openings() -> frozenset[str]:
    """What a clause of its own begins with: verbs, and words that ask."""
    told = listed("requests")
    verbs = {form for group in told["verb"] for word in group["words"].split() for form in (word, request_stem(word))}
    return frozenset(verbs | {start.split()[0] for group in told["question"] for start in group["starts"]})
