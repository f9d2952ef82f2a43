"""What is asked of the library for one context: some dozen set-based questions, whatever the store's size.

The library is a guarded one (see `guard`): a part that fails gives nothing and is named as missing.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime, timedelta

from msgspec import Struct, field
from msgspec.structs import replace

from companion.engine.recalling.rules import binding
from companion.engine.recalling.traits import happened_at
from companion.ports import FileOwner, Library, LineMaker, Neighbour, Topic
from companion.records import (
    Activity,
    CodeForms,
    Contradiction,
    Decision,
    DecisionStatus,
    ErrorReport,
    FileRole,
    Hit,
    Link,
    Memory,
    Passage,
    PassageHit,
    PassageKind,
    Prediction,
    Profile,
    Reason,
    SearchQuery,
    Signals,
    Source,
    Span,
    Status,
    entity,
    over_since,
)
from companion.records.talk import Item
from companion.syntax.languages import role_by_name

ERROR_WINDOW = timedelta(hours=24)
"""Errors this young are critical (spec C2)."""
TALK_WINDOW = timedelta(days=30)
"""The last conversation is told of for so long, as what is warm (spec, words): later it is where one was long ago."""
ABOUT_LIMIT = 60
"""Memories that name a file at hand: more than this many about one file are told apart by search."""
WITHIN_LIMIT = 40
"""Memories of the folders above the file; the nearest and most important come first."""
SEARCH_LIMIT = 30
"""Memories that match the task's words: several times what a context shows, so that ranking has a choice."""
PEOPLE_LIMIT = 20
"""Memories of each ask about the collaborators present."""
THREADS_LIMIT = 60
"""Open questions and blockers of the files at hand: several times what a context shows."""
TOPICS_ASKED = 200
"""Topics among which those of the task are looked for."""
DECLARED_LIMIT = 8
"""Rows of manifests and the like that a task names, without one those of the current file: who wants all opens it."""
LISTED_MATCH = 1.0
"""How much such a row is what the task asks for: the task names it, word for word."""
TOLD_MATCH = 0.6
"""The least that something a person told is what the task asks for, where it says half of it: it names no file, by
which others are found to be about the same."""
OWNER_LIMIT = 3
"""People named in the history of a module."""
COMPANION_LIMIT = 8
"""Files that usually change with what was edited, looked at in a review."""
PLACES_LIMIT = 400
"""Pieces of likely files that match the task's words: several for each file that may show them."""
ALIKE_LIMIT = 200
"""The same without a task: half as many are found and weighed in half the time, and show as much."""
PLACES_FROM, PLACES_BESIDE = 0.02, 0.2
"""Probability from which a file is looked into for places, and the same beside the likeliest file's: among thousands of
files none is likely."""
PLACED = (PassageKind.CHUNK, PassageKind.DOCUMENT, PassageKind.COMMENT)
"""Passages that are lines of a file, each line in one of them."""
NEIGHBOURS_ASKED = 5
"""How many of the strongest predicted files are asked about beside the files at hand."""
MESSAGES_FOUND = 100
"""Commits whose messages speak of the task, among which makers are looked up."""


class Ask(Struct, frozen=True):
    """What a context is for.

    `current` is the file in focus or empty; `at_hand` other files open or edited, `error_files` those
    that an error names, the most telling first; `text` the words of the task (query, branch, error)
    and `names` the identifiers among them; `predictions` the files likely needed, best first. `assumed` tells that
    nothing speaks of the activity.
    """

    signals: Signals
    errors: tuple[ErrorReport, ...]
    now: datetime
    activity: Activity
    current: str = ""
    at_hand: tuple[str, ...] = ()
    error_files: tuple[str, ...] = ()
    text: str = ""
    names: tuple[str, ...] = ()
    predictions: tuple[Prediction, ...] = ()
    assumed: bool = False

    @property
    def files(self) -> tuple[str, ...]:
        """The current file, the others at hand and those of the error, each once."""
        return tuple(dict.fromkeys(path for path in (self.current, *self.at_hand, *self.error_files) if path))

    @property
    def has_task(self) -> bool:
        """Whether a task is told in words; else the files at hand decide alone."""
        return bool(self.text.strip())


