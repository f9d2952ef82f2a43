"""Members of a team who ask their server at the same time, in processes of their own: no lock of one holds another."""

from __future__ import annotations

import multiprocessing
import random
import time
from collections import defaultdict
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from itertools import chain

from laptops import PROJECT
from postgres import Base
from team_records import entry, version

from companion.adapters.postgres.server import DIMENSION
from companion.ports import LogPlace, TeamServer

PROCESSES = 5
WORDS, WORDS_A_TEXT = 20_000, 25
"""Of the generated texts: a vocabulary, drawn from as language does (few words often), and words in a memory."""
FILLED = 8
"""Numbers of a random vector that are not 0: the index has as much to do, and less is sent."""

Times = dict[str, list[float]]
"""Seconds of each question, by its name."""


def texts(draw: random.Random, number: int) -> Iterator[str]:
    """Generated memories."""
    for _ in range(number):
        yield " ".join(f"w{int(WORDS ** draw.random())}" for _ in range(WORDS_A_TEXT))


def vector(draw: random.Random) -> list[float]:
    """A generated vector."""
    made = [0.0] * DIMENSION
    for _ in range(FILLED):
        made[draw.randrange(DIMENSION)] = 1.0
    return made


def asked_together(
    base: Base, members: int, what: Sequence[str], times: int, seed: int, *, vectors: bool
) -> dict[str, list[float]]:
    """Each member asks `what` (`search`, `push`, `pull`) so many times, one question after the other."""
    shares = [range(first, members, PROCESSES) for first in range(min(PROCESSES, members))]
    with ProcessPoolExecutor(len(shares), multiprocessing.get_context("spawn")) as pool:
        told = [pool.submit(_asked, base, share, tuple(what), times, seed, vectors) for share in shares]
        return _joined([one.result() for one in told])


def _asked(base: Base, members: range, what: tuple[str, ...], times: int, seed: int, vectors: bool) -> Times:
    with ThreadPoolExecutor(len(members)) as pool:
        asking = [pool.submit(_member, base, what, times, seed + number, vectors) for number in members]
        return _joined([one.result() for one in asking])


def _member(base: Base, what: tuple[str, ...], times: int, seed: int, vectors: bool) -> Times:
    draw, taken = random.Random(seed), defaultdict[str, list[float]](list)
    with base.server("bob", PROJECT) as server:
        ((log, place, chain_),) = base.run(_END, project=PROJECT)
        read_to = LogPlace(str(log), int(str(place)), str(chain_))
        server.check()
        for text in texts(draw, times):
            for one in what:
                begun = time.perf_counter()
                if one == "pull":
                    read_to = server.pull(read_to, 500).place
                else:
                    _ask(server, one, text, draw, vectors=vectors)
                taken[one].append(time.perf_counter() - begun)
    return dict(taken)


_END = """
select server.id::text, log.position, log.chain
from companion.server
cross join companion.log
where project = %(project)s
order by position desc
limit 1
"""


def _ask(server: TeamServer, what: str, text: str, draw: random.Random, *, vectors: bool) -> None:
    """Two words of a memory are searched for; a memory is pushed."""
    near = vector(draw) if vectors else None
    if what == "search":
        server.search(" ".join(draw.sample(text.split(), 2)), near, 10)
    else:
        one = entry(version(f"{draw.random()} {text}"))
        server.push([one], {})
        if near is not None:
            server.push((), {one.id: near})  # behind, as laptops do: appending waits for no index of vectors


def _joined(told: Sequence[Times]) -> Times:
    names = dict.fromkeys(chain.from_iterable(told))
    return {name: [one for times in told for one in times.get(name, ())] for name in names}
