"""How often what was said is found again: conversations with questions whose evidence is known.

Each pair of speakers is a user of a store of their own, each session a conversation, each line a turn, taken in as
an imported transcript is; questions are asked by the search that the product uses. Beside it stands plain BM25
over the same lines (or whole sessions), with the same words made of them, alone and with a line either side.
"""

from __future__ import annotations

import re
import tempfile
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any

from companion.errors import UsageError
from companion.evals.statistics import Figures, mean, percentile, rounded, wilson
from companion.records.talk import Conversation, Message, Role, TalkState, Turn
from companion.store.talk import conversations, finding, talk_turns
from companion.store.talk.turn_index import talk_project
from companion.store.text import analysis
from companion.store.text.word_index import WordIndex
from companion.store.text.word_space import Document
from evals.json_lines import read_json_lines

if TYPE_CHECKING:
    from companion.app.runtime import Runtime
    from companion.store.database import Database
    from companion.store.text.index import TextIndex
    from companion.store.vectors.vectors import Vectors

UNITS = ("turn", "session")
FIRSTS = (5, 10)
"""Places at which recall is told."""
DEPTH = 100
"""Places looked at for the reciprocal rank."""
EVERY_TURN = 100_000
"""More turns than any conversation has."""
BEST_OF_TALK, NEXT_OF_TALK = 3, 0.3
"""A conversation counts by so many of its best turns, each with this share of the one before."""
WHOLE_SHARE = 0.35
"""What it adds as a whole: of .2 to .6 the best on four of five sets of talks, whichever the fifth was."""
UNDATED = datetime(2026, 1, 5, 9, 0)
"""When the first session was, where its date cannot be read; each later one a day after."""
DATES = ("%I:%M %p on %d %B, %Y", "%d %B %Y", "%Y-%m-%d", "%Y-%m-%dT%H:%M:%S", "%Y-%m-%d %H:%M")
_REFERENCE = re.compile(r"[A-Za-z]*\d+:\d+|[^\s,;]+")
"""One id in a text that lists several."""


@dataclass(frozen=True, slots=True)
class Line:
    """One line of a conversation, with the name of its session."""

    id: str
    session: str
    at: datetime
    text: str


@dataclass(frozen=True, slots=True)
class Question:
    """A question about a conversation, and the ids of the lines that answer it."""

    id: str
    conversation: str
    category: str
    text: str
    evidence: frozenset[str]


Ranking = Mapping[str, Sequence[str]]
"""Names of lines, or of sessions, best first, by unit."""


def recall(
    said: Path, asked: Path, unit: str, *, progress: Callable[[int, int], None] = lambda done, total: None
) -> dict[str, object]:
    """Figures of every question beside the baselines, whole and by category. Raises UsageError for bad files."""
    if unit not in UNITS:
        raise UsageError(f"{unit!r} is not a unit.", f"Choose one of: {', '.join(UNITS)}.")
    lines, questions = read_lines(said), read_questions(asked)
    questions = [one for one in questions if one.evidence & {line.id for line in lines.get(one.conversation, ())}]
    if not questions:
        raise UsageError(
            f"No question of {asked} is about a line of {said}.", "Each names a `conv` and `evidence` ids."
        )
    from companion.app.compose import open_runtime
    from companion.app.replay import SetClock
    from companion.config import Settings

    measured = _Measured(unit)
    with tempfile.TemporaryDirectory(prefix="companion-recall-") as folder:
        runtime = open_runtime(Path(folder), Settings(), SetClock(UNDATED))
        plain = WordIndex(Path(folder) / "plain.sqlite")
        try:
            for name, talk in lines.items():
                names = _taken_in(runtime, name, talk)
                _index_plainly(plain, name, talk)
                for one in (question for question in questions if question.conversation == name):
                    start = time.perf_counter()
                    found = _ours(runtime, name, one.text, names)
                    measured.seconds.append(time.perf_counter() - start)
                    measured.add(one, _gold(one, talk, unit), {"ours": found, **_plainly(plain, name, one.text)})
                    progress(len(measured.seconds), len(questions))
        finally:
            plain.close()
            runtime.close()
    return _told(measured.rows, measured.seconds, unit)


