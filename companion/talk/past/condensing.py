"""Older turns made into a block, again and again: what stays for good, what was promised, what is open, how it went.

The first three are kept word for word through every block; of the course of the talk the newest lines stay and older
ones are thinned evenly, so that it fades the further back it lies. The next block reads the one before as it reads
turns. Without a model this is all there is; with one only the course is worded anew (see `rewording`).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from msgspec import Struct
from msgspec.structs import replace

from companion.language.phrases import names
from companion.ports import Reader, TokenCounter
from companion.records.talk import Item, ItemType, Role, Turn
from companion.talk.past.gist import gist, once, shortened
from companion.talk.past.instructions import Instructions
from companion.talk.past.sampling import spread

KEPT_SHARE = 0.6
"""Share of a block that anchors, promises and open topics may take together; the rest tells how it went."""
NEWEST_FOR_EACH_OLDER = 2
"""Of the course of the talk so many of the newest lines are kept for each older one."""
LINE_CHARS = 240
"""Characters of a line that is kept word for word: a long sentence."""
FOR_GOOD, PROMISED, OPEN, COURSE = "For good:", "Promised:", "Open:", "So far:"
_HEADS = (FOR_GOOD, PROMISED, OPEN, COURSE)


class Condensed(Struct, frozen=True):
    """A block, part by part; each line stands on its own, newest last."""

    for_good: tuple[str, ...] = ()
    promised: tuple[str, ...] = ()
    open_topics: tuple[str, ...] = ()
    course: tuple[str, ...] = ()

    def parts(self) -> tuple[tuple[str, tuple[str, ...]], ...]:
        """Each heading with its lines."""
        return tuple(zip(_HEADS, (self.for_good, self.promised, self.open_topics, self.course), strict=True))

    def text(self) -> str:
        """The block as it is kept and replayed; `read` gives the same parts back."""
        shown = ["\n".join([head, *(f"- {line}" for line in lines)]) for head, lines in self.parts() if lines]
        return "\n".join(shown)


def read(text: str) -> Condensed:
    """A block that was kept."""
    found: dict[str, list[str]] = {head: [] for head in _HEADS}
    under = COURSE
    for line in text.splitlines():
        if line in found:
            under = line
        elif line.startswith("- "):
            found[under].append(line[2:])
    return Condensed(*(tuple(lines) for lines in found.values()))


def without(block: Condensed, settled: Iterable[str]) -> Condensed:
    """A block without the promises and open topics that begin with one of these statements: they are settled."""
    gone = tuple(settled)
    promised = tuple(line for line in block.promised if not line.startswith(gone))
    return replace(block, promised=promised, open_topics=tuple(x for x in block.open_topics if not x.startswith(gone)))


def condense(
    before: Condensed,
    turns: Sequence[Turn],
    items: Sequence[Item],
    anchors: Sequence[str],
    told: Instructions,
    counter: TokenCounter,
    reader: Reader | None,
) -> Condensed:
    """The block that takes the place of the one before and of these turns; `items` are those that still stand."""
    promised = [_item(one) for one in items if one.type in (ItemType.TASK, ItemType.WAITING_ON) and not one.is_done]
    asked = [_item(one) for one in items if one.type in (ItemType.QUESTION, ItemType.BLOCKER) and not one.is_done]
    whole = Condensed(
        once([*before.for_good, *(shortened(line, LINE_CHARS) for line in anchors)]),
        once([*before.promised, *promised]),
        once([*before.open_topics, *asked]),
        (*before.course, *_course(turns, told, reader)),
    )
    return fitted(whole, told, counter)


def fitted(whole: Condensed, told: Instructions, counter: TokenCounter) -> Condensed:
    """As much of a block as the instructions leave room for."""
    cost = {line: counter.count(f"- {line}\n") for _, lines in whole.parts() for line in lines}
    heads = sum(counter.count(f"{head}\n") for head in _HEADS)
    left = int(told.tokens * KEPT_SHARE) - heads
    parts = [list(whole.for_good), list(whole.promised), list(whole.open_topics)]
    while sum(cost[line] for lines in parts for line in lines) > left and any(parts):
        max(parts[1:] if any(parts[1:]) else parts, key=len).pop(0)  # anchors go last, the oldest of the longest first
    room = told.tokens - heads - sum(cost[line] for lines in parts for line in lines)
    kept: set[int] = set()
    for at in _by_worth(whole.course, told):
        if cost[whole.course[at]] <= room:
            kept.add(at)
            room -= cost[whole.course[at]]
    course = tuple(line for at, line in enumerate(whole.course) if at in kept)
    return replace(Condensed(*(tuple(lines) for lines in parts)), course=course)


def _by_worth(course: Sequence[str], told: Instructions) -> Iterable[int]:
    """Places of lines in the order in which they are kept."""
    named = [at for at, line in enumerate(course) if _names(line, told.keep)]
    rest = [at for at in range(len(course)) if at not in set(named)]
    half = len(rest) // 2
    newest, older = rest[half:][::-1], spread(rest[:half])
    mixed: list[int] = []
    while newest or older:
        mixed += newest[:NEWEST_FOR_EACH_OLDER] + older[:1]
        newest, older = newest[NEWEST_FOR_EACH_OLDER:], older[1:]
    return [*reversed(named), *mixed]


def _course(turns: Sequence[Turn], told: Instructions, reader: Reader | None) -> list[str]:
    """A line for each turn that says something: its day and its sentence."""
    lines = []
    for turn in turns:
        sentence = gist(turn, reader).sentence
        if sentence and not _names(sentence, told.leave_out):
            who = "" if turn.said(Role.USER) else "assistant: "
            lines.append(f"{turn.at:%Y-%m-%d} · {who}{sentence}")
    return list(dict.fromkeys(lines))


def _names(line: str, words: Sequence[str]) -> bool:
    return any(names(line, word) for word in words)


def _item(one: Item) -> str:
    """An item in its own words, with who and until when."""
    known = [one.details.get("who", ""), f"due {one.details['due']}" if one.details.get("due") else ""]
    about = ", ".join(part for part in known if part and part.lower() not in one.text.lower())
    return shortened(one.text, LINE_CHARS) + (f" ({about})" if about else "")