class Recalled(Struct, frozen=True):
    """All that the library answered.

    `memories` are unique and sorted by id; `matched` maps ids to search scores, None without a text;
    `same_errors` and `recent_errors`, `foundation`, `conventions`, `talked` and `with_people` are ids of those;
    `binding` says of the rules that bind the task how much they do, and why. `places` are pieces of likely files and
    of those at hand that speak of the task, `makers` the commits that made them, `messages` how much of the task the
    messages of commits say, by id. Without a task `written` are the commits that the current file's lines are from, the
    newest first.
    """

    memories: tuple[Memory, ...] = ()
    matched: Mapping[str, float] | None = None
    same_errors: frozenset[str] = frozenset()
    recent_errors: frozenset[str] = frozenset()
    foundation: frozenset[str] = frozenset()
    conventions: frozenset[str] = frozenset()
    talked: frozenset[str] = frozenset()
    with_people: frozenset[str] = frozenset()
    binding: Mapping[str, Reason] = field(default_factory=dict)
    contradictions: tuple[Contradiction, ...] = ()
    codes: Mapping[str, CodeForms] = field(default_factory=dict)
    links: tuple[Link, ...] = ()
    companions: tuple[Neighbour, ...] = ()
    owners: tuple[FileOwner, ...] = ()
    topics: tuple[Topic, ...] = ()
    threads: tuple[Item, ...] = ()
    places: tuple[PassageHit, ...] = ()
    makers: Makers = field(default_factory=dict)
    messages: Mapping[str, float] = field(default_factory=dict)
    written: tuple[LineMaker, ...] = ()


def recall(ask: Ask, library: Library) -> Recalled:
    """Everything the library knows that may belong into the context of `ask`."""
    standing = library.standing()
    same, recent = _errors(ask, library)
    people = _people(ask, library)
    named = _named(ask, library)
    listed = library.declared(ask.text, (ask.current,), DECLARED_LIMIT)
    hits = _search(ask, library)  # after the others: the vector of the text is being made meanwhile
    found = () if hits is None else tuple(hit.memory for hit in hits)
    binds = _binding(ask, standing.rules)
    rules = tuple(rule for rule in standing.rules if rule.id in binds)
    links = library.links(ask.files) if ask.files else ()
    codes = library.paths()
    places = _places(ask, library)
    messages = library.messages(ask.text, MESSAGES_FOUND) if places else {}
    makers = makers_of(places, library)
    written = () if ask.has_task else _written_by(ask.current, codes, library)
    places = weighed(places, makers, written)
    talked = tuple(one for one in standing.talked if ask.now - (happened_at(one) or ask.now) <= TALK_WINDOW)
    stands = (*rules, *standing.foundation, *standing.conventions, *standing.workflows, *standing.decisions, *talked)
    return Recalled(
        memories=_unique(ask.now, named, listed, found, same, recent, people, stands),
        matched=None
        if hits is None
        else {hit.memory.id: _match(hit) for hit in hits} | dict.fromkeys(_ids(listed), LISTED_MATCH),
        same_errors=_ids(same),
        recent_errors=_ids(recent),
        foundation=_ids(standing.foundation),
        conventions=_ids(standing.conventions),
        talked=_ids(talked),
        with_people=_ids(people),
        binding=binds,
        contradictions=tuple(c for c in standing.contradictions if c.resolution is None),
        codes=codes,
        links=links,
        companions=_companions(ask, library),
        owners=library.owners(ask.files[0], OWNER_LIMIT) if ask.files else (),
        topics=library.topics(TOPICS_ASKED),
        threads=library.open_threads(ask.files, THREADS_LIMIT) if ask.files else (),
        places=places,
        makers=makers,
        messages=messages,
        written=written,
    )


def _places(ask: Ask, library: Library) -> tuple[PassageHit, ...]:
    """Pieces of the files likely needed that speak of the task; without one, that say what the file at hand says."""
    here = (ask.current,) if ask.current else ask.files
    likely = _likely(ask.predictions)
    if not ask.has_task:
        return library.alike(here, PLACED, ALIKE_LIMIT, among=[path for path in likely if path not in here])
    paths = tuple(dict.fromkeys((*ask.files, *likely)))
    if not paths:
        return ()
    words = (ask.text, *(name for name in ask.names if name not in ask.text))
    return library.passages(" ".join(words), PLACED, PLACES_LIMIT, paths=paths, meaning=True)


def _likely(predictions: Sequence[Prediction]) -> list[str]:
    """The files that are looked into, likeliest first."""
    least = min(PLACES_FROM, PLACES_BESIDE * max((one.probability for one in predictions), default=0.0))
    return [one.path for one in predictions if one.probability >= least]


def _written_by(path: str, codes: Mapping[str, CodeForms], library: Library) -> tuple[LineMaker, ...]:
    """The commits that lines of a file are from, the newest first."""
    return library.makers(path, [(1, codes[path].lines)])[0] if path in codes else ()


def _binding(ask: Ask, rules: Sequence[Memory]) -> Mapping[str, Reason]:
    """How much rules bind the task and why, by id; none without a task in words, or where nothing is to be changed."""
    if not ask.signals.query.strip() or ask.activity is Activity.EXPLORING:
        return {}
    paths = (*ask.files, *_likely(ask.predictions)[:NEIGHBOURS_ASKED])
    return binding(rules, paths, ask.signals.query, None if ask.assumed else ask.activity) if paths else {}


