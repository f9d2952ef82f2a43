"""What a conversation says, clause by clause: each with its turn and its speaker.

A clause is a sentence or a part of one that has its own subject ("let's use X, and I'll write the docs" has two).
`masked` has the same length as `text`, with quotations and spans of code blotted out, so that rules see no cue in
what is only cited while the words themselves are taken from `text`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime
from itertools import pairwise

from msgspec import Struct
from msgspec.structs import replace

from companion.language.echo import without_echo
from companion.language.openings import unopened
from companion.language.phrases import opens
from companion.language.spoken import own_lines
from companion.language.word_lists import word_set
from companion.records.talk import Role, Turn

SENTENCE_CHARS = 600
"""A longer sentence has a hundred words and no stop: nobody speaks so, and what is in it is not taken apart."""
SHORT_CHARS = 12
"""Characters before a point that are looked at: no word is shortened to more."""
QUOTED_WORDS = 3
"""Up to so many words in quotation marks are a name, more are somebody's saying."""
WRAPPED_CHARS, WRAPPED_MOST, RAGGED_CHARS = 60, 120, 15
"""Editors wrap lines at such widths, and two lines at least are nearly as long; else each line was meant as one."""

_SPOKEN_STOP = re.compile(r"[.!?…]+[\"')\]*_”’]*(?:\s+|$)")
_WRITTEN_STOP = re.compile(r"[.!?][\"')\]*_`]*\s+(?=[\"'(`*_\[]*[A-Z0-9`@_])")
_SHORT, _SHORT_IN_WRITING = word_set("grammar", "shortened"), word_set("grammar", "shortened_in_writing")
_QUOTES = re.compile(r"\"[^\"\n]{1,400}\"|“[^”\n]{1,400}”|(?<!\w)'[^'\n]{8,400}'(?!\w)|`[^`\n]{1,400}`")
_JOINT = re.compile(r"\s*(?P<mark>[;,:.]?)\s+")
_ANY = "x"
"""A word that opens nothing."""
_JOINED_BY_WORD = ("and", "so")
_JOINED_BY_MARK = {",": "comma", ":": "colon", ";": "semicolon"}
"""The lists of `sentences.joints`: what may stand between two clauses, and with what the second then begins."""


class Clause(Struct, frozen=True):
    """A clause: `place` orders all clauses of a conversation, `asked` is a question."""

    text: str
    masked: str
    sentence: str
    turn: int
    at: datetime
    role: Role
    place: int = 0
    message: int = 0
    asked: bool = False
    label: str = ""
    ticked: bool = False
    before: str = ""
    """The part of the sentence that stands before it."""
    after: str = ""
    """The sentence that follows in the message, where a reason may stand."""


def clauses(turns: Iterable[Turn]) -> list[Clause]:
    """All clauses that user and assistant wrote themselves, in order; what we put in is left out."""
    found: list[Clause] = []
    message_number = 0
    for turn in turns:
        for message in turn.messages:
            message_number += 1
            if message.role is Role.SYSTEM:
                continue
            for clause in _of_message(turn, message.role, message.text, message_number):
                found.append(replace(clause, place=len(found)))
    return found


def _of_message(turn: Turn, role: Role, text: str, message: int) -> Iterator[Clause]:
    spoken = list(_sentences(without_echo(text)))
    for at, (sentence, label, ticked) in enumerate(spoken):
        after = spoken[at + 1][0] if at + 1 < len(spoken) else ""
        asked = sentence.rstrip("\"')*_ ").endswith("?") or (
            opens(unopened(sentence), "sentences.asks") > 0 and label != "task"
        )
        masked = _masked(sentence)
        before = ""
        for start, end in _parts(masked, asked):
            yield Clause(
                text=sentence[start:end],
                masked=masked[start:end],
                sentence=sentence,
                turn=turn.number,
                at=turn.at,
                role=role,
                message=message,
                asked=asked,
                label=label,
                ticked=ticked,
                before=before,
                after=after,
            )
            before = sentence[:end]


def _sentences(text: str) -> Iterator[tuple[str, str, bool]]:
    """Sentence, label and tick, in order."""
    paragraph: list[str] = []
    label, ticked = "", False
    lines = own_lines(text)
    width = _width([len(line.text) for line in lines])
    for line in lines:
        wrapped = bool(paragraph) and _is_wrapped(paragraph[-1], line.text, width)
        if paragraph and (line.fresh or not wrapped):
            yield from ((sentence, label, ticked) for sentence in split(" ".join(paragraph)))
            paragraph = []
        if not paragraph:
            label, ticked = line.label, line.ticked
        paragraph.append(line.text)
    yield from ((sentence, label, ticked) for sentence in split(" ".join(paragraph)))


