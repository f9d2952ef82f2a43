"""What a reply says is now so, right after a turn of the user's: the outcome of that turn, unless they object to it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from msgspec.structs import replace

from companion.language.subjects import covered, subject
from companion.language.unanswered import leaves_open
from companion.language.word_lists import word_set
from companion.records.readings import DialogueAct
from companion.talk.hearing import Heard
from companion.talk.items.extract import settled
from companion.talk.items.found import FoundItem, tidy

ECHOED = 0.75
"""Share of a reply's telling words that the user said just before, from which it says the same again."""
RESTATED = 0.6
"""The same of what the user said in more or other words than the reply."""
_HEARD_SO = frozenset({DialogueAct.DONE, DialogueAct.REMARK, DialogueAct.AGREE, DialogueAct.DECISION})
"""Acts of an assistant's sentence by which something is said to be so."""
_MEANT_SO = frozenset({DialogueAct.REMARK, DialogueAct.WEIGHED, DialogueAct.REFUSE})
"""Acts of the user's by which nothing was kept yet, and which may have been meant so all the same."""
_CHANGED = re.compile(r"^(?:\w+ed|set|put|made|cut)(?: (?:it|them|that))?(?: back)? to (?=\S)", re.IGNORECASE)
_DID = re.compile(r"^(?:\w+ed|set|put|made|cut) ", re.IGNORECASE)


def echoes(said: Sequence[Heard], reply: Sequence[Heard]) -> Iterator[FoundItem]:
    """What was not heard as decided and a reply says again: in its words, or the user's if most of them are there."""
    meant = [one.clause for one in said if one.act in _MEANT_SO and not one.clause.asked]
    turn = " ".join(one.text for one in meant)
    kept = " ".join(one.clause.text for one in said if one.act not in _MEANT_SO)
    for one in reply:
        found = _stated(one) if one.act in _HEARD_SO else None
        words = _DID.sub("", found.text) if found is not None else ""
        if found is None or not _tells(words, turn) or covered(words, kept) >= ECHOED:
            continue
        if covered(words, turn) >= ECHOED:
            yield found
        elif one.act is DialogueAct.DONE:
            own = [mine for clause in meant if (mine := settled(clause, one.share)) is not None]
            yield from [mine for mine in own if _tells(mine.text, words) and covered(mine.text, words) >= RESTATED][-1:]


def _stated(one: Heard) -> FoundItem | None:
    """What a reply says is so now, without the verb of changing it: "Changed to every 5 minutes"."""
    found = settled(one.clause, one.share)
    if found is None or one.clause.asked or one.clause.text.startswith(("#", "|")) or leaves_open(one.clause.masked):
        return None
    text = tidy(_CHANGED.sub("", found.text))
    gone = text.rpartition(" ")[2] in word_set("times", "taking_out.particles")
    return replace(found, text=text) if text and not gone else None


def _tells(one: str, other: str) -> bool:
    """Whether the words that two texts share tell a thing: two of them, or a figure."""
    common = subject(one) & subject(other)
    return len(common) > 1 or any(word[0].isdigit() for word in common)
