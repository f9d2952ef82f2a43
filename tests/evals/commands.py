"""Commands of `scripts/eval` that measure on data given by path, or of our own."""

from __future__ import annotations

import json
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Annotated

from companion.errors import UsageError
from companion.evals.shown import Budget, Last, Repo, SeveralRepos, Vectors, existing, show, steps
from companion.surfaces.cli.declared import CommandGroup, Option, Positional
from companion.surfaces.cli.options import AsJson
from companion.surfaces.cli.output import print_answer, progress
from evals.shown import Pairs, Repos


def register(app: CommandGroup) -> None:
    """Add this module's commands."""
    for name, command in (
        ("history", history_command),
        ("prefetch", prefetch_command),
        ("beside", beside_command),
        ("planted", planted_command),
        ("extraction", extraction_command),
        ("forgetting", forgetting_command),
        ("notes-kept", notes_kept_command),
        ("month", month_command),
        ("compression", compression_command),
        ("localize", localize_command),
        ("answers", answers_command),
        ("precedents", precedents_command),
        ("conventions", conventions_command),
        ("contradictions", contradictions_command),
        ("asked", asked_command),
        ("judged", judged_command),
        ("duplicates", duplicates_command),
        ("recall", recall_command),
        ("reasoning", reasoning_command),
        ("verify", verify_command),
        ("story", story_command),
    ):
        app.command(name)(command)


def history_command(
    history: Annotated[Path, Positional(help="A history file, one commit a line.")],
    last: Last = 300,
    as_json: AsJson = False,
) -> None:
    """As `prediction`, over the commits of a history file, without any code.

    Example: `scripts/eval history flask.jsonl.gz --last 100`
    """
    from companion.evals.prediction import prediction
    from evals.replayed.history_file import HistoryReplay, read_history

    with steps("replaying commits", quiet=as_json) as step:
        told = prediction(read_history(existing(history)), HistoryReplay(), last=last, progress=step)
    show(told, as_json=as_json)


def prefetch_command(repo: Repo = Path(), last: Last = 300, as_json: AsJson = False) -> None:
    """Replay commits as work: how often a context is ready before it is asked for, and what was made for nothing.

    Example: `scripts/eval prefetch --repo ~/src/flask --last 100`
    """
    from companion.app.replay import Replay
    from evals.replayed.prefetch import prefetching

    with steps("replaying commits", quiet=as_json) as step, closing(Replay(repo)) as replay:
        told = prefetching(replay.commits(), replay, last=last, progress=step)
    show(told, as_json=as_json)


def beside_command(
    repo: Repo = Path(),
    last: Last = 20,
    budget: Budget = 4_000,
    vectors: Vectors = False,
    as_json: AsJson = False,
) -> None:
    """Replay commits: whether the place, its test and the commit that made it so stand in the context of their subject.

    Example: `scripts/eval beside --repo ~/src/flask --last 40`
    """
    from companion.app.replay import Replay
    from evals.replayed.beside import beside

    with steps("replaying commits", quiet=as_json) as step, closing(Replay(repo, vectors=vectors)) as replay:
        told = beside(
            replay.commits(), replay, last=last, budget_tokens=budget, progress=step, settings={"vectors": vectors}
        )
    show(told, as_json=as_json)


def planted_command(
    folder: Annotated[Path | None, Positional(help="Folder of written talks (.toml); ours, if left out.")] = None,
    as_json: AsJson = False,
) -> None:
    """Whether each decision, name and number of written talks is found again once they are closed.

    Example: `scripts/eval planted`
    """
    from evals.labelled.planted import planted

    with progress(quiet=as_json) as bars:
        told = planted(folder, progress=lambda done, total: bars.step("holding talks, asking", done, total))
    show(told, as_json=as_json)


