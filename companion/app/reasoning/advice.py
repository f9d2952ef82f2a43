"""Where a language model is set up it is asked for its opinion on a request; whatever goes wrong, rules go on alone."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from msgspec import Struct

from companion import wire
from companion.app.runtime import Runtime
from companion.errors import CompanionError, ModelTalkedNonsense, ModelUnavailable, UsageError
from companion.records.reasoning import AnswerKind

if TYPE_CHECKING:
    from companion.reason.hints import Memo

LEFT_ALONE = timedelta(minutes=1)
"""A model that did not answer is not asked again for so long: somebody waits for each answer."""
NOT_UNDERSTOOD = "Rules alone decided: the model's reply was not in the form that was asked for."
RULES = "rules"


class Advice(Struct, frozen=True):
    """What a model said, empty if nothing; who it is, and what is to be said of it."""

    reply: str = ""
    model: str = ""
    notes: tuple[str, ...] = ()

    def made_by(self, *, understood: bool) -> str:
        """Who made an answer that this advice was (or was not) understood for."""
        return f"{RULES} and {self.model}" if self.reply and understood else RULES

    def noted(self, *, understood: bool) -> tuple[str, ...]:
        """What went wrong, if anything did."""
        return self.notes if understood or not self.reply else (*self.notes, NOT_UNDERSTOOD)


@dataclass
class Adviser:
    """Asks the model that the settings name, one question at a time. Threads may share it."""

    taught: int = field(default=0, init=False)
    """Raised whenever a person says what came of an answer: what outcomes have taught is made anew then."""
    _silent_until: datetime = field(default=datetime.min, init=False, repr=False)

    def ask(self, runtime: Runtime, kind: AnswerKind, texts: Mapping[str, str], memos: Sequence[Memo]) -> Advice:
        """What the model says of texts and what is known beside them. Never raises what a model can do wrong."""
        now = runtime.adapters.clock.now()
        try:
            model = runtime.adapters.make_language_model()
            if model is None:
                return Advice()
            from companion.reason import consult  # with the rules of reasoning, which few processes need

            if not consult.may_be_asked(*texts.values()):
                return Advice(notes=("The model was not asked: the text speaks to it.",))
            if now < self._silent_until:
                return Advice(notes=("Rules alone decided: the model has not answered recently.",))
            question = consult.prompt(kind.value, texts, consult.shown(memos))
            schema = wire.form_of(consult.FORMS[kind.value])
            return Advice(model.complete(question, schema, consult.REPLY_S), model.name)
        except (ModelUnavailable, OSError) as wrong:
            self._silent_until = now + LEFT_ALONE
            return Advice(notes=(f"Rules alone decided: {_said(wrong)}",))
        except (ModelTalkedNonsense, UsageError) as wrong:
            return Advice(notes=(f"Rules alone decided: {_said(wrong)}",))


def _said(wrong: Exception) -> str:
    return wrong.what if isinstance(wrong, CompanionError) else type(wrong).__name__
