"""An ask to a context: gather, choose, write - within an exact number of tokens.

Each tier fills its share; what it leaves flows on to the next, and the last rest goes back to the
relevant tier. The header is paid from the first tier's share, which is rarely full: it is cut at the
gap instead. Every block is counted as it is written out, and the whole text once more at the end, so
the count is exact and never above the budget.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set
from datetime import datetime

from msgspec import Struct

from companion.api import Order
from companion.engine.attending.focus import ASSUMED, Focus, activity_of, focus
from companion.engine.packing.choose import PackingContext, choose
from companion.engine.packing.split import shares
from companion.engine.predicting.predict import confidence, predict
from companion.engine.recalling import candidates
from companion.engine.recalling.candidate_files import of_files
from companion.engine.recalling.guard import INIT, Guarded
from companion.engine.recalling.held import not_held
from companion.engine.recalling.made_so import of_makers
from companion.engine.recalling.past_work import of_precedents
from companion.engine.recalling.recall import Ask, recall
from companion.engine.recalling.scoring_context import ScoringContext
from companion.engine.telling.render import style_of, write
from companion.engine.telling.styles import FrameStyle, Style
from companion.ports import Library, TokenCounter
from companion.records import (
    Activity,
    Candidate,
    Context,
    ContextItem,
    Dropped,
    ErrorReport,
    Format,
    Prediction,
    Signals,
    Tier,
    TierReport,
)

PREDICTION_LIMIT = 80
"""Files asked of the prediction: twice what a context shows, since what tools make is put behind."""
FROM_WORDS = frozenset({"strength", "covered", "mention", "symbol", "place", "in_error"})
"""Features by which a task in words speaks for a file; the others say that it is often changed."""
NOTHING_FITS = "no file or earlier commit matches this task: name a file or a symbol, or word it differently"
"""What is said of a task for which no file can be foreseen."""
SHORT_BELOW_TOKENS = 600
"""A budget under which the header uses its shortest words: the long ones would take over a tenth."""
LARGEST_BUDGET_TOKENS = 1_000_000
"""Larger budgets are treated as this one: no model reads more."""


class GatheredCandidates(Struct, frozen=True):
    """All that may enter a context, before a budget or a format is known."""

    now: datetime
    activity: Activity
    pool: tuple[Candidate, ...]
    moment: Mapping[str, str]
    inferred: Mapping[str, str]
    missing: tuple[str, ...]
    confidence: float


class Writing(Struct, frozen=True):
    """How a context is written: format, order of tiers, and the project's name for its header."""

    format: Format = Format.MARKDOWN
    order: Order = Order.PEOPLE
    project_name: str = ""


def assemble(  # noqa: PLR0913 - the one verb of the engine: what, about what, from what, how written
    budget_tokens: int,
    signals: Signals,
    errors: Sequence[ErrorReport],
    library: Library,
    counter: TokenCounter,
    now: datetime,
    format: Format = Format.MARKDOWN,  # noqa: A002 - the spec's own word
    order: Order = Order.PEOPLE,
    *,
    project_name: str = "",
    leave_out: Set[str] = frozenset(),
) -> Context:
    """The context of four tiers for what `signals` and `errors` say, at most `budget_tokens` long.

    `now` is naive UTC; `leave_out` are ids that must not appear (to see what would take their place).
    The same arguments over the same library give the same bytes. Nothing the library does can make
    this fail: what it could not give is named in the context's `missing`. Less than no budget is none.
    """
    gathered = gather(signals, errors, library, counter, now)
    return compose(gathered, budget_tokens, counter, Writing(format, order, project_name), leave_out)


def gather(
    signals: Signals, errors: Sequence[ErrorReport], library: Library, counter: TokenCounter, now: datetime
) -> GatheredCandidates:
    """Everything that may belong into the context, ranked and in all its forms."""
    guarded = Guarded(library)
    meant = guarded.attempt("the meaning of the signals", INIT, lambda: focus(signals, errors), _plain(signals))
    guarded.answers.expect(meant.text)
    predictions: tuple[Prediction, ...] = guarded.attempt(
        "prediction", INIT, lambda: predict(meant, guarded.answers, PREDICTION_LIMIT), ()
    )
    if signals.query.strip() and not meant.files and not any(map(_is_asked_for, predictions)):
        guarded.lack(NOTHING_FITS)
        predictions = ()
    ask = Ask(
        signals=signals,
        errors=tuple(errors),
        now=now,
        activity=meant.activity,
        current=meant.current,
        at_hand=tuple(path for path in meant.files if path in meant.at_hand and path != meant.current),
        error_files=tuple(path for path in meant.error_files if path not in meant.at_hand),
        text=meant.text,
        names=meant.names,
        predictions=predictions,
        assumed=meant.why_activity in ASSUMED,
    )
    inferred = {"activity": meant.why_activity} if signals.activity is None else {}
    return collect(ask, guarded.answers, counter, inferred)


