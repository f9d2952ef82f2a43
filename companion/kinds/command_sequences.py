"""Workflows that nobody wrote down: sequences of commands that a person runs again and again, and that succeed.

Commands are told as the steps they take (`make test`, `git push`; see `companion.records.command_line`),
in sittings: a pause of half an hour ends one. The same step several times in a row is one step. A sequence
is a pattern of distinct steps that follow one another with at most `OTHER_STEPS` others between, and it
is frequent if it occurs `SUPPORT_LEAST` times without sharing a step. Patterns grow step by step from the
front (as in PrefixSpan): an occurrence of a sequence holds one of its beginning, so what is rare is never
grown.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta
from statistics import median

from msgspec import Struct

from companion.kinds.levels import workflow_levels
from companion.records import Draft, Evidence, EvidenceKind, Kind, Scope, Visibility, Workflow

SUPPORT_LEAST = 3
"""Twice is chance; three times is the least from which people speak of a habit."""
STEPS_MOST = 6
"""One step is no sequence; of longer ones nobody does all by hand, they have a task file."""
OTHER_STEPS = 1
"""Other steps that may stand between two of a sequence: a look at a failing test, not another errand."""
PAUSE = timedelta(minutes=30)
"""After a longer pause something else was begun."""
RUNS_READ = 2_000
"""Newest steps that are looked at: some weeks of work, mined in about 50 ms."""
SEQUENCES_MOST = 12
"""Workflows kept of one project: those that are told most often; spec C2 shows five."""
WORTH_MORE = 1.5
"""A part of a longer sequence is one of its own if it occurs this many times as often."""
CONFIDENCE_OF_THREE, CONFIDENCE_MOST = 0.6, 0.95
"""How sure a sequence is that was seen three times, and at most."""

ORIGIN = "commands"
"""What these workflows were read from; it belongs to the project."""

PURPOSES = (
    ("release", ("release", "publish", "twine", "deploy", "upload")),
    ("push", ("git push", "gh pr")),
    ("commit", ("git commit",)),
    ("update", ("git pull", "git fetch", "git merge", "git rebase", "install", "sync", "update", "upgrade")),
    ("test", ("test", "pytest", "tox", "nox", "jest", "vitest", "rspec", "check")),
    ("build", ("build", "compile", "make", "tsc", "webpack", "vite")),
    ("lint", ("lint", "ruff", "mypy", "eslint", "clippy", "format", "fmt", "prettier", "black")),
    ("run", ("run", "serve", "start", "up", "dev")),
)
"""What a sequence is for, by what its last step names; the first that fits."""

WEEKDAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
USUAL_SHARE = 0.6
"""Share of the times from which an hour or a weekday is called usual."""
HOURS_AROUND = 1
"""Hours on either side of the commonest one that count as the same time of day."""


class Run(Struct, frozen=True):
    """One step that was taken: where its command came from, when, how long it took, whether it succeeded.

    `place` tells work trees apart, `command` is the line as it was typed. Times are naive UTC.
    """

    place: str
    step: str
    command: str
    started_at: datetime
    duration_s: float
    succeeded: bool


Occurrence = tuple[int, ...]
"""Positions of a sequence's steps in one sitting, rising."""


class Sequences(Struct, frozen=True):
    """A frequent sequence: its steps, and in which sitting and where each occurrence lies."""

    steps: tuple[str, ...]
    occurrences: tuple[tuple[int, Occurrence], ...]

    @property
    def support(self) -> int:
        """How often it occurs, no step counted twice."""
        return len(self.occurrences)


def sittings(runs: Sequence[Run]) -> list[list[Run]]:
    """Successful runs in sittings, by place and time; of the same step in a row the last stands."""
    made: list[list[Run]] = []
    last: dict[str, list[Run]] = {}
    for run in sorted(runs, key=lambda one: (one.started_at, one.step)):
        if not run.succeeded:
            continue
        current = last.get(run.place)
        if current is None or run.started_at - current[-1].started_at > PAUSE:
            current = []
            last[run.place] = current
            made.append(current)
        if current and current[-1].step == run.step:
            current[-1] = run
        else:
            current.append(run)
    return made


