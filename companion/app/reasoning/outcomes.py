"""What a person makes of an answer: how it is typed, what it says of the next request, and what it teaches."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from msgspec.structs import replace

from companion.errors import UsageError
from companion.records.reasoning import Answered, AnswerKind, Conformance, Example, Outcome, Reading

_VERDICTS = {one.value: one for one in Conformance} | {"yes": Conformance.FITS, "no": Conformance.CONFLICTS}
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
            f"`{right[:60]}` is not a valid reading.",
            "Write it as `--right process/machine/execute`; stream, file or process; human or machine; "
            "read, interpret or execute.",
        ) from None
    return reading


def verdict_of(right: str, given: str) -> Conformance:
    """The verdict that is right: as people type it, or the opposite of what was said. Raises UsageError."""
    opposite = {"fits": "conflicts", "unknown": ""}.get(given, "fits")
    verdict = _VERDICTS.get(right.strip().lower() or opposite)
    if verdict in {None, Conformance.UNKNOWN}:
        raise UsageError("A correction says whether the action fits.", "Say in `right` (--right): fits, or conflicts.")
    return verdict


def fair(ended: Iterable[Example]) -> Iterator[Example]:
    """Checks as examples of their actions: what was right about a conflict speaks against the action.

    What became of an “unknown” teaches nothing: only a correction says what is right.
    """
    for one in ended:
        if one.right == Conformance.UNKNOWN:
            continue
        fits = (one.right == Conformance.FITS) is not (one.outcome is Outcome.REJECTED)
        yield replace(one, outcome=Outcome.ACCEPTED if fits else Outcome.REJECTED)


def taught(answer: Answered) -> str:
    """What an outcome teaches, in a sentence."""
    if answer.kind is AnswerKind.VERIFY:
        if answer.outcome is not Outcome.CORRECTED and answer.said.startswith(Conformance.UNKNOWN):
            return "Nothing is learned of an unknown: say `corrected` with fits or conflicts once it is known."
        return "The same action is decided by this from now on."
    if answer.kind is AnswerKind.DECOMPOSE:
        return "Similar requests are split into these steps from now on."
    match answer.outcome:
        case Outcome.ACCEPTED:
            return "Similar requests are read this way with more confidence."
        case Outcome.CORRECTED:
            return f"Similar requests are read as {answer.right} from now on."
        case _:
            return "Similar requests are read this way with less confidence, and you are asked."


def steps_of(right: str) -> str:
    """Steps as people type them, a line each. Raises UsageError where there is none."""
    lines = [line.strip(" -*\t") for line in re.split(r"[\n;]", right)]
    if not any(lines):
        raise UsageError("A correction says what the right steps are.", 'Add --right "first; second".')
    return "\n".join(line for line in lines if line)[:STEPS_CHARS]
