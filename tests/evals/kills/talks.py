"""Kill whoever holds a conversation at random moments: is a turn lost, remembered twice, or a state impossible?

A process begins, speaks in, closes, changes, confirms and resumes conversations as fast as it can and says what was
acknowledged. The array of what it says is short, so that older turns are summed up all the time. It is killed (SIGKILL,
no warning) and another goes on with the same store. At the end every turn that was acknowledged must be there once,
what was confirmed must be remembered once, no conversation may be in a state that nothing leads to, and the running
array must tell of every turn once, word for word or in its block.
"""

from __future__ import annotations

import os
import random
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import TextIO

from msgspec import Struct

from companion.api import Companion, Edit
from companion.app.compose import open_companion
from companion.app.local import LocalCompanion
from companion.errors import CompanionError
from companion.records.talk import ItemState, Message, Role, TalkState
from companion.store.talk import act_memories, conversations, running, summaries
from evals.speed.processes import MEASURES

LONGEST_LIFE_S = 1.5
"""From its first word a speaker lives up to so long: some dozens of steps."""
LEFT_TO_SPEAK = 0.5
"""Share of speakers whose life is counted from the first step they acknowledge, however slow the machine is."""
SAID, CONFIRMED = "said", "confirmed"
ARRAY_TOKENS = "600"
"""The array is summed up past so many tokens: every dozen turns."""
COMPACTS = 0.1
"""How often a step sums the array up at once."""
ENDS = 0.15
"""How often a step ends the conversation instead of going on with it."""


class TalkKills(Struct, frozen=True):
    """What came of it. `lost` and `doubled` are turns, `forgotten` and `twice` conversations that were confirmed."""

    kills: int
    turns: int
    confirmed: int
    cut_off: int
    """Conversations that a kill left while they were put into memory."""
    seconds: float
    lost: tuple[str, ...] = ()
    doubled: tuple[str, ...] = ()
    forgotten: tuple[str, ...] = ()
    twice: tuple[str, ...] = ()
    impossible: tuple[str, ...] = ()

    @property
    def holds(self) -> bool:
        """Whether every promise was kept."""
        return not (self.lost or self.doubled or self.forgotten or self.twice or self.impossible)


def talk_kills(folder: Path, kills: int, seed: int, told: Callable[[int, int], None] = lambda *_: None) -> TalkKills:
    """Kill so many speakers over a store in `folder`, then look at what they left."""
    draw, began = random.Random(seed), time.monotonic()
    folder.mkdir(parents=True, exist_ok=True)
    said: list[str] = []
    confirmed: list[str] = []
    for number in range(kills):
        for what, name in (line.split(" ", 1) for line in _killed(folder, draw, number)):
            (said if what == SAID else confirmed).append(name)
        told(number + 1, kills)
    companion = open_companion(folder, folder / "home", anywhere=True)
    try:
        return _looked_over(companion, kills, said, confirmed, time.monotonic() - began)
    finally:
        companion.close()


def speak(folder: Path, seed: int, out: TextIO) -> None:
    """Hold conversations until killed; each step that was acknowledged is a line."""
    draw = random.Random(seed)
    companion = open_companion(folder, folder / "home", anywhere=True)
    companion.runtime.talk_rules()  # loaded before the first step, not in it
    number = 0
    print(f"{SAID} ", file=out, flush=True)  # alive
    while True:
        number += 1
        step(companion, draw, f"{seed}-{number}", lambda line: print(line, file=out, flush=True))


def step(companion: Companion, draw: random.Random, name: str, acknowledge: Callable[[str], None]) -> None:
    """One step of whatever can be done now."""
    one = companion.active_conversation()
    if one is None:
        companion.start_conversation(f"Talk {name}")
    elif one.state is TalkState.READY_TO_CLOSE:
        _review(companion, draw, one.id, acknowledge)
    elif one.turns and draw.random() < COMPACTS:
        companion.compact(now_at_once=True)
    elif one.turns and draw.random() < ENDS:
        companion.close_conversation()
    else:
        text = f"We decided to keep word-{name} because it is shorter. TODO: mend part-{name}."
        companion.add_turn([Message(Role.USER, text), Message(Role.ASSISTANT, "Noted.")])
        acknowledge(f"{SAID} word-{name}")


def _review(companion: Companion, draw: random.Random, id_: str, acknowledge: Callable[[str], None]) -> None:
    choice = draw.random()
    if choice < 0.2:
        companion.resume_conversation()
    elif choice < 0.4 and companion.review().parts:
        companion.edit_review(Edit(narrative=f"In other words, {choice:.6f}."))
    else:
        companion.confirm_review(id_)
        acknowledge(f"{CONFIRMED} {id_}")


