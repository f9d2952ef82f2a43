"""Whether every decision, name and number that was planted in a written talk is found again after it was closed.

Each talk is held with the product (no language model): begun, spoken turn by turn, closed, confirmed as it stands. A
planted thing is *kept* where one item, or the words that the talk became, has it; it is *answered* where its question,
asked in other words, brings it among the first five memories or the first five turns, which is what an assistant's
search gives; it is *found again* where it is either. All talks share one store, so a question may go to the wrong one.
Beside it stands what BM25 over the turns gives. The talks of the package were written before the rules had seen them,
and the rules have been changed since for what they missed: as a measure of unseen talk, give others.
"""

from __future__ import annotations

import tempfile
import tomllib
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Any

from companion.errors import UsageError
from companion.evals.statistics import rounded, wilson
from companion.records import Profile, SearchQuery
from companion.records.talk import Message, Role
from companion.store.text import analysis
from companion.store.text.word_index import WordIndex
from companion.store.text.word_space import Document

if TYPE_CHECKING:
    from companion.app.local import LocalCompanion
    from companion.app.replay import SetClock

BETWEEN = timedelta(minutes=3)
"""From one turn to the next."""
FIRST = 5
"""Memories, and turns, among which an answer must be."""
SORTS = ("decision", "name", "number")
SPACE = "turns"


@dataclass(frozen=True, slots=True)
class Planted:
    """A decision, name or number, the words that it is known by, and a question about it."""

    sort: str
    has: tuple[str, ...]
    question: str

    def stands_in(self, text: str) -> bool:
        """Whether a text has it."""
        low = text.lower()
        return all(word.lower() in low for word in self.has)


@dataclass(frozen=True, slots=True)
class Written:
    """A written talk, and what was planted in it."""

    name: str
    at: datetime
    turns: tuple[tuple[str, str], ...]
    planted: tuple[Planted, ...]
    never: tuple[str, ...] = ()
    """Words that no item may have: thought aloud, taken back, said by the assistant alone."""


@dataclass(frozen=True, slots=True)
class Found:
    """What became of a planted thing."""

    talk: str
    planted: Planted
    kept: bool
    answered: bool
    bm25: bool

    @property
    def again(self) -> bool:
        """Whether it is found again at all."""
        return self.kept or self.answered


def planted(
    folder: Path | None, *, progress: Callable[[int, int], None] = lambda done, total: None
) -> dict[str, object]:
    """Shares that are found again, whole and by sort, as one JSON object. Raises UsageError for bad files."""
    from companion.app.compose import open_runtime
    from companion.app.local import nowhere
    from companion.app.replay import SetClock
    from companion.config import Settings

    talks = list(read_talks(folder))
    with tempfile.TemporaryDirectory(prefix="companion-planted-") as home:
        clock = SetClock(talks[0].at)
        runtime = open_runtime(Path(home), Settings(), clock)
        plain = WordIndex(Path(home) / "plain.sqlite")
        try:
            companion = nowhere(runtime, Path(home), owns_runtime=False)
            kept = {}
            for number, talk in enumerate(talks):
                kept[talk.name] = _held(companion, talk, clock)
                progress(number + 1, 2 * len(talks))
            rows = []
            _index(plain, talks)
            for number, talk in enumerate(talks):
                rows += [_found(companion, plain, talks, talk, one, kept[talk.name]) for one in talk.planted]
                progress(len(talks) + number + 1, 2 * len(talks))
        finally:
            plain.close()
            runtime.close()
    wrong = [f"{talk.name}: {word}" for talk in talks for word in talk.never if _says(kept[talk.name], word)]
    return _told(rows, sum(len(one) - 1 for one in kept.values()), wrong)


def read_talks(folder: Path | None) -> Iterator[Written]:
    """The talks of a folder (ours, if None is given), in the order of their names. Raises UsageError."""
    inside = files("evals") / "data" / "talks" if folder is None else folder
    found = sorted((one for one in inside.iterdir() if one.name.endswith(".toml")), key=lambda one: one.name)
    if not found:
        raise UsageError(f"There is no talk in {folder}.", "Each is a .toml file with at, turns and plants.")
    for one in found:
        try:
            yield _talk(one.name.removesuffix(".toml"), tomllib.loads(one.read_text("utf-8")))
        except (OSError, ValueError, KeyError, TypeError) as wrong:
            raise UsageError(f"{one} is no written talk: {wrong}.", "It has at, turns and plants.") from wrong


