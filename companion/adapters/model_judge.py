"""A language model as a judge of two statements: asked in both orders, believed only where both agree.

What it reads is marked as data and stands between lines that it cannot contain; a text that speaks to the model
all the same is not shown to it. What it answers must have the form that was asked for, else it counts as no
answer. No answer means a ruling of None that is asked for again another night; a model that stays silent is not
asked again by this judge, so that a dead endpoint costs a night three waits and no more.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from companion.errors import ModelSpent, ModelTalkedNonsense, ModelUnavailable
from companion.ports import LanguageModel
from companion.records import Ruling, Statement

REPLY_S = 60.0
"""How long one answer may take: a small model on two cores needs twenty seconds. The setting may say less."""
SILENT_MOST = 3
"""Answers that may stay out, one after the other, before the model is left alone for the night."""
REASON_CHARACTERS = 300
"""Characters of a reason that are kept: a sentence."""
VERSION = 1
"""Of the question. A new one brings all pairs up again."""


class _Verdict(StrEnum):
    """What the model may say of two statements."""

    CONTRADICT = "contradict"
    COMPATIBLE = "compatible"
    UNSURE = "unsure"


SCHEMA: Mapping[str, object] = {
    "type": "object",
    "additionalProperties": False,
    "required": ["reason", "verdict", "confidence"],
    "properties": {
        "reason": {"type": "string", "maxLength": REASON_CHARACTERS},
        "verdict": {"type": "string", "enum": [one.value for one in _Verdict]},
        "confidence": {"type": "number", "minimum": 0, "maximum": 1},
    },
}
"""The reason comes first: a model that has to give one before its verdict gives a better verdict."""

_PROMPT = """Two notes about one software project are given as data between two lines "{fence}".
Could a careful developer hold both to be true at the same time?

Answer "contradict" only if both speak of the same thing, in the same place and at the same time, and following \
one means breaking the other, or one being true means the other is false.
Answer "compatible" if they speak of different things, places, versions, environments or times, if one is an \
exception to, a detail of or a stricter case of the other, or if they say the same in other words.
Answer "unsure" if that cannot be told from the notes.
Give a reason of one sentence, the verdict, and your confidence from 0 to 1.

{fence}
note 1{where_a}: {a}
{fence}
note 2{where_b}: {b}
{fence}
"""

_SPEAKS_TO_A_MODEL = re.compile(
    r"\b(?:ignore|disregard|forget|override)\b.{0,40}\b(?:instructions?|prompts?|rules|above|previous|prior)\b"
    r"|\b(?:system prompt|you are (?:now )?an? (?:ai|assistant|language model|judge)|as an ai)\b"
    r"|\b(?:answer|respond|reply|output|return|say)\b.{0,20}[\"'`]?(?:compatible|contradict|unsure)\b"
    r"|\"verdict\"",
    re.IGNORECASE,
)
"""A text that tells a model what to do: whatever it would answer then is not what it thinks."""


@dataclass
class ModelJudge:
    """Asks one model about pairs, at most as often as the model allows. Make one a night."""

    model: LanguageModel
    timeout_s: float = REPLY_S
    _silent: int = field(default=0, init=False, repr=False)
    _spent: bool = field(default=False, init=False, repr=False)

    @property
    def name(self) -> str:
        """The model's name and the version of the question."""
        return f"{self.model.name} {VERSION}"

    def rule(self, a: Statement, b: Statement) -> Ruling:
        """Both orders; where they do not agree it cannot say. Never raises."""
        if self._spent or self._silent >= SILENT_MOST:
            return self._again("the model is not asked any more this night")
        if _SPEAKS_TO_A_MODEL.search(a.text) or _SPEAKS_TO_A_MODEL.search(b.text):
            return self._again("a statement speaks to the model, which was not asked therefore")
        first = self._asked(a, b)
        if isinstance(first, str):
            return self._again(first)
        second = self._asked(b, a)
        if isinstance(second, str):
            return self._again(second)
        if first.contradict is None or first.contradict is not second.contradict:
            return Ruling(None, min(first.confidence, second.confidence), first.reason, self.name)
        return Ruling(first.contradict, min(first.confidence, second.confidence), first.reason, self.name)

    def _again(self, why: str) -> Ruling:
        return Ruling(None, 0.0, why, self.name, again=True)

    def _asked(self, a: Statement, b: Statement) -> Ruling | str:
        """What it says of the two in this order, or why there is no answer."""
        try:
            reply = self.model.complete(prompt(a, b), SCHEMA, self.timeout_s)
        except ModelSpent as wrong:
            self._spent = True
            return wrong.what
        except ModelTalkedNonsense as wrong:
            return wrong.what
        except (ModelUnavailable, OSError) as wrong:
            self._silent += 1
            return wrong.what if isinstance(wrong, ModelUnavailable) else type(wrong).__name__
        self._silent = 0
        return answered(reply, self.name) or "the model's answer is not in the form that was asked for"


def prompt(a: Statement, b: Statement) -> str:
    """The question about two statements, each between lines that neither can contain."""
    fence = f"=== {hashlib.sha256(f'{a.text}{b.text}'.encode('utf-8', 'replace')).hexdigest()[:16]} ==="
    return _PROMPT.format(fence=fence, a=_line(a.text), b=_line(b.text), where_a=_where(a), where_b=_where(b))


def answered(reply: str, judge: str) -> Ruling | None:
    """What a reply says; None unless it has just the form that was asked for."""
    try:
        told = json.loads(reply)
    except (ValueError, RecursionError):
        return None
    if not isinstance(told, dict) or set(told) != {"reason", "verdict", "confidence"}:
        return None
    reason, verdict, confidence = told["reason"], told["verdict"], told["confidence"]
    if not isinstance(reason, str) or not isinstance(verdict, str) or isinstance(confidence, bool):
        return None
    if verdict not in set(_Verdict) or not isinstance(confidence, int | float) or not 0 <= confidence <= 1:
        return None
    contradict = {_Verdict.CONTRADICT: True, _Verdict.COMPATIBLE: False, _Verdict.UNSURE: None}[_Verdict(verdict)]
    return Ruling(contradict, float(confidence), _line(reason)[:REASON_CHARACTERS], judge)


def _where(statement: Statement) -> str:
    """Where and of what a statement holds, as the question names it."""
    scope = statement.scope
    parts = [f"{name} {value}" for name, value in (
        ("about", statement.subject), ("language", scope.language), ("path", scope.path),
        ("environment", scope.environment), ("version", scope.version), ("branch", scope.branch),
    ) if value]  # fmt: skip
    return f" ({', '.join(map(_line, parts))})" if parts else ""


def _line(text: str) -> str:
    return " ".join(text.split())
