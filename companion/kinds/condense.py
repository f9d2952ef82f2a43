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
from companion.judging.marks import Mark, MarkKind, is_reference, marks_of, spans, tokens
from companion.judging.words import GLUE
from companion.kinds.prose import sentences

STORY_SHARE = 0.28
"""Share of a story's characters that its summary may take for sentences. With the title whole and the files
left out this is what 70 % fewer tokens leave; spec K2."""
SENTENCE_CHARS = 75, 170
"""Characters that a sentence of a summary may always take, and never exceeds: some 15 and some 40 tokens."""
NAMED_MOST = 24
"""Things that a summary lists; that there are others is said. Two in three of the stories name fewer than four."""

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
    r"^(?:- )?(?:previously|currently|formerly|originally|today|until now|so far|prior to|before\b|note\b|at the moment"
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
_PLAIN_WORD = re.compile(r"^[a-z]+(?= )")
"""The first word of a sentence that somebody began small; code is left as it is written."""
_PASTED = re.compile(r"[{;=]$|\d%?\s+-?\d")
"""A line of code, by its end, or of measurements: numbers side by side."""
_FIRM = {MarkKind.IDENTIFIER, MarkKind.NUMBER, MarkKind.NAME}
_COUNTED = re.compile(r"(?:[ ][A-Za-z][\w-]*){0,2}?[ ][a-z][\w-]*s(?![\w/(-]|[.:]\w)")
"""What a number counts: one to three words, the last one in the plural."""
_NEXT_WORD = re.compile(r"[ ][a-z]{3,}(?![\w/(-]|[.:]\w)")
_NAME_BEFORE = re.compile(r"(?:(?<=[a-z,(] )[A-Z][\w.+-]*\s+|\bversions?\s+|#)\Z")
_WORD_BEFORE = re.compile(
    r"""(?<![\w.:/@-])([A-Za-z_](?:[\w./-]*\w)?)( (?:of|at|to|as|from|since|by|than) |[ =:<>([`"']{1,4}-?)\Z"""
)
_AFTER_LETTER = re.compile(r"\+\w+|[ ][a-z]{3,}")
"""What a single letter goes with: `U+FFFD`, `C functions`."""
_VALUE_OF = re.compile(r"[A-Za-z_]\w*=\Z")
_JOINED = re.compile(r"\s?(?:->|[-–—→/×x+]|\b(?:or|of|and|to)\b)\s?v?\d[\d.,]*(?<=\d)[A-Za-z%]*(?![\w(-])")
"""A number that goes on from another: `12–19`, `7709 → 816`, `11 of 22`."""
_HOLDER = re.compile(r"(?:[\w.$]+[<(\[]|\^)\Z")
"""What makes a letter a name: `Writeable<T>`, `O(n)`, `^C`."""
_CLOSING = {"(": ")", "[": "]", "<": ">", '"': '"', "'": "'", "`": "`"}
_ADVERBS = "like still because instead since even yet not plus unless except again"
_NOT_COUNTED = GLUE.union(_ADVERBS.split())
"""Words beside a number that are not what it counts."""
_OPENINGS = "how why revert reverts reverted note see fixed added"
_NO_NAMES = GLUE.union(_OPENINGS.split())
"""Words that begin a quoted title or a sentence after a colon, so that they look like names."""
_BEFORE_CHARS = 30
"""How far before a number its name is looked for: `Python 3.7`."""


