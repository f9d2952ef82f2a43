"""What the passes of a run may ask, put together: the store's archive with judge, model and redactor."""

from __future__ import annotations

import logging
from collections.abc import Callable
from datetime import datetime
from functools import partial

from companion.adapters.nearness import nearness_of
from companion.app.consolidation.judges import local, reader
from companion.app.runtime import Runtime
from companion.errors import CompanionError
from companion.judge.batches import ModelBatches
from companion.judge.faithfulness import faithful
from companion.judge.likeness import ReadLikeness
from companion.ports import LanguageModel
from companion.store.consolidation.archive import StoredArchive
from companion.store.consolidation.neighbours import model_of

_log = logging.getLogger(__name__)


def archive_for(
    runtime: Runtime, project: str, now: datetime, breathe: Callable[[], object] = lambda: None
) -> StoredArchive:
    """The archive of one project at one moment.

    What is near is told by the model that most texts have a vector of: while those of another are made, that
    is still the one before. `breathe` is called every few milliseconds while something is looked for.
    """
    model = model_of(runtime.store.database, project)
    wording = language_model(runtime)
    judging = wording or command_model(runtime)
    return StoredArchive(
        runtime.store.database,
        project,
        now,
        model=model,
        nearness=nearness_of(model),
        redactor=runtime.adapters.redactor,
        counter=runtime.adapters.counter,
        likeness=ReadLikeness(reader()),
        language_model=wording,
        judge=local(runtime.adapters.embedder, thorough=True),
        batches=None if judging is None else ModelBatches(judging),
        judged_a_day=runtime.settings.judgements_a_day,
        checker=faithful,
        breathe=breathe,
    )


def language_model(runtime: Runtime) -> LanguageModel | None:
    """The model with its calls of one run. Settings that name none which can be asked leave a run to the rules."""
    return _made(runtime.adapters.make_language_model)


def command_model(runtime: Runtime) -> LanguageModel | None:
    """The program that the setting `model_command` names; asked as a judge alone: each call is a whole session."""
    if not runtime.settings.model_command.strip():
        return None
    from companion.adapters.model_command import CommandModel

    settings = runtime.settings
    make = partial(
        CommandModel,
        settings.model_command,
        runtime.adapters.redactor,
        settings.model_timeout_s,
        settings.model_max_calls,
    )
    return _made(make)


def _made(make: Callable[[], LanguageModel | None]) -> LanguageModel | None:
    try:
        return make()
    except CompanionError as wrong:
        _log.warning("the run goes without a language model: %s", wrong)
        return None
