"""Commands that ask: context, predict, search, expand, explain."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Annotated

import typer

from companion.api import Expansion, Explained, Explanation, Order
from companion.records import (
    Context,
    Forecast,
    Format,
    Kind,
    Memory,
    Prediction,
    Profile,
    SearchQuery,
    Visibility,
    places,
)
from companion.surfaces.cli.commands import CommandAnswer, Companion, command
from companion.surfaces.cli.hits import coverage, expansion, linked
from companion.surfaces.cli.hits import hits as told_hits
from companion.surfaces.cli.options import (
    ActivityIs,
    AsJson,
    At,
    Branch,
    Budget,
    Collaborator,
    ErrorFrom,
    File,
    Persona,
    Query,
    Repo,
    choice_of,
    companion_for,
    parse_budget,
    parse_moment,
    signals_from,
)
from companion.surfaces.cli.output import counted, print_answer, print_text, wrapped
from companion.surfaces.cli.told import ID_SHOWN

LAST = frozenset({"recent", "strength"})
"""Reasons that say little beside any other: that a file changed of late, that it fits altogether."""
LIKELY_FROM = 0.005
"""Probability from which a file is told as likely: less is rounded to nothing."""
LIKELY_SHOWN, UNLIKELY_SHOWN = 15, 3
"""Files told of a prediction, and those told where none is likely: what is read at a glance."""
REASONS_SHOWN = 3
"""Reasons told for a file; the others add little."""
REASON_INDENT, MEMORY_INDENT = " " * 8, " " * 16
"""Where reasons stand under their file, and the rest of a memory under its beginning."""
SEARCH_MAX = 200
"""More results than anybody reads."""


def context(
    file: File = "",
    query: Query = "",
    error: ErrorFrom = "",
    branch: Branch = "",
    activity: ActivityIs = "",
    collaborator: Collaborator = None,
    at: At = "",
    budget: Budget = None,
    format_: Annotated[str, typer.Option("--format", help="md, xml or json.")] = "md",
    order: Annotated[str, typer.Option(help="people: most urgent first; assistants: most stable first.")] = "people",
    explained: Annotated[bool, typer.Option("--explain", help="Say why each item is there.")] = False,
    as_json: AsJson = False,
    repo: Repo = Path(),
) -> None:
    """Print the four-tier context for a file, a task or an error, within a token budget.

    Example: `companion context --file src/app.py --task "fix the login redirect" --budget 4000`
    """
    chosen = choice_of(Format, format_, "format")
    shown = Format.JSON if as_json else chosen
    ordered = choice_of(Order, order, "order")
    tokens = parse_budget(budget)
    with companion_for(repo, patient=False) as companion:
        signals = signals_from(
            repo=repo,
            file=file,
            query=query,
            error=error,
            branch=branch,
            activity=activity,
            collaborators=collaborator,
            at=at,
            now=companion.now(),
        )
        answer = companion.assemble(tokens, signals, shown, ordered)
    print_answer(answer, answer.text, as_json)
    if explained and not as_json:
        _print_reasons(answer)


@command()
def predict(
    companion: Companion,
    repo: Path,
    file: File = "",
    query: Query = "",
    error: ErrorFrom = "",
    branch: Branch = "",
    activity: ActivityIs = "",
) -> CommandAnswer:
    """Say which files and memories are likely needed next, how likely, and why.

    Example: `companion predict --file src/app.py`
    """
    signals = signals_from(
        repo=repo,
        file=file,
        query=query,
        error=error,
        branch=branch,
        activity=activity,
        now=companion.now(),
    )
    forecast = companion.predict(signals)
    return CommandAnswer(forecast, told_forecast(forecast, signals.current_file))


@command()
def search(
    companion: Companion,
    text: Annotated[list[str], typer.Argument(metavar="TEXT", help="What to look for; quotes are not needed.")],
    kind: Annotated[list[str] | None, typer.Option(help="fact, episode, pattern, workflow; may be repeated.")] = None,
    visibility: Annotated[list[str] | None, typer.Option(help="user-private, project-shared, system.")] = None,
    scope: Annotated[str, typer.Option(help="Only what applies to this path.")] = "",
    entity: Annotated[list[str] | None, typer.Option(help="Only what refers to it, e.g. file:src/app.py.")] = None,
    as_of: Annotated[str, typer.Option(help="What was known at this moment.")] = "",
    valid_at: Annotated[str, typer.Option(help="What was true at this moment.")] = "",
    archived: Annotated[bool, typer.Option("--archived", help="Forgotten ones too.")] = False,
    act: Annotated[str, typer.Option("--act", help="Only what belongs to this act, by its name.")] = "",
    persona: Persona = "",
    cards: Annotated[bool, typer.Option("--cards", help="Add what else is known of whom and what is named.")] = False,
    profile: Annotated[str, typer.Option(help="How to rank: learned, memory, recall, cold-turns.")] = "learned",
    limit: Annotated[int, typer.Option("--limit", "-l", help="Most results.", min=1, max=SEARCH_MAX)] = 10,
) -> CommandAnswer:
    """Find what is remembered, and the passages of files, commits and conversations that speak of it.

    Example: `companion search session cookie --kind episode --as-of 2025-06-01`
    """
    now = companion.now()
    asked = SearchQuery(
        text=" ".join(text),
        kinds=tuple(choice_of(Kind, name, "kind") for name in kind or ()),
        visibility=tuple(choice_of(Visibility, name, "visibility") for name in visibility or ()),
        entities=tuple(entity or ()),
        scope_path=scope,
        act=act,
        persona=persona,
        as_of=parse_moment(as_of, now),
        valid_at=parse_moment(valid_at, now),
        include_archived=archived,
        profile=choice_of(Profile, profile, "profile"),
        limit=limit,
    )
    hits = companion.search(asked)
    known = companion.cards([hit.memory.id for hit in hits if hit.memory], persona) if cards else ()
    ready = companion.stats().readiness
    beside = [line for card in known for line in (card.name, *(f"  {_one_line(fact)}" for fact in card.facts))]
    lines = [told_hits(hits), *beside, coverage(ready)]
    found = {"hits": hits, **({"cards": known} if cards else {}), "readiness": ready}
    return CommandAnswer(found, "\n".join(filter(None, lines)))


def _one_line(fact: Memory) -> str:
    return f"{' '.join(fact.draft.levels.summary.split())}  ({fact.id[:ID_SHOWN]})"


@command(expansion, anywhere=True)
def expand(
    companion: Companion,
    id_: Annotated[str, typer.Argument(metavar="ID", help="An id, the start of one, file:PATH or history:PATH.")],
) -> Expansion:
    """Show everything behind an id: full text, evidence, earlier versions.

    Example: `companion expand m1a2b3c4`
    """
    return companion.expand(id_)


def explain(
    id_: Annotated[
        str, typer.Argument(metavar="[ID]", help="One item of the last context, or an answer; without: all.")
    ] = "",
    budget: Budget = None,
    as_json: AsJson = False,
    repo: Repo = Path(),
) -> None:
    """Say why the last context is as it is, and what it would be without an item; or what an answer rests on.

    Example: `companion explain file:src/app.py`
    """
    from companion.surfaces.cli.reasoning import ANSWER_ID, influenced

    if id_.startswith(ANSWER_ID):
        with companion_for(repo, anywhere=True) as companion:
            behind = companion.influences(id_)
        print_answer(behind, influenced(behind), as_json)
        return
    tokens = parse_budget(budget) if budget is not None else None
    with companion_for(repo) as companion:
        why = companion.explain_last(id_ or None, tokens)
    print_answer(why, _explanation(why), as_json)


def _print_reasons(answer: Context) -> None:
    lines = [
        "",
        f"Why - {answer.tokens} of {answer.budget_tokens} tokens ({answer.tokenizer}), "
        f"{answer.overhead_tokens} of them labels; activity {answer.activity.value}",
    ]
    for tier in answer.tiers:
        lines.append(f"{tier.tier.value}: {tier.tokens} of {tier.share_tokens} tokens")
        for item in tier.items:
            why = "; ".join(reason.says for reason in item.reasons if reason.says)
            source = ", ".join(places(item.evidence, 2))
            says = " - ".join(part for part in (item.title, why, source) if part)
            lines.append(f"  {item.score:.2f} {item.tokens:>5} {item.level:<10} {says}")
    if answer.dropped:
        lines.append(f"{len(answer.dropped)} more were left out; `--json` lists them.")
    print_text("\n".join(lines))


def told_forecast(forecast: Forecast, file: str) -> str:
    """A forecast in words; `file` is the one at hand, which reasons call so."""
    lines = [f"Likely needed next (confidence {forecast.confidence:.0%}, {forecast.activity.value})"]
    likely = [one for one in forecast.files[:LIKELY_SHOWN] if one.probability >= LIKELY_FROM]
    for one in likely or forecast.files[:UNLIKELY_SHOWN]:
        share = f"{one.probability:.0%}" if one.probability >= LIKELY_FROM else "<1%"
        lines.append(f"  {share:>4}  {one.path}")
        if why := _why_likely(one, file):
            lines.append(wrapped(why, REASON_INDENT))
    if left := len(forecast.files) - len(likely or forecast.files[:UNLIKELY_SHOWN]):
        lines.append(f"{counted(left, 'file')} less likely; `--json` lists all with every reason.")
    if forecast.memories:
        lines.append("Memories likely needed")
    named = zip(forecast.memories, forecast.titles, strict=False)
    lines += [wrapped(f"{id_[:ID_SHOWN]}  {title}", "  ", MEMORY_INDENT) for id_, title in named]
    return "\n".join([*lines, *(f"Missing: {missing}" for missing in forecast.missing)])


def _why_likely(one: Prediction, file: str) -> str:
    """The heaviest reasons for a file, the one at hand called so; what says little only where nothing else speaks."""
    reasons = [reason for reason in one.reasons if reason.says]
    telling = [reason for reason in reasons if reason.feature not in LAST] or reasons
    said = "; ".join(dict.fromkeys(reason.says for reason in telling[:REASONS_SHOWN]))
    parts = Path(file).parts
    ends = ("/".join(parts[at:]) for at in range(len(parts)))
    here = next((end for end in ends if end and end in said), "")
    return said.replace(here, "this file") if here else said


def _explanation(why: Explanation) -> str:
    head = f"{why.context.tokens} of {why.context.budget_tokens} tokens; activity {why.context.activity.value}."
    return "\n".join([head, *(line for entry in why.items for line in ("", *_explained(entry)))])


def _explained(entry: Explained) -> Iterator[str]:
    item = entry.item
    yield f"{item.title}  ({item.id}) - {item.tier.value}, {item.level}, {item.tokens} tokens"
    for reason in item.reasons:
        yield f"  {reason.feature:<18} {reason.value:.2f} x {reason.weight:.2f}  {reason.says}"
    yield from (f"  from {evidence.label()}" for evidence in item.evidence)
    yield from (f"  {linked(tie)}" for tie in entry.linked)
    if entry.instead:
        yield "  without it: " + ", ".join(f"{other.title} ({other.level})" for other in entry.instead)
    elif entry.freed_tokens:
        yield f"  without it: nothing takes its place, {entry.freed_tokens} tokens less"
