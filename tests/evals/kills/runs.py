"""Kill a run at random moments: does it go on, is no change made twice or by halves, is all of it taken back?

A store is made once and a plan with every sort of change is kept in it. Then, again and again, a process of
its own carries the plan out (or takes it back) over a copy and is killed (SIGKILL, no warning) at a random
moment; after a few kills it is let through. Every time the store is opened again, a change that the journal
calls made must be wholly in the memories and one that it calls planned not at all. Whole tables, links, evidence
and contradictions too, are compared when a round has come to its end, with an undisturbed run, and once more when
the run was undone, with kills, and the store must be what it was, row for row. A kill is not a loss of power.
"""

from __future__ import annotations

import hashlib
import multiprocessing
import random
import shutil
import signal
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime, timedelta
from multiprocessing.context import BaseContext
from multiprocessing.process import BaseProcess
from pathlib import Path
from typing import Any

from journalled import journalled
from msgspec import Struct, field

from companion.ports import Redactor
from companion.records import (
    Change,
    Draft,
    Evidence,
    EvidenceKind,
    Importance,
    Kind,
    Level,
    Levels,
    Merge,
    Oppose,
    Relate,
    Relation,
    Rescope,
    Retire,
    Reword,
    Scope,
    Shorten,
    Supersede,
    Unite,
    Warm,
    Warmth,
    Weigh,
)
from companion.records.runs import ChangeState
from companion.store.consolidation import applying, journal, undoing
from companion.store.database import Database
from companion.store.memories.memories import Memories
from companion.store.opening import open_store

PROJECT = "p1nights"
NOW = datetime(2026, 1, 5, 3, 0)
MEMORIES = 300
"""Of the store: a run over it takes about a second in its small batches, long enough to be killed in."""
BATCH_ROWS = 40
"""Memories a transaction, far fewer than in use, so that a kill meets many beginnings and ends of batches."""
KILLS_A_ROUND = 6
"""Kills before a run, and before its undoing, is let through: so that every state is reached."""
PART_OF_LIFE = 0.6
"""A child is killed at a random moment of this part of the time that the whole takes: a few kills come through."""
KILLED = -signal.SIGKILL if hasattr(signal, "SIGKILL") else 1
"""The exit code of a process that was killed."""
CHILD_S = 120.0
"""A child that takes longer hangs."""
TABLES = (
    *("memories", "memory_evidence", "memory_entities", "memory_artifacts"),
    *("contradictions", "memory_links", "aliases"),
)

Step = Callable[[int, int], None]


class Survived(Struct):
    """What came of it. Each of the lists names what went wrong, in sentences; all empty is the promise kept."""

    kills: int = 0
    while_applying: int = 0
    while_undoing: int = 0
    rounds: int = 0
    changes: int = 0
    halfway: int = 0
    """Kills after which some changes were made and others were not: those that prove something."""
    halves: list[str] = field(default_factory=list)
    doubled: list[str] = field(default_factory=list)
    not_restored: list[str] = field(default_factory=list)
    failed: list[str] = field(default_factory=list)
    seconds: float = 0.0

    @property
    def holds(self) -> bool:
        """Whether the promise was kept."""
        return not (self.halves or self.doubled or self.not_restored or self.failed)


def runs(folder: Path, kills: int, seed: int, progress: Step = lambda done, total: None) -> Survived:
    """Kill so many runs over copies of a store in the empty `folder`; takes about a second a kill."""
    begin = time.monotonic()
    chance = random.Random(seed)
    template, run = _template(folder / "template", seed)
    told = Survived()
    with _opened(template) as kept:
        before = state(kept)
        told.changes = sum(1 for _ in journalled(kept, run))
    whole, lives = _undisturbed(template, folder / "whole", run)
    while told.kills < kills and told.holds:
        home = folder / "round"
        shutil.rmtree(home, ignore_errors=True)
        shutil.copytree(template, home)
        told.rounds += 1
        for what, wanted, wrong in (("apply", whole, told.doubled), ("undo", before, told.not_restored)):
            job = _Job(home, run, what, lives[what] * PART_OF_LIFE)
            limit = min(KILLS_A_ROUND, kills - told.kills)
            _round(told, job, limit, chance, lambda: progress(told.kills, kills))
            wrong.extend(_differences(home, wanted, f"round {told.rounds}: to {what} came to something else"))
    told.seconds = time.monotonic() - begin
    return told