def frequent_sequences(sittings_: Sequence[Sequence[Run]]) -> list[Sequences]:
    """Frequent sequences of two to `STEPS_MOST` steps, the shortest first."""
    told = [tuple(run.step for run in sitting) for sitting in sittings_]
    counted = Counter(step for steps in told for step in steps)
    common = sorted(step for step, number in counted.items() if number >= SUPPORT_LEAST)
    found: list[Sequences] = []
    growing: list[tuple[str, ...]] = [(step,) for step in common]
    while growing:
        grown = [longer for steps in growing for longer in _grown(told, steps)]
        found += grown
        growing = [one.steps for one in grown if len(one.steps) < STEPS_MOST]
    return found


def _grown(told: Sequence[tuple[str, ...]], steps: tuple[str, ...]) -> Iterator[Sequences]:
    """The frequent sequences that go on from these steps by one more."""
    after = _followers(told, steps)
    for step in sorted(step for step, number in after.items() if number >= SUPPORT_LEAST):
        longer = (*steps, step)
        occurrences = tuple(_occurrences(told, longer))
        if len(occurrences) >= SUPPORT_LEAST:
            yield Sequences(longer, occurrences)


def _followers(told: Sequence[tuple[str, ...]], steps: tuple[str, ...]) -> Counter[str]:
    """In how many places another step stands near the last one of a sequence: no fewer than it can grow by."""
    after: Counter[str] = Counter()
    for sitting in told:
        for at, step in enumerate(sitting):
            if step == steps[-1]:
                after.update(set(sitting[at + 1 : at + 2 + OTHER_STEPS]) - set(steps))
    return after


def _occurrences(told: Sequence[tuple[str, ...]], steps: tuple[str, ...]) -> Iterator[tuple[int, Occurrence]]:
    """As many occurrences as there are without a common stretch: always the one that ends first, then on from there."""
    for number, sitting in enumerate(told):
        start = 0
        while (found := _first_to_end(sitting, steps, start)) is not None:
            yield number, found
            start = found[-1] + 1


def _first_to_end(sitting: tuple[str, ...], steps: tuple[str, ...], start: int) -> Occurrence | None:
    """The occurrence from `start` on that ends first, its gaps no wider than allowed."""
    reached: list[dict[int, Occurrence]] = [{} for _ in steps]
    for at in range(start, len(sitting)):
        for depth in range(len(steps) - 1, -1, -1):
            if sitting[at] != steps[depth]:
                continue
            if depth == 0:
                reached[0][at] = (at,)
                continue
            near = range(max(start, at - 1 - OTHER_STEPS), at)
            before = next((reached[depth - 1][place] for place in near if place in reached[depth - 1]), None)
            if before is not None:
                reached[depth][at] = (*before, at)
        if at in reached[-1]:
            return reached[-1][at]
    return None


def _within(part: tuple[str, ...], whole: tuple[str, ...]) -> bool:
    rest = iter(whole)
    return all(step in rest for step in part)


def worth_telling(found: Sequence[Sequences]) -> list[Sequences]:
    """The sequences a person would tell: no part of a longer one unless it is far more frequent; a dozen at most."""
    by_weight = sorted(found, key=lambda one: (-one.support * (len(one.steps) - 1), one.steps))
    kept: list[Sequences] = []
    for one in by_weight:
        parts_of = [other for other in found if len(other.steps) > len(one.steps) and _within(one.steps, other.steps)]
        if all(one.support >= WORTH_MORE * other.support for other in parts_of):
            kept.append(one)
    return kept[:SEQUENCES_MOST]


