"""`companion eval`: measure the product on a repository's own past, beside simple baselines."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Annotated

import typer

from companion.errors import UsageError
from companion.evals import real_commands
from companion.evals.shown import (
    AsJson,
    Budget,
    Last,
    Pairs,
    Repo,
    Repos,
    Seed,
    SeveralRepos,
    Vectors,
    existing,
    show,
    steps,
)
from companion.surfaces.cli.output import print_json, print_table, print_text, progress

app = typer.Typer(
    help="Measure the product on a repository's own history, beside simple baselines.", no_args_is_help=True
)
real_commands.register(app)


@app.command("prediction")
def prediction_command(
    repo: Repo = Path(),
    history: Annotated[Path | None, typer.Option("--history", help="A history file in place of a repository.")] = None,
    last: Last = 300,
    budget: Annotated[
        int, typer.Option(min=0, help="Tokens of the contexts shipped; 0: none, only the ranking.")
    ] = 8_000,
    vectors: Vectors = False,
    as_json: AsJson = False,
) -> None:
    """Replay commits: how many of the files that were needed are predicted, and shipped within a budget.

    Example: `companion eval prediction --repo ~/src/flask --last 100 --budget 900`
    """
    from companion.app.replay import Replay
    from companion.evals.replayed.history_file import HistoryReplay, read_history
    from companion.evals.replayed.prediction import prediction

    with steps("replaying commits", quiet=as_json) as step:
        if history is not None:
            told = prediction(read_history(existing(history)), HistoryReplay(), last=last, progress=step)
        else:
            with closing(Replay(repo, vectors=vectors)) as replay:
                contexts = replay if budget else None
                told = prediction(
                    replay.commits(), replay, last=last, contexts=contexts, budget_tokens=budget, progress=step
                )
    show(told, as_json=as_json)


@app.command("places")
def places_command(
    repo: Repo = Path(),
    last: Last = 60,
    budget: Budget = 4_000,
    no_file: Annotated[bool, typer.Option("--no-file", help="Only the task is known, no file is at hand.")] = False,
    vectors: Vectors = True,
    as_json: AsJson = False,
) -> None:
    """Replay commits: how many of the lines to be changed in other files stand in the context.

    Example: `companion eval places --repo ~/src/flask --last 30`
    """
    from companion.app.replay import Replay
    from companion.evals.replayed.places import places

    with steps("replaying commits", quiet=as_json) as step, closing(Replay(repo, vectors=vectors)) as replay:
        told = places(
            replay.commits(),
            replay,
            last=last,
            budget_tokens=budget,
            with_file=not no_file,
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
    from companion.evals.replayed.useful import useful

    with steps("replaying commits", quiet=as_json) as step, closing(Replay(repo, vectors=vectors)) as replay:
        told = useful(replay.commits(), replay, last=last, progress=step)
    show(told, as_json=as_json)


@app.command("prefetch")
def prefetch_command(repo: Repo = Path(), last: Last = 300, as_json: AsJson = False) -> None:
    """Replay commits as work: how often a context is ready before it is asked for, and what was made for nothing.

    Example: `companion eval prefetch --repo ~/src/flask --last 100`
    """
    from companion.app.replay import Replay
    from companion.evals.replayed.prefetch import prefetching

    with steps("replaying commits", quiet=as_json) as step, closing(Replay(repo)) as replay:
        told = prefetching(replay.commits(), replay, last=last, progress=step)
    show(told, as_json=as_json)


@app.command("planted")
def planted_command(
    folder: Annotated[Path | None, typer.Argument(help="Folder of written talks (.toml); ours, if left out.")] = None,
    as_json: AsJson = False,
) -> None:
    """Whether each decision, name and number of written talks is found again once they are closed.

    Example: `companion eval planted`
    """
    from companion.evals.labelled.planted import planted

    with progress(quiet=as_json) as bars:
        told = planted(folder, progress=lambda done, total: bars.step("holding talks, asking", done, total))
    show(told, as_json=as_json)


@app.command("forgetting")
def forgetting_command(
    stream: Annotated[Path, typer.Argument(help="What happens, one JSON object a line.")],
    truth: Annotated[Path, typer.Argument(help="What is needed and what is over; never shown to the product.")],
    as_json: AsJson = False,
) -> None:
    """Live through half a year in a store of its own: what was forgotten that was needed, and what was not.

    Example: `companion eval forgetting stream_11.jsonl.gz truth_11.jsonl.gz`
    """
    from companion.evals.ageing.forgetting import forgetting
    from companion.evals.ageing.lifetimes import read_long_run

    run = read_long_run(existing(stream), existing(truth))
    with progress(quiet=as_json) as bars:
        told = forgetting(run, bars)
    show(told, as_json=as_json)


@app.command("compression")
def compression_command(
    repo: SeveralRepos = None,
    model: Annotated[
        bool, typer.Option("--model", help="Ask the configured language model for better summaries too.")
    ] = False,
    calls: Annotated[int, typer.Option("--calls", help="How often the model is asked.", min=1, max=10_000)] = 20,
    as_json: AsJson = False,
) -> None:
    """How many tokens each shorter level saves, and which identifiers, numbers and names it keeps.

    Example: `companion eval compression --repo ~/src/flask --repo ~/src/gin`
    """
    from dataclasses import replace

    from companion.config import Settings, data_home, load_settings
    from companion.evals.labelled.compression import compression

    settings = Settings(embeddings="off")
    if model:
        settings = replace(load_settings(data_home()), embeddings="off", model_max_calls=calls)
        if not settings.model_endpoint:
            raise UsageError("No language model is configured.", "Set `model_endpoint` and `model_name`.")
    with steps("asking the model", quiet=as_json) as step:
        told = compression(repo or [Path()], settings=settings, progress=step)
    show(told, as_json=as_json)


@app.command("junk")
def junk_command(
    repo: SeveralRepos = None,
    most: Annotated[int, typer.Option("--most", help="Memories drawn of each repository.", min=1, max=10_000)] = 100,
    seed: Seed = 1,
    verdicts: Annotated[
        Path | None, typer.Option("--verdicts", help="A line `REPOSITORY NUMBER CAUSE` for each that is junk.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Draw memories at random for somebody to read; with their verdicts, tell the share that nobody wants.

    Example: `companion eval junk --repo ~/src/flask --repo ~/src/zod --seed 7`
    """
    from dataclasses import asdict

    from companion.evals.labelled.junk import drawn, judged

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


