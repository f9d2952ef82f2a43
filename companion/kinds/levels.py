"""One content at four lengths: full, summary, compressed, index. A level is shortened by whole sentences only.

Every level is how the one above begins: the summary as many first sentences as there is room for, compressed the
first one, the index its first words with a mark where they were cut. No word is taken out of a sentence, so none
loses its `not`, its `must` or the one who does it; what a summary leaves out stands after what it says.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from companion.kinds.prose import sentences, stopped
from companion.records import Levels, Scope

INDEX_CHARS = 50
"""Characters of an index entry; spec K1."""
SUMMARY_CHARS = 400
"""Characters that a summary may have in any case: some 80 tokens, what four happenings in five say at all."""
SUMMARY_SHARE = 0.6
"""Share of the full text that a summary may fill: with it nine in ten of the names, numbers and identifiers of 540
episodes of four projects stand in their summaries; see BENCHMARKS-HISTORY."""
FILES_NAMED = 15
"""Files an episode's full text names; more would say less."""

_CUT = "…"


def ladder(text: str, *, beside: str = "", index: str = "") -> Levels:
    """The four levels of a text; `beside` stands in the full one alone, below the text.

    `index` is what the entry of at most `INDEX_CHARS` characters is made of; the first sentence if not given.
    """
    text = text.strip()
    full = f"{text}\n{beside}".strip() if beside else text
    first = opening(text, 0)
    summary = opening(text, max(SUMMARY_CHARS, int(SUMMARY_SHARE * len(full))))
    second = summary if len(summary) < len(full) else full
    third = first if len(first) < len(second) else second
    return Levels(full, second, third, pointer(index.strip() or first or full))


def opening(text: str, room_chars: int) -> str:
    """The first sentences of a text, as many as there is room for and at least one, on one line.

    A last one that only announces what follows (`The steps:`) is left out. A line that ends without a stop gets one.
    """
    told: list[str] = []
    length = 0
    for sentence in sentences(text):
        if told and length + len(sentence) > room_chars:
            break
        told.append(sentence)
        length += len(sentence) + 1
    while len(told) > 1 and told[-1].endswith(":"):
        told.pop()
    return " ".join((*map(stopped, told[:-1]), *told[-1:]))


def pointer(text: str) -> str:
    """A text's first words, in at most INDEX_CHARS characters; `…` says that it goes on."""
    line = " ".join(text.split()) or "memory"
    if len(line) <= INDEX_CHARS:
        return line.rstrip(".") or line
    head = line[:INDEX_CHARS]
    return f"{head[: max(head.rfind(' '), 0)] or head[:-1]}{_CUT}"


def fact_levels(subject: str, attribute: str, value: str, scope: Scope | None = None) -> Levels:
    """Levels of an atom: `database: postgres (prod)`.

    `attribute` may be empty: the subject then carries the value.
    """
    where = scope.label() if scope is not None else ""
    topic = f"{subject} {attribute}" if attribute and attribute.lower() not in subject.lower() else subject
    head = f"{topic}: {value} ({where})" if where else f"{topic}: {value}"
    return ladder(head, index=topic)


def episode_levels(title: str, narrative: str = "", files: Sequence[str] = ()) -> Levels:
    """Levels of a happening: its title, what was told of it, and the files it touched.

    The files stand in the full text only, and beside every level as artifacts.
    """
    title = " ".join(title.split())
    more = f" and {len(files) - FILES_NAMED} more" if len(files) > FILES_NAMED else ""
    named = f"\nFiles: {', '.join(files[:FILES_NAMED])}{more}" if files else ""
    return ladder(f"{title}\n\n{narrative.strip()}", beside=named, index=title)


def pattern_levels(name: str, hint: str, template: Mapping[str, str], notes: Sequence[str]) -> Levels:
    """Levels of a structure: its hint, then the `notes` on support, exceptions and examples; slots in full only."""
    slots = (f"{slot}: {text}" for slot, text in template.items())
    return ladder("\n".join((f"{hint}.", *notes)), beside="\n".join(slots), index=name)


def workflow_levels(trigger: str, steps: Sequence[str], details: Mapping[str, str] | None = None) -> Levels:
    """Levels of ordered steps: `deploy: test→build→stage`, with each step's command in full."""
    lines = (f"{step}: {text}" for step, text in (details or {}).items())
    return ladder(f"{trigger}: {'→'.join(steps)}", beside="\n".join(lines), index=trigger)