def _killed(folder: Path, draw: random.Random, number: int) -> list[str]:
    """What a speaker acknowledged before it was killed."""
    script = "import sys; from pathlib import Path; from evals.kills.talks import speak; "
    script += "speak(Path(sys.argv[1]), int(sys.argv[2]), sys.stdout)"
    command = [sys.executable, "-c", script, str(folder), str(draw.randrange(1 << 30) + number)]
    environment = {
        **os.environ,
        "PYTHONPATH": MEASURES,
        "COMPANION_EMBEDDINGS": "off",
        "COMPANION_ARRAY_TOKENS": ARRAY_TOKENS,
    }
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment) as speaker:
        assert speaker.stdout is not None
        first = speaker.stdout.readline()
        if not first:
            raise CompanionError("A speaker ended by itself.", "Look at what it printed.")
        told = speaker.stdout.readline() if draw.random() < LEFT_TO_SPEAK else ""
        time.sleep(draw.uniform(0, LONGEST_LIFE_S))
        speaker.kill()
        rest = told + speaker.stdout.read()
    return [line for line in rest.split("\n")[:-1] if line.strip()]


def _looked_over(
    companion: LocalCompanion, kills: int, said: list[str], confirmed: list[str], seconds: float
) -> TalkKills:
    cut_off = len(companion.conversations(TalkState.COMPRESSING))
    if companion.active_conversation() is None:
        companion.start_conversation("The last")  # finishes what was cut off
    talks = companion.conversations(limit=1_000)
    there = Counter(
        word.rstrip(".")
        for one in talks
        for turn in companion.transcript(one.id).turns
        for word in turn.messages[0].text.split()
        if word.startswith("word-")
    )
    memories = {one.id: act_memories.of_conversation(companion.store.database, one.id) for one in talks}
    episodes = {id_: sum(m.draft.type == "conversation" for m in found) for id_, found in memories.items()}
    return TalkKills(
        kills,
        len(said),
        len(confirmed),
        cut_off,
        seconds,
        lost=tuple(word for word in said if not there[word]),
        doubled=tuple(word for word, count in there.items() if count > 1),
        forgotten=tuple(id_ for id_ in confirmed if not episodes.get(id_)),
        twice=tuple(id_ for id_, count in episodes.items() if count > 1),
        impossible=(*_impossible(companion), *_untold(companion)),
    )


def _impossible(companion: LocalCompanion) -> list[str]:
    """Conversations in states that nothing leads to."""
    database = companion.store.database
    holder = companion.active_conversation()
    wrong = []
    for one in companion.conversations(limit=1_000):
        items = companion.transcript(one.id).items
        candidates = any(item.state is ItemState.CANDIDATE for item in items)
        holds = holder is not None and holder.id == one.id
        if holds != (one.state in conversations.HOLDING) or one.state is TalkState.COMPRESSING:
            wrong.append(f"{one.id} is {one.state.value}, and {'holds' if holds else 'does not hold'} the place")
        if one.state is TalkState.ARCHIVED and candidates:
            wrong.append(f"{one.id} is archived with candidates")
        if one.state is TalkState.READY_TO_CLOSE and conversations.preview(database, one) is None:
            wrong.append(f"{one.id} waits for review without a preview")
        if one.state is not TalkState.ARCHIVED and act_memories.of_conversation(database, one.id):
            wrong.append(f"{one.id} is remembered before it was confirmed")
    return wrong


def _untold(companion: LocalCompanion) -> list[str]:
    """Turns that the running array tells of twice or not at all, and sessions that count wrongly."""
    runtime, held = companion.runtime, companion.running()
    heard = running.heard(runtime.store.database, runtime.store.user, "", 0)
    last = summaries.latest(runtime.store.database, runtime.store.user, summaries.SummarySort.BLOCK)
    upto = last.last_heard if last else 0
    wrong = []
    if [number for number, _ in heard] != list(range(1, len(heard) + 1)):
        wrong.append("turns were not heard one after another")
    if (held.block.turns if held.block else 0) != sum(number <= upto for number, _ in heard):
        wrong.append("the block does not tell of the turns before the array")
    verbatim = [one.turn for one in held.messages if one.turn]
    if list(dict.fromkeys(verbatim)) != [turn.id for number, turn in heard if number > upto]:
        wrong.append("the array is not what was said after its block")
    counted = sum(one.turns for one in companion.sessions(limit=1_000))
    if counted != len(heard):
        wrong.append(f"sessions count {counted} turns of {len(heard)}")
    return wrong
