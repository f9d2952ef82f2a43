"""The words of a story that stand beside its title: how it opens, as far as there is room.

People explain first and go into detail then, so the opening is read as it was written: a later sentence, taken out
alone, leans on what is not there. It ends at the first sentence that nobody wants remembered (pasted code, what
points elsewhere, what an author feels or guesses), and where it gives no reason, condition or consequence it is not
told at all: a title stands better alone.
"""

from __future__ import annotations

import re

from companion.judging.kept import compare
from companion.judging.reading.marks import tokens
from companion.judging.words import GLUE
from companion.kinds.prose import split_sentences

ROOM_CHARS = 240
"""Characters of an opening at most: two or three sentences, some 50 tokens."""
ENOUGH_CHARS = 90
ENOUGH_REASONS = 2
"""Characters and reasons from which an opening is whole; a shorter or a plainer one reads on."""
NEW_LEAST = 4
"""Telling words that an opening adds to its title, from which it tells something."""

_REASONS = re.compile(
    r"\b(?:because|since|so that|due to|caus\w+|otherwise|instead|rather than|unless|until|without|when(?:ever)?|if"
    r"|previously|formerly|before|even|no|not|never|only|cannot|must|should|would|could|but|however|although|though"
    r"|while|which|as)\b|n['’]t\b",
    re.IGNORECASE,
)
"""The words of a language that join a thing with its reason, its condition or what it is not: a closed class."""
_CUT = re.compile(
    r"(?<=;)\s++|(?<!\s)\s++[-–—]++\s++|(?:,|(?<!\s))\s++(?:so that|because)\s++"
    r"|,\s++(?:so|since|which|as|making|causing|thus|and (?:this|it|now))\s+"
)
"""Where a sentence may end: what is before says something whole, what follows gives its reason or consequence."""
_DASH = re.compile(r"(?<!\s)\s++[-–—]")
_TURNS = re.compile(r"^(?:- )?(?:but|and|or|so|then|however|though|also|specifically|plus|otherwise)\b", re.IGNORECASE)
"""How a sentence begins that goes on from one that is not there: a title is not what it answers."""
_POINTING = re.compile(
    r"(?<![\w&])(?:#|GH-)\d+\b|\b(?=[a-f]*\d)(?=\d*[a-f])[0-9a-f]{7,40}\b"
    r"|\b(?:above|below|following|aforementioned|here|this (?:pr|fix|patch|work)|on the tin"
    r"|for (?:my|our) taste|if you ask me|for now|three things|two things)\b",
    re.IGNORECASE,
)
"""What in a sentence sends its reader elsewhere, or is true of its day."""
_SAID_OF = re.compile(
    r"\b(?:is|are|was|were|be|been|has|have|had|do|does|did|can|could|cannot|will|would|should|must|may|might|need"
    r"|needs"
    r"|\w+ed|\w+n['’]t|now|never|no longer|makes?|gets?|takes?|gives?|keeps?|lets?|allows?|returns?|raises?|uses?)\b",
    re.IGNORECASE,
)
"""A word that makes a clause out of what stands before it."""
_FRAGMENT = re.compile(
    r"^(?:- )?(?:file \"|(?:\w+ )?example:|(?:see|tests?:|docs?:|note:|after:|before:|todo|where|which|who|whose"
    r"|whereby|is|are|was|were|has|have|had|does|also,? \w+n['’]t|e\.g|i\.e|[(\[])\b)|^\W*[(\[]|^(?:- )?[,;:.)]+\s",
    re.IGNORECASE,
)
"""How half a sentence begins."""
_HEDGED = re.compile(
    r"\b(?:perhaps|arguably|apparently|ah well|it (?:seems|appears|turns out)|seemingly|kludg\w*|ham-fisted|silly"
    r"|probably"
    r"|more testing|to reproduce|clean(?:ed|s)? ?up|slightly (?:cleaner|nicer)|simple (?:logic|typo)|obvious\w*"
    r"|magic\w*"
    r"|unfortunate\w*|for whatever reason|kind of|sort of|a bit|hopefully|i think|maybe|not sure|in theory"
    r"|(?-i:I)(?![/.)])|my|years ago|at present|prototype|clear why|medium-term|for the moment|temporar\w+|wip"
    r"|IMH?O|thanks|kudos|subtests?|test cases?|(?:new|unit|added|regression) tests?|changelog|credits?"
    r"|in (?:the )?tests|the comments?|to test|sounds?|conveys?|docs?|docstrings?|readme|re-?phras\w*"
    r"|seems?|appears? to|not appear|supposedly|presumably|guess|wonder\w*|sorry|forgot\w*|oversight|stupid|dumb"
    r"|mess|weird\w*"
    r"|annoying|awkward\w*|nasty|evil|sadly|luckily|fortunately|let['’]?s|whoops|oops|at this point|some(?:day|time)"
    r"|soon"
    r"|looks like|actually|still lack\w*|so hard|for real|as discussed|as suggested|per review|reviewer\w*|follow-?up"
    r"|fuck\w*|shit\w*|damn|sucks?|crap\w*|ugl\w+|hacky?|hiccup)\b",
    re.IGNORECASE,
)
"""What an author feels or guesses: it does not stand for a reason."""
_PICTURE = re.compile(
    "[\u2600-\u27bf\U0001f300-\U0001faff]"
    r"|(?:^|\s)[:;]-?[)(DP](?:\s|$)|,? though\W*$|!\W*$|\.\.\.\s|^(?:- )?[Nn]ote\b"
)
"""A picture of a face, or what takes a sentence back at its end."""
_LEANING_HEAD = re.compile(
    r"^(?:- )?(?:since|because|if|when(?:ever)?|while|as|by|for|in|after|before|according|one|until|although|though"
    r"|unless|without|instead|rather|to|with|on|at|from|given|due|note)\b",
    re.IGNORECASE,
)
"""How a sentence begins whose first clause says nothing alone: `Since it requires 0.7, ...`."""
_TURNING_TAIL = re.compile(
    r"^\W*(?:and |or )?(?:but|instead|rather|unless|except|however|if|when|only|even|not|no|nor|until|as long as"
    r"|provided|where|than|without|though|although|otherwise|like|such as|and|or|to|of|that|with|in)\b",
    re.IGNORECASE,
)
"""How the rest of a sentence begins that limits or turns what its first clause says: it is not cut there."""
_PASTED = re.compile(r"~~|[{;=]$|\d%?\s+-?\d|\s//\s|=>|\);|\$ \w|^\W*\||```|>>> |\bfunc\b.*\(|(?:\([^()]*\).*){4}")
"""A line of code, by its end or its signs, or of measurements: numbers side by side."""


