"""Where a language model is set up it is asked what a conversation leaves behind; whatever goes wrong, rules go on.

All questions of one closing share one deadline, the setting `model_timeout_s`: somebody waits. The store is not needed
meanwhile. Nothing is asked where no model is set up.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from msgspec.structs import replace

from companion import wire
from companion.app.runtime import Runtime
from companion.errors import CompanionError, ModelTalkedNonsense, ModelUnavailable, UsageError
from companion.escape import shortened
from companion.ports import LanguageModel
from companion.records.talk import Extraction, NamedItem, Turn
from companion.records.wording import unbroken
from companion.talk.consulted.claims import ClaimsForm, ModelClaim, Told, claims

Read = Callable[[Sequence[ModelClaim]], Extraction]

CLOSING_S = 540.0
"""How long a closing may wait in any case: less than a client waits for its answer. The setting mostly says less."""
REVIEW_S = 8.0
"""What was brought in is read when it is reviewed: an answer to that is waited for ten seconds."""
ALONE = "Rules alone read it"
PARTLY = "Rules alone read a part of it"
NOT_UNDERSTOOD = "the model's reply was not in the form that was asked for."
NOT_IN_TIME = "the model has no time left."
NAMED_MOST = 30
"""Items that whoever closes a conversation may name: more than a review is read."""
FAULTS_TOLD = 2
"""Faults of a narrative, and things left out, that a note names: enough to see why."""
QUOTE_CHARACTERS = 60
"""Signs of a quote by which a note names what is left out."""


@dataclass
class _Asking:
    """One model, asked until its time is over or it stays silent; what went wrong stands in `wrong`."""

    model: LanguageModel
    deadline: float
    passes: int = 0
    silent: bool = False
    wrong: list[str] = field(default_factory=list)

    def ask(self, question: str, form: type) -> str:
        """What it says, asked to fill in a form; empty where there is no answer."""
        left = self.deadline - time.monotonic()
        if self.silent or left <= 0:
            self.wrong += [] if self.silent else [NOT_IN_TIME]
            self.silent = True
            return ""
        try:
            reply = self.model.complete(question, wire.form_of(form), left)
        except (ModelUnavailable, OSError) as wrong:
            self.silent = True
            self.wrong.append(wrong.what if isinstance(wrong, CompanionError) else type(wrong).__name__)
            return ""
        except ModelTalkedNonsense as wrong:
            self.wrong.append(wrong.what)
            return ""
        self.passes += 1
        return reply


def told(runtime: Runtime, said: Sequence[Turn], read: Read, most_s: float) -> Told | None:
    """What the model says of a conversation, None where there is no model; `read` reads it with what was claimed.

    Never raises what a model can do wrong, and never waits longer for it than `most_s` or the setting says.
    """
    begun = time.monotonic()
    try:
        model = runtime.adapters.make_language_model()
    except UsageError as wrong:
        return Told(notes=(f"{ALONE}: {wrong.what}",))
    if model is None:
        return None
    asking = _Asking(model, begun + min(most_s, runtime.settings.model_timeout_s))
    claims, notes = _claims(runtime, asking, said)
    narrative, more = _narrative(runtime, asking, read(claims)) if not asking.silent else ("", ())
    seconds = round(time.monotonic() - begun, 3)
    return Told(claims, narrative, model.name, asking.passes, seconds, (*notes, *more))


def named(said: Sequence[Turn], items: Sequence[NamedItem], by: str, told: Told | None) -> Told:
    """What whoever closes a conversation names of it, before what a model said of it."""
    words = {turn.number: unbroken(" ".join(message.text for message in turn.messages)) for turn in said}
    claims = tuple(
        ModelClaim(
            one.type,
            max((at for at, text in words.items() if unbroken(one.quote) in text), default=0),
            one.quote,
            one.text,
        )
        for one in items
    )
    before = told or Told()
    names = " and ".join(filter(None, (by, before.model)))
    return replace(before, claims=(*claims, *before.claims), model=names, passes=before.passes + 1)


def joined(found: Extraction, told: Told) -> Extraction:
    """What was read with a model's claims, in its words where they may stand, and how it came about."""
    from companion.talk.consulted import believing, retelling

    notes = list(told.notes)
    words = told.narrative if found.items else ""
    if words and (faults := retelling.faults(words, found.items, found.narrative)):
        notes.append(f"The model's narrative was not used: {'; '.join(faults[:FAULTS_TOLD])}.")
        words = ""
    left = believing.unborne(told.claims, found.items)
    if left:
        quoted = ", ".join(f"“{shortened(one.quote, QUOTE_CHARACTERS)}”" for one in left[:FAULTS_TOLD])
        notes.append(
            f"{len(left)} of {len(told.claims)} things that were named are left out, for their words are not those of "
            f"the message that has the quote: {quoted}{', …' if len(left) > FAULTS_TOLD else ''}."
        )
    used = bool(words) or len(left) < len(told.claims) or (told.passes > 0 and not notes)
    return replace(
        found,
        narrative=words or found.narrative,
        made_by=f"{found.made_by} and {told.model}" if used else found.made_by,
        passes=found.passes + told.passes,
        seconds=round(found.seconds + told.seconds, 3),
        notes=tuple(notes),
    )


def _claims(runtime: Runtime, asking: _Asking, said: Sequence[Turn]) -> tuple[tuple[ModelClaim, ...], tuple[str, ...]]:
    """What the model names in each part, the newest part first, and what is to be noted of that."""
    from companion.language.sentences import clauses
    from companion.talk.consulted import asking as questions

    parts = questions.parts(clauses(sorted(said, key=lambda turn: turn.number)))
    found: list[ModelClaim] = []
    understood = 0
    with runtime.resting():
        for part in reversed(parts[-questions.PARTS_MOST :]):
            reply = asking.ask(questions.question(part), ClaimsForm)
            named = claims(reply) if reply else None
            if asking.silent:
                break
            asking.wrong += [NOT_UNDERSTOOD] if named is None and reply else []
            understood += named is not None
            found += named or ()
    if understood == len(parts):
        return tuple(found), ()
    why = asking.wrong[0] if asking.wrong else f"it is longer than a model is shown, {len(parts)} parts."
    return tuple(found), (f"{PARTLY if understood else ALONE}: {why}",)


def _narrative(runtime: Runtime, asking: _Asking, found: Extraction) -> tuple[str, tuple[str, ...]]:
    """The whole in the model's words, not checked yet; nothing is asked where there is nothing to tell."""
    from companion.talk.consulted import retelling

    if not found.items:
        return "", ()
    before = len(asking.wrong)
    with runtime.resting():
        reply = asking.ask(retelling.question(found.items), retelling.NarrativeForm)
    words = retelling.narrative_in(reply)
    if words:
        return words, ()
    why = asking.wrong[before] if len(asking.wrong) > before else NOT_UNDERSTOOD
    return "", (f"The narrative is the rules' own: {why}",)
