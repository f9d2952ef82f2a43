"""What a lived month left, beside its keys: merges, contradictions, notes lost and served too long, conversations."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from msgspec.structs import replace

from companion.api import Order, RunReport
from companion.records import Contradiction, Format, Judgement, Memory, Profile, SearchQuery, Signals, Status
from companion.records.memory import over_since
from companion.records.talk import Item, ItemType, item_in_words
from companion.store import judgements
from companion.surfaces.cli.run_report import page
from evals.labelled.month import BUDGET_TOKENS, FIRST, SEARCHED, GaveWay, MonthLife, Said, Talk

DUP, CON, REP = "dup:", "con:", "rep:"
OVER, DONE = "over", "done"
GOES = (DUP, REP, OVER, DONE)
"""Keys of notes that may be gone at the end."""
SORTS = {
    "decision": ItemType.DECISION,
    "todo": ItemType.TASK,
    "question": ItemType.QUESTION,
    "waiting": ItemType.WAITING_ON,
}
"""Sorts of a conversation's key, and the items that they are."""

LISTED = (
    "wrong_merges",
    "other_merges",
    "superseded",
    "not_merged",
    "contradictions",
    "contradictions_missed",
    "contradictions_other",
    "hand_notes_lost",
    "replacements",
    "over_served",
    "questions",
)
"""What the text lists, in this order, before conversations, report and greeting."""


def told(life: MonthLife) -> dict[str, Any]:
    """Everything that is told of a month, as one JSON object."""
    end = _End(life)
    lists = _lists(end)
    return {
        "eval": "month",
        "n": len(life.plan.notes),
        "ours": _figures(end, lists),
        **lists,
        "talks": {talk.name: _talk(life, id_, talk) for id_, talk in life.talks.items()},
        "waiting_by_run": life.waiting,
        "report": "" if life.report is None else page(_untimed(life.report)),
        "greeting": life.greeting.text,
        "settings": {
            "days": life.plan.days,
            "runs": len(life.waiting),
            "vectors": life.runtime.adapters.embedder is not None,
            "duplicate_groups": len(end.groups(DUP)),
            "contradiction_pairs": len(end.groups(CON)),
            "replacement_pairs": len(end.groups(REP)),
            "over": sum(OVER in one.keys for one in life.plan.notes),
        },
    }


def _lists(end: _End) -> dict[str, Any]:
    """What LISTED names, in words."""
    wrong = [one for one in end.merges() if not _shared(end.keys_of(one.gone), end.keys_of(one.stays), DUP)]
    found, others = end.contradictions()
    ways = end.life.gave_way
    return {
        "wrong_merges": [end.change(one) for one in wrong],
        "other_merges": [end.change(one) for one in ways if one.merged and not end.of_notes(one)],
        "superseded": [end.change(one) for one in ways if not one.merged],
        "not_merged": end.unseen(end.groups(DUP), end.merged_groups()),
        "contradictions": {key: end.opposed(one) for key, one in found},
        "contradictions_missed": end.unseen(end.groups(CON), {key for key, _ in found}),
        "contradictions_other": [end.opposed(one) for one in others],
        "hand_notes_lost": end.states(end.lost()),
        "replacements": end.replaced(),
        "over_served": end.served(),
        "questions": [end.question(one) for one in end.asked],
    }


def _figures(end: _End, lists: Mapping[str, Any]) -> dict[str, int]:
    """How many of each there are."""
    return {
        "wrong_merges": len(lists["wrong_merges"]),
        "duplicates_merged": len(end.merged_groups()),
        "duplicates_asked": sum(one["asked"] == "yes" for one in lists["not_merged"].values()),
        "contradictions_open": len(end.life.companion.contradictions()),
        "contradictions_right": len(lists["contradictions"]),
        "contradictions_asked": sum(one["asked"] == "yes" for one in lists["contradictions_missed"].values()),
        "hand_notes_lost": len(lists["hand_notes_lost"]),
        "replacements_seen": sum(one["seen"] for one in lists["replacements"]),
        "over_served": len(lists["over_served"]),
        "questions_waiting": len(end.asked),
    }