def condense(title: str, story: str) -> str:
    """A title and what matters most of its story, on one line; the title alone where there is no story."""
    title = title if title.endswith((".", "!", "?")) else f"{title}."
    told = f"{title}\n{story}"
    lead = _PLAIN_WORD.sub(lambda found: found[0].capitalize(), _lead(title, story))
    bare = title.rstrip(".!?")
    goes_on = bool(lead) and lead.lower().startswith(bare.lower())
    summary = f"{bare}{lead[len(bare) :]}" if goes_on else f"{title} {lead}".rstrip()
    if survives(told, summary):
        summary = title
    named = _without_parts(_named(told, summary))
    if not named:
        return summary
    more = " and others" if len(named) > NAMED_MOST else ""
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
    if _PASTED.search(sentence):
        return 0.0
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
    """What the text names and its summary does not: identifiers, numbers with the words beside them, names."""
    have = marks_of(summary)
    words = _NO_NAMES.union(token.lower() for token in tokens(summary))
    seen: set[str] = set()
    at = 0
    every = list(spans(told))
    for mark, start, end in every:
        if start < at or mark.kind not in _FIRM or mark in have or mark.text in seen or is_reference(mark.text):
            continue
        if mark.kind == MarkKind.NAME and mark.text in words:
            continue
        first, at = _shown(told, mark, start, end)
        at = max([at, *(ends for _, begins, ends in every if first <= begins < at)])
        shown = " ".join(told[first:at].split())
        seen.add(mark.text)
        if mark.kind == MarkKind.NUMBER:
            seen.update(other.text for other, *_ in spans(shown) if other.kind == MarkKind.NUMBER)
        bare = shown.isdigit() or shown.isalpha() if mark.kind == MarkKind.NUMBER else len(shown) == 1
        if not bare:
            yield shown


def _shown(told: str, mark: Mark, start: int, end: int) -> tuple[int, int]:
    """Where a mark stands with what gives it a sense: `12–19 digits`, `shell=True`, `Writeable<T>`."""
    if mark.kind == MarkKind.NUMBER:
        return _counted(told, start, end)
    if mark.kind == MarkKind.NAME:
        found = (_VALUE_OF if len(mark.text) > 1 else _HOLDER).search(told, max(0, start - _BEFORE_CHARS), start)
        if found is not None:
            return found.start(), end + told.startswith(_CLOSING.get(told[start - 1], "\0"), end)
        if len(mark.text) == 1 and (with_ := _AFTER_LETTER.match(told, end)) is not None:
            return start, with_.end()
    return start, end


def _without_parts(named: Iterator[str]) -> list[str]:
    """Each but those that stand as a word in another one: `Python 3.7` names Python too."""
    every = list(named)
    parts = {word for name in every for word in re.split(r"\s|(?<!:):(?!:)|[=([<]", name) if word != name}
    return [name for name in every if name not in parts]


def _counted(told: str, start: int, end: int) -> tuple[int, int]:
    """Where a number stands with those joined to it and what it counts or belongs to: `12–19 digits`, `Python 3.7`.

    A number alone tells nothing in a list: a whole one with nothing beside it is left to the full text, as is one
    written as a word (`all four`) unless it counts things (`two schemas`).
    """
    while (joined := _JOINED.match(told, end)) is not None:
        end = joined.end()
    if told[start - 1 : start] == "$":
        return start - 1, end
    first = max(0, start - _BEFORE_CHARS)
    if (before := _NAME_BEFORE.search(told, first, start)) is not None:
        return before.start(), end
    number = told[start:end]
    if " " in number:
        return start, end
    for counted in (_COUNTED.match(told, end), _NEXT_WORD.match(told, end) if number[0].isdigit() else None):
        if counted is not None and _NOT_COUNTED.isdisjoint(counted.group().split()):
            return start, counted.end()
    before = _WORD_BEFORE.search(told, first, start) if number.isdigit() else None
    if before is None or (before[2].isspace() and before[1].lower() in _NOT_COUNTED):
        return start, end
    closes = told.startswith(_CLOSING.get(before[2][-1], "\0"), end)
    return before.start(), end + closes


def _telling(text: str) -> list[str]:
    return [plain for token in tokens(text) if (plain := token.lower()) not in GLUE]


def _ended(sentence: str) -> str:
    sentence = sentence.rstrip(" ,;:")
    return sentence if sentence.endswith((".", "!", "?")) else f"{sentence}."