def recorded_workflows(runs: Sequence[Run]) -> Iterator[Draft]:
    """The workflows that these runs show, private to who ran them."""
    parted = sittings(runs)
    for one in worth_telling(frequent_sequences(parted)):
        yield _draft(one, parted, runs)


def _draft(one: Sequences, parted: Sequence[Sequence[Run]], runs: Sequence[Run]) -> Draft:
    times = [[parted[number][at] for at in places] for number, places in one.occurrences]
    broken = broken_off(one.steps, runs)
    took = median(sum(run.duration_s for run in time) for time in times)
    trigger = purpose_of(one.steps[-1])
    details = {step: _usual(step, [time[at].command for time in times]) for at, step in enumerate(one.steps)}
    details["usual time"] = _seconds(took)
    details["success"] = f"{one.support} of {one.support + broken} times"
    if when := usual_moment([time[0].started_at for time in times]):
        details["usually"] = when
    last = max(time[-1].started_at for time in times)
    return Draft(
        kind=Kind.WORKFLOW,
        type="",
        subject=trigger,
        attribute=" → ".join(one.steps),
        value=" → ".join(one.steps),
        levels=workflow_levels(trigger, one.steps, details),
        origin=ORIGIN,
        evidence=tuple(Evidence(EvidenceKind.COMMAND, details[step]) for step in one.steps),
        body=Workflow(trigger, one.steps, details, one.support + broken, one.support, took),
        scope=Scope(),
        visibility=Visibility.USER_PRIVATE,
        confidence=min(CONFIDENCE_MOST, CONFIDENCE_OF_THREE + 0.05 * (one.support - SUPPORT_LEAST)),
        valid_from=min(time[0].started_at for time in times) if last else None,
    )


def broken_off(steps: Sequence[str], runs: Sequence[Run]) -> int:
    """How often a sequence was begun and then one of its later steps failed right after the step before it."""
    after = dict(zip(steps[1:], steps, strict=False))
    succeeded: dict[str, tuple[str, datetime]] = {}
    number = 0
    for run in sorted(runs, key=lambda one: (one.started_at, one.step)):
        before = succeeded.get(run.place)
        if run.succeeded:
            succeeded[run.place] = (run.step, run.started_at)
        elif before is not None and after.get(run.step) == before[0] and run.started_at - before[1] <= PAUSE:
            number += 1
            del succeeded[run.place]
    return number


def purpose_of(step: str) -> str:
    """What a sequence that ends with this step is for: a word, or the step itself."""
    words = step.replace(":", " ").replace("-", " ").replace(".", " ").split()
    for purpose, marks in PURPOSES:
        if any(mark in words or (" " in mark and step.startswith(mark)) or mark == step for mark in marks):
            return purpose
    return step


def usual_moment(moments: Sequence[datetime]) -> str:
    """When it is usually done: `around 9:00 UTC`, `on Friday`, both, or nothing."""
    parts = []
    hour, hours = Counter(moment.hour for moment in moments).most_common(1)[0]
    near = sum(min(abs(moment.hour - hour), 24 - abs(moment.hour - hour)) <= HOURS_AROUND for moment in moments)
    if near >= USUAL_SHARE * len(moments) and hours > 1:
        parts.append(f"around {hour}:00 UTC")
    day, days = Counter(moment.weekday() for moment in moments).most_common(1)[0]
    if days >= USUAL_SHARE * len(moments) and len({moment.date() for moment in moments}) >= SUPPORT_LEAST:
        parts.append(f"on {WEEKDAYS[day]}s")
    return " ".join(parts)


def _usual(step: str, commands: Sequence[str]) -> str:
    """The command that a step is mostly done by; the newest of those that are equally common."""
    counted = Counter(reversed(commands))
    return counted.most_common(1)[0][0] if commands else step


def _seconds(took: float) -> str:
    return f"{took:.0f} s" if took < 120 else f"{took / 60:.0f} min"
