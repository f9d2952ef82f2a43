"""Memories: kept by hand, gone through, looked back at, and what contradicts what."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial

from msgspec.structs import asdict, replace

from companion import escape
from companion.api import Note, Noted, Verdict
from companion.app.checkout import Service
from companion.app.given import line_of, page, scope_inside
from companion.app.verbs.memory.acts import act_named, as_own
from companion.errors import UsageError
from companion.records import (
    Body,
    Contradiction,
    Decision,
    Draft,
    FactType,
    Kind,
    Memory,
    Resolution,
    Ruling,
    Scope,
    Source,
    Superseded,
    Visibility,
    entity,
)
from companion.records.browsing import Dossier
from companion.records.looking import TimelinePage, TimelineQuery
from companion.records.talk import Item, ItemType
from companion.store.consolidation.successions import superseded
from companion.store.memories import contradictions, ties, timeline, usage
from companion.store.memories.memories import ReconcileOutcome
from companion.store.memories.timeline import Whose
from companion.store.standing import CONVENTION_LABEL
from companion.store.subjects import is_id, of_id
from companion.store.talk import known

PINNED, REVIVED = "pin", "revive"
"""The actions by which pinning a memory and bringing one back are logged as citing it."""
NAME_CHARACTERS = 100
"""Characters of an assistant's name."""
LOOKED_AT_LATER = (
    "Not everything it may contradict was looked at yet: the background service does so when it is idle, "
    "`companion consolidate` at once."
)
"""Said where a busy machine broke the look off."""
PAGE_MOST = 500
"""Memories of one page: more than anybody reads in one go."""
VERSIONS_TOLD = 100
"""Versions of a memory that are followed back."""
USES_TOLD = 50
"""Latest uses of a memory that are told."""
HOW_TO_PART = "Say where each holds: `--scope-a path=FOLDER`, `--scope-b environment=NAME`."
SETTLED = "settle"
"""The action by which upholding a memory against another is logged as citing it."""
SUPERSEDED_SHOWN, SUPERSEDED_MOST = 50, 1_000
"""Superseded memories that are listed unless more are asked for, and at most: more is an export."""
MERGED_MAX_CHARACTERS = 20_000
"""As long as a note by hand may be."""


