"""What a later statement of a conversation does to an earlier one: says it again, stands in its place, or ends it."""

from __future__ import annotations

import re

from companion.language.openings import sets_against
from companion.language.quantities import Quantity, equal, quantities
from companion.language.sentences import Clause
from companion.language.subjects import covered, is_all_of, likeness, subject
from companion.ports import Reader
from companion.records.talk import ItemType
from companion.talk.items.found import FoundItem

SAME_WORDS = 0.75
"""Share of telling words from which two statements of one talk say the same, without a model's help."""
SAME, CONTRARY = 0.6, 0.5
"""The model's shares from which two statements say the same, and from which the later stands for the earlier. Both are
said of one thing in one talk, which makes a contradiction likelier than among notes."""
RELATED = 0.34
"""Share of telling words from which two decisions can be of one thing."""
REACH_TURNS = 3
"""How many turns back "actually, ..." reaches; later, what is replaced must be named."""
ENOUGH, SOME = 0.6, 0.3
"""Share of an earlier statement's telling words that one which ends it names; where the person is named too."""
_NUMBER = re.compile(r"\d[\w.,:%-]*")


def is_same(old: FoundItem, new: FoundItem, reader: Reader | None) -> bool:
    """Whether two things of one type say the same."""
    if old.text.casefold() == new.text.casefold():
        return True
    alike = likeness(old.text, new.text)
    if not alike or _numbers(old) != _numbers(new) or _answers_another(old.text, new.text):
        return False
    if reader is None:
        return alike >= SAME_WORDS
    told = reader.pair(old.text, new.text)
    return told.same + told.contains + told.contained >= SAME and told.contrary < SAME / 2


def replaces(new: FoundItem, old: FoundItem, reader: Reader | None, *, newest: bool = False) -> bool:
    """Whether a decision stands in the place of an earlier one: both are of one thing and cannot both hold.

    After a word of contrast ("no", "actually") the `newest` goes, if the same is done to another thing, or in another
    amount.
    """
    if old.clause.place == new.clause.place:
        return False
    near = newest and _set_against(new.clause, old)
    if near and (_first_word(old) == _first_word(new) or corrects(new.clause, old)):
        return True
    if not subject(old.text) & subject(new.text):
        return False
    if subject(_NUMBER.sub(" ", old.text)) == subject(_NUMBER.sub(" ", new.text)) and _numbers(old) != _numbers(new):
        return True
    related = near or likeness(old.text, new.text) >= RELATED
    return related and reader is not None and reader.pair(old.text, new.text).contrary >= CONTRARY


def corrects(clause: Clause, old: FoundItem) -> bool:
    """Whether somebody sets another amount of the same sort against what was decided: "actually, weekly is enough"."""
    if not _set_against(clause, old):
        return False
    before, now = quantities(old.text), quantities(clause.text)
    return any(_same_sort(a, b) and not equal(a, b) for a in before for b in now)


def _same_sort(a: Quantity, b: Quantity) -> bool:
    return a.dimension == b.dimension and (not b.about or a.about == b.about)


def _set_against(clause: Clause, old: FoundItem) -> bool:
    return clause.turn - old.clause.turn <= REACH_TURNS and sets_against(clause.sentence)


def _first_word(found: FoundItem) -> str:
    return found.text.partition(" ")[0].casefold()


def ends(done: FoundItem, old: FoundItem) -> bool:
    """Whether something done is a task's end, or what was waited for or stood in the way."""
    if old.type is ItemType.TASK:
        return is_all_of(old.text, done.clause.text) >= ENOUGH
    who = old.details.get("who", "").lower()
    share = covered(old.text, done.clause.text)
    return share >= ENOUGH or (share >= SOME and bool(who) and who in done.clause.text.lower())


def _answers_another(old: str, new: str) -> bool:
    """Whether both are told with the question that they answer, and it is not the same."""
    asked = {text.rpartition("? ")[0] for text in (old, new)}
    return len(asked) == 2 and "" not in asked


def _numbers(found: FoundItem) -> frozenset[str]:
    return frozenset(_NUMBER.findall(found.text))
