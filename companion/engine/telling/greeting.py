"""Where we were, in words: the most open first, the newest first, in a few hundred tokens.

Of each group the first lines are told before the later lines of any, so that a long list hides no other; how many
are left out is said.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from msgspec import Struct

from companion.api import LONG_OVERDUE_DAYS, Greeting, Trace, TraceSort
from companion.escape import one_line
from companion.records.judgements import questions_wait
from companion.records.talk import Item, TalkState, item_in_words, where_said

LINE_CHARS = 220
"""Characters of a line: some fifty tokens."""
GROUP_LINES = 6
"""Lines of a group: what is read at a glance."""
FIRST_LINES = 2
"""Lines of each group that are told before any further ones."""
FRAME_TOKENS = 8
"""Tokens of a group beside its lines and name: what parts it from the next, and how many lines it leaves out."""
ID_CHARS = 12
"""Signs of an id that are shown."""
NOTHING = "Nothing is open, and nothing is due."
NAMES = {
    TraceSort.FAILING: "Failing",
    TraceSort.UNCOMMITTED: "Uncommitted",
    TraceSort.PROPOSED: "Waiting for an answer",
    TraceSort.REJECTED: "Tried and rejected",
    TraceSort.DECIDED: "Decided this week, in the project",
    TraceSort.COMMITTED: "Last commits",
    TraceSort.BINDING: "Rules for what is uncommitted",
}
PAST = frozenset({TraceSort.REJECTED, TraceSort.DECIDED, TraceSort.COMMITTED, TraceSort.BINDING})
"""Sorts of traces that wait for nothing."""


class _Group(Struct, frozen=True):
    """Lines under a name; without a name, one line that stands for itself."""

    name: str
    lines: Sequence[str]


def in_words(found: Greeting, count: Callable[[str], int], most_tokens: int) -> str:
    """All of a greeting in at most so many tokens as `count` counts them; empty where there is nothing."""
    groups = [group for group in _groups(found) if group.lines]
    if not groups:
        return ""
    if not _is_open(found):
        groups.insert(0, _Group("", [NOTHING]))
    order = [(line, group) for group, one in enumerate(groups) for line in range(min(len(one.lines), GROUP_LINES))]
    order.sort(key=lambda at: (max(at[0] - FIRST_LINES + 1, 0), at[1], at[0]))
    shown, left = [0] * len(groups), most_tokens
    for line, group in order:
        named = groups[group].name if not line else ""
        left -= count(f"- {one_line(groups[group].lines[line], LINE_CHARS)}\n") + (count(named) + FRAME_TOKENS) * (
            not line
        )
        if left < 0:
            break
        shown[group] += 1
    return _joined(groups, shown)


def _is_open(found: Greeting) -> bool:
    """Whether anything waits for somebody."""
    waits = (found.waiting_talk, found.overdue, found.due, found.threads, found.waiting_on, found.todos, found.stale)
    counted = (found.long_overdue, found.contradictions, found.questions)
    return any(waits) or any(counted) or any(one.sort not in PAST for one in found.traces)


def _joined(groups: Sequence[_Group], shown: Sequence[int]) -> str:
    """So many lines of each group, and how many more there are."""
    parts = []
    for group, lines in zip(groups, shown, strict=True):
        if not lines:
            continue
        listed = [one_line(line, LINE_CHARS) for line in group.lines[:lines]]
        left = len(group.lines) - lines
        more = [f"and {left} more"] if left and group.name else []
        parts.append(
            "\n".join([f"{group.name}:", *(f"- {line}" for line in (*listed, *more))] if group.name else listed)
        )
    return "\n\n".join(parts)


def _groups(found: Greeting) -> Iterable[_Group]:
    yield _Group("", _talk(found))
    for sort in (TraceSort.FAILING, TraceSort.UNCOMMITTED):
        yield _traces(found, sort)
    yield _Group("Overdue", _items(found.overdue))
    yield _Group("Due within a week", _items(found.due))
    yield _Group("Open", _items(found.threads))
    yield _Group("To do", _items(found.todos))
    yield _Group("Waiting on", _items(found.waiting_on))
    yield _traces(found, TraceSort.PROPOSED)
    yield _Group("Decided this week", _items(found.decisions))
    for sort in (TraceSort.DECIDED, TraceSort.REJECTED, TraceSort.COMMITTED, TraceSort.BINDING):
        yield _traces(found, sort)
    yield _Group("Not mentioned for days", _items(found.stale))
    late = f"Overdue for more than {LONG_OVERDUE_DAYS} days: {found.long_overdue} (companion todo)"
    yield _Group("", [late] if found.long_overdue else [])
    ended = [f"{one.id[:ID_CHARS]} {one.draft.levels.summary} [{one.archived_reason}]" for one in found.ended]
    yield _Group("Over by its own words (companion revive ID)", ended)
    yield _Group("", _elsewhere(found))
    yield _Group("", [waits] if (waits := _waits(found)) else [])


def _talk(found: Greeting) -> list[str]:
    """The conversation that waits, and how to go on with it."""
    if (one := found.waiting_talk) is None:
        return []
    under_review = one.state is TalkState.READY_TO_CLOSE
    further = "waits for your review: `companion review`" if under_review else "go on: `companion talk add TEXT`"
    within = f" ({found.talk_project})" if found.talk_project else ""
    when = one.last_turn_at or one.started_at
    turns = f"{one.turns} turn{'' if one.turns == 1 else 's'}"
    return [f"Conversation {one.id[:ID_CHARS]}, {when:%Y-%m-%d %H:%M}, {turns}: {one.title}{within}, {further}"]


def _traces(found: Greeting, sort: TraceSort) -> _Group:
    return _Group(NAMES[sort], [_trace(one) for one in found.traces if one.sort is sort])


def _trace(one: Trace) -> str:
    when = f"{one.at:%Y-%m-%d}" if one.at is not None else ""
    source = ", ".join(filter(None, (one.source, when)))
    return f"{one.says} [{source}]" if source else one.says


def _items(items: Sequence[Item]) -> list[str]:
    """Items, a line each with its id and its source; the project of those of several."""
    many = len({one.project for one in items}) > 1
    return [f"{one.id[:ID_CHARS]} {item_in_words(one)} [{where_said(one, project=many)}]" for one in items]


def _elsewhere(found: Greeting) -> list[str]:
    """How much is open in other projects, and what of it is due."""
    if not found.open_elsewhere:
        return []
    counts = ", ".join(f"{name} {count}" for name, count in found.open_elsewhere.items())
    due = [f"{one.id[:ID_CHARS]} {item_in_words(one)} [{where_said(one, project=True)}]" for one in found.elsewhere]
    return [f"Open elsewhere: {counts} (companion greeting --all)", *due]


def _waits(found: Greeting) -> str:
    """How much there is to settle and to judge, in a line."""
    of, asked = found.contradictions, found.questions
    settle = [f"{of} contradiction{'' if of == 1 else 's'} to resolve: `companion contradictions`"] if of else []
    judge = [f"{questions_wait(asked)} for a judge: `companion judge`"] if asked else []
    return "; ".join((*settle, *judge))
