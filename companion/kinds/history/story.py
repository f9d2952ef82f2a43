"""Which commits of a definition's history a reader of the log would name, and each in a sentence.

All are told where they are few. Of many the one is that made it, and of the others those that weigh most: by what sort
of change the title names, whether the message gives a reason, how much of the definition it changed, and how much of
what it wrote is left. What only formats is never told; a sweep through many files weighs next to nothing.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from math import prod

from msgspec import Struct
from msgspec.structs import replace

from companion.escape import shortened
from companion.kinds.history.landed import Landed, of_commit
from companion.kinds.history.reasons import is_aside
from companion.kinds.history.titles import bare_title, is_housekeeping
from companion.kinds.prose import sentences
from companion.language.phrases import opens
from companion.language.reasons import explains
from companion.records import Commit, LineChange, StoryStep

STEPS_MOST = 5
"""Steps of a story: what one takes in at a glance."""
WEIGHT_LEAST = 0.25
"""Weight from which on one of more commits is told beside the one that made the definition."""
SWEEP_FILES = 30
"""Files of a commit from which on it speaks of no definition in particular."""
OF_A_SWEEP = 0.35
"""Share of its weight that such a commit has."""
WEIGHTS = {"revert": 3.0, "fix": 3.0, "feature": 2.5, "performance": 2.5, "removal": 2.0, "": 2.0, "refactor": 1.5}
"""What a change of each sort weighs; any other 0.6."""
WEIGHT_OF_OTHERS = 0.6
WEIGHT_OF_PLACES = 0.8
"""What it weighs that a definition got its name, or came from another file."""
LEAST_SUBSTANCE = 0.45
"""Share of its weight that the least change has."""
OF_WHAT_IS_GONE = 0.4
"""Share of its weight that a commit has of whose lines none is left."""
LEFT_IN_FULL = 1 / 8
"""Share of the lines of a definition that one of its commits has to have written to count in full."""
SUBSTANCE_TOKENS = 16
"""Changed words and signs of a definition that count in full."""
DRESSED_LINES = 6
"""Lines from which on a change without any other word is one of style."""
TEXT_CHARACTERS = 160
"""Characters of a step's own words."""
REASON_CHARACTERS, DETAIL_CHARACTERS = 60, 240
"""Characters of a sentence of the message: a shorter one is a remark, a longer one a list or pasted."""

_TOKEN = re.compile(r"\w+|''|\"\"|\(\)|\[\]|\{\}|[^\w\s]")
_PLAIN = re.compile(r"[a-z]+(?:[\s,]|$)")
"""A first word that is no name of code."""
_NAME = re.compile(r"[^\W\d]\w*")
_DRESS = frozenset(",;'\"`(){}[]")
"""Signs that formatters put and take away."""
_COMMENT = re.compile(r"^\s*(?://|#(?!\[|include|define|if|endif|pragma)|/\*|\*(?:\s|/|$)|--\s|;|\"\"\"|<!--)|^\s*$")


