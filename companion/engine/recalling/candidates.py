"""Memories, contradictions, the module's history and the index as candidates, each in all its forms."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence

from msgspec.structs import replace

from companion.engine.recalling.place import (
    MATCHES,
    MODULE_PAST,
    QUOTED,
    TOUCHES,
    Placement,
    orders_a_program,
    place,
    tells_a_program,
)
from companion.engine.recalling.rank import Ranked, rank
from companion.engine.recalling.recall import Ask, Recalled
from companion.engine.recalling.scoring_context import ScoringContext
from companion.engine.recalling.traits import Traits, traits_of
from companion.engine.telling.labels import labels
from companion.engine.telling.styles import short_id
from companion.ports import TokenCounter
from companion.records import (
    Candidate,
    Contradiction,
    Draft,
    Episode,
    EpisodeType,
    Evidence,
    EvidenceKind,
    FactType,
    Form,
    Kind,
    Level,
    Memory,
    Reason,
    Source,
    Tier,
    entity,
    told_at,
)
from companion.records.talk import ItemType, item_in_words
from companion.syntax.words import stem_of

LEVEL_WORTH: Mapping[Level, float] = {
    Level.FULL: 1.0,
    Level.SUMMARY: 0.9,
    Level.COMPRESSED: 0.6,
    Level.INDEX: 0.2,
}
"""What each length keeps of a memory's value: a summary nearly all, a compressed line the gist."""
TIER_LEVELS: Mapping[Tier, tuple[Level, ...]] = {
    Tier.CRITICAL: (Level.FULL, Level.SUMMARY, Level.COMPRESSED),
    Tier.RELEVANT: (Level.FULL, Level.SUMMARY, Level.COMPRESSED),
    Tier.BACKGROUND: (Level.COMPRESSED,),
    Tier.INDEX: (Level.INDEX,),
}
"""The lengths a tier may show; the background is compressed (spec C2)."""
FULL_TOKENS = 160
"""A longer full text is left to `expand`: it would push out several memories for little more."""
FULL_FROM_SCORE = 0.7
"""Only what is clearly about the place or task is worth its full length."""
ASKED_FOR = 0.8
"""Search score from which the task asks for this very memory, not only for its like (see `place.MATCHES`)."""
_LENGTHS: Mapping[Level, int] = {level: at for at, level in enumerate(Level)}
"""Levels from the longest, 0, to the shortest."""
TOPIC = "topic:"
"""How the id of a topic begins; its name follows."""
TOPIC_LIMIT = 24
"""Topics of the index: two dozen names are read at a glance."""
TOPIC_LETTERS = 4
"""Letters of a word by which a topic is of a task; shorter ones stand in any text."""
_WORD = re.compile(r"[^\W_]+")
LOWEST_BACKGROUND = 0.1
"""Background memories below this concern nobody here."""
LOWEST_FOR_TASK = 0.5
"""The same where there is a task, whose places are worth more: what is shown beside them is to be about it."""

CAME_BY: Mapping[Source, str] = {Source.BY_HAND: "companion remember", Source.IMPORT: "companion import"}
"""What is named as the source of a memory without evidence that no assistant told: the command it came by."""

SECTION_LIMITS: Mapping[str, int] = {
    "Decisions": 8,
    "Open questions": 4,
    "This error before": 3,
    "Errors of the last day": 4,
    "Fixes here": 5,
    "Known issues": 4,
    "Similar errors": 3,
    "Related decisions": 4,
    "Past errors": 3,
    "Collaborators": 6,
    "Departs from convention": 5,
    "Rules": 6,
    "Foundation": 20,
    "Patterns": 6,
    "History": 5,
    "Similar work": 4,
    "Workflows": 5,
    "Facts": 6,
    "Conventions": 16,
}
"""The most items of a section, so that no sort of memory crowds out the others; 20 foundation
memories are spec M2, the rest is what a reader takes in of one sort."""
LIMITS_FOR_TASK: Mapping[str, int] = {
    **SECTION_LIMITS,
    "Past errors": 1,
    "Patterns": 2,
    "History": 2,
    "Similar work": 2,
    "Conventions": 2,
}
"""The same where there is a task: what happened here before is told in a few lines beside its places (spec C10)."""
SORTS_SHOWN = {FactType.DECISION.value, FactType.HABIT.value, EpisodeType.ERROR.value}
"""Sorts of facts and episodes that people know by a name of their own."""
CONTRADICTIONS = "Contradictions"
"""Their section."""
CONTRADICTION_LIMIT = 4
"""Contradictions shown at once; the others are counted in the index."""
THREAD_SECTIONS = {ItemType.BLOCKER: "Blockers", ItemType.QUESTION: "Open questions"}
THREAD_LIMIT = 4
"""Open blockers and questions shown at once; `companion threads` lists all."""
HISTORY_EPISODES = 3
"""The latest of the happenings remembered of a module that are named in its history."""
QUOTES_TOKENS = 4
"""At most what the marks of a quotation cost."""
POINTER_LIMIT = 12
"""Pointers to memories that did not fit."""


