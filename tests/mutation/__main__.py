"""`scripts/mutate`: the share of changes that the tests of a room notice, and those that nobody noticed."""

from __future__ import annotations

import hashlib
import json
import sys
import tempfile
from collections import Counter
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Annotated, Any

import pytest
import typer
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from mutation.changing import Mutant, left_out, mutants_of
from mutation.trying import Covered, Trying

ROOT = Path(__file__).resolve().parent.parent.parent
NOTED = ROOT / "build" / "mutation"
app = typer.Typer(pretty_exceptions_enable=False)


@dataclass(frozen=True)
class Outcome:
    """A change and the test that noticed it; "" where none did."""

    mutant: Mutant
    killed_by: str


@dataclass(frozen=True)
class Tally:
    """What came of the changes of a room."""

    room: str
    outcomes: list[Outcome]
    possible: int
    """All changes of the room, run by its tests or not."""
    covered: int
    """Those on lines that its tests run: the sample is drawn from them."""
    left_out: int
    """Figures that are never changed, by rule."""
    failing: list[str]

    @property
    def killed(self) -> int:
        return sum(bool(one.killed_by) for one in self.outcomes)

    @property
    def share(self) -> float:
        """Return the share noticed, 1 where nothing was tried."""
        return self.killed / len(self.outcomes) if self.outcomes else 1.0

    def survivors(self) -> list[Mutant]:
        """Return the changes that no test noticed."""
        return [one.mutant for one in self.outcomes if not one.killed_by]


def tally_of(room: str, tests: list[Path], sample: int, seed: int, noted: Path) -> Tally:
    """Try a sample of the changes of a room; a later call with the same notes goes on where this one was stopped."""
    files = sorted(place_of(room).rglob("*.py")) if place_of(room).is_dir() else [place_of(room)]
    sources = {str(file.relative_to(ROOT)): file.read_bytes() for file in files}
    mutants = [one for path, source in sources.items() for one in mutants_of(path, source)]
    notes = _Notes(noted / f"{room.replace('/', '-')}.jsonl", files, tests)
    made: list[Tally] = []

    def work(trying: Trying) -> None:
        covered = notes.covered() or notes.keep_covered(trying.covered())
        run = [one for one in mutants if covered.of(one)]
        chosen = _drawn(run, seed, sample)
        outcomes = [_outcome(trying, one, covered, notes) for one in _shown(chosen, room)]
        spared = sum(left_out(source) for source in sources.values())
        made.append(Tally(room, outcomes, len(mutants), len(run), spared, covered.failed))

    with tempfile.TemporaryDirectory() as scratch:
        options = ["-o", "addopts=", "-p", "no:terminal", "-p", "no:xdist", "-o", "timeout=0", "-m", "not slow"]
        pytest.main([*map(str, tests), *options, f"--basetemp={scratch}/tests"], plugins=[Trying(ROOT, sources, work)])
    if not made:
        sys.exit(f"The tests of {room} cannot be collected; run `pytest {' '.join(map(str, tests))}` first.")
    return made[0]


def place_of(room: str) -> Path:
    """Return the folder or module of a room: `language`, `store/consolidation`, `consolidation`."""
    for place in (f"companion/{room}", f"companion/{room}.py", f"{room}/companion_{room}"):
        if (ROOT / place).exists():
            return ROOT / place
    sys.exit(f"There is no room {room}; `ls companion` shows them.")


def tests_of(room: str) -> list[Path]:
    """Return the tests of a room: those of the same name, or of the nearest room around it."""
    name = Path(room)
    while name != Path():
        found = [one for one in (ROOT / "tests" / name, ROOT / "tests" / f"test_{name}.py") if one.exists()]
        if found:
            return found
        name = name.parent
    sys.exit(f"tests/{room} is not there; say which tests with --tests.")


def _outcome(trying: Trying, mutant: Mutant, covered: Covered, notes: _Notes) -> Outcome:
    known = notes.known(mutant)
    if known is None:
        known = trying.killed_by(mutant, covered)
        notes.keep(mutant, known)
    return Outcome(mutant, known)


def _drawn(mutants: list[Mutant], seed: int, many: int) -> list[Mutant]:
    """Return the changes with the least lots; a lot stays where other functions change, so a sample mostly does."""
    seen: Counter[str] = Counter()
    lots = {}
    for one in mutants:
        lot = f"{seed} {one.path} {one.function} {one.before} {one.after}"
        seen[lot] += 1
        lots[one] = hashlib.sha256(f"{lot} {seen[lot]}".encode()).hexdigest()
    return sorted(mutants, key=lots.__getitem__)[:many]