class _Weighed(Struct, frozen=True, dict=True):
    """A change of the definition, with what it is made of.

    It is `undone` if a later one took it back, or it is that one; `left` is 1 if much that it wrote is left, else less.
    """

    change: LineChange
    undone: bool = False
    left: float = 1.0

    @cached_property
    def landed(self) -> Landed:
        """What its message says."""
        return of_commit(self.change.commit)

    @cached_property
    def _lost(self) -> list[str]:
        return _tokens(self.change.taken)

    @cached_property
    def _gained(self) -> list[str]:
        return _tokens(self.change.put)

    @cached_property
    def tokens(self) -> int:
        """How many words and signs it changed, beyond blanks and what formatters put."""
        lost, gained = Counter(self._lost), Counter(self._gained)
        return max((lost - gained).total(), (gained - lost).total())

    @cached_property
    def formats(self) -> bool:
        """Whether it changed blanks, line ends, the signs of formatters and, in many lines, an order alone."""
        return self._lost == self._gained or (not self.tokens and len(self.change.put) >= DRESSED_LINES)

    @cached_property
    def comments(self) -> bool:
        """Whether all lines that it changed are comments."""
        return all(_COMMENT.match(line) for line in (*self.change.taken, *self.change.put))

    @cached_property
    def renames(self) -> dict[str, str]:
        """The names that took the place of others, where that is all it did."""
        if len(self._lost) != len(self._gained) or self.formats:
            return {}
        pairs = {old: new for old, new in zip(self._lost, self._gained, strict=True) if old != new}
        same = all(pairs.get(old, old) == new for old, new in zip(self._lost, self._gained, strict=True))
        return pairs if same and all(map(_NAME.fullmatch, (*pairs, *pairs.values()))) else {}

    def was(self, name: str) -> str:
        """What a definition was called before it got its name by this change; empty where it did not."""
        return next((old for old, new in self.renames.items() if new == name), "")

    @cached_property
    def sweeps(self) -> bool:
        """Whether it went through very many files."""
        return len(self.change.commit.changes) > SWEEP_FILES

    def weight_as(self, name: str) -> float:
        """The weight of a change of what is called so now."""
        if self.change.came_from or self.was(name):
            return WEIGHT_OF_PLACES * (OF_A_SWEEP if self.sweeps else 1.0)
        return self.weight

    @cached_property
    def weight(self) -> float:
        """How much a reader of the log cares for it."""
        if self.formats:
            return 0.0
        weight = WEIGHTS.get(self.landed.sort, WEIGHT_OF_OTHERS)
        weight *= LEAST_SUBSTANCE + (1 - LEAST_SUBSTANCE) * min(1.0, self.tokens / SUBSTANCE_TOKENS)
        factors = (
            (bool(_reason(self.landed)), 1.25),
            (self.comments, 0.2),
            (bool(self.renames), 0.35),
            (self.sweeps, OF_A_SWEEP),
            (self.left < 1 and is_housekeeping(self.landed.title) and self.landed.sort != "refactor", 0.5),
            (self.undone, 0.25),
            (True, OF_WHAT_IS_GONE + (1 - OF_WHAT_IS_GONE) * self.left),
        )
        return weight * prod(factor for holds, factor in factors if holds)


def story_of(changes: Sequence[LineChange], name: str, left: Mapping[str, int]) -> tuple[StoryStep, ...]:
    """The story of a definition from its changes, newest first: at most `STEPS_MOST` steps, the oldest first.

    What was before it was made is told only where lines of that are left in it: it was drawn out of other code.
    `left` says how many of the lines that are there now each commit wrote; empty where that is not known.
    """
    in_full = max(1.0, LEFT_IN_FULL * sum(left.values()))
    undone = set(_undone([change.commit for change in changes]))
    shas = [change.commit.sha for change in changes]
    weighed = [
        _Weighed(change, sha in undone, min(1.0, left.get(sha, 0) / in_full) if left else 1.0)
        for sha, change in zip(shas, changes, strict=True)
    ]
    weights = {id(one): one.weight_as(name) for one in weighed}
    made = [one for one in weighed if one.change.first]
    older = weighed[weighed.index(made[0]) + 1 :] if made else []
    weighed = [one for one in weighed if one not in older or one.change.commit.sha in left]
    others = [one for one in weighed if one not in made and weights[id(one)]]
    if len(others) > STEPS_MOST - len(made):
        heavy = sorted((one for one in others if weights[id(one)] >= WEIGHT_LEAST), key=lambda one: -weights[id(one)])
        others = heavy[: max(0, STEPS_MOST - len(made))]
    chosen = {id(one) for one in (*made, *others)}
    return tuple(_step(one, name) for one in reversed(weighed) if id(one) in chosen)


def with_making(changes: Sequence[LineChange], name: str) -> list[LineChange]:
    """Changes, newest first, of which the one is `first` that made what is called so, here or under a former name.

    Before it none of the lines held the name. None is it where they never did.
    """
    if not (called := name and _NAME.findall(name)) or not (changes and changes[-1].first):
        return list(changes)
    maker = _appeared(changes, called[-1], 0)
    while maker is not None and (former := _called_before(changes[maker], called[-1])):
        called, older = [former], _appeared(changes, former, maker + 1)
        if older is None:
            break
        maker = older
    return [replace(change, first=number == maker) for number, change in enumerate(changes)]


