"""What stands outside: the clock, tokens, vectors, a redactor, a language model, and whoever watches progress."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Protocol, runtime_checkable

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from companion.records import JudgeAnswer, Judgement


class Clock(Protocol):
    """Tells the time."""

    def now(self) -> datetime:
        """The present moment, naive UTC."""


class TokenCounter(Hashable, Protocol):
    """Counts tokens exactly, offline; what was counted is remembered by it."""

    @property
    def name(self) -> str:
        """The encoding's name, `o200k` by default; shown with every count."""

    def count(self, text: str) -> int:
        """The number of tokens of `text`."""


class Embedder(Protocol):
    """Turns texts into unit vectors."""

    @property
    def model(self) -> str:
        """Name and checksum of the model: vectors of different models never meet."""

    @property
    def dimension(self) -> int:
        """Length of a vector."""

    def embed(self, texts: Sequence[str]) -> npt.NDArray[np.float32]:
        """Unit vectors, one row a text: shape (len(texts), dimension)."""


class Redactor(Protocol):
    """Finds secrets and replaces them."""

    def redact(self, text: str) -> str:
        """The text with each secret replaced by `[redacted KIND]`."""


class LanguageModel(Protocol):
    """Any chat model behind an OpenAI-compatible endpoint; absent by default."""

    @property
    def name(self) -> str:
        """What the endpoint calls it: what it said is kept under this name."""

    def complete(self, prompt: str, schema: Mapping[str, object], timeout_s: float) -> str:
        """A reply that was asked to follow a JSON schema; never trusted to.

        Raises ModelUnavailable where none came in time (ModelSpent: it was asked often enough this run),
        ModelTalkedNonsense where what came is no answer.
        """


class BatchJudge(Protocol):
    """A language model that answers questions a few at a time; see `companion.judge.batches`."""

    @property
    def name(self) -> str:
        """How it is named as a judge."""

    @property
    def wrong(self) -> str:
        """Why questions of its last batch were not answered, in a sentence; empty while all is well."""

    def answers(self, asked: Sequence[Judgement], /) -> Iterator[JudgeAnswer]:
        """What it says of each question that it answered. Never raises."""


class Checker(Protocol):
    """Says why a shorter text may not stand for a longer one; see `companion.judge.faithfulness.faithful`."""

    def __call__(self, above: str, reply: str, statement: str = "", /) -> tuple[str, ...]:
        """Each fault in words, none if it may; `statement` is the part of `above` whose marks must all be kept."""


FOUND = "found "
"""What a step begins with that tells what was found."""


@runtime_checkable
class Progress(Protocol):
    """Told how far a long work is, by whoever does it."""

    def step(self, stage: str, done: int, total: int | None) -> None:
        """`stage` is a few words for people; `total` is None while unknown.

        A stage that begins with `FOUND` is none: `done` things of that name were found so far.
        """


class NoProgress:
    """A `Progress` that nobody looks at."""

    def step(self, stage: str, done: int, total: int | None) -> None:
        """Nothing."""