def _talk(name: str, raw: Mapping[str, Any]) -> Written:
    turns = tuple((str(asked), str(reply)) for asked, reply in raw["turns"])
    told = tuple(Planted(str(sort), tuple(map(str, has)), str(question)) for sort, has, question in raw["plants"])
    said = " ".join(text for turn in turns for text in turn)
    for one in told:
        if one.sort not in SORTS or not one.stands_in(said):
            raise ValueError(f"{one.sort} {one.has} is not planted in it")
    return Written(name, raw["at"], turns, told, tuple(map(str, raw.get("never", ()))))


def _held(companion: LocalCompanion, talk: Written, clock: SetClock) -> list[str]:
    """Hold a talk and remember it: the texts of its items, and last what it became."""
    clock.moment = talk.at
    companion.start_conversation()
    for asked, reply in talk.turns:
        clock.moment += BETWEEN
        companion.add_turn([Message(Role.USER, asked), Message(Role.ASSISTANT, reply)])
    companion.close_conversation()
    came = companion.confirm_review()
    items = ["\n".join((one.text, *one.details.values())) for one in came.items]
    return [*items, "\n".join(memory.draft.levels.full for memory in came.memories)]


def _found(
    companion: LocalCompanion,
    plain: WordIndex,
    talks: Sequence[Written],
    talk: Written,
    one: Planted,
    kept: Sequence[str],
) -> Found:
    memories = companion.search(SearchQuery(one.question, profile=Profile.MEMORY, limit=FIRST))
    turns = companion.find_turns(one.question, FIRST)
    texts = [hit.memory.draft.levels.full for hit in memories if hit.memory]
    texts += ["\n".join(message.text for message in hit.turn.messages) for hit in turns]
    found = plain.rank(SPACE, analysis.terms(one.question), FIRST)
    said = {f"{each.name} {number}": "\n".join(turn) for each in talks for number, turn in enumerate(each.turns)}
    simple = [said[key[0]] for key in plain.records(SPACE, found.ords.tolist()).values()]
    return Found(
        talk.name,
        one,
        any(map(one.stands_in, kept)),
        any(map(one.stands_in, texts)),
        any(map(one.stands_in, simple)),
    )


def _index(plain: WordIndex, talks: Sequence[Written]) -> None:
    plain.add(
        SPACE,
        [
            Document(f"{talk.name} {number}", 0, Counter(analysis.terms(" ".join(turn))))
            for talk in talks
            for number, turn in enumerate(talk.turns)
        ],
    )


def _says(kept: Sequence[str], word: str) -> bool:
    return any(word.lower() in text.lower() for text in kept[:-1])


def _told(rows: Sequence[Found], items: int, wrong: Sequence[str]) -> dict[str, object]:
    sorts: dict[str, list[Found]] = defaultdict(list)
    for row in rows:
        sorts[row.planted.sort].append(row)
    interval = wilson(sum(row.again for row in rows), len(rows))
    missing = [f"{row.talk}: {row.planted.sort} {', '.join(row.planted.has)}" for row in rows if not row.again]
    unkept = [f"{row.talk}: {row.planted.sort} {', '.join(row.planted.has)}" for row in rows if not row.kept]
    return {
        "eval": "planted",
        "n": len(rows),
        "ours": {**_shares(rows), "low": round(interval.low, 4), "high": round(interval.high, 4)},
        "baselines": {"bm25": rounded({"found_again": sum(row.bm25 for row in rows) / len(rows)})},
        "by": {
            sort: {
                "ours": {**_shares(found), "n": len(found)},
                "baselines": {"bm25": rounded({"found_again": sum(row.bm25 for row in found) / len(found)})},
            }
            for sort, found in sorted(sorts.items())
        },
        "missing": missing,
        "not_kept": unkept,
        "kept_wrongly": list(wrong),
        "settings": {"language_model": "none", "talks": len({row.talk for row in rows}), "items": items},
    }


def _shares(rows: Sequence[Found]) -> dict[str, float]:
    return rounded(
        {
            "found_again": sum(row.again for row in rows) / len(rows),
            "kept": sum(row.kept for row in rows) / len(rows),
            "answered": sum(row.answered for row in rows) / len(rows),
        }
    )
