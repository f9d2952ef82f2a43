"""Text to index terms: prose and identifiers alike, lower case, stemmed, without stop words.

`parseHTTPRequest`, `parse_http_request` and `parse-http-request` all give parse, http, request;
names written as one (`app.route`, `HTTPRequest`) are kept whole beside their parts, of which single letters and figures
are none. Scripts without spaces between words give pairs of neighbouring characters.
"""

from __future__ import annotations

import re
from collections.abc import Container, Iterable, Mapping
from functools import lru_cache
from itertools import chain

from companion.language.questions import light_verb
from companion.records.sorts import CHANGES_BY_TYPE
from companion.syntax.words import stem_of

TERM_CHARACTERS = 48
"""Longer runs are hashes or data that nobody types in a search."""

VERSION = "3"
"""Raised when the same text gives other terms: an index of another version is made anew."""

_STEMMED_FROM = 4
"""Shorter words have no ending to spare."""

_CACHE_WORDS = 100_000
"""Distinct words kept with their terms: those of a large project, about 30 MB."""

AREA = 2.0
"""What the words of an area count that a task begins with (`scss: …`, `fix(http): …`, `[lint] …`): they say where, and
the others what (BENCHMARKS-HISTORY)."""
_AREA = re.compile(r"\s*(?:\[([\w./ -]{2,24})\]\s|(?:\w{2,10}\()?([\w./-]{2,24})\)?!?:\s)")

_RUN = re.compile(r"\w+(?:\.\w+)*")
_NO_SPACES = r"\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff"
"""Letters of scripts that put no spaces between words."""
_CAPITALS, _SMALL = "A-ZÀ-ÖØ-Þ", "a-zß-öø-ɏ"
"""Latin letters; a row of letters of any other script is a part by itself."""
_PART = re.compile(
    rf"[{_CAPITALS}]+(?![{_SMALL}])|[{_CAPITALS}]?[{_SMALL}]+|\d+|[{_NO_SPACES}]+"
    rf"|[^\W\d_{_CAPITALS}{_SMALL}{_NO_SPACES}]+"
)
_TELLS_NOTHING = re.compile(r"[A-Za-z\d]")
"""A part by which nobody looks for the whole: a letter (`JObject`), a figure (`0.5`)."""
_UNSPACED = re.compile(rf"[{_NO_SPACES}]{{2,}}")

STOP_WORDS = frozenset(
    """
    a about above after again all also am an and any are as at be because been before being below
    between both but by can could did do does doing done down during each few for from further get
    gets got had has have having he her here hers him his how i if in into is it its itself just
    let me more most my no nor not of off on once only or other our ours out over own same she
    should so some such than that the their theirs them then there these they this those through
    to too under until up us very was we were what when where which while who whom why will with
    would you your yours
    """.split()
)
"""English words that say nothing of a subject."""
_ABBREVIATED = frozenset(["e.g", "i.e", "etc", "vs"])
"""What a question says between its words; an index has them, as parts of names."""
LIGHT_VERB = 0.5
"""What the verb of a question counts that says little: who asks how a release is made is told the way, hardly that it
is made. Of 110 questions about ten repositories 88 were answered by the first five, without it 86
(BENCHMARKS-HISTORY)."""


def terms(text: str) -> list[str]:
    """The terms of a text in order, with repetitions."""
    return list(chain.from_iterable(map(_terms_of, _RUN.findall(text))))


def distinct(texts: Iterable[str]) -> frozenset[str]:
    """The terms of some texts, each once; each run of characters is looked at once."""
    runs = {run for text in texts for run in _RUN.findall(text)}
    return frozenset(term for run in runs for term in _terms_of(run))


def spoken(text: str) -> dict[str, str]:
    """Each term of a query with the word or the part of a name that it came from, in order of first use."""
    found: dict[str, str] = {}
    for run in _RUN.findall(text):
        if run.lower() not in _ABBREVIATED:
            parts = {term: part for part in _PART.findall(run) for term in _terms_of_part(part.lower())}
            for term in _terms_of(run):
                found.setdefault(term, parts.get(term, run))
    return found


def as_asked(said: Iterable[str], spoken: Mapping[str, str]) -> tuple[str, ...]:
    """The words of a query that some of its terms are, without the parts of a name that is among them."""
    words = dict.fromkeys(spoken[term] for term in said)
    return tuple(one for one in words if not any(one != other and one in _PART.findall(other) for other in words))


def weights(text: str) -> dict[str, float]:
    """How much those terms of a query count beside their rarity that do not count 1."""
    begins = _AREA.match(text)
    named = "" if begins is None else begins[1] or begins[2]
    area = {} if named in CHANGES_BY_TYPE else dict.fromkeys(terms(named), AREA)
    return area | dict.fromkeys(terms(light_verb(text)), LIGHT_VERB)


def covered(
    said: Container[str], spoken: Mapping[str, str], worth: Mapping[str, float]
) -> tuple[float, tuple[str, ...]]:
    """The share of a question that some terms say, each counting what it is worth, and the words that they are."""
    known = [term for term in spoken if term in worth and term in said]
    share = sum(worth[term] for term in known) / (sum(worth.values()) or 1.0)
    return share, as_asked(known, spoken)


@lru_cache(maxsize=_CACHE_WORDS)
def _terms_of(run: str) -> tuple[str, ...]:
    """The terms of one run of word characters and dots: its parts, and itself where it has several."""
    parts = _PART.findall(run)
    whole = run.lower().strip("_.")
    found: list[str] = []
    if len(parts) > 1:
        found += [whole] if len(whole) <= TERM_CHARACTERS else []
        is_hash = whole[:1].isdigit() and not all(map(str.isdigit, parts))  # nobody looks for `14c561bd` by its figures
        parts = [part for part in parts if not (_TELLS_NOTHING.fullmatch(part) or (is_hash and part.isdigit()))]
    for part in parts:
        found.extend(_terms_of_part(part.lower()))
    return tuple(found)


@lru_cache(maxsize=_CACHE_WORDS)
def _terms_of_part(part: str) -> tuple[str, ...]:
    if part in STOP_WORDS or len(part) > TERM_CHARACTERS:
        return ()
    if _UNSPACED.fullmatch(part):
        return tuple(part[i : i + 2] for i in range(len(part) - 1))
    if len(part) < _STEMMED_FROM or not part.isascii() or not part.isalpha():
        return (part,)
    return (stem_of(part),)
