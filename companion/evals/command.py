"""`companion eval`: measure the product on a repository's own past, beside simple baselines."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any

import typer

from companion.errors import UsageError
from companion.surfaces.cli.output import print_json, print_table, print_text, progress

app = typer.Typer(
    help="Measure the product on a repository's own history, beside simple baselines.", no_args_is_help=True
)

AsJson = Annotated[bool, typer.Option("--json", help="Print one JSON object.")]
Repo = Annotated[Path, typer.Option("--repo", "-C", help="The repository.", show_default="this folder")]
Last = Annotated[int, typer.Option("--last", help="How many of the newest fitting commits to replay.", min=1, max=5000)]
Repos = Annotated[Path, typer.Option("--repos", help="The folder that holds the repositories.")]


@app.command("prediction")
def prediction_command(
    repo: Repo = Path(),
    history: Annotated[Path | None, typer.Option("--history", help="A history file in place of a repository.")] = None,
    last: Last = 300,
    as_json: AsJson = False,
) -> None:
    """Replay commits: how many of the files that were needed are predicted, and shipped in 8,000 tokens.

    Example: `companion eval prediction --repo ~/src/flask --last 100`
    """
    from companion.app.replay import Replay
    from companion.evals.history_file import HistoryReplay, read_history
    from companion.evals.prediction import prediction

    with progress(quiet=as_json) as bars:

        def step(done: int, total: int) -> None:
            bars.step("replaying commits", done, total)

        if history is not None:
            told = prediction(read_history(_file(history)), HistoryReplay(), last=last, progress=step)
        else:
            replay = Replay(repo)
            try:
                told = prediction(replay.commits(), replay, last=last, contexts=replay, progress=step)
            finally:
                replay.close()
    _show(told, as_json=as_json)


@app.command("useful")
def useful_command(repo: Repo = Path(), last: Last = 300, as_json: AsJson = False) -> None:
    """Replay commits: which share of the tokens put in was of use, tier by tier.

    Example: `companion eval useful --repo ~/src/flask --last 100`
    """
    from companion.app.replay import Replay
    from companion.evals.useful import useful

    with progress(quiet=as_json) as bars:
        replay = Replay(repo)
        try:
            told = useful(
                replay.commits(),
                replay,
                last=last,
                progress=lambda done, total: bars.step("replaying commits", done, total),
            )
        finally:
            replay.close()
    _show(told, as_json=as_json)


@app.command("prefetch")
def prefetch_command(repo: Repo = Path(), last: Last = 300, as_json: AsJson = False) -> None:
    """Replay commits as work: how often a context is ready before it is asked for, and what was made for nothing.

    Example: `companion eval prefetch --repo ~/src/flask --last 100`
    """
    from companion.app.replay import Replay
    from companion.evals.prefetch import prefetching

    with progress(quiet=as_json) as bars:
        replay = Replay(repo)
        try:
            told = prefetching(
                replay.commits(),
                replay,
                last=last,
                progress=lambda done, total: bars.step("replaying commits", done, total),
            )
        finally:
            replay.close()
    _show(told, as_json=as_json)


@app.command("durability")
def durability_command(
    kills: Annotated[int, typer.Option("--kills", help="How often the owner is killed.", min=1, max=100_000)] = 1_000,
    seed: Annotated[int, typer.Option("--seed", help="Of the random moments.")] = 1,
    as_json: AsJson = False,
) -> None:
    """Kill the owner of a store of its own at random moments while eight others write; count what is lost.

    Example: `companion eval durability --kills 50`
    """
    import tempfile

    from companion.evals.durability import durability

    with progress(quiet=as_json) as bars, tempfile.TemporaryDirectory(prefix="companion-durability-") as folder:
        told = durability(Path(folder), kills, seed, lambda done, total: bars.step("killing owners", done, total))
    if as_json:
        print_json(told)
    else:
        ways = [(way, tried, told.acknowledged[way]) for way, tried in told.tried.items()]
        print_table(f"{told.kills} kills in {told.seconds:,.0f} s", ("way", "tried", "acknowledged"), ways)
        broken = [("lost", told.lost), ("doubled", told.doubled), ("stale", told.stale), ("unclean", told.unclean)]
        print_table("Broken promises", ("what", "how many"), [(name, len(found)) for name, found in broken])
    if not told.holds:
        raise typer.Exit(1)


@app.command("talks")
def talks_command(
    kills: Annotated[int, typer.Option("--kills", help="How often a speaker is killed.", min=1, max=100_000)] = 500,
    seed: Annotated[int, typer.Option("--seed", help="Of the steps and of the random moments.")] = 1,
    as_json: AsJson = False,
) -> None:
    """Kill whoever holds a conversation at random moments: no turn is lost, nothing remembered twice or unseen.

    Example: `companion eval talks --kills 50`
    """
    import tempfile

    from companion.evals.talk_kills import talk_kills

    with progress(quiet=as_json) as bars, tempfile.TemporaryDirectory(prefix="companion-talks-") as folder:
        told = talk_kills(Path(folder), kills, seed, lambda done, total: bars.step("killing speakers", done, total))
    if as_json:
        print_json(told)
    else:
        print_text(
            f"{told.kills} kills in {told.seconds:,.0f} s: {told.turns:,} turns and {told.confirmed} conversations "
            f"acknowledged, {told.cut_off} cut off at the end."
        )
        broken = [("lost", told.lost), ("doubled", told.doubled), ("forgotten", told.forgotten)]
        broken += [("twice", told.twice), ("impossible", told.impossible)]
        print_table("Broken promises", ("what", "how many"), [(name, len(found)) for name, found in broken])
    if not told.holds:
        raise typer.Exit(1)


@app.command("hooks")
def hooks_command(
    runs: Annotated[int, typer.Option("--runs", help="Hooks run in each state of the owner.", min=1, max=10_000)] = 200,
    as_json: AsJson = False,
) -> None:
    """Run the assistants' hooks while the owner lives, hangs, was killed or never was: how long is waited for them.

    Example: `companion eval hooks --runs 100`
    """
    import tempfile

    from companion.evals.hooks import hook_times

    with progress(quiet=as_json) as bars, tempfile.TemporaryDirectory(prefix="companion-hooks-") as folder:
        told = hook_times(Path(folder), runs, lambda done, total: bars.step("running hooks", done, total))
    _show(told, as_json=as_json)
    if not told["holds"]:
        raise typer.Exit(1)


@app.command("nights")
def nights_command(
    kills: Annotated[int, typer.Option("--kills", help="How often a night is killed.", min=1, max=100_000)] = 200,
    seed: Annotated[int, typer.Option("--seed", help="Of the plan and of the random moments.")] = 1,
    as_json: AsJson = False,
) -> None:
    """Kill nights, and their undoing, at random moments: each change is made once and whole, and taken back whole.

    Example: `companion eval nights --kills 50`
    """
    import tempfile

    from companion.evals.nights import nights

    with progress(quiet=as_json) as bars, tempfile.TemporaryDirectory(prefix="companion-nights-") as folder:
        told = nights(Path(folder), kills, seed, lambda done, total: bars.step("killing nights", done, total))
    if as_json:
        print_json(told)
    else:
        print_text(
            f"{told.kills} kills in {told.seconds:,.0f} s over {told.rounds} nights of {told.changes:,} changes: "
            f"{told.while_applying} while applying, {told.while_undoing} while undoing, {told.halfway} in the middle."
        )
        broken = [("half done", told.halves), ("done twice", told.doubled), ("not restored", told.not_restored)]
        broken.append(("failed", told.failed))
        print_table("Broken promises", ("what", "how many"), [(name, len(found)) for name, found in broken])
    if not told.holds:
        raise typer.Exit(1)


@app.command("freshness")
def freshness_command(
    files: Annotated[int, typer.Option("--files", help="Code files of the generated repository.", min=1)] = 2_000,
    as_json: AsJson = False,
) -> None:
    """Eight events times four ways in: how soon each tells what happened, in seconds.

    Example: `companion eval freshness --files 2000`
    """
    import tempfile

    from companion.evals.freshness import WAYS, freshness

    with progress(quiet=as_json) as bars, tempfile.TemporaryDirectory(prefix="companion-freshness-") as folder:
        told = freshness(Path(folder), files, bars)
    if as_json:
        print_json(told)
    else:
        cells: Any = told["cells_s"]
        print_table(
            "Seconds until right",
            ("event", *WAYS),
            [(name, *(_cell(row[way]) for way in WAYS)) for name, row in cells.items()],
        )
        print_text(f"{told['wrong']} of {told['n']} wrong; the slowest took {_cell(told['slowest_s'])} s.")


@app.command("live")
def live_command(
    repo: Repo = Path(),
    idle_minutes: Annotated[int, typer.Option(min=1, max=60, help="How long to watch the owner doing nothing.")] = 1,
    as_json: AsJson = False,
) -> None:
    """Run an owner, a language server and cold shells on a copy of a repository; measure them from outside.

    Example: `companion eval live --repo ~/src/flask`
    """
    import tempfile

    from companion.evals.live import live

    with progress(quiet=as_json) as bars, tempfile.TemporaryDirectory(prefix="companion-live-") as folder:
        told = live(repo, Path(folder), bars, idle_minutes)
    if as_json:
        print_json(told)
        return
    rows = [
        (name, *(_cell(value.get(part)) for part in ("p50", "p95", "n")))
        for name, value in told.items()
        if isinstance(value, dict)
    ]
    print_table("Milliseconds, from outside", ("what", "p50", "p95", "n"), rows)
    print_table(
        "Single figures", ("what", "value"), [(k, _cell(v)) for k, v in told.items() if not isinstance(v, dict)]
    )


@app.command("forgetting")
def forgetting_command(
    stream: Annotated[Path, typer.Argument(help="What happens, one JSON object a line.")],
    truth: Annotated[Path, typer.Argument(help="What is needed and what is over; never shown to the product.")],
    as_json: AsJson = False,
) -> None:
    """Live through half a year in a store of its own: what was forgotten that was needed, and what was not.

    Example: `companion eval forgetting stream_11.jsonl.gz truth_11.jsonl.gz`
    """
    from companion.evals.forgetting import forgetting
    from companion.evals.lifetimes import read_long_run

    run = read_long_run(_file(stream), _file(truth))
    with progress(quiet=as_json) as bars:
        told = forgetting(run, bars)
    _show(told, as_json=as_json)


@app.command("compression")
def compression_command(
    repo: Annotated[
        list[Path] | None, typer.Option("--repo", help="A git repository; may be given several times.")
    ] = None,
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
    from companion.evals.compression import compression

    settings = Settings(embeddings="off")
    if model:
        settings = replace(load_settings(data_home()), embeddings="off", model_max_calls=calls)
        if not settings.model_endpoint:
            raise UsageError("No language model is configured.", "Set `model_endpoint` and `model_name`.")
    with progress(quiet=as_json) as bars:
        told = compression(
            repo or [Path()],
            settings=settings,
            progress=lambda done, total: bars.step("asking the model", done, total),
        )
    _show(told, as_json=as_json)


@app.command("junk")
def junk_command(
    repo: Annotated[
        list[Path] | None, typer.Option("--repo", help="A git repository; may be given several times.")
    ] = None,
    most: Annotated[int, typer.Option("--most", help="Memories drawn of each repository.", min=1, max=10_000)] = 100,
    seed: Annotated[int, typer.Option("--seed", help="Of the draw.")] = 1,
    verdicts: Annotated[
        Path | None, typer.Option("--verdicts", help="A line `REPOSITORY NUMBER CAUSE` for each that is junk.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Draw memories at random for somebody to read; with their verdicts, tell the share that nobody wants.

    Example: `companion eval junk --repo ~/src/flask --repo ~/src/zod --seed 7`
    """
    from dataclasses import asdict

    from companion.evals.junk import drawn, judged

    sample = [one for path in repo or [Path()] for one in drawn(path, most, seed)]
    if verdicts is not None:
        told = judged(sample, _file(verdicts).read_text("utf-8").splitlines())
        _show(told, as_json=as_json)
        if not as_json:
            print_table("Causes", ("cause", "how many"), list(told["causes"].items()))
    elif as_json:
        print_json({"eval": "junk", "n": len(sample), "seed": seed, "sample": [asdict(one) for one in sample]})
    else:
        for one in sample:
            day = f" {one.since}" if one.since else ""
            print_text(f"{one.repository} {one.number} [{one.kind}{day}] {one.says}  ({one.source})")