def _show_replayed(
    measure: Callable[..., dict[str, object]],
    doing: str,
    questions: Path,
    repos: Path,
    as_json: bool,
    vectors: bool = False,
) -> None:
    """Put a file's questions to replays of their repositories, which lie in `repos`, and show what came of it.

    With `vectors` each passage has its own, as where an owner has run for a while.
    """
    from companion.app.replay import Replay
    from companion.store.passages.vectors import MEANINGS_MOST

    passages = MEANINGS_MOST if vectors else 0
    with steps(doing, quiet=as_json) as step:
        told = measure(
            existing(questions), repos, lambda repo: Replay(repo, vectors=vectors, passages=passages), progress=step
        )
    show(told, as_json=as_json)


@app.command("localize")
def localize_command(
    instances: Annotated[Path, typer.Argument(help="Issue texts with base commits and the files that were changed.")],
    repos: Repos,
    as_json: AsJson = False,
) -> None:
    """From an issue's text to the files that must change.

    Example: `companion eval localize issues.jsonl --repos ~/src`
    """
    from companion.evals.replayed.localize import localize

    _show_replayed(localize, "issues", instances, repos, as_json)


@app.command("answers")
def answers_command(
    questions: Annotated[Path, typer.Argument(help="Questions with the expression that knows an answer.")],
    repos: Repos,
    vectors: Vectors = True,
    as_json: AsJson = False,
) -> None:
    """How often the answer to a colleague's question stands in what search finds first, beside BM25 over raw text.

    Example: `companion eval answers questions.jsonl --repos ~/src`
    """
    from companion.evals.labelled.answers import answers

    _show_replayed(answers, "asking questions", questions, repos, as_json, vectors=vectors)