def collect(ask: Ask, library: Library, counter: TokenCounter, inferred: Mapping[str, str]) -> GatheredCandidates:
    """Recall, rank and form candidates, once it is known what the signals mean and which files are likely needed."""
    recalled = recall(ask, library)
    scoring = ScoringContext(
        now=ask.now,
        activity=ask.activity,
        current=ask.current,
        at_hand=frozenset((*ask.at_hand, *ask.error_files)),
        neighbours={p.path: p.probability for p in ask.predictions},
        matched=recalled.matched,
        usual=frozenset(ask.signals.usual),
        task=ask.signals.query,
    )
    pool = (
        *candidates.of_contradictions(ask, recalled, counter),
        *candidates.of_threads(ask, recalled, counter),
        *candidates.of_memories(recalled, scoring),
        *of_files(ask, recalled, counter),
        *of_precedents(ask, recalled.memories, library, counter),
        *candidates.of_history(ask, recalled, counter),
        *candidates.of_topics(ask, recalled, counter),
    )
    pool = (*pool, *of_makers(ask, recalled, pool, library, counter))
    activity = "" if inferred.get("activity") in ASSUMED else ask.activity.value
    moment = {"file": ask.current, "activity": activity, "branch": ask.signals.branch}
    sure = confidence(ask.predictions)
    pool = not_held(pool, ask.signals)
    return GatheredCandidates(ask.now, ask.activity, pool, moment, inferred, library.missing(), sure)


def compose(
    gathered: GatheredCandidates,
    budget_tokens: int,
    counter: TokenCounter,
    writing: Writing,
    leave_out: Set[str] = frozenset(),
) -> Context:
    """What was gathered, chosen and written for one budget and format."""
    budget = min(max(budget_tokens, 0), LARGEST_BUDGET_TOKENS)
    style, order = style_of(writing.format), writing.order
    frame = FrameStyle(writing.project_name, gathered.moment, gathered.missing, budget < SHORT_BELOW_TOKENS)
    packing = PackingContext(style, counter, gathered.now)
    split = shares(budget, gathered.activity)
    pool = [candidate for candidate in gathered.pool if candidate.id not in leave_out]
    chosen = choose(pool, budget, split, packing, write(style, frame, (), order))
    text, tokens, items, gave_up = _written(chosen.blocks, style, frame, order, counter, budget)
    tiers = tuple(_report(tier, split[tier], items) for tier in Tier)
    dropped = [*chosen.dropped]
    dropped += [Dropped(item.id, item.title, item.tier, item.score, "budget") for item in gave_up]
    return Context(
        text=text,
        tokens=tokens,
        budget_tokens=budget_tokens,
        overhead_tokens=tokens - sum(report.tokens for report in tiers),
        tokenizer=counter.name,
        format=writing.format,
        activity=gathered.activity,
        confidence=gathered.confidence,
        tiers=tiers,
        dropped=tuple(sorted(dropped, key=lambda d: (-d.score, d.id, d.why))),
        missing=gathered.missing,
        inferred=gathered.inferred,
    )


def _written(
    blocks: Sequence[tuple[ContextItem, str]],
    style: Style,
    frame: FrameStyle,
    order: Order,
    counter: TokenCounter,
    budget: int,
) -> tuple[str, int, list[ContextItem], list[ContextItem]]:
    """The text, its tokens, what is in it, and what had to go for the exact count to fit.

    The blocks were counted one by one, so the whole is as long as foreseen but for the joints between
    them; if those make it too long, the least valuable items per token go first.
    """
    items = list(blocks)
    gave_up: list[ContextItem] = []
    text = write(style, frame, items, order)
    tokens = counter.count(text)
    while tokens > budget and items:
        freed, excess = 0, tokens - budget
        while freed < excess and items:
            item, _ = items.pop()
            gave_up.append(item)
            freed += item.tokens
        text = write(style, frame, items, order)
        tokens = counter.count(text)
    if tokens > budget:
        return "", 0, [], gave_up
    return text, tokens, [item for item, _ in items], gave_up


def _report(tier: Tier, share_tokens: int, items: Sequence[ContextItem]) -> TierReport:
    mine = sorted((item for item in items if item.tier is tier), key=lambda item: (-item.score, item.id))
    return TierReport(tier, share_tokens, sum(item.tokens for item in mine), tuple(mine))


def _is_asked_for(prediction: Prediction) -> bool:
    """Whether the task in words has anything to do with a file that is likely for another reason too."""
    return any(reason.feature in FROM_WORDS for reason in prediction.reasons)


def _plain(signals: Signals) -> Focus:
    """What can be said of signals when nothing else works: the file in front."""
    activity, why = activity_of(signals, ())
    return Focus(current=signals.current_file, activity=activity, why_activity=why)
