"""Which statement took the place of which: the same thing said of, the same property, another value.

People seldom name a property. What they say is read as a frame: the words around one value, with what it
is about and where it holds taken out. Two frames speak of one property

- when nothing but the value differs, or
- when the store itself shows it: they give the same values to the same things more often than chance, or
  draw on one vocabulary, and nothing speaks against it (another unit, `replica` beside `primary`).

So nothing has to be known of ports, owners or databases: ten statements of a kind teach their kind. What
allows of several values at once (`uses`, `also`), what is long, and what is about another environment is
left alone; a mistake here would put a fact away, and a miss only leaves a stale one to be settled by hand.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from companion.judging.properties import ABOUT, COUNTED, STOP, VALUE, Frame, Said, Thing, content, properties, stems
from companion.judging.words import DENIALS, listed
from companion.records.findings import Told
from companion.records.tidying import Supersede

_ADDITIVE = frozenset(listed("slots")["additive"].split())
_UNSETTLED = frozenset(listed("slots")["unsettled"].split()) | DENIALS
_MANY_VALUED = stems(listed("slots")["many_valued"])

LONGEST_WORDS = 18
"""Words of a statement that is read as one: what is longer says several things."""
LEAD_WORDS = 5
"""Words before a colon that set the tone (`important:`) and say nothing."""
SURE_VARIETY = 3
"""Different words seen in one place of a frame, over several things, before the place is that of a value."""

_WORD = re.compile(r"\w[\w.\-/]*\w|\w|[:=]")
_LEAD = re.compile(r"^([^:\n]{2,60}):\s+(?=\S)")
_NUMBER = re.compile(r"\d")
_NAMELIKE = re.compile(r"[A-Z]|[a-z][_\-./][a-z]")
_BEFORE_PLACE = frozenset(["in", "on", "for", "at", "under", "of"])


@dataclass(slots=True)
class _Read:
    """A statement with its words; `thing` is what it is about, who says it, and where it holds."""

    told: Told
    thing: Thing
    words: Frame
    raw: Frame
    frame: Frame = ()
    value: str = ""
    shown: str = ""


class Slots:
    """Finds replaced statements; see `companion.ports.Slots`."""

    def replaced(self, told: Iterable[Told]) -> Iterator[Supersede]:
        """The standing statements that a newer one took the place of, each with its newest successor.

        What no longer stands still teaches which frames are akin. The order is that of telling.
        """
        read = sorted(_readable(told), key=lambda one: (one.told.told_at, one.told.id))
        _find_values(read)
        known = [one for one in read if one.frame]
        stands = properties(Said(one.thing, one.frame, one.value, one.told.document) for one in known)
        lines: defaultdict[tuple[Thing, Frame], list[_Read]] = defaultdict(list)
        for one in known:
            if one.told.standing:
                lines[one.thing, stands[one.frame]].append(one)
        for line in lines.values():
            yield from _over(line)


def _over(line: Sequence[_Read]) -> Iterator[Supersede]:
    """What the newest statement of a line put an end to. Those that say the same stay beside it."""
    newest = line[-1]
    for one in line[:-1]:
        if one.value != newest.value:
            yield Supersede(one.told.id, newest.told.id, f"“{one.shown}” was said, and later “{newest.shown}”")


def _readable(told: Iterable[Told]) -> Iterator[_Read]:
    for one in told:
        about = one.about.rpartition(":")[2].rpartition("/")[2]
        text = _without_lead(one.text.strip(), about)
        if "\n" in text or text.endswith("?"):
            continue
        raw = tuple(_words(text, about, one.scope.environment))
        words = tuple(word.casefold() for word in raw)
        if 2 <= len(words) <= LONGEST_WORDS and not (_ADDITIVE | _UNSETTLED).intersection(words):
            scope = one.scope
            place = (scope.language, scope.path, scope.environment, scope.version, scope.branch)
            yield _Read(one, (one.about.casefold(), one.said_by, *place), words, raw)


def _without_lead(text: str, about: str) -> str:
    """`Important: cart listens on 7004` without what sets the tone; what names the thing itself stays."""
    lead = _LEAD.match(text)
    if lead is None or _NUMBER.search(lead[1]) or len(lead[1].split()) > LEAD_WORDS:
        return text
    rest = text[lead.end() :]
    named = about.casefold()
    if not named or named in lead[1].casefold() or named not in rest.casefold():
        return text
    return rest


def _words(text: str, about: str, environment: str) -> Iterator[str]:
    if about:
        text = re.sub(rf"(?<![\w-]){_loose(about)}(?![\w-])", f" {ABOUT} ", text, flags=re.IGNORECASE)
    found = re.findall(rf"{ABOUT}|{_WORD.pattern}", text)
    place = environment.casefold()
    for at, word in enumerate(found):
        following = found[at + 1].casefold() if at + 1 < len(found) else ""
        if place and (word.casefold() == place or (word.casefold() in _BEFORE_PLACE and following == place)):
            continue
        yield word


def _loose(name: str) -> str:
    """A name's pattern: its joints may be written as spaces, hyphens or underscores."""
    return r"[\s_\-]+".join(re.escape(part) for part in re.split(r"[\s_\-]+", name) if part) or re.escape(name)


def _find_values(read: Sequence[_Read]) -> None:
    """Say of each statement which word is its value: the one that differs where all others are the same."""
    often = Counter(around for one in read for around, _ in _arounds(one))
    seen: defaultdict[int, set[str]] = defaultdict(set)
    things: defaultdict[int, set[Thing]] = defaultdict(set)
    for one in read:
        for around, at in _arounds(one):
            if often[around] > 1:  # of most there is but one, and keeping them all would take the memory
                seen[around].add(one.words[at])
                things[around].add(one.thing)
    for one in read:
        found = max(_candidates(one, seen, things), default=None)
        if found is not None:
            at = -found[-1]
            one.frame = (*one.words[:at], VALUE, *one.words[at + 1 :])
            one.value, one.shown = one.words[at], one.raw[at]
            if not content(one.frame) - _MANY_VALUED:  # `cart uses redis` and `cart uses kafka` are both true
                one.frame = ()


def _arounds(one: _Read) -> Iterator[tuple[int, int]]:
    """What stands around each word, as a hash, and where the word is."""
    words = one.words
    for at, word in enumerate(words):
        if word != ABOUT and word not in STOP:
            yield hash((words[:at], words[at + 1 :])), at


def _candidates(
    one: _Read, seen: Mapping[int, set[str]], things: Mapping[int, set[Thing]]
) -> Iterator[tuple[int, int, int]]:
    """Things that may hold the value: how varied, whether a number, and where (the first of equals)."""
    for around, at in _arounds(one):
        if _part_of_a_name(one, at):
            continue
        variety, number = len(seen.get(around, ())), bool(_NUMBER.search(one.words[at]))
        sure = variety >= SURE_VARIETY and len(things[around]) > 1
        likely = variety > 1 and bool(_NAMELIKE.search(one.raw[at])) and bool(one.thing[0])
        if number or sure or likely:
            yield variety, int(number), -at


def _part_of_a_name(one: _Read, at: int) -> bool:
    """Whether a word belongs to what is spoken of: `cart 2 is slow`, `Python 3.8 is not supported`.

    Where nothing says what a statement is about, only what stands at its end can be told from a name.
    """
    if one.thing[0]:
        return at > 0 and one.words[at - 1] == ABOUT
    return any(word not in COUNTED for word in one.words[at + 1 :])