def _shown(mutants: list[Mutant], room: str) -> Iterable[Mutant]:
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True)) as progress:
        yield from progress.track(mutants, description=room)


class _Notes:
    """What was found before, a line each.

    A change that a test noticed stays noticed while its file and that test's are the same; one that nobody noticed
    is tried again as soon as anything is different.
    """

    def __init__(self, path: Path, files: list[Path], tests: list[Path]) -> None:
        self.path = path
        asked = [file for test in tests for file in ([test] if test.is_file() else test.rglob("*"))]
        ours = [*(ROOT / "tests").glob("*.py"), *Path(__file__).parent.glob("*.py")]
        everything = {*(ROOT / "companion").rglob("*.py"), *ours, *files, *asked}
        self.state = _digest(*sorted(file for file in everything if file.is_file() and file.suffix != ".pyc"))
        path.parent.mkdir(parents=True, exist_ok=True)
        lines = path.read_text(encoding="utf-8").splitlines() if path.exists() else []
        self.held: dict[str, Any] = {note["key"]: note["value"] for note in map(json.loads, lines)}

    def covered(self) -> Covered | None:
        held = self.held.get(f"covered {self.state}")
        return Covered(**held) if held else None

    def keep_covered(self, covered: Covered) -> Covered:
        self._keep(f"covered {self.state}", asdict(covered))
        return covered

    def known(self, mutant: Mutant) -> str | None:
        """Return which test noticed a change, "" where none did, None where that may be different by now."""
        found: dict[str, str] = self.held.get(_key(mutant), {})
        killed_by = found.get("killed_by")
        return killed_by if killed_by is not None and found["state"] == self._state(killed_by) else None

    def keep(self, mutant: Mutant, killed_by: str) -> None:
        self._keep(_key(mutant), {"killed_by": killed_by, "state": self._state(killed_by)})

    def _state(self, killed_by: str) -> str:
        test = ROOT / killed_by.partition("::")[0]
        return _digest(test) if killed_by and test.is_file() else self.state

    def _keep(self, key: str, value: Any) -> None:
        self.held[key] = value
        with self.path.open("a", encoding="utf-8") as notes:
            notes.write(json.dumps({"key": key, "value": value}) + "\n")


def _key(mutant: Mutant) -> str:
    return f"{_digest(ROOT / mutant.path)} {mutant.start} {mutant.told()}"


def _digest(*files: Path) -> str:
    made = hashlib.sha256()
    for file in files:
        made.update(file.read_bytes())
    return made.hexdigest()[:16]


def told(tally: Tally) -> str:
    """Return the tally for people: a line, then the survivors."""
    spared = f"{tally.left_out} figures left out by rule"
    drawn = f"of {tally.covered} on lines that tests run ({tally.possible} in all; {spared})"
    head = f"{tally.room}: {tally.killed} of {len(tally.outcomes)} noticed, {tally.share:.0%}; {drawn}"
    failing = [f"  fails unchanged, not used: {test}" for test in tally.failing]
    return "\n".join([head, *failing, *(f"  survived  {one.told()}" for one in tally.survivors())])


@app.command()
def mutate(
    room: Annotated[str, typer.Argument(help="A folder of companion/, or a part of one: language, store/text.")],
    sample: Annotated[int, typer.Option(help="How many changes to try.")] = 40,
    seed: Annotated[int, typer.Option(help="Another seed draws other changes.")] = 1,
    tests: Annotated[list[Path] | None, typer.Option(help="Tests to ask instead of those of the room.")] = None,
    least: Annotated[float, typer.Option(help="Leave with 1 where a smaller share is noticed.")] = 0.85,
    notes: Annotated[Path, typer.Option(help="Where results are kept: a call that was stopped goes on.")] = NOTED,
    as_json: Annotated[bool, typer.Option("--json", help="JSON instead of text.")] = False,
) -> None:
    """Change a room's code, one place at a time, and say which changes its tests do not notice."""
    asked = [one.resolve() for one in tests or tests_of(room)]
    tally = tally_of(room, asked, sample, seed, notes)
    if as_json:
        typer.echo(json.dumps({**asdict(tally), "killed": tally.killed, "share": tally.share}, indent=2))
    else:
        typer.echo(told(tally))
    raise typer.Exit(tally.share < least)


if __name__ == "__main__":
    app(prog_name="scripts/mutate")
