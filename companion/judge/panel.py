"""Several judges as one: rules propose, a model may only confirm or dismiss.

The policy, in order:

- what the rules hold compatible stays so: a model is not asked, and cannot open a contradiction by itself;
- two values of one property that the rules are sure of stand, model or not: no sentence had to be read;
- everything else that the rules propose is put to the model. If it agrees, both are surer than one; if it
  disagrees, the pair is dismissed; if it cannot say, the proposal stands with what the rules gave it;
- while the model is late or talks nonsense nothing is decided: the pair is asked about another night, unless
  the rules alone would have shown it, which then they do.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from companion.ports import Judge
from companion.records import Ruling, Statement

SURE = 0.9
"""Confidence of the rules from which no model is asked about two values of one property."""
SHOWN_ALONE = 0.6
"""Confidence of the rules from which a proposal is shown although the model did not answer."""


@dataclass(frozen=True, slots=True)
class Panel:
    """Rules, and a model that looks over what they propose. A judge like any other."""

    rules: Judge
    model: Judge

    @property
    def name(self) -> str:
        """Both names: rulings of the two together are kept apart from those of the rules alone."""
        return f"{self.rules.name} + {self.model.name}"

    def rule(self, a: Statement, b: Statement) -> Ruling:
        """What the two together make of two statements; see the module."""
        proposed = self.rules.rule(a, b)
        compared = bool(a.attribute) and (a.subject, a.attribute) == (b.subject, b.attribute)
        if proposed.contradict is False or (compared and proposed.contradict and proposed.confidence >= SURE):
            return replace(proposed, judge=self.name)
        return self._looked_over(proposed, self.model.rule(a, b))

    def _looked_over(self, proposed: Ruling, said: Ruling) -> Ruling:
        if said.again:
            stands = bool(proposed.contradict) and proposed.confidence >= SHOWN_ALONE
            return replace(proposed, contradict=True if stands else None, judge=self.rules.name, again=True)
        if said.contradict is None:
            return replace(proposed, judge=self.name)
        if said.contradict is False:
            return replace(said, judge=self.name)
        both = 1 - (1 - (proposed.confidence if proposed.contradict else 0.0)) * (1 - said.confidence)
        return Ruling(True, round(both, 3), said.reason or proposed.reason, self.name)
