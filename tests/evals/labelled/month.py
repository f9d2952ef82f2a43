"""A month of one project, lived through in a store of its own: notes, conversations and work, and the runs after them.

A folder holds `notes.jsonl` (day, by, text, key), `month.md` (`day|event;event`: open, edit, search, commit) and any
number of conversations, `NAME.jsonl` beside `NAME.key`. Days count from FIRST. Notes are remembered on their day, files
are opened, edited and committed in a real repository, a conversation is brought in as an assistant's log and confirmed
on the evening of its last day, and a run follows on every working day on which something was done. With recorded
answers (`first`, `second`, `answer` a line) an assistant judges what it knows an answer to before each run and after it.
What stands on the morning after the last day is told beside the keys (see `month_told`).
"""

from __future__ import annotations

import json
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime, time, timedelta
from pathlib import Path
from typing import Any
from unittest.mock import patch

from journalled import journalled
from repos import Repo

from companion.api import Greeting, Note, Order, RunOrder, RunReport
from companion.app.compose import open_runtime
from companion.app.consolidation import opposing
from companion.app.local import LocalCompanion
from companion.app.replay import SetClock
from companion.app.scanning.vectors import fill_vectors
from companion.app.talks import confirming
from companion.app.verbs.code.scans import settle_down
from companion.config import Settings
from companion.errors import UsageError
from companion.ports import NoProgress, Progress
from companion.records import Format, JudgeAnswer, Merge, Profile, SearchQuery, Signals, Supersede, Touch, Touched
from companion.records.runs import ChangeState
from companion.signals import git
from companion.store import projects
from evals.json_lines import read_json_lines

FIRST = date(2026, 10, 26)
"""Day 0, a Monday."""
MORNING, EVENING, NIGHT = time(9), time(20), time(23)
GREETED = time(8)
BETWEEN = timedelta(minutes=3)
"""From one thing that is done to the next."""
SATURDAY = 5
BUDGET_TOKENS, SEARCHED = 4_000, 10
BATCH = 50
"""Questions that an assistant takes at once, at most."""
PATIENT_S = 600.0
"""What arrives is compared with what is known to the end, as on a quick machine: else the clock decides what is seen."""
HAND, ASSISTANT, SOURCE, JUDGE = "hand", "claude", "claude-code", "assistant claude"
USER = f"u1{'0' * 30}"
"""The store's user, the same each time, as ids are made of it."""


@dataclass(frozen=True, slots=True)
class Said:
    """A note, the number of the day it was said on, who wrote it, and what the key says of it."""

    day: int
    text: str
    by_hand: bool
    keys: frozenset[str]


@dataclass(frozen=True, slots=True)
class Talk:
    """A conversation: its messages, the lines of its key, and the number of the day it ended on."""

    name: str
    messages: tuple[Mapping[str, Any], ...]
    key: tuple[str, ...]
    day: int
    ended_at: datetime


@dataclass(frozen=True, slots=True)
class Month:
    """What happens: notes by their days, conversations by their ends, and what is done on each day."""

    notes: tuple[Said, ...]
    talks: tuple[Talk, ...]
    done: Mapping[int, tuple[str, ...]]

    @property
    def days(self) -> int:
        """How many days there are."""
        said = (*(one.day for one in self.notes), *(one.day for one in self.talks))
        return 1 + max((*self.done, *said), default=0)


@dataclass(frozen=True, slots=True)
class GaveWay:
    """A memory that a run merged into another or superseded, and on which day."""

    day: int
    gone: str
    stays: str
    merged: bool
    reason: str


def month(
    folder: Path, progress: Progress, *, embeddings: str = "minilm-int8", answers: Path | None = None
) -> dict[str, Any]:
    """What a month left, beside its keys, as one JSON object. Raises UsageError for what cannot be read."""
    from evals.labelled.month_told import told

    plan = read_month(folder)
    patient = [patch.object(room, "ARRIVED_S", PATIENT_S) for room in (opposing, confirming)]
    with tempfile.TemporaryDirectory(prefix="companion-month-") as place, patient[0], patient[1]:
        life = MonthLife(Path(place).resolve(), plan, embeddings, read_answers(answers) if answers else {})
        try:
            life.live(progress)
            return told(life)
        finally:
            life.close()


