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
from companion.judging.reading.marks import Mark, MarkKind, is_reference, marks_of, spans
from companion.judging.words import GLUE
from companion.kinds.leads import ROOM_CHARS, lead

NAMED_MOST = 24
"""Things that a summary lists; that there are others is said. Two in three of the stories name fewer than four."""

_PLAIN_WORD = re.compile(r"^[a-z]+(?= )")
"""The first word of a sentence that somebody began small; code is left as it is written."""
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
_JOINED_WORDS = re.compile(r"[a-z]{3,}(?:/[a-z]{3,})+|[A-Z]/[A-Za-z]+")
"""Words of a sentence, of which the reader may choose: `have/has`. A path has a dot, a joint or a number in it."""
_HANDLE = re.compile(r"@\w+(?:-\w+)?")
"""Somebody's name; what has two joints is an instruction to a tool: `@ts-expect-error`."""
_NOISE_OF_RUNS = re.compile(
    r"\w+/(?:op|s|sec|ms)|Benchmark[A-Z]\w*(?:-\d+)?|(?:[A-Z][a-z]+){2,}-\d{1,2}|[A-Z]\d-\d{4}\w*"  # MB/s, E5-2690
    r"|(?:[\w-]+\.)+(?:com|org|net)|[bw]/\w{1,2}|\S*(?:node_modules|site-packages)\S*",
)
"""What a measurement prints, names of machines and hosts, and shorthand: nothing that the code knows."""
_WORD_PAIR = re.compile(r"[A-Z]?[a-z]+(?:-[a-z]+)*(?:/[A-Z]?[a-z]+(?:-[a-z]+)*)+")
"""Words joined by a stroke, one of which has a joint or a capital: `Read/Write`, `retry/give-up`."""
_EMPHASIS = re.compile(r"_[A-Za-z]+_|\w*_{3,}\w*|[A-Za-z]\w*_")
_NICKNAME = re.compile(r"[A-Z]?[a-z]+\d{3,}(?:-[a-z]+)*|[a-z]+\d+[a-z]+\d+\w*")
"""Letters and numbers as people call themselves; names of code and of formats have few numbers, at their end."""
_LETTERS = re.compile(r"[^\W\d_]")
LETTERS_LEAST = 3
"""Letters from which a word in mixed case is taken for a name of code: `cC` is none."""
_BRANDS = frozenset(["macOS", "iOS", "GitHub", "GitLab", "YouTube", "OpenAI"])
"""Names written like code that are none."""
_SET = re.compile(r"\w=\S|\w[<(+]\w")
"""A name with what holds it or what it is set to: `shell=True`, `Writeable<T>`, `U+FFFD`."""
_SENSIBLE = re.compile(
    r"[A-Z][\w.+-]*\s[<>=^~]*v?\d[\w.]*"  # Python 3.7, RFC 3339
    r"|[A-Za-z_][\w.-]+(?:=| of |\()v?\d[\w.]*\)?"  # retries=3, limit of 4096
    r"|\d[\d.,]*[–-]\d[\d.,]* [a-z]{3,}s"  # 12–19 digits
)
"""A number with what it is the number of; how many there were of something tells nothing apart from its sentence."""
_NO_THING = re.compile(
    r"(?:PRs?|See|In|Step|Issues?|Part|Case|Test|Fix\w*|Benchmark\w*|Figure|Note|Licen[cs]e|January|February|March"
    r"|April|May|June|July|August|September|October|November|December)\b|\w*-\d+ |\w+ of 1$",
    re.IGNORECASE,
)
_BEGINS = ("", " ", "`", "\n", "(", "'", '"')
"""What stands before the dot that a path begins with: `.claude/skills`."""
_CLOSING = {"(": ")", "[": "]", "<": ">", '"': '"', "'": "'", "`": "`"}
_ADVERBS = "like still because instead since even yet not plus unless except again"
_NOT_COUNTED = GLUE.union(_ADVERBS.split())
"""Words beside a number that are not what it counts."""
_BEFORE_CHARS = 30
"""How far before a number its name is looked for: `Python 3.7`."""


def condense(title: str, story: str, room_chars: int = ROOM_CHARS) -> str:
    """A title and what matters most of its story, on one line; the title alone where there is no story.

    `room_chars` is how long the opening of the story may be that stands beside the title.
    """
    title = title if title.endswith((".", "!", "?")) else f"{title}."
    told = f"{title}\n{story}"
    told_first = _PLAIN_WORD.sub(lambda found: found[0].capitalize(), lead(title, story, room_chars))
    bare = title.rstrip(".!?")
    goes_on = bool(told_first) and told_first.lower().startswith(bare.lower())
    summary = f"{bare}{told_first[len(bare) :]}" if goes_on else f"{title} {told_first}".rstrip()
    if survives(told, summary):
        summary = title
    named = _without_parts(_named(told, summary))
    if not named:
        return summary
    more = " and others" if len(named) > NAMED_MOST else ""
    return f"{summary} {ALSO} {', '.join(named[:NAMED_MOST])}{more}."


def _named(told: str, summary: str) -> Iterator[str]:
    """What the text names and its summary does not: names of code, versions, numbers that something is set to."""
    have = marks_of(summary)
    seen: set[str] = set()
    at = 0
    every = list(spans(told))
    for mark, start, end in every:
        if start < at or mark.kind not in _FIRM or mark in have or mark.text in seen or is_reference(mark.text):
            continue
        first, last = _shown(told, mark, start, end)
        shown = " ".join(told[first:last].split())
        if not _stands_alone(mark, shown, told[max(0, start - 1) : start]):
            continue
        at = max([last, *(ends for _, begins, ends in every if first <= begins < last)])
        seen.add(mark.text)
        if mark.kind == MarkKind.NUMBER:
            seen.update(other.text for other, *_ in spans(shown) if other.kind == MarkKind.NUMBER)
        yield " ".join(told[first:at].split())


def _stands_alone(mark: Mark, shown: str, before: str) -> bool:
    """Whether a thing tells a reader something by itself; `before` is the character that it follows.

    A plain word does not, be it ever so capital, nor two joined by a stroke, nor somebody's handle, nor a bare count.
    """
    if mark.kind == MarkKind.IDENTIFIER:
        quoted = before in ("`", ".", "/")
        plain = _JOINED_WORDS.fullmatch(shown) or shown in _BRANDS or (shown[0] == "@" and _HANDLE.fullmatch(shown))
        named = len(_LETTERS.findall(shown)) >= (LETTERS_LEAST if shown.isalpha() else 1) or shown[0] == "-"
        plain = plain or _EMPHASIS.fullmatch(shown) or _NICKNAME.fullmatch(shown) or _WORD_PAIR.fullmatch(shown)
        if _NOISE_OF_RUNS.fullmatch(shown):
            return False
        return before != "-" and named and (quoted or not plain)
    if mark.kind == MarkKind.NAME:
        return _SET.search(shown) is not None and all(shown.count(o) == shown.count(c) for o, c in ("<>", "()"))
    return _SENSIBLE.fullmatch(shown) is not None and _NO_THING.match(shown) is None


def _shown(told: str, mark: Mark, start: int, end: int) -> tuple[int, int]:
    """Where a mark stands with what gives it a sense: `12–19 digits`, `shell=True`, `Writeable<T>`."""
    if mark.kind == MarkKind.NUMBER:
        return _counted(told, start, end)
    if mark.kind == MarkKind.IDENTIFIER and told[start - 1 : start] == "." and told[start - 2 : start - 1] in _BEGINS:
        return start - 1, end
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
