"""What memories say of a request: which of its words they speak of, what a word means by them, and what is meant.

A memory that says what a word means ("by the gate we mean running make check") lends the request what the rules make
of that meaning. One that merely speaks of the same thing names it. Texts that speak to the program say nothing.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Sequence
from datetime import datetime
from functools import lru_cache

from msgspec import Struct

from companion.language.orders import steers_a_model
from companion.language.requests import Request, read_request, request_stem, subjects
from companion.language.word_lists import word_set
from companion.reason.cues import ARTICLES, AXES, LEAD, Points, is_verb, points
from companion.records.memory import with_sharer

DEFINED = 3.6
"""Points that a meaning lends where the rules know nothing."""
HALVED_BY = 1.4
"""Points by which the rules lead for what a memory lends to count half: “check” leads by 1.5, “explain” by 2."""
RUN_BY_NAME = {"process": 3.0, "machine": 2.6, "execute": 3.0}
"""Points for a request that names a workflow and is no question: it is to be gone through."""
MEANING_CHARS = 300
"""Signs of a meaning that are read: a sentence or two."""
MEMO_CHARS = 2_000
"""Signs of a memory that are looked through for its words: a page."""
KEPT_MEANINGS = 256
"""Requests held against a memory that are remembered: a reading is made anew without each memory."""
CLEARLY = 0.15
"""By how much the best of several things that may be meant must lead the next."""
MEANT = 0.45
"""How well a memory must be found for a request without any word of its own: by chance one comes to 0.3."""
POINTING_WORDS = 9
"""A request of more words says itself what "it" is."""

OPEN_SORTS = frozenset({"task", "question", "blocker", "waiting-on"})
"""Sorts of open items: what is on somebody's mind is meant before what is long done."""
OPEN_LEAD = 0.2
"""By how much."""

_MEANS = re.compile(
    r"(?:\b(?:by|with)\s+(?P<by>[^.\n]{1,60}?),?\s+(?:i|we|they|people here)\s+"
    r"(?:always\s+|usually\s+)?mean\s+(?P<by_said>[^.\n]+)"
    r"|\bwhen(?:ever)?\s+(?:i|we|somebody|someone|people)\s+(?:say|says|ask for|asks for|write|writes)\s+"
    r"(?P<when>[^,\n]{1,60}),"
    r"\s*(?:then\s+)?(?:(?:i|we|it|that|this|they)\s+(?:means?|want|wants)\s+|that is\s+)?(?P<when_said>[^.\n]+)"
    r"|(?:^|(?<=[.;]\s))(?P<plain>[^.\n:=]{1,60}?)\s*(?:\bmeans?\b|\bis short for\b|\bstands for\b"
    r"|\bis our (?:name|word) for\b"
    r"|\bis (?:how|what) we call\b|\s=\s|:\s)\s*(?P<plain_said>[^.\n]+))",
    re.IGNORECASE,
)


class Memo(Struct, frozen=True):
    """A memory or an open item, as far as it bears on a request. `score` is how well it was found, 0 to 1.

    `sort` is fact, decision, episode, pattern, workflow, rejected (an earlier answer), or the type of an open item.
    `steps` are those of a workflow or of what was done.
    """

    id: str
    title: str
    text: str
    sort: str = "fact"
    score: float = 0.0
    steps: tuple[str, ...] = ()
    entities: tuple[str, ...] = ()
    authority: float = 0.7
    """How much it binds, 0 to 1: a decision in force or a word of the user's own more than what was counted."""
    scope: str = ""
    """Where alone it applies; empty for everywhere."""
    at: datetime | None = None
    """When it was learned."""
    origin: str = ""

    @property
    def told(self) -> str:
        """The title, with who shared it."""
        return with_sharer(self.title, self.origin)


def named(request: Request, memo: Memo) -> tuple[str, ...]:
    """The words of a request that a memory speaks of, each once and as it was first said there."""
    told = _stems(f"{memo.title}\n{memo.text}", memo.entities)
    said = {token.stem: token.plain for token in reversed(request.tokens)}
    return tuple(said[stem] for stem in subjects(request) if stem in told)


