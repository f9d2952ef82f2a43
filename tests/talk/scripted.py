"""A reader that hears what a test says it hears, so that the test is of what is made of it and not of the hearing."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from companion.records.readings import DialogueAct, PairReading

SHARE = 0.95
"""Of the act that was scripted; the rest is split evenly."""
BESIDE = PairReading(contrary=0, same=0, contains=0, contained=0, beside=1)
CONTRARY = PairReading(contrary=1, same=0, contains=0, contained=0, beside=0)


def _beside(a: str, b: str) -> PairReading:
    return BESIDE


class ScriptedReader:
    """Hears in a sentence the act of the first of `acts` that it contains, else `default`; two statements go beside
    one another unless `pair` says otherwise.

    A sentence is read with who says it before it, as `assistant: I'd use Redis.`, which a key may name too.
    """

    version = "scripted"

    def __init__(
        self,
        acts: Mapping[str, DialogueAct] | None = None,
        default: DialogueAct = DialogueAct.REMARK,
        pair: Callable[[str, str], PairReading] = _beside,
    ) -> None:
        self._acts = {words.lower(): act for words, act in (acts or {}).items()}
        self._default = default
        self._pair = pair

    def act(self, context: str, sentence: str) -> Mapping[DialogueAct, float]:
        said = sentence.lower()
        heard = next((act for words, act in self._acts.items() if words in said), self._default)
        rest = (1 - SHARE) / (len(DialogueAct) - 1)
        return {act: SHARE if act is heard else rest for act in DialogueAct}

    def pair(self, a: str, b: str) -> PairReading:
        return self._pair(a, b)