class KeptMemories(Service):
    """The verbs of memories. See `companion.api.Companion`."""

    def remember(self, note: Note) -> Noted:
        from companion.kinds.by_hand import draft_from_note, people_in

        if not escape.visible_text(note.text).strip():  # what nobody sees would be an empty line of every context
            raise UsageError("There is nothing to remember.", "Write it: `companion remember TEXT`.")
        scope = replace(note.scope, path=self.here.scope(note.scope.path))
        from companion.app.consolidation.contested import contest
        from companion.app.consolidation.opposing import ARRIVED_S, note_opposed
        from companion.app.talks.heard import is_rule

        moment = self.here.now()
        writer = self.here.fit(" ".join(note.assistant.split()))[:NAME_CHARACTERS]
        draft = draft_from_note(
            note.text, note.kind, scope, note.visibility, note.pinned, note.label, moment, assistant=writer
        )
        people = people_in(note.text, known.people(self.store.database), moment)
        draft = replace(draft, entities=tuple(dict.fromkeys((*draft.entities, *people))))
        if not draft.label and draft.type == FactType.FACT and is_rule(draft.value, moment):
            draft = replace(draft, label=CONVENTION_LABEL)
        memory = self.store.memories.remember(self.here.project, draft, moment)
        over: list[str] = []
        if memory.created_at >= moment:
            put_off = partial(self.here.say, LOOKED_AT_LATER)
            added = ReconcileOutcome(added=1)
            if memory.draft.kind is Kind.FACT:
                contest(self.runtime, self.here.project, self.here.checkout, memory.id)
            note_opposed(self.runtime, self.here.project, added, moment, ARRIVED_S, put_off, over.append)
        became = "to-do" if self._open_todo(memory) else _became(memory.draft)
        against = tuple(one for one in self.contradictions() if memory.id in {side.id for side in one.members})
        kept = asdict(memory)
        return Noted(**kept, became=became, contradicts=against, replaces=self.store.memories.get(over))

    def _open_todo(self, memory: Memory) -> bool:
        """Open the to-do that a note is, if it is one; it is told like any other."""
        from companion.language.noted_todos import noted_todo
        from companion.store.talk import acts, items

        database, moment = self.store.database, self.here.now()
        todo = noted_todo(memory.draft.levels.full, moment)
        if todo is None or memory.draft.kind is Kind.EPISODE:
            return False
        act = acts.ensure(database, self.store.user, self.here.name[: acts.NAME_MAX], moment, project=self.here.project)
        details = {"status": "decided", **({"due": todo.due} if todo.due else {})}
        item = Item("", ItemType.TASK, todo.text, 0, details=details, memory=memory.id, act=act.id)
        kept = items.add(database, item, "", moment)
        self.here.say(f"It is to be done: `companion todo --done {kept.id[:12]}` once it is.")
        return True

    def forget(self, id_: str) -> Memory:
        return self.store.memories.forget(self.here.own(id_), self.here.now())

    def revive(self, id_: str) -> Memory:
        """Bring an archived memory back; that cites it, so that the next run does not forget it again."""
        back = self.store.memories.revive(self.here.own(id_), self.here.now())
        usage.record(self.store.database, [back.id], "cited", REVIVED, self.here.now())
        return back

    def pin(self, id_: str, *, on: bool) -> Memory:
        pinned = self.store.memories.pin(self.here.own(id_), on)
        if on:
            usage.record(self.store.database, [pinned.id], "cited", PINNED, self.here.now())
        return pinned

    def cite(self, ids: Sequence[str], action: str) -> None:
        """Record that memories influenced an action; what a run had archived comes back by it."""
        known = self._known(ids)
        usage.record(self.store.database, known, "cited", action, self.here.now())
        self.store.memories.asked_for(known, self.here.now())

    def pass_over(self, ids: Sequence[str], action: str) -> None:
        usage.record(self.store.database, self._known(ids), "ignored", action, self.here.now())

    def _known(self, ids: Sequence[str]) -> list[str]:
        """Whole ids; of commits, which a search finds too, none is counted. Raises UnknownMemory for other prefixes."""
        return [self.here.own(id_) for id_ in ids if not is_id(id_)]

    def dossier(self, id_: str) -> Dossier:
        if commit := of_id(self.store.database, self.here.project, id_):
            return Dossier(commit[0])
        database, found = self.store.database, self.here.resolved(id_)
        (memory,) = self.store.memories.get([found])
        against = contradictions.open_ones(database, memory.project, settled=True)
        return Dossier(
            memory=memory,
            versions=self._versions(memory),
            linked=ties.linked(database, memory.project, [found]).get(found, ()),
            contradictions=tuple(one for one in against if found in {side.id for side in one.members}),
            used=usage.of(database, found, USES_TOLD),
        )

    def _versions(self, memory: Memory) -> tuple[Memory, ...]:
        """What was said of the same thing before and after, and what it took the place of, oldest first."""
        known = {one.id: one for one in self.store.memories.versions(memory.id)}
        at = memory
        while at.supersedes and at.supersedes not in known and len(known) < VERSIONS_TOLD:
            if not (before := self.store.memories.get([at.supersedes])):
                break
            at = known[before[0].id] = before[0]
        return tuple(sorted(known.values(), key=lambda one: (one.created_at, one.id)))

    def timeline(self, query: TimelineQuery) -> TimelinePage:
        fit = replace(
            query,
            limit=page(query.limit, PAGE_MOST),
            kinds=query.kinds or (() if query.act or query.state else (Kind.EPISODE,)),
            path=self.here.library().called(scope_inside(query.path, self.here.state)) if query.path else "",
            before_id=self.here.fit(query.before_id),
            persona=line_of(query.persona),
        )
        act = act_named(self.here, query.act) if query.act else None
        spaces = (self.here.project, self.store.user) if query.state else (self.here.project,)
        whose = Whose(spaces, self.here.checkout, self.here.state.branch)
        if act is not None:
            whose = replace(whose, act=act.id, act_project=act.project)
        return timeline.read(self.store.database, whose, fit, self._names_of(query.person))

    def _names_of(self, person: str) -> list[str]:
        """The entities that somebody goes by, under every spelling that is known."""
        if not person.strip():
            return []
        return self.store.readings.memory_index.aliases.of(self.here.project).all([entity("person", line_of(person))])

    def contradictions(self, *, settled: bool = False) -> tuple[Contradiction, ...]:
        found = contradictions.open_ones(self.store.database, self.here.project, settled=settled)
        return tuple(_proposed(one) if one.resolution is None else self._where_valid(one) for one in found)

    def _where_valid(self, one: Contradiction) -> Contradiction:
        """A contradiction of which both sides are valid, with the scopes that these hold in since."""
        if one.resolution is not Resolution.BOTH_VALID:
            return one
        ids = [side.superseded_by or side.id for side in (one.a, one.b)]
        scopes = {memory.id: memory.draft.scope for memory in self.store.memories.get(ids)}
        return replace(one, scope_a=scopes.get(ids[0]), scope_b=scopes.get(ids[1]))

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
        known = sides(self.store.database, [one.a.id, one.b.id])
        model, a, b = language_model(self.runtime), known[one.a.id].statement, known[one.b.id].statement
        ruling = None if model is None else ModelJudge(model).rule(a, b)
        if ruling is None or ruling.contradict is None:
            ruling = local(self.runtime.adapters.embedder, thorough=True).rule(a, b)
        return replace(ruling, reason=self.here.fit(ruling.reason))

    def superseded(self, limit: int = SUPERSEDED_SHOWN) -> tuple[Superseded, ...]:
        if not 1 <= limit <= SUPERSEDED_MOST:
            raise UsageError(f"{limit} memories cannot be listed.", f"Give 1 to {SUPERSEDED_MOST:,}.")
        return superseded(self.store.database, self.here.project, limit)

    def settle(self, id_: str, verdict: Verdict) -> Contradiction:
        """Settle a contradiction as a person says; the loser is superseded, never deleted.

        Sides that are valid in scopes of their own, and sides that are merged, are superseded by what the
        person says in their place. Raises UsageError for a verdict that does not fit its resolution.
        """
        one = self._of_this_project(id_)
        instead = self._instead(one, verdict)
        settled = self.store.memories.settle(one.id, verdict.resolution, verdict.note, self.here.now(), instead=instead)
        usage.record(self.store.database, _upheld(one, verdict.resolution), "cited", SETTLED, self.here.now())
        from companion.app.team.exchange import note_resolution

        note_resolution(self.here, settled)
        return self._where_valid(settled)

    def unsettle(self, id_: str) -> Contradiction:
        one = self._of_this_project(id_)
        return self.store.memories.unsettle(one.id, self.here.now())

    def _of_this_project(self, id_: str) -> Contradiction:
        one = contradictions.contradiction(self.store.database, self.here.fit(id_))
        if one.project != self.here.project:
            raise UsageError(f"{one.id} belongs to another project.", "Run the command there, or name it with `-C`.")
        return one

    def _instead(self, one: Contradiction, verdict: Verdict) -> Mapping[str, Draft]:
        """What takes the place of a side, by the id of the side; empty where the sides stay as they are."""
        merged = verdict.merged.strip()
        if verdict.resolution is Resolution.MERGED:
            if not merged:
                raise UsageError(
                    "Merging needs the text that is true instead of both.",
                    "Give `--text`, or `merged`.",
                )
            if len(merged) > MERGED_MAX_CHARACTERS:
                raise UsageError(f"{len(merged):,} characters are too many for one memory.", "Shorten it.")
            draft = _merged(one, merged)
            return {one.a.id: draft, one.b.id: draft}
        if merged:
            raise UsageError("A text is only given to merge both sides.", "Resolve it as `merged`.")
        if verdict.resolution is not Resolution.BOTH_VALID:
            if verdict.scope_a or verdict.scope_b:
                raise UsageError("Scopes are only given where both sides are valid.", "Resolve it as `both_valid`.")
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
        return replace(scope, path=self.here.scope(scope.path))