def lend(found: Points, request: Request, memo: Memo, lead: float) -> bool:
    """Add what a memory says of the words of a request; whether it says anything. `lead` is how clear the rules are."""
    if steers_a_model(memo.text) or steers_a_model(memo.title):
        return False
    share = math.pow(0.5, lead / HALVED_BY)
    if memo.sort == "workflow" and _by_name(request, memo):
        for label, worth in RUN_BY_NAME.items():
            found.add(label, worth * share, f"“{memo.title}” is a workflow of that name")
        return True
    said = meaning(request, memo)
    if not said:
        return False
    meant = points(read_request(said))
    given = False
    for axis in AXES:
        if meant.lead(axis) > 0.5:
            worth = DEFINED * min(1.0, meant.lead(axis)) * share
            found.add(meant.best(axis), worth, f"it is known to mean “{said[:80]}”")
            given = True
    return given


@lru_cache(maxsize=KEPT_MEANINGS)
def meaning(request: Request, memo: Memo) -> str:
    """What a memory says that a word of the request means; empty if it says no such thing."""
    wanted = set(subjects(request)) | {token.stem for token in request.tokens if token.sort == "word"}
    own = set(subjects(request))
    for defined in _MEANS.finditer(memo.text[:MEMO_CHARS]):
        what = defined["by"] or defined["when"] or defined["plain"] or ""
        said = defined["by_said"] or defined["when_said"] or defined["plain_said"] or ""
        words = [token.stem for token in read_request(what).tokens if token.sort in {"word", "name", "code"}]
        telling = [word for word in words if word not in ARTICLES and word != "it"]
        if telling and len(telling) <= 4 and set(telling) <= wanted and (own & set(telling) or len(telling) > 1):
            return said.strip(" \"'“”`.")[:MEANING_CHARS]
    return ""


def is_vague(request: Request) -> str:
    """The word by which a request points at something without naming it; empty if it names what it is about."""
    things, pointing = word_set("requests", "vague.words"), word_set("requests", "vague.pointing")
    spoken = [token for token in request.tokens if token.sort not in {"mark", "number"}]
    for before, token in zip([None, *spoken], spoken, strict=False):
        if token.plain in things and before is not None:
            return f"{before.plain} {token.plain}"
    first = request.clauses[0][1] if request.clauses and len(spoken) <= POINTING_WORDS else ()
    said = [token for token in first if token.sort != "mark" and not is_verb(token)]
    if all(token.plain in pointing or token.plain in LEAD for token in said):
        return next((token.plain for token in said if token.plain in pointing), "")
    return ""


def meant(request: Request, memos: Sequence[Memo]) -> tuple[Memo, ...]:
    """What a request that points at something may mean, the likeliest first."""
    words = subjects(request)
    if words:
        fitting = [(len(named(request, memo)) / len(words), memo) for memo in memos if named(request, memo)]
    else:
        fitting = [(memo.score, memo) for memo in memos]
    fitting.sort(key=lambda pair: (-_fit(*pair), pair[1].id))
    return tuple(memo for _, memo in fitting)


def clear(request: Request, candidates: Sequence[Memo]) -> bool:
    """Whether the first of what may be meant is clearly it."""
    if not candidates:
        return False
    if len(candidates) == 1:
        return bool(subjects(request)) or candidates[0].score >= MEANT
    if not subjects(request) and candidates[0].score < MEANT:
        return False
    share = [len(named(request, one)) / max(1, len(subjects(request))) for one in candidates[:2]]
    return _fit(share[0], candidates[0]) - _fit(share[1], candidates[1]) >= CLEARLY


def _fit(share: float, memo: Memo) -> float:
    return share + memo.score / 2 + (OPEN_LEAD if memo.sort in OPEN_SORTS else 0.0)


def _by_name(request: Request, memo: Memo) -> bool:
    """Whether a workflow is called by its name: a word that is the project's own, not a verb like "test"."""
    name = _stems(memo.title.partition(":")[0], ())
    return any(word in name for word in subjects(request))


@lru_cache(maxsize=4_096)
def _stems(text: str, entities: tuple[str, ...]) -> frozenset[str]:
    names = (name.partition(":")[2].lower() for name in entities)
    return frozenset([*_words(text[:MEMO_CHARS]), *names])


def _words(text: str) -> Iterator[str]:
    for token in re.findall(r"[\w./@-]+", text.lower()):
        yield request_stem(token)
        yield token.strip("./")
        if "-" in token or "/" in token:
            yield from (request_stem(part) for part in re.split(r"[-/]", token) if part)