def of_memories(recalled: Recalled, scoring: ScoringContext) -> list[Candidate]:
    """Every recalled memory that has a place, ranked, at most so many a section."""
    lowest, limits = (
        (LOWEST_BACKGROUND, SECTION_LIMITS) if scoring.matched is None else (LOWEST_FOR_TASK, LIMITS_FOR_TASK)
    )
    placed: list[tuple[float, str, Placement, Ranked]] = []
    for memory in recalled.memories:
        ranked = rank(memory, scoring)
        at = place(ranked, recalled, scoring)
        if at is not None and not (at.tier is Tier.BACKGROUND and at.score < lowest):
            placed.append((-at.score, memory.id, at, ranked))
    placed.sort()  # ids differ, so that it never comes to what follows them
    kept: list[Candidate] = []
    filled: Counter[tuple[Tier, str]] = Counter()
    for _, _, at, ranked in placed:
        where = (at.tier, at.section)
        if filled[where] < limits.get(at.section, len(placed)):
            filled[where] += 1
            kept.append(_candidate(ranked, at))
    return [candidate for candidate in kept if candidate.forms]


def _candidate(ranked: Ranked, found: Placement) -> Candidate:
    memory = ranked.memory
    draft = memory.draft
    forms = forms_of(memory, found.tier, found.score, asked=ranked.match >= ASKED_FOR)
    return Candidate(
        id=memory.id,
        title=title_of(memory),
        tier=found.tier,
        section=found.section,
        score=round(min(found.score, 1.0), 4),
        forms=_quoted(forms) if found.section == QUOTED else forms,
        reasons=ranked.reasons if found.reason is None else (found.reason,),
        evidence=draft.evidence or (_told_by(draft),),
        files=ranked.files,
        says=memory.key,
        at=ranked.seen.traits.happened_at,
        kind=draft.type if draft.type in SORTS_SHOWN else draft.kind.value,
    )


def _quoted(forms: Sequence[Form]) -> tuple[Form, ...]:
    return tuple(replace(form, text=f"“{form.text}”", tokens=form.tokens + QUOTES_TOKENS) for form in forms)


def _told_by(draft: Draft) -> Evidence:
    """Who told a memory without evidence, where an assistant did, else the command it came by."""
    (teller,) = told_at(draft)
    if teller != draft.source.value:
        return Evidence(EvidenceKind.PERSON, teller)
    return Evidence(EvidenceKind.COMMAND, CAME_BY.get(draft.source, draft.source))


def title_of(memory: Memory) -> str:
    """What a memory is called: an episode's title, else what it is about."""
    body = memory.draft.body
    return body.title if isinstance(body, Episode) else memory.draft.subject or memory.draft.attribute


def forms_of(memory: Memory, tier: Tier, score: float, *, asked: bool = False) -> tuple[Form, ...]:
    """The lengths at which a tier may show a memory, longest first, no text twice.

    What the run offers shorter is shown so, unless the task asks for this very memory.
    """
    forms: list[Form] = []
    longest_offered = 0 if asked else _LENGTHS[memory.offered]
    for level, tokens in zip(Level, memory.tokens, strict=True):
        text = memory.draft.levels.at(level)
        if level not in TIER_LEVELS[tier] or _LENGTHS[level] < longest_offered or not text.strip():
            continue
        if level is Level.FULL and (tokens > FULL_TOKENS or score < FULL_FROM_SCORE):
            continue
        if forms and forms[-1].text == text:
            forms.pop()
        forms.append(Form(level.value, text, tokens, LEVEL_WORTH[level]))
    if forms:
        longest = forms[0]
        forms[0] = Form(longest.level, longest.text, longest.tokens, max(longest.worth, LEVEL_WORTH[Level.SUMMARY]))
    return tuple(forms)


