from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from kinds.worlds import world_of

from companion.kinds.decisions import DeclaredDecisions
from companion.records import ArtifactKind, Decision, DecisionStatus, Draft, FactType

NYGARD = """\
# 3. Keep events in DuckDB

Date: 2024-05-06

## Status

Accepted

## Context

We need one file that survives a crash. SQLite has no columns.

## Decision

We will keep events in DuckDB through `store/database.py`, behind `Store.open()`.

## Consequences

Only one process may open it.
"""

MADR = """\
---
status: accepted
date: 2023-11-02
decision-makers: [a, b]
---

# Use PostgreSQL for shared stores

## Context and Problem Statement

Teams share a store. Which engine shall hold it?

## Considered Options

* PostgreSQL
* MySQL

## Decision Outcome

Chosen option: "PostgreSQL", because it has vectors. It is known to all of us.

### Consequences

* Good, because backups exist.
"""


def learned(folder: Path, files: Mapping[str, str]) -> dict[str, Draft]:
    return {draft.origin: draft for draft in DeclaredDecisions().learn(world_of(folder, files))}


def body(draft: Draft) -> Decision:
    assert isinstance(draft.body, Decision)
    return draft.body


def test_a_nygard_record_becomes_a_decision_with_choice_reason_and_status(tmp_path: Path) -> None:
    path = "docs/adr/0003-keep-events-in-duckdb.md"
    draft = learned(tmp_path, {path: NYGARD, "store/database.py": ""})[path]
    assert draft.type == FactType.DECISION
    assert draft.subject == "Keep events in DuckDB"
    assert body(draft) == Decision(
        "Keep events in DuckDB",
        "We will keep events in DuckDB through `store/database.py`, behind `Store.open()`.",
        "We need one file that survives a crash. SQLite has no columns.",
        DecisionStatus.IN_FORCE,
    )
    assert draft.valid_from == datetime(2024, 5, 6)
    assert draft.evidence[0].label() == f"{path}:1"
    assert [(a.kind, a.ref) for a in draft.artifacts] == [(ArtifactKind.ADR, path)]
    assert {"file:store/database.py", "symbol:Store.open", f"file:{path}"} <= set(draft.entities)


def test_a_madr_record_gives_its_question_option_and_because(tmp_path: Path) -> None:
    path = "doc/decisions/0007-shared-store.md"
    draft = learned(tmp_path, {path: MADR})[path]
    assert body(draft) == Decision(
        "Which engine shall hold it?", "PostgreSQL", "it has vectors.", DecisionStatus.IN_FORCE
    )
    assert draft.subject == "Use PostgreSQL for shared stores"
    assert draft.evidence[0].line == 7
    assert draft.valid_from == datetime(2023, 11, 2)


@pytest.mark.parametrize(
    ("status", "stands"),
    [
        ("Proposed", DecisionStatus.PROPOSED),
        ("Accepted", DecisionStatus.IN_FORCE),
        ("Implemented in 2.0", DecisionStatus.IN_FORCE),
        ("Superseded by [ADR-7](0007-x.md)", DecisionStatus.SUPERSEDED),
        ("Deprecated", DecisionStatus.SUPERSEDED),
        ("Rejected", DecisionStatus.SUPERSEDED),
    ],
)
@pytest.mark.parametrize(
    "form", ["## Status\n\n{}\n", "* Status: {}\n", "- **Status**: {}\n", "Status: {}\n", "| Status | {} |\n"]
)
def test_the_status_is_read_however_it_is_written(
    tmp_path: Path, status: str, stands: DecisionStatus, form: str
) -> None:
    text = f"# ADR-0003: A thing\n\n{form.format(status)}\n## Decision\n\nWe do the thing.\n"
    draft = learned(tmp_path, {"adr/0003-a.md": text})["adr/0003-a.md"]
    assert body(draft).status is stands
    assert draft.subject == "A thing"


def test_a_record_that_a_later_one_supersedes_is_superseded(tmp_path: Path) -> None:
    old = "# 1. Use XML\n\n## Status\n\nAccepted\n\n## Decision\n\nWe use XML.\n"
    new = old.replace("1. Use XML", "2. Use JSON").replace("We use XML", "We use JSON")
    new = new.replace("Accepted\n", "Accepted\n\nSupersedes [1. Use XML](0001-use-xml.md)\n")
    drafts = learned(tmp_path, {"docs/adr/0001-use-xml.md": old, "docs/adr/0002-use-json.md": new})
    assert body(drafts["docs/adr/0001-use-xml.md"]).status is DecisionStatus.SUPERSEDED
    assert body(drafts["docs/adr/0002-use-json.md"]).status is DecisionStatus.IN_FORCE
    assert "by record 2" in drafts["docs/adr/0001-use-xml.md"].levels.full


def test_numbers_of_another_folder_are_other_records(tmp_path: Path) -> None:
    old = "# 1. Use XML\n\n## Status\n\nAccepted\n\n## Decision\n\nWe use XML.\n"
    new = "# 2. Use JSON\n\n## Status\n\nAccepted, supersedes ADR-1\n\n## Decision\n\nWe use JSON.\n"
    drafts = learned(tmp_path, {"a/docs/adr/0001-use-xml.md": old, "b/docs/adr/0002-use-json.md": new})
    assert body(drafts["a/docs/adr/0001-use-xml.md"]).status is DecisionStatus.IN_FORCE
    assert drafts["a/docs/adr/0001-use-xml.md"].scope.path == "a"


def test_an_rfc_counts_only_with_a_status_and_a_decision(tmp_path: Path) -> None:
    drafts = learned(
        tmp_path,
        {
            "rfcs/0001-idea.md": "# An idea\n\nIt would be nice.\n\n## Motivation\n\nSpeed.\n",
            "rfcs/0002-taken.md": "# Async core\n\nStatus: accepted\n\n## Decision\n\nThe core is async.\n",
        },
    )
    assert list(drafts) == ["rfcs/0002-taken.md"]


def test_templates_and_indexes_are_no_records(tmp_path: Path) -> None:
    files = {f"docs/adr/{name}.md": NYGARD for name in ("README", "template", "adr-template", "index")}
    assert learned(tmp_path, files) == {}


def test_a_record_without_status_is_less_sure(tmp_path: Path) -> None:
    text = "# Use tabs\n\n## Decision\n\nWe use tabs.\n"
    told = learned(tmp_path, {"docs/adr/1-tabs.md": text})["docs/adr/1-tabs.md"]
    sure = learned(tmp_path, {"docs/adr/3-a.md": NYGARD})["docs/adr/3-a.md"]
    assert told.confidence < sure.confidence


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.integers(0, len(MADR)), st.sampled_from([NYGARD, MADR]), st.text(alphabet="#*-:`\n[]() ", max_size=5))
def test_cut_records_never_crash(tmp_path: Path, at: int, text: str, noise: str) -> None:
    for draft in learned(tmp_path, {"docs/adr/0009-x.md": text[:at] + noise}).values():
        assert body(draft).choice
        assert draft.subject
