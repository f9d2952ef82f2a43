"""A story in a third of its words: the sentence that explains most, then what else the rest names.

A title says what was done; of the story below it a summary keeps the sentence that gives the reason, the
condition or the consequence, cut at a clause where it is long. What the other sentences said is left to the
full text; the identifiers, versions and names in them are listed (`Also named: ...`), so that a reader sees
what the rest is about and a search finds it. A list names things and claims nothing of them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from companion.judging.kept import ALSO, survives
from companion.judging.marks import GLUE, MarkKind, is_reference, marks_of, spans, tokens
from companion.kinds.prose import sentences

STORY_SHARE = 0.28
"""Share of a story's characters that its summary may take for sentences. With the title whole and the files
left out this is what 70 % fewer tokens leave; spec K2."""
SENTENCE_CHARS = 70, 170
"""Characters that a sentence of a summary may always take, and never exceeds: some 15 and some 40 tokens."""
NAMED_MOST = 24
"""Things that a summary lists; the rest is counted. Two in three of the stories name fewer than four."""

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
_ASIDE = re.compile(r"\s*(?<!\w)\([^()]*\)")
"""Words in brackets; `call()` has none."""
_DEIXIS = re.compile(
    r"^(?:- )?(?:(?:this|that|these|those|it|they|also|then|and|but|however|for example)\b|\.\.\.|e\.g)", re.IGNORECASE
)
"""How a sentence begins that leans on the one before it."""
_PAST = re.compile(
    r"^(?:- )?(?:previously|currently|formerly|until now|so far|there (?:is|was|are|were) (?:an?|some|many)|before\b)",
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
_FIRM = {MarkKind.IDENTIFIER, MarkKind.NUMBER, MarkKind.NAME}
_NEXT_WORD = re.compile(r"[ ]([a-z]{3,})(?![\w.:/(-])")
_NAME_BEFORE = re.compile(r"(?:(?<=[a-z,(] )[A-Z][\w.+-]*\s+|\bversions?\s+|#)$")
_WORD_BEFORE = re.compile(r"(?<![\w.:/-])([a-z]{3,})[ =:]{1,2}$")
_BEFORE_CHARS = 30
"""How far before a number its name is looked for: `Python 3.7`."""


def condense(title: str, story: str) -> str:
    """A title and what matters most of its story, on one line; the title alone where there is no story."""
    title = title if title.endswith((".", "!", "?")) else f"{title}."
    told = f"{title}\n{story}"
    summary = f"{title} {lead}" if (lead := _lead(title, story)) else title
    if survives(told, summary):
        summary = title
    named = _without_parts(_named(told, summary))
    if not named:
        return summary
    more = f" and {len(named) - NAMED_MOST} more" if len(named) > NAMED_MOST else ""
    return f"{summary} {ALSO} {', '.join(named[:NAMED_MOST])}{more}."


def _lead(title: str, story: str) -> str:
    """The sentence that tells most, or its first clauses, in the characters there are; empty if none fits."""
    least, most = SENTENCE_CHARS
    room = min(most, max(least, round(STORY_SHARE * len(story))))
    said = set(_telling(title))
    lines = story.split("\n")
    prose = [line for line in lines if not line.startswith("- ")]
    every = list(sentences("\n".join(prose or lines)))
    scored = sorted(((_worth(sentence, said, at), -at, sentence) for at, sentence in enumerate(every)), reverse=True)
    for worth, _, sentence in scored:
        if worth < 1.0:
            break
        fitting = _cut(sentence.removeprefix("- "), room)
        if fitting:
            return fitting
    return ""


def _worth(sentence: str, said: set[str], at: int) -> float:
    """How much a sentence adds: new words, a reason, marks; less the later it comes or the more it leans back."""
    words = _telling(sentence)
    new = [word for word in words if word not in said]
    if len(new) < 2 or len(new) < 0.3 * len(words):
        return 0.0
    reason = 0.45 if _REASON.search(sentence) else 0.0
    marks = 0.1 * min(3, len(marks_of(sentence)))
    about = 0.3 * len(said.intersection(words)) / max(1, len(said))
    leaning = 0.4 if at and _DEIXIS.match(sentence) else 0.0
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
        if len(_telling(head)) >= 4 and head.count("(") == head.count(")") and not survives(sentence, head):
            best = head
    return _ended(best) if best else ""


def _named(told: str, summary: str) -> Iterator[str]:
    """What the text names and its summary does not: identifiers, numbers with the word beside them, names."""
    have = marks_of(summary)
    words = {token.lower() for token in tokens(summary)}
    seen: set[str] = set()
    for mark, start, end in spans(told):
        if mark.kind not in _FIRM or mark in have or mark.text in words or is_reference(mark.text):
            continue
        shown = _shown(told, start, end, mark.text) if mark.kind == MarkKind.NUMBER else told[start:end]
        if len(shown) > 1 and mark.text not in seen and (mark.kind != MarkKind.NAME or mark.text not in GLUE):
            seen.add(mark.text)
            yield shown


def _without_parts(named: Iterator[str]) -> list[str]:
    """Each but those that stand as a word in another one: `Python 3.7` names Python too."""
    every = list(named)
    parts = {word for name in every for word in name.split() if word != name}
    return [name for name in every if name not in parts]


def _shown(told: str, start: int, end: int, number: str) -> str:
    """A number with what it counts or is the version of; empty for a bare one, which tells nothing in a list."""
    head = told[max(0, start - _BEFORE_CHARS) : start]
    if (before := _NAME_BEFORE.search(head)) is not None:
        return f"{before.group()}{told[start:end]}"
    after = _NEXT_WORD.match(told, end)
    if after is not None and after[1].lower() not in GLUE:
        return told[start : after.end()]
    if not number.isdigit():
        return told[start:end]
    word = _WORD_BEFORE.search(head)
    return f"{word.group()}{told[start:end]}" if word is not None and word[1] not in GLUE else ""


def _telling(text: str) -> list[str]:
    return [plain for token in tokens(text) if (plain := token.lower()) not in GLUE]


def _ended(sentence: str) -> str:
    sentence = sentence.rstrip(" ,;:")
    return sentence if sentence.endswith((".", "!", "?")) else f"{sentence}."
