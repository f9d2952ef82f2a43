"""What people read of a consolidation run: its sections in their order, and each change as whole sentences.

The command line and the page show these; what they are made of is the one record `RunReport`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from companion.api import AskedBy, DecisionNeeded, Involved, RunChange, RunReport
from companion.records import (
    Merge,
    Oppose,
    Outdate,
    Relate,
    Rescope,
    Retire,
    Revive,
    Reword,
    Shorten,
    Supersede,
    Unite,
    Unrelate,
    Warm,
    Weigh,
)
from companion.records.judgements import WAITING_MOST
from companion.records.runs import ChangeState, RunState
from companion.records.sorts import Level
from companion.surfaces.cli.told import ID_SHOWN, came_by

NAMED_MOST = 5
"""Memories named in one sentence; of a merge of dozens the others are counted."""
TITLE_MAX, SAID_MAX = 110, 280
"""Characters of a memory in a sentence, a line, and of what it says beside another, three."""
ERASED = "a memory that was erased"
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
LENGTHS = {Level.SUMMARY: "its summary", Level.COMPRESSED: "one line", Level.INDEX: "its title"}


@dataclass(frozen=True, slots=True)
class Section:
    """Changes under one heading: those that are told, and how many there are."""

    title: str
    about: str
    changes: tuple[RunChange, ...]
    total: int


_Sorts = tuple[tuple[str, str, tuple[type, ...]], ...]

GONE: _Sorts = (
    (
        "Forgotten",
        "They are in the archive, not deleted: `companion search WORDS --archived` finds them, and one that is asked "
        "for again comes back.",
        (Retire,),
    ),
    (
        "Merged",
        "They said the same as another memory, which stays with the sources, names and uses of all.",
        (Merge,),
    ),
    (
        "Superseded or outdated",
        "The same source said something newer, or what they speak of is gone; they are kept with their dates.",
        (Supersede, Outdate),
    ),
)
"""What comes first: what is no longer there as it was."""
KEPT: _Sorts = (
    ("Brought back", "They hold again, or were asked for.", (Revive,)),
    ("Summarised", "A context shows them in fewer words; `companion expand ID` shows all of each.", (Reword, Shorten)),
    ("Renames and aliases", "Whoever looks for one name finds what is known under the other.", (Unite, Rescope)),
)
"""What comes after the decisions."""
FOLDED: _Sorts = (
    ("Contradictions found", "Both sides stay until you decide.", (Oppose,)),
    ("Related", "A context that shows one may show the other.", (Relate, Unrelate)),
    ("Warmth and rank", "What was used lately is shown sooner; nothing is hidden.", (Warm, Weigh)),
)
"""What is behind a fold."""


def sections(report: RunReport, sorts: _Sorts) -> tuple[Section, ...]:
    """The sections of these sorts that have something in them; what was not made stands apart."""
    made = [one for one in report.changes if one.state is not ChangeState.REFUSED]
    found = (
        Section(title, about, told, max(_total(report, types), len(told)))
        for title, about, types in sorts
        if (told := tuple(one for one in made if isinstance(one.change, types)))
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
    counted = (
        (report.forgotten, "forgotten"),
        (report.deduped, "merged into others"),
        (report.superseded, "superseded or outdated"),
        (report.revived, "brought back"),
        (report.compressed + report.reworded, "summarised"),
    )
    parts = [(number, done) for number, done in counted if number]
    said = (
        [_memories(*parts[0], will), *(f"{number:,} {will or _was(number)} {done}" for number, done in parts[1:])]
        if parts
        else []
    )
    return " ".join(filter(None, (_sentence(_listed(said)) or _rest(report), _to_decide(report), _undone(report))))


def sentence(one: RunChange) -> str:
    """What a change did, or would do, to which memory, and where that came from."""
    named = list(map(_named, one.involved)) or [ERASED]
    was = {ChangeState.PLANNED: "will be", ChangeState.REFUSED: "was not"}.get(one.state, "was")
    return _sentence(_of_one(one, named, was) or _of_two(one, named, was))


def _of_one(one: RunChange, named: Sequence[str], was: str) -> str:
    """What was done to the memory that a change begins with, or to a name; empty for what concerns two alike."""
    first, *others = named
    match one.change:
        case Merge(drop=drop):
            were = was.replace("was", "were") if len(drop) > 1 else was
            said = f"{_several(others, len(drop))} {were} merged into {first}"
        case Supersede():
            said = f"{first} {was} superseded by {others[0] if others else ERASED}"
        case Retire():
            said = f"{first} {was} forgotten"
        case Outdate():
            said = f"{first} {was} put in the archive"
        case Revive():
            said = f"{first} {was} brought back"
        case Reword(levels=levels, by=by, tokens_saved=saved):
            said = f"{first} {was} summarised by {by}, {saved:,} tokens shorter: “{levels.summary}”"
        case Shorten(level=level, tokens_saved=saved):
            said = f"{first} {was} shortened to {LENGTHS.get(level, level.value)}, {saved:,} tokens less"
        case Unite(entity=entity, stands_for=stands_for):
            said = f"“{_name(entity)}” {was} made an alias of “{_name(stands_for)}”"
        case Rescope(path=path, to=to):
            said = f"{first} {was} moved along from {path} to {to}"
        case Warm(warmth=warmth):
            said = f"{first} {was} moved to {warmth.value}"
        case Weigh(usefulness=usefulness, importance=importance):
            said = f"{first} {was} ranked anew (use {usefulness:+.2f}, importance {int(importance)})"
        case _:
            said = ""
    return said


def _of_two(one: RunChange, named: Sequence[str], was: str) -> str:
    """What was done to two memories alike."""
    first, second, *_ = (*named, ERASED)
    were = was.replace("was", "were")
    match one.change:
        case Oppose():
            said = f"{first} and {second} {were} noted as a contradiction"
        case Relate(relation=relation, score=score):
            said = f"{first} and {second} {were} linked: {relation.value} ({score:.2f})"
        case Unrelate(relation=relation):
            said = f"the link between {first} and {second} ({relation.value}) {was} removed"
        case _:
            said = ""
    return said


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
    return f"“{short(memory.says or memory.title, SAID_MAX)}” ({_aside(memory)})"


def source(memory: Involved) -> str:
    """Where a memory was read, in words."""
    return ", ".join(came_by(one) for one in memory.sources)


def short(text: str, most: int = TITLE_MAX) -> str:
    """Text in one line, at most so many signs of it."""
    plain = " ".join(text.split())
    return plain if len(plain) <= most else plain[: most - 1].rstrip() + "…"


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
        said += f" {questions(asked)} for an assistant or a language model; `companion judge` asks you instead."
    return said.strip()


def questions(number: int) -> str:
    """How many questions wait; of as many as can, that there may be more."""
    more = " or more" if number >= WAITING_MOST else ""
    return f"{number:,}{more} {'question waits' if number == 1 else 'questions wait'}"


def _total(report: RunReport, types: tuple[type, ...]) -> int:
    """How many changes of these sorts there are, told or not."""
    return {
        Retire: report.forgotten,
        Supersede: report.superseded,
        Reword: report.compressed + report.reworded,
        Oppose: report.contradictions_found,
        Relate: report.linked,
        Warm: report.moved,
        Revive: report.revived,
    }.get(types[0], 0)


def _to_decide(report: RunReport) -> str:
    number = report.decisions_total
    return f"{number:,} {'decision is' if number == 1 else 'decisions are'} up to you." if number else ""


def _undone(report: RunReport) -> str:
    """That some of it was undone; of a run that was undone as a whole its state says so."""
    number = report.undone if report.state is not RunState.UNDONE else 0
    return f"{number:,} of its changes {_was(number)} undone later." if number else ""


def _rest(report: RunReport) -> str:
    if report.changes_total == report.refused:
        return f"This run {'would change' if report.dry_run else 'changed'} nothing."
    return f"No memory {'would be' if report.dry_run else 'was'} forgotten, merged or summarised."


def _memories(number: int, done: str, will: str) -> str:
    return f"{number:,} {'memory' if number == 1 else 'memories'} {will or _was(number)} {done}"


def _was(number: int) -> str:
    return "was" if number == 1 else "were"


def _several(named: Sequence[str], total: int) -> str:
    shown = list(named[:NAMED_MOST]) or [ERASED]
    left = total - len(shown)
    return _listed([*shown, f"{left:,} more"] if left > 0 else shown)


def _listed(parts: Sequence[str]) -> str:
    return " and ".join(filter(None, (", ".join(parts[:-1]), *parts[-1:])))


def _named(memory: Involved) -> str:
    """A memory in a sentence: what it says, where that came from, and the beginning of its id."""
    return f"“{short(memory.title)}” ({_aside(memory)})"


def _aside(memory: Involved) -> str:
    return ", ".join(filter(None, (source(memory), memory.id[:ID_SHOWN])))


def _name(entity: str) -> str:
    """What an entity is called, without its sort."""
    return entity.partition(":")[2] or entity


def _sentence(said: str) -> str:
    """Words as a sentence: a capital first, but for a path or a name, and one stop last."""
    said = said.strip().removesuffix(".")
    first = said.partition(" ")[0]
    return f"{said[:1].upper() if first.isalpha() else said[:1]}{said[1:]}." if said else ""
