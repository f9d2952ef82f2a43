"""How fast what was said is handed back from a store of so many turns, and what closing a conversation comes to.

The store is generated from a seed: conversations of fifty turns over two years, all archived, and one of two hundred
that goes on. Vectors of the stored texts are random (what they say does not change how long a search takes), the
question's is made by the real model, tokens are counted by the real tokenizer. Closing is measured on conversations
of a hundred turns of generated developers' talk: seconds until it is confirmed and its turns are cold, and the share
of tokens that the cold forms of its turns, its memories, and its block in the array save.
"""

from __future__ import annotations

import json
import random
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import numpy as np
from msgspec.structs import replace

from companion.app.compose import open_runtime
from companion.app.local import LocalCompanion, nowhere
from companion.app.replay import SetClock
from companion.app.runtime import Runtime
from companion.app.talks.past import past_turns
from companion.app.verbs.conversation.talks import turn_query
from companion.config import Settings
from companion.evals.statistics import percentile
from companion.ports import Progress
from companion.records.talk import Conversation, Message, Role, TalkState, Turn
from companion.store.bulk import insert_rows
from companion.store.talk import conversations, running, talk_turns
from companion.store.talk.turn_index import talk_project, update
from companion.talk.past import relevance

SEED = 1
TURNS_A_TALK = 50
TURNS_GOING_ON = 200
YEARS = 2
NOW = datetime(2026, 1, 5, 9)
TALKS_AT_ONCE = 100
VECTORS_AT_ONCE = 10_000
CLOSED_TURNS = 100
"""Turns of a conversation that is closed; the figure of the spec is for so many."""
FIRST_ASKED = 5
"""First questions, which fill caches; not counted."""

_SUBJECTS = (
    *("parser", "cache", "router", "session", "token", "index", "queue", "worker", "schema", "migration", "retry"),
    *("cart", "price", "total", "invoice", "coupon", "checkout", "payment", "ledger", "report", "export", "backup"),
)
_FILES = [f"{folder}/{name}.py" for folder in ("core", "web", "jobs") for name in _SUBJECTS]
_USER = (
    "We decided to keep the {a} in {f} because the {b} loses digits.",
    "Look at {f}: the {a} fails when the {b} is empty.",
    "TODO: mend the {a} test for the {b} before Friday.",
    "Why does {f} read the {a} twice?",
    "Let's use {n} ms as the limit of the {a}.",
    "I'm waiting for Alex to review the {b} in {f}.",
    "The {a} is slow again, about {n} rows a second.",
)
_REPLY = (
    "I looked at {f}. The {a} reads the {b} once for every row, so with {n} rows it is called {n} times.",
    "The function that builds the {a} keeps a copy of the {b}, which is never freed while the {a} lives.",
    "I moved the {a} out of the loop and added a test that fails without the change.",
    "All tests pass now; the slowest of them takes {n} ms, most of it in the {b}.",
    "If you want I can do the same for the {b}, which has the same shape in {f}.",
)


def talk_of(draw: random.Random) -> list[Message]:
    """A turn of developers' talk: a sentence or two, and a reply of some."""

    def said(forms: Sequence[str], count: int) -> str:
        return " ".join(
            draw.choice(forms).format(
                a=draw.choice(_SUBJECTS), b=draw.choice(_SUBJECTS), f=draw.choice(_FILES), n=draw.randint(2, 900)
            )
            for _ in range(count)
        )

    return [
        Message(Role.USER, said(_USER, draw.randint(1, 2))),
        Message(Role.ASSISTANT, said(_REPLY, draw.randint(3, 9))),
    ]