@dataclass
class _Measured:
    """Figures of every question, by way of ranking, while they are gathered."""

    unit: str
    rows: dict[str, list[Figures]] = field(default_factory=lambda: defaultdict(list))
    seconds: list[float] = field(default_factory=list)
    """How long our own answers took."""

    def add(self, question: Question, gold: frozenset[str], rankings: Mapping[str, Ranking]) -> None:
        """Count what each way of ranking found of what a question is after."""
        for way, ranking in rankings.items():
            self.rows[way].append(_figures(ranking[self.unit], gold))
        self.rows["categories"].append({question.category: float(len(self.seconds) - 1)})


def read_lines(path: Path) -> dict[str, list[Line]]:
    """The lines of each conversation (JSON Lines, also gzipped): conv, session, date, id, speaker, text, caption."""
    found: dict[str, list[Line]] = defaultdict(list)
    days: dict[str, dict[str, datetime]] = defaultdict(dict)
    try:
        for row in read_json_lines(path):
            name, session = str(row["conv"]), str(row["session"])
            known = days[name]
            at = known.setdefault(session, _moment(str(row.get("date") or ""), len(known)))
            caption = f" [{row['caption']}]" if row.get("caption") else ""
            text = f"{row.get('speaker') or ''}: {row['text']}{caption}"
            found[name].append(Line(str(row["id"]), session, at + timedelta(seconds=len(found[name])), text))
    except (KeyError, AttributeError, TypeError) as wrong:
        raise UsageError(
            f"{path} is not a file of turns: {wrong}.", "Each line has conv, session, id and text."
        ) from wrong
    return found


def read_questions(path: Path) -> list[Question]:
    """The questions of a file: qid, conv, category, question, evidence (`evidence_fixed` where it is given)."""
    try:
        return [
            Question(
                str(row["qid"]),
                str(row["conv"]),
                str(row.get("category", "")),
                str(row["question"]),
                _evidence(row.get("evidence_fixed") or row.get("evidence") or ()),
            )
            for row in read_json_lines(path)
        ]
    except (KeyError, AttributeError, TypeError) as wrong:
        raise UsageError(
            f"{path} is not a file of questions: {wrong}.", "Each line has qid, conv, question and evidence."
        ) from wrong


def _evidence(given: object) -> frozenset[str]:
    """Ids that are given as a list or as one text; some lists hold several ids in one text."""
    texts = [given] if isinstance(given, str) else list(given) if isinstance(given, (list, tuple)) else []
    return frozenset(id_ for text in texts for id_ in _REFERENCE.findall(str(text)))


def _moment(text: str, number: int) -> datetime:
    for form in DATES:
        with suppress(ValueError):
            return datetime.strptime(text.strip(), form)
    return UNDATED + timedelta(days=number)


# --- the product's path ---------------------------------------------------------------------------


def _taken_in(runtime: Runtime, user: str, lines: Sequence[Line]) -> dict[str, tuple[str, str]]:
    """Keep all lines and their vectors; the line and session that each kept turn and conversation is."""
    sessions: dict[str, list[Line]] = defaultdict(list)
    for line in lines:
        sessions[line.session].append(line)
    names: dict[str, tuple[str, str]] = {}
    for session, some in sessions.items():
        held = Conversation("", user, TalkState.ARCHIVED, some[0].at, source="eval", outside=session)
        kept = conversations.take_in(runtime.store.database, held)
        names[kept.id] = ("", session)
        read = [
            Turn(
                "", "", 0, line.at, (Message(Role.USER, runtime.adapters.redactor.redact(line.text)),), outside=line.id
            )
            for line in some
        ]
        talk_turns.take_in(runtime.store.database, kept, read, counter=runtime.adapters.counter)
        names |= {turn.id: (turn.outside, session) for turn in talk_turns.of(runtime.store.database, kept.id)}
    from companion.app.scanning.vectors import fill_vectors
    from companion.ports import NoProgress

    fill_vectors(runtime, talk_project(user), NoProgress())
    return names


def talks(
    database: Database, index: TextIndex, vectors: Vectors | None, user: str, asked: finding.TurnQuery, limit: int
) -> list[str]:
    """Ids of the conversations that fit a question best, best first: by their best turns, and as a whole."""
    of_talk: dict[str, list[Any]] = defaultdict(list)
    for one in finding.turns(database, index, vectors, user, asked, EVERY_TURN):
        of_talk[one.conversation].append(one)
    scores = {
        id_: sum(one.alone * NEXT_OF_TALK**place for place, one in enumerate(found[:BEST_OF_TALK]))
        + WHOLE_SHARE * found[0].whole
        for id_, found in of_talk.items()
    }
    return sorted(scores, key=lambda id_: (-round(scores[id_], 6), id_))[:limit]


