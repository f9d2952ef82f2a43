"""A request in steps: its own clauses in their order, what workflows and similar tasks add, and what is in the way."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence

from msgspec.structs import replace

from companion.escape import one_line
from companion.language.orders import steers_a_model, unsteered
from companion.language.requests import read_request, request_stem
from companion.reason.classify import LEFT_OUT
from companion.reason.cues import points
from companion.reason.hints import Memo, named
from companion.records.reasoning import Decomposed, Destination, How, Influence, Known, Reading, Semantics, Step

SIMILAR, DECISIONS, OPEN = 3, 3, 10
"""Past tasks and decisions that a decomposition rests on (spec R1), and open ends it names: a screen of them."""
STEPS_MOST = 20
"""Steps at most: a longer plan is a project."""
STEP_CHARS = 200
"""Signs of a step: a sentence."""
SAME_TASK = 0.85
"""How alike an earlier request must be for its steps to be taken as they are."""
HALF = 0.5
"""Share of the similar tasks that must have changed a sort of file for it to be a step."""

_ORDER = re.compile(r"^(?P<one>.+?),?\s+(?P<word>before|after|once|until)\s+(?P<two>.+)$", re.IGNORECASE | re.DOTALL)
_FIRST = re.compile(r"^(?P<word>before|after|once)\s+(?P<one>[^,]+),\s*(?P<two>.+)$", re.IGNORECASE | re.DOTALL)
_PERSON = re.compile(r"^(?:(?:after|once|when)\s+(?:you|we|i)|you|we|i)\s+(?=\w)", re.IGNORECASE)
"""Who does it, which goes without saying in a step."""
_COMPANIONS = (
    ("tests", re.compile(r"(?:^|/)(?:tests?|spec|__tests__)/|(?:^|/)test_|[._-](?:test|spec)\.", re.IGNORECASE)),
    ("the changelog", re.compile(r"(?:^|/)(?:changelog|changes|history|news)\b", re.IGNORECASE)),
    ("the documentation", re.compile(r"(?:^|/)docs?/|\.(?:md|rst|adoc)$", re.IGNORECASE)),
    ("migrations", re.compile(r"(?:^|/)migrations?/", re.IGNORECASE)),
)
"""Sorts of files that are changed along with others."""


def decompose(
    text: str,
    similar: Sequence[Memo],
    decisions: Sequence[Memo],
    open_: Sequence[Memo],
    reading_of: Callable[[str], Reading],
    proposed: Sequence[str] = (),
) -> Decomposed:
    """The steps of a request, without an id yet; `reading_of` classifies one clause.

    What a person made of the same request before goes first, then what a model has `proposed` and was checked.
    """
    request = read_request(unsteered(text))
    tasks, chosen, ends = similar[:SIMILAR], decisions[:DECISIONS], open_[:OPEN]
    before = next((memo for memo in tasks if memo.sort == "plan" and memo.score >= SAME_TASK), None)
    if before is not None:
        steps = [Step(one, reading_of(one), f"“{before.title}” was done so", (before.id,)) for one in before.steps]
    elif proposed:
        steps = [Step(one, reading_of(one), "the model takes it apart so") for one in proposed]
    else:
        own = [part for clause, _ in request.clauses for part in _ordered(clause)] or [request.text]
        steps = [step for clause in own for step in _steps(clause, tasks, reading_of)]
        last = max((at for at, step in enumerate(steps, 1) if step.reading.destination is Destination.FILE), default=0)
        steps[last:last] = _along(steps, tasks)
    steps = [_held_up(step, ends, chosen) for step in steps][:STEPS_MOST]
    return Decomposed(
        id="",
        request=text,
        steps=tuple(steps),
        similar=tuple(_known(one, request.text) for one in tasks),
        decisions=tuple(_known(one, request.text) for one in chosen),
        open=tuple(_known(one, request.text) for one in ends),
        influences=tuple(_influences(steps, tasks, chosen, ends)),
        notes=(LEFT_OUT,) if steers_a_model(text) else (),
    )


def _ordered(clause: str) -> Iterator[str]:
    """A clause, or the two of it in the order in which they are done."""
    turned = _FIRST.match(clause)
    found = turned or _ORDER.match(clause)
    if found is None or not all(_does(found[name]) for name in ("one", "two")):
        yield _PERSON.sub("", clause)
        return
    one, two = (_PERSON.sub("", found[name].strip(" ,")) for name in ("one", "two"))
    first_comes_first = (found["word"].lower() in {"before", "until"}) != (turned is not None)
    yield from (one, two) if first_comes_first else (two, one)


def _does(clause: str) -> bool:
    """Whether a clause asks for something by itself."""
    return points(read_request(clause)).lead("semantics") > 0.5


def _steps(clause: str, tasks: Sequence[Memo], reading_of: Callable[[str], Reading]) -> Iterator[Step]:
    """A clause as one step, or the steps of the workflow that it names."""
    for memo in tasks:
        if memo.sort == "workflow" and memo.steps and not steers_a_model(memo.text) and _calls(clause, memo):
            for step in memo.steps:
                said = one_line(step, STEP_CHARS)
                yield Step(said, reading_of(said), f"“{memo.title}” goes so", (memo.id,))
            return
    said = one_line(clause, STEP_CHARS)
    yield Step(said, reading_of(said), "the request says so")


def _calls(clause: str, memo: Memo) -> bool:
    """Whether a clause asks for a workflow: it has a word of its name, and wants something done."""
    words = {token.stem for token in read_request(clause).tokens if token.sort != "mark"}
    name = {request_stem(word) for word in re.findall(r"[\w-]+", memo.title.partition(":")[0].lower())}
    return bool(words & name) and points(read_request(clause)).best("semantics") != Semantics.READ


def _along(steps: Sequence[Step], tasks: Sequence[Memo]) -> Iterator[Step]:
    """What half of the similar tasks changed along with the rest, and the request does not speak of."""
    with_files = [memo for memo in tasks if memo.sort == "episode" and memo.steps and not steers_a_model(memo.text)]
    changes = [step for step in steps if step.reading.destination is Destination.FILE]
    if not with_files or not changes:
        return
    counted: Counter[str] = Counter()
    for memo in with_files:
        counted.update({name for path in memo.steps if (name := _companion(path))})
    said = " ".join(step.text.lower() for step in changes)
    for name, _ in _COMPANIONS:
        if counted[name] > HALF * len(with_files) and name.split()[-1].rstrip("s") not in said:
            mine = [memo for memo in with_files if any(_companion(path) == name for path in memo.steps)]
            example = next(path for path in mine[0].steps if _companion(path) == name)
            why = f"{counted[name]} of {len(with_files)} similar tasks changed {name} too, as {example}"
            yield Step(f"Change {name} along with it", changes[0].reading, why, tuple(memo.id for memo in mine))


def _companion(path: str) -> str:
    """The sort of file that is changed along with others; empty for any other."""
    return next((name for name, sort in _COMPANIONS if sort.search(path)), "")


def _held_up(step: Step, ends: Sequence[Memo], decisions: Sequence[Memo]) -> Step:
    request = read_request(step.text)
    blocked = tuple(one.id for one in ends if one.sort in {"blocker", "waiting-on"} and named(request, one))
    bound = tuple(one.id for one in decisions if named(request, one))
    return replace(step, blocked_by=blocked, sources=tuple(dict.fromkeys((*step.sources, *bound))))


def _known(memo: Memo, request: str) -> Known:
    words = named(read_request(request), memo)
    why = f"it mentions {', '.join(words[:4])}" if words else "it is near in meaning" if memo.score else "it is open"
    return Known(memo.id, memo.told, round(memo.score, 4), why, tuple(memo.steps[:STEPS_MOST]))


def _influences(
    steps: Sequence[Step], tasks: Sequence[Memo], decisions: Sequence[Memo], ends: Sequence[Memo]
) -> Iterator[Influence]:
    """What each thing known did to the plan: the share of its steps that come from it or are held up by it."""
    for memo in (*tasks, *decisions, *ends):
        mine = [step for step in steps if memo.id in step.sources or memo.id in step.blocked_by]
        share = round(len(mine) / max(1, len(steps)), 4)
        holds_up = any(memo.id in step.blocked_by for step in mine)
        why = "it is in the way" if holds_up else "steps come from it" if mine else "it was read, and changed nothing"
        how = How.PATTERN if memo in tasks else How.ENTITY
        yield Influence(memo.id, memo.told, how, -share if holds_up else share, why)