def _became(draft: Draft) -> str:
    """What a note is by what it says and how it was named."""
    if draft.kind is not Kind.FACT:
        return draft.kind.value
    if draft.type == FactType.DECISION:
        return draft.type
    return "rule" if draft.label == CONVENTION_LABEL else "note"


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
    from companion.judge.parting import parting_of

    found = parting_of(one.a, one.b)
    return one if found is None else replace(one, scope_a=found.scope_a, scope_b=found.scope_b, merged=found.merged)


def _scoped(memory: Memory, scope: Scope) -> Draft:
    """What a side says, in a scope of its own."""
    from companion.kinds.levels import fact_levels

    draft = as_own(memory.draft)
    levels = fact_levels(draft.subject, draft.attribute, draft.value, scope)
    return replace(draft, scope=scope, levels=levels, source=Source.BY_HAND, origin="", valid_to=None)


def _merged(one: Contradiction, text: str) -> Draft:
    """What a person says in place of both sides, with the evidence, entities and pins of all."""
    from companion.kinds.levels import fact_levels

    a, b = as_own(one.a.draft), as_own(one.b.draft)
    drafts = [as_own(memory.draft) for memory in one.members]
    private = any(draft.visibility is Visibility.USER_PRIVATE for draft in drafts)
    return replace(
        a,
        value=text,
        levels=fact_levels(a.subject, a.attribute, text, a.scope),
        body=None if a.body is None else _reworded(a, text),
        evidence=tuple(dict.fromkeys(piece for one in drafts for piece in one.evidence)),
        entities=tuple(dict.fromkeys(name for one in drafts for name in one.entities)),
        artifacts=tuple(dict.fromkeys(piece for one in drafts for piece in one.artifacts)),
        visibility=Visibility.USER_PRIVATE if private else a.visibility,
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
