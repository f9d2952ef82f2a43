"""What the asking side holds already is not shown to it again (spec C12)."""

from __future__ import annotations

from collections.abc import Sequence

from companion.engine.recalling.candidates import CONTRADICTIONS
from companion.engine.telling.styles import short_id
from companion.records import Candidate, EvidenceKind, Signals
from companion.records.instructions import fits, read_by_itself


def not_held(pool: Sequence[Candidate], signals: Signals) -> tuple[Candidate, ...]:
    """Candidates that say more than the asking side has before it, or those that a person chose.

    Left out is what rests on nothing but files that it holds: the instruction files that an assistant reads by
    itself and whatever it says it has; of the current file, where it has that before it, only its text, for a memory
    of that file is more than the file says at a glance. A contradiction stays: that two lines oppose each other stands
    in neither.
    """
    if signals.only:
        return tuple(one for one in pool if one.id in signals.only)
    held = (*read_by_itself(signals.assistant), *signals.has)
    current = (signals.current_file,) if signals.current_file and signals.holds_current else ()
    if not held and not current:
        return tuple(pool)
    known = frozenset(signals.has)
    return tuple(
        one
        for one in pool
        if one.section == CONTRADICTIONS
        or not (one.id in known or short_id(one.id) in known or _rests_on(one, held if one.kind else (*held, *current)))
    )


def _rests_on(one: Candidate, files: tuple[str, ...]) -> bool:
    """Whether all that a candidate rests on is among these files; nothing is not."""
    return bool(one.evidence) and all(
        evidence.kind is EvidenceKind.FILE and fits(evidence.ref, files) for evidence in one.evidence
    )
