"""Commands of reasoning: how a request is meant, in which steps it is done, whether an action fits, what came of it."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from typing import Annotated

from companion.errors import UsageError
from companion.records.reasoning import (
    Answered,
    Classified,
    Conformance,
    Decomposed,
    Influence,
    Influences,
    Known,
    Outcome,
    Recorded,
    RuleToJudge,
    Verified,
)
from companion.surfaces.cli.commands import words_for
from companion.surfaces.cli.declared import CommandGroup, Option, Positional
from companion.surfaces.cli.options import HowMany, Persona, choice_of
from companion.surfaces.cli.wording import ID_SHOWN, sureness

ANSWER_ID = "q1"
"""How an answer's id begins."""
PIPED_MAX = 1_000_000
"""Bytes read from a pipe: more than any request that is answered."""

reason_app = CommandGroup("How a request is meant, in which steps it is done, whether an action fits what is known.")


def _given(text: str) -> str:
    """What was typed, or what comes through a pipe. Raises UsageError for what is no text."""
    if text != "-":
        return text
    try:
        return sys.stdin.buffer.read(PIPED_MAX + 1).decode("utf-8")
    except UnicodeDecodeError:
        raise UsageError("What came through the pipe is not text.", "Say in words what is wanted.") from None


Request = Annotated[str, Positional(help="The request in words; `-` reads it from a pipe.", callback=_given)]
OutcomeNamed = Annotated[
    str,
    Positional(
        metavar="OUTCOME",
        help="accepted, corrected or rejected.",
        callback=lambda word: choice_of(Outcome, word, "outcome"),
    ),
]


@reason_app.command()
@words_for("classify", request=Request, persona=Persona)
def classify(found: Classified) -> str:
    """Say how a request is to be taken: where to, for whom, what is done, how surely, and by which memories.

    Example: `companion reason classify "check the gate before I merge"`
    """
    lines = [f"{found.reading}  {sureness(found.confidence)}  ({found.made_by}; {found.id[:ID_SHOWN]})"]
    for name, axis in (
        ("destination", found.destination),
        ("consumer", found.consumer),
        ("semantics", found.semantics),
    ):
        why = "; ".join(_line(one) for one in axis.reasons[:2]) or "nothing says otherwise"
        lines.append(f"  {name:<12}{axis.label:<10}{sureness(axis.confidence):<16}{why}")
    lines += _by(found.influences)
    lines += [f"Ask: {_line(found.question)}"] if found.question else []
    return "\n".join([*lines, *map(_line, found.notes)])


@reason_app.command()
@words_for("decompose", request=Request, persona=Persona)
def decompose(found: Decomposed) -> str:
    """Take a request apart into steps, by similar past tasks, decisions in force and what is open.

    Example: `companion reason decompose "fix the rounding and then deploy"`
    """
    lines = []
    for number, step in enumerate(found.steps, start=1):
        held = f", held up by {', '.join(one[:ID_SHOWN] for one in step.blocked_by)}" if step.blocked_by else ""
        lines.append(f"{number}. {_line(step.text)}  ({step.reading}; {_line(step.why)}{held})")
    for name, known in (
        ("Similar tasks", found.similar),
        ("Decisions in force", found.decisions),
        ("Open", found.open),
    ):
        lines += _listed(name, known)
    lines.append(f"({found.made_by}; {found.id[:ID_SHOWN]})")
    return "\n".join([*lines, *map(_line, found.notes)])


@reason_app.command()
@words_for(
    "verify",
    action=Positional(help="What is intended; `-` reads it from a pipe.", callback=_given),
    request=Option("--for", metavar="REQUEST", help="The request it is for."),
    persona=Persona,
)
def verify(found: Verified) -> str:
    """Check whether an intended action fits what is known, conflicts with it, or nobody can say.

    Example: `companion reason verify "install it with pip" --for "add the client library"`
    """
    what = {
        Conformance.FITS: f"It fits what is known, {sureness(found.confidence)}",
        Conformance.CONFLICTS: f"It conflicts with what is known, {sureness(found.confidence)}",
        Conformance.UNKNOWN: f"Unknown, which does not mean approved. {found.why}",
    }[found.verdict]
    lines = [f"{_line(what)}  ({found.made_by}; {found.id[:ID_SHOWN]})"]
    for name, sides in (("For it", found.supporting), ("Against it", found.against), ("Related", found.related)):
        lines += [name, *_by(sides)] if sides else []
    lines += list(_judged_by(found.to_judge))
    lines += [_line(found.other_reading)] if found.other_reading else []
    return "\n".join([*lines, *map(_line, found.notes)])