@dataclass
class _End:
    """The store on the morning after the last day."""

    life: MonthLife

    def __post_init__(self) -> None:
        ids = {one for way in self.life.gave_way for one in (way.gone, way.stays)} | set(self.life.notes)
        self.memories: dict[str, Memory] = {one.id: one for one in self.life.runtime.store.memories.get(sorted(ids))}
        self.asked = judgements.waiting(self.life.runtime.store.database, self.life.project)

    def keys_of(self, id_: str) -> frozenset[str]:
        """What the key says of the note that a memory is."""
        note = self.life.notes.get(id_)
        return note.keys if note is not None else frozenset()

    def all_keys(self, id_: str) -> frozenset[str]:
        """As `keys_of`, with those of all that was merged into it."""
        into = [one.gone for one in self.life.gave_way if one.merged and one.stays == id_]
        return self.keys_of(id_).union(*map(self.all_keys, into))

    def groups(self, sort: str) -> dict[str, list[str]]:
        """Ids of notes by the keys of a sort."""
        found: dict[str, list[str]] = defaultdict(list)
        for id_, note in self.life.notes.items():
            for key in note.keys:
                if key.startswith(sort):
                    found[key].append(id_)
        return dict(found)

    def of_notes(self, one: GaveWay) -> bool:
        """Whether both are notes."""
        return one.gone in self.life.notes and one.stays in self.life.notes

    def merges(self) -> list[GaveWay]:
        """Notes that were merged into notes."""
        return [one for one in self.life.gave_way if one.merged and self.of_notes(one)]

    def merged_groups(self) -> set[str]:
        """The groups of duplicates of which two were merged."""
        shared = (_shared(self.keys_of(one.gone), self.keys_of(one.stays), DUP) for one in self.merges())
        return {key for keys in shared for key in keys}

    def contradictions(self) -> tuple[list[tuple[str, Contradiction]], list[Contradiction]]:
        """The open ones that are pairs of the key, with their names there, and the others."""
        found, others = [], []
        for one in self.life.companion.contradictions():
            a, b = (frozenset[str]().union(*(self.all_keys(m.id) for m in side)) for side in (one.side_a, one.side_b))
            pairs = sorted(_shared(a, b, CON))
            if pairs:
                found.append((pairs[0], one))
            else:
                others.append(one)
        return found, others

    def asked_groups(self) -> set[str]:
        """The keys of groups and pairs of which two notes stand in one question that waits."""
        return {
            key
            for one in self.asked
            for sort in (DUP, CON, REP)
            for key in _shared(self.keys_of(one.inquiry.memories[0]), self.keys_of(one.inquiry.memories[-1]), sort)
            if len(one.inquiry.memories) > 1
        }

    def unseen(self, groups: Mapping[str, Sequence[str]], seen: Collection[str]) -> dict[str, Any]:
        """Groups of notes without those seen: what became of each, and whether a question about two of it waits."""
        asked = self.asked_groups()
        return {
            key: {"asked": "yes" if key in asked else "no", "notes": self.states(ids)}
            for key, ids in groups.items()
            if key not in seen
        }

    def question(self, one: Judgement) -> dict[str, Any]:
        """A question that waits, in words."""
        about = [self._said(memory) for memory in self.life.runtime.store.memories.get(list(one.inquiry.memories))]
        weight = round(one.inquiry.weight, 2)
        return {"texts": about, "why": one.inquiry.why, "weight": weight, "by": one.inquiry.proposed_by}

    def lost(self) -> list[str]:
        """Notes by hand that should stand, and neither do nor are folded into one that says the same."""
        return [
            id_
            for id_, note in self.life.notes.items()
            if note.by_hand and not any(key.startswith(GOES) for key in note.keys) and not self._stands(id_)
        ]

    def _stands(self, id_: str) -> bool:
        memory = self.memories[id_]
        if memory.status is Status.ACTIVE and not memory.superseded_by:
            return over_since(memory, self.life.clock.now()) is None
        same = memory.superseded_by and _shared(self.keys_of(id_), self.all_keys(memory.superseded_by), DUP)
        return bool(same) and memory.archived_reason == "merged" and self._stands(memory.superseded_by)

    def replaced(self) -> list[dict[str, Any]]:
        """Each pair of which the later openly replaces the earlier: whether that was seen, and how."""
        open_ = [{memory.id for memory in one.members} for one in self.life.companion.contradictions()]
        rows = []
        for key, ids in self.groups(REP).items():
            older, newer = ids[0], ids[-1]
            opposed = any({older, newer} <= members for members in open_)
            gone = self.memories[older].status is not Status.ACTIVE
            states = self.states([older, newer])
            rows.append({"key": key, "seen": gone or opposed, "contradiction": opposed, "notes": states})
        return rows

    def served(self) -> list[dict[str, str]]:
        """What is over and yet served as what holds, by a search for its own words or in a context for them."""
        found = []
        for id_, note in self.life.notes.items():
            if OVER in note.keys and (ways := list(self._ways(note.text, id_))):
                found.append({"text": note.text, "by": " and ".join(ways), "state": self._state(id_)})
        return found

    def _ways(self, text: str, id_: str) -> Iterator[str]:
        companion = self.life.companion
        hits = companion.search(SearchQuery(text=text, profile=Profile.LEARNED, limit=SEARCHED))
        if any(hit.id == id_ and hit.over is None for hit in hits):
            yield "search"
        context = companion.assemble(BUDGET_TOKENS, Signals(query=text), Format.JSON, Order.PEOPLE, count_use=False)
        if any(item.id == id_ for tier in context.tiers for item in tier.items):
            yield "context"

    def change(self, one: GaveWay) -> dict[str, Any]:
        """A change of a run in words."""
        words = {"gone": self._says(one.gone), "stays": self._says(one.stays), "reason": one.reason}
        return {"day": f"{one.day}", **words}

    def opposed(self, one: Contradiction) -> dict[str, Any]:
        """A contradiction in words."""
        a, b = ([self._said(memory) for memory in side] for side in (one.side_a, one.side_b))
        found = f"{one.detected_at:%Y-%m-%d}"
        return {"a": a, "b": b, "reason": one.reason, "confidence": round(one.confidence, 2), "found": found}

    def states(self, ids: Sequence[str]) -> list[dict[str, str]]:
        """Notes with what became of them."""
        return [{"text": self._says(id_), "state": self._state(id_)} for id_ in ids]

    def _says(self, id_: str) -> str:
        """What a memory says, with its day, who wrote it, and its key, where it is a note."""
        memory = self.memories.get(id_)
        return self._said(memory) if memory is not None else id_

    def _said(self, memory: Memory) -> str:
        note = self.life.notes.get(memory.id)
        aside = _aside(note) if note is not None else f"{memory.draft.source.value} {memory.draft.kind.value}"
        return f"{memory.draft.levels.full} [{aside}]"

    def _state(self, id_: str) -> str:
        memory = self.memories[id_]
        if memory.status is Status.ACTIVE:
            over = over_since(memory, self.life.clock.now())
            return f"active, over since {over:%Y-%m-%d}" if over else "active"
        instead = f"; in its place: {self._says(memory.superseded_by)}" if memory.superseded_by else ""
        return f"{memory.status.value} ({memory.archived_reason}){instead}"


