"""Looking after the store: what is sound, what is not, and making derived things anew."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import fields, replace
from pathlib import Path

from companion.adapters.clock import SystemClock
from companion.adapters.embedding import MiniLmEmbedder
from companion.adapters.secrets import SecretRedactor
from companion.api import Finding
from companion.app.rooms import Rooms
from companion.app.scanning.line_origins import LineOriginStage
from companion.app.scanning.passages import PassageStage
from companion.app.scanning.stage import Tree
from companion.app.scanning.vectors import fill_vectors
from companion.app.scheduled import ScheduleLog
from companion.config import Settings, data_home, load_settings, model_key, removed_settings
from companion.errors import CompanionError, ModelMissing, ModelUnavailable, NotARepository, UsageError
from companion.ports import Embedder
from companion.records import RepoState
from companion.signals import git
from companion.store import projects
from companion.store.care import health
from companion.store.text.documents import commit_space, file_space

OK, WARNING, BROKEN = "ok", "warning", "broken"

MEMORY, THREADS = "200MB", 1
"""What DuckDB may hold, and how many of its threads may work, while an owner's store is checked: whoever asks meanwhile
has the other processors, as at night."""


def examine(path: Path, *, repair: bool) -> tuple[Finding, ...]:
    """Check everything from outside, a store that cannot be opened included; `repair` mends first."""
    home = data_home()
    found: list[Finding] = []
    try:
        settings = load_settings(home)
    except CompanionError as wrong:
        found.append(Finding("settings", BROKEN, wrong.what, wrong.next_step))
        settings = Settings()
    found += [Finding("settings", WARNING, said) for said in removed_settings(home)]
    if repair:
        found += health.repair(home, memory_limit=settings.memory_limit)
    store = health.diagnose(home, wait_s=settings.store_wait_s, memory_limit=settings.memory_limit)
    found += store
    if not any(finding.state == BROKEN for finding in store):
        found += _examine_inside(path, home, settings, repair=repair)
    found.append(_model(settings))
    found.append(_language_model(settings))
    found.append(_repository(path))
    with suppress(CompanionError):  # told of above
        found += _scheduled(ScheduleLog(home, str(git.open_repository(path).root)))
    return tuple(found)


def _examine_inside(path: Path, home: Path, settings: Settings, *, repair: bool) -> list[Finding]:
    """The indexes of the project at `path`, where there is one."""
    from companion.app.compose import open_rooms
    from companion.store.files import FILE_NAME

    if not (home / FILE_NAME).exists():
        return []
    try:
        rooms = open_rooms(home, settings, SystemClock())
    except (ModelMissing, UsageError):  # told of below; the rest is looked at all the same
        rooms = open_rooms(home, replace(settings, embeddings="off"), SystemClock())
    try:
        found = [_text_index(rooms)]
        if repair and found[0].state != OK:
            rooms.text_index.rebuild()
            found = [replace(_text_index(rooms), what="It was damaged, and was made anew.")]
        if repair and rooms.passages.verify():
            rooms.passages.rebuild()
        try:
            project, checkout = projects.identify(rooms.database, git.open_repository(path), rooms.clock.now())
        except CompanionError:
            return found
        found.append(_passages(rooms, project, checkout))
        found.append(_vector_index(rooms, project, repair=repair))
        return found
    finally:
        rooms.close()


def rebuild(stage: PassageStage, tree: Tree) -> tuple[Finding, ...]:
    """Make the indexes of words, passages and vectors anew; missing vectors are made too."""
    rooms, project, progress = stage.rooms, stage.project, stage.progress
    progress.step("indexing words", 0, 1)
    rooms.text_index.rebuild()
    progress.step("indexing words", 1, 1)
    rooms.passages.rebuild()
    stage.run(tree)
    rooms.line_origins.drop(project)
    stage.stage(LineOriginStage).run()
    if rooms.embedder is not None:
        fill_vectors(rooms, project, progress)
        rooms.vectors.rebuild(project, rooms.embedder)
    return (
        _text_index(rooms),
        _passages(rooms, project, stage.checkout),
        _vector_index(rooms, project, repair=False),
    )


def examine_open(rooms: Rooms, state: RepoState, project: str, checkout: str) -> tuple[Finding, ...]:
    """What `companion doctor` checks where this process has the store open: it, its indexes, models, the repository."""
    return (
        *health.examine(rooms.database),
        _text_index(rooms),
        _passages(rooms, project, checkout),
        _vector_index(rooms, project, repair=False),
        _model(rooms.settings, rooms.embedder),
        _language_model(rooms.settings),
        Finding("repository", OK, f"{state.root}, branch {state.branch or '(detached)'}."),
        *_scheduled(ScheduleLog(rooms.database.path.parent, str(state.root), rooms.clock)),
    )


def _scheduled(log: ScheduleLog) -> tuple[Finding, ...]:
    """What the last run came to that the system started by itself, where one is scheduled."""
    found = log.finding()
    return () if found is None else (found,)


def settings_table() -> tuple[tuple[str, str, str, str], ...]:
    """Every setting: name, value in force, default, reason."""
    settings = load_settings(data_home())
    return tuple(
        (f.name, str(getattr(settings, f.name)), str(f.default), str(f.metadata["why"])) for f in fields(Settings)
    )


def _text_index(rooms: Rooms) -> Finding:
    wrong = rooms.text_index.verify()
    if wrong:
        return Finding("text index", BROKEN, wrong, "companion rebuild")
    return Finding("text index", OK, "Sound.")


def _passages(rooms: Rooms, project: str, checkout: str) -> Finding:
    """Whether the index of passages is sound and has every file and commit that the tables have."""
    index = rooms.passages
    if wrong := index.verify():
        return Finding("passages", BROKEN, wrong, "companion rebuild")
    files, commits = index.states(file_space(checkout)), index.states(commit_space(project))
    known, history = rooms.code.known(checkout), rooms.history.branches(project)
    lacking = len(known.keys() - files.keys()), len(history.keys() - commits.keys())
    if any(lacking):
        what = f"{lacking[0]:,} of {len(known):,} files and {lacking[1]:,} of {len(history):,} commits are not in it."
        return Finding("passages", WARNING, what, "companion init")
    return Finding("passages", OK, f"{len(known):,} files and {len(history):,} commits are in it.")


def _vector_index(rooms: Rooms, project: str, *, repair: bool) -> Finding:
    if rooms.embedder is None:
        state = OK if rooms.settings.embeddings == "off" else WARNING
        return Finding("vectors", state, "None are made without a model; search is by words and names.")
    try:
        if repair:
            rooms.vectors.rebuild(project, rooms.embedder)
        found = rooms.vectors.check(project, rooms.embedder)
    except ModelMissing:  # some tell how long their vectors are only once they are loaded
        return Finding("vectors", WARNING, "None are made: the model cannot be loaded; search is by words and names.")
    if found.making:
        return Finding("vectors", OK, "Their index is being made; until then the most useful ones are searched.")
    if found.with_vector < found.texts:
        asked = rooms.search_models.of(project)
        until = f" Until then {asked.model} is asked." if asked is not None and asked is not rooms.embedder else ""
        what = f"{found.with_vector:,} of {found.texts:,} texts have a vector.{until}"
        return Finding("vectors", WARNING, what, "companion init")
    return Finding("vectors", OK, f"All {found.texts:,} texts have a vector.")


def _model(settings: Settings, loaded: Embedder | None = None) -> Finding:
    """Whether the model that the settings name makes vectors; one that is `loaded` already is asked itself."""
    from companion.app.compose import make_embedder

    if settings.embeddings == "off":
        return Finding("model", OK, "Embeddings are switched off; search is by words alone.")
    try:
        embedder = loaded or make_embedder(settings) or MiniLmEmbedder()  # the last says why it is not there
        embedder.embed(["one text"])
    except ModelMissing as wrong:
        return Finding("model", WARNING, wrong.what, wrong.next_step)
    except UsageError as wrong:
        return Finding("model", BROKEN, wrong.what, wrong.next_step)
    return Finding("model", OK, f"{embedder.model} is installed and whole.")


def _language_model(settings: Settings) -> Finding:
    """Whether the endpoint that the settings name answers; without one no connection is made."""
    from companion.adapters.language_model import EndpointModel, make_language_model
    from companion.adapters.model_command import CommandModel

    try:
        model: CommandModel | EndpointModel | None = make_language_model(settings, model_key(), SecretRedactor())
        if model is None and settings.model_command.strip():
            model = CommandModel(settings.model_command, SecretRedactor(), 0, 0)
        if model is None:
            return Finding("language model", OK, "None is configured; rules do without, and nothing is sent anywhere.")
        model.look()
    except UsageError as wrong:
        return Finding("language model", BROKEN, wrong.what, wrong.next_step)
    except ModelUnavailable as wrong:
        return Finding("language model", WARNING, wrong.what, wrong.next_step)
    return Finding("language model", OK, f"`{model.name}` is there, and asked in consolidation runs.")


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