@app.command("localize")
def localize_command(
    instances: Annotated[Path, typer.Argument(help="Issue texts with base commits and the files that were changed.")],
    repos: Repos,
    as_json: AsJson = False,
) -> None:
    """From an issue's text to the files that must change.

    Example: `companion eval localize issues.jsonl --repos ~/src`
    """
    from companion.app.replay import Replay
    from companion.evals.localize import localize

    with progress(quiet=as_json) as bars:
        told = localize(_file(instances), repos, Replay, progress=lambda done, total: bars.step("issues", done, total))
    _show(told, as_json=as_json)


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
    from companion.evals.conventions import evaluate

    _show(evaluate(_file(truth), repos, learn_at), as_json=as_json)


@app.command("contradictions")
def contradictions_command(
    pairs: Annotated[Path, typer.Argument(help="Labelled pairs of statements, one JSON object a line.")],
    no_scope: Annotated[bool, typer.Option("--no-scope", help="Say nothing of where a statement holds.")] = False,
    judge: Annotated[str, typer.Option("--judge", help="Who is asked: rules, local or model.")] = "rules",
    as_json: AsJson = False,
) -> None:
    """Which contradictions between statements are found, and how often one is seen where there is none.

    Example: `companion eval contradictions pairs.jsonl --judge rules`
    """
    from companion.evals.contradictions import contradictions
    from companion.evals.judges import judge_named

    with progress(quiet=as_json) as bars:
        told = contradictions(
            _file(pairs),
            judge_named(judge),
            scoped=not no_scope,
            progress=lambda done, total: bars.step("judging pairs", done, total),
        )
    _show(told, as_json=as_json)


