"""An error as it is remembered: what it was, where, and what made it go away the last time."""

from __future__ import annotations

from collections.abc import Sequence

from companion.kinds.levels import ladder
from companion.records import (
    Artifact,
    ArtifactKind,
    Draft,
    EpisodeType,
    ErrorReport,
    Evidence,
    EvidenceKind,
    Failure,
    Importance,
    Kind,
    Levels,
    Source,
    Visibility,
    entity,
)
from companion.store.working.sightings import Ending, Sighting, Via

TITLE_CHARACTERS = 160
"""Of an error's message in its title: a line, as people read it."""
PLACES_TOLD = 3
"""Places of an error that are told, innermost first."""
FILES_LINKED = 12
"""Files that an error is linked to: its places and what was changed for it."""

CONFIDENCE = {Ending.OPEN: 0.9, Ending.CHANGED: 0.7, Ending.UNCHANGED: 0.5}
"""How sure the story is: that it was seen is a fact; that the change between was the fix is a guess
until the same command proves it."""
CONFIDENCE_VERIFIED = 0.95

BY_ITSELF = "nothing was changed: it was gone the next time (flaky)"
"""What is said of an error that went away without any change."""


def origin_of(fingerprint: str) -> str:
    """Where an error's memory comes from; it belongs to the project, not to a checkout."""
    return f"error:{fingerprint}"


def error_episode(sightings: Sequence[Sighting]) -> Draft:
    """The memory of one error, from all its sightings, newest first; there is at least one."""
    newest, report, first = sightings[0], sightings[0].report, sightings[-1].report
    fixed = _last_fix(sightings)
    fix = fixed.fix if fixed is not None else None
    commit = fix.commit if fix is not None else ""
    ending = fixed.ending if fixed is not None else Ending.OPEN
    verified = fix is not None and fix.verified
    return Draft(
        kind=Kind.EPISODE,
        type=EpisodeType.ERROR.value,
        subject=_title(first),
        attribute=first.fingerprint,
        value=_state(newest),
        levels=_levels(sightings, fixed),
        origin=origin_of(first.fingerprint),
        evidence=_evidence(newest, commit),
        body=Failure(
            fingerprint=report.fingerprint,
            error_type=report.error_type or report.tool,
            message=report.message[:TITLE_CHARACTERS],
            fix=_fix_said(fixed),
            fix_commit=commit,
            verified=verified,
        ),
        entities=_entities(report, fix.paths if fix is not None else ()),
        artifacts=_artifacts(commit, fix.paths if fix is not None else ()),
        visibility=Visibility.USER_PRIVATE,
        source=Source.SCAN,
        confidence=CONFIDENCE_VERIFIED if verified else CONFIDENCE[ending],
        importance=Importance.DEFAULT,
        valid_from=newest.gone_at or newest.last_seen_at,
    )


def _last_fix(sightings: Sequence[Sighting]) -> Sighting | None:
    """The newest time it went away with a change, else the newest time it went away at all."""
    gone = [one for one in sightings if one.ending is not Ending.OPEN]
    return next((one for one in gone if one.ending is Ending.CHANGED), gone[0] if gone else None)


def _state(newest: Sighting) -> str:
    """What makes a new version: a day on which it is seen, and each time it goes away."""
    if newest.gone_at is None:
        return f"seen {newest.last_seen_at:%Y-%m-%d}"
    return f"gone {newest.gone_at:%Y-%m-%d %H:%M} {newest.ending.value}"


def _title(one: ErrorReport) -> str:
    kind, message = one.error_type, " ".join(one.message.split())
    said = f"{kind}: {message}" if kind and message and not message.startswith(kind) else message or kind or one.tool
    return said[:TITLE_CHARACTERS]


def _fix_said(fixed: Sighting | None) -> str:
    if fixed is None or fixed.fix is None:
        return ""
    return fixed.fix.says or (BY_ITSELF if fixed.ending is Ending.UNCHANGED else "")