def _appeared(changes: Sequence[LineChange], name: str, newest: int) -> int | None:
    """The change, not newer than one, since which the lines hold a name: from the oldest on, uses come and go."""
    found, uses = None, 0
    for number in reversed(range(newest, len(changes))):
        change = changes[number]
        before = 0 if change.came_from else uses - _tokens(change.taken).count(name)
        after = max(0, before + _tokens(change.put).count(name))
        found = None if not after else number if not uses else found
        uses = after
    return found


def _called_before(change: LineChange, name: str) -> str:
    """What the first line that holds a name had in its place before a change, where that is gone; else empty."""
    gained = _tokens(change.put)
    line = next(tokens for one in change.put if name in (tokens := _tokens([one])))
    at = line.index(name)
    others = (tokens for one in change.taken if len(tokens := _tokens([one])) > at and tokens[:at] == line[:at])
    return next((one[at] for one in others if at and _NAME.fullmatch(one[at]) and one[at] not in gained), "")


def _undone(commits: Sequence[Commit]) -> Iterator[str]:
    """Ids of the commits that others of these took back, and of those others."""
    quoted = {f'Revert "{commit.subject}"': commit.sha for commit in commits}
    shas = {commit.sha for commit in commits}
    for commit in commits:
        end = commit.subject.rfind('"') + 1
        before = commit.reverts or quoted.get(commit.subject[:end], "")
        if before in shas:
            yield from (before, commit.sha)


def only_formats(change: LineChange) -> bool:
    """Whether a change did nothing to the lines but dress them anew."""
    return _Weighed(change).formats


def step_of(change: LineChange, name: str = "") -> StoryStep:
    """One change as a step."""
    return _step(_Weighed(change), name)


def _step(one: _Weighed, name: str) -> StoryStep:
    commit = one.change.commit
    did, how = _did(one, name)
    text = sentence_of(one.landed.title)
    return StoryStep(
        f"{text} ({how})" if how else text,
        commit.sha,
        commit.authored_at,
        commit.author.name,
        did,
        _reason(one.landed),
    )


def sentence_of(title: str) -> str:
    """What the title of a commit says, as a sentence, without its type and scope and the numbers at its end."""
    text = bare_title(title).text.rstrip(".")
    text = f"{text[0].upper()}{text[1:]}" if _PLAIN.match(text) else text
    return shortened(text, TEXT_CHARACTERS)


def _did(one: _Weighed, name: str) -> tuple[str, str]:
    """What a change did to the definition: the word for it, and how much."""
    change = one.change
    put, taken = len(change.put), len(change.taken)
    if change.first:
        return "made", ", ".join(filter(None, (f"made {name}", _lines(put) if put else ""))) if name else ""
    if not (put or taken):
        return "changed", ""
    if change.came_from:
        return "moved", f"moved here from {change.came_from}"
    if one.formats:
        return "formatted", "only formatted"
    if before := one.was(name):
        return "renamed", f"renamed from {before}"
    how = " ".join(f"{sign}{count}" for sign, count in (("+", put), ("-", taken)) if count)
    how += " line" if put + taken == 1 else " lines"
    if one.landed.sort == "revert":
        return "reverted", how
    return "fixed" if one.landed.sort == "fix" else "changed", how


def _lines(count: int) -> str:
    return f"{count} line{'' if count == 1 else 's'}"


def _reason(landed: Landed) -> str:
    """What a message gives as the reason, else how it begins; empty where there is only a title.

    A sentence that leans on the one before it is told behind that one, or not at all.
    """
    whole: list[str] = []
    for one in sentences(landed.story):
        whole.append(f"{whole[-1]} {one}" if whole and opens(one, "written.leaning") else one)
    said = [one for one in whole if not one.startswith("- ") and not is_aside(one)]
    said = [one for one in said if len(one) <= DETAIL_CHARACTERS and not one[0].islower()]
    begins = (one for one in said[:1] if len(one) >= REASON_CHARACTERS and one.endswith("."))
    return next((one for one in said if explains(one)), next(begins, ""))


def _tokens(lines: Sequence[str]) -> list[str]:
    return list(_told(lines))


def _told(lines: Sequence[str]) -> Iterator[str]:
    for line in lines:
        yield from (token for token in _TOKEN.findall(line) if token not in _DRESS)
