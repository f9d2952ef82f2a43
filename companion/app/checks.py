"""What is sound of an open store and what is not, and making derived things anew."""

from __future__ import annotations

from companion.adapters.embedders import make_embedder
from companion.adapters.embedding import MiniLmEmbedder
from companion.adapters.secrets import SecretRedactor
from companion.api import Finding
from companion.app.checkout import OpenCheckout
from companion.app.runtime import Runtime
from companion.app.scanning.behind import look
from companion.app.scanning.line_origins import LineOriginStage
from companion.app.scanning.passages import PassageStage
from companion.app.scanning.stage import Tree
from companion.app.scanning.vectors import fill_vectors
from companion.app.scheduled import ScheduleLog
from companion.app.team.checking import server_finding
from companion.app.team.linking import link_of
from companion.config import DaemonUse, Settings, model_key
from companion.errors import CompanionError, ModelMissing, ModelUnavailable, UsageError
from companion.ports import Embedder
from companion.records import RepoState
from companion.store.care import health
from companion.store.text.documents import commit_space, file_space

OK, WARNING, BROKEN = "ok", "warning", "broken"

MODEL_FIRST = "Do what stands beside the model, then `companion init`."
MEMORY, THREADS = "200MB", 1
"""What DuckDB may hold, and how many of its threads may work, while a daemon's store is checked: whoever asks meanwhile
has the other processors, as at night."""


def rebuild(stage: PassageStage, tree: Tree) -> tuple[Finding, ...]:
    """Make the indexes of words, passages and vectors anew; missing vectors are made too."""
    runtime, project, progress = stage.runtime, stage.project, stage.progress
    progress.step("indexing words", 0, 1)
    runtime.store.text_index.rebuild()
    progress.step("indexing words", 1, 1)
    runtime.store.passages.rebuild()
    stage.run(tree)
    runtime.store.line_origins.drop(project)
    stage.stage(LineOriginStage).run()
    if runtime.adapters.embedder is not None:
        fill_vectors(runtime, project, progress)
        runtime.store.vectors.rebuild(project, runtime.adapters.embedder)
    return (
        text_index_finding(runtime),
        passages_finding(runtime, project, stage.checkout),
        vector_index_finding(runtime, project, repair=False),
    )


def examine_open(runtime: Runtime, state: RepoState, project: str, checkout: str) -> tuple[Finding, ...]:
    """What `companion doctor` checks where this process has the store open: it, its indexes, models, the repository."""
    return (
        *health.examine(runtime.store.database),
        text_index_finding(runtime),
        reading_finding(OpenCheckout(runtime, state, project, checkout, owns_runtime=False)),
        passages_finding(runtime, project, checkout),
        vector_index_finding(runtime, project, repair=False),
        model_finding(runtime.settings, runtime.adapters.embedder),
        language_model_finding(runtime.settings),
        *server_finding(link_of(runtime, project), runtime.adapters.redactor),
        Finding("repository", OK, f"{state.root}, branch {state.branch or '(detached)'}."),
        *scheduled_finding(ScheduleLog(runtime.store.database.path.parent, str(state.root), runtime.adapters.clock)),
    )


def scheduled_finding(log: ScheduleLog) -> tuple[Finding, ...]:
    """What the last run came to that the system started by itself, where one is scheduled."""
    found = log.finding()
    return () if found is None else (found,)


def text_index_finding(runtime: Runtime) -> Finding:
    """Whether the index of words is sound."""
    wrong = runtime.store.text_index.verify()
    if wrong:
        return Finding("text index", BROKEN, wrong, "companion rebuild")
    return Finding("text index", OK, "OK.")


def reading_finding(here: OpenCheckout) -> Finding:
    """Whether what was read is what stands in the checkout now."""
    if not here.was_read():
        return Finding("reading", WARNING, f"{here.state.root} has not been read yet.", "companion init")
    try:
        behind = look(here)
    except CompanionError as wrong:
        return Finding("reading", WARNING, wrong.what, wrong.next_step)
    if behind:
        return Finding("reading", WARNING, f"Not read yet: {behind.told}.", "companion init")
    return Finding("reading", OK, "All commits and files are read.")


