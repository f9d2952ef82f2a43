"""Errors while someone works: seen, seen again, gone, and what was changed in between.

A command that fails opens a sighting for each error it prints; the same command passing ends it. A
diagnostic opens one for its file, and its absence ends it. Both ends note how the checkout stands,
so that the change between can be named. It is called verified only if the same command was seen
failing and then passing with a change between, and the error never went away by itself.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta

from msgspec.structs import replace

from companion.app.checkout import OpenCheckout
from companion.app.working.changes import CheckoutState, change, standing
from companion.app.working.error_episodes import error_episode, origin_of
from companion.errors import UsageError
from companion.records import Diagnosed, Diagnostic, ErrorReport, Frame, Severity
from companion.signals.errors.fingerprint import fingerprint
from companion.store.working import sightings
from companion.store.working.sightings import Ending, Fix, Sighting, Via

LEARNER = "errors"
"""The name that memories of errors are kept under."""
ERRORS_A_RUN = 5
"""Errors remembered of one failing command: after the first few the rest mostly follow from them."""
FRAMES_KEPT = 8
"""Places kept of one error, innermost first."""
STANDS_AFTER = timedelta(seconds=60)
"""A diagnostic that is gone sooner was a half-typed line, and no error."""
DIAGNOSTICS_MAX = 20
"""Diagnostics of one file that are followed; a file with more has one cause for most of them."""


def note_failed(
    checkout: OpenCheckout, place: str, reports: Sequence[ErrorReport], moment: datetime, began: datetime
) -> None:
    """A command failed and printed errors. `place` is its folder and text, `began` when it was started."""
    if not reports:
        return
    database, now = checkout.store.database, standing(checkout, began)
    before = sightings.open_at(database, checkout.checkout, Via.COMMAND, place, moment)
    known = {one.report.fingerprint: one for one in before}
    for report in reports[:ERRORS_A_RUN]:
        _note(checkout, known.get(report.fingerprint), Via.COMMAND, place, report, now, moment)
        _learn(checkout, report.fingerprint, moment)


def note_passed(checkout: OpenCheckout, place: str, moment: datetime, began: datetime) -> None:
    """A command passed: what it complained of before is gone."""
    database = checkout.store.database
    before = sightings.open_at(database, checkout.checkout, Via.COMMAND, place, moment)
    if not before:
        return
    now = standing(checkout, began)
    for one in before:
        fix = change(checkout, CheckoutState(one.head, one.dirty), now, _near(one))
        if fix is None:
            sightings.end(database, one.id, Ending.UNCHANGED, Fix(""), moment)
        else:
            proven = not _was_flaky(checkout, one)
            sightings.end(database, one.id, Ending.CHANGED, replace(fix, verified=proven), moment)
        _learn(checkout, one.report.fingerprint, moment)


def note_diagnosed(checkout: OpenCheckout, diagnosed: Diagnosed) -> None:
    """All diagnostics of a file as they are now; errors among them are followed until they are gone.

    Call it outside of a write: it asks git.
    """
    if not checkout.was_read():
        return
    try:
        path, moment = checkout.inside(diagnosed.path), checkout.now()
    except UsageError:
        return  # editors diagnose files of other folders too
    database = checkout.store.database
    before = sightings.open_at(database, checkout.checkout, Via.DIAGNOSTICS, path, moment)
    known = {one.report.fingerprint: one for one in before}
    errors = [one for one in diagnosed.diagnostics if one.severity is Severity.ERROR][:DIAGNOSTICS_MAX]
    reports = {report.fingerprint: report for report in (_report(checkout, path, one) for one in errors)}
    if not known and not reports:
        return
    for mark, report in reports.items():
        _diagnosed_again(checkout, path, known.get(mark), report, moment)
    for one in (one for mark, one in known.items() if mark not in reports):
        _no_longer_diagnosed(checkout, one, moment)


def _diagnosed_again(
    checkout: OpenCheckout, path: str, known: Sighting | None, report: ErrorReport, moment: datetime
) -> None:
    """Follow a diagnostic; it is remembered once it has stood for a while."""
    if known is None:
        _note(checkout, None, Via.DIAGNOSTICS, path, report, standing(checkout), moment)
        return
    day_is_new = known.last_seen_at.date() != moment.date()
    stands = moment - known.first_seen_at >= STANDS_AFTER
    if stands and (day_is_new or known.last_seen_at - known.first_seen_at < STANDS_AFTER):
        _note(checkout, known, Via.DIAGNOSTICS, path, report, standing(checkout), moment)
        _learn(checkout, known.report.fingerprint, moment)


def _no_longer_diagnosed(checkout: OpenCheckout, one: Sighting, moment: datetime) -> None:
    """End a diagnostic if something was changed on disk; an editor also falls silent about files it closes."""
    database = checkout.store.database
    if moment - one.first_seen_at < STANDS_AFTER:
        sightings.drop(database, one.id)
        return
    fix = change(checkout, CheckoutState(one.head, one.dirty), standing(checkout), _near(one))
    if fix is not None:
        sightings.end(database, one.id, Ending.CHANGED, fix, moment)
        _learn(checkout, one.report.fingerprint, moment)


def _note(
    checkout: OpenCheckout,
    known: Sighting | None,
    via: Via,
    place: str,
    report: ErrorReport,
    now: CheckoutState,
    moment: datetime,
) -> None:
    """Begin a sighting, or bring the open one up to how the checkout stands now."""
    one = Sighting(
        id=sightings.sighting_id(checkout.checkout, report.fingerprint, place, moment),
        project=checkout.project,
        checkout=checkout.checkout,
        report=replace(report, frames=report.frames[:FRAMES_KEPT]),
        via=via,
        place=place,
        first_seen_at=moment,
        last_seen_at=moment,
        times=1,
        branch=checkout.state.branch,
        head=now.head,
        dirty=now.dirty,
    )
    if known is None:
        sightings.begin(checkout.store.database, one)
    else:
        sightings.seen_again(checkout.store.database, replace(one, id=known.id))


def _learn(checkout: OpenCheckout, mark: str, moment: datetime) -> None:
    """Say anew what is remembered of an error."""
    seen = sightings.of_error(checkout.store.database, checkout.project, mark)
    drafts = [error_episode(seen)] if seen else []
    checkout.store.memories.reconcile(checkout.project, LEARNER, [origin_of(mark)], drafts, moment)


def _was_flaky(checkout: OpenCheckout, one: Sighting) -> bool:
    """Whether the error has gone away by itself before."""
    seen = sightings.of_error(checkout.store.database, checkout.project, one.report.fingerprint)
    return any(other.ending is Ending.UNCHANGED for other in seen)


def _near(one: Sighting) -> tuple[str, ...]:
    """The files an error is about."""
    inside = tuple(frame.path for frame in one.report.frames if frame.inside)
    return inside if one.via is Via.COMMAND else (one.place, *inside)


def _report(checkout: OpenCheckout, path: str, one: Diagnostic) -> ErrorReport:
    """A diagnostic as an error report, its text redacted."""
    message = checkout.fit(one.message).strip()
    tool, code = checkout.fit(one.tool).strip() or "diagnostics", checkout.fit(one.code).strip()
    frames = (Frame(path, one.line, "", inside=True),)
    return ErrorReport(tool, code, message, fingerprint(tool, code, message, frames), frames)
