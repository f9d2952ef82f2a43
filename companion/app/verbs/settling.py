"""Settling: what contradicts what, and how a person decides it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from companion.api import Verdict
from companion.app.checkout import OpenCheckout
from companion.app.given import scope_inside
from companion.errors import UsageError
from companion.records import (
    Body,
    Contradiction,
    Decision,
    Draft,
    Memory,
    Resolution,
    Ruling,
    Scope,
    Source,
    Superseded,
)
from companion.store.consolidation.successions import superseded
from companion.store.memories import contradictions, usage

HOW_TO_PART = "Say where each holds: `--scope-a path=FOLDER`, `--scope-b environment=NAME`."
SETTLED = "settle"
"""The action by which upholding a memory against another is logged as citing it."""
SUPERSEDED_SHOWN, SUPERSEDED_MOST = 50, 1_000
"""Superseded memories that are listed unless more are asked for, and at most: more is an export."""
MERGED_MAX_CHARACTERS = 20_000
"""As long as a note by hand may be."""


class Settling(OpenCheckout):
    """The verbs about contradictions. See `companion.api.Companion`."""

    def contradictions(self, *, settled: bool = False) -> tuple[Contradiction, ...]:
        """Open contradictions, newest first, with what is proposed of them; `settled` adds those that were settled."""
        found = contradictions.open_ones(self.rooms.database, self.project, settled=settled)
        return tuple(_proposed(one) if one.resolution is None else one for one in found)

    def judge_again(self, id_: str) -> Ruling:
        """What the judges say of a contradiction now: rules, and the language model if one is configured.

        Nothing is changed: whether the two can both hold is for a person to say. A model that does not answer
        leaves it to the rules.
        """
        from companion.app.consolidation.archives import language_model
        from companion.app.consolidation.judges import local
        from companion.judge.batches import ModelJudge
        from companion.store.consolidation.pairs import sides

        one = self._of_this_project(id_)
        known = sides(self.rooms.database, [one.a.id, one.b.id])
        model, a, b = language_model(self.rooms), known[one.a.id].statement, known[one.b.id].statement
        ruling = None if model is None else ModelJudge(model).rule(a, b)
        if ruling is None or ruling.contradict is None:
            ruling = local().rule(a, b)
        return replace(ruling, reason=self._fit(ruling.reason))

    def superseded(self, limit: int = SUPERSEDED_SHOWN) -> tuple[Superseded, ...]:
        """What newer statements of the same source took the place of, newest first."""
        if not 1 <= limit <= SUPERSEDED_MOST:
            raise UsageError(f"{limit} memories cannot be listed.", f"Give 1 to {SUPERSEDED_MOST:,}.")
        return superseded(self.rooms.database, self.project, limit)

    def settle(self, id_: str, verdict: Verdict) -> Contradiction:
        """Settle a contradiction as a person says; the loser is superseded, never deleted.

        Sides that are valid in scopes of their own, and sides that are merged, are superseded by what the
        person says in their place. Raises UsageError for a verdict that does not fit its resolution.
        """
        one = self._of_this_project(id_)
        instead = self._instead(one, verdict)
        settled = self.rooms.memories.settle(one.id, verdict.resolution, verdict.note, self.now(), instead=instead)
        usage.record(self.rooms.database, _upheld(one, verdict.resolution), "cited", SETTLED, self.now())
        return settled

    def unsettle(self, id_: str) -> Contradiction:
        """Take back how a contradiction was settled: what lost stands again, what took a side's place is archived."""
        one = self._of_this_project(id_)
        return self.rooms.memories.unsettle(one.id, self.now())

    def _of_this_project(self, id_: str) -> Contradiction:
        one = contradictions.contradiction(self.rooms.database, self._fit(id_))
        if one.project != self.project:
            raise UsageError(f"{one.id} belongs to another project.", "Run the command there, or name it with `-C`.")
        return one

    def _instead(self, one: Contradiction, verdict: Verdict) -> Mapping[str, Draft]:
        """What takes the place of a side, by the id of the side; empty where the sides stay as they are."""
        merged = verdict.merged.strip()
        if verdict.resolution is Resolution.MERGED:
            if not merged:
                raise UsageError("Merging needs the text that is true instead of both.", 'Give it: `--text "…"`.')
            if len(merged) > MERGED_MAX_CHARACTERS:
                raise UsageError(f"{len(merged):,} characters are too many for one memory.", "Say it shorter.")
            draft = _merged(one, merged)
            return {one.a.id: draft, one.b.id: draft}
        if merged:
            raise UsageError("A text is only given to merge both sides.", "Settle it as `merged`.")
        if verdict.resolution is not Resolution.BOTH_VALID:
            if verdict.scope_a or verdict.scope_b:
                raise UsageError("Scopes are only given where both sides are valid.", "Settle it as `both_valid`.")
            return {}
        return self._parted(one, verdict)

    def _parted(self, one: Contradiction, verdict: Verdict) -> Mapping[str, Draft]:
        """Each side with the scope that separates it from the other."""
        given = {
            memory.id: (memory, self._scope(scope))
            for memory, scope in ((one.a, verdict.scope_a), (one.b, verdict.scope_b))
            if scope is not None
        }
        scopes = [given[m.id][1] if m.id in given else m.draft.scope for m in (one.a, one.b)]
        if given and scopes[0] == scopes[1]:
            raise UsageError("Both sides have the same scope, which separates nothing.", HOW_TO_PART)
        return {id_: _scoped(memory, scope) for id_, (memory, scope) in given.items() if scope != memory.draft.scope}

    def _scope(self, scope: Scope) -> Scope:
        return replace(scope, path=scope_inside(scope.path, self.state))


