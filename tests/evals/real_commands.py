"""Commands of `scripts/eval` that run real processes: storms of kills, and how soon and how fast they answer."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

from companion.evals.shown import Repo, Seed, Vectors, cell, show
from companion.surfaces.cli.declared import CommandGroup, Option
from companion.surfaces.cli.options import AsJson
from companion.surfaces.cli.output import print_json, print_table, print_text, progress
from evals.shown import Kills, Memories, own_folder, show_storm


def register(app: CommandGroup) -> None:
    """Add this module's commands."""
    for name, command in (
        ("durability", durability),
        ("talks", talks),
        ("runs", runs),
        ("team-storm", team_storm),
        ("hooks", hooks),
        ("freshness", freshness),
        ("live", live),
        ("start", start),
        ("labels", labels),
        ("turns", turns),
        ("latency", latency),
        ("page", page),
        ("run-load", run_load),
        ("team", team),
        ("team-context", team_context),
    ):
        app.command(name)(command)


def durability(kills: Kills = 1_000, seed: Seed = 1, as_json: AsJson = False) -> None:
    """Kill the daemon of a store of its own at random moments while eight others write; count what is lost.

    Example: `scripts/eval durability --kills 50`
    """
    from evals.kills.durability import durability as measured

    with own_folder("durability", quiet=as_json) as (folder, bars):
        told = measured(folder, kills, seed, lambda done, total: bars.step("killing daemons", done, total))
    if not as_json:
        ways = [(way, tried, told.acknowledged[way]) for way, tried in told.tried.items()]
        print_table("", ("way", "tried ", "acknowledged "), ways)
    broken = {"lost": told.lost, "doubled": told.doubled, "stale": told.stale, "unclean": told.unclean}
    show_storm(told, f"{told.kills} kills in {told.seconds:,.0f} s.", broken, holds=told.holds, as_json=as_json)


def talks(
    kills: Annotated[int, Option("--kills", help="How often a speaker is killed.", min=0, max=100_000)] = 500,
    imports: Annotated[int, Option("--imports", help="How often a reader of a log is.", min=0, max=10_000)] = 40,
    seed: Seed = 1,
    as_json: AsJson = False,
) -> None:
    """Kill who holds a conversation, and who reads an assistant's log: no turn lost, none twice, nothing unseen.

    Example: `scripts/eval talks --kills 50 --imports 20`
    """
    from evals.kills.imports import import_kills
    from evals.kills.talks import talk_kills

    with own_folder("talks", quiet=as_json) as (home, bars):
        told = talk_kills(home / "spoken", kills, seed, lambda done, total: bars.step("killing speakers", done, total))
        read = import_kills(home / "read", imports, seed, lambda done, total: bars.step("killing readers", done, total))
    says = (
        f"{told.kills} kills in {told.seconds:,.0f} s: {told.turns:,} turns and {told.confirmed} conversations "
        f"acknowledged, {told.cut_off} cut off at the end.\n"
        f"{read.kills} kills of readers in {read.seconds:,.0f} s: a log of {read.turns:,} turns, {read.cut_off} "
        "times cut off in the middle."
    )
    broken = {"lost": told.lost, "doubled": told.doubled, "forgotten": told.forgotten}
    broken |= {"twice": told.twice, "impossible": told.impossible}
    broken |= {"read: lost": read.lost, "read: doubled": read.doubled}
    broken |= {"read: gone": read.gone, "read: misplaced": read.misplaced}
    show_storm({"speakers": told, "readers": read}, says, broken, holds=told.holds and read.holds, as_json=as_json)


def runs(kills: Kills = 200, seed: Seed = 1, as_json: AsJson = False) -> None:
    """Kill runs, and their undoing, at random moments: each change is made once and whole, and taken back whole.

    Example: `scripts/eval runs --kills 50`
    """
    from evals.kills.runs import runs as measured

    with own_folder("reports", quiet=as_json) as (folder, bars):
        told = measured(folder, kills, seed, lambda done, total: bars.step("killing runs", done, total))
    says = (
        f"{told.kills} kills in {told.seconds:,.0f} s over {told.rounds} runs of {told.changes:,} changes: "
        f"{told.while_applying} while applying, {told.while_undoing} while undoing, {told.halfway} in the middle."
    )
    broken = {"half done": told.halves, "done twice": told.doubled, "not restored": told.not_restored}
    show_storm(told, says, broken | {"failed": told.failed}, holds=told.holds, as_json=as_json)