def _ours(runtime: Runtime, user: str, text: str, names: Mapping[str, tuple[str, str]]) -> Ranking:
    asked = finding.TurnQuery(text)
    if runtime.adapters.embedder is not None:
        asked = finding.TurnQuery(text, runtime.adapters.embedder.model, runtime.adapters.embedder.embed([text])[0])
    where = (runtime.store.database, runtime.store.text_index, runtime.store.vectors, user, asked, DEPTH)
    return {
        "turn": [names[one.turn][0] for one in finding.turns(*where)],
        "session": [names[id_][1] for id_ in talks(*where)],
    }


# --- the baselines --------------------------------------------------------------------------------


def _index_plainly(file: WordIndex, name: str, lines: Sequence[Line]) -> None:
    counted = [Counter(analysis.terms(line.text)) for line in lines]
    whole: dict[str, Counter[str]] = defaultdict(Counter)
    beside = []
    for place, line in enumerate(lines):
        whole[line.session].update(counted[place])
        around: Counter[str] = Counter(counted[place])
        for near in (place - 1, place + 1):
            if 0 <= near < len(lines) and lines[near].session == line.session:
                around.update(counted[near])
        beside.append(Document(line.id, 0, around))
    file.add(f"turn {name}", [Document(line.id, 0, words) for line, words in zip(lines, counted, strict=True)])
    file.add(f"beside {name}", beside)
    file.add(f"session {name}", [Document(session, 0, words) for session, words in whole.items()])


def _plainly(file: WordIndex, name: str, text: str) -> dict[str, Ranking]:
    words = analysis.terms(text)

    def ranked(space: str) -> list[str]:
        found = file.rank(f"{space} {name}", words, DEPTH)
        keys = file.records(f"{space} {name}", found.ords.tolist())
        return [keys[number][0] for number in found.ords.tolist()]

    whole = ranked("session")
    return {
        "bm25": {"turn": ranked("turn"), "session": whole},
        "bm25 with neighbours": {"turn": ranked("beside"), "session": whole},
    }


# --- figures --------------------------------------------------------------------------------------


def _gold(one: Question, lines: Sequence[Line], unit: str) -> frozenset[str]:
    there = [line for line in lines if line.id in one.evidence]
    return frozenset(line.id if unit == "turn" else line.session for line in there)


def _figures(ranked: Sequence[str], gold: frozenset[str]) -> Figures:
    places = [place for place, name in enumerate(ranked) if name in gold]
    figures: Figures = {}
    for k in FIRSTS:
        within = sum(place < k for place in places)
        figures[f"recall@{k}"] = within / len(gold)
        figures[f"any@{k}"] = float(within > 0)
        figures[f"all@{k}"] = float(within == len(gold))
    figures["mrr"] = 1.0 / (places[0] + 1) if places else 0.0
    return figures


def _told(rows: Mapping[str, list[Figures]], seconds: Sequence[float], unit: str) -> dict[str, object]:
    names = [name for name in rows if name != "categories"]
    groups: dict[str, list[int]] = defaultdict(list)
    for row in rows["categories"]:
        for category, number in row.items():
            groups[f"category {category}"].append(int(number))
    by = {
        group: {
            "ours": {**rounded(mean([rows["ours"][n] for n in numbers])), "n": len(numbers)},
            "baselines": {name: rounded(mean([rows[name][n] for n in numbers])) for name in names if name != "ours"},
        }
        for group, numbers in sorted(groups.items())
    }
    tried = len(seconds)
    any_10 = wilson(int(sum(row["any@10"] for row in rows["ours"])), tried)
    ms = [1_000 * one for one in seconds]
    return {
        "eval": "recall",
        "n": tried,
        "ours": {
            **rounded(mean(rows["ours"])),
            "any@10_low": round(any_10.low, 4),
            "any@10_high": round(any_10.high, 4),
        },
        "baselines": {name: rounded(mean(rows[name])) for name in names if name != "ours"},
        "by": by,
        "latency_ms": {"p50": round(percentile(ms, 0.5), 2), "p95": round(percentile(ms, 0.95), 2)},
        "settings": {"unit": unit},
    }