def state(database: Database) -> dict[str, str]:
    """A digest of every row of each table that a run may change."""
    found: dict[str, str] = {}
    with database.read() as connection:
        for table in TABLES:
            rows = sorted(repr(row) for row in connection.execute(f"from {table}").fetchall())
            found[table] = hashlib.sha256("\n".join(rows).encode()).hexdigest()
    return found


def _round(told: Survived, job: _Job, kills: int, chance: random.Random, step: Callable[[], None]) -> None:
    """Kill so many children at this job, looking at the store after each; then let one through."""
    for _ in range(kills):
        child = job.begun()
        child.join(chance.random() * job.life_s)
        child.kill()
        child.join(CHILD_S)
        if child.exitcode == 0:
            return
        if child.exitcode != KILLED:
            told.failed.append(f"{job.what} ended with {child.exitcode}")
            return
        told.kills += 1
        told.while_applying += job.what == "apply"
        told.while_undoing += job.what == "undo"
        step()
        _look(job.home, job.run, told)
    job.let_through()


def _look(home: Path, run: str, told: Survived) -> None:
    """The tables must be what the journal says of each change: replayed from its images, nothing is to be done."""
    with _opened(home) as database:
        states = {one.state for one in journalled(database, run)}
        told.halfway += ChangeState.APPLIED in states and bool(states & {ChangeState.PLANNED, ChangeState.UNDONE})
        with database.read() as connection:
            strange = connection.execute(_STRANGE, {"run": run}).fetchall()
            twice = connection.execute(_TWICE, {"run": run}).fetchall()
    told.halves += [f"change {number}: {why}" for number, why in strange]
    told.doubled += [f"change {number} wrote the row {key} twice" for number, key in twice]


_STRANGE = """
with images as (
    select number, row_key, before, after, state, what
    from run_rows
    join run_changes using (run_id, number)
    where run_id = $run
        and table_name = 'memories'
),
last as (
    select *
    from images
    where state = 'applied'
    qualify row_number() over (partition by row_key, what order by number desc) = 1
)
select number, 'is called made, but its memory is not as it left it'
from last
join memories on id = row_key
where json_exists(after, '$.status') and status <> (after ->> 'status')
    or json_exists(after, '$.warmth') and warmth <> (after ->> 'warmth')
    or json_exists(after, '$.offered_level') and offered_level <> (after ->> 'offered_level')
    or json_exists(after, '$.usefulness') and usefulness <> (after ->> 'usefulness')::double
    or json_exists(after, '$.content_summary') and content_summary <> (after ->> 'content_summary')
    or json_exists(after, '$.scope_path') and scope_path <> (after ->> 'scope_path')
union all
select number, 'is called planned, but rows of it are kept'
from images
where state = 'planned'
union all
select number, 'is called undone, but its memory is as it left it'
from images
join memories on id = row_key
where state = 'undone'
    and json_exists(after, '$.status')
    and (before ->> 'status') <> (after ->> 'status')
    and status = (after ->> 'status')
order by 1
limit 10
"""

_TWICE = """
select number, any_value(row_key)
from run_rows
where run_id = $run
group by number, table_name, row_key, after
having count(*) > 1
order by 1
limit 10
"""


def _differences(home: Path, wanted: dict[str, str], what: str) -> list[str]:
    with _opened(home) as database:
        found = state(database)
    return [f"{what} in {table}" for table in TABLES if found[table] != wanted[table]]


def _undisturbed(template: Path, home: Path, run: str) -> tuple[dict[str, str], dict[str, float]]:
    """What the run comes to when nobody kills it, and the seconds that it and its undoing take."""
    shutil.copytree(template, home)
    _Job(home, run, "apply", CHILD_S).begun().kill()  # the first child waits for all the imports
    lives = {"apply": _Job(home, run, "apply", CHILD_S).let_through()}
    with _opened(home) as database:
        whole = state(database)
    lives["undo"] = _Job(home, run, "undo", CHILD_S).let_through()
    return whole, lives


@dataclass(frozen=True)
class _Job:
    """What a child does to a store: `apply` or `undo`. `life_s` is the longest it is left alive."""

    home: Path
    run: str
    what: str
    life_s: float

    def begun(self) -> BaseProcess:
        """A child at work; forked from a process that has imported everything and opened nothing, where it can be."""
        child: BaseProcess = _CHILDREN.Process(target=work, args=(str(self.home), self.run, self.what))
        child.start()
        return child

    def let_through(self) -> float:
        """Nobody kills it; the seconds it took. Raises OSError where it fails by itself."""
        begin = time.monotonic()
        child = self.begun()
        child.join(CHILD_S)
        if child.exitcode != 0:
            child.kill()
            raise OSError(f"To {self.what} the run ended with {child.exitcode}.")
        return time.monotonic() - begin


