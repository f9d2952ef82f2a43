"""Tools about requests: how one is read, what is known that bears on it, why, and what came of all that is shown."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Annotated

from companion.errors import UsageError
from companion.records.reasoning import (
    Answered,
    Classified,
    Conformance,
    Decomposed,
    Influence,
    Influences,
    Known,
    Outcome,
    RuleToJudge,
    Verified,
)
from companion.surfaces.mcp.answers import ID_SHOWN, Answer, Labels, Row, both, plain
from companion.surfaces.mcp.asks import (
    FOUND_MAX,
    ID_MAX_CHARACTERS,
    NAMED_MAX,
    NOTE_MAX_CHARACTERS,
    REASON_MAX_CHARACTERS,
    Id,
    Reason,
)
from companion.surfaces.mcp.tool import Tool, Working
from companion.wire import Between

UNNAMED = "as the assistant says"
"""What memories were used for, where it does not say."""
UNDECIDED = "Unknown is no approval: read what is related, and ask the user if in doubt."
JUDGE_IT = (
    "You understand what rules over words cannot: judge the action by each rule below, and tell `judge` its question "
    "with fits, conflicts, silent or unsure, as `conflicts: why`; the same rule and action are then known."
)

Request = Annotated[str, Between(1, NOTE_MAX_CHARACTERS)]


class ContextType(StrEnum):
    """What a request is looked at for."""

    CLASSIFICATION = "classification"
    DECOMPOSITION = "decomposition"
    VERIFICATION = "verification"


class _Came(StrEnum):
    """What came of an answer to a request, or of a memory that was shown."""

    ACCEPTED = "accepted"
    CORRECTED = "corrected"
    REJECTED = "rejected"
    CITED = "cited"
    NOT_USEFUL = "not_useful"


@dataclass(frozen=True, slots=True, kw_only=True)
class ClassifyAsk:
    """How is this to be taken?"""

    request: Request


@dataclass(frozen=True, slots=True, kw_only=True)
class ReasoningAsk:
    """What is known that bears on this?"""

    query: Request
    context_type: ContextType = ContextType.DECOMPOSITION
    action: Annotated[str, Between(0, NOTE_MAX_CHARACTERS), "To be verified."] = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ExplainClassificationAsk:
    """Why was it read so?"""

    classification_id: Id


@dataclass(frozen=True, slots=True, kw_only=True)
class ChainAsk:
    """What has this memory influenced?"""

    memory_id: Id
    limit: Annotated[int, Between(1, FOUND_MAX)] = 20


@dataclass(frozen=True, slots=True, kw_only=True)
class OutcomeAsk:
    """This came of it."""

    ids: Annotated[tuple[Annotated[str, Between(1, ID_MAX_CHARACTERS)], ...], Between(1, NAMED_MAX)]
    outcome: Annotated[_Came, "cited, not_useful: of memories."]
    right: Annotated[str, Between(0, REASON_MAX_CHARACTERS), "As process/machine/execute, or fits, conflicts."] = ""
    note: Reason = ""


def _classify(working: Working, ask: ClassifyAsk) -> Answer:
    return classified(working.companion.classify(ask.request, working.persona))


def _context(working: Working, ask: ReasoningAsk) -> Answer:
    companion = working.companion
    match ask.context_type:
        case ContextType.CLASSIFICATION:
            return classified(companion.classify(ask.query, working.persona))
        case ContextType.DECOMPOSITION:
            return decomposed(companion.decompose(ask.query, working.persona))
        case ContextType.VERIFICATION:
            if not ask.action.strip():
                raise UsageError("`action` is missing.", "Say in `action` what you intend to do for the request.")
            return verified(companion.verify(ask.action, ask.query, working.persona))


def _explain(working: Working, ask: ExplainClassificationAsk) -> Answer:
    return influenced(working.companion.influences(ask.classification_id), "explanation")


def _chain(working: Working, ask: ChainAsk) -> Answer:
    return influenced(working.companion.influences(ask.memory_id, ask.limit), "influence_chain")


def _record(working: Working, ask: OutcomeAsk) -> Answer:
    companion = working.companion
    match ask.outcome:
        case _Came.CITED:
            companion.cite(ask.ids, ask.note or UNNAMED)
        case _Came.NOT_USEFUL:
            companion.pass_over(ask.ids, ask.note or UNNAMED)
        case _Came.ACCEPTED | _Came.CORRECTED | _Came.REJECTED:
            outcome = Outcome(ask.outcome.value)
            done = [companion.record_outcome(id_, outcome, ask.note, ask.right) for id_ in ask.ids]
            taught = " ".join(dict.fromkeys(one.taught for one in done if one.taught))
            return both("outcome", [_answer(one.answer) for one in done], taught or "Noted.")
    return plain(f"Noted for {len(ask.ids)} memories.")


def classified(one: Classified) -> Answer:
    """How a request is read, by what, and the question where it stays ambiguous."""
    labels: Labels = {"id": one.id, "reading": str(one.reading), "confidence": round(one.confidence, 2)}
    rows = [
        Row(
            "axis",
            {"name": name, "label": axis.label, "sure": round(axis.confidence, 2)},
            "; ".join(axis.reasons),
        )
        for name, axis in (
            ("destination", one.destination),
            ("consumer", one.consumer),
            ("semantics", one.semantics),
        )
    ]
    rows += [*_influences(one.influences), *_remarks(one.notes)]
    return both("classification", rows, one.question, labels)


def decomposed(one: Decomposed) -> Answer:
    """A request in steps, and what is known that bears on it."""
    rows = [
        Row(
            "step",
            {"reading": str(step.reading), "blocked_by": ", ".join(id_[:ID_SHOWN] for id_ in step.blocked_by)},
            f"{step.text}\n{step.why}".strip(),
        )
        for step in one.steps
    ]
    for name, known in (("similar_task", one.similar), ("decision", one.decisions), ("open_item", one.open)):
        rows += [_known(name, thing) for thing in known]
    return both("decomposition", [*rows, *_influences(one.influences), *_remarks(one.notes)], labels={"id": one.id})


def verified(one: Verified) -> Answer:
    """Whether an action fits what is known, by which rules, what is related, and what else may be meant."""
    fits = {Conformance.FITS: "yes", Conformance.CONFLICTS: "no", Conformance.UNKNOWN: "unknown"}[one.verdict]
    labels: Labels = {"id": one.id, "fits": fits, "confidence": round(one.confidence, 2)}
    rows = [_influence("support", thing) for thing in one.supporting]
    rows += [_influence("objection", thing) for thing in one.against]
    rows += [_influence("related_memory", thing) for thing in one.related]
    rows += [Row("reason", {}, one.why)] if one.why else []
    rows += [Row("other_reading", {}, one.other_reading)] if one.other_reading else []
    rows += [_rule(thing) for thing in one.to_judge]
    said = UNDECIDED if one.verdict is Conformance.UNKNOWN else ""
    said += f" {JUDGE_IT}" if one.to_judge else ""
    return both("verification", [*rows, *_remarks(one.notes)], said, labels)


def influenced(one: Influences, tag: str) -> Answer:
    """What an answer rests on, or what rests on a memory."""
    return both(tag, [*_influences(one.influences), *map(_answer, one.answers)], labels={"of": one.of[:ID_SHOWN]})


def _known(name: str, thing: Known) -> Row:
    text = "\n".join((thing.title, thing.why, *thing.steps)).strip()
    return Row(name, {"id": thing.id[:ID_SHOWN], "score": round(thing.score, 2)}, text)


def _influences(found: tuple[Influence, ...]) -> list[Row]:
    return [_influence("influence", one) for one in found]


def _influence(name: str, one: Influence) -> Row:
    labels: Labels = {
        "source": one.source[:ID_SHOWN],
        "how": one.how.value,
        "weight": round(one.weight, 2),
        "answer": one.answer,
    }
    return Row(name, labels, f"{one.title}\n{one.why}".strip())


def _rule(one: RuleToJudge) -> Row:
    labels: Labels = {"question": one.question[:ID_SHOWN], "source": one.source[:ID_SHOWN], "clause": one.clause}
    return Row("rule", labels, one.text)


def _answer(one: Answered) -> Row:
    labels: Labels = {
        "id": one.id,
        "kind": one.kind.value,
        "at": f"{one.at:%Y-%m-%d %H:%M}",
        "confidence": round(one.confidence, 2),
        "outcome": one.outcome.value if one.outcome else "",
        "right": one.right,
    }
    return Row("answer", labels, "\n".join(filter(None, (one.request, one.said, one.note))))


def _remarks(notes: tuple[str, ...]) -> list[Row]:
    return [Row("remark", {}, note) for note in notes]


ROWS: tuple[Tool, ...] = (
    Tool(
        "classify_request",
        "How a request of the user is meant, by what is remembered; a question to ask if unclear.",
        ClassifyAsk,
        _classify,
        changes=True,
    ),
    Tool(
        "get_reasoning_context",
        "What is remembered for planning a request, or for checking an action against it.",
        ReasoningAsk,
        _context,
        changes=True,
    ),
    Tool("explain_classification", "Why a request was read so.", ExplainClassificationAsk, _explain),
    Tool("get_memory_influence_chain", "What a memory has influenced.", ChainAsk, _chain),
    Tool(
        "record_outcome",
        "What the user made of an answer, or which memories helped.",
        OutcomeAsk,
        _record,
        changes=True,
    ),
)
