"""Which sentence of a story stands beside its title: the one that says why, when or with what result, and stands alone.

Worth is counted: new words, a reason, marks of code; less where a sentence comes late, tells how things were, or
points elsewhere. One that leans on those before it is told with them or not at all; a line of a list, which may be of
another matter altogether, only where it shares a word with the title. Pasted code, halves of sentences
and what an author feels or guesses never stand for a reason; a title stands better alone.
"""

from __future__ import annotations

import re

from companion.judging.kept import survives
from companion.judging.marks import marks_of, tokens
from companion.judging.words import GLUE
from companion.kinds.prose import sentences

STORY_SHARE = 0.28
"""Share of a story's characters that its summary may take for sentences. With the title whole and the files
left out this is what 70 % fewer tokens leave; spec K2."""
SENTENCE_CHARS = 90, 200
"""Characters that a sentence of a summary may always take, and never exceeds: some 15 and some 40 tokens."""
NEW_LEAST = 3
"""Telling words that a sentence adds to its title, from which it tells something."""
CLAUSE_WORDS = 6
"""Words up to which what begins like a clause and has no comma is half a sentence: `When running in this mode.`"""
LEAST_WORTH = 0.75
"""Worth of a sentence below which a title stands better alone; one that adds words and nothing else has 1."""

