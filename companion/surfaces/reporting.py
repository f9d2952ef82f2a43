"""What people read of a consolidation run: its sections in their order, and each change as whole sentences.

The command line and the page show these; what they are made of is the one record `RunReport`.
"""

from __future__ import annotations

from msgspec import Struct

from companion.api import AskedBy, DecisionNeeded, Involved, RunChange, RunReport
from companion.escape import one_line
from companion.records.headings import ERASED, Heading, ReportPart
from companion.records.judgements import questions_wait
from companion.records.runs import ChangeState, RunState
from companion.records.tidying import CHANGES
from companion.records.wording import counted, enumerated
from companion.surfaces.wording import ID_SHOWN, came_by

TITLE_MAX, SAID_MAX = 110, 280
"""Characters of a memory in a sentence, a line, and of what it says beside another, three."""
ASKED_BY = {
    AskedBy.COMMAND: "by a command",
    AskedBy.HTTP: "by an editor or assistant",
    AskedBy.SCHEDULE: "on schedule",
    AskedBy.IDLE: "by itself while nobody worked",
    AskedBy.JUDGE: "to carry out an answer",
}
"""How a run came about."""
STATES = {
    RunState.PLANNING: "It is being planned, and nothing has been changed yet.",
    RunState.PLANNED: "It is a dry run: nothing has been changed.",
    RunState.APPLYING: "It is under way, or was stopped; the next run finishes it first.",
    RunState.UNDONE: "It was undone.",
    RunState.DISCARDED: "It was discarded.",
}


class Section(Struct, frozen=True):
    """Changes under one heading: those that are told, and how many there are."""

    title: str
    about: str
    changes: tuple[RunChange, ...]
    total: int


def sections(report: RunReport, part: ReportPart) -> tuple[Section, ...]:
    """The headings of a part that have something under them; what was not made stands apart."""
    made = [one for one in report.changes if one.state is not ChangeState.REFUSED]
    headings = {one.heading for one in CHANGES.values() if one.heading.part is part}
    found = (
        Section(heading.title, heading.about, told, max(_total(report, heading), len(told)))
        for heading in sorted(headings, key=lambda one: one.order)
        if (told := tuple(one for one in made if one.change.heading == heading))
    )
    return tuple(found)


def not_made(report: RunReport) -> Section | None:
    """What was planned and not carried out."""
    found = tuple(one for one in report.changes if one.state is ChangeState.REFUSED)
    about = "They were planned and left undone, each for its reason."
    return Section("Not done", about, found, report.refused) if found else None


def headline(report: RunReport) -> str:
    """The run in a sentence or two: what was forgotten and merged first, then what there is to decide."""
    will = "would be" if report.dry_run else ""
    done_to = (
        (report.forgotten, "forgotten"),
        (report.deduped, "merged into others"),
        (report.superseded, "superseded or outdated"),
        (report.revived, "brought back"),
        (report.compressed + report.reworded, "summarised"),
    )
    parts = [(number, done) for number, done in done_to if number]
    said = [
        f"{f'{number:,}' if at else counted(number, 'memory')} {will or _was(number)} {done}"
        for at, (number, done) in enumerate(parts)
    ]
    return " ".join(filter(None, (_sentence(enumerated(said)) or _rest(report), _to_decide(report), _undone(report))))


def sentence(one: RunChange) -> str:
    """What a change did, or would do, to which memory, and where that came from."""
    named = list(map(_named, one.involved)) or [ERASED]
    was = {ChangeState.PLANNED: "will be", ChangeState.REFUSED: "was not"}.get(one.state, "was")
    return _sentence(one.change.told(named, was))


def why(one: RunChange) -> str:
    """Why a change was made or not, and whether it was undone."""
    if one.state is ChangeState.REFUSED:
        return _sentence(one.why_not)
    undone = "It was undone." if one.state is ChangeState.UNDONE else ""
    stays = _sentence(f"it could not be undone: {one.why_not}") if one.why_not and not undone else ""
    return " ".join(filter(None, (_sentence(one.reason), undone, stays)))


def reason(one: DecisionNeeded) -> str:
    """Why something waits for a decision, and whether it was decided since."""
    said = _sentence(one.reason)
    return said if one.open else f"{said} It was decided since."


def statement(memory: Involved) -> str:
    """What a memory says, and where it says so."""
    return f"“{one_line(memory.says or memory.title, SAID_MAX)}” ({_aside(memory)})"


def source(memory: Involved) -> str:
    """Where a memory was read, in words."""
    return ", ".join(came_by(one) for one in memory.sources)


def troubles(report: RunReport) -> tuple[str, ...]:
    """What is to be noted of the whole run: its notes, and steps that did not do their work."""
    wrong = (_sentence(f"the step “{one.name}” did not do its work: {one.wrong}") for one in report.passes if one.wrong)
    return (*report.notes, *wrong)


def started(report: RunReport) -> str:
    """How a run came about."""
    return {one.value: said for one, said in ASKED_BY.items()}.get(report.asked_by, f"by {report.asked_by}")


def seconds(report: RunReport) -> float:
    """How long a run took, planning included; 0 before it is over."""
    if report.ended_at is None or report.started_at is None:
        return 0.0
    return (report.ended_at - report.started_at).total_seconds() + sum(one.seconds for one in report.passes)


def more_to_decide(report: RunReport) -> str:
    """What waits beside the decisions that are named, and how it is listed."""
    left = report.decisions_total - len(report.decisions)
    said = f"{left:,} more: `companion contradictions` and `companion judge` list them." if left > 0 else ""
    if asked := report.questions_waiting:
        said += f" {questions_wait(asked)} for an assistant or a language model; `companion judge` asks you instead."
    return said.strip()


def _total(report: RunReport, heading: Heading) -> int:
    """How many changes stand under a heading, told or not."""
    own = {name for name, one in CHANGES.items() if one.heading == heading}
    by_name = [one.changes for one in report.details if one.what in own and not one.detail]
    return sum(by_name) + sum(int(getattr(report, name)) for name in heading.figures)


def _to_decide(report: RunReport) -> str:
    number = report.decisions_total
    return f"{counted(number, 'decision')} {'is' if number == 1 else 'are'} up to you." if number else ""


def _undone(report: RunReport) -> str:
    """That some of it was undone; of a run that was undone as a whole its state says so."""
    number = report.undone if report.state is not RunState.UNDONE else 0
    return f"{number:,} of its changes {_was(number)} undone later." if number else ""


def _rest(report: RunReport) -> str:
    if report.changes_total == report.refused:
        return f"This run {'would change' if report.dry_run else 'changed'} nothing."
    return f"No memory {'would be' if report.dry_run else 'was'} forgotten, merged or summarised."


def _was(number: int) -> str:
    return "was" if number == 1 else "were"


def _named(memory: Involved) -> str:
    """A memory in a sentence: what it says, where that came from, and the beginning of its id."""
    return f"“{one_line(memory.title, TITLE_MAX)}” ({_aside(memory)})"


def _aside(memory: Involved) -> str:
    return ", ".join(filter(None, (source(memory), memory.id[:ID_SHOWN])))


def _sentence(said: str) -> str:
    """Words as a sentence: a capital first, but for a path or a name, and one stop last."""
    said = said.strip().removesuffix(".")
    first = said.partition(" ")[0]
    return f"{said[:1].upper() if first.isalpha() else said[:1]}{said[1:]}." if said else ""
