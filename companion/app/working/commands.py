"""Commands that were run: kept without secrets, their errors followed, their sequences learned as workflows."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from datetime import datetime
from pathlib import PurePath

from msgspec.structs import replace

from companion.app.checkout import OpenCheckout
from companion.app.working import failures
from companion.kinds.command_sequences import ORIGIN, RUNS_READ, Run, recorded_workflows
from companion.records import Draft, ErrorReport, Ran, Workflow
from companion.records.command_line import LOOKING, is_ignored, split_commands, steps_of, without_variables
from companion.signals.git import folder_of
from companion.signals.paths import shown_path
from companion.store import projects
from companion.store.working import commands
from companion.store.working.commands import Command

LEARNER = "commands"
"""The name that workflows of recorded commands are kept under."""
OUTPUT_MAX_CHARACTERS = 64_000
"""Of what a command printed, its end: a long test run's summary and the last tracebacks stand there."""
DURATION_MAX_S = 30 * 24 * 3600.0
"""Nothing runs longer than a month; a clock was set."""
STOPPED_BY_HAND = frozenset({129, 130, 131, 137, 143, 148, 3221225786})
"""Exit codes of a command that somebody stopped: it has no error to remember. The last is Windows' Ctrl-C."""
NEVER_RAN = frozenset({126, 127})
"""Exit codes of a command that could not be run: a slip of the finger is no step."""
OWN_PROGRAM = "companion"
STEP_JOINT = " && "


def note_ran(checkout: OpenCheckout, ran: Ran) -> None:
    """Keep a command that ended, follow its errors, and learn from it.

    Nothing is kept of a checkout that was never read (nobody consented), of a command outside of it,
    of one that the setting `run_ignore` names, or that only sets variables. Call it outside of a
    write: it asks git.
    """
    if not checkout.was_read():
        return
    said = without_variables(ran.command)
    directory = _inside(checkout, ran.directory)
    if not said or directory is None or is_ignored(ran.command, checkout.runtime.settings.run_ignore) or _is_own(said):
        return
    command = checkout.fit(said)
    began = min(ran.started_at, checkout.now())
    reports = _errors(checkout, ran, command)
    kept = Command(
        id=commands.command_id(checkout.checkout, ran.started_at, command),
        project=checkout.project,
        checkout=checkout.checkout,
        started_at=ran.started_at,
        directory=directory,
        command=command,
        step=STEP_JOINT.join(_steps(checkout, ran, said)),
        exit_code=ran.exit_code,
        duration_s=min(max(0.0, ran.duration_s), DURATION_MAX_S),
        branch=checkout.state.branch,
        failure=reports[0].fingerprint if reports else "",
    )
    if not commands.add(checkout.store.database, kept):
        return
    place = f"{directory}\n{command}"
    if ran.exit_code == 0:
        failures.note_passed(checkout, place, checkout.now(), began)
        if kept.step:
            learn_workflows(checkout, checkout.now())
    else:
        failures.note_failed(checkout, place, reports, checkout.now(), began)


def learn_workflows(checkout: OpenCheckout, now: datetime) -> None:
    """Make the project's recorded workflows what its newest commands show; nothing is written if that is known."""
    database = checkout.store.database
    kept = commands.recent(database, checkout.project, RUNS_READ, steps_only=True)
    drafts = list(recorded_workflows(_runs(kept)))
    known, digest = f"workflows:{checkout.project}", _digest(drafts)
    if (projects.get_value(database, known) or _digest([])) == digest:
        return
    with database.write():
        checkout.store.memories.reconcile(checkout.project, LEARNER, [ORIGIN], drafts, now)
        projects.set_value(database, known, digest)


def _runs(kept: Sequence[Command]) -> list[Run]:
    """The steps of commands that succeeded, and of failed ones with a single step: of several nobody knows which."""
    runs = []
    for one in kept:
        steps = one.step.split(STEP_JOINT)
        if one.exit_code != 0 and len(steps) > 1:
            continue
        parts = [part for part in split_commands(one.command) if steps_of(part)]
        for at, step in enumerate(steps):
            said = parts[at] if len(parts) == len(steps) else one.command
            share = one.duration_s / len(steps)
            runs.append(Run(one.checkout, step, said, one.started_at, share, one.exit_code == 0))
    return runs


def _digest(drafts: Sequence[Draft]) -> str:
    """What changes when the workflows are worth saying anew: their steps, and how often to two digits."""
    told = [
        f"{draft.value}\x1f{draft.body.runs:.2g}\x1f{draft.body.successes:.2g}"
        for draft in drafts
        if isinstance(draft.body, Workflow)
    ]
    return hashlib.sha256("\x1e".join(sorted(told)).encode("utf-8", "replace")).hexdigest()[:32]


def _steps(checkout: OpenCheckout, ran: Ran, said: str) -> tuple[str, ...]:
    """The steps a command takes, redacted, as one that failed would have taken them."""
    if ran.exit_code in STOPPED_BY_HAND | NEVER_RAN:
        return ()
    return tuple(checkout.fit(step) for step in steps_of(said))


def _errors(checkout: OpenCheckout, ran: Ran, command: str) -> tuple[ErrorReport, ...]:
    """The errors that a failing command printed, each once; redacted before they are read."""
    if ran.exit_code == 0 or ran.exit_code in STOPPED_BY_HAND or not ran.output.strip():
        return ()
    from companion.signals.errors import parse_errors

    text = checkout.runtime.adapters.redactor.redact(ran.output)[-OUTPUT_MAX_CHARACTERS:]
    found = parse_errors(text, checkout.library().paths())
    looked = _program(command) in LOOKING
    told: dict[str, ErrorReport] = {}
    for report in found:
        if report.tool == "plain" and (looked or not report.error_type):
            continue
        told.setdefault(report.fingerprint, replace(report, message=checkout.fit(report.message)))
    return tuple(told.values())


def _inside(checkout: OpenCheckout, directory: str) -> str | None:
    """The folder relative to the repository, without secrets; None if it lies outside."""
    import os

    root = os.path.realpath(folder_of(checkout.state))
    place = os.path.realpath(directory or root)
    try:
        relative = PurePath(place).relative_to(root)
    except ValueError:
        return None
    shown = shown_path(os.fsencode(relative.as_posix()))
    return "" if shown == "." else checkout.fit(shown)


def _program(command: str) -> str:
    return command.split(maxsplit=1)[0] if command else ""


def _is_own(said: str) -> bool:
    """`companion run` records what it runs itself; the other commands are no work of the user's."""
    return PurePath(_program(said)).name.removesuffix(".exe") == OWN_PROGRAM