def _search(ask: Ask, library: Library) -> tuple[Hit, ...] | None:
    """Hits for the task's words; None if there are no words."""
    return (
        library.search(SearchQuery(text=ask.text, profile=Profile.MEMORY, limit=SEARCH_LIMIT)) if ask.has_task else None
    )


def _errors(ask: Ask, library: Library) -> tuple[tuple[Memory, ...], tuple[Memory, ...]]:
    """Episodes of the same errors, and all of the last day."""
    prints = tuple(dict.fromkeys(error.fingerprint for error in ask.errors if error.fingerprint))
    same = library.failures(prints, None) if prints else ()
    return same, library.failures((), ask.now - ERROR_WINDOW)


def _people(ask: Ask, library: Library) -> tuple[Memory, ...]:
    keys = tuple(entity("person", who) for who in ask.signals.collaborators if who.strip())
    return library.about(keys, PEOPLE_LIMIT) if keys else ()


def _named(ask: Ask, library: Library) -> tuple[Memory, ...]:
    """Memories of the files at hand, of their strongest neighbours, and of the folders above."""
    neighbours = tuple(p.path for p in ask.predictions[:NEIGHBOURS_ASKED])
    symbols = tuple(f"symbol:{name}" for error in ask.errors for name in error.symbols)
    keys = tuple(dict.fromkeys([*(f"file:{path}" for path in (*ask.files, *neighbours)), *symbols]))
    about = library.about(keys, ABOUT_LIMIT) if keys else ()
    return (*about, *library.within(ask.files[0], WITHIN_LIMIT)) if ask.files else about


def _companions(ask: Ask, library: Library) -> tuple[Neighbour, ...]:
    """What usually changes with the files at hand; asked in a review, where its absence is news."""
    if ask.activity is not Activity.REVIEW or not ask.files:
        return ()
    return library.cochanged(ask.files, COMPANION_LIMIT)


def _match(hit: Hit) -> float:
    """How much a memory is what the task asks for."""
    return max(hit.score, TOLD_MATCH) if hit.fits and hit.memory.draft.source is Source.BY_HAND else hit.score


def _ids(memories: Iterable[Memory]) -> frozenset[str]:
    return frozenset(memory.id for memory in memories)


def _unique(now: datetime, *groups: Iterable[Memory]) -> tuple[Memory, ...]:
    """Each memory once, those that still hold, by id."""
    by_id = {memory.id: memory for group in groups for memory in group if _holds(memory, now)}
    return tuple(by_id[id_] for id_ in sorted(by_id))


def _holds(memory: Memory, now: datetime) -> bool:
    """Whether it is active, still true, and not a decision that another has replaced."""
    body = memory.draft.body
    replaced = isinstance(body, Decision) and body.status is DecisionStatus.SUPERSEDED
    return memory.status is Status.ACTIVE and not replaced and over_since(memory, now) is None


def is_told(piece: Passage) -> bool:
    """Whether it is told who made a piece: one of code that is no test."""
    return piece.kind is PassageKind.CHUNK and role_by_name(piece.path) is not FileRole.TEST


def makers_of(hits: Sequence[PassageHit], library: Library) -> Makers:
    """Who made the pieces that were found; a file is asked about once."""
    spans: dict[str, list[Span]] = {}
    for passage in (hit.passage for hit in hits):
        if passage.span is not None:
            spans.setdefault(passage.path, []).append(passage.span)
    return {
        (path, span): made
        for path, some in spans.items()
        for span, made in zip(some, library.makers(path, some), strict=True)
        if made
    }


Makers = Mapping[tuple[str, Span], tuple[LineMaker, ...]]
"""By path and lines of a piece the commits that made it, the newest first."""
TOGETHER = 3.0
"""What a piece counts more, beside what its words do, that the newest commit at hand wrote all of. Replayed on six
repositories, of the lines that change .205 are shown without it, .231 at 2, .241 at 5."""


def weighed(hits: Sequence[PassageHit], makers: Makers, at_hand: Sequence[LineMaker]) -> tuple[PassageHit, ...]:
    """The hits, best first, each worth more by its share of lines that commits `at_hand` made, the newest most."""
    newest_first = {maker.sha: 1 / (1 + age) for age, maker in enumerate(at_hand)}
    if not newest_first:
        return tuple(hits)
    told = (replace(hit, score=hit.score * (1 + TOGETHER * _share(hit, makers, newest_first) ** 0.5)) for hit in hits)
    return tuple(sorted(told, key=lambda hit: -hit.score))


def _share(hit: PassageHit, makers: Makers, worth: Mapping[str, float]) -> float:
    """How much of a piece those commits made, 0 to 1."""
    if hit.passage.span is None:
        return 0.0
    first, last = hit.passage.span
    made = makers.get((hit.passage.path, hit.passage.span), ())
    return min(sum(maker.lines * worth.get(maker.sha, 0.0) for maker in made) / (last - first + 1), 1.0)
