"""What a learner says now against what it said before: keep, refresh, replace, retire.

The policy, for one learner of one project. What is compared is a *line*: key, source and origin
together, with its values.

- a value that is said again stays as it is, with its counts, pins and importance; how it is worded
  and where it can be checked is brought up to date in place;
- a value that is no longer said, while another is new on the same line, becomes an earlier version;
- a value that is no longer said by an origin that was read is retired, superseded by what another origin newly says
  of the same thing;
- a value that was retired and comes back is a fresh memory; one that a person forgot stays forgotten, one that a
  run forgot does as long as the same evidence says it, and one that was merged into another memory stays merged
  while that one holds, and stands again when it does not;
- a pinned memory is never archived: it only stops being valid; its successor takes the pin over;
- nothing is ever deleted.

Everything is decided here, in memory, and then written by `memory_writer` with one statement a table:
20,000 drafts take two to three seconds.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from itertools import zip_longest
from types import MappingProxyType

from msgspec import Struct, field
from msgspec.structs import replace

from companion.ports import Redactor
from companion.records import Draft, Memory, memory_key
from companion.store.binding import duckdb
from companion.store.memories.rows_sql import memories_of
from companion.store.memories.sanitise import sanitise
from companion.store.rows import pairs, tuples
from companion.store.statements import execute
from companion.store.texts import hashed_id

SUPERSEDED = "superseded"
NO_LONGER_SAID = "no longer said by its source"
FORGOTTEN = "forgotten by hand"
LOST = "lost a contradiction"
LOST_PIN = f"{LOST}, pinned until then"
"""The same of one whose pin went over to what took its place: what takes that back pins it again."""
FADED = "not asked for any more"
"""Forgotten by a run."""
OUTDATED = "holds no longer"
"""Held against the code as it is and later commits, followed by why: asking does not bring it back."""
BROUGHT_BACK = "brought back by hand"
"""Kept with what stands again though the check had ended it: it is not ended a second time."""
TIMES_FADED = 4
"""Times that the same may have been forgotten, with other evidence each time, and still be known for it."""
MERGED = "merged"
"""Said by another memory, which has its evidence now and stands for it."""

Line = tuple[str, str, str]
"""Key, source and origin."""


class StatedDraft(Struct, frozen=True):
    """A draft made fit to keep, and the key of what it speaks of."""

    key: str
    draft: Draft

    @property
    def line(self) -> Line:
        """Where its earlier versions are looked for."""
        return _line(self.key, self.draft)


class Plan(Struct):
    """What is to be written."""

    born: list[tuple[StatedDraft, Memory | None]] = field(default_factory=list)
    """New memories, each with the version it replaces."""
    retired: list[Memory] = field(default_factory=list)
    same: list[tuple[StatedDraft, Memory]] = field(default_factory=list)
    forgotten: int = 0


_ACTIVE = """
select id
from memories
where project_id = $project
    and learner = $learner
    and status = 'active'
    and (
        origin in (select unnest($origins::varchar[]))
        or memory_key in (select unnest($keys::varchar[]))
    )
order by created_at, id
"""

_FORGOTTEN = """
select memory_key, source, origin, value
from memories
where project_id = $project
    and learner = $learner
    and status = 'archived'
    and (
        archived_reason in ($forgotten, $lost, $lost_pin)
        or archived_reason = $merged
            and superseded_by in (
                select id
                from memories
                where status = 'active'
                    or archived_reason in ($forgotten, $lost, $lost_pin)
            )
    )
"""

_FADED = """
select id, list(concat_ws(' ', evidence.kind, ref)) filter (where ref is not null)
from memories
left join memory_evidence as evidence on memory_id = id
where project_id = $project
    and learner = $learner
    and status = 'archived'
    and archived_reason = $faded
group by id
"""

_STAND_AGAIN = """
update memories
set status = 'active', archived_at = null, archived_reason = '', superseded_by = ''
where status = 'archived'
    and archived_reason = $merged
    and superseded_by in (select unnest($ids::varchar[]))
    and not (learner = $learner and origin in (select unnest($origins::varchar[])))