@app.command("duplicates")
def duplicates_command(
    pairs: Annotated[Path, typer.Argument(help="Labelled pairs of statements, one JSON object a line.")],
    as_json: AsJson = False,
) -> None:
    """Which pairs a night would merge into one: how many of them say the same, and how many are missed.

    Example: `companion eval duplicates pairs.jsonl`
    """
    from companion.evals.duplicates import duplicates

    with progress(quiet=as_json) as bars:
        told = duplicates(_file(pairs), progress=lambda done, total: bars.step("comparing pairs", done, total))
    _show(told, as_json=as_json)


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
    from companion.evals.recall import recall

    with progress(quiet=as_json) as bars:

        def step(done: int, total: int) -> None:
            bars.step("asking questions", done, total)

        told = recall(_file(turns), _file(questions), unit, progress=step)
    _show(told, as_json=as_json)


@app.command("turns")
def turns_command(
    turns: Annotated[int, typer.Option("--turns", help="Turns of the generated store.", min=500)] = 100_000,
    rounds: Annotated[int, typer.Option("--rounds", help="Questions asked of each sort.", min=10)] = 200,
    vectors: Annotated[bool, typer.Option("--vectors/--no-vectors", help="Search by meaning too.")] = True,
    as_json: AsJson = False,
) -> None:
    """How fast what was said is handed back, and what closing a conversation of 100 turns takes and saves.

    Example: `companion eval turns --turns 100000`
    """
    from companion.evals.turns import turns_eval

    with progress(quiet=as_json) as bars:
        told = turns_eval(turns, rounds, bars, vectors=vectors)
    if as_json:
        print_json(told)
        return
    rows = [(name, _cell(parts["p50"]), _cell(parts["p95"])) for name, parts in told["milliseconds"].items()]
    print_table(f"Milliseconds, {told['n']:,} turns", ("what", "p50", "p95"), rows)
    print_table("Closing", ("what", "value"), [(name, _cell(value)) for name, value in told["closing"].items()])


