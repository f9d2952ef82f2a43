"""What matters now, and why: context, predict, explain."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from companion.api import Order
from companion.escape import one_line
from companion.records import Format, Kind, Tier
from companion.records.wording import counted, sureness
from companion.surfaces.cli.commands import CommandAnswer, Companion, command
from companion.surfaces.cli.declared import Option, Positional
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
    Words,
    choice_of,
    companion_for,
    parse_budget,
    parse_moment,
    signals_from,
)
from companion.surfaces.cli.output import MarkdownPage, TextTable, Verbatim, print_answer, show
from companion.surfaces.wording import ID_SHOWN, rank

if TYPE_CHECKING:  # a cold shell waits for no record that it does not need
    from companion.api import Explained, Explanation
    from companion.records import Context, ContextItem, Forecast, Prediction

LAST = frozenset({"recent", "strength"})
"""Reasons that say little beside any other: that a file changed of late, that it fits altogether."""
LIKELY_FROM = 0.005
"""Probability from which a file is told as likely: less is rounded to nothing."""
LIKELY_SHOWN, UNLIKELY_SHOWN = 15, 3
"""Files told of a prediction, and those told where none is likely: what is read at a glance."""
REASONS_SHOWN = 3
"""Reasons told for a file; the others add little."""
CALLED_CHARS = 80
"""Of what a fact says in a list of items."""
REASON_INDENT = " " * 8
"""Where reasons stand under their file."""


def context(
    words: Words = None,
    file: File = "",
    query: Query = "",
    error: ErrorFrom = "",
    branch: Branch = "",
    activity: ActivityIs = "",
    collaborator: Collaborator = None,
    persona: Persona = "",
    at: At = "",
    budget: Budget = None,
    format_: Annotated[str, Option("--format", metavar="FORMAT", help="md, xml or json.")] = "md",
    order: Annotated[
        str, Option(metavar="ORDER", help="people: most urgent first; assistants: most stable first.")
    ] = "people",
    explained: Annotated[bool, Option("--explain", help="Say why each item is there.")] = False,
    as_json: AsJson = False,
    repo: Repo = Path(),
) -> None:
    """Print the four-tier context for a file, a task or an error, within a token budget.

    Example: `companion context src/app.py fix the login redirect --budget 4000`
    """
    chosen = choice_of(Format, format_, "format")
    shown = Format.JSON if as_json else chosen
    ordered = choice_of(Order, order, "order")
    tokens = parse_budget(budget)
    with companion_for(repo, patient=False) as companion:
        signals = signals_from(
            repo=repo,
            words=words,
            file=file,
            query=query,
            error=error,
            branch=branch,
            activity=activity,
            collaborators=collaborator,
            persona=persona,
            at=parse_moment(at, companion.now()) if at else None,
        )
        answer = companion.assemble(tokens, signals, shown, ordered)
    print_answer(answer, MarkdownPage(answer.text) if shown is Format.MARKDOWN else Verbatim(answer.text), as_json)
    if explained and not as_json:
        show(["", *_reasons(answer)])


@command()
def predict(
    companion: Companion,
    repo: Path,
    words: Words = None,
    file: File = "",
    query: Query = "",
    error: ErrorFrom = "",
    branch: Branch = "",
    activity: ActivityIs = "",
    persona: Persona = "",
) -> CommandAnswer:
    """Say which files and memories are likely needed next, how likely, and why.

    Example: `companion predict src/app.py`
    """
    signals = signals_from(
        repo=repo,
        words=words,
        file=file,
        query=query,
        error=error,
        branch=branch,
        activity=activity,
        persona=persona,
    )
    forecast = companion.predict(signals)
    return CommandAnswer(forecast, told_forecast(forecast, signals.current_file))


def explain(
    id_: Annotated[
        str, Positional(metavar="[ID]", help="One item of the last context, or an answer; without: all.")
    ] = "",
    budget: Budget = None,
    as_json: AsJson = False,
    repo: Repo = Path(),
) -> None:
    """Say why the last context is as it is, and what it would be without an item; or what an answer is based on.

    Example: `companion explain file:src/app.py`
    """
    from companion.surfaces.cli.influences import ANSWER_ID, influenced

    if id_.startswith(ANSWER_ID):
        with companion_for(repo, anywhere=True) as companion:
            behind = companion.influences(id_)
        print_answer(behind, influenced(behind), as_json)
        return
    tokens = parse_budget(budget) if budget is not None else None
    with companion_for(repo) as companion:
        why = companion.explain_last(id_ or None, tokens)
    print_answer(why, list(_explanation(why)), as_json)


def _reasons(answer: Context) -> Iterator[str | TextTable]:
    """Why a context is as it is: what stands in it in its order, each with what speaks most for it."""
    from companion.surfaces.rows import because

    told = 0
    for tier in answer.tiers:
        if tier.tier is Tier.INDEX or not tier.items:
            continue
        rows = [
            (rank(number), _called(item), item.level, item.tokens, because(item.reasons))
            for number, item in enumerate(tier.items, start=told + 1)
        ]
        told += len(rows)
        yield TextTable(tier.tier.value.capitalize(), ("", "item", "shown", "tokens ", "because"), rows)
    named = sum(len(tier.items) for tier in answer.tiers) - told
    more = f", {named} more by name alone" if named else ""
    why = answer.inferred.get("activity", "it was given")
    yield (
        f"{counted(told, 'item')}{more}: {answer.tokens:,} of {answer.budget_tokens:,} tokens "
        f"({answer.tokenizer}), {answer.overhead_tokens:,} of them labels; activity {answer.activity.value}, as {why}."
    )
    if answer.dropped:
        yield f"{counted(len(answer.dropped), 'item')} found no room; `--json` lists them."


def _called(item: ContextItem) -> str:
    """What an item is called in a list: a fact by what it says."""
    return one_line(item.text, CALLED_CHARS) if item.kind == Kind.FACT.value else item.title


def told_forecast(forecast: Forecast, file: str) -> str:
    """A forecast in words; `file` is the one at hand, which reasons call so."""
    likely = [one for one in forecast.files[:LIKELY_SHOWN] if one.probability >= LIKELY_FROM]
    shown = likely or forecast.files[:UNLIKELY_SHOWN]
    head = "Likely needed next" if likely else "Nothing is likely needed next; the nearest"
    lines = [f"{head}, of {counted(len(forecast.files), 'file')}"]
    for number, one in enumerate(shown, start=1):
        lines.append(f"{rank(number):>6}  {one.path}  ({sureness(one.probability)})")
        if why := _why_likely(one, file):
            lines.append(f"{REASON_INDENT}{why}")
    if left := len(forecast.files) - len(shown):
        lines.append(f"{counted(left, 'file')} less likely; `--json` lists all with every reason.")
    if forecast.memories:
        lines.append("Memories likely needed")
    named = zip(forecast.memories, forecast.titles, strict=False)
    lines += [f"  {id_[:ID_SHOWN]}  {title}" for id_, title in named]
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


def _explanation(why: Explanation) -> Iterator[str | TextTable]:
    """The whole context as a table; then, or of one item alone, what speaks for it and what would be without it."""
    if len(why.items) != 1:
        yield from _reasons(why.context)
    for entry in why.items:
        yield ""
        yield from _explained(entry)


def _explained(entry: Explained) -> Iterator[str | TextTable]:
    from companion.surfaces.documents import linked

    item = entry.item
    yield f"{item.title}  ({item.id}) - {item.tier.value}, {item.level}, {item.tokens} tokens"
    rows = [(one.feature, one.says, f"{one.value:.2f}", f"{one.weight:.2f}") for one in item.reasons]
    yield TextTable("", ("reason", "in words", "value ", "weight "), rows)
    yield from (f"  from {evidence.label()}" for evidence in item.evidence)
    yield from (f"  {linked(tie)}" for tie in entry.linked)
    if entry.instead:
        yield "  without it: " + ", ".join(f"{other.title} ({other.level})" for other in entry.instead)
    elif entry.freed_tokens:
        yield f"  without it: nothing takes its place, {entry.freed_tokens} tokens less"
