"""A library held in memory: what the engine may ask of a project, answered from plain lists."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime

from msgspec.structs import replace

from companion.ports import (
    CommitSummary,
    FileOwner,
    LineMaker,
    Neighbour,
    PastChange,
    Readiness,
    Recent,
    Standing,
    TextMatch,
    Topic,
)
from companion.records import (
    CodeForms,
    Contradiction,
    Decision,
    EpisodeType,
    FactType,
    Failure,
    Hit,
    Kind,
    Link,
    Memory,
    Passage,
    PassageHit,
    PassageKind,
    Reason,
    SearchQuery,
    Span,
    entity,
)
from companion.records.talk import Item
from companion.syntax.alike import PastSubjects, most_alike

_WORD = re.compile(r"\w+")

CONVENTION = "convention"
"""The label of what says how things are done here."""


def words(text: str) -> frozenset[str]:
    return frozenset(_WORD.findall(text.lower()))


@dataclass
class FakeLibrary:
    """Answers like the store would, from what it was given."""

    memories: Sequence[Memory] = ()
    codes: Mapping[str, CodeForms] = field(default_factory=dict)
    links_: Sequence[Link] = ()
    commits: Sequence[tuple[str, tuple[str, ...]]] = ()
    contradictions: Sequence[Contradiction] = ()
    owners_: Mapping[str, tuple[FileOwner, ...]] = field(default_factory=dict)
    topics_: Sequence[Topic] = ()
    learned: Mapping[str, Mapping[str, float]] = field(default_factory=dict)
    damaged: tuple[str, ...] = ()
    passages_: Sequence[Passage] = ()
    changes: Sequence[PastChange] = ()
    made: Mapping[tuple[str, Span], tuple[LineMaker, ...]] = field(default_factory=dict)
    told: Mapping[str, CommitSummary] = field(default_factory=dict)
    threads: Sequence[Item] = ()

    def __post_init__(self) -> None:
        self.by_id = {memory.id: memory for memory in self.memories}
        self.by_entity: dict[str, list[Memory]] = {}
        self.by_place: dict[str, list[Memory]] = {}
        self.by_word: dict[str, list[Memory]] = {}
        for memory in sorted(self.memories, key=lambda m: (-m.draft.importance, m.id)):
            for key in memory.draft.entities:
                self.by_entity.setdefault(key, []).append(memory)
            for place in {memory.draft.scope.path, *(e.ref for e in memory.draft.evidence)} - {""}:
                self.by_place.setdefault(place, []).append(memory)
            for word in words(memory.draft.levels.summary):
                self.by_word.setdefault(word, []).append(memory)
        self._together: dict[str, Counter[str]] = {}
        self._last: dict[str, int] = {}
        for at, (_, paths) in enumerate(self.commits):
            for path in paths:
                self._last[path] = at
                self._together.setdefault(path, Counter()).update(p for p in paths if p != path)
        self._standing = Standing(
            foundation=tuple(m for m in self.memories if m.draft.pinned or m.draft.importance == 3)[:20],
            conventions=tuple(m for m in self.memories if m.draft.type == FactType.PREFERENCE)[:60],
            workflows=tuple(m for m in self.memories if m.draft.kind is Kind.WORKFLOW)[:20],
            decisions=tuple(m for m in self.memories if isinstance(m.draft.body, Decision))[:60],
            contradictions=tuple(self.contradictions),
            rules=tuple(m for m in self.memories if m.draft.label == CONVENTION and not m.draft.attribute),
            talked=tuple(m for m in self.memories if m.draft.type == EpisodeType.CONVERSATION)[-1:],
        )

    def paths(self) -> Mapping[str, CodeForms]:
        return self.codes

    def cochanged(self, paths: Sequence[str], limit: int) -> tuple[Neighbour, ...]:
        total: Counter[str] = Counter()
        for path in paths:
            total.update(self._together.get(path, Counter()))
        ranked = sorted((-n, p) for p, n in total.items() if p not in set(paths) and p in self.codes)
        return tuple(Neighbour(p, float(-n), -n, "a change") for n, p in ranked[:limit])

    def recent(self, limit: int) -> tuple[Recent, ...]:
        newest = len(self.commits) - 1
        ranked = sorted((newest - at, path) for path, at in self._last.items() if path in self.codes)
        return tuple(Recent(path, ago, 1) for ago, path in ranked[:limit])

    def links(self, paths: Sequence[str]) -> tuple[Link, ...]:
        wanted = set(paths)
        return tuple(link for link in self.links_ if link.source in wanted or link.target in wanted)

    def passages(
        self,
        text: str,
        kinds: Sequence[PassageKind],
        limit: int,
        *,
        paths: Sequence[str] = (),
        meaning: bool = False,
    ) -> tuple[PassageHit, ...]:
        wanted = words(text)
        found = [
            PassageHit(one, float(len(both)), len(both) / len(wanted), tuple(sorted(both)))
            for one in self.passages_
            if one.kind in kinds
            and (not paths or one.path in paths)
            and (both := wanted & words(f"{one.title} {one.text}"))
        ]
        return tuple(sorted(found, key=lambda hit: -hit.score)[:limit])

    def alike(
        self, paths: Sequence[str], kinds: Sequence[PassageKind], limit: int, *, among: Sequence[str]
    ) -> tuple[PassageHit, ...]:
        names = (self.codes[path].outline for path in paths if path in self.codes)
        texts = (one.text for one in self.passages_ if one.path in paths)
        return self.passages(" ".join((*names, *texts)), kinds, limit, paths=among) if among else ()

    def makers(self, path: str, spans: Sequence[Span]) -> tuple[tuple[LineMaker, ...], ...]:
        return tuple(self.made.get((path, span), ()) for span in spans)

    def messages(self, text: str, limit: int) -> Mapping[str, float]:
        return {hit.passage.ref: hit.covers for hit in self.passages(text, (PassageKind.COMMIT,), limit)}

    def commit_summary(self, sha: str) -> CommitSummary | None:
        return self.told.get(sha)

    def match_files(self, text: str, limit: int) -> tuple[TextMatch, ...]:
        wanted = words(text)
        found = [
            (-len(both), path, tuple(sorted(both)))
            for path, code in self.codes.items()
            if (both := wanted & words(path.replace("_", " ") + " " + code.outline))
        ]
        return tuple(TextMatch(path, float(-n), both) for n, path, both in sorted(found)[:limit])

    def worth(self, text: str) -> Mapping[str, float]:
        said = {word: sum(word in words(code.outline) for code in self.codes.values()) for word in words(text)}
        return {word: 1 / (1 + times) for word, times in said.items()}

    def past_changes(self, text: str, limit: int) -> tuple[PastChange, ...]:
        newest_first = sorted(self.changes, key=lambda change: change.commits_ago)
        found = most_alike(text, PastSubjects([change.subject for change in newest_first]), limit)
        return tuple(
            replace(newest_first[one.at], alike=one.score, words=one.words, same_lead=one.same_lead) for one in found
        )

    def owners(self, path: str, limit: int) -> tuple[FileOwner, ...]:
        return self.owners_.get(path, ())[:limit]

    def about(self, entities: Sequence[str], limit: int) -> tuple[Memory, ...]:
        found = {memory.id: memory for key in entities for memory in self.by_entity.get(key, ())}
        return tuple(sorted(found.values(), key=lambda m: (-m.draft.importance, m.id)))[:limit]

    def within(self, path: str, limit: int) -> tuple[Memory, ...]:
        places = [path]
        while "/" in path:
            path = path.rpartition("/")[0]
            places.append(path)
        found = {memory.id: memory for place in places for memory in self.by_place.get(place, ())}
        return tuple(sorted(found.values(), key=lambda m: (-m.draft.importance, m.id)))[:limit]

    def declared(self, text: str, paths: Sequence[str], limit: int) -> tuple[Memory, ...]:
        return ()

    def failures(self, fingerprints: Sequence[str], since: datetime | None) -> tuple[Memory, ...]:
        found = []
        for memory in self.by_entity.get("topic:error", ()):
            body = memory.draft.body
            if not isinstance(body, Failure) or (fingerprints and body.fingerprint not in fingerprints):
                continue
            if since is None or memory.created_at >= since:
                found.append(memory)
        return tuple(found)

    def expect(self, text: str) -> None:
        """Nothing takes long here."""

    def search(self, query: SearchQuery) -> tuple[Hit, ...]:
        wanted = words(query.text)
        counts: Counter[str] = Counter()
        for word in wanted:
            counts.update(memory.id for memory in self.by_word.get(word, ())[:500])
        ranked = sorted((-n / max(len(wanted), 1), id_) for id_, n in counts.items())[: query.limit]
        return tuple(
            Hit(self.by_id[id_], -score, (Reason("words", -score, 1.0, "shares words"),)) for score, id_ in ranked
        )

    def get(self, ids: Sequence[str]) -> tuple[Memory, ...]:
        return tuple(self.by_id[id_] for id_ in ids if id_ in self.by_id)

    def standing(self) -> Standing:
        return self._standing

    def open_threads(self, paths: Sequence[str], limit: int) -> tuple[Item, ...]:
        keys = {entity("file", path) for path in paths}
        return tuple(one for one in self.threads if keys & set(one.entities))[:limit]

    def topics(self, limit: int) -> tuple[Topic, ...]:
        return tuple(self.topics_[:limit])

    def weights(self, name: str) -> Mapping[str, float]:
        return self.learned.get(name, {})

    def missing(self) -> tuple[str, ...]:
        return self.damaged

    def readiness(self) -> Readiness:
        return Readiness(len(self.memories), len(self.memories), 0, self.damaged)
