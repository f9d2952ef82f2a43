"""Everything looked over from outside, a store that cannot be opened included; and the settings in force."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import fields, replace
from pathlib import Path

from msgspec import structs

from companion.adapters.clock import SystemClock
from companion.adapters.secrets import SecretRedactor
from companion.api import Finding
from companion.app import checks
from companion.app.checkout import OpenCheckout
from companion.app.checks import BROKEN, OK, WARNING
from companion.app.compose import open_runtime
from companion.app.scheduled import ScheduleLog
from companion.app.team.checking import server_finding
from companion.app.team.linking import link_of
from companion.config import Settings, data_home, load_settings, removed_settings
from companion.errors import CompanionError, ModelMissing, NotARepository, UsageError
from companion.signals import git
from companion.store import projects
from companion.store.care import health
from companion.store.files import FILE_NAME


def examine(path: Path, *, repair: bool) -> tuple[Finding, ...]:
    """Check everything from outside, a store that cannot be opened included; `repair` mends first."""
    home = data_home()
    found: list[Finding] = []
    try:
        settings = load_settings(home)
    except CompanionError as wrong:
        found.append(Finding("settings", BROKEN, wrong.what, wrong.next_step))
        settings = Settings()
    found += [Finding("settings", WARNING, said, "companion doctor --settings") for said in removed_settings(home)]
    if repair:
        found += health.repair(home, memory_limit=settings.memory_limit)
    store = health.diagnose(home, wait_s=settings.store_wait_s, memory_limit=settings.memory_limit)
    found += store
    if not any(finding.state == BROKEN for finding in store):
        found += _examine_inside(path, home, settings, repair=repair)
    found.append(checks.model_finding(settings))
    found.append(checks.language_model_finding(settings))
    found.append(_repository(path))
    with suppress(CompanionError):  # told of above
        found += checks.scheduled_finding(ScheduleLog(home, str(git.open_repository(path).root)))
    return tuple(found)


def _examine_inside(path: Path, home: Path, settings: Settings, *, repair: bool) -> list[Finding]:
    """The indexes of the project at `path`, where there is one."""
    if not (home / FILE_NAME).exists():
        return []
    try:
        runtime = open_runtime(home, settings, SystemClock())
    except (ModelMissing, UsageError):  # told of below; the rest is looked at all the same
        runtime = open_runtime(home, replace(settings, embeddings="off"), SystemClock())
    try:
        found = [checks.text_index_finding(runtime)]
        if repair and found[0].state != OK:
            runtime.store.text_index.rebuild()
            found = [structs.replace(checks.text_index_finding(runtime), what="It was damaged and has been rebuilt.")]
        if repair and runtime.store.passages.verify():
            runtime.store.passages.rebuild()
        try:
            state = git.open_repository(path)
            project, checkout = projects.identify(runtime.store.database, state, runtime.adapters.clock.now())
        except CompanionError:
            return found
        found.append(checks.reading_finding(OpenCheckout(runtime, state, project, checkout, owns_runtime=False)))
        found.append(checks.passages_finding(runtime, project, checkout))
        found.append(checks.vector_index_finding(runtime, project, repair=repair))
        link = link_of(runtime, project)
    finally:
        runtime.close()
    return [*found, *server_finding(link, SecretRedactor())]


def settings_table() -> tuple[tuple[str, str, str, str], ...]:
    """Every setting: name, value in force, default, reason."""
    settings = load_settings(data_home())
    return tuple(
        (f.name, str(getattr(settings, f.name)), str(f.default), str(f.metadata["why"])) for f in fields(Settings)
    )


def _repository(path: Path) -> Finding:
    try:
        state = git.open_repository(path)
    except NotARepository as wrong:
        return Finding("repository", WARNING, wrong.what, wrong.next_step)
    except CompanionError as wrong:
        return Finding("repository", BROKEN, wrong.what, wrong.next_step)
    notes = [
        note
        for note, holds in (
            ("bare", state.bare),
            ("shallow", state.shallow),
            ("no commits yet", not state.head),
            (f"in the middle of a {state.in_progress}", bool(state.in_progress)),
        )
        if holds
    ]
    branch = SecretRedactor().redact(state.branch)
    where = f"{state.root}, branch {branch or '(detached)'}" + "".join(f", {note}" for note in notes)
    return Finding("repository", OK, where + ".")