def read_month(folder: Path) -> Month:
    """The month in a folder. Raises UsageError for what cannot be read."""
    notes = [
        Said(int(row["day"]), row["text"], row["by"] == HAND, frozenset(row["key"].split()))
        for row in read_json_lines(folder / "notes.jsonl")
    ]
    talks = [_talk(path) for path in sorted(folder.glob("*.key"))]
    try:
        lines = (folder / "month.md").read_text("utf-8").splitlines()
    except OSError as wrong:
        raise UsageError(f"{folder} holds no month: {wrong}.", "It needs notes.jsonl and month.md.") from wrong
    split = [line.partition("|") for line in lines if line.strip()]
    done = {int(day): tuple(filter(None, map(str.strip, what.split(";")))) for day, _, what in split}
    return Month(tuple(sorted(notes, key=lambda one: one.day)), tuple(sorted(talks, key=lambda one: one.day)), done)


def read_answers(path: Path) -> dict[tuple[str, str], str]:
    """What a judge said of pairs of texts, either way round. Raises UsageError for what cannot be read."""
    turned = {"first_contains_second": "second_contains_first", "second_contains_first": "first_contains_second"}
    found: dict[tuple[str, str], str] = {}
    for row in read_json_lines(path):
        found[row["first"], row["second"]] = row["answer"]
        found[row["second"], row["first"]] = turned.get(row["answer"], row["answer"])
    return found


def _talk(key: Path) -> Talk:
    messages = read_json_lines(key.with_suffix(".jsonl"))
    ended_at = datetime.fromisoformat(messages[-1]["time"]).replace(tzinfo=None)
    lines = tuple(line for line in key.read_text("utf-8").splitlines() if line.strip())
    return Talk(key.stem, tuple(messages), lines, (ended_at.date() - FIRST).days, ended_at)


@dataclass
class MonthLife:
    """A repository and a store in an empty folder, and what became of the month in them."""

    folder: Path
    plan: Month
    embeddings: str
    answers: Mapping[tuple[str, str], str]
    """What a judge says of two texts in their order."""
    notes: dict[str, Said] = field(default_factory=dict)
    """Notes by the ids of the memories that they became."""
    talks: dict[str, Talk] = field(default_factory=dict)
    """Conversations by their ids."""
    gave_way: list[GaveWay] = field(default_factory=list)
    waiting: list[int] = field(default_factory=list)
    """How many questions waited for a judge after each run."""
    report: RunReport | None = None
    greeting: Greeting = field(default_factory=Greeting)

    def __post_init__(self) -> None:
        self.clock = SetClock(_moment(0, GREETED))
        self.work = Workplace(Repo(self.folder / "project"), self.clock, self.plan)
        self.runtime = open_runtime(self.folder / "home", Settings(embeddings=self.embeddings), self.clock)
        self.runtime.shared = True  # nobody else wants this store: it need not be let go of between two texts
        projects.user_id(self.runtime.store.database, lambda: USER)
        state = git.open_repository(self.work.repo.root)
        self.project, checkout = projects.identify(self.runtime.store.database, state, self.clock.now())
        self.companion = LocalCompanion(self.runtime, state, self.project, checkout)
        self.companion.scan(NoProgress())

    def close(self) -> None:
        """Let go of the store."""
        self.runtime.close()

    def live(self, progress: Progress) -> None:
        """Day after day, to the morning after the last."""
        for number in range(self.plan.days):
            progress.step("living day by day", number, self.plan.days)
            if self._day(number) and _moment(number, NIGHT).weekday() < SATURDAY:
                self._run(number)
        self.clock.moment = _moment(self.plan.days, GREETED)
        self.greeting = self.companion.greeting()

    def _day(self, number: int) -> bool:
        """What is said and done on a day; whether that was anything."""
        said = [one for one in self.plan.notes if one.day == number]
        done = self.plan.done.get(number, ())
        talks = [one for one in self.plan.talks if one.day == number]
        self.clock.moment = _moment(number, MORNING)
        for one in said:
            note = Note(one.text, assistant="" if one.by_hand else ASSISTANT)
            self.notes[self.companion.remember(note).id] = one
            self.clock.moment += BETWEEN
        for event in done:
            self._do(*event.split(" ", 1))
            self.clock.moment += BETWEEN
        for talk in talks:
            self.clock.moment = max(_moment(number, EVENING), talk.ended_at + timedelta(hours=1))
            self._bring(talk)
        return bool(said or done or talks)

    def _do(self, what: str, about: str) -> None:
        """One event of the plan, as editor, shell and assistant tell of it."""
        companion = self.companion
        match what:
            case "open":
                companion.observe([Touched(about, Touch.OPENED)])
                companion.assemble(BUDGET_TOKENS, Signals(current_file=about), Format.MARKDOWN, Order.PEOPLE)
            case "edit":
                self.work.edit(about)
                companion.observe([Touched(about, Touch.EDITED), Touched(about, Touch.SAVED)])
                companion.refresh([about])
            case "commit":
                self.work.commit(about)
                companion.refresh(None)
            case "search":
                companion.search(SearchQuery(text=about, profile=Profile.LEARNED, limit=SEARCHED))
            case _:
                raise UsageError(f"Nobody can {what}.", "An event is open, edit, commit or search.")

    def _bring(self, talk: Talk) -> None:
        """Bring in what an assistant kept of a conversation, and confirm what it leaves behind."""
        log = self.folder / "logs" / f"{talk.name}.jsonl"
        log.parent.mkdir(exist_ok=True)
        log.write_text("".join(f"{line}\n" for line in _logged(talk, self.work.repo.root)), "utf-8")
        self.companion.import_talk(NoProgress(), [SOURCE], log)
        (brought,) = self.companion.unseen_talk()
        self.talks[brought.id] = talk
        self.companion.review_unseen(NoProgress(), keep=True)

    def _run(self, day: int) -> None:
        """What the owner does in a quiet moment, and a run; what it merged and superseded is written down."""
        self.clock.moment = max(_moment(day, NIGHT), self.clock.moment)
        settle_down(self.companion)
        for space in (self.project, self.runtime.store.user):
            fill_vectors(self.runtime, space, NoProgress())
        self._judge()
        self.report = self.companion.consolidate(RunOrder(), NoProgress())
        self.waiting.append(self.report.questions_waiting)
        self._note(day, self.report.run)
        self._judge()

    def _note(self, day: int, run: str) -> None:
        """Write down what a run merged and superseded."""
        for one in journalled(self.runtime.store.database, run, state=ChangeState.APPLIED):
            match one.change:
                case Merge(keep, drop, reason):
                    self.gave_way += [GaveWay(day, gone, keep, True, reason) for gone in drop]
                case Supersede(old, new, reason):
                    self.gave_way.append(GaveWay(day, old, new, False, reason))
                case _:
                    pass

    def _judge(self) -> None:
        """A batch of what waits is answered, as far as an answer was recorded and an assistant may answer on one day."""
        waiting = self.companion.pending_judgements(BATCH, JUDGE) if self.answers else ()
        known = ((one.id, self.answers.get((one.texts[0].text, one.texts[-1].text), "")) for one in waiting)
        if said := [JudgeAnswer(id_, answer) for id_, answer in known if answer]:
            done = self.companion.judge(said, JUDGE)
            self._note((self.clock.moment.date() - FIRST).days, done.run)


