"""Who judges at once whether two statements can both hold: rules always, and beside them a small model."""

from __future__ import annotations

import logging
from functools import cache, partial
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from companion.ports import Embedder, Judge, Reader

_log = logging.getLogger(__name__)


@cache
def rules() -> Judge:
    """The judge that is always there, loaded with the first pair: a command that learns nothing reads no word lists."""
    from companion.judge.rules import RulesJudge

    return RulesJudge()


@cache
def reader() -> Reader | None:
    """The model that reads two sentences together, loaded with the first pair; None where it cannot be run."""
    from companion.adapters.reader import PairReader, can_read

    return PairReader() if can_read() else None


def local(embedder: Embedder | None = None, *, thorough: bool = False) -> Judge:
    """Rules and reader together; rules alone where there is no reader. `thorough` is for who has some seconds.

    An `embedder` lets the reader be believed sooner of two texts that are near in meaning.
    """
    from companion.judge.learned import LocalJudge, NearInMeaning

    found, alike = reader(), None if embedder is None else NearInMeaning(embedder.model, partial(near, embedder))
    return rules() if found is None else LocalJudge(found, alike, thorough=thorough)


def near(embedder: Embedder, a: str, b: str) -> bool:
    """Whether two texts are as near as those of which a judge is asked; no two are where the model cannot be run."""
    from companion.adapters.nearness import nearness_of

    try:
        one, other = embedder.embed([a, b])
    except Exception:  # whatever a model's runtime raises: without nearness the pair is only asked about
        _log.warning("the meaning of two texts cannot be compared", exc_info=True)
        return False
    return float(one @ other) >= nearness_of(embedder.model).asked
