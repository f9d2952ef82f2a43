"""`companion eval`: measure the product on a repository's own past, beside simple baselines."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path
from typing import Annotated

from companion.errors import UsageError
from companion.evals.shown import (
    Budget,
    Last,
    Repo,
    Seed,
    SeveralRepos,
    Vectors,
    existing,
    show,
    steps,
)
from companion.surfaces.cli.declared import CommandGroup, Option
from companion.surfaces.cli.options import AsJson
from companion.surfaces.cli.output import print_json, print_table, print_text

app = CommandGroup(
    "Measure the product on a repository's own history, beside simple baselines.\n\n"
    "What developers measure is in a checkout of the source: `scripts/eval NAME`."
)


@app.command("prediction")
def prediction_command(
    repo: Repo = Path(),
    last: Last = 300,
    budget: Annotated[int, Option(min=0, help="Tokens of the contexts shipped; 0: none, only the ranking.")] = 8_000,
    vectors: Vectors = False,
    as_json: AsJson = False,
) -> None:
    """Replay commits: how many of the files that were needed are predicted, and shipped within a budget.

    Example: `companion eval prediction --repo ~/src/flask --last 100 --budget 900`
    """
    from companion.app.replay import Replay
    from companion.evals.prediction import prediction

    with steps("replaying commits", quiet=as_json) as step, closing(Replay(repo, vectors=vectors)) as replay:
        contexts = replay if budget else None
        told = prediction(replay.commits(), replay, last=last, contexts=contexts, budget_tokens=budget, progress=step)
    show(told, as_json=as_json)


@app.command("places")
def places_command(
    repo: Repo = Path(),
    last: Last = 60,
    budget: Budget = 4_000,
    no_file: Annotated[bool, Option("--no-file", help="Only the task is known, no file is open.")] = False,
    no_task: Annotated[bool, Option("--no-task", help="Only the open file is known, no task.")] = False,
    vectors: Vectors = True,
    as_json: AsJson = False,
) -> None:
    """Replay commits: how many of the lines to be changed in other files stand in the context.

    Example: `companion eval places --repo ~/src/flask --last 30`
    """
    from companion.app.replay import Replay
    from companion.evals.places import places

    if no_file and no_task:
        raise UsageError("Without a file and a task nothing is asked.", "leave out --no-file or --no-task")
    with steps("replaying commits", quiet=as_json) as step, closing(Replay(repo, vectors=vectors)) as replay:
        told = places(
            replay.commits(),
            replay,
            last=last,
            budget_tokens=budget,
            with_file=not no_file,
            with_task=not no_task,
            progress=step,
            settings={"vectors": vectors},
        )
    show(told, as_json=as_json)


@app.command("useful")
def useful_command(repo: Repo = Path(), last: Last = 300, vectors: Vectors = False, as_json: AsJson = False) -> None:
    """Replay commits: which share of the tokens put in was of use, tier by tier.

    Example: `companion eval useful --repo ~/src/flask --last 100`
    """
    from companion.app.replay import Replay
    from companion.evals.useful import useful

    with steps("replaying commits", quiet=as_json) as step, closing(Replay(repo, vectors=vectors)) as replay:
        told = useful(replay.commits(), replay, last=last, progress=step)
    show(told, as_json=as_json)


@app.command("junk")
def junk_command(
    repo: SeveralRepos = None,
    most: Annotated[int, Option("--most", help="Memories drawn of each repository.", min=1, max=10_000)] = 100,
    seed: Seed = 1,
    verdicts: Annotated[
        Path | None, Option("--verdicts", help="A line `REPOSITORY NUMBER CAUSE` for each that is junk.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Draw memories at random for somebody to read; with their verdicts, tell the share that nobody wants.

    Example: `companion eval junk --repo ~/src/flask --repo ~/src/zod --seed 7`
    """
    from msgspec.structs import asdict

    from companion.evals.junk import drawn, judged

    sample = [one for path in repo or [Path()] for one in drawn(path, most, seed)]
    if verdicts is not None:
        told = judged(sample, existing(verdicts).read_text("utf-8").splitlines())
        show(told, as_json=as_json)
        if not as_json:
            print_table("Causes", ("cause", "how many"), list(told["causes"].items()))
    elif as_json:
        print_json({"eval": "junk", "n": len(sample), "seed": seed, "sample": [asdict(one) for one in sample]})
    else:
        for one in sample:
            day = f" {one.since}" if one.since else ""
            print_text(f"{one.repository} {one.number} [{one.kind}{day}] {one.says}  ({one.source})")