def _width(lengths: Sequence[int]) -> int:
    """The width at which an editor wrapped the lines of a message; 0 where it looks as if none did."""
    longest = max(lengths, default=0)
    near = sum(length > longest - RAGGED_CHARS for length in lengths)
    return longest if near > 1 and WRAPPED_CHARS <= longest <= WRAPPED_MOST else 0


def _is_wrapped(above: str, line: str, width: int) -> bool:
    """Whether an editor broke the line above: the next word would not have fitted into the width."""
    return bool(width) and line[:1].islower() and len(above) + 1 + len(line.partition(" ")[0]) > width


def split(paragraph: str) -> list[str]:
    """The sentences of a paragraph as people talk, those too long to be one left out."""
    found = _cut(paragraph, [stop.end() for stop in _SPOKEN_STOP.finditer(paragraph) if not _shortened(stop, _SHORT)])
    return [sentence for sentence in found if any(c.isalpha() for c in sentence) and len(sentence) <= SENTENCE_CHARS]


def split_sentences(text: str) -> list[str]:
    """The sentences of a written text, empty ones left out."""
    return [sentence for sentence in _cut(text, written_stops(text)) if sentence]


def written_stops(text: str) -> list[int]:
    """Where the sentences of a written text begin but the first; each with a capital, a digit or a name of code."""
    short = _SHORT | _SHORT_IN_WRITING
    return [stop.end() for stop in _WRITTEN_STOP.finditer(text) if not _shortened(stop, short)]


def _shortened(stop: re.Match[str], short: frozenset[str]) -> bool:
    """Whether a point only shortens the word before it: "e.g." ends no sentence."""
    before = stop.string[max(0, stop.start() - SHORT_CHARS) : stop.start()]
    return stop[0].startswith(".") and bool(short & set(re.split(r"[\s(\[\"']", before)[-1:]))


def _cut(text: str, starts: Sequence[int]) -> list[str]:
    return [text[start:end].strip() for start, end in pairwise((0, *starts, len(text)))]


def _masked(sentence: str) -> str:
    """The sentence with longer quotations blotted out, as long as before; typographic marks made plain."""
    plain = sentence.replace("’", "'").replace("‘", "'").replace("*", " ")
    return _QUOTES.sub(_blotted, plain)


def _blotted(quote: re.Match[str]) -> str:
    said = quote.group()
    if len(said.split()) <= QUOTED_WORDS:
        return said
    return said[0] + "\x00" * (len(said) - 2) + said[-1]


def _parts(masked: str, asked: bool) -> Sequence[tuple[int, int]]:
    """Where the clauses of a sentence stand; a question stays whole."""
    if asked:
        return [(0, len(masked))]
    parts: list[tuple[int, int]] = []
    start = 0
    whole = opens(unopened(masked), "sentences.subordinate") > 0
    for joint in _JOINT.finditer(masked):
        behind = _behind_joint(masked, joint) or _behind_but(masked[start : joint.start()], masked, joint)
        if behind and joint.start() > start and not (whole and masked[joint.start() : behind].strip() == ","):
            parts.append((start, joint.start()))
            start = behind
    parts.append((start, len(masked)))
    return parts


def _behind_but(before: str, masked: str, joint: re.Match[str]) -> int:
    """Where a clause begins behind the "but" of "sure, but ...": a yes is one thing, what it is bound to another."""
    but = opens(masked[joint.end() :], "sentences.joints.but.by")
    return joint.end() + but if but and joint["mark"] and unopened(f"{before}, {_ANY}") == _ANY else 0


def _behind_joint(masked: str, joint: re.Match[str]) -> int:
    """Where a clause begins behind a mark or a space, with the "and" before it; 0 where none does."""
    rest, mark = masked[joint.end() :], joint["mark"]
    for word in _JOINED_BY_WORD:
        end = opens(rest, f"sentences.joints.{word}.by")
        said = rest[end:].lstrip()
        if end and len(said) < len(rest[end:]) and opens(said, f"sentences.joints.{word}.to"):
            return len(masked) - len(said)
    return joint.end() if mark in _JOINED_BY_MARK and opens(rest, f"sentences.joints.{_JOINED_BY_MARK[mark]}.to") else 0
