"""The report of a run as a page of Markdown: what was forgotten and merged, what to decide, and how to undo it.

Whatever comes from a memory is text and nothing else: it opens no heading, link, table or tag of the page.
"""

from __future__ import annotations

from collections.abc import Iterator

from companion.api import DecisionNeeded, PassReport, RunChange, RunReport
from companion.escape import markdown_literal, markdown_name
from companion.records.headings import ReportPart
from companion.records.runs import RunState
from companion.surfaces import reporting
from companion.surfaces.reporting import Section, sections
from companion.surfaces.wording import ID_SHOWN

SHOWN_A_SECTION = 10
"""Changes listed under one heading unless all are asked for: half a screen."""
SENTENCE_MAX, NAME_MAX = 1_200, 90
"""Characters of a sentence, which may name a handful of memories, and of a name."""
SIDES = "AB"


def page(report: RunReport, *, everything: bool = False) -> str:
    """The whole page; with `everything` what is folded away too, and no list is cut."""
    most = None if everything else SHOWN_A_SECTION
    parts = [*_head(report)]
    parts += [line for section in sections(report, ReportPart.GONE) for line in _section(report, section, most)]
    parts += _decisions(report)
    parts += [line for section in sections(report, ReportPart.STAYS) for line in _section(report, section, most)]
    if (left := reporting.not_made(report)) is not None:
        parts += _section(report, left, most)
    if everything:
        parts += [line for section in sections(report, ReportPart.FOLDED) for line in _section(report, section, most)]
        parts += _passes(report)
    else:
        parts += _folded(report)
    return "\n".join([*parts, *_back(report)]).rstrip() + "\n"


def _head(report: RunReport) -> Iterator[str]:
    when = report.started_at or report.planned_at
    yield f"# {markdown_literal(report.project, NAME_MAX)}: consolidation of {when.day} {when:%B %Y}"
    yield ""
    seconds = reporting.seconds(report)
    took = f" and took {seconds:.1f} seconds" if seconds else ""
    by = markdown_literal(reporting.started(report), NAME_MAX)
    state = reporting.STATES.get(report.state, "")
    yield f"Run {markdown_name(report.run[:ID_SHOWN])} was started {by} at {when:%H:%M} UTC{took}. {state}".rstrip()
    yield ""
    yield f"**{reporting.headline(report)}**"
    for note in reporting.troubles(report):
        yield ""
        yield f"> {_said(note)}"
    yield ""


def _section(report: RunReport, section: Section, most: int | None) -> Iterator[str]:
    yield from _heading(f"{section.title} ({section.total:,})", section.about)
    shown = section.changes[:most]
    yield from map(_change, shown)
    if (left := section.total - len(shown)) > 0 and most is not None:
        yield f"- … and {left:,} more: `companion reports {report.run[:ID_SHOWN]} --all` shows all."
    yield ""


def _heading(title: str, about: str) -> Iterator[str]:
    yield f"## {title}"
    yield ""
    yield about
    yield ""


def _change(one: RunChange) -> str:
    return f"- `{one.number}` {_said(reporting.sentence(one))} Why: {_said(reporting.why(one))}"


def _decisions(report: RunReport) -> Iterator[str]:
    more = reporting.more_to_decide(report)
    if not report.decisions and not more:
        return
    if not report.decisions:
        yield from (more, "")
        return
    about = "Both sides stay, and are shown together, until you decide."
    if report.dry_run:
        about += " What only this plan would open can be decided once it is carried out."
    yield from _heading(f"For you to decide ({report.decisions_total:,})", about)
    for place, one in enumerate(report.decisions, 1):
        yield from _decision(place, one)
    yield from ("", more) if more else ()
    yield ""


def _decision(place: int, one: DecisionNeeded) -> Iterator[str]:
    yield f"{place}. {_said(reporting.reason(one))}"
    for letter, memory in zip(SIDES, one.involved, strict=False):
        yield f"   - {letter}: {_said(reporting.statement(memory))}"
    if one.command:
        first, *others = one.answers
        yield f"   - Decide: {markdown_name(f'{one.command} {first}')}, or {', '.join(map(markdown_name, others))}."


def _folded(report: RunReport) -> Iterator[str]:
    counted = [f"{section.total:,} under “{section.title}”" for section in sections(report, ReportPart.FOLDED)]
    if counted:
        yield f"Not shown: {', '.join(counted)}. `companion reports {report.run[:ID_SHOWN]} --all` shows them."
        yield ""


def _passes(report: RunReport) -> Iterator[str]:
    if not report.passes:
        return
    yield from _heading("Steps", "What is left out another step of this run had dealt with.")
    yield "| step | changes | left out | seconds | |"
    yield "| --- | ---: | ---: | ---: | --- |"
    for one in report.passes:
        yield (
            f"| {markdown_literal(one.name, NAME_MAX)} | {one.changes:,} | {one.dropped:,} | {one.seconds:.1f} "
            f"| {markdown_literal(_aside(one), NAME_MAX)} |"
        )
    yield ""


def _aside(one: PassReport) -> str:
    """What else a step counted."""
    return ", ".join(f"{name.replace('_', ' ')}: {number:,}" for name, number in one.counted if number)


def _back(report: RunReport) -> Iterator[str]:
    run = report.run[:ID_SHOWN]
    if report.state is RunState.PLANNED:
        yield f"`companion consolidate --run {run}` makes exactly these changes."
    elif report.state in (RunState.APPLIED, RunState.APPLYING) and report.changes_total > report.refused:
        yield f"Undo this run: `companion undo {run}`. Undo one change by its number: `companion undo {run} NUMBER`."


def _said(text: str) -> str:
    return markdown_literal(text, SENTENCE_MAX)
