"""Which written rules bind a task: those of its sort of work and of its folders, and what any change must bring along.

A rule with a case of its own (`Creating new cops`, `If you deprecate an option:`) binds the tasks that name the case,
whatever it asks for. For the others a guide for contributors holds dozens of rules, most of them about steps that
anybody takes (run the tests, open a request). What a reviewer asks for is what belongs to the change itself and is
forgotten: a test, the documentation, a note for the next release, a type, a name in the list of authors, the way things
are deprecated. Of each sort the rule that says most is taken, so that a guide which says the same in three places is
told once. What a person told as a rule is no guide's: the few that matter most to them go before.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from msgspec import Struct

from companion.engine.lasting import Lasting
from companion.evidence.guides import (
    BROUGHT_ALONG,
    brought_along,
    concerns_everyone,
    speaks_of_assistants,
    speaks_of_change,
)
from companion.language.phrases import says
from companion.language.word_lists import DENIALS, GLUE
from companion.records import ASSISTANT, Activity, EvidenceKind, Memory, Reason, Source
from companion.syntax.words import stem_of

CASE_RULES = 3
"""Rules told of the case that the task is."""
CASE_WORDS, CASE_SHARE = 2, 0.6
"""Words of a case that a task must say, and their part of all: it adds what the rule calls creating."""
GENERAL_RULES = 4
"""Rules told that hold for every change."""
TOLD_RULES = 3
"""Rules told that somebody gave themselves for everything."""
FOLDER_RULES = 2
"""Rules told of the folders that the likely files are in."""
_MOMENTS = frozenset({"before", "after", "for"})
"""What begins a case that is a moment of some work, or whom a rule is for."""
MENDS_OR_ADDS = {Activity.DEBUGGING: "holds for every fix", Activity.NEW_FEATURE: "holds for what is added"}
"""What a change does that a rule may speak of alone; it does one of them."""
ANY = "holds for every change"
TOLD = "is your rule"
FIRST, STEP = 0.68, 0.03
"""Score of the first rule, and what each further one has less: they are short, and stand with places."""
TOLD_CHARS = 400
"""A longer paragraph explains."""

_PATH = re.compile(r"`[^`]*(?:/|\.\w{2,4}\b)[^`]*`")
"""A file or folder that is named: the rule that says where tells more than the one that says what."""
_WORD = re.compile(r"[a-z][a-z-]{2,}")
_CASE = re.compile(r"(?P<when>before|after|when(?:ever)?|once|if|for)\b(?P<case>[^,:]*)(?:,|:(?!\S))", re.IGNORECASE)
"""The case that a rule begins with: if that is no change and no assistant's part in one (a release, a
security report) it binds nothing else."""
_WORK = re.compile(r"\w+ing\b")
"""How a heading begins that names a work."""


def binding(
    rules: Sequence[Memory], paths: Sequence[str], task: str = "", activity: Activity | None = None
) -> Mapping[str, Reason]:
    """Why and how much rules bind a change of `paths` (the likeliest first), by id; those that do not are left out."""
    told = {rule.id: f"holds for “{case}”" for rule, case in _of_case(rules, task)}
    told |= {rule.id: f"holds in {rule.draft.scope.path}/" for rule in _of_folders(rules, paths)}
    told |= {rule.id: TOLD for rule in _of_people(rules, task)}
    for rule in _of_every_change(rules, activity):
        does = _asks(rule).does
        told[rule.id] = MENDS_OR_ADDS[does] if does else ANY
    return {id_: Reason("rule", round(FIRST - STEP * at, 4), 1.0, why) for at, (id_, why) in enumerate(told.items())}


def _of_case(rules: Sequence[Memory], task: str) -> list[tuple[Memory, str]]:
    """Rules that hold in a case which the task names, with the case; what says where goes first."""
    said = _stems(task)
    found: list[tuple[tuple[float, bool, int, str], Memory, str]] = []
    for rule in rules:
        asked = _asks(rule)
        words = _stems(asked.case)
        share = len(words & said) / max(len(words), 1)
        if not rule.draft.scope.path and len(words & said) >= CASE_WORDS and share >= CASE_SHARE:
            order = (-share, not _PATH.search(rule.draft.levels.full), -rule.draft.importance, rule.id)
            found.append((order, rule, asked.case))
    return [(rule, case) for _, rule, case in sorted(found, key=lambda one: one[0])[:CASE_RULES]]


def _of_people(rules: Sequence[Memory], task: str) -> list[Memory]:
    """Rules that somebody told: those that speak of the task, what is important and the newest first."""
    said = _stems(task)
    mine = [rule for rule in rules if _is_told(rule)]
    mine.sort(key=lambda rule: (rule.created_at, rule.id), reverse=True)
    mine.sort(key=lambda rule: (-len(said & _stems(rule.draft.levels.full)), -rule.draft.importance))
    return mine[:TOLD_RULES]


def _is_told(rule: Memory) -> bool:
    """Whether a person gave it themselves, for the whole project."""
    draft = rule.draft
    return draft.source is Source.BY_HAND and not (draft.origin.startswith(ASSISTANT) or draft.scope.path)


def _stems(text: str) -> set[str]:
    return {stem_of(word) for word in _WORD.findall(text.lower()) if word not in GLUE}


def _of_folders(rules: Sequence[Memory], paths: Sequence[str]) -> list[Memory]:
    """Rules that hold for a folder above one of the paths, the nearest first."""
    folders = [f"{scope}/" if (scope := rule.draft.scope.path) else "" for rule in rules]
    near = [
        (-len(folder), rule.id, rule)
        for rule, folder in zip(rules, folders, strict=True)
        if folder and any(path.startswith(folder) for path in paths)
    ]
    return [rule for _, _, rule in sorted(near, key=lambda one: one[:2])[:FOLDER_RULES]]


def _of_every_change(rules: Sequence[Memory], activity: Activity | None) -> list[Memory]:
    """For each sort of what a change brings along one rule: the one that says of most, of a change and where."""
    others = MENDS_OR_ADDS.keys() - {activity} if activity else frozenset()
    asks = [(rule, _asks(rule)) for rule in rules if not rule.draft.scope.path]
    wanted = [(rule, asked) for rule, asked in asks if asked.sorts and asked.does not in others]
    wanted.sort(key=lambda one: (*one[1].order, -one[0].draft.importance, len(one[0].draft.levels.full), one[0].id))
    found: list[Memory] = []
    for sort in BROUGHT_ALONG:
        told = any(sort in _asks(rule).sorts for rule in found)
        best = next((rule for rule, asked in wanted if sort in asked.sorts), None)
        if best is not None and not told and len(found) < GENERAL_RULES:
            found.append(best)
    return found


class _Asked(Struct, frozen=True):
    """The sorts of things a rule asks every change for, and how it compares to others: the smallest is the best.

    `does` is what the changes do that it speaks of, if it tells. `case` is what a rule that does not hold for every
    change holds for, in its own words.
    """

    sorts: frozenset[str] = frozenset()
    order: tuple[bool, int, bool] = (True, 0, True)
    does: Activity | None = None
    case: str = ""


def _read(rule: Memory) -> _Asked:
    """What a rule asks of every change, or the case that it holds for."""
    text = rule.draft.levels.full
    heading, said = rule.draft.subject, text.removeprefix(f"{rule.draft.subject}: ")
    if any(one.kind is not EvidenceKind.FILE for one in rule.draft.evidence) or len(said) > TOLD_CHARS:
        return _Asked()
    begins = _CASE.match(said)
    case = begins["case"].strip() if begins else ""
    if begins and not (speaks_of_change(case) or speaks_of_assistants(case)):
        return _Asked(case=case if begins["when"].lower() not in _MOMENTS and _is_work(case) else "")
    if not (concerns_everyone(heading) or speaks_of_assistants(heading)):
        return _Asked(case=heading if _WORK.match(heading) and _is_work(heading) else "")
    sorts = brought_along(said, rule.draft.origin)
    return _Asked(sorts, (not speaks_of_change(text), -len(sorts), not _PATH.search(said)), _does(f"{heading} {case}"))


def _is_work(case: str) -> bool:
    """Whether a case is a work on the code: no step that follows any (a commit, a release), and nothing that is not."""
    return not says(case, "written.bringing.workflow") and not DENIALS & set(case.lower().split())


def _does(case: str) -> Activity | None:
    """Which of mending and adding a case speaks of alone, with the heading that it stands under."""
    mends, adds = says(case, "written.bringing.mends"), says(case, "written.bringing.adds")
    return None if mends is adds else Activity.DEBUGGING if mends else Activity.NEW_FEATURE


_asks = Lasting(_read).of
"""The same, worked out once for each rule."""