def _aside(note: Said) -> str:
    by = "hand" if note.by_hand else "assistant"
    return ", ".join(filter(None, (f"day {note.day}", by, " ".join(sorted(note.keys)))))


def _shared(a: frozenset[str], b: frozenset[str], sort: str) -> frozenset[str]:
    return frozenset(key for key in a & b if key.startswith(sort))


def _untimed(report: RunReport) -> RunReport:
    """A report without the seconds that it took, which are never the same."""
    return replace(report, passes=tuple(replace(one, seconds=0.0) for one in report.passes))


def _talk(life: MonthLife, id_: str, talk: Talk) -> dict[str, Any]:
    """What a conversation left behind, in the words of the command line, beside its key."""
    kept = life.companion.transcript(id_).items
    return {
        "kept": {sort: [_item(one) for one in kept if one.type is type_] for sort, type_ in SORTS.items()},
        "beside": [f"{one.type.value}: {_item(one)}" for one in kept if one.type not in SORTS.values()],
        "key": list(talk.key),
    }


def _item(one: Item) -> str:
    return f"{item_in_words(one)} [turn {one.turn}, {one.state.value}]"


def as_text(found: Mapping[str, Any]) -> str:
    """All of it for people to read."""
    ours, settings = found["ours"], found["settings"]
    days = f"{settings['days']} days from {FIRST:%d %B %Y}, {settings['runs']} runs"
    parts = [f"month: {found['n']} notes, {days}, vectors: {'yes' if settings['vectors'] else 'no'}"]
    parts.append("\n".join(f"{name.replace('_', ' ')}: {value}" for name, value in ours.items()))
    for name, of in (("duplicate_groups", "duplicates_merged"), ("contradiction_pairs", "contradictions_right")):
        parts[-1] += f"\n{of.replace('_', ' ')} / {name.replace('_', ' ')}: {ours[of]} / {settings[name]}"
    parts[-1] += f"\nquestions waiting after each run: {', '.join(map(str, found['waiting_by_run']))}"
    parts += [_listed(name, found[name]) for name in LISTED]
    parts += [_told_talk(name, talk) for name, talk in found["talks"].items()]
    parts += [f"== report of the last run\n\n{found['report']}", f"== greeting\n\n{found['greeting']}"]
    return "\n\n".join(parts)


def _listed(name: str, rows: Sequence[Any] | Mapping[str, Any]) -> str:
    lines = [f"== {name.replace('_', ' ')} ({len(rows)})"]
    named = rows.items() if isinstance(rows, Mapping) else ((str(n), row) for n, row in enumerate(rows, 1))
    for label, row in named:
        lines += ["", f"{label}:", *_lines(row, "  ")]
    return "\n".join(lines)


def _lines(value: Any, indent: str) -> Iterator[str]:
    """A value of the JSON object in lines."""
    if isinstance(value, Mapping):
        for name, inner in value.items():
            if isinstance(inner, (list, dict)):
                yield f"{indent}{name}:"
                yield from _lines(inner, f"{indent}  ")
            else:
                yield f"{indent}{name}: {inner}"
    elif isinstance(value, list):
        for one in value:
            yield from _lines(one, indent)
    else:
        yield f"{indent}- {value}"


def _told_talk(name: str, talk: Mapping[str, Any]) -> str:
    lines = [f"== {name}"]
    for sort, kept in talk["kept"].items():
        key = [line.partition("|")[2].strip() for line in talk["key"] if line.startswith(f"{sort}|")]
        lines += ["", f"{sort}: {len(kept)} kept"]
        lines += [f"  - {one}" for one in kept]
        lines += [f"{sort}: {len(key)} in the key", *(f"  * {one}" for one in key)]
    dropped = [line.partition("|")[2].strip() for line in talk["key"] if line.startswith("dropped|")]
    lines += ["", "beside:", *(f"  - {one}" for one in talk["beside"])]
    return "\n".join([*lines, "dropped, in the key:", *(f"  * {one}" for one in dropped)])
