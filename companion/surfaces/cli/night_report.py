"""The report of a night as a page of Markdown: what was decided and why, what it saved, and how to take it back.

Whatever comes from a memory is text and nothing else: it opens no heading, link, table or tag of the page.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from companion.api import Involved, NightChange, NightReport, PassReport
from companion.records import (
    Level,
    Merge,
    Oppose,
    Outdate,
    Relate,
    Relation,
    Rescope,
    Retire,
    Revive,
    Reword,
    Shorten,
    Supersede,
    Unite,
    Warm,
    Weigh,
)
from companion.records.nights import ChangeState, RunState
from companion.surfaces.cli.markdown import coded, escaped
from companion.surfaces.cli.told import ID_SHOWN

SHOWN_A_SECTION = 25
"""Changes listed under one heading: a page a section; `companion nights RUN --all --json` has every one."""
SHOWN_OF_MANY = 10
"""Changes listed where hundreds are alike."""
SHOWN_A_RELATION = 3
"""Links listed of each relation: enough to see what they are like."""
TITLE_MAX = 90
"""Characters of a title: a line."""
SAYS_MAX = 280
"""Characters of what a memory says: three lines."""
EVERY_ONE = "- … (`companion nights RUN --all --json` tells every one)"
FOLDED_SHOWN = 6
"""Memories named beside the one they were folded into; the rest are counted."""

_DONE = {
    RunState.PLANNING: "being planned",
    RunState.PLANNED: "a dry run: nothing has been changed",
    RunState.APPLYING: "broken off on the way",
    RunState.APPLIED: "done",
    RunState.UNDONE: "undone: the store is as it was before",
    RunState.DISCARDED: "discarded",
}


def page(report: NightReport) -> str:
    """The whole page."""
    parts = [*_head(report)]
    for section in _SECTIONS:
        parts += section(report)
    parts += [*_passes(report), *_back(report)]
    return "\n".join(parts).rstrip() + "\n"


def in_short(report: NightReport) -> str:
    """The night in a sentence; of a dry run, what it would do."""
    said = [
        _count(report.contradictions_found, "contradiction waits for you", "contradictions wait for you"),
        _count(report.deduped, "memory was folded into another", "memories were folded into others"),
        _count(report.superseded, "no longer holds", "no longer hold"),
        _count(report.compressed + report.reworded, "is told shorter", "are told shorter"),
        _count(report.forgotten, "was forgotten", "were forgotten"),
        _count(report.revived, "came back", "came back"),
        _count(report.linked, "link was found", "links were found"),
    ]
    told = ", ".join(part for part in said if part)
    if not told:
        return "Nothing was to be tidied."
    saved = f" Contexts need up to {report.tokens_saved:,} tokens less for the same." if report.tokens_saved else ""
    return f"{told[0].upper()}{told[1:]}.{saved}"


def _count(number: int, one: str, many: str) -> str:
    return f"{number:,} {one if number == 1 else many}" if number else ""


def _head(report: NightReport) -> Iterator[str]:
    when = report.started_at or report.planned_at
    yield f"# {escaped(report.project, TITLE_MAX)}: the night of {when.day} {when:%B %Y}"
    yield ""
    took = ""
    if report.ended_at and report.started_at:
        planning_s = sum(one.seconds for one in report.passes)
        took = f", {(report.ended_at - report.started_at).total_seconds() + planning_s:.1f} s"
    asked = f"asked for by {coded(report.asked_by)} at {when:%H:%M} UTC{took}"
    yield f"Run {coded(report.run)}, {asked}; {_DONE[report.state]}."
    yield ""
    yield f"**{in_short(report)}**"
    if report.contradictions_open:
        yield ""
        yield f"Open contradictions in all: {report.contradictions_open:,}. `companion contradictions` lists them."
    for note in report.notes:
        yield ""
        yield f"> {escaped(note, 2 * SAYS_MAX)}"
    yield ""


def _back(report: NightReport) -> Iterator[str]:
    run = report.run[:ID_SHOWN]
    yield "## Taking it back"
    yield ""
    if report.state is RunState.PLANNED:
        yield f"Nothing has been changed. `companion consolidate --run {run}` makes exactly these changes."
    elif report.state in (RunState.APPLIED, RunState.APPLYING):
        yield f"`companion undo {run}` takes back the whole night, `companion undo {run} NUMBER` one change of it"
        yield "(the numbers lead the lines above). What has changed since stays as it is and is named."
    else:
        yield "There is nothing to take back."


def _told(report: NightReport, *sorts: type) -> list[NightChange]:
    """The changes of some sorts that were made or are planned."""
    wanted = (ChangeState.PLANNED, ChangeState.APPLIED)
    return [one for one in report.changes if isinstance(one.change, sorts) and one.state in wanted]


def _section(
    title: str,
    about: str,
    total: int,
    found: Sequence[NightChange],
    line: Callable[[NightChange], Iterator[str]],
    most: int = SHOWN_A_SECTION,
) -> Iterator[str]:
    """A heading, a sentence, and the first changes; nothing where there is none."""
    if not total:
        return
    yield from _headed(title, about, total)
    for one in found[:most]:
        yield from line(one)
    if len(found) > most:
        yield EVERY_ONE
    yield ""


def _headed(title: str, about: str, total: int) -> Iterator[str]:
    yield f"## {title} ({total:,})"
    yield ""
    yield about
    yield ""


def _contradictions(report: NightReport) -> Iterator[str]:
    about = "Both sides stay, and lead every context that they concern, until you say which is right."
    if report.dry_run:
        about += " `companion contradictions` lists them once the plan is carried out."
    return _section("For you to settle", about, report.contradictions_found, _told(report, Oppose), _opposed)


def _opposed(one: NightChange) -> Iterator[str]:
    assert isinstance(one.change, Oppose)
    yield f"- `{one.number}` **{escaped(one.reason, SAYS_MAX)}** ({one.change.confidence:.0%} sure)"
    for side, memory in zip("AB", one.involved, strict=False):
        yield f"  - {side}: {_statement(memory)}"
    if one.contradiction:
        id_ = one.contradiction[:ID_SHOWN]
        yield f'  - Settle it: `companion resolve {id_} a_wins --note "why"` (or `b_wins`, `both_valid`, `merged`)'


def _merged(report: NightReport) -> Iterator[str]:
    about = "One of each stays, with the sources, names and uses of all; the others rest in the archive."
    made = _told(report, Merge)
    return _section("Said twice, kept once", about, len(made) and report.deduped, made, _merge)


def _merge(one: NightChange) -> Iterator[str]:
    kept, *dropped = one.involved or (_gone(one),)
    yield f"- `{one.number}` {_title(kept)} stays - {escaped(one.reason, SAYS_MAX)}"
    for memory in dropped[:FOLDED_SHOWN]:
        yield f"  - folded in: {_statement(memory)}"
    if len(dropped) > FOLDED_SHOWN:
        yield f"  - … and {len(dropped) - FOLDED_SHOWN:,} more"


def _superseded(report: NightReport) -> Iterator[str]:
    about = (
        "The same source said something newer about the same thing, or what they speak of is gone or was taken back; "
        "the older words keep their dates."
    )
    return _section("Overtaken by time", about, report.superseded, _told(report, Supersede, Outdate), _supersede)


def _supersede(one: NightChange) -> Iterator[str]:
    yield f"- `{one.number}` {escaped(one.reason, SAYS_MAX)}"
    for word, memory in zip(("was", "is now"), one.involved, strict=False):
        yield f"  - {word}: {_statement(memory)}"


def _shorter(report: NightReport) -> Iterator[str]:
    levels = _details(report, "Shorten", "at ")
    about = (
        f"Old episodes are offered in fewer words{f' ({levels})' if levels else ''}: up to {report.tokens_saved:,} "
        "tokens less in contexts. `companion expand ID` still tells all of it. What saved most:"
    )
    found = sorted(_told(report, Shorten, Reword), key=_saved, reverse=True)
    total = report.compressed + report.reworded
    return _section("Shorter, nothing lost", about, total, found, _shorten, SHOWN_OF_MANY)


def _saved(one: NightChange) -> int:
    return one.change.tokens_saved if isinstance(one.change, Shorten | Reword) else 0


def _shorten(one: NightChange) -> Iterator[str]:
    assert isinstance(one.change, Shorten | Reword)
    memory = _first(one)
    level = one.change.level if isinstance(one.change, Shorten) else Level.SUMMARY
    reads = level is Level.SUMMARY and memory.says not in ("", memory.title)
    now = f'; now reads: "{escaped(memory.says, SAYS_MAX)}"' if reads else ""
    how = f"at {level.value}" if isinstance(one.change, Shorten) else "in better words"
    yield (
        f"- `{one.number}` {_title(memory)} {how}, {one.change.tokens_saved:,} tokens less - "
        f"{escaped(one.reason, SAYS_MAX)}{now}"
    )


def _forgotten(report: NightReport) -> Iterator[str]:
    about = (
        "In the archive, not deleted: `companion search WORDS --archived` still finds them, and one that is asked "
        f"for again comes back. `companion undo {report.run[:ID_SHOWN]} NUMBER` brings one back at once."
    )
    return _section("Forgotten", about, report.forgotten, _told(report, Retire), _plain)


def _revived(report: NightReport) -> Iterator[str]:
    return _section(
        "Came back",
        "Asked for again, put away unasked by an earlier version, or there once more.",
        report.revived,
        _told(report, Revive),
        _plain,
    )


def _moved(report: NightReport) -> Iterator[str]:
    warmths = _details(report, "Warm")
    about = (
        "What was used lately stands nearer, what was shown and passed over further; nothing is hidden by it"
        f"{f' ({warmths})' if warmths else ''}."
    )
    found = _told(report, Rescope, Weigh, Warm)
    return _section("Nearer and further", about, report.moved, found, _move, SHOWN_OF_MANY)


def _move(one: NightChange) -> Iterator[str]:
    match one.change:
        case Warm(warmth=warmth):
            how = f"is {warmth.value} now"
        case Weigh(usefulness=usefulness, importance=importance):
            how = f"ranks {usefulness:+.2f}, importance {int(importance)}"
        case Rescope(path=path, to=to):
            how = f"follows {coded(path)} to {coded(to)}"
        case _:
            how = "moves"
    yield f"- `{one.number}` {_title(_first(one))} {how}: {escaped(one.reason, SAYS_MAX)}"


def _united(report: NightReport) -> Iterator[str]:
    made = _told(report, Unite)
    if not made:
        return
    yield from _headed("One name for many", "Who looks for one spelling finds all.", report.united)
    names: dict[tuple[str, str], list[str]] = {}
    for one in made:
        assert isinstance(one.change, Unite)
        spelled = f"{coded(one.change.entity)} (`{one.number}`)"
        names.setdefault((one.change.stands_for, one.reason), []).append(spelled)
    for (name, reason), others in list(names.items())[:SHOWN_A_SECTION]:
        yield f"- {coded(name)} stands for {', '.join(others)}: {escaped(reason, SAYS_MAX)}"
    if len(names) > SHOWN_A_SECTION:
        yield EVERY_ONE
    yield ""


def _linked(report: NightReport) -> Iterator[str]:
    about = (
        f"What has to do with what ({_details(report, 'Relate')}); `companion explain` tells where a link put "
        "something into a context. Some of the strongest:"
    )
    found = _told(report, Relate)
    first = [one for relation in Relation for one in _of(found, relation)[:SHOWN_A_RELATION]]
    return _section("Found to belong together", about, report.linked, first, _relate)


def _of(found: Sequence[NightChange], relation: Relation) -> list[NightChange]:
    return [one for one in found if isinstance(one.change, Relate) and one.change.relation is relation]


def _details(report: NightReport, what: str, before: str = "") -> str:
    """How many changes of a sort come to what: `120 at summary`, in words."""
    return ", ".join(f"{one.changes:,} {before}{one.detail}" for one in report.details if one.what == what)


def _relate(one: NightChange) -> Iterator[str]:
    assert isinstance(one.change, Relate)
    ends = " - ".join(_title(memory) for memory in one.involved)
    yield (
        f"- `{one.number}` {one.change.relation.value} ({one.change.score:.2f}): {ends}; "
        f"{escaped(one.reason, SAYS_MAX)}"
    )


def _refused(report: NightReport) -> Iterator[str]:
    found = [one for one in report.changes if one.state is ChangeState.REFUSED]
    about = "What these are about had changed since the night was planned, so they were left as they are."
    return _section("Not done", about, report.refused, found, _refuse)


def _refuse(one: NightChange) -> Iterator[str]:
    what = type(one.change).__name__.lower()
    yield f"- `{one.number}` {what} of {_title(_first(one))}: {escaped(one.why_not, SAYS_MAX)}"


def _plain(one: NightChange) -> Iterator[str]:
    memory = _first(one)
    yield f"- `{one.number}` {_title(memory)} - {escaped(one.reason, SAYS_MAX)}"


def _passes(report: NightReport) -> Iterator[str]:
    if not report.passes:
        return
    yield "## What each pass did"
    yield ""
    yield "| pass | changes | left out | seconds | |"
    yield "| --- | ---: | ---: | ---: | --- |"
    for one in report.passes:
        yield (
            f"| {escaped(one.name, TITLE_MAX)} | {one.changes:,} | {one.dropped:,} | {one.seconds:.1f} "
            f"| {escaped(_aside(one), SAYS_MAX)} |"
        )
    yield ""
    if any(one.dropped for one in report.passes):
        yield "Left out is what an earlier pass of the same night had dealt with already."
        yield ""


def _aside(one: PassReport) -> str:
    """What else is to be said of a pass: what it counted, and what went wrong."""
    counted = ", ".join(f"{name.replace('_', ' ')}: {number:,}" for name, number in one.counted if number)
    return "; ".join(part for part in (one.wrong, counted) if part)


def _first(one: NightChange) -> Involved:
    return one.involved[0] if one.involved else _gone(one)


def _gone(one: NightChange) -> Involved:
    """What is shown of a memory that is not there any more."""
    return Involved("", "", "a memory that is gone for good", "")


def _title(memory: Involved) -> str:
    id_ = f" ({coded(memory.id[:ID_SHOWN])})" if memory.id else ""
    return f"**{escaped(memory.title, TITLE_MAX)}**{id_}"


def _statement(memory: Involved) -> str:
    """What a memory says, and where it says so."""
    where = ", ".join(coded(one) for one in memory.sources)
    return f"{escaped(memory.says or memory.title, SAYS_MAX)} - {where} ({coded(memory.id[:ID_SHOWN])})"


_SECTIONS: tuple[Callable[[NightReport], Iterator[str]], ...] = (
    *(_contradictions, _merged, _superseded, _shorter, _forgotten, _revived),
    *(_united, _moved, _linked, _refused),
)
