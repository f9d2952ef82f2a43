"""The running array kept within its threshold: older turns become a block, by rules or in a model's words.

Nothing is taken away from any transcript, and what fails changes nothing: a block is one row, written once everything
it says has been checked, and only if no other was made and no turn was deleted meanwhile.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from msgspec.structs import replace

from companion.app.consolidation.archives import language_model
from companion.app.consolidation.judges import reader
from companion.app.runtime import Runtime
from companion.errors import CompanionError
from companion.judge.faithfulness import faithful
from companion.language.names import Names
from companion.records.talk import Item, ItemState, Turn
from companion.records.turn_history import Block, Compaction
from companion.store.talk import items, running, summaries, talk_turns
from companion.store.talk.summaries import Summary, SummarySort
from companion.talk.items.anchors import statements
from companion.talk.past import condensing, instructions, rewording

VERBATIM_SHARE = 0.3
"""Share of the threshold that stays word for word when the array is compacted: the newest turns."""
VERBATIM_LEAST = 5
"""Turns that stay word for word in any case."""


def compact(runtime: Runtime, persona: str, now: datetime, *, at_once: bool, with_model: bool) -> Compaction:
    """Make a block of the older turns of the array; nothing to do is no error. What fails leaves every turn as it is.

    The model, if there is one and it may be asked, words the course of the talk; the store is not held meanwhile.
    """
    database, user, limit = runtime.store.database, runtime.store.user, runtime.settings.array_tokens
    last = last_block(runtime, persona)
    heard = running.heard(database, user, persona, last.last_heard if last else 0)
    before = sum(turn.tokens for _, turn in heard) + (last.tokens if last else 0)
    older = _older(heard, 0 if at_once else limit, before)
    if not older:
        return Compaction(0, before, before, block_of(last))
    told = instructions.read(_instructions(runtime))
    whole, made_by = _condensed(runtime, condensing.read(last.text if last else ""), older, told), "rules"
    model = language_model(runtime) if with_model else None
    if model is not None:
        try:
            course = rewording.reworded(whole.course, told, model, faithful)
        except CompanionError as wrong:
            summaries.tried(database, user, persona, now, SummarySort.BLOCK, wrong.what)
            return Compaction(0, before, before, block_of(last), wrong.what)
        whole, made_by = condensing.fitted(replace(whole, course=course), told, runtime.adapters.counter), model.name
    new = _block(runtime, persona, now, last, older, whole.text(), made_by)
    with database.write(quiet=True):
        there = last_block(runtime, persona)
        if (there.number if there else 0) != (last.number if last else 0) or not _still_there(runtime, older):
            return Compaction(0, before, before, block_of(there), "It changed meanwhile.")
        kept = summaries.keep(database, new)
        summaries.tried(database, user, persona, now, SummarySort.BLOCK)
    return Compaction(len(older), before, before - new.tokens_before + new.tokens, block_of(kept))


def _block(
    runtime: Runtime,
    persona: str,
    now: datetime,
    last: Summary | None,
    older: Sequence[tuple[int, Turn]],
    text: str,
    made_by: str,
) -> Summary:
    """The block that takes the place of the last one and of these turns."""
    return Summary(
        SummarySort.BLOCK,
        runtime.store.user,
        persona,
        now,
        text,
        turns=(last.turns if last else 0) + len(older),
        tokens=runtime.adapters.counter.count(text),
        last_heard=older[-1][0],
        first_heard=last.first_heard if last else older[0][0],
        tokens_before=sum(turn.tokens for _, turn in older) + (last.tokens if last else 0),
        made_by=made_by,
    )


def last_block(runtime: Runtime, persona: str) -> Summary | None:
    """The block that the array with a persona begins with."""
    return summaries.latest(runtime.store.database, runtime.store.user, SummarySort.BLOCK, persona)


def array_tokens(runtime: Runtime, persona: str) -> int:
    """Tokens of the whole array with a persona."""
    last = last_block(runtime, persona)
    _, tokens, _ = running.length(runtime.store.database, runtime.store.user, persona, last.last_heard if last else 0)
    return tokens + (last.tokens if last else 0)


def block_of(kept: Summary | None) -> Block | None:
    """A block as it is told; None for none."""
    if kept is None:
        return None
    return Block(kept.number, kept.made_at, kept.turns, kept.tokens, kept.tokens_before, kept.text, kept.made_by)


def _older(heard: Sequence[tuple[int, Turn]], limit: int, tokens: int) -> list[tuple[int, Turn]]:
    """The turns that a block takes the place of: all but the newest; none while the whole is within its limit."""
    if tokens <= limit:
        return []
    kept, room = 0, VERBATIM_SHARE * limit
    for _, turn in reversed(heard):
        room -= turn.tokens
        if room < 0 and kept >= VERBATIM_LEAST:
            break
        kept += 1
    return list(heard[: len(heard) - kept])


def _condensed(
    runtime: Runtime,
    before: condensing.Condensed,
    older: Sequence[tuple[int, Turn]],
    told: instructions.Instructions,
) -> condensing.Condensed:
    said = [turn for _, turn in older]
    left = list(running.items_of(runtime.store.database, [turn.id for turn in said]))
    left += _of_untold(runtime, said, left)
    settled = {one.text for one in left if one.state is ItemState.SETTLED}
    waiting = [one for one in left if one.state in (ItemState.OPEN, ItemState.CANDIDATE)]
    firm = [sentence for turn in said if turn.anchor >= 1 for sentence in statements(turn, reader())]
    gone = settled | items.settled_texts(runtime.store.database, [*before.promised, *before.open_topics])
    return condensing.condense(
        condensing.without(before, gone), said, waiting, firm, told, runtime.adapters.counter, reader()
    )


def _of_untold(runtime: Runtime, said: Sequence[Turn], left: Sequence[Item]) -> list[Item]:
    """What was left behind by conversations that were put away: their promises are kept in the array alone."""
    known_of = {one.conversation for one in left}
    found: list[Item] = []
    for conversation in dict.fromkeys(turn.conversation for turn in said if turn.conversation not in known_of):
        of_it = [turn for turn in said if turn.conversation == conversation]
        found += runtime.talk_rules().extract(of_it, (), (), Names()).items
    return found


def _still_there(runtime: Runtime, older: Sequence[tuple[int, Turn]]) -> bool:
    """Whether none of the turns was deleted meanwhile."""
    ids = [turn.id for _, turn in older]
    return len(talk_turns.get(runtime.store.database, ids)) == len(ids)


def _instructions(runtime: Runtime) -> str:
    """What the user wrote about what to hold on to; empty where there is no such file, or it cannot be read."""
    path = runtime.store.home / "notes" / instructions.FILE
    try:
        with path.open("rb") as file:
            said = file.read(4 * instructions.FILE_CHARS).decode("utf-8", "replace")
    except OSError:
        return ""
    return runtime.adapters.redactor.redact(said)