def team_storm(
    kills: Annotated[int, Option("--kills", help="How often a laptop's daemon is killed.", min=0)] = 200,
    server_kills: Annotated[int, Option("--server-kills", help="How often the server is.", min=0)] = 50,
    seed: Seed = 1,
    as_json: AsJson = False,
) -> None:
    """Kill daemons of four laptops and their team's server while all of them share; count what is lost or doubled.

    Example: `scripts/eval team-storm --kills 20 --server-kills 5`
    """
    from evals.kills.team import team_storm as measured

    with own_folder("team-storm", quiet=as_json) as (folder, bars):
        told = measured(folder, kills, server_kills, seed, lambda done, total: bars.step("killing", done, total))
    broken = {"lost": told.lost, "doubled": told.doubled, "unequal": told.unequal}
    says = f"{told.acknowledged} shared and acknowledged; {kills} + {server_kills} kills in {told.seconds:,.0f} s."
    show_storm(told, says, broken, holds=told.holds, as_json=as_json)


def hooks(
    runs: Annotated[int, Option("--runs", help="Hooks run in each state of the daemon.", min=1, max=10_000)] = 200,
    as_json: AsJson = False,
) -> None:
    """Run the assistants' hooks while the daemon lives, hangs, was killed or never was: how long is waited for them.

    Example: `scripts/eval hooks --runs 100`
    """
    from evals.speed.hooks import hook_times

    with own_folder("hooks", quiet=as_json) as (folder, bars):
        told = hook_times(folder, runs, lambda done, total: bars.step("running hooks", done, total))
    show(told, as_json=as_json)
    if not told["holds"]:
        raise SystemExit(1)


def freshness(
    files: Annotated[int, Option("--files", help="Code files of the generated repository.", min=1)] = 2_000,
    as_json: AsJson = False,
) -> None:
    """Eight events times four ways in: how soon each tells what happened, in seconds.

    Example: `scripts/eval freshness --files 2000`
    """
    from evals.speed.freshness import WAYS
    from evals.speed.freshness import freshness as measured

    with own_folder("freshness", quiet=as_json) as (folder, bars):
        told = measured(folder, files, bars)
    if as_json:
        print_json(told)
        return
    cells: Any = told["cells_s"]
    rows = [(name, *(cell(row[way]) for way in WAYS)) for name, row in cells.items()]
    print_table("Seconds until right", ("event", *WAYS), rows)
    print_text(f"{told['wrong']} of {told['n']} wrong; the slowest took {cell(told['slowest_s'])} s.")


def live(
    repo: Repo = Path(),
    memories: Annotated[int, Option(help="Instead: a generated repository of so many memories.", min=0)] = 0,
    idle_minutes: Annotated[int, Option(min=1, max=60, help="How long to watch the daemon doing nothing.")] = 1,
    as_json: AsJson = False,
) -> None:
    """Run a daemon, a language server and cold shells on a copy of a repository; measure them from outside.

    Example: `scripts/eval live --repo ~/src/flask`
    """
    from evals.speed.live import live as measured

    with own_folder("live", quiet=as_json) as (folder, bars):
        told = measured(repo, folder, bars, idle_minutes, memories)
    if as_json:
        print_json(told)
        return
    rows = [
        (name, *(cell(value.get(part)) for part in ("p50", "p95", "n")))
        for name, value in told.items()
        if isinstance(value, dict)
    ]
    print_table("Milliseconds, from outside", ("what", "p50", "p95", "n"), rows)
    single = [(name, cell(value)) for name, value in told.items() if not isinstance(value, dict)]
    print_table("Single figures", ("what", "value"), single)


def start(
    repo: Repo = Path(),
    rounds: Annotated[int, Option("--rounds", help="Processes of each sort.", min=1)] = 10,
    rests: Annotated[bool, Option("--rests/--no-rests", help="Wait until the daemon has given back.")] = True,
    as_json: AsJson = False,
) -> None:
    """How long cold shells and an assistant wait for their first answer, through how many files, and what a daemon holds.

    Example: `scripts/eval start --repo ~/src/flask --rounds 10`
    """
    from evals.speed.start import start as measured

    with own_folder("start", quiet=as_json) as (folder, bars):
        told = measured(repo, folder, rounds, bars, rests=rests)
    show(told, as_json=as_json)


def labels(
    repo: Repo = Path(),
    files: Annotated[int, Option("--files", help="Files that are opened.", min=1)] = 30,
    seed: Seed = 1,
    as_json: AsJson = False,
) -> None:
    """How much of the rows of the view Now a side bar of 300 pixels shows.

    Example: `scripts/eval labels --repo ~/src/gin`
    """
    from evals.labels import labels as measured

    with own_folder("labels", quiet=as_json) as (folder, bars):
        told = measured(repo, folder, files, seed, bars)
    show(told, as_json=as_json)


