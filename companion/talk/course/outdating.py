"""What a later statement does to an earlier one: stands in its place, takes it back, or ends it."""

from __future__ import annotations

import re
from functools import lru_cache

from companion.language.sentences import Clause
from companion.language.subjects import CACHE_TEXTS, covered, is_all_of, likeness, proper, subject
from companion.records.talk import ItemType
from companion.talk.course.takingback import Withdrawal
from companion.talk.items.found import Found

SAME = 0.75
"""Share of telling words from which two statements of one talk speak of the same thing."""
ENOUGH = 0.6
"""Share of an earlier statement's telling words that one which ends it names."""
SOME = 0.3
"""The same where the person waited for is named too."""
REACH_TURNS = 3
"""How many turns back `actually, ...` reaches; later, what is replaced must be named."""
_CLEARS = re.compile(
    r"\b(?:unblocked|no longer (?:blocked|blocking|a blocker)|not blocked any ?more|isn'?t (?:blocking|blocked"
    r"|a blocker)(?: \w+)? any ?more|isn'?t a blocker)\b",
    re.IGNORECASE,
)
_INSTEAD_OF = re.compile(
    r"\b(?:instead of|rather than|over|not|in place of|replaces?|replacing|from|away from|drop(?:ping)?"
    r"|no longer(?: use| using)?|against|without) (?:the |using |going with "
    r"|keeping )?(?P<old>[^,.;]{2,60}?)(?= to\b|$|[,.;]| because| since| for\b)",
    re.IGNORECASE,
)
_CONTRAST = re.compile(
    r"^(?:(?:ok(?:ay)?|hm+|oh|well|so|and|but|yeah)[\s,.]+)*(?:no\b|nope|actually|wait|instead|rather"
    r"|on second thoughts?|on reflection|scratch that|correction|sorry|i changed my mind|changed my mind"
    r"|hold on|thinking about it)",
    re.IGNORECASE,
)
_NEGATIVE = re.compile(
    r"\b(?:not|n't|never|no|without|against|drop|dropping|skip|skipping|avoid|defer|deferring|postpone"
    r"|postponing|won't|don't|cut|cutting|kill|killing|out of scope|off the table|no longer)\b|n't\b",
    re.IGNORECASE,
)
_NUMBER = re.compile(r"\d[\w.,:%-]*")
_ONLY_IT = re.compile(
    r"^(?:make|set|keep|use|call|name|put|do|raise|lower|bump|cap|limit|we'll|i'll|change|turn) (?:it|that|this"
    r"|them)\b",
    re.IGNORECASE,
)

_POINTS = re.compile(r"\b(?:it|them|this|that)\b", re.IGNORECASE)


def is_contrast(clause: Clause) -> bool:
    """Whether a clause opens with a `no`, `wait` or `actually`: what follows stands against what was said."""
    return _CONTRAST.match(clause.masked) is not None


def is_of_it_alone(text: str) -> bool:
    """Whether a statement names its object by a pronoun only: `make it 60`."""
    return _ONLY_IT.match(text) is not None


def replaces(new: Found, old: Found, *, contrast: bool, newest: bool) -> bool:
    """Whether a decision stands in the place of an earlier one.

    It names the other as what it is instead of, gives the same thing another figure, or denies it. After a word
    of contrast less will do: `newest` says that nothing was decided since.
    """
    if old.clause.place == new.clause.place:
        return False
    if _names_as_instead(new, old) or _differs_in_figure(new, old) or _denies(new, old):
        return True
    if not contrast or new.clause.turn - old.clause.turn > REACH_TURNS:
        return False
    if newest and (is_of_it_alone(new.text) or _verb(old) == _verb(new)):
        return True
    about = old.clause.sentence if _POINTS.search(old.text) else old.text
    return likeness(about, new.text) >= 0.5 or _is_moved(new, old)


def takes_back(taken: Withdrawal, old: Found) -> bool:
    """Whether what is taken back by name is this."""
    words, about = subject(taken.named), subject(old.text)
    if not words or not about or old.clause.sentence == taken.clause.sentence:
        return False
    if proper(taken.named) & proper(old.text):
        return True
    return words <= about or len(words & about) >= 0.5 * len(about)


def was_just_said(last: Found, clause: Clause) -> bool:
    """Whether `scratch that` means this: said before it in its message, or a turn ago where it opens one."""
    if last.clause.message == clause.message:
        return last.clause.place < clause.place
    return clause.first and clause.turn - said_in(last) <= 1


def said_in(found: Found) -> int:
    """The turn in which the user said it, or agreed to it."""
    return int(found.details.get("agreed", found.clause.turn))


def ends(done: Found, old: Found) -> bool:
    """Whether something done is a task's end, or what was waited for or stood in the way."""
    if old.type is ItemType.TASK:
        return is_all_of(old.text, done.clause.text) >= ENOUGH
    if old.type not in {ItemType.WAITING_ON, ItemType.BLOCKER}:
        return False
    if clears(done.clause, old):
        return True
    who = old.details.get("who", "").lower()
    share = covered(old.text, done.clause.text)
    return share >= ENOUGH or (share >= SOME and bool(who) and who in done.clause.text.lower())


def clears(clause: Clause, old: Found) -> bool:
    """Whether a clause says that a blocker is none any more."""
    if old.type is not ItemType.BLOCKER or _CLEARS.search(clause.masked) is None:
        return False
    named = old.details.get("blocks", "") or old.text
    return likeness(named, clause.text) >= ENOUGH or covered(old.text, clause.text) >= ENOUGH


def _names_as_instead(new: Found, old: Found) -> bool:
    """`X instead of Y` replaces a choice of Y; what only repeats the old words does not."""
    named = _instead_of(new.text)
    if not named:
        return False
    chosen = subject(_INSTEAD_OF.sub("", old.text))
    return any(one and one <= chosen for one in named) and not subject(new.text) <= subject(old.text)


def _differs_in_figure(new: Found, old: Found) -> bool:
    left, right = _without_figures(old.text), _without_figures(new.text)
    turned = _is_negative(old.text) != _is_negative(new.text)
    return bool(left) and left == right and (turned or _NUMBER.search(old.text) is not None)


def _denies(new: Found, old: Found) -> bool:
    turned = _is_negative(old.text) != _is_negative(new.text)
    return turned and covered(old.text, new.text) >= SAME


def _is_moved(new: Found, old: Found) -> bool:
    """Whether both speak of one thing with a figure or a day, and another one."""
    left, right = (set(_NUMBER.findall(one.text)) for one in (old, new))
    return bool(left and right and left != right and _without_figures(old.text) & _without_figures(new.text))


@lru_cache(maxsize=CACHE_TEXTS)
def _instead_of(text: str) -> tuple[frozenset[str], ...]:
    return tuple(subject(match.group("old")) for match in _INSTEAD_OF.finditer(text))


@lru_cache(maxsize=CACHE_TEXTS)
def _without_figures(text: str) -> frozenset[str]:
    return subject(_NUMBER.sub(" ", text))


@lru_cache(maxsize=CACHE_TEXTS)
def _is_negative(text: str) -> bool:
    return _NEGATIVE.search(text) is not None


def _verb(found: Found) -> str:
    return found.text.partition(" ")[0].lower()