def turns_eval(count: int, rounds: int, progress: Progress, *, vectors: bool = True) -> dict[str, Any]:
    """Milliseconds of handing back, and what closing comes to, as one JSON object."""
    settings = Settings() if vectors else Settings(embeddings="off")
    with tempfile.TemporaryDirectory(prefix="companion-turns-") as folder:
        runtime = open_runtime(Path(folder), settings, SetClock(NOW))
        try:
            made = generate(runtime, count, progress)
            companion = nowhere(runtime, Path(folder), owns_runtime=False)
            latency = _timed(companion, rounds, progress)
        finally:
            runtime.close()
    with tempfile.TemporaryDirectory(prefix="companion-closing-") as folder:
        runtime = open_runtime(Path(folder), settings, SetClock(NOW))
        try:
            closing = closed(nowhere(runtime, Path(folder), owns_runtime=False), random.Random(SEED))
        finally:
            runtime.close()
    vectors_are = "random, as many and as long as real ones" if runtime.adapters.embedder is not None else "none"
    told = {"eval": "turns", "n": made, "milliseconds": latency, "closing": closing}
    return told | {"settings": {"vectors": vectors_are, "question": "of the real model" if vectors else "words"}}


def generate(runtime: Runtime, count: int, progress: Progress) -> int:
    """A store of archived conversations and one that goes on; how many turns it has."""
    draw = random.Random(SEED)
    talks = max(1, (count - TURNS_GOING_ON) // TURNS_A_TALK)
    step = timedelta(days=365 * YEARS) / talks
    heard = 0
    for first in range(0, talks, TALKS_AT_ONCE):
        last = min(talks, first + TALKS_AT_ONCE)
        heard = _insert(runtime, draw, [NOW - (talks - n) * step for n in range(first, last)], TURNS_A_TALK, heard)
        progress.step("generating turns", last * TURNS_A_TALK, talks * TURNS_A_TALK)
    one = conversations.start(
        runtime.store.database,
        Conversation("", runtime.store.user, TalkState.ACTIVE, NOW - timedelta(minutes=20), title="Going on"),
    )
    for _ in range(TURNS_GOING_ON):
        talk_turns.say(runtime.store.database, one, talk_of(draw), NOW, channel="", counter=runtime.adapters.counter)
        heard += 1
    update(runtime.store.database, runtime.store.text_index, runtime.store.user)
    _random_vectors(runtime)
    return heard


def closed(companion: LocalCompanion, draw: random.Random) -> dict[str, float]:
    """What closing a conversation of a hundred turns comes to."""
    one = companion.start_conversation("Closing")
    for _ in range(CLOSED_TURNS):
        companion.add_turn(talk_of(draw))
    said = sum(turn.tokens for turn in companion.transcript(one.id).turns)
    start = time.perf_counter()
    companion.close_conversation()
    between = time.perf_counter()
    done = companion.confirm_review()
    end = time.perf_counter()
    count = companion.runtime.adapters.counter.count
    cold = running.gists(companion.store.database, [turn.id for turn in companion.transcript(one.id).turns])
    shown = sum(count(f"{sentence} ({', '.join(words)})") for sentence, words in cold.values())
    kept = sum(count(memory.draft.levels.full) for memory in done.memories)
    compacted = companion.compact(now_at_once=True)
    block = compacted.block
    return {
        "turns": float(len(cold)),
        "tokens": float(said),
        "close s": round(between - start, 3),
        "close and confirm s": round(end - start, 3),
        "saved by cold turns": round(1 - shown / said, 3),
        "saved by memories": round(1 - kept / said, 3),
        "saved by the block": round(1 - block.tokens / block.tokens_before, 3) if block else 0.0,
    }


def _timed(companion: LocalCompanion, rounds: int, progress: Progress) -> dict[str, dict[str, float]]:
    draw = random.Random(SEED + 1)
    past = past_turns(companion.runtime)
    one = companion.active_conversation()
    assert one is not None
    talk = one

    def question() -> str:
        return f"What did we decide about the {draw.choice(_SUBJECTS)} and the {draw.choice(_SUBJECTS)}?"

    def cold() -> None:
        asked = turn_query(companion, question())  # the vector of the question is a part of the search
        past.of_long_ago(replace(asked, but=talk.id), "", None, NOW)

    works: dict[str, Callable[[], object]] = {
        "hot": lambda: past.hot.of(talk.id),
        "warm": lambda: past.earlier(talk, TURNS_GOING_ON - 5, relevance.words(question())),
        "cold": cold,
        "history": lambda: companion.history("Run the tests now."),
        "history looking back": lambda: companion.history(question()),
    }
    told = {}
    for name, work in works.items():
        taken = []
        for number in range(FIRST_ASKED + rounds):
            start = time.perf_counter()
            work()
            taken.append(1_000 * (time.perf_counter() - start))
            progress.step(f"asking {name}", number, FIRST_ASKED + rounds)
        told[name] = _parts(taken[FIRST_ASKED:])
    told["history after a turn"] = _after_turns(companion, draw, max(10, rounds // 10))
    return told


def _after_turns(companion: LocalCompanion, draw: random.Random, rounds: int) -> dict[str, float]:
    """The first history after something was said: what was held in memory is brought up to date."""
    taken = []
    for _ in range(rounds):
        companion.add_turn(talk_of(draw))
        start = time.perf_counter()
        companion.history("Run the tests now.")
        taken.append(1_000 * (time.perf_counter() - start))
    return _parts(taken)


def _parts(taken: Sequence[float]) -> dict[str, float]:
    return {"p50": round(percentile(taken, 0.5), 3), "p95": round(percentile(taken, 0.95), 3)}


def _insert(runtime: Runtime, draw: random.Random, begun: Sequence[datetime], each: int, heard: int) -> int:
    """Archived conversations, as they stand once they were closed."""
    talks, said = [], []
    for at in begun:
        id_ = conversations.conversation_id(runtime.store.user, "generated", "", at)
        ended = at + timedelta(minutes=each)
        talks.append(
            (id_, runtime.store.user, "", "generated", f"Talk of {at:%Y-%m-%d}", "archived", at, ended, ended, each)
        )
        for turn in _turns_of(runtime, draw, id_, at, each):
            heard += 1
            words = talk_turns.words_of(turn.messages)
            packed = [[message.role.value, message.text] for message in turn.messages]
            sentence = turn.messages[0].text.split(". ")[0]
            said.append((turn.id, id_, turn.number, turn.at, packed, words, turn.tokens, "cold", heard, sentence,
                         [draw.choice(_FILES)]))  # fmt: skip
    rows = [(*row[:4], json.dumps(row[4]), *row[5:]) for row in said]
    names = (
        "id",
        "user_id",
        "persona",
        "source",
        "title",
        "state",
        "started_at",
        "last_turn_at",
        "archived_at",
        "turns",
    )
    columns = ("id", "conversation_id", "number", "said_at", "messages", "words", "tokens", "warmth", "heard", "gist")
    with runtime.store.database.write() as connection:
        insert_rows(connection, "conversations", names, talks)
        insert_rows(connection, "turns", (*columns, "keywords"), rows)
    return heard


def _turns_of(runtime: Runtime, draw: random.Random, talk: str, at: datetime, each: int) -> Iterator[Turn]:
    for number in range(1, each + 1):
        messages = tuple(talk_of(draw))
        tokens = sum(runtime.adapters.counter.count(message.text) for message in messages)
        yield Turn(
            talk_turns.turn_id(talk, number), talk, number, at + timedelta(minutes=number), messages, tokens=tokens
        )


def _random_vectors(runtime: Runtime) -> None:
    if runtime.adapters.embedder is None:
        return
    draw = np.random.default_rng(SEED)
    project, model, width = (
        talk_project(runtime.store.user),
        runtime.adapters.embedder.model,
        runtime.adapters.embedder.dimension,
    )
    while found := runtime.store.vectors.pending(project, model, VECTORS_AT_ONCE):
        matrix = draw.standard_normal((len(found), width)).astype(np.float32)
        matrix /= np.linalg.norm(matrix, axis=1, keepdims=True)
        runtime.store.vectors.keep(project, model, [digest for digest, _ in found], matrix)
    runtime.store.vectors.refresh(project, runtime.adapters.embedder)