def _children() -> BaseContext:
    if sys.platform == "win32":
        return multiprocessing.get_context("spawn")
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(["__main__", "evals.kills.runs"])
    return context


_CHILDREN: Any = _children()
"""How children are made; importing everything anew would take longer than the run itself."""


@contextmanager
def _opened(home: Path) -> Iterator[Database]:
    database = open_store(home, wait_s=10.0, memory_limit="300MB", create=False)
    try:
        yield database
    finally:
        database.close()


def _template(home: Path, seed: int) -> tuple[Path, str]:
    """A store with memories and a plan that has every sort of change; the plan's run."""
    database = open_store(home, wait_s=1.0, memory_limit="300MB")
    try:
        keeper = Memories(database, _Words(), _Plain(), "u1")
        drafts = [_draft(number) for number in range(MEMORIES)]
        keeper.reconcile(PROJECT, "reports", [draft.origin for draft in drafts], drafts, NOW - timedelta(days=200))
        with database.read() as connection:
            ids = [row[0] for row in connection.execute("select id from memories order by value").fetchall()]
        run = journal.open_run(database, PROJECT, "command", ["all"], NOW)
        journal.add(database, run, (("all", change) for change in _plan(ids, random.Random(seed))), _Plain())
        journal.seal(database, run, {})
        database.checkpoint()
    finally:
        database.close()
    return home, run


def _plan(ids: list[str], chance: random.Random) -> Iterator[Change]:
    """Every sort of change, several on one memory, in a drawn order within each sort."""
    drawn = chance.sample(ids, len(ids))
    merged, superseded, retired, rest = drawn[:60], drawn[60:90], drawn[90:120], drawn[120:]
    for a, b, c in zip(merged[0::3], merged[1::3], merged[2::3], strict=True):
        yield Merge(a, (b, c), "they say the same")
    for old, new in zip(superseded[0::2], superseded[1::2], strict=True):
        yield Supersede(old, new, "said later")
    for number in range(20):
        yield Unite(f"person:p{number}", f"person:q{number % 7}", "one mail address")
    for number, id_ in enumerate(rest):
        yield Weigh(id_, Importance(number % 4), chance.uniform(-1, 1), "its use")
        yield Warm(id_, list(Warmth)[number % 3], "its last use")
        yield Shorten(id_, Level.SUMMARY, 3, "long ago")
        if number % 4 == 0:
            yield Reword(id_, Levels("", f"other words {number}", "other", "o"), 2, "rules", "better")
        if number % 9 == 0:
            yield Rescope(id_, "src", "lib", "renamed")
        if number % 5 == 0:
            a, b = sorted((id_, rest[number - 1]))
            yield Relate(Relation.NEAR, a, b, chance.random(), "near in meaning")
    for a, b in zip(rest[0:40:2], rest[1:40:2], strict=True):
        yield Oppose(a, b, chance.random(), "rules", "they differ")
    for id_ in retired:
        yield Retire(id_, "not asked for")


def _draft(number: int) -> Draft:
    text = f"What happened as number {number} of many"
    path = f"src/part_{number % 40}.py"
    return Draft(
        kind=Kind.EPISODE,
        type="commit",
        subject=f"part {number % 40}",
        attribute="",
        value=f"{number:05d}",
        levels=Levels(f"{text}, at length.", text, f"number {number}", f"{number}"),
        origin=f"commit:{number:05d}",
        evidence=(Evidence(EvidenceKind.FILE, path, number, "a line"),),
        entities=(f"file:{path}", f"topic:t{number % 11}"),
        scope=Scope(path=path if number % 2 else ""),
    )


class _Words:
    """Counts words: what is killed here is the journal, not the tokenizer, which takes long to load."""

    @property
    def name(self) -> str:
        return "words"

    def count(self, text: str) -> int:
        return len(text.split())


class _Plain(Redactor):
    """Redacts nothing: the generated texts hold nothing."""

    def redact(self, text: str) -> str:
        return text


def work(home: str, run: str, what: str) -> None:
    """The child: carry the run out, or take it back, in small batches."""
    applying.BATCH_ROWS = BATCH_ROWS
    undoing.BATCH_ROWS = BATCH_ROWS  # type: ignore[attr-defined]  # it takes over the one of applying
    with _opened(Path(home)) as database:
        if what == "apply":
            applying.apply(database, run, NOW, counter=_Words())
        else:
            undoing.undo(database, run, None, NOW)
