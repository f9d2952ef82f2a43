"""What the passes of a night may ask, put together: the store's archive with judge, model and redactor."""

from __future__ import annotations

import logging
from collections.abc import Callable
from datetime import datetime
from typing import TYPE_CHECKING

from companion.adapters.nearness import nearness_of
from companion.app.nights.judges import judge_for
from companion.errors import CompanionError
from companion.judge.kept import faithful
from companion.judge.likeness import Likeness
from companion.ports import LanguageModel
from companion.store.night.archive import Archive
from companion.store.night.neighbours import model_of

if TYPE_CHECKING:
    from companion.app.rooms import Rooms

_log = logging.getLogger(__name__)


def archive_for(rooms: Rooms, project: str, now: datetime, breathe: Callable[[], object] = lambda: None) -> Archive:
    """The archive of one project at one moment.

    What is near is told by the model that most texts have a vector of: while those of another are made, that
    is still the one before. `breathe` is called every few milliseconds while something is looked for.
    """
    model = model_of(rooms.database, project)
    wording = language_model(rooms)
    return Archive(
        rooms.database,
        project,
        now,
        model=model,
        nearness=nearness_of(model),
        redactor=rooms.redactor,
        counter=rooms.counter,
        likeness=Likeness(),
        language_model=wording,
        judge=judge_for(wording),
        checker=faithful,
        breathe=breathe,
    )


def language_model(rooms: Rooms) -> LanguageModel | None:
    """The model with its calls of one night. Settings that name none which can be asked leave a night to the rules."""
    try:
        return rooms.make_language_model()
    except CompanionError as wrong:
        _log.warning("the night goes without a language model: %s", wrong)
        return None