_REASON = re.compile(
    r"\b(?:because|since|so that|so|instead|rather|no longer|only|when(?:ever)?|if|unless|must|breaking|default"
    r"|in favou?r|prevent\w*|avoid\w*|caus\w*|due|otherwise|except|needed|required?|allow\w*|now|therefore|fix\w*"
    r"|deprecat\w*|remov\w*|never|always|not|rais\w*|return\w*)\b|n['’]t\b",
    re.IGNORECASE,
)
_CUT = re.compile(
    r"(?<=;)\s+|\s+[-–—]+\s+|,?\s+(?:so that|because)\s+"
    r"|,\s+(?:so|since|which|as|making|causing|thus|and (?:this|it|now))\s+"
)
"""Where a sentence may end: what is before says something whole, what follows gives its reason or consequence."""
_DASH = re.compile(r"\s+[-–—]")
_ASIDE = re.compile(r"\s*(?<!\w)\([^()]*\)")
"""Words in brackets; `call()` has none."""
_DEIXIS = re.compile(
    r"^(?:- )?(?:(?:this|that|these|those|it|its|they|their|he|she|also|then|and|or|but|so|however|for (?:example"
    r"|instance)"
    r"|both|same|such|each of|another|similarly|likewise|in (?:effect|particular|fact|other words|addition|that case)"
    r"|namely|basically|essentially|specifically|additionally|furthermore|moreover|instead|otherwise|thus|therefore"
    r"|hence|here|there|otoh|plus|yes|no,|well,|even so|either way|to that end|as such)\b"
    r"|(?:\w+ ){1,2}(?:this|that|it)(?=,)|\.\.\.|…|e\.g|i\.e)",
    re.IGNORECASE,
)
"""How a sentence begins that leans on the one before it."""
_TURNS = re.compile(r"^(?:- )?(?:but|and|or|so|then|however|though|also|specifically|plus|otherwise)\b", re.IGNORECASE)
"""How a sentence begins that goes on from one that is not there: a title is not what it answers."""
_CLAUSE = re.compile(r"^(?:- )?(?:when(?:ever)?|if|while|although|though|unless|because|since|as)\b", re.IGNORECASE)
"""How half a sentence begins that is short and has no comma: its other half is missing."""
_SAID_BEFORE = re.compile(
    r"\b(?:this|that|these|those) (?:problem|issue|bug|case|approach|behaviou?r|method|way|reason|situation)s?\b"
    r"|\b(?:fix|fixes|fixed|avoid|avoids|do|does|did|solve|solves|address|addresses) (?:this|that|it|so)\b"
    r"|\bas a result\b|\bthe (?:same|latter|former)\b|\binstead\b(?! of\b)|^(?:- )?same\b"
    r"|^(?:- )?(?:for|in|with|to|from|by|on|at|of) (?:this|that|those|these|such)\b"
    r"|\b(?:like|do|does|did|mirror|than|as) (?:this|that|it|so)\W*$",
    re.IGNORECASE,
)
"""What in a sentence was told before it."""
_POINTING = re.compile(
    r"(?<![\w&])(?:#|GH-)\d+\b|\b(?=[a-f]*\d)(?=\d*[a-f])[0-9a-f]{7,40}\b"
    r"|\b(?:above|below|following|aforementioned|here|this (?:pr|fix|patch|work)|on the tin"
    r"|for (?:my|our) taste|if you ask me|for now|three things|two things)\b",
    re.IGNORECASE,
)
"""What in a sentence sends its reader elsewhere, or is true of its day."""
_AMONG_US = re.compile(r"\b(?:we|we['’]\w+|our|us)\b", re.IGNORECASE)
_SAID_OF = re.compile(
    r"\b(?:is|are|was|were|be|been|has|have|had|do|does|did|can|could|cannot|will|would|should|must|may|might|need"
    r"|needs"
    r"|\w+ed|\w+n['’]t|now|never|no longer|makes?|gets?|takes?|gives?|keeps?|lets?|allows?|returns?|raises?|uses?)\b",
    re.IGNORECASE,
)
"""A word that makes a clause out of what stands before it."""
_FRAGMENT = re.compile(
    r"^(?:- )?(?:file \"|(?:\w+ )?example:|(?:see|tests?:|docs?:|note:|after:|before:|todo|where|which|who|whose"
    r"|whereby|is|are|was|were|has|have|had|does|also,? \w+n['’]t|e\.g|i\.e|[(\[])\b)|^\W*[(\[]",
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
_PAST = re.compile(
    r"^(?:- )?(?:previously|in the time before|in the past|currently|formerly|originally|today|until now|so far"
    r"|prior to|before\b|not(?:e|ice)\b|at the moment"
    r"|there (?:is|was|are|were) (?:an?|some|many)|the (?:previous|old|original|current|existing)\b)",
    re.IGNORECASE,
)
"""How a sentence begins that tells how things were: standing alone it would be read as how they are."""
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
_PASTED = re.compile(r"[{;=]$|\d%?\s+-?\d|\s//\s|=>|\);|\$ \w|^\W*\||```|>>> |\bfunc\b.*\(|(?:\([^()]*\).*){4}")
"""A line of code, by its end or its signs, or of measurements: numbers side by side."""


def lead(title: str, story: str) -> str:
    """The sentence that tells most, or its first clauses, in the characters there are; empty if none fits.

    One that leans on those before it is told with them or not at all; where room is left, those follow that lean on it.
    """
    least, most = SENTENCE_CHARS
    said = set(_telling(title))
    lines = story.split("\n")
    prose = [line for line in lines if not line.startswith("- ")]
    every = list(sentences("\n".join(prose or lines)))
    scored = sorted(((_worth(sentence, said, at), -at) for at, sentence in enumerate(every)), reverse=True)
    if not prose:
        shared = {told for line in lines if said.intersection(_telling(line)) for told in sentences(line)}
        scored = [(worth, behind) for worth, behind in scored if every[-behind] in shared]
    fitting = [-behind for worth, behind in scored if worth >= LEAST_WORTH]
    for room in (min(most, max(least, round(STORY_SHARE * len(story)))), most):
        for at in fitting:
            if told := _run(every, at, room):
                return told
    return ""


def _run(every: list[str], at: int, room: int) -> str:
    """A sentence, with those before it if it leans on them; empty if that is too long."""
    first = at
    while first and _leans(every[first]):
        first -= 1
    if first == at:
        return _cut(every[at].removeprefix("- "), room)
    return _together(every[first : at + 1], room)


def _together(run: list[str], room: int) -> str:
    """Sentences one after the other, if there is room for all and none of them is pasted or points elsewhere."""
    told = " ".join(_ended(sentence.removeprefix("- ")) for sentence in run)
    bad = (_PASTED, _POINTING, _HEDGED)
    broken = any(pattern.search(sentence) for sentence in run for pattern in bad)
    return "" if broken or len(told) > room else told


def _closed(sentence: str) -> bool:
    """Whether every bracket and quote that a sentence opens is closed in it."""
    pairs = all(sentence.count(opens) == sentence.count(closes) for opens, closes in ("()", "[]", "“”"))
    return pairs and sentence.count('"') % 2 == 0 and sentence.count("`") % 2 == 0


def _leans(sentence: str) -> bool:
    """Whether a sentence is only understood after those before it."""
    return bool(_DEIXIS.match(sentence) or _SAID_BEFORE.search(sentence))


def _worth(sentence: str, said: set[str], at: int) -> float:
    """How much a sentence adds: new words, a reason, marks; less the later it comes or the more it leans back."""
    words = _telling(sentence)
    if _PASTED.search(sentence):
        return 0.0
    new = [word for word in words if word not in said]
    if len(new) < NEW_LEAST or len(new) < 0.3 * len(words) or not _closed(sentence):
        return 0.0
    if (
        _PICTURE.search(sentence)
        or _FRAGMENT.match(sentence)
        or _HEDGED.search(sentence)
        or (not at and _TURNS.match(sentence))
    ):
        return 0.0
    if _CLAUSE.match(sentence) and "," not in sentence and len(sentence.split()) <= CLAUSE_WORDS:
        return 0.0
    reason = 0.45 if _REASON.search(sentence) else 0.0
    marks = 0.1 * min(3, len(marks_of(sentence)))
    about = 0.3 * len(said.intersection(words)) / max(1, len(said))
    leaning = 0.3 if at and _leans(sentence) else 0.0
    leaning += 0.8 if _POINTING.search(sentence) else 0.3 if _AMONG_US.search(sentence) else 0.0
    past = 0.5 if _PAST.match(sentence) else 0.0
    return 1.0 + reason + marks + about - leaning - past - 0.2 * at


def _cut(sentence: str, room: int) -> str:
    """A sentence, or as many of its first clauses as fit and lose nothing that they speak of; perhaps none."""
    if len(sentence) > room and not survives(sentence, bare := _ASIDE.sub("", sentence)):
        sentence = bare
    if len(sentence) <= room:
        return _ended(sentence)
    if _LEANING_HEAD.match(sentence):
        return ""
    best = ""
    for found in _CUT.finditer(sentence):
        head = sentence[: found.start()].rstrip(" ,;:-–—(")
        if len(head) > room:
            break
        if _TURNING_TAIL.match(sentence[found.start() :]):
            continue
        whole = _SAID_OF.search(head) or not _DASH.match(sentence, found.start())
        if len(_telling(head)) >= 4 and whole and head.count("(") == head.count(")") and not survives(sentence, head):
            best = head
    return _ended(best) if best else ""


def _telling(text: str) -> list[str]:
    return [plain for token in tokens(text) if (plain := token.lower()) not in GLUE]


def _ended(sentence: str) -> str:
    sentence = sentence.rstrip(" ,;:")
    return sentence if sentence.rstrip("\"'”)").endswith((".", "!", "?")) else f"{sentence}."