def turns(
    turns: Annotated[int, Option("--turns", help="Turns of the generated store.", min=500)] = 100_000,
    rounds: Annotated[int, Option("--rounds", help="Questions asked of each sort.", min=10)] = 200,
    vectors: Vectors = True,
    as_json: AsJson = False,
) -> None:
    """How fast what was said is handed back, and what closing a conversation of 100 turns takes and saves.

    Example: `scripts/eval turns --turns 100000`
    """
    from evals.speed.turns import turns_eval

    with progress(quiet=as_json) as bars:
        told = turns_eval(turns, rounds, bars, vectors=vectors)
    if as_json:
        print_json(told)
        return
    rows = [(name, cell(parts["p50"]), cell(parts["p95"])) for name, parts in told["milliseconds"].items()]
    print_table(f"Milliseconds, {told['n']:,} turns", ("what", "p50", "p95"), rows)
    print_table("Closing", ("what", "value"), [(name, cell(value)) for name, value in told["closing"].items()])


def latency(
    memories: Memories = 10_000,
    rounds: Annotated[int, Option("--rounds", help="Questions asked of each verb.", min=10)] = 200,
    as_json: AsJson = False,
) -> None:
    """How long assemble, search, predict, why, marks and hints take on a generated store of some size.

    Example: `scripts/eval latency --memories 100000`
    """
    from evals.speed.latency import latency as measured

    with progress(quiet=as_json) as bars:
        told = measured(memories, rounds, bars)
    show(told, as_json=as_json)


def page(
    memories: Memories = 100_000,
    rounds: Annotated[int, Option("--rounds", help="Times each room is asked for, and searches.", min=5)] = 50,
    store: Annotated[Path | None, Option("--store", help="Keep the store here, or use it again.")] = None,
    as_json: AsJson = False,
) -> None:
    """How fast the local page answers, paints and finds as one types; where a Chromium is installed, as it is seen.

    Example: `scripts/eval page --memories 10000`
    """
    from evals.speed.page import page_times

    with progress(quiet=as_json) as bars:
        told = page_times(memories, rounds, bars, store)
    if as_json:
        print_json(told)
        return
    rows = [
        (name, *(cell(parts[part]) for part in ("first", "p50", "p95"))) for name, parts in told["milliseconds"].items()
    ]
    print_table(f"Milliseconds, {told['n']:,} memories", ("what", "first", "p50", "p95"), rows)
    seen = told["browser"]
    scrolled = [(name, cell(value)) for name, value in seen.get("scrolling", {}).items()]
    print_table("Scrolling", ("what", "value"), scrolled or [("skipped", seen.get("skipped", ""))])


def run_load(memories: Memories = 100_000, vectors: Vectors = True, as_json: AsJson = False) -> None:
    """What a whole run takes on a store of some size, and how fast contexts stay while it goes on.

    Example: `scripts/eval run-load --memories 100000`
    """
    from evals.speed.run_load import run_load as measured

    with progress(quiet=as_json) as bars:
        told = measured(memories, bars, vectors=vectors)
    show(told, as_json=as_json)


def team(
    members: Annotated[int, Option("--members", help="Who listens while a change is heard of.", min=1, max=1_000)] = 50,
    memories: Memories = 100_000,
    changes: Annotated[int, Option("--changes", help="Records that two laptops synchronise.", min=1)] = 10_000,
    seed: Seed = 1,
    vectors: Vectors = True,
    keep: Annotated[Path | None, Option("--keep", metavar="FOLDER", help="Where the filled server stays.")] = None,
    as_json: AsJson = False,
) -> None:
    """A team's PostgreSQL on this machine: synchronising, hearing of a change, searching, all members together.

    Example: `scripts/eval team --members 20 --memories 10000`
    """
    from evals.speed.team_load import team_load

    with progress(quiet=as_json) as bars:
        told = team_load(members, memories, changes, seed, bars, vectors=vectors, keep=keep)
    show(told, as_json=as_json)


def team_context(
    memories: Memories = 1_000,
    coming: Annotated[int, Option("--coming", help="Records of a colleague that are taken in.", min=1)] = 3_000,
    asked: Annotated[int, Option("--asked", help="Contexts in each state of the server.", min=6, max=300)] = 120,
    as_json: AsJson = False,
) -> None:
    """What a context takes beside a team's server: none, one that is there, silent, gone; how soon a change is here.

    Example: `scripts/eval team-context --asked 60`
    """
    from evals.speed.team_context import team_context as measured

    with progress(quiet=as_json) as bars:
        told = measured(memories, coming, asked, bars)
    show(told, as_json=as_json)