def _upheld(one: Contradiction, resolution: Resolution) -> list[str]:
    """The sides that a person says are true: they were read and acted on."""
    return {
        Resolution.A_WINS: [one.a.id],
        Resolution.B_WINS: [one.b.id],
        Resolution.BOTH_VALID: [one.a.id, one.b.id],
        Resolution.MERGED: [],
    }[resolution]


def _proposed(one: Contradiction) -> Contradiction:
    """The contradiction with the scopes that its sides' own words name, if they do."""
    from companion.judge.parting import parted

    found = parted(one.a, one.b)
    return one if found is None else replace(one, scope_a=found.scope_a, scope_b=found.scope_b, merged=found.merged)


def _scoped(memory: Memory, scope: Scope) -> Draft:
    """What a side says, in a scope of its own."""
    from companion.kinds.levels import fact_levels

    draft = memory.draft
    levels = fact_levels(draft.subject, draft.attribute, draft.value, scope)
    return replace(draft, scope=scope, levels=levels, source=Source.BY_HAND, origin="", valid_to=None)


def _merged(one: Contradiction, text: str) -> Draft:
    """What a person says in place of both sides, with the evidence, entities and pins of all."""
    from companion.kinds.levels import fact_levels

    a, b = one.a.draft, one.b.draft
    drafts = [memory.draft for memory in one.members]
    return replace(
        a,
        value=text,
        levels=fact_levels(a.subject, a.attribute, text, a.scope),
        body=None if a.body is None else _reworded(a, text),
        evidence=tuple(dict.fromkeys(piece for one in drafts for piece in one.evidence)),
        entities=tuple(dict.fromkeys(name for one in drafts for name in one.entities)),
        artifacts=tuple(dict.fromkeys(piece for one in drafts for piece in one.artifacts)),
        importance=max(one.importance for one in drafts),
        pinned=any(one.pinned for one in drafts),
        label=a.label or b.label,
        confidence=1.0,
        source=Source.BY_HAND,
        origin="",
        valid_from=None,
        valid_to=None,
    )


def _reworded(draft: Draft, text: str) -> Body:
    """A decision's body with what is chosen now."""
    return replace(draft.body, choice=text) if isinstance(draft.body, Decision) else draft.body