def of_contradictions(ask: Ask, recalled: Recalled, counter: TokenCounter) -> list[Candidate]:
    """Open contradictions that touch the files at hand or the task, both statements side by side."""
    here = set(ask.files)
    found = []
    for conflict in recalled.contradictions:
        if any(map(orders_a_program, conflict.members)):
            continue
        files = tuple(dict.fromkeys(path for memory in conflict.members for path in traits_of(memory).files))
        touched = sorted(here & set(files))
        matched = max((recalled.matched or {}).get(m.id, 0.0) for m in conflict.members)
        if touched or matched >= MATCHES:
            says = f"touches {touched[0].rpartition('/')[2]}" if touched else "matches the task"
            found.append(_contradiction(conflict, says, files, counter))
    found.sort(key=lambda c: (-c.score, c.id))
    return found[:CONTRADICTION_LIMIT]


def _contradiction(conflict: Contradiction, says: str, files: tuple[str, ...], counter: TokenCounter) -> Candidate:
    forms: list[Form] = []
    for level in (Level.SUMMARY, Level.COMPRESSED):
        sides = [f"{m.draft.levels.at(level)} [{_where(m)}]" for m in (conflict.a, conflict.b)]
        text = f"{sides[0]}\nagainst: {sides[1]}"
        if not forms or forms[-1].text != text:
            forms.append(Form(level.value, text, counter.count(text), LEVEL_WORTH[level]))
    sure = round(min(max(conflict.confidence, 0.0), 1.0), 4)
    return Candidate(
        id=conflict.id,
        title=conflict.reason,
        tier=Tier.CRITICAL,
        section=CONTRADICTIONS,
        score=round(TOUCHES + (1 - TOUCHES) * sure, 4),
        forms=tuple(forms),
        reasons=(Reason("contradiction", sure, 1.0, says),),
        evidence=(*conflict.a.draft.evidence[:1], *conflict.b.draft.evidence[:1]),
        files=files,
        says=f"{conflict.a.key} {conflict.b.key}",
        at=conflict.detected_at,
    )


def _where(memory: Memory) -> str:
    evidence = memory.draft.evidence
    return evidence[0].label() if evidence else memory.draft.source.value


def of_threads(ask: Ask, recalled: Recalled, counter: TokenCounter) -> list[Candidate]:
    """Open blockers and questions of conversations that name a file at hand."""
    here = {entity("file", path): path for path in ask.files}
    found = []
    for one in recalled.threads:
        if tells_a_program(one.text):
            continue
        said = Evidence(EvidenceKind.CONVERSATION, one.conversation, one.turn, one.quote)
        files = tuple(path for key, path in here.items() if key in one.entities) or ask.files[:1]
        text = item_in_words(one)
        found.append(
            Candidate(
                id=one.id,
                title=one.text,
                tier=Tier.CRITICAL,
                section=THREAD_SECTIONS[one.type],
                score=round(TOUCHES + (1 - TOUCHES) * one.confidence, 4),
                forms=(Form(Level.FULL.value, text, counter.count(text), LEVEL_WORTH[Level.FULL]),),
                reasons=(Reason("thread", 1.0, 1.0, f"open, and names {files[0].rpartition('/')[2]}"),),
                evidence=(said if one.conversation else Evidence(EvidenceKind.COMMAND, "companion todo"),),
                files=files,
                says=one.id,
                at=one.touched_at,
            )
        )
    return found[:THREAD_LIMIT]


