"""What a closed conversation leaves behind, against what a careful colleague would have written down.

A file holds conversations, each begun by `== id | about`: a line `U label| sentence` or `A label| sentence` each, a
blank line between turns, then the key, `K decision| statement | reason`, `K rule| statement`, `K todo| statement |
open or done`, `K question| text`, `K waiting| who | for what`, and `K dropped| statement` for what does not hold at the
end; of what is to do only what remains is measured. Each is held with the product (no language model), closed and confirmed. An item is right where it says what a key
of its sort says: most telling words of the shorter of the two are the other's. Beside it stands what every sentence of
the user's would give that has one of a few words which usually go with the sort.
"""

from __future__ import annotations

import re
import tempfile
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING

from companion.errors import UsageError
from companion.evals.statistics import wilson
from companion.language.subjects import subject
from companion.records.talk import Item, ItemType, Message, Role

if TYPE_CHECKING:
    from companion.app.local import LocalCompanion
    from companion.app.replay import SetClock

START, BETWEEN = datetime(2026, 1, 5, 9, 0), timedelta(minutes=3)
"""When the first turn was, and from one turn to the next."""
SAME_SHARE = 0.6
"""Share of the telling words of the shorter of two statements from which they say the same."""
SORTS: Mapping[str, ItemType] = {
    "decision": ItemType.DECISION,
    "todo": ItemType.TASK,
    "question": ItemType.QUESTION,
    "waiting": ItemType.WAITING_ON,
}
"""The sorts of the key that are measured; a rule is a decision."""
PLAIN: Mapping[str, re.Pattern[str]] = {
    "decision": re.compile(r"\b(?:let's|we'll|going with|decided|use|instead|always|never)\b", re.IGNORECASE),
    "todo": re.compile(r"\b(?:todo|need to|have to|must|remind|later|tomorrow|i'll)\b", re.IGNORECASE),
    "question": re.compile(r"\?"),
    "waiting": re.compile(r"\b(?:waiting|until|hear back|pending)\b", re.IGNORECASE),
}
_SAID = re.compile(r"([UA]) (\w+)\| ?(.+)")
_KEY = re.compile(r"K (\w+)\| ?(.+)")


@dataclass
class Talk:
    """A conversation with its key: turns as (user, assistant), statements by sort, and what does not hold."""

    name: str
    turns: list[tuple[str, str]] = field(default_factory=list)
    said: list[str] = field(default_factory=list)
    key: dict[str, list[str]] = field(default_factory=lambda: defaultdict(list))


@dataclass(frozen=True, slots=True)
class Count:
    """Of one sort: how many a key has, how many were given, how many of them are right."""

    wanted: int
    given: int
    right: int


def extraction(path: Path, *, progress: Callable[[int, int], None] = lambda done, total: None) -> dict[str, object]:
    """Precision and recall of each sort, beside the plain words, as one JSON object. Raises UsageError."""
    from companion.app.compose import open_runtime
    from companion.app.local import nowhere
    from companion.app.replay import SetClock
    from companion.config import Settings

    talks = read_talks(path)
    ours: dict[str, list[Count]] = defaultdict(list)
    plain: dict[str, list[Count]] = defaultdict(list)
    reversed_, misses = 0, []
    with tempfile.TemporaryDirectory(prefix="companion-extraction-") as home:
        clock = SetClock(START)
        runtime = open_runtime(Path(home), Settings(), clock)
        try:
            companion = nowhere(runtime, Path(home), owns_runtime=False)
            for number, talk in enumerate(talks):
                items = _held(companion, talk, clock)
                for sort in SORTS:
                    given = [_told(item) for item in items if item.type is SORTS[sort] and not _is_done(item)]
                    count, missed = _counted(sort, talk, given)
                    ours[sort].append(count)
                    misses += missed
                    plain[sort].append(_counted(sort, talk, [s for s in talk.said if PLAIN[sort].search(s)])[0])
                decided = [_told(item) for item in items if item.type is ItemType.DECISION]
                reversed_ += _in_force(decided, talk)
                progress(number + 1, len(talks))
        finally:
            runtime.close()
    return {
        "eval": "extraction",
        "n": len(talks),
        "ours": {**_figures(ours), "reversed_in_force": reversed_},
        "baselines": {"plain words": _figures(plain)},
        "misses": misses,
        "settings": {"same_share": SAME_SHARE},
    }


