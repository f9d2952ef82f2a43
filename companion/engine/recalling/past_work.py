"""Precedents as candidates for a context, each at two lengths; the best tells what usually goes along too."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from msgspec.structs import replace

from companion.engine.recalling.recall import Ask
from companion.engine.recalling.went_along import LOOKED_AT, WentAlong, habits_of
from companion.ports import Library, PastChange, TokenCounter
from companion.records import (
    Candidate,
    ChangeStatus,
    Evidence,
    EvidenceKind,
    FileChange,
    FileRole,
    Form,
    Kind,
    Memory,
    Reason,
    Tier,
)
from companion.syntax.alike import without_request
from companion.syntax.languages import role_by_name

SECTION = "Precedents"
PRECEDENT = "precedent:"
"""How the id of such a candidate begins; the id of its commit follows."""
FILES_TOLD = 5
"""Files of a group that are named; of more, the number."""
HABITS_TOLD = 4
"""Habits that are told, the most common."""
SHORT_WORTH = 0.6
"""What the shorter form keeps of the value: the files, without what they are for and the habits."""
LEAST, PER_SCORE, MOST = 0.15, 0.5, 0.85
"""A precedent's score among what is relevant: .48 for one that is just worth showing, .75 for one that says most."""

_GROUPS = {FileRole.TEST: "tests", FileRole.DOC: "documents"}
_MARKS = {ChangeStatus.ADDED: " (new)", ChangeStatus.DELETED: " (removed)"}


def of_precedents(ask: Ask, memories: Sequence[Memory], library: Library, counter: TokenCounter) -> list[Candidate]:
    """At most SHOWN candidates for a task in words, none without; `memories` are those recalled beside.

    One that is a memory too says the same as that, so that only one of them is shown.
    """
    if not ask.signals.query.strip():
        return []
    nearest = precedents_of(ask.signals.query, library, ask.now, ask.files, max(SHOWN, LOOKED_AT))
    habits = habits_of(nearest)[:HABITS_TOLD]
    episodes = [memory for memory in memories if memory.draft.kind is Kind.EPISODE]
    keys = {one.ref: memory.key for memory in episodes for one in memory.draft.evidence}
    found = [_candidate(one, habits if at == 0 else (), counter) for at, one in enumerate(nearest[:SHOWN])]
    said = [" ".join(sorted({keys[sha] for sha in one.commits if sha in keys})) for one in nearest[:SHOWN]]
    return [replace(candidate, says=says) for candidate, says in zip(found, said, strict=True)]


def _candidate(precedent: PastChange, habits: Sequence[WentAlong], counter: TokenCounter) -> Candidate:
    texts = (_full(precedent, habits), _short(precedent))
    score = round(min(MOST, LEAST + PER_SCORE * precedent.alike), 4)
    return Candidate(
        id=f"{PRECEDENT}{precedent.sha}",
        title=precedent.subject,
        tier=Tier.RELEVANT,
        section=SECTION,
        score=score,
        forms=(
            Form("full", texts[0], counter.count(texts[0]), 1.0),
            Form("summary", texts[1], counter.count(texts[1]), SHORT_WORTH),
        ),
        reasons=(Reason("precedent", min(precedent.alike, 1.0), 1.0, why_alike(precedent)),),
        evidence=(Evidence(EvidenceKind.COMMIT, precedent.sha),),
        files=tuple(file.path for file in precedent.files),
        at=precedent.at,
    )


def _full(precedent: PastChange, habits: Sequence[WentAlong]) -> str:
    """Subject, date and request; then the files by what they are for, a line a group; then the habits."""
    request = (
        f", #{precedent.request}" if precedent.request and f"#{precedent.request}" not in precedent.subject else ""
    )
    groups: dict[str, list[FileChange]] = {"code": [], "tests": [], "documents": []}
    for file in precedent.files:
        groups[_GROUPS.get(role_by_name(file.path), "code")].append(file)
    lines = [f"{precedent.subject} ({precedent.at:%Y-%m-%d}{request})"]
    lines += [f"{group}: {_named(files)}" for group, files in groups.items() if files]
    return "\n".join((*lines, *map(_habit, habits)))


def _short(precedent: PastChange) -> str:
    return f"{precedent.subject}: {_named(precedent.files)}"


def _named(files: Sequence[FileChange]) -> str:
    named = [f"{file.path}{_MARKS.get(file.status, '')}" for file in files[:FILES_TOLD]]
    more = len(files) - len(named)
    return ", ".join(named) + (f" and {more} more" if more else "")


def _habit(habit: WentAlong) -> str:
    example = f", as {habit.example_path} in {habit.example[:10]}" if habit.path != habit.example_path else ""
    verb = "adds" if habit.made else "changes"
    return f"such work {verb} {habit.path} ({habit.times} of the {habit.of} nearest{example})"


SHOWN = 3
"""Precedents that are shown."""
CONSIDERED = 60
"""Past changes that are compared."""
WORTH_SHOWING = 0.45
"""Score under which a change shares little more than a word with the task: right ones had .48 at least."""
AT_HAND = 0.1
"""What a change of a file at hand gains."""
MASS_FILES, MASS = 25, 0.2
"""A change of more files is of many sorts at once, and loses so much."""


def precedents_of(
    text: str, library: Library, now: datetime, at_hand: Sequence[str] = (), limit: int = SHOWN
) -> tuple[PastChange, ...]:
    """At most `limit` changes before `now` that did most nearly the sort of thing a task asks for, best first.

    `at_hand` are the paths in front of the developer; how much alike each is, from WORTH_SHOWING to about 1.4, counts
    these too. Nothing where none is worth showing.
    """
    found = [change for change in library.past_changes(text, CONSIDERED) if change.at <= now]
    scored = [(_score(change, at_hand), change) for change in found]
    best: dict[str, PastChange] = {}
    for score, change in sorted(scored, key=lambda one: (-one[0], one[1].commits_ago, one[1].sha)):
        if score >= WORTH_SHOWING and len(best) < limit:
            same_work = without_request(change.subject).casefold()  # which may have been picked for another line
            best.setdefault(same_work, replace(change, alike=round(score, 4)))
    return tuple(best.values())


def _score(change: PastChange, at_hand: Sequence[str]) -> float:
    paths = [file.path for file in change.files]
    return change.alike + AT_HAND * _nearness(paths, at_hand) - MASS * (len(paths) > MASS_FILES)


def _nearness(paths: Sequence[str], at_hand: Sequence[str]) -> float:
    """1 for a change of a file at hand, half for one beside it."""
    if any(path in paths for path in at_hand):
        return 1.0
    folders = {path.rpartition("/")[0] for path in paths}
    return 0.5 if any(path.rpartition("/")[0] in folders for path in at_hand) else 0.0


def why_alike(change: PastChange) -> str:
    """What is alike in a change and a task, for people."""
    tested = any(role_by_name(file.path) is FileRole.TEST for file in change.files)
    sources = [file.path for file in change.files if role_by_name(file.path) is FileRole.SOURCE]
    said = [word.lower() for word in change.words]
    place = next((path for path in sources if any(word in path.lower() for word in said)), "")
    place = place or (sources[0] if sources else change.files[0].path)
    where = f", in {place.rpartition('/')[2]}{' and its tests' if sources and tested else ''}"
    sort = "did the same sort of thing" if change.same_lead else "did a similar thing"
    return f"{sort}{where}; matches {', '.join(change.words)}" if change.words else f"{sort}{where}"