def of_history(ask: Ask, recalled: Recalled, counter: TokenCounter) -> list[Candidate]:
    """One candidate: who has worked on the file, and the latest that is remembered of its module, however old."""
    if not ask.files or not (recalled.owners or recalled.memories):
        return []
    path = ask.files[0]
    folder = path.rpartition("/")[0] or path
    within = f"{folder}/"
    here = [m for m in recalled.memories if m.draft.kind is Kind.EPISODE and _lies_in(folder, within, traits_of(m))]
    episodes = sorted(here, key=lambda m: traits_of(m).happened_at or m.created_at, reverse=True)[:HISTORY_EPISODES]
    who = ", ".join(f"{owner.person} {owner.commits}" for owner in recalled.owners)
    what = "; ".join(_title(memory) for memory in episodes)
    parts = [f"{path}: commits by {who}"] if who else []
    parts += [f"remembered of {folder}: {what}"] if what else []
    if not parts:
        return []
    text = "; ".join(parts)
    forms = [Form("summary", text, counter.count(text), 1.0)]
    if len(parts) > 1:
        forms.append(Form("compressed", parts[0], counter.count(parts[0]), 0.5))
    evidence = tuple(memory.draft.evidence[0] for memory in episodes if memory.draft.evidence)
    return [
        Candidate(
            id=f"history:{path}",
            title=folder,
            tier=Tier.BACKGROUND,
            section="Module",
            score=MODULE_PAST,
            forms=tuple(forms),
            reasons=(Reason("history", 1.0, 1.0, "who works here and what is remembered of it"),),
            evidence=evidence,
            files=(path,),
        )
    ]


def _title(memory: Memory) -> str:
    """What happened, in the words of its title: shortened, three in a row are no sentences."""
    body = memory.draft.body
    return body.title.rstrip(".") if isinstance(body, Episode) else memory.draft.levels.compressed


def _lies_in(folder: str, within: str, traits: Traits) -> bool:
    """Whether a memory names a folder or a path in it; `within` is what such a path begins with."""
    return any(path.startswith(within) or path == folder for path in traits.files)


def of_topics(ask: Ask, recalled: Recalled, counter: TokenCounter) -> list[Candidate]:
    """What one can ask about, most spoken of first; with a task in words those that it speaks of."""
    topics = recalled.topics
    if task := ask.signals.query.strip():
        said = _stems(task)
        topics = tuple(topic for topic in topics if said & _stems(topic.name.rstrip("/").rpartition("/")[2]))
    topics = topics[:TOPIC_LIMIT]
    section = "Ask with `search TOPIC`"
    found = []
    for at, topic in enumerate(topics):
        text = f"{topic.name.rstrip('/')} ({topic.memories})"
        score = round(0.6 * (1 - at / (2 * len(topics))), 4)
        found.append(_pointer(f"{TOPIC}{topic.name}", topic.name, section, text, score, counter))
    return found


def _stems(text: str) -> frozenset[str]:
    """The stems of the words of a text that are long enough to tell one thing from another."""
    return frozenset(stem_of(word) for word in _WORD.findall(text.lower()) if len(word) >= TOPIC_LETTERS)


def of_pointers(left_out: Sequence[Candidate], counter: TokenCounter) -> list[Candidate]:
    """Pointers to the best memories that did not fit, opened with `companion expand`."""
    named = [candidate for candidate in left_out if not candidate.id.startswith("file:") and candidate.says]
    best = sorted(named, key=lambda c: (-c.score, c.id))[:POINTER_LIMIT]
    told = labels([(_pointed(candidate), candidate.forms[-1].text) for candidate in best])
    section = "Open with `expand ID`"
    return [
        _pointer(one.id, one.title, section, f"{label} {short_id(one.id)}", one.score, counter)
        for one, label in zip(best, told, strict=True)
    ]


def _pointed(candidate: Candidate) -> str:
    """What a pointer is to, in short: of two statements side by side, that they contradict each other."""
    return "contradiction" if candidate.section == CONTRADICTIONS else candidate.title


def _pointer(id_: str, title: str, section: str, text: str, score: float, counter: TokenCounter) -> Candidate:
    forms = (Form(Level.INDEX.value, text, counter.count(text), 1.0),)
    reasons = (Reason("pointer", score, 1.0, "can be asked for"),)
    return Candidate(id_, title, Tier.INDEX, section, score, forms, reasons)