@app.command("latency")
def latency_command(
    memories: Annotated[int, typer.Option("--memories", help="Size of the generated store.", min=100)] = 10_000,
    rounds: Annotated[int, typer.Option("--rounds", help="Questions asked of each verb.", min=10)] = 200,
    as_json: AsJson = False,
) -> None:
    """How long assemble, search, predict, why, marks and hints take on a generated store of some size.

    Example: `companion eval latency --memories 100000`
    """
    from companion.evals.latency import latency

    with progress(quiet=as_json) as bars:
        told = latency(memories, rounds, bars)
    _show(told, as_json=as_json)


@app.command("night-load")
def night_load_command(
    memories: Annotated[int, typer.Option("--memories", help="Size of the generated store.", min=100)] = 100_000,
    vectors: Annotated[
        bool, typer.Option("--vectors/--no-vectors", help="Make vectors too, and look for what is near.")
    ] = True,
    as_json: AsJson = False,
) -> None:
    """What a whole night takes on a store of some size, and how fast contexts stay while it goes on.

    Example: `companion eval night-load --memories 100000`
    """
    from companion.evals.night_load import night_load

    with progress(quiet=as_json) as bars:
        told = night_load(memories, bars, vectors=vectors)
    _show(told, as_json=as_json)


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
    from companion.evals.reasoning import reasoning

    path = _file(requests) if requests is not None else None
    with progress(quiet=as_json) as bars:
        told = reasoning(path, memories, progress=bars.step)
    _show(told, as_json=as_json)