"""


def gather(drafts: Iterable[Draft], project: str, redactor: Redactor, *, each: bool) -> list[StatedDraft]:
    """Drafts made fit to keep and keyed; those that say the same on one line are one, evidence united."""
    folded: dict[tuple[Line, str], StatedDraft] = {}
    for draft in drafts:
        fit = sanitise(draft, redactor, each=each)
        said = StatedDraft(memory_key(fit, project), fit)
        place = (said.line, fit.value)
        before = folded.get(place)
        folded[place] = said if before is None else StatedDraft(said.key, _united(before.draft, fit))
    return list(folded.values())


def kept_lines(
    connection: duckdb.DuckDBPyConnection,
    project: str,
    learner: str,
    origins: Collection[str],
    keys: Collection[str],
) -> tuple[Memory, ...]:
    """The learner's active memories of these origins, and those with one of the keys, oldest first."""
    given = {"project": project, "learner": learner, "origins": origins, "keys": keys}
    return memories_of(connection, _ACTIVE, **given)


def plan(
    said: Sequence[StatedDraft],
    kept: Sequence[Memory],
    origins: Collection[str],
    forgotten: Collection[tuple[Line, str]],
    faded: Mapping[str, frozenset[str]] = MappingProxyType({}),
) -> Plan:
    """What has to change; `kept` on a line nobody spoke of is retired if its origin was read.

    `faded` is what a run forgot: its evidence, by id.
    """
    made = Plan()
    standing: defaultdict[Line, dict[str, Memory]] = defaultdict(dict)
    for memory in kept:
        standing[_line(memory.key, memory.draft)][memory.draft.value] = memory
    spoken: defaultdict[Line, list[StatedDraft]] = defaultdict(list)
    for one in said:
        spoken[one.line].append(one)
    for line, ones in spoken.items():
        before = standing.pop(line, {})
        fresh: list[StatedDraft] = []
        for one in ones:
            if one.draft.value in before:
                made.same.append((one, before.pop(one.draft.value)))
            elif (line, one.draft.value) in forgotten or (faded and _stays_faded(one, faded)):
                made.forgotten += 1
            else:
                fresh.append(one)
        for new, old in zip_longest(fresh, before.values()):
            if new is not None:
                made.born.append((new, old))
            elif old.draft.origin in origins:
                made.retired.append(old)
    for line, before in standing.items():
        if line[2] in origins:
            made.retired += before.values()
    made.retired = [memory for memory in made.retired if not (memory.draft.pinned and memory.draft.valid_to)]
    return made


def forgotten_values(connection: duckdb.DuckDBPyConnection, project: str, learner: str) -> set[tuple[Line, str]]:
    """What a person forgot or decided against, or another memory stands for: not learned again from the same line."""
    given = {
        "project": project,
        "learner": learner,
        "forgotten": FORGOTTEN,
        "lost": LOST,
        "lost_pin": LOST_PIN,
        "merged": MERGED,
    }
    return {((key, source, origin), value) for key, source, origin, value in tuples(connection, _FORGOTTEN, **given)}


def faded_evidence(connection: duckdb.DuckDBPyConnection, project: str, learner: str) -> dict[str, frozenset[str]]:
    """What a run forgot of what this learner said: the evidence it had, by its id."""
    found = pairs(connection, _FADED, project=project, learner=learner, faded=FADED)
    return {id_: frozenset(evidence or ()) for id_, evidence in found.items()}


def _line(key: str, draft: Draft) -> Line:
    return (key, draft.source.value, draft.origin)


def memory_id(said: StatedDraft, ordinal: int) -> str:
    """The id of what is said; `ordinal` counts its earlier lives, since what was retired keeps its own."""
    return hashed_id("m1", *said.line, said.draft.value, str(ordinal))


def _stays_faded(said: StatedDraft, faded: Mapping[str, frozenset[str]]) -> bool:
    """Whether a run forgot just this, and nothing new speaks for it."""
    evidence = frozenset(f"{one.kind} {one.ref}" for one in said.draft.evidence)
    return any(faded.get(memory_id(said, ordinal)) == evidence for ordinal in range(TIMES_FADED))


def stand_again(
    connection: duckdb.DuckDBPyConnection, learner: str, origins: Collection[str], gone: Sequence[Memory]
) -> None:
    """What was merged into memories that are gone now is said by its own source still, and stands for itself.

    `origins` were just read: what they no longer say stays where it is.
    """
    if gone:
        given = {"merged": MERGED, "learner": learner, "origins": sorted(origins), "ids": [one.id for one in gone]}
        execute(connection, _STAND_AGAIN, given)


def _united(first: Draft, second: Draft) -> Draft:
    """The first, with what the second adds in evidence, entities, artifacts and confidence."""
    return replace(
        first,
        evidence=tuple(dict.fromkeys(first.evidence + second.evidence)),
        entities=tuple(dict.fromkeys(first.entities + second.entities)),
        artifacts=tuple(dict.fromkeys(first.artifacts + second.artifacts)),
        confidence=max(first.confidence, second.confidence),
    )
