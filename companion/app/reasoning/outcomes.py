"""What a person makes of an answer: how it is typed, what it says of the next request, and what it teaches."""

from __future__ import annotations

import re
from dataclasses import replace

from companion.errors import UsageError
from companion.records.reasoning import Answered, AnswerKind, Example, Outcome, Reading

FITS, MISFITS = "fits", "does not fit"
"""How a check is kept."""
STEPS_CHARS = 2_000
"""Signs of steps that are kept: a page."""
_LABELS = re.compile(r"\s+x\s+|[\s/,|×]+")
"""What stands between the labels of a reading as people type it: `process/machine/execute`, `file x human`."""


def reading_of(right: str, given: Reading) -> Reading:
    """A reading as people type it, whole or only the labels that differ. Raises UsageError."""
    labels = [one for one in _LABELS.split(right.strip().lower()) if one]
    try:
        if not labels:
            raise ValueError(right)
        reading = given
        for label in labels:
            reading = reading.with_label(label)
    except ValueError:
        raise UsageError(
            f"`{right[:60]}` is no reading.",
            "Say it as `--right process/machine/execute`; stream, file or process; human or machine; "
            "read, interpret or execute.",
        ) from None
    return reading


def fair(one: Example) -> Example:
    """A check as an example of its action: a check that was right about a misfit speaks against the action."""
    fits = (one.right == FITS) if one.outcome is not Outcome.REJECTED else one.right != FITS
    return replace(one, outcome=Outcome.ACCEPTED if fits else Outcome.REJECTED)


def taught(answer: Answered) -> str:
    """What an outcome teaches, in a sentence."""
    if answer.kind is AnswerKind.VERIFY:
        return "Actions like it are weighed by this from now on."
    if answer.kind is AnswerKind.DECOMPOSE:
        return "Requests like it are taken apart by this from now on."
    match answer.outcome:
        case Outcome.ACCEPTED:
            return "Requests like it are read so more surely."
        case Outcome.CORRECTED:
            return f"Requests like it are read as {answer.right} from now on."
        case _:
            return "Requests like it are read so less surely, and asked about."


def steps_of(right: str) -> str:
    """Steps as people type them, a line each. Raises UsageError where there is none."""
    lines = [line.strip(" -*\t") for line in re.split(r"[\n;]", right)]
    if not any(lines):
        raise UsageError("A correction says what the right steps are.", 'Add --right "first; second".')
    return "\n".join(line for line in lines if line)[:STEPS_CHARS]