@dataclass
class Workplace:
    """A repository with the files of the plan; each edit adds a line."""

    repo: Repo
    clock: SetClock
    plan: Month
    _edits: int = 0

    def __post_init__(self) -> None:
        self.repo.root.mkdir()
        self.repo.git("init", "-q")
        events = [event.split(" ", 1) for done in self.plan.done.values() for event in done]
        for path in sorted({about for what, about in events if what in ("open", "edit")}):
            self.repo.write(path, "step_0 = 0\n")
        self.commit("Begin")

    def edit(self, path: str) -> None:
        """Add a line to a file."""
        self._edits += 1
        before = (self.repo.root / path).read_text("utf-8")
        self.repo.write(path, f"{before}step_{self._edits} = {self._edits}\n")

    def commit(self, subject: str) -> None:
        """Commit all that was edited."""
        at = f"{self.clock.now().isoformat()} +0000"
        self.repo.commit(subject, GIT_AUTHOR_DATE=at, GIT_COMMITTER_DATE=at)


def _moment(day: int, at: time) -> datetime:
    return datetime.combine(FIRST + timedelta(days=day), at)


def _logged(talk: Talk, folder: Path) -> Iterator[str]:
    """The records that Claude Code writes of a conversation held in a folder."""
    for number, one in enumerate(talk.messages):
        yield json.dumps(
            {
                "type": one["role"],
                "uuid": f"{talk.name}-{number}",
                "sessionId": talk.name,
                "cwd": str(folder),
                "timestamp": one["time"],
                "message": {"role": one["role"], "content": _content(one)},
            }
        )


def _content(message: Mapping[str, Any]) -> str | Sequence[Mapping[str, str]]:
    text = str(message["text"])
    return text if message["role"] == "user" else [{"type": "text", "text": text}]