def lead(title: str, story: str, room_chars: int = ROOM_CHARS) -> str:
    """The opening of a story within so many characters, if it gives a reason and tells more than its title."""
    told = _opening(story, min(room_chars, ROOM_CHARS))
    said = set(_telling(title))
    new = {word for word in _telling(told) if word not in said}
    return told if len(new) >= NEW_LEAST and reasons(told) else ""


def reasons(text: str) -> int:
    """How many different words of a text join a thing with its reason, its condition or what it is not."""
    return len({found.lower() for found in _REASONS.findall(text)})


def hedged(text: str) -> bool:
    """Whether a text says what its author feels or guesses."""
    return _HEDGED.search(text) is not None


def _opening(story: str, room_chars: int) -> str:
    """The first sentences of a story, up to a list; of a first one that is too long its first clauses."""
    told = ""
    for line in story.split("\n"):
        if line.startswith("- "):
            break
        for sentence in split_sentences(line):
            if not told and len(sentence) > room_chars:
                return "" if _unwanted(sentence) else _cut(sentence, room_chars)
            if len(told) + len(sentence) > room_chars or _unwanted(sentence) or (not told and _TURNS.match(sentence)):
                return told
            told = f"{told} {_ended(sentence)}".lstrip()
            if len(told) >= ENOUGH_CHARS and reasons(told) >= ENOUGH_REASONS:
                return told
    return told


def _unwanted(sentence: str) -> bool:
    """Whether nobody wants a sentence remembered, or its rest stands elsewhere."""
    if _FRAGMENT.match(sentence) or sentence.endswith(":") or not _closed(sentence):
        return True
    return any(pattern.search(sentence) for pattern in (_PASTED, _POINTING, _HEDGED, _PICTURE))


def _closed(sentence: str) -> bool:
    """Whether every bracket and quote that a sentence opens is closed in it."""
    pairs = all(sentence.count(opens) == sentence.count(closes) for opens, closes in ("()", "[]", "“”"))
    return pairs and sentence.count('"') % 2 == 0 and sentence.count("`") % 2 == 0


def _cut(sentence: str, room_chars: int) -> str:
    """A sentence, or as many of its first clauses as fit and lose nothing that they speak of."""
    if len(sentence) <= room_chars:
        return _ended(sentence)
    if _LEANING_HEAD.match(sentence):
        return ""
    best = ""
    for found in _CUT.finditer(sentence):
        head = sentence[: found.start()].rstrip(" ,;:-–—(")
        if len(head) > room_chars:
            break
        if _TURNING_TAIL.match(sentence[found.start() :]):
            continue
        whole = _SAID_OF.search(head) or not _DASH.match(sentence, found.start())
        if len(_telling(head)) >= NEW_LEAST and whole and _closed(head) and compare(sentence, head).holds:
            best = head
    return _ended(best) if best else ""


def _telling(text: str) -> list[str]:
    return [plain for token in tokens(text) if (plain := token.lower()) not in GLUE]


def _ended(sentence: str) -> str:
    sentence = sentence.rstrip(" ,;:")
    return sentence if sentence.rstrip("\"'”)").endswith((".", "!", "?")) else f"{sentence}."