def passages_finding(runtime: Runtime, project: str, checkout: str) -> Finding:
    """Whether the index of passages is sound and has every file and commit that the tables have."""
    index = runtime.store.passages
    if wrong := index.verify():
        return Finding("passages", BROKEN, wrong, "companion rebuild")
    files, commits = index.states(file_space(checkout)), index.states(commit_space(project))
    known, history = runtime.store.code.known(checkout), runtime.store.history.branches(project)
    lacking = len(known.keys() - files.keys()), len(history.keys() - commits.keys())
    if any(lacking):
        what = f"{lacking[0]:,} of {len(known):,} files and {lacking[1]:,} of {len(history):,} commits are not in it."
        return Finding("passages", WARNING, what, "companion init")
    return Finding("passages", OK, f"{len(known):,} files and {len(history):,} commits are in it.")


def vector_index_finding(runtime: Runtime, project: str, *, repair: bool) -> Finding:
    """Whether every text has a vector; with `repair` their index is made anew first."""
    if runtime.adapters.embedder is None:
        state = OK if runtime.settings.embeddings == "off" else WARNING
        return Finding("vectors", state, "None are made without a model; search is by words and names.", MODEL_FIRST)
    try:
        if repair:
            runtime.store.vectors.rebuild(project, runtime.adapters.embedder)
        embedder = runtime.adapters.embedder
        found = runtime.store.vectors.check(project, embedder)
        passages, near = runtime.store.passage_vectors.extent(project, embedder.model, embedder.dimension)
    except ModelMissing:  # some tell how long their vectors are only once they are loaded
        what = "None are made: the model cannot be loaded; search is by words and names."
        return Finding("vectors", WARNING, what, MODEL_FIRST)
    if found.making:
        return Finding("vectors", OK, "Their index is being made; until then the most useful ones are searched.")
    made, texts = found.with_vector + near, found.texts + passages
    if made < texts:
        what = f"{made:,} of {texts:,} texts have one so far."
        if runtime.settings.daemon == DaemonUse.NEVER:
            return Finding("vectors", WARNING, what, "companion init")
        return Finding("vectors", OK, f"{what} The background service makes the rest.")
    return Finding("vectors", OK, f"All {texts:,} texts have a vector." if texts else "Nothing was read yet.")


def model_finding(settings: Settings, loaded: Embedder | None = None) -> Finding:
    """Whether the model that the settings name makes vectors; one that is `loaded` already is asked itself."""
    if settings.embeddings == "off":
        return Finding("model", OK, "Embeddings are switched off; search is by words alone.")
    try:
        embedder = loaded or make_embedder(settings) or MiniLmEmbedder()  # the last says why it is not there
        embedder.embed(["one text"])
    except ModelMissing as wrong:
        return Finding("model", WARNING, wrong.what, wrong.next_step)
    except UsageError as wrong:
        return Finding("model", BROKEN, wrong.what, wrong.next_step)
    return Finding("model", OK, f"{embedder.model} is installed and complete.")


def language_model_finding(settings: Settings) -> Finding:
    """Whether the endpoint that the settings name answers; without one no connection is made."""
    from companion.adapters.language_model import EndpointModel, make_language_model
    from companion.adapters.model_command import CommandModel

    try:
        model: CommandModel | EndpointModel | None = make_language_model(settings, model_key(), SecretRedactor())
        if model is None and settings.model_command.strip():
            model = CommandModel(settings.model_command, SecretRedactor(), 0, 0)
        if model is None:
            return Finding(
                "language model", OK, "None is configured; rules work without one, and nothing is sent anywhere."
            )
        model.look()
    except UsageError as wrong:
        return Finding("language model", BROKEN, wrong.what, wrong.next_step)
    except ModelUnavailable as wrong:
        return Finding("language model", WARNING, wrong.what, wrong.next_step)
    return Finding("language model", OK, f"`{model.name}` is available and used in consolidation runs.")
