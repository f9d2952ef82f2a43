"""Tools about requests: how one is read, what is known that bears on it, why, and what came of all that is shown."""

from __future__ import annotations

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
from companion.records.wording import counted
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
from companion.surfaces.mcp.tool import Working, tool
from companion.wire import Between

UNNAMED = "as the assistant says"
"""What memories were used for, where it does not say."""
UNDECIDED = "Unknown does not mean approved: read what is related, and ask the user if in doubt."
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


@tool(changes=True)
def classify_request(working: Working, request: Request) -> Answer:
    """How a request of the user is meant, by what is remembered; a question to ask if unclear."""
    return classified(working.companion.classify(request, working.persona))


@tool(changes=True)
def get_reasoning_context(
    working: Working,
    query: Request,
    context_type: ContextType = ContextType.DECOMPOSITION,
    action: Annotated[str, Between(0, NOTE_MAX_CHARACTERS), "To be verified."] = "",
) -> Answer:
    """What is remembered for planning a request, or for checking an action against it."""
    companion = working.companion
    match context_type:
        case ContextType.CLASSIFICATION:
            return classified(companion.classify(query, working.persona))
        case ContextType.DECOMPOSITION:
            return decomposed(companion.decompose(query, working.persona))
        case ContextType.VERIFICATION:
            if not action.strip():
                raise UsageError("`action` is missing.", "Say in `action` what you intend to do for the request.")
            return verified(companion.verify(action, query, working.persona))


@tool()
def explain_classification(working: Working, classification_id: Id) -> Answer:
    """Why a request was read so."""
    return influenced(working.companion.influences(classification_id), "explanation")


@tool()
def get_memory_influence_chain(
    working: Working, memory_id: Id, limit: Annotated[int, Between(1, FOUND_MAX)] = 20
) -> Answer:
    """What a memory has influenced."""
    return influenced(working.companion.influences(memory_id, limit), "influence_chain")


@tool(changes=True)
def record_outcome(
    working: Working,
    ids: Annotated[tuple[Annotated[str, Between(1, ID_MAX_CHARACTERS)], ...], Between(1, NAMED_MAX)],
    outcome: Annotated[_Came, "cited, not_useful: of memories."],
    right: Annotated[str, Between(0, REASON_MAX_CHARACTERS), "As process/machine/execute, or fits, conflicts."] = "",
    note: Reason = "",
) -> Answer:
    """What the user made of an answer, or which memories helped."""
    companion = working.companion
    match outcome:
        case _Came.CITED:
            companion.cite(ids, note or UNNAMED)
        case _Came.NOT_USEFUL:
            companion.pass_over(ids, note or UNNAMED)
        case _Came.ACCEPTED | _Came.CORRECTED | _Came.REJECTED:
            done = [companion.record_outcome(id_, Outcome(outcome.value), note, right) for id_ in ids]
            taught = " ".join(dict.fromkeys(one.taught for one in done if one.taught))
            return both("outcome", [_answer(one.answer) for one in done], taught or "Noted.")
    return plain(f"Noted for {counted(len(ids), 'memory')}.")


ROWS = (
    classify_request,
    get_reasoning_context,
    explain_classification,
    get_memory_influence_chain,
    record_outcome,
)
