"""The story of a line as rows: its commits, and the decisions, errors and rules about it."""

from __future__ import annotations

from companion.escape import one_line, visible_text
from companion.records import StoryStep, WhyLine
from companion.surfaces.rows import BESIDE_CHARACTERS, LABEL_CHARACTERS, TEXT_CHARACTERS, ListRow

SORTS = {"Decided": "decision", "Known error": "error", "Departs from": "pattern"}
"""The sort of row for what a line of `why` begins with; `fact` for all else."""


def of_step(step: StoryStep, file: str) -> ListRow:
    """A commit in the story of lines of a file."""
    shown = ", ".join(f"{one.sort} {one.name}" for one in step.links)
    label, beside = one_line(step.text, LABEL_CHARACTERS), one_line(step.author, BESIDE_CHARACTERS)
    file, line = (file, step.spans[0][0]) if step.spans else ("", None)
    return ListRow(
        step.sha, "step", label, beside, _lines(step.detail, shown), step.text, step.did, file, line, step.at
    )


def of_why_line(one: WhyLine) -> ListRow:
    """A decision, error or rule about lines of a file."""
    word, _, text = one.text.partition(": ")
    label, beside = one_line(text or one.text, LABEL_CHARACTERS), one_line(one.source, BESIDE_CHARACTERS)
    return ListRow(one.id, SORTS.get(word, "fact"), label, beside, _lines(one.text), one.text, word, at=one.at)


def _lines(*texts: str) -> tuple[str, ...]:
    return tuple(visible_text(text[:TEXT_CHARACTERS]).strip() for text in texts if text)
