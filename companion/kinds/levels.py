"""One content at four lengths, made by rules and checked: full, summary, compressed, index.

A summary is the first meaningful sentences, an episode's its title with the sentence that explains most
(see `condense`); compressed is a clause or two without the words that carry nothing; the index is a slug.
Each is checked against the level above it (see `judging.kept`); a level that would lose a negation, a
number, an identifier or a name of what it says is not used, and the one above stands in its place. The
index alone is always cut to its length, at a word.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass

from companion.judging.kept import survives
from companion.judging.reading.marks import MarkKind, mark_of, tokens
from companion.judging.words import GLUE
from companion.kinds.condense import condense
from companion.kinds.leads import ROOM_CHARS
from companion.kinds.prose import sentences
from companion.records import Level, Levels, Scope

__all__ = [
    "INDEX_CHARS",
    "Refusal",
    "episode_levels",
    "fact_levels",
    "ladder",
    "noting_refusals",
    "pattern_levels",
    "slug",
    "survives",
    "workflow_levels",
]

INDEX_CHARS = 50
"""Characters of an index entry; spec K1."""
SUMMARY_CHARS = 240
"""Characters of a summary made by rules: two or three sentences, some 50 tokens."""
COMPRESSED_CHARS = 100
"""Characters of a compressed level made by rules: some 20 tokens."""
TITLE_WORDS = 12
"""Words up to which a title stands whole in the compressed level: without its glue it loses its sense."""
SUMMARY_SHARE = 0.36
"""Share of a happening's text that title and opening may fill: what saves less is no summary of it, and who has room
for so much has room for the whole. Read on flask, zod and gin, whose summaries save .70 of all tokens with it and .65
without; three openings in four stay, the others stood in texts of less than 600 characters."""
OPENING_CHARS = 120
"""Characters of an opening that may stand in any case: one sentence with its reason."""
VAGUE_WORDS = 3
"""Words of a title, without glue, up to which it says too little alone: its opening stands beside it, up to
`ROOM_CHARS`. With four, summaries of flask, zod and gin save .691 of all tokens, which is less than they should."""
FILES_NAMED = 15
"""Files an episode's full text names; more would say less."""

_DROPPED = GLUE - {"from", "to", "with", "for", "in", "when", "if", "only", "after", "before", "all", "over", "into"}
"""Glue that a compressed text can do without; the rest carries direction or condition."""
_PIECES = re.compile(r"(?<=[.;,])\s+|\n+|\s(?=[(])|(?<=[^(][)])\s")


@dataclass(frozen=True, slots=True)
class Refusal:
    """A level that rules made and the checker did not let stand, and why."""

    level: Level
    above: str
    below: str
    why: tuple[str, ...]


_REFUSED: ContextVar[list[Refusal] | None] = ContextVar("refused", default=None)


@contextmanager
def noting_refusals() -> Iterator[list[Refusal]]:
    """What the checker refuses within a block, for measuring; elsewhere nothing is noted."""
    noted: list[Refusal] = []
    token = _REFUSED.set(noted)
    try:
        yield noted
    finally:
        _REFUSED.reset(token)


def ladder(full: str, *, summary: str = "", compressed: str = "", index: str = "") -> Levels:
    """The four levels of a text; those not given are made by rules, and each is checked.

    A given or made level that fails the check, or is not shorter, gives way to the level above.
    `index` is always at most `INDEX_CHARS` characters on one line.
    """
    full = full.strip()
    second = _checked(Level.SUMMARY, full, summary.strip() or summarise(full))
    third = _checked(Level.COMPRESSED, second, compressed.strip() or compress(second))
    return Levels(full, second, third, slug(index.strip() or third))


def _checked(level: Level, above: str, below: str) -> str:
    """The lower text, or the upper where the lower is no shorter or fails the check."""
    if not below or len(below) >= len(above):
        return above
    if not (why := survives(above, below)):
        return below
    if (noted := _REFUSED.get()) is not None:
        noted.append(Refusal(level, above, below, why))
    return above


def summarise(full: str) -> str:
    """The first sentences that say something, up to `SUMMARY_CHARS`; at least one."""
    kept: list[str] = []
    length = 0
    for sentence in sentences(full):
        if kept and length + len(sentence) > SUMMARY_CHARS:
            break
        kept.append(sentence)
        length += len(sentence) + 1
    return " ".join(kept)


def compress(summary: str) -> str:
    """The first clauses without glue, up to `COMPRESSED_CHARS`; at least one, and whole clauses only."""
    kept: list[str] = []
    length = 0
    for piece in _PIECES.split(summary):
        thin = _thin(piece)
        if not thin:
            continue
        if kept and length + len(thin) > COMPRESSED_CHARS:
            break
        kept.append(thin)
        length += len(thin) + 1
        if thin.endswith("."):
            break
    return " ".join(kept).rstrip(".,;")


