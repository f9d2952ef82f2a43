"""One synchronisation with a team's server: what is new there is taken in, then what is new here is appended.

It may end anywhere: a record is named by its text, so what is asked again is there already, on either side. A server
that lost what it had, as one restored from a backup, is given everything that is known here again.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import timedelta

from msgspec.structs import replace

from companion.__about__ import __version__
from companion.app.checkout import OpenCheckout
from companion.app.team import exchange
from companion.app.team.linking import ServerLogRead, read_so_far, set_read
from companion.errors import TeamServerRefused, UsageError
from companion.ports import LogEntry, LogPlace, TeamServer
from companion.records.team import SharedVersion, TeamRecord
from companion.store.bulk import batches
from companion.team.text import line, read, record_id

BATCH, BATCH_MOST = 200, 1_600
"""Records pulled or pushed at once: a quarter of a second of work, after which others have their turn. While nobody
asks anything twice as many are pulled each time, up to a second of work: a batch costs as a hundred records."""
REFUSED_MOST = 5
"""Records that a server that took none may refuse before the rest is left for another time: it is not about them."""
USES_EVERY = timedelta(days=1)
"""How often uses are exchanged: nightly runs weigh by them."""
EMBEDDED_AT_ONCE = 16
"""Texts that get their vectors together: a tenth of a second."""


@dataclass
class Synced:
    """What a synchronisation did: records taken in and appended, memories that say something new.

    `refused` are records that the server did not take, `unfit` those of it that were not taken in, each with why;
    `restored` says whether the server had lost records, which were appended again.
    """

    pulled: int = 0
    pushed: int = 0
    memories: list[str] = field(default_factory=list)
    withdrawn: int = 0
    refused: dict[str, str] = field(default_factory=dict)
    unfit: dict[str, str] = field(default_factory=dict)
    restored: bool = False
    took_some: bool = False
    """Whether the server took any batch: then what it refuses is about single records."""

    @property
    def hopeless(self) -> bool:
        """Whether the server takes nothing, whatever it is asked."""
        return len(self.refused) >= REFUSED_MOST and not self.took_some


def synchronise(
    here: OpenCheckout,
    server: TeamServer,
    go_on: Callable[[], bool] = lambda: True,
    asked: Callable[[], int] = lambda: 0,
) -> Synced:
    """Take in what is new on the server, then append what is new here; stops between two batches unless `go_on`.

    `asked` tells how many requests there were so far: where there are some meanwhile, batches are small.
    Raises TeamServerUnreachable, TeamServerRefused, StoreError; what was done until then is kept.
    """
    try:
        return _synchronised(here, server, Synced(), go_on, asked)
    finally:
        exchange.follow(here)


def _synchronised(
    here: OpenCheckout, server: TeamServer, done: Synced, go_on: Callable[[], bool], asked: Callable[[], int]
) -> Synced:
    before = read_so_far(here.runtime, here.project)
    if before.unread_by not in ("", __version__):  # this version may read what that one could not
        before = ServerLogRead()
    place = _pull(here, server, before, done, go_on, asked)
    way = f"server {place.log}"
    records = exchange.records_of(here.runtime)
    exchange.note_verdicts(here)
    outgoing = records.outgoing(here.project, way)
    for batch in map(dict, batches(outgoing.items(), BATCH)):
        if done.hopeless or not go_on():
            return done
        _push(server, batch, done)
    if outgoing:  # only what lies before the place that is kept is known to be lost where a backup is restored
        _pull(here, server, read_so_far(here.runtime, here.project), done, go_on, asked)
        if go_on():
            records.note_sent(here.project, outgoing.keys() - done.refused.keys(), way, here.now())
    if go_on():
        _exchange_uses(here, server)
    return done


def _exchange_uses(here: OpenCheckout, server: TeamServer) -> None:
    """Say what was cited here, and note by how many others what is shared was."""
    read_to, now, records = read_so_far(here.runtime, here.project), here.now(), exchange.records_of(here.runtime)
    if read_to.uses_at is None or now - read_to.uses_at >= USES_EVERY:
        try:
            others = server.exchange_uses(records.used(here.project))
        except TeamServerRefused:  # who may only read has no vote
            others = server.exchange_uses(())
        records.note_used_by(here.project, others)
        set_read(here.runtime, here.project, replace(read_to, uses_at=now))


def add_vectors(here: OpenCheckout, server: TeamServer, go_on: Callable[[], bool] = lambda: True) -> int:
    """Give versions of this login that have no vector on the server theirs; returns how many."""
    embedder, count = here.runtime.adapters.embedder, 0
    known: Mapping[str, TeamRecord] | None = None
    while embedder is not None and go_on() and (ids := server.without_vectors(EMBEDDED_AT_ONCE)):
        known = exchange.records_of(here.runtime).known(here.project) if known is None else known
        said = {id_: one.draft.levels.full for id_ in ids if isinstance(one := known.get(id_), SharedVersion)}
        if not said:
            break
        server.push((), dict(zip(said, embedder.embed(list(said.values())).tolist(), strict=True)))
        count += len(said)
    return count


def entry_of(id_: str, record: TeamRecord) -> LogEntry:
    """A record as a server keeps it."""
    return LogEntry(id_, type(record).__name__, record.author, record.made_at, line(record))


def _pull(
    here: OpenCheckout,
    server: TeamServer,
    before: ServerLogRead,
    done: Synced,
    go_on: Callable[[], bool],
    asked: Callable[[], int],
) -> LogPlace:
    """Take in everything behind a place; returns how far the log was read then."""
    read_to, seen, unread_by = before.place, set[str](), before.unread_by
    more, anew, size, requests = True, False, BATCH, asked()
    while more and go_on():
        pulled = server.pull(read_to, size)
        anew = anew or pulled.anew
        fresh, unread = _understood(pulled.texts)
        unread_by = __version__ if unread else unread_by
        _take_in(here, fresh, done)
        seen.update(pulled.texts)
        more = pulled.more and pulled.place != read_to
        before_it, requests = requests, asked()
        size = min(2 * size, BATCH_MOST) if requests == before_it else BATCH
        read_to = pulled.place
        if not anew:
            set_read(here.runtime, here.project, replace(before, place=read_to, unread_by=unread_by))
    if anew and not more:
        done.restored = True
        lost = {
            id_: one for id_, one in exchange.records_of(here.runtime).known(here.project).items() if id_ not in seen
        }
        for batch in map(dict, batches(lost.items(), BATCH)):
            _push(server, batch, done)
        set_read(here.runtime, here.project, replace(before, place=read_to, unread_by=unread_by))
    return read_to


def _take_in(here: OpenCheckout, fresh: Mapping[str, TeamRecord], done: Synced) -> None:
    if fresh:
        arrived, unfit = exchange.take_in(here, fresh)
        done.pulled += len(arrived.records)
        done.memories += arrived.memories
        done.withdrawn += len(arrived.withdrawn)
        done.unfit |= dict(unfit)


def _understood(texts: Mapping[str, str]) -> tuple[dict[str, TeamRecord], int]:
    """Records by id, and how many could not be read; what is not what its id says is none."""
    found: dict[str, TeamRecord] = {}
    for id_, text in texts.items():
        try:
            record = read(text.encode())
        except (UsageError, ValueError):
            continue
        if record_id(record) == id_:
            found[id_] = record
    return found, len(texts) - len(found)


def _push(server: TeamServer, batch: Mapping[str, TeamRecord], done: Synced) -> None:
    """Append a batch; where it is refused, its halves, until it is known which record it is about."""
    try:
        done.pushed += server.push([entry_of(id_, one) for id_, one in batch.items()], {})
        done.took_some = True
    except TeamServerRefused as wrong:
        if len(batch) == 1:
            done.refused |= dict.fromkeys(batch, wrong.what)
            return
        half = len(batch) // 2
        for part in map(dict, batches(batch.items(), max(half, len(batch) - half))):
            if not done.hopeless:
                _push(server, part, done)
            else:
                done.refused |= dict.fromkeys(part, wrong.what)
