"""Commands of what cannot both be true, and of what rules cannot tell: contradictions, resolve, judge."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from itertools import groupby
from typing import Annotated

from companion.api import Verdict
from companion.errors import UsageError
from companion.records import (
    Contradiction,
    JudgeAnswer,
    Judgement,
    Memory,
    Resolution,
    Scope,
    Superseded,
    told_at,
)
from companion.records.wording import counted, sureness
from companion.surfaces.cli.commands import CommandAnswer, Companion, command
from companion.surfaces.cli.declared import Option, Positional
from companion.surfaces.cli.options import choice_of
from companion.surfaces.wording import ID_SHOWN, came_by, judged_by

SCOPE_PARTS = Scope.__struct_fields__
"""What a scope is given by: `path=deploy`, several separated by commas; a bare word is a path."""
QUESTIONS_SHOWN = 20
"""Questions listed unless more are asked for: what somebody answers in one go."""
REOPENED = "open"
"""What is said instead of a resolution to take one back."""


@command()
def contradictions(
    companion: Companion,
    settled: Annotated[bool, Option("--settled", help="Add the resolved ones.")] = False,
    superseded: Annotated[
        bool, Option("--superseded", help="List what newer statements of the same source replaced instead.")
    ] = False,
) -> CommandAnswer:
    """List what cannot both be true, newest first, with the sources of both sides, and who says so.

    What time has resolved is not a contradiction: a later statement of the same source took the place of the
    earlier, see --superseded. How a pair is resolved is for you to say.

    Example: `companion contradictions`
    """
    if settled and superseded:
        raise UsageError("--settled and --superseded do not go together.", "Give one of them.")
    if superseded:
        replaced = companion.superseded()
        return CommandAnswer(replaced, "\n\n".join(map(_replaced, replaced)) or "Nothing was superseded.")
    found = companion.contradictions(settled=settled)
    none = "No contradictions found." if settled else "Nothing is open."
    return CommandAnswer(found, "\n\n".join(map(told_contradiction, found)) or none)


def _replaced(one: Superseded) -> str:
    when = f"{one.at:%Y-%m-%d}  " if one.at else ""
    return f"{one.old.id[:ID_SHOWN]}  {when}{one.reason}\n  was  {_side(one.old)}\n  now  {_side(one.new)}"


@command()
def resolve(
    companion: Companion,
    id_: Annotated[str, Positional(metavar="CONTRADICTION", help="A contradiction's id or the start of one.")],
    how: Annotated[str, Positional(metavar="HOW", help="a_wins, b_wins, both_valid or merged; `open` undoes it.")],
    note: Annotated[str, Option("--note", help="Why, in your words.")] = "",
    scope_a: Annotated[str, Option("--scope-a", help="Where A holds, if both do: `path=deploy`.")] = "",
    scope_b: Annotated[str, Option("--scope-b", help="Where B holds: `environment=production`.")] = "",
    text: Annotated[str, Option("--text", help="What is true instead, if they are merged.")] = "",
) -> CommandAnswer:
    """Resolve a contradiction. What loses is superseded, never deleted, and is not learned again.

    Both can be valid in scopes that separate them (path, language, environment, version, branch), or one
    text can take the place of both. `open` undoes that: both sides are open again.

    Example: `companion resolve x1a2b3c4 both_valid --scope-a path=server --scope-b environment=ci`
    """
    if how == REOPENED:
        one = companion.unsettle(id_)
    else:
        resolution = choice_of(Resolution, how.replace("-", "_"), "resolution")
        a, b = (parse_scope(scope) if scope else None for scope in (scope_a, scope_b))
        one = companion.settle(id_, Verdict(resolution, note, a, b, text.strip()))
    return CommandAnswer(one, told_contradiction(one))


@command()
def judge(
    companion: Companion,
    id_: Annotated[str, Positional(metavar="[QUESTION]", help="A question's id or the start of one.")] = "",
    answer: Annotated[str, Positional(metavar="[ANSWER]", help="One of the answers that it allows.")] = "",
    why: Annotated[str, Option("--why", help="Why, in your words.")] = "",
    limit: Annotated[int, Option("--limit", "-n", help="Questions listed at most.")] = QUESTIONS_SHOWN,
) -> CommandAnswer:
    """List the questions that rules cannot answer, or answer one: what follows is done at once, and can be undone.

    A connected assistant answers a few by itself when its work is done; your own word replaces any other.

    Example: `companion judge j1a2b3c4 beside --why "one is for tests alone"`
    """
    if not id_:
        found = companion.pending_judgements(limit)
        return CommandAnswer(found, _questions(found) or "No question waits.")
    if not answer:
        raise UsageError(
            "What is the answer?", f"`companion judge` lists the questions; then `companion judge {id_} ANSWER`."
        )
    done = companion.judge([JudgeAnswer(id_, answer, why)])
    if done.refused:
        raise UsageError(f"Not taken: {done.refused[0]}.", "`companion judge` lists what waits.")
    undo = f" Undo it: `companion undo {done.run}`." if done.run else ""
    return CommandAnswer(done, f"Noted. {counted(done.changes, 'change')} made, {done.waiting} still to answer.{undo}")


def _questions(found: Sequence[Judgement]) -> str:
    """Questions by their sorts, each sort with what it asks and the answers allowed."""
    by_sort = groupby(sorted(found, key=lambda one: one.inquiry.question), key=lambda one: (one.asks, one.answers))
    return "\n\n".join(
        "\n\n".join([asks, *map(_question, some), "\n".join(f"  {told}" for told in answers)])
        for (asks, answers), some in by_sort
    )


def _question(one: Judgement) -> str:
    lines = [f"{one.id[:ID_SHOWN]}  {one.inquiry.why}"]
    for number, text in enumerate(one.texts, start=1):
        where = f", {text.holds_in}" if text.holds_in else ""
        lines += [f"  {number}. {text.text}", f"     {text.source}, {text.since:%Y-%m-%d}{where}"]
    return "\n".join(lines)


def parse_scope(text: str) -> Scope:
    """A scope as it is typed: `path=deploy,environment=production`; a bare word is a path."""
    given: dict[str, str] = {}
    for part in filter(None, (part.strip() for part in text.split(","))):
        name, equals, value = part.partition("=")
        name, value = (name.strip(), value.strip()) if equals else ("path", part)
        if name not in SCOPE_PARTS or not value:
            raise UsageError(
                f"`{part}` is not part of a scope.", f"Write NAME=VALUE with one of: {', '.join(SCOPE_PARTS)}."
            )
        given[name] = value
    return Scope(**given)


def told_contradiction(one: Contradiction) -> str:
    """Both sides of a contradiction with their sources and ids, and how it is settled or was."""
    lines = [
        f"{one.id[:ID_SHOWN]}  {one.reason}",
        *_told("A", one.side_a),
        *_told("B", one.side_b),
        f"  Found {one.detected_at:%Y-%m-%d} by {judged_by(one.judge)}, {sureness(one.confidence)}",
    ]
    if one.resolution is None:
        if one.scope_a is not None and one.scope_b is not None:
            lines.append(f"  Both may hold: companion resolve {one.id[:ID_SHOWN]} both_valid{_parted(one)}")
        lines.append(f"  Resolve: companion resolve {one.id[:ID_SHOWN]} a_wins|b_wins|both_valid|merged")
    else:
        when = f" {one.resolved_at:%Y-%m-%d}" if one.resolved_at else ""
        lines.append(f"  Settled{when}: {one.resolution.value}{f' - {one.note}' if one.note else ''}")
    if one.resolution is Resolution.BOTH_VALID:
        lines.append(f"  {_holding(one)}")
    return "\n".join(lines)


def _holding(one: Contradiction) -> str:
    """Where each side of a contradiction holds that is none any more."""
    a, b = (scope.label() if scope else "" for scope in (one.scope_a, one.scope_b))
    if a == b:
        open_again = f"`companion resolve {one.id[:ID_SHOWN]} open`"
        return f"No scope tells where each holds: {open_again}, then both_valid with --scope-a and --scope-b."
    return f"A holds for {a or 'the whole project'}, B for {b or 'the whole project'}."


def _told(letter: str, side: Sequence[Memory]) -> list[str]:
    """What a side says, and who else says so."""
    first, *others = side
    also = [f"     also {', '.join(f'({_source(other)})' for other in others)}"] if others else []
    return [f"  {letter}  {_side(first)}", *also]


def _parted(one: Contradiction) -> str:
    """The options that part the two sides as their own words do."""
    told = ""
    for option, scope in (("--scope-a", one.scope_a), ("--scope-b", one.scope_b)):
        parts = [f"{name}={value}" for name in SCOPE_PARTS if scope and (value := getattr(scope, name))]
        told += f" {option} {shlex.quote(','.join(parts))}" if parts else ""
    return told


def _side(memory: Memory) -> str:
    return f"{memory.draft.levels.summary}  ({_source(memory)})"


def _source(memory: Memory) -> str:
    return f"{', '.join(map(came_by, told_at(memory.draft)))}; {memory.id[:ID_SHOWN]}"