def _place(one: ErrorReport) -> str:
    """`shop/price.py:12 in total`, innermost first; empty if it lies outside the repository."""
    inside = [frame for frame in one.frames if frame.inside]
    told = []
    for frame in inside[:PLACES_TOLD]:
        where = frame.path if frame.line is None else f"{frame.path}:{frame.line}"
        told.append(f"{where} in {frame.symbol}" if frame.symbol else where)
    return ", ".join(told)


def _shown_by(one: Sighting) -> str:
    return f"`{command_of(one)}`" if one.via is Via.COMMAND else "the editor's diagnostics"


def command_of(one: Sighting) -> str:
    """The command that a sighting comes from; empty for diagnostics."""
    return one.place.partition("\n")[2] if one.via is Via.COMMAND else ""


def _levels(sightings: Sequence[Sighting], fixed: Sighting | None) -> Levels:
    newest = sightings[0]
    title, place = _title(newest.report), _place(newest.report)
    head = f"{title} ({place})" if place else title
    times = sum(one.times for one in sightings)
    often = f"{times} times" if times > 1 else "once"
    seen = f"Shown by {_shown_by(newest)}, seen {often}, last {newest.last_seen_at:%Y-%m-%d %H:%M}"
    on = f" on branch {newest.branch}" if newest.branch else ""
    fix, *lines = _fix_lines(sightings, fixed)
    return ladder(f"{head}\n{fix}\n{seen}{on}.", beside="\n".join(lines), index=title)


def _fix_lines(sightings: Sequence[Sighting], fixed: Sighting | None) -> list[str]:
    """What made it go away, how sure that is, and the changed lines."""
    newest = sightings[0]
    if fixed is None or fixed.fix is None:
        return ["No fix is known yet."]
    fix, again = fixed.fix, newest.ending is Ending.OPEN
    when = f" on {fixed.gone_at:%Y-%m-%d}" if fixed.gone_at is not None else ""
    lead = "It is back. Last time it went away" if again else "It went away"
    if fixed.ending is Ending.UNCHANGED:
        return [f"{lead}{when}, not verified: {BY_ITSELF}."]
    lines = [f"{lead}{when}, {_how_sure(sightings, fixed)}: {fix.says}."]
    if fix.lines:
        lines.append(f"Changed lines:\n{fix.lines}")
    return lines


def _how_sure(sightings: Sequence[Sighting], fixed: Sighting) -> str:
    fix = fixed.fix
    if fix is not None and fix.verified:
        return f"verified ({_shown_by(fixed)} failed before and passed after)"
    if any(one.ending is Ending.UNCHANGED for one in sightings):
        return "not verified (it has also gone away with nothing changed)"
    if fixed.via is Via.DIAGNOSTICS:
        return "not verified (no command has shown it gone)"
    return "not verified"


def _evidence(one: Sighting, commit: str) -> tuple[Evidence, ...]:
    inside = [frame for frame in one.report.frames if frame.inside][:PLACES_TOLD]
    found = [Evidence(EvidenceKind.FILE, frame.path, frame.line) for frame in inside]
    if command := command_of(one):
        found.append(Evidence(EvidenceKind.COMMAND, command))
    if commit:
        found.append(Evidence(EvidenceKind.COMMIT, commit))
    return tuple(dict.fromkeys(found))


def _entities(one: ErrorReport, changed: Sequence[str]) -> tuple[str, ...]:
    files = [frame.path for frame in one.frames if frame.inside]
    keys = [entity("file", path) for path in dict.fromkeys([*files, *changed])][:FILES_LINKED]
    return tuple(dict.fromkeys([*keys, *(entity("symbol", name) for name in one.symbols)]))


def _artifacts(commit: str, changed: Sequence[str]) -> tuple[Artifact, ...]:
    files = tuple(Artifact(ArtifactKind.FILE, path) for path in changed[:FILES_LINKED])
    return ((Artifact(ArtifactKind.COMMIT, commit),) if commit else ()) + files