def read_talks(path: Path) -> list[Talk]:
    """The conversations of a file. Raises UsageError for what cannot be read."""
    try:
        text = path.read_text("utf-8")
    except OSError as wrong:
        raise UsageError(f"{path} cannot be read: {wrong}.", "Give a file of labelled conversations.") from wrong
    found = [_talk(part) for part in re.split(r"(?m)^== ", text) if part.strip()]
    if not found:
        raise UsageError(f"There is no conversation in {path}.", "Each begins with `== id | about`.")
    return found


def _talk(part: str) -> Talk:
    head, _, body = part.partition("\n")
    talk, said = Talk(head.partition("|")[0].strip()), _Spoken()
    for line in body.splitlines():
        if (match := _SAID.match(line)) is not None:
            said.add(match[1], match[3])
            if match[1] == "U":
                talk.said.append(match[3])
        elif (match := _KEY.match(line)) is not None:
            parts = [part.strip() for part in match[2].split("|")]
            sort = "decision" if match[1] == "rule" else "done" if parts[1:] == ["done"] else match[1]
            talk.key[sort].append(" ".join(parts) if sort == "waiting" else parts[0])
    talk.turns = list(said.turns())
    return talk


class _Spoken:
    """Sentences gathered into what each said before the other spoke."""

    def __init__(self) -> None:
        self._parts: list[tuple[str, list[str]]] = []

    def add(self, by: str, sentence: str) -> None:
        """One more sentence."""
        if not self._parts or self._parts[-1][0] != by:
            self._parts.append((by, []))
        self._parts[-1][1].append(sentence)

    def turns(self) -> Iterator[tuple[str, str]]:
        """What the user said with the answer to it; either may be empty."""
        asked = ""
        for by, sentences in self._parts:
            text = "".join(f"{one} " if one[-1] in ".!?" else f"{one}\n" for one in sentences).strip()
            if by == "A":
                yield asked, text
            asked = text if by == "U" else ""
        if asked:
            yield asked, ""


def _held(companion: LocalCompanion, talk: Talk, clock: SetClock) -> Sequence[Item]:
    """Hold a conversation and close it: what it left behind."""
    companion.start_conversation()
    for asked, reply in talk.turns:
        clock.moment += BETWEEN
        said = ((Role.USER, asked), (Role.ASSISTANT, reply))
        companion.add_turn([Message(role, text) for role, text in said if text])
    companion.close_conversation()
    return companion.verbs.confirm_review().items


def _is_done(item: Item) -> bool:
    return item.details.get("status") == "completed"


def _told(item: Item) -> str:
    return f"{item.details.get('who', '')} {item.text}".strip()


def _counted(sort: str, talk: Talk, given: Sequence[str]) -> tuple[Count, list[str]]:
    """How many of the given are right, each key once, and lines that tell of what is missing and what is wrong."""
    wanted = list(talk.key[sort])
    pairs = sorted(
        ((_same(one, key), i, j) for i, one in enumerate(given) for j, key in enumerate(wanted)), reverse=True
    )
    took: set[int] = set()
    keyed: set[int] = set()
    for share, i, j in pairs:
        if share >= SAME_SHARE and i not in took and j not in keyed:
            took.add(i)
            keyed.add(j)
    missed = [f"{talk.name} {sort} missing: {key}" for j, key in enumerate(wanted) if j not in keyed]
    missed += [f"{talk.name} {sort} wrong: {one}" for i, one in enumerate(given) if i not in took]
    return Count(len(wanted), len(given), len(took)), missed


def _same(one: str, other: str) -> float:
    """Share of the telling words of the shorter that the other has too; two at least, where it has two."""
    left, right = subject(one), subject(other)
    shorter = min(len(left), len(right))
    common = len(left & right)
    return common / shorter if shorter and common >= min(2, shorter) else 0.0


def _in_force(decided: Sequence[str], talk: Talk) -> int:
    """Decisions that were given although they were dropped: nearer to one that was than to all that hold."""
    return sum(
        max((_same(one, gone) for gone in talk.key["dropped"]), default=0.0)
        > max(SAME_SHARE, *(_same(one, key) for key in talk.key["decision"]), 0.0)
        for one in decided
    )


def _figures(counts: Mapping[str, Sequence[Count]]) -> dict[str, object]:
    figures: dict[str, object] = {}
    for sort, some in counts.items():
        wanted, given, right = (sum(getattr(one, name) for one in some) for name in ("wanted", "given", "right"))
        figures[sort] = {
            "recall": round(right / wanted, 4) if wanted else 0.0,
            "recall_interval": wilson(right, wanted),
            "precision": round(right / given, 4) if given else 0.0,
            "precision_interval": wilson(right, given),
            "wanted": wanted,
            "given": given,
        }
    return figures