def _file(path: Path) -> Path:
    if not path.is_file():
        raise UsageError(f"There is no file {path}.", "Give the path of an existing file.")
    return path


def _show(told: Mapping[str, Any], *, as_json: bool) -> None:
    if as_json:
        print_json(told)
        return
    print_text(f"{told['eval']}: n = {told['n']}")
    names = sorted({name for figures in _blocks(told).values() for name in figures})
    rows = [(block, *(_cell(figures.get(name)) for name in names)) for block, figures in _blocks(told).items()]
    print_table("", ("", *(f"{name} " for name in names)), rows)
    latency = told.get("latency_ms") or {}
    if latency:
        print_text("latency in ms: " + ", ".join(f"{name} {_cell(value)}" for name, value in latency.items()))


def _blocks(told: Mapping[str, Any]) -> dict[str, dict[str, Any]]:
    """Ours and each baseline, for the whole and for each group, as rows of figures."""
    blocks: dict[str, dict[str, Any]] = {"ours": _figures(told.get("ours"))}
    blocks |= {name: _figures(figures) for name, figures in (told.get("baselines") or {}).items()}
    for group, inner in (told.get("by") or {}).items():
        if isinstance(inner, Mapping) and "ours" in inner:
            blocks[f"{group}: ours"] = _figures(inner["ours"])
            blocks |= {f"{group}: {name}": _figures(f) for name, f in (inner.get("baselines") or {}).items()}
        else:
            blocks[str(group)] = _figures(inner)
    return {name: figures for name, figures in blocks.items() if figures}


def _figures(given: object) -> dict[str, Any]:
    return {k: v for k, v in given.items() if isinstance(v, (int, float))} if isinstance(given, Mapping) else {}


def _cell(value: object) -> str:
    if value is None:
        return ""
    return f"{value:.3f}" if isinstance(value, float) else str(value)