def _judged_by(rules: Sequence[RuleToJudge]) -> Iterator[str]:
    """How whoever asked says what they make of a rule, a line each."""
    for one in rules:
        how = f"`companion judge {one.question[:ID_SHOWN]} fits|conflicts|silent`"
        yield f"Only a reader can tell by “{_line(one.clause)}”: {how}"


@reason_app.command()
@words_for(
    "record_outcome",
    id_=Positional(metavar="ID", help="An answer's id or the start of one."),
    outcome=OutcomeNamed,
    right=Option("--right", help="What is right instead: `process/machine/execute`, `file`, steps, or `fits`."),
    note=Option("--note", help="What was wrong, and why."),
)
def outcome(done: Recorded) -> str:
    """Say what came of an answer. A correction counts from the next request on, and after a restart.

    Example: `companion reason outcome q1a2b3c4 corrected --right process/machine/execute`
    """
    one = done.answer
    if not done.changed:
        return f"Known already: {one.id[:ID_SHOWN]} was {one.outcome}."
    before = f", no longer {done.before}" if done.before else ""
    return f"{one.id[:ID_SHOWN]} was {one.outcome}{before}. {_line(done.taught)}"


def influenced(found: Influences) -> str:
    """What an answer rests on and taught, or which answers a memory has moved, in words."""
    known = {one.id: one for one in found.answers}
    if found.of in known:
        mine = [one for one in found.influences if one.answer == found.of]
        taught = [one for one in found.influences if one.answer != found.of]
        lines = [_answer(known[found.of]), *(_by(mine) or ["  It is based on nothing but its own words."])]
        lines += ["What it taught moved", *_moved(taught, known)] if taught else []
        return "\n".join(lines)
    return "\n".join(_moved(found.influences, known)) or "It has moved no answer."


@reason_app.command()
@words_for("influences", id_=Positional(metavar="ID", help="An answer, a memory or an open item."), limit=HowMany)
def influences(found: Influences) -> str:
    """Show what an answer is based on; or which answers a memory has moved, how, how much and why.

    Example: `companion reason influences q1a2b3c4`
    """
    return influenced(found)


def _moved(influences: Sequence[Influence], known: dict[str, Answered]) -> Iterator[str]:
    for one in influences:
        if one.answer in known:
            yield f"{_weight(one)}  {one.how}  {_answer(known[one.answer])}"
            yield f"         {_line(one.why)}"


def _answer(one: Answered) -> str:
    what = _line(one.action or one.request)
    said = _line(one.said) or "(quoted what was deleted)"
    came = f", {one.outcome}" if one.outcome else ""
    came += f" to {_line(one.right)}" if one.right else ""
    came += f": {_line(one.note)}" if one.note else ""
    return f"{one.id[:ID_SHOWN]}  {one.at:%Y-%m-%d}  “{what}” - {said}{came}"


def _by(influences: Sequence[Influence]) -> list[str]:
    return [
        f"{_weight(one)}  {one.how:<20}{one.source[:ID_SHOWN]}  {_line(one.title)} ({_line(one.why)})"
        for one in influences
    ]


def _line(text: str) -> str:
    """Somebody's words on one line, so that none of them looks like one of ours."""
    return " ".join(text.split())


def _weight(one: Influence) -> str:
    return f"  {one.weight:+.2f}"


def _listed(name: str, known: Sequence[Known]) -> list[str]:
    if not known:
        return []
    return [name, *(f"  {one.id[:ID_SHOWN]}  {_line(one.title)} ({_line(one.why)})" for one in known)]