@app.command("precedents")
def precedents_command(
    marks: Annotated[Path, typer.Argument(help="Commits, each with earlier ones that did the same sort of thing.")],
    repos: Repos,
    as_json: AsJson = False,
) -> None:
    """How often a commit of the same sort is among the precedents shown for a task, beside BM25 over messages.

    Example: `companion eval precedents marks.jsonl --repos ~/src`
    """
    from companion.evals.replayed.precedents import precedents

    _show_replayed(precedents, "marked commits", marks, repos, as_json)


@app.command("conventions")
def conventions_command(
    truth: Annotated[Path, typer.Argument(help="Known conventions, one JSON object a line.")],
    repos: Repos,
    as_json: AsJson = False,
) -> None:
    """Which known conventions of repositories are learned: right, wrong, abstained.

    Example: `companion eval conventions truth.jsonl --repos ~/src`
    """
    from companion.app.learned import learn_at
    from companion.evals.labelled.conventions import evaluate

    show(evaluate(existing(truth), repos, learn_at), as_json=as_json)


@app.command("contradictions")
def contradictions_command(
    pairs: Pairs,
    no_scope: Annotated[bool, typer.Option("--no-scope", help="Say nothing of where a statement holds.")] = False,
    judge: Annotated[str, typer.Option("--judge", help="Who is asked: rules, local or model.")] = "local",
    as_json: AsJson = False,
) -> None:
    """Which contradictions between statements are found, and how often one is seen where there is none.

    Example: `companion eval contradictions pairs.jsonl --judge rules`
    """
    from companion.evals.labelled.contradictions import contradictions
    from companion.evals.labelled.judges import judge_named

    with steps("judging pairs", quiet=as_json) as step:
        told = contradictions(existing(pairs), judge_named(judge), scoped=not no_scope, progress=step)
    show(told, as_json=as_json)


@app.command("duplicates")
def duplicates_command(
    pairs: Pairs,
    as_json: AsJson = False,
) -> None:
    """Which pairs a night would merge into one: how many of them say the same, and how many are missed.

    Example: `companion eval duplicates pairs.jsonl`
    """
    from companion.evals.labelled.duplicates import duplicates

    with steps("comparing pairs", quiet=as_json) as step:
        told = duplicates(existing(pairs), progress=step)
    show(told, as_json=as_json)


@app.command("recall")
def recall_command(
    turns: Annotated[Path, typer.Argument(help="Lines of conversations, one JSON object each.")],
    questions: Annotated[Path, typer.Argument(help="Questions about them, with the ids of the lines that answer.")],
    unit: Annotated[str, typer.Option("--unit", help="What is to be found: turn or session.")] = "turn",
    as_json: AsJson = False,
) -> None:
    """How often the line, or the conversation, that answers a question is found, beside plain BM25.

    Example: `companion eval recall turns.jsonl.gz questions.jsonl.gz --unit session`
    """
    from companion.evals.labelled.recall import recall

    with steps("asking questions", quiet=as_json) as step:
        told = recall(existing(turns), existing(questions), unit, progress=step)
    show(told, as_json=as_json)


@app.command("reasoning")
def reasoning_command(
    requests: Annotated[Path | None, typer.Argument(help="Requests with their readings.", show_default="ours")] = None,
    memories: Annotated[
        int, typer.Option("--memories", help="Also time it in a generated store of that size.", min=0)
    ] = 0,
    as_json: AsJson = False,
) -> None:
    """How well requests are read after each of ten conversations in which wrong readings are corrected; no model.

    Example: `companion eval reasoning --memories 10000`
    """
    from companion.evals.labelled.reasoning import reasoning

    path = existing(requests) if requests is not None else None
    with progress(quiet=as_json) as bars:
        told = reasoning(path, memories, progress=bars.step)
    show(told, as_json=as_json)
