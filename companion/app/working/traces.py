"""What work on a checkout left: what fails, is in no commit, proposed, rejected or decided, and what came last."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from itertools import chain

from companion.api import Trace, TraceSort
from companion.app.checkout import OpenCheckout
from companion.app.working.changes import nameable, written_at
from companion.engine.recalling.rules import binding
from companion.errors import CompanionError
from companion.kinds.history.undoing import reverted_by, reverted_title
from companion.records import CodeForms, Decision, DecisionStatus, ErrorReport, FactType, Memory, Span, told_at
from companion.records.instructions import is_instruction_file
from companion.signals import git
from companion.signals.ignore import foreign_reason
from companion.store import traces
from companion.store.consolidation.successions import superseded
from companion.store.history import overviews
from companion.store.working import sightings
from companion.store.working.sightings import Sighting, Via

FRESH = timedelta(days=14)
"""Commits and failures older than that are no place where somebody stopped."""
LATELY = timedelta(days=30)
"""What was tried and rejected, and branches that were worked on, are told for a month."""
DECIDED_WITHIN = timedelta(days=7)
"""As old as decisions of conversations that are told again; spec V6."""
DIAGNOSED_WITHIN = timedelta(days=2)
"""Errors that an editor showed are told so long: whoever fixed them elsewhere did not say so."""
MOST = 5
"""Traces of each sort."""
EDITED_READ = 300
"""Files told apart; a work tree with more changes is in the middle of something larger."""
KNOWN_FOR = timedelta(minutes=10)
"""What git said holds so long at most: files that are not indexed change without a sign."""
COMMITS_MOST = 3
COMMIT_FILES = 3
"""Files named of a commit: more are a sweep."""
SYMBOLS_MOST = 4
"""Definitions named of a file."""
SPANS_MOST = 3
"""Changed lines that are named of a file, in words; all stand beside it."""
SUPERSEDED_READ = 50


@dataclass
class WorkTrees:
    """What git last said of checkouts, with the state of the code and the moment that it said it of."""

    known: dict[str, tuple[Hashable, datetime, tuple[Trace, ...]]] = field(default_factory=dict)


def traces_of(here: OpenCheckout, persona: str) -> tuple[Trace, ...]:
    """The traces in a checkout that was read, the most open first; what git cannot say is left out."""
    if not here.checkout or not here.was_read():
        return ()
    by_git = uncommitted(here)
    edited = [one.path for one in by_git if one.sort is TraceSort.UNCOMMITTED and one.path]
    of_tables = (*_failing(here), *_decisions(here, persona), *_rejected(here), *_committed(here))
    found = (*of_tables, *by_git, *_binding(here, edited))
    return tuple(sorted(found, key=lambda one: list(TraceSort).index(one.sort)))


def uncommitted(here: OpenCheckout) -> tuple[Trace, ...]:
    """What is in no commit, and branches that are not merged: asked of git once until the code changes."""
    kept, now = here.runtime.one(WorkTrees).known, here.now()
    state = (here.store.readings.code_revision(here.checkout), here.state.head)
    known = kept.get(here.checkout)
    if known is None or known[0] != state or not now - KNOWN_FOR < known[1] <= now:
        found: list[Trace] = []
        with suppress(CompanionError):
            found.extend(chain(_edited(here), _proposed_branches(here)))
        known = kept[here.checkout] = (state, now, tuple(found))
    return known[2]


def _failing(here: OpenCheckout) -> Iterator[Trace]:
    """Commands that failed when they were run last, and errors that the editor shows."""
    database, now = here.store.database, here.now()
    for one in traces.failed(database, here.checkout, now - FRESH, MOST):
        seen = sightings.of_error(database, here.project, one.failure)[:1] if one.failure else ()
        why = f": {_error(seen[0].report)}" if seen else f" ended with {one.exit_code}"
        within = f", in {one.directory}" if one.directory else ""
        yield Trace(TraceSort.FAILING, f"`{one.command}`{why}", one.started_at, f"shell{within}", one.id, *_at(seen))
    for seen_one in sightings.open_lately(database, here.checkout, now - DIAGNOSED_WITHIN, now, MOST):
        if seen_one.via is Via.DIAGNOSTICS:
            said = f"{seen_one.place}: {_error(seen_one.report)}"
            yield Trace(TraceSort.FAILING, said, seen_one.last_seen_at, "editor", seen_one.id, *_at((seen_one,)))


def _error(one: ErrorReport) -> str:
    """An error in a line, with where it is."""
    place = next((f" ({frame.path}:{frame.line})" for frame in reversed(one.frames) if frame.inside and frame.line), "")
    return f"{': '.join(filter(None, (one.error_type, one.message)))}{place}"


def _at(seen: Sequence[Sighting]) -> tuple[str, tuple[Span, ...]]:
    """The file and line of an error, as far as it is one of this repository."""
    frames = (frame for one in seen for frame in reversed(one.report.frames) if frame.inside and frame.line)
    return next(((frame.path, ((frame.line or 1, frame.line or 1),)) for frame in frames), ("", ()))


def _edited(here: OpenCheckout) -> Iterator[Trace]:
    """Files that differ from the commit that is checked out, the one written last first, with lines and definitions."""
    spans, forms = git.edited_spans(here.state), here.library().paths()
    own = [path for path in list(spans)[:EDITED_READ] if not foreign_reason(path, ())]
    written = {path: written_at(here, path) for path in nameable(here, own)}
    newest = sorted(written, key=lambda path: (written[path] or datetime.min, path), reverse=True)
    for path in newest[:MOST]:
        known = "gone" if written[path] is None else "new" if spans[path] is None else ""
        lines = spans[path] or ()
        said = _place(path, lines, _symbols(forms.get(path), lines), known)
        yield Trace(TraceSort.UNCOMMITTED, said, written[path], path=path, spans=lines)
    if len(newest) > MOST:
        yield Trace(TraceSort.UNCOMMITTED, f"{len(newest) - MOST} more: `git status`")


def _place(path: str, lines: Sequence[Span], symbols: Sequence[str], known: str = "") -> str:
    """`src/app.py:3-9, 12 (total, discount)`, with what else is known of the file."""
    numbers = ", ".join(f"{first}-{last}" if last > first else str(first) for first, last in lines[:SPANS_MOST])
    more = f" and {len(lines) - SPANS_MOST} more places" if len(lines) > SPANS_MOST else ""
    beside = ", ".join(filter(None, (known, *symbols)))
    return f"{path}{f':{numbers}{more}' if numbers else ''}{f' ({beside})' if beside else ''}"


def _symbols(forms: CodeForms | None, lines: Sequence[Span]) -> list[str]:
    """The innermost definitions around some lines, each once."""
    found = []
    for first, last in lines:
        around = [one for one in (forms.symbols if forms else ()) if one.line <= last and first <= one.end_line]
        if around:
            found.append(min(around, key=lambda one: one.end_line - one.line).qualname)
    return list(dict.fromkeys(found))[:SYMBOLS_MOST]


def _proposed_branches(here: OpenCheckout) -> Iterator[Trace]:
    """Branches with commits that the default branch has not: each proposes something."""
    since = here.now() - LATELY
    for name, subject, seconds in git.unmerged(here.state, MOST):
        at = datetime.fromtimestamp(seconds, UTC).replace(tzinfo=None)
        if at >= since:
            yield Trace(TraceSort.PROPOSED, here.fit(f"not merged: {subject}"), at, here.fit(f"branch {name}"))


def _decisions(here: OpenCheckout, persona: str) -> Iterator[Trace]:
    found = traces.decisions(
        here.store.database,
        here.project,
        here.checkout,
        here.state.branch,
        persona,
        here.now() - DECIDED_WITHIN,
        2 * MOST,
    )
    for one in found:
        body = one.draft.body
        proposed = isinstance(body, Decision) and body.status is DecisionStatus.PROPOSED
        yield _told(one, TraceSort.PROPOSED if proposed else TraceSort.DECIDED)


def _told(one: Memory, sort: TraceSort, instead: str = "") -> Trace:
    at = one.draft.valid_from or one.created_at
    said = " ".join(one.draft.levels.summary.split())
    return Trace(sort, f"{said}{instead}", at, ", ".join(told_at(one.draft)[:1]), one.id)


def _rejected(here: OpenCheckout) -> Iterator[Trace]:
    """What was taken back by a commit, turned down by a person, or decided otherwise since."""
    database, since = here.store.database, here.now() - LATELY
    branch = here.state.branch
    reverts = overviews.since(database, here.project, branch, since, MOST, merges=True, reverts=True)
    undone = reverted_by(reverts[::-1])
    reinstating = {by.sha for target, by in undone.items() if target in {one.sha for one in reverts}}
    for commit in reverts:
        said, source = reverted_title(commit) or commit.subject, f"reverted by commit {commit.sha[:10]}"
        reinstates = commit.sha in reinstating or said.startswith(("Revert ", "Reapply "))
        if not reinstates and commit.sha not in undone:
            yield Trace(TraceSort.REJECTED, said, commit.committed_at, source, commit.sha)
    for answer in traces.turned_down(database, here.project, since, MOST):
        said = f"{answer.action or answer.said}{f': {answer.note}' if answer.note else ''}"
        yield Trace(TraceSort.REJECTED, said, answer.outcome_at, "turned down by the user", answer.id)
    for pair in superseded(database, here.project, SUPERSEDED_READ):
        if pair.old.draft.type == FactType.DECISION and pair.at is not None and pair.at >= since:
            yield _told(pair.old, TraceSort.REJECTED, f" (instead: {pair.new.draft.levels.compressed})")


def _committed(here: OpenCheckout) -> Iterator[Trace]:
    """The last commits, with the definitions that they made."""
    database, since = here.store.database, here.now() - FRESH
    for commit in overviews.since(database, here.project, here.state.branch, since, COMMITS_MOST, merges=True):
        paths = [change.path for change in commit.changes]
        made = _made(here, commit.sha, paths)
        said = f"{commit.subject}{f': {made}' if made else ''}"
        yield Trace(TraceSort.COMMITTED, said, commit.committed_at, f"commit {commit.sha[:10]}", commit.sha)


def _made(here: OpenCheckout, sha: str, paths: Sequence[str]) -> str:
    """The files of a commit in words, with the definitions of which it made lines that still stand."""
    forms, origins = here.library().paths(), here.store.line_origins.of(here.project, here.state.head)
    told = []
    for path in paths[:COMMIT_FILES]:
        made: list[Span] = []
        if (known := forms.get(path)) is not None and origins is not None:
            spans = [(one.line, one.end_line) for one in known.symbols]
            made = [span for span in spans if sha in dict(origins.makers(path, known.content_hash, span))]
        told.append(_place(path, (), _symbols(known, made)))
    more = [f"{len(paths) - COMMIT_FILES} more files"] if len(paths) > COMMIT_FILES else []
    return ", ".join((*told, *more))


def _binding(here: OpenCheckout, paths: Sequence[str]) -> Iterator[Trace]:
    """Written rules that bind what is uncommitted, but for those that assistants are told by files of their own."""
    if not paths:
        return
    rules = {
        one.id: one
        for one in here.library().standing().rules
        if not any(is_instruction_file(evidence.ref) for evidence in one.draft.evidence)
    }
    for id_ in list(binding(list(rules.values()), paths))[:MOST]:
        yield _told(rules[id_], TraceSort.BINDING)