def extraction_command(
    talks: Annotated[Path, Positional(help="Labelled conversations, see tests/evals/labelled/extraction.py.")],
    as_json: AsJson = False,
) -> None:
    """What closed conversations leave behind, against what a careful colleague wrote down.

    Example: `scripts/eval extraction talks.txt`
    """
    from evals.labelled.extraction import extraction

    with progress(quiet=as_json) as bars:
        told = extraction(existing(talks), progress=lambda done, total: bars.step("holding talks", done, total))
    show(told, as_json=as_json)


def verify_command(
    rules: Annotated[Path, Positional(help="Rules and actions, a line each: `label | rule | action | clause`.")],
    answers: Annotated[Path | None, Option("--answers", help="Answers of a judge, one JSON object a line.")] = None,
    questions: Annotated[
        Path | None, Option("--questions", help="Write what a judge would be asked into this file instead.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Whether actions fit rules with reasons and exceptions, conflict with them, or nobody can say.

    The file of questions, with what a judge says in each line's `answer`, is a file of answers.

    Example: `scripts/eval verify rules.txt --answers answers.jsonl`
    """
    from evals.labelled import verifying

    if questions is not None:
        asked = verifying.questions(existing(rules))
        questions.write_text("".join(json.dumps(one, ensure_ascii=False) + "\n" for one in asked), "utf-8")
        show({"eval": "verify", "n": len(asked)}, as_json=as_json)
        return
    with progress(quiet=as_json) as bars:
        told = verifying.verifying(
            existing(rules),
            answers=None if answers is None else existing(answers),
            progress=lambda done, total: bars.step("checking actions", done, total),
        )
    show(told, as_json=as_json)


def forgetting_command(
    stream: Annotated[Path, Positional(help="What happens, one JSON object a line.")],
    truth: Annotated[Path, Positional(help="What is needed and what is over; never shown to the product.")],
    as_json: AsJson = False,
) -> None:
    """Live through half a year in a store of its own: what was forgotten that was needed, and what was not.

    Example: `scripts/eval forgetting stream_11.jsonl.gz truth_11.jsonl.gz`
    """
    from evals.ageing.forgetting import forgetting
    from evals.ageing.lifetimes import read_long_run

    run = read_long_run(existing(stream), existing(truth))
    with progress(quiet=as_json) as bars:
        told = forgetting(run, bars)
    show(told, as_json=as_json)


def notes_kept_command(
    notes: Annotated[Path, Positional(help="Notes with what became of them, one JSON object a line.")],
    as_json: AsJson = False,
) -> None:
    """Two months of work after notes as people type them: lasting ones archived, passing ones served when over.

    Example: `scripts/eval notes-kept tests/evals/data/notes_kept.jsonl`
    """
    from evals.labelled.notes_kept import notes_kept, read_notes

    with progress(quiet=as_json) as bars:
        told = notes_kept(read_notes(existing(notes)), bars)
    show(told, as_json=as_json)


def month_command(
    folder: Annotated[Path, Positional(help="A month of notes, work and conversations with their keys.")],
    answers: Annotated[Path | None, Option("--answers", help="Answers of a judge, one JSON object a line.")] = None,
    as_json: AsJson = False,
) -> None:
    """Live through a month of one project: wrong merges, contradictions, notes lost, conversations, what is greeted.

    Example: `scripts/eval month tests/evals/data/month`
    """
    from evals.labelled.month import month
    from evals.labelled.month_told import as_text

    with progress(quiet=as_json) as bars:
        told = month(folder, bars, answers=None if answers is None else existing(answers))
    print_answer(told, as_text(told), as_json)


def compression_command(
    repo: SeveralRepos = None,
    model: Annotated[
        bool, Option("--model", help="Ask the configured language model for better summaries too.")
    ] = False,
    calls: Annotated[int, Option("--calls", help="How often the model is asked.", min=1, max=10_000)] = 20,
    as_json: AsJson = False,
) -> None:
    """How many tokens each shorter level saves, and which identifiers, numbers and names it keeps.

    Example: `scripts/eval compression --repo ~/src/flask --repo ~/src/gin`
    """
    from dataclasses import replace

    from companion.config import Settings, data_home, load_settings
    from evals.labelled.compression import compression

    settings = Settings(embeddings="off")
    if model:
        settings = replace(load_settings(data_home()), embeddings="off", model_max_calls=calls)
        if not settings.model_endpoint:
            raise UsageError("No language model is configured.", "Set `model_endpoint` and `model_name`.")
    with steps("asking the model", quiet=as_json) as step:
        told = compression(repo or [Path()], settings=settings, progress=step)
    show(told, as_json=as_json)


def _show_replayed(
    measure: Callable[..., dict[str, object]],
    doing: str,
    questions: Path,
    repos: Path,
    as_json: bool,
    vectors: bool = False,
) -> None:
    """Put a file's questions to replays of their repositories, which lie in `repos`, and show what came of it."""
    from evals.replayed.precedents import ReplayOfPrecedents

    with steps(doing, quiet=as_json) as step:
        told = measure(
            existing(questions), repos, lambda repo: ReplayOfPrecedents(repo, vectors=vectors), progress=step
        )
    show(told, as_json=as_json)


def story_command(
    marks: Annotated[Path, Positional(help="Functions, each with the commits that a reader of its log names.")],
    repos: Repos,
    as_json: AsJson = False,
) -> None:
    """How many stories of functions name the commits that a reader of the log names, and how many texts are identical.

    Example: `scripts/eval story marks.json --repos ~/src`
    """
    from evals.labelled.story import stories

    with steps("asking why", quiet=as_json) as step:
        told = stories(existing(marks), repos, progress=step)
    show(told, as_json=as_json)


def localize_command(
    instances: Annotated[Path, Positional(help="Issue texts with base commits and the files that were changed.")],
    repos: Repos,
    as_json: AsJson = False,
) -> None:
    """From an issue's text to the files that must change.

    Example: `scripts/eval localize issues.jsonl --repos ~/src`
    """
    from evals.replayed.localize import localize

    _show_replayed(localize, "issues", instances, repos, as_json)


def answers_command(
    questions: Annotated[Path, Positional(help="Questions with the expression that knows an answer.")],
    repos: Repos,
    vectors: Vectors = True,
    as_json: AsJson = False,
) -> None:
    """How often the answer to a colleague's question stands in what search finds first, beside BM25 over raw text.

    Example: `scripts/eval answers questions.jsonl --repos ~/src`
    """
    from evals.labelled.answers import answers

    _show_replayed(answers, "asking questions", questions, repos, as_json, vectors=vectors)


def precedents_command(
    marks: Annotated[Path, Positional(help="Commits, each with earlier ones that did the same sort of thing.")],
    repos: Repos,
    as_json: AsJson = False,
) -> None:
    """How often a commit of the same sort is among the precedents shown for a task, beside BM25 over messages.

    Example: `scripts/eval precedents marks.jsonl --repos ~/src`
    """
    from evals.replayed.precedents import precedents

    _show_replayed(precedents, "marked commits", marks, repos, as_json)


def conventions_command(
    truth: Annotated[Path, Positional(help="Known conventions, one JSON object a line.")],
    repos: Repos,
    as_json: AsJson = False,
) -> None:
    """Which known conventions of repositories are learned: right, wrong, abstained.

    Example: `scripts/eval conventions truth.jsonl --repos ~/src`
    """
    from evals.labelled.conventions import evaluate
    from evals.labelled.hidden import learn_at

    show(evaluate(existing(truth), repos, learn_at), as_json=as_json)


def contradictions_command(
    pairs: Pairs,
    no_scope: Annotated[bool, Option("--no-scope", help="Say nothing of where a statement holds.")] = False,
    judge: Annotated[str, Option("--judge", help="Who is asked: rules, local or model.")] = "local",
    as_json: AsJson = False,
) -> None:
    """Which contradictions between statements are found, and how often one is seen where there is none.

    Example: `scripts/eval contradictions pairs.jsonl --judge rules`
    """
    from evals.labelled.contradictions import contradictions
    from evals.labelled.judges import judge_named

    with steps("judging pairs", quiet=as_json) as step:
        told = contradictions(existing(pairs), judge_named(judge), scoped=not no_scope, progress=step)
    show(told, as_json=as_json)


def asked_command(
    pairs: Annotated[list[Path], Positional(help="Files of labelled pairs, one JSON object a line.")],
    notes: Annotated[list[Path] | None, Option("--notes", help="Notes that all hold, one a line.")] = None,
    weights: Annotated[Path | None, Option("--weights", help="Another reader than the shipped one.")] = None,
    near: Annotated[float, Option("--near", help="Nearness from which a pair is put anyway.")] = 0.45,
    belief: Annotated[float, Option("--belief", help="Belief from which it is put.")] = 0.35,
    floor: Annotated[float, Option("--floor", help="Nearness that brings two together.")] = 0.2,
    as_json: AsJson = False,
) -> None:
    """How many pairs of notes would be put to a judge, and what the reader alone believes of them.

    Example: `scripts/eval asked tests/judge/data/heldout_pairs.jsonl`
    """
    from evals.labelled.asked import Limits, asked

    show(asked(pairs, notes or [], Limits(near, belief, floor), weights), as_json=as_json)


def judged_command(
    pairs: Pairs,
    answers: Annotated[Path, Positional(help="What a judge answered, one JSON object a line.")],
    as_json: AsJson = False,
) -> None:
    """What becomes of pairs of notes with the recorded answers of a judge, beside rules and reader alone.

    Example: `scripts/eval judged tests/judge/data/unseen_pairs.jsonl tests/evals/data/judged_pairs.jsonl`
    """
    from evals.labelled.judged import judged

    show(judged(existing(pairs), existing(answers)), as_json=as_json)


def duplicates_command(
    pairs: Pairs,
    as_json: AsJson = False,
) -> None:
    """Which pairs a run would merge into one: how many of them say the same, and how many are missed.

    Example: `scripts/eval duplicates pairs.jsonl`
    """
    from evals.labelled.duplicates import duplicates

    with steps("comparing pairs", quiet=as_json) as step:
        told = duplicates(existing(pairs), progress=step)
    show(told, as_json=as_json)


def recall_command(
    turns: Annotated[Path, Positional(help="Lines of conversations, one JSON object each.")],
    questions: Annotated[Path, Positional(help="Questions about them, with the ids of the lines that answer.")],
    unit: Annotated[str, Option("--unit", help="What is to be found: turn or session.")] = "turn",
    as_json: AsJson = False,
) -> None:
    """How often the line, or the conversation, that answers a question is found, beside plain BM25.

    Example: `scripts/eval recall turns.jsonl.gz questions.jsonl.gz --unit session`
    """
    from evals.labelled.recall import recall

    with steps("asking questions", quiet=as_json) as step:
        told = recall(existing(turns), existing(questions), unit, progress=step)
    show(told, as_json=as_json)


def reasoning_command(
    requests: Annotated[Path | None, Positional(help="Requests with their readings.", show_default="ours")] = None,
    memories: Annotated[int, Option("--memories", help="Also time it in a generated store of that size.", min=0)] = 0,
    as_json: AsJson = False,
) -> None:
    """How well requests are read after each of ten conversations in which wrong readings are corrected; no model.

    Example: `scripts/eval reasoning --memories 10000`
    """
    from evals.labelled.reasoning import reasoning

    path = existing(requests) if requests is not None else None
    with progress(quiet=as_json) as bars:
        told = reasoning(path, memories, progress=bars.step)
    show(told, as_json=as_json)
