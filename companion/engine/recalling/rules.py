"""Which written rules bind a task: those that say what a change must bring along, and those of the folders it is in.

A guide for contributors holds dozens of rules, most of them about steps that anybody takes (run the tests, open a
request). What a reviewer asks for is what belongs to the change itself and is forgotten: a test, the documentation, a
note for the next release, a type, a name in the list of authors, the way things are deprecated. Of each sort the rule
that says most is taken, so that a guide which says the same in three places is told once.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from companion.engine.recalling.traits import Lasting
from companion.records import EvidenceKind, Memory, Reason

GENERAL_RULES = 4
"""Rules told that hold for every change."""
FOLDER_RULES = 2
"""Rules told of the folders that the likely files are in."""
FIRST, STEP = 0.68, 0.03
"""Score of the first rule, and what each further one has less: they are short, and stand with places."""
HEADING_WORDS = 4
"""A longer heading names a case of its own (`Contributing features requiring additional libraries`), unless it
speaks of what every change brings along (`Add an entry to the changelog`)."""
TOLD_CHARS = 400
"""A longer paragraph explains."""

_COMPANIONS: Mapping[str, re.Pattern[str]] = {
    "tests": re.compile(r"\b(?:tests?|test ?cases?|regression|coverage)\b", re.IGNORECASE),
    "documents": re.compile(r"\b(?:docs?|documentation|documented)\b", re.IGNORECASE),
    "note": re.compile(
        r"\b(?:change ?logs?|news|release notes?|fragments?|change notes?|history\.\w+|(?-i:CHANGES))\b", re.IGNORECASE
    ),
    "types": re.compile(
        r"\b(?:typings|type (?:definitions?|declarations?|hints?|annotations?|stubs?))\b", re.IGNORECASE
    ),
    "names": re.compile(r"\b(?:AUTHORS|CONTRIBUTORS|CREDITS)\b"),
    "compatibility": re.compile(r"\b(?:backwards?.compatib\w+|deprecat\w+|breaking changes?)\b", re.IGNORECASE),
}
"""What a change brings along, by sort, and how it is called."""
_PATH = re.compile(r"`[^`]*(?:/|\.\w{2,4}\b)[^`]*`")
"""A file or folder that is named: the rule that says where tells more than the one that says what."""
_REQUEST = re.compile(r"\b(?:pull requests?|PRs?|patch(?:es)?|contributions?)\b", re.IGNORECASE)
_CHANGE = re.compile(
    r"\b(?:(?:code |your |new |any |all |the )*(?:changes?|features?|(?:bug ?)?fix(?:es)?|functionality|functions?|"
    r"behaviou?rs?|contributions?|patch(?:es)?|modifications?|legacy code|APIs?)|pull requests?|PRs?|yourself|"
    r"(?:write|add|create) (?:\w+ ){0,3}?(?:tests?|docs|fragment|file))\b",
    re.IGNORECASE,
)
"""What is done to the code, or whoever does it: a rule without it tells of a step, or of the project's own affairs."""
_DUTY = re.compile(
    r"\b(?:must|shall|should|need(?:s|ed)? to|ha(?:s|ve) to|ensure|make sure|please|require[sd]?|do not|don['’]t|never|"
    r"add|added|write|create|update[ds]?|include|cover(?:ed)?|tested|remain|keep)\b",
    re.IGNORECASE,
)
"""What makes a duty of it."""
_CASE = re.compile(r"(?:before|after|when(?:ever)?|once|if|for)\b([^,:]*)[,:]", re.IGNORECASE)
"""The case that a rule begins with: if that is no change (a release, a security report) it binds nothing else."""


def binding(rules: Sequence[Memory], paths: Sequence[str]) -> Mapping[str, Reason]:
    """Why and how much rules bind a change of `paths` (the likeliest first), by id; those that do not are left out."""
    says = {rule.id: f"holds in {rule.draft.scope.path}/" for rule in _of_folders(rules, paths)}
    says |= dict.fromkeys((rule.id for rule in _of_every_change(rules)), "holds for every change")
    return {id_: Reason("rule", round(FIRST - STEP * at, 4), 1.0, why) for at, (id_, why) in enumerate(says.items())}


def _of_folders(rules: Sequence[Memory], paths: Sequence[str]) -> list[Memory]:
    """Rules that hold for a folder above one of the paths, the nearest first."""
    folders = [f"{scope}/" if (scope := rule.draft.scope.path) else "" for rule in rules]
    near = [
        (-len(folder), rule.id, rule)
        for rule, folder in zip(rules, folders, strict=True)
        if folder and any(path.startswith(folder) for path in paths)
    ]
    return [rule for _, _, rule in sorted(near, key=lambda one: one[:2])[:FOLDER_RULES]]


def _of_every_change(rules: Sequence[Memory]) -> list[Memory]:
    """For each sort of what a change brings along one rule, those that speak of most sorts first."""
    wanted = [(rule, sorts) for rule in rules if not rule.draft.scope.path and (sorts := _brings(rule))]
    wanted.sort(key=lambda one: (-len(one[1]), -one[0].draft.importance, len(one[0].draft.levels.full), one[0].id))
    found: list[Memory] = []
    told: set[str] = set()
    for rule, sorts in wanted:
        if sorts - told and len(found) < GENERAL_RULES:
            found.append(rule)
            told |= sorts
    return found


def _sorts(rule: Memory) -> frozenset[str]:
    """What a rule says that every change must bring along; nothing for one that tells of something else."""
    text = rule.draft.levels.full
    if any(one.kind is not EvidenceKind.FILE for one in rule.draft.evidence):
        return frozenset()
    heading, said = rule.draft.subject, text.removeprefix(f"{rule.draft.subject}: ")
    case = _CASE.match(said)
    general = _REQUEST.search(heading) or any(pattern.search(heading) for pattern in _COMPANIONS.values())
    special = len(heading.split()) > HEADING_WORDS and not general
    special = special or (case is not None and not _CHANGE.search(case[1]))
    if special or len(said) > TOLD_CHARS or not (_CHANGE.search(said) and _DUTY.search(said)):
        return frozenset()
    sorts = [name for name, pattern in _COMPANIONS.items() if pattern.search(said)]
    return frozenset((*sorts, *(f"where {name}" for name in sorts if _PATH.search(said))))


_brings = Lasting(_sorts).of
"""The same, worked out once for each rule."""