def _thin(piece: str) -> str:
    words = piece.split()
    kept = [word for word in words if word.strip(".,;:").lower() not in _DROPPED]
    text = " ".join(kept)
    if words and kept and words[-1] is not kept[-1] and words[-1][-1] in ".,;":
        text += words[-1][-1]
    return text


def slug(text: str, limit: int = INDEX_CHARS) -> str:
    """A pointer of at most `limit` characters: whole words of the text, joined by `_`.

    Negations, identifiers, numbers and names of the first clause go in first, other words fill up.
    """
    first = next((p for p in _PIECES.split(text) if p.strip()), "")
    words = [t for t in tokens(first) if t.lower() not in _DROPPED] or list(tokens(text)) or ["memory"]
    marks = {i for i, word in enumerate(words) if _is_mark(word, first=i == 0)}
    chosen: set[int] = set()
    length = -1
    for group in (sorted(marks), [i for i in range(len(words)) if i not in marks]):
        for i in group:
            if length + 1 + len(words[i]) <= limit:
                chosen.add(i)
                length += 1 + len(words[i])
    if not chosen:
        return words[0][:limit]
    return "_".join(_slugged(words[i], first=i == 0) for i in sorted(chosen))


def _is_mark(word: str, *, first: bool) -> bool:
    return mark_of(word, first=first) is not None


def _slugged(word: str, *, first: bool) -> str:
    mark = mark_of(word, first=first)
    return word if mark is not None and mark.kind is MarkKind.IDENTIFIER else word.lower()


def fact_levels(subject: str, attribute: str, value: str, scope: Scope | None = None, why: str = "") -> Levels:
    """Levels of an atom: `db: postgres` compressed, its scope in the summary, its reason in full.

    `attribute` may be empty: the subject then carries the value.
    """
    where = scope.label() if scope is not None else ""
    key = attribute or subject
    topic = f"{subject} {attribute}" if attribute and attribute.lower() not in subject.lower() else subject
    head = f"{topic}: {value}"
    summary = f"{head} ({where})" if where else head
    full = f"{summary}. {why}" if why else summary
    short = f"{_spaced(key)}: {value}"
    return ladder(full, summary=summary, compressed=short, index=_spaced(topic))


def episode_levels(title: str, narrative: str = "", files: Sequence[str] = ()) -> Levels:
    """Levels of a happening: its title, what was told of it, and the files it touched.

    The summary is the title with the sentence of the narrative that tells most, and what the rest names;
    compressed, the title alone. The files stand in the full text only, and beside every level as artifacts.
    """
    title = " ".join(title.split())
    told = [title]
    if narrative.strip():
        told.append(narrative.strip())
    if files:
        more = f" and {len(files) - FILES_NAMED} more" if len(files) > FILES_NAMED else ""
        told.append(f"Files: {', '.join(files[:FILES_NAMED])}{more}")
    full = "\n\n".join(told)
    vague = sum(word.lower() not in GLUE for word in tokens(title)) <= VAGUE_WORDS
    room_chars = max(ROOM_CHARS if vague else OPENING_CHARS, int(SUMMARY_SHARE * len(full)) - len(title))
    summary = condense(title, narrative.strip(), room_chars) if narrative.strip() else title
    short = title if len(title.split()) <= TITLE_WORDS else compress(title)
    return ladder(full, summary=summary, compressed=short, index=title)


def pattern_levels(name: str, hint: str, template: Mapping[str, str], notes: Sequence[str] = ()) -> Levels:
    """Levels of a structure: hint and template in the summary, the hint alone compressed.

    `notes` are sentences on support, exceptions and examples; only the full level has them all.
    """
    slots = [f"{slot}: {text}" for slot, text in template.items()]
    full = "\n".join((hint, *slots, *notes))
    summary = "\n".join((hint, *notes[:1]))
    return ladder(full, summary=summary, compressed=hint, index=name)


def workflow_levels(trigger: str, steps: Sequence[str], details: Mapping[str, str] | None = None) -> Levels:
    """Levels of ordered steps: `deploy: test→build→stage`, with each step's command in full."""
    line = f"{_spaced(trigger)}: {'→'.join(steps)}"
    lines = [f"{step}: {text}" for step, text in (details or {}).items()]
    return ladder("\n".join((line, *lines)), summary=line, compressed=line, index=_spaced(trigger))


def _spaced(name: str) -> str:
    return " ".join(name.split())
