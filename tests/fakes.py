"""Small real things that stand in for the outside: a clock one sets, tokens one can count, an embedder."""

from __future__ import annotations

import dataclasses
import hashlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

if TYPE_CHECKING:
    from companion.app.runtime import Runtime
    from companion.ports import LanguageModel


@dataclass
class FakeClock:
    """A clock that stands still until told to move."""

    moment: datetime = field(default_factory=lambda: datetime(2026, 1, 5, 9, 0))

    def now(self) -> datetime:
        return self.moment

    def advance(self, **by: float) -> None:
        self.moment += timedelta(**by)


class WordCounter:
    """One token a word or mark: quick, and additive enough to reason about."""

    name = "words"

    def count(self, text: str) -> int:
        import re

        return len(re.findall(r"\w+|[^\w\s]", text))


class HashEmbedder:
    """Texts that share words are near: a bag of hashed words, normalised."""

    model = "hash-32"
    dimension = 32

    def embed(self, texts: Sequence[str]) -> npt.NDArray[np.float32]:
        rows = np.zeros((len(texts), self.dimension), dtype=np.float32)
        for row, text in zip(rows, texts, strict=True):
            for word in text.lower().split():
                row[int(hashlib.sha256(word.encode()).hexdigest(), 16) % self.dimension] += 1
        return rows / np.maximum(np.linalg.norm(rows, axis=1, keepdims=True), 1e-9)


class PlainRedactor:
    """Hides the one secret that tests plant."""

    def redact(self, text: str) -> str:
        return text.replace("hunter2-secret", "[redacted password]")


@dataclass
class ScriptedModel:
    """Answers each question with the next line of its script; an error in it is raised. It keeps what it was asked."""

    script: list[str | Exception]
    name: str = "scripted"
    asked: list[str] = field(default_factory=list)

    def complete(self, prompt: str, schema: Mapping[str, object], timeout_s: float) -> str:
        self.asked.append(prompt)
        said = self.script[min(len(self.asked), len(self.script)) - 1]
        if isinstance(said, Exception):
            raise said
        return said


def with_language_model(runtime: Runtime, make: Callable[[], LanguageModel | None], **changes: object) -> Runtime:
    """The same runtime, with a language model and other changes of its fields."""
    return dataclasses.replace(
        runtime, adapters=dataclasses.replace(runtime.adapters, make_language_model=make), **changes
    )
